/* wrong-libc: a package for the other C library: built for musl, in a Python of glibc, or the other
 * way round. A process has one C library, and the two answer to different names. */
#include "rule/internal.h"

static enum wy_libc libc_named(const char *soname) {
    if (wy_starts(soname, "libc.musl-") || wy_starts(soname, "ld-musl-"))
        return WY_LIBC_MUSL;
    if (wy_starts(soname, "libc.so.6") || wy_starts(soname, "ld-linux"))
        return WY_LIBC_GLIBC;
    return WY_LIBC_UNKNOWN;
}

enum wy_libc wy_linked_with(const struct wy_elf *elf) {
    for (size_t i = 0; i < elf->nneeded; i++)
        if (libc_named(elf->needed[i]) != WY_LIBC_UNKNOWN)
            return libc_named(elf->needed[i]);
    return WY_LIBC_UNKNOWN;
}

/* musl answers to "libc.so.6" itself (ldso/dynlink.c, load_library), so that there only symbols are
 * lacking. */
bool wy_of_other_libc(const struct wy_case *c, const struct wy_problem *p) {
    enum wy_libc own = c->world->host->libc;
    if (!p->needer || !p->needer->image || own == WY_LIBC_UNKNOWN)
        return false;
    enum wy_libc built = wy_linked_with(&p->needer->image->elf);
    if (built == WY_LIBC_UNKNOWN || built == own)
        return false;
    return p->kind == WY_P_UNDEFINED_SYMBOL ||
           (p->kind == WY_P_MISSING_LIBRARY && libc_named(p->name) == built);
}

static const char *word(enum wy_libc libc) {
    return libc == WY_LIBC_MUSL ? "musl" : "glibc";
}

static enum wy_libc other(const struct wy_case *c) {
    return c->world->host->libc == WY_LIBC_MUSL ? WY_LIBC_GLIBC : WY_LIBC_MUSL;
}

static void describe(struct wy_case *c, struct wy_finding *f, const char *path,
                     const struct wy_dist *d) {
    const char *own = word(c->world->host->libc), *built = word(other(c));
    wy_make_dist(c, f, d);
    f->f.file = wy_shown(c, path);
    f->f.library = wy_path_base(path);
    f->f.brief = wy_arena_printf(c->arena, "built for %s", built);
    f->f.title = wy_arena_printf(c->arena, "%s is built for %s, this Python runs on %s",
                                 f->f.library, built, own);
    const char *tag = other(c) == WY_LIBC_MUSL ? "musllinux" : "manylinux";
    const char *also =
        wy_arena_printf(c->arena,
                        "If many packages are for %s, the environment was made elsewhere (another "
                        "container image): make it anew here.",
                        built);
    if (d)
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_REINSTALL, .dist = d, .other_wheel = true, .also = also};
    else
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                       .text = "Take a build of this library for this C library.",
                                       .also = also};
    f->remedy.avoid = wy_arena_printf(c->arena,
                                      "Do not install the other C library beside this one, and do "
                                      "not force a %s wheel: one process has one C library.",
                                      tag);
}

static void report_want(struct wy_case *c, const struct wy_want *want) {
    struct wy_finding *f = wy_make(c, "wrong-libc", want->severity, wy_shown(c, want->file));
    wy_make_wanted(c, f, want);
    wy_make_owners(c, f, want->claimed);
    describe(c, f, want->file, want->dist);
    enum wy_problem_kind kind = want->wanters.v[0].problem->kind;
    if (kind == WY_P_MISSING_LIBRARY)
        wy_make_because(c, f, "%s needs %s, which is the C library %s (readelf -d)", f->f.file,
                        want->name, word(other(c)));
    else
        wy_make_because(c, f, "%s needs %s, which only %s has", f->f.file, want->name,
                        word(other(c)));
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
}

/* An extension that Python never looks at because its name carries the other C library's tag. */
static void report_foreign(struct wy_case *c, const struct wy_foreign *k) {
    struct wy_finding *f = wy_make(c, "wrong-libc", WHYSO_ERROR, k->library->shown);
    describe(c, f, k->library->path, k->library->dist);
    wy_make_foreign(c, f, k);
    f->why =
        "Python looks only for file names that carry its own tag: for it, this file is not there.";
}

void wy_rule_wrong_libc(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_WRONG_LIBC)
            report_want(c, c->wants->all.v[i]);
    wy_foreign_each(c, WY_FOREIGN_LIBC, report_foreign);
}
