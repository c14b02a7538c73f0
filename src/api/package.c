#include "api/package.h"

#include "base/path.h"
#include "base/vec.h"
#include "plan/change.h"

#include <ctype.h>

enum { MOST_NEEDERS = 1000 };

struct package {
    struct whyso_answer *a;
    const struct wy_dist *d;
    struct whyso_why *w;
    struct wy_map sonames; /* of its libraries; any value */
};

/* --- what it brings ----------------------------------------------------------------------- */

static bool identifier(struct wy_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && s.p[i] != '_' && (unsigned char)s.p[i] < 0x80)
            return false;
    return s.n && !isdigit((unsigned char)s.p[0]) && !wy_str_is(s, "__pycache__");
}

/* The top-level name that a row of RECORD makes importable, or an empty text. */
static struct wy_str module_of(const char *path) {
    struct wy_str rest, first = wy_str_cut(wy_str_of(path), '/', &rest);
    bool folder = rest.p != NULL;
    if (!folder && !wy_str_ends(first, ".py") && !wy_str_ends(first, ".so"))
        return (struct wy_str){0};
    struct wy_str name = folder ? first : wy_str_cut(first, '.', &rest);
    return identifier(name) ? name : (struct wy_str){0};
}

static void list_modules(struct package *p) {
    struct wy_map seen = {0};
    for (size_t i = 0; i < p->d->record.n; i++) {
        struct wy_str name = module_of(p->d->record.v[i].path);
        void **slot = name.n ? wy_map_at(&seen, name) : NULL;
        if (slot && !*slot) {
            *slot = p;
            wy_strings_add(&p->a->arena, &p->w->about.modules, wy_arena_str(&p->a->arena, name));
        }
    }
    wy_map_deinit(&seen);
}

static void list_libraries(struct package *p) {
    const struct wy_world *w = p->a->world;
    WY_VEC(struct whyso_brought) all = {0};
    for (size_t i = 0; i < w->nlibraries; i++) {
        const struct wy_library *lib = &w->libraries[i];
        if (lib->dist != p->d)
            continue;
        const char *soname = lib->image->elf.soname;
        wy_vec_push(&all, ((struct whyso_brought){lib->shown, soname}));
        *wy_map_at(&p->sonames, wy_str_of(soname ? soname : wy_path_base(lib->path))) = p;
    }
    p->w->about.libraries.n = all.n;
    wy_vec_keep(&p->a->arena, &all);
    p->w->about.libraries.v = all.v;
}

/* --- who needs it ------------------------------------------------------------------------- */

/* Whether a file asks for a library of the package. One that its own package has as well (bundled
 * copies carry the same name) is taken from there. */
static bool asks_for(const struct package *p, const struct wy_library *lib, const char *soname) {
    size_t n;
    if (!wy_map_get(&p->sonames, wy_str_of(soname)))
        return false;
    const struct wy_library **copies = wy_world_named(p->a->world, soname, &n);
    for (size_t i = 0; lib->dist && i < n; i++)
        if (copies[i]->dist == lib->dist)
            return false;
    return true;
}

static void list_needers(struct package *p) {
    const struct wy_world *w = p->a->world;
    WY_VEC(struct whyso_needer) all = {0};
    for (size_t i = 0; i < w->nlibraries && all.n < MOST_NEEDERS; i++) {
        const struct wy_library *lib = &w->libraries[i];
        const struct wy_elf *elf = &lib->image->elf;
        size_t k = 0;
        while (k < elf->nneeded && !asks_for(p, lib, elf->needed[k]))
            k++;
        if (lib->dist != p->d && k < elf->nneeded)
            wy_vec_push(&all, ((struct whyso_needer){lib->shown, lib->dist ? lib->dist->name : NULL,
                                                     NULL, NULL}));
    }
    p->w->needed_by.n = all.n;
    wy_vec_keep(&p->a->arena, &all);
    p->w->needed_by.v = all.v;
}

static void list_requirers(struct package *p) {
    const struct wy_dists *all = &p->a->world->dists;
    WY_VEC(struct whyso_requirer) found = {0};
    for (size_t i = 0; i < all->n; i++) {
        const struct wy_dist *d = &all->v[i];
        const char *text = d == p->d ? NULL : wy_dist_requirement(&p->a->rules, d, p->d->key);
        if (text)
            wy_vec_push(&found, ((struct whyso_requirer){d->name, d->version, text}));
    }
    p->w->about.required_by.n = found.n;
    wy_vec_keep(&p->a->arena, &found);
    p->w->about.required_by.v = found.v;
}

/* --- who overlaps it ---------------------------------------------------------------------- */

static bool same_content(const struct wy_record_row *a, const struct wy_record_row *b) {
    return wy_str_eq(a->hash, b->hash) && (a->size == b->size || a->size < 0 || b->size < 0);
}

static void list_overlaps(struct package *p) {
    const struct wy_world *w = p->a->world;
    const struct wy_dist_files *files = &w->files[wy_world_dist_index(w, p->d)];
    struct whyso_overlap *by_dist = wy_arena_zero(&p->a->arena, w->dists.n * sizeof *by_dist);
    for (size_t i = 0; i < files->nclaimed; i++) {
        const struct wy_claimed *k = files->claimed[i];
        const struct wy_claim *own = k->claims;
        while (own->dist != p->d)
            own++;
        for (size_t m = 0; m < k->nclaims; m++)
            if (k->claims[m].dist != p->d) {
                struct whyso_overlap *o = &by_dist[wy_world_dist_index(w, k->claims[m].dist)];
                o->files++;
                o->differ += !same_content(own->row, k->claims[m].row);
            }
    }
    p->w->about.overlaps.v = by_dist; /* moved together in place */
    for (size_t i = 0; i < w->dists.n; i++)
        if (by_dist[i].files) {
            struct whyso_overlap o = by_dist[i];
            o.package = w->dists.v[i].name;
            o.version = w->dists.v[i].version;
            by_dist[p->w->about.overlaps.n++] = o;
        }
}

/* --- what breaks without it --------------------------------------------------------------- */

static struct whyso_broken broken(struct package *p, const struct wy_run *before,
                                  const struct wy_run *after) {
    bool fails = after->outcome == WY_RUN_FAILS;
    const char *message = !fails           ? after->reason
                          : after->message ? after->message
                                           : after->raised_text;
    return (struct whyso_broken){.module = before->module,
                                 .package = before->dist ? before->dist->name : NULL,
                                 .outcome = fails ? "fails" : "unknown",
                                 .message = wy_arena_cstr(&p->a->arena, message)};
}

/* Imports that work now and not then. Those of the package itself are gone, not broken. */
static void compare(struct package *p, struct whyso_answer *without) {
    const struct wy_case *now = &p->a->rules;
    WY_VEC(struct whyso_broken) all = {0};
    for (size_t i = 0; i < now->nruns; i++) {
        const struct wy_run *before = now->runs[i];
        if (before->dist == p->d || before->outcome != WY_RUN_OK)
            continue;
        const struct wy_run *after = wy_importer_run(without->importer, before->module);
        if (after->outcome != WY_RUN_OK)
            wy_vec_push(&all, broken(p, before, after));
    }
    p->w->about.breaks.n = all.n;
    wy_vec_keep(&p->a->arena, &all);
    p->w->about.breaks.v = all.v;
}

static struct wy_error *find_breaks(struct package *p, const struct whyso_options *o) {
    struct wy_change removal = {.kind = WY_CHANGE_REMOVE, .dist = p->d};
    struct wy_changes changes = {.v = &removal, .n = 1};
    struct wy_promises promises;
    struct wy_layer *layer = wy_layer_create();
    wy_changes_layer(&p->a->rules, &changes, changes.n, layer, &promises);
    struct whyso_answer *without = wy_answer_new();
    without->tree = wy_tree_overlay(p->a->tree, layer);
    struct wy_error *e = wy_session_on_tree(without, o);
    if (!e)
        compare(p, without);
    whyso_answer_free(without);
    return e;
}

struct wy_error *wy_about_package(struct whyso_answer *a, const struct whyso_options *o,
                                  const struct wy_dist *d, struct whyso_why *w) {
    struct package p = {.a = a, .d = d, .w = w};
    w->about.package =
        (struct whyso_package_ref){d->name, d->version, wy_world_shown(a->world, d->site)};
    w->about.recorded = d->record.n > 0;
    w->about.files = a->world->files[wy_world_dist_index(a->world, d)].recorded;
    list_modules(&p);
    list_libraries(&p);
    list_needers(&p);
    list_requirers(&p);
    list_overlaps(&p);
    wy_map_deinit(&p.sonames);
    return w->about.recorded ? find_breaks(&p, o) : NULL;
}
