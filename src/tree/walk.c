/* Paths are followed here, as path_resolution(7) and the kernel's fs/namei.c (5.10) do it. */
#include "tree/private.h"

#include <errno.h>

enum { MOST_LINKS = 40 }; /* MAXSYMLINKS, include/linux/namei.h: the 41st is ELOOP */

struct walk {
    struct wy_tree *tree;
    unsigned links; /* followed so far */
};

struct wy_place wy_dir_place(struct wy_dir *d) {
    return (struct wy_place){.dir = d->parent, .entry = d->entry};
}

struct wy_dir *wy_place_dir(struct wy_tree *t, const struct wy_place *p) {
    if (!p->entry)
        return t->root;
    return p->entry->type == WY_FT_DIR ? wy_dir_sub(p->dir, wy_entry_own(p->entry)) : NULL;
}

/* One name below `d`. Looking up anything, also "." and "..", needs the right to search `d`. */
static int step(struct wy_dir *d, const char *name, size_t n, struct wy_place *at) {
    bool dot = n == 1 && name[0] == '.', up = n == 2 && name[0] == '.' && name[1] == '.';
    if (dot || up) {
        const struct wy_listing *l = wy_dir_listing(d, NULL);
        *at = wy_dir_place(up ? d->parent : d);
        return l->search;
    }
    struct wy_entry *e;
    int error = wy_dir_lookup(d, name, n, &e);
    at->dir = d;
    at->entry = e;
    return error;
}

static int walk_text(struct walk *w, struct wy_place *at, const char *text, bool follow_last);

/* `at` is a link and becomes what it leads to. */
static int follow(struct walk *w, struct wy_place *at) {
    if (w->links++ >= MOST_LINKS)
        return ELOOP;
    int error = 0;
    const char *target = wy_link_target(w->tree, at, &error);
    if (!target)
        return error;
    if (!target[0])
        return ENOENT;
    *at = wy_dir_place(at->dir);
    return walk_text(w, at, target, true);
}

/* Recursion is as deep as links are nested: at most MOST_LINKS. */
static int walk_text(struct walk *w, struct wy_place *at, const char *text, bool follow_last) {
    if (text[0] == '/')
        *at = wy_dir_place(w->tree->root);
    for (text += strspn(text, "/"); *text; text += strspn(text, "/")) {
        size_t n = strcspn(text, "/");
        const char *name = text;
        text += n;
        struct wy_dir *d = wy_place_dir(w->tree, at);
        if (!d)
            return ENOTDIR;
        int error = step(d, name, n, at);
        if (error)
            return error;
        bool more = *text == '/';
        if (at->entry && at->entry->type == WY_FT_LINK && (more || follow_last))
            error = follow(w, at);
        if (error)
            return error;
        if (more && at->entry && at->entry->type != WY_FT_DIR)
            return ENOTDIR;
    }
    return 0;
}

int wy_tree_find(struct wy_tree *t, struct wy_dir *base, const char *path, unsigned flags,
                 struct wy_place *ret) {
    struct walk w = {.tree = t};
    *ret = wy_dir_place(base ? base : t->root);
    if (!path[0])
        return ENOENT;
    if (strnlen(path, WY_PATH_LIMIT) == WY_PATH_LIMIT)
        return ENAMETOOLONG;
    int error = walk_text(&w, ret, path, !(flags & WY_FIND_NOFOLLOW));
    ret->through_link = w.links > 0;
    return error;
}

int wy_tree_find_dir(struct wy_tree *t, struct wy_dir *base, const char *path,
                     struct wy_dir **ret) {
    struct wy_place p;
    *ret = NULL;
    int error = wy_tree_find(t, base, path, 0, &p);
    if (error)
        return error;
    *ret = wy_place_dir(t, &p);
    return *ret ? 0 : ENOTDIR;
}
