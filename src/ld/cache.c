/* ld.so.cache (elf/dl-cache.c: _dl_load_cache_lookup, search_cache). */
#include "ld/internal.h"

enum { EM_386 = 3, EM_PPC64 = 21, EM_S390 = 22, EM_ARM = 40, EM_X86_64 = 62, EM_AARCH64 = 183 };
enum { EM_RISCV = 243, EM_LOONGARCH = 258 };

#define HWCAP_EXTENSION (UINT64_C(1) << 62)
#define HWCAP_TLS (UINT64_C(1) << 63)
#define HWCAP_X86_64 (UINT64_C(1) << 1)
#define HWCAP_AVX512_1 (UINT64_C(1) << 2)
#define HWCAP_PLATFORM_SHIFT 48
#define HWCAP_PLATFORM (UINT64_C(3) << HWCAP_PLATFORM_SHIFT)

/* The flags an entry must have: the process's ABI (sysdeps/generic/ldconfig.h and dl-cache.h of
 * each machine). */
static bool right_abi(const struct wy_host *h, uint32_t flags) {
    switch (h->machine) {
    case EM_X86_64:
        return flags == (h->is64 ? 0x0303 : 0x0803);
    case EM_AARCH64:
        return flags == 0x0a03;
    case EM_PPC64:
        return flags == 0x0503;
    case EM_S390:
        return flags == (h->is64 ? 0x0403 : 0x0003);
    case EM_ARM:
        return flags == 0x0903 || flags == 0x0b03 || flags == 0x0003;
    case EM_RISCV:
        return flags == 0x1003 || flags == 0x0f03;
    case EM_LOONGARCH:
        return flags == 0x1203;
    default:
        return flags == 0x0003 || (h->machine != EM_386 && flags == 1);
    }
}

/* Place of the entry's glibc-hwcaps directory among those this CPU uses: 1 is the best, 0 none. */
static unsigned named_priority(const struct wy_ld *ld, const struct wy_cache_entry *e) {
    for (size_t i = 0; e->hwcap_name && i < ld->nsubs; i++) {
        const char *word = ld->subs[i];
        if (!wy_starts(word, LD_HWCAPS_DIR))
            continue;
        word += sizeof LD_HWCAPS_DIR - 1;
        size_t n = strlen(e->hwcap_name);
        if (strncmp(word, e->hwcap_name, n) == 0 && word[n] == '/')
            return (unsigned)i + 1;
    }
    return 0;
}

/* Entries of the older scheme count up to 2.36, if this CPU has all that they name. */
static bool legacy_usable(const struct wy_host *h, uint64_t hwcap) {
    if (!hwcap)
        return true;
    if (h->libc_minor == 0 || h->libc_minor > 36)
        return false;
    uint64_t have = HWCAP_TLS | HWCAP_PLATFORM, platform = 0;
    if (h->machine == EM_X86_64) {
        bool haswell = wy_same(h->cpu_platform, "haswell");
        bool phi = wy_same(h->cpu_platform, "xeon_phi");
        have |= HWCAP_X86_64 | (h->legacy_avx512_1 ? HWCAP_AVX512_1 : 0);
        platform = (haswell ? UINT64_C(2)
                    : phi   ? UINT64_C(3)
                            : UINT64_C(0))
                   << HWCAP_PLATFORM_SHIFT;
    }
    if (hwcap & ~have)
        return false;
    return !(hwcap & HWCAP_PLATFORM) || (hwcap & HWCAP_PLATFORM) == platform;
}

/* First of the entries whose key equals the name; *n is how many do. The loader compares runs of
 * digits as numbers, so "libz.so.01" finds "libz.so.1". */
static size_t equal_range(const struct wy_host *h, const char *name, size_t *n) {
    size_t left = 0, right = h->ncache;
    while (left < right) {
        size_t middle = left + (right - left) / 2;
        if (wy_ldcache_cmp(h->cache[middle].key, name) > 0)
            left = middle + 1;
        else
            right = middle;
    }
    *n = 0;
    while (left + *n < h->ncache && wy_ldcache_cmp(h->cache[left + *n].key, name) == 0)
        ++*n;
    return left;
}

/* An entry for a newer kernel, up to 2.35. */
static bool too_new(const struct wy_host *h, const struct wy_cache_entry *e) {
    return h->libc_minor && h->libc_minor <= 35 && h->kernel && e->osversion > h->kernel;
}

static const char *lookup(const struct wy_ld *ld, const char *name) {
    const struct wy_host *h = ld->host;
    size_t n, first = equal_range(h, name, &n);
    const char *best = NULL;
    unsigned best_priority = 0;
    for (size_t i = first; i < first + n; i++) {
        const struct wy_cache_entry *e = &h->cache[i];
        if (!right_abi(h, e->flags) || too_new(h, e))
            continue;
        if (!(e->hwcap & HWCAP_EXTENSION)) {
            if (!legacy_usable(h, e->hwcap))
                continue;
            return best ? best : e->path;
        }
        unsigned priority = named_priority(ld, e);
        if (priority && (!best || priority < best_priority)) {
            best = e->path;
            best_priority = priority;
        }
    }
    return best;
}

const char *ld_cache_lookup(struct wy_ld *ld, struct ld_name *name) {
    if (!name->cache_known) {
        name->cache_known = true;
        name->cached = lookup(ld, name->s);
    }
    return name->cached;
}
