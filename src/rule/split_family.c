/* split-family: the parts of one library, in one process, come from two folders or two packages.
 * They are built to fit one another exactly, and nobody checks before a call crosses over. */
#include "rule/families.h"

static const char *folder(struct wy_case *c, const struct wy_object *o) {
    return wy_path_dir(c->arena, wy_object_shown(c, o));
}

/* Whether two parts are of different builds, as far as files tell: not in one folder, or written by
 * two packages. */
static bool apart(struct wy_case *c, const struct wy_object *a, const struct wy_object *b) {
    return strcmp(folder(c, a), folder(c, b)) != 0 || wy_kin_dist(c, a) != wy_kin_dist(c, b);
}

static const struct wy_object *stranger(struct wy_case *c, const struct wy_kin *k) {
    for (size_t i = 1; i < k->members.n; i++)
        if (apart(c, k->members.v[0], k->members.v[i]))
            return k->members.v[i];
    return NULL;
}

/* How many parts are of the build of that one. */
static size_t with_it(struct wy_case *c, const struct wy_kin *k, const struct wy_object *o) {
    size_t n = 0;
    for (size_t i = 0; i < k->members.n; i++)
        n += !apart(c, k->members.v[i], o);
    return n;
}

static const char *whose(struct wy_case *c, const struct wy_object *o) {
    const struct wy_dist *d = wy_kin_dist(c, o);
    return d ? wy_arena_printf(c->arena, "%s %s", d->name, d->version) : folder(c, o);
}

/* One package may have written over files of the other, but not over all of them. */
static void advise(struct wy_case *c, struct wy_finding *f, const struct wy_kin *k,
                   const struct wy_object *other) {
    if (wy_follows_overwriting(c, f, other) || wy_follows_overwriting(c, f, k->members.v[0]))
        return;
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text = wy_arena_printf(c->arena,
                                "Install a build of %s that brings all of its parts, or take %s "
                                "out of the search (LD_LIBRARY_PATH, system package).",
                                k->family->family, f->f.file)};
}

static void report(struct wy_case *c, const struct wy_kin *k, const char *module) {
    const struct wy_object *first = k->members.v[0], *other = stranger(c, k);
    if (other && with_it(c, k, other) * 2 > k->members.n) { /* the fewer ones are strangers */
        first = other;
        other = k->members.v[0];
    }
    if (!other ||
        wy_reported(c, wy_arena_printf(c->arena, "split-family:%s", wy_path_base(other->name))))
        return;
    struct wy_finding *f = wy_make(c, "split-family", WHYSO_WARNING, wy_path_base(other->name));
    f->f.library = wy_path_base(other->name);
    f->f.file = wy_object_shown(c, other);
    size_t with = with_it(c, k, other);
    f->f.title = wy_arena_printf(
        c->arena, "%s%s from %s, the rest of %s from %s", f->f.library,
        with == 1 ? " comes" : wy_arena_printf(c->arena, " and %zu more come", with - 1),
        whose(c, other), k->family->family, whose(c, first));
    wy_kins_parts(c, f, k);
    wy_make_because(c, f, "import %s maps or later opens %s and %s", module,
                    wy_object_shown(c, first), f->f.file);
    wy_make_because(c, f, "parts of %s must be of one build: %s", k->family->family,
                    k->family->source);
    if (strcmp(k->family->then, "-") != 0)
        f->why = k->family->then;
    advise(c, f, k, other);
}

void wy_rule_split_family(struct wy_case *c) {
    const struct wy_laters *all = wy_laters(c);
    for (size_t i = 0; i < c->nruns; i++) {
        struct wy_kins kins = {0};
        if (all->after[i])
            wy_kins_add(c, all->after[i], "parts", &kins);
        for (size_t k = 0; k < kins.v.n; k++)
            report(c, &kins.v.v[k], c->runs[i]->module);
        wy_kins_free(&kins);
    }
}
