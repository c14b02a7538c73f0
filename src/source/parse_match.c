/* match (Python's reference 8.6, PEP 634). `match` and `case` are names everywhere else. */
#include "source/parse.h"

static const struct wy_expr *pattern(struct wy_parse *p, size_t *binds);

/* ---- patterns: `binds` counts the names on p->exprs, at its top ---- */

static const struct wy_expr *opaque_at(struct wy_parse *p, unsigned line) {
    return wy_parse_new(p, WY_E_OPAQUE, line);
}

static const struct wy_expr *capture(struct wy_parse *p, size_t *binds) {
    struct wy_expr *name = wy_parse_new(p, WY_E_NAME, p->at.line);
    name->name = wy_parse_name(p);
    if (!wy_same(name->name, "_")) {
        wy_vec_push(&p->exprs, name);
        ++*binds;
    }
    return name;
}

/* Items up to a closing bracket. True when it is one pattern without a comma, put into `only`. */
static bool items(struct wy_parse *p, uint32_t close, size_t *binds, const struct wy_expr **only) {
    bool comma = false;
    for (*only = NULL; !wy_parse_at(p, close) && !p->problem;) {
        bool starred = wy_parse_accept(p, '*') || wy_parse_accept(p, WY_PAIR('*', '*'));
        const struct wy_expr *one = pattern(p, binds);
        *only = starred ? NULL : one;
        if (wy_parse_accept(p, ':') || wy_parse_accept(p, '='))
            pattern(p, binds); /* the value of a mapping's key or a class's keyword */
        if (!wy_parse_accept(p, ','))
            break;
        comma = true;
    }
    wy_parse_expect(p, close, "a bracket is not closed");
    return !comma && *only;
}

/* A number with its sign, also a complex one: `-1`, `1 + 2j`. */
static const struct wy_expr *number(struct wy_parse *p) {
    const struct wy_expr *e;
    unsigned line = p->at.line;
    bool negative = wy_parse_accept(p, '-');
    if (p->at.kind != WY_T_NUMBER) {
        wy_parse_fail(p, "a number is missing");
        return opaque_at(p, line);
    }
    e = wy_parse_number(p);
    if (negative) {
        struct wy_expr *minus = wy_parse_new(p, WY_E_UNARY, line);
        minus->op = WY_OP_NEG;
        minus->a = e;
        e = wy_parse_done(minus);
    }
    if (!wy_parse_at(p, '+') && !wy_parse_at(p, '-'))
        return e;
    struct wy_expr *complex = wy_parse_new(p, WY_E_BINARY, line);
    complex->op = wy_parse_at(p, '+') ? WY_OP_ADD : WY_OP_SUB;
    wy_parse_advance(p);
    complex->a = e;
    complex->b = p->at.kind == WY_T_NUMBER ? wy_parse_number(p) : wy_parse_opaque(p);
    return wy_parse_done(complex);
}

/* A name alone binds; with dots it is a value; with a bracket a class. */
static const struct wy_expr *name_or_class(struct wy_parse *p, size_t *binds) {
    unsigned line = p->at.line;
    const struct wy_expr *only;
    struct wy_token next = wy_lex_peek(&p->lex);
    if (next.op != '.' && next.op != '(' && next.op != '=')
        return capture(p, binds);
    struct wy_expr *first = wy_parse_new(p, WY_E_NAME, line);
    first->name = wy_parse_name(p);
    const struct wy_expr *e = first;
    while (wy_parse_accept(p, '.')) {
        struct wy_expr *attribute = wy_parse_new(p, WY_E_ATTRIBUTE, line);
        attribute->a = e;
        attribute->name = wy_parse_name(p);
        e = wy_parse_done(attribute);
    }
    if (!wy_parse_accept(p, '('))
        return e;
    items(p, ')', binds, &only);
    return opaque_at(p, line);
}

static const struct wy_expr *closed(struct wy_parse *p, size_t *binds) {
    unsigned line = p->at.line;
    const struct wy_expr *only;
    if (p->at.kind == WY_T_STRING)
        return wy_parse_strings(p);
    if (p->at.kind == WY_T_NUMBER || wy_parse_at(p, '-'))
        return number(p);
    if (wy_parse_at_name(p))
        return name_or_class(p, binds);
    if (p->at.kind == WY_T_NAME)
        return wy_parse_primary(p); /* None, True, False */
    if (wy_parse_accept(p, '('))
        return items(p, ')', binds, &only) ? only : opaque_at(p, line);
    if (wy_parse_accept(p, '['))
        items(p, ']', binds, &only);
    else if (wy_parse_accept(p, '{'))
        items(p, '}', binds, &only);
    else
        wy_parse_fail(p, "a pattern is missing");
    return opaque_at(p, line);
}

static const struct wy_expr *pattern(struct wy_parse *p, size_t *binds) {
    if (!wy_parse_enter(p))
        return wy_parse_opaque(p);
    const struct wy_expr *e = closed(p, binds);
    while (wy_parse_accept(p, '|')) {
        struct wy_expr *either = wy_parse_new(p, WY_E_BINARY, e->line);
        either->op = WY_OP_OR;
        either->a = e;
        either->b = closed(p, binds);
        e = wy_parse_done(either);
    }
    if (wy_parse_accept(p, WY_KW_AS))
        capture(p, binds);
    p->depth--;
    return e;
}

/* A whole pattern: with a comma or a star it is a sequence. */
static const struct wy_expr *open_pattern(struct wy_parse *p, size_t *binds) {
    unsigned line = p->at.line;
    bool sequence = wy_parse_accept(p, '*');
    const struct wy_expr *e = pattern(p, binds);
    while (wy_parse_accept(p, ',')) {
        sequence = true;
        if (wy_parse_at(p, ':') || wy_parse_at(p, WY_KW_IF))
            break;
        wy_parse_accept(p, '*');
        pattern(p, binds);
    }
    return sequence ? opaque_at(p, line) : e;
}

/* ---- the statement ---- */

static void one_case(struct wy_parse *p, int column) {
    struct wy_match_case c = {NULL, {NULL, 0}, NULL, {NULL, 0}};
    size_t mark = p->exprs.n, binds = 0;
    wy_parse_advance(p);
    c.pattern = open_pattern(p, &binds);
    WY_PARSE_TAKE(p, exprs, mark, &c.binds);
    if (wy_parse_accept(p, WY_KW_IF))
        c.guard = wy_parse_named(p);
    c.body = wy_parse_block(p, column);
    wy_vec_push(&p->cases, c);
}

/* Whether the logical line ends with ':', which no expression does. */
static bool line_ends_with_colon(const struct wy_parse *p) {
    struct wy_lex ahead = p->lex;
    uint32_t last = 0;
    for (;;) {
        struct wy_token t = wy_lex_next(&ahead);
        if (t.kind == WY_T_NEWLINE || t.kind == WY_T_END)
            return last == ':';
        last = t.op;
    }
}

/* `match` is followed by the beginning of an expression and, at the end of the line, a colon. */
static bool begins_match(const struct wy_parse *p) {
    if (!wy_str_is(p->at.text, "match"))
        return false;
    struct wy_parse next = *p;
    next.at = wy_lex_peek(&p->lex);
    next.at.op = next.at.kind == WY_T_NAME ? wy_keyword(next.at.text) : next.at.op;
    return wy_parse_starts_expr(&next) && line_ends_with_colon(p);
}

bool wy_parse_match(struct wy_parse *p) {
    if (!begins_match(p))
        return false;
    struct wy_stmt s = wy_parse_stmt(p, WY_S_MATCH);
    size_t mark = p->cases.n;
    int column = p->column;
    wy_parse_advance(p);
    s.value = wy_parse_named_exprs(p);
    wy_parse_expect(p, ':', "a colon is missing");
    if (p->at.kind != WY_T_NEWLINE)
        wy_parse_fail(p, "a `match` has its cases on lines of their own");
    wy_parse_next_line(p);
    int inner = p->column;
    if (inner <= column)
        wy_parse_fail(p, "a block is missing");
    while (p->column == inner && inner >= 0) {
        if (!wy_str_is(p->at.text, "case") || p->at.kind != WY_T_NAME) {
            wy_parse_fail(p, "a `case` is missing");
            break;
        }
        one_case(p, inner);
    }
    if (p->column > column)
        wy_parse_fail(p, "a line is further in than the one before");
    WY_PARSE_TAKE(p, cases, mark, &s.cases);
    wy_vec_push(&p->stmts, s);
    return true;
}
