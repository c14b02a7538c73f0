/* Versions and version specifiers of PEP 440, as slices of the text they were read from. */
#ifndef WY_PIP_VERSION_H
#define WY_PIP_VERSION_H

#include "base/str.h"

enum wy_version_pre { WY_PRE_NONE, WY_PRE_A, WY_PRE_B, WY_PRE_RC };

struct wy_version {
    struct wy_str epoch;                   /* digits; empty: 0 */
    struct wy_str release;                 /* "1.2.3" */
    enum wy_version_pre pre;               /* kind of pre-release */
    struct wy_str pre_number;              /* digits; empty: 0 */
    bool post, dev;                        /* there is such a part */
    struct wy_str post_number, dev_number; /* digits; empty: 0 */
    struct wy_str local; /* after '+', parts between [-_.]; empty when there is none */
};

/* Reads one whole version (all spellings PEP 440's appendix B allows, no spaces around). */
bool wy_version_parse(struct wy_str s, struct wy_version *ret);

/* -1, 0, 1: PEP 440 "summary of permitted suffixes and relative ordering", local part included. */
int wy_version_compare(const struct wy_version *a, const struct wy_version *b);

#endif
