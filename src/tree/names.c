/* Names collected while a directory is listed. */
#include "tree/private.h"

static uint64_t sort_key(const char *name, size_t n) {
    unsigned char first[8] = {0};
    memcpy(first, name, n < 8 ? n : 8);
    uint64_t key = 0;
    for (size_t i = 0; i < 8; i++)
        key = key << 8 | first[i];
    return key;
}

void wy_names_add(struct wy_names *names, const char *name, size_t n, enum wy_ftype type) {
    if (names->cap - names->used < n + 1) {
        size_t cap = names->cap ? names->cap * 2 : 16384;
        while (cap - names->used < n + 1)
            cap *= 2;
        names->bytes = wy_realloc(names->bytes, cap, 1);
        names->cap = cap;
    }
    wy_vec_push(&names->names, ((struct wy_name){.key = sort_key(name, n),
                                                 .at = names->used,
                                                 .n = (uint32_t)n,
                                                 .hash = (uint32_t)wy_hash(name, n),
                                                 .type = (uint8_t)type}));
    memcpy(names->bytes + names->used, name, n);
    names->bytes[names->used + n] = '\0';
    names->used += n + 1;
}

void wy_names_deinit(struct wy_names *names) {
    wy_vec_free(&names->names);
    free(names->bytes);
    *names = (struct wy_names){0};
}
