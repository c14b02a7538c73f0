/* preload-ignored: LD_PRELOAD or /etc/ld.so.preload names a file that the loader cannot map. It
 * says so on each start and goes on without (elf/rtld.c, do_preload). */
#include "rule/internal.h"

static void report(struct wy_case *c, const struct wy_problem *p) {
    struct wy_finding *f = wy_make(c, "preload-ignored", WHYSO_WARNING, wy_shown(c, p->name));
    f->f.library = wy_path_base(p->name);
    f->f.file = wy_shown(c, p->name);
    f->f.wanted = (struct whyso_wanted){"library", p->name, NULL};
    f->f.title = wy_arena_printf(c->arena, "%s is to be preloaded and cannot be", f->f.library);
    wy_make_because(c, f, "every start of Python prints: %s", p->message);
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text =
            "Correct the name in LD_PRELOAD or /etc/ld.so.preload, install the library, or take "
            "the entry out.",
        .also = "A blank or a colon ends a name there: a path that has one cannot be written."};
}

void wy_rule_preload_ignored(struct wy_case *c) {
    const struct wy_open *start = wy_importer_start(c->importer);
    for (size_t i = 0; start && i < start->nproblems; i++)
        if (start->problems[i].kind == WY_P_PRELOAD)
            report(c, &start->problems[i]);
}
