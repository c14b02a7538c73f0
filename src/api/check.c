/* whyso check: findings, causes and imports as the contract's report. */
#include "api/after.h"

enum { MOST_SIMULATED = 16 }; /* fixes: each costs a check */

static void set_package(const struct whyso_answer *a, const struct wy_dist *d,
                        struct whyso_package_ref *ret) {
    if (d)
        *ret = (struct whyso_package_ref){d->name, d->version, wy_world_shown(a->world, d->site)};
}

/* Each import gets the findings and causes that name it among what they break. */
static void link_findings(struct whyso_answer *a, struct whyso_check *c) {
    struct wy_map by_module = {0};
    for (size_t i = 0; i < c->imports.n; i++)
        *wy_map_at(&by_module, wy_str_of(c->imports.v[i].module)) = &c->imports.v[i];
    for (size_t i = 0; i < a->rules.findings.n; i++) {
        const struct whyso_finding *f = &a->rules.findings.v[i].f;
        for (size_t k = 0; k < f->breaks.imports.n; k++) {
            struct whyso_import *im = wy_map_get(&by_module, wy_str_of(f->breaks.imports.v[k]));
            if (!im)
                continue;
            wy_strings_add_new(&a->arena, &im->findings, f->id);
            wy_strings_add_new(&a->arena, &im->causes, f->cause);
        }
    }
    wy_map_deinit(&by_module);
}

static const char *finding_about(const struct whyso_answer *a, const struct wy_problem *p) {
    for (size_t i = 0; i < a->rules.findings.n; i++) {
        const struct whyso_finding *f = &a->rules.findings.v[i].f;
        if (f->wanted.name && strcmp(f->wanted.name, p->name) == 0)
            return f->id;
    }
    return NULL;
}

static bool is_listed(const struct whyso_import *im, const struct whyso_swallowed *s) {
    for (size_t i = 0; i < im->swallowed.n; i++)
        if (wy_same(im->swallowed.v[i].file, s->file) &&
            wy_same(im->swallowed.v[i].message, s->message))
            return true;
    return false;
}

/* Nothing catches what ends the process. */
static bool can_be_caught(const struct wy_event *e) {
    return e->open &&
           (e->open->outcome == WY_OPEN_ERROR || (e->open->outcome == WY_OPEN_OK && e->message));
}

/* Each failure once, however often it is tried. */
static void add_swallowed(struct whyso_answer *a, const struct wy_run *run,
                          struct whyso_import *im) {
    im->swallowed.v = wy_arena_zero(&a->arena, (run->nevents + 1) * sizeof *im->swallowed.v);
    for (size_t i = 0; i < run->nevents; i++) {
        const struct wy_event *e = &run->events[i];
        struct whyso_swallowed s = {wy_world_shown(a->world, e->path), e->message, NULL};
        if (e == run->fatal || !can_be_caught(e) || is_listed(im, &s))
            continue;
        s.finding = e->open->nproblems ? finding_about(a, &e->open->problems[0]) : NULL;
        im->swallowed.v[im->swallowed.n++] = s;
    }
}

void wy_fill_import(struct whyso_answer *a, const struct wy_run *run, struct whyso_import *im) {
    static const char *const outcomes[] = {"ok", "fails", "unknown"};
    *im = (struct whyso_import){
        .module = run->module,
        .outcome = outcomes[run->outcome],
        .how = run->how,
        .message = run->message,
        .raised_type = run->raised_type,
        .raised_text = run->raised_text,
        .at = run->at ? wy_world_shown(a->world, run->at) : NULL,
        .reason = run->reason,
    };
    set_package(a, run->dist, &im->package);
    if (run->outcome == WY_RUN_OK) {
        im->reason = wy_case_unknown(&a->rules, run);
        if (im->reason)
            im->outcome = "unknown";
    }
    add_swallowed(a, run, im);
}

static void fill_counts(struct whyso_check *c) {
    for (size_t i = 0; i < c->findings.n; i++) {
        enum whyso_severity s = c->findings.v[i].severity;
        c->errors += s == WHYSO_ERROR;
        c->warnings += s == WHYSO_WARNING;
        c->notes += s == WHYSO_NOTE;
    }
    for (size_t i = 0; i < c->imports.n; i++)
        c->imports_broken += strcmp(c->imports.v[i].outcome, "fails") == 0;
}

/* The pages are in the order of their names. */
static void list_rules(struct whyso_answer *a, struct whyso_check *c) {
    const struct wy_know *k = a->know;
    c->rules.v = wy_arena_zero(&a->arena, (k->npages + 1) * sizeof *c->rules.v);
    for (size_t i = 0; i < k->npages; i++) {
        const struct wy_rule_page *p = &k->pages[i];
        size_t n = 0;
        while (n < c->findings.n && strcmp(c->findings.v[n].rule, p->rule) != 0)
            n++;
        if (n < c->findings.n)
            c->rules.v[c->rules.n++] = (struct whyso_rule){p->rule, p->severity, p->title, p->text};
    }
}

static const struct whyso_check *report(struct whyso_answer *a, const struct whyso_options *o) {
    struct whyso_check *c = WY_NEW(&a->arena, struct whyso_check);
    const struct wy_case *rules = &a->rules;
    wy_session_environment(a, o, &c->environment);
    c->verdict = wy_session_verdict(a);
    c->findings.v = wy_arena_zero(&a->arena, (rules->findings.n + 1) * sizeof *c->findings.v);
    for (size_t i = 0; i < rules->findings.n; i++)
        c->findings.v[c->findings.n++] = rules->findings.v[i].f;
    c->causes.v = a->plan.causes;
    c->causes.n = a->plan.ncauses;
    c->imports.v = wy_arena_zero(&a->arena, (rules->nruns + 1) * sizeof *c->imports.v);
    for (size_t i = 0; i < rules->nruns; i++)
        wy_fill_import(a, rules->runs[i], &c->imports.v[c->imports.n++]);
    list_rules(a, c);
    c->silenced = a->silenced;
    c->baseline.v = a->baseline.v;
    c->baseline.n = a->baseline.n;
    link_findings(a, c);
    fill_counts(c);
    return c;
}

struct whyso_answer *whyso_check(const struct whyso_options *o, const char *const *subjects,
                                 size_t n, const struct whyso_check **ret) {
    struct whyso_answer *a = wy_answer_new();
    *ret = NULL;
    if (wy_answer_fails(a, wy_session_open(a, o)) ||
        wy_answer_fails(a, wy_session_examine(a, o, subjects, n)))
        return a;
    for (size_t i = 0; o->simulate && i < a->plan.ncauses && i < MOST_SIMULATED; i++)
        wy_after_cause(a, o, subjects, n, &a->plan.causes[i]);
    *ret = report(a, o);
    return a;
}
