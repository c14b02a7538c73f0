#include "cli/cli.h"

#include <errno.h>
#include <unistd.h>

enum { KEPT = 16 << 20 }; /* bytes of standard input: an error stands at its end */

static int worst(const struct whyso_why *r) {
    int w = wy_same(r->import.outcome, "fails") ? (int)WHYSO_ERROR : -1;
    for (size_t i = 0; i < r->findings.n; i++)
        if ((int)r->findings.v[i].severity > w)
            w = (int)r->findings.v[i].severity;
    return w;
}

/* The last of it, from the beginning of a line. */
static void forget_old(struct wy_buf *text) {
    size_t from = text->n - KEPT / 2;
    const char *line = memchr(text->p + from, '\n', text->n - from);
    if (line)
        from = (size_t)(line + 1 - text->p);
    text->n -= from;
    memmove(text->p, text->p + from, text->n + 1);
}

static struct wy_error *read_pasted(struct wy_buf *ret) {
    char piece[1 << 16];
    for (;;) {
        ssize_t n = read(STDIN_FILENO, piece, sizeof piece);
        if (n == 0)
            return NULL;
        if (n < 0 && errno != EINTR)
            return wy_errorf("standard input: %s", strerror(errno));
        if (n > 0)
            wy_buf_add(ret, piece, (size_t)n);
        if (ret->n > KEPT)
            forget_old(ret);
    }
}

static struct wy_error *ask(struct wy_call *c, const struct whyso_options *o,
                            struct whyso_answer **a, const struct whyso_why **ret) {
    if (strcmp(c->args.v[0], "-") != 0) {
        *a = whyso_why(o, wy_call_subject(c, o, c->args.v[0]), ret);
        return NULL;
    }
    wy_auto_buf text = {0};
    WY_TRY(read_pasted(&text));
    *a = whyso_why_said(o, wy_buf_text(&text), text.n, ret);
    return NULL;
}

struct wy_error *wy_cmd_why(struct wy_call *c, struct wy_buf *out, int *status) {
    struct whyso_options o;
    struct wy_out_style style;
    WY_TRY(wy_call_options(c, true, &o));
    const struct whyso_why *r = NULL;
    struct whyso_answer *a = NULL;
    WY_TRY(ask(c, &o, &a, &r));
    WY_TRY(wy_call_answered(c, a, r));
    wy_call_style(c, &style);
    wy_out_why(out, &style, r);
    *status = wy_call_status(c, worst(r));
    whyso_answer_free(a);
    return NULL;
}
