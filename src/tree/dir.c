/* Directories: listed once, looked up in memory. */
#include "tree/private.h"

#include <errno.h>

enum { LONGEST_PROBE = 64 };

struct wy_entry *wy_entry_own(const struct wy_entry *e) {
    struct wy_entry *own;
    memcpy(&own, &e, sizeof own);
    return own;
}

static int by_name(const void *a, const void *b, void *bytes) {
    const struct wy_name *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    const char *text = bytes;
    return strcmp(text + x->at, text + y->at);
}

/* Names of a hostile directory may all have one hash; then there is no table and look-ups search
 * by halves. */
static void fill_table(struct wy_listing *l) {
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t slot = l->hashes[i] & l->mask, probes = 0;
        while (l->table[slot] && probes++ < LONGEST_PROBE)
            slot = (slot + 1) & l->mask;
        if (l->table[slot]) {
            l->table = NULL;
            return;
        }
        l->table[slot] = i + 1;
    }
}

/* One block: entries, then the hash table, the hashes, and the names. */
static struct wy_listing *pack(struct wy_tree *t, struct wy_names *names) {
    uint32_t n = (uint32_t)names->names.n, size = 8;
    while (size < n * 2)
        size *= 2;
    size_t head = sizeof(struct wy_listing) + n * sizeof(struct wy_entry);
    char *block = wy_alloc(head + ((size_t)size + n) * sizeof(uint32_t) + names->used);
    void *ints = block + head;
    struct wy_listing *l = (void *)block;
    *l = (struct wy_listing){.n = n, .mask = size - 1, .table = ints};
    l->hashes = l->table + size;
    char *text = (char *)(l->hashes + n);
    memset(l->table, 0, size * sizeof(uint32_t));
    if (n)
        qsort_r(names->names.v, n, sizeof *names->names.v, by_name, names->bytes);
    uint32_t id = atomic_fetch_add_explicit(&t->ids, n, memory_order_relaxed);
    for (uint32_t i = 0; i < n; i++) {
        const struct wy_name *from = &names->names.v[i];
        memcpy(text, names->bytes + from->at, from->n + 1);
        l->entries[i] = (struct wy_entry){.name = text, .id = id + i, .type = from->type};
        l->hashes[i] = from->hash;
        text += from->n + 1;
    }
    fill_table(l);
    return l;
}

const struct wy_listing *wy_dir_listing(struct wy_dir *d, struct wy_names *names) {
    struct wy_listing *l = atomic_load_explicit(&d->listing, memory_order_acquire);
    if (l)
        return l;
    struct wy_names own = {0};
    if (!names)
        names = &own;
    names->names.n = names->used = 0;
    int search = 0, error = ENAMETOOLONG;
    if (d->path_len < WY_PATH_LIMIT)
        error = d->tree->ops->list(d->tree->self, d->path, names, &search);
    l = pack(d->tree, names);
    l->error = error;
    l->search = search;
    wy_names_deinit(&own);
    struct wy_listing *other = NULL;
    if (atomic_compare_exchange_strong(&d->listing, &other, l))
        return l;
    free(l);
    return other;
}

static struct wy_entry *search_halves(const struct wy_listing *l, const char *name, size_t n) {
    uint32_t low = 0, high = l->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const char *at = l->entries[middle].name;
        int order = strncmp(at, name, n);
        if (order == 0 && at[n] == '\0')
            return wy_entry_own(&l->entries[middle]);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static struct wy_entry *search(const struct wy_listing *l, const char *name, size_t n) {
    if (!l->table)
        return search_halves(l, name, n);
    uint32_t hash = (uint32_t)wy_hash(name, n);
    for (uint32_t slot = hash & l->mask; l->table[slot]; slot = (slot + 1) & l->mask) {
        uint32_t i = l->table[slot] - 1;
        const char *at = l->entries[i].name;
        if (l->hashes[i] == hash && strncmp(at, name, n) == 0 && at[n] == '\0')
            return wy_entry_own(&l->entries[i]);
    }
    return NULL;
}

static struct wy_asked *ask_now(struct wy_dir *d, const char *name, size_t n) {
    char path[WY_PATH_LIMIT + WY_NAME_MAX];
    struct wy_node node = {0};
    struct wy_asked *a = wy_alloc0(1, sizeof *a + n + 1);
    memcpy(a->name, name, n);
    a->error = wy_join_into(path, sizeof path, d, name, n);
    if (!a->error)
        a->error = d->tree->ops->stat(d->tree->self, path, &node);
    a->entry = (struct wy_entry){.name = a->name, .type = (uint8_t)wy_type_of_mode(node.mode)};
    if (!a->error)
        a->entry.id = atomic_fetch_add(&d->tree->ids, 1);
    return a;
}

/* A directory that may be entered but not listed: each name is asked for once. */
static int ask(struct wy_dir *d, const char *name, size_t n, struct wy_entry **ret) {
    pthread_mutex_lock(&d->tree->mutex);
    struct wy_asked *a = wy_map_get(&d->asked, (struct wy_str){name, n});
    if (!a) {
        a = ask_now(d, name, n);
        *wy_map_at(&d->asked, (struct wy_str){a->name, n}) = a;
    }
    pthread_mutex_unlock(&d->tree->mutex);
    *ret = a->error ? NULL : &a->entry;
    return a->error;
}

int wy_dir_lookup(struct wy_dir *d, const char *name, size_t n, struct wy_entry **ret) {
    const struct wy_listing *l = wy_dir_listing(d, NULL);
    *ret = NULL;
    if (l->search)
        return l->search;
    *ret = search(l, name, n);
    if (*ret)
        return 0;
    if (l->error == EACCES)
        return ask(d, name, n, ret);
    if (l->error)
        return l->error;
    return n > WY_NAME_MAX ? ENAMETOOLONG : ENOENT;
}

static struct wy_dir *new_dir(struct wy_tree *t, struct wy_dir *parent, const struct wy_entry *e) {
    size_t before = parent && parent->path_len > 1 ? parent->path_len : 0;
    size_t n = e ? strlen(e->name) : 0;
    struct wy_dir *d = wy_alloc0(1, sizeof *d + before + 1 + n + 1);
    d->tree = t;
    d->parent = parent ? parent : d;
    d->entry = e;
    if (before)
        memcpy(d->path, parent->path, before);
    d->path[before] = '/';
    if (e)
        memcpy(d->path + before + 1, e->name, n);
    d->path_len = before + 1 + n;
    return d;
}

struct wy_dir *wy_dir_sub(struct wy_dir *d, struct wy_entry *e) {
    void *known = __atomic_load_n(&e->sub, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    struct wy_dir *sub = new_dir(d->tree, d, e);
    if (!__atomic_compare_exchange_n(&e->sub, &known, sub, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        free(sub);
        return known;
    }
    struct wy_dir *head = atomic_load(&d->tree->dirs);
    do
        sub->next = head;
    while (!atomic_compare_exchange_weak(&d->tree->dirs, &head, sub));
    return sub;
}

struct wy_tree *wy_tree_over(const struct wy_tree_ops *ops, void *self, const char *root_path) {
    struct wy_tree *t = wy_alloc0(1, sizeof *t);
    t->ops = ops;
    t->self = self;
    t->root_path = wy_alloc(strlen(root_path) + 1);
    memcpy(t->root_path, root_path, strlen(root_path) + 1);
    pthread_mutex_init(&t->mutex, NULL);
    t->root = new_dir(t, NULL, NULL);
    atomic_store(&t->dirs, t->root);
    return t;
}

static void free_entry(struct wy_entry *e) {
    if (e->type == WY_FT_LINK)
        free(e->sub);
}

static void free_dir(struct wy_dir *d) {
    struct wy_listing *l = atomic_load(&d->listing);
    for (uint32_t i = 0; l && i < l->n; i++)
        free_entry(&l->entries[i]);
    free(l);
    for (size_t i = 0; i < d->asked.cap; i++) {
        struct wy_asked *a = d->asked.slots[i].value;
        if (a)
            free_entry(&a->entry);
        free(a);
    }
    wy_map_deinit(&d->asked);
    free(d);
}

void wy_tree_destroy(struct wy_tree *t) {
    if (!t)
        return;
    for (struct wy_dir *d = atomic_load(&t->dirs), *next; d; d = next) {
        next = d->next;
        free_dir(d);
    }
    t->ops->destroy(t->self);
    pthread_mutex_destroy(&t->mutex);
    free(t->root_path);
    free(t);
}

struct wy_dir *wy_tree_root(struct wy_tree *t) {
    return t->root;
}
const char *wy_tree_root_path(const struct wy_tree *t) {
    return t->root_path;
}

const struct wy_entry *wy_dir_get(struct wy_dir *d, const char *name) {
    struct wy_entry *e;
    wy_dir_lookup(d, name, strlen(name), &e);
    return e;
}

const struct wy_entry *wy_dir_entries(struct wy_dir *d, size_t *n) {
    const struct wy_listing *l = wy_dir_listing(d, NULL);
    *n = l->n;
    return l->entries;
}

int wy_dir_error(const struct wy_dir *d) {
    struct wy_dir *own;
    memcpy(&own, &d, sizeof own);
    const struct wy_listing *l = wy_dir_listing(own, NULL);
    return l->error ? l->error : l->search;
}

const char *wy_dir_path(const struct wy_dir *d) {
    return d->path;
}
struct wy_dir *wy_dir_parent(struct wy_dir *d) {
    return d->parent;
}

uint32_t wy_tree_ids(const struct wy_tree *t) {
    return atomic_load(&t->ids);
}
uint64_t wy_tree_bytes_read(const struct wy_tree *t) {
    return atomic_load(&t->bytes_read);
}
