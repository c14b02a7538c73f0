/* Findings in order, their causes, and what each cause breaks. */
#include "plan/plan.h"

#include "base/vec.h"

/* What tells findings of one rule and subject apart. */
static const char *wanted_name(const struct whyso_finding *f) {
    return f->wanted.name ? f->wanted.name : f->file ? f->file : f->title ? f->title : "";
}

static int by_weight(const void *a, const void *b) {
    const struct whyso_finding *x = &((const struct wy_finding *)a)->f;
    const struct whyso_finding *y = &((const struct wy_finding *)b)->f;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    int rule = strcmp(x->rule, y->rule);
    int order = rule ? rule : strcmp(x->fingerprint, y->fingerprint);
    return order ? order : strcmp(wanted_name(x), wanted_name(y));
}

/* Two findings of one fingerprint: the wanted name tells them apart (CONTRACT section 5). */
static void part_fingerprints(struct wy_case *c) {
    struct wy_map taken = {0};
    for (size_t i = 0; i < c->findings.n; i++) {
        struct whyso_finding *f = &c->findings.v[i].f;
        void **slot = wy_map_at(&taken, wy_str_of(f->fingerprint));
        if (*slot)
            f->fingerprint = wy_arena_printf(c->arena, "%s:%s", f->fingerprint, wanted_name(f));
        else
            *slot = f;
    }
    wy_map_deinit(&taken);
}

/* What must be equal for two repairs to merge into one command. */
static const char *repair_key(struct wy_case *c, const struct wy_finding *f) {
    const struct wy_remedy *r = &f->remedy;
    if (r->package)
        return wy_arena_printf(c->arena, "%s put back %s %s", f->f.rule, r->package->manager,
                               r->package->prefix ? r->package->prefix : "");
    switch (r->kind) {
    case WY_REMEDY_REINSTALL:
    case WY_REMEDY_REPLACE:
    case WY_REMEDY_EXCHANGE:
        return wy_arena_printf(c->arena, "%s %d %d", f->f.rule, r->kind,
                               wy_plan_installer(c, r->dist ? r->dist : r->other));
    case WY_REMEDY_REFIT:
        return wy_arena_printf(c->arena, "%s %d %s", f->f.rule, r->kind, r->other->key);
    case WY_REMEDY_SYSTEM:
    case WY_REMEDY_INSTALL:
        return wy_arena_printf(c->arena, "%s %d %d", f->f.rule, r->kind, f->f.severity);
    default:
        return f->f.fingerprint;
    }
}

static const char *merge_key(struct wy_case *c, const struct wy_finding *f) {
    for (size_t i = 0; f->follows && i < c->findings.n; i++)
        if (strcmp(c->findings.v[i].f.fingerprint, f->follows) == 0)
            return repair_key(c, &c->findings.v[i]);
    return repair_key(c, f);
}

struct group {
    const char *key;
    WY_VEC(struct wy_finding *) members;
};

static const char *several(const char *rule, struct wy_arena *a, size_t n) {
    static const struct {
        const char *rule, *text;
    } titles[] = {
        {"gutted-package", "packages are installed in name only: their libraries are gone"},
        {"missing-file", "packages have lost files"},
        {"broken-link", "packages are links to nothing"},
        {"bad-file", "files cannot be loaded"},
        {"wrong-machine", "files are for another machine"},
        {"wrong-libc", "packages are for another C library"},
        {"missing-library", "libraries are nowhere"},
        {"overwritten-file", "packages were overwritten by others that ship the same paths"},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strcmp(titles[i].rule, rule) == 0)
            return wy_arena_printf(a, "%zu %s", n, titles[i].text);
    return NULL;
}

/* What is a cause of its own stands first: its rule and title are those of the group. */
static void lead(struct group *g) {
    WY_VEC(struct wy_finding *) all = {0};
    for (int follows = 0; follows < 2; follows++)
        for (size_t i = 0; i < g->members.n; i++)
            if (!g->members.v[i]->follows == !follows)
                wy_vec_push(&all, g->members.v[i]);
    for (size_t i = 0; i < all.n; i++)
        g->members.v[i] = all.v[i];
    wy_vec_free(&all);
}

/* The mechanism, and what follows from it. */
static const char *tell(struct wy_case *c, const char *why, const struct wy_finding *f) {
    const char *so = f->f.severity > WHYSO_NOTE ? f->f.title : NULL;
    why = why ? why : f->why;
    if (!f->follows || !so || !why)
        return why;
    return wy_arena_printf(c->arena, "%s So %s.%s%s", why, so, f->why ? " " : "",
                           f->why ? f->why : "");
}

static void make_cause(struct wy_case *c, struct group *g, size_t number, struct whyso_cause *ret) {
    lead(g);
    const struct whyso_finding *first = &g->members.v[0]->f;
    *ret = (struct whyso_cause){.id = wy_arena_printf(c->arena, "c%zu", number),
                                .rule = first->rule,
                                .severity = first->severity,
                                .title = first->title};
    size_t own = 0;
    while (own < g->members.n && !g->members.v[own]->follows)
        own++;
    const char *title = own > 1 ? several(first->rule, c->arena, own) : NULL;
    if (title)
        ret->title = title;
    for (size_t i = 0; i < g->members.n; i++) {
        struct wy_finding *f = g->members.v[i];
        f->f.cause = ret->id;
        wy_strings_add_new(c->arena, &ret->findings, f->f.id);
        ret->why = tell(c, ret->why, f);
        if (f->f.severity > ret->severity)
            ret->severity = f->f.severity;
        for (size_t k = 0; k < f->f.breaks.imports.n; k++)
            wy_strings_add_new(c->arena, &ret->breaks.imports, f->f.breaks.imports.v[k]);
        if (f->f.breaks.files > ret->breaks.files)
            ret->breaks.files = f->f.breaks.files;
    }
    wy_plan_fix(c, g->members.v, g->members.n, &ret->fix);
}

void wy_plan_sort(struct wy_case *c) {
    if (c->findings.n)
        qsort(c->findings.v, c->findings.n, sizeof *c->findings.v, by_weight);
    part_fingerprints(c);
}

void wy_plan_make(struct wy_case *c, struct wy_plan *ret) {
    *ret = (struct wy_plan){0};
    WY_VEC(struct group) groups = {0};
    struct wy_map by_key = {0};
    for (size_t i = 0; i < c->findings.n; i++) {
        struct wy_finding *f = &c->findings.v[i];
        f->f.id = wy_arena_printf(c->arena, "f%zu", i + 1);
        wy_plan_fix(c, &f, 1, &f->f.fix);
        void **slot = wy_map_at(&by_key, wy_str_of(merge_key(c, f)));
        if (!*slot) {
            *wy_vec_add(&groups) = (struct group){0};
            *slot = (void *)(uintptr_t)groups.n;
        }
        wy_vec_push(&groups.v[(uintptr_t)*slot - 1].members, f);
    }
    wy_map_deinit(&by_key);
    ret->causes = wy_arena_zero(c->arena, (groups.n + 1) * sizeof *ret->causes);
    for (size_t i = 0; i < groups.n; i++) {
        /* A note needs no repair: only what is broken or at risk has a cause. Findings are sorted,
         * so a group's first member is its worst. */
        if (groups.v[i].members.v[0]->f.severity > WHYSO_NOTE) {
            make_cause(c, &groups.v[i], ret->ncauses + 1, &ret->causes[ret->ncauses]);
            ret->ncauses++;
        }
        wy_vec_free(&groups.v[i].members);
    }
    wy_vec_free(&groups);
}
