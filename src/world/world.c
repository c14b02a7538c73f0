#include "world/internal.h"

/* The folders that are walked: the prefix of a venv or conda environment, and every site directory.
 * A system prefix (/usr) is not walked: it holds far more than Python. */
static void prefetch(struct wy_world *w, unsigned threads) {
    struct wy_dir *d;
    bool whole = w->env.kind == WY_ENV_VENV || w->env.kind == WY_ENV_CONDA;
    if (whole && wy_tree_find_dir(w->tree, NULL, w->env.prefix, &d) == 0)
        wy_tree_prefetch(w->tree, d, threads);
    for (size_t i = 0; i < w->env.nsite_dirs; i++) {
        if (whole && wy_path_below(w->env.site_dirs[i], w->env.prefix))
            continue;
        if (wy_tree_find_dir(w->tree, NULL, w->env.site_dirs[i], &d) == 0)
            wy_tree_prefetch(w->tree, d, threads);
    }
}

static void find_python(struct wy_world *w) {
    struct wy_place place;
    if (!w->env.python_real || wy_tree_find(w->tree, NULL, w->env.python_real, 0, &place) != 0)
        return;
    w->python = wy_host_image(w->host, &place);
    wy_host_set_program(w->host, w->python);
}

static void say(const struct wy_world_options *o, const char *step) {
    if (o->progress)
        o->progress(o->progress_ctx, step, 0, 0);
}

struct wy_error *wy_world_create(struct wy_tree *tree, struct wy_know *know,
                                 const struct wy_world_options *options, struct wy_world **ret) {
    struct wy_world *w = wy_alloc0(1, sizeof *w);
    w->tree = tree;
    w->know = know;
    w->isolated = options->env.isolated;
    struct wy_error *e = wy_env_read(tree, &options->env, &w->arena, &w->env);
    if (!e)
        e = wy_host_create(tree, &options->host, &w->host);
    if (e) {
        wy_world_destroy(w);
        return e;
    }
    w->sys = wy_sys_create(tree);
    find_python(w);
    say(options, "listing files");
    prefetch(w, options->threads);
    say(options, "reading packages");
    wy_dists_read(tree, &w->env, options->threads, &w->arena, &w->dists);
    wy_world_claims(w, options->hash);
    say(options, "reading libraries");
    wy_world_libraries(w, options->threads);
    wy_world_bytes(w, options);
    *ret = w;
    return NULL;
}

void wy_world_destroy(struct wy_world *w) {
    if (!w)
        return;
    for (size_t i = 0; i < w->libraries_by_name.cap; i++) {
        struct wy_named_libraries *named = w->libraries_by_name.slots[i].value;
        if (named)
            free(named->v);
    }
    wy_map_deinit(&w->libraries_by_name);
    wy_map_deinit(&w->claimed_by_path);
    wy_map_deinit(&w->library_by_path);
    wy_map_deinit(&w->library_by_image);
    free(w->owner_of);
    wy_sys_destroy(w->sys);
    if (w->host)
        wy_host_destroy(w->host);
    wy_arena_deinit(&w->arena);
    free(w);
}

const char *wy_bytes_word(enum wy_bytes b) {
    static const char *const words[] = {"unchecked", "same", "differs", "absent"};
    return words[b];
}

const struct wy_dist *wy_world_owner(const struct wy_world *w, const struct wy_place *p) {
    if (!p->entry || p->entry->id >= w->nowner_of || !w->owner_of[p->entry->id])
        return NULL;
    return &w->dists.v[w->owner_of[p->entry->id] - 1];
}

const struct wy_record_row *wy_world_recorded(const struct wy_world *w, const struct wy_place *p) {
    const struct wy_dist *d = wy_world_owner(w, p);
    if (!d)
        return NULL;
    struct wy_arena scratch = WY_ARENA_INIT;
    const char *below = wy_path_below(wy_place_path(&scratch, p), d->site);
    const struct wy_record_row *ret = NULL;
    for (size_t i = 0; below && i < d->record.n && !ret; i++)
        if (strcmp(d->record.v[i].path, below) == 0)
            ret = &d->record.v[i];
    wy_arena_deinit(&scratch);
    return ret;
}

const struct wy_dist *wy_world_image_owner(const struct wy_world *w, const struct wy_image *image) {
    struct wy_str key = {(const char *)&image, sizeof image};
    const struct wy_library *lib = wy_map_get(&w->library_by_image, key);
    return lib ? lib->dist : wy_world_owner(w, &image->place);
}

const struct wy_claimed *wy_world_claimed(const struct wy_world *w, const char *path) {
    return wy_map_get(&w->claimed_by_path, wy_str_of(path));
}

const struct wy_library **wy_world_named(const struct wy_world *w, const char *soname, size_t *n) {
    const struct wy_named_libraries *named = wy_map_get(&w->libraries_by_name, wy_str_of(soname));
    *n = named ? named->n : 0;
    return named ? named->v : NULL;
}

const struct wy_dist *wy_world_dist(const struct wy_world *w, const char *key) {
    for (size_t i = 0; i < w->dists.n; i++)
        if (strcmp(w->dists.v[i].key, key) == 0)
            return &w->dists.v[i];
    return NULL;
}

const char *wy_world_shown(const struct wy_world *w, const char *path) {
    const char *below = path ? wy_path_below(path, w->env.prefix) : NULL;
    return below && *below ? below : path;
}

size_t wy_world_dist_index(const struct wy_world *w, const struct wy_dist *d) {
    return (size_t)(d - w->dists.v);
}
