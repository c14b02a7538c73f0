/* Reading the files of one dist-info or egg-info. */
#ifndef WY_PIP_DIST_FILES_H
#define WY_PIP_DIST_FILES_H

#include "pip/pip.h"

/* One distribution to be read. */
struct wy_dist_task {
    const struct wy_entry *entry; /* NAME-VERSION.dist-info, NAME….egg-info, in dist->site_dir */
    uint64_t weight;              /* bytes of its RECORD, for the order of work */
    struct wy_dist dist;          /* site, site_dir, site_index, info and egg are set before */
};

/* Sets `weight`. */
void wy_dist_weigh(struct wy_tree *t, struct wy_dist_task *task);
/* Fills `dist`; memory from `a`. */
void wy_dist_read(struct wy_tree *t, struct wy_dist_task *task, struct wy_arena *a);

#endif
