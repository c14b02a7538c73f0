/* What is known by its dotted name, and how it is found. */
#include "import/known.h"

/* ---- the tables together ---- */

static const struct {
    const char *name, *base;
} exceptions[] = {
    {"BaseException", NULL},
    {"Exception", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"FloatingPointError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"PackageNotFoundError", "ModuleNotFoundError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"FileNotFoundError", "OSError"},
    {"FileExistsError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"PermissionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"ConnectionError", "OSError"},
    {"BlockingIOError", "OSError"},
    {"ChildProcessError", "OSError"},
    {"InterruptedError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"TabError", "IndentationError"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"UnicodeTranslateError", "UnicodeError"},
    {"Warning", "Exception"},
    {"BytesWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"EncodingWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
    {"UserWarning", "Warning"},
    {"BaseExceptionGroup", "BaseException"},
    {"ExceptionGroup", "BaseExceptionGroup"},
};

static struct wy_table *below(struct wy_importer *im, struct wy_str prefix) {
    const char *name = wy_intern(&im->names, prefix);
    void **slot = wy_map_at(&im->known, wy_str_of(name));
    if (!*slot)
        *slot = WY_NEW(&im->arena, struct wy_table);
    return *slot;
}

void wy_known_add(struct wy_importer *im, const struct wy_known *k) {
    const char *dot = strrchr(k->name, '.');
    struct wy_table *to = below(im, (struct wy_str){k->name, (size_t)(dot - k->name)});
    wy_table_make(&im->arena, to, wy_intern(&im->names, wy_str_of(dot + 1)))->value =
        (struct wy_value){.kind = WY_V_NAMED, .known = k};
}

static void add_table(struct wy_importer *im, const struct wy_known_table *t) {
    for (size_t i = 0; i < t->n; i++)
        wy_known_add(im, &t->v[i]);
}

static void add_exceptions(struct wy_importer *im) {
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        struct wy_class *c = WY_NEW(&im->arena, struct wy_class);
        c->name = wy_intern(&im->names, wy_str_of(exceptions[i].name));
        c->names = WY_NEW(&im->arena, struct wy_table);
        if (exceptions[i].base) {
            c->bases = wy_arena_alloc(&im->arena, sizeof(struct wy_class *));
            c->bases[0] = wy_exception_class(im, exceptions[i].base);
            c->nbases = 1;
        }
        wy_table_make(&im->arena, &im->exceptions, c->name)->value =
            (struct wy_value){.kind = WY_V_CLASS, .class_ = c};
    }
    struct wy_value os_error = {.kind = WY_V_CLASS, .class_ = wy_exception_class(im, "OSError")};
    static const char *const also[] = {"IOError", "EnvironmentError"};
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        wy_table_make(&im->arena, &im->exceptions, wy_intern(&im->names, wy_str_of(also[i])))
            ->value = os_error;
}

void wy_known_init(struct wy_importer *im) {
#define X(field, text) im->n.field = wy_intern(&im->names, WY_STR(text));
    WY_NAMES(X)
#undef X
    add_table(im, &wy_known_builtins);
    add_table(im, &wy_known_objects);
    add_table(im, &wy_known_text);
    add_table(im, &wy_known_containers);
    add_table(im, &wy_known_files);
    add_table(im, &wy_known_process);
    add_table(im, &wy_known_loading);
    add_table(im, &wy_known_paths);
    add_table(im, &wy_known_specs);
    add_table(im, &wy_known_entry_points);
    add_table(im, &wy_known_dataclasses);
    add_table(im, &wy_known_metadata);
    add_table(im, &wy_known_data);
    wy_known_add_records(im);
    im->builtins = below(im, WY_STR("builtins"));
    add_exceptions(im);
}

const struct wy_table *wy_known_below(const struct wy_importer *im, const char *prefix) {
    return wy_map_get(&im->known, wy_str_of(prefix));
}

struct wy_class *wy_exception_class(struct wy_importer *im, const char *name) {
    const char *interned = wy_interned(&im->names, wy_str_of(name));
    struct wy_value v = interned ? wy_table_get(&im->exceptions, interned) : WY_UNBOUND;
    return v.kind == WY_V_CLASS ? v.class_ : NULL;
}

struct wy_value wy_known_value(struct wy_exec *x, const struct wy_known *k) {
    if (k->text)
        return wy_value_cstr(k->text);
    return k->make ? k->make(x) : (struct wy_value){.kind = WY_V_NAMED, .known = k};
}

struct wy_value wy_builtin(struct wy_exec *x, const char *name) {
    struct wy_value v = wy_table_get(x->im->builtins, name);
    if (v.kind != WY_V_UNBOUND)
        return wy_known_value(x, v.known);
    return wy_table_get(&x->im->exceptions, name);
}

/* ---- arguments ---- */

struct wy_value wy_given(struct wy_exec *x, const struct wy_args *a, uint32_t i,
                         const char *keyword) {
    return wy_argument(a, i, keyword ? wy_interned(&x->im->names, wy_str_of(keyword)) : NULL);
}

const char *wy_text_argument(struct wy_exec *x, const struct wy_args *a, uint32_t i,
                             const char *keyword) {
    struct wy_value v = wy_given(x, a, i, keyword);
    return wy_is_text(v) ? wy_arena_str(&x->im->arena, wy_value_str(v)) : NULL;
}

struct wy_value wy_path_value(char *path) {
    struct wy_value v = wy_value_cstr(path);
    v.kind = WY_V_PATH;
    return v;
}

struct wy_value wy_open_instance(struct wy_exec *x, const char *class_name) {
    struct wy_value c = wy_make_class(x, class_name, NULL);
    c.class_->open = true;
    struct wy_value v = wy_make_instance(x, c.class_);
    v.instance->names->open = true;
    return v;
}

struct wy_value wy_made_by(struct wy_exec *x, struct wy_value of, const char *module,
                           const char *name) {
    return wy_make_method(
        x, of,
        wy_table_get(wy_known_below(x->im, module), wy_intern(&x->im->names, wy_str_of(name))));
}

/* ---- sys.modules and os.environ, as if they were dicts ---- */

bool wy_is_loaded(struct wy_exec *x, struct wy_spec *spec) {
    bool loaded = (*wy_exec_state(x, spec) & (WY_LOADED | WY_IN_PROGRESS)) != 0;
    wy_log_step(x, (struct wy_step){.kind = WY_STEP_LOADED, .spec = spec, .answer = loaded});
    return loaded;
}

static bool is_modules(const struct wy_known *k) {
    return strcmp(k->name, "sys.modules") == 0;
}
static bool is_environ(const struct wy_known *k) {
    return strcmp(k->name, "os.environ") == 0;
}

struct wy_value wy_environ(struct wy_exec *x, struct wy_str name) {
    const char *key = wy_intern(&x->im->names, name);
    struct wy_value set = wy_table_get(&x->im->environ, key);
    if (set.kind != WY_V_UNBOUND)
        return set;
    const char *value = wy_host_getenv(x->im->world->host, key);
    return value ? wy_value_cstr(value) : WY_UNBOUND;
}

static struct wy_spec *spec_named(struct wy_exec *x, struct wy_value name) {
    return wy_find(x->im, wy_arena_str(&x->im->arena, wy_value_str(name)));
}

enum wy_truth wy_known_contains(struct wy_exec *x, const struct wy_known *k, struct wy_value v) {
    if (v.kind != WY_V_STR)
        return WY_PERHAPS;
    if (is_modules(k))
        return wy_truth_of(wy_is_loaded(x, spec_named(x, v)));
    if (is_environ(k))
        return wy_truth_of(wy_environ(x, wy_value_str(v)).kind != WY_V_UNBOUND);
    return WY_PERHAPS;
}

struct wy_value wy_known_subscript(struct wy_exec *x, const struct wy_known *k,
                                   struct wy_value index) {
    struct wy_value v = WY_UNBOUND;
    if (index.kind != WY_V_STR || (!is_modules(k) && !is_environ(k)))
        return WY_UNKNOWN;
    if (is_environ(k))
        v = wy_environ(x, wy_value_str(index));
    else if (wy_is_loaded(x, spec_named(x, index)))
        v = wy_named_module(x, spec_named(x, index));
    if (v.kind != WY_V_UNBOUND)
        return v;
    wy_exec_raise_named(x, "KeyError", NULL);
    return WY_UNKNOWN;
}

static void store_module(struct wy_exec *x, struct wy_spec *spec, struct wy_value v) {
    struct wy_module *m = wy_spec_module(x->im, spec);
    uint8_t *state = wy_exec_state(x, spec);
    wy_log_step(x, (struct wy_step){.kind = WY_STEP_ALIAS, .spec = spec, .value = v});
    if (v.kind == WY_V_UNBOUND) {
        *state &= (uint8_t)~WY_LOADED;
        return;
    }
    m->replaced = v.kind == WY_V_MODULE && v.module == m ? WY_UNBOUND : v;
    if (!(*state & WY_IN_PROGRESS))
        *state |= WY_LOADED;
}

void wy_known_store(struct wy_exec *x, const struct wy_known *k, struct wy_value index,
                    struct wy_value v) {
    if (index.kind != WY_V_STR)
        return;
    if (is_environ(k))
        wy_bind(x, &x->im->environ, wy_intern(&x->im->names, wy_value_str(index)), v);
    else if (is_modules(k))
        store_module(x, spec_named(x, index), v);
}

bool wy_known_set(struct wy_exec *x, struct wy_value known, struct wy_value v) {
    struct wy_list items;
    if (known.kind != WY_V_NAMED || strcmp(known.known->name, "sys.path") != 0)
        return false;
    if (wy_items(x, v, &items))
        wy_list_replace(x, &x->im->sys_path, &items);
    else
        wy_list_open(x, &x->im->sys_path);
    return true;
}
