/* Changes → a layer over the tree: what the commands delete is hidden, what they bring is promised,
 * with its content where an installer keeps it. */
#include "base/buf.h"
#include "base/path.h"
#include "pip/version.h"
#include "plan/change.h"
#include "plan/copies.h"
#include "plan/plan.h"

enum { MOST_PATH = 4096 };

struct build {
    const struct wy_case *c;
    const struct wy_world *w;
    const struct wy_changes *all;
    struct wy_layer *layer;
    struct wy_arena *arena;
    struct wy_promises *promises;
    struct wy_map hidden, known; /* paths; folders above them */
    WY_VEC(const char *) folders;
};

/* Where a row of a RECORD leads; NULL for one that no file can have. */
static const char *path_in(struct build *b, const char *site, const char *row) {
    const char *path =
        strlen(row) < MOST_PATH ? wy_path_clean(b->arena, wy_path_join(b->arena, site, row)) : NULL;
    return path && path[1] && strlen(path) < MOST_PATH ? path : NULL;
}

/* ---- uninstalling ---- */

static void hide(struct build *b, const char *path) {
    wy_layer_hide(b->layer, path);
    *wy_map_at(&b->hidden, wy_str_of(path)) = b;
}

/* The folders between the site directory and a path. */
static void note_folders(struct build *b, const char *site, const char *path) {
    for (const char *dir = wy_path_dir(b->arena, path); strcmp(dir, site) != 0;
         dir = wy_path_dir(b->arena, dir)) {
        void **slot = wy_path_below(dir, site) ? wy_map_at(&b->known, wy_str_of(dir)) : NULL;
        if (!slot || *slot)
            return;
        *slot = b;
        wy_vec_push(&b->folders, dir);
    }
}

static bool empties(struct build *b, const char *folder) {
    struct wy_dir *dir;
    size_t n;
    if (wy_tree_find_dir(b->w->tree, NULL, folder, &dir) != 0)
        return false;
    const struct wy_entry *v = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(v[i].name, "__pycache__") != 0 &&
            !wy_map_get(&b->hidden, wy_str_of(wy_path_join(b->arena, folder, v[i].name))))
            return false;
    return true;
}

static int longest_first(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    size_t n = strlen(*x), m = strlen(*y);
    return n != m ? (n > m ? -1 : 1) : strcmp(*x, *y);
}

/* An installer deletes every path of the RECORD, whoever wrote it last, and the folders that become
 * empty: one that stayed would still be importable. */
static bool uninstall(struct build *b, const struct wy_dist *d) {
    const char *site = wy_dir_path(d->site_dir);
    for (size_t i = 0; i < d->record.n; i++) {
        const char *path = path_in(b, site, d->record.v[i].path);
        if (!path)
            continue;
        hide(b, path);
        note_folders(b, site, path);
    }
    hide(b, wy_path_join(b->arena, site, wy_path_base(d->info)));
    if (b->folders.n)
        qsort(b->folders.v, b->folders.n, sizeof *b->folders.v, longest_first);
    for (size_t i = 0; i < b->folders.n; i++)
        if (empties(b, b->folders.v[i]))
            hide(b, b->folders.v[i]);
    wy_vec_free(&b->folders);
    return true;
}

/* ---- installing ---- */

static void promise(struct build *b, const char *path, int64_t size, const struct wy_place *copy) {
    wy_layer_promise(b->layer, path, size > 0 ? (uint64_t)size : 0, copy);
    b->promises->assumed += copy == NULL;
}

static void promise_cached(struct build *b, const char *path, const struct wy_place *copy) {
    wy_layer_promise(b->layer, path, 0, copy);
    b->promises->cached++;
}

static void write_text(struct build *b, const char *path, const char *text) {
    wy_layer_write(b->layer, path, wy_str_of(text));
}

/* "NAME.data/SCHEME/rest": where the rest goes (wheel specification, "The .data directory"); NULL
 * for what no library or module can be. */
static const char *target_of(struct build *b, const char *site, const char *row) {
    struct wy_str rest, first = wy_str_cut(wy_str_of(row), '/', &rest);
    if (!rest.p || !wy_str_ends(first, ".data"))
        return path_in(b, site, row);
    struct wy_str scheme = wy_str_cut(rest, '/', &rest);
    const char *into = wy_str_is(scheme, "purelib") || wy_str_is(scheme, "platlib") ? site
                       : wy_str_is(scheme, "data") ? b->w->env.prefix
                                                   : NULL;
    return into && rest.p ? path_in(b, into, wy_arena_str(b->arena, rest)) : NULL;
}

/* All of an unpacked wheel. */
static void place_copy(struct build *b, const struct wy_copy *copy, const char *site) {
    for (size_t i = 0; i < copy->record.n; i++) {
        const struct wy_record_row *row = &copy->record.v[i];
        struct wy_place place;
        const char *path = target_of(b, site, row->path);
        if (path && wy_tree_find(b->w->tree, copy->dir, row->path, 0, &place) == 0 && place.entry &&
            place.entry->type == WY_FT_FILE)
            promise_cached(b, path, &place);
    }
}

/* The fitting one of the highest version. */
static const struct wy_copy *best_copy(const struct build *b, const struct wy_copies *all) {
    const struct wy_copy *best = NULL;
    struct wy_version of_best = {0}, v;
    for (size_t i = 0; i < all->n; i++) {
        if (!wy_copy_fits(&all->v[i], b->w) ||
            !wy_version_parse(wy_str_of(all->v[i].version), &v) ||
            (best && wy_version_compare(&v, &of_best) <= 0))
            continue;
        best = &all->v[i];
        of_best = v;
    }
    return best;
}

/* The first folder of packages below the prefix: what an installer writes to. */
static const char *site_of(const struct build *b) {
    const struct wy_env *e = &b->w->env;
    const char *text = e->nsite_dirs ? e->site_dirs[0] : NULL;
    for (size_t i = e->nsite_dirs; i-- > 0;)
        if (wy_path_below(e->site_dirs[i], e->prefix))
            text = e->site_dirs[i];
    struct wy_dir *dir;
    return text && wy_tree_find_dir(b->w->tree, NULL, text, &dir) == 0 ? wy_dir_path(dir) : NULL;
}

/* A dist-info folder as small as one can be, so that what is promised has an owner. */
static void promise_info(struct build *b, const char *site, const char *name, const char *version,
                         const char *record) {
    const char *stem = wy_arena_printf(b->arena, "%s/%s-%s.dist-info", site, name, version);
    write_text(
        b, wy_path_join(b->arena, stem, "METADATA"),
        wy_arena_printf(b->arena, "Metadata-Version: 2.1\nName: %s\nVersion: %s\n", name, version));
    write_text(b, wy_path_join(b->arena, stem, "RECORD"), record);
}

/* The libraries that the table of providers knows of the package. */
static bool place_provided(struct build *b, const char *key, const char *version,
                           const char *site) {
    const struct wy_know *k = b->w->know;
    wy_auto_buf record = {0};
    for (size_t i = 0; i < k->nproviders; i++) {
        const struct wy_provider *p = &k->providers[i];
        static const char prefix[] = "<prefix>";
        if (!wy_dist_key_is(wy_str_of(p->package), key) || strchr(p->soname, 'X'))
            continue;
        const char *folder = wy_starts(p->site_dir, prefix)
                                 ? wy_arena_printf(b->arena, "%s%s", b->w->env.prefix,
                                                   p->site_dir + sizeof prefix - 1)
                                 : wy_path_join(b->arena, site, p->site_dir);
        const char *path = path_in(b, folder, p->soname);
        if (!path)
            continue;
        promise(b, path, 0, NULL);
        const char *below = wy_path_below(path, site);
        wy_buf_printf(&record, "%s,,\n", below ? below : path);
    }
    if (!record.n)
        return false;
    promise_info(b, site, key, version ? version : "0",
                 wy_arena_cstr(b->arena, wy_buf_text(&record)));
    return true;
}

static bool install(struct build *b, const struct wy_change *change) {
    const char *key = change->name ? wy_dist_key(b->arena, wy_str_of(change->name)) : NULL;
    const char *site = site_of(b);
    if (!key || !site || !wy_name_valid(key) ||
        (change->version && !wy_version_valid(change->version)))
        return false;
    const struct wy_dist *before = wy_world_dist(b->w, key);
    if (before)
        uninstall(b, before);
    struct wy_copies copies;
    wy_copies_find(b->w, key, change->version, b->arena, &copies);
    const struct wy_copy *copy = best_copy(b, &copies);
    if (copy) {
        place_copy(b, copy, site);
        b->promises->assumed += !change->version; /* the installer may choose a later one */
    }
    bool told = copy || place_provided(b, key, change->version, site);
    wy_copies_deinit(&copies);
    return told;
}

/* ---- putting back ---- */

static bool is_suspect(const struct build *b, const char *spelled) {
    return wy_map_get(&b->all->suspects, wy_str_of(wy_world_shown(b->w, spelled))) != NULL;
}

/* Whether the file on disk is taken for what the row records. */
static bool is_sound(const struct build *b, const struct wy_dist *d,
                     const struct wy_record_row *row) {
    const char *spelled = wy_path_clean(b->arena, wy_path_join(b->arena, d->site, row->path));
    const struct wy_claimed *k = wy_world_claimed(b->w, spelled);
    if (is_suspect(b, spelled) || (k && k->presence != WY_PRESENT))
        return false;
    for (size_t i = 0; k && i < k->nclaims; i++) {
        const struct wy_claim *claim = &k->claims[i];
        bool own = claim->dist == d;
        if (own && (claim->bytes == WY_BYTES_DIFFERS || claim->bytes == WY_BYTES_ABSENT))
            return false;
        if (!own && claim->bytes == WY_BYTES_SAME && !wy_str_eq(claim->row->hash, row->hash))
            return false;
    }
    return !k || !k->sized || row->size < 0 || k->size == (uint64_t)row->size;
}

static bool find_copy(const struct build *b, const struct wy_copies *copies,
                      const struct wy_record_row *row, struct wy_place *ret) {
    for (size_t i = 0; i < copies->n; i++)
        if (wy_copy_file(&copies->v[i], b->w, row, ret))
            return true;
    return false;
}

static bool regular_file(const struct build *b, const char *path, struct wy_place *ret) {
    return wy_tree_find(b->w->tree, NULL, path, 0, ret) == 0 && ret->entry &&
           ret->entry->type == WY_FT_FILE;
}

/* Byte code and what the installer writes itself carry no hash: nothing is loaded from there. */
static void put_row(struct build *b, const struct wy_dist *d, const struct wy_record_row *row,
                    const struct wy_copies *copies) {
    const char *path = path_in(b, wy_dir_path(d->site_dir), row->path);
    struct wy_place place;
    if (!path || wy_ends(path, ".pyc"))
        return;
    bool sound = is_sound(b, d, row), hidden = wy_map_get(&b->hidden, wy_str_of(path)) != NULL;
    if (sound && !hidden)
        return;
    bool known = sound ? regular_file(b, path, &place) : find_copy(b, copies, row, &place);
    if (!row->hash.n && !known && !wy_path_is_so(path))
        return;
    if (known && !sound)
        promise_cached(b, path, &place);
    else
        promise(b, path, row->size, known ? &place : NULL);
}

/* The name that an extension module has in a wheel for this Python, if the row names one. */
static const char *own_name(const struct build *b, const char *row) {
    const struct wy_env *e = &b->w->env;
    const char *base = wy_path_base(row), *dot = strchr(base, '.');
    if (!dot || !e->next_suffixes || !wy_ends(base, ".so") ||
        (!wy_starts(dot, ".cpython-") && !wy_starts(dot, ".pypy")))
        return row;
    return wy_arena_printf(b->arena, "%.*s%s", (int)(dot - row), row, e->ext_suffixes[0]);
}

/* No wheel for this Python and machine is at hand: it is taken to bring the same modules. */
static void assume_other_wheel(struct build *b, const struct wy_dist *d) {
    wy_auto_buf record = {0};
    struct wy_place place;
    const char *site = wy_dir_path(d->site_dir);
    for (size_t i = 0; i < d->record.n; i++) {
        const char *row = d->record.v[i].path, *name = own_name(b, row);
        const char *path = path_in(b, site, name);
        if (!path || wy_ends(path, ".pyc") || strpbrk(name, "\",\n\r"))
            continue;
        bool keep = !wy_path_is_so(name) && regular_file(b, path, &place);
        promise(b, path, keep ? d->record.v[i].size : 0, keep ? &place : NULL);
        wy_buf_printf(&record, "%s,,\n", name);
    }
    const char *info = wy_path_join(b->arena, site, wy_path_base(d->info));
    write_text(b, wy_path_join(b->arena, info, "RECORD"),
               wy_arena_cstr(b->arena, wy_buf_text(&record)));
    write_text(b, wy_path_join(b->arena, info, "WHEEL"), "Wheel-Version: 1.0\nTag: py3-none-any\n");
}

/* uv takes away every recorded version before it installs one; pip the one that it finds first. */
static void remove_others(struct build *b, const struct wy_dist *d) {
    const struct wy_dists *all = &b->w->dists;
    for (size_t i = 0; i < all->n; i++)
        if (&all->v[i] != d && strcmp(all->v[i].key, d->key) == 0 &&
            all->v[i].site_dir == d->site_dir)
            uninstall(b, &all->v[i]);
}

static bool put_back(struct build *b, const struct wy_change *change) {
    const struct wy_dist *d = change->dist;
    if (wy_plan_installer(b->c, d) == WY_BY_UV)
        remove_others(b, d);
    struct wy_copies copies;
    wy_copies_find(b->w, d->key, d->version, b->arena, &copies);
    bool anew = change->other_wheel || !d->record.n;
    const struct wy_copy *copy = anew ? best_copy(b, &copies) : NULL;
    if (anew && d->record.n)
        uninstall(b, d);
    if (copy)
        place_copy(b, copy, wy_dir_path(d->site_dir));
    else if (anew && d->record.n)
        assume_other_wheel(b, d);
    for (size_t i = 0; !anew && i < d->record.n; i++)
        put_row(b, d, &d->record.v[i], &copies);
    wy_copies_deinit(&copies);
    return copy || d->record.n;
}

/* ---- the system ---- */

/* A file of a package that is there, or a library in the first folder of the loader. */
static bool place_system(struct build *b, const struct wy_change *change) {
    const struct wy_host *h = b->w->host;
    const char *path = strchr(change->name, '/') ? path_in(b, b->w->env.prefix, change->name)
                       : h->ndefault_dirs        ? path_in(b, h->default_dirs[0], change->name)
                                                 : NULL;
    struct wy_dir *dir;
    if (!path)
        return false;
    if (wy_tree_find_dir(b->w->tree, NULL, wy_path_dir(b->arena, path), &dir) == 0)
        path = wy_path_join(b->arena, wy_dir_path(dir), wy_path_base(path));
    promise(b, path, 0, NULL);
    return true;
}

static bool apply(struct build *b, const struct wy_change *change) {
    switch (change->kind) {
    case WY_CHANGE_REMOVE:
        return uninstall(b, change->dist);
    case WY_CHANGE_PUT_BACK:
        return put_back(b, change);
    case WY_CHANGE_INSTALL:
        return install(b, change);
    case WY_CHANGE_SYSTEM:
        return place_system(b, change);
    case WY_CHANGE_VARIABLE:
        break; /* the process differs, not the tree */
    }
    return true;
}

bool wy_changes_layer(const struct wy_case *c, const struct wy_changes *all, size_t n,
                      struct wy_layer *l, struct wy_promises *ret) {
    struct build b = {
        .c = c, .w = c->world, .all = all, .layer = l, .arena = c->arena, .promises = ret};
    *ret = (struct wy_promises){0};
    bool told = true;
    for (size_t i = 0; i < n && told; i++)
        told = apply(&b, &all->v[i]);
    wy_map_deinit(&b.hidden);
    wy_map_deinit(&b.known);
    wy_vec_free(&b.folders);
    return told;
}
