/* Pure: causes from findings, fixes in the environment's own installer. */
#ifndef WY_PLAN_PLAN_H
#define WY_PLAN_PLAN_H

#include "rule/rule.h"

struct wy_plan {
    struct whyso_cause *causes; /* worst first */
    size_t ncauses;
};
/* Sorts the findings (worst first, then by rule and fingerprint), gives ids, fixes and causes. */
void wy_plan_make(struct wy_case *c, struct wy_plan *ret);

/* The installer of an environment, and of one distribution. */
struct wy_installer {
    const char *name; /* "uv" | "pip" */
};

#endif
