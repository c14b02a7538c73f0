#include "cli/cli.h"

enum { LONGEST = 32 };

static size_t least(size_t a, size_t b, size_t c) {
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Edits (insert, delete, replace, swap neighbours) from one word to the other: optimal string
 * alignment. Words over 31 bytes count as far apart. */
static size_t distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n >= LONGEST || m >= LONGEST)
        return LONGEST;
    size_t d[LONGEST][LONGEST];
    for (size_t i = 0; i <= n; i++)
        d[i][0] = i;
    for (size_t k = 0; k <= m; k++)
        d[0][k] = k;
    for (size_t i = 1; i <= n; i++)
        for (size_t k = 1; k <= m; k++) {
            size_t change = d[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            d[i][k] = least(d[i - 1][k] + 1, d[i][k - 1] + 1, change);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1, LONGEST);
        }
    return d[n][m];
}

void wy_suggest_try(struct wy_suggestion *s, const char *name) {
    size_t d = distance(s->given, name), limit = strlen(name) / 3 + 1;
    /* A beginning of at least three letters counts as near: "--col" for "--color". */
    if (strlen(s->given) >= 3 && wy_starts(name, s->given))
        d = 1;
    if (d <= limit && d < strlen(name) && (!s->best || d < s->distance)) {
        s->best = name;
        s->distance = d;
    }
}

const char *wy_suggest_text(const struct wy_suggestion *s, struct wy_arena *a, const char *dashes) {
    return s->best ? wy_arena_printf(a, ", did you mean %s%s?", dashes, s->best) : "";
}
