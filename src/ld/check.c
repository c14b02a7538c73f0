/* What is judged once everything is mapped, in the loader's order of phases: versions, the CPU
 * level, relocation (elf/dl-open.c, dl_open_worker_begin). */
#include "ld/internal.h"

static struct wy_problem problem(struct ld_work *w, enum wy_problem_kind kind,
                                 const struct wy_object *o, const char *text) {
    return (struct wy_problem){.kind = kind,
                               .name = o->requested,
                               .needer = o->by,
                               .file = o->name,
                               .message = ld_message(w, o->name, text, 0)};
}

/* From the end of the search list: dependencies before what needs them. */
static void check_isa(struct ld_work *w) {
    for (size_t i = w->list.n; i-- > 0;) {
        const struct ld_member *m = &w->members.v[w->list.v[i]];
        if (m->fresh && ld_lacks_isa(w->ld->host, m->object->image))
            ld_problem(
                w, problem(w, WY_P_ISA_LEVEL, m->object, "CPU ISA level is lower than required"));
    }
}

static bool is_incomplete(const struct ld_work *w) {
    for (size_t i = 0; i < w->problems.n; i++)
        if (w->problems.v[i].kind != WY_P_PRELOAD && w->problems.v[i].kind != WY_P_EXEC_STACK)
            return true;
    return false;
}

void ld_check(struct ld_work *w) {
    if (w->circle) {
        ld_problem(w, problem(w, WY_P_CRASH, w->members.v[w->root].object,
                              "Segmentation fault: its filters name each other in a circle"));
        return;
    }
    w->incomplete = is_incomplete(w);
    if (w->ld->depth >= WY_LD_VERSIONS)
        ld_check_versions(w);
    check_isa(w);
    ld_relocate(w);
}
