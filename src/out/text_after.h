/* What comes of a fix, in one sentence. */
#ifndef WY_OUT_TEXT_AFTER_H
#define WY_OUT_TEXT_AFTER_H

#include "out/page.h"

/* "  then  import torch works (simulated)"; nothing when it was not simulated. `imports`: how they
 * end now. `first`: the module to name first, or NULL. `of`: what the fix is for. */
void wy_text_after(struct wy_page *p, const struct whyso_outlook *a,
                   const struct whyso_import *imports, size_t n, const char *first,
                   enum whyso_severity of);

#endif
