/* What places are made of: stat, link targets, contents. */
#include "tree/private.h"

#include <errno.h>

enum { PATH_BUFFER = WY_PATH_LIMIT + WY_NAME_MAX + 1 };

struct wy_file {
    struct wy_tree *tree;
    void *file; /* of the tree's ops */
    struct wy_node node;
};

int wy_join_into(char *buf, size_t size, const struct wy_dir *d, const char *name, size_t n) {
    size_t before = d->path_len > 1 ? d->path_len : 0;
    if (size < 2 || before > size - 2 || n > size - 2 - before)
        return ENAMETOOLONG;
    memcpy(buf, d->path, before);
    buf[before] = '/';
    memcpy(buf + before + 1, name, n);
    buf[before + 1 + n] = '\0';
    return 0;
}

static int path_of(char buf[PATH_BUFFER], const struct wy_place *p) {
    const char *name = p->entry ? p->entry->name : "";
    return wy_join_into(buf, PATH_BUFFER, p->dir, name, strlen(name));
}

char *wy_place_path(struct wy_arena *a, const struct wy_place *p) {
    if (!p->entry)
        return wy_arena_cstr(a, "/");
    return wy_arena_printf(a, "%s/%s", p->dir->path_len > 1 ? p->dir->path : "", p->entry->name);
}

int wy_place_stat(struct wy_tree *t, const struct wy_place *p, struct wy_node *ret) {
    char path[PATH_BUFFER];
    int error = path_of(path, p);
    *ret = (struct wy_node){0};
    return error ? error : t->ops->stat(t->self, path, ret);
}

const char *wy_link_target(struct wy_tree *t, const struct wy_place *p, int *error) {
    struct wy_entry *e = wy_entry_own(p->entry);
    void *known = __atomic_load_n(&e->sub, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    char path[PATH_BUFFER], *text = NULL;
    *error = path_of(path, p);
    if (!*error)
        *error = t->ops->readlink(t->self, path, &text);
    if (*error)
        return NULL;
    if (__atomic_compare_exchange_n(&e->sub, &known, text, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return text;
    free(text);
    return known;
}

int wy_place_readlink(struct wy_tree *t, const struct wy_place *p, struct wy_arena *a, char **ret) {
    *ret = NULL;
    if (!p->entry || p->entry->type != WY_FT_LINK)
        return EINVAL;
    int error = 0;
    *ret = wy_arena_cstr(a, wy_link_target(t, p, &error));
    return error;
}

int wy_place_open(struct wy_tree *t, const struct wy_place *p, struct wy_file **ret) {
    *ret = NULL;
    if (!p->entry || p->entry->type != WY_FT_FILE)
        return EINVAL;
    char path[PATH_BUFFER];
    struct wy_node node = {0};
    void *file = NULL;
    int error = path_of(path, p);
    if (!error)
        error = t->ops->open(t->self, path, &file, &node);
    if (error)
        return error;
    *ret = wy_alloc(sizeof **ret);
    **ret = (struct wy_file){.tree = t, .file = file, .node = node};
    return 0;
}

void wy_file_close(struct wy_file *f) {
    if (f)
        f->tree->ops->close(f->file);
    free(f);
}

uint64_t wy_file_size(const struct wy_file *f) {
    return f->node.size;
}
void wy_file_node(const struct wy_file *f, struct wy_node *ret) {
    *ret = f->node;
}

bool wy_file_promised(const struct wy_file *f) {
    return f->tree->ops->promised && f->tree->ops->promised(f->file);
}

bool wy_file_has_attribute(const struct wy_file *f, const char *name) {
    return f->tree->ops->has_attribute && f->tree->ops->has_attribute(f->file, name);
}

const struct wy_mount *wy_file_mount(const struct wy_file *f) {
    return f->tree->ops->mount ? f->tree->ops->mount(f->tree->self, f->file) : NULL;
}

int64_t wy_file_read(struct wy_file *f, uint64_t offset, void *buf, size_t n) {
    int64_t got = f->tree->ops->read(f->file, offset, buf, n);
    if (got > 0)
        atomic_fetch_add_explicit(&f->tree->bytes_read, (uint64_t)got, memory_order_relaxed);
    return got;
}

/* Up to `cap` bytes and a NUL into a new block of `a`. */
static int64_t read_block(struct wy_file *f, uint64_t cap, struct wy_arena *a, char **ret) {
    *ret = wy_arena_alloc(a, cap + 1);
    int64_t got = wy_file_read(f, 0, *ret, cap);
    (*ret)[got > 0 ? got : 0] = '\0';
    return got;
}

/* Files of /proc say they have no bytes: they are read with growing blocks until one is not full.
 */
static int slurp(struct wy_file *f, uint64_t max, struct wy_arena *a, struct wy_str *ret) {
    uint64_t size = wy_file_size(f), cap = size ? size : 4096;
    if (size > max)
        return EFBIG;
    for (;;) {
        char *p;
        int64_t got = read_block(f, cap, a, &p);
        if (got < 0)
            return (int)-got;
        if (!size && (uint64_t)got > max)
            return EFBIG;
        *ret = (struct wy_str){p, (size_t)got};
        if (size || (uint64_t)got < cap)
            return 0;
        cap *= 2;
    }
}

int wy_place_slurp(struct wy_tree *t, const struct wy_place *p, uint64_t max, struct wy_arena *a,
                   struct wy_str *ret) {
    struct wy_file *f;
    *ret = (struct wy_str){0};
    int error = wy_place_open(t, p, &f);
    if (error)
        return error;
    error = slurp(f, max, a, ret);
    wy_file_close(f);
    return error;
}

int wy_tree_slurp(struct wy_tree *t, struct wy_dir *base, const char *path, uint64_t max,
                  struct wy_arena *a, struct wy_str *ret) {
    struct wy_place p;
    *ret = (struct wy_str){0};
    int error = wy_tree_find(t, base, path, 0, &p);
    return error ? error : wy_place_slurp(t, &p, max, a, ret);
}
