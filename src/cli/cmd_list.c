#include "cli/cli.h"

struct wy_error *wy_cmd_list(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    WY_TRY(wy_call_options(c, true, &o));
    const struct whyso_list *r = NULL;
    struct whyso_answer *a = whyso_list(&o, &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_list(out, &style, r);
    *status = WY_STATUS_OK;
    whyso_answer_free(a);
    return NULL;
}
