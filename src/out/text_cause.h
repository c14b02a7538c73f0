/* One cause of a check as a block of text. */
#ifndef WY_OUT_TEXT_CAUSE_H
#define WY_OUT_TEXT_CAUSE_H

#include "out/page.h"

/* The finding of the report that the cause names first, or NULL. */
const struct whyso_finding *wy_cause_first_finding(const struct whyso_check *c,
                                                   const struct whyso_cause *cause);
void wy_cause_put(struct wy_page *p, const struct whyso_check *c, const struct whyso_cause *cause);

/* A finding that belongs to no cause: a note. */
void wy_finding_put(struct wy_page *p, const struct whyso_finding *f);

#endif
