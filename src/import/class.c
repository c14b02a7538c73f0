/* Classes and instances. */
#include "import/internal.h"

/* ---- making a class ---- */

static void add_base(struct wy_exec *x, struct wy_class *c, struct wy_value base) {
    enum { MOST_BASES = 64, DEEPEST = 64 };
    if (base.kind != WY_V_CLASS || c->nbases == MOST_BASES || base.class_->depth >= DEEPEST) {
        bool object = base.kind == WY_V_NAMED && strcmp(base.known->name, "builtins.object") == 0;
        c->open = c->open || !object;
        return;
    }
    struct wy_class **grown =
        wy_arena_alloc(&x->im->arena, (c->nbases + 1) * sizeof(struct wy_class *));
    if (c->nbases)
        memcpy(grown, c->bases, c->nbases * sizeof(struct wy_class *));
    grown[c->nbases++] = base.class_;
    c->bases = grown;
    c->depth = base.class_->depth + 1 > c->depth ? base.class_->depth + 1 : c->depth;
}

static void read_header(struct wy_exec *x, struct wy_class *c, const struct wy_stmt *s) {
    for (uint32_t i = 0; i < s->arguments.n && !x->raising; i++) {
        const struct wy_argument *a = &s->arguments.v[i];
        struct wy_value v = wy_eval(x, a->value);
        if (a->stars)
            c->open = true;
        else if (!a->name)
            add_base(x, c, v);
        else if (a->name == x->im->n.metaclass)
            c->open = true;
    }
}

static void run_class_body(struct wy_exec *x, struct wy_class *c, const struct wy_stmt *s) {
    struct wy_scope *around = x->frame->scope;
    struct wy_scope scope = {.names = c->names,
                             .up = around->kind == WY_SCOPE_FUNCTION ? around : around->up,
                             .module = around->module,
                             .kind = WY_SCOPE_CLASS};
    struct wy_frame frame = {
        .up = x->frame, .function = x->frame->function, .class_ = c, .line = s->line};
    frame.scope = wy_arena_alloc(&x->im->arena, sizeof scope);
    *frame.scope = scope;
    x->frame = &frame;
    wy_run_body(x, &s->body);
    x->frame = frame.up;
}

/* __init_subclass__ of the bases hears of it. */
static void tell_bases(struct wy_exec *x, struct wy_class *c) {
    for (uint32_t i = 0; i < c->nbases && !x->raising; i++) {
        struct wy_value f = wy_class_find(c->bases[i], x->im->n.init_subclass);
        if (f.kind == WY_V_WRAPPED)
            f = f.method->function;
        if (f.kind != WY_V_FUNCTION)
            continue;
        struct wy_value self = {.kind = WY_V_CLASS, .class_ = c};
        wy_call(x, f, &(struct wy_args){.v = &self, .n = 1, .open = true});
        return;
    }
}

void wy_run_class(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_value v = wy_make_class(x, s->name, x->frame->scope->module);
    v.class_->body = &s->body;
    read_header(x, v.class_, s);
    if (!x->raising)
        run_class_body(x, v.class_, s);
    if (!x->raising)
        tell_bases(x, v.class_);
    if (!x->raising)
        v = wy_decorate(x, &s->decorators, v);
    if (!x->raising)
        wy_bind_name(x, s->name, v);
}

/* ---- making an instance ---- */

static bool is_exception(struct wy_exec *x, const struct wy_class *c) {
    return wy_class_below(c, wy_exception_class(x->im, "BaseException"));
}

struct wy_value wy_instantiate(struct wy_exec *x, struct wy_class *c, const struct wy_args *args) {
    struct wy_value v = wy_make_instance(x, c);
    struct wy_table *names = v.instance->names;
    struct wy_value init = wy_class_find(c, x->im->n.init);
    struct wy_value made = wy_class_find(c, x->im->n.new);
    bool exception = is_exception(x, c);
    if (exception)
        wy_exception_init(x, v, &(struct wy_list){.v = args->v, .n = args->n});
    if (wy_dataclass_init(x, v, args))
        return x->raising ? WY_UNKNOWN : v;
    names->open = exception || made.kind != WY_V_UNBOUND || wy_class_open(c) ||
                  (init.kind != WY_V_FUNCTION && (args->n || args->nnamed));
    if (init.kind != WY_V_FUNCTION)
        return v;
    struct wy_value self[8];
    struct wy_list list = {.v = self, .cap = 8};
    struct wy_args with = *args;
    uint64_t cuts = x->cuts;
    wy_list_add(x, &list, v);
    for (uint32_t i = 0; i < args->n; i++)
        wy_list_add(x, &list, args->v[i]);
    with.v = list.v;
    with.n = list.n;
    wy_follow(x, init.function, &with);
    names->open = names->open || x->cuts != cuts;
    return x->raising ? WY_UNKNOWN : v;
}
