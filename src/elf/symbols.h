/* Symbols of one object: what its relocations name, and what it defines.
 *
 * References come from relocations, not from .dynsym: only a symbol that a relocation names is ever
 * looked up (glibc elf/dl-reloc.c; docs/loader.md A11). Definitions are found through the hash
 * table the loader would use. This room gives facts; scopes, versions and what counts as a match
 * are decided in `ld`.
 *
 * As everywhere in this room, a damaged file never fails a call: `problem` says what is wrong. */
#ifndef WY_ELF_SYMBOLS_H
#define WY_ELF_SYMBOLS_H

#include "elf/elf.h"

/* A part of the file that is read block by block, when something in it is first asked for. */
struct wy_elf_table {
    uint64_t offset, size; /* where in the file, and how far it may reach, in bytes */
    uint64_t soft; /* where it ends by its own account; names may lie beyond, up to `size` */
    size_t nblocks;
    unsigned char **blocks; /* NULL: not read yet. Set once, by whichever thread is first */
};

/* One version as .gnu.version numbers it: from the needed versions, over them the defined ones, the
 * base definition left out (glibc elf/dl-version.c, _dl_check_map_versions). */
struct wy_symbol_version {
    const char *name; /* NULL: no version has this number */
    uint32_t hash;    /* SysV hash as written in the file; never 0 with a name */
    bool hidden;      /* bit 15 of a needed version's number is set */
    const char *file; /* needed from this file; NULL for a version the object defines */
};

/* A name to look up, hashed once for all objects of a scope. */
struct wy_symbol_key {
    struct wy_str name;
    uint32_t gnu_hash;
    uint32_t sysv_hash; /* WY_NO_HASH until an object with a SysV table asks for it */
};
#define WY_NO_HASH UINT32_MAX /* a SysV hash has 28 bits */

/* One entry of .dynsym. */
struct wy_symbol {
    uint32_t index, name; /* in .dynsym; offset of its name in .dynstr */
    uint64_t value, size;
    uint16_t section; /* 0: undefined, 0xfff1: absolute */
    uint16_t versym;  /* as in .gnu.version, bit 15 is "hidden"; 1 when there is no such table */
    uint8_t binding, type, visibility;
    const struct wy_symbol_version *version; /* NULL: none (number 0 or 1, or no tables) */
};
/* STB_, STT_, STV_ (gABI and elf.h) */
enum { WY_STB_LOCAL, WY_STB_GLOBAL, WY_STB_WEAK, WY_STB_GNU_UNIQUE = 10 };
enum { WY_STT_NOTYPE, WY_STT_OBJECT, WY_STT_FUNC, WY_STT_TLS = 6, WY_STT_GNU_IFUNC = 10 };
enum { WY_STV_DEFAULT, WY_STV_INTERNAL, WY_STV_HIDDEN, WY_STV_PROTECTED };

/* The tables of one object. Read once; after that every function that takes it `const` may be
 * called from several threads at a time. */
struct wy_symtab {
    const struct wy_elf *elf;
    struct wy_source src; /* where blocks come from: its ctx must live, and its read be safe to call
                             from several threads, as long as look-ups are made. May be replaced by
                             another source of the same bytes */
    const char *problem;  /* NULL, or what is damaged */

    uint32_t limit; /* symbols that .dynsym can hold at most, by its place in the file */
    struct wy_symbol_version *versions; /* by number */
    size_t nversions;

    /* The hash table; look-ups that find nothing touch no more than this. */
    bool has_gnu_hash;     /* else a SysV table, or none (then nbuckets is 0) */
    uint32_t first, count; /* it covers `count` symbols from index `first` on */
    /* private */
    uint32_t nbloom, nbuckets, shift;
    uint32_t word_log; /* bits of a bloom word as a power of two: 5 or 6 */
    uint32_t *bloom;   /* in halves of a word: low, high */
    uint32_t *buckets, *chain;
    struct wy_elf_table symbols, strings, versym;
    int *read_error;
};

/* Reads hash table and version numbers of an object (elf->kind WY_ELF_OK); .dynsym, .dynstr and
 * .gnu.version follow in blocks of up to 48 KiB when they are needed. The tables are in `a`, the
 * blocks on the heap: free them with wy_symtab_release. `elf` must outlive it. */
void wy_symtab_read(const struct wy_source *src, const struct wy_elf *elf, struct wy_arena *a,
                    struct wy_symtab *ret);
/* Frees the blocks; look-ups afterwards read them again. No other thread may use `t` meanwhile. */
void wy_symtab_release(struct wy_symtab *t);
/* Bytes of blocks held now. */
uint64_t wy_symtab_held(const struct wy_symtab *t);
/* errno of the last block that could not be read, 0 while none failed; what lies in such a block is
 * not found. */
int wy_symtab_read_error(const struct wy_symtab *t);

/* `name` is borrowed. */
struct wy_symbol_key wy_symbol_key(struct wy_str name);

/* Where a look-up stands. Private. */
struct wy_symbol_walk {
    const struct wy_symtab *t;
    const struct wy_symbol_key *key;
    uint32_t index, left; /* next symbol with this hash, 0: none; steps it may take */
};
/* Starts a look-up in one object. False: it has no such symbol, known without reading anything (the
 * usual answer, given by the bloom filter). True: call wy_symtab_next. `key` is borrowed by the
 * walk and used by one thread at a time: this may fill in its SysV hash. */
bool wy_symtab_find(const struct wy_symtab *t, struct wy_symbol_key *key,
                    struct wy_symbol_walk *ret);
/* The next symbol of that name, in the loader's order; false at the end. It need not be a
 * definition. */
bool wy_symtab_next(struct wy_symbol_walk *w, struct wy_symbol *ret);

/* Whether a symbol found by name is a definition for other objects: defined, of a type and binding
 * that count, not hidden (glibc elf/dl-lookup.c, check_match and do_lookup_x; docs/loader.md A11).
 * One more rule is left to the caller: an undefined symbol with a value, in a program, is one for
 * references outside the PLT class. */
bool wy_symbol_is_definition(const struct wy_symbol *s);

/* The entry at an index of .dynsym; false when it cannot be read. */
bool wy_symtab_symbol(const struct wy_symtab *t, uint32_t index, struct wy_symbol *ret);
/* Its name, in `a`; NULL when it cannot be read. */
const char *wy_symtab_name(const struct wy_symtab *t, const struct wy_symbol *s,
                           struct wy_arena *a);
/* All definitions the hash table covers, in the order of .dynsym, until `use` returns false. `name`
 * is valid during the call only. Reads .dynsym and .dynstr through; stops after 256 MiB of names.
 */
void wy_symtab_each(const struct wy_symtab *t,
                    bool (*use)(void *ctx, const struct wy_symbol *s, struct wy_str name),
                    void *ctx);

/* What relocations do with a symbol. */
enum wy_use {
    WY_USE_NOW = 1,        /* resolved when the object is loaded, also under lazy binding */
    WY_USE_LAZY = 2,       /* JUMP_SLOT of DT_JMPREL: resolved later when binding is lazy */
    WY_USE_PLT = 4,        /* JUMP_SLOT or TLS: glibc's ELF_RTYPE_CLASS_PLT */
    WY_USE_ADDRESS = 8,    /* any other but COPY and GLOB_DAT: no class */
    WY_USE_COPY = 16,      /* COPY: not looked up in the object itself */
    WY_USE_TLS_IE = 32,    /* initial exec: the definition's object must have static TLS */
    WY_USE_TLS_GD = 64,    /* module and offset */
    WY_USE_TLS_DESC = 128, /* descriptor: static TLS if there is room */
    WY_USE_GOT = 256,      /* GLOB_DAT: no class; what musl puts off beside JUMP_SLOT */
};
/* One symbol that relocations name. */
struct wy_ref {
    struct wy_symbol_key key; /* name in the arena, ends with NUL; p NULL when it cannot be read */
    struct wy_symbol symbol;  /* its entry in .dynsym; section not 0: the object defines it */
    /* number of the first relocation that names it, counted through the tables in glibc's order;
     * WY_NO_ORDER: none. Outside DT_JMPREL, and in it: musl takes DT_JMPREL first. */
    uint32_t order, plt_order;
    uint16_t uses; /* enum wy_use */
};
#define WY_NO_ORDER UINT32_MAX

/* The first relocation of a type that musl does not know, in one of its tables. */
struct wy_odd_reloc {
    uint32_t order, type; /* order WY_NO_ORDER: none */
    uint32_t symbol;      /* index in .dynsym, 0: none */
};

/* Everything the relocations say. */
struct wy_refs {
    struct wy_ref *v; /* in glibc's order: DT_REL, DT_RELA, DT_JMPREL */
    size_t n;
    size_t own;           /* symbols left out because the object defines them itself */
    uint64_t relocations; /* looked at; relative ones that are counted off are not */
    uint64_t irelative;   /* resolvers that run at load */
    bool tls_ie_own;      /* initial exec for a variable of its own */
    bool changes_code; /* one that names a symbol lies in no writable segment (text relocation) */
    /* first relocation of a type that glibc does not know on this machine ("unexpected reloc type
     * 0xNN"), and first one of DT_JMPREL that lazy binding refuses ("unexpected PLT reloc type") */
    uint32_t unknown_order, unknown_type, odd_order, odd_type; /* order WY_NO_ORDER: none */
    struct wy_odd_reloc musl_plt, musl_other;                  /* in DT_JMPREL, outside of it */
    uint32_t ie_own_order, ie_own_plt; /* the first initial exec one that names no symbol */
    const char *problem;
};
/* Reads the relocations. Without `all`, symbols are left out that the object defines itself and
 * that a look-up of glibc and of musl is sure to find at the latest there; kept are those with COPY
 * or initial-exec uses and those whose definition is not sound. */
void wy_symtab_refs(const struct wy_symtab *t, struct wy_arena *a, bool all, struct wy_refs *ret);

#endif
