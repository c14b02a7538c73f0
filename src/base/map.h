/* Maps from text to a pointer, and interned strings. One thread at a time. */
#ifndef WY_BASE_MAP_H
#define WY_BASE_MAP_H

#include "base/mem.h"

uint64_t wy_hash(const void *bytes, size_t n); /* another in each process: see map.c */

struct wy_map_slot {
    struct wy_str key; /* borrowed from the caller; p == NULL means free */
    uint64_t hash;
    void *value;
};
struct wy_map {
    struct wy_map_slot *slots; /* power of two, open addressing */
    size_t n, cap;
    uint64_t secret[2]; /* of the process, kept here: the kernel's list is long to look through */
};

void wy_map_deinit(struct wy_map *m);
/* The value, or NULL. */
void *wy_map_get(const struct wy_map *m, struct wy_str key);
/* The place of the value for `key`, made (NULL) when absent. The key's bytes must outlive the map.
 * Valid until the next call that adds. */
void **wy_map_at(struct wy_map *m, struct wy_str key);

/* One copy per text: equal texts give equal pointers. */
struct wy_intern {
    struct wy_map map;
    struct wy_arena arena;
};
void wy_intern_deinit(struct wy_intern *t);
const char *wy_intern(struct wy_intern *t, struct wy_str s);
/* The interned text if it is known, else NULL (then nothing equals it). */
const char *wy_interned(const struct wy_intern *t, struct wy_str s);

#endif
