/* duplicate-runtime: several copies of a runtime that keeps one set of threads or state per copy.
 */
#include "rule/families.h"

static const char *list(struct wy_case *c, const struct wy_kin *k) {
    const char *text = "";
    for (size_t i = 0; i < k->members.n; i++) {
        const struct wy_dist *d = wy_kin_dist(c, k->members.v[i]);
        text = wy_arena_printf(c->arena, "%s%s%s (%s)", text, i ? ", " : "",
                               wy_path_base(k->members.v[i]->name), d ? d->name : "system");
    }
    return text;
}

static void report(struct wy_case *c, const struct wy_kin *k, enum whyso_severity severity,
                   const char *module) {
    struct wy_finding *f = wy_make(c, "duplicate-runtime", severity, k->family->family);
    f->f.library = wy_path_base(k->members.v[0]->name);
    wy_kins_parts(c, f, k);
    f->f.title =
        wy_arena_printf(c->arena, "%zu copies of %s %s: %s", k->members.n, k->family->family,
                        module ? "are in one process" : "can meet in one process", list(c, k));
    wy_make_because(c, f,
                    module ? "import %s maps all of them"
                           : "each is mapped by an import of this environment",
                    module);
    wy_make_because(c, f, "%s", k->family->source);
    f->remedy = (struct wy_remedy){
        .kind = severity == WHYSO_NOTE ? WY_REMEDY_NONE : WY_REMEDY_MANUAL,
        .text = severity == WHYSO_NOTE
                    ? "Nothing to do while it works. If threads hang or are too many, limit them "
                      "(threadpoolctl, OMP_NUM_THREADS=1)."
                    : "Use builds of these packages that share one copy; KMP_DUPLICATE_LIB_OK=TRUE "
                      "only hides the check."};
}

/* A second copy that ends the process is looked for in each import's own process. */
static void check_single(struct wy_case *c) {
    for (size_t i = 0; i < c->nruns; i++) {
        struct wy_kins kins = {0};
        bool told = false;
        if (c->runs[i]->after)
            wy_kins_add(c, c->runs[i]->after, "single", &kins);
        for (size_t k = 0; k < kins.v.n; k++)
            if (kins.v.v[k].members.n > 1 && (told = true))
                report(c, &kins.v.v[k], WHYSO_WARNING, c->runs[i]->module);
        wy_kins_free(&kins);
        if (told)
            return;
    }
}

void wy_rule_duplicate_runtime(struct wy_case *c) {
    struct wy_kins kins = {0};
    for (size_t i = 0; i < c->nruns; i++)
        if (c->runs[i]->after)
            wy_kins_add(c, c->runs[i]->after, "runtime", &kins);
    for (size_t k = 0; k < kins.v.n; k++)
        if (kins.v.v[k].members.n > 1)
            report(c, &kins.v.v[k], WHYSO_NOTE, NULL);
    wy_kins_free(&kins);
    check_single(c);
}
