/* The machine a process runs on: libc and its constants, ld.so.cache, variables, cwd, user, CPU
 * level, driver; and the store of ELF facts by node. Needs no Python. */
#ifndef WY_HOST_HOST_H
#define WY_HOST_HOST_H

#include "base/intern.h"
#include "base/map.h"
#include "elf/symbols.h"
#include "tree/tree.h"

/* One file with its facts. One per node: two paths to one inode give the same pointer. */
struct wy_image {
    struct wy_node node;
    struct wy_elf elf;     /* needed, soname and verneed's file are interned (wy_host_intern) */
    struct wy_place place; /* a place where it was met; which one depends on the order of threads,
                              so it serves to open the file again and is never shown */
    const struct wy_mount *mount; /* that it was met on, or NULL (wy_file_mount) */
    bool assumed; /* a promise without content: it answers to its file name, needs nothing, and has
                     whatever is asked of it (wy_file_promised) */
    int error;    /* errno when it could not be opened (EISDIR for a directory, EINVAL for a pipe or
                  device), then elf.kind is UNREADABLE */
};

enum wy_libc { WY_LIBC_UNKNOWN, WY_LIBC_GLIBC, WY_LIBC_MUSL };

/* Variables of the simulated process, sorted by name. */
struct wy_variable {
    const char *name, *value;
};

struct wy_host_options {
    const char *cwd; /* absolute, inside the tree */
    const struct wy_variable *variables;
    size_t nvariables;
    uint32_t uid;
    const char *cpu;    /* NULL: this machine's; else "x86-64-v1" … "x86-64-v4" or another word */
    const char *driver; /* NULL or "auto": look; "none"; "assume" or "assume:VERSION" */
    bool foreign; /* the tree is not this machine's ("--root"): CPU is the baseline, driver assumed,
                     kernel unknown */
    const char *kernel; /* NULL: this machine's; else a version as "5.15" */
};

struct wy_cache_entry {     /* one line of ld.so.cache */
    const char *key, *path; /* soname; path inside the tree */
    uint32_t flags, osversion;
    uint64_t hwcap; /* bit 62: entry of a glibc-hwcaps folder, bits 32-41 may hold its level;
                       other bits: legacy platform and tls bits, which count up to 2.36 */
    const char *hwcap_name; /* the folder's name ("x86-64-v3"); NULL for other entries, and for one
                               whose index is out of range (never active) */
};

struct wy_host {
    struct wy_tree *tree;
    struct wy_host_options options; /* copied into the host's arena */
    /* "none", a version as "550.54.14", or "assumed" (also for one found without its version) */
    const char *driver;
    const char *cpu;    /* e.g. "x86-64-v3" */
    unsigned cpu_level; /* 1 to 4 on x86-64, else 0 */
    const char
        *cpu_platform;    /* glibc's word for an Intel model: "haswell", "xeon_phi", else NULL */
    bool legacy_avx512_1; /* its legacy hwcap "avx512_1" (Intel's, counts up to 2.36) */
    uint32_t kernel;      /* 0x060112 for 6.1.18, as in osversion; 0 unknown */
    /* set by wy_host_set_program, from the interpreter's PT_INTERP */
    enum wy_libc libc;
    const char *libc_version; /* "2.36", NULL when unknown */
    unsigned libc_minor;      /* 36 for 2.36; 0 when unknown */
    uint16_t machine;         /* e_machine of the program */
    uint32_t eflags;          /* its e_flags: on some machines libraries must have the same ABI */
    uint64_t page_size; /* bytes; of another machine the usual one, as kernels offer several */
    /* the kernel gives the program more rights than its user has (AT_SECURE): by its set-uid or
     * set-gid bit or by file capabilities */
    bool secure;
    bool is64, big_endian;
    const char *ldso;          /* PT_INTERP as written; NULL when the program has none */
    const char **default_dirs; /* built-in directories, without trailing slash, in order */
    size_t ndefault_dirs;
    int path_file_error;          /* musl: errno of reading its path file, 0 also for none */
    const char *lib_token;        /* what $LIB stands for: "lib64", "lib/x86_64-linux-gnu" */
    const char *platform_token;   /* what $PLATFORM stands for: "x86_64", "haswell" … */
    struct wy_cache_entry *cache; /* as in the file: sorted descending by the loader's order */
    size_t ncache;
    const char *cache_path;    /* "/etc/ld.so.cache"; NULL when there is none */
    const char *cache_problem; /* what is damaged in it, or NULL */

    struct wy_intern intern;
    struct wy_arena arena;
    void *images;  /* private: map of images by node */
    void *symbols; /* private: map of symbol tables by image */
    void *lock;    /* private */
};

/* Looks at the machine facts that need no program. The tree is borrowed. Caller owns *ret. */
struct wy_error *wy_host_create(struct wy_tree *tree, const struct wy_host_options *options,
                                struct wy_host **ret);
void wy_host_destroy(struct wy_host *h);

/* Learns libc, machine, default directories and cache from the program that will run: its
 * PT_INTERP, resolved inside the tree; libc.so.6 (or the musl loader) beside it. What cannot be
 * learnt is left at "unknown" with a fallback from os-release and machine. */
void wy_host_set_program(struct wy_host *h, const struct wy_image *program);

/* A variable's value, or NULL; also NULL for one that loaders drop when the program is `secure`. */
const char *wy_host_getenv(const struct wy_host *h, const char *name);
const char *wy_host_intern(struct wy_host *h, const char *s); /* NULL gives NULL; locked */

/* Facts of the file at a place; read once per node, kept as long as the host. Never NULL: a file
 * that cannot be opened has `error` set. May be called from several threads. */
const struct wy_image *wy_host_image(struct wy_host *h, const struct wy_place *p);
/* The same file as musl sees it, which reads every file as one of its own class, byte order and
 * machine, whatever the first 20 bytes say. `image` itself where they say just that. */
const struct wy_image *wy_host_image_as_own(struct wy_host *h, const struct wy_image *image);
/* Source of its bytes for look-ups that go back to the file: calls `use(ctx, src)` with the file
 * open. Returns 0 or errno. */
int wy_image_with_source(struct wy_host *h, const struct wy_image *image,
                         void (*use)(void *ctx, const struct wy_source *src), void *ctx);
/* Whether the image exports a symbol (wy_elf_exports with the file opened). */
bool wy_image_exports(struct wy_host *h, const struct wy_image *image, const char *symbol);

/* Shows the constants of an image, segment by segment (at most 8 MiB each), the last one first,
 * until `use` returns true. Returns whether it did. Left out is what linkers put around them:
 * tables of symbols, in a read-only segment of their own before the code, and those of unwinding,
 * behind the constants. */
bool wy_image_constants(struct wy_host *h, const struct wy_image *image,
                        bool (*use)(void *ctx, struct wy_str bytes), void *ctx);

/* Whether the first 256 MiB of the file hold that text anywhere, code and data alike. */
bool wy_image_mentions(struct wy_host *h, const struct wy_image *image, struct wy_str text);

/* Symbols of one image. Large objects hold megabytes of names of their own: references to symbols
 * they define themselves are listed only up to WY_FEW_SYMBOLS (see wy_symtab_refs). */
struct wy_image_symbols {
    struct wy_symtab table; /* look-ups may open the file again, from any thread */
    struct wy_refs refs;
    int error; /* errno when the file could not be opened; then both are empty */
};
enum { WY_FEW_SYMBOLS = 4096 };
/* Read once per image, when first asked for, and kept as long as the host. May be called from
 * several threads. */
const struct wy_image_symbols *wy_host_symbols(struct wy_host *h, const struct wy_image *image);

/* Reads all of an ld.so.cache (old and new format, and the new block inside an old one: glibc
 * sysdeps/generic/dl-cache.h). Texts are borrowed from `bytes`, the entries are in `a`. A damaged
 * file gives the entries that can be read (none where the loader ignores the file) and a text in
 * *problem (NULL when sound). */
void wy_ldcache_parse(struct wy_str bytes, struct wy_arena *a, struct wy_cache_entry **ret,
                      size_t *n, const char **problem);
/* glibc's _dl_cache_libcmp (elf/dl-cache.c): runs of digits compare as numbers. */
int wy_ldcache_cmp(const char *a, const char *b);

#endif
