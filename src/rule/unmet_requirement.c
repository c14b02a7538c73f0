/* unmet-requirement: Requires-Dist of an installed package that is not met (PEP 508; extras of the
 * required package bring requirements of their own: torch reaches cuBLAS only through
 * `cuda-toolkit[cublas]`). pip and uv check when they install, and never again. */
#include "rule/internal.h"

enum {
    MOST_LOOKED_AT = 50000, /* requirements in all */
    MOST_EXTRAS = 4,        /* one in the other */
    MOST_TOLD = 100,        /* of one package */
};

struct checking {
    struct wy_case *c;
    const struct wy_dist *asker;
    struct wy_finding *f; /* made with the first that is not met */
    size_t *left;
};

/* A finding about what fails for it says more. */
static bool told(const struct wy_case *c, const struct wy_dist *asker, const char *required) {
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct wy_finding *f = &c->findings.v[i];
        if (f->f.severity == WHYSO_NOTE)
            continue;
        if (!required && f->dist == asker)
            return true;
        for (size_t p = 0; required && p < f->f.providers.n; p++)
            if (wy_same(f->f.providers.v[p].package, required))
                return true;
    }
    return false;
}

static void add(struct checking *k, const struct wy_requirement *r, const struct wy_dist *have,
                const struct wy_dist *via) {
    struct wy_case *c = k->c;
    const char *through =
        via == k->asker ? "" : wy_arena_printf(c->arena, " (through %s)", via->name);
    const char *asked = wy_arena_printf(c->arena, "%s%.*s", r->name, (int)r->specifier.n,
                                        r->specifier.n ? r->specifier.p : "");
    if (!k->f) {
        k->f = wy_make(c, "unmet-requirement", WHYSO_NOTE, k->asker->key);
        wy_make_dist(c, k->f, k->asker);
        k->f->f.wanted = (struct whyso_wanted){"requirement", asked, NULL};
        k->f->remedy =
            (struct wy_remedy){.kind = WY_REMEDY_INSTALL, .name = r->name, .version = r->pinned};
    }
    if (k->f->f.missing.n == MOST_TOLD)
        return;
    for (size_t i = 0; i < k->f->f.missing.n; i++)
        if (strcmp(k->f->f.missing.v[i], asked) == 0)
            return;
    wy_strings_add(c->arena, &k->f->f.missing, asked);
    if (have)
        wy_make_because(c, k->f, "%s %s requires %s%s; %s is installed", k->asker->name,
                        k->asker->version, asked, through, have->version);
    else
        wy_make_because(c, k->f, "%s %s requires %s%s, which is not installed", k->asker->name,
                        k->asker->version, asked, through);
}

static void check(struct checking *k, const struct wy_dist *d, const char *extra, unsigned depth);

/* "a,b" of `name[a,b]`. */
static void check_extras(struct checking *k, const struct wy_dist *d, struct wy_str extras,
                         unsigned depth) {
    for (struct wy_str rest = extras; rest.p;) {
        struct wy_str extra = wy_str_trim(wy_str_cut(rest, ',', &rest));
        if (extra.n && depth < MOST_EXTRAS)
            check(k, d, wy_arena_str(k->c->arena, extra), depth + 1);
    }
}

/* Those that hold for `extra`; with one, those that hold anyway are left to the check of `d`. */
static void check(struct checking *k, const struct wy_dist *d, const char *extra, unsigned depth) {
    struct wy_marker_env plain = wy_marker_env_of(k->c), env = plain;
    env.extra = extra;
    for (size_t i = 0; i < d->nrequires && *k->left; i++, --*k->left) {
        struct wy_requirement r;
        if (!wy_requirement_parse(d->requires[i], k -> c -> arena, &r) ||
            wy_marker_eval(r.marker, &env) != 1 ||
            (*extra && wy_marker_eval(r.marker, &plain) == 1))
            continue;
        const struct wy_dist *have = wy_world_dist(k->c->world, r.key);
        if (!have && told(k->c, NULL, r.name))
            continue;
        if (!have || wy_specifier_matches(r.specifier, have->version) == 0)
            add(k, &r, have, d);
        else
            check_extras(k, have, r.extras, depth);
    }
}

void wy_rule_unmet_requirement(struct wy_case *c) {
    const struct wy_dists *all = &c->world->dists;
    size_t left = MOST_LOOKED_AT;
    for (size_t i = 0; i < all->n; i++) {
        struct checking k = {.c = c, .asker = &all->v[i], .left = &left};
        if (wy_world_dist(c->world, all->v[i].key) != k.asker)
            continue; /* hidden by one of the same name */
        if (told(c, k.asker, NULL))
            continue;
        check(&k, k.asker, "", 0);
        if (k.f)
            k.f->f.title = wy_arena_printf(
                c->arena, "%s %s requires %s, which %s not met", k.asker->name, k.asker->version,
                k.f->f.missing.n == 1 ? k.f->f.missing.v[0]
                                      : wy_count(c->arena, k.f->f.missing.n, "package", "packages"),
                k.f->f.missing.n == 1 ? "is" : "are");
    }
}
