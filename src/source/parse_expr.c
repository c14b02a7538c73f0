#include "source/parse.h"

/* ---- nodes ---- */

struct wy_expr *wy_parse_new(struct wy_parse *p, enum wy_expr_kind kind, unsigned line) {
    struct wy_expr *e = WY_NEW(p->arena, struct wy_expr);
    wy_parse_count(p);
    e->kind = (uint8_t)kind;
    e->line = line;
    e->depth = 1;
    return e;
}

const struct wy_expr *wy_parse_opaque(struct wy_parse *p) {
    return wy_parse_new(p, WY_E_OPAQUE, p->at.line);
}

static void below(struct wy_expr *e, const struct wy_expr *part) {
    if (part && part->depth >= e->depth)
        e->depth = (uint16_t)(part->depth + 1);
}

static void all_below(struct wy_expr *e, struct wy_exprs parts) {
    for (uint32_t i = 0; i < parts.n; i++)
        below(e, parts.v[i]);
}

const struct wy_expr *wy_parse_done(struct wy_expr *e) {
    below(e, e->a);
    below(e, e->b);
    below(e, wy_expr_third(e));
    switch (e->kind) {
    case WY_E_LIST:
    case WY_E_TUPLE:
    case WY_E_SET:
    case WY_E_DICT:
    case WY_E_AND:
    case WY_E_OR:
    case WY_E_COMPARE:
    case WY_E_FSTRING:
        all_below(e, e->items);
        break;
    case WY_E_CALL:
        for (uint32_t i = 0; i < e->arguments.n; i++)
            below(e, e->arguments.v[i].value);
        break;
    case WY_E_LISTCOMP:
    case WY_E_SETCOMP:
    case WY_E_DICTCOMP:
    case WY_E_GENERATOR:
        for (uint32_t i = 0; i < e->loops.n; i++) {
            below(e, e->loops.v[i].target);
            below(e, e->loops.v[i].over);
            all_below(e, e->loops.v[i].ifs);
        }
        break;
    case WY_E_LAMBDA:
        for (uint32_t i = 0; i < e->function->nparameters; i++)
            below(e, e->function->parameters[i].default_value);
        below(e, e->function->body.v->value);
        break;
    default:
        break;
    }
    if (e->depth > WY_SOURCE_MAX_DEPTH)
        *e = (struct wy_expr){.kind = WY_E_OPAQUE, .line = e->line, .depth = 1};
    return e;
}

bool wy_parse_enter(struct wy_parse *p) {
    if (p->depth >= WY_SOURCE_MAX_NESTING) {
        wy_parse_fail(p, "expressions are nested too deeply");
        return false;
    }
    p->depth++;
    return true;
}

/* ---- operators, from the tightest to the loosest (Python's reference 6.17) ---- */

static const struct wy_expr *unary(struct wy_parse *p);

static const struct wy_expr *power(struct wy_parse *p) {
    unsigned line = p->at.line;
    const struct wy_expr *e;
    if (wy_parse_accept(p, WY_KW_AWAIT)) {
        struct wy_expr *await = wy_parse_new(p, WY_E_AWAIT, line);
        await->a = wy_parse_primary(p);
        e = wy_parse_done(await);
    } else {
        e = wy_parse_primary(p);
    }
    if (!wy_parse_accept(p, WY_PAIR('*', '*')))
        return e;
    struct wy_expr *raised = wy_parse_new(p, WY_E_BINARY, line);
    raised->op = WY_OP_POW;
    raised->a = e;
    if (!wy_parse_enter(p))
        return raised;
    raised->b = unary(p);
    p->depth--;
    return wy_parse_done(raised);
}

static const struct wy_expr *prefixed(struct wy_parse *p, enum wy_op op,
                                      const struct wy_expr *(*operand)(struct wy_parse *)) {
    struct wy_expr *e = wy_parse_new(p, WY_E_UNARY, p->at.line);
    if (!wy_parse_enter(p))
        return e;
    wy_parse_advance(p);
    e->op = (uint8_t)op;
    e->a = operand(p);
    p->depth--;
    return wy_parse_done(e);
}

static const struct wy_expr *unary(struct wy_parse *p) {
    switch (p->at.op) {
    case '-':
        return prefixed(p, WY_OP_NEG, unary);
    case '+':
        return prefixed(p, WY_OP_POS, unary);
    case '~':
        return prefixed(p, WY_OP_INVERT, unary);
    default:
        return power(p);
    }
}

/* How tightly a binary operator binds, 0 for none. */
static unsigned binding(uint32_t token, uint8_t *op) {
    static const struct {
        uint32_t token;
        uint8_t op, binding;
    } table[] = {
        {'|', WY_OP_OR, 1},
        {'^', WY_OP_XOR, 2},
        {'&', WY_OP_AND, 3},
        {WY_PAIR('<', '<'), WY_OP_LSHIFT, 4},
        {WY_PAIR('>', '>'), WY_OP_RSHIFT, 4},
        {'+', WY_OP_ADD, 5},
        {'-', WY_OP_SUB, 5},
        {'*', WY_OP_MUL, 6},
        {'@', WY_OP_MATMUL, 6},
        {'/', WY_OP_DIV, 6},
        {WY_PAIR('/', '/'), WY_OP_FLOORDIV, 6},
        {'%', WY_OP_MOD, 6},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].token == token) {
            *op = table[i].op;
            return table[i].binding;
        }
    return 0;
}

static const struct wy_expr *binary(struct wy_parse *p, unsigned least) {
    unsigned line = p->at.line;
    const struct wy_expr *left = unary(p);
    for (;;) {
        uint8_t op = 0;
        unsigned tight = p->at.kind == WY_T_OP ? binding(p->at.op, &op) : 0;
        if (tight < least || tight == 0)
            return left;
        wy_parse_advance(p);
        struct wy_expr *e = wy_parse_new(p, WY_E_BINARY, line);
        e->op = op;
        e->a = left;
        e->b = binary(p, tight + 1);
        left = wy_parse_done(e);
    }
}

/* Takes a comparison operator, if there is one. */
static bool comparison(struct wy_parse *p, uint8_t *op) {
    switch (p->at.op) {
    case WY_PAIR('=', '='):
        *op = WY_OP_EQ;
        break;
    case WY_PAIR('!', '='):
    case WY_PAIR('<', '>'): /* from __future__ import barry_as_FLUFL */
        *op = WY_OP_NE;
        break;
    case '<':
        *op = WY_OP_LT;
        break;
    case WY_PAIR('<', '='):
        *op = WY_OP_LE;
        break;
    case '>':
        *op = WY_OP_GT;
        break;
    case WY_PAIR('>', '='):
        *op = WY_OP_GE;
        break;
    case WY_KW_IN:
        *op = WY_OP_IN;
        break;
    case WY_KW_NOT:
        wy_parse_advance(p);
        *op = WY_OP_NOT_IN;
        wy_parse_expect(p, WY_KW_IN, "`in` is missing");
        return true;
    case WY_KW_IS:
        wy_parse_advance(p);
        *op = wy_parse_accept(p, WY_KW_NOT) ? WY_OP_IS_NOT : WY_OP_IS;
        return true;
    default:
        return false;
    }
    wy_parse_advance(p);
    return true;
}

/* What lies on the stacks from there on: the operators behind the items (wy_compare_op). */
static struct wy_exprs with_operators(struct wy_parse *p, size_t items, size_t ops) {
    size_t n = p->exprs.n - items, bytes = n * sizeof *p->exprs.v;
    const struct wy_expr **kept = wy_arena_alloc(p->arena, bytes + n);
    memcpy(kept, p->exprs.v + items, bytes);
    memcpy(kept + n, p->ops.v + ops, n);
    p->exprs.n = items;
    p->ops.n = ops;
    return (struct wy_exprs){kept, (uint32_t)n};
}

static const struct wy_expr *compared(struct wy_parse *p) {
    unsigned line = p->at.line;
    const struct wy_expr *left = binary(p, 1);
    size_t items = p->exprs.n, ops = p->ops.n;
    uint8_t op;
    while (comparison(p, &op)) {
        wy_vec_push(&p->ops, op);
        const struct wy_expr *right = binary(p, 1);
        wy_vec_push(&p->exprs, right);
    }
    if (p->exprs.n == items)
        return left;
    struct wy_expr *e = wy_parse_new(p, WY_E_COMPARE, line);
    e->a = left;
    e->items = with_operators(p, items, ops);
    return wy_parse_done(e);
}

static const struct wy_expr *negated(struct wy_parse *p) {
    return wy_parse_at(p, WY_KW_NOT) ? prefixed(p, WY_OP_NOT, negated) : compared(p);
}

static const struct wy_expr *joined(struct wy_parse *p, enum wy_keyword by, enum wy_expr_kind kind,
                                    const struct wy_expr *(*operand)(struct wy_parse *)) {
    unsigned line = p->at.line;
    const struct wy_expr *first = operand(p);
    if (!wy_parse_at(p, by))
        return first;
    size_t mark = p->exprs.n;
    wy_vec_push(&p->exprs, first);
    while (wy_parse_accept(p, by)) {
        const struct wy_expr *next = operand(p);
        wy_vec_push(&p->exprs, next);
    }
    struct wy_expr *e = wy_parse_new(p, kind, line);
    WY_PARSE_TAKE(p, exprs, mark, &e->items);
    return wy_parse_done(e);
}

static const struct wy_expr *all_of(struct wy_parse *p) {
    return joined(p, WY_KW_AND, WY_E_AND, negated);
}

const struct wy_expr *wy_parse_or(struct wy_parse *p) {
    return joined(p, WY_KW_OR, WY_E_OR, all_of);
}

/* ---- whole expressions ---- */

static const struct wy_expr *conditional(struct wy_parse *p) {
    unsigned line = p->at.line;
    const struct wy_expr *e = wy_parse_or(p);
    if (!wy_parse_accept(p, WY_KW_IF))
        return e;
    struct wy_expr *choice = wy_parse_new(p, WY_E_IF, line);
    choice->a = e;
    choice->b = wy_parse_or(p);
    wy_parse_expect(p, WY_KW_ELSE, "`else` is missing");
    if (!wy_parse_enter(p))
        return choice;
    choice->c = wy_parse_expr(p);
    p->depth--;
    return wy_parse_done(choice);
}

const struct wy_expr *wy_parse_expr(struct wy_parse *p) {
    return wy_parse_at(p, WY_KW_LAMBDA) ? wy_parse_lambda(p) : conditional(p);
}

const struct wy_expr *wy_parse_named(struct wy_parse *p) {
    const struct wy_expr *e = wy_parse_expr(p);
    if (e->kind != WY_E_NAME || !wy_parse_accept(p, WY_PAIR(':', '=')))
        return e;
    struct wy_expr *walrus = wy_parse_new(p, WY_E_WALRUS, e->line);
    walrus->name = e->name;
    walrus->a = wy_parse_expr(p);
    return wy_parse_done(walrus);
}

static const struct wy_expr *starred(struct wy_parse *p,
                                     const struct wy_expr *(*plain)(struct wy_parse *)) {
    unsigned line = p->at.line;
    if (!wy_parse_accept(p, '*'))
        return plain(p);
    struct wy_expr *e = wy_parse_new(p, WY_E_STAR, line);
    e->a = binary(p, 1);
    return wy_parse_done(e);
}

const struct wy_expr *wy_parse_star_named(struct wy_parse *p) {
    return starred(p, wy_parse_named);
}

static const struct wy_expr *star_expr(struct wy_parse *p) {
    return starred(p, wy_parse_expr);
}

static const struct wy_expr *bitwise(struct wy_parse *p) {
    return binary(p, 1);
}

const struct wy_expr *wy_parse_target(struct wy_parse *p) {
    return starred(p, bitwise);
}

bool wy_parse_starts_expr(const struct wy_parse *p) {
    switch (p->at.kind) {
    case WY_T_NUMBER:
    case WY_T_STRING:
        return true;
    case WY_T_NAME:
        return !p->at.op || p->at.op == WY_KW_NONE || p->at.op == WY_KW_TRUE ||
               p->at.op == WY_KW_FALSE || p->at.op == WY_KW_NOT || p->at.op == WY_KW_LAMBDA ||
               p->at.op == WY_KW_AWAIT;
    case WY_T_OP:
        return p->at.op == WY_TRIPLE('.', '.', '.') ||
               (p->at.op && p->at.op < 128 && strchr("([{-+~*", (int)p->at.op));
    default:
        return false;
    }
}

static const struct wy_expr *list_of(struct wy_parse *p,
                                     const struct wy_expr *(*item)(struct wy_parse *)) {
    unsigned line = p->at.line;
    const struct wy_expr *first = item(p);
    if (!wy_parse_at(p, ','))
        return first;
    size_t mark = p->exprs.n;
    wy_vec_push(&p->exprs, first);
    while (wy_parse_accept(p, ',') && wy_parse_starts_expr(p)) {
        const struct wy_expr *next = item(p);
        wy_vec_push(&p->exprs, next);
    }
    struct wy_expr *tuple = wy_parse_new(p, WY_E_TUPLE, line);
    WY_PARSE_TAKE(p, exprs, mark, &tuple->items);
    return wy_parse_done(tuple);
}

const struct wy_expr *wy_parse_exprs(struct wy_parse *p) {
    return list_of(p, star_expr);
}

const struct wy_expr *wy_parse_named_exprs(struct wy_parse *p) {
    return list_of(p, wy_parse_star_named);
}

const struct wy_expr *wy_parse_targets(struct wy_parse *p) {
    return list_of(p, wy_parse_target);
}

const struct wy_expr *wy_parse_value(struct wy_parse *p) {
    if (!wy_parse_at(p, WY_KW_YIELD))
        return wy_parse_exprs(p);
    struct wy_expr *e = wy_parse_new(p, WY_E_YIELD, p->at.line);
    p->yields = true;
    wy_parse_advance(p);
    if (wy_parse_accept(p, WY_KW_FROM)) {
        e->kind = WY_E_YIELD_FROM;
        e->a = wy_parse_expr(p);
    } else if (wy_parse_starts_expr(p)) {
        e->a = wy_parse_exprs(p);
    }
    return wy_parse_done(e);
}
