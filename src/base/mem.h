/* Memory has two shapes: an arena that lives as long as a world, or this scope.
 *
 * Allocation never returns NULL: when memory is out, whyso says so in one line on stderr and ends
 * with status 2 (docs/decisions/0002-out-of-memory.md). So no caller checks. */
#ifndef WY_BASE_MEM_H
#define WY_BASE_MEM_H

#include "base/str.h"

#include <stdlib.h>

void *wy_alloc(size_t bytes);                           /* uninitialised */
void *wy_alloc0(size_t count, size_t size);             /* zeroed; the product may not overflow */
void *wy_realloc(void *old, size_t count, size_t size); /* contents kept */

/* free(*p) at the end of the scope: `wy_auto_free char *line = NULL;` */
static inline void wy_free_slot(void *slot) {
    void *p;
    memcpy(&p, slot, sizeof p);
    free(p);
}
#define wy_auto_free __attribute__((cleanup(wy_free_slot)))

struct wy_arena_block;
struct wy_arena {
    struct wy_arena_block *blocks; /* newest first */
    size_t next_size;              /* bytes of the next block */
};
#define WY_ARENA_INIT ((struct wy_arena){NULL, 0})

/* One thread at a time. Everything taken from it ends with wy_arena_deinit. */
void wy_arena_deinit(struct wy_arena *a);
/* Everything taken from it ends; the newest block stays for what comes next. */
void wy_arena_clear(struct wy_arena *a);
/* Moves all blocks of `from` into `into`; `from` is empty afterwards. */
void wy_arena_adopt(struct wy_arena *into, struct wy_arena *from);
void *wy_arena_alloc(struct wy_arena *a, size_t bytes);  /* 8-byte aligned, uninitialised */
void *wy_arena_zero(struct wy_arena *a, size_t bytes);   /* zeroed */
char *wy_arena_str(struct wy_arena *a, struct wy_str s); /* copied, NUL-terminated */
char *wy_arena_cstr(struct wy_arena *a, const char *s);  /* NULL gives NULL */
char *wy_arena_printf(struct wy_arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define WY_NEW(arena, type) ((type *)wy_arena_zero((arena), sizeof(type)))

#endif
