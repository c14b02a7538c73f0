/* Environment markers of PEP 508, for CPython on Linux.
 *
 *   or_test:  and_test ("or" and_test)*
 *   and_test: term ("and" term)*
 *   term:     "(" or_test ")" | value operator value
 */
#include "pip/pip.h"
#include "pip/specifier.h"

enum { DEEPEST = 100 /* parentheses */, UNKNOWN = -1 };

struct parser {
    struct wy_str rest;
    const struct wy_marker_env *env;
    unsigned depth;
    bool failed; /* not a marker: the whole answer is unknown */
};

struct value {
    struct wy_str text;
    bool known; /* quoted, or a variable whose value is known */
    bool extra; /* the variable of that name */
};

static int or_test(struct parser *p);

static void skip(struct parser *p, size_t n) {
    p->rest.p += n;
    p->rest.n -= n;
    while (p->rest.n && strchr(" \t\r\n", p->rest.p[0]) && p->rest.p[0]) {
        p->rest.p++;
        p->rest.n--;
    }
}

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static struct wy_str peek_word(const struct parser *p) {
    size_t n = 0;
    while (n < p->rest.n && is_word_char(p->rest.p[n]))
        n++;
    return (struct wy_str){p->rest.p, n};
}

static bool take_word(struct parser *p, const char *word) {
    if (!wy_str_is(peek_word(p), word))
        return false;
    skip(p, strlen(word));
    return true;
}

/* The names with dots are those of setuptools before PEP 508, which packaging still takes. */
static struct wy_str variable(const struct wy_marker_env *env, struct wy_str name, bool *known) {
    const struct {
        const char *name, *value;
    } table[] = {
        {"os_name", "posix"},
        {"os.name", "posix"},
        {"sys_platform", "linux"},
        {"sys.platform", "linux"},
        {"platform_system", "Linux"},
        {"platform_machine", env->platform_machine},
        {"platform.machine", env->platform_machine},
        {"platform_python_implementation", "CPython"},
        {"platform.python_implementation", "CPython"},
        {"python_implementation", "CPython"},
        {"implementation_name", "cpython"},
        {"implementation_version", env->python_full_version},
        {"python_version", env->python_version},
        {"python_full_version", env->python_full_version},
        {"extra", env->extra ? env->extra : ""},
        /* of the running kernel, which a tree on disk does not have */
        {"platform_release", NULL},
        {"platform_version", NULL},
        {"platform.version", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (wy_str_is(name, table[i].name)) {
            *known = table[i].value != NULL;
            return wy_str_of(table[i].value);
        }
    }
    *known = false;
    return (struct wy_str){0};
}

static bool take_value(struct parser *p, struct value *ret) {
    *ret = (struct value){0};
    if (p->rest.n && (p->rest.p[0] == '"' || p->rest.p[0] == '\'')) {
        const char *start = p->rest.p + 1;
        const char *close = memchr(start, p->rest.p[0], p->rest.n - 1);
        if (!close)
            return false;
        ret->text = (struct wy_str){start, (size_t)(close - start)};
        ret->known = true;
        skip(p, ret->text.n + 2);
        return true;
    }
    struct wy_str name = peek_word(p);
    if (name.n == 0)
        return false;
    ret->text = variable(p->env, name, &ret->known);
    ret->extra = wy_str_is(name, "extra");
    skip(p, name.n);
    return true;
}

enum operation { OP_IN = 100, OP_NOT_IN, OP_NONE };

static int take_operator(struct parser *p) {
    static const struct {
        const char *text;
        int op;
    } operators[] = {{"===", WY_OP_SAME}, {"==", WY_OP_EQ}, {"~=", WY_OP_COMPATIBLE},
                     {"!=", WY_OP_NE},    {"<=", WY_OP_LE}, {">=", WY_OP_GE},
                     {"<", WY_OP_LT},     {">", WY_OP_GT}};
    if (take_word(p, "in"))
        return OP_IN;
    if (take_word(p, "not"))
        return take_word(p, "in") ? OP_NOT_IN : OP_NONE;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (wy_str_starts(p->rest, operators[i].text)) {
            skip(p, strlen(operators[i].text));
            return operators[i].op;
        }
    }
    return OP_NONE;
}

/* Texts have no order: "<=" and ">=" are then "==", "<" and ">" are never true (as packaging
 * 26 evaluates what PEP 508 left open). */
static int compare_text(struct wy_str a, enum wy_specifier_op op, struct wy_str b) {
    switch (op) {
    case WY_OP_EQ:
    case WY_OP_SAME:
    case WY_OP_LE:
    case WY_OP_GE:
        return wy_str_eq(a, b);
    case WY_OP_NE:
        return !wy_str_eq(a, b);
    case WY_OP_LT:
    case WY_OP_GT:
        return 0;
    default:
        return UNKNOWN; /* ~= of what is no version */
    }
}

static int compare_words(struct wy_str a, int op, struct wy_str b) {
    if (op == OP_IN || op == OP_NOT_IN)
        return (wy_str_find(b, a) != SIZE_MAX) == (op == OP_IN);
    return compare_text(a, (enum wy_specifier_op)op, b);
}

/* Names of extras are compared in their normal form (PEP 685). */
static int compare_extra(struct wy_str a, int op, struct wy_str b) {
    struct wy_arena arena = WY_ARENA_INIT;
    const char *x = wy_dist_key(&arena, a), *y = wy_dist_key(&arena, b);
    int ret = compare_words(wy_str_of(x), op, wy_str_of(y));
    wy_arena_deinit(&arena);
    return ret;
}

static int compare(const struct value *a, int op, const struct value *b) {
    if (!a->known || !b->known)
        return UNKNOWN;
    if (a->extra || b->extra)
        return compare_extra(a->text, op, b->text);
    if (op == OP_IN || op == OP_NOT_IN)
        return compare_words(a->text, op, b->text);
    int as_versions = wy_specifier_test(a->text, (enum wy_specifier_op)op, b->text);
    return as_versions >= 0 ? as_versions : compare_words(a->text, op, b->text);
}

static int term(struct parser *p) {
    if (p->rest.n && p->rest.p[0] == '(') {
        if (++p->depth > DEEPEST) {
            p->failed = true;
            return UNKNOWN;
        }
        skip(p, 1);
        int ret = or_test(p);
        p->depth--;
        if (p->rest.n == 0 || p->rest.p[0] != ')')
            p->failed = true;
        else
            skip(p, 1);
        return ret;
    }
    struct value left, right;
    int op = OP_NONE;
    if (take_value(p, &left))
        op = take_operator(p);
    if (op == OP_NONE || !take_value(p, &right)) {
        p->failed = true;
        return UNKNOWN;
    }
    return compare(&left, op, &right);
}

/* "unknown and false" is false, "unknown or true" is true. */
static int and_test(struct parser *p) {
    int ret = term(p);
    while (!p->failed && take_word(p, "and")) {
        int next = term(p);
        ret = ret == 0 || next == 0 ? 0 : (ret < 0 || next < 0 ? UNKNOWN : 1);
    }
    return ret;
}

static int or_test(struct parser *p) {
    int ret = and_test(p);
    while (!p->failed && take_word(p, "or")) {
        int next = and_test(p);
        ret = ret == 1 || next == 1 ? 1 : (ret < 0 || next < 0 ? UNKNOWN : 0);
    }
    return ret;
}

int wy_marker_eval(struct wy_str marker, const struct wy_marker_env *env) {
    struct parser p = {.rest = wy_str_trim(marker), .env = env};
    if (p.rest.n == 0)
        return 1;
    int ret = or_test(&p);
    return p.failed || p.rest.n ? UNKNOWN : ret;
}
