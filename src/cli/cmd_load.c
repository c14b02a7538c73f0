#include "cli/cli.h"

struct wy_error *wy_cmd_load(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    if (!c->args.n && !c->program)
        return wy_errorf("load wants at least one REQUEST; whyso load --help shows examples");
    if (c->program && c->after)
        return wy_errorf("--after imports into the environment's python; it does not go with "
                         "--program");
    WY_TRY(wy_call_options(c, !c->program, &o));
    const char *program = c->program ? wy_call_path(c, c->program) : NULL;
    const struct whyso_load *r = NULL;
    struct whyso_answer *a = whyso_load(&o, program, c->after, c->args.v, c->args.n, &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_load(out, &style, r);
    *status = r->ok ? WY_STATUS_OK : WY_STATUS_FOUND;
    whyso_answer_free(a);
    return NULL;
}
