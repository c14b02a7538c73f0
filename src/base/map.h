/* Maps from text to a pointer. One thread at a time. */
#ifndef WY_BASE_MAP_H
#define WY_BASE_MAP_H

#include "base/mem.h"

uint64_t wy_hash(const void *bytes, size_t n); /* another in each process: see map.c */
/* The same with the process's secret at hand: to get it, the kernel's list is looked through. */
void wy_hash_secret(uint64_t ret[2]);
uint64_t wy_hash_with(const uint64_t secret[2], const void *bytes, size_t n);

struct wy_map_slot {
    struct wy_str key; /* borrowed from the caller; p == NULL means free */
    uint64_t hash;
    void *value;
};
struct wy_map {
    struct wy_map_slot *slots; /* power of two, open addressing */
    size_t n, cap;
    uint64_t secret[2];
};

void wy_map_deinit(struct wy_map *m);
/* The value, or NULL. */
void *wy_map_get(const struct wy_map *m, struct wy_str key);
/* The place of the value for `key`, made (NULL) when absent. The key's bytes must outlive the map.
 * Valid until the next call that adds. */
void **wy_map_at(struct wy_map *m, struct wy_str key);

#endif
