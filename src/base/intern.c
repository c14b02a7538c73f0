#include "base/intern.h"
#include "base/map.h"

#include <pthread.h>

struct wy_common {
    pthread_mutex_t lock;
    struct wy_intern texts;
};

struct wy_common *wy_common_create(void) {
    struct wy_common *c = wy_alloc0(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void wy_common_destroy(struct wy_common *c) {
    if (!c)
        return;
    wy_intern_deinit(&c->texts);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

void wy_intern_deinit(struct wy_intern *t) {
    free(t->slots);
    wy_arena_deinit(&t->arena);
    *t = (struct wy_intern){0};
}

static struct wy_intern_slot *find(const struct wy_intern *t, struct wy_str s, uint32_t hash) {
    size_t mask = t->cap - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct wy_intern_slot *slot = &t->slots[i];
        if (!slot->text ||
            (slot->hash == hash && slot->n == s.n && wy_bytes_eq(slot->text, s.p, s.n)))
            return slot;
    }
}

static void grow(struct wy_intern *t) {
    struct wy_intern old = *t;
    t->cap = old.cap ? old.cap * 2 : 64;
    if (!old.cap)
        wy_hash_secret(t->secret);
    t->slots = wy_alloc0(t->cap, sizeof *t->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].text)
            *find(t, (struct wy_str){old.slots[i].text, old.slots[i].n}, old.slots[i].hash) =
                old.slots[i];
    free(old.slots);
}

static const char *look_up(struct wy_intern *t, struct wy_str s, bool make) {
    if (!s.p)
        s = WY_STR("");
    if (t->n * 4 >= t->cap * 3)
        grow(t);
    uint32_t hash = (uint32_t)wy_hash_with(t->secret, s.p, s.n);
    struct wy_intern_slot *slot = find(t, s, hash);
    if (slot->text)
        return slot->text;
    const char *text = NULL;
    if (t->common) {
        pthread_mutex_lock(&t->common->lock);
        text = look_up(&t->common->texts, s, make);
        pthread_mutex_unlock(&t->common->lock);
    } else if (make) {
        text = wy_arena_str(&t->arena, s);
    }
    if (!text)
        return NULL;
    *slot = (struct wy_intern_slot){text, (uint32_t)s.n, hash};
    t->n++;
    return text;
}

const char *wy_intern(struct wy_intern *t, struct wy_str s) {
    return look_up(t, s, true);
}

const char *wy_interned(struct wy_intern *t, struct wy_str s) {
    return look_up(t, s, false);
}
