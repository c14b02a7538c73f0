/* Where names lead: specs of modules, the folders and archives they are looked for in, and the
 * texts of their files. Private to the room. */
#ifndef WY_IMPORT_FINDER_H
#define WY_IMPORT_FINDER_H

#include "import/import.h"
#include "import/value.h"

/* ---- finder.c, lost.c ---- */

enum wy_spec_kind {
    WY_SPEC_MISSING,
    WY_SPEC_BUILTIN,   /* compiled into the interpreter, or in memory since its start */
    WY_SPEC_SOURCE,    /* NAME.py or NAME/__init__.py */
    WY_SPEC_BYTECODE,  /* NAME.pyc without its source: not followed */
    WY_SPEC_EXTENSION, /* NAME.SUFFIX.so or NAME/__init__.SUFFIX.so */
    WY_SPEC_NAMESPACE, /* folders without __init__ */
};

struct wy_search_dir {  /* one entry of sys.path or of a package's __path__ */
    const char *text;   /* as Python spells it, links not resolved */
    struct wy_dir *dir; /* NULL: in an archive */
    const struct wy_archive *archive;
    const char *inside; /* the folder in it: "" or "a/b/" */
};

/* Where a dotted name leads in this environment. */
struct wy_spec {
    const char *name; /* dotted */
    const char *leaf; /* its last part */
    uint32_t id;      /* index in the importer's specs */
    enum wy_spec_kind kind;
    struct wy_spec *parent;           /* NULL for a top-level name */
    const char *path;                 /* the file as Python opens it */
    struct wy_place place;            /* of that file; nothing when it lies in an archive … */
    const struct wy_archive *archive; /* … which is this one, or NULL */
    const struct wy_zip_member *member;
    struct wy_search_dir *dirs; /* of a package: its __path__ */
    size_t ndirs;
    const char *foreign; /* MISSING: a file NAME.SUFFIX.so of another Python or machine */
    const char *lost;    /* MISSING, or NAMESPACE with nothing in it: the recorded file that is not
                            on disk, or that another package of that name hides */
    const char *altered; /* see wy_spec_altered, once asked */
    bool altered_known;
    bool mixed, mixed_known; /* see wy_spec_mixed, once asked */
    const char *gone; /* NAMESPACE: the recorded file that would be the module, not on disk */
    bool at_start;    /* in sys.modules before the first statement of -c runs */
    struct wy_module *module;         /* one for all runs: made when it is first run */
    struct wy_named_imports *imports; /* of an extension; NULL: not looked for yet */
    uint32_t logged;                  /* the run of a module that has asked for it last */
    struct wy_elsewhere *elsewhere;   /* where its name led by other paths than that of the start */
    struct wy_map *children;          /* of one that is elsewhere; NULL: in specs_by_name */
};

/* What sys.path, or a package's __path__, held at one time. */
struct wy_path {
    uint32_t id; /* index in the importer's paths; 0: sys.path at the start */
    const struct wy_value *items;
    uint32_t nitems;
    struct wy_search_dir *dirs; /* those of the items that are there */
    size_t ndirs;
};

enum { WY_MOST_SPECS = 200000, WY_MOST_NAME = 1024 }; /* longer names lead nowhere */

struct wy_elsewhere {
    struct wy_elsewhere *next;
    uint32_t path; /* id */
    struct wy_spec *spec;
};

/* The spec of a dotted name; its parents are looked up first. Never NULL. */
struct wy_spec *wy_find(struct wy_importer *im, const char *name);
/* A child of a package (MISSING when `parent` is none). */
struct wy_spec *wy_find_child(struct wy_importer *im, struct wy_spec *parent, const char *leaf);
/* The spec of a file that code loads under a name of its choice; NULL: no such file. */
struct wy_spec *wy_find_at(struct wy_importer *im, const char *name, const char *path);
void wy_finder_init(struct wy_importer *im);
void wy_finder_deinit(struct wy_importer *im);
/* Fills in where the name of `spec` leads in these folders. */
void wy_spec_search(struct wy_importer *im, struct wy_spec *spec, const struct wy_search_dir *dirs,
                    size_t n);
struct wy_spec *wy_spec_add(struct wy_importer *im, const struct wy_spec *from); /* with an id */

/* Why its names need not be those that its code was written for: the file is gone, or has not the
 * size that its package recorded; a few words. *path: that file. NULL: there is no sign of it. */
const char *wy_spec_altered(struct wy_importer *im, struct wy_spec *spec, const char **path);
/* Whether the package of a module has sources of two versions in one place. */
bool wy_spec_mixed(struct wy_importer *im, struct wy_spec *spec);
/* Sets `lost` of a spec that was looked for in these folders and not found, or found empty. */
void wy_spec_find_lost(struct wy_importer *im, struct wy_spec *spec,
                       const struct wy_search_dir *dirs, size_t n);
bool wy_identifier(struct wy_str s);

/* ---- paths.c: what imports change in sys.path and __path__ ---- */

void wy_paths_init(struct wy_importer *im);
/* The path of this moment is that of the start: what was found before by another is looked for
 * anew.
 */
void wy_paths_rebase(struct wy_importer *im);
/* What the name of this spec means now: the module that the run has loaded under it, else where the
 * path of this moment leads. */
struct wy_spec *wy_spec_now(struct wy_importer *im, struct wy_spec *first);
/* The folders in which modules below `parent` (NULL: of the top) are looked for now. */
size_t wy_path_dirs(struct wy_importer *im, const struct wy_spec *parent,
                    struct wy_search_dir **ret);
/* The id of sys.path as it is now; and whether it holds folders that are not known. */
uint32_t wy_sys_path_id(struct wy_importer *im);
bool wy_sys_path_unsure(const struct wy_importer *im);

/* ---- zips.c ---- */

/* An archive, or a folder in one, as an entry of sys.path; false when it is neither. */
bool wy_archive_find(struct wy_importer *im, const char *text, struct wy_search_dir *ret);
/* Looks for the leaf of `spec` there: true when the search ends. *part, if its text is not NULL, is
 * a folder of the package. */
bool wy_archive_search(struct wy_importer *im, const struct wy_search_dir *d, struct wy_spec *spec,
                       struct wy_search_dir *part);
/* As wy_place_text, of a spec in an archive. */
struct wy_str wy_archive_text(struct wy_importer *im, const struct wy_spec *spec,
                              const char **problem);

/* ---- texts ---- */

/* Text of a source file in `scratch`, which is cleared before; NULL in ret->p with the reason in
 * *problem when it cannot be read. From any thread. */
struct wy_str wy_place_text(const struct wy_importer *im, const struct wy_place *place,
                            struct wy_arena *scratch, const char **problem);
/* The body of a function of that file, whose text may have to be read again. */
const struct wy_body *wy_module_body(struct wy_importer *im, struct wy_module *m,
                                     struct wy_function *f);

#endif
