/* Inside of a tree: shared by the files of this room. */
#ifndef WY_TREE_PRIVATE_H
#define WY_TREE_PRIVATE_H

#include "base/map.h"
#include "tree/ops.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

/* A finished listing: one block of memory, never changed after it is published, save `sub` of its
 * entries. */
struct wy_listing {
    int error;        /* errno of listing, or 0 */
    int search;       /* errno of looking up a name here, or 0 */
    uint32_t n;       /* entries */
    uint32_t mask;    /* size of the hash table minus 1 */
    uint32_t *table;  /* 1 + index into `entries`, 0 is free; linear probing */
    uint32_t *hashes; /* by entry */
    struct wy_entry entries[];
};

/* A name that was asked for alone, in a directory that cannot be listed. */
struct wy_asked {
    struct wy_entry entry;
    int error; /* 0, or why there is no entry */
    char name[];
};

struct wy_dir {
    struct wy_tree *tree;
    struct wy_dir *parent;        /* the root's is itself */
    const struct wy_entry *entry; /* this directory in its parent; NULL for the root */
    struct wy_dir *next;          /* in the list of all directories of the tree */
    struct wy_listing *_Atomic listing;
    struct wy_map asked; /* name → struct wy_asked *; under the tree's mutex */
    size_t path_len;
    char path[];
};

struct wy_tree {
    const struct wy_tree_ops *ops;
    void *self;
    char *root_path;
    struct wy_dir *root;
    struct wy_dir *_Atomic dirs; /* all of them, newest first */
    atomic_uint ids;
    atomic_uint_fast64_t bytes_read;
    pthread_mutex_t mutex; /* guards every `asked` */
};

/* The listing of `d`, made with `names` (NULL: own buffers) when it is the first use. */
const struct wy_listing *wy_dir_listing(struct wy_dir *d, struct wy_names *names);
/* The entry called `name` (`n` bytes), or the errno that looking it up gives. */
int wy_dir_lookup(struct wy_dir *d, const char *name, size_t n, struct wy_entry **ret);
/* The directory that an entry of type WY_FT_DIR in `d` is. */
struct wy_dir *wy_dir_sub(struct wy_dir *d, struct wy_entry *e);
/* Entries are handed out const; only this room changes `sub`. */
struct wy_entry *wy_entry_own(const struct wy_entry *e);
/* Where a directory itself is. */
struct wy_place wy_dir_place(struct wy_dir *d);
/* Target of a link, remembered; NULL with *error set when it cannot be read. */
const char *wy_link_target(struct wy_tree *t, const struct wy_place *p, int *error);
/* "DIR/NAME" into `buf`; ENAMETOOLONG when it does not fit. */
int wy_join_into(char *buf, size_t size, const struct wy_dir *d, const char *name, size_t n);

/* The kind of entry that a st_mode means. */
static inline enum wy_ftype wy_type_of_mode(mode_t mode) {
    if (S_ISREG(mode))
        return WY_FT_FILE;
    if (S_ISDIR(mode))
        return WY_FT_DIR;
    return S_ISLNK(mode) ? WY_FT_LINK : WY_FT_OTHER;
}

void wy_names_deinit(struct wy_names *names);

#endif
