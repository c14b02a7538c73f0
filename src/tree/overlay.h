/* A tree as it would be: files of the tree below hidden, others promised. */
#ifndef WY_TREE_OVERLAY_H
#define WY_TREE_OVERLAY_H

#include "tree/tree.h"

/* What is different. Paths are absolute inside the tree, cleaned, their folders without links. The
 * last word on a path counts: promised after hidden is there. */
struct wy_layer;
struct wy_layer *wy_layer_create(void);
void wy_layer_destroy(struct wy_layer *l);

/* The path is not there; of a folder, nothing in it is, save what is promised afterwards. */
void wy_layer_hide(struct wy_layer *l, const char *path);
/* A regular file will be there, with the folders above it. `size`: bytes. `copy`: a file of the
 * tree below with the same content (a cache, the path itself), which is then read in its place;
 * NULL: the content is not known, and reading it gives EIO (wy_file_promised). */
void wy_layer_promise(struct wy_layer *l, const char *path, uint64_t size,
                      const struct wy_place *copy);

/* The same with content that is known as text. The bytes are borrowed and must outlive the tree. */
void wy_layer_write(struct wy_layer *l, const char *path, struct wy_str text);

/* Takes over the layer; `lower` is borrowed and must outlive *ret. */
struct wy_tree *wy_tree_overlay(struct wy_tree *lower, struct wy_layer *l);

#endif
