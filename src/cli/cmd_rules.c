#include "cli/cli.h"

struct wy_error *wy_cmd_rules(struct wy_call *c, struct wy_buf *out, int *status) {
    struct wy_out_style style;
    const struct whyso_rules *r = NULL;
    struct whyso_answer *a = whyso_rules(NULL, &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_rules(out, &style, r);
    *status = WY_STATUS_OK;
    whyso_answer_free(a);
    return NULL;
}
