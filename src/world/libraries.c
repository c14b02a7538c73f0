/* Every file named .so or .so.N below the site directories and in packages that .pth files add: ELF
 * facts (in parallel), what it is to Python, and whose it is. */
#include "base/pool.h"
#include "world/internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>

struct walk {
    struct wy_world *w;
    WY_VEC(struct wy_library) found;
    WY_VEC(struct wy_unreadable) unreadable;
    struct wy_map
        seen; /* physical directory path → itself: one directory under two site dirs once */
};

static void add_unreadable(struct walk *k, const char *path, int error) {
    wy_vec_push(&k->unreadable, ((struct wy_unreadable){path, wy_world_shown(k->w, path), error}));
}

/* A name Python could import: letters, digits, underscore, or bytes past ASCII. */
static bool identifier(struct wy_str s) {
    if (s.n == 0 || isdigit((unsigned char)s.p[0]))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && s.p[i] != '_' && (unsigned char)s.p[i] < 0x80)
            return false;
    return true;
}

static void take_file(struct walk *k, struct wy_dir *d, const struct wy_entry *e,
                      const char *text) {
    struct wy_world *w = k->w;
    struct wy_place place = {.dir = d, .entry = e};
    if (e->type == WY_FT_LINK) {
        if (wy_tree_find(w->tree, d, e->name, 0, &place) != 0 || !place.entry ||
            place.entry->type != WY_FT_FILE)
            return; /* dangling ones are claims, or nobody's business */
    } else if (e->type != WY_FT_FILE) {
        return;
    }
    struct wy_library *lib = wy_vec_add(&k->found);
    *lib = (struct wy_library){.path = wy_path_join(&w->arena, text, e->name), .place = place};
    lib->shown = wy_world_shown(w, lib->path);
}

/* `text` is the path as the environment spells it; `d` the directory. Links may lead from folder to
 * folder without end, but no path beyond PATH_MAX can be opened, so the recursion ends there, as it
 * does in real folders, which the tree lists no deeper. */
static void walk_dir(struct walk *k, struct wy_dir *d, const char *text) {
    if (strlen(text) >= PATH_MAX && strlen(wy_dir_path(d)) < PATH_MAX)
        return;
    void **seen = wy_map_at(&k->seen, wy_str_of(wy_dir_path(d)));
    if (*seen)
        return;
    *seen = d;
    if (wy_dir_error(d)) {
        add_unreadable(k, wy_arena_cstr(&k->w->arena, text), wy_dir_error(d));
        return;
    }
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(d, &n);
    for (size_t i = 0; i < n; i++) {
        const struct wy_entry *e = &entries[i];
        k->w->nfiles += e->type == WY_FT_FILE || e->type == WY_FT_LINK;
        if (wy_path_is_so(e->name))
            take_file(k, d, e, text);
        if (e->type != WY_FT_DIR && e->type != WY_FT_LINK)
            continue;
        struct wy_place place = {.dir = d, .entry = e};
        if (e->type == WY_FT_LINK && wy_tree_find(k->w->tree, d, e->name, 0, &place) != 0)
            continue;
        if (!place.entry || place.entry->type != WY_FT_DIR)
            continue;
        struct wy_arena scratch = WY_ARENA_INIT;
        struct wy_dir *sub = wy_place_dir(k->w->tree, &place);
        const char *sub_text = wy_path_join(&scratch, text, e->name);
        if (sub)
            walk_dir(k, sub, sub_text);
        else
            add_unreadable(k, wy_arena_cstr(&k->w->arena, sub_text), EACCES);
        wy_arena_deinit(&scratch);
    }
}

/* A folder of sources may hold anything: its packages count, and the extensions beside them. */
static void walk_packages(struct walk *k, struct wy_dir *d, const char *text) {
    if (wy_map_get(&k->seen, wy_str_of(wy_dir_path(d))))
        return;
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(d, &n);
    for (size_t i = 0; i < n; i++) {
        const struct wy_entry *e = &entries[i];
        struct wy_dir *sub;
        if (wy_path_is_so(e->name))
            take_file(k, d, e, text);
        else if (identifier(wy_str_of(e->name)) &&
                 wy_tree_find_dir(k->w->tree, d, e->name, &sub) == 0 &&
                 wy_dir_get(sub, "__init__.py"))
            walk_dir(k, sub, wy_path_join(&k->w->arena, text, e->name));
    }
}

static void walk_editable(struct walk *k, const struct wy_editable *e) {
    struct wy_dir *d;
    struct wy_place place;
    if (wy_tree_find_dir(k->w->tree, NULL, e->path, &d) == 0) {
        if (*e->module)
            walk_dir(k, d, e->path);
        else
            walk_packages(k, d, e->path);
    } else if (wy_path_is_so(e->path) && wy_tree_find(k->w->tree, NULL, e->path, 0, &place) == 0 &&
               place.entry) {
        take_file(k, place.dir, place.entry, wy_path_dir(&k->w->arena, e->path));
    }
}

/* The part of a file name that Python matches with its list of suffixes: from the first dot on. */
static bool known_suffix(const struct wy_env *env, const char *dot) {
    for (size_t i = 0; i < env->next_suffixes; i++)
        if (strcmp(env->ext_suffixes[i], dot) == 0)
            return true;
    return false;
}

/* Suffixes that name a Python: ".cpython-312-x86_64-linux-gnu.so", ".pypy310-pp73-….so",
 * ".abi3.so". */
static bool tagged_suffix(const char *dot) {
    return wy_ends(dot, ".so") &&
           (wy_starts(dot, ".cpython-") || wy_starts(dot, ".pypy") || wy_starts(dot, ".graalpy"));
}

const char *wy_world_import_path(const struct wy_world *w, const char *path, struct wy_arena *a,
                                 const struct wy_editable **by) {
    for (size_t i = 0; i < w->env.neditables; i++) {
        *by = &w->env.editables[i];
        const char *below = wy_path_below(path, (*by)->path);
        if (!below || !*below)
            continue;
        if (!*(*by)->module)
            return below;
        char *package = wy_arena_cstr(a, (*by)->module);
        for (char *p = package; *p; p++)
            if (*p == '.')
                *p = '/';
        return wy_path_join(a, package, below);
    }
    *by = NULL;
    const char *below = NULL;
    for (size_t i = 0; i < w->env.nsite_dirs && !below; i++)
        below = wy_path_below(path, w->env.site_dirs[i]);
    return below && *below ? below : NULL;
}

/* Dotted name under which the file would be imported, or NULL. */
static const char *module_name(struct wy_world *w, const char *path) {
    const struct wy_editable *by;
    const char *rel = wy_world_import_path(w, path, &w->arena, &by);
    if (!rel)
        return NULL;
    char *name = wy_arena_cstr(&w->arena, rel);
    char *base = name + (wy_path_base(name) - name);
    char *dot = strchr(base, '.');
    if (!dot)
        return NULL;
    *dot = '\0';
    struct wy_str rest = wy_str_of(name);
    while (rest.p)
        if (!identifier(wy_str_cut(rest, '/', &rest)))
            return NULL;
    if (strcmp(base, "__init__") == 0 && base > name)
        base[-1] = '\0';
    for (char *p = name; *p; p++)
        if (*p == '/')
            *p = '.';
    return name;
}

/* What the name alone says. An extension by name becomes one when its init function is found. */
static void name_role(struct wy_world *w, struct wy_library *lib) {
    const char *base = wy_path_base(lib->path);
    const char *dot = strchr(base, '.');
    if (!dot || !(known_suffix(&w->env, dot) || tagged_suffix(dot)))
        return;
    lib->module = module_name(w, lib->path);
    if (lib->module)
        lib->role = known_suffix(&w->env, dot) ? WY_ROLE_EXTENSION : WY_ROLE_FOREIGN;
}

enum { EXPORT_MINOR = 15 }; /* from this Python on, PyModExport_NAME will do (PEP 793) */

static bool exports(struct wy_world *w, const struct wy_library *lib, const char *prefix,
                    const char *name) {
    char symbol[300];
    int n = snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    return n > 0 && (size_t)n < sizeof symbol && wy_image_exports(w->host, lib->image, symbol);
}

/* A plain library may carry a suffix that Python would accept ("libfoo.so"): only the init function
 * tells (PEP 489; non-ASCII names use PyInitU_ and are believed by their suffix). A file that
 * cannot be read is believed when its suffix names a Python. */
static bool has_init(struct wy_world *w, const struct wy_library *lib) {
    const char *dot = strchr(wy_path_base(lib->path), '.');
    if (lib->image->elf.kind != WY_ELF_OK || lib->image->elf.problem || lib->image->assumed)
        return tagged_suffix(dot) || strcmp(dot, ".abi3.so") == 0;
    const char *last = strrchr(lib->module, '.');
    last = last ? last + 1 : lib->module;
    for (const char *p = last; *p; p++)
        if ((unsigned char)*p >= 0x80)
            return true;
    return exports(w, lib, "PyInit_", last) ||
           (w->env.minor >= EXPORT_MINOR && exports(w, lib, "PyModExport_", last));
}

struct reading {
    struct wy_world *w;
    struct wy_library *libraries;
};

static void read_one(void *ctx, unsigned worker, size_t i) {
    (void)worker;
    struct reading *r = ctx;
    struct wy_library *lib = &r->libraries[i];
    lib->image = wy_host_image(r->w->host, &lib->place);
    if (lib->role == WY_ROLE_EXTENSION && !has_init(r->w, lib))
        lib->role = WY_ROLE_LIBRARY;
}

static void name_library(struct wy_world *w, const char *name, const struct wy_library *lib) {
    void **slot = wy_map_at(&w->libraries_by_name, wy_str_of(name));
    if (!*slot)
        *slot = WY_NEW(&w->arena, struct wy_named_libraries);
    struct wy_named_libraries *named = *slot;
    if (named->n && named->v[named->n - 1] == lib)
        return;
    wy_vec_push(named, lib);
}

static void set_owner(struct wy_world *w, struct wy_library *lib) {
    lib->claimed = wy_world_claimed(w, lib->path);
    lib->dist = lib->claimed && lib->claimed->nclaims ? lib->claimed->claims[0].dist
                                                      : wy_world_owner(w, &lib->place);
    if (lib->dist)
        w->files[wy_world_dist_index(w, lib->dist)].has_elf = true;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct wy_library *)a)->path, ((const struct wy_library *)b)->path);
}

/* Files that RECORDs place outside of the site directories (data scheme:
 * <prefix>/lib/libmkl_rt.so.2). */
static void take_claimed_elsewhere(struct walk *k) {
    struct wy_world *w = k->w;
    for (size_t i = 0; i < w->nclaimed; i++) {
        const struct wy_claimed *c = &w->claimed[i];
        if (c->is_so && c->presence == WY_PRESENT && c->place.entry &&
            !wy_map_get(&k->seen, wy_str_of(wy_dir_path(c->place.dir)))) {
            struct wy_arena scratch = WY_ARENA_INIT;
            take_file(k, c->place.dir, c->place.entry, wy_path_dir(&scratch, c->path));
            wy_arena_deinit(&scratch);
        }
    }
}

static void keep(struct walk *k) {
    struct wy_world *w = k->w;
    w->nlibraries = k->found.n;
    wy_vec_keep(&w->arena, &k->found);
    w->libraries = k->found.v;
    if (w->nlibraries)
        qsort(w->libraries, w->nlibraries, sizeof *w->libraries, by_path);
}

static void keep_unreadable(struct walk *k) {
    struct wy_world *w = k->w;
    for (size_t i = 0; i < w->nlibraries; i++)
        if (w->libraries[i].image->error)
            add_unreadable(k, w->libraries[i].path, w->libraries[i].image->error);
    w->nunreadable = k->unreadable.n;
    wy_vec_keep(&w->arena, &k->unreadable);
    w->unreadable = k->unreadable.v;
}

/* The file may have been met by another of its names first, by whichever thread was quicker. */
static void by_image(struct wy_world *w, struct wy_library *lib) {
    struct wy_str key = {(const char *)&lib->image, sizeof lib->image};
    void **slot = wy_map_at(&w->library_by_image, key);
    *slot = *slot ? *slot : lib;
}

void wy_world_libraries(struct wy_world *w, unsigned threads) {
    struct walk k = {.w = w};
    for (size_t i = 0; i < w->env.nhidden; i++)
        add_unreadable(&k, w->env.hidden[i].path, w->env.hidden[i].error);
    for (size_t i = 0; i < w->env.nsite_dirs; i++) {
        struct wy_dir *d;
        if (wy_tree_find_dir(w->tree, NULL, w->env.site_dirs[i], &d) == 0)
            walk_dir(&k, d, w->env.site_dirs[i]);
    }
    for (size_t i = 0; i < w->env.neditables; i++)
        walk_editable(&k, &w->env.editables[i]);
    take_claimed_elsewhere(&k);
    wy_map_deinit(&k.seen);
    keep(&k);
    for (size_t i = 0; i < w->nlibraries; i++)
        name_role(w, &w->libraries[i]);
    struct reading r = {w, w->libraries};
    wy_pool_run(threads, w->nlibraries, read_one, &r);
    for (size_t i = 0; i < w->nlibraries; i++) {
        struct wy_library *lib = &w->libraries[i];
        set_owner(w, lib);
        *wy_map_at(&w->library_by_path, wy_str_of(lib->path)) = lib;
        if (lib->dist)
            by_image(w, lib);
        name_library(w, wy_path_base(lib->path), lib);
        if (lib->image->elf.soname)
            name_library(w, lib->image->elf.soname, lib);
    }
    keep_unreadable(&k);
}
