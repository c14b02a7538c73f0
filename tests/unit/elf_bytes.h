/* Small ELF files made in memory, for tests: any class and byte order, one PT_LOAD over all of the
 * file, addresses = offsets + ELF_BASE. */
#ifndef WY_TEST_ELF_BYTES_H
#define WY_TEST_ELF_BYTES_H

#include "base/str.h"

enum { ELF_MOST = 8, ELF_BASE = 0x400000 };
/* Kinds of hash table. */
enum { ELF_GNU_HASH = 1, ELF_SYSV_HASH = 2 };

struct elf_spec {
    bool is64, big_endian;
    uint16_t type, machine; /* 0: ET_DYN, EM_X86_64 */
    const char *interp;     /* lists below end at the first NULL */
    const char *needed[ELF_MOST];
    const char *soname, *rpath, *runpath, *auxiliary, *filter;
    uint64_t flags, flags_1;
    struct {
        const char *file, *version; /* one record per entry, even for equal files */
        uint16_t flags;
    } verneed[ELF_MOST];
    const char *verdef[ELF_MOST];
    const char *symbols[ELF_MOST]; /* exported functions */
    /* undefined functions; in .dynsym they come before the exported ones */
    const char *undefined[ELF_MOST];
    unsigned weak; /* bit i: undefined[i] is weak */
    /* .gnu.version from symbol 1 on; there is none when all are 0 */
    uint16_t versym[2 * ELF_MOST];
    struct {
        enum { ELF_NO_RELOC, ELF_REL, ELF_RELA, ELF_JMPREL } table;
        uint32_t symbol, type;
    } relocs[2 * ELF_MOST]; /* DT_JMPREL is like DT_REL on i386, else like DT_RELA */
    uint64_t relacount;
    unsigned hashes;
    struct wy_str constants; /* bytes put somewhere into the segment */
    const char *opens;       /* JSON of a .note.dlopen, behind those of `notes` */
    bool notes;              /* ABI tag 0 3.2.0, build id 0102…08, ISA needed v1|v2 */
    bool no_dynamic;
};
struct elf_bytes {
    unsigned char b[16384];
    size_t n;
    bool is64, big_endian;
    /* offsets of what tests damage */
    size_t phdrs, nphdrs, dynamic, dynamic_n, strtab, strtab_n, verneed, verdef, sysv_hash,
        gnu_hash, symtab, versym, rel, rela, jmprel, relocs_end;
};

void elf_build(const struct elf_spec *spec, struct elf_bytes *ret);
/* Writes a number of 2, 4 or 8 bytes over the file. */
void elf_poke(struct elf_bytes *e, size_t at, uint64_t value, unsigned bytes);
/* Offset of the value of the first dynamic entry with that tag; fails the test without one. */
size_t elf_dynamic_value(const struct elf_bytes *e, uint64_t tag);
static inline unsigned elf_word(const struct elf_bytes *e) {
    return e->is64 ? 8 : 4;
}
static inline struct wy_str elf_text(const struct elf_bytes *e) {
    return (struct wy_str){(const char *)e->b, e->n};
}

#endif
