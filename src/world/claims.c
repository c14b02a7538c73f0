/* Rows of all RECORDs against the tree: what is there, what is gone, who claims the same path.
 *
 * A path with one owner that is there and is no library costs two table look-ups and no memory: the
 * owner is kept by entry id. Only what may matter becomes a `struct wy_claimed`. */
#include "world/internal.h"

#include <errno.h>

struct first_claim { /* by entry id: the claim that came first */
    const struct wy_record_row *row;
};

struct claims {
    struct wy_world *w;
    bool all;                  /* keep every row, for --hash */
    struct first_claim *first; /* as long as owner_of */
    WY_VEC(struct wy_claimed *) made;
    const struct wy_dist *dist;
    const char *scheme_root; /* of the current dist's site directory: data files may lie below it */
    /* the directory of the previous row: RECORDs are sorted, so it is mostly the same */
    struct wy_str last_dir;
    struct wy_dir *dir;
    int dir_error;
    bool dir_outside;
};

static void grow_tables(struct claims *c, size_t id) {
    size_t old = c->w->nowner_of, want = id + 1;
    if (want <= old)
        return;
    want = want < wy_tree_ids(c->w->tree) ? wy_tree_ids(c->w->tree) : want;
    c->w->owner_of = wy_realloc(c->w->owner_of, want, sizeof *c->w->owner_of);
    c->first = wy_realloc(c->first, want, sizeof *c->first);
    memset(c->w->owner_of + old, 0, (want - old) * sizeof *c->w->owner_of);
    memset(c->first + old, 0, (want - old) * sizeof *c->first);
    c->w->nowner_of = want;
}

/* The folder that a wheel's data files go to: what is above lib/python3.Y/site-packages (or
 * dist-packages). A site directory of another shape has no such folder: then itself. */
static const char *scheme_root(struct wy_arena *a, const char *site) {
    const char *python = wy_path_dir(a, site), *lib = wy_path_dir(a, python);
    bool shape = wy_starts(wy_path_base(python), "python") && wy_starts(wy_path_base(lib), "lib");
    const char *root = shape ? wy_path_dir(a, lib) : site;
    return *root ? root : "/";
}

/* Rows may lead out of the site directory (`../../../bin/x`) but not out of the environment. */
static bool outside(struct claims *c, const char *path) {
    return !wy_path_below(path, c->w->env.prefix) && !wy_path_below(path, c->scheme_root) &&
           !wy_path_below(path, c->dist->site);
}

static void enter_dir(struct claims *c, struct wy_str dir) {
    struct wy_world *w = c->w;
    struct wy_arena scratch = WY_ARENA_INIT;
    c->last_dir = dir;
    c->dir = NULL;
    const char *text = wy_arena_str(&scratch, dir);
    c->dir_outside = false;
    if (dir.n && (text[0] == '/' || strstr(text, "..")))
        c->dir_outside =
            outside(c, wy_path_clean(&scratch, wy_path_join(&scratch, c->dist->site, text)));
    c->dir_error = c->dir_outside ? EACCES
                   : dir.n        ? wy_tree_find_dir(w->tree, c->dist->site_dir, text, &c->dir)
                                  : 0;
    if (!dir.n)
        c->dir = c->dist->site_dir;
    wy_arena_deinit(&scratch);
}

/* A file of byte code, or the folder for them: virtualenv lists the folder. */
static bool is_bytecode(const char *name) {
    return wy_ends(name, ".pyc") || wy_ends(name, ".pyo") || strcmp(name, "__pycache__") == 0;
}

static struct wy_claimed *claimed_at(struct claims *c, const struct wy_record_row *row) {
    struct wy_world *w = c->w;
    char *path = wy_path_clean(&w->arena, wy_path_join(&w->arena, c->dist->site, row->path));
    void **slot = wy_map_at(&w->claimed_by_path, wy_str_of(path));
    if (!*slot) {
        struct wy_claimed *made = WY_NEW(&w->arena, struct wy_claimed);
        made->path = path;
        made->shown = wy_world_shown(w, path);
        made->is_so = wy_path_is_so(wy_path_base(path));
        *slot = made;
        wy_vec_push(&c->made, made);
    }
    return *slot;
}

static void add_claim(struct claims *c, struct wy_claimed *claimed, const struct wy_dist *dist,
                      const struct wy_record_row *row) {
    size_t n = claimed->nclaims;
    if (n && claimed->claims[n - 1].dist == dist)
        return;               /* a row written twice: dists come one after the other */
    if ((n & (n - 1)) == 0) { /* the room is the next power of two */
        struct wy_claim *grown =
            wy_arena_alloc(&c->w->arena, (n ? n * 2 : 1) * sizeof *claimed->claims);
        if (n)
            memcpy(grown, claimed->claims, n * sizeof *grown);
        claimed->claims = grown;
    }
    claimed->claims[n] = (struct wy_claim){dist, row, WY_BYTES_UNCHECKED};
    claimed->nclaims++;
}

static void count_row(struct wy_dist_files *f, bool is_so, enum wy_presence presence) {
    f->recorded++;
    f->libraries += is_so;
    f->has_elf |= is_so;
    f->missing += presence == WY_GONE;
    f->dangling += presence == WY_DANGLING;
    f->libraries_missing += is_so && presence == WY_GONE;
    f->libraries_dangling += is_so && presence == WY_DANGLING;
}

/* Errors that say that nothing is there. After any other, nobody knows. */
static bool is_absence(int error) {
    return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG;
}

/* A folder in place of a module is none: importlib passes over it. What the loader makes of one in
 * place of a library is its own matter. */
static bool stands_in(const struct wy_entry *entry, const char *name) {
    return entry && (entry->type != WY_FT_DIR || !(wy_ends(name, ".so") || wy_ends(name, ".py")));
}

/* Looks a name up; for a link, where it leads. *hidden: this user may not see whether it is there.
 */
static enum wy_presence look_up(struct claims *c, const char *name, struct wy_place *ret,
                                bool *hidden) {
    const struct wy_entry *entry = c->dir ? wy_dir_get(c->dir, name) : NULL;
    *ret = (struct wy_place){.dir = c->dir, .entry = entry};
    *hidden = false;
    if (!entry) {
        struct wy_place none;
        int error =
            c->dir ? wy_tree_find(c->w->tree, c->dir, name, WY_FIND_NOFOLLOW, &none) : c->dir_error;
        *hidden = error && !is_absence(error);
        return WY_GONE;
    }
    if (entry->type != WY_FT_LINK)
        return stands_in(entry, name) ? WY_PRESENT : WY_GONE;
    struct wy_place target;
    int error = wy_tree_find(c->w->tree, c->dir, name, 0, &target);
    if (is_absence(error))
        return WY_DANGLING;
    return error || stands_in(target.entry, name) ? WY_PRESENT : WY_GONE;
}

static void take_row(struct claims *c, size_t dist_index, const struct wy_record_row *row) {
    struct wy_world *w = c->w;
    struct wy_dist_files *sums = &w->files[dist_index];
    const char *name = wy_path_base(row->path);
    struct wy_str dir = {row->path, name == row->path ? 0 : (size_t)(name - row->path - 1)};
    if (!*name)
        return;
    if (!wy_str_eq(dir, c->last_dir) || (!c->dir && !c->dir_error))
        enter_dir(c, dir);
    if (c->dir_outside) {
        sums->outside++;
        return;
    }
    struct wy_place place;
    bool hidden, is_so = wy_path_is_so(name);
    enum wy_presence presence = look_up(c, name, &place, &hidden);
    if (hidden) {
        sums->hidden++;
        return;
    }
    if (presence != WY_PRESENT && is_bytecode(name))
        return;
    if (!is_bytecode(name))
        count_row(sums, is_so, presence);
    uint32_t id = place.entry ? place.entry->id : 0;
    uint32_t before = 0;
    if (place.entry) {
        grow_tables(c, id);
        before = w->owner_of[id];
        if (!before) {
            w->owner_of[id] = (uint32_t)dist_index + 1;
            c->first[id].row = row;
        }
    }
    bool several = before && before != dist_index + 1;
    if (presence == WY_PRESENT && !is_so && !several && !(c->all && row->hash.n))
        return;
    struct wy_claimed *claimed = claimed_at(c, row);
    claimed->presence = presence;
    if (place.entry)
        claimed->place = place;
    if (presence == WY_DANGLING && !claimed->link_target) {
        char *target = NULL;
        wy_place_readlink(w->tree, &place, &w->arena, &target);
        claimed->link_target = target;
    }
    if (several && claimed->nclaims == 0)
        add_claim(c, claimed, &w->dists.v[before - 1], c->first[id].row);
    add_claim(c, claimed, c->dist, row);
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct wy_claimed *)a)->path, ((const struct wy_claimed *)b)->path);
}

/* From pointers in order of meeting to an array in order of path; the map follows. */
static void sort_claimed(struct claims *c) {
    struct wy_world *w = c->w;
    w->nclaimed = c->made.n;
    w->claimed = wy_arena_alloc(&w->arena, (c->made.n + 1) * sizeof *w->claimed);
    for (size_t i = 0; i < c->made.n; i++)
        w->claimed[i] = *c->made.v[i];
    wy_vec_free(&c->made);
    qsort(w->claimed, w->nclaimed, sizeof *w->claimed, by_path);
    for (size_t i = 0; i < w->nclaimed; i++)
        *wy_map_at(&w->claimed_by_path, wy_str_of(w->claimed[i].path)) = &w->claimed[i];
}

/* Each distribution's own part of what is claimed, in one block. */
static void part_by_dist(struct wy_world *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->nclaimed; i++) {
        n += w->claimed[i].nclaims;
        for (size_t k = 0; k < w->claimed[i].nclaims; k++)
            w->files[wy_world_dist_index(w, w->claimed[i].claims[k].dist)].nclaimed++;
    }
    const struct wy_claimed **at = wy_arena_alloc(&w->arena, (n + 1) * sizeof *at);
    for (size_t i = 0; i < w->dists.n; i++) {
        w->files[i].claimed = at;
        at += w->files[i].nclaimed;
        w->files[i].nclaimed = 0;
    }
    for (size_t i = 0; i < w->nclaimed; i++)
        for (size_t k = 0; k < w->claimed[i].nclaims; k++) {
            struct wy_dist_files *f =
                &w->files[wy_world_dist_index(w, w->claimed[i].claims[k].dist)];
            f->claimed[f->nclaimed++] = &w->claimed[i];
        }
}

void wy_world_claims(struct wy_world *w, bool all) {
    struct claims c = {.w = w, .all = all};
    w->files = wy_arena_zero(&w->arena, (w->dists.n + 1) * sizeof *w->files);
    for (size_t i = 0; i < w->dists.n; i++) {
        c.dist = &w->dists.v[i];
        c.scheme_root = scheme_root(&w->arena, c.dist->site);
        c.last_dir = (struct wy_str){NULL, 0};
        c.dir = NULL;
        c.dir_error = 0;
        for (size_t r = 0; r < c.dist->record.n; r++)
            take_row(&c, i, &c.dist->record.v[r]);
    }
    free(c.first);
    sort_claimed(&c);
    part_by_dist(w);
}
