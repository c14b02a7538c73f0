/* All distributions of an environment, read in parallel, largest RECORD first. */
#include "base/path.h"
#include "base/pool.h"
#include "pip/dist_files.h"

struct work {
    struct wy_tree *tree;
    const struct wy_env *env;
    struct wy_dist_task *v;
    size_t n, cap;
    struct wy_arena *arenas; /* one per worker */
};

struct stashes {
    const char **v;
    size_t n, cap;
};

static void add_task(struct work *w, const char *site, struct wy_dir *dir, size_t index,
                     const struct wy_entry *entry, struct wy_arena *a) {
    struct wy_dist dist = {.site = site,
                           .site_dir = dir,
                           .site_index = index,
                           .info = wy_path_join(a, site, entry->name),
                           .egg = wy_ends(entry->name, ".egg-info")};
    struct wy_dist_task task = {.entry = entry, .dist = dist};
    wy_vec_push(w, task);
}

/* What pip leaves when an uninstall is killed: the first letter of the name is '~', the rest the
 * old name or part of it (pip's AdjacentTempDirectory). */
static bool is_stash(const char *name) {
    return name[0] == '~' && name[1];
}

static void list_site(struct work *w, size_t index, struct wy_arena *a, struct stashes *stashes) {
    const char *site = w->env->site_dirs[index];
    struct wy_dir *dir;
    if (wy_tree_find_dir(w->tree, NULL, site, &dir) != 0)
        return;
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i].name;
        if (is_stash(name))
            wy_vec_push(stashes, wy_path_join(a, site, name));
        else if (wy_ends(name, ".egg-info") ||
                 (wy_ends(name, ".dist-info") && entries[i].type != WY_FT_FILE))
            add_task(w, site, dir, index, &entries[i], a);
    }
}

static void weigh_one(void *ctx, unsigned worker, size_t item) {
    struct work *w = ctx;
    (void)worker;
    wy_dist_weigh(w->tree, &w->v[item]);
}

static void read_one(void *ctx, unsigned worker, size_t item) {
    struct work *w = ctx;
    wy_dist_read(w->tree, &w->v[item], &w->arenas[worker]);
}

static int heavier(const void *a, const void *b) {
    const struct wy_dist_task *x = a, *y = b;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

static int in_order(const void *a, const void *b) {
    const struct wy_dist *x = a, *y = b;
    int c = strcmp(x->key, y->key);
    if (c)
        return c;
    if (x->site_index != y->site_index)
        return x->site_index < y->site_index ? -1 : 1;
    return strcmp(x->info, y->info);
}

static void read_all(struct work *w, unsigned threads, struct wy_arena *a) {
    if (threads == 0)
        threads = 1;
    w->arenas = wy_alloc0(threads, sizeof *w->arenas);
    wy_pool_run(threads, w->n, weigh_one, w);
    if (w->n)
        qsort(w->v, w->n, sizeof *w->v, heavier);
    wy_pool_run(threads, w->n, read_one, w);
    for (unsigned i = 0; i < threads; i++)
        wy_arena_adopt(a, &w->arenas[i]);
    free(w->arenas);
}

void wy_dists_read(struct wy_tree *t, const struct wy_env *env, unsigned threads,
                   struct wy_arena *a, struct wy_dists *ret) {
    struct work w = {.tree = t, .env = env};
    struct stashes stashes = {0};
    for (size_t i = 0; i < env->nsite_dirs; i++)
        list_site(&w, i, a, &stashes);
    read_all(&w, threads, a);
    *ret = (struct wy_dists){.n = w.n, .nstashes = stashes.n};
    ret->v = wy_arena_alloc(a, w.n * sizeof *ret->v);
    for (size_t i = 0; i < w.n; i++)
        ret->v[i] = w.v[i].dist;
    if (w.n)
        qsort(ret->v, w.n, sizeof *ret->v, in_order);
    wy_vec_keep(a, &stashes);
    ret->stashes = stashes.v;
    wy_vec_free(&w);
}
