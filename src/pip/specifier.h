/* Clauses of a version specifier (PEP 440): operator and version. */
#ifndef WY_PIP_SPECIFIER_H
#define WY_PIP_SPECIFIER_H

#include "base/str.h"

enum wy_specifier_op {
    WY_OP_COMPATIBLE, /* ~= */
    WY_OP_EQ,
    WY_OP_NE,
    WY_OP_LE,
    WY_OP_GE,
    WY_OP_LT,
    WY_OP_GT,
    WY_OP_SAME, /* ===, the same text */
};

/* Cuts ">= 1.2" into its operator and its version text; false when either is missing. The version
 * itself is not checked. */
bool wy_specifier_split(struct wy_str clause, enum wy_specifier_op *op, struct wy_str *version);

/* Whether `version` meets one clause: 1, 0, or -1 when either is not a version of PEP 440.
 * Pre-releases are accepted as any other version: what is installed counts. */
int wy_specifier_test(struct wy_str version, enum wy_specifier_op op, struct wy_str wanted);

#endif
