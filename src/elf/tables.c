/* Tables read block by block. Threads that look up in one object share its blocks: each is read by
 * whoever comes first, and a second reading of the same block is thrown away. */
#include "elf/tables.h"

#include "elf/parts.h"

#include <errno.h>

bool wy_elf_read_exactly(const struct wy_source *src, uint64_t offset, void *buf, size_t n,
                         int *error) {
    if (offset > src->size || n > src->size - offset)
        return false;
    unsigned char *p = buf;
    while (n) {
        int64_t got = src->read(src->ctx, offset, p, n);
        if (got < 0 && error)
            *error = got < -4095 ? EIO : (int)-got;
        if (got <= 0 || (uint64_t)got > n)
            return false;
        p += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

void wy_elf_table_init(struct wy_elf_table *e, struct wy_arena *a, uint64_t offset, uint64_t soft,
                       uint64_t size) {
    if (soft > size)
        soft = size;
    size_t before = (size_t)((soft + WY_TABLE_BLOCK - 1) / WY_TABLE_BLOCK);
    size_t beyond = (size_t)((size - soft + WY_TABLE_BLOCK - 1) / WY_TABLE_BLOCK);
    *e = (struct wy_elf_table){offset, size, soft, before + beyond, NULL};
    e->blocks = wy_arena_zero(a, (before + beyond) * sizeof *e->blocks);
}

void wy_elf_table_release(struct wy_elf_table *e) {
    for (size_t i = 0; i < e->nblocks; i++) {
        free(e->blocks[i]);
        e->blocks[i] = NULL;
    }
}

/* Where block number `*block`, which holds byte `at`, begins in the table and how long it is. The
 * last one before the soft end is short: what follows that end is seldom wanted. */
static uint64_t block_of(const struct wy_elf_table *e, uint64_t at, size_t *block, size_t *n) {
    bool beyond = at >= e->soft;
    uint64_t from = beyond ? e->soft : 0, end = beyond ? e->size : e->soft;
    uint64_t i = (at - from) / WY_TABLE_BLOCK, start = from + i * WY_TABLE_BLOCK;
    *block = (size_t)i + (beyond ? (size_t)((e->soft + WY_TABLE_BLOCK - 1) / WY_TABLE_BLOCK) : 0);
    *n = end - start < WY_TABLE_BLOCK ? (size_t)(end - start) : WY_TABLE_BLOCK;
    return start;
}

static unsigned char *load(const struct wy_symtab *t, const struct wy_elf_table *e, uint64_t start,
                           size_t block, size_t n) {
    unsigned char *known = __atomic_load_n(&e->blocks[block], __ATOMIC_ACQUIRE);
    if (known)
        return known;
    unsigned char *fresh = wy_alloc(n);
    int error = 0;
    if (!wy_elf_read_exactly(&t->src, e->offset + start, fresh, n, &error)) {
        free(fresh);
        __atomic_store_n(t->read_error, error ? error : EIO, __ATOMIC_RELAXED);
        return NULL;
    }
    if (__atomic_compare_exchange_n(&e->blocks[block], &known, fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    free(fresh);
    return known;
}

/* What one block holds from `at` on; empty past the end or when it cannot be read. */
static struct wy_str run(const struct wy_symtab *t, const struct wy_elf_table *e, uint64_t at) {
    if (at >= e->size)
        return (struct wy_str){NULL, 0};
    size_t block, n;
    uint64_t start = block_of(e, at, &block, &n);
    const unsigned char *p = load(t, e, start, block, n);
    if (!p)
        return (struct wy_str){NULL, 0};
    return (struct wy_str){(const char *)p + (at - start), n - (size_t)(at - start)};
}

const unsigned char *wy_elf_table_bytes(const struct wy_symtab *t, const struct wy_elf_table *e,
                                        uint64_t at, size_t n, unsigned char *buf) {
    struct wy_str s = run(t, e, at);
    if (s.n >= n)
        return (const unsigned char *)s.p;
    for (size_t done = 0; done < n;) {
        s = run(t, e, at + done);
        if (!s.n)
            return NULL;
        size_t part = s.n < n - done ? s.n : n - done;
        memcpy(buf + done, s.p, part);
        done += part;
    }
    return buf;
}

struct wy_str wy_elf_table_text(const struct wy_symtab *t, const struct wy_elf_table *e,
                                uint64_t at, struct wy_buf *scratch) {
    static const struct wy_str none = {NULL, 0};
    scratch->n = 0;
    for (;;) {
        struct wy_str s = run(t, e, at);
        if (!s.n || scratch->n > WY_ELF_MAX_STR)
            return none;
        const char *end = memchr(s.p, '\0', s.n);
        size_t n = end ? (size_t)(end - s.p) : s.n;
        if (scratch->n + n > WY_ELF_MAX_STR)
            return none;
        if (end && !scratch->n)
            return (struct wy_str){s.p, n};
        wy_buf_add(scratch, s.p, n);
        if (end)
            return (struct wy_str){scratch->p, scratch->n};
        at += n;
    }
}

bool wy_elf_table_text_is(const struct wy_symtab *t, const struct wy_elf_table *e, uint64_t at,
                          struct wy_str want) {
    for (;;) {
        struct wy_str s = run(t, e, at);
        if (!s.n)
            return false;
        if (s.n > want.n)
            return memcmp(s.p, want.p, want.n) == 0 && s.p[want.n] == '\0';
        if (memcmp(s.p, want.p, s.n) != 0)
            return false;
        at += s.n;
        want.p += s.n;
        want.n -= s.n;
    }
}
