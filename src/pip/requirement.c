/* One dependency specification of PEP 508: name [extras] (specifier) ; marker, or
 * name [extras] @ url ; marker. */
#include "pip/pip.h"
#include "pip/specifier.h"

static struct wy_str skip_space(struct wy_str s) {
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t')) {
        s.p++;
        s.n--;
    }
    return s;
}

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

static bool take_name(struct wy_str *s, struct wy_arena *a, struct wy_requirement *ret) {
    size_t n = 0;
    while (n < s->n && is_name_char(s->p[n]))
        n++;
    struct wy_str name = {s->p, n};
    ret->name = wy_arena_str(a, name);
    ret->key = wy_dist_key(a, name);
    s->p += n;
    s->n -= n;
    *s = skip_space(*s);
    return wy_name_valid(ret->name);
}

static bool take_extras(struct wy_str *s, struct wy_requirement *ret) {
    if (s->n == 0 || s->p[0] != '[')
        return true;
    const char *close = memchr(s->p, ']', s->n);
    if (!close)
        return false;
    ret->extras = wy_str_trim((struct wy_str){s->p + 1, (size_t)(close - s->p) - 1});
    for (size_t i = 0; i < ret->extras.n; i++) {
        char c = ret->extras.p[i];
        if (!is_name_char(c) && c != ',' && c != ' ' && c != '\t')
            return false;
    }
    s->n -= (size_t)(close + 1 - s->p);
    s->p = close + 1;
    *s = skip_space(*s);
    return true;
}

bool wy_requirement_names(const char *text, const char *key) {
    struct wy_str s = wy_str_trim(wy_str_of(text));
    size_t n = 0;
    while (n < s.n && is_name_char(s.p[n]))
        n++;
    return wy_dist_key_is((struct wy_str){s.p, n}, key);
}

/* The marker after a URL needs a space before its ';' (a URL may hold one). */
static void take_url(struct wy_str s, struct wy_requirement *ret) {
    s = skip_space(s);
    size_t n = 0;
    while (n < s.n && s.p[n] != ' ' && s.p[n] != '\t')
        n++;
    ret->url = (struct wy_str){s.p, n};
    s = wy_str_trim((struct wy_str){s.p + n, s.n - n});
    if (s.n && s.p[0] == ';')
        ret->marker = wy_str_trim((struct wy_str){s.p + 1, s.n - 1});
}

static bool is_version_char(char c) {
    return is_name_char(c) || c == '+' || c == '!' || c == '*';
}

/* Checks each clause and writes them without spaces. Old metadata has forms PEP 440 rejects
 * (">=1.0.*"); they are kept here and give no answer when compared. */
static bool tidy_specifier(struct wy_str text, struct wy_arena *a, struct wy_requirement *ret) {
    char *out = wy_arena_alloc(a, text.n + 1);
    size_t n = 0, clauses = 0;
    for (struct wy_str rest = text; rest.p;) {
        struct wy_str clause = wy_str_trim(wy_str_cut(rest, ',', &rest)), version;
        enum wy_specifier_op op;
        if (clause.n == 0)
            continue;
        if (!wy_specifier_split(clause, &op, &version))
            return false;
        for (size_t i = 0; i < version.n && op != WY_OP_SAME; i++)
            if (!is_version_char(version.p[i]))
                return false;
        if (n)
            out[n++] = ',';
        for (size_t i = 0; i < clause.n; i++)
            if (clause.p[i] != ' ' && clause.p[i] != '\t')
                out[n++] = clause.p[i];
        char *pin = wy_arena_str(a, version);
        ret->pinned = clauses++ == 0 && op == WY_OP_EQ && wy_version_valid(pin) ? pin : NULL;
    }
    ret->specifier = (struct wy_str){out, n};
    return true;
}

static bool take_specifier(struct wy_str s, struct wy_arena *a, struct wy_requirement *ret) {
    struct wy_str text = wy_str_trim(wy_str_cut(s, ';', &s));
    if (s.p)
        ret->marker = wy_str_trim(s);
    if (text.n && text.p[0] == '(') {
        if (text.p[text.n - 1] != ')')
            return false;
        text = wy_str_trim((struct wy_str){text.p + 1, text.n - 2});
    }
    return text.n == 0 || tidy_specifier(text, a, ret);
}

bool wy_requirement_parse(const char *text, struct wy_arena *a, struct wy_requirement *ret) {
    *ret = (struct wy_requirement){0};
    struct wy_str s = wy_str_trim(wy_str_of(text));
    if (!take_name(&s, a, ret) || !take_extras(&s, ret))
        return false;
    if (s.n && s.p[0] == '@') {
        take_url((struct wy_str){s.p + 1, s.n - 1}, ret);
        return ret->url.n > 0;
    }
    return take_specifier(s, a, ret);
}
