/* not-modelled: code that an import runs loads something by a name that is made at run time. Said
 * where it may matter: the package has libraries that nothing else was seen to load. */
#include "rule/internal.h"

enum { MOST_PLACES = 5 };

static const struct wy_dist *owner_of(const struct wy_case *c, const char *file) {
    struct wy_place place;
    return wy_tree_find(c->world->tree, NULL, file, 0, &place) == 0
               ? wy_world_owner(c->world, &place)
               : NULL;
}

static bool mapped(const struct wy_case *c, const struct wy_image *image) {
    for (size_t i = 0; i < c->nruns; i++)
        for (size_t k = 0; c->runs[i]->after && k < wy_process_count(c->runs[i]->after); k++)
            if (wy_process_at(c->runs[i]->after, k)->image == image)
                return true;
    return false;
}

/* The first library of the package that no followed import maps, or NULL. */
static const struct wy_library *not_met(const struct wy_case *c, const struct wy_dist *d) {
    for (size_t i = 0; i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        if (lib->dist == d && lib->role != WY_ROLE_FOREIGN && lib->image->elf.kind == WY_ELF_OK &&
            !mapped(c, lib->image))
            return lib;
    }
    return NULL;
}

static struct wy_finding *made(struct wy_case *c, const struct wy_dist *d) {
    for (size_t i = 0; i < c->findings.n; i++)
        if (c->findings.v[i].dist == d && strcmp(c->findings.v[i].f.rule, "not-modelled") == 0)
            return &c->findings.v[i];
    return NULL;
}

static struct wy_finding *make(struct wy_case *c, const struct wy_dist *d,
                               const struct wy_unfollowed *u, const struct wy_library *lib) {
    struct wy_finding *f = wy_make(c, "not-modelled", WHYSO_NOTE, d->key);
    wy_make_dist(c, f, d);
    f->f.file = wy_shown(c, u->file);
    f->f.title = wy_arena_printf(c->arena,
                                 "%s loads something by a name that is made at run time: %s:%u "
                                 "was not followed",
                                 d->name, f->f.file, u->line);
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_NONE,
        .text = "Nothing to do. `whyso verify MODULE` runs the import and shows what it loads."};
    wy_make_because(c, f, "%s is not mapped by any import that was followed", lib->shown);
    return f;
}

static void report_pth(struct wy_case *c, const char *pth) {
    const char *file = wy_shown(c, pth);
    struct wy_finding *f = wy_make(c, "not-modelled", WHYSO_NOTE, file);
    wy_make_dist(c, f, owner_of(c, pth));
    f->f.file = file;
    f->f.title = wy_arena_printf(c->arena,
                                 "%s runs code when Python starts, which was not followed: "
                                 "more may be importable than is listed here",
                                 wy_path_base(file));
    f->remedy =
        (struct wy_remedy){.kind = WY_REMEDY_NONE,
                           .text = "Nothing to do. `whyso verify MODULE` runs an import and "
                                   "compares it with what is predicted."};
}

void wy_rule_not_modelled(struct wy_case *c) {
    size_t n;
    const struct wy_unfollowed *all = wy_importer_unfollowed(c->importer, &n);
    for (size_t i = 0; i < n; i++) {
        const struct wy_dist *d = owner_of(c, all[i].file);
        const struct wy_library *lib = d ? not_met(c, d) : NULL;
        if (!lib)
            continue;
        struct wy_finding *f = made(c, d);
        f = f ? f : make(c, d, &all[i], lib);
        if (f->f.because.n <= MOST_PLACES)
            wy_make_because(c, f, "%s:%u calls %s", wy_shown(c, all[i].file), all[i].line,
                            all[i].does);
    }
    const char *const *hooks = wy_importer_hooks(c->importer, &n);
    for (size_t i = 0; i < n; i++)
        report_pth(c, hooks[i]);
}
