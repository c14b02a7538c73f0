/* Built-in functions that look at attributes, types and namespaces. */
#include "import/known.h"

/* ---- attributes and types ---- */

static struct wy_value find_quietly(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value name = wy_argument(a, 1, NULL);
    if (a->n < 2 || name.kind != WY_V_STR)
        return WY_UNKNOWN;
    return wy_find_attribute(x, a->v[0], wy_intern(&x->im->names, wy_value_str(name)));
}

static struct wy_value b_getattr(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = find_quietly(x, a);
    if (x->raising)
        return WY_UNKNOWN;
    if (v.kind != WY_V_UNBOUND)
        return v;
    if (a->n > 2)
        return a->v[2];
    wy_exec_raise_named(x, "AttributeError", NULL);
    return WY_UNKNOWN;
}

static struct wy_value b_hasattr(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = find_quietly(x, a);
    if (x->raising)
        return WY_UNKNOWN;
    return v.kind == WY_V_UNKNOWN ? WY_UNKNOWN : wy_value_bool(v.kind != WY_V_UNBOUND);
}

static struct wy_value b_setattr(struct wy_exec *x, const struct wy_args *a) {
    if (a->n == 3 && a->v[1].kind == WY_V_STR)
        wy_set_attribute(x, a->v[0], wy_intern(&x->im->names, wy_value_str(a->v[1])), a->v[2]);
    else if (a->n && a->v[0].kind == WY_V_MODULE)
        a->v[0].module->scope.names->open = true;
    return WY_NONE;
}

static const char *type_name(struct wy_value v) {
    static const char *const names[] = {
        [WY_V_NONE] = "NoneType",        [WY_V_BOOL] = "builtins.bool",
        [WY_V_INT] = "builtins.int",     [WY_V_STR] = "builtins.str",
        [WY_V_BYTES] = "builtins.bytes", [WY_V_LIST] = "builtins.list",
        [WY_V_TUPLE] = "builtins.tuple", [WY_V_SET] = "builtins.set",
        [WY_V_DICT] = "builtins.dict",
    };
    return v.kind < sizeof names / sizeof *names ? names[v.kind] : NULL;
}

static enum wy_truth is_instance(struct wy_value v, struct wy_value type) {
    if (wy_is_sequence(type)) {
        enum wy_truth any = type.list->open ? WY_PERHAPS : WY_NO;
        for (uint32_t i = 0; i < type.list->n; i++) {
            enum wy_truth t =
                wy_is_sequence(type.list->v[i]) ? WY_PERHAPS : is_instance(v, type.list->v[i]);
            if (t == WY_YES)
                return t;
            any = t == WY_PERHAPS ? t : any;
        }
        return any;
    }
    const char *name = type_name(v);
    if (v.kind == WY_V_INSTANCE && type.kind == WY_V_CLASS)
        return wy_class_below(v.instance->class_, type.class_) ? WY_YES
               : wy_class_open(v.instance->class_)             ? WY_PERHAPS
                                                               : WY_NO;
    if (name && type.kind == WY_V_NAMED && wy_starts(type.known->name, "builtins."))
        return strcmp(name, type.known->name) == 0 ||
                       (v.kind == WY_V_BOOL && strcmp("builtins.int", type.known->name) == 0)
                   ? WY_YES
                   : wy_truth_of(strcmp(type.known->name, "builtins.object") == 0);
    if (v.kind == WY_V_NONE && type.kind == WY_V_CLASS)
        return WY_NO;
    return WY_PERHAPS;
}

static struct wy_value b_isinstance(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return a->n == 2 ? wy_truth_value(is_instance(a->v[0], a->v[1])) : WY_UNKNOWN;
}

static struct wy_value b_issubclass(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    if (a->n != 2 || a->v[0].kind != WY_V_CLASS || a->v[1].kind != WY_V_CLASS)
        return WY_UNKNOWN;
    return wy_class_below(a->v[0].class_, a->v[1].class_) ? wy_value_bool(true)
           : wy_class_open(a->v[0].class_)                ? WY_UNKNOWN
                                                          : wy_value_bool(false);
}

static struct wy_value b_callable(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_argument(a, 0, NULL);
    (void)x;
    return v.kind == WY_V_FUNCTION || v.kind == WY_V_CLASS || v.kind == WY_V_METHOD
               ? wy_value_bool(true)
           : v.kind >= WY_V_NONE && v.kind <= WY_V_PATH ? wy_value_bool(false)
                                                        : WY_UNKNOWN;
}

static struct wy_value b_type(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_argument(a, 0, NULL);
    if (a->n == 1)
        return v.kind == WY_V_INSTANCE
                   ? (struct wy_value){.kind = WY_V_CLASS, .class_ = v.instance->class_}
                   : WY_UNKNOWN;
    struct wy_value c = wy_make_class(x, "type", x->frame->scope->module);
    c.class_->open = true;
    return c;
}

static struct wy_value b_super(struct wy_exec *x, const struct wy_args *a) {
    const struct wy_frame *f = x->frame;
    struct wy_class *class_ = !a->n && f->function ? f->function->class_ : NULL;
    if (a->n == 2 && a->v[0].kind == WY_V_CLASS)
        class_ = a->v[0].class_;
    for (uint32_t i = 0; !class_ && i < a->n; i++)
        wy_lose(x, a->v[i]);
    if (!class_)
        return WY_UNKNOWN;
    struct wy_value v = wy_make_method(x, a->n ? a->v[1] : f->self, WY_NONE);
    v.kind = WY_V_SUPER;
    v.method->class_ = class_;
    return v;
}

static struct wy_value b_property(struct wy_exec *x, const struct wy_args *a) {
    return a->n ? wy_make_wrapped(x, WY_WRAP_PROPERTY, a->v[0]) : WY_UNKNOWN;
}
static struct wy_value b_staticmethod(struct wy_exec *x, const struct wy_args *a) {
    return a->n ? wy_make_wrapped(x, WY_WRAP_STATIC, a->v[0]) : WY_UNKNOWN;
}
static struct wy_value b_classmethod(struct wy_exec *x, const struct wy_args *a) {
    return a->n ? wy_make_wrapped(x, WY_WRAP_CLASS, a->v[0]) : WY_UNKNOWN;
}

/* ---- namespaces ---- */

static struct wy_value names_of(struct wy_table *t) {
    return (struct wy_value){.kind = WY_V_DICT, .table = t};
}

static struct wy_value b_globals(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    return names_of(x->frame->scope->module->scope.names);
}
static struct wy_value b_locals(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    wy_capture(x->frame->scope);
    return names_of(x->frame->scope->names);
}
static struct wy_value b_vars(struct wy_exec *x, const struct wy_args *a) {
    return a->n ? wy_attribute(x, a->v[0], x->im->n.dict) : b_locals(x, a);
}

static struct wy_value b_dir(struct wy_exec *x, const struct wy_args *a) {
    struct wy_args of = {.n = 1};
    if (a->n && (a->v[0].kind == WY_V_INSTANCE || a->v[0].kind == WY_V_CLASS))
        return WY_UNKNOWN; /* names of its classes as well */
    struct wy_value names = b_vars(x, a);
    of.v = &names;
    struct wy_value sorted =
        wy_table_get(x->im->builtins, wy_intern(&x->im->names, WY_STR("sorted")));
    return names.kind == WY_V_DICT ? wy_call(x, sorted, &of) : WY_UNKNOWN;
}

/* Exports the members of a class to its module (Lib/enum.py). */
static struct wy_value enum_global(struct wy_exec *x, const struct wy_args *a) {
    x->frame->scope->module->scope.names->open = true;
    return wy_argument(a, 0, NULL);
}

static struct wy_value typing_cast(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_given(x, a, 1, "val");
    return v.kind == WY_V_UNBOUND ? WY_UNKNOWN : v;
}

/* What data/imports.tsv says of a function. */
static struct wy_value yes(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a;
    return wy_value_bool(true);
}
static struct wy_value no(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a;
    return wy_value_bool(false);
}

static const struct wy_known rows[] = {
    {.name = "<answer>.True", .call = yes},
    {.name = "<answer>.False", .call = no},
    {.name = "builtins.getattr", .call = b_getattr},
    {.name = "builtins.hasattr", .call = b_hasattr},
    {.name = "builtins.setattr", .call = b_setattr},
    {.name = "builtins.isinstance", .call = b_isinstance},
    {.name = "builtins.issubclass", .call = b_issubclass},
    {.name = "builtins.callable", .call = b_callable},
    {.name = "builtins.type", .call = b_type},
    {.name = "builtins.super", .call = b_super},
    {.name = "builtins.property", .call = b_property},
    {.name = "functools.cached_property", .call = b_property},
    {.name = "builtins.staticmethod", .call = b_staticmethod},
    {.name = "builtins.classmethod", .call = b_classmethod},
    {.name = "builtins.globals", .call = b_globals},
    {.name = "builtins.locals", .call = b_locals},
    {.name = "builtins.vars", .call = b_vars},
    {.name = "builtins.dir", .call = b_dir},
    {.name = "enum.global_enum", .call = enum_global},
    {.name = "typing.cast", .call = typing_cast},
};
WY_KNOWN_TABLE(wy_known_objects, rows);
