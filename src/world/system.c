/* Files of the machine and whose they are: asked only for paths that something is said about. */
#include "world/internal.h"

/* Where no manager but Python's own writes. */
static bool in_venv(const struct wy_world *w, const char *path) {
    return w->env.kind == WY_ENV_VENV && wy_path_below(path, w->env.prefix);
}

size_t wy_world_system_owners(const struct wy_world *w, const char *path,
                              const struct wy_sys_file **ret) {
    struct wy_place place = {0};
    bool found = wy_tree_find(w->tree, NULL, path, 0, &place) == 0;
    *ret = NULL;
    if (path[0] != '/' || in_venv(w, path) ||
        (found && (!place.entry || place.entry->type == WY_FT_DIR)))
        return 0;
    size_t n = wy_sys_owners(w->sys, path, ret);
    if (n || !found)
        return n;
    /* what ldconfig or update-alternatives links to */
    struct wy_arena scratch = WY_ARENA_INIT;
    const char *target = wy_place_path(&scratch, &place);
    if (!in_venv(w, target))
        n = wy_sys_owners(w->sys, target, ret);
    wy_arena_deinit(&scratch);
    return n;
}

void wy_world_expect(const struct wy_world *w, const char *path) {
    struct wy_place place;
    if (path[0] != '/' || in_venv(w, path))
        return;
    wy_sys_expect(w->sys, path);
    if (wy_tree_find(w->tree, NULL, path, 0, &place) != 0 || !place.entry)
        return;
    struct wy_arena scratch = WY_ARENA_INIT;
    wy_sys_expect(w->sys, wy_place_path(&scratch, &place));
    wy_arena_deinit(&scratch);
}

const struct wy_sys_package *wy_world_system_package(const struct wy_world *w, const char *path) {
    const struct wy_sys_file *files;
    return wy_world_system_owners(w, path, &files) ? files[0].package : NULL;
}

const char *wy_world_unread(const struct wy_world *w, const char *path) {
    const struct wy_sys_file *files;
    if (in_venv(w, path) || wy_world_system_owners(w, path, &files))
        return NULL;
    return wy_sys_unread(w->sys, path);
}
