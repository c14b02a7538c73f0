/* sys.path as getpath.py and then site.py of CPython build it, on paper. */
#include "base/path.h"
#include "pip/reading.h"

enum { SITE_PY_MAX = 256 << 10 };

static bool holds(const struct wy_paths *paths, const char *path) {
    for (size_t i = 0; i < paths->n; i++)
        if (strcmp(paths->v[i], path) == 0)
            return true;
    return false;
}

bool wy_reading_add(struct wy_reading *r, const char *path) {
    struct wy_place place;
    if (holds(&r->sys_path, path) || wy_tree_find(r->tree, NULL, path, 0, &place) != 0)
        return false;
    wy_vec_push(&r->sys_path, path);
    return true;
}

/* The folder of the environment that this user may not enter on the way to `path`. */
static void note_closed(struct wy_reading *r, const char *path, int error) {
    struct wy_dir *dir;
    const char *at = path;
    if (!wy_path_below(path, r->env->prefix))
        return;
    do
        at = wy_path_dir(r->arena, at);
    while (strcmp(at, "/") != 0 && wy_tree_find_dir(r->tree, NULL, at, &dir) != 0);
    wy_reading_hidden(r, at, error);
}

/* site.py reads .pth files of a site directory even if sys.path had it before. */
static void add_site_dir(struct wy_reading *r, const char *path) {
    struct wy_dir *dir;
    int error = wy_tree_find_dir(r->tree, NULL, path, &dir);
    if (error) {
        note_closed(r, path, error);
        return;
    }
    wy_reading_add(r, path);
    if (!holds(&r->added_sites, path))
        wy_vec_push(&r->added_sites, path);
    wy_reading_pth_files(r, path);
}

static void add_pythonpath(struct wy_reading *r) {
    const struct wy_env_options *o = r->options;
    if (!o->pythonpath || !o->pythonpath[0] || o->isolated)
        return;
    for (struct wy_str rest = wy_str_of(o->pythonpath); rest.p;) {
        const char *entry = wy_arena_str(r->arena, wy_str_cut(rest, ':', &rest));
        if (entry[0] != '/' && !o->cwd)
            continue;
        const char *path = entry[0] ? wy_path_join(r->arena, o->cwd ? o->cwd : "", entry) : o->cwd;
        wy_reading_add(r, wy_path_clean(r->arena, path));
    }
}

static const char *version_dir(struct wy_reading *r) {
    return wy_arena_printf(r->arena, "python%u.%u%s", r->env->major, r->env->minor,
                           r->env->free_threaded ? "t" : "");
}

static void add_stdlib(struct wy_reading *r) {
    const struct wy_env *env = r->env;
    if (!env->stdlib)
        return;
    const char *zip =
        wy_arena_printf(r->arena, "%s/%s/python%u%u%s.zip", env->base_prefix, r->libdir, env->major,
                        env->minor, env->free_threaded ? "t" : "");
    wy_reading_add(r, wy_path_clean(r->arena, zip));
    wy_reading_add(r, wy_path_clean(r->arena, env->stdlib));
    wy_reading_add(r, wy_path_clean(r->arena, wy_reading_join(r, env->stdlib, "lib-dynload")));
}

/* Debian and Fedora patch site.py; the copy frozen into the interpreter is the same. */
static void look_at_site_module(struct wy_reading *r) {
    if (!r->env->stdlib)
        return;
    struct wy_str text =
        wy_reading_text(r, wy_reading_join(r, r->env->stdlib, "site.py"), SITE_PY_MAX);
    if (text.p) {
        r->dist_packages = wy_str_find(text, WY_STR("dist-packages")) != SIZE_MAX;
        r->local_first = wy_str_find(text, WY_STR("\"/usr/local\"")) != SIZE_MAX;
    } else {
        r->dist_packages = wy_reading_is(
            r, wy_reading_join(r, r->env->base_prefix, "lib/python3/dist-packages"), WY_FT_DIR);
    }
}

static void add_below(struct wy_reading *r, const char *prefix, const char *libdir,
                      const char *version, const char *name) {
    add_site_dir(r, wy_path_clean(r->arena, wy_arena_printf(r->arena, "%s/%s/%s/%s", prefix, libdir,
                                                            version, name)));
}

/* site.getsitepackages for one prefix. */
static void add_prefix(struct wy_reading *r, const char *prefix) {
    const char *version = version_dir(r);
    const char *const libdirs[] = {r->libdir, strcmp(r->libdir, "lib") ? "lib" : NULL};
    if (r->dist_packages) {
        if (r->cfg)
            add_below(r, prefix, "lib", version, "site-packages");
        add_below(r, prefix, "local/lib", version, "dist-packages");
        add_below(r, prefix, "lib", "python3", "dist-packages");
    }
    for (size_t i = 0; i < 2 && libdirs[i]; i++)
        add_below(r, prefix, libdirs[i], version,
                  r->dist_packages ? "dist-packages" : "site-packages");
}

static bool user_site_enabled(const struct wy_reading *r) {
    const struct wy_env_options *o = r->options;
    return !o->no_user_site && !o->isolated && (!r->cfg || r->system_site);
}

/* site.getuserbase; a relative one is made absolute when its site directory is added. */
static const char *user_base(const struct wy_reading *r) {
    const struct wy_env_options *o = r->options;
    if (!o->user_base || !o->user_base[0])
        return o->home && o->home[0] == '/' ? wy_path_join(r->arena, o->home, ".local") : NULL;
    if (o->user_base[0] != '/' && !o->cwd)
        return NULL;
    return wy_path_join(r->arena, o->cwd ? o->cwd : "", o->user_base);
}

/* site.main: the venv's own directories, the user's, those of the prefixes. */
static void add_site_dirs(struct wy_reading *r) {
    const struct wy_env *env = r->env;
    const char *venv = r->cfg ? wy_path_dir(r->arena, r->cfg) : NULL;
    if (venv && env->python) /* also when pyvenv.cfg is beside the executable */
        venv = wy_path_dir(r->arena, wy_path_dir(r->arena, env->python));
    if (venv)
        add_prefix(r, venv);
    const char *user = user_site_enabled(r) ? user_base(r) : NULL;
    if (user)
        add_below(r, user, "lib", version_dir(r), "site-packages");
    if (venv && !r->system_site)
        return;
    if (!venv && r->local_first && !r->options->no_user_site && !r->options->isolated)
        add_prefix(r, "/usr/local");
    add_prefix(r, env->base_prefix);
}

static struct wy_dir *dir_at(struct wy_reading *r, const char *path) {
    struct wy_dir *dir;
    return wy_tree_find_dir(r->tree, NULL, path, &dir) == 0 ? dir : NULL;
}

/* A folder given as the environment counts first when its interpreter does not look there. */
static void add_own_site(struct wy_reading *r) {
    struct wy_dir *own = dir_at(r, r->site);
    for (size_t i = 0; i < r->sys_path.n; i++)
        if (own && dir_at(r, r->sys_path.v[i]) == own)
            return;
    if (!r->env->python_real) {
        add_site_dir(r, r->site);
        return;
    }
    wy_vec_push(&r->sys_path, r->site);
    memmove(r->sys_path.v + 1, r->sys_path.v, (r->sys_path.n - 1) * sizeof *r->sys_path.v);
    r->sys_path.v[0] = r->site;
    wy_vec_push(&r->added_sites, r->site);
}

static bool holds_dist_info(struct wy_dir *dir) {
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++)
        if (entries[i].type != WY_FT_FILE && wy_ends(entries[i].name, ".dist-info"))
            return true;
    return false;
}

static bool is_stdlib(const struct wy_reading *r, const char *path) {
    return r->env->stdlib && wy_path_below(path, r->env->stdlib) &&
           !wy_ends(path, "site-packages") && !wy_ends(path, "dist-packages");
}

/* On many 64-bit systems lib64 is a link to lib: one directory, two texts. */
static void collect_site_dirs(struct wy_reading *r) {
    WY_VEC(struct wy_dir *) seen = {0};
    for (size_t i = 0; i < r->sys_path.n; i++) {
        const char *path = r->sys_path.v[i];
        struct wy_dir *dir = is_stdlib(r, path) ? NULL : dir_at(r, path);
        bool known = !dir || (!holds(&r->added_sites, path) && !holds_dist_info(dir));
        for (size_t k = 0; k < seen.n && !known; k++)
            known = seen.v[k] == dir;
        if (known)
            continue;
        wy_vec_push(&seen, dir);
        wy_vec_push(&r->site_dirs, path);
    }
    wy_vec_free(&seen);
}

void wy_reading_sys_path(struct wy_reading *r) {
    if (r->env->major) {
        look_at_site_module(r);
        r->env->user_site = user_site_enabled(r);
        add_pythonpath(r);
        add_stdlib(r);
        add_site_dirs(r);
    }
    if (r->site)
        add_own_site(r);
    collect_site_dirs(r);
    wy_vec_free(&r->added_sites);
}
