#include "source/cond.h"

/* A value: what sys.version_info, sys.platform and constants can be. */
enum kind { UNKNOWN, NONE, BOOL, INT, STR, TUPLE, MODULE_NAME };
enum { MOST_ITEMS = 8, MOST_NESTING = 50 };

struct value {
    enum kind kind;
    int64_t number;    /* BOOL, INT */
    struct wy_str str; /* STR: between the quotes */
    bool open;         /* TUPLE: further items follow that are not known */
    size_t n;
    struct value *items; /* TUPLE of INT, STR or UNKNOWN; in the parser's pool */
};

struct parser {
    const struct wy_token *t, *end;
    const struct wy_source_env *env;
    const struct wy_map *names;
    unsigned nesting;
    struct value pool[64];
    size_t used;
};

static const struct value unknown = {.kind = UNKNOWN};

static struct value boolean(bool b) {
    return (struct value){.kind = BOOL, .number = b};
}
static struct value integer(int64_t i) {
    return (struct value){.kind = INT, .number = i};
}
static struct value string(struct wy_str s) {
    return (struct value){.kind = STR, .str = s};
}

static enum wy_truth truth(struct value v) {
    switch (v.kind) {
    case NONE:
        return WY_NO;
    case BOOL:
    case INT:
        return v.number ? WY_YES : WY_NO;
    case STR:
        return v.str.n ? WY_YES : WY_NO;
    case TUPLE:
        return v.n || v.open ? WY_YES : WY_NO;
    default:
        return WY_UNKNOWN;
    }
}

static struct value of_truth(enum wy_truth t) {
    return t == WY_UNKNOWN ? unknown : boolean(t == WY_YES);
}

static bool at(const struct parser *p, const char *text) {
    return p->t < p->end && wy_token_is(*p->t, text);
}
static bool take(struct parser *p, const char *text) {
    if (!at(p, text))
        return false;
    p->t++;
    return true;
}

static struct value expression(struct parser *p);

/* ---- atoms ---- */

static struct value number(struct wy_str s) {
    int64_t v = 0;
    unsigned base = 10;
    if (s.n > 2 && s.p[0] == '0' && (s.p[1] | 32) == 'x') {
        base = 16;
        s.p += 2;
        s.n -= 2;
    }
    for (size_t i = 0; i < s.n; i++) {
        char c = (char)(s.p[i] | 32);
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
        if (s.p[i] == '_')
            continue;
        if (digit >= (int)base || v > (INT64_MAX >> 8))
            return unknown;
        v = v * base + digit;
    }
    return integer(v);
}

/* A plain literal without escapes; others are not known. */
static struct value literal(struct wy_str s) {
    if (s.n && (*s.p == 'u' || *s.p == 'U')) {
        s.p++;
        s.n--;
    }
    if (s.n < 2 || (*s.p != '"' && *s.p != '\'') || s.p[s.n - 1] != *s.p)
        return unknown;
    size_t quotes = s.n >= 6 && s.p[1] == *s.p && s.p[2] == *s.p ? 3 : 1;
    struct wy_str inner = {s.p + quotes, s.n - 2 * quotes};
    return inner.n && memchr(inner.p, '\\', inner.n) ? unknown : string(inner);
}

static struct value version_info(struct parser *p) {
    struct value v = {.kind = TUPLE, .n = 2, .open = true};
    if (!p->env->python_major || p->used + 2 > sizeof p->pool / sizeof *p->pool)
        return unknown;
    v.items = p->pool + p->used;
    p->used += 2;
    v.items[0] = integer(p->env->python_major);
    v.items[1] = integer(p->env->python_minor);
    return v;
}

/* A name that the module binds to a constant, and to nothing else. */
static struct value constant(const struct parser *p, struct wy_str name) {
    const struct wy_token *t = p->names ? wy_map_get(p->names, name) : NULL;
    if (!t)
        return unknown;
    if (t->kind == WY_T_NUMBER)
        return number(t->text);
    if (t->kind == WY_T_STRING)
        return literal(t->text);
    if (wy_str_is(t->text, "None"))
        return (struct value){.kind = NONE};
    bool yes = wy_str_is(t->text, "True");
    return yes || wy_str_is(t->text, "False") ? boolean(yes) : unknown;
}

/* What a dotted name stands for. TYPE_CHECKING goes by its last part: typing's, or a module's own
 * `TYPE_CHECKING = False`. */
static struct value named(struct parser *p, struct wy_str name) {
    static const struct {
        const char *name, *text;
    } strings[] = {
        {"os.name", "posix"},
        {"sys.byteorder", "little"},
        {"sys.implementation.name", "cpython"},
    };
    if (wy_str_is(name, "True") || wy_str_is(name, "__debug__"))
        return boolean(true);
    if (wy_str_is(name, "False") || wy_str_is(name, "TYPE_CHECKING") ||
        wy_str_ends(name, ".TYPE_CHECKING"))
        return boolean(false);
    if (wy_str_is(name, "None"))
        return (struct value){.kind = NONE};
    if (wy_str_is(name, "__name__")) /* only known not to be "__main__" */
        return (struct value){.kind = MODULE_NAME};
    if (wy_str_is(name, "sys.version_info") || wy_str_is(name, "version_info"))
        return version_info(p);
    if (wy_str_is(name, "sys.platform"))
        return string(wy_str_of(p->env->platform));
    if (wy_str_is(name, "sys.maxsize"))
        return integer(INT64_MAX);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        if (wy_str_is(name, strings[i].name))
            return string(wy_str_of(strings[i].text));
    return constant(p, name);
}

static struct value called(const struct parser *p, struct wy_str name) {
    if (wy_str_is(name, "platform.system") && wy_same(p->env->platform, "linux"))
        return string(WY_STR("Linux"));
    if (wy_str_is(name, "platform.python_implementation"))
        return string(WY_STR("CPython"));
    return unknown;
}

/* Behind an opening bracket: past its closing one. */
static void pass_brackets(struct parser *p) {
    unsigned open = 1;
    for (; p->t < p->end && open; p->t++)
        if (at(p, "(") || at(p, "[") || at(p, "{"))
            open++;
        else if (at(p, ")") || at(p, "]") || at(p, "}"))
            open--;
}

/* "( a, b )" with the bracket taken; one expression without comma is that expression. */
static struct value parenthesis(struct parser *p, const char *close, bool always_tuple) {
    struct value items[MOST_ITEMS], v = {.kind = TUPLE};
    bool comma = false;
    while (p->t < p->end && !at(p, close)) {
        struct value item = expression(p);
        if (v.n == MOST_ITEMS) {
            pass_brackets(p);
            return unknown;
        }
        items[v.n++] = item;
        if (!take(p, ","))
            break;
        comma = true;
    }
    if (!take(p, close)) { /* a comprehension, a lambda … */
        pass_brackets(p);
        return unknown;
    }
    if (v.n == 1 && !comma && !always_tuple)
        return items[0];
    if (p->used + v.n > sizeof p->pool / sizeof *p->pool)
        return unknown;
    v.items = p->pool + p->used;
    p->used += v.n;
    for (size_t i = 0; i < v.n; i++)
        v.items[i] = items[i];
    return v;
}

static struct value startswith(struct parser *p, struct wy_str text) {
    struct value prefix = parenthesis(p, ")", false);
    if (prefix.kind == STR)
        return boolean(prefix.str.n <= text.n && memcmp(prefix.str.p, text.p, prefix.str.n) == 0);
    if (prefix.kind != TUPLE)
        return unknown;
    for (size_t i = 0; i < prefix.n; i++) {
        struct wy_str one = prefix.items[i].str;
        if (prefix.items[i].kind != STR)
            return unknown;
        if (one.n <= text.n && memcmp(one.p, text.p, one.n) == 0)
            return boolean(true);
    }
    return boolean(false);
}

/* v[0], v[:2] with the bracket taken. */
static struct value subscript(struct parser *p, struct value v) {
    bool slice = take(p, ":");
    struct value i = p->t < p->end && p->t->kind == WY_T_NUMBER ? number(p->t->text) : unknown;
    if (p->t < p->end && p->t->kind == WY_T_NUMBER)
        p->t++;
    if (!take(p, "]")) {
        pass_brackets(p);
        return unknown;
    }
    if (v.kind != TUPLE || i.kind != INT || i.number < 0)
        return unknown;
    if (!slice)
        return (uint64_t)i.number < v.n ? v.items[i.number] : unknown;
    if ((uint64_t)i.number <= v.n) {
        v.n = (size_t)i.number;
        v.open = false;
        return v;
    }
    return v.open ? unknown : v;
}

static struct value attribute(struct parser *p, struct value v, struct wy_str name) {
    if (v.kind == TUPLE && v.open && v.n == 2 && wy_str_is(name, "major"))
        return v.items[0];
    if (v.kind == TUPLE && v.open && v.n == 2 && wy_str_is(name, "minor"))
        return v.items[1];
    if (v.kind == STR && wy_str_is(name, "startswith") && take(p, "("))
        return startswith(p, v.str);
    if (v.kind == STR && wy_str_is(name, "lower") && take(p, "(") && take(p, ")") &&
        wy_str_is(v.str, "Linux"))
        return string(WY_STR("linux"));
    return unknown;
}

static struct value trailers(struct parser *p, struct value v) {
    for (;;) {
        if (take(p, ".")) {
            struct wy_str name = p->t < p->end ? p->t->text : WY_STR("");
            p->t += p->t < p->end;
            v = attribute(p, v, name);
        } else if (take(p, "(")) {
            pass_brackets(p);
            v = unknown;
        } else if (take(p, "[")) {
            v = subscript(p, v);
        } else {
            return v;
        }
    }
}

/* NAME(.NAME)*: the longest part that stands for something, then its attributes. */
static struct value dotted(struct parser *p) {
    char buf[64];
    size_t n = 0;
    struct value v = unknown;
    for (;;) {
        struct wy_str part = p->t->text;
        if (n + part.n + 1 >= sizeof buf)
            return trailers(p, unknown);
        if (n)
            buf[n++] = '.';
        memcpy(buf + n, part.p, part.n);
        n += part.n;
        p->t++;
        struct wy_str name = {buf, n};
        v = named(p, name);
        if (v.kind != UNKNOWN)
            return trailers(p, v);
        if (p->end - p->t >= 2 && at(p, "(") && wy_token_is(p->t[1], ")")) {
            v = called(p, name);
            if (v.kind != UNKNOWN)
                p->t += 2;
            return trailers(p, v);
        }
        if (p->end - p->t < 2 || !at(p, ".") || p->t[1].kind != WY_T_NAME)
            return trailers(p, unknown);
        p->t++;
    }
}

static struct value atom(struct parser *p) {
    if (p->t == p->end)
        return unknown;
    struct wy_token t = *p->t;
    if (t.kind == WY_T_NAME)
        return dotted(p);
    p->t++;
    if (t.kind == WY_T_NUMBER)
        return trailers(p, number(t.text));
    if (t.kind == WY_T_STRING) {
        struct value v = literal(t.text);
        for (; p->t < p->end && p->t->kind == WY_T_STRING; p->t++)
            v = unknown;
        return trailers(p, v);
    }
    if (wy_token_is(t, "("))
        return trailers(p, parenthesis(p, ")", false));
    if (wy_token_is(t, "["))
        return trailers(p, parenthesis(p, "]", true));
    if (wy_token_is(t, "{"))
        return trailers(p, parenthesis(p, "}", true));
    return unknown;
}

/* 2 ** 32 is the one arithmetic that stands in such conditions. */
static struct value power(struct parser *p) {
    struct value v = atom(p);
    while (p->t < p->end && (at(p, "**") || at(p, "<<") || at(p, "-") || at(p, "+"))) {
        bool is_power = at(p, "**"), is_shift = at(p, "<<"), minus = at(p, "-");
        p->t++;
        struct value right = atom(p);
        bool known = v.kind == INT && right.kind == INT && right.number >= 0 && right.number < 62 &&
                     v.number >= 0;
        if (known && (is_shift ? v.number == 1 : is_power && v.number == 2))
            v = integer((int64_t)1 << right.number);
        else if (known && !is_power && !is_shift && v.number < INT64_MAX / 2)
            v = integer(minus ? v.number - right.number : v.number + right.number);
        else
            v = unknown;
    }
    return v;
}

/* ---- comparisons ---- */

enum order { LESS, EQUAL, GREATER, UNORDERED };

static enum order compare(struct value a, struct value b) {
    bool numbers = (a.kind == INT || a.kind == BOOL) && (b.kind == INT || b.kind == BOOL);
    if (numbers)
        return a.number < b.number ? LESS : a.number > b.number ? GREATER : EQUAL;
    if (a.kind == STR && b.kind == STR) {
        size_t n = a.str.n < b.str.n ? a.str.n : b.str.n;
        int c = n ? memcmp(a.str.p, b.str.p, n) : 0;
        if (c == 0)
            return a.str.n < b.str.n ? LESS : a.str.n > b.str.n ? GREATER : EQUAL;
        return c < 0 ? LESS : GREATER;
    }
    if (a.kind == MODULE_NAME && b.kind == STR && wy_str_is(b.str, "__main__"))
        return LESS;
    if (b.kind == MODULE_NAME && a.kind == STR && wy_str_is(a.str, "__main__"))
        return GREATER;
    if (a.kind != TUPLE || b.kind != TUPLE)
        return UNORDERED;
    for (size_t i = 0; i < a.n && i < b.n; i++) {
        enum order o = compare(a.items[i], b.items[i]);
        if (o != EQUAL)
            return o;
    }
    if (a.n == b.n && !a.open && !b.open)
        return EQUAL;
    if (a.open && a.n >= b.n && !b.open)
        return GREATER; /* version_info has five items: longer than what it was compared with */
    if (b.open && b.n >= a.n && !a.open)
        return LESS;
    if (a.open || b.open)
        return UNORDERED;
    return a.n < b.n ? LESS : GREATER;
}

static enum wy_truth contains(struct value item, struct value all) {
    if (all.kind == STR && item.kind == STR)
        return wy_str_find(all.str, item.str) == SIZE_MAX ? WY_NO : WY_YES;
    if (all.kind != TUPLE || all.open || item.kind == UNKNOWN)
        return WY_UNKNOWN;
    bool sure = true;
    for (size_t i = 0; i < all.n; i++) {
        enum order o = compare(item, all.items[i]);
        if (o == EQUAL)
            return WY_YES;
        sure = sure && o != UNORDERED;
    }
    return sure ? WY_NO : WY_UNKNOWN;
}

static enum wy_truth inverse(enum wy_truth t) {
    return t == WY_UNKNOWN ? t : t == WY_YES ? WY_NO : WY_YES;
}

static enum wy_truth ordered(struct value a, struct wy_str op, struct value b) {
    enum order o = compare(a, b);
    if (a.kind == NONE && b.kind == NONE)
        o = EQUAL;
    if (o == UNORDERED)
        return WY_UNKNOWN;
    if (wy_str_is(op, "=="))
        return o == EQUAL ? WY_YES : WY_NO;
    if (wy_str_is(op, "!=") || wy_str_is(op, "<>"))
        return o != EQUAL ? WY_YES : WY_NO;
    bool equal_too = op.n == 2;
    return (equal_too && o == EQUAL) || o == (op.p[0] == '<' ? LESS : GREATER) ? WY_YES : WY_NO;
}

static struct value comparison(struct parser *p) {
    struct value left = power(p);
    enum wy_truth all = WY_YES;
    bool compared = false;
    while (p->t < p->end) {
        struct wy_token op = *p->t;
        bool not_in = wy_token_is(op, "not") && p->end - p->t > 1 && wy_token_is(p->t[1], "in");
        bool in = wy_token_is(op, "in"), is = wy_token_is(op, "is");
        bool order = op.kind == WY_T_OP &&
                     (wy_token_is(op, "==") || wy_token_is(op, "!=") || wy_token_is(op, "<>") ||
                      wy_token_is(op, "<") || wy_token_is(op, ">") || wy_token_is(op, "<=") ||
                      wy_token_is(op, ">="));
        if (!not_in && !in && !is && !order)
            break;
        p->t += not_in ? 2 : 1;
        bool is_not = is && take(p, "not");
        struct value right = power(p);
        enum wy_truth one = in || not_in ? contains(left, right)
                            : is         ? ordered(left, WY_STR("=="), right)
                                         : ordered(left, op.text, right);
        if (not_in || is_not)
            one = inverse(one);
        all = all == WY_NO || one == WY_NO     ? WY_NO
              : all == WY_YES && one == WY_YES ? WY_YES
                                               : WY_UNKNOWN;
        left = right;
        compared = true;
    }
    return compared ? of_truth(all) : left;
}

/* ---- not, and, or ---- */

static struct value negation(struct parser *p) {
    bool negative = false, any = false;
    while (take(p, "not")) {
        negative = !negative;
        any = true;
    }
    struct value v = comparison(p);
    if (!any)
        return v;
    return of_truth(negative ? inverse(truth(v)) : truth(v));
}

static struct value conjunction(struct parser *p) {
    struct value v = negation(p);
    while (take(p, "and")) {
        enum wy_truth left = truth(v), right = truth(negation(p));
        v = of_truth(left == WY_NO || right == WY_NO     ? WY_NO
                     : left == WY_YES && right == WY_YES ? WY_YES
                                                         : WY_UNKNOWN);
    }
    return v;
}

static struct value expression(struct parser *p) {
    if (p->nesting == MOST_NESTING) {
        p->t = p->end;
        return unknown;
    }
    p->nesting++;
    struct value v = conjunction(p);
    while (take(p, "or")) {
        enum wy_truth left = truth(v), right = truth(conjunction(p));
        v = of_truth(left == WY_YES || right == WY_YES ? WY_YES
                     : left == WY_NO && right == WY_NO ? WY_NO
                                                       : WY_UNKNOWN);
    }
    p->nesting--;
    return v;
}

enum wy_truth wy_cond(const struct wy_token *tokens, size_t n, const struct wy_source_env *env,
                      const struct wy_map *names) {
    struct parser p = {.t = tokens, .end = tokens + n, .env = env, .names = names};
    enum wy_truth t = truth(expression(&p));
    return p.t == p.end ? t : WY_UNKNOWN; /* a conditional expression, `:=`, arithmetic … */
}
