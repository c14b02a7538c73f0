#include "tree/overlay.h"
#include "tree/private.h"

#include "base/path.h"

#include <errno.h>

enum { LAYER = 1 }; /* wy_node.layer of what is promised */

struct change {
    const char *path, *name;
    bool hidden, promised; /* neither: a folder above something promised */
    uint64_t size;
    bool has_copy;
    struct wy_place copy;
    struct wy_str text;        /* the content, when it is given; p is NULL without */
    uint64_t number;           /* stands for an inode */
    struct change *next, *sub; /* the next in the same folder; the first one in this folder */
};

struct wy_layer {
    struct wy_arena arena;
    struct wy_map by_path; /* → struct change * */
};

struct overlay {
    struct wy_tree *lower;
    struct wy_layer *layer;
};
struct overlay_file {
    struct wy_file *lower; /* NULL: a promise without a copy */
    struct wy_str text;
};

struct wy_layer *wy_layer_create(void) {
    return wy_alloc0(1, sizeof(struct wy_layer));
}

void wy_layer_destroy(struct wy_layer *l) {
    if (!l)
        return;
    wy_map_deinit(&l->by_path);
    wy_arena_deinit(&l->arena);
    free(l);
}

static struct change *change_of(const struct wy_layer *l, const char *path) {
    return wy_map_get(&l->by_path, wy_str_of(path));
}

/* The change of a path and, as folders, of all above it. */
static struct change *make(struct wy_layer *l, const char *path) {
    struct change *c = change_of(l, path);
    if (c)
        return c;
    c = WY_NEW(&l->arena, struct change);
    c->path = wy_arena_cstr(&l->arena, path);
    c->name = wy_path_base(c->path);
    c->number = l->by_path.n;
    *wy_map_at(&l->by_path, wy_str_of(c->path)) = c;
    if (path[1]) {
        struct change *above = make(l, wy_path_dir(&l->arena, path));
        c->next = above->sub;
        above->sub = c;
    }
    return c;
}

void wy_layer_hide(struct wy_layer *l, const char *path) {
    struct change *c = make(l, path);
    c->hidden = true;
    c->promised = false;
}

void wy_layer_promise(struct wy_layer *l, const char *path, uint64_t size,
                      const struct wy_place *copy) {
    struct change *c = make(l, path);
    c->hidden = true; /* what is there now */
    c->promised = true;
    c->size = size;
    c->has_copy = copy != NULL;
    if (copy)
        c->copy = *copy;
    c->text = (struct wy_str){0};
}

void wy_layer_write(struct wy_layer *l, const char *path, struct wy_str text) {
    wy_layer_promise(l, path, text.n, NULL);
    change_of(l, path)->text = text;
}

/* ---- the tree ---- */

static bool leads_to_promise(const struct change *c) {
    for (const struct change *s = c->sub; s; s = s->next)
        if (s->promised || leads_to_promise(s))
            return true;
    return false;
}

/* Whether a path or a folder above it is hidden; then only what is promised there counts. */
static bool is_hidden(const struct overlay *o, const char *path) {
    struct wy_arena scratch = WY_ARENA_INIT;
    bool hidden = false;
    for (const char *p = path; !hidden && p[1]; p = wy_path_dir(&scratch, p)) {
        const struct change *c = change_of(o->layer, p);
        hidden = c && c->hidden;
    }
    wy_arena_deinit(&scratch);
    return hidden;
}

static int lower_place(const struct overlay *o, const char *path, struct wy_place *ret) {
    return is_hidden(o, path) ? ENOENT : wy_tree_find(o->lower, NULL, path, WY_FIND_NOFOLLOW, ret);
}

static int overlay_list(void *self, const char *path, struct wy_names *names, int *search) {
    const struct overlay *o = self;
    const struct change *here = change_of(o->layer, path);
    struct wy_dir *dir;
    size_t n = 0;
    int error = is_hidden(o, path) ? ENOENT : wy_tree_find_dir(o->lower, NULL, path, &dir);
    const struct wy_entry *e = error ? NULL : wy_dir_entries(dir, &n);
    *search = 0;
    if (!error)
        error = wy_dir_error(dir);
    for (size_t i = 0; i < n; i++) {
        struct wy_arena scratch = WY_ARENA_INIT;
        const struct change *c =
            here ? change_of(o->layer, wy_path_join(&scratch, path, e[i].name)) : NULL;
        if (!c || !c->hidden)
            wy_names_add(names, e[i].name, strlen(e[i].name), e[i].type);
        wy_arena_deinit(&scratch);
    }
    for (const struct change *c = here ? here->sub : NULL; c; c = c->next) {
        bool below = e && wy_dir_get(dir, c->name) && !c->hidden; /* it is listed already */
        if (c->promised)
            wy_names_add(names, c->name, strlen(c->name), WY_FT_FILE);
        else if (!below && leads_to_promise(c))
            wy_names_add(names, c->name, strlen(c->name), WY_FT_DIR);
    }
    return error == ENOENT && here && leads_to_promise(here) ? 0 : error;
}

static void node_of(const struct change *c, struct wy_node *ret) {
    *ret = (struct wy_node){.layer = LAYER,
                            .ino = c->number,
                            .size = c->size,
                            .mode = c->promised ? S_IFREG | 0755 : S_IFDIR | 0755,
                            .nlink = 1};
}

static int overlay_stat(void *self, const char *path, struct wy_node *ret) {
    const struct overlay *o = self;
    const struct change *c = change_of(o->layer, path);
    struct wy_place place;
    if (c && c->promised && c->has_copy)
        return wy_place_stat(o->lower, &c->copy, ret);
    if (c && (c->promised || (c->hidden && leads_to_promise(c)))) {
        node_of(c, ret);
        return 0;
    }
    int error = lower_place(o, path, &place);
    if (error == ENOENT && c && leads_to_promise(c)) {
        node_of(c, ret);
        return 0;
    }
    return error ? error : wy_place_stat(o->lower, &place, ret);
}

static int overlay_readlink(void *self, const char *path, char **ret) {
    const struct overlay *o = self;
    struct wy_arena scratch = WY_ARENA_INIT;
    struct wy_place place;
    char *text;
    int error = lower_place(o, path, &place);
    if (!error)
        error = wy_place_readlink(o->lower, &place, &scratch, &text);
    if (!error) {
        *ret = wy_alloc(strlen(text) + 1);
        memcpy(*ret, text, strlen(text) + 1);
    }
    wy_arena_deinit(&scratch);
    return error;
}

static int overlay_open(void *self, const char *path, void **file, struct wy_node *node) {
    const struct overlay *o = self;
    const struct change *c = change_of(o->layer, path);
    struct wy_place place;
    struct wy_file *lower = NULL;
    bool promised = c && c->promised;
    int error = promised ? 0 : lower_place(o, path, &place);
    if (!error && (!promised || c->has_copy))
        error = wy_place_open(o->lower, promised ? &c->copy : &place, &lower);
    if (error)
        return error;
    if (lower)
        wy_file_node(lower, node);
    else
        node_of(c, node);
    struct overlay_file *f = wy_alloc(sizeof *f);
    *f = (struct overlay_file){.lower = lower};
    if (promised && !lower)
        f->text = c->text;
    *file = f;
    return 0;
}

static int64_t overlay_read(void *file, uint64_t offset, void *buf, size_t n) {
    const struct overlay_file *f = file;
    if (f->lower)
        return wy_file_read(f->lower, offset, buf, n);
    if (!f->text.p)
        return -EIO;
    size_t left = offset < f->text.n ? f->text.n - (size_t)offset : 0;
    if (n > left)
        n = left;
    if (n)
        memcpy(buf, f->text.p + offset, n);
    return (int64_t)n;
}

static bool overlay_has_attribute(void *file, const char *name) {
    const struct overlay_file *f = file;
    return f->lower && wy_file_has_attribute(f->lower, name);
}

static const struct wy_mount *overlay_mount(void *self, void *file) {
    (void)self;
    const struct overlay_file *f = file;
    return f->lower ? wy_file_mount(f->lower) : NULL;
}

static bool overlay_promised(void *file) {
    const struct overlay_file *f = file;
    return !f->lower && !f->text.p;
}

static void overlay_close(void *file) {
    struct overlay_file *f = file;
    wy_file_close(f->lower);
    free(f);
}

static void overlay_destroy(void *self) {
    struct overlay *o = self;
    wy_layer_destroy(o->layer);
    free(o);
}

static const struct wy_tree_ops overlay_ops = {
    .list = overlay_list,
    .stat = overlay_stat,
    .readlink = overlay_readlink,
    .open = overlay_open,
    .read = overlay_read,
    .has_attribute = overlay_has_attribute,
    .mount = overlay_mount,
    .promised = overlay_promised,
    .close = overlay_close,
    .destroy = overlay_destroy,
};

struct wy_tree *wy_tree_overlay(struct wy_tree *lower, struct wy_layer *l) {
    struct overlay *o = wy_alloc0(1, sizeof *o);
    *o = (struct overlay){lower, l};
    return wy_tree_over(&overlay_ops, o, wy_tree_root_path(lower));
}
