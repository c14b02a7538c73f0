/* The answers of the library as text for people and JSON for programs. Takes no decision: which
 * environment, which findings, which command mends them is all in the result types. */
#ifndef WY_OUT_OUT_H
#define WY_OUT_OUT_H

#include "base/buf.h"
#include "whyso/result.h"

/* The last two only of check. */
enum wy_out_format { WY_OUT_TEXT, WY_OUT_JSON, WY_OUT_NDJSON, WY_OUT_SARIF, WY_OUT_GITHUB };

/* How an answer is to look. Only text reads more than `format`. */
struct wy_out_style {
    enum wy_out_format format;
    bool colour;
    unsigned width;    /* columns of the terminal; longer lines fold */
    int verbosity;     /* -1 quiet, 0, 1 and more: details */
    const char *again; /* how to call the program on the same environment, as shell text: "whyso" or
                          "whyso -e PATH"; NULL: suggest no command */
};

/* Each adds one whole answer, ending in a newline. */
void wy_out_check(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_check *c);
/* What --baseline reads: every finding that is not ignored. */
void wy_out_baseline(struct wy_buf *b, const struct whyso_check *c);
void wy_out_why(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_why *w);
void wy_out_list(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_list *l);
void wy_out_owner(struct wy_buf *b, const struct wy_out_style *s,
                  const struct whyso_owner_answer *o);
void wy_out_load(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_load *l);
void wy_out_tree(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_tree *t);
void wy_out_verify(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_verify *v);
/* The same as JSON for somebody else: the environment's prefix is $ENV, the working directory $CWD,
 * the home folder ~, and the user's name in a path USER. `home` and `user` may be NULL. */
void wy_out_report(struct wy_buf *b, const struct whyso_verify *v, const char *home,
                   const char *user);
void wy_out_rules(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rules *r);
void wy_out_explain(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rule *r);

#endif
