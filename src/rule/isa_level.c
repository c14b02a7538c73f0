/* isa-level: the library was built for newer processors and says so (a GNU property of x86); the
 * loader refuses it (docs/loader.md A5). */
#include "rule/internal.h"

/* GNU_PROPERTY_X86_ISA_1_NEEDED: one bit for each level (x86-64 psABI). */
static const char *level(const struct wy_elf *elf) {
    static const char *const names[] = {"x86-64-v1", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    enum { LEVELS = sizeof names / sizeof *names };
    if (elf->isa_needed >> LEVELS)
        return "newer processors than whyso knows";
    for (size_t i = LEVELS; i-- > 0;)
        if (elf->isa_needed >> i & 1)
            return names[i];
    return names[0];
}

static void report(struct wy_case *c, const struct wy_want *want) {
    const char *shown = wy_shown(c, want->file), *cpu = c->world->host->cpu;
    struct wy_finding *f = wy_make(c, "isa-level", want->severity, shown);
    const char *wanted = want->image ? level(&want->image->elf) : "a newer processor";
    wy_make_wanted(c, f, want);
    wy_make_dist(c, f, want->dist);
    wy_make_owners(c, f, want->claimed);
    f->f.wanted = (struct whyso_wanted){"arch", wanted, NULL};
    f->f.file = shown;
    f->f.library = wy_path_base(want->file);
    f->f.title = wy_arena_printf(c->arena, "%s is built for %s, the processor here is %s",
                                 f->f.library, wanted, cpu);
    wy_make_because(c, f, "%s asks for it (readelf -n, x86 ISA needed)", shown);
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
    const char *who = want->dist ? want->dist->name : f->f.library;
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_REBUILD,
        .text = wy_arena_printf(c->arena,
                                "Install a build of %s for older processors, or run on a machine "
                                "that has %s.",
                                who, wanted),
        .also =
            "A virtual machine may hide what the processor has: look at its CPU model (\"host\" "
            "passes all of it through)."};
}

void wy_rule_isa_level(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_ISA_LEVEL)
            report(c, c->wants->all.v[i]);
}
