#include "cli/cli.h"

#include <stdio.h>

static void announce(void *ctx, const char *python, size_t imports, unsigned seconds) {
    struct wy_call *c = ctx;
    wy_progress_clear(&c->progress);
    wy_auto_buf shown = {0};
    wy_buf_escaped(&shown, wy_str_of(python));
    if (c->verbosity >= 0)
        fprintf(stderr,
                "whyso: verify RUNS code of the environment: %s, %zu import%s, each in a fresh "
                "process of at most %u s\n",
                wy_buf_text(&shown), imports, imports == 1 ? "" : "s", seconds);
}

struct wy_error *wy_cmd_verify(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    WY_TRY(wy_call_options(c, true, &o));
    const char **subjects = wy_call_subjects(c, &o);
    struct whyso_verify_options v = {c->timeout, announce, c};
    const struct whyso_verify *r = NULL;
    struct whyso_answer *a = whyso_verify(&o, &v, subjects, c->args.n, &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_verify(out, &style, r);
    *status = r->different ? WY_STATUS_FOUND : WY_STATUS_OK;
    wy_auto_buf report = {0};
    if (c->report)
        wy_out_report(&report, r, getenv("HOME"), getenv("USER"));
    whyso_answer_free(a);
    return c->report ? wy_write_named(c->report, &report) : NULL;
}
