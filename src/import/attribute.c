/* What stands behind a dot. */
#include "import/internal.h"

/* ---- modules ---- */

static struct wy_value spec_value(struct wy_exec *x, struct wy_module *m) {
    struct wy_value class_ = wy_make_class(x, "ModuleSpec", m), v;
    class_.class_->open = true;
    v = wy_make_instance(x, class_.class_);
    struct wy_table *t = v.instance->names;
    const struct wy_spec *s = m->spec;
    const struct wy_spec *package = s->ndirs ? s : s->parent;
    struct wy_intern *names = &x->im->names;
    t->open = true;
    wy_bind(x, t, wy_intern(names, WY_STR("name")), wy_value_cstr(s->name));
    wy_bind(x, t, wy_intern(names, WY_STR("parent")), wy_value_cstr(package ? package->name : ""));
    if (s->path)
        wy_bind(x, t, wy_intern(names, WY_STR("origin")), wy_value_cstr(s->path));
    return v;
}

/* What importlib and the type of modules give beside what is kept of them. */
static bool of_all_modules(const char *name) {
    static const char *const names[] = {
        "__builtins__",     "__cached__",    "__class__", "__delattr__", "__dir__",    "__eq__",
        "__getattribute__", "__hash__",      "__init__",  "__loader__",  "__ne__",     "__new__",
        "__reduce__",       "__reduce_ex__", "__repr__",  "__setattr__", "__sizeof__", "__str__",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static struct wy_value special(struct wy_exec *x, struct wy_module *m, const char *name) {
    const struct wy_names *n = &x->im->n;
    if (name[0] != '_' || name[1] != '_')
        return WY_UNBOUND;
    if (name == n->dict) {
        return (struct wy_value){.kind = WY_V_DICT, .table = m->scope.names};
    }
    if (name == n->spec)
        return spec_value(x, m);
    return name == n->doc || of_all_modules(name) ? WY_UNKNOWN : WY_UNBOUND;
}

struct wy_value wy_module_attribute(struct wy_exec *x, struct wy_module *m, const char *name) {
    struct wy_value v = wy_table_get(m->known, name);
    if (v.kind != WY_V_UNBOUND)
        return wy_known_value(x, v.known);
    v = wy_table_get(m->scope.names, name);
    if (v.kind != WY_V_UNBOUND)
        return v;
    v = special(x, m, name);
    if (v.kind != WY_V_UNBOUND)
        return v;
    if (m->spec->ndirs) { /* a submodule is a name of its package once it is loaded */
        struct wy_spec *child = wy_find_child(x->im, m->spec, name);
        if (child->kind != WY_SPEC_MISSING && (*wy_exec_state(x, child) & WY_LOADED)) {
            wy_log_import(x, child, false); /* another process has to load it */
            return wy_module_value(x, child);
        }
    }
    return m->scope.names->open ? WY_UNKNOWN : WY_UNBOUND;
}

/* An AttributeError that is only known on paper. */
static bool says_no(struct wy_exec *x) {
    return x->raising && x->raised.event == SIZE_MAX && x->raised.class_ &&
           wy_class_below(x->raised.class_, wy_exception_class(x->im, "AttributeError"));
}

static struct wy_value find_in_module(struct wy_exec *x, struct wy_module *m, const char *name,
                                      bool fire) {
    struct wy_value v = wy_module_attribute(x, m, name);
    if (v.kind != WY_V_UNBOUND && (v.kind != WY_V_UNKNOWN || !m->scope.names->open))
        return v;
    struct wy_value getattr = wy_table_get(m->scope.names, x->im->n.getattr);
    bool is_bound =
        wy_table_get(m->scope.names, name).kind != WY_V_UNBOUND; /* to what is unknown */
    if (getattr.kind == WY_V_UNBOUND || is_bound)
        return v;
    if (!fire || getattr.kind != WY_V_FUNCTION)
        return WY_UNKNOWN;
    struct wy_value text = wy_value_cstr(name);
    v = wy_call(x, getattr, &(struct wy_args){.v = &text, .n = 1});
    if (m->scope.names->open && says_no(x)) /* Python may not have called it */
        x->raising = false;
    return v;
}

/* ---- classes and instances ---- */

/* Bases can meet again above: 2^n ways lead through n classes with two bases each. */
enum { MOST_CLASSES = 1000 };

static struct wy_value class_find(const struct wy_class *c, const char *name, unsigned *left) {
    struct wy_value v = wy_table_get(c->names, name);
    for (uint32_t i = 0; i < c->nbases && v.kind == WY_V_UNBOUND; i++)
        v = (*left)-- ? class_find(c->bases[i], name, left) : WY_UNKNOWN;
    return v;
}

struct wy_value wy_class_find(const struct wy_class *c, const char *name) {
    unsigned left = MOST_CLASSES;
    return class_find(c, name, &left);
}

static bool class_open(const struct wy_class *c, unsigned *left) {
    bool open = c->open || c->names->open;
    for (uint32_t i = 0; i < c->nbases && !open; i++)
        open = (*left)-- == 0 || class_open(c->bases[i], left);
    return open;
}

bool wy_class_open(const struct wy_class *c) {
    unsigned left = MOST_CLASSES;
    return class_open(c, &left);
}

static bool class_below(const struct wy_class *c, const struct wy_class *base, unsigned *left) {
    bool below = c == base;
    for (uint32_t i = 0; i < c->nbases && !below && *left; i++)
        below = (*left)-- && class_below(c->bases[i], base, left);
    return below;
}

bool wy_class_below(const struct wy_class *c, const struct wy_class *base) {
    unsigned left = MOST_CLASSES;
    return class_below(c, base, &left);
}

/* What a value found in a class gives when it is asked for through an instance. */
static struct wy_value bound(struct wy_exec *x, struct wy_value self, struct wy_class *class_,
                             struct wy_value v) {
    if (v.kind == WY_V_FUNCTION)
        return wy_make_method(x, self, v);
    if (v.kind == WY_V_INSTANCE)
        return wy_class_open(v.instance->class_) ? WY_UNKNOWN : v;
    if (v.kind != WY_V_WRAPPED)
        return v;
    struct wy_value function = v.method->function;
    if (v.n == WY_WRAP_STATIC)
        return function;
    if (v.n == WY_WRAP_CLASS)
        return wy_make_method(x, (struct wy_value){.kind = WY_V_CLASS, .class_ = class_}, function);
    return wy_call(x, function, &(struct wy_args){.v = &self, .n = 1});
}

static struct wy_value find_in_instance(struct wy_exec *x, struct wy_value of, const char *name,
                                        bool fire) {
    struct wy_instance *i = of.instance;
    const struct wy_names *n = &x->im->n;
    struct wy_value v = wy_table_get(i->names, name);
    if (v.kind != WY_V_UNBOUND)
        return v;
    v = wy_class_find(i->class_, name);
    if (v.kind != WY_V_UNBOUND)
        return bound(x, of, i->class_, v);
    if (name == n->class)
        return (struct wy_value){.kind = WY_V_CLASS, .class_ = i->class_};
    if (name == n->dict)
        return (struct wy_value){.kind = WY_V_DICT, .table = i->names};
    if (i->names->open || wy_class_open(i->class_))
        return WY_UNKNOWN;
    v = wy_class_find(i->class_, n->getattr);
    if (v.kind == WY_V_FUNCTION && fire) {
        struct wy_value args[] = {of, wy_value_cstr(name)};
        return wy_call(x, v, &(struct wy_args){.v = args, .n = 2});
    }
    bool special = name[0] == '_' && name[1] == '_';
    return v.kind != WY_V_UNBOUND || special ? WY_UNKNOWN : WY_UNBOUND;
}

static struct wy_value find_in_class(struct wy_exec *x, struct wy_class *c, const char *name) {
    const struct wy_names *n = &x->im->n;
    struct wy_value v = wy_class_find(c, name);
    if (v.kind == WY_V_WRAPPED) {
        if (v.n == WY_WRAP_STATIC)
            return v.method->function;
        if (v.n == WY_WRAP_PROPERTY)
            return WY_UNKNOWN;
        return wy_make_method(x, (struct wy_value){.kind = WY_V_CLASS, .class_ = c},
                              v.method->function);
    }
    if (v.kind != WY_V_UNBOUND)
        return v;
    if (name == n->name || name == n->qualname)
        return wy_value_cstr(c->name);
    if (name == n->module && c->module)
        return wy_value_cstr(c->module->spec->name);
    if (name == n->dict)
        return (struct wy_value){.kind = WY_V_DICT, .table = c->names};
    return (name[0] == '_' && name[1] == '_') || wy_class_open(c) ? WY_UNKNOWN : WY_UNBOUND;
}

static struct wy_value find_in_super(struct wy_exec *x, const struct wy_method *super,
                                     const char *name) {
    for (uint32_t i = 0; i < super->class_->nbases; i++) {
        struct wy_value v = wy_class_find(super->class_->bases[i], name);
        if (v.kind != WY_V_UNBOUND)
            return bound(x, super->self, super->class_, v);
    }
    return WY_UNKNOWN;
}

/* ---- the others ---- */

static struct wy_value find_in_function(struct wy_exec *x, const struct wy_func *f,
                                        const char *name) {
    const struct wy_names *n = &x->im->n;
    struct wy_value v = wy_table_get(f->names, name);
    if (v.kind != WY_V_UNBOUND)
        return v;
    if (name == n->name || name == n->qualname)
        return wy_value_cstr(f->ast->name);
    if (name == n->module)
        return wy_value_cstr(f->module->spec->name);
    return name[0] == '_' ? WY_UNKNOWN : WY_UNBOUND;
}

static struct wy_value find_below(struct wy_exec *x, const char *prefix, const char *name) {
    const struct wy_table *t = wy_known_below(x->im, prefix);
    struct wy_value v = t ? wy_table_get(t, name) : WY_UNBOUND;
    return v.kind == WY_V_UNBOUND ? WY_UNKNOWN : wy_known_value(x, v.known);
}

/* sys.version_info is a tuple with names: a plain one of that form has none. */
static struct wy_value of_version(const struct wy_list *l, const char *name) {
    static const char *const names[] = {"major", "minor", "micro", "releaselevel", "serial"};
    enum { N = sizeof names / sizeof *names };
    if (l->n != N || l->v[3].kind != WY_V_STR || !wy_str_is(wy_value_str(l->v[3]), "final"))
        return WY_UNBOUND;
    for (size_t i = 0; i < N; i++)
        if (strcmp(names[i], name) == 0)
            return l->v[i];
    return WY_UNBOUND;
}

/* Methods and properties of built-in types, by the tables. */
static struct wy_value of_type(struct wy_exec *x, struct wy_value of, const char *name) {
    static const struct {
        const char *methods, *properties;
    } types[] = {
        [WY_V_STR] = {"<str>", NULL},        [WY_V_BYTES] = {"<str>", NULL},
        [WY_V_LIST] = {"<list>", NULL},      [WY_V_SET] = {"<list>", NULL},
        [WY_V_TUPLE] = {"<list>", NULL},     [WY_V_DICT] = {"<dict>", NULL},
        [WY_V_PATH] = {"<path>", "<path!>"},
    };
    struct wy_value v = wy_table_get(wy_known_below(x->im, types[of.kind].methods), name);
    if (v.kind != WY_V_UNBOUND)
        return wy_make_method(x, of, v);
    v = of.kind == WY_V_TUPLE ? of_version(of.list, name) : WY_UNBOUND;
    if (v.kind != WY_V_UNBOUND)
        return v;
    if (types[of.kind].properties)
        v = wy_table_get(wy_known_below(x->im, types[of.kind].properties), name);
    if (v.kind != WY_V_UNBOUND)
        return v.known->call(x, &(struct wy_args){.self = of});
    return WY_UNKNOWN;
}

static struct wy_value find(struct wy_exec *x, struct wy_value of, const char *name, bool fire) {
    switch ((enum wy_value_kind)of.kind) {
    case WY_V_MODULE:
        if (of.module->replaced.kind != WY_V_UNBOUND && of.module->replaced.kind != WY_V_MODULE)
            return find(x, of.module->replaced, name, fire);
        return find_in_module(x, of.module, name, fire);
    case WY_V_INSTANCE:
        return find_in_instance(x, of, name, fire);
    case WY_V_CLASS:
        return find_in_class(x, of.class_, name);
    case WY_V_SUPER:
        return find_in_super(x, of.method, name);
    case WY_V_FUNCTION:
        return find_in_function(x, of.function, name);
    case WY_V_METHOD:
        if (of.method->function.kind == WY_V_NAMED) /* open(…).read */
            return wy_make_method(x, of.method->self,
                                  find_below(x, of.method->function.known->name, name));
        return of.method->function.kind == WY_V_FUNCTION
                   ? find_in_function(x, of.method->function.function, name)
                   : WY_UNKNOWN;
    case WY_V_NAMED:
        return find_below(x, of.known->name, name);
    case WY_V_STR:
    case WY_V_BYTES:
    case WY_V_LIST:
    case WY_V_TUPLE:
    case WY_V_SET:
    case WY_V_DICT:
    case WY_V_PATH:
        return of_type(x, of, name);
    default:
        return WY_UNKNOWN;
    }
}

struct wy_value wy_find_attribute(struct wy_exec *x, struct wy_value of, const char *name) {
    struct wy_guarded guard = {.up = x->guards, .kind = WY_AROUND_SUPPRESS, .frame = x->frame};
    struct wy_class *error = wy_exception_class(x->im, "AttributeError");
    guard.types = (struct wy_value){.kind = WY_V_CLASS, .class_ = error};
    x->guards = &guard;
    struct wy_value v = find(x, of, name, true);
    x->guards = guard.up;
    bool no = says_no(x);
    if (no)
        x->raising = false;
    return no ? WY_UNBOUND : v;
}

struct wy_value wy_attribute(struct wy_exec *x, struct wy_value of, const char *name) {
    struct wy_value v = find(x, of, name, true);
    if (v.kind != WY_V_UNBOUND)
        return v;
    if (of.kind != WY_V_MODULE || !wy_exec_lacks(x, of.module, name))
        wy_exec_raise_named(x, "AttributeError", NULL);
    return WY_UNKNOWN;
}
