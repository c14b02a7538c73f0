/* What one kind of tree can do. Private to this room: everything above (walking, links, caching,
 * prefetch) is generic, so an archive, an overlay or promised files need only this table.
 *
 * A `path` here is a path inside the tree without links, "." or "..": "/" or "/usr/lib". All
 * functions but `destroy` may be called from several threads at once; errno values are returned,
 * not set. */
#ifndef WY_TREE_OPS_H
#define WY_TREE_OPS_H

#include "base/vec.h"
#include "tree/tree.h"

/* One name while a directory is being listed. */
struct wy_name {
    uint64_t key;  /* first 8 bytes, big-endian, zero padded: sorts as the bytes do */
    size_t at;     /* offset in `bytes` */
    uint32_t n;    /* length */
    uint32_t hash; /* of the whole name */
    uint8_t type;  /* enum wy_ftype */
};
/* Buffers that one thread uses for one listing after the other. */
struct wy_names {
    WY_VEC(struct wy_name) names;
    char *bytes; /* the names, each with a NUL */
    size_t used, cap;
};

/* `name` has `n` bytes (at least 1, no '/' and no NUL). */
void wy_names_add(struct wy_names *names, const char *name, size_t n, enum wy_ftype type);

enum {
    WY_PATH_LIMIT = 4096, /* PATH_MAX, with the NUL: longer directories are not entered */
    WY_NAME_MAX = 255, /* NAME_MAX: a longer name that is not listed is ENAMETOOLONG, not ENOENT */
};

struct wy_tree_ops {
    /* Adds all names but "." and ".." in any order. Returns 0 or errno (what was added before
     * counts). *search: errno of looking a name up in this directory (EACCES without x), or 0. */
    int (*list)(void *self, const char *path, struct wy_names *names, int *search);
    int (*stat)(void *self, const char *path, struct wy_node *ret); /* lstat(2) */
    /* Target text, NUL-terminated, to be freed by the caller. */
    int (*readlink)(void *self, const char *path, char **ret);
    /* Regular files only (EINVAL for others); must never block. */
    int (*open)(void *self, const char *path, void **file, struct wy_node *node);
    int64_t (*read)(void *file, uint64_t offset, void *buf, size_t n); /* as wy_file_read */
    bool (*has_attribute)(void *file, const char *name); /* NULL: this kind of tree keeps none */
    const struct wy_mount *(*mount)(void *self, void *file); /* as wy_file_mount; NULL: none */
    bool (*promised)(void *file);                            /* as wy_file_promised; NULL: never */
    void (*close)(void *file);
    void (*destroy)(void *self);
};

/* A tree over `ops`; takes over `self`. `root_path` is copied. */
struct wy_tree *wy_tree_over(const struct wy_tree_ops *ops, void *self, const char *root_path);

#endif
