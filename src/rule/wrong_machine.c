/* wrong-machine: every candidate, or the extension itself, is for another machine or word size.
 * glibc skips such a file, and Python does not even look at an extension whose name carries another
 * machine's tag, so neither says the real reason. */
#include "rule/internal.h"

static const char *machine_of(struct wy_case *c, const struct wy_elf *elf) {
    return wy_arena_printf(c->arena, "%s%s", wy_elf_machine_name(c->arena, elf->machine),
                           elf->is64 ? "" : " (32 bits)");
}

static const char *own_machine(struct wy_case *c) {
    return wy_elf_machine_name(c->arena, c->world->host->machine);
}

static void describe(struct wy_case *c, struct wy_finding *f, const char *shown,
                     const struct wy_image *image, const struct wy_dist *d) {
    wy_make_dist(c, f, d);
    f->f.file = shown;
    f->f.library = wy_path_base(shown);
    f->f.title =
        wy_arena_printf(c->arena, "%s is for %s, this Python is %s", f->f.library,
                        image ? machine_of(c, &image->elf) : "another machine", own_machine(c));
    if (image)
        wy_make_because(c, f, "%s: e_machine is %u, the interpreter's is %u", shown,
                        image->elf.machine, c->world->host->machine);
    if (d)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL,
                                       .dist = d,
                                       .other_wheel = true,
                                       .also = "If many packages are for the other machine, make "
                                               "the environment anew on this one."};
    else
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                       .text = "Take a build of this library for this machine."};
}

static void report_want(struct wy_case *c, const struct wy_want *want) {
    const char *path = want->file ? want->file : want->name;
    struct wy_finding *f = wy_make(c, "wrong-machine", want->severity, wy_shown(c, path));
    wy_make_wanted(c, f, want);
    wy_make_owners(c, f, want->claimed);
    describe(c, f, wy_shown(c, path), want->image, want->dist);
}

/* An extension that Python never looks at because its name carries another machine's tag. */
static void report_foreign(struct wy_case *c, const struct wy_foreign *k) {
    struct wy_finding *f = wy_make(c, "wrong-machine", WHYSO_ERROR, k->library->shown);
    describe(c, f, k->library->shown, k->library->image, k->library->dist);
    wy_make_foreign(c, f, k);
    f->why =
        "Python looks only for file names that carry its own tag: for it, this file is not there.";
}

void wy_rule_wrong_machine(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_WRONG_MACHINE)
            report_want(c, c->wants->all.v[i]);
    wy_foreign_each(c, WY_FOREIGN_MACHINE, report_foreign);
}
