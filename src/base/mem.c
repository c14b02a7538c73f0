#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct wy_arena_block {
    struct wy_arena_block *older;
    size_t used, size; /* bytes of `data` */
    _Alignas(8) char data[];
};

enum { FIRST_BLOCK = 4096, HUGE_PAGE = 1 << 21, ALIGNMENT = 8 };

static _Noreturn void out_of_memory(void) {
    static const char text[] = "whyso: out of memory\n";
    ssize_t ignored = write(2, text, sizeof text - 1);
    (void)ignored;
    _exit(2);
}

static size_t product(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory();
    return bytes ? bytes : 1;
}

void *wy_alloc(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *wy_alloc0(size_t count, size_t size) {
    product(count, size);
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *wy_realloc(void *old, size_t count, size_t size) {
    void *p = realloc(old, product(count, size));
    if (!p)
        out_of_memory();
    return p;
}

/* A block of 2 MiB is one page where the kernel has such pages (madvise(2)): else 512 of them are
 * taken one by one, which is a good part of reading a large file. */
static void *block_memory(size_t bytes) {
    if (bytes != HUGE_PAGE)
        return wy_alloc(bytes);
    void *p = aligned_alloc(HUGE_PAGE, HUGE_PAGE);
    if (!p)
        out_of_memory();
    madvise(p, HUGE_PAGE, MADV_HUGEPAGE);
    return p;
}

static struct wy_arena_block *new_block(struct wy_arena *a, size_t bytes) {
    size_t size = a->next_size ? a->next_size : FIRST_BLOCK;
    if (size < bytes)
        size = bytes;
    a->next_size = size < HUGE_PAGE / 4 ? size * 2 : HUGE_PAGE - sizeof(struct wy_arena_block);
    if (size > SIZE_MAX - HUGE_PAGE)
        out_of_memory();
    struct wy_arena_block *b = block_memory(sizeof *b + size);
    b->used = 0;
    b->size = size;
    return b;
}

void *wy_arena_alloc(struct wy_arena *a, size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        out_of_memory();
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct wy_arena_block *b = a->blocks;
    if (!b || b->size - b->used < bytes) {
        b = new_block(a, bytes);
        b->older = a->blocks;
        a->blocks = b;
    }
    void *p = b->data + b->used;
    b->used += bytes;
    return p;
}

void *wy_arena_zero(struct wy_arena *a, size_t bytes) {
    void *p = wy_arena_alloc(a, bytes);
    memset(p, 0, bytes);
    return p;
}

char *wy_arena_str(struct wy_arena *a, struct wy_str s) {
    char *p = wy_arena_alloc(a, s.n + 1);
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return p;
}

char *wy_arena_cstr(struct wy_arena *a, const char *s) {
    return s ? wy_arena_str(a, wy_str_of(s)) : NULL;
}

char *wy_arena_printf(struct wy_arena *a, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *p = wy_arena_alloc(a, n < 0 ? 1 : (size_t)n + 1);
    p[0] = '\0';
    if (n > 0)
        vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return p;
}

void wy_arena_adopt(struct wy_arena *into, struct wy_arena *from) {
    struct wy_arena_block **tail = &into->blocks;
    while (*tail)
        tail = &(*tail)->older;
    *tail = from->blocks;
    from->blocks = NULL;
}

static void free_blocks(struct wy_arena_block *b) {
    for (struct wy_arena_block *older; b; b = older) {
        older = b->older;
        free(b);
    }
}

void wy_arena_clear(struct wy_arena *a) {
    if (!a->blocks)
        return;
    free_blocks(a->blocks->older);
    a->blocks->older = NULL;
    a->blocks->used = 0;
}

void wy_arena_deinit(struct wy_arena *a) {
    free_blocks(a->blocks);
    *a = WY_ARENA_INIT;
}
