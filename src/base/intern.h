/* One copy per text: equal texts give equal pointers. */
#ifndef WY_BASE_INTERN_H
#define WY_BASE_INTERN_H

#include "base/mem.h"

/* What several tables, each of one thread, have in common: a text that two of them hold is one
 * pointer. NULL: a table for itself. */
struct wy_common;
struct wy_common *wy_common_create(void);
void wy_common_destroy(struct wy_common *c); /* after its tables */

struct wy_intern_slot {
    const char *text; /* NULL: free */
    uint32_t n, hash;
};
/* One thread at a time; zeroed, or with `common` set, it is ready. */
struct wy_intern {
    struct wy_intern_slot *slots; /* power of two, open addressing */
    size_t n, cap;
    uint64_t secret[2]; /* see wy_hash_with */
    struct wy_arena arena;
    struct wy_common *common;
};
void wy_intern_deinit(struct wy_intern *t); /* texts of a common table stay as long as that */
/* At most 4 GiB long. */
const char *wy_intern(struct wy_intern *t, struct wy_str s);
/* The interned text if it is known, else NULL (then nothing equals it). */
const char *wy_interned(struct wy_intern *t, struct wy_str s);

#endif
