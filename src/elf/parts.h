/* The steps of wy_elf_read, one file each. Private to `elf`. */
#ifndef WY_ELF_PARTS_H
#define WY_ELF_PARTS_H

#include "elf/reader.h"

/* Limits on work per file. Hostile files may let chains overlap, so lengths are counted, not
 * trusted. */
enum {
    WY_ELF_MAX_NEEDED = 4096,
    WY_ELF_MAX_DYNAMIC = 65536,       /* entries before DT_NULL */
    WY_ELF_MAX_VERSIONS = 32768,      /* an index in .gnu.version has 15 bits */
    WY_ELF_MAX_NOTES = 4096,          /* of all PT_NOTE together */
    WY_ELF_MAX_STR = 65536,           /* bytes of one string */
    WY_ELF_MAX_STRINGS = 1024 * 1024, /* bytes of all strings of a file */
    WY_ELF_MAX_CHAIN = 65536,         /* symbols looked at in one hash chain */
};

struct wy_elf_segment { /* a part of the file a program header names */
    uint64_t offset, vaddr, filesz, align;
};

/* What one call of wy_elf_read works on. */
struct wy_elf_job {
    struct wy_reader r;
    struct wy_arena *a;
    struct wy_elf *elf;
    size_t strings; /* bytes of strings read so far */
};

/* Sets elf->problem if it is still NULL: the first one counts. */
void wy_elf_problem(struct wy_elf_job *j, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text at `offset` of DT_STRTAB; NULL with the problem set when it cannot be read. `what` names the
 * user of the text. */
const char *wy_elf_string(struct wy_elf_job *j, uint64_t offset, const char *what);

void wy_elf_read_dynamic(struct wy_elf_job *j, const struct wy_elf_segment *dynamic);
void wy_elf_read_verneed(struct wy_elf_job *j);
void wy_elf_read_verdef(struct wy_elf_job *j);
/* Adds what one PT_NOTE or PT_GNU_PROPERTY says; *notes counts those looked at in this file. */
void wy_elf_read_notes(struct wy_elf_job *j, const struct wy_elf_segment *s, unsigned *notes);

/* What the JSON text of one .note.dlopen says. */
void wy_elf_take_dlopen(struct wy_elf_job *job, struct wy_str text);

/* The hashes of DT_GNU_HASH and DT_HASH (and of versions). */
uint32_t wy_elf_gnu_hash(struct wy_str s);
uint32_t wy_elf_sysv_hash(struct wy_str s);

/* What the first bytes of a file without ELF magic look like. */
enum wy_elf_looks wy_elf_looks_like(struct wy_str head);

#endif
