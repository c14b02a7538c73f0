/* The store of ELF facts. A file is looked up by its directory entry first, so that a second
 * look costs no system call, then by node. Both maps are cut into shards with a lock each; a file
 * is read under the lock of its node's shard, so it is read once and others hardly wait. */
#include "host/private.h"

#include <errno.h>
#include <pthread.h>

enum { SHARDS = 64, MAX_CONSTANTS = 8 * 1024 * 1024 };

struct shard {
    pthread_mutex_t lock;
    struct wy_map by_entry; /* struct wy_image by address of the entry */
    struct wy_map by_node;  /* struct wy_image by layer, dev, ino */
    struct wy_arena arena;
};
struct wy_images {
    struct shard shards[SHARDS];
};

void wy_images_create(struct wy_host *h) {
    struct wy_images *s = wy_alloc0(1, sizeof *s);
    for (size_t i = 0; i < SHARDS; i++)
        pthread_mutex_init(&s->shards[i].lock, NULL);
    h->images = s;
}

void wy_images_destroy(struct wy_host *h) {
    struct wy_images *s = h->images;
    for (size_t i = 0; i < SHARDS; i++) {
        wy_map_deinit(&s->shards[i].by_entry);
        wy_map_deinit(&s->shards[i].by_node);
        wy_arena_deinit(&s->shards[i].arena);
        pthread_mutex_destroy(&s->shards[i].lock);
    }
    free(s);
}

static struct shard *shard_of(struct wy_host *h, struct wy_str key) {
    struct wy_images *s = h->images;
    return &s->shards[(wy_hash(key.p, key.n) >> 32) % SHARDS];
}

/* Identity of a file; also the key of its map, so without padding. */
struct identity {
    uint64_t layer, dev, ino;
};
struct keyed_image {
    struct wy_image image;
    struct identity id;
    const void *entry;
};

static int64_t read_file(void *ctx, uint64_t offset, void *buf, size_t n) {
    return wy_file_read(ctx, offset, buf, n);
}

static struct wy_source source_of(struct wy_file *f) {
    return (struct wy_source){read_file, f, wy_file_size(f)};
}

/* Equal names in different files become one pointer. Needed versions name few files many times. */
static void intern_names(struct wy_host *h, struct wy_elf *elf) {
    pthread_mutex_lock(h->lock);
    for (size_t i = 0; i < elf->nneeded; i++)
        elf->needed[i] = wy_intern(&h->intern, wy_str_of(elf->needed[i]));
    if (elf->soname)
        elf->soname = wy_intern(&h->intern, wy_str_of(elf->soname));
    for (size_t i = 0; i < elf->nverneed; i++)
        elf->verneed[i].file = wy_intern(&h->intern, wy_str_of(elf->verneed[i].file));
    pthread_mutex_unlock(h->lock);
}

static void read_facts(struct shard *s, struct wy_file *f, struct wy_image *image) {
    struct wy_source src = source_of(f);
    wy_elf_read(&src, &s->arena, &image->elf);
}

/* The file is taken for what its name says. */
static void assume(const struct wy_host *h, const struct wy_place *p, struct shard *s,
                   struct wy_image *image) {
    const char *name = p->entry->name, *so = strstr(name, ".so");
    bool library = so && (so[3] == '\0' || so[3] == '.');
    image->elf = (struct wy_elf){.kind = library ? WY_ELF_OK : WY_ELF_NOT,
                                 .file_size = image->node.size,
                                 .machine = h->machine,
                                 .is64 = h->is64,
                                 .big_endian = h->big_endian,
                                 .type = 3, /* ET_DYN */
                                 .soname = library ? wy_arena_cstr(&s->arena, name) : NULL};
}

static struct wy_image *read_image(struct wy_host *h, const struct wy_place *p, struct wy_file *f) {
    struct identity id = {0};
    struct wy_node node;
    wy_file_node(f, &node);
    id = (struct identity){node.layer, node.dev, node.ino};
    struct shard *s = shard_of(h, (struct wy_str){(const char *)&id, sizeof id});
    pthread_mutex_lock(&s->lock);
    struct wy_image *image = wy_map_get(&s->by_node, (struct wy_str){(const char *)&id, sizeof id});
    if (!image) {
        struct keyed_image *k = WY_NEW(&s->arena, struct keyed_image);
        k->id = id;
        image = &k->image;
        image->node = node;
        image->place = *p;
        image->mount = wy_file_mount(f);
        image->assumed = wy_file_promised(f);
        if (image->assumed)
            assume(h, p, s, image);
        else
            read_facts(s, f, image);
        intern_names(h, &image->elf);
        *wy_map_at(&s->by_node, (struct wy_str){(const char *)&k->id, sizeof k->id}) = image;
    }
    pthread_mutex_unlock(&s->lock);
    return image;
}

static struct wy_image *open_image(struct wy_host *h, const struct wy_place *p, int *error) {
    struct wy_file *f;
    *error = !p->entry || p->entry->type == WY_FT_DIR ? EISDIR : wy_place_open(h->tree, p, &f);
    if (*error)
        return NULL;
    struct wy_image *image = read_image(h, p, f);
    wy_file_close(f);
    return image;
}

const struct wy_image *wy_host_image(struct wy_host *h, const struct wy_place *p) {
    const void *entry = p->entry ? (const void *)p->entry : (const void *)p->dir;
    struct wy_str key = {(const char *)&entry, sizeof entry};
    struct shard *s = shard_of(h, key);
    pthread_mutex_lock(&s->lock);
    struct wy_image *image = wy_map_get(&s->by_entry, key);
    pthread_mutex_unlock(&s->lock);
    if (image)
        return image;

    int error;
    image = open_image(h, p, &error);
    pthread_mutex_lock(&s->lock);
    struct wy_image *known = wy_map_get(&s->by_entry, key);
    if (!known) {
        struct keyed_image *k = WY_NEW(&s->arena, struct keyed_image);
        k->entry = entry;
        if (!image) {
            image = &k->image;
            image->place = *p;
            image->error = image->elf.read_error = error;
            image->elf.kind = WY_ELF_UNREADABLE;
        }
        *wy_map_at(&s->by_entry, (struct wy_str){(const char *)&k->entry, sizeof k->entry}) = image;
        known = image;
    }
    pthread_mutex_unlock(&s->lock);
    return known;
}

int wy_image_with_source(struct wy_host *h, const struct wy_image *image,
                         void (*use)(void *ctx, const struct wy_source *src), void *ctx) {
    struct wy_file *f;
    if (image->error)
        return image->error;
    int error = wy_place_open(h->tree, &image->place, &f);
    if (error)
        return error;
    struct wy_source src = source_of(f);
    use(ctx, &src);
    wy_file_close(f);
    return 0;
}

/* The first bytes of a file, and what stands for them. */
enum { MACHINE_AT = 18, HEAD = 20 };
struct as_own {
    const struct wy_host *host;
    const struct wy_source *src;
    struct shard *shard;
    struct wy_image *image;
};

static int64_t read_as_own(void *ctx, uint64_t offset, void *buf, size_t n) {
    const struct as_own *o = ctx;
    const struct wy_host *h = o->host;
    unsigned char *p = buf;
    unsigned char head[HEAD] = {0x7f, 'E', 'L', 'F', h->is64 ? 2 : 1, h->big_endian ? 2 : 1, 1};
    head[MACHINE_AT + (h->big_endian ? 1 : 0)] = (unsigned char)(h->machine & 0xff);
    head[MACHINE_AT + (h->big_endian ? 0 : 1)] = (unsigned char)(h->machine >> 8);
    int64_t got = o->src->read(o->src->ctx, offset, buf, n);
    for (uint64_t i = offset; got > 0 && i < HEAD && i - offset < (uint64_t)got; i++)
        if (i < 16 || i >= MACHINE_AT) /* e_type stays */
            p[i - offset] = head[i];
    return got;
}

static void read_own(void *ctx, const struct wy_source *src) {
    struct as_own *o = ctx;
    o->src = src;
    struct wy_source patched = {read_as_own, o, src->size};
    wy_elf_read(&patched, &o->shard->arena, &o->image->elf);
}

static bool is_own(const struct wy_host *h, const struct wy_image *image) {
    const struct wy_elf *e = &image->elf;
    return image->assumed || e->kind == WY_ELF_UNREADABLE || e->kind == WY_ELF_EMPTY ||
           (e->kind != WY_ELF_NOT && e->machine == h->machine && e->is64 == h->is64 &&
            e->big_endian == h->big_endian);
}

const struct wy_image *wy_host_image_as_own(struct wy_host *h, const struct wy_image *image) {
    if (is_own(h, image))
        return image;
    struct wy_str key = {(const char *)&image, sizeof image};
    struct shard *s = shard_of(h, key);
    pthread_mutex_lock(&s->lock);
    struct wy_image *own = wy_map_get(&s->by_entry, key); /* no entry has the address of an image */
    if (!own) {
        struct keyed_image *k = WY_NEW(&s->arena, struct keyed_image);
        k->entry = image;
        own = &k->image;
        *own = *image;
        struct as_own o = {.host = h, .shard = s, .image = own};
        if (wy_image_with_source(h, image, read_own, &o) == 0)
            intern_names(h, &own->elf);
        *wy_map_at(&s->by_entry, (struct wy_str){(const char *)&k->entry, sizeof k->entry}) = own;
    }
    pthread_mutex_unlock(&s->lock);
    return own;
}

struct question {
    const struct wy_image *image;
    const char *symbol;
    bool answer;
};

static void ask(void *ctx, const struct wy_source *src) {
    struct question *q = ctx;
    q->answer = wy_elf_exports(src, &q->image->elf, q->symbol);
}

bool wy_image_exports(struct wy_host *h, const struct wy_image *image, const char *symbol) {
    if (image->assumed)
        return true;
    struct question q = {image, symbol, false};
    return wy_image_with_source(h, image, ask, &q) == 0 && q.answer;
}

struct constants {
    const struct wy_elf *elf;
    bool (*use)(void *ctx, struct wy_str bytes);
    void *ctx;
    bool done;
};

static bool is_constant(const struct wy_elf_load *l, bool with_code) {
    enum { PF_X = 1, PF_W = 2 };
    return !(l->flags & PF_W) && !(l->flags & PF_X) == !with_code && l->filesz;
}

/* Bytes to show of one segment. */
static uint64_t constant_bytes(const struct wy_elf *e, const struct wy_elf_load *l, uint64_t size) {
    uint64_t bytes = l->offset < size ? size - l->offset : 0;
    if (bytes > l->filesz)
        bytes = l->filesz;
    if (e->eh_frame_hdr > l->offset && e->eh_frame_hdr - l->offset < bytes)
        bytes = e->eh_frame_hdr - l->offset;
    return bytes < MAX_CONSTANTS ? bytes : MAX_CONSTANTS;
}

static void show(void *ctx, const struct wy_source *src) {
    struct constants *c = ctx;
    size_t separate = 0; /* older linkers put constants and code into one segment */
    for (size_t i = 0; i < c->elf->nloads; i++)
        separate += is_constant(&c->elf->loads[i], false);
    enum { FEW = 16 };
    size_t n = c->elf->nloads < FEW ? c->elf->nloads : FEW;
    for (size_t i = n; i-- > 0 && !c->done;) {
        const struct wy_elf_load *l = &c->elf->loads[i];
        uint64_t bytes = constant_bytes(c->elf, l, src->size);
        bool headers = l->offset == 0 && separate > 1;
        if (!is_constant(l, !separate) || headers || !bytes)
            continue;
        wy_auto_free char *p = wy_alloc((size_t)bytes);
        int64_t got = src->read(src->ctx, l->offset, p, (size_t)bytes);
        c->done = got > 0 && c->use(c->ctx, (struct wy_str){p, (size_t)got});
    }
}

bool wy_image_constants(struct wy_host *h, const struct wy_image *image,
                        bool (*use)(void *ctx, struct wy_str bytes), void *ctx) {
    struct constants c = {&image->elf, use, ctx, false};
    wy_image_with_source(h, image, show, &c);
    return c.done;
}

struct mention {
    struct wy_str text;
    bool found;
};

/* Piece by piece, each with the end of the one before it. */
static void look_for(void *ctx, const struct wy_source *src) {
    enum { PIECE = 1 << 20, MOST = 256 << 20 };
    struct mention *m = ctx;
    wy_auto_free char *p = wy_alloc(PIECE);
    for (uint64_t at = 0; at < src->size && at < MOST && !m->found && m->text.n < PIECE / 2;) {
        int64_t got = src->read(src->ctx, at, p, PIECE);
        if (got <= 0)
            return;
        m->found = wy_str_find((struct wy_str){p, (size_t)got}, m->text) != SIZE_MAX;
        if (got < PIECE)
            return;
        at += PIECE - m->text.n;
    }
}

bool wy_image_mentions(struct wy_host *h, const struct wy_image *image, struct wy_str text) {
    struct mention m = {text, false};
    wy_image_with_source(h, image, look_for, &m);
    return m.found;
}
