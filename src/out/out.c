#include "out/out.h"
#include "out/answers.h"

void wy_out_check(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_check *c) {
    if (s->format == WY_OUT_TEXT)
        wy_text_check(b, s, c);
    else if (s->format == WY_OUT_SARIF)
        wy_sarif_check(b, c);
    else if (s->format == WY_OUT_GITHUB)
        wy_github_check(b, s, c);
    else
        wy_json_check(b, s->format, c);
}

void wy_out_why(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_why *w) {
    if (s->format == WY_OUT_TEXT)
        wy_text_why(b, s, w);
    else
        wy_json_why(b, s->format, w);
}

void wy_out_list(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_list *l) {
    if (s->format == WY_OUT_TEXT)
        wy_text_list(b, s, l);
    else
        wy_json_packages(b, s->format, l);
}

void wy_out_owner(struct wy_buf *b, const struct wy_out_style *s,
                  const struct whyso_owner_answer *o) {
    if (s->format == WY_OUT_TEXT)
        wy_text_owner(b, s, o);
    else
        wy_json_owners(b, s->format, o);
}

void wy_out_load(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_load *l) {
    if (s->format == WY_OUT_TEXT)
        wy_text_load(b, s, l);
    else
        wy_json_load(b, s->format, l);
}

void wy_out_tree(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_tree *t) {
    if (s->format == WY_OUT_TEXT)
        wy_text_tree(b, s, t);
    else
        wy_json_tree(b, s->format, t);
}

void wy_out_verify(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_verify *v) {
    if (s->format == WY_OUT_TEXT)
        wy_text_verify(b, s, v);
    else
        wy_json_verify(b, s->format, v);
}

void wy_out_rules(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rules *r) {
    if (s->format == WY_OUT_TEXT)
        wy_text_rules(b, s, r);
    else
        wy_json_rules(b, s->format, r);
}

void wy_out_explain(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rule *r) {
    if (s->format == WY_OUT_TEXT)
        wy_text_explain(b, s, r);
    else
        wy_json_explain(b, s->format, r);
}
