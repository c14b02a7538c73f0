/* Tables read block by block, and what relocation types mean. Private to `elf`. */
#ifndef WY_ELF_TABLES_H
#define WY_ELF_TABLES_H

#include "base/buf.h"
#include "elf/symbols.h"

enum {
    /* A multiple of both sizes of a symbol (24 and 16 bytes), so that none crosses a block's edge
     * except at the soft end. */
    WY_TABLE_BLOCK = 48 * 1024,
    WY_ELF_MAX_SYMBOLS = 4 * 1024 * 1024,      /* the largest known library has 140,000 */
    WY_ELF_MAX_RUN = 4096,                     /* symbols looked at in one chain of a hash table */
    WY_ELF_MAX_RELOCATIONS = 32 * 1024 * 1024, /* per object, relative ones counted off */
    WY_ELF_MAX_REF_NAMES = 64 * 1024 * 1024,   /* bytes of the names of one object's references */
    WY_ELF_MAX_EACH = 256 * 1024 * 1024,       /* bytes of names in one wy_symtab_each */
};

void wy_elf_table_init(struct wy_elf_table *e, struct wy_arena *a, uint64_t offset, uint64_t soft,
                       uint64_t size);
void wy_elf_table_release(struct wy_elf_table *e);
/* `n` bytes at `at` of the table: borrowed from a block, or gathered in `buf` (of n bytes) when
 * they cross an edge. NULL when they are not there. */
const unsigned char *wy_elf_table_bytes(const struct wy_symtab *t, const struct wy_elf_table *e,
                                        uint64_t at, size_t n, unsigned char *buf);
/* The text at `at`, at most WY_ELF_MAX_STR bytes long: borrowed from a block, or gathered in
 * `scratch`; followed by its NUL. p is NULL when it does not end. */
struct wy_str wy_elf_table_text(const struct wy_symtab *t, const struct wy_elf_table *e,
                                uint64_t at, struct wy_buf *scratch);
/* Whether the text at `at` is `want`. */
bool wy_elf_table_text_is(const struct wy_symtab *t, const struct wy_elf_table *e, uint64_t at,
                          struct wy_str want);

/* Numbers of the object's byte order. */
static inline bool wy_symtab_swapped(const struct wy_symtab *t) {
    return t->elf->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}
static inline uint16_t wy_symtab_get16(const struct wy_symtab *t, const unsigned char *p) {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return wy_symtab_swapped(t) ? __builtin_bswap16(v) : v;
}
static inline uint32_t wy_symtab_get32(const struct wy_symtab *t, const unsigned char *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return wy_symtab_swapped(t) ? __builtin_bswap32(v) : v;
}
static inline uint64_t wy_symtab_get64(const struct wy_symtab *t, const unsigned char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return wy_symtab_swapped(t) ? __builtin_bswap64(v) : v;
}
static inline uint64_t wy_symtab_word(const struct wy_symtab *t, const unsigned char *p) {
    return t->elf->is64 ? wy_symtab_get64(t, p) : wy_symtab_get32(t, p);
}

/* All of `n` bytes at a place of the file; false when they are not there. *error, if not NULL, gets
 * the errno of a read that failed. */
bool wy_elf_read_exactly(const struct wy_source *src, uint64_t offset, void *buf, size_t n,
                         int *error);

/* What a relocation type does: bits of enum wy_use, and these. */
enum wy_elf_reloc_kind {
    WY_RELOC_SKIP = 1 << 9,       /* NONE and RELATIVE: no symbol is looked up */
    WY_RELOC_IRELATIVE = 1 << 10, /* a resolver of the object itself is called */
    WY_RELOC_SLOT = 1 << 11,      /* JUMP_SLOT */
    WY_RELOC_UNKNOWN = 1 << 12,   /* glibc refuses the object */
    WY_RELOC_NOT_MUSL = 1 << 13,  /* musl does */
};
struct wy_elf_reloc_types;
/* NULL for a machine this table does not know: no type is judged. */
const struct wy_elf_reloc_types *wy_elf_reloc_types(uint16_t machine, bool is64);
unsigned wy_elf_reloc_kind(const struct wy_elf_reloc_types *types, uint32_t type);
/* Whether glibc reads DT_REL on that machine; else DT_JMPREL is DT_RELA's, whatever DT_PLTREL. */
bool wy_elf_reloc_has_rel(const struct wy_elf_reloc_types *types);

#endif
