/* Imports in one process, one after the other: what the parts of import-order share. */
#ifndef WY_RULE_ORDERS_H
#define WY_RULE_ORDERS_H

#include "rule/internal.h"

/* Adds an order to a finding, as data and as a sentence. `second` may be NULL; `outcome` and
 * `message` are of the last one. */
void wy_order_add(struct wy_case *c, struct wy_finding *f, const char *first, const char *second,
                  const char *outcome, const char *message);
/* The same of a followed import, alone when `first` is NULL. */
void wy_order_add_run(struct wy_case *c, struct wy_finding *f, const char *first,
                      const struct wy_run *run);
/* What the last one lacks: wanted, needed_by, searched, and the file that has it not. */
void wy_order_wanted(struct wy_case *c, struct wy_finding *f, const struct wy_open *open);
/* The want that the loader has that text for, or NULL. */
struct wy_want *wy_order_want(struct wy_case *c, const char *message);

/* Whether `a` is the better one to name of two imports that have something in memory: its process
 * is smaller, or it bears the name of its package. */
bool wy_order_closer(const struct wy_run *a, const struct wy_run *b);

/* Pairs of imports that work alone, in both orders. */
void wy_check_pairs(struct wy_case *c);

#endif
