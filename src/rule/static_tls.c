/* static-tls: a library's thread-local variables must lie at a fixed place, and the space that was
 * set aside for such late comers at the start of the process is used up (docs/loader.md A13). */
#include "rule/internal.h"

#include <inttypes.h>

static void report(struct wy_case *c, const struct wy_want *want) {
    const char *path = want->file ? want->file : want->name;
    struct wy_finding *f = wy_make(c, "static-tls", want->severity, wy_shown(c, path));
    wy_make_wanted(c, f, want);
    wy_make_dist(c, f, want->dist);
    wy_make_owners(c, f, want->claimed);
    f->f.wanted = (struct whyso_wanted){"tls", wy_shown(c, path), NULL};
    f->f.file = wy_shown(c, path);
    f->f.library = wy_path_base(path);
    f->f.title = wy_arena_printf(c->arena, "no room is left for the thread-local variables of %s",
                                 f->f.library);
    if (want->image)
        wy_make_because(c, f,
                        "%s has %" PRIu64 " bytes of thread-local variables (readelf -l, TLS)",
                        wy_shown(c, path), want->image->elf.tls_memsz);
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_VARIABLE,
        .name = "LD_PRELOAD",
        .version = path,
        .text = "Load exactly this file at the start of the process: then its variables belong to "
                "the first set.",
        .also = "Or raise the reserve: GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096. "
                "Importing it before "
                "other libraries may also be enough.",
        .avoid = "A system library of a similar name does not help: the loader asks for this one."};
}

void wy_rule_static_tls(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_STATIC_TLS)
            report(c, c->wants->all.v[i]);
}
