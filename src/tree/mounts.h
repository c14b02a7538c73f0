/* The mounts of this machine. Private to the room. */
#ifndef WY_TREE_MOUNTS_H
#define WY_TREE_MOUNTS_H

#include "tree/tree.h"

struct wy_mounts;
struct wy_mounts *wy_mounts_create(void); /* caller owns it */
void wy_mounts_destroy(struct wy_mounts *m);
/* The mount that an open file lies on; lives as long as `m`. NULL when the kernel does not say
 * (STATX_MNT_ID: Linux 5.8). May be called from several threads. */
const struct wy_mount *wy_mounts_of(struct wy_mounts *m, int fd);

#endif
