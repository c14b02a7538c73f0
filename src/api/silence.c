#include "api/silence.h"

#include "base/map.h"

#include <fnmatch.h>

static bool matches(const char *glob, const char *name) {
    return name && fnmatch(glob, name, 0) == 0;
}

/* A package also by its normalised name: nobody remembers which of the spellings it installs. */
static bool ignored(const struct whyso_silence *s, const struct wy_finding *f) {
    for (size_t i = 0; i < s->nignores; i++) {
        const char *glob = s->ignores[i].glob;
        if (strcmp(s->ignores[i].rule, f->f.rule) != 0)
            continue;
        if (!glob || matches(glob, f->f.package.name) || matches(glob, f->f.library) ||
            matches(glob, f->f.file) || (f->dist && matches(glob, f->dist->key)))
            return true;
    }
    return false;
}

/* The baseline by fingerprint; `found` says which of its entries still exist. */
struct known {
    const struct whyso_known *v;
    size_t n;
    struct wy_map by_name; /* to the number of the entry, from 1 */
    bool *found;
};

static size_t number_of(const struct known *k, const char *fingerprint) {
    return (uintptr_t)wy_map_get(&k->by_name, wy_str_of(fingerprint));
}

/* One that has become worse since is news. */
static bool known_as_bad(struct known *k, const struct whyso_finding *f) {
    size_t number = number_of(k, f->fingerprint);
    if (!number)
        return false;
    k->found[number - 1] = true;
    return f->severity <= k->v[number - 1].severity;
}

static void list_gone(struct whyso_answer *a, const struct known *k) {
    for (size_t i = 0; i < k->n; i++)
        if (!k->found[i] && number_of(k, k->v[i].fingerprint) == i + 1)
            wy_strings_add(&a->arena, &a->silenced.gone, k->v[i].fingerprint);
}

void wy_silence_findings(struct whyso_answer *a, const struct whyso_options *o, bool whole) {
    const struct whyso_silence *s = o->silence;
    struct known k = {.v = s->known,
                      .n = s->nknown,
                      .found = wy_arena_zero(&a->arena, s->nknown * sizeof *k.found)};
    for (size_t i = 0; i < k.n; i++)
        *wy_map_at(&k.by_name, wy_str_of(k.v[i].fingerprint)) = (void *)(uintptr_t)(i + 1);
    a->silenced.config = s->config;
    size_t n = a->rules.findings.n, kept = 0;
    a->baseline.v = wy_arena_zero(&a->arena, n * sizeof *a->baseline.v);
    for (size_t i = 0; i < n; i++) {
        const struct wy_finding *f = &a->rules.findings.v[i];
        bool known = known_as_bad(&k, &f->f); /* an ignored one is not gone from the baseline */
        if (ignored(s, f)) {
            a->silenced.ignored++;
            continue;
        }
        a->baseline.v[a->baseline.n++] = (struct whyso_known){f->f.fingerprint, f->f.severity};
        if (known)
            a->silenced.known++;
        else
            a->rules.findings.v[kept++] = *f;
    }
    a->rules.findings.n = kept;
    if (whole && o->only == WHYSO_EVERYTHING)
        list_gone(a, &k);
    wy_map_deinit(&k.by_name);
}
