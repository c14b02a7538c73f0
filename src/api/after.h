/* What comes of a fix: the same steps on the tree as it would be. */
#ifndef WY_API_AFTER_H
#define WY_API_AFTER_H

#include "api/session.h"
#include "plan/change.h"

/* The environment as it would be after the first `n` changes, examined as `a` was (same options and
 * subjects). NULL when that cannot be told. Caller frees it, before `a`. */
struct whyso_answer *wy_after_simulate(struct whyso_answer *a, const struct whyso_options *o,
                                       const char *const *subjects, size_t nsubjects,
                                       const struct wy_changes *changes, size_t n,
                                       struct wy_promises *promises);
/* What differs: `broken` are imports that fail now, `mended` fingerprints that should be gone. */
void wy_after_compare(struct whyso_answer *a, struct whyso_answer *then,
                      const struct wy_promises *promises, const struct whyso_strings *broken,
                      const struct whyso_strings *mended, struct whyso_outlook *ret);

/* Fills the cause's `after`: left empty when its fix has no command, or cannot be simulated. */
void wy_after_cause(struct whyso_answer *a, const struct whyso_options *o,
                    const char *const *subjects, size_t n, struct whyso_cause *cause);
/* The finding of an id of this answer. */
const struct wy_finding *wy_finding_by_id(const struct whyso_answer *a, const char *id);

#endif
