#include "base/str.h"

bool wy_str_starts(struct wy_str s, const char *prefix) {
    size_t n = strlen(prefix);
    return s.n >= n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool wy_str_ends(struct wy_str s, const char *suffix) {
    size_t n = strlen(suffix);
    return s.n >= n && (n == 0 || memcmp(s.p + s.n - n, suffix, n) == 0);
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct wy_str wy_str_trim(struct wy_str s) {
    while (s.n && is_space(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

struct wy_str wy_str_cut(struct wy_str s, char sep, struct wy_str *rest) {
    const char *hit = s.n ? memchr(s.p, sep, s.n) : NULL;
    if (!hit) {
        *rest = (struct wy_str){NULL, 0};
        return s;
    }
    size_t before = (size_t)(hit - s.p);
    *rest = (struct wy_str){hit + 1, s.n - before - 1};
    return (struct wy_str){s.p, before};
}

struct wy_str wy_str_line(struct wy_str s, struct wy_str *rest) {
    struct wy_str line = wy_str_cut(s, '\n', rest);
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    return line;
}

size_t wy_str_find(struct wy_str hay, struct wy_str needle) {
    if (needle.n == 0)
        return 0;
    if (hay.n < needle.n)
        return SIZE_MAX;
    const char *hit = memmem(hay.p, hay.n, needle.p, needle.n);
    return hit ? (size_t)(hit - hay.p) : SIZE_MAX;
}

bool wy_str_u64(struct wy_str s, uint64_t max, uint64_t *ret) {
    uint64_t v = 0;
    if (s.n == 0)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(s.p[i] - '0');
        if (v > (max - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *ret = v;
    return true;
}

bool wy_starts(const char *s, const char *prefix) {
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool wy_ends(const char *s, const char *suffix) {
    return wy_str_ends(wy_str_of(s), suffix);
}
