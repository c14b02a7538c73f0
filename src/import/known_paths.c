/* What changes where imports look: sys.path, site, pkgutil; and runpy, which runs a file that way.
 */
#include "import/known.h"

static struct wy_value sys_path(struct wy_exec *x) {
    return (struct wy_value){.kind = WY_V_LIST, .list = &x->im->sys_path};
}

/* sys.meta_path and sys.path_hooks: what another finder finds is not known. */
static struct wy_value hook(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    x->im->hooked = true;
    return WY_NONE;
}

static bool holds(struct wy_exec *x, struct wy_list *l, const char *text) {
    for (uint32_t i = 0; i < l->n; i++, x->work++)
        if (l->v[i].kind == WY_V_STR && wy_str_is(wy_value_str(l->v[i]), text))
            return true;
    return false;
}

/* site.addsitedir; the .pth files of such a folder are not read. */
static struct wy_value add_site_dir(struct wy_exec *x, const struct wy_args *a) {
    const char *dir = wy_text_argument(x, a, 0, "sitedir");
    struct wy_list *l = &x->im->sys_path;
    if (!dir)
        wy_list_open(x, l);
    else if (!holds(x, l, dir))
        wy_list_append(x, l, wy_value_cstr(dir));
    return WY_NONE;
}

/* site.getsitepackages, less those that are not there. */
static struct wy_value site_packages(struct wy_exec *x, const struct wy_args *a) {
    const struct wy_env *env = &x->im->world->env;
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0);
    if (a->n || a->nnamed)
        return WY_UNKNOWN;
    for (size_t i = 0; i < env->nsite_dirs; i++)
        if (wy_path_below(env->site_dirs[i], env->prefix) ||
            (env->base_prefix && wy_path_below(env->site_dirs[i], env->base_prefix)))
            wy_list_add(x, v.list, wy_value_cstr(env->site_dirs[i]));
    return v;
}

static struct wy_value user_site_enabled(struct wy_exec *x) {
    return wy_value_bool(x->im->world->env.user_site);
}

/* site.getuserbase and _get_path. */
static struct wy_value user_site(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    const struct wy_env *env = &x->im->world->env;
    struct wy_value base = wy_environ(x, WY_STR("PYTHONUSERBASE"));
    struct wy_value home = wy_environ(x, WY_STR("HOME"));
    bool given = base.kind == WY_V_STR && base.n;
    if (!given && home.kind != WY_V_STR)
        return WY_UNKNOWN;
    struct wy_str text = wy_value_str(given ? base : home);
    return wy_value_cstr(wy_arena_printf(&x->im->arena, "%.*s%s/lib/python%u.%u/site-packages",
                                         (int)text.n, text.p, given ? "" : "/.local", env->major,
                                         env->minor));
}

/* The folders called NAME in those of sys.path, or of the parent's __path__, that are not in
 * `path`: CPython Lib/pkgutil.py, extend_path. */
static void add_portions(struct wy_exec *x, const char *name, struct wy_list *path) {
    struct wy_importer *im = x->im;
    const char *dot = strrchr(name, '.');
    struct wy_search_dir *dirs;
    size_t n = wy_path_dirs(
        im, dot ? wy_find(im, wy_arena_printf(&im->arena, "%.*s", (int)(dot - name), name)) : NULL,
        &dirs);
    for (size_t i = 0; i < n; i++) {
        const char *text = wy_path_join(&im->arena, dirs[i].text, dot ? dot + 1 : name);
        struct wy_dir *dir;
        if (dirs[i].dir && wy_tree_find_dir(im->world->tree, NULL, text, &dir) == 0 &&
            !holds(x, path, text))
            wy_list_add(x, path, wy_value_cstr(text));
    }
}

static struct wy_value extend_path(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 1, "name");
    struct wy_value path = wy_given(x, a, 0, "path");
    if (!name || path.kind != WY_V_LIST)
        return path.kind == WY_V_UNBOUND ? WY_UNKNOWN : path;
    struct wy_value v = wy_copy_sequence(x, path, false);
    add_portions(x, name, v.list);
    return v;
}

/* pkg_resources.declare_namespace(__name__) gives the package the parts in all folders. */
static struct wy_value declare_namespace(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "packageName");
    struct wy_spec *spec = name ? wy_find(x->im, name) : NULL;
    if (!spec || !spec->module)
        return WY_NONE;
    struct wy_table *names = spec->module->scope.names;
    struct wy_value path = wy_table_get(names, x->im->n.path);
    if (path.kind != WY_V_LIST)
        return WY_NONE;
    path = wy_copy_sequence(x, path, false);
    add_portions(x, name, path.list);
    wy_bind(x, names, x->im->n.path, path);
    return WY_NONE;
}

/* ---- runpy ---- */

static struct wy_value run_file(struct wy_exec *x, const struct wy_spec *spec,
                                struct wy_value name) {
    struct wy_importer *im = x->im;
    const char *problem;
    struct wy_str text = spec->member ? wy_archive_text(im, spec, &problem)
                                      : wy_place_text(im, &spec->place, &im->text, &problem);
    if (problem || im->specs.n >= WY_MOST_SPECS)
        return WY_UNKNOWN;
    struct wy_module *m = wy_spec_module(im, wy_spec_add(im, spec));
    wy_bind(x, m->scope.names, im->n.name, name);
    wy_run_text(x, (struct wy_str){wy_arena_str(&im->arena, text), text.n}, &m->scope);
    return (struct wy_value){.kind = WY_V_DICT, .table = m->scope.names};
}

static struct wy_value run_path(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, "path_name");
    struct wy_value name = wy_given(x, a, 2, "run_name");
    struct wy_spec spec = {.name = "<run_path>", .kind = WY_SPEC_SOURCE, .path = path};
    spec.leaf = spec.name;
    wy_import_named(x, WY_STR("pkgutil")); /* inside the function */
    if (!path || wy_tree_find(x->im->world->tree, NULL, path, 0, &spec.place) != 0) {
        wy_exec_unfollowed(x, "runpy.run_path");
        return WY_UNKNOWN;
    }
    return run_file(x, &spec, name.kind == WY_V_STR ? name : wy_value_cstr(spec.name));
}

static struct wy_value run_module(struct wy_exec *x, const struct wy_args *a) {
    const char *module = wy_text_argument(x, a, 0, "mod_name");
    struct wy_value name = wy_given(x, a, 2, "run_name");
    if (!module) {
        wy_exec_unfollowed(x, "runpy.run_module");
        return WY_UNKNOWN;
    }
    struct wy_spec *spec = wy_find(x->im, module);
    if (spec->ndirs && wy_exec_import(x, spec))
        spec = wy_find_child(x->im, spec, "__main__");
    if (x->raising || (spec->parent && !wy_exec_import(x, spec->parent)) ||
        spec->kind != WY_SPEC_SOURCE)
        return WY_UNKNOWN;
    struct wy_spec again = {.name = spec->name,
                            .leaf = spec->leaf,
                            .kind = spec->kind,
                            .parent = spec->parent,
                            .path = spec->path,
                            .place = spec->place,
                            .archive = spec->archive,
                            .member = spec->member};
    return run_file(x, &again, name.kind == WY_V_STR ? name : wy_value_cstr(spec->name));
}

static const struct wy_known rows[] = {
    {.name = "sys.path", .make = sys_path},
    {.name = "sys.meta_path"},
    {.name = "sys.meta_path.append", .call = hook},
    {.name = "sys.meta_path.extend", .call = hook},
    {.name = "sys.meta_path.insert", .call = hook},
    {.name = "sys.path_hooks"},
    {.name = "sys.path_hooks.append", .call = hook},
    {.name = "sys.path_hooks.insert", .call = hook},
    {.name = "site.addsitedir", .call = add_site_dir},
    {.name = "site.getsitepackages", .call = site_packages},
    {.name = "site.getusersitepackages", .call = user_site},
    {.name = "site.ENABLE_USER_SITE", .make = user_site_enabled},
    {.name = "pkgutil.extend_path", .call = extend_path},
    {.name = "pkg_resources.declare_namespace", .call = declare_namespace},
    {.name = "runpy.run_path", .call = run_path},
    {.name = "runpy.run_module", .call = run_module},
};
WY_KNOWN_TABLE(wy_known_paths, rows);
