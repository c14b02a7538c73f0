/* missing-library for a whole group: a package ships variants of which one is enough
 * (data/variants.tsv), and none loads here. */
#include "rule/internal.h"

struct group {
    const struct wy_variants *row;
    const struct wy_dist *dist;
    WY_VEC(const struct wy_library *) members;
    struct whyso_strings lacks; /* what each of them lacks of `row->needs`, by member */
};

bool wy_tells_variants(const struct wy_case *c, const struct wy_dist *needer, const char *soname) {
    const struct wy_know *k = c->world->know;
    for (size_t i = 0; needer && i < k->nvariants; i++)
        if (strcmp(k->variants[i].package, needer->key) == 0 &&
            wy_glob(k->variants[i].needs, soname))
            return true;
    return false;
}

static void find_members(struct wy_case *c, struct group *g) {
    for (size_t i = 0; i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        if (lib->dist && strcmp(lib->dist->key, g->row->package) == 0 &&
            wy_glob(g->row->file, wy_path_base(lib->path))) {
            wy_vec_push(&g->members, lib);
            g->dist = lib->dist;
        }
    }
}

static bool wants(const struct wy_want *w, const struct wy_library *lib) {
    for (size_t i = 0; i < w->wanters.n; i++)
        if (w->wanters.v[i].needer && w->wanters.v[i].needer->image == lib->image)
            return true;
    return false;
}

/* Whether only files of that package want it, and plug-ins of others, which nobody needs. */
static bool theirs(const struct wy_case *c, const struct group *g, const struct wy_want *w) {
    bool any = false;
    for (size_t i = 0; i < w->wanters.n; i++) {
        const struct wy_object *o = w->wanters.v[i].needer;
        const struct wy_dist *d = o && o->image ? wy_world_image_owner(c->world, o->image) : NULL;
        if (d == g->dist)
            any = true;
        else if (!d || !wy_know_plugin(c->world->know, d->key, wy_path_base(o->name)))
            return false;
    }
    return any;
}

static const char *lacking(const struct wy_case *c, const struct group *g,
                           const struct wy_library *lib) {
    for (size_t i = 0; i < c->wants->all.n; i++) {
        const struct wy_want *w = c->wants->all.v[i];
        if (w->kind == WY_WANT_MISSING && wy_glob(g->row->needs, w->name) && wants(w, lib))
            return w->name;
    }
    return NULL;
}

/* Every member lacks what tells them apart: then that is why none loads. */
static bool none_loads(struct wy_case *c, struct group *g) {
    for (size_t i = 0; i < g->members.n; i++) {
        const char *soname = lacking(c, g, g->members.v[i]);
        if (!soname)
            return false;
        wy_strings_add(c->arena, &g->lacks, soname);
    }
    return g->members.n > 0;
}

static const char *import_that_fails(const struct wy_case *c, const struct wy_dist *d) {
    for (size_t i = 0; i < c->nruns; i++)
        if (c->runs[i]->dist == d && c->runs[i]->outcome == WY_RUN_FAILS)
            return c->runs[i]->module;
    return NULL;
}

static void take_wants(struct wy_case *c, const struct group *g, struct wy_finding *f) {
    for (size_t i = 0; i < c->wants->all.n; i++) {
        struct wy_want *w = c->wants->all.v[i];
        if (w->kind != WY_WANT_MISSING || !theirs(c, g, w))
            continue;
        w->kind = WY_WANT_TOLD;
        for (size_t k = 0; k < w->imports.n; k++)
            wy_strings_add_new(c->arena, &f->f.breaks.imports, w->imports.v[k]);
    }
}

static void report(struct wy_case *c, const struct group *g) {
    const struct whyso_strings *lacks = &g->lacks;
    const char *first = lacks->v[0], *last = lacks->v[lacks->n - 1];
    const char *span =
        lacks->n > 1 ? wy_arena_printf(c->arena, "one of %s to %s", first, last) : first;
    struct wy_finding *f =
        wy_make(c, "missing-library", import_that_fails(c, g->dist) ? WHYSO_ERROR : WHYSO_WARNING,
                g->dist->key);
    wy_make_dist(c, f, g->dist);
    f->f.library = last;
    f->f.wanted = (struct whyso_wanted){"library", last, NULL};
    f->f.missing = *lacks;
    f->f.title = lacks->n > 1
                     ? wy_arena_printf(c->arena,
                                       "none of the %zu variants of %s can load here: they need %s "
                                       "(%s), which is not installed",
                                       g->members.n, g->dist->name, g->row->what, span)
                     : wy_arena_printf(c->arena,
                                       "%s cannot load here: it needs %s (%s), which is "
                                       "not installed",
                                       g->members.v[0]->shown, g->row->what, span);
    f->f.breaks.files = g->members.n;
    for (size_t i = 0; i < g->members.n; i++)
        wy_make_because(c, f, "%s needs %s, which is nowhere", g->members.v[i]->shown, lacks->v[i]);
    wy_make_because(c, f, "one of them is enough: %s", g->row->source);
    f->why = wy_arena_printf(c->arena,
                             "%s is no part of the package. Each variant is for one version of it, "
                             "and what needs them fails when it is called.",
                             g->row->what);
    f->remedy = (struct wy_remedy){
        .kind = g->row->system ? WY_REMEDY_SYSTEM : WY_REMEDY_MANUAL,
        .system_packages = g->row->system,
        .text = wy_arena_printf(c->arena, "Install %s of a version that has one of these.",
                                g->row->what)};
    take_wants(c, g, f);
}

void wy_report_variants(struct wy_case *c) {
    const struct wy_know *k = c->world->know;
    for (size_t i = 0; i < k->nvariants; i++) {
        struct group g = {.row = &k->variants[i]};
        find_members(c, &g);
        if (none_loads(c, &g))
            report(c, &g);
        wy_vec_free(&g.members);
    }
}
