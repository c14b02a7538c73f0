/* dlopen: the phases in the loader's order (elf/dl-open.c). */
#include "ld/internal.h"

#include <errno.h>

static void finish_mapped(struct ld_work *w) {
    WY_VEC(const struct wy_object *) mapped = {0};
    for (size_t i = 0; i < w->order.n; i++) {
        const struct ld_member *m = &w->members.v[w->order.v[i]];
        if (m->fresh && !(m->flags & LD_MAIN))
            wy_vec_push(&mapped, m->object);
    }
    wy_vec_keep(&w->ld->arena, &mapped);
    w->open->mapped = mapped.v;
    w->open->nmapped = mapped.n;
}

void ld_finish(struct ld_work *w) {
    struct wy_open *open = w->open;
    if (!w->stopped) {
        open->outcome = WY_OPEN_OK;
        open->object = w->root != LD_NONE ? w->members.v[w->root].object
                       : w->absent        ? NULL
                                          : &w->ld->vdso;
        finish_mapped(w);
        open->after = ld_commit(w);
    }
    wy_vec_keep(&w->ld->arena, &w->problems);
    open->problems = w->problems.v;
    open->nproblems = w->problems.n;
    wy_vec_keep(&w->ld->arena, &w->resolved);
    open->resolved = w->resolved.v;
    open->nresolved = w->resolved.n;
    wy_vec_keep(&w->ld->arena, &w->unbound);
    open->unbound = w->unbound.v;
    open->nunbound = w->unbound.n;
    w->problems.v = NULL;
    w->unbound.v = NULL;
    w->resolved.v = NULL;
}

/* The object itself; false when there is nothing to go on with. */
static bool map_root(struct ld_work *w, struct ld_name *name, const struct wy_object *caller) {
    struct ld_want want = {.name = name, .by = caller, .noload = w->mode & WY_NOLOAD};
    struct ld_mapped m;
    ld_map(w, &want, &m);
    if (m.text) {
        m.problem.needer = NULL;
        ld_problem(w, m.problem);
    }
    w->root = m.member;
    w->absent = m.absent;
    if (m.member == LD_NONE)
        return false; /* also when it is the vdso, or absent: then nothing failed */
    if (!m.fresh)
        wy_vec_push(&w->resolved,
                    ((struct wy_resolved){name->s, caller, w->members.v[m.member].object}));
    return true;
}

/* An object that was opened before is not looked at again. */
static void map_needs(struct ld_work *w) {
    if (w->members.v[w->root].flags & LD_ROOT)
        return;
    ld_walk_needs(w, &w->root, 1);
    w->members.v[w->root].flags |= LD_ROOT;
    w->members.v[w->root].list = ld_keep_list(w, w->list.v, w->list.n);
}

void ld_glibc_open(struct ld_work *w, struct ld_name *name, const struct wy_object *caller) {
    if (!(w->mode & (WY_LAZY | WY_NOW))) {
        ld_problem(w, (struct wy_problem){
                          .kind = WY_P_BAD_FILE,
                          .name = name->s,
                          .message = ld_message(w, name->s, "invalid mode for dlopen()", EINVAL)});
        return;
    }
    if (!map_root(w, name, caller))
        return;
    map_needs(w);
    ld_check(w);
    if ((w->mode & WY_GLOBAL) && !w->stopped)
        ld_promote(w);
}

struct open_key {
    const struct wy_process *state;
    const struct ld_name *name;
    const struct wy_object *caller;
    uint64_t mode;
};

enum { COPY_WORK = 5 }; /* steps that an object copied counts for: for its memory */

const struct wy_open *wy_ld_open(struct wy_ld *ld, const struct wy_process *state,
                                 const char *request, unsigned mode,
                                 const struct wy_object *caller) {
    struct ld_name *name = ld_name_of(ld, request);
    if (!caller)
        caller = state->members[0].object;
    struct open_key key = {state, name, caller, mode};
    struct wy_str bytes = {(const char *)&key, sizeof key};
    struct wy_open *open = wy_map_get(&ld->opens, bytes);
    if (open)
        return open;
    open = WY_NEW(&ld->arena, struct wy_open);
    open->request = name->s;
    if (ld->work > LD_MAX_WORK) {
        *open = (struct wy_open){.request = name->s, .after = state, .given_up = true};
        return open;
    }
    ld->work += COPY_WORK * (uint64_t)state->n; /* what is loaded is copied into the next state */
    struct ld_work w;
    ld_work_begin(&w, ld, state, open);
    w.mode = mode;
    ld->ops->open(&w, name, caller);
    ld_finish(&w);
    ld_work_end(&w);
    struct open_key *kept = wy_arena_alloc(&ld->arena, sizeof key);
    *kept = key;
    bytes.p = (const char *)kept;
    *wy_map_at(&ld->opens, bytes) = open;
    return open;
}

void wy_ld_search(struct wy_ld *ld, const struct wy_process *state, const char *name,
                  const struct wy_object *needer, struct wy_search *ret) {
    struct wy_open open = {0};
    struct ld_work w;
    ld_work_begin(&w, ld, state, &open);
    struct ld_name *wanted = ld_name_of(ld, name);
    if (!needer)
        needer = state->members[0].object;
    uint32_t member = ld->ops->match(&w, wanted);
    if (member == LD_NONE) {
        ld->ops->trace(&w, wanted, needer, ret);
    } else {
        const struct wy_object *o = w.members.v[member].object;
        struct wy_search_step *step = WY_NEW(&ld->arena, struct wy_search_step);
        *step = (struct wy_search_step){
            .place = o->name, .by = WY_BY_LOADED, .result = WY_HIT_TAKEN, .file = o->name};
        *ret = (struct wy_search){step, 1, o->name};
    }
    ld_work_end(&w);
}

void wy_ld_search_fresh(struct wy_ld *ld, const struct wy_process *state, const char *name,
                        const struct wy_object *needer, unsigned without, struct wy_search *ret) {
    struct wy_open open = {0};
    struct ld_work w;
    ld_work_begin(&w, ld, state, &open);
    if (without & WY_WITHOUT_LIBRARY_PATH)
        w.library_path = NULL;
    w.without_cwd = without & WY_WITHOUT_CWD;
    ld->ops->trace(&w, ld_name_of(ld, name), needer ? needer : state->members[0].object, ret);
    ld_work_end(&w);
}
