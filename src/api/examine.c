/* Imports, rules, plan: the middle of the five steps, for every command that needs findings. */
#include "api/session.h"
#include "api/silence.h"

#include "base/vec.h"

struct chosen {
    WY_VEC(const struct wy_run *) runs;
    WY_VEC(const struct wy_library *) also;
    WY_VEC(const struct wy_dist *) dists; /* asked about by name, or by a file that is gone */
    bool library; /* a subject is a library name: all imports are needed to know who meets it */
};

static void add_run(struct whyso_answer *a, struct chosen *ch, const char *module) {
    const struct wy_run *run = wy_importer_run(a->importer, module);
    for (size_t i = 0; i < ch->runs.n; i++)
        if (ch->runs.v[i] == run)
            return;
    wy_vec_push(&ch->runs, run);
}

static void add_package(struct whyso_answer *a, struct chosen *ch, const struct wy_dist *d) {
    size_t n;
    wy_vec_push(&ch->dists, d);
    const struct wy_listed_module *listed = wy_importer_modules(a->importer, &n);
    for (size_t i = 0; i < n; i++)
        if (listed[i].dist == d)
            add_run(a, ch, listed[i].name);
    for (size_t i = 0; i < a->world->nlibraries; i++)
        if (a->world->libraries[i].dist == d)
            wy_vec_push(&ch->also, &a->world->libraries[i]);
}

/* A library by itself. One that is gone speaks of the package that lists it. */
static struct wy_error *add_file(struct whyso_answer *a, struct chosen *ch,
                                 const struct wy_subject *s) {
    const struct wy_claimed *k = wy_world_claimed(a->world, s->name);
    if (s->library)
        wy_vec_push(&ch->also, s->library);
    else if (k && k->presence != WY_PRESENT)
        add_package(a, ch, k->claims[0].dist);
    else
        return wy_errorf("%s: not a library of %s; `whyso owner` says whose it is", s->name,
                         a->world->env.prefix);
    return NULL;
}

static struct wy_error *choose(struct whyso_answer *a, const struct whyso_options *o,
                               const char *const *subjects, size_t n, struct chosen *ch) {
    for (size_t i = 0; i < n; i++) {
        struct wy_subject s;
        WY_TRY(wy_subject_read(a, o, subjects[i], &s));
        if (s.kind == WY_SUBJECT_MODULE)
            add_run(a, ch, s.name);
        else if (s.kind == WY_SUBJECT_PACKAGE)
            add_package(a, ch, s.dist);
        else if (s.kind == WY_SUBJECT_FILE)
            WY_TRY(add_file(a, ch, &s));
        else if (s.kind == WY_SUBJECT_LIBRARY)
            return wy_errorf(
                "%s: check takes modules, packages and files; `whyso why %s` explains a library",
                s.name, s.name);
    }
    return NULL;
}

static void choose_all(struct whyso_answer *a, const struct whyso_options *o, struct chosen *ch) {
    size_t n;
    if (o->only == WHYSO_ONLY_RESOLVE || o->only == WHYSO_ONLY_SYMBOLS || !a->world->python)
        return;
    const struct wy_listed_module *listed = wy_importer_modules(a->importer, &n);
    for (size_t i = 0; i < n; i++)
        add_run(a, ch, listed[i].name);
}

static void judge(struct whyso_answer *a, const struct whyso_options *o, const struct chosen *ch,
                  bool runs_only) {
    wy_case_deinit(&a->rules);
    a->rules = (struct wy_case){.world = a->world,
                                .importer = a->importer,
                                .ld = a->ld,
                                .arena = &a->arena,
                                .resolve_only =
                                    o->only == WHYSO_ONLY_RESOLVE || o->only == WHYSO_ONLY_SYMBOLS,
                                .runs_only = runs_only,
                                .runs = wy_arena_alloc(&a->arena, ch->runs.n * sizeof *ch->runs.v),
                                .nruns = ch->runs.n,
                                .also = ch->also.v,
                                .nalso = ch->also.n};
    for (size_t i = 0; i < ch->runs.n; i++)
        a->rules.runs[i] = ch->runs.v[i];
    wy_rules_run(&a->rules);
}

/* Where something is damaged, packages without libraries of their own may be hit, too: all of those
 * are followed only then. */
static bool add_others(struct whyso_answer *a, struct chosen *ch) {
    size_t n, before = ch->runs.n;
    bool damaged = false;
    for (size_t i = 0; i < a->rules.findings.n; i++)
        damaged = damaged || a->rules.findings.v[i].f.severity > WHYSO_NOTE ||
                  a->rules.findings.v[i].remedy.kind == WY_REMEDY_REINSTALL;
    if (!damaged || !a->world->python || a->rules.resolve_only)
        return false;
    const struct wy_listed_module *also = wy_importer_also_failing(a->importer, &n);
    for (size_t i = 0; i < n; i++)
        add_run(a, ch, also[i].name);
    return ch->runs.n > before;
}

/* With subjects, findings are those that their processes meet: an object they wanted, or a package
 * of which something is mapped or opened; and those about a package that was asked about. */
static bool met(const struct whyso_answer *a, const struct chosen *ch, const struct wy_finding *f) {
    const struct wy_case *c = &a->rules;
    if (f->f.wanted.kind || strcmp(f->f.rule, "base-python") == 0)
        return true;
    for (size_t i = 0; f->dist && i < ch->dists.n; i++)
        if (ch->dists.v[i] == f->dist)
            return true;
    for (size_t i = 0; f->dist && i < c->nruns; i++) {
        const struct wy_process *p = c->runs[i]->after;
        for (size_t k = 0; p && k < wy_process_count(p); k++)
            if (wy_world_image_owner(a->world, wy_process_at(p, k)->image) == f->dist)
                return true;
    }
    for (size_t i = 0; f->dist && i < c->nalso; i++)
        if (c->also[i]->dist == f->dist)
            return true;
    return false;
}

static void keep_met(struct whyso_answer *a, const struct chosen *ch) {
    size_t kept = 0;
    for (size_t i = 0; i < a->rules.findings.n; i++)
        if (met(a, ch, &a->rules.findings.v[i]))
            a->rules.findings.v[kept++] = a->rules.findings.v[i];
    a->rules.findings.n = kept;
}

struct wy_error *wy_session_examine(struct whyso_answer *a, const struct whyso_options *o,
                                    const char *const *subjects, size_t n) {
    struct chosen ch = {0};
    wy_session_read_ahead(a, o);
    struct wy_error *e = choose(a, o, subjects, n, &ch);
    if (!e && n == 0) {
        if (o->progress)
            o->progress(o->progress_ctx, "following imports", 0, 0);
        choose_all(a, o, &ch);
    }
    wy_vec_keep(&a->arena, &ch.also);
    if (!e)
        judge(a, o, &ch, n > 0);
    if (!e && n == 0 && add_others(a, &ch))
        judge(a, o, &ch, false);
    if (!e) {
        wy_plan_sort(&a->rules);
        if (n)
            keep_met(a, &ch);
    }
    wy_vec_free(&ch.runs);
    wy_vec_free(&ch.dists);
    if (e)
        return e;
    if (o->silence)
        wy_silence_findings(a, o, n == 0);
    wy_plan_make(&a->rules, &a->plan);
    return NULL;
}

const char *wy_session_verdict(const struct whyso_answer *a) {
    enum whyso_severity worst = WHYSO_NOTE;
    for (size_t i = 0; i < a->rules.findings.n; i++)
        if (a->rules.findings.v[i].f.severity > worst)
            worst = a->rules.findings.v[i].f.severity;
    return worst == WHYSO_ERROR ? "broken" : worst == WHYSO_WARNING ? "degraded" : "ok";
}
