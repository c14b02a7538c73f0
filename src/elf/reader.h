/* The only way into an ELF file's bytes: bounds-checked reads through a few cached blocks, with
 * class and byte order hidden. Private to `elf`. */
#ifndef WY_ELF_READER_H
#define WY_ELF_READER_H

#include "elf/elf.h"

/* One block is one read call. Facts lie in four or five places of a file (header, dynamic section,
 * two spots of the string table, version tables), so this many blocks read each place once. */
enum { WY_BLOCK_BYTES = 4096, WY_BLOCKS = 5 };

struct wy_block {
    uint64_t offset;
    size_t n; /* bytes that are valid; 0: block unused */
    uint32_t used;
    unsigned char bytes[WY_BLOCK_BYTES];
};

struct wy_reader {
    const struct wy_source *src;
    bool is64, big_endian; /* of the numbers read from now on */
    int error;             /* errno of the first read that failed, 0 while none did */
    uint32_t clock;
    struct wy_block blocks[WY_BLOCKS];
};

void wy_reader_init(struct wy_reader *r, const struct wy_source *src);

/* `n` (at most WY_BLOCK_BYTES) bytes at `offset`; NULL when they are not all inside the file or
 * cannot be read. Borrowed until the next call on this reader. */
const unsigned char *wy_reader_bytes(struct wy_reader *r, uint64_t offset, size_t n);
/* Reads up to one block from `offset` on in one call, so that what follows costs nothing. */
void wy_reader_prefetch(struct wy_reader *r, uint64_t offset, uint64_t n);

/* One number at `offset`; false as for wy_reader_bytes. A word has 8 bytes in the 64-bit class,
 * else 4. */
bool wy_reader_u32(struct wy_reader *r, uint64_t offset, uint32_t *ret);
bool wy_reader_word(struct wy_reader *r, uint64_t offset, uint64_t *ret);

/* Numbers in bytes already at hand. */
uint16_t wy_reader_get16(const struct wy_reader *r, const unsigned char *p);
uint32_t wy_reader_get32(const struct wy_reader *r, const unsigned char *p);
uint64_t wy_reader_get64(const struct wy_reader *r, const unsigned char *p);
uint64_t wy_reader_get_word(const struct wy_reader *r, const unsigned char *p);
static inline unsigned wy_reader_word_size(const struct wy_reader *r) {
    return r->is64 ? 8 : 4;
}

/* The NUL-terminated text at `offset`, copied into `a`; NULL when it does not end within `room`
 * bytes or cannot be read. *length gets its bytes without the NUL. */
const char *wy_reader_str(struct wy_reader *r, struct wy_arena *a, uint64_t offset, uint64_t room,
                          size_t *length);
/* Whether the text at `offset`, within `room` bytes, is `want`. */
bool wy_reader_str_is(struct wy_reader *r, uint64_t offset, uint64_t room, struct wy_str want);

#endif
