/* missing-library for a module: a package imports it, cannot do without, and nothing installs it
 * with the package (data/imports.tsv, "needs"). */
#include "rule/internal.h"

/* Such a failure has no file but the one whose statement asks. */
static bool lacks_module(const struct wy_run *run) {
    const struct wy_event *e = run->fatal;
    return run->outcome == WY_RUN_FAILS && e && !e->open && !e->altered && e->module && e->file &&
           wy_same(e->path, e->file);
}

static struct wy_finding *made(struct wy_case *c, const char *module) {
    for (size_t i = 0; i < c->findings.n; i++)
        if (c->findings.v[i].f.wanted.kind &&
            strcmp(c->findings.v[i].f.wanted.kind, "module") == 0 &&
            wy_same(c->findings.v[i].f.wanted.name, module))
            return &c->findings.v[i];
    return NULL;
}

static struct wy_finding *make(struct wy_case *c, const struct wy_run *run) {
    const struct wy_event *e = run->fatal;
    struct wy_place place;
    struct wy_finding *f = wy_make(c, "missing-library", WHYSO_ERROR, e->module);
    if (wy_tree_find(c->world->tree, NULL, e->file, 0, &place) == 0 &&
        wy_world_owner(c->world, &place))
        wy_make_dist(c, f, wy_world_owner(c->world, &place));
    f->f.file = wy_shown(c, e->file);
    f->f.wanted = (struct whyso_wanted){"module", e->module, NULL};
    f->f.title = wy_arena_printf(c->arena, "%s imports %s, which is not installed",
                                 f->dist ? f->dist->name : f->f.file, e->module);
    wy_make_because(c, f, "%s:%u imports %s, and no folder of sys.path has it", f->f.file, e->line,
                    e->module);
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_INSTALL, .name = e->module};
    return f;
}

void wy_report_modules(struct wy_case *c) {
    for (size_t i = 0; i < c->nruns; i++) {
        if (!lacks_module(c->runs[i]))
            continue;
        struct wy_finding *f = made(c, c->runs[i]->fatal->module);
        f = f ? f : make(c, c->runs[i]);
        wy_strings_add_new(c->arena, &f->f.breaks.imports, c->runs[i]->module);
    }
}
