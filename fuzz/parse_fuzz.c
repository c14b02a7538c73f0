/* The tree of Python source: whatever the bytes, it can be walked, is not too deep, and every line
 * is one of the text. */
#include "fuzz.h"

#include "source/ast.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

struct walk {
    struct wy_source_tree *tree;
    uint32_t lines;
    unsigned functions; /* bodies still to be read */
};

static void body(struct walk *w, struct wy_body b, unsigned depth);

static void expr(struct walk *w, const struct wy_expr *e, unsigned most) {
    if (!e)
        return;
    require(e->depth >= 1 && e->depth <= most && e->line >= 1 && e->line <= w->lines);
    most = e->depth - 1u;
    expr(w, e->a, most);
    expr(w, e->b, most);
    expr(w, wy_expr_third(e), most);
    switch (e->kind) {
    case WY_E_LIST:
    case WY_E_TUPLE:
    case WY_E_SET:
    case WY_E_DICT:
    case WY_E_AND:
    case WY_E_OR:
    case WY_E_COMPARE:
    case WY_E_FSTRING:
        for (uint32_t i = 0; i < e->items.n; i++)
            expr(w, e->items.v[i], most);
        break;
    case WY_E_CALL:
        for (uint32_t i = 0; i < e->arguments.n; i++)
            expr(w, e->arguments.v[i].value, most);
        break;
    case WY_E_NAME:
    case WY_E_ATTRIBUTE:
    case WY_E_WALRUS:
        require(e->name != NULL);
        break;
    case WY_E_LAMBDA:
        require(e->function->body.n == 1);
        expr(w, e->function->body.v->value, most);
        break;
    default:
        break;
    }
}

static void parameters(struct walk *w, const struct wy_function *f) {
    for (uint32_t i = 0; i < f->nparameters; i++) {
        require(f->parameters[i].name != NULL);
        expr(w, f->parameters[i].default_value, WY_SOURCE_MAX_DEPTH);
    }
}

static void stmt(struct walk *w, const struct wy_stmt *s, unsigned depth) {
    require(s->line >= 1 && s->line <= w->lines);
    expr(w, wy_stmt_value(s), WY_SOURCE_MAX_DEPTH);
    expr(w, wy_stmt_value2(s), WY_SOURCE_MAX_DEPTH);
    struct wy_exprs targets = wy_stmt_targets(s);
    for (uint32_t i = 0; i < targets.n; i++)
        expr(w, targets.v[i], WY_SOURCE_MAX_DEPTH);
    if (s->kind == WY_S_DEF) {
        if (w->functions) {
            w->functions--;
            body(w, *wy_source_body(w->tree, s->function), depth + 1);
            parameters(w, s->function);
        }
    }
    if (s->kind == WY_S_TRY)
        for (uint32_t i = 0; i < s->handlers.n; i++)
            body(w, s->handlers.v[i].body, depth + 1);
    if (s->kind == WY_S_MATCH)
        for (uint32_t i = 0; i < s->cases.n; i++) {
            expr(w, s->cases.v[i].pattern, WY_SOURCE_MAX_DEPTH);
            body(w, s->cases.v[i].body, depth + 1);
        }
    body(w, s->body, depth + 1);
    body(w, s->orelse, depth + 1);
    body(w, wy_stmt_finally(s), depth + 1);
}

static void body(struct walk *w, struct wy_body b, unsigned depth) {
    require(depth <= WY_SOURCE_MAX_DEPTH + 300);
    for (uint32_t i = 0; i < b.n; i++)
        stmt(w, &b.v[i], depth);
}

static void check(struct wy_str text, unsigned minor) {
    struct wy_intern names = {0};
    struct wy_arena arena = WY_ARENA_INIT;
    struct wy_source_tree tree;
    struct walk w = {.tree = &tree, .lines = 1, .functions = 100};
    for (size_t i = 0; i < text.n; i++)
        w.lines += text.p[i] == '\n' || text.p[i] == '\r';
    wy_source_parse(text, minor, &names, &arena, &tree);
    body(&w, tree.body, 0);
    require(!tree.problem || (tree.problem_line >= 1 && tree.problem_line <= w.lines));
    wy_arena_deinit(&arena);
    wy_intern_deinit(&names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_str text = {(const char *)data, size};
    check(text, 11);
    check(text, 14);
    return 0;
}
