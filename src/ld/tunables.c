/* The variable GLIBC_TUNABLES, "NAME=VALUE:NAME=VALUE" (elf/dl-tunables.c, parse_tunables). What
 * the loader prints about bad ones is left out. */
#include "ld/internal.h"

/* From 2.39 one bad pair spoils the whole text, and a number must not be followed by anything. */
enum { STRICT_MINOR = 39 };

struct pair {
    struct wy_str name, value;
};

/* The pair at *s, which moves behind it. False when there is none; *spoilt: as it should not be. */
static bool next_pair(const char **s, bool strict, struct pair *ret, bool *spoilt) {
    size_t n;
    while ((*s)[n = strcspn(*s, "=:")] == ':')
        *s += n + 1;
    ret->name = (struct wy_str){*s, n};
    *spoilt = !(*s)[n];
    if (*spoilt)
        return false;
    *s += n + 1;
    n = strcspn(*s, strict ? "=:" : ":");
    ret->value = (struct wy_str){*s, n};
    *s += n;
    *spoilt = **s == '=';
    return !*spoilt;
}

struct bounds {
    uint64_t least, most;
};

static void take(struct wy_str text, bool strict, const struct bounds *b, uint64_t *value) {
    char *end;
    uint64_t n = strtoull(text.p, &end, 0);
    if ((!strict || end == text.p + text.n) && n >= b->least && n <= b->most)
        *value = n;
}

uint64_t ld_tunable(const struct wy_host *host, const char *name, uint64_t least, uint64_t most,
                    uint64_t otherwise) {
    const char *s = wy_host_getenv(host, "GLIBC_TUNABLES");
    bool strict = host->libc_minor == 0 || host->libc_minor >= STRICT_MINOR, spoilt = false;
    const struct bounds bounds = {least, most};
    uint64_t value = otherwise;
    struct pair p;
    while (s && *s && next_pair(&s, strict, &p, &spoilt)) {
        if (!wy_str_is(p.name, name))
            continue;
        if (strict) /* the last one counts, though it is bad */
            value = otherwise;
        take(p.value, strict, &bounds, &value);
    }
    return strict && spoilt ? otherwise : value;
}
