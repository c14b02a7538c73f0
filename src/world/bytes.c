/* Whose bytes are on disk (CONTRACT section 3, "What is compared"): sizes of libraries and of paths
 * with several owners; hashes only where several owners recorded different ones and sizes cannot
 * decide, smallest files first, up to 64 MiB; everything with --hash. */
#include "base/pool.h"
#include "base/sha256.h"
#include "world/internal.h"

enum { HASH_BUDGET = 64 << 20, CHUNK = 1 << 20 };

static bool hashes_equal(const struct wy_claim *a, const struct wy_claim *b) {
    return a->row->hash.n && wy_str_eq(a->row->hash, b->row->hash);
}

static bool hashes_differ(const struct wy_claimed *c) {
    for (size_t i = 1; i < c->nclaims; i++)
        if (!hashes_equal(&c->claims[0], &c->claims[i]))
            return true;
    return false;
}

static void take_size(struct wy_world *w, struct wy_claimed *c) {
    struct wy_place target;
    struct wy_node node;
    if (wy_tree_find(w->tree, c->place.dir, c->place.entry->name, 0, &target) != 0 ||
        wy_place_stat(w->tree, &target, &node) != 0)
        return;
    c->size = node.size;
    c->sized = true;
}

static bool size_fits(const struct wy_claimed *c, const struct wy_claim *claim) {
    return claim->row->size < 0 || (uint64_t)claim->row->size == c->size;
}

/* By size alone: a claim of another size differs; if all claims that fit recorded one hash, and
 * another claim was ruled out, the bytes are theirs. Returns whether a hash is needed to decide. */
static bool decide_by_size(struct wy_claimed *c) {
    const struct wy_claim *fits = NULL;
    bool one_content = true, some_differ = false;
    for (size_t i = 0; i < c->nclaims; i++) {
        struct wy_claim *claim = &c->claims[i];
        if (!size_fits(c, claim)) {
            claim->bytes = WY_BYTES_DIFFERS;
            some_differ = true;
        } else {
            one_content = one_content && (!fits || hashes_equal(fits, claim));
            fits = claim;
        }
    }
    if (!fits || c->nclaims == 1)
        return false;
    if (!one_content)
        return true;
    for (size_t i = 0; i < c->nclaims; i++)
        if (c->claims[i].bytes != WY_BYTES_DIFFERS && some_differ)
            c->claims[i].bytes = WY_BYTES_SAME;
    return false;
}

static void decide_by_hash(struct wy_claimed *c) {
    for (size_t i = 0; i < c->nclaims; i++) {
        char recorded[65];
        if (wy_sha256_from_record(c->claims[i].row->hash, recorded))
            c->claims[i].bytes =
                strcmp(recorded, c->sha256) == 0 ? WY_BYTES_SAME : WY_BYTES_DIFFERS;
    }
}

struct hashing {
    struct wy_world *w;
    struct wy_claimed **files;
    char (*hex)[65];
};

static bool hash_file(struct wy_world *w, const struct wy_claimed *c, char hex[65]) {
    struct wy_place target;
    struct wy_file *f;
    if (wy_tree_find(w->tree, c->place.dir, c->place.entry->name, 0, &target) != 0 ||
        wy_place_open(w->tree, &target, &f) != 0)
        return false;
    struct wy_sha256 *h = wy_sha256_create();
    wy_auto_free char *chunk = wy_alloc(CHUNK);
    uint64_t at = 0;
    int64_t got;
    while ((got = wy_file_read(f, at, chunk, CHUNK)) > 0) {
        wy_sha256_add(h, chunk, (size_t)got);
        at += (uint64_t)got;
    }
    wy_sha256_end(h, hex);
    wy_file_close(f);
    return got == 0;
}

static void hash_one(void *ctx, unsigned worker, size_t i) {
    (void)worker;
    struct hashing *h = ctx;
    if (!hash_file(h->w, h->files[i], h->hex[i]))
        h->hex[i][0] = '\0';
}

static int by_size(const void *a, const void *b) {
    const struct wy_claimed *x = *(struct wy_claimed *const *)a;
    const struct wy_claimed *y = *(struct wy_claimed *const *)b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(x->path, y->path);
}

static void hash_all(struct wy_world *w, struct wy_claimed **files, size_t n, unsigned threads) {
    struct hashing h = {w, files, wy_alloc0(n ? n : 1, 65)};
    wy_pool_run(threads, n, hash_one, &h);
    for (size_t i = 0; i < n; i++) {
        if (!h.hex[i][0])
            continue;
        files[i]->sha256 = wy_arena_cstr(&w->arena, h.hex[i]);
        decide_by_hash(files[i]);
    }
    free(h.hex);
}

/* The owner whose bytes are there becomes the library's owner. */
static void set_writers(struct wy_world *w) {
    for (size_t i = 0; i < w->nlibraries; i++) {
        struct wy_library *lib = &w->libraries[i];
        for (size_t k = 0; lib->claimed && k < lib->claimed->nclaims; k++)
            if (lib->claimed->claims[k].bytes == WY_BYTES_SAME) {
                lib->dist = lib->claimed->claims[k].dist;
                break;
            }
    }
}

void wy_world_bytes(struct wy_world *w, const struct wy_world_options *o) {
    WY_VEC(struct wy_claimed *) wanted = {0};
    for (size_t i = 0; i < w->nclaimed; i++) {
        struct wy_claimed *c = &w->claimed[i];
        if (c->presence != WY_PRESENT || !c->place.entry) {
            for (size_t k = 0; k < c->nclaims; k++)
                c->claims[k].bytes = WY_BYTES_ABSENT;
            continue;
        }
        take_size(w, c);
        if (c->sized && (decide_by_size(c) || o->hash) && (o->hash || hashes_differ(c)))
            wy_vec_push(&wanted, c);
    }
    if (wanted.n)
        qsort(wanted.v, wanted.n, sizeof *wanted.v, by_size);
    uint64_t budget = o->hash ? UINT64_MAX : HASH_BUDGET;
    size_t n = 0;
    for (; n < wanted.n && wanted.v[n]->size <= budget; n++)
        budget -= wanted.v[n]->size;
    hash_all(w, wanted.v, n, o->threads);
    wy_vec_free(&wanted);
    set_writers(w);
}
