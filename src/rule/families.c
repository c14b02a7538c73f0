#include "rule/families.h"

static const char *name_of(const struct wy_object *o) {
    return o->image->elf.soname ? o->image->elf.soname : wy_path_base(o->name);
}

/* By soname, else by file name: a bundled copy may have kept either. */
static const struct wy_family *family_of(const struct wy_case *c, const struct wy_object *o) {
    const struct wy_family *f = wy_know_family(c->world->know, name_of(o));
    return f ? f : wy_know_family(c->world->know, wy_path_base(o->name));
}

static const char *major_of(struct wy_case *c, const struct wy_object *o) {
    const char *so = strstr(name_of(o), ".so.");
    return so ? wy_arena_str(c->arena, (struct wy_str){so + 4, strspn(so + 4, "0123456789")}) : "";
}

static struct wy_kin *kin_for(struct wy_kins *kins, const struct wy_family *f, const char *major) {
    for (size_t i = 0; i < kins->v.n; i++)
        if (strcmp(kins->v.v[i].family->family, f->family) == 0 &&
            strcmp(kins->v.v[i].major, major) == 0)
            return &kins->v.v[i];
    wy_vec_push(&kins->v, ((struct wy_kin){.family = f, .major = major}));
    return &kins->v.v[kins->v.n - 1];
}

void wy_kins_add(struct wy_case *c, const struct wy_process *p, const char *kind,
                 struct wy_kins *kins) {
    for (size_t i = 0; i < wy_process_count(p); i++) {
        const struct wy_object *o = wy_process_at(p, i);
        const struct wy_family *f = o->image && o->name[0] ? family_of(c, o) : NULL;
        if (!f || strcmp(f->kind, kind) != 0)
            continue;
        /* Copies of a runtime are counted whatever their number. */
        struct wy_kin *k = kin_for(kins, f, strcmp(kind, "parts") == 0 ? major_of(c, o) : "");
        bool known = false;
        for (size_t m = 0; m < k->members.n && !known; m++)
            known = k->members.v[m]->image == o->image;
        if (!known)
            wy_vec_push(&k->members, o);
    }
}

const struct wy_dist *wy_kin_dist(const struct wy_case *c, const struct wy_object *o) {
    struct wy_arena scratch = WY_ARENA_INIT;
    const struct wy_library *lib =
        wy_map_get(&c->world->library_by_path, wy_str_of(wy_path_clean(&scratch, o->name)));
    wy_arena_deinit(&scratch);
    return lib ? lib->dist : wy_world_image_owner(c->world, o->image);
}

void wy_kins_free(struct wy_kins *kins) {
    for (size_t i = 0; i < kins->v.n; i++)
        wy_vec_free(&kins->v.v[i].members);
    wy_vec_free(&kins->v);
}

void wy_kins_parts(struct wy_case *c, struct wy_finding *f, const struct wy_kin *k) {
    for (size_t i = 0; i < k->members.n; i++) {
        const struct wy_object *o = k->members.v[i];
        const struct wy_dist *d = wy_kin_dist(c, o);
        WY_ADD(c->arena, &f->f.parts,
               ((struct whyso_part){name_of(o), wy_object_shown(c, o), d ? d->name : NULL}));
    }
}
