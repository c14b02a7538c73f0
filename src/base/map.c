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
void wy_hash_secret(uint64_t secret[2]) {
    memcpy(secret, (const void *)getauxval(AT_RANDOM), 2 * sizeof *secret);
}

/* The last eight bytes, or all when there are fewer; some may have been taken before. */
static uint64_t last_word(const char *p, size_t n) {
    if (n >= 8)
        return wy_load64(p + n - 8);
    if (n >= 4)
        return (uint64_t)wy_load32(p) << 32 | wy_load32(p + n - 4);
    return n ? (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 |
                   (unsigned char)p[n - 1]
             : 0;
}

uint64_t wy_hash_with(const uint64_t secret[2], const void *bytes, size_t n) {
    const char *p = bytes;
    uint64_t h = secret[0] ^ n, factor = secret[1] | 1;
    for (size_t i = 0; n - i > 8; i += 8)
        h = fold(h ^ wy_load64(p + i), factor);
    return fold(h ^ last_word(p, n), factor ^ 0x9e3779b97f4a7c14u);
}

uint64_t wy_hash(const void *bytes, size_t n) {
    uint64_t secret[2];
    wy_hash_secret(secret);
    return wy_hash_with(secret, bytes, n);
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
        wy_hash_secret(m->secret);
    m->slots = wy_alloc0(m->cap, sizeof *m->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].key.p)
            *find(m, old.slots[i].key, old.slots[i].hash) = old.slots[i];
    free(old.slots);
}

void *wy_map_get(const struct wy_map *m, struct wy_str key) {
    if (!m->n)
        return NULL;
    struct wy_map_slot *s = find(m, key, wy_hash_with(m->secret, key.p, key.n));
    return s->key.p ? s->value : NULL;
}

void **wy_map_at(struct wy_map *m, struct wy_str key) {
    if (!key.p)
        key.p = "";
    if (m->n * 4 >= m->cap * 3)
        grow(m);
    uint64_t hash = wy_hash_with(m->secret, key.p, key.n);
    struct wy_map_slot *s = find(m, key, hash);
    if (!s->key.p) {
        *s = (struct wy_map_slot){key, hash, NULL};
        m->n++;
    }
    return &s->value;
}
