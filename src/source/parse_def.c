/* Functions, lambdas and classes (Python's reference 8.7, 8.8 and 6.14; PEP 695). */
#include "source/parse.h"

/* ---- annotations ---- */

/* Names, None and texts with what stands in brackets behind them, joined by | and dots. */
static bool usual_annotation(struct wy_parse *p) {
    do {
        if (!wy_parse_at_name(p) && !wy_parse_at(p, WY_KW_NONE) && p->at.kind != WY_T_STRING)
            return false;
        wy_parse_advance(p);
        if (wy_parse_at(p, '['))
            wy_parse_skip_brackets(p);
    } while (wy_parse_accept(p, '.') || wy_parse_accept(p, '|'));
    return p->at.kind == WY_T_NEWLINE || wy_parse_at(p, ',') || wy_parse_at(p, ')') ||
           wy_parse_at(p, '=') || wy_parse_at(p, ':');
}

/* In typed code a third of all expressions: nodes are made only to get over the rare ones. */
void wy_parse_annotation(struct wy_parse *p,
                         const struct wy_expr *(*expression)(struct wy_parse *p)) {
    struct wy_lex lex = p->lex;
    struct wy_token at = p->at;
    if (usual_annotation(p) || p->problem)
        return;
    p->lex = lex;
    p->at = at;
    expression(p);
}

/* ---- parameters ---- */

/* What stands behind `/`: all plain parameters so far are by position only. */
static void positional_only(struct wy_parse *p, size_t mark) {
    for (size_t i = mark; i < p->parameters.n; i++)
        if (p->parameters.v[i].kind == WY_PARAM_PLAIN)
            p->parameters.v[i].kind = WY_PARAM_POSITIONAL_ONLY;
}

static struct wy_parameter parameter(struct wy_parse *p, enum wy_parameter_kind kind,
                                     bool annotated) {
    wy_parse_count(p);
    struct wy_parameter one = {.name = wy_parse_name(p), .kind = (uint8_t)kind};
    if (annotated && wy_parse_accept(p, ':')) /* PEP 646: *args: *Ts */
        wy_parse_annotation(p, kind == WY_PARAM_STAR ? wy_parse_star_named : wy_parse_expr);
    if (wy_parse_accept(p, '='))
        one.default_value = wy_parse_expr(p);
    return one;
}

/* Up to `close`, which is not taken. */
static void parameters(struct wy_parse *p, uint32_t close, struct wy_function *f) {
    size_t mark = p->parameters.n;
    enum wy_parameter_kind plain = WY_PARAM_PLAIN;
    bool annotated = close == ')';
    while (!wy_parse_at(p, close)) {
        enum wy_parameter_kind kind = plain;
        bool named = true;
        if (wy_parse_accept(p, '/')) {
            positional_only(p, mark);
            named = false;
        } else if (wy_parse_accept(p, WY_PAIR('*', '*'))) {
            kind = WY_PARAM_STARS;
        } else if (wy_parse_accept(p, '*')) {
            kind = WY_PARAM_STAR;
            plain = WY_PARAM_KEYWORD_ONLY;
            named = !wy_parse_at(p, ',');
        }
        if (named) {
            struct wy_parameter one = parameter(p, kind, annotated);
            wy_vec_push(&p->parameters, one);
        }
        if (!wy_parse_accept(p, ','))
            break;
    }
    struct {
        const struct wy_parameter *v;
        uint32_t n;
    } taken;
    WY_PARSE_TAKE(p, parameters, mark, &taken);
    f->parameters = taken.v;
    f->nparameters = taken.n;
}

const struct wy_expr *wy_parse_lambda(struct wy_parse *p) {
    struct wy_expr *e = wy_parse_new(p, WY_E_LAMBDA, p->at.line);
    struct wy_function *f = WY_NEW(p->arena, struct wy_function);
    bool around = p->yields;
    wy_parse_advance(p);
    f->name = wy_intern(p->names, WY_STR("<lambda>"));
    f->line = e->line;
    f->parsed = true;
    parameters(p, ':', f);
    wy_parse_expect(p, ':', "a colon is missing");
    struct wy_stmt body = wy_parse_stmt(p, WY_S_RETURN);
    p->yields = false;
    if (!wy_parse_enter(p))
        return wy_parse_opaque(p);
    body.value = wy_parse_expr(p);
    p->depth--;
    f->yields = p->yields;
    p->yields = around;
    f->body = (struct wy_body){wy_parse_keep(p, &body, sizeof body), 1};
    e->function = f;
    return wy_parse_done(e);
}

/* ---- def ---- */

/* Whether a function without further lines has its body behind the brackets: a file that is cut
 * short ends anywhere. */
static bool has_body(const struct wy_lex *in, const char *text, const char *end) {
    struct wy_lex l = *in;
    l.end = end;
    l.p = text;
    l.depth = 0;
    for (struct wy_token t = wy_lex_next(&l); t.kind != WY_T_END; t = wy_lex_next(&l))
        if (t.op == ':' && l.depth == 0)
            return true;
    return false;
}

/* Behind the name: keeps all up to the end of the body as text and goes to the line behind it. Of
 * most functions nothing is asked but that they are there. */
static void keep_text(struct wy_parse *p, struct wy_function *f, int column) {
    struct wy_lex *l = &p->lex;
    if (!wy_parse_at(p, '(') && !wy_parse_at(p, '[')) {
        wy_parse_fail(p, WY_NO_BRACKET);
        return;
    }
    l->p = p->at.text.p;
    l->depth = 0;
    const char *text = l->p;
    f->text_at = p->text_at + (uint32_t)(text - l->start);
    f->text_line = p->at.line;
    wy_lex_skip(l, true);
    const char *first_line = l->p;
    bool alone = true;
    for (;; alone = false) {
        f->text_n = (uint32_t)(l->p - text);
        p->column = wy_lex_indent(l);
        if (p->column <= column)
            break;
        wy_lex_skip_lines(l, column);
    }
    if (alone && !has_body(l, text, first_line))
        wy_parse_fail(p, WY_NO_BLOCK);
    else
        wy_parse_advance(p);
}

void wy_parse_function(struct wy_parse *p, struct wy_function *f) {
    wy_parse_advance(p);
    if (wy_parse_at(p, '['))
        wy_parse_skip_brackets(p);
    wy_parse_expect(p, '(', WY_NO_BRACKET);
    parameters(p, ')', f);
    wy_parse_expect(p, ')', "a bracket is not closed");
    if (wy_parse_accept(p, WY_PAIR('-', '>')))
        wy_parse_annotation(p, wy_parse_exprs);
    f->body = wy_parse_block(p, -1);
    f->yields = p->yields;
}

void wy_parse_skip_brackets(struct wy_parse *p) {
    unsigned depth = 0;
    do {
        depth += wy_parse_at(p, '[') || wy_parse_at(p, '(') || wy_parse_at(p, '{');
        depth -= wy_parse_at(p, ']') || wy_parse_at(p, ')') || wy_parse_at(p, '}');
        wy_parse_advance(p);
    } while (depth && p->at.kind != WY_T_END);
}

void wy_parse_def(struct wy_parse *p, unsigned line, bool async, struct wy_exprs decorators) {
    struct wy_stmt s = {.kind = WY_S_DEF, .line = line};
    struct wy_function *f = WY_NEW(p->arena, struct wy_function);
    int column = p->column;
    wy_parse_count(p); /* with its statement, as large as three expressions */
    wy_parse_count(p);
    wy_parse_advance(p);
    f->name = wy_parse_name(p);
    f->line = line;
    f->async = async;
    f->decorators = decorators;
    keep_text(p, f, column);
    s.function = f;
    wy_vec_push(&p->stmts, s);
}

/* ---- class, decorators ---- */

void wy_parse_class(struct wy_parse *p, struct wy_exprs decorators) {
    struct wy_stmt s = wy_parse_stmt(p, WY_S_CLASS);
    size_t mark = p->arguments.n;
    int column = p->column;
    wy_parse_advance(p);
    s.name = wy_parse_name(p);
    s.decorators = decorators;
    if (wy_parse_at(p, '['))
        wy_parse_skip_brackets(p);
    if (wy_parse_accept(p, '('))
        wy_parse_arguments(p);
    WY_PARSE_TAKE(p, arguments, mark, &s.arguments);
    s.body = wy_parse_block(p, column);
    wy_vec_push(&p->stmts, s);
}

void wy_parse_decorated(struct wy_parse *p) {
    size_t mark = p->exprs.n;
    int column = p->column;
    while (wy_parse_accept(p, '@')) {
        const struct wy_expr *decorator = wy_parse_named(p);
        wy_vec_push(&p->exprs, decorator);
        if (p->at.kind != WY_T_NEWLINE)
            wy_parse_fail(p, "a decorator does not end");
        wy_parse_next_line(p);
        if (p->column != column)
            wy_parse_fail(p, "a decorator stands alone");
    }
    struct wy_exprs decorators;
    WY_PARSE_TAKE(p, exprs, mark, &decorators);
    unsigned line = p->at.line;
    bool async = wy_parse_accept(p, WY_KW_ASYNC);
    if (wy_parse_at(p, WY_KW_DEF))
        wy_parse_def(p, line, async, decorators);
    else if (!async && wy_parse_at(p, WY_KW_CLASS))
        wy_parse_class(p, decorators);
    else
        wy_parse_fail(p, "a decorator stands alone");
}
