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

static void check_relocation(struct ld_work *w) {
    for (size_t i = w->list.n; i-- > 0;) {
        const struct ld_member *m = &w->members.v[w->list.v[i]];
        if (m->fresh && m->object->paths->image->crashes_late)
            ld_problem(w, problem(w, WY_P_CRASH, m->object,
                                  "Bus error: the file is shorter than its segments"));
    }
}

void ld_check(struct ld_work *w) {
    if (w->circle) {
        ld_problem(w, problem(w, WY_P_CRASH, w->members.v[w->root].object,
                              "Segmentation fault: its filters name each other in a circle"));
        return;
    }
    ld_check_versions(w);
    check_isa(w);
    check_relocation(w);
}
