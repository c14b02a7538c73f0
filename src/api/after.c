#include "api/after.h"

#include "base/vec.h"

/* ---- the process that starts with other variables ---- */

static void set_variable(struct wy_arena *a, struct whyso_options *o,
                         const struct wy_change *change) {
    struct whyso_variable *v = wy_arena_alloc(a, (o->nvariables + 1) * sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < o->nvariables; i++)
        if (strcmp(o->variables[i].name, change->name) != 0)
            v[n++] = o->variables[i];
    if (change->version)
        v[n++] = (struct whyso_variable){change->name, change->version};
    o->variables = v;
    o->nvariables = n;
}

struct whyso_answer *wy_after_simulate(struct whyso_answer *a, const struct whyso_options *o,
                                       const char *const *subjects, size_t nsubjects,
                                       const struct wy_changes *changes, size_t n,
                                       struct wy_promises *promises) {
    struct whyso_options as = *o;
    struct wy_layer *layer = wy_layer_create();
    if (!wy_changes_layer(&a->rules, changes, n, layer, promises)) {
        wy_layer_destroy(layer);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        if (changes->v[i].kind == WY_CHANGE_VARIABLE)
            set_variable(&a->arena, &as, &changes->v[i]);
    struct whyso_answer *then = wy_answer_new();
    then->tree = wy_tree_overlay(a->tree, layer);
    struct wy_error *e = wy_session_on_tree(then, &as);
    if (!e)
        e = wy_session_examine(then, &as, subjects, nsubjects);
    if (!e)
        return then;
    wy_error_free(e); /* a package that was asked about is gone then */
    whyso_answer_free(then);
    return NULL;
}

/* ---- comparing ---- */

static bool found(const struct whyso_answer *a, const char *fingerprint) {
    for (size_t i = 0; i < a->rules.findings.n; i++)
        if (strcmp(a->rules.findings.v[i].f.fingerprint, fingerprint) == 0 &&
            a->rules.findings.v[i].f.severity > WHYSO_NOTE)
            return true;
    return false;
}

static void list_new(struct whyso_answer *a, struct whyso_answer *then, struct whyso_outlook *ret) {
    size_t n = then->rules.findings.n;
    ret->news.v = wy_arena_zero(&a->arena, (n + 1) * sizeof *ret->news.v);
    for (size_t i = 0; i < n; i++) {
        const struct whyso_finding *f = &then->rules.findings.v[i].f;
        if (f->severity > WHYSO_NOTE && !found(a, f->fingerprint))
            ret->news.v[ret->news.n++] =
                (struct whyso_new){wy_arena_cstr(&a->arena, f->fingerprint),
                                   wy_arena_cstr(&a->arena, f->title), f->severity};
    }
}

static void take_import(struct whyso_answer *a, struct whyso_answer *then, const char *module,
                        struct whyso_outlook *ret) {
    const struct wy_run *run = wy_importer_run(then->importer, module);
    const char *unknown = run->outcome == WY_RUN_OK ? wy_case_unknown(&then->rules, run) : NULL;
    if (run->outcome == WY_RUN_OK && !unknown) {
        wy_strings_add(&a->arena, &ret->imports, module);
        return;
    }
    bool fails = run->outcome == WY_RUN_FAILS;
    const char *message = unknown        ? unknown
                          : !fails       ? run->reason
                          : run->message ? run->message
                                         : run->raised_text;
    ret->fails.v[ret->fails.n++] = (struct whyso_failing){module, fails ? "fails" : "unknown",
                                                          wy_arena_cstr(&a->arena, message)};
}

void wy_after_compare(struct whyso_answer *a, struct whyso_answer *then,
                      const struct wy_promises *promises, const struct whyso_strings *broken,
                      const struct whyso_strings *mended, struct whyso_outlook *ret) {
    *ret = (struct whyso_outlook){.verdict = wy_session_verdict(then),
                                  .mended = true,
                                  .sure = promises->assumed ? "assumed" : "exact",
                                  .cached = promises->cached > 0};
    ret->fails.v = wy_arena_zero(&a->arena, (broken->n + 1) * sizeof *ret->fails.v);
    for (size_t i = 0; i < broken->n; i++)
        take_import(a, then, broken->v[i], ret);
    for (size_t i = 0; i < mended->n; i++)
        ret->mended = ret->mended && !found(then, mended->v[i]);
    list_new(a, then, ret);
}

const struct wy_finding *wy_finding_by_id(const struct whyso_answer *a, const char *id) {
    for (size_t i = 0; i < a->rules.findings.n; i++)
        if (strcmp(a->rules.findings.v[i].f.id, id) == 0)
            return &a->rules.findings.v[i];
    return NULL;
}

void wy_after_cause(struct whyso_answer *a, const struct whyso_options *o,
                    const char *const *subjects, size_t n, struct whyso_cause *cause) {
    struct wy_changes changes = {0};
    struct wy_promises promises;
    struct whyso_strings mended = {0};
    bool told = cause->fix.commands.n > 0;
    for (size_t i = 0; i < cause->findings.n; i++) {
        const struct wy_finding *f = wy_finding_by_id(a, cause->findings.v[i]);
        wy_strings_add(&a->arena, &mended, f->f.fingerprint);
        /* What follows from another finding goes with it. */
        told = told && (wy_changes_add(&changes, f) || f->follows);
    }
    wy_changes_sort(&changes);
    struct whyso_answer *then =
        told && changes.n ? wy_after_simulate(a, o, subjects, n, &changes, changes.n, &promises)
                          : NULL;
    if (then) {
        wy_after_compare(a, then, &promises, &cause->breaks.imports, &mended, &cause->after);
        cause->fix.sure = cause->after.sure;
        whyso_answer_free(then);
    }
    wy_changes_deinit(&changes);
}
