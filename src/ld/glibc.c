/* The loader of the GNU C library. */
#include "ld/internal.h"

const struct wy_ld_ops wy_ld_glibc = {
    .match = ld_match,
    .search = ld_search,
    .trace = ld_trace,
    .start = ld_glibc_start,
};
