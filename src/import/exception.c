/* Instances of Python's own exceptions: what they hold, and their text. */
#include "base/buf.h"
#include "import/internal.h"

static bool below(struct wy_exec *x, const struct wy_class *c, const char *name) {
    return wy_class_below(c, wy_exception_class(x->im, name));
}

static void bind(struct wy_exec *x, struct wy_value v, const char *name, struct wy_value to) {
    wy_bind(x, v.instance->names, wy_intern(&x->im->names, wy_str_of(name)), to);
}

void wy_exception_init(struct wy_exec *x, struct wy_value v, const struct wy_list *args) {
    struct wy_value list = wy_make_list(x, WY_V_TUPLE, args->n);
    for (uint32_t i = 0; i < args->n; i++)
        wy_list_add(x, list.list, args->v[i]);
    wy_bind(x, v.instance->names, x->im->n.args, list);
    if (below(x, v.instance->class_, "ImportError"))
        bind(x, v, "msg", args->n == 1 ? args->v[0] : WY_NONE);
}

struct wy_value wy_exception_value(struct wy_exec *x, const struct wy_exception *e) {
    struct wy_value v = wy_make_instance(x, e->class_);
    struct wy_value text = e->text ? wy_value_cstr(e->text) : WY_UNKNOWN;
    v.instance->names->open = true;
    wy_exception_init(x, v, &(struct wy_list){.v = &text, .n = 1});
    if (e->name && below(x, e->class_, "ImportError")) {
        bind(x, v, "name", wy_value_cstr(e->name));
        bind(x, v, "path", e->path ? wy_value_cstr(e->path) : WY_NONE);
    }
    return v;
}

static bool print_args(struct wy_exec *x, struct wy_buf *b, struct wy_value args) {
    wy_buf_char(b, '(');
    for (uint32_t i = 0; i < args.list->n; i++) {
        if (i)
            wy_buf_str(b, ", ");
        if (!wy_value_print(x, b, args.list->v[i], true))
            return false;
    }
    wy_buf_char(b, ')');
    return true;
}

/* BaseException_str and BaseException_repr, Objects/exceptions.c; KeyError_str. Those of OSError
 * with two arguments and of a few others are not known here. */
bool wy_exception_print(struct wy_exec *x, struct wy_buf *b, struct wy_value v, bool quoted) {
    struct wy_class *c = v.instance->class_;
    struct wy_value args = wy_table_get(v.instance->names, x->im->n.args);
    const char *method = wy_intern(&x->im->names, wy_str_of(quoted ? "__repr__" : "__str__"));
    if (args.kind != WY_V_TUPLE || args.list->open || wy_class_find(c, method).kind != WY_V_UNBOUND)
        return false;
    if (quoted) {
        wy_buf_str(b, c->name);
        return print_args(x, b, args);
    }
    if (args.list->n > 1)
        return !below(x, c, "OSError") && !below(x, c, "SyntaxError") && print_args(x, b, args);
    return args.list->n == 0 || wy_value_print(x, b, args.list->v[0], below(x, c, "KeyError"));
}

const char *wy_exception_text(struct wy_exec *x, struct wy_value v) {
    wy_auto_buf b = {0};
    if (v.kind != WY_V_INSTANCE || !wy_exception_print(x, &b, v, false))
        return NULL;
    return wy_arena_str(&x->im->arena, (struct wy_str){wy_buf_text(&b), b.n});
}
