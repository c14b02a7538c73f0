/* Files of any origin behind one small interface. Everything whyso looks at is a tree.
 *
 * A tree is seen as directories and their entries. A directory is listed once, with types, and the
 * listing is kept: absence is therefore remembered, and two look-ups of one name cost one search in
 * memory. Paths are walked here, component by component, inside the tree's own root: an absolute
 * link leads to the root of the tree, ".." above the root stays at the root, ".." after a directory
 * link is physical (the parent of the link's target), as the kernel does it.
 *
 * Later kinds (archive, overlay, promised files) only need new `struct wy_tree_ops`.
 * All functions may be called from several threads at once, save create and destroy. */
#ifndef WY_TREE_TREE_H
#define WY_TREE_TREE_H

#include "base/error.h"
#include "base/mem.h"

struct wy_tree;
struct wy_dir; /* one listed directory; lives as long as its tree */

enum wy_ftype { WY_FT_FILE, WY_FT_DIR, WY_FT_LINK, WY_FT_OTHER }; /* other: pipe, device, socket */

/* One name in a directory. Pointers stay valid as long as the tree. */
struct wy_entry {
    const char *name; /* any bytes but '/' and NUL */
    uint32_t id;      /* unique in the tree, small: an index for tables beside the tree */
    uint8_t type;     /* enum wy_ftype, of the entry itself (links not followed) */
    void *sub;        /* private to the tree */
};

/* What stat(2) says of the file itself. Identity of a file is (layer, dev, ino). */
struct wy_node {
    uint64_t layer, dev, ino;
    uint64_t size; /* bytes */
    int64_t mtime; /* seconds since the epoch */
    uint32_t mode; /* st_mode */
    uint32_t nlink, uid, gid;
};

/* The mount that a file lies on. Lives as long as the tree. */
struct wy_mount {
    bool noexec;       /* nothing on it may be mapped as code */
    const char *point; /* where it is mounted, by /proc/self/mountinfo; NULL without noexec */
};

/* Where a path leads. */
struct wy_place {
    struct wy_dir *dir;           /* the directory that holds it */
    const struct wy_entry *entry; /* the object; NULL for the root directory itself */
    bool through_link;            /* a symbolic link was followed on the way */
};

enum wy_find_flags {
    WY_FIND_NOFOLLOW = 1, /* the last component may be a link and is then itself the answer */
};

/* A folder of this machine as the root of a tree ("/" for the machine itself). Fails when it is not
 * a readable directory. Caller owns `*ret`. */
struct wy_error *wy_tree_host(const char *root, struct wy_tree **ret);
void wy_tree_destroy(struct wy_tree *t);

struct wy_dir *wy_tree_root(struct wy_tree *t);
/* Path of the tree's root on this machine, for messages ("/" mostly). */
const char *wy_tree_root_path(const struct wy_tree *t);

/* Follows `path` from `base` (NULL: the root; always the root when the path is absolute). Returns
 * 0, or the errno open(2) would give this user: ENOENT (also a dangling link), ENOTDIR, EACCES,
 * ELOOP (more than 40 links), ENAMETOOLONG (4,096 bytes), …  A trailing slash asks for a directory.
 */
int wy_tree_find(struct wy_tree *t, struct wy_dir *base, const char *path, unsigned flags,
                 struct wy_place *ret);

/* The directory at `path`, as wy_tree_find; ENOTDIR when it is something else. */
int wy_tree_find_dir(struct wy_tree *t, struct wy_dir *base, const char *path, struct wy_dir **ret);
/* The directory a place is, or NULL when it is not one (or cannot be entered). */
struct wy_dir *wy_place_dir(struct wy_tree *t, const struct wy_place *p);

/* The entry called `name`, or NULL. A directory that may be entered but not listed is asked by
 * stat(2) for each name. */
const struct wy_entry *wy_dir_get(struct wy_dir *d, const char *name);
/* All entries, sorted by name (bytes); *n is their number. Empty if it cannot be listed. */
const struct wy_entry *wy_dir_entries(struct wy_dir *d, size_t *n);
/* 0, or the errno that listing this directory, or looking up names in it, gave (EACCES …). */
int wy_dir_error(const struct wy_dir *d);
/* Path inside the tree, without links, starting with '/'; lives as long as the tree. */
const char *wy_dir_path(const struct wy_dir *d);
struct wy_dir *wy_dir_parent(struct wy_dir *d); /* the root's parent is the root */
/* Path of a place inside the tree, without links: dir path + name. Copied into `a`. */
char *wy_place_path(struct wy_arena *a, const struct wy_place *p);

/* stat(2) of a place (lstat for a link). Returns 0 or errno. */
int wy_place_stat(struct wy_tree *t, const struct wy_place *p, struct wy_node *ret);
/* Target text of a link, copied into `a`. Returns 0 or errno. */
int wy_place_readlink(struct wy_tree *t, const struct wy_place *p, struct wy_arena *a, char **ret);

/* An open regular file. Nothing but regular files is ever opened (EINVAL for others): a pipe or a
 * device in a tree cannot hang whyso. */
struct wy_file;
int wy_place_open(struct wy_tree *t, const struct wy_place *p, struct wy_file **ret);
void wy_file_close(struct wy_file *f);
uint64_t wy_file_size(const struct wy_file *f); /* bytes, at opening */
void wy_file_node(const struct wy_file *f, struct wy_node *ret);
/* NULL when there is none (an archive), or when it says nothing: a folder that stands for another
 * machine's root may be mounted in any way. */
const struct wy_mount *wy_file_mount(const struct wy_file *f);
/* It will be there, but nothing of its content is known: reading gives EIO (tree/overlay.h). */
bool wy_file_promised(const struct wy_file *f);
/* Whether it has an extended attribute of that name ("security.capability"), as far as is told. */
bool wy_file_has_attribute(const struct wy_file *f, const char *name);
/* Up to `n` bytes at `offset`; fewer only at the end of the file. Returns the number or -errno. */
int64_t wy_file_read(struct wy_file *f, uint64_t offset, void *buf, size_t n);

/* The whole content of the file at `path`, if it has at most `max` bytes: into `a`, with a NUL
 * behind that is not counted. Returns 0 or errno (EFBIG when larger). */
int wy_tree_slurp(struct wy_tree *t, struct wy_dir *base, const char *path, uint64_t max,
                  struct wy_arena *a, struct wy_str *ret);
int wy_place_slurp(struct wy_tree *t, const struct wy_place *p, uint64_t max, struct wy_arena *a,
                   struct wy_str *ret);

/* Lists everything below `top` on `threads` threads (links are not followed), so that later
 * look-ups there only read memory. Stops silently at what cannot be listed. */
void wy_tree_prefetch(struct wy_tree *t, struct wy_dir *top, unsigned threads);

/* One more than the largest entry id handed out so far. */
uint32_t wy_tree_ids(const struct wy_tree *t);
/* Bytes read from files so far, for benchmarks. */
uint64_t wy_tree_bytes_read(const struct wy_tree *t);

#endif
