#include "cli/cli.h"

/* A name that no rule has: the nearest one that exists. */
static struct wy_error *unknown_rule(struct wy_call *c, const char *name) {
    struct wy_suggestion s = {.given = name};
    const struct whyso_rules *all = NULL;
    struct whyso_answer *a = whyso_rules(NULL, &all);
    for (size_t i = 0; all && i < all->rules.n; i++)
        wy_suggest_try(&s, all->rules.v[i].rule);
    struct wy_error *e = wy_errorf("no rule '%s'%s (whyso rules lists all)", name,
                                   wy_suggest_text(&s, &c->arena, ""));
    whyso_answer_free(a);
    return e;
}

struct wy_error *wy_cmd_explain(struct wy_call *c, struct wy_buf *out, int *status) {
    struct wy_out_style style;
    const struct whyso_rules *r = NULL;
    struct whyso_answer *a = whyso_rules(c->args.v[0], &r);
    if (!r || r->rules.n != 1) {
        whyso_answer_free(a);
        return unknown_rule(c, c->args.v[0]);
    }
    wy_call_style(c, &style);
    wy_out_explain(out, &style, &r->rules.v[0]);
    *status = WY_STATUS_OK;
    whyso_answer_free(a);
    return NULL;
}
