#include "cli/cli.h"

static int worst(const struct whyso_why *r) {
    int w = -1;
    for (size_t i = 0; i < r->findings.n; i++)
        if ((int)r->findings.v[i].severity > w)
            w = (int)r->findings.v[i].severity;
    return w;
}

struct wy_error *wy_cmd_why(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    if (strcmp(c->args.v[0], "-") == 0)
        return wy_errorf("why - (a traceback on standard input) does not exist yet");
    WY_TRY(wy_call_options(c, true, &o));
    const struct whyso_why *r = NULL;
    struct whyso_answer *a = whyso_why(&o, wy_call_subject(c, &o, c->args.v[0]), &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_why(out, &style, r);
    *status = wy_call_status(c, worst(r));
    whyso_answer_free(a);
    return NULL;
}
