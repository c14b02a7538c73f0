/* Wheels that an installer keeps unpacked: what a package's files hold, without any download.
 *
 * uv's cache (uv's docs, "Caching", and its own folder): <cache>/wheels-vN/pypi/NAME/VERSION-TAGS
 * and <cache>/wheels-vN/index/HASH/NAME/VERSION-TAGS lead to an unpacked wheel. The number of the
 * format is not looked at. pip keeps wheels packed and by address. */
#ifndef WY_PLAN_COPIES_H
#define WY_PLAN_COPIES_H

#include "rule/rule.h"

struct wy_copy {
    const char *version, *tags; /* "2.10.0", "cp311-cp311-manylinux_2_28_x86_64" */
    struct wy_dir *dir;         /* what the wheel brings */
    const char *info;           /* name of its dist-info folder */
    struct wy_record record;    /* in the arena given */
    struct wy_map by_path;      /* path → row of it */
};
struct wy_copies {
    struct wy_copy *v;
    size_t n, cap;
};

/* Unpacked wheels of the package `key` (normalised), of that version or of all (NULL), in order of
 * version and tags as text. Caller ends them with wy_copies_deinit. */
void wy_copies_find(const struct wy_world *w, const char *key, const char *version,
                    struct wy_arena *a, struct wy_copies *ret);
void wy_copies_deinit(struct wy_copies *c);
/* Whether such a wheel can be installed for the environment's Python and machine: its tags name
 * them, or any. */
bool wy_copy_fits(const struct wy_copy *c, const struct wy_world *w);
/* The file that a copy holds for a row, when it is recorded with the same content there and has the
 * recorded size. */
bool wy_copy_file(const struct wy_copy *c, const struct wy_world *w,
                  const struct wy_record_row *row, struct wy_place *ret);

#endif
