/* Statements of one line (Python's reference, chapter 7). */
#include "source/parse.h"

/* ---- import ---- */

static struct wy_alias alias(struct wy_parse *p, const char *(*name)(struct wy_parse *)) {
    struct wy_alias a = {.line = p->at.line};
    wy_parse_count(p);
    a.name = name(p);
    if (wy_parse_accept(p, WY_KW_AS))
        a.as = wy_parse_name(p);
    return a;
}

static void import(struct wy_parse *p) {
    struct wy_stmt s = wy_parse_stmt(p, WY_S_IMPORT);
    size_t mark = p->aliases.n;
    do {
        wy_parse_advance(p);
        struct wy_alias a = alias(p, wy_parse_dotted);
        wy_vec_push(&p->aliases, a);
    } while (wy_parse_at(p, ','));
    WY_PARSE_TAKE(p, aliases, mark, &s.imports);
    wy_vec_push(&p->stmts, s);
}

static void imported_names(struct wy_parse *p, struct wy_stmt *s) {
    size_t mark = p->aliases.n;
    bool bracket = wy_parse_accept(p, '(');
    do {
        if (bracket && wy_parse_at(p, ')'))
            break;
        struct wy_alias a = alias(p, wy_parse_name);
        wy_vec_push(&p->aliases, a);
    } while (wy_parse_accept(p, ','));
    if (bracket)
        wy_parse_expect(p, ')', "a bracket is not closed");
    WY_PARSE_TAKE(p, aliases, mark, &s->imports);
}

/* No package is that deep: what is above it is nowhere. */
static void more_levels(struct wy_stmt *s, unsigned n) {
    s->level = (uint8_t)(s->level < UINT8_MAX - n ? s->level + n : UINT8_MAX);
}

static void from(struct wy_parse *p) {
    struct wy_stmt s = wy_parse_stmt(p, WY_S_FROM);
    wy_parse_advance(p);
    for (;; wy_parse_advance(p)) {
        if (wy_parse_at(p, '.'))
            more_levels(&s, 1);
        else if (wy_parse_at(p, WY_TRIPLE('.', '.', '.')))
            more_levels(&s, 3);
        else
            break;
    }
    s.name = s.level && wy_parse_at(p, WY_KW_IMPORT) ? "" : wy_parse_dotted(p);
    s.name = wy_intern(p->names, wy_str_of(s.name));
    wy_parse_expect(p, WY_KW_IMPORT, "`import` is missing");
    s.star = wy_parse_accept(p, '*');
    if (!s.star)
        imported_names(p, &s);
    wy_vec_push(&p->stmts, s);
}

/* ---- words ---- */

static void names(struct wy_parse *p, enum wy_stmt_kind kind) {
    struct wy_stmt s = wy_parse_stmt(p, kind);
    size_t mark = p->words.n;
    do {
        wy_parse_count(p);
        wy_parse_advance(p);
        const char *name = wy_parse_name(p);
        wy_vec_push(&p->words, name);
    } while (wy_parse_at(p, ','));
    WY_PARSE_TAKE(p, words, mark, &s.names);
    wy_vec_push(&p->stmts, s);
}

static struct wy_exprs one_target(struct wy_parse *p, const struct wy_expr *target) {
    return (struct wy_exprs){wy_parse_keep(p, &target, sizeof target), 1};
}

static void unbind(struct wy_parse *p) {
    struct wy_stmt s = wy_parse_stmt(p, WY_S_DELETE);
    size_t mark = p->exprs.n;
    do {
        wy_parse_advance(p);
        if (!wy_parse_starts_expr(p) && p->exprs.n > mark)
            break;
        const struct wy_expr *target = wy_parse_target(p);
        wy_vec_push(&p->exprs, target);
    } while (wy_parse_at(p, ','));
    WY_PARSE_TAKE(p, exprs, mark, &s.targets);
    wy_vec_push(&p->stmts, s);
}

static void give(struct wy_parse *p) {
    struct wy_stmt s = wy_parse_stmt(p, WY_S_RETURN);
    wy_parse_advance(p);
    if (wy_parse_starts_expr(p))
        s.value = wy_parse_exprs(p);
    wy_vec_push(&p->stmts, s);
}

/* raise a from b; assert a, b */
static void one_or_two(struct wy_parse *p, enum wy_stmt_kind kind, uint32_t between) {
    struct wy_stmt s = wy_parse_stmt(p, kind);
    wy_parse_advance(p);
    if (kind == WY_S_ASSERT || wy_parse_starts_expr(p))
        s.value = wy_parse_expr(p);
    if (wy_parse_accept(p, between))
        s.value2 = wy_parse_expr(p);
    wy_vec_push(&p->stmts, s);
}

static void alone(struct wy_parse *p, enum wy_stmt_kind kind) {
    struct wy_stmt s = wy_parse_stmt(p, kind);
    wy_parse_advance(p);
    wy_vec_push(&p->stmts, s);
}

/* ---- expressions and assignments ---- */

static bool augmenting(uint32_t token, uint8_t *op) {
    static const struct {
        uint32_t token;
        uint8_t op;
    } table[] = {
        {WY_PAIR('+', '='), WY_OP_ADD},           {WY_PAIR('-', '='), WY_OP_SUB},
        {WY_PAIR('*', '='), WY_OP_MUL},           {WY_PAIR('@', '='), WY_OP_MATMUL},
        {WY_PAIR('/', '='), WY_OP_DIV},           {WY_TRIPLE('/', '/', '='), WY_OP_FLOORDIV},
        {WY_PAIR('%', '='), WY_OP_MOD},           {WY_TRIPLE('*', '*', '='), WY_OP_POW},
        {WY_TRIPLE('<', '<', '='), WY_OP_LSHIFT}, {WY_TRIPLE('>', '>', '='), WY_OP_RSHIFT},
        {WY_PAIR('&', '='), WY_OP_AND},           {WY_PAIR('|', '='), WY_OP_OR},
        {WY_PAIR('^', '='), WY_OP_XOR},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].token == token) {
            *op = table[i].op;
            return true;
        }
    return false;
}

/* a = b = value: every value but the last was a target. */
static void assignment(struct wy_parse *p, struct wy_stmt *s) {
    size_t mark = p->exprs.n;
    s->kind = WY_S_ASSIGN;
    while (wy_parse_accept(p, '=')) {
        wy_vec_push(&p->exprs, s->value);
        s->value = wy_parse_value(p);
    }
    WY_PARSE_TAKE(p, exprs, mark, &s->targets);
}

static enum wy_annotation annotation_kind(struct wy_str text) {
    if (wy_str_find(text, WY_STR("ClassVar")) != SIZE_MAX)
        return WY_ANNOTATION_CLASS_VAR;
    bool special = wy_str_find(text, WY_STR("InitVar")) != SIZE_MAX ||
                   wy_str_find(text, WY_STR("KW_ONLY")) != SIZE_MAX;
    return special ? WY_ANNOTATION_SPECIAL : WY_ANNOTATION_PLAIN;
}

static void annotation(struct wy_parse *p, struct wy_stmt *s) {
    const char *from = p->at.text.p ? p->at.text.p : p->lex.p; /* NULL at the end of the text */
    s->kind = WY_S_ANNOTATE;
    s->targets = one_target(p, s->value);
    wy_parse_annotation(p, wy_parse_expr);
    s->op = (uint8_t)annotation_kind((struct wy_str){from, (size_t)(p->lex.p - from)});
    s->value = wy_parse_accept(p, '=') ? wy_parse_value(p) : NULL;
}

/* A string in three quotes alone on its lines: a fifth of many files, and nothing to an import. */
static bool is_docstring(const struct wy_parse *p) {
    struct wy_str t = p->at.text;
    if (p->at.kind == WY_T_STRING && (*t.p | 32) == 'r')
        t = (struct wy_str){t.p + 1, t.n - 1};
    return p->at.kind == WY_T_STRING && t.n >= 6 &&
           (wy_str_starts(t, "\"\"\"") || wy_str_starts(t, "'''")) &&
           wy_lex_peek(&p->lex).kind == WY_T_NEWLINE;
}

static void expression(struct wy_parse *p) {
    if (is_docstring(p)) {
        alone(p, WY_S_PASS);
        return;
    }
    struct wy_stmt s = wy_parse_stmt(p, WY_S_EXPR);
    s.value = wy_parse_value(p);
    if (wy_parse_at(p, '=')) {
        assignment(p, &s);
    } else if (wy_parse_accept(p, ':')) {
        annotation(p, &s);
    } else if (augmenting(p->at.op, &s.op)) {
        wy_parse_advance(p);
        s.kind = WY_S_AUGMENT;
        s.targets = one_target(p, s.value);
        s.value = wy_parse_value(p);
    }
    wy_vec_push(&p->stmts, s);
}

/* `type NAME = …`, `type NAME[…] = …` (PEP 695). `type` is a name everywhere else. */
static bool type_alias(struct wy_parse *p) {
    if (!wy_str_is(p->at.text, "type"))
        return false;
    struct wy_token next = wy_lex_peek(&p->lex);
    if (next.kind != WY_T_NAME || wy_keyword(next.text))
        return false;
    struct wy_stmt s = wy_parse_stmt(p, WY_S_TYPE);
    wy_parse_advance(p);
    s.name = wy_parse_name(p);
    if (wy_parse_at(p, '['))
        wy_parse_skip_brackets(p);
    wy_parse_expect(p, '=', "the value of a type is missing");
    wy_parse_expr(p);
    wy_vec_push(&p->stmts, s);
    return true;
}

void wy_parse_simple(struct wy_parse *p) {
    switch (p->at.op) {
    case WY_KW_IMPORT:
        import(p);
        return;
    case WY_KW_FROM:
        from(p);
        return;
    case WY_KW_PASS:
        alone(p, WY_S_PASS);
        return;
    case WY_KW_BREAK:
        alone(p, WY_S_BREAK);
        return;
    case WY_KW_CONTINUE:
        alone(p, WY_S_CONTINUE);
        return;
    case WY_KW_GLOBAL:
        names(p, WY_S_GLOBAL);
        return;
    case WY_KW_NONLOCAL:
        names(p, WY_S_NONLOCAL);
        return;
    case WY_KW_DEL:
        unbind(p);
        return;
    case WY_KW_RETURN:
        give(p);
        return;
    case WY_KW_RAISE:
        one_or_two(p, WY_S_RAISE, WY_KW_FROM);
        return;
    case WY_KW_ASSERT:
        one_or_two(p, WY_S_ASSERT, ',');
        return;
    default:
        if (!wy_parse_at_name(p) || !type_alias(p))
            expression(p);
    }
}
