#include "source/parse.h"

/* ---- comprehensions ---- */

static bool at_loop(const struct wy_parse *p) {
    return wy_parse_at(p, WY_KW_FOR) || wy_parse_at(p, WY_KW_ASYNC);
}

/* At `for` or `async for`, the element already read. */
static const struct wy_expr *comprehension(struct wy_parse *p, enum wy_expr_kind kind,
                                           const struct wy_expr *a, const struct wy_expr *b) {
    size_t mark = p->loops.n;
    while (at_loop(p)) {
        struct wy_loop loop = {NULL, NULL, {NULL, 0}};
        wy_parse_accept(p, WY_KW_ASYNC);
        wy_parse_expect(p, WY_KW_FOR, "`for` is missing");
        loop.target = wy_parse_targets(p);
        wy_parse_expect(p, WY_KW_IN, "`in` is missing");
        loop.over = wy_parse_or(p);
        size_t ifs = p->exprs.n;
        while (wy_parse_accept(p, WY_KW_IF)) {
            const struct wy_expr *condition = wy_parse_or(p);
            wy_vec_push(&p->exprs, condition);
        }
        WY_PARSE_TAKE(p, exprs, ifs, &loop.ifs);
        wy_vec_push(&p->loops, loop);
    }
    struct wy_expr *e = wy_parse_new(p, kind, a->line);
    e->a = a;
    e->b = b;
    WY_PARSE_TAKE(p, loops, mark, &e->loops);
    return wy_parse_done(e);
}

/* ---- displays ---- */

/* `first` and what follows it, up to `close`, which is not taken. */
static struct wy_exprs rest_of_display(struct wy_parse *p, const struct wy_expr *first,
                                       uint32_t close) {
    size_t mark = p->exprs.n;
    if (first)
        wy_vec_push(&p->exprs, first);
    while (wy_parse_accept(p, ',') && !wy_parse_at(p, close)) {
        const struct wy_expr *next = wy_parse_star_named(p);
        wy_vec_push(&p->exprs, next);
    }
    struct wy_exprs items;
    WY_PARSE_TAKE(p, exprs, mark, &items);
    return items;
}

static const struct wy_expr *group(struct wy_parse *p) {
    unsigned line = p->at.line;
    wy_parse_advance(p);
    if (wy_parse_accept(p, ')'))
        return wy_parse_new(p, WY_E_TUPLE, line);
    const struct wy_expr *e =
        wy_parse_at(p, WY_KW_YIELD) ? wy_parse_value(p) : wy_parse_star_named(p);
    if (at_loop(p)) {
        e = comprehension(p, WY_E_GENERATOR, e, NULL);
    } else if (wy_parse_at(p, ',')) {
        struct wy_expr *tuple = wy_parse_new(p, WY_E_TUPLE, line);
        tuple->items = rest_of_display(p, e, ')');
        e = wy_parse_done(tuple);
    }
    wy_parse_expect(p, ')', "a bracket is not closed");
    return e;
}

static const struct wy_expr *list(struct wy_parse *p) {
    struct wy_expr *e = wy_parse_new(p, WY_E_LIST, p->at.line);
    wy_parse_advance(p);
    if (wy_parse_accept(p, ']'))
        return e;
    const struct wy_expr *first = wy_parse_star_named(p), *done;
    if (at_loop(p)) {
        done = comprehension(p, WY_E_LISTCOMP, first, NULL);
    } else {
        e->items = rest_of_display(p, first, ']');
        done = wy_parse_done(e);
    }
    wy_parse_expect(p, ']', "a bracket is not closed");
    return done;
}

/* One entry of a dict onto the stack: key and value, or NULL and what follows **. */
static void entry(struct wy_parse *p) {
    const struct wy_expr *key = NULL, *value;
    if (wy_parse_accept(p, WY_PAIR('*', '*'))) {
        value = wy_parse_or(p);
    } else {
        key = wy_parse_expr(p);
        wy_parse_expect(p, ':', "a colon is missing");
        value = wy_parse_expr(p);
    }
    wy_vec_push(&p->exprs, key);
    wy_vec_push(&p->exprs, value);
}

static const struct wy_expr *dict(struct wy_parse *p, struct wy_expr *e) {
    size_t mark = p->exprs.n;
    do
        entry(p);
    while (wy_parse_accept(p, ',') && !wy_parse_at(p, '}'));
    WY_PARSE_TAKE(p, exprs, mark, &e->items);
    return wy_parse_done(e);
}

static const struct wy_expr *keyed(struct wy_parse *p, struct wy_expr *e,
                                   const struct wy_expr *key) {
    wy_parse_expect(p, ':', "a colon is missing");
    const struct wy_expr *value = wy_parse_expr(p);
    if (at_loop(p))
        return comprehension(p, WY_E_DICTCOMP, key, value);
    size_t mark = p->exprs.n;
    wy_vec_push(&p->exprs, key);
    wy_vec_push(&p->exprs, value);
    while (wy_parse_accept(p, ',') && !wy_parse_at(p, '}'))
        entry(p);
    WY_PARSE_TAKE(p, exprs, mark, &e->items);
    return wy_parse_done(e);
}

static const struct wy_expr *braces(struct wy_parse *p) {
    struct wy_expr *e = wy_parse_new(p, WY_E_DICT, p->at.line);
    const struct wy_expr *done = e;
    wy_parse_advance(p);
    if (wy_parse_at(p, WY_PAIR('*', '*'))) {
        done = dict(p, e);
    } else if (!wy_parse_at(p, '}')) {
        const struct wy_expr *first = wy_parse_star_named(p);
        if (wy_parse_at(p, ':')) {
            done = keyed(p, e, first);
        } else if (at_loop(p)) {
            done = comprehension(p, WY_E_SETCOMP, first, NULL);
        } else {
            e->kind = WY_E_SET;
            e->items = rest_of_display(p, first, '}');
            done = wy_parse_done(e);
        }
    }
    wy_parse_expect(p, '}', "a bracket is not closed");
    return done;
}

static const struct wy_expr *word(struct wy_parse *p) {
    static const uint8_t kinds[] = {WY_E_FALSE, WY_E_NONE, WY_E_TRUE};
    unsigned line = p->at.line;
    if (p->at.op >= WY_KW_FALSE && p->at.op <= WY_KW_TRUE) {
        enum wy_expr_kind kind = kinds[p->at.op - WY_KW_FALSE];
        wy_parse_advance(p);
        return wy_parse_new(p, kind, line);
    }
    const char *name = wy_parse_name(p);
    struct wy_expr *e = wy_parse_new(p, WY_E_NAME, line);
    e->name = name;
    return e;
}

static const struct wy_expr *atom(struct wy_parse *p) {
    switch (p->at.kind) {
    case WY_T_NAME:
        return word(p);
    case WY_T_STRING:
        return wy_parse_strings(p);
    case WY_T_NUMBER:
        return wy_parse_number(p);
    default:
        break;
    }
    switch (p->at.op) {
    case '(':
        return group(p);
    case '[':
        return list(p);
    case '{':
        return braces(p);
    case WY_TRIPLE('.', '.', '.'): {
        unsigned line = p->at.line;
        wy_parse_advance(p);
        return wy_parse_new(p, WY_E_ELLIPSIS, line);
    }
    default:
        wy_parse_fail(p, "an expression is missing");
        return wy_parse_opaque(p);
    }
}

/* ---- what may follow an atom ---- */

static struct wy_argument argument(struct wy_parse *p) {
    struct wy_argument a = {NULL, 0, NULL};
    if (wy_parse_accept(p, WY_PAIR('*', '*'))) {
        a.stars = 2;
        a.value = wy_parse_expr(p);
    } else if (wy_parse_accept(p, '*')) {
        a.stars = 1;
        a.value = wy_parse_expr(p);
    } else {
        a.value = wy_parse_named(p);
        if (a.value->kind == WY_E_NAME && wy_parse_accept(p, '=')) {
            a.name = a.value->name;
            a.value = wy_parse_expr(p);
        } else if (at_loop(p)) {
            a.value = comprehension(p, WY_E_GENERATOR, a.value, NULL);
        }
    }
    return a;
}

void wy_parse_arguments(struct wy_parse *p) {
    while (!wy_parse_at(p, ')')) {
        struct wy_argument a = argument(p);
        wy_vec_push(&p->arguments, a);
        if (!wy_parse_accept(p, ','))
            break;
    }
    wy_parse_expect(p, ')', "a bracket is not closed");
}

static const struct wy_expr *call(struct wy_parse *p, const struct wy_expr *callee, unsigned line) {
    struct wy_expr *e = wy_parse_new(p, WY_E_CALL, line);
    size_t mark = p->arguments.n;
    e->a = callee;
    wy_parse_advance(p);
    wy_parse_arguments(p);
    WY_PARSE_TAKE(p, arguments, mark, &e->arguments);
    return wy_parse_done(e);
}

static const struct wy_expr *slice_part(struct wy_parse *p) {
    return wy_parse_starts_expr(p) ? wy_parse_expr(p) : NULL;
}

static const struct wy_expr *index_or_slice(struct wy_parse *p) {
    unsigned line = p->at.line;
    const struct wy_expr *first = wy_parse_at(p, ':') ? NULL : wy_parse_star_named(p);
    if (!wy_parse_accept(p, ':'))
        return first;
    struct wy_expr *e = wy_parse_new(p, WY_E_SLICE, line);
    e->a = first;
    e->b = slice_part(p);
    if (wy_parse_accept(p, ':'))
        e->c = slice_part(p);
    return wy_parse_done(e);
}

static const struct wy_expr *subscript(struct wy_parse *p, const struct wy_expr *of,
                                       unsigned begin) {
    struct wy_expr *e = wy_parse_new(p, WY_E_SUBSCRIPT, begin);
    e->a = of;
    wy_parse_advance(p);
    unsigned line = p->at.line;
    const struct wy_expr *first = index_or_slice(p);
    if (wy_parse_at(p, ',') || first->kind == WY_E_STAR) {
        size_t mark = p->exprs.n;
        wy_vec_push(&p->exprs, first);
        while (wy_parse_accept(p, ',') && !wy_parse_at(p, ']')) {
            const struct wy_expr *next = index_or_slice(p);
            wy_vec_push(&p->exprs, next);
        }
        struct wy_expr *tuple = wy_parse_new(p, WY_E_TUPLE, line);
        WY_PARSE_TAKE(p, exprs, mark, &tuple->items);
        first = wy_parse_done(tuple);
    }
    e->b = first;
    wy_parse_expect(p, ']', "a bracket is not closed");
    return wy_parse_done(e);
}

static const struct wy_expr *trailers(struct wy_parse *p) {
    unsigned line = p->at.line;
    const struct wy_expr *e = atom(p);
    for (;;) {
        if (wy_parse_at(p, '(')) {
            e = call(p, e, line);
        } else if (wy_parse_at(p, '[')) {
            e = subscript(p, e, line);
        } else if (wy_parse_accept(p, '.')) {
            struct wy_expr *attribute = wy_parse_new(p, WY_E_ATTRIBUTE, line);
            attribute->a = e;
            attribute->name = wy_parse_name(p);
            e = wy_parse_done(attribute);
        } else {
            return e;
        }
    }
}

/* All brackets are below here: the place where nesting is counted. */
const struct wy_expr *wy_parse_primary(struct wy_parse *p) {
    if (!wy_parse_enter(p))
        return wy_parse_opaque(p);
    const struct wy_expr *e = trailers(p);
    p->depth--;
    return e;
}
