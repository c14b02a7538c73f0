#include "base/map.h"

#include <sys/auxv.h>

__extension__ typedef unsigned __int128 product;

/* Both halves of a 128-bit product: every bit of either factor reaches every bit of the result. */
static uint64_t fold(uint64_t a, uint64_t b) {
    product p = (product)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* Keys come from files. With a fixed function, a RECORD could list two million paths of one hash,
 * and each look-up would walk them all: so two words of the 16 random bytes that the kernel gives
 * each process (AT_RANDOM, getauxval(3)) take part. No order of output depends on a hash. */
static void take_secret(uint64_t secret[2]) {
    memcpy(secret, (const void *)getauxval(AT_RANDOM), 2 * sizeof *secret);
}

static uint64_t hash_with(const uint64_t secret[2], const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    uint64_t h = secret[0] ^ n, factor = secret[1] | 1;
    while (n >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = fold(h ^ word, factor);
        p += 8;
        n -= 8;
    }
    uint64_t tail = 0;
    if (n)
        memcpy(&tail, p, n);
    return fold(h ^ tail, factor ^ 0x9e3779b97f4a7c14u);
}

uint64_t wy_hash(const void *bytes, size_t n) {
    uint64_t secret[2];
    take_secret(secret);
    return hash_with(secret, bytes, n);
}

void wy_map_deinit(struct wy_map *m) {
    free(m->slots);
    *m = (struct wy_map){0};
}

static struct wy_map_slot *find(const struct wy_map *m, struct wy_str key, uint64_t hash) {
    size_t mask = m->cap - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct wy_map_slot *s = &m->slots[i];
        if (!s->key.p || (s->hash == hash && wy_str_eq(s->key, key)))
            return s;
    }
}

static void grow(struct wy_map *m) {
    struct wy_map old = *m;
    m->cap = old.cap ? old.cap * 2 : 16;
    if (!old.cap)
        take_secret(m->secret);
    m->slots = wy_alloc0(m->cap, sizeof *m->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].key.p)
            *find(m, old.slots[i].key, old.slots[i].hash) = old.slots[i];
    free(old.slots);
}

void *wy_map_get(const struct wy_map *m, struct wy_str key) {
    if (!m->n)
        return NULL;
    struct wy_map_slot *s = find(m, key, hash_with(m->secret, key.p, key.n));
    return s->key.p ? s->value : NULL;
}

void **wy_map_at(struct wy_map *m, struct wy_str key) {
    if (!key.p)
        key.p = "";
    if (m->n * 4 >= m->cap * 3)
        grow(m);
    uint64_t hash = hash_with(m->secret, key.p, key.n);
    struct wy_map_slot *s = find(m, key, hash);
    if (!s->key.p) {
        *s = (struct wy_map_slot){key, hash, NULL};
        m->n++;
    }
    return &s->value;
}

void wy_intern_deinit(struct wy_intern *t) {
    wy_map_deinit(&t->map);
    wy_arena_deinit(&t->arena);
}

const char *wy_interned(const struct wy_intern *t, struct wy_str s) {
    return wy_map_get(&t->map, s);
}

const char *wy_intern(struct wy_intern *t, struct wy_str s) {
    const char *known = wy_interned(t, s);
    if (known)
        return known;
    char *copy = wy_arena_str(&t->arena, s);
    *wy_map_at(&t->map, (struct wy_str){copy, s.n}) = copy;
    return copy;
}
