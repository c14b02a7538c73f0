/* The objects that several answers share, field by field as the contract's section 3 has them. */
#ifndef WY_OUT_JSON_PARTS_H
#define WY_OUT_JSON_PARTS_H

#include "out/json.h"
#include "out/out.h"

/* A writer for the format, with the report's object open and its "schema" and "tool" written. */
struct wy_json wy_json_report(struct wy_buf *b, enum wy_out_format format, const char *command);

/* "environment": {…}, or null when there is none (prefix NULL). */
void wy_json_put_environment(struct wy_json *j, const struct whyso_environment *e);
void wy_json_put_package(struct wy_json *j, const struct whyso_package_ref *p);
void wy_json_put_breaks(struct wy_json *j, const struct whyso_breaks *b);
/* "after": what comes of a fix, or null (json_check.c). */
void wy_json_put_after(struct wy_json *j, const struct whyso_outlook *a);
void wy_json_put_fix(struct wy_json *j, const struct whyso_fix *f);

/* "raised": {…}, or null when both are NULL. */
void wy_json_put_raised(struct wy_json *j, const char *type, const char *text);
/* How an import ends: "outcome" to "reason". */
void wy_json_put_outcome(struct wy_json *j, const struct whyso_import *m);
/* One object: "name", "requested", "by", "found". */
void wy_json_put_mapped(struct wy_json *j, const struct whyso_mapped *m);
/* What the start of a program and the opening of one request have in common: "outcome" to
 * "problems". */
void wy_json_put_step(struct wy_json *j, const struct whyso_step *s);
/* "program": {…}. */
void wy_json_put_program(struct wy_json *j, const char *path, const struct whyso_step *start);

/* Items of lists: one object each. */
void wy_json_needer(struct wy_json *j, const struct whyso_needer *n);
void wy_json_searched(struct wy_json *j, const struct whyso_searched *s);
void wy_json_candidate(struct wy_json *j, const struct whyso_candidate *c);
void wy_json_swallowed(struct wy_json *j, const struct whyso_swallowed *s);
void wy_json_owner(struct wy_json *j, const struct whyso_owner *o);
void wy_json_provider(struct wy_json *j, const struct whyso_provider *p);
void wy_json_finding(struct wy_json *j, const struct whyso_finding *f);

/* "error" | "warning" | "note" */
const char *wy_json_severity(enum whyso_severity s);

#endif
