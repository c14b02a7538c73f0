/* duplicate-package: one distribution is recorded twice. In one site directory an upgrade was cut
 * short, and which version tools speak of is chance; in two, the first on sys.path hides the other,
 * which is how a user site and a venv over the system's Python are meant. */
#include "rule/internal.h"

#include <inttypes.h>

/* The one whose files are here; of two that are whole the one read first. */
static const struct wy_dist *whole(const struct wy_case *c, const struct wy_dist *a,
                                   const struct wy_dist *b) {
    return wy_files_of(c, b)->missing < wy_files_of(c, a)->missing ? b : a;
}

static void report(struct wy_case *c, const struct wy_dist *a, const struct wy_dist *b) {
    bool together = wy_same(a->site, b->site);
    struct wy_finding *f =
        wy_make(c, "duplicate-package", together ? WHYSO_WARNING : WHYSO_NOTE, a->key);
    const struct wy_dist *keep = together ? whole(c, a, b) : a, *drop = keep == a ? b : a;
    wy_make_dist(c, f, keep);
    f->f.file = wy_shown(c, drop->info);
    if (together)
        f->f.title = wy_arena_printf(c->arena, "%s is recorded twice: %s and %s", a->name,
                                     a->version, b->version);
    else
        f->f.title = wy_arena_printf(c->arena, "%s %s hides %s %s of %s", a->name, a->version,
                                     b->name, b->version, wy_shown(c, b->site));
    for (int i = 0; i < 2; i++) {
        const struct wy_dist *d = i ? b : a;
        wy_make_because(c, f, "%s: %" PRIu64 " of %zu recorded files are gone",
                        wy_shown(c, d->info), wy_files_of(c, d)->missing, d->record.n);
    }
    if (!together) {
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_NONE,
                                       .text = "Nothing to do if the first is meant to win."};
        return;
    }
    f->why = "An upgrade was cut short, or one installer did not see what another had put there.";
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL, .dist = keep};
}

void wy_rule_duplicate_package(struct wy_case *c) {
    const struct wy_dists *all = &c->world->dists;
    for (size_t i = 0; i + 1 < all->n; i++) /* they are sorted by key */
        if (strcmp(all->v[i].key, all->v[i + 1].key) == 0 &&
            !wy_same(all->v[i].version, all->v[i + 1].version)) /* Debian writes one twice */
            report(c, &all->v[i], &all->v[i + 1]);
}
