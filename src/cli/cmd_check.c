#include "cli/cli.h"

static int worst(const struct whyso_check *r) {
    if (r->errors)
        return WHYSO_ERROR;
    if (r->warnings)
        return WHYSO_WARNING;
    return r->notes ? WHYSO_NOTE : -1;
}

struct wy_error *wy_cmd_check(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    WY_TRY(wy_call_options(c, true, &o));
    WY_TRY(wy_call_silence(c, &o));
    o.simulate = c->format <= WY_OUT_NDJSON && c->verbosity >= 0; /* others do not show it */
    const char **subjects = wy_call_subjects(c, &o);
    const struct whyso_check *r = NULL;
    struct whyso_answer *a = whyso_check(&o, subjects, c->args.n, &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_check(out, &style, r);
    *status = wy_call_status(c, worst(r));
    wy_auto_buf baseline = {0};
    if (c->write_baseline)
        wy_out_baseline(&baseline, r);
    whyso_answer_free(a);
    return c->write_baseline ? wy_write_named(c->write_baseline, &baseline) : NULL;
}
