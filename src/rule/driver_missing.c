/* driver-missing: the library belongs to the GPU driver of the host. Normal on a machine without
 * one. */
#include "rule/internal.h"

static void report(struct wy_case *c, const struct wy_want *want) {
    bool fails = want->severity == WHYSO_ERROR;
    struct wy_finding *f =
        wy_make(c, "driver-missing", fails ? WHYSO_WARNING : WHYSO_NOTE, want->name);
    wy_make_wanted(c, f, want);
    f->f.wanted.kind = "driver";
    f->f.title = wy_arena_printf(
        c->arena, "%s belongs to the GPU driver, and there is no driver here", want->name);
    wy_make_because(c, f,
                    "no package of pip or conda contains %s: it comes with the driver of the host",
                    want->name);
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text = "Run it where the driver is: in a container, start it with GPU access.",
        .avoid = wy_arena_printf(
            c->arena,
            "Do not install %s with pip, and do not point LD_LIBRARY_PATH at a toolkit's "
            "stubs folder: a stub answers every call with an error.",
            want->name),
    };
}

void wy_rule_driver_missing(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_DRIVER)
            report(c, c->wants->all.v[i]);
}
