/* What `why FILE` adds: libraries that the file's constants name. */
#ifndef WY_API_MAY_OPEN_H
#define WY_API_MAY_OPEN_H

#include "api/session.h"

/* Fills w->may_open, sorted by name. */
void wy_may_open(struct whyso_answer *a, const struct wy_library *lib, struct whyso_why *w);

#endif
