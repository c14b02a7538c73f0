/* What a pasted error is about, in this environment. */
#ifndef WY_API_SAID_H
#define WY_API_SAID_H

#include "api/session.h"

/* *subject: as an argument of `why`. An error when no line names anything. */
struct wy_error *wy_said_subject(struct whyso_answer *a, const struct whyso_options *o,
                                 struct wy_str text, struct whyso_said *said, const char **subject);

#endif
