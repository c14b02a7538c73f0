#include "cli/cli.h"

struct wy_error *wy_cmd_explain(struct wy_call *c, struct wy_buf *out, int *status) {
    struct wy_out_style style;
    const struct whyso_rules *r = NULL;
    struct whyso_answer *a = whyso_rules(c->args.v[0], &r);
    if (!r || r->rules.n != 1) {
        whyso_answer_free(a);
        return wy_rule_unknown(c, c->args.v[0]);
    }
    wy_call_style(c, &style);
    wy_out_explain(out, &style, &r->rules.v[0]);
    *status = WY_STATUS_OK;
    whyso_answer_free(a);
    return NULL;
}
