/* What is in Cython's compressed table: texts without anything between them. Their lengths are an
 * array of 32-bit bit fields that compilers keep among the constants when it is long, and turn into
 * code when it is short. With the array every text has its end; without it a name ends where the
 * longest module does. */
#include "source/extension.h"

enum {
    MOST_STEPS = 1 << 22, /* of looking for the array */
    MOST_ASKED = 100000,
    LONGEST_NAME = 128,
};

/* ---- with the array of lengths ---- */

static uint32_t length_at(struct wy_str in, size_t i) {
    const unsigned char *p = (const unsigned char *)in.p + 4 * i;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The text of the array's item *i, or false at the end. */
static bool next_text(struct wy_str in, size_t *i, struct wy_str *rest, struct wy_str *ret) {
    if (*i >= in.n / 4 || length_at(in, *i) > rest->n)
        return false;
    *ret = (struct wy_str){rest->p, length_at(in, (*i)++)};
    *rest = (struct wy_str){rest->p + ret->n, rest->n - ret->n};
    return true;
}

static bool splits_well(struct wy_str in, size_t i, struct wy_str text) {
    struct wy_str one;
    while (next_text(in, &i, &text, &one))
        if (wy_str_is(one, "__name__"))
            return true;
    return false;
}

/* Every module has "__main__" and "__name__" among its texts: the array holds an 8 at a place where
 * all lengths before add up to where "__main__" is. */
static bool find_array(struct wy_str in, struct wy_str text, size_t main, size_t *from) {
    size_t steps = 0;
    for (size_t i = 0; i < in.n / 4 && steps < MOST_STEPS; i++) {
        if (length_at(in, i) != 8)
            continue;
        size_t sum = 0;
        for (*from = i; sum<main && * from> 0 && length_at(in, *from - 1) <= main; steps++)
            sum += length_at(in, --*from);
        if (sum == main && splits_well(in, *from, text))
            return true;
    }
    return false;
}

/* ---- without it ---- */

static bool asks(struct wy_extension *x, const char *name) {
    return ++x->asked <= MOST_ASKED && x->is_module(x->ctx, name);
}

/* The longest module that begins at `run` and has a dot at `dot`; what follows it is the next text,
 * so no dot. Returns its length, or 0. */
static size_t longest_module(struct wy_extension *x, struct wy_str run, size_t dot) {
    char name[LONGEST_NAME + 1] = "";
    memcpy(name, run.p, dot);
    if ((run.p[0] >= '0' && run.p[0] <= '9') || !asks(x, name))
        return 0;
    size_t n = 0;
    while (n < run.n && n < LONGEST_NAME && (wy_extension_is_letter(run.p[n]) || run.p[n] == '.'))
        n++;
    memcpy(name, run.p, n);
    for (; n > dot + 1; n--) {
        name[n] = '\0';
        if (name[n - 1] != '.' && (n == run.n || run.p[n] != '.') && asks(x, name))
            return n;
    }
    return 0;
}

/* Names with a dot, wherever they begin: the first part is a module as well. */
static void search_names(struct wy_extension *x, struct wy_str text) {
    for (size_t at = 0; at < text.n;) {
        const char *hit = memchr(text.p + at, '.', text.n - at);
        if (!hit)
            return;
        size_t dot = (size_t)(hit - text.p), from = dot, n = 0;
        if (dot + 1 == text.n || !wy_extension_is_letter(hit[1])) {
            at = dot + 1; /* the end of a sentence */
            continue;
        }
        while (from > at && dot - from < LONGEST_NAME && wy_extension_is_letter(text.p[from - 1]))
            from--;
        from += from > 0 && text.p[from - 1] == '.'; /* a whole part of a name begins none */
        for (at = dot + 1; from < dot && n == 0; from++)
            n = longest_module(x, (struct wy_str){text.p + from, text.n - from}, dot - from);
        if (n) {
            from--;
            wy_extension_cython_name(x, (struct wy_str){text.p + from, n},
                                     WY_EXTENSION_CYTHON_PACKED);
            at = from + n;
        }
    }
}

bool wy_extension_table(struct wy_extension *x, struct wy_str constants, struct wy_str text) {
    size_t main = wy_str_find(text, WY_STR("__main__")), from;
    if (main == SIZE_MAX || wy_str_find(text, WY_STR("__name__")) == SIZE_MAX)
        return false;
    if (find_array(constants, text, main, &from)) {
        struct wy_str one;
        while (next_text(constants, &from, &text, &one))
            wy_extension_cython_name(x, one, WY_EXTENSION_CYTHON_PACKED);
    } else {
        wy_vec_push(&x->joined, ((struct wy_str){wy_arena_str(x->arena, text), text.n}));
    }
    return true;
}

void wy_extension_split(struct wy_extension *x) {
    for (size_t i = 0; i < x->joined.n; i++)
        search_names(x, x->joined.v[i]);
}
