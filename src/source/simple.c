#include "source/read.h"

/* A name keeps a known value as long as all its bindings at module level agree: numpy's
 * `try: __NUMPY_SETUP__ / except NameError: __NUMPY_SETUP__ = False` has one. */
static void bind_value(struct wy_read *r, const char *name, const struct wy_token *value) {
    static struct wy_token several = {.kind = WY_T_END, .text = {"", 0}};
    void **slot = wy_map_at(&r->constants, wy_str_of(name));
    const struct wy_token *known = *slot;
    if (!value || (known && (known->kind != value->kind || !wy_str_eq(known->text, value->text)))) {
        *slot = &several;
    } else if (!known) {
        struct wy_token *kept = WY_NEW(r->arena, struct wy_token);
        kept->kind = value->kind;
        kept->text = (struct wy_str){wy_arena_str(r->arena, value->text), value->text.n};
        *slot = kept;
    }
}

void wy_read_bind(struct wy_read *r, struct wy_str name, const struct wy_token *value) {
    struct wy_open_block *top = wy_read_top(r);
    if (top->in_class)
        return;
    if (wy_str_is(name, "__getattr__"))
        r->has_getattr = true;
    const char *kept = wy_arena_str(r->arena, name);
    *wy_vec_add(&r->defined) =
        (struct wy_binding){.name = kept, .block = top->block, .line = r->lex.line};
    bind_value(r, kept, value);
}

/* The end of the statement, reached by a token or still to be skipped. */
static bool finish(struct wy_read *r, struct wy_token t) {
    if (t.kind == WY_T_NEWLINE || t.kind == WY_T_END)
        return false;
    if (r->lex.depth == 0 && wy_token_is(t, ";"))
        return true;
    return wy_lex_skip(&r->lex, false) == ';';
}

/* ---- imports ---- */

/* NAME(.NAME)*, beginning with `*t`; afterwards *t is the token behind it. */
static struct wy_str dotted_name(struct wy_read *r, struct wy_token *t, char *buf, size_t size) {
    size_t n = 0;
    while (t->kind == WY_T_NAME) {
        if (n + t->text.n + 2 > size)
            return (struct wy_str){NULL, 0};
        memcpy(buf + n, t->text.p, t->text.n);
        n += t->text.n;
        *t = wy_lex_next(&r->lex);
        if (!wy_token_is(*t, "."))
            break;
        buf[n++] = '.';
        *t = wy_lex_next(&r->lex);
    }
    return (struct wy_str){buf, n};
}

static struct wy_import_stmt *add_import(struct wy_read *r, struct wy_str module, unsigned line) {
    struct wy_import_stmt *s = wy_vec_add(&r->imports);
    *s = (struct wy_import_stmt){
        .module = wy_arena_str(r->arena, module), .block = wy_read_top(r)->block, .line = line};
    return s;
}

/* import a.b as c, d */
static bool read_import(struct wy_read *r) {
    char buf[1024];
    struct wy_token t;
    do {
        t = wy_lex_next(&r->lex);
        unsigned line = r->lex.line;
        struct wy_str module = dotted_name(r, &t, buf, sizeof buf);
        if (module.n == 0)
            break;
        struct wy_import_stmt *s = add_import(r, module, line);
        if (wy_token_is(t, "as")) {
            t = wy_lex_next(&r->lex);
            s->as = wy_arena_str(r->arena, t.text);
            wy_read_bind(r, t.text, NULL);
            t = wy_lex_next(&r->lex);
        } else {
            struct wy_str rest;
            wy_read_bind(r, wy_str_cut(module, '.', &rest), NULL);
        }
    } while (wy_token_is(t, ","));
    return finish(r, t);
}

/* The names after `from m import`, beginning with *t. */
static void read_names(struct wy_read *r, struct wy_import_stmt *s, struct wy_token *t) {
    WY_VEC(const char *) names = {0};
    if (wy_token_is(*t, "*")) {
        s->star = true;
        *t = wy_lex_next(&r->lex);
        return;
    }
    if (wy_token_is(*t, "("))
        *t = wy_lex_next(&r->lex);
    while (t->kind == WY_T_NAME) {
        struct wy_str name = t->text;
        wy_vec_push(&names, wy_arena_str(r->arena, name));
        *t = wy_lex_next(&r->lex);
        if (wy_token_is(*t, "as")) {
            *t = wy_lex_next(&r->lex);
            name = t->text;
            *t = wy_lex_next(&r->lex);
        }
        wy_read_bind(r, name, NULL);
        if (!wy_token_is(*t, ","))
            break;
        *t = wy_lex_next(&r->lex);
    }
    if (wy_token_is(*t, ")"))
        *t = wy_lex_next(&r->lex);
    wy_vec_keep(r->arena, &names);
    s->names = names.v;
    s->nnames = names.n;
}

/* from ..a.b import (c as d, e) */
static bool read_from(struct wy_read *r) {
    char buf[1024];
    unsigned level = 0, line = r->lex.line;
    struct wy_token t = wy_lex_next(&r->lex);
    for (; wy_token_is(t, ".") || wy_token_is(t, "..."); t = wy_lex_next(&r->lex))
        level += (unsigned)t.text.n;
    struct wy_str module = {buf, 0};
    if (!(level && wy_token_is(t, "import"))) /* `from . import x` */
        module = dotted_name(r, &t, buf, sizeof buf);
    if (!wy_token_is(t, "import") || (module.n == 0 && level == 0))
        return finish(r, t);
    struct wy_import_stmt s = *add_import(r, module, line);
    r->imports.n--; /* the names are read before it is added again: binding may not move it */
    s.from = true;
    s.level = level;
    t = wy_lex_next(&r->lex);
    read_names(r, &s, &t);
    wy_vec_push(&r->imports, s);
    return finish(r, t);
}

/* ---- raise ---- */

/* `raise` directly in a handler: the handler swallows nothing. Further in (below an `if`): perhaps.
 * The class is the last part of the name. */
static bool read_raise(struct wy_read *r) {
    struct wy_token t = wy_lex_next(&r->lex);
    struct wy_str name = {NULL, 0};
    while (t.kind == WY_T_NAME) {
        name = t.text;
        t = wy_lex_next(&r->lex);
        if (wy_token_is(t, "."))
            t = wy_lex_next(&r->lex);
    }
    uint32_t here = wy_read_top(r)->block;
    for (uint32_t b = here; b; b = r->blocks.v[b].parent) {
        struct wy_source_block *block = &r->blocks.v[b];
        if (block->kind == WY_BLOCK_TRY || block->guard == WY_NEVER)
            break; /* caught again, perhaps; or not run */
        if (block->kind != WY_BLOCK_EXCEPT)
            continue;
        if (b == here && block->raises != WY_RAISES_YES) {
            block->raises = WY_RAISES_YES;
            block->raised = name.n ? wy_arena_str(r->arena, name) : NULL;
        } else if (block->raises == WY_RAISES_NO) {
            block->raises = WY_RAISES_MAYBE;
        }
        break;
    }
    return finish(r, t);
}

/* ---- assignments ---- */

/* After '=': the constant that is all of the right side, else NULL. Reads up to the statement's end
 * or to what comes behind the first token, which is then in *t. */
static const struct wy_token *constant(struct wy_read *r, struct wy_token *value,
                                       struct wy_token *t) {
    *value = wy_lex_next(&r->lex);
    *t = *value;
    if (value->kind == WY_T_NEWLINE || value->kind == WY_T_END)
        return NULL;
    unsigned depth = r->lex.depth;
    *t = wy_lex_next(&r->lex);
    bool alone = depth == 0 && (t->kind == WY_T_NEWLINE || t->kind == WY_T_END ||
                                (r->lex.depth == 0 && wy_token_is(*t, ";")));
    bool constant = value->kind == WY_T_NUMBER || value->kind == WY_T_STRING ||
                    wy_token_is(*value, "True") || wy_token_is(*value, "False") ||
                    wy_token_is(*value, "None");
    return alone && constant ? value : NULL;
}

/* a: T = … */
static bool read_annotated(struct wy_read *r, struct wy_str name) {
    struct wy_token t, value;
    do {
        t = wy_lex_next(&r->lex);
        if (t.kind == WY_T_NEWLINE || t.kind == WY_T_END ||
            (r->lex.depth == 0 && wy_token_is(t, ";")))
            return finish(r, t);
    } while (r->lex.depth || !wy_token_is(t, "="));
    wy_read_bind(r, name, constant(r, &value, &t));
    return finish(r, t);
}

/* a = b = …; a, b = …; a += …. Other targets bind no plain name. */
static bool read_assignment(struct wy_read *r, struct wy_str first) {
    enum { MOST_NAMES = 32 };
    struct wy_str names[MOST_NAMES] = {first};
    size_t n = 1;
    struct wy_token t = wy_lex_next(&r->lex), value;
    if (wy_token_is(t, ":"))
        return read_annotated(r, first);
    while (wy_token_is(t, ",") && n < MOST_NAMES) {
        t = wy_lex_next(&r->lex);
        if (t.kind != WY_T_NAME)
            return finish(r, t);
        names[n++] = t.text;
        t = wy_lex_next(&r->lex);
    }
    bool augmented = t.kind == WY_T_OP && t.text.n >= 2 && t.text.p[t.text.n - 1] == '=' &&
                     !strchr("=!<>:", t.text.p[0]);
    if (augmented && wy_map_get(&r->constants, first))
        wy_read_bind(r, first, NULL);
    while (wy_token_is(t, "=")) {
        const struct wy_token *one = constant(r, &value, &t);
        for (size_t i = 0; i < n; i++)
            wy_read_bind(r, names[i], n == 1 ? one : NULL);
        names[0] = value.text;
        n = 1;
        if (value.kind != WY_T_NAME)
            break;
    }
    return finish(r, t);
}

bool wy_read_simple(struct wy_read *r, struct wy_str word) {
    if (wy_str_is(word, "import"))
        return read_import(r);
    if (wy_str_is(word, "from"))
        return read_from(r);
    if (wy_str_is(word, "raise"))
        return read_raise(r);
    if (word.n == 0 || wy_read_top(r)->in_class)
        return wy_lex_skip(&r->lex, false) == ';';
    return read_assignment(r, word);
}
