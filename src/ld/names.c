/* The tables behind names and images: one entry per text, one per file. */
#include "ld/internal.h"

#include "base/path.h"

enum { NAME_MAX_BYTES = 255 }; /* NAME_MAX of Linux */

struct ld_name *ld_name_of(struct wy_ld *ld, const char *s) {
    const char *key = wy_host_intern(ld->host, s);
    struct wy_str bytes = {(const char *)&key, sizeof key};
    struct ld_name *n = wy_map_get(&ld->names, bytes);
    if (n)
        return n;
    n = WY_NEW(&ld->arena, struct ld_name);
    n->s = key;
    n->slash = strchr(key, '/') != NULL;
    n->token = strchr(key, '$') != NULL;
    n->too_long = strlen(key) > NAME_MAX_BYTES;
    n->member = LD_NONE;
    bytes.p = (const char *)&n->s;
    *wy_map_at(&ld->names, bytes) = n;
    return n;
}

static void add_needs(struct wy_ld *ld, const struct wy_elf *elf, struct ld_image *im) {
    im->needs = wy_arena_alloc(&ld->arena, (elf->nneeded + elf->nfilters + 1) * sizeof *im->needs);
    for (size_t i = 0, k = 0; i < elf->nneeded || k < elf->nfilters;) {
        const struct wy_elf_filter *f = k < elf->nfilters ? &elf->filters[k] : NULL;
        if (f && f->nneeded <= i) {
            enum ld_need_kind kind = f->auxiliary ? LD_AUXILIARY : LD_FILTER;
            im->needs[im->nneeds++] = (struct ld_need){ld_name_of(ld, f->name), kind};
            k++;
        } else {
            im->needs[im->nneeds++] = (struct ld_need){ld_name_of(ld, elf->needed[i++]), LD_NEEDED};
        }
    }
}

bool ld_judge_assumed(struct ld_image *im) {
    if (!im->image->assumed)
        return false;
    bool library = im->image->elf.kind == WY_ELF_OK;
    im->opened = im->mapped = library ? (struct ld_verdict){WY_HIT_TAKEN, NULL, 0}
                                      : (struct ld_verdict){WY_HIT_FATAL, "invalid ELF header", 0};
    return true;
}

bool ld_assumes(const struct ld_work *w) {
    for (size_t i = 0; i < w->members.n; i++)
        if (w->members.v[i].object->image && w->members.v[i].object->image->assumed)
            return true;
    return false;
}

void ld_judge(struct wy_ld *ld, struct ld_image *im) {
    if (ld_judge_assumed(im))
        return;
    im->opened = ld_verdict_open(ld->host, im->image);
    im->mapped = ld_verdict_map(ld->host, im->image, false);
    im->crashes = ld_crashes_mapping(ld->host, im->image);
    im->crashes_late = ld_crashes_later(ld->host, im->image);
}

struct ld_image *ld_image_of(struct wy_ld *ld, const struct wy_image *image) {
    struct wy_str bytes = {(const char *)&image, sizeof image};
    struct ld_image *im = wy_map_get(&ld->images, bytes);
    if (im)
        return im;
    im = WY_NEW(&ld->arena, struct ld_image);
    im->key = im->image = image;
    im->member = LD_NONE;
    ld->ops->judge(ld, im);
    const struct wy_elf *elf = &im->image->elf;
    add_needs(ld, elf, im);
    im->soname = elf->soname ? ld_name_of(ld, elf->soname) : NULL;
    bytes.p = (const char *)&im->key;
    *wy_map_at(&ld->images, bytes) = im;
    return im;
}

/* Directory part of the path an object was opened under, the cwd in front of a relative one; the
 * file's own link is not followed (elf/dl-object.c, _dl_new_object). */
const char *ld_origin_of(struct wy_ld *ld, const char *path) {
    const char *full = wy_path_join(&ld->arena, ld->host->options.cwd, path);
    const char *slash = strrchr(full, '/');
    size_t n = slash && slash != full ? (size_t)(slash - full) : 1;
    return wy_arena_str(&ld->arena, (struct wy_str){full, n});
}
