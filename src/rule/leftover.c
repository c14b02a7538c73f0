/* leftover: what interrupted or old installations left behind. */
#include "rule/internal.h"

static void report_stash(struct wy_case *c, const char *path) {
    const char *shown = wy_shown(c, path);
    struct wy_finding *f = wy_make(c, "leftover", WHYSO_NOTE, shown);
    f->f.file = shown;
    f->f.title = wy_arena_printf(c->arena, "%s was left by an interrupted uninstall", shown);
    wy_make_because(c, f,
                    "pip renames what it removes to a name that begins with ~ until it is done");
    f->remedy =
        (struct wy_remedy){.kind = WY_REMEDY_MANUAL, .text = "Nothing uses it: it can be deleted."};
}

static void report_info(struct wy_case *c, const struct wy_dist *d) {
    const char *shown = wy_shown(c, d->info);
    struct wy_finding *f = wy_make(c, "leftover", WHYSO_NOTE, shown);
    f->f.file = shown;
    f->f.title = wy_arena_printf(c->arena, "%s has no METADATA", shown);
    wy_make_because(c, f, "installers do not see a package without METADATA");
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                   .text = "Left by an interrupted install or by another program: "
                                           "it can be deleted if the package is not "
                                           "used."};
}

/* The folder holds files that some package recorded. */
static bool owned_folder(const struct wy_world *w, struct wy_dir *d) {
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(d, &n);
    for (size_t i = 0; i < n; i++)
        if (wy_world_owner(w, &(struct wy_place){.dir = d, .entry = &entries[i]}))
            return true;
    return false;
}

static bool mapped(const struct wy_case *c, const struct wy_library *lib) {
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_process *p = c->runs[i]->after;
        for (size_t k = 0; p && k < wy_process_count(p); k++)
            if (wy_process_at(p, k)->image == lib->image)
                return true;
    }
    return false;
}

static void report_library(struct wy_case *c, const struct wy_library *lib) {
    bool used = mapped(c, lib);
    struct wy_finding *f = wy_make(c, "leftover", used ? WHYSO_WARNING : WHYSO_NOTE, lib->shown);
    f->f.file = lib->shown;
    f->f.library = wy_path_base(lib->path);
    f->f.title = wy_arena_printf(c->arena, "%s belongs to no package%s", lib->shown,
                                 used ? ", yet an import maps it" : "");
    wy_make_because(c, f, "no RECORD lists it, although its folder is a package's");
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text =
            "Left by an older version, or built there: reinstall the package after deleting it."};
}

void wy_rule_leftover(struct wy_case *c) {
    const struct wy_world *w = c->world;
    for (size_t i = 0; i < w->dists.nstashes; i++)
        report_stash(c, w->dists.stashes[i]);
    for (size_t i = 0; i < w->dists.n; i++) {
        const struct wy_dist *d = &w->dists.v[i];
        if (d->no_metadata && !d->problem && !d->egg) /* a problem: it is there, but unreadable */
            report_info(c, d);
    }
    if (w->env.kind == WY_ENV_CONDA)
        return; /* conda's own files have no RECORD */
    for (size_t i = 0; i < w->nlibraries; i++) {
        const struct wy_library *lib = &w->libraries[i];
        if (!lib->dist && lib->place.dir && owned_folder(w, lib->place.dir))
            report_library(c, lib);
    }
}
