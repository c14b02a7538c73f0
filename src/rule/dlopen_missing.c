/* dlopen-missing: a library that is mapped opens another by name when a user calls it, and that one
 * is nowhere. What a package recorded and lost is its rule's own matter (needs.c), and so is what a
 * library that was found lacks. */
#include "rule/internal.h"

static bool needed(const struct wy_later *k) {
    return strcmp(k->row->importance, "needed") == 0;
}

/* The library itself is nowhere: not merely something that it needs. */
static bool nowhere(const struct wy_later *k) {
    const struct wy_problem *p = k->open && k->open->nproblems ? &k->open->problems[0] : NULL;
    return !k->open || (k->open->outcome == WY_OPEN_ERROR && p && !p->needer &&
                        p->kind == WY_P_MISSING_LIBRARY);
}

static bool recorded_and_gone(const struct wy_case *c, const char *name) {
    for (size_t i = 0; i < c->world->nclaimed; i++)
        if (c->world->claimed[i].presence != WY_PRESENT &&
            wy_glob(name, wy_path_base(c->world->claimed[i].path)))
            return true;
    return false;
}

static bool installed(const struct wy_case *c, const char *name) {
    size_t n;
    wy_world_named(c->world, name, &n);
    return n > 0;
}

/* What is installed and not found is no news: another package's copy, for another process. */
static bool concerns(const struct wy_case *c, const struct wy_later *k) {
    return nowhere(k) && !wy_know_is_driver(c->world->know, k->name) &&
           !recorded_and_gone(c, k->name) && !installed(c, k->name);
}

static const struct wy_dist *owner_of(const struct wy_case *c, const struct wy_object *o) {
    return wy_world_image_owner(c->world, o->image);
}

/* A library that is nowhere when it is opened. */
struct absent {
    const struct wy_later *later;
    const struct wy_dist *opener; /* whose library opens it, or NULL */
    bool demanded;                /* some package here requires the one that has it … */
    struct wy_provision by;       /* … which is this … */
    const char *soname;           /* … under this name */
    bool told;
};

/* A package that is required and not here is a fault. One that is here without ever having recorded
 * the file was built so. */
static void find_demand(struct wy_case *c, struct absent *k) {
    const struct wy_know *know = c->world->know;
    if (k->later->required) { /* its own note asks for it, whatever packages say */
        k->demanded = true;
        k->soname = k->later->name;
        if (!wy_provide(c, k->soname, k->opener, &k->by))
            k->by = (struct wy_provision){0};
        return;
    }
    for (size_t i = 0; needed(k->later) && i < know->nproviders; i++) {
        k->soname = know->providers[i].soname;
        if (!wy_glob(k->later->name, k->soname))
            continue;
        for (size_t d = 0; d < c->world->dists.n && !k->demanded; d++)
            k->demanded = wy_provide(c, k->soname, &c->world->dists.v[d], &k->by) &&
                          k->by.required_by && k->by.package &&
                          !wy_world_dist(c->world, k->by.package);
        if (k->demanded)
            return;
    }
}

/* What is here under nearly that name: libnvrtc.so.12 where libnvrtc.so is asked for. */
static void add_near(struct wy_case *c, struct wy_finding *f, const char *name) {
    const char *so = strstr(name, ".so");
    for (size_t i = 0; so && i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        const char *base = wy_path_base(lib->path);
        if (strncmp(base, name, (size_t)(so - name) + 3) != 0)
            continue;
        WY_ADD(c->arena, &f->f.candidates,
               ((struct whyso_candidate){.file = lib->shown,
                                         .package = lib->dist ? lib->dist->name : NULL,
                                         .why_not = "another name"}));
        wy_make_because(c, f, "%s is here, but the name asked for is %s", lib->shown, name);
    }
}

static void add_search(struct wy_case *c, struct wy_finding *f, const struct wy_later *k) {
    struct wy_shown_search shown;
    if (strpbrk(k->name, "*?"))
        return;
    wy_show_search(c, k->state, k->name, k->opener, &shown);
    f->f.searched.v = shown.v;
    f->f.searched.n = shown.n;
}

static void add(struct wy_case *c, struct wy_finding *f, const struct wy_later *k,
                const char *name) {
    wy_make_needer(c, f, k->opener);
    for (size_t i = 0; i < f->f.missing.n; i++)
        if (strcmp(f->f.missing.v[i], name) == 0)
            return;
    wy_strings_add(c->arena, &f->f.missing, name);
    wy_make_because(c, f, "import %s maps %s, which opens %s by name (%s)", k->module,
                    wy_object_shown(c, k->opener), name, k->row->source);
    add_near(c, f, name);
}

/* One finding for each package that should be here and is not. */
static void report_demanded(struct wy_case *c, const struct absent *k) {
    const struct wy_provision *p = &k->by;
    for (size_t i = 0; i < c->findings.n; i++) {
        struct wy_finding *f = &c->findings.v[i];
        if (strcmp(f->f.rule, "dlopen-missing") == 0 && p->package && f->f.providers.n &&
            strcmp(f->f.providers.v[0].package, p->package) == 0) {
            add(c, f, k->later, k->soname);
            return;
        }
    }
    struct wy_finding *f = wy_make(c, "dlopen-missing", WHYSO_WARNING, k->soname);
    add(c, f, k->later, k->soname);
    add_search(c, f, k->later);
    f->f.library = k->soname;
    f->f.wanted = (struct whyso_wanted){"library", k->soname, NULL};
    f->f.title = wy_arena_printf(c->arena, "%s opens %s when it is used, and that is nowhere",
                                 wy_path_base(f->f.needed_by.v[0].file), k->soname);
    if (!p->package) {
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text = wy_arena_printf(c->arena, "Install what has %s.", k->soname)};
        return;
    }
    wy_make_provider(
        c, f, (struct whyso_provider){p->package, p->version, "pip", "available", p->because});
    if (p->required_by)
        wy_make_because(c, f, "%s %s requires %s, which is not installed", p->required_by->name,
                        p->required_by->version, p->package);
    f->remedy =
        (struct wy_remedy){.kind = WY_REMEDY_INSTALL, .name = p->package, .version = p->version};
    /* It asks for what goes with the other one. */
    if (!wy_follows_overwriting(c, f, k->later->opener))
        wy_follows_generation(c, f, k->later->opener);
}

/* What a package may open and was built without is one note for the package: the first of `n` and
 * the others of its package. What libraries of the system can do without is the system's matter. */
static void report_optional(struct wy_case *c, struct absent *v, size_t n) {
    const struct wy_dist *d = v->opener;
    if (!d || v->told)
        return;
    struct wy_finding *f = wy_make(c, "dlopen-missing", WHYSO_NOTE, d->name);
    wy_make_dist(c, f, d);
    f->f.library = v->later->name;
    f->f.wanted = (struct whyso_wanted){"library", v->later->name, NULL};
    add_search(c, f, v->later);
    for (size_t i = 0; i < n; i++) {
        if (v[i].opener != d || v[i].demanded)
            continue;
        add(c, f, v[i].later, v[i].later->name);
        v[i].told = true;
    }
    f->f.title = wy_arena_printf(c->arena, "%s can open %s that %s not here", d->name,
                                 wy_count(c->arena, f->f.missing.n, "library", "libraries"),
                                 f->f.missing.n == 1 ? "is" : "are");
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_NONE,
        .text = "Nothing to do, unless you use that feature: the package works without."};
}

void wy_rule_dlopen_missing(struct wy_case *c) {
    const struct wy_laters *all = wy_laters(c);
    WY_VEC(struct absent) absent = {0};
    for (size_t i = 0; i < all->v.n; i++) {
        const struct wy_later *k = &all->v.v[i];
        if (!concerns(c, k))
            continue;
        wy_vec_push(&absent, ((struct absent){.later = k, .opener = owner_of(c, k->opener)}));
        find_demand(c, &absent.v[absent.n - 1]);
    }
    for (size_t i = 0; i < absent.n; i++)
        if (absent.v[i].demanded)
            report_demanded(c, &absent.v[i]);
        else
            report_optional(c, &absent.v[i], absent.n - i);
    wy_vec_free(&absent);
}
