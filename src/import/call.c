/* Calls: arguments, and functions followed into their bodies. */
#include "import/internal.h"

enum { MOST_CALLS_DEEP = 24, MOST_RECURSION = 3, MOST_CALLS_OF_ONE = 100, FEW = 6 };

/* ---- arguments ---- */

static void add_star(struct wy_exec *x, struct wy_list *to, bool *open, struct wy_value v) {
    struct wy_list items;
    if (!wy_items(x, v, &items)) {
        *open = true;
        return;
    }
    for (uint32_t i = 0; i < items.n; i++)
        wy_list_add(x, to, items.v[i]);
    *open = *open || items.open;
}

static void add_keyword(struct wy_exec *x, struct wy_args *a, uint32_t room, const char *name,
                        struct wy_value v) {
    if (a->nnamed == room)
        a->open = true;
    else {
        a->names[a->nnamed] = name;
        a->named[a->nnamed++] = v;
    }
    (void)x;
}

static void add_stars(struct wy_exec *x, struct wy_args *a, uint32_t room, struct wy_value v) {
    if (v.kind != WY_V_DICT) {
        a->open = true;
        return;
    }
    a->open = a->open || v.table->open;
    for (const struct wy_binding *b = v.table->first; b; b = b->next)
        if (b->value.kind != WY_V_UNBOUND)
            add_keyword(x, a, room, b->name, b->value);
}

struct wy_value wy_call_expr(struct wy_exec *x, const struct wy_expr *e) {
    enum { MOST_KEYWORDS = 64 };
    struct wy_value few[FEW], named[MOST_KEYWORDS];
    const char *names[MOST_KEYWORDS];
    struct wy_list list = {.v = few, .cap = FEW};
    struct wy_args args = {.names = names, .named = named};
    struct wy_value f = wy_eval(x, e->a);
    bool only_here = f.kind == WY_V_METHOD && f.method == x->fresh && e->a->kind == WY_E_ATTRIBUTE;
    for (uint32_t i = 0; i < e->arguments.n && !x->raising; i++) {
        const struct wy_argument *a = &e->arguments.v[i];
        struct wy_value v = wy_eval(x, a->value);
        if (x->raising)
            break;
        if (a->stars == 1)
            add_star(x, &list, &args.open, v);
        else if (a->stars == 2)
            add_stars(x, &args, MOST_KEYWORDS, v);
        else if (a->name)
            add_keyword(x, &args, MOST_KEYWORDS, a->name, v);
        else
            wy_list_add(x, &list, v);
    }
    if (x->raising)
        return WY_UNKNOWN;
    args.v = list.v;
    args.n = list.n;
    x->frame->line = e->line;
    if (f.kind == WY_V_UNKNOWN && e->a->kind == WY_E_ATTRIBUTE && args.n &&
        strcmp(e->a->name, "dlopen") == 0)
        return wy_dlopen_call(x, &args);
    if (f.kind == WY_V_UNKNOWN && e->a->kind == WY_E_ATTRIBUTE &&
        strcmp(e->a->name, "_convert_") == 0) /* of enum.EnumType: as global_enum() */
        x->frame->scope->module->scope.names->open = true;
    struct wy_value v = wy_call(x, f, &args);
    if (only_here)
        wy_vec_push(&x->im->spare_methods, f.method);
    return v;
}

struct wy_value wy_argument(const struct wy_args *a, uint32_t i, const char *name) {
    if (i < a->n)
        return a->v[i];
    for (uint32_t k = 0; name && k < a->nnamed; k++)
        if (a->names[k] == name)
            return a->named[k];
    return a->open ? WY_UNKNOWN : WY_UNBOUND;
}

/* ---- parameters ---- */

/* A default value is looked up when it is needed, where the function stands. */
static struct wy_value default_of(struct wy_exec *x, struct wy_func *f, const struct wy_expr *e) {
    struct wy_frame frame = {.up = x->frame};
    struct wy_guarded *guards = x->guards;
    frame.scope = f->closure ? f->closure : &f->module->scope;
    frame.line = x->frame->line;
    x->frame = &frame;
    x->guards = NULL; /* a name that is not found is no error here */
    struct wy_value v = wy_eval(x, e);
    x->guards = guards;
    x->frame = frame.up;
    return x->raising ? WY_UNKNOWN : v;
}

static bool is_parameter(const struct wy_function *f, const char *name) {
    for (uint32_t i = 0; i < f->nparameters; i++)
        if (f->parameters[i].name == name && f->parameters[i].kind != WY_PARAM_STAR &&
            f->parameters[i].kind != WY_PARAM_STARS)
            return true;
    return false;
}

static struct wy_value rest(struct wy_exec *x, const struct wy_args *a, uint32_t from) {
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 0);
    for (uint32_t i = from; i < a->n; i++)
        wy_list_add(x, v.list, a->v[i]);
    v.list->open = a->open;
    return v;
}

static struct wy_value keywords(struct wy_exec *x, const struct wy_function *f,
                                const struct wy_args *a) {
    struct wy_value v = wy_make_dict(x);
    for (uint32_t i = 0; i < a->nnamed; i++)
        if (!is_parameter(f, a->names[i]))
            wy_bind_key(x, v.table, wy_value_cstr(a->names[i]), a->named[i]);
    v.table->open = a->open;
    return v;
}

static void bind_parameters(struct wy_exec *x, struct wy_func *f, struct wy_table *names,
                            const struct wy_args *a) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < f->ast->nparameters; i++) {
        const struct wy_parameter *p = &f->ast->parameters[i];
        struct wy_value v;
        if (p->kind == WY_PARAM_STAR) {
            v = rest(x, a, used);
            used = a->n;
        } else if (p->kind == WY_PARAM_STARS) {
            v = keywords(x, f->ast, a);
        } else {
            uint32_t at = p->kind == WY_PARAM_KEYWORD_ONLY ? UINT32_MAX : used;
            v = wy_argument(a, at, p->name);
            used += at != UINT32_MAX;
        }
        if (v.kind == WY_V_UNBOUND)
            v = p->default_value ? default_of(x, f, p->default_value) : WY_UNKNOWN;
        if (p->name)
            wy_bind(x, names, p->name, v);
    }
}

/* ---- following ---- */

static bool may_follow(struct wy_exec *x, struct wy_func *f) {
    if (f->run != x->run) {
        f->run = x->run;
        f->calls = 0;
        f->active = 0;
    }
    return !f->ast->async && !f->module->quiet && f->module->tree && x->calls < MOST_CALLS_DEEP &&
           f->active < MOST_RECURSION && f->calls < MOST_CALLS_OF_ONE && wy_exec_step(x);
}

/* A call that is not followed changes what it was given, and nothing else that matters here. */
static struct wy_value lost(struct wy_exec *x, const struct wy_args *a) {
    for (uint32_t i = 0; i < a->n; i++)
        wy_lose(x, a->v[i]);
    for (uint32_t i = 0; i < a->nnamed; i++)
        wy_lose(x, a->named[i]);
    return WY_UNKNOWN;
}

static struct wy_value run_function(struct wy_exec *x, struct wy_func *f, struct wy_scope *scope,
                                    const struct wy_body *body, const struct wy_args *args) {
    struct wy_frame frame = {.up = x->frame, .scope = scope, .function = f, .result = WY_NONE};
    struct wy_guarded *guards = x->guards;
    uint32_t maybe = x->maybe;
    struct wy_value yields = WY_UNKNOWN;
    if (f->ast->yields) {
        yields = wy_make_list(x, WY_V_LIST, 0);
        frame.yields = yields.list;
    }
    frame.self = args->n ? args->v[0] : WY_UNKNOWN;
    frame.line = f->ast->line;
    x->frame = &frame;
    wy_run_body(x, body);
    x->frame = frame.up;
    x->guards = guards;
    x->maybe = maybe;
    if (frame.doubtful && x->raising) {
        wy_exec_absorb(x);
        return WY_UNKNOWN;
    }
    if (frame.yields) {
        yields.list->open = yields.list->open || frame.doubtful;
        return yields;
    }
    return frame.returned_perhaps || x->raising ? WY_UNKNOWN : frame.result;
}

/* Most calls leave nothing behind that could look their names up: these scopes are used again. */
struct wy_call_scope {
    struct wy_scope scope;
    struct wy_table names;
    struct wy_call_scope *next;
};

static struct wy_call_scope *call_scope(struct wy_exec *x, struct wy_func *f) {
    struct wy_call_scope *s = x->im->spare_scopes;
    if (s)
        x->im->spare_scopes = s->next;
    else
        s = wy_arena_alloc(&x->im->arena, sizeof *s);
    *s = (struct wy_call_scope){
        .scope = {
            .names = &s->names, .up = f->closure, .module = f->module, .kind = WY_SCOPE_FUNCTION}};
    wy_init_table(x, &s->names);
    return s;
}

static void leave_scope(struct wy_exec *x, struct wy_call_scope *s) {
    if (s->scope.captured)
        return;
    wy_table_recycle(&s->names, &x->im->spare_bindings);
    s->next = x->im->spare_scopes;
    x->im->spare_scopes = s;
}

struct wy_value wy_follow(struct wy_exec *x, struct wy_func *f, const struct wy_args *args) {
    if (!may_follow(x, f))
        return lost(x, args);
    const struct wy_body *body = wy_module_body(x->im, f->module, f->ast);
    struct wy_call_scope *s = call_scope(x, f);
    bind_parameters(x, f, &s->names, args);
    f->active++;
    f->calls++;
    x->calls++;
    x->nesting++;
    struct wy_value v = run_function(x, f, &s->scope, body, args);
    x->nesting--;
    x->calls--;
    f->active--;
    leave_scope(x, s);
    return v;
}

static struct wy_value call_with_self(struct wy_exec *x, struct wy_value self, struct wy_value f,
                                      const struct wy_args *args) {
    struct wy_value few[FEW];
    struct wy_list list = {.v = few, .cap = FEW};
    struct wy_args with = *args;
    wy_list_add(x, &list, self);
    for (uint32_t i = 0; i < args->n; i++)
        wy_list_add(x, &list, args->v[i]);
    with.v = list.v;
    with.n = list.n;
    return wy_call(x, f, &with);
}

static struct wy_value call_known(struct wy_exec *x, const struct wy_known *k,
                                  const struct wy_args *args) {
    if (!k->call)
        return lost(x, args);
    struct wy_args with = *args;
    with.what = k->what;
    return k->call(x, &with);
}

static struct wy_value call_method(struct wy_exec *x, const struct wy_method *m,
                                   const struct wy_args *args) {
    if (m->function.kind != WY_V_NAMED)
        return call_with_self(x, m->self, m->function, args);
    struct wy_args with = *args;
    with.self = m->self;
    if (m->function.known->call)
        return m->function.known->call(x, &with);
    wy_lose(x, m->self);
    return lost(x, args);
}

static struct wy_value call(struct wy_exec *x, struct wy_value f, const struct wy_args *args) {
    switch ((enum wy_value_kind)f.kind) {
    case WY_V_FUNCTION:
        return wy_follow(x, f.function, args);
    case WY_V_METHOD:
        return call_method(x, f.method, args);
    case WY_V_WRAPPED:
        return call(x, f.method->function, args);
    case WY_V_CLASS:
        return wy_instantiate(x, f.class_, args);
    case WY_V_NAMED:
        return call_known(x, f.known, args);
    case WY_V_INSTANCE: {
        struct wy_value c = wy_class_find(f.instance->class_, x->im->n.call);
        return c.kind == WY_V_FUNCTION ? call_with_self(x, f, c, args) : lost(x, args);
    }
    default:
        return lost(x, args);
    }
}

struct wy_value wy_call(struct wy_exec *x, struct wy_value f, const struct wy_args *args) {
    if (!wy_exec_step(x))
        return WY_UNKNOWN;
    x->nesting++;
    struct wy_value v = call(x, f, args);
    x->nesting--;
    x->fresh = NULL;
    return v;
}
