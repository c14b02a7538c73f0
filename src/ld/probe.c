/* One path: what open(2) and the first look at the file find there. */
#include "ld/internal.h"

#include <errno.h>

enum { PATH_MAX_BYTES = 4096 };

/* What the loader says of a thing that is no regular file: read(2) on a directory fails; a device
 * gives no bytes. */
static struct ld_verdict verdict_other(bool directory) {
    return directory ? (struct ld_verdict){WY_HIT_FATAL, "cannot read file data", EISDIR}
                     : (struct ld_verdict){WY_HIT_FATAL, "file too short", 0};
}

static bool is_directory(struct wy_ld *ld, const struct wy_place *p) {
    struct wy_node node;
    if (!p->entry || p->entry->type == WY_FT_DIR)
        return true;
    return p->entry->type == WY_FT_LINK && wy_place_stat(ld->host->tree, p, &node) == 0 &&
           (node.mode & 0170000) == 0040000;
}

static struct ld_file *file_at(struct wy_ld *ld, const char *path, const struct wy_place *place,
                               int *err) {
    struct ld_name *name = ld_name_of(ld, path);
    if (name->file)
        return name->file;
    struct ld_file *f = WY_NEW(&ld->arena, struct ld_file);
    f->path = name;
    if (place->entry && place->entry->type == WY_FT_FILE) {
        const struct wy_image *image = wy_host_image(ld->host, place);
        if (image->error) {
            *err = image->error;
            return NULL;
        }
        f->image = ld_image_of(ld, image);
        f->verdict = f->image->opened;
    } else {
        f->verdict = verdict_other(is_directory(ld, place));
    }
    f->paths =
        (struct wy_object_paths){.image = f->image, .path = name, .origin = ld_origin_of(ld, path)};
    name->file = f;
    return f;
}

struct ld_file *ld_probe_in(struct wy_ld *ld, const struct ld_dir *d, const struct ld_sub *sub,
                            struct ld_name *name, int *err) {
    struct wy_place place = {.dir = sub->dir};
    *err = name->too_long ? ENAMETOOLONG : ENOENT;
    bool dots = strcmp(name->s, ".") == 0 || strcmp(name->s, "..") == 0;
    if (!dots)
        place.entry = wy_dir_get(sub->dir, name->s);
    if (name->too_long || (!dots && !place.entry)) {
        int e = place.entry ? 0 : wy_dir_error(sub->dir);
        if (e == EACCES && wy_tree_find(ld->host->tree, sub->dir, name->s, 0, &place) == EACCES)
            *err = EACCES;
        return NULL;
    }
    if (dots || place.entry->type == WY_FT_LINK)
        if ((*err = wy_tree_find(ld->host->tree, sub->dir, name->s, 0, &place)))
            return NULL;
    const char *path = wy_arena_printf(&ld->arena, "%s%s%s", d->text, sub->prefix, name->s);
    if (strlen(path) >= PATH_MAX_BYTES) {
        *err = ENAMETOOLONG;
        return NULL;
    }
    return file_at(ld, path, &place, err);
}

struct ld_file *ld_probe_path(struct wy_ld *ld, const char *path, int *err) {
    struct wy_place place;
    if (path[0] != '/' && !ld->cwd)
        *err = ENOENT;
    else
        *err = wy_tree_find(ld->host->tree, ld->cwd, path, 0, &place);
    return *err ? NULL : file_at(ld, path, &place, err);
}
