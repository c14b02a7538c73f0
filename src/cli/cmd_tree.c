#include "cli/cli.h"

struct wy_error *wy_cmd_tree(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    WY_TRY(wy_call_options(c, true, &o));
    const struct whyso_tree *r = NULL;
    struct whyso_answer *a = whyso_tree(&o, wy_call_subject(c, &o, c->args.v[0]), &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_tree(out, &style, r);
    bool fails = wy_same(r->import.outcome, "fails");
    *status = wy_call_status(c, fails ? (int)WHYSO_ERROR : -1);
    whyso_answer_free(a);
    return NULL;
}
