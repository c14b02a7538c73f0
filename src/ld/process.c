/* States of a process as values. */
#include "ld/internal.h"

size_t wy_process_count(const struct wy_process *p) {
    return p->n;
}

const struct wy_object *wy_process_at(const struct wy_process *p, size_t i) {
    return p->members[i].object;
}

static bool answers(const struct wy_process *p, const struct ld_member *m, const char *name) {
    for (const struct ld_learned *l = m->names; l; l = l->older)
        if (wy_same(l->name->s, name))
            return true;
    if (p->ld->ops == &wy_ld_musl)
        return m->shortname && wy_same(m->shortname->s, name);
    const struct ld_name *soname = m->object->paths->image->soname;
    return soname && wy_same(soname->s, name);
}

const struct wy_object *wy_process_named(const struct wy_process *p, const char *name) {
    for (size_t i = 0; i < p->n; i++)
        if (answers(p, &p->members[i], name))
            return p->members[i].object;
    return NULL;
}

bool wy_process_tls_exceeds(const struct wy_process *start, const struct wy_process *a,
                            const struct wy_process *b) {
    return b->tls.used - start->tls.used > a->tls.size - a->tls.used;
}

static struct wy_process *make(struct ld_work *w, size_t limit) {
    struct wy_arena *a = &w->ld->arena;
    struct wy_process *p = WY_NEW(a, struct wy_process);
    struct ld_member *members = wy_arena_alloc(a, (w->order.n + 1) * sizeof *members);
    *p = (struct wy_process){.ld = w->ld,
                             .members = members,
                             .nmissing = w->missing.n,
                             .err = w->err,
                             .exec_stack = w->exec_stack,
                             .library_path = w->library_path,
                             .global = w->global,
                             .unique = w->unique,
                             .tls = w->tls};
    for (size_t i = 0; i < w->order.n; i++) {
        struct ld_member m = w->members.v[w->order.v[i]];
        if (w->order.v[i] >= limit)
            continue;
        m.fresh = m.reserved = m.tls_refused = false;
        m.needs = m.nneeds = 0;
        members[p->n++] = m;
    }
    uint64_t *missing = wy_arena_alloc(a, (w->missing.n + 1) * sizeof *missing);
    if (w->missing.n)
        memcpy(missing, w->missing.v, w->missing.n * sizeof *missing);
    p->missing = missing;
    return p;
}

const struct wy_process *ld_commit(struct ld_work *w) {
    return make(w, w->members.n);
}

static bool is_old(const struct ld_work *w, const struct wy_object *o) {
    for (size_t i = 0; i < w->nold; i++)
        if (w->members.v[i].object == o)
            return true;
    return false;
}

/* A definition that a failed open has taken stays, if its object was there before. */
static const struct ld_unique *unique_after_failure(const struct ld_work *w) {
    const struct ld_unique *ret = w->from->unique;
    for (const struct ld_unique *u = w->unique; u != w->from->unique; u = u->older) {
        if (!is_old(w, u->object))
            continue;
        struct ld_unique *kept = WY_NEW(&w->ld->arena, struct ld_unique);
        *kept = (struct ld_unique){u->name, u->object, ret};
        ret = kept;
    }
    return ret;
}

/* Names that objects learned, directories found missing and the errno outlive a failed open. An
 * executable stack does too. */
const struct wy_process *ld_rollback(struct ld_work *w) {
    if (!w->from)
        return NULL;
    bool same = !w->changed && w->err == w->from->err && w->exec_stack == w->from->exec_stack;
    uint64_t used = ld_tls_after_failure(w);
    const struct ld_unique *unique = unique_after_failure(w);
    same = same && unique == w->from->unique;
    if (same && used == w->from->tls.used && w->tls.optional == w->from->tls.optional)
        return w->from;
    struct wy_process *p = make(w, w->nold);
    p->tls.used = used;
    p->unique = unique;
    return p;
}
