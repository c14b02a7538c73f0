/* Pure: causes from findings, and fixes spoken in the environment's own installer. Reads nothing
 * but what the world holds. */
#ifndef WY_PLAN_PLAN_H
#define WY_PLAN_PLAN_H

#include "rule/rule.h"

struct wy_plan {
    struct whyso_cause *causes; /* worst first */
    size_t ncauses;
};

/* Sorts the findings (worst first, then rule and fingerprint) and makes fingerprints differ. */
void wy_plan_sort(struct wy_case *c);
/* Gives ids, fixes and causes to what is left of the sorted findings. All memory is in the case's
 * arena. */
void wy_plan_make(struct wy_case *c, struct wy_plan *ret);

/* The repair of all these findings at once; they share one remedy kind and one installer. */
void wy_plan_fix(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix);

/* Who installs into this environment, for one distribution (NULL: the environment's own). */
enum wy_installer { WY_BY_PIP, WY_BY_UV, WY_BY_CONDA, WY_BY_SYSTEM };
enum wy_installer wy_plan_installer(const struct wy_case *c, const struct wy_dist *d);

#endif
