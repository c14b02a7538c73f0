/* broken-link: recorded files that are links to nothing. Mostly an installer's cache that was
 * pruned while environments still pointed into it. */
#include "rule/internal.h"

static const struct wy_claimed *first_dangling(const struct wy_case *c, const struct wy_dist *d) {
    const struct wy_claimed *first = NULL;
    const struct wy_dist_files *own = wy_files_of(c, d);
    for (size_t i = 0; i < own->nclaimed; i++) {
        const struct wy_claimed *k = own->claimed[i];
        if (k->presence == WY_DANGLING && k->claims[0].dist == d &&
            (!first || (k->is_so && !first->is_so)))
            first = k;
    }
    return first;
}

static void report(struct wy_case *c, const struct wy_dist *d, const struct wy_dist_files *s) {
    const struct wy_claimed *first = first_dangling(c, d);
    if (!first)
        return;
    const struct wy_want *want = wy_first_want(c, d, WY_WANT_BROKEN_LINK);
    enum whyso_severity severity = want ? want->severity : WHYSO_NOTE;
    if (severity == WHYSO_NOTE && wy_dist_needed_later(c, d))
        severity = WHYSO_WARNING;
    struct wy_finding *f = wy_make(c, "broken-link", severity, d->key);
    if (want)
        wy_make_wanted(c, f, want);
    wy_make_more_wants(c, f, d, WY_WANT_BROKEN_LINK);
    const struct wy_claimed *shown = want ? want->claimed : first;
    wy_make_dist(c, f, d);
    wy_make_counts(c, f, d);
    f->f.file = shown->shown;
    f->f.library = shown->is_so ? wy_path_base(shown->path) : NULL;
    f->f.title = wy_arena_printf(c->arena, "%s of %s %s %s nowhere",
                                 wy_count(c->arena, s->dangling, "link", "links"), d->name,
                                 d->version, s->dangling == 1 ? "leads" : "lead");
    wy_make_because(c, f, "%s is a link to %s, which does not exist", shown->shown,
                    shown->link_target ? shown->link_target : "nothing");
    wy_make_hollow(c, f, d);
    wy_make_provider(c, f, (struct whyso_provider){d->name, d->version, "pip", "gutted", "RECORD"});
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_REINSTALL,
        .dist = d,
        .avoid = "Links into an installer's cache break when the cache is cleaned: install with "
                 "copies or hard "
                 "links.",
    };
}

void wy_rule_broken_link(struct wy_case *c) {
    for (size_t i = 0; i < c->world->dists.n; i++)
        if (c->world->files[i].dangling)
            report(c, &c->world->dists.v[i], &c->world->files[i]);
}
