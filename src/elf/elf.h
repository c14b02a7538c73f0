/* Bytes of an ELF file → facts. Knows no file names and has no policy: what a loader would do with
 * a file is decided in `ld`, from these facts.
 *
 * All reads go through one bounds-checked reader (reader.h) that hides class and byte order;
 * nothing is cast onto file data. A damaged file never fails the call: `problem` says what is
 * wrong, and the facts read before it stay. */
#ifndef WY_ELF_ELF_H
#define WY_ELF_ELF_H

#include "base/mem.h"

/* Where the bytes come from. `read` returns the number of bytes (fewer than `n` only at the end) or
 * -errno. */
struct wy_source {
    int64_t (*read)(void *ctx, uint64_t offset, void *buf, size_t n);
    void *ctx;
    uint64_t size; /* bytes */
};

/* How far the file can be read, in the order in which it is looked at. */
enum wy_elf_kind {
    WY_ELF_UNREADABLE, /* a read failed: `read_error` is the errno */
    WY_ELF_EMPTY,      /* 0 bytes */
    WY_ELF_SHORT, /* shorter than an ELF header of its class (52 or 64 bytes; 64 when unknown) */
    WY_ELF_NOT,   /* no ELF magic */
    WY_ELF_BAD_HEADER, /* magic, but the header cannot be used (class, byte order, phentsize …) */
    WY_ELF_BAD_PHDRS,  /* program headers lie beyond the end of the file */
    WY_ELF_OK,         /* header and program headers read; `problem` may still be set */
};
/* What a file that is not ELF looks like: for people. */
enum wy_elf_looks {
    WY_LOOKS_BINARY,
    WY_LOOKS_TEXT,
    WY_LOOKS_LFS_POINTER,   /* "version https://git-lfs.github.com/spec/v1" */
    WY_LOOKS_LINKER_SCRIPT, /* GROUP ( … ) or INPUT ( … ) */
    WY_LOOKS_HTML,
    WY_LOOKS_MACHO,
    WY_LOOKS_PE,
    WY_LOOKS_ARCHIVE, /* ar or zip */
    WY_LOOKS_ZEROS,   /* the first 64 bytes are all zero */
};

struct wy_elf_load { /* one PT_LOAD, in file order */
    uint64_t offset, vaddr, filesz, memsz, align;
    uint32_t flags; /* PF_X 1, PF_W 2, PF_R 4 */
};

struct wy_elf_verneed {  /* one version needed from one file (DT_VERNEED) */
    const char *file;    /* e.g. "libc.so.6" */
    const char *version; /* e.g. "GLIBC_2.34" */
    uint32_t hash;
    uint16_t flags; /* VER_FLG_WEAK 2 */
    uint16_t index; /* as used in .gnu.version */
};
struct wy_elf_verdef { /* one version defined (DT_VERDEF), base entry included */
    const char *version;
    uint32_t hash;
    uint16_t flags; /* VER_FLG_BASE 1, WEAK 2 */
    uint16_t index;
};

/* What a note says that the file opens by name while it runs. */
struct wy_elf_dlopen {
    const char **sonames; /* alternatives, preferred first; at least one */
    size_t nsonames;
    const char *feature, *description; /* for people; each or NULL */
    enum { WY_DLOPEN_REQUIRED, WY_DLOPEN_RECOMMENDED, WY_DLOPEN_SUGGESTED } priority;
};

struct wy_elf_filter { /* DT_FILTER, DT_AUXILIARY: the named object's symbols come before its own */
    const char *name;
    bool auxiliary; /* it may be missing */
    size_t nneeded; /* entries of DT_NEEDED that stand before it: loaders keep the file's order */
};

struct wy_elf {
    enum wy_elf_kind kind;
    int read_error;          /* errno, for WY_ELF_UNREADABLE */
    enum wy_elf_looks looks; /* for WY_ELF_NOT */
    const char *problem;     /* NULL, or what is damaged: one phrase with offset and expectation */
    uint64_t file_size;

    /* header, as written (also for kinds below OK, as far as read) */
    uint8_t ident[16];
    bool is64, big_endian;
    uint16_t type, machine, phentsize, phnum; /* ET_DYN 3 …, EM_X86_64 62 …  */
    uint32_t version, eflags;
    bool is_static_pie_or_exec; /* ET_EXEC, or DF_1_PIE in DT_FLAGS_1 */

    struct wy_elf_load *loads;
    size_t nloads;
    const char *interp;            /* PT_INTERP, or NULL */
    bool has_dynamic;              /* a PT_DYNAMIC with bytes in the file exists */
    bool has_gnu_stack;            /* a PT_GNU_STACK exists … */
    uint32_t gnu_stack_flags;      /* … with these p_flags */
    uint64_t tls_memsz, tls_align; /* PT_TLS, 0 when absent */
    bool has_abi_tag;              /* NT_GNU_ABI_TAG … */
    uint32_t abi_tag[4];           /* … os, major, minor, patch */
    uint32_t isa_needed; /* GNU_PROPERTY_X86_ISA_1_NEEDED bits (baseline 1, v2 2, v3 4, v4 8) */
    bool has_property; /* a PT_GNU_PROPERTY exists: who wrote the bits in a PT_NOTE alone is old */
    const char *build_id;          /* hex, or NULL */
    struct wy_elf_dlopen *dlopens; /* .note.dlopen, in file order; at most 256 */
    size_t ndlopens;
    uint64_t eh_frame_hdr; /* offset in the file of PT_GNU_EH_FRAME, 0 when absent */

    /* dynamic section; strings are copies in the arena of the reading call */
    const char **needed; /* DT_NEEDED in file order; a string that cannot be read sets `problem` */
    size_t nneeded;      /* at most 4,096, more is a problem */
    struct wy_elf_filter *filters; /* in file order; at most 4,096 */
    size_t nfilters;
    const char *soname;      /* DT_SONAME or NULL */
    const char *rpath;       /* DT_RPATH as written, or NULL */
    const char *runpath;     /* DT_RUNPATH as written, or NULL ("" when present and empty) */
    uint64_t flags, flags_1; /* DT_FLAGS, DT_FLAGS_1 */
    bool bind_now, symbolic, textrel, has_relr;

    struct wy_elf_verneed *verneed;
    size_t nverneed;
    struct wy_elf_verdef *verdef;
    size_t nverdef;
    /* version of the first DT_VERNEED record, of the first such DT_VERDEF record, when it is not 1:
     * the loader then refuses the object, or whoever asks for a version that is not before it */
    unsigned verneed_odd, verdef_odd;
    size_t verdef_odd_at; /* definitions before it; numbers of symbols count all */
    bool has_versym;      /* DT_VERSYM */
    bool has_gnu_hash, has_sysv_hash;

    /* where the tables lie: virtual addresses from the dynamic section, 0 when absent */
    uint64_t strtab, strsz, symtab, syment, gnu_hash, sysv_hash, versym, verneed_addr, verdef_addr;
    uint64_t rel, relsz, rela, relasz, jmprel, pltrelsz, pltrel, relr, relrsz;
    uint64_t init_arraysz;        /* DT_INIT_ARRAYSZ: constructors, in bytes of their addresses */
    uint64_t relcount, relacount; /* relative relocations at the start of DT_REL and DT_RELA */
};

/* Bytes in memory as a source; `bytes` must outlive it. */
struct wy_source wy_source_memory(struct wy_str *bytes);

/* Reads the facts. Everything it points to is in `a`. Never fails: see `kind` and `problem`. */
void wy_elf_read(const struct wy_source *src, struct wy_arena *a, struct wy_elf *ret);

/* Whether a symbol of that name is defined and exported (through DT_GNU_HASH, else DT_HASH);
 * versions are not looked at. False also when the tables are damaged. */
bool wy_elf_exports(const struct wy_source *src, const struct wy_elf *elf, const char *name);

/* File offset of a virtual address, with *room = bytes from there to the end of its segment in the
 * file; false when no PT_LOAD covers it. */
bool wy_elf_offset(const struct wy_elf *elf, uint64_t vaddr, uint64_t *offset, uint64_t *room);

/* Short name of an e_machine: "x86-64", "AArch64", … or "machine N" (static text for known ones,
 * else in `a`). And the one uname prints ("x86_64", "aarch64"), NULL when unknown. */
const char *wy_elf_machine_name(struct wy_arena *a, uint16_t machine);
const char *wy_elf_machine_uname(uint16_t machine, bool is64, bool big_endian);

#endif
