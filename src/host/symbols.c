/* Symbol tables of images. Each is read under a lock of its own, so that several threads read
 * different files at a time and nobody reads one twice. Blocks that are wanted later open the file
 * again; the first files stay open then, the others not: an environment has more libraries than a
 * process may hold files open. */
#include "host/private.h"

#include <pthread.h>

enum { MOST_OPEN = 64 };

struct entry {
    const struct wy_image *image; /* also the key of the map */
    struct wy_host *host;
    pthread_mutex_t lock;
    bool is_read;
    struct wy_image_symbols symbols;
    struct wy_file *file; /* that stays open, or NULL; set once */
    struct wy_arena arena;
    struct entry *next; /* of all, newest first */
};
struct wy_symbols {
    pthread_mutex_t lock;
    struct wy_map map; /* struct entry by address of the image */
    struct wy_arena arena;
    struct entry *all;
    unsigned open; /* files */
};

void wy_symbols_create(struct wy_host *h) {
    struct wy_symbols *s = wy_alloc0(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    h->symbols = s;
}

void wy_symbols_destroy(struct wy_host *h) {
    struct wy_symbols *s = h->symbols;
    for (struct entry *e = s->all; e; e = e->next) {
        if (e->is_read)
            wy_symtab_release(&e->symbols.table);
        if (e->file)
            wy_file_close(e->file);
        pthread_mutex_destroy(&e->lock);
        wy_arena_deinit(&e->arena);
    }
    wy_map_deinit(&s->map);
    wy_arena_deinit(&s->arena);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct piece {
    uint64_t offset;
    void *buf;
    size_t n;
    int64_t got;
};

static void read_piece(void *ctx, const struct wy_source *src) {
    struct piece *p = ctx;
    p->got = src->read(src->ctx, p->offset, p->buf, p->n);
}

static struct wy_file *open_file(struct entry *e) {
    struct wy_file *f = __atomic_load_n(&e->file, __ATOMIC_ACQUIRE);
    if (f)
        return f;
    struct wy_symbols *s = e->host->symbols;
    pthread_mutex_lock(&s->lock);
    f = e->file;
    if (!f && s->open < MOST_OPEN && wy_place_open(e->host->tree, &e->image->place, &f) == 0) {
        __atomic_store_n(&e->file, f, __ATOMIC_RELEASE);
        s->open++;
    }
    pthread_mutex_unlock(&s->lock);
    return f;
}

static int64_t read_again(void *ctx, uint64_t offset, void *buf, size_t n) {
    struct entry *e = ctx;
    struct wy_file *f = open_file(e);
    if (f)
        return wy_file_read(f, offset, buf, n);
    struct piece p = {offset, buf, n, 0};
    int error = wy_image_with_source(e->host, e->image, read_piece, &p);
    return error ? -error : p.got;
}

static void read_symbols(void *ctx, const struct wy_source *src) {
    struct entry *e = ctx;
    struct wy_symtab *t = &e->symbols.table;
    wy_symtab_read(src, &e->image->elf, &e->arena, t);
    bool few = (uint64_t)t->first + t->count <= WY_FEW_SYMBOLS;
    wy_symtab_refs(t, &e->arena, few, &e->symbols.refs);
}

static void read_nothing(struct entry *e) {
    static const struct wy_elf none = {.kind = WY_ELF_UNREADABLE};
    static const struct wy_source empty = {NULL, NULL, 0};
    wy_symtab_read(&empty, &none, &e->arena, &e->symbols.table);
    wy_symtab_refs(&e->symbols.table, &e->arena, true, &e->symbols.refs);
}

static struct entry *entry_of(struct wy_host *h, const struct wy_image *image) {
    struct wy_symbols *s = h->symbols;
    pthread_mutex_lock(&s->lock);
    struct entry *e = wy_map_get(&s->map, (struct wy_str){(const char *)&image, sizeof image});
    if (!e) {
        e = WY_NEW(&s->arena, struct entry);
        e->image = image;
        e->host = h;
        e->next = s->all;
        s->all = e;
        pthread_mutex_init(&e->lock, NULL);
        struct wy_str key = {(const char *)&e->image, sizeof e->image};
        *wy_map_at(&s->map, key) = e;
    }
    pthread_mutex_unlock(&s->lock);
    return e;
}

const struct wy_image_symbols *wy_host_symbols(struct wy_host *h, const struct wy_image *image) {
    struct entry *e = entry_of(h, image);
    pthread_mutex_lock(&e->lock);
    if (!e->is_read) {
        e->symbols.error = wy_image_with_source(h, image, read_symbols, e);
        if (e->symbols.error)
            read_nothing(e);
        e->symbols.table.src = (struct wy_source){read_again, e, image->elf.file_size};
        e->is_read = true;
    }
    pthread_mutex_unlock(&e->lock);
    return &e->symbols;
}
