#include "cli/cli.h"

struct wy_error *wy_call_answered(struct wy_call *c, struct whyso_answer *a, bool ok) {
    wy_progress_end(&c->progress);
    if (ok)
        return NULL;
    const char *why = a ? whyso_answer_error(a) : NULL;
    struct wy_error *e = wy_errorf("%s", why ? why : "no answer");
    whyso_answer_free(a);
    return e;
}

int wy_call_status(const struct wy_call *c, int worst) {
    int from = c->fail_on < 0 ? (int)WHYSO_ERROR : c->fail_on;
    return worst >= from ? WY_STATUS_FOUND : WY_STATUS_OK;
}
