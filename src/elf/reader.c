#include "elf/reader.h"

#include "base/buf.h"

#include <errno.h>

void wy_reader_init(struct wy_reader *r, const struct wy_source *src) {
    r->src = src;
    r->is64 = r->big_endian = false;
    r->error = 0;
    r->clock = 0;
    for (size_t i = 0; i < WY_BLOCKS; i++) {
        r->blocks[i].n = 0;
        r->blocks[i].used = 0;
    }
}

static struct wy_block *oldest(struct wy_reader *r) {
    struct wy_block *b = r->blocks;
    for (size_t i = 1; i < WY_BLOCKS; i++)
        if (r->blocks[i].used < b->used)
            b = &r->blocks[i];
    return b;
}

/* Aligned to its size, so that neighbours share it, unless the wanted range crosses its edge. */
static struct wy_block *load(struct wy_reader *r, uint64_t offset, size_t n) {
    uint64_t start = offset & ~(uint64_t)(WY_BLOCK_BYTES - 1);
    if (offset - start + n > WY_BLOCK_BYTES)
        start = offset;
    uint64_t left = r->src->size - start;
    size_t want = left < WY_BLOCK_BYTES ? (size_t)left : WY_BLOCK_BYTES;
    struct wy_block *b = oldest(r);
    b->n = 0;
    int64_t got = r->src->read(r->src->ctx, start, b->bytes, want);
    if (got < 0) {
        if (!r->error)
            r->error = got < -4095 ? EIO : (int)-got;
        return NULL;
    }
    b->offset = start;
    b->n = (uint64_t)got < want ? (size_t)got : want;
    return b;
}

static bool holds(const struct wy_block *b, uint64_t offset, size_t n) {
    return b->n && offset >= b->offset && offset - b->offset <= b->n &&
           n <= b->n - (offset - b->offset);
}

const unsigned char *wy_reader_bytes(struct wy_reader *r, uint64_t offset, size_t n) {
    if (offset > r->src->size || n > r->src->size - offset || n > WY_BLOCK_BYTES || n == 0)
        return NULL;
    struct wy_block *b = NULL;
    for (size_t i = 0; i < WY_BLOCKS && !b; i++)
        if (holds(&r->blocks[i], offset, n))
            b = &r->blocks[i];
    if (!b)
        b = load(r, offset, n);
    if (!b || !holds(b, offset, n))
        return NULL;
    b->used = ++r->clock;
    return b->bytes + (offset - b->offset);
}

void wy_reader_prefetch(struct wy_reader *r, uint64_t offset, uint64_t n) {
    if (offset >= r->src->size)
        return;
    if (n > r->src->size - offset)
        n = r->src->size - offset;
    wy_reader_bytes(r, offset, n < WY_BLOCK_BYTES ? (size_t)n : WY_BLOCK_BYTES);
}

static uint64_t number(const struct wy_reader *r, const unsigned char *p, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v = v << 8 | p[r->big_endian ? i : n - 1 - i];
    return v;
}

uint16_t wy_reader_get16(const struct wy_reader *r, const unsigned char *p) {
    return (uint16_t)number(r, p, 2);
}

uint32_t wy_reader_get32(const struct wy_reader *r, const unsigned char *p) {
    return (uint32_t)number(r, p, 4);
}

uint64_t wy_reader_get64(const struct wy_reader *r, const unsigned char *p) {
    return number(r, p, 8);
}

uint64_t wy_reader_get_word(const struct wy_reader *r, const unsigned char *p) {
    return number(r, p, wy_reader_word_size(r));
}

bool wy_reader_u32(struct wy_reader *r, uint64_t offset, uint32_t *ret) {
    const unsigned char *p = wy_reader_bytes(r, offset, 4);
    *ret = p ? wy_reader_get32(r, p) : 0;
    return p != NULL;
}

bool wy_reader_word(struct wy_reader *r, uint64_t offset, uint64_t *ret) {
    const unsigned char *p = wy_reader_bytes(r, offset, wy_reader_word_size(r));
    *ret = p ? wy_reader_get_word(r, p) : 0;
    return p != NULL;
}

/* What one block holds from `offset` on, at most `room` bytes; empty at the end of the file. */
static struct wy_str run(struct wy_reader *r, uint64_t offset, uint64_t room) {
    const unsigned char *p = room ? wy_reader_bytes(r, offset, 1) : NULL;
    if (!p)
        return (struct wy_str){NULL, 0};
    size_t n = 0;
    for (size_t i = 0; i < WY_BLOCKS; i++) {
        const struct wy_block *b = &r->blocks[i];
        if (b->n && p >= b->bytes && p < b->bytes + b->n)
            n = (size_t)(b->bytes + b->n - p);
    }
    return (struct wy_str){(const char *)p, room < n ? (size_t)room : n};
}

const char *wy_reader_str(struct wy_reader *r, struct wy_arena *a, uint64_t offset, uint64_t room,
                          size_t *length) {
    wy_auto_buf text = {0};
    for (;;) {
        struct wy_str s = run(r, offset, room);
        if (!s.n)
            return NULL;
        const char *end = memchr(s.p, '\0', s.n);
        size_t n = end ? (size_t)(end - s.p) : s.n;
        if (end && !text.n) {
            *length = n;
            return wy_arena_str(a, (struct wy_str){s.p, n});
        }
        wy_buf_add(&text, s.p, n);
        if (end) {
            *length = text.n;
            return wy_arena_str(a, (struct wy_str){text.p, text.n});
        }
        offset += n;
        room -= n;
    }
}

bool wy_reader_str_is(struct wy_reader *r, uint64_t offset, uint64_t room, struct wy_str want) {
    if (want.n >= room)
        return false;
    size_t left = want.n + 1; /* with the NUL */
    const char *w = want.p;
    while (left) {
        struct wy_str s = run(r, offset, left);
        if (!s.n)
            return false;
        size_t text = s.n < left ? s.n : left - 1;
        if (memcmp(s.p, w, text) != 0 || (s.n == left && s.p[text] != '\0'))
            return false;
        w += text;
        offset += s.n;
        left -= s.n;
    }
    return true;
}
