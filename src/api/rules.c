/* whyso rules and explain: the pages of data/explain. */
#include "api/session.h"

struct whyso_answer *whyso_rules(const char *rule, const struct whyso_rules **ret) {
    struct whyso_answer *a = wy_answer_new();
    a->know = wy_know_create();
    struct whyso_rules *r = WY_NEW(&a->arena, struct whyso_rules);
    r->rules.v = wy_arena_zero(&a->arena, (a->know->npages + 1) * sizeof *r->rules.v);
    for (size_t i = 0; i < a->know->npages; i++) {
        const struct wy_rule_page *p = &a->know->pages[i];
        if (!rule || strcmp(rule, p->rule) == 0)
            r->rules.v[r->rules.n++] =
                (struct whyso_rule){p->rule, p->severity, p->title, rule ? p->text : NULL};
    }
    *ret = NULL;
    if (rule && !r->rules.n)
        wy_answer_fails(a, wy_errorf("%s: no such rule (`whyso rules` lists them)", rule));
    else
        *ret = r;
    return a;
}
