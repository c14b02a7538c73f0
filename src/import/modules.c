/* Which imports a report lists (docs: the contract, "imports lists" (a) and (b)). */
#include "import/internal.h"

struct listing {
    struct wy_importer *im;
    WY_VEC(struct wy_listed_module) found;
    struct wy_map seen; /* name → its index + 1 */
};

static bool never_listed(const char *name) {
    return strcmp(name, "pip") == 0 || strcmp(name, "setuptools") == 0 ||
           strcmp(name, "pkg_resources") == 0;
}

static void add(struct listing *l, struct wy_str name, const struct wy_dist *dist) {
    if (!wy_identifier(name) || wy_map_get(&l->seen, name))
        return;
    const char *kept = wy_arena_str(&l->im->arena, name);
    if (never_listed(kept))
        return;
    wy_vec_push(&l->found, ((struct wy_listed_module){kept, dist}));
    *wy_map_at(&l->seen, wy_str_of(kept)) = l; /* any value */
}

/* ---- (a) by RECORD ---- */

/* All folders of the path are identifiers: something Python could import lies there. */
static bool importable_folders(struct wy_str path) {
    struct wy_str rest = path;
    for (;;) {
        struct wy_str part = wy_str_cut(rest, '/', &rest);
        if (!rest.p)
            return true;
        if (!wy_identifier(part))
            return false;
    }
}

static bool has_suffix_of_this_python(const struct wy_importer *im, struct wy_str file) {
    const struct wy_env *env = &im->world->env;
    for (size_t i = 0; i < env->next_suffixes; i++)
        if (strcmp(env->ext_suffixes[i], ".so") != 0 && wy_str_ends(file, env->ext_suffixes[i]))
            return true;
    return false;
}

static bool fits(const struct wy_importer *im, const struct wy_dist *d) {
    struct wy_str platform;
    for (size_t i = 0; i < d->ntags; i++)
        if (wy_tag_fits_python(wy_str_of(d->tags[i]), &im->world->env, &platform))
            return true;
    return false;
}

/* A module with code: NAME.py that is not empty (nvidia's wheels carry empty ones as markers), or
 * an extension. A plain NAME.so is one only when its init function is there. What a wheel for this
 * Python brings for another one, nobody imports here. */
static bool is_code(const struct wy_importer *im, const struct wy_dist *d,
                    const struct wy_record_row *row, struct wy_str path) {
    if (wy_str_ends(path, ".py"))
        return row->size != 0;
    if (!wy_str_ends(path, ".so"))
        return false;
    if (has_suffix_of_this_python(im, path))
        return true;
    struct wy_arena scratch = WY_ARENA_INIT;
    const struct wy_library *lib = wy_map_get(
        &im->world->library_by_path, wy_str_of(wy_path_join(&scratch, d->site, row->path)));
    wy_arena_deinit(&scratch);
    return lib && lib->role != WY_ROLE_LIBRARY && !(lib->role == WY_ROLE_FOREIGN && fits(im, d));
}

static void add_row(struct listing *l, const struct wy_dist *d, const struct wy_record_row *row) {
    struct wy_str path = wy_str_of(row->path), rest;
    if (path.n == 0 || path.p[0] == '/' || path.p[0] == '.' ||
        !(wy_str_ends(path, ".py") || wy_str_ends(path, ".so")))
        return;
    struct wy_str first = wy_str_cut(path, '/', &rest);
    if (!rest.p)
        first = wy_str_cut(path, '.', &rest);
    if (wy_map_get(&l->seen, first) || !importable_folders(path) || !is_code(l->im, d, row, path))
        return;
    add(l, first, d);
}

/* Without RECORD the name alone is left: a folder or module of that name on disk. */
static void add_by_name(struct listing *l, const struct wy_dist *d) {
    struct wy_arena scratch = WY_ARENA_INIT;
    char *name = wy_arena_cstr(&scratch, d->key);
    for (char *p = name; *p; p++)
        if (*p == '-')
            *p = '_';
    if (wy_identifier(wy_str_of(name))) {
        const struct wy_spec *spec = wy_find(l->im, name);
        if (spec->kind == WY_SPEC_SOURCE || spec->kind == WY_SPEC_EXTENSION)
            add(l, wy_str_of(name), d);
    }
    wy_arena_deinit(&scratch);
}

static bool has_elf(const struct wy_importer *im, const struct wy_dist *d) {
    return im->world->files[wy_world_dist_index(im->world, d)].has_elf;
}

static void add_dist(struct listing *l, const struct wy_dist *d) {
    for (size_t i = 0; i < d->record.n; i++)
        add_row(l, d, &d->record.v[i]);
    if (d->no_record)
        add_by_name(l, d);
}

/* ---- (b) what nobody owns, and what .pth files add ---- */

/* Whoever brought the .pth file: an editable install. */
static const struct wy_dist *adder(const struct wy_world *w, const struct wy_editable *by) {
    struct wy_place place;
    bool found = by && wy_tree_find(w->tree, NULL, by->pth, WY_FIND_NOFOLLOW, &place) == 0;
    return found ? wy_world_owner(w, &place) : NULL;
}

static void add_path(struct listing *l, const struct wy_library *lib, struct wy_str path,
                     const struct wy_editable *by) {
    struct wy_str rest, first = wy_str_cut(path, '/', &rest);
    if (!rest.p && lib->role == WY_ROLE_LIBRARY)
        return;
    if (!rest.p)
        first = wy_str_cut(path, '.', &rest);
    if (!wy_identifier(first) || wy_map_get(&l->seen, first))
        return;
    struct wy_arena scratch = WY_ARENA_INIT;
    const struct wy_spec *spec = wy_find(l->im, wy_arena_str(&scratch, first));
    wy_arena_deinit(&scratch);
    bool code = spec->kind == WY_SPEC_SOURCE || spec->kind == WY_SPEC_EXTENSION ||
                (lib->role != WY_ROLE_LIBRARY && importable_folders(path));
    if (code && (by || !(spec->path && wy_world_owner(l->im->world, &spec->place))))
        add(l, first, adder(l->im->world, by));
}

static void add_library(struct listing *l, const struct wy_library *lib) {
    struct wy_arena scratch = WY_ARENA_INIT;
    const struct wy_editable *by;
    const char *path = wy_world_import_path(l->im->world, lib->path, &scratch, &by);
    if (path && (by || !lib->dist))
        add_path(l, lib, wy_str_of(path), by);
    wy_arena_deinit(&scratch);
}

/* ---- both ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct wy_listed_module *)a)->name,
                  ((const struct wy_listed_module *)b)->name);
}

/* Several distributions may share a name: the one that owns the module's own file counts. */
static void set_owners(struct listing *l) {
    for (size_t i = 0; i < l->found.n; i++) {
        const struct wy_spec *spec = wy_find(l->im, l->found.v[i].name);
        const struct wy_dist *owner =
            spec->path ? wy_world_owner(l->im->world, &spec->place) : NULL;
        if (owner)
            l->found.v[i].dist = owner;
    }
}

void wy_modules_init(struct wy_importer *im) {
    struct listing l = {.im = im};
    for (size_t i = 0; i < im->world->dists.n; i++)
        if (has_elf(im, &im->world->dists.v[i]))
            add_dist(&l, &im->world->dists.v[i]);
    for (size_t i = 0; i < im->world->nlibraries; i++)
        add_library(&l, &im->world->libraries[i]);
    wy_map_deinit(&l.seen);
    set_owners(&l);
    if (l.found.n)
        qsort(l.found.v, l.found.n, sizeof *l.found.v, by_name);
    wy_vec_keep(&im->arena, &l.found);
    im->listed = l.found.v;
    im->nlisted = l.found.n;
    for (size_t i = 0; i < im->nlisted; i++) {
        void **slot = wy_map_at(&im->listed_by_name, wy_str_of(im->listed[i].name));
        union {
            const void *from;
            void *to;
        } listed = {&im->listed[i]};
        *slot = listed.to;
    }
}

static void follow_others(struct wy_importer *im) {
    struct listing l = {.im = im};
    size_t kept = 0;
    for (size_t i = 0; i < im->world->dists.n; i++)
        if (!has_elf(im, &im->world->dists.v[i]))
            add_dist(&l, &im->world->dists.v[i]);
    wy_map_deinit(&l.seen);
    for (size_t i = 0; i < l.found.n; i++) {
        const struct wy_listed_module *m = &l.found.v[i];
        if (!wy_map_get(&im->listed_by_name, wy_str_of(m->name)) &&
            wy_importer_run(im, m->name)->outcome == WY_RUN_FAILS)
            l.found.v[kept++] = *m;
    }
    l.found.n = kept;
    set_owners(&l);
    if (kept)
        qsort(l.found.v, kept, sizeof *l.found.v, by_name);
    wy_vec_keep(&im->arena, &l.found);
    im->also = l.found.v;
    im->nalso = kept;
}

const struct wy_listed_module *wy_importer_also_failing(struct wy_importer *im, size_t *n) {
    if (!im->also_known)
        follow_others(im);
    im->also_known = true;
    *n = im->nalso;
    return im->also;
}
