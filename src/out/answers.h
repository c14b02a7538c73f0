/* Each answer once as JSON and once as text; out.c picks. */
#ifndef WY_OUT_ANSWERS_H
#define WY_OUT_ANSWERS_H

#include "out/out.h"

void wy_json_check(struct wy_buf *b, enum wy_out_format f, const struct whyso_check *c);
void wy_github_check(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_check *c);
void wy_sarif_check(struct wy_buf *b, const struct whyso_check *c);
void wy_json_why(struct wy_buf *b, enum wy_out_format f, const struct whyso_why *w);
void wy_json_packages(struct wy_buf *b, enum wy_out_format f, const struct whyso_list *l);
void wy_json_owners(struct wy_buf *b, enum wy_out_format f, const struct whyso_owner_answer *o);
void wy_json_load(struct wy_buf *b, enum wy_out_format f, const struct whyso_load *l);
void wy_json_tree(struct wy_buf *b, enum wy_out_format f, const struct whyso_tree *t);
void wy_json_verify(struct wy_buf *b, enum wy_out_format f, const struct whyso_verify *v);
void wy_json_rules(struct wy_buf *b, enum wy_out_format f, const struct whyso_rules *r);
void wy_json_explain(struct wy_buf *b, enum wy_out_format f, const struct whyso_rule *r);

void wy_text_check(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_check *c);
void wy_text_why(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_why *w);
void wy_text_list(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_list *l);
void wy_text_owner(struct wy_buf *b, const struct wy_out_style *s,
                   const struct whyso_owner_answer *o);
void wy_text_load(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_load *l);
void wy_text_tree(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_tree *t);
void wy_text_verify(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_verify *v);
void wy_text_rules(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rules *r);
void wy_text_explain(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rule *r);

#endif
