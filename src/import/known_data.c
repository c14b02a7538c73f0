/* Data that code reads: small texts of files, JSON and other literals. */
#include "base/buf.h"
#include "import/known.h"

enum { MOST_TEXT = 64 << 10 };

/* ---- files ---- */

/* The memory of this process, as far as names go. */
static struct wy_value maps(struct wy_exec *x) {
    wy_auto_buf b = {0};
    for (size_t i = 0; i < wy_process_count(x->process); i++) {
        wy_buf_str(&b, wy_process_at(x->process, i)->name);
        wy_buf_char(&b, '\n');
    }
    x->work += b.n;
    struct wy_str text = {wy_buf_text(&b), b.n};
    return wy_value_text((struct wy_str){wy_arena_str(&x->im->arena, text), text.n});
}

static struct wy_value text_of(struct wy_exec *x, struct wy_value path) {
    if (!wy_is_text(path) && path.kind != WY_V_PATH)
        return WY_UNKNOWN;
    const char *p = wy_arena_str(&x->im->arena, wy_value_str(path)), *problem = NULL;
    struct wy_place place;
    if (strcmp(p, "/proc/self/maps") == 0)
        return maps(x);
    if (p[0] != '/' || wy_tree_find(x->im->world->tree, NULL, p, 0, &place) != 0 || !place.entry ||
        place.entry->type != WY_FT_FILE)
        return WY_UNKNOWN;
    struct wy_str text = wy_place_text(x->im, &place, &x->im->text, &problem);
    x->work += text.n;
    return problem || text.n > MOST_TEXT
               ? WY_UNKNOWN
               : wy_value_text((struct wy_str){wy_arena_str(&x->im->arena, text), text.n});
}

/* open(path) is what gives the text of that path. */
static struct wy_value b_open(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value path = wy_given(x, a, 0, "file"), mode = wy_given(x, a, 1, "mode");
    bool reads =
        mode.kind == WY_V_UNBOUND || (mode.kind == WY_V_STR && mode.n && mode.text[0] == 'r');
    bool known = wy_is_text(path) || path.kind == WY_V_PATH;
    return reads && known ? wy_made_by(x, path, "builtins", "open") : WY_UNKNOWN;
}

static struct wy_value read_self(struct wy_exec *x, const struct wy_args *a) {
    return a->n || a->nnamed ? WY_UNKNOWN : text_of(x, a->self);
}

static struct wy_value p_read_text(struct wy_exec *x, const struct wy_args *a) {
    return text_of(x, a->self);
}

/* ---- literals ---- */

static struct wy_value named(const char *name) {
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return wy_value_bool(name[0] == 't');
    return strcmp(name, "null") == 0 ? WY_NONE : WY_UNKNOWN;
}

/* Nothing that is called or looked up: the text is data. */
static struct wy_value literal(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value v;
    switch ((enum wy_expr_kind)e->kind) {
    case WY_E_NONE:
        return WY_NONE;
    case WY_E_TRUE:
    case WY_E_FALSE:
        return wy_value_bool(e->kind == WY_E_TRUE);
    case WY_E_INT:
        return wy_value_int(e->number);
    case WY_E_STRING:
        return wy_value_text(e->text);
    case WY_E_NAME:
        return named(e->name);
    case WY_E_LIST:
    case WY_E_TUPLE:
        v = wy_make_list(x, e->kind == WY_E_LIST ? WY_V_LIST : WY_V_TUPLE, e->items.n);
        for (uint32_t i = 0; i < e->items.n; i++)
            wy_list_add(x, v.list, literal(x, e->items.v[i]));
        return v;
    case WY_E_DICT:
        v = wy_make_dict(x);
        for (uint32_t i = 0; i + 1 < e->items.n; i += 2)
            if (e->items.v[i])
                wy_bind_key(x, v.table, literal(x, e->items.v[i]), literal(x, e->items.v[i + 1]));
        return v;
    default:
        return WY_UNKNOWN;
    }
}

/* JSON is Python with three other words, but for "\/" in its texts. */
static struct wy_value parsed(struct wy_exec *x, struct wy_value text) {
    if (text.kind != WY_V_STR || wy_str_find(wy_value_str(text), WY_STR("\\/")) != SIZE_MAX)
        return WY_UNKNOWN;
    struct wy_source_tree *tree = WY_NEW(&x->im->arena, struct wy_source_tree);
    wy_source_parse_text(wy_value_str(text), x->im->world->env.minor, &x->im->names, &x->im->arena,
                         tree);
    bool one = !tree->problem && tree->body.n == 1 && tree->body.v[0].kind == WY_S_EXPR;
    return one ? literal(x, tree->body.v[0].value) : WY_UNKNOWN;
}

static struct wy_value json_loads(struct wy_exec *x, const struct wy_args *a) {
    return parsed(x, wy_given(x, a, 0, "s"));
}

/* json.load(open(path)) */
static struct wy_value json_load(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value f = wy_given(x, a, 0, "fp");
    bool opened = f.kind == WY_V_METHOD && f.method->function.kind == WY_V_NAMED &&
                  strcmp(f.method->function.known->name, "builtins.open") == 0;
    return opened ? parsed(x, text_of(x, f.method->self)) : WY_UNKNOWN;
}

static const struct wy_known rows[] = {
    {.name = "builtins.open", .call = b_open},
    {.name = "io.open", .call = b_open},
    {.name = "builtins.open.read", .call = read_self},
    {.name = "<path>.read_text", .call = p_read_text},
    {.name = "json.loads", .call = json_loads},
    {.name = "json.load", .call = json_load},
    {.name = "ast.literal_eval", .call = json_loads},
};
WY_KNOWN_TABLE(wy_known_data, rows);
