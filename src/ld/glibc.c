/* The loader of the GNU C library. */
#include "ld/internal.h"

const struct wy_ld_ops wy_ld_glibc = {
    .match = ld_match,
    .trace = ld_trace,
    .start = ld_glibc_start,
    .open = ld_glibc_open,
    .enter = ld_enter,
    .judge = ld_judge,
    .origin = ld_origin_of,
};
