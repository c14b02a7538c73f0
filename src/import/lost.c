/* Modules that a package's RECORD lists and that are not found: deleted, links to nothing, or
 * behind another package of that name, which comes first on sys.path and has no such part. `import
 * M` of one is a failure with evidence, like a library that is gone. Where its folder is still
 * there, Python makes an empty namespace package of it (PEP 420) and says nothing. */
#include "base/buf.h"
#include "import/internal.h"

#include <inttypes.h>

/* The claim on a recorded file that is gone, or NULL. The suffix is put behind the stem.
 */
static const struct wy_claimed *gone(struct wy_importer *im, struct wy_buf *path, size_t stem,
                                     const char *suffix) {
    path->n = stem;
    wy_buf_str(path, suffix);
    const struct wy_claimed *k = wy_world_claimed(im->world, path->p);
    return k && k->presence != WY_PRESENT ? k : NULL;
}

/* By the finder's suffixes, extensions before sources. */
static const struct wy_claimed *gone_module(struct wy_importer *im, const char *folder,
                                            const char *stem) {
    const struct wy_env *env = &im->world->env;
    const struct wy_claimed *k = NULL;
    wy_auto_buf path = {0};
    wy_buf_str(&path, folder);
    wy_buf_char(&path, '/');
    wy_buf_str(&path, stem);
    size_t n = path.n;
    for (size_t i = 0; i < env->next_suffixes && !k; i++)
        k = gone(im, &path, n, env->ext_suffixes[i]);
    return k ? k : gone(im, &path, n, ".py");
}

static bool is_code(const char *path) {
    return wy_ends(path, ".py") || wy_ends(path, ".so");
}

/* An __init__.py that makes a namespace (pkgutil, pkg_resources) is a few lines long. Several
 * packages share it; when one of them takes it away, the folder works as before (PEP 420). */
enum { LONGEST_NAMESPACE_INIT = 1024 };

/* Whether something that this package put into the folder can still be imported. */
static bool code_is_left(struct wy_importer *im, const struct wy_dist *d, const char *folder,
                         struct wy_arena *scratch) {
    const char *below = wy_path_below(folder, d->site);
    for (size_t i = 0; below && i < d->record.n; i++) {
        const char *row = d->record.v[i].path; /* a RECORD may have two million */
        if (!wy_path_below(row, below) || !is_code(row))
            continue;
        const char *path = wy_path_join(scratch, d->site, row);
        const struct wy_claimed *k = wy_world_claimed(im->world, path);
        if (!k || k->presence == WY_PRESENT)
            return true;
    }
    return false;
}

/* An __init__.py without which the folder works as before. */
static bool not_missed(struct wy_importer *im, const struct wy_claimed *init, const char *folder,
                       struct wy_arena *scratch) {
    int64_t size = init->claims[0].row->size;
    return size == 0 || (size <= LONGEST_NAMESPACE_INIT &&
                         code_is_left(im, init->claims[0].dist, folder, scratch));
}

/* Where an extension is gone, a folder of its name may be found in its place, of stubs for one. */
static const char *lost_in(struct wy_importer *im, const char *place, struct wy_spec *spec,
                           struct wy_arena *scratch) {
    const char *folder = wy_path_join(scratch, place, spec->leaf);
    const struct wy_claimed *init = gone_module(im, folder, "__init__");
    const struct wy_claimed *k = init ? init : gone_module(im, place, spec->leaf);
    if (k && spec->kind == WY_SPEC_NAMESPACE) {
        spec->gone = k->path;
        if (init && not_missed(im, init, folder, scratch))
            return NULL;
    }
    return k ? k->path : NULL;
}

/* ---- behind another package of that name ---- */

/* A file of that module in a folder of sys.path, owned by a package; NULL. */
static const char *owned_module(struct wy_importer *im, const char *stem,
                                struct wy_arena *scratch) {
    const struct wy_env *env = &im->world->env;
    struct wy_place place;
    for (size_t i = 0; i <= env->next_suffixes; i++) {
        const char *path = wy_arena_printf(scratch, "%s%s", stem,
                                           i < env->next_suffixes ? env->ext_suffixes[i] : ".py");
        if (wy_tree_find(im->world->tree, NULL, path, 0, &place) == 0 &&
            wy_world_owner(im->world, &place))
            return wy_arena_cstr(&im->arena, path);
    }
    return NULL;
}

/* The part that another copy of the top package has, which sys.path holds further back: what was
 * found first is a folder of that name in the working directory, for one. */
static const char *behind(struct wy_importer *im, const struct wy_spec *spec,
                          struct wy_arena *scratch) {
    const struct wy_spec *top = spec->parent;
    const struct wy_path *all = im->paths.v[0];
    const char *found = NULL;
    while (top && top->parent)
        top = top->parent;
    if (!top || top->kind != WY_SPEC_SOURCE || top->member)
        return NULL;
    char *below = wy_arena_cstr(scratch, spec->name);
    for (char *p = below; *p; p++)
        *p = *p == '.' ? '/' : *p;
    for (size_t i = 0; i < all->ndirs && !found; i++) {
        const struct wy_search_dir *d = &all->dirs[i];
        if (d->dir && wy_dir_get(d->dir, top->name) &&
            !wy_path_below(top->path, wy_path_join(scratch, d->text, top->name)))
            found = owned_module(im, wy_path_join(scratch, d->text, below), scratch);
    }
    return found;
}

void wy_spec_find_lost(struct wy_importer *im, struct wy_spec *spec,
                       const struct wy_search_dir *dirs, size_t n) {
    if (spec->kind != WY_SPEC_MISSING && spec->kind != WY_SPEC_NAMESPACE)
        return;
    struct wy_arena scratch = WY_ARENA_INIT;
    for (size_t i = 0; i < n && im->world->nclaimed && !spec->lost; i++)
        spec->lost = lost_in(im, dirs[i].text, spec, &scratch);
    if (spec->kind == WY_SPEC_MISSING && !spec->lost)
        spec->lost = behind(im, spec, &scratch);
    wy_arena_deinit(&scratch);
}

const char *wy_importer_leads_to(struct wy_importer *im, const char *module) {
    const struct wy_spec *spec = wy_find(im, module);
    return spec->kind == WY_SPEC_MISSING ? NULL : spec->path;
}

const char *wy_importer_hollow(struct wy_importer *im, const char *module) {
    const struct wy_spec *spec = wy_find(im, module);
    return spec->kind == WY_SPEC_NAMESPACE ? spec->lost : NULL;
}

/* Sources of two versions in one place: more than these few are not what was installed. */
enum { MOST_ALTERED = 3 };

static bool has_other_size(struct wy_importer *im, const struct wy_dist *d,
                           const struct wy_record_row *row, struct wy_arena *scratch) {
    struct wy_place place;
    struct wy_node node;
    return row->size > 0 && wy_ends(row->path, ".py") &&
           wy_tree_find(im->world->tree, NULL, wy_path_join(scratch, d->site, row->path), 0,
                        &place) == 0 &&
           wy_place_stat(im->world->tree, &place, &node) == 0 && node.size &&
           node.size != (uint64_t)row->size;
}

static bool is_mixed(struct wy_importer *im, const struct wy_spec *spec) {
    const struct wy_dist *d = wy_world_owner(im->world, &spec->place);
    struct wy_arena scratch = WY_ARENA_INIT;
    size_t n = 0;
    for (size_t i = 0; d && n <= MOST_ALTERED && i < d->record.n; i++)
        n += has_other_size(im, d, &d->record.v[i], &scratch);
    wy_arena_deinit(&scratch);
    return n > MOST_ALTERED;
}

bool wy_spec_mixed(struct wy_importer *im, struct wy_spec *spec) {
    if (!spec->mixed_known)
        spec->mixed = is_mixed(im, spec);
    spec->mixed_known = true;
    return spec->mixed;
}

static const char *of_other_size(struct wy_importer *im, const struct wy_spec *spec) {
    const struct wy_record_row *row = wy_world_recorded(im->world, &spec->place);
    struct wy_node node;
    if (!row || row->size < 0 || wy_place_stat(im->world->tree, &spec->place, &node) != 0 ||
        node.size == (uint64_t)row->size)
        return NULL;
    return wy_arena_printf(&im->arena, "%" PRIu64 " bytes, %" PRId64 " are recorded", node.size,
                           row->size);
}

const char *wy_spec_altered(struct wy_importer *im, struct wy_spec *spec, const char **path) {
    *path = spec->foreign ? spec->foreign : spec->gone ? spec->gone : spec->path;
    if (spec->gone)
        return "is gone";
    if (!spec->altered_known && spec->kind == WY_SPEC_SOURCE && !spec->member)
        spec->altered = of_other_size(im, spec);
    spec->altered_known = true;
    return spec->altered;
}
