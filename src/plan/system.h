#ifndef WY_PLAN_SYSTEM_H
#define WY_PLAN_SYSTEM_H

#include "plan/plan.h"

/* Packages of the tree's distribution (os-release): one command of its package manager, or words
 * when the distribution or the package is not known. */
void wy_plan_system(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix);

#endif
