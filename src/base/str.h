/* Text as a pointer and a length: a borrowed look into bytes that somebody else owns. */
#ifndef WY_BASE_STR_H
#define WY_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wy_str {
    const char *p; /* not NUL-terminated; may be NULL when n is 0 */
    size_t n;      /* bytes */
};

#define WY_STR(literal) ((struct wy_str){(literal), sizeof(literal) - 1})

static inline struct wy_str wy_str_of(const char *s) {
    return (struct wy_str){s, s ? strlen(s) : 0};
}

static inline uint64_t wy_load64(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}
static inline uint32_t wy_load32(const char *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* Of names, most have 4 to 16 bytes: two loads from either end see them all. */
static inline bool wy_bytes_eq(const char *a, const char *b, size_t n) {
    if (n >= 4 && n < 8)
        return wy_load32(a) == wy_load32(b) && wy_load32(a + n - 4) == wy_load32(b + n - 4);
    if (n >= 8 && n <= 16)
        return wy_load64(a) == wy_load64(b) && wy_load64(a + n - 8) == wy_load64(b + n - 8);
    return n == 0 || memcmp(a, b, n) == 0;
}

static inline bool wy_str_eq(struct wy_str a, struct wy_str b) {
    return a.n == b.n && wy_bytes_eq(a.p, b.p, a.n);
}

static inline bool wy_str_is(struct wy_str a, const char *s) {
    return wy_str_eq(a, wy_str_of(s));
}

bool wy_str_starts(struct wy_str s, const char *prefix);
bool wy_str_ends(struct wy_str s, const char *suffix);

/* Without spaces, tabs, CR and LF at both ends. */
struct wy_str wy_str_trim(struct wy_str s);

/* Cuts `s` at the first `sep`: the part before it is returned, `*rest` is what follows (empty
 * with p == NULL when there was no separator). Loop: for (rest = s; rest.p;) part =
 * wy_str_cut(...). */
struct wy_str wy_str_cut(struct wy_str s, char sep, struct wy_str *rest);

/* Next line without its LF or CRLF; `*rest` as in wy_str_cut. */
struct wy_str wy_str_line(struct wy_str s, struct wy_str *rest);

/* Offset of `needle` in `hay`, or SIZE_MAX. */
size_t wy_str_find(struct wy_str hay, struct wy_str needle);

/* A decimal number without sign; false when empty, not all digits, or larger than `max`. */
bool wy_str_u64(struct wy_str s, uint64_t max, uint64_t *ret);

bool wy_starts(const char *s, const char *prefix);
bool wy_ends(const char *s, const char *suffix);

/* Equal strings, where NULL equals only NULL. */
static inline bool wy_same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

#endif
