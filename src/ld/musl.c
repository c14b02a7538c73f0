/* The loader of musl (ldso/dynlink.c; docs/loader.md B). */
#include "ld/musl.h"

const struct wy_ld_ops wy_ld_musl = {
    .match = ld_musl_match,
    .trace = ld_musl_trace,
    .start = ld_musl_start,
    .open = ld_musl_open,
    .enter = ld_musl_enter,
    .judge = ld_musl_judge,
    .origin = ld_musl_origin,
};
