/* Modules that code finds by itself: importlib.util, and the finder and loaders of
 * importlib.machinery. */
#include "import/known.h"

static struct wy_value named(struct wy_exec *x, const struct wy_value of, const char *name) {
    return of.kind == WY_V_INSTANCE
               ? wy_table_get(of.instance->names, wy_intern(&x->im->names, wy_str_of(name)))
               : WY_UNBOUND;
}

/* A loader knows the name and the file it was made with. */
static struct wy_value loader_of(struct wy_exec *x, struct wy_value name, struct wy_value path) {
    struct wy_value both = wy_make_list(x, WY_V_TUPLE, 2);
    wy_list_add(x, both.list, name);
    wy_list_add(x, both.list, path);
    return wy_made_by(x, both, "importlib.machinery", "SourceFileLoader");
}

static struct wy_value spec_of(struct wy_exec *x, struct wy_value name, const char *path) {
    struct wy_value v = wy_open_instance(x, "ModuleSpec"), origin = wy_value_cstr(path);
    struct wy_intern *names = &x->im->names;
    wy_bind(x, v.instance->names, wy_intern(names, WY_STR("name")), name);
    wy_bind(x, v.instance->names, wy_intern(names, WY_STR("origin")), origin);
    wy_bind(x, v.instance->names, wy_intern(names, WY_STR("loader")), loader_of(x, name, origin));
    return v;
}

/* ---- finding ---- */

static struct wy_value find_spec(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "name");
    if (!name || name[0] == '.')
        return WY_UNKNOWN;
    struct wy_spec *spec = wy_find(x->im, name);
    if (spec->parent && !wy_exec_import(x, spec->parent))
        return WY_UNKNOWN;
    if (spec->kind == WY_SPEC_MISSING)
        return WY_NONE;
    struct wy_value v = wy_attribute(
        x, (struct wy_value){.kind = WY_V_MODULE, .module = wy_spec_module(x->im, spec)},
        x->im->n.spec);
    if (v.kind == WY_V_INSTANCE && spec->path)
        wy_bind(x, v.instance->names, wy_intern(&x->im->names, WY_STR("loader")),
                loader_of(x, wy_value_cstr(spec->name), wy_value_cstr(spec->path)));
    return v;
}

/* FileFinder(folder, …).find_spec(name) */
static struct wy_value file_finder(struct wy_exec *x, const struct wy_args *a) {
    return a->n && wy_is_text(a->v[0]) ? wy_made_by(x, a->v[0], "importlib.machinery", "FileFinder")
                                       : WY_UNKNOWN;
}

static struct wy_value extension_suffixes(struct wy_exec *x) {
    const struct wy_env *env = &x->im->world->env;
    struct wy_value v = wy_make_list(x, WY_V_LIST, (uint32_t)env->next_suffixes);
    for (size_t i = 0; i < env->next_suffixes; i++)
        wy_list_add(x, v.list, wy_value_cstr(env->ext_suffixes[i]));
    return v;
}

static struct wy_value spec_in_folder(struct wy_exec *x, const struct wy_args *a) {
    const struct wy_env *env = &x->im->world->env;
    const char *name = wy_text_argument(x, a, 0, "fullname");
    const char *folder = wy_arena_str(&x->im->arena, wy_value_str(a->self));
    for (size_t i = 0; name && i < env->next_suffixes; i++) {
        char *path =
            wy_path_join(&x->im->arena, folder,
                         wy_arena_printf(&x->im->arena, "%s%s", name, env->ext_suffixes[i]));
        struct wy_place p;
        if (wy_tree_find(x->im->world->tree, NULL, path, 0, &p) == 0)
            return spec_of(x, wy_value_cstr(name), path);
    }
    return name ? WY_NONE : WY_UNKNOWN;
}

/* The suffix decides on the loader (Lib/importlib/_bootstrap_external.py); whether there is such a
 * file is seen when it is loaded. */
static struct wy_value spec_from_file(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "name");
    const char *path = wy_text_argument(x, a, 1, "location");
    if (!name || !path) {
        if (!path)
            wy_exec_unfollowed(x, "importlib.util.spec_from_file_location");
        return WY_UNKNOWN;
    }
    return wy_ends(path, ".py") || wy_ends(path, ".so") || wy_ends(path, ".pyc")
               ? spec_of(x, wy_value_cstr(name), path)
           : wy_given(x, a, 2, "loader").kind == WY_V_UNBOUND ? WY_NONE
                                                              : WY_UNKNOWN;
}

/* ---- loading ---- */

static struct wy_value module_at(struct wy_exec *x, struct wy_value name, struct wy_value path,
                                 bool run) {
    struct wy_spec *spec = wy_is_text(name) && wy_is_text(path)
                               ? wy_find_at(x->im, wy_arena_str(&x->im->arena, wy_value_str(name)),
                                            wy_arena_str(&x->im->arena, wy_value_str(path)))
                               : NULL;
    if (!spec || ((run || spec->kind == WY_SPEC_EXTENSION) && !wy_exec_ensure(x, spec)))
        return WY_UNKNOWN;
    return wy_module_value(x, spec);
}

/* An extension is opened here, source runs in exec_module(). */
static struct wy_value module_from_spec(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value spec = wy_given(x, a, 0, "spec");
    return module_at(x, named(x, spec, "name"), named(x, spec, "origin"), false);
}

static struct wy_value exec_module(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value m = wy_given(x, a, 0, "module");
    if (m.kind == WY_V_MODULE)
        wy_exec_ensure(x, m.module->spec);
    return WY_NONE;
}

/* SourceFileLoader(name, path), ExtensionFileLoader(name, path) */
static struct wy_value file_loader(struct wy_exec *x, const struct wy_args *a) {
    return loader_of(x, wy_given(x, a, 0, "fullname"), wy_given(x, a, 1, "path"));
}

static struct wy_value load_module(struct wy_exec *x, const struct wy_args *a) {
    return wy_is_sequence(a->self) && a->self.list->n == 2
               ? module_at(x, a->self.list->v[0], a->self.list->v[1], true)
               : WY_UNKNOWN;
}

static const struct wy_known rows[] = {
    {.name = "importlib.util.find_spec", .call = find_spec},
    {.name = "importlib.util.spec_from_file_location", .call = spec_from_file},
    {.name = "importlib.util.module_from_spec", .call = module_from_spec},
    {.name = "importlib.machinery.EXTENSION_SUFFIXES", .make = extension_suffixes},
    {.name = "importlib.machinery.FileFinder", .call = file_finder},
    {.name = "importlib.machinery.FileFinder.find_spec", .call = spec_in_folder},
    {.name = "importlib.machinery.ExtensionFileLoader", .call = file_loader},
    {.name = "importlib.machinery.SourceFileLoader", .call = file_loader},
    {.name = "importlib.machinery.SourceFileLoader.exec_module", .call = exec_module},
    {.name = "importlib.machinery.SourceFileLoader.load_module", .call = load_module},
};
WY_KNOWN_TABLE(wy_known_specs, rows);
