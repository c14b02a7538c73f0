/* What loads: ctypes, importlib, exec; and the few modules that tell of it. */
#include "base/buf.h"
#include "import/known.h"

/* ---- ctypes ---- */

static bool has_part(const char *path, const char *part) {
    return strncmp(wy_path_base(path), part, strlen(part)) == 0;
}

/* A name without a slash is searched for by the object that calls dlopen: _ctypes, or what it is
 * built into (docs/loader.md, the caller). */
static const struct wy_object *caller(const struct wy_exec *x, const char *extension) {
    const struct wy_object *python = NULL;
    for (size_t i = 0; i < wy_process_count(x->process); i++) {
        const struct wy_object *o = wy_process_at(x->process, i);
        if (has_part(o->name, extension))
            return o;
        if (!python && has_part(o->name, "libpython3"))
            python = o;
    }
    return python;
}

static struct wy_value opened(struct wy_exec *x, const char *path, unsigned mode,
                              const char *extension) {
    const struct wy_object *by = strchr(path, '/') ? NULL : caller(x, extension);
    if (*path && !wy_exec_open(x, NULL, path, mode, by, "OSError"))
        return WY_UNKNOWN;
    return wy_open_instance(x, "CDLL");
}

/* Whether it is loaded already: that it is not, only the code that asks gets to know. */
static struct wy_value in_memory(struct wy_exec *x, const char *path, unsigned mode) {
    const struct wy_object *by = strchr(path, '/') ? NULL : caller(x, "_ctypes.");
    if (wy_ld_open(x->im->ld, x->process, path, mode | WY_NOW, by)->object)
        return wy_open_instance(x, "CDLL");
    wy_exec_raise_named(x, "OSError", NULL);
    return WY_UNKNOWN;
}

static struct wy_value open_library(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value name = wy_given(x, a, 0, "name"), mode = wy_given(x, a, 1, "mode");
    const char *path = wy_text_argument(x, a, 0, "name");
    unsigned flags = mode.kind == WY_V_INT ? (unsigned)mode.number & 0x10f : 0;
    if (name.kind == WY_V_NONE || !path) {
        x->cuts += !path;
        if (name.kind != WY_V_NONE && !wy_exec_guess(x, flags | WY_NOW))
            wy_exec_unfollowed_open(x, "ctypes.CDLL");
        return wy_open_instance(x, "CDLL");
    }
    if (flags & WY_NOLOAD)
        return in_memory(x, path, flags);
    return opened(x, path, flags | WY_NOW, "_ctypes.");
}

struct wy_value wy_dlopen_call(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, NULL);
    if (!path && !wy_exec_guess(x, WY_NOW))
        wy_exec_unfollowed_open(x, "dlopen");
    return path ? opened(x, path, WY_NOW, "_cffi_backend.") : wy_open_instance(x, "lib");
}

/* ctypes.util.find_library asks ldconfig: what the loader's cache has under libNAME.so.*. */
static struct wy_value find_library(struct wy_exec *x, const struct wy_args *a) {
    const struct wy_host *h = x->im->world->host;
    const char *name = wy_text_argument(x, a, 0, "name"), *best = NULL;
    if (!name)
        return WY_UNKNOWN;
    struct wy_arena scratch = WY_ARENA_INIT;
    const char *begin = wy_arena_printf(&scratch, "lib%s.so", name);
    size_t n = strlen(begin);
    for (size_t i = 0; i < h->ncache; i++) {
        const char *key = h->cache[i].key;
        if (strncmp(key, begin, n) == 0 && (key[n] == '.' || key[n] == '\0') &&
            (!best || strcmp(key, best) < 0))
            best = key;
    }
    wy_arena_deinit(&scratch);
    return best ? wy_value_cstr(best) : WY_NONE;
}

static struct wy_value global_flag(struct wy_exec *x) {
    (void)x;
    return wy_value_int(WY_GLOBAL);
}
static struct wy_value local_flag(struct wy_exec *x) {
    (void)x;
    return wy_value_int(0);
}

/* ---- importlib ---- */

static struct wy_value import_module(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "name");
    if (!name) {
        x->cuts++;
        wy_exec_unfollowed(x, "importlib.import_module");
        return WY_UNKNOWN;
    }
    if (name[0] != '.')
        return wy_import_named(x, wy_str_of(name));
    const char *package = wy_text_argument(x, a, 1, "package");
    if (!package)
        return WY_UNKNOWN;
    size_t level = strspn(name, ".");
    struct wy_arena scratch = WY_ARENA_INIT;
    char *base = wy_arena_cstr(&scratch, package);
    for (size_t i = 1; i < level; i++) {
        char *dot = strrchr(base, '.');
        if (dot)
            *dot = '\0';
    }
    const char *whole = name[level] ? wy_arena_printf(&scratch, "%s.%s", base, name + level) : base;
    struct wy_value v = wy_import_named(x, wy_str_of(whole));
    wy_arena_deinit(&scratch);
    return v;
}

static struct wy_value dunder_import(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "name");
    struct wy_value from = wy_given(x, a, 3, "fromlist"), level = wy_given(x, a, 4, "level");
    if (!name) {
        wy_exec_unfollowed(x, "__import__");
        return WY_UNKNOWN;
    }
    bool relative = level.kind == WY_V_INT && level.number > 0 && level.number < 64;
    struct wy_spec *spec =
        wy_relative(x, x->frame->scope->module, name, relative ? (unsigned)level.number : 0);
    if (!spec || !wy_exec_import(x, spec))
        return WY_UNKNOWN;
    wy_import_submodules(x, spec, from);
    while (!relative && wy_truth(from) != WY_YES && spec->parent)
        spec = spec->parent;
    return x->raising ? WY_UNKNOWN : wy_named_module(x, spec);
}

/* ---- importlib.resources: its readers are a module of their own, with zipfile behind it ---- */

/* files(package): the folder, where there is one. */
static struct wy_value resource_files(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value of = wy_argument(a, 0, NULL);
    if (of.kind == WY_V_STR)
        of = wy_import_named(x, wy_value_str(of));
    if (!x->raising)
        wy_import_named(x, WY_STR("importlib.readers"));
    const struct wy_spec *spec = of.kind == WY_V_MODULE ? of.module->spec : NULL;
    return !x->raising && spec && spec->ndirs == 1
               ? wy_path_value(wy_arena_cstr(&x->im->arena, spec->dirs[0].text))
               : WY_UNKNOWN;
}

/* path(package, name) */
static struct wy_value resource_path(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value folder = resource_files(x, a);
    const char *name = wy_text_argument(x, a, 1, "resource");
    if (folder.kind != WY_V_PATH || !name)
        return WY_UNKNOWN;
    const char *dir = wy_arena_str(&x->im->arena, wy_value_str(folder));
    return wy_path_value(wy_path_join(&x->im->arena, dir, name));
}

static struct wy_value resource_as_file(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value path = wy_argument(a, 0, NULL);
    (void)x;
    return path.kind == WY_V_PATH ? path : WY_UNKNOWN;
}

static struct wy_value resource_read(struct wy_exec *x, const struct wy_args *a) {
    resource_files(x, a);
    return WY_UNKNOWN;
}

/* functools.singledispatch: a function with .register, which imports typing (is it a Union?). */
static struct wy_value single_dispatch(struct wy_exec *x, const struct wy_args *a) {
    if (a->self.kind == WY_V_FUNCTION)
        return wy_call(x, a->self, a);
    return a->n == 1 && a->v[0].kind == WY_V_FUNCTION
               ? wy_made_by(x, a->v[0], "functools", "singledispatch")
               : WY_UNKNOWN;
}

static struct wy_value dispatch_register(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    wy_import_named(x, WY_STR("typing"));
    return WY_UNKNOWN;
}

/* ---- code as text ---- */

void wy_run_text(struct wy_exec *x, struct wy_str text, struct wy_scope *scope) {
    struct wy_source_tree *tree = WY_NEW(&x->im->arena, struct wy_source_tree);
    struct wy_frame frame = {.up = x->frame, .scope = scope, .line = x->frame->line};
    wy_source_parse_text(text, x->im->world->env.minor, &x->im->names, &x->im->arena, tree);
    frame.function = x->frame->function;
    x->frame = &frame;
    uint32_t line = frame.line;
    wy_run_body(x, &tree->body);
    x->frame = frame.up;
    x->frame->line = line;
}

static struct wy_value b_exec(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value code = wy_argument(a, 0, NULL), where = wy_given(x, a, 1, "globals");
    struct wy_scope *here = x->frame->scope;
    if (code.kind != WY_V_STR) {
        here->names->open = true;
        if (where.kind == WY_V_DICT)
            where.table->open = true;
        return WY_NONE;
    }
    if (where.kind == WY_V_UNBOUND || where.kind == WY_V_NONE) {
        wy_run_text(x, wy_value_str(code), here);
    } else if (where.kind == WY_V_DICT) {
        struct wy_scope *scope = WY_NEW(&x->im->arena, struct wy_scope);
        scope->names = where.table;
        scope->module = here->module;
        scope->kind = WY_SCOPE_FUNCTION;
        wy_run_text(x, wy_value_str(code), scope);
    }
    return WY_NONE;
}

static struct wy_value suppress(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value types = wy_make_list(x, WY_V_TUPLE, a->n);
    for (uint32_t i = 0; i < a->n; i++)
        wy_list_add(x, types.list, a->v[i]);
    types.list->open = a->open;
    return wy_made_by(x, types, "contextlib", "suppress");
}

static const struct wy_known rows[] = {
    {.name = "ctypes.CDLL", .call = open_library},
    {.name = "ctypes.PyDLL", .call = open_library},
    {.name = "ctypes.cdll"},
    {.name = "ctypes.cdll.LoadLibrary", .call = open_library},
    {.name = "ctypes.pydll"},
    {.name = "ctypes.pydll.LoadLibrary", .call = open_library},
    {.name = "ctypes.RTLD_GLOBAL", .make = global_flag},
    {.name = "ctypes.RTLD_LOCAL", .make = local_flag},
    {.name = "ctypes.DEFAULT_MODE", .make = local_flag},
    {.name = "ctypes.util.find_library", .call = find_library},
    {.name = "importlib.import_module", .call = import_module},
    {.name = "builtins.__import__", .call = dunder_import},
    {.name = "importlib.resources.files", .call = resource_files},
    {.name = "importlib.resources.path", .call = resource_path},
    {.name = "importlib.resources.as_file", .call = resource_as_file},
    {.name = "importlib.resources.open_text", .call = resource_read},
    {.name = "importlib.resources.open_binary", .call = resource_read},
    {.name = "importlib.resources.read_text", .call = resource_read},
    {.name = "importlib.resources.read_binary", .call = resource_read},
    {.name = "functools.singledispatch", .call = single_dispatch},
    {.name = "functools.singledispatch.register", .call = dispatch_register},
    {.name = "builtins.exec", .call = b_exec},
    {.name = "builtins.eval"},
    {.name = "contextlib.suppress", .call = suppress},
};
WY_KNOWN_TABLE(wy_known_loading, rows);
