/* The answer of `why` about a package, and what it shares with that about a library. */
#ifndef WY_OUT_TEXT_PACKAGE_H
#define WY_OUT_TEXT_PACKAGE_H

#include "out/text_parts.h"

/* Everything below the header (text_package.c). */
void wy_text_package(struct wy_page *p, const struct whyso_why *w);

/* An empty line and a title; how many of `n` rows are shown; "and 3 more" (text_why.c). */
void wy_text_heading(struct wy_page *p, const char *text);
size_t wy_text_limit(const struct wy_page *p, size_t n);
void wy_text_more(struct wy_page *p, size_t n);
/* What was found, one by one; notes only with -v. */
void wy_text_findings(struct wy_page *p, const struct whyso_why *w);
/* "needed by": files and their packages. */
void wy_text_needers(struct wy_page *p, const struct whyso_why *w);

#endif
