/* Pieces that several text answers share. */
#ifndef WY_OUT_TEXT_PARTS_H
#define WY_OUT_TEXT_PARTS_H

#include "out/page.h"
#include "out/table.h"

/* Line 1: which environment was taken and why, and what was read in it. */
void wy_text_header(struct wy_page *p, const struct whyso_environment *e);
/* Its short form for answers that are about one thing: prefix, python, libc. */
void wy_text_header_short(struct wy_page *p, const struct whyso_environment *e);

/* A block of a cause or a subject: "  why   a sentence that may fold". The label is at most six
 * columns. */
void wy_text_label(struct wy_page *p, const char *name, enum wy_tone tone, const char *raw);
/* What to do: command lines to paste, or words when there is no command; what not to do. */
void wy_text_fix(struct wy_page *p, const struct whyso_fix *f);

/* "✗" | "!" | "·" in its colour, and the space after it. */
void wy_text_sign(struct wy_page *p, enum whyso_severity s);

/* "8 of 8 gone"; NULL when the finding has no counts. */
const char *wy_text_gone(struct wy_page *p, const struct whyso_counts *c);
/* "libtorch_cuda.so needs libcudnn.so.9"; NULL when nobody needs anything. */
const char *wy_text_need(struct wy_page *p, const struct whyso_finding *f);
/* Package, else library, else file; "" when it has none of them. */
const char *wy_text_subject(const struct whyso_finding *f);

/* The owners of one path in columns (text_owner.c). */
void wy_text_owners(struct wy_page *p, unsigned indent, const struct whyso_owner *v, size_t n);

/* What to call next about this name, as shell text, or NULL when nothing can be suggested:
 * wy_text_next(p, "why", "libcudnn.so.9"). */
const char *wy_text_next(struct wy_page *p, const char *command, const char *argument);
/* `word` for a shell; NULL when it holds characters that a terminal must not get. */
const char *wy_text_shell(struct wy_page *p, const char *word);

#endif
