/* Files that are not what their package installed: of another size than its RECORD says. What is
 * missing around one of them may have been whole, for whoever installs it again. */
#include "rule/internal.h"

#include <inttypes.h>

static bool is_changed(const struct wy_library *lib) {
    const struct wy_claimed *k = lib ? lib->claimed : NULL;
    bool sized = k && k->sized && k->nclaims && k->claims[0].row->size >= 0;
    for (size_t i = 0; sized && i < k->nclaims; i++)
        if ((uint64_t)k->claims[i].row->size == k->size)
            return false;
    return sized && lib->dist;
}

const struct wy_library *wy_changed(struct wy_case *c, const struct wy_object *o) {
    if (!o || !o->image)
        return NULL;
    struct wy_str key = {(const char *)&o->image, sizeof o->image};
    const struct wy_library *own = wy_map_get(&c->world->library_by_image, key);
    return is_changed(own) ? own : NULL;
}

const struct wy_library *wy_changed_behind(struct wy_case *c, const struct wy_object *o) {
    const struct wy_library *own = wy_changed(c, o);
    for (size_t i = 0; !own && o && o->image && i < o->image->elf.nneeded; i++) {
        size_t n;
        const struct wy_library **libs = wy_world_named(c->world, o->image->elf.needed[i], &n);
        for (size_t k = 0; k < n; k++)
            if (is_changed(libs[k]))
                return libs[k];
    }
    return own;
}

void wy_make_changed(struct wy_case *c, struct wy_finding *f, const struct wy_library *lib,
                     const char *missing) {
    const struct wy_claimed *k = lib->claimed;
    f->f.title = wy_arena_printf(c->arena, "%s is not the file that %s installed: %s",
                                 wy_path_base(lib->shown), lib->dist->name, missing);
    wy_make_because(c, f, "%s has %" PRIu64 " bytes, the RECORD of %s says %" PRId64, lib->shown,
                    k->size, lib->dist->name, k->claims[0].row->size);
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL, .dist = lib->dist};
}
