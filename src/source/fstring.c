/* Formatted strings (Python's reference 2.4.3, PEP 498, 701, 750). */
#include "source/parse.h"

static const char *fields(struct wy_parse *p, const struct wy_literal *l, const char *at,
                          size_t text, bool specification, bool *named);

/* At the first character of a format specification: it, up to its '}'. */
static const struct wy_expr *specification(struct wy_parse *p, const struct wy_literal *l,
                                           const char **at, bool *named) {
    struct wy_expr *e = wy_parse_new(p, WY_E_STRING, p->at.line);
    size_t items = p->exprs.n, text = p->text.n;
    *at = fields(p, l, *at, text, true, named);
    return wy_literal_finish(p, e, items, text, false);
}

/* `{a = }` also gives its own text, up to the next token and without comments. At '='. */
static void own_text(struct wy_parse *p, const struct wy_literal *l, const char *from) {
    const char *equals = p->at.text.p;
    wy_parse_advance(p);
    const char *to = p->at.kind == WY_T_END ? l->end : p->at.text.p;
    for (; from < to; from++) {
        if (*from == '#' && from > equals)
            from = memchr(from, '\n', (size_t)(to - from));
        if (!from)
            return;
        wy_vec_push(&p->text, *from);
    }
}

/* Behind the expression: `=`, `!r` and `:…`, each may be missing. Returns where '}' is. */
static const char *behind(struct wy_parse *p, const struct wy_literal *l, struct wy_expr *e,
                          const char *from, bool *named) {
    bool own = wy_parse_at(p, '=');
    if (own)
        own_text(p, l, from);
    if (wy_parse_accept(p, '!')) {
        e->op = p->at.kind == WY_T_NAME ? (uint8_t)p->at.text.p[0] : 0;
        wy_parse_advance(p);
    }
    if (p->at.kind == WY_T_END) {
        wy_parse_fail(p, "a field of a string does not end");
        return l->end;
    }
    const char *at = p->at.text.p;
    if (*at == ':') { /* also the first half of ":=" */
        at++;
        e->b = specification(p, l, &at, named);
    }
    if (own && !e->op && !e->b)
        e->op = 'r';
    return at;
}

/* At '{': the field onto the stack, and the text before it. The expression is read by the parser
 * itself, in the middle of the string. Returns behind '}'. */
static const char *field(struct wy_parse *p, const struct wy_literal *l, const char *at,
                         size_t text, bool *named) {
    struct wy_expr *e = wy_parse_new(p, WY_E_FIELD, p->at.line);
    if (!wy_parse_enter(p))
        return l->end;
    p->lex.p = at + 1;
    p->lex.end = l->end;
    p->lex.depth = 1;
    wy_parse_advance(p);
    e->line = p->at.line;
    e->a = wy_parse_value(p);
    at = behind(p, l, e, at + 1, named);
    wy_literal_flush(p, text, e->line);
    const struct wy_expr *done = wy_parse_done(e);
    wy_vec_push(&p->exprs, done);
    p->depth--;
    if (p->problem || at >= l->end || *at != '}') {
        wy_parse_fail(p, "a field of a string does not end");
        return l->end;
    }
    return at + 1;
}

/* One character of text that is no field. */
static const char *character(struct wy_parse *p, const struct wy_literal *l, const char *at,
                             bool *named) {
    char c = *at;
    p->lex.line += c == '\n';
    if (c == '\\' && !l->raw) {
        if (at + 1 < l->end && at[1] != '{') {
            p->lex.line += at[1] == '\n';
            return wy_literal_escape(p, at, l->end, false, named);
        }
    } else if ((c == '{' || c == '}') && at + 1 < l->end && at[1] == c) {
        at++;
    }
    wy_vec_push(&p->text, c);
    return at + 1;
}

/* Text and fields, to the end or, in a specification, to its '}'. */
static const char *fields(struct wy_parse *p, const struct wy_literal *l, const char *at,
                          size_t text, bool in_specification, bool *named) {
    while (at < l->end && !p->problem) {
        bool doubled = at + 1 < l->end && at[1] == *at;
        if (in_specification && *at == '}')
            return at;
        if (*at == '{' && (!doubled || in_specification))
            at = field(p, l, at, text, named);
        else
            at = character(p, l, at, named);
    }
    return at;
}

void wy_literal_fstring(struct wy_parse *p, const struct wy_literal *l, size_t text, bool *named) {
    struct wy_lex lex = p->lex;
    struct wy_token at = p->at;
    p->lex.line = l->line;
    fields(p, l, l->p, text, false, named);
    if (p->problem)
        return;
    p->lex = lex;
    p->at = at;
}
