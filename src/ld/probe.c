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

/* Opening a directory takes the right to list it. */
static bool may_list(struct wy_ld *ld, const struct wy_place *p) {
    struct wy_dir *d = wy_place_dir(ld->host->tree, p);
    size_t n;
    if (d)
        wy_dir_entries(d, &n);
    return d && wy_dir_error(d) != EACCES;
}

/* The verdict on what lies at a place (links are followed already); false with the errno of open(2)
 * when it cannot be opened. */
static bool judge(struct wy_ld *ld, const struct wy_place *place, struct ld_file *f, int *err) {
    *err = 0;
    if (place->entry && place->entry->type == WY_FT_FILE) {
        const struct wy_image *image = wy_host_image(ld->host, place);
        *err = image->error;
        if (image->error)
            return false;
        f->image = ld_image_of(ld, image);
        f->verdict = f->image->opened;
        return true;
    }
    bool directory = !place->entry || place->entry->type == WY_FT_DIR;
    if (directory && !may_list(ld, place))
        *err = EACCES;
    f->verdict = verdict_other(directory);
    return *err == 0;
}

static struct ld_file *file_at(struct wy_ld *ld, const char *path, const struct wy_place *place,
                               int *err) {
    struct ld_name *name = ld_name_of(ld, path);
    if (name->file)
        return name->file;
    struct ld_file *f = WY_NEW(&ld->arena, struct ld_file);
    if (!judge(ld, place, f, err))
        return NULL;
    f->path = name;
    f->paths = (struct wy_object_paths){
        .image = f->image, .path = name, .origin = ld->ops->origin(ld, path)};
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
