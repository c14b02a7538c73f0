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
        wy_arena_printf(c->arena, "%s is for %s, this Python is %s", shown,
                        image ? machine_of(c, &image->elf) : "another machine", own_machine(c));
    if (image)
        wy_make_because(c, f, "%s: e_machine is %u, the interpreter's is %u", shown,
                        image->elf.machine, c->world->host->machine);
    if (d)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL,
                                       .dist = d,
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

/* Extension files that Python never looks at because their names carry another machine's tag. */
static const struct wy_library *foreign(const struct wy_case *c, const char *module) {
    for (size_t i = 0; module && i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        if (lib->role == WY_ROLE_FOREIGN && strcmp(lib->module, module) == 0 &&
            lib->image->elf.kind == WY_ELF_OK && lib->image->elf.machine != c->world->host->machine)
            return lib;
    }
    return NULL;
}

static void report_run(struct wy_case *c, const struct wy_run *run) {
    const struct wy_event *e = run->fatal;
    const struct wy_library *lib = e && !e->open ? foreign(c, e->module) : NULL;
    if (!lib)
        return;
    struct wy_finding *f = wy_make(c, "wrong-machine", WHYSO_ERROR, lib->shown);
    describe(c, f, lib->shown, lib->image, lib->dist);
    wy_make_owners(c, f, lib->claimed);
    f->f.wanted = (struct whyso_wanted){"module", e->module, NULL};
    wy_strings_add(c->arena, &f->f.breaks.imports, run->module);
    if (e->file)
        wy_make_because(c, f, "%s:%u imports %s; Python looks for other names and says: %s",
                        wy_shown(c, e->file), e->line, e->module, e->message);
}

void wy_rule_wrong_machine(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_WRONG_MACHINE)
            report_want(c, c->wants->all.v[i]);
    for (size_t i = 0; i < c->nruns; i++)
        if (c->runs[i]->outcome == WY_RUN_FAILS)
            report_run(c, c->runs[i]);
}
