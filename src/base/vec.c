#include "base/vec.h"

void *wy_vec_grow_(void *v, size_t *cap, size_t size) {
    *cap = *cap ? *cap * 2 : 8;
    return wy_realloc(v, *cap, size);
}

void *wy_vec_keep_(struct wy_arena *a, void *v, size_t bytes) {
    void *kept = NULL;
    if (bytes) {
        kept = wy_arena_alloc(a, bytes);
        memcpy(kept, v, bytes);
    }
    free(v);
    return kept;
}
