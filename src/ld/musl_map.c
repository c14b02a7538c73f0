/* One wanted name, musl's way (ldso/dynlink.c, load_library): its own names, names given by earlier
 * searches, a search, and then the identity of the file. A SONAME is never looked at. */
#include "ld/musl.h"

#include "base/path.h"

#include <errno.h>

/* These are the C library itself, whatever follows and whatever lies on disk. */
bool ld_musl_is_self(const struct wy_ld *ld, const char *name) {
    static const char *const own[] = {"c", "pthread", "rt", "m", "dl", "util", "xnet"};
    if (ld->host->ldso && strcmp(name, ld->host->ldso) == 0)
        return true;
    if (!wy_starts(name, "lib"))
        return false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (wy_starts(name + 3, own[i]) && name[3 + strlen(own[i])] == '.')
            return true;
    return false;
}

uint32_t ld_musl_loader(const struct ld_work *w) {
    for (size_t i = 0; i < w->order.n; i++)
        if (w->members.v[w->order.v[i]].flags & LD_LOADER)
            return w->order.v[i];
    return LD_NONE;
}

uint32_t ld_musl_match(struct ld_work *w, struct ld_name *name) {
    if (ld_musl_is_self(w->ld, name->s))
        return ld_musl_loader(w);
    return !name->slash && name->epoch == w->ld->epoch ? name->member : LD_NONE;
}

void ld_musl_enter(struct ld_work *w, uint32_t id) {
    if (w->members.v[id].shortname)
        ld_register_name(w, w->members.v[id].shortname, id);
    ld_register_image(w, id);
}

uint32_t ld_musl_add(struct ld_work *w, const struct wy_object *o, struct ld_name *shortname,
                     uint32_t flags) {
    uint32_t id = (uint32_t)w->members.n;
    struct ld_learned *l = WY_NEW(&w->ld->arena, struct ld_learned);
    l->name = o->paths->path;
    if (w->startup)
        flags |= LD_STARTED | LD_GLOBAL;
    wy_vec_push(&w->members, ((struct ld_member){.object = o,
                                                 .names = l,
                                                 .flags = flags,
                                                 .rank = (uint32_t)w->order.n,
                                                 .fresh = true,
                                                 .shortname = shortname}));
    wy_vec_push(&w->order, id);
    ld_musl_enter(w, id);
    return id;
}

/* musl stands in load order where it was first needed. */
static void take_self(struct ld_work *w, const struct ld_musl_want *want, struct ld_musl_got *ret) {
    struct wy_ld *ld = w->ld;
    ret->member = ld_musl_loader(w);
    if (ret->member != LD_NONE)
        return;
    const char *name = ld->host->ldso;
    struct wy_place place;
    if (wy_tree_find(ld->host->tree, ld->cwd, name, 0, &place) != 0)
        return; /* the program would not have started */
    struct wy_object *o = WY_NEW(&ld->arena, struct wy_object);
    struct wy_object_paths *paths = WY_NEW(&ld->arena, struct wy_object_paths);
    *paths = (struct wy_object_paths){.image = ld_image_of(ld, wy_host_image(ld->host, &place)),
                                      .path = ld_name_of(ld, name),
                                      .origin = ld_musl_origin(ld, name)};
    *o = (struct wy_object){.name = paths->path->s,
                            .requested = want->name->s,
                            .by = want->by,
                            .image = paths->image->image,
                            .origin = paths->origin,
                            .paths = paths};
    ret->member = ld_musl_add(w, o, ld_name_of(ld, "libc.so"), LD_LOADER);
    w->members.v[ret->member].deps = ld_keep_list(w, NULL, 0);
    ret->fresh = true;
}

/* What was opened by its path learns a name when a search leads to the same file: the last part of
 * that path. It keeps it also when the open fails. */
static void learn_name(struct ld_work *w, uint32_t id) {
    struct ld_member *m = &w->members.v[id];
    if (m->shortname)
        return;
    m->shortname = ld_name_of(w->ld, wy_path_base(m->object->name));
    w->changed = true;
    ld_register_name(w, m->shortname, id);
}

static const char *crash_text(const struct ld_image *im) {
    const struct wy_elf *elf = &im->image->elf;
    if (!im->image->assumed && !elf->has_gnu_hash && !elf->has_sysv_hash)
        return "Segmentation fault: it has no hash table of its symbols";
    if (im->crashes)
        return "Bus error: the file is shorter than its segments";
    return NULL;
}

static void take_file(struct ld_work *w, const struct ld_musl_want *want,
                      const struct ld_found *found, struct ld_musl_got *ret) {
    struct ld_file *f = found->file;
    ret->member = f->image ? ld_match_image(w, f->image) : LD_NONE;
    if (ret->member != LD_NONE) {
        if (!want->name->slash)
            learn_name(w, ret->member);
        return;
    }
    if (want->noload)
        return;
    if (f->verdict.hit != WY_HIT_TAKEN) {
        w->c_errno = f->verdict.err ? f->verdict.err : ENOEXEC;
        ret->bad = f;
        return;
    }
    if (w->members.n >= LD_MAX_OBJECTS) {
        w->c_errno = ENOMEM;
        return;
    }
    ret->crash = crash_text(f->image);
    if (ret->crash) {
        ret->bad = f;
        return;
    }
    if (f->image->is_libc) {
        take_self(w, want, ret);
        return;
    }
    struct wy_object *o = WY_NEW(&w->ld->arena, struct wy_object);
    *o = (struct wy_object){.name = f->path->s,
                            .requested = want->name->s,
                            .by = want->by,
                            .found = want->preload ? WY_BY_PRELOAD : found->by,
                            .image = f->image->image,
                            .loader = want->is_need ? want->needer : NULL,
                            .origin = f->paths.origin,
                            .paths = &f->paths};
    ret->member = ld_musl_add(w, o, want->name->slash ? NULL : want->name, 0);
    ret->fresh = true;
}

void ld_musl_map(struct ld_work *w, const struct ld_musl_want *want, struct ld_musl_got *ret) {
    struct ld_name *name = want->name;
    struct ld_found found = {.by = WY_BY_PATH};
    w->ld->work++;
    *ret = (struct ld_musl_got){.member = LD_NONE};
    if (!*name->s) {
        w->c_errno = EINVAL;
        return;
    }
    if (ld_musl_is_self(w->ld, name->s)) {
        take_self(w, want, ret);
        return;
    }
    if (name->slash) {
        int err;
        found.file = ld_probe_path(w->ld, name->s, &err);
        if (!found.file)
            w->c_errno = err;
    } else {
        ret->member = ld_musl_match(w, name);
        ret->vdso = ret->member == LD_NONE && !w->startup && name == w->ld->vdso_name;
        if (ret->member != LD_NONE || ret->vdso || name->too_long)
            return;
        ld_musl_search(w, name, want->needer, &found);
    }
    if (found.file)
        take_file(w, want, &found, ret);
}
