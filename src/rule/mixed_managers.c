/* mixed-managers: pip or uv wrote over a package that conda or the distribution also has. Each
 * manager believes its own list: an update or a removal by either takes files of the other. */
#include "rule/internal.h"

#include <inttypes.h>

struct both {
    const struct wy_dist *dist;
    const struct wy_sys_package *other;
    struct whyso_strings files; /* that both list, as shown; the first few */
    uint64_t n;
};
enum { MOST_SHOWN = 5 };

static bool by_pip(const struct wy_dist *d) {
    return strcmp(d->installer, "pip") == 0 || strcmp(d->installer, "uv") == 0;
}

static const char *metadata_of(struct wy_case *c, const struct wy_dist *d) {
    return wy_path_join(c->arena, d->info, "METADATA");
}

/* NAME/__init__.py: what two versions of one package have in common, whatever their libraries are
 * called. */
static const char *package_file(struct wy_case *c, const struct wy_dist *d) {
    for (size_t i = 0; i < d->record.n; i++) {
        const char *row = d->record.v[i].path, *slash = strchr(row, '/');
        if (row[0] != '.' && slash && strcmp(slash, "/__init__.py") == 0)
            return wy_path_join(c->arena, d->site, row);
    }
    return NULL;
}

static void take(struct wy_case *c, struct both *b, const char *path) {
    const struct wy_sys_package *p = path ? wy_world_system_package(c->world, path) : NULL;
    if (!p || (b->other && b->other != p))
        return;
    b->other = p;
    b->n++;
    if (b->files.n < MOST_SHOWN)
        wy_strings_add(c->arena, &b->files, wy_shown(c, path));
}

/* A package that conda made out of a wheel has a dist-info, too, and lists it. */
static bool have_both(struct wy_case *c, const struct wy_dist *d, struct both *ret) {
    const struct wy_dist_files *own = wy_files_of(c, d);
    *ret = (struct both){.dist = d};
    take(c, ret, package_file(c, d));
    for (size_t i = 0; i < own->nclaimed; i++)
        if (own->claimed[i]->is_so)
            take(c, ret, own->claimed[i]->path);
    return ret->other && wy_world_system_package(c->world, metadata_of(c, d)) != ret->other;
}

/* The worst that is said of the package already. */
static const struct wy_finding *worst_of(const struct wy_case *c, const struct wy_dist *d) {
    const struct wy_finding *worst = NULL;
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct wy_finding *f = &c->findings.v[i];
        if (f->dist == d && f->f.severity > WHYSO_NOTE &&
            (!worst || f->f.severity > worst->f.severity))
            worst = f;
    }
    return worst;
}

static void report(struct wy_case *c, const struct both *b) {
    const struct wy_finding *worst = worst_of(c, b->dist);
    const struct wy_remedy remedy = worst ? worst->remedy : (struct wy_remedy){0};
    const char *follows = worst ? worst->f.fingerprint : NULL;
    struct wy_finding *f =
        wy_make(c, "mixed-managers", worst ? worst->f.severity : WHYSO_NOTE, b->dist->key);
    const char *version = b->other->version ? b->other->version : "";
    wy_make_dist(c, f, b->dist);
    f->follows = follows;
    f->f.brief = wy_arena_printf(c->arena, "over %s of %s", version, b->other->manager);
    f->f.title = wy_arena_printf(c->arena, "%s %s of %s lies over %s %s of %s", b->dist->name,
                                 b->dist->version, b->dist->installer, b->other->name, version,
                                 b->other->manager);
    wy_make_because(c, f, "%s lists %s of this package, too", wy_shown(c, b->other->record),
                    wy_count(c->arena, b->n, "file", "files"));
    for (size_t i = 0; i < b->files.n; i++)
        wy_make_because(c, f, "both have %s", b->files.v[i]);
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_NONE,
        .text =
            wy_arena_printf(c->arena,
                            "Nothing to do while it works. To have one of them: uninstall %s "
                            "with %s, then put %s back with %s, by force.",
                            b->dist->name, b->dist->installer, b->other->name, b->other->manager)};
    if (worst) {
        f->remedy = remedy;
        return;
    }
    f->why = wy_arena_printf(c->arena,
                             "%s wrote over what %s had put there, and neither knows of the other: "
                             "an update or a removal by one takes files of the other.",
                             b->dist->installer, b->other->manager);
}

/* Inside a venv, or a folder by itself, no other manager has anything. */
void wy_rule_mixed_managers(struct wy_case *c) {
    const struct wy_world *w = c->world;
    struct both b;
    if (w->env.kind != WY_ENV_CONDA && w->env.kind != WY_ENV_SYSTEM)
        return;
    for (size_t i = 0; i < w->dists.n; i++) { /* their lists are read once, for all questions */
        const char *file = by_pip(&w->dists.v[i]) ? package_file(c, &w->dists.v[i]) : NULL;
        if (file) {
            wy_world_expect(w, metadata_of(c, &w->dists.v[i]));
            wy_world_expect(w, file);
        }
    }
    for (size_t i = 0; i < w->dists.n; i++)
        if (by_pip(&w->dists.v[i]) && w->files[i].has_elf && have_both(c, &w->dists.v[i], &b))
            report(c, &b);
}
