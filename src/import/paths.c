/* sys.path and the __path__ of packages as lists that code changes: what a name means may depend on
 * when it is asked for. The answer by the paths of the start is kept for all runs; what another
 * path gives is kept beside it, so that a run that changes nothing pays nothing. */
#include "import/internal.h"

/* Hostile code may make ever new paths; behind these limits changes are not seen. */
enum { MOST_PATHS = 256, MOST_ITEMS = 4096 };

/* What code sees as sys.path: '' for the working directory, and the archive that is hardly ever
 * there before the standard library (Modules/getpath.py). Of PYTHONPATH, folders that do not exist
 * are not known here. */
static void init_sys_path(struct wy_importer *im, bool here) {
    const struct wy_env *env = &im->world->env;
    struct wy_list *l = &im->sys_path;
    const char *pythonpath = wy_host_getenv(im->world->host, "PYTHONPATH");
    l->v = wy_arena_alloc(&im->arena, (env->nsys_path + 2) * sizeof *l->v);
    l->open = !im->world->isolated && pythonpath && *pythonpath;
    im->sys_path_open = l->open;
    if (here)
        l->v[l->n++] = wy_value_cstr("");
    for (size_t i = 0; i < env->nsys_path; i++) {
        if (env->stdlib && strcmp(env->sys_path[i], env->stdlib) == 0)
            l->v[l->n++] = wy_value_cstr(wy_arena_printf(&im->arena, "%s/python%u%u.zip",
                                                         wy_path_dir(&im->arena, env->stdlib),
                                                         env->major, env->minor));
        l->v[l->n++] = wy_value_cstr(env->sys_path[i]);
    }
    l->cap = l->n;
}

/* ---- from texts to folders ---- */

static void add_dir(struct wy_importer *im, struct wy_path *path, struct wy_str item) {
    const char *cwd = im->world->host->options.cwd;
    struct wy_dir *dir;
    if ((item.n == 0 || item.p[0] != '/') && !cwd)
        return;
    /* a relative entry is made absolute when it is asked (importlib, _path_importer_cache) */
    const char *text = wy_arena_str(&im->arena, item);
    if (item.n == 0 || item.p[0] != '/')
        text = item.n ? wy_path_join(&im->arena, cwd, text) : cwd;
    struct wy_search_dir *to = &path->dirs[path->ndirs];
    bool is_there = wy_tree_find_dir(im->world->tree, NULL, text, &dir) == 0;
    if (is_there)
        *to = (struct wy_search_dir){.text = text, .dir = dir};
    if (is_there || wy_archive_find(im, text, to))
        path->ndirs++;
}

static struct wy_path *make(struct wy_importer *im, const struct wy_value *items, uint32_t n) {
    struct wy_path *path = WY_NEW(&im->arena, struct wy_path);
    struct wy_value *kept = wy_arena_alloc(&im->arena, (n + 1) * sizeof *kept);
    if (n)
        memcpy(kept, items, n * sizeof *kept);
    path->id = (uint32_t)im->paths.n;
    path->items = kept;
    path->nitems = n;
    path->dirs = wy_arena_alloc(&im->arena, (n + 1) * sizeof *path->dirs);
    for (uint32_t i = 0; i < n; i++)
        if (items[i].kind == WY_V_STR) /* importlib passes over anything else */
            add_dir(im, path, wy_value_str(items[i]));
    wy_vec_push(&im->paths, path);
    return path;
}

/* `python -c` puts '' first: the working directory, unless -I or PYTHONSAFEPATH (3.11) say not to.
 */
void wy_paths_init(struct wy_importer *im) {
    const struct wy_world *w = im->world;
    const char *safe = wy_host_getenv(w->host, "PYTHONSAFEPATH");
    bool safe_path = w->isolated || (safe && *safe && w->env.minor >= 11);
    init_sys_path(im, w->host->options.cwd && !safe_path);
    make(im, im->sys_path.v, im->sys_path.n);
}

/* ---- the path of this moment ---- */

static bool same_item(const struct wy_value *a, const struct wy_value *b) {
    if (a->kind != b->kind || a->kind != WY_V_STR)
        return a->kind == b->kind;
    return a->n == b->n && (a->text == b->text || memcmp(a->text, b->text, a->n) == 0);
}

static bool holds(const struct wy_path *path, const struct wy_list *l) {
    if (path->nitems != l->n)
        return false;
    for (uint32_t i = 0; i < l->n; i++)
        if (!same_item(&path->items[i], &l->v[i]))
            return false;
    return true;
}

static const struct wy_path *path_of_list(struct wy_importer *im, const struct wy_list *l) {
    for (size_t i = 0; i < im->paths.n; i++)
        if (holds(im->paths.v[i], l))
            return im->paths.v[i];
    if (im->paths.n >= MOST_PATHS || l->n > MOST_ITEMS)
        return im->paths.v[0];
    return make(im, l->v, l->n);
}

/* Whether a package's __path__ is what the finder made of it. */
static bool untouched(const struct wy_spec *package, const struct wy_list *l) {
    bool same = package->ndirs == l->n;
    for (uint32_t i = 0; same && i < l->n; i++)
        same =
            l->v[i].kind == WY_V_STR && (l->v[i].text == package->dirs[i].text ||
                                         wy_str_is(wy_value_str(l->v[i]), package->dirs[i].text));
    return same;
}

static const struct wy_path *path_below(struct wy_importer *im, const struct wy_spec *parent);

/* The parts of a namespace package are looked for anew when the path above it has changed
 * (importlib, _NamespacePath). NULL: as they were. */
static const struct wy_path *portions_now(struct wy_importer *im, const struct wy_spec *package) {
    const struct wy_path *above = path_below(im, package->parent);
    struct wy_spec found = {
        .name = package->name, .leaf = package->leaf, .parent = package->parent};
    if (!above)
        return NULL;
    wy_spec_search(im, &found, above->dirs, above->ndirs);
    if (found.kind != WY_SPEC_NAMESPACE)
        return NULL;
    struct wy_list l = {.v = wy_arena_alloc(&im->arena, (found.ndirs + 1) * sizeof *l.v)};
    for (; l.n < found.ndirs; l.n++)
        l.v[l.n] = wy_value_cstr(found.dirs[l.n].text);
    return untouched(package, &l) ? NULL : path_of_list(im, &l);
}

/* The path below `parent` now; NULL: as it was at the start. */
static const struct wy_path *path_below(struct wy_importer *im, const struct wy_spec *parent) {
    if (!parent)
        return holds(im->paths.v[0], &im->sys_path) ? NULL : path_of_list(im, &im->sys_path);
    if (parent->kind == WY_SPEC_NAMESPACE)
        return portions_now(im, parent);
    if (!parent->module)
        return NULL;
    struct wy_value v = wy_table_get(parent->module->scope.names, im->n.path);
    if ((v.kind != WY_V_LIST && v.kind != WY_V_TUPLE) || untouched(parent, v.list))
        return NULL;
    const struct wy_path *path = path_of_list(im, v.list);
    return path->id ? path : NULL;
}

size_t wy_path_dirs(struct wy_importer *im, const struct wy_spec *parent,
                    struct wy_search_dir **ret) {
    const struct wy_path *path = path_below(im, parent);
    path = path || parent ? path : im->paths.v[0];
    *ret = path ? path->dirs : parent->dirs;
    return path ? path->ndirs : parent->ndirs;
}

uint32_t wy_sys_path_id(struct wy_importer *im) {
    return path_of_list(im, &im->sys_path)->id;
}

bool wy_sys_path_unsure(const struct wy_importer *im) {
    bool unsure = im->sys_path.open && !im->sys_path_open;
    for (uint32_t i = 0; i < im->sys_path.n && !unsure; i++)
        unsure = im->sys_path.v[i].kind == WY_V_UNKNOWN;
    return unsure;
}

static bool any_at_start(const struct wy_elsewhere *e) {
    while (e && !e->spec->at_start)
        e = e->next;
    return e;
}

void wy_paths_rebase(struct wy_importer *im) {
    const struct wy_path *now = path_of_list(im, &im->sys_path);
    struct wy_path *first = im->paths.v[0];
    im->sys_path_open = im->sys_path.open;
    if (now->id == 0)
        return;
    im->paths.v[0] = im->paths.v[now->id];
    im->paths.v[now->id] = first;
    first->id = now->id;
    im->paths.v[0]->id = 0;
    for (size_t i = 0; i < im->specs.n; i++) {
        struct wy_spec *s = im->specs.v[i], *parent = s->parent;
        if (!any_at_start(s->elsewhere))
            s->elsewhere = NULL;
        if (s->elsewhere || s->at_start || s->module || s == im->nothing)
            continue;
        struct wy_spec again = {.name = s->name, .leaf = s->leaf, .id = s->id, .parent = parent};
        const struct wy_path *path = im->paths.v[0];
        again.children = s->children;
        wy_spec_search(im, &again, parent ? parent->dirs : path->dirs,
                       parent ? parent->ndirs : path->ndirs);
        *s = again;
    }
}

/* ---- what a name means by it ---- */

static bool same_place(const struct wy_spec *a, const struct wy_spec *b) {
    bool same = a->kind == b->kind && wy_same(a->path, b->path) && a->ndirs == b->ndirs;
    for (size_t i = 0; i < a->ndirs && same; i++)
        same = strcmp(a->dirs[i].text, b->dirs[i].text) == 0;
    return same;
}

static struct wy_spec *by_path(struct wy_importer *im, struct wy_spec *first,
                               const struct wy_path *path) {
    struct wy_elsewhere *e;
    for (e = first->elsewhere; e; e = e->next)
        if (e->path == path->id)
            return e->spec;
    struct wy_spec found = {.name = first->name, .leaf = first->leaf, .parent = first->parent};
    struct wy_spec *spec = NULL;
    wy_spec_search(im, &found, path->dirs, path->ndirs);
    if (same_place(&found, first))
        spec = first;
    for (e = first->elsewhere; e && !spec; e = e->next)
        if (same_place(&found, e->spec))
            spec = e->spec;
    if (!spec && im->specs.n >= WY_MOST_SPECS)
        return im->nothing;
    if (!spec) {
        spec = wy_spec_add(im, &found);
        spec->children = wy_alloc0(1, sizeof *spec->children);
        im->elsewhere = true;
    }
    e = WY_NEW(&im->arena, struct wy_elsewhere);
    *e = (struct wy_elsewhere){first->elsewhere, path->id, spec};
    first->elsewhere = e;
    return spec;
}

static bool in_use(struct wy_exec *x, const struct wy_spec *spec) {
    return (*wy_exec_state(x, spec) & (WY_LOADED | WY_IN_PROGRESS)) != 0;
}

struct wy_spec *wy_spec_now(struct wy_importer *im, struct wy_spec *first) {
    if (!im->exec || first == im->nothing)
        return first;
    const struct wy_path *path = path_below(im, first->parent);
    if ((!path && !first->elsewhere) || in_use(im->exec, first))
        return first;
    for (struct wy_elsewhere *e = first->elsewhere; e; e = e->next)
        if (in_use(im->exec, e->spec))
            return e->spec;
    return path ? by_path(im, first, path) : first;
}
