/* The sub-directories tried before each searched directory (elf/dl-hwcaps.c). */
#include "ld/internal.h"

#include <stdio.h>

enum { EM_386 = 3, EM_PPC64 = 21, EM_S390 = 22, EM_X86_64 = 62 };

static void add(struct wy_ld *ld, const char *text) {
    for (size_t i = 0; i < ld->nsubs; i++)
        if (strcmp(ld->subs[i], text) == 0)
            return;
    ld->subs[ld->nsubs++] = wy_arena_cstr(&ld->arena, text);
}

/* glibc-hwcaps since 2.33, best first (sysdeps/<machine>/dl-hwcaps_subdirs.c). */
static void add_named(struct wy_ld *ld) {
    static const char *const power[] = {"power10", "power9", NULL};
    static const char *const z[] = {"z16", "z15", "z14", "z13", NULL};
    const struct wy_host *h = ld->host;
    char text[64];
    if (h->machine == EM_X86_64 && h->is64)
        for (unsigned level = h->cpu_level; level >= 2; level--) {
            snprintf(text, sizeof text, LD_HWCAPS_DIR "x86-64-v%u/", level);
            add(ld, text);
        }
    const char *const *names = h->machine == EM_PPC64 ? power : h->machine == EM_S390 ? z : NULL;
    bool active = false;
    for (; names && *names; names++) {
        active = active || (h->cpu && strcmp(*names, h->cpu) == 0);
        if (!active)
            continue;
        snprintf(text, sizeof text, LD_HWCAPS_DIR "%s/", *names);
        add(ld, text);
    }
}

/* The words of the older scheme, lowest bit first: hwcaps, platform, "tls". On x86-64 Intel CPUs
 * alone get a platform of their own and "avx512_1" (sysdeps/x86/cpu-features.c, 2.36). */
static size_t legacy_words(const struct wy_host *h, const char *words[4]) {
    size_t n = 0;
    const char *platform = h->platform_token;
    if (h->machine == EM_X86_64)
        words[n++] = "x86_64";
    if (h->legacy_avx512_1)
        words[n++] = "avx512_1";
    if (h->machine == EM_386)
        words[n++] = "sse2";
    if (platform)
        words[n++] = platform;
    words[n++] = "tls";
    return n;
}

/* Up to 2.36: every combination of the words, longest first. */
static void add_legacy(struct wy_ld *ld) {
    const char *words[4];
    size_t n = legacy_words(ld->host, words);
    for (unsigned mask = (1u << n) - 1; mask; mask--) {
        char text[128];
        size_t at = 0;
        for (size_t i = n; i-- > 0;)
            if (mask >> i & 1)
                at += (size_t)snprintf(text + at, sizeof text - at, "%.20s/", words[i]);
        add(ld, text);
    }
}

void ld_hwcaps_init(struct wy_ld *ld) {
    unsigned minor = ld->host->libc_minor;
    ld->subs = wy_arena_alloc(&ld->arena, 32 * sizeof *ld->subs);
    if (minor == 0 || minor >= 33)
        add_named(ld);
    if (minor != 0 && minor <= 36)
        add_legacy(ld);
}
