/* Statements with blocks (Python's reference, chapter 8). */
#include "source/parse.h"

/* Whether the line in hand goes on a statement whose first line stands at `column`. */
static bool goes_on(const struct wy_parse *p, int column, enum wy_keyword with) {
    return p->column == column && wy_parse_at(p, with);
}

static struct wy_body else_part(struct wy_parse *p, int column, enum wy_keyword word) {
    if (!goes_on(p, column, word))
        return (struct wy_body){NULL, 0};
    wy_parse_advance(p);
    return wy_parse_block(p, column);
}

/* ---- if, while, for ---- */

/* The arms are read one after the other and joined from the last to the first. */
static void choice(struct wy_parse *p) {
    size_t mark = p->stmts.n;
    int column = p->column;
    do {
        if (p->stmts.n - mark >= WY_SOURCE_MAX_DEPTH)
            wy_parse_fail(p, "too many arms of an `if`");
        struct wy_stmt arm = wy_parse_stmt(p, WY_S_IF);
        wy_parse_advance(p);
        arm.value = wy_parse_named(p);
        arm.body = wy_parse_block(p, column);
        wy_vec_push(&p->stmts, arm);
    } while (goes_on(p, column, WY_KW_ELIF));
    struct wy_body last = else_part(p, column, WY_KW_ELSE);
    for (;;) {
        struct wy_stmt *arm = &p->stmts.v[p->stmts.n - 1];
        arm->orelse = last;
        if (p->stmts.n - mark == 1)
            return;
        last = (struct wy_body){wy_parse_keep(p, arm, sizeof *arm), 1};
        p->stmts.n--;
    }
}

static void while_loop(struct wy_parse *p) {
    struct wy_stmt s = wy_parse_stmt(p, WY_S_WHILE);
    int column = p->column;
    wy_parse_advance(p);
    s.value = wy_parse_named(p);
    s.body = wy_parse_block(p, column);
    s.orelse = else_part(p, column, WY_KW_ELSE);
    wy_vec_push(&p->stmts, s);
}

static void for_loop(struct wy_parse *p, unsigned line) {
    struct wy_stmt s = {.kind = WY_S_FOR, .line = line};
    int column = p->column;
    wy_parse_advance(p);
    const struct wy_expr *target = wy_parse_targets(p);
    s.targets = (struct wy_exprs){wy_parse_keep(p, &target, sizeof target), 1};
    wy_parse_expect(p, WY_KW_IN, "`in` is missing");
    s.value = wy_parse_exprs(p);
    s.body = wy_parse_block(p, column);
    s.orelse = else_part(p, column, WY_KW_ELSE);
    wy_vec_push(&p->stmts, s);
}

/* ---- try ---- */

/* `except`, `except*`; since PEP 758 several types need no brackets. */
static void handler(struct wy_parse *p, int column) {
    struct wy_handler h = {.line = p->at.line};
    wy_parse_advance(p);
    h.star = wy_parse_accept(p, '*');
    if (!wy_parse_at(p, ':'))
        h.type = wy_parse_exprs(p);
    if (wy_parse_accept(p, WY_KW_AS))
        h.as = wy_parse_name(p);
    h.body = wy_parse_block(p, column);
    wy_vec_push(&p->handlers, h);
}

static void attempt(struct wy_parse *p) {
    struct wy_stmt s = wy_parse_stmt(p, WY_S_TRY);
    int column = p->column;
    wy_parse_advance(p);
    s.body = wy_parse_block(p, column);
    size_t mark = p->handlers.n;
    while (goes_on(p, column, WY_KW_EXCEPT))
        handler(p, column);
    bool handled = p->handlers.n > mark;
    WY_PARSE_TAKE(p, handlers, mark, &s.handlers);
    s.orelse = else_part(p, column, WY_KW_ELSE);
    if (!handled && !goes_on(p, column, WY_KW_FINALLY))
        wy_parse_fail(p, WY_NO_HANDLER);
    s.finally = else_part(p, column, WY_KW_FINALLY);
    wy_vec_push(&p->stmts, s);
}

/* ---- with ---- */

static void with_item(struct wy_parse *p) {
    struct wy_with_item item = {wy_parse_expr(p), NULL};
    if (wy_parse_accept(p, WY_KW_AS))
        item.target = wy_parse_target(p);
    wy_vec_push(&p->with_items, item);
}

/* `with (a as b, c):`. False, with the parser where it was, when the bracket is only the first
 * character of an expression. */
static bool bracketed_items(struct wy_parse *p, size_t mark) {
    const struct wy_parse before = *p;
    wy_parse_advance(p);
    while (!wy_parse_at(p, ')')) {
        with_item(p);
        if (!wy_parse_accept(p, ','))
            break;
    }
    if (wy_parse_accept(p, ')') && wy_parse_at(p, ':') && p->with_items.n > mark)
        return true;
    p->lex = before.lex;
    p->at = before.at;
    p->column = before.column;
    p->depth = before.depth;
    p->yields = before.yields;
    p->problem = before.problem;
    p->problem_line = before.problem_line;
    p->with_items.n = mark;
    return false;
}

static void with(struct wy_parse *p, unsigned line) {
    struct wy_stmt s = {.kind = WY_S_WITH, .line = line};
    size_t mark = p->with_items.n;
    int column = p->column;
    wy_parse_advance(p);
    if (!wy_parse_at(p, '(') || !bracketed_items(p, mark)) {
        do
            with_item(p);
        while (wy_parse_accept(p, ','));
    }
    WY_PARSE_TAKE(p, with_items, mark, &s.with_items);
    s.body = wy_parse_block(p, column);
    wy_vec_push(&p->stmts, s);
}

/* ---- which it is ---- */

static void asynchronous(struct wy_parse *p) {
    unsigned line = p->at.line;
    wy_parse_advance(p);
    if (wy_parse_at(p, WY_KW_DEF))
        wy_parse_def(p, line, true, (struct wy_exprs){NULL, 0});
    else if (wy_parse_at(p, WY_KW_FOR))
        for_loop(p, line);
    else if (wy_parse_at(p, WY_KW_WITH))
        with(p, line);
    else
        wy_parse_fail(p, "`async` stands alone");
}

bool wy_parse_compound(struct wy_parse *p) {
    switch (p->at.op) {
    case WY_KW_IF:
        choice(p);
        return true;
    case WY_KW_WHILE:
        while_loop(p);
        return true;
    case WY_KW_FOR:
        for_loop(p, p->at.line);
        return true;
    case WY_KW_TRY:
        attempt(p);
        return true;
    case WY_KW_WITH:
        with(p, p->at.line);
        return true;
    case WY_KW_DEF:
        wy_parse_def(p, p->at.line, false, (struct wy_exprs){NULL, 0});
        return true;
    case WY_KW_CLASS:
        wy_parse_class(p, (struct wy_exprs){NULL, 0});
        return true;
    case WY_KW_ASYNC:
        asynchronous(p);
        return true;
    case '@':
        wy_parse_decorated(p);
        return true;
    default:
        return wy_parse_at_name(p) && wy_parse_match(p);
    }
}
