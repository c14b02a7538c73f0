/* One environment: its python, host, packages, files, and the owners of each path. Built once, then
 * only read. All memory is in the world's arena and ends with wy_world_destroy. */
#ifndef WY_WORLD_WORLD_H
#define WY_WORLD_WORLD_H

#include "host/host.h"
#include "know/know.h"
#include "pip/pip.h"
#include "sys/packages.h"

struct wy_world_options {
    struct wy_env_options env;
    struct wy_host_options host;
    bool hash;        /* compare every content with RECORD */
    unsigned threads; /* at least 1 */
    void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total);
    void *progress_ctx;
};

enum wy_bytes { WY_BYTES_UNCHECKED, WY_BYTES_SAME, WY_BYTES_DIFFERS, WY_BYTES_ABSENT };
const char *wy_bytes_word(enum wy_bytes b); /* "unchecked", "same", "differs", "absent" */

/* One distribution's claim on a path, by a row of its RECORD. */
struct wy_claim {
    const struct wy_dist *dist;
    const struct wy_record_row *row;
    enum wy_bytes bytes; /* what is on disk, against this row */
};

enum wy_presence { WY_PRESENT, WY_GONE, WY_DANGLING };

/* A claimed path worth a look: absent, dangling, with several owners, with other bytes, or a
 * library. */
struct wy_claimed {
    const char *path;  /* absolute, cleaned */
    const char *shown; /* relative to the prefix when below it */
    enum wy_presence presence;
    const char *link_target; /* of a dangling link */
    struct wy_place place;   /* when present */
    bool is_so;              /* counts as a library by its name */
    uint64_t size;           /* on disk, when known (sized) */
    bool sized;
    const char *sha256;      /* of the bytes on disk, when computed */
    struct wy_claim *claims; /* in order of dists */
    size_t nclaims;
};

enum wy_role {
    WY_ROLE_LIBRARY,   /* anything else named .so */
    WY_ROLE_EXTENSION, /* importable: a valid suffix and PyInit_NAME (or unreadable symbols) */
    WY_ROLE_FOREIGN, /* an extension by name for another machine or libc or python: never looked at
                      */
};

/* A file named NAME.so or NAME.so.N in a site directory, or claimed elsewhere. */
struct wy_library {
    const char *path, *shown;
    struct wy_place place;
    const struct wy_image *image;
    enum wy_role role;
    const char *module;               /* dotted import name for extensions (and foreign ones) */
    const struct wy_claimed *claimed; /* its owners; NULL when nobody claims it */
    const struct wy_dist *dist; /* the one whose bytes are on disk, else the first owner; or NULL */
};

/* Sums for one distribution (index as in dists). */
struct wy_dist_files {
    uint64_t recorded;  /* rows that count: no .pyc, no dist-info */
    uint64_t missing;   /* of these, gone (dangling links are not counted) */
    uint64_t libraries; /* rows that are libraries by name */
    uint64_t libraries_missing, libraries_dangling, dangling;
    uint64_t outside; /* rows that lead out of the environment: not looked at, not counted */
    uint64_t hidden;  /* rows in folders that this user may not read: not counted */
    bool has_elf;     /* at least one library recorded, or owned on disk */
    const struct wy_claimed **claimed; /* what it claims of `claimed` of the world, by path */
    size_t nclaimed;
};

struct wy_unreadable {
    const char *path, *shown;
    int error; /* errno */
};

struct wy_world {
    struct wy_tree *tree; /* borrowed */
    struct wy_know *know; /* borrowed */
    struct wy_host *host;
    struct wy_env env;
    struct wy_sys
        *sys;      /* the machine's package managers: nothing of it is read before a question */
    bool isolated; /* as python -I: the working directory is not on sys.path */
    struct wy_dists dists;
    const struct wy_image *python; /* NULL when there is none */

    uint32_t *owner_of; /* by entry id: 0 none, else 1 + index of the first owning dist */
    uint32_t nowner_of;
    struct wy_claimed *claimed; /* sorted by path */
    size_t nclaimed;
    struct wy_map claimed_by_path;
    struct wy_library *libraries; /* sorted by path */
    size_t nlibraries;
    struct wy_map library_by_path;
    struct wy_map library_by_image;  /* → the first library of a file that has an owner */
    struct wy_map libraries_by_name; /* file name or soname → struct wy_named_libraries * */
    struct wy_dist_files *files;     /* by dist index */
    struct wy_unreadable *unreadable;
    size_t nunreadable;
    uint64_t nfiles; /* regular files and links below the prefix's site directories */
    struct wy_arena arena;
};

struct wy_named_libraries {
    const struct wy_library **v;
    size_t n, cap;
};

/* Reads an environment. An error only when there is no such environment. Caller owns *ret; `tree`
 * and `know` must outlive it. */
struct wy_error *wy_world_create(struct wy_tree *tree, struct wy_know *know,
                                 const struct wy_world_options *options, struct wy_world **ret);
void wy_world_destroy(struct wy_world *w);

/* Where `path` lies below a folder whose modules can be imported: "numpy/linalg/_umath.so" is a
 * part of numpy. *by: what a .pth file adds, when it is that, else NULL. NULL when it lies below
 * none. */
const char *wy_world_import_path(const struct wy_world *w, const char *path, struct wy_arena *a,
                                 const struct wy_editable **by);
/* The distribution that owns a place, or NULL. */
const struct wy_dist *wy_world_owner(const struct wy_world *w, const struct wy_place *p);
/* Its row in the RECORD of that distribution, or NULL. */
const struct wy_record_row *wy_world_recorded(const struct wy_world *w, const struct wy_place *p);
/* The one that owns a file, whichever of its names it was met by; of several the first by path. */
const struct wy_dist *wy_world_image_owner(const struct wy_world *w, const struct wy_image *image);
/* The claimed path of that absolute text, or NULL. */
const struct wy_claimed *wy_world_claimed(const struct wy_world *w, const char *path);
/* Libraries of the environment that answer to a soname (by SONAME or file name); *n of them. */
const struct wy_library **wy_world_named(const struct wy_world *w, const char *soname, size_t *n);
/* By normalised name; the first in sys.path order, or NULL. */
const struct wy_dist *wy_world_dist(const struct wy_world *w, const char *key);
/* The packages of the machine's managers (dpkg, conda …) that an absolute path belongs to; for a
 * link that is nobody's, those of the file it leads to. None for folders, and none inside a venv.
 * *ret lives as long as the world. */
size_t wy_world_system_owners(const struct wy_world *w, const char *path,
                              const struct wy_sys_file **ret);
/* Announces a path that will be asked for, as wy_sys_expect. */
void wy_world_expect(const struct wy_world *w, const char *path);
/* The first of them, or NULL. */
const struct wy_sys_package *wy_world_system_package(const struct wy_world *w, const char *path);
/* A manager that may own a path and whose database is not read ("rpm"), or NULL. */
const char *wy_world_unread(const struct wy_world *w, const char *path);
/* A path as the contract shows it: relative to the prefix when textually below it. */
const char *wy_world_shown(const struct wy_world *w, const char *path);
size_t wy_world_dist_index(const struct wy_world *w, const struct wy_dist *d);

#endif
