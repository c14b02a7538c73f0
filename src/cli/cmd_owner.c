#include "cli/cli.h"

struct wy_error *wy_cmd_owner(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    WY_TRY(wy_call_options(c, true, &o));
    const char **paths = wy_arena_alloc(&c->arena, c->args.n * sizeof *paths);
    for (size_t i = 0; i < c->args.n; i++)
        paths[i] = wy_call_file(c, &o, c->args.v[i]);
    const struct whyso_owner_answer *r = NULL;
    struct whyso_answer *a = whyso_owner(&o, paths, c->args.n, &r);
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_owner(out, &style, r);
    *status = WY_STATUS_OK;
    whyso_answer_free(a);
    return NULL;
}
