/* ld.so.cache, as ldconfig writes it (glibc sysdeps/generic/dl-cache.h). Old format: magic, number
 * of entries, entries of three words, strings. New format: a header of 48 bytes, entries of 24
 * bytes, and since 2.33 extensions; its offsets count from its own header, which may follow an
 * old-format block. */
#include "host/host.h"

static const char old_magic[] = "ld.so-1.7.0";
static const char new_magic[] = "glibc-ld.so.cache1.1";
enum { OLD_HEADER = 16, OLD_ENTRY = 12, NEW_HEADER = 48, NEW_ENTRY = 24 };
enum { ENDIAN_UNSET = 0, ENDIAN_INVALID = 1, ENDIAN_BIG = 3 };
enum { EXTENSION_HEADER = 8, EXTENSION_SECTION = 16, EXTENSION_HWCAPS = 1, MAX_SECTIONS = 1024 };
static const uint32_t extension_magic = 0xeaa42174;
static const uint64_t extension_bit = UINT64_C(1) << 62;

int wy_ldcache_cmp(const char *a, const char *b) {
    for (;;) {
        bool da = *a >= '0' && *a <= '9', db = *b >= '0' && *b <= '9';
        if (da != db)
            return da ? 1 : -1;
        if (!da) {
            if (*a != *b || !*a)
                return *a - *b;
            a++;
            b++;
            continue;
        }
        /* 32 bits and wrapping, as the loader's int does in practice. */
        uint32_t va = 0, vb = 0;
        for (; *a >= '0' && *a <= '9'; a++)
            va = va * 10 + (uint32_t)(*a - '0');
        for (; *b >= '0' && *b <= '9'; b++)
            vb = vb * 10 + (uint32_t)(*b - '0');
        if (va != vb)
            return (int32_t)(va - vb) < 0 ? -1 : 1;
    }
}

/* One block of the file: offsets of its texts count from `bytes.p`. */
struct block {
    struct wy_str bytes;
    size_t text_end; /* texts that start before it end before it */
    bool big_endian;
    struct wy_str hwcaps; /* u32 offsets of names */
    const char *problem;
};

static uint32_t u32(const struct block *b, size_t at) {
    const unsigned char *p = (const unsigned char *)b->bytes.p + at;
    uint32_t v = 0;
    for (unsigned i = 0; i < 4; i++)
        v = v << 8 | p[b->big_endian ? i : 3 - i];
    return v;
}

static bool inside(const struct block *b, size_t at, size_t n) {
    return at <= b->bytes.n && n <= b->bytes.n - at;
}

static const char *text(const struct block *b, uint64_t at) {
    return at < b->text_end ? b->bytes.p + at : NULL;
}

static void set_bytes(struct block *b, struct wy_str bytes) {
    const char *nul = bytes.n ? memrchr(bytes.p, '\0', bytes.n) : NULL;
    b->bytes = bytes;
    b->text_end = nul ? (size_t)(nul - bytes.p) + 1 : 0;
}

static bool has_magic(struct wy_str s, const char *magic) {
    size_t n = strlen(magic);
    return s.n >= n && memcmp(s.p, magic, n) == 0;
}

static struct wy_str after(struct wy_str s, size_t n) {
    return n < s.n ? (struct wy_str){s.p + n, s.n - n} : (struct wy_str){0};
}

/* The table of names of glibc-hwcaps folders, if there is one. */
static void find_hwcaps(struct block *b, size_t at) {
    if (!at)
        return;
    if (!inside(b, at, EXTENSION_HEADER) || u32(b, at) != extension_magic) {
        b->problem = "the extension block has no magic";
        return;
    }
    uint32_t n = u32(b, at + 4);
    if (n > MAX_SECTIONS || !inside(b, at + EXTENSION_HEADER, (size_t)n * EXTENSION_SECTION)) {
        b->problem = "the extension block runs past the end of the file";
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        size_t section = at + EXTENSION_HEADER + (size_t)i * EXTENSION_SECTION;
        uint32_t offset = u32(b, section + 8), size = u32(b, section + 12);
        if (!inside(b, offset, size))
            b->problem = "an extension section runs past the end of the file";
        else if (u32(b, section) == EXTENSION_HWCAPS)
            b->hwcaps = (struct wy_str){b->bytes.p + offset, size};
    }
}

static const char *hwcap_name(const struct block *b, uint64_t hwcap) {
    uint32_t index = (uint32_t)hwcap;
    if (!(hwcap & extension_bit) || index >= b->hwcaps.n / 4)
        return NULL;
    return text(b, u32(b, (size_t)(b->hwcaps.p - b->bytes.p) + (size_t)index * 4));
}

/* False when the entry's texts are not in the file. */
static bool read_new(const struct block *b, size_t at, struct wy_cache_entry *e) {
    uint64_t low = u32(b, at + 16), high = u32(b, at + 20);
    *e = (struct wy_cache_entry){.flags = u32(b, at),
                                 .key = text(b, u32(b, at + 4)),
                                 .path = text(b, u32(b, at + 8)),
                                 .osversion = u32(b, at + 12),
                                 .hwcap = b->big_endian ? low << 32 | high : high << 32 | low};
    e->hwcap_name = hwcap_name(b, e->hwcap);
    return e->key && e->path;
}

static void parse_new(struct block *b, struct wy_arena *a, struct wy_cache_entry **ret, size_t *n) {
    if (b->bytes.n < NEW_HEADER) {
        b->problem = "the header is cut off";
        return;
    }
    unsigned endian = (unsigned char)b->bytes.p[28] & 3;
    if (endian == ENDIAN_INVALID) {
        b->problem = "the header says that the byte order is invalid";
        return;
    }
    b->big_endian = endian == ENDIAN_BIG;
    uint32_t count = u32(b, 20);
    /* The loader ignores such a file as a whole (elf/dl-cache.c, _dl_load_cache_lookup). */
    if (count > (b->bytes.n - NEW_HEADER) / NEW_ENTRY) {
        b->problem = "the entries run past the end of the file";
        return;
    }
    find_hwcaps(b, u32(b, 32));
    *ret = wy_arena_alloc(a, (size_t)count * sizeof **ret);
    for (uint32_t i = 0; i < count; i++) {
        if (read_new(b, NEW_HEADER + (size_t)i * NEW_ENTRY, &(*ret)[*n]))
            (*n)++;
        else
            b->problem = "an entry's text lies past the end of the file";
    }
}

/* The old format knows no byte order: little-endian, unless only the other one fits the file. */
static void parse_old(struct block *file, struct wy_arena *a, struct wy_cache_entry **ret,
                      size_t *n) {
    if (file->bytes.n < OLD_HEADER) {
        file->problem = "the header is cut off";
        return;
    }
    size_t room = (file->bytes.n - OLD_HEADER) / OLD_ENTRY;
    uint32_t count = u32(file, 12);
    if (count > room) {
        file->big_endian = true;
        count = u32(file, 12);
    }
    if (count > room) {
        file->problem = "the entries run past the end of the file";
        return;
    }
    size_t texts = OLD_HEADER + (size_t)count * OLD_ENTRY;
    /* The new block is aligned as its struct: to 8 bytes on most machines, to 4 on i386. */
    struct wy_str rest = after(file->bytes, (texts + 7) & ~(size_t)7);
    if (!has_magic(rest, new_magic))
        rest = after(file->bytes, (texts + 3) & ~(size_t)3);
    if (has_magic(rest, new_magic)) {
        set_bytes(file, rest);
        parse_new(file, a, ret, n);
        return;
    }
    *ret = wy_arena_alloc(a, (size_t)count * sizeof **ret);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = OLD_HEADER + (size_t)i * OLD_ENTRY;
        struct wy_cache_entry e = {.flags = u32(file, at),
                                   .key = text(file, (uint64_t)texts + u32(file, at + 4)),
                                   .path = text(file, (uint64_t)texts + u32(file, at + 8))};
        if (e.key && e.path)
            (*ret)[(*n)++] = e;
        else
            file->problem = "an entry's text lies past the end of the file";
    }
}

void wy_ldcache_parse(struct wy_str bytes, struct wy_arena *a, struct wy_cache_entry **ret,
                      size_t *n, const char **problem) {
    struct block b = {0};
    set_bytes(&b, bytes);
    *ret = NULL;
    *n = 0;
    if (has_magic(bytes, new_magic))
        parse_new(&b, a, ret, n);
    else if (has_magic(bytes, old_magic))
        parse_old(&b, a, ret, n);
    else
        b.problem = "no ld.so.cache magic at byte 0";
    *problem = b.problem;
}
