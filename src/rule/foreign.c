/* Extension files whose names carry the tag of another Python, machine or C library, where an
 * import fails for it. */
#include "rule/internal.h"

static const struct wy_library *foreign(const struct wy_case *c, const char *module) {
    for (size_t i = 0; module && i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        if (lib->role == WY_ROLE_FOREIGN && strcmp(lib->module, module) == 0 &&
            lib->image->elf.kind == WY_ELF_OK)
            return lib;
    }
    return NULL;
}

static struct wy_foreign *known(struct wy_foreign *all, size_t n, const struct wy_library *lib) {
    for (size_t i = 0; i < n; i++)
        if (all[i].library == lib)
            return &all[i];
    return NULL;
}

/* The last part of the platform in a module's name says which C library: PEP 3149, bpo-43112. */
static enum wy_libc libc_of(const struct wy_library *lib) {
    enum wy_libc linked = wy_linked_with(&lib->image->elf);
    if (linked != WY_LIBC_UNKNOWN)
        return linked;
    return wy_glob("*-musl.so", lib->path)  ? WY_LIBC_MUSL
           : wy_glob("*-gnu.so", lib->path) ? WY_LIBC_GLIBC
                                            : WY_LIBC_UNKNOWN;
}

static enum wy_foreign_to foreign_to(const struct wy_case *c, const struct wy_library *lib) {
    const struct wy_host *h = c->world->host;
    enum wy_libc libc = libc_of(lib);
    if (lib->image->elf.machine != h->machine)
        return WY_FOREIGN_MACHINE;
    return libc != WY_LIBC_UNKNOWN && h->libc != WY_LIBC_UNKNOWN && libc != h->libc
               ? WY_FOREIGN_LIBC
               : WY_FOREIGN_PYTHON;
}

void wy_foreign_each(struct wy_case *c, enum wy_foreign_to to,
                     void (*report)(struct wy_case *c, const struct wy_foreign *k)) {
    struct wy_foreign *all = wy_arena_zero(c->arena, (c->nruns + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_run *run = c->runs[i];
        const struct wy_event *e = run->outcome == WY_RUN_FAILS ? run->fatal : NULL;
        const struct wy_library *lib = e && !e->open ? foreign(c, e->module) : NULL;
        if (!lib || foreign_to(c, lib) != to)
            continue;
        struct wy_foreign *k = known(all, n, lib);
        if (!k) {
            k = &all[n++];
            *k = (struct wy_foreign){.library = lib, .event = e};
        }
        wy_strings_add_new(c->arena, &k->imports, run->module);
    }
    for (size_t i = 0; i < n; i++)
        report(c, &all[i]);
}

void wy_make_foreign(struct wy_case *c, struct wy_finding *f, const struct wy_foreign *k) {
    wy_make_owners(c, f, k->library->claimed);
    f->f.wanted = (struct whyso_wanted){"module", k->event->module, NULL};
    f->f.breaks.imports = k->imports;
    if (k->event->file)
        wy_make_because(c, f, "%s:%u imports %s; Python looks for other names and says: %s",
                        wy_shown(c, k->event->file), k->event->line, k->event->module,
                        k->event->message);
}
