/* whyso list: packages with native code. */
#include "api/session.h"

static const char *state(const struct whyso_answer *a, const struct wy_dist *d) {
    const char *worst = "whole";
    for (size_t i = 0; i < a->rules.findings.n; i++) {
        const struct wy_finding *f = &a->rules.findings.v[i];
        if (f->dist != d)
            continue;
        if (strcmp(f->f.rule, "gutted-package") == 0)
            return "gutted";
        if (strcmp(f->f.rule, "overwritten-file") == 0 && f->f.severity == WHYSO_WARNING)
            worst = "overwritten";
        else if ((strcmp(f->f.rule, "missing-file") == 0 && f->f.library) ||
                 strcmp(f->f.rule, "broken-link") == 0 ||
                 (strcmp(f->f.rule, "bad-file") == 0 && f->f.library))
            worst = strcmp(worst, "whole") == 0 ? "damaged" : worst;
    }
    return worst;
}

static uint64_t libraries_of(const struct wy_world *w, const struct wy_dist *d) {
    uint64_t n = 0;
    for (size_t i = 0; i < w->nlibraries; i++)
        n += w->libraries[i].dist == d;
    return n;
}

struct whyso_answer *whyso_list(const struct whyso_options *o, const struct whyso_list **ret) {
    struct whyso_answer *a = wy_answer_new();
    struct whyso_options resolve = *o;
    resolve.only = WHYSO_ONLY_RESOLVE;
    *ret = NULL;
    if (wy_answer_fails(a, wy_session_open(a, o)) ||
        wy_answer_fails(a, wy_session_examine(a, &resolve, NULL, 0)))
        return a;
    const struct wy_world *w = a->world;
    struct whyso_list *r = WY_NEW(&a->arena, struct whyso_list);
    wy_session_environment(a, o, &r->environment);
    r->packages.v = wy_arena_zero(&a->arena, (w->dists.n + 1) * sizeof *r->packages.v);
    for (size_t i = 0; i < w->dists.n; i++) {
        const struct wy_dist *d = &w->dists.v[i];
        const char *how = state(a, d);
        if (!w->files[i].has_elf && strcmp(how, "gutted") != 0)
            continue;
        r->packages.v[r->packages.n++] =
            (struct whyso_listed){d->name,
                                  d->version,
                                  wy_world_shown(w, d->site),
                                  d->installer[0] ? d->installer : NULL,
                                  wy_generation(&a->rules, d),
                                  how,
                                  libraries_of(w, d)};
    }
    *ret = r;
    return a;
}
