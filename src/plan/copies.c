#include "plan/copies.h"

#include "base/path.h"
#include "base/vec.h"

#include <stdio.h>

static const char *cache_folder(const struct wy_world *w, struct wy_arena *a) {
    const char *own = wy_host_getenv(w->host, "UV_CACHE_DIR");
    const char *xdg = wy_host_getenv(w->host, "XDG_CACHE_HOME");
    const char *home = wy_host_getenv(w->host, "HOME");
    if (own && own[0] == '/')
        return own;
    if (xdg && xdg[0] == '/')
        return wy_path_join(a, xdg, "uv");
    return home && home[0] == '/' ? wy_path_join(a, home, ".cache/uv") : NULL;
}

struct finding {
    const struct wy_world *w;
    const char *key, *version;
    struct wy_arena *a;
    struct wy_copies *found;
};

/* Reads the one dist-info of an unpacked wheel. False when there is none. */
static bool read_record(struct finding *f, struct wy_copy *c) {
    size_t n;
    struct wy_str text;
    const struct wy_entry *v = wy_dir_entries(c->dir, &n);
    for (size_t i = 0; i < n && !c->info; i++)
        if (wy_ends(v[i].name, ".dist-info"))
            c->info = v[i].name;
    if (!c->info || wy_tree_slurp(f->w->tree, c->dir, wy_path_join(f->a, c->info, "RECORD"),
                                  WY_RECORD_MAX_BYTES, f->a, &text) != 0)
        return false;
    char *bytes = wy_arena_str(f->a, text);
    wy_record_parse(bytes, text.n, f->a, &c->record);
    for (size_t i = 0; i < c->record.n; i++)
        *wy_map_at(&c->by_path, wy_str_of(c->record.v[i].path)) = &c->record.v[i];
    return c->record.n > 0;
}

static void end_copy(struct wy_copy *c) {
    wy_map_deinit(&c->by_path);
    free(c->record.v);
}

/* "2.10.0-cp311-cp311-…" in a folder of one package. */
static void take(struct finding *f, struct wy_dir *folder, const struct wy_entry *e) {
    const char *dash = strchr(e->name, '-');
    size_t n = dash ? (size_t)(dash - e->name) : 0;
    if (!n || (f->version && (strlen(f->version) != n || strncmp(f->version, e->name, n) != 0)))
        return;
    struct wy_copy c = {.tags = dash + 1,
                        .version = wy_arena_str(f->a, (struct wy_str){e->name, n})};
    if (wy_tree_find_dir(f->w->tree, folder, e->name, &c.dir) == 0 && read_record(f, &c))
        wy_vec_push(f->found, c);
    else
        end_copy(&c);
}

static void look_in(struct finding *f, struct wy_dir *index) {
    struct wy_dir *folder;
    size_t n;
    if (wy_tree_find_dir(f->w->tree, index, f->key, &folder) != 0)
        return;
    const struct wy_entry *v = wy_dir_entries(folder, &n);
    for (size_t i = 0; i < n; i++)
        if (v[i].type != WY_FT_FILE)
            take(f, folder, &v[i]);
}

/* wheels-vN: what came from the default index, and from each other one. */
static void look_in_wheels(struct finding *f, struct wy_dir *wheels) {
    struct wy_dir *d;
    size_t n;
    if (wy_tree_find_dir(f->w->tree, wheels, "pypi", &d) == 0)
        look_in(f, d);
    if (wy_tree_find_dir(f->w->tree, wheels, "index", &d) != 0)
        return;
    const struct wy_entry *v = wy_dir_entries(d, &n);
    struct wy_dir *index;
    for (size_t i = 0; i < n; i++)
        if (wy_tree_find_dir(f->w->tree, d, v[i].name, &index) == 0)
            look_in(f, index);
}

void wy_copies_find(const struct wy_world *w, const char *key, const char *version,
                    struct wy_arena *a, struct wy_copies *ret) {
    struct finding f = {w, key, version, a, ret};
    struct wy_dir *cache, *wheels;
    size_t n;
    *ret = (struct wy_copies){0};
    const char *path = cache_folder(w, a);
    if (!path || !wy_name_valid(key) || wy_tree_find_dir(w->tree, NULL, path, &cache) != 0)
        return;
    const struct wy_entry *v = wy_dir_entries(cache, &n);
    for (size_t i = 0; i < n; i++)
        if (wy_starts(v[i].name, "wheels-v") &&
            wy_tree_find_dir(w->tree, cache, v[i].name, &wheels) == 0)
            look_in_wheels(&f, wheels);
}

void wy_copies_deinit(struct wy_copies *c) {
    for (size_t i = 0; i < c->n; i++)
        end_copy(&c->v[i]);
    wy_vec_free(c);
}

bool wy_copy_fits(const struct wy_copy *c, const struct wy_world *w) {
    struct wy_str platform, tags = wy_str_of(c->tags);
    size_t dashes = 0;
    for (size_t i = 0; i < tags.n; i++)
        dashes += tags.p[i] == '-';
    if (dashes > 2) /* a build number stands in front */
        wy_str_cut(tags, '-', &tags);
    bool speaks = wy_tag_fits_python(tags, &w->env, &platform);
    const char *machine =
        wy_elf_machine_uname(w->host->machine, w->host->is64, w->host->big_endian);
    bool musl = w->host->libc == WY_LIBC_MUSL;
    bool runs = wy_str_is(platform, "any") ||
                (machine && wy_str_find(platform, wy_str_of(machine)) != SIZE_MAX &&
                 (wy_str_find(platform, WY_STR("musllinux")) != SIZE_MAX) == musl);
    return speaks && runs;
}

bool wy_copy_file(const struct wy_copy *c, const struct wy_world *w,
                  const struct wy_record_row *row, struct wy_place *ret) {
    const struct wy_record_row *own = wy_map_get(&c->by_path, wy_str_of(row->path));
    struct wy_node node;
    if (!own || !own->hash.n || !wy_str_eq(own->hash, row->hash) ||
        wy_tree_find(w->tree, c->dir, row->path, 0, ret) != 0 || !ret->entry ||
        ret->entry->type != WY_FT_FILE || wy_place_stat(w->tree, ret, &node) != 0)
        return false;
    return own->size < 0 || node.size == (uint64_t)own->size;
}
