/* The working state of an open: which object answers to which name (elf/dl-load.c,
 * _dl_map_object and _dl_name_match_p). A name belongs to the first object in load order that has
 * it as its path, as a name it was asked for, or as its SONAME. */
#include "ld/internal.h"

void ld_register_name(struct ld_work *w, struct ld_name *name, uint32_t id) {
    if (name->epoch == w->ld->epoch && name->member != LD_NONE &&
        w->members.v[name->member].rank <= w->members.v[id].rank)
        return;
    name->epoch = w->ld->epoch;
    name->member = id;
}

/* The loader and the program have no file identity: their files, opened again, are other objects
 * (elf/rtld.c; musl ldso/dynlink.c, load_library). */
void ld_register_image(struct ld_work *w, uint32_t id) {
    const struct ld_member *m = &w->members.v[id];
    struct ld_image *im = m->object->paths->image;
    if ((m->flags & (LD_LOADER | LD_MAIN)) || im->epoch == w->ld->epoch)
        return;
    im->epoch = w->ld->epoch;
    im->member = id;
}

void ld_enter(struct ld_work *w, uint32_t id) {
    const struct ld_member *m = &w->members.v[id];
    for (const struct ld_learned *l = m->names; l; l = l->older)
        ld_register_name(w, l->name, id);
    struct ld_image *im = m->object->paths->image;
    if (im->soname)
        ld_register_name(w, im->soname, id);
    ld_register_image(w, id);
}

void ld_work_begin(struct ld_work *w, struct wy_ld *ld, const struct wy_process *state,
                   struct wy_open *open) {
    *w = (struct ld_work){.ld = ld, .open = open, .from = state, .root = LD_NONE};
    w->startup = !state;
    w->weak_waits = wy_host_getenv(ld->host, "LD_DYNAMIC_WEAK") != NULL;
    ld->epoch++;
    if (!state)
        return;
    w->err = state->err;
    w->global = state->global;
    w->unique = state->unique;
    w->tls = state->tls;
    w->exec_stack = state->exec_stack;
    w->library_path = state->library_path;
    w->nold = state->n;
    for (size_t i = 0; i < state->nmissing; i++)
        wy_vec_push(&w->missing, state->missing[i]);
    for (uint32_t i = 0; i < state->n; i++) {
        struct ld_member m = state->members[i];
        m.rank = i;
        wy_vec_push(&w->members, m);
        wy_vec_push(&w->order, i);
        ld->ops->enter(w, i);
    }
}

void ld_work_end(struct ld_work *w) {
    wy_vec_free(&w->members);
    wy_vec_free(&w->order);
    wy_vec_free(&w->list);
    wy_vec_free(&w->problems);
    wy_vec_free(&w->resolved);
    wy_vec_free(&w->missing);
    wy_vec_free(&w->needs);
    free(w->sorted);
    wy_buf_deinit(&w->lines);
}

/* add_name_to_object: once per text. */
void ld_answer(struct ld_work *w, uint32_t id, struct ld_name *name) {
    struct ld_member *m = &w->members.v[id];
    for (const struct ld_learned *l = m->names; l; l = l->older)
        if (l->name == name)
            return;
    struct ld_learned *l = WY_NEW(&w->ld->arena, struct ld_learned);
    *l = (struct ld_learned){name, m->names};
    m->names = l;
    w->changed = true;
    ld_register_name(w, name, id);
}

uint32_t ld_match(struct ld_work *w, struct ld_name *name) {
    if (name->epoch != w->ld->epoch)
        return LD_NONE;
    ld_answer(w, name->member, name); /* a match by SONAME is remembered as a name */
    return name->member;
}

uint32_t ld_match_image(struct ld_work *w, const struct ld_image *image) {
    return image->epoch == w->ld->epoch ? image->member : LD_NONE;
}

uint32_t ld_add_member(struct ld_work *w, const struct wy_object *o, struct ld_name *requested,
                       uint32_t flags) {
    uint32_t id = (uint32_t)w->members.n;
    wy_vec_push(&w->members,
                ((struct ld_member){
                    .object = o, .flags = flags, .rank = (uint32_t)w->order.n, .fresh = true}));
    wy_vec_push(&w->order, id);
    struct ld_learned *l = WY_NEW(&w->ld->arena, struct ld_learned);
    l->name = o->paths->path;
    w->members.v[id].names = l;
    ld_answer(w, id, requested);
    ld_enter(w, id);
    return id;
}

/* Only filters and the start do this, so everything is counted and registered anew. */
static void move_to(struct ld_work *w, uint32_t id, uint32_t to) {
    uint32_t from = w->members.v[id].rank, *v = w->order.v;
    if (from > to)
        memmove(v + to + 1, v + to, (from - to) * sizeof *v);
    else
        memmove(v + from, v + from + 1, (to - from) * sizeof *v);
    v[to] = id;
    w->changed = true;
    w->ld->work += w->order.n;
    for (uint32_t i = 0; i < w->order.n; i++)
        w->members.v[v[i]].rank = i;
    for (uint32_t i = 0; i < w->order.n; i++)
        ld_enter(w, v[i]);
}

void ld_move_before(struct ld_work *w, uint32_t id, uint32_t before) {
    uint32_t from = w->members.v[id].rank, to = w->members.v[before].rank;
    if (!(w->members.v[before].flags & LD_MAIN)) /* the program stays the first */
        move_to(w, id, from > to ? to : to - 1);
}

void ld_move_last(struct ld_work *w, uint32_t id) {
    move_to(w, id, (uint32_t)w->order.n - 1);
}
