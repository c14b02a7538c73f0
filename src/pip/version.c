#include "pip/version.h"
#include "pip/pip.h"

#include <strings.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_separator(char c) {
    return c == '-' || c == '_' || c == '.';
}

static struct wy_str drop(struct wy_str s, size_t n) {
    return (struct wy_str){s.p + n, s.n - n};
}

static struct wy_str take_digits(struct wy_str *s) {
    size_t n = 0;
    while (n < s->n && is_digit(s->p[n]))
        n++;
    struct wy_str digits = {s->p, n};
    *s = drop(*s, n);
    return digits;
}

/* The longest of the words (any letter case) at the start of `s`. Returns its index, or -1. */
static int take_word(struct wy_str *s, const char *const *words) {
    int best = -1;
    size_t longest = 0;
    for (int i = 0; words[i]; i++) {
        size_t n = strlen(words[i]);
        if (n > longest && n <= s->n && strncasecmp(words[i], s->p, n) == 0) {
            best = i;
            longest = n;
        }
    }
    *s = drop(*s, longest);
    return best;
}

/* "[sep] word [sep] [digits]": one suffix. Leaves `s` as it is when it is none. */
static int take_suffix(struct wy_str *s, const char *const *words, struct wy_str *number) {
    struct wy_str rest = *s;
    if (rest.n && is_separator(rest.p[0]))
        rest = drop(rest, 1);
    int kind = take_word(&rest, words);
    if (kind < 0)
        return -1;
    if (rest.n && is_separator(rest.p[0]))
        rest = drop(rest, 1);
    *number = take_digits(&rest);
    *s = rest;
    return kind;
}

static bool take_release(struct wy_str *s, struct wy_version *v) {
    struct wy_str start = take_digits(s);
    if (start.n == 0)
        return false;
    if (s->n && s->p[0] == '!') {
        v->epoch = start;
        *s = drop(*s, 1);
        start = take_digits(s);
        if (start.n == 0)
            return false;
    }
    while (s->n > 1 && s->p[0] == '.' && is_digit(s->p[1])) {
        *s = drop(*s, 1);
        take_digits(s);
    }
    v->release = (struct wy_str){start.p, (size_t)(s->p - start.p)};
    return true;
}

static void take_pre(struct wy_str *s, struct wy_version *v) {
    static const char *const words[] = {"a", "alpha", "b",       "beta", "rc",
                                        "c", "pre",   "preview", NULL};
    static const enum wy_version_pre kinds[] = {WY_PRE_A,  WY_PRE_A,  WY_PRE_B,  WY_PRE_B,
                                                WY_PRE_RC, WY_PRE_RC, WY_PRE_RC, WY_PRE_RC};
    int kind = take_suffix(s, words, &v->pre_number);
    if (kind >= 0)
        v->pre = kinds[kind];
}

static void take_post(struct wy_str *s, struct wy_version *v) {
    static const char *const words[] = {"post", "rev", "r", NULL};
    if (s->n > 1 && s->p[0] == '-' && is_digit(s->p[1])) { /* "1.0-1": implicit post release */
        *s = drop(*s, 1);
        v->post_number = take_digits(s);
        v->post = true;
    } else {
        v->post = take_suffix(s, words, &v->post_number) >= 0;
    }
}

static bool take_local(struct wy_str *s, struct wy_version *v) {
    if (s->n == 0 || s->p[0] != '+')
        return true;
    struct wy_str local = drop(*s, 1);
    for (size_t i = 0; i < local.n; i++) {
        bool edge = i == 0 || i + 1 == local.n || is_separator(local.p[i - 1]);
        if (!is_digit(local.p[i]) && !is_alpha(local.p[i]) && (!is_separator(local.p[i]) || edge))
            return false;
    }
    v->local = local;
    *s = drop(*s, s->n);
    return local.n > 0;
}

bool wy_version_parse(struct wy_str s, struct wy_version *ret) {
    static const char *const dev_words[] = {"dev", NULL};
    *ret = (struct wy_version){0};
    if (s.n == 0)
        return false;
    if (s.p[0] == 'v' || s.p[0] == 'V')
        s = drop(s, 1);
    if (!take_release(&s, ret))
        return false;
    take_pre(&s, ret);
    take_post(&s, ret);
    ret->dev = take_suffix(&s, dev_words, &ret->dev_number) >= 0;
    return take_local(&s, ret) && s.n == 0;
}

bool wy_version_valid(const char *version) {
    struct wy_version ignored;
    return version && wy_version_parse(wy_str_of(version), &ignored);
}

/* Numbers of any length, so as text without leading zeros. */
static int compare_numbers(struct wy_str a, struct wy_str b) {
    while (a.n && a.p[0] == '0')
        a = drop(a, 1);
    while (b.n && b.p[0] == '0')
        b = drop(b, 1);
    if (a.n != b.n)
        return a.n < b.n ? -1 : 1;
    int c = a.n ? memcmp(a.p, b.p, a.n) : 0;
    return c < 0 ? -1 : c > 0;
}

static int compare_releases(struct wy_str a, struct wy_str b) {
    while (a.p || b.p) { /* a missing part counts as 0 */
        struct wy_str x = {0}, y = {0};
        if (a.p)
            x = wy_str_cut(a, '.', &a);
        if (b.p)
            y = wy_str_cut(b, '.', &b);
        int c = compare_numbers(x, y);
        if (c)
            return c;
    }
    return 0;
}

/* Order of the pre-release part: 1.0.dev1 < 1.0a1 < 1.0b1 < 1.0rc1 < 1.0, 1.0.post1. */
static int pre_rank(const struct wy_version *v) {
    if (v->pre != WY_PRE_NONE)
        return (int)v->pre;
    return v->dev && !v->post ? 0 : WY_PRE_RC + 1;
}

static struct wy_str take_local_part(struct wy_str *rest) {
    struct wy_str s = *rest;
    size_t n = 0;
    while (n < s.n && !is_separator(s.p[n]))
        n++;
    *rest = n < s.n ? drop(s, n + 1) : (struct wy_str){0};
    return (struct wy_str){s.p, n};
}

static bool all_digits(struct wy_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!is_digit(s.p[i]))
            return false;
    return true;
}

static int compare_local_parts(struct wy_str a, struct wy_str b) {
    bool x = all_digits(a), y = all_digits(b);
    if (x != y) /* a number is newer than a word */
        return x ? 1 : -1;
    if (x)
        return compare_numbers(a, b);
    size_t n = a.n < b.n ? a.n : b.n;
    int c = strncasecmp(a.p, b.p, n);
    return c ? (c < 0 ? -1 : 1) : (a.n > b.n) - (a.n < b.n);
}

static int compare_locals(struct wy_str a, struct wy_str b) {
    while (a.n && b.n) {
        struct wy_str x = take_local_part(&a), y = take_local_part(&b);
        int c = compare_local_parts(x, y);
        if (c)
            return c;
    }
    return (a.n > 0) - (b.n > 0);
}

/* -1, 0, 1 for a part that may be absent; `absent` says how an absent one sorts (-1 first). */
static int compare_part(bool has_a, struct wy_str a, bool has_b, struct wy_str b, int absent) {
    if (has_a != has_b)
        return has_a ? -absent : absent;
    return has_a ? compare_numbers(a, b) : 0;
}

int wy_version_compare(const struct wy_version *a, const struct wy_version *b) {
    int c = compare_numbers(a->epoch, b->epoch);
    if (!c)
        c = compare_releases(a->release, b->release);
    if (!c)
        c = (pre_rank(a) > pre_rank(b)) - (pre_rank(a) < pre_rank(b));
    if (!c)
        c = compare_numbers(a->pre_number, b->pre_number);
    if (!c)
        c = compare_part(a->post, a->post_number, b->post, b->post_number, -1);
    if (!c)
        c = compare_part(a->dev, a->dev_number, b->dev, b->dev_number, 1);
    return c ? c : compare_locals(a->local, b->local);
}
