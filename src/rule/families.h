/* Libraries of one family (data/families.tsv) that one process holds. */
#ifndef WY_RULE_FAMILIES_H
#define WY_RULE_FAMILIES_H

#include "rule/internal.h"

/* Objects of one family and one major of their soname. */
struct wy_kin {
    const struct wy_family *family;
    const char *major; /* "12" of libnvrtc.so.12 and libnvrtc-builtins.so.12.8; "" without number */
    WY_VEC(const struct wy_object *) members; /* in load order, each file once */
};
struct wy_kins {
    WY_VEC(struct wy_kin) v; /* in order of meeting */
};
/* Adds the objects of a process whose family is of that kind ("parts", "runtime", "single"). */
void wy_kins_add(struct wy_case *c, const struct wy_process *p, const char *kind,
                 struct wy_kins *kins);
void wy_kins_free(struct wy_kins *kins);
/* The distribution whose bytes a member has, or NULL: of several owners the one that wrote last. */
const struct wy_dist *wy_kin_dist(const struct wy_case *c, const struct wy_object *o);
/* The distinct members of a finding, as the contract's `parts`. */
void wy_kins_parts(struct wy_case *c, struct wy_finding *f, const struct wy_kin *k);

#endif
