/* Findings that the caller does not want to hear of: ignored ones, and those of a baseline. */
#ifndef WY_API_SILENCE_H
#define WY_API_SILENCE_H

#include "api/session.h"

/* Takes them out of the sorted findings and counts them. `whole`: nothing was left out of the
 * question, so what the baseline names and nobody found is gone. */
void wy_silence_findings(struct whyso_answer *a, const struct whyso_options *o, bool whole);

#endif
