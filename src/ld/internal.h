/* Inside the room: the tables of one simulated loader, and the working state of one open.
 *
 * Names, images, directories and search lists are made once per `struct wy_ld` and compared by
 * pointer. An open works on a copy of the process (struct ld_work) and ends in a new value. */
#ifndef WY_LD_INTERNAL_H
#define WY_LD_INTERNAL_H

#include "base/buf.h"
#include "base/vec.h"
#include "ld/ld.h"

#define LD_NONE UINT32_MAX       /* no member */
enum { LD_CACHE_BIT = 0 };       /* of wy_process.missing: the cache, not a directory */
enum { LD_MAX_OBJECTS = 20000 }; /* of one process */
enum { LD_MAX_STEPS = 100000 };  /* of one walk: filters in a circle never end */
/* Of all opens: a thousand libraries that need one another and cannot load are each opened by
 * themselves. The scientific stack takes 31,000. */
enum { LD_MAX_WORK = 50000000 };

/* One text that may name an object. The fields from `epoch` on belong to the open in progress. */
struct ld_name {
    const char *s;        /* interned by the host */
    bool slash, token;    /* contains '/', '$' */
    bool too_long;        /* no file system takes it as a file name */
    bool cache_known;     /* ld.so.cache was asked … */
    const char *cached;   /* … and has this path for it; NULL when none */
    struct ld_file *file; /* what lies at this path; NULL until asked for, or nothing */
    uint32_t epoch;       /* `member` answers to the name in the open of this number */
    uint32_t lost;        /* the name was not found in the open of this number */
    uint32_t member;
};

/* Whether the loader takes a file: hit is WY_HIT_TAKEN, or why not. */
struct ld_verdict {
    enum wy_hit hit;
    const char *text; /* the loader's words; NULL for files that are skipped */
    int err;          /* errno whose text follows after ": ", 0: none */
};

enum ld_need_kind { LD_NEEDED, LD_FILTER, LD_AUXILIARY };
struct ld_need {
    struct ld_name *name;
    enum ld_need_kind kind;
};

/* What is kept beside each image. */
struct ld_image {
    const struct wy_image *image;
    struct ld_need *needs; /* in the order of the file */
    size_t nneeds;
    struct ld_name *soname;
    const struct wy_image *key; /* the file as the host knows it */
    struct ld_verdict opened;   /* what open_verify says */
    struct ld_verdict mapped;   /* what mapping it by a plain dlopen says, executable stack aside */
    bool crashes;               /* mapping it touches a page past the end of the file */
    bool crashes_late;          /* relocating it does */
    bool is_libc;               /* musl: another C library, so the process's own is taken */
    uint32_t epoch, member;     /* as in ld_name */
    uint32_t scoped;            /* number of the last scope it was put into */
    const struct wy_image_symbols *symbols; /* NULL: not asked for yet */
    const struct ld_bound *bound;           /* where all its symbols were found before */
};

/* The search lists of an object, made when first used. */
struct wy_object_paths {
    struct ld_image *image;
    struct ld_name *path;
    const char *origin; /* what $ORIGIN stands for */
    bool made;
    const struct ld_list *rpath, *runpath; /* NULL: none */
};

/* A path that leads to something. One per spelling of the path. */
struct ld_file {
    struct ld_name *path;   /* as the loader spells it */
    struct ld_image *image; /* NULL: a directory, a pipe … */
    struct ld_verdict verdict;
    struct wy_object_paths paths; /* of the object it becomes */
};

/* One element of a search list; one per text, as glibc's _dl_all_dirs. */
struct ld_sub {
    const char *prefix; /* "glibc-hwcaps/x86-64-v3/"; "" for the directory itself */
    struct wy_dir *dir;
};
struct ld_dir {
    const char *text; /* ends in '/'; "" is the current directory */
    bool relative;
    uint32_t index;      /* bit in wy_process.missing */
    int err;             /* errno of the directory itself, 0 when it exists */
    struct ld_sub *subs; /* those that exist, in the order they are tried */
    size_t nsubs;
};
struct ld_list {
    struct ld_dir **dirs;
    int *entries; /* 1-based place of each in the text */
    size_t n;
    bool has_root;   /* one element is "/": see walk_dirs */
    size_t nmissing; /* absolute elements that do not exist */
};

/* What walking a list for a name gives: always the same, so kept. */
struct ld_walk {
    const void *key[2];      /* list, name */
    struct ld_file *file;    /* taken, or fatal; NULL: none */
    struct ld_file *skipped; /* the first of another class or machine */
    bool other_class;
    bool ended;    /* an errno that ends the list */
    size_t stop;   /* elements that were looked at */
    size_t err_at; /* 1 + the last element that left an errno, 0: none */
    int err;
};

/* A name that an object answers to beside its SONAME: newest first. */
struct ld_learned {
    struct ld_name *name;
    const struct ld_learned *older;
};

/* A search list or the global scope, kept in the arena. */
struct ld_list_of_objects {
    const struct wy_object **v;
    size_t n;
};

/* A thread-local variable of which the process has one, whoever defines it (STB_GNU_UNIQUE). */
struct ld_unique {
    const char *name;
    const struct wy_object *object; /* the first whose definition was taken */
    const struct ld_unique *older;
};

/* Static TLS: bytes from the thread pointer down. */
struct ld_tls {
    uint64_t used, size; /* size: with the reserve */
    uint64_t optional;   /* of the reserve, for those that could do without */
    uint64_t align;      /* of the whole */
};

enum ld_member_flags {
    LD_ROOT = 1,     /* was opened itself: its dependencies are known (l_searchlist) */
    LD_GLOBAL = 2,   /* in the global scope */
    LD_LOADER = 4,   /* the dynamic loader: has no file identity (elf/rtld.c) */
    LD_MAIN = 8,     /* same for the program */
    LD_STARTED = 16, /* musl: came with the program, so its variables lie at fixed places */
};
/* One object in one state of a process. */
struct ld_member {
    const struct wy_object *object;
    const struct ld_learned *names;
    uint32_t flags;
    uint32_t rank; /* place in load order; of the open in progress */
    bool fresh;    /* mapped by the open in progress */
    bool reserved; /* in the search list of the open in progress */
    bool tls_refused;
    const struct ld_list_of_objects *list; /* of a root: its search list; else NULL */
    uint64_t tls_offset;                   /* of its block in static TLS; 0: none */
    size_t needs, nneeds;      /* of one that is fresh: what met its needs, in w->needs */
    struct ld_name *shortname; /* musl: the only text that it answers to, or NULL */
    const struct ld_list_of_objects *deps; /* musl: what met its needs; NULL: not asked yet */
};

/* A value: never changed once made. */
struct wy_process {
    const struct wy_ld *ld;
    const struct ld_member *members; /* in load order */
    size_t n;
    const uint64_t *missing; /* bit set of directories known not to exist */
    size_t nmissing;         /* words */
    int err; /* errno inside the loader: it outlives an open; musl: the path file was read */
    bool exec_stack;                         /* the stack is executable already */
    const struct ld_list *library_path;      /* LD_LIBRARY_PATH; NULL: none */
    const struct ld_list_of_objects *global; /* the global scope */
    const struct ld_unique *unique;          /* newest first */
    struct ld_tls tls;
};

/* The open in progress. */
struct ld_work {
    struct wy_ld *ld;
    struct wy_open *open;
    bool startup;     /* the program is being started */
    bool set_uid;     /* a search takes files with the set-uid bit alone, and asks no cache */
    bool without_cwd; /* for explanations: no list leads to the working directory */
    bool absent;      /* RTLD_NOLOAD: what was asked for is not in memory */
    bool stopped;     /* the loader has given up: what follows is only listed */
    uint32_t root;    /* member */
    WY_VEC(struct ld_member) members;
    WY_VEC(uint32_t) order; /* load order */
    WY_VEC(uint32_t) list;  /* search list of the root */
    WY_VEC(struct wy_problem) problems, unbound;
    WY_VEC(struct wy_resolved) resolved;
    WY_VEC(uint64_t) missing;
    const struct wy_process *from; /* NULL when the program is started */
    size_t nold;                   /* members that were there before */
    bool changed;                  /* what outlives a failed open is not as it was */
    int err;
    bool exec_stack;
    const struct ld_list *library_path;
    bool circle;                       /* the walk does not end */
    size_t versions_from, versions_to; /* problems of the version check */
    unsigned mode;                     /* enum wy_mode */
    bool weak_waits;                   /* LD_DYNAMIC_WEAK: a weak definition is the last choice */
    WY_VEC(uint32_t) needs;
    uint32_t *sorted; /* what is new, in the order of relocation */
    size_t nsorted;
    WY_VEC(struct ld_scope *) scopes;
    const struct ld_list_of_objects *global;
    const struct ld_unique *unique;
    struct ld_tls tls;
    int c_errno;           /* musl: errno of the C library, as this open leaves it */
    struct wy_buf lines;   /* musl: what is printed while a program is started */
    bool incomplete;       /* something could not be mapped: names may be undefined for that */
    bool hangs_on_process; /* the last look-up, on more than the tables of its scope */
    size_t nundefined;
};

/* What a search gives. */
struct ld_found {
    struct ld_file *file;    /* taken or fatal; NULL: nothing */
    struct ld_file *skipped; /* as in ld_walk, over all lists */
    bool other_class;
    enum wy_found by;
    const struct wy_object *of; /* whose list */
};

/* What differs between C libraries. */
struct wy_ld_ops {
    /* The member that answers to `name` without a search, or LD_NONE. */
    uint32_t (*match)(struct ld_work *w, struct ld_name *name);
    /* Every step of the search for `name` (with or without slash), needed by `needer` (its RPATH,
     * RUNPATH, origin). */
    void (*trace)(struct ld_work *w, struct ld_name *name, const struct wy_object *needer,
                  struct wy_search *ret);
    void (*start)(struct ld_work *w, const struct wy_place *program);
    /* dlopen, from main or by `caller`; w->mode is set. */
    void (*open)(struct ld_work *w, struct ld_name *name, const struct wy_object *caller);
    /* Makes the member known under the names and the file that lead to it. */
    void (*enter)(struct ld_work *w, uint32_t id);
    /* Fills in what the loader says of a file. */
    void (*judge)(struct wy_ld *ld, struct ld_image *im);
    /* What $ORIGIN stands for in an object of that path. */
    const char *(*origin)(struct wy_ld *ld, const char *path);
};
extern const struct wy_ld_ops wy_ld_glibc, wy_ld_musl;

struct wy_ld {
    struct wy_host *host;
    const struct wy_ld_ops *ops;
    struct wy_arena arena;
    struct wy_map names, images, dirs, lists, walks, opens;
    uint32_t epoch, ndirs, scopes;
    uint64_t work; /* names looked for and objects moved so far */
    enum wy_ld_depth depth;
    bool is_explicit; /* wy_ld_set_explicit */
    struct wy_dir *cwd;
    const char *main_origin; /* $ORIGIN of the program; its pointer tells it from those of others */
    const struct ld_list *defaults; /* NULL: none */
    const char **subs; /* hwcaps sub-directories in the order they are tried, without "" */
    size_t nsubs;
    struct wy_object vdso;
    struct ld_name *vdso_name;
};

/* names.c */
struct ld_name *ld_name_of(struct wy_ld *ld, const char *s);
struct ld_image *ld_image_of(struct wy_ld *ld, const struct wy_image *image);
void ld_judge(struct wy_ld *ld, struct ld_image *im);
/* A file that is only promised is taken for what its name says; false for others. */
bool ld_judge_assumed(struct ld_image *im);
/* Whether one is mapped: it may define whatever is not found. */
bool ld_assumes(const struct ld_work *w);
const char *ld_origin_of(struct wy_ld *ld, const char *path);

/* paths.c */
bool ld_has_token(const char *s);
/* `s` with $ORIGIN, $LIB and $PLATFORM replaced; NULL when one of them is unknown, or barred in
 * secure mode. */
const char *ld_expand(struct wy_ld *ld, const char *s, const char *origin);
/* The list that a text stands for, NULL when it has no element. */
const struct ld_list *ld_list_of(struct wy_ld *ld, const char *text, const char *separators,
                                 const char *origin);
const struct ld_list *ld_rpath(struct wy_ld *ld, const struct wy_object *o);
const struct ld_list *ld_runpath(struct wy_ld *ld, const struct wy_object *o);
bool ld_has_runpath(const struct wy_object *o);
/* The directory of a text that ends in '/', or is "" for the current one. */
struct ld_dir *ld_dir_of(struct wy_ld *ld, const char *text);

#define LD_HWCAPS_DIR "glibc-hwcaps/"
/* hwcaps.c: the sub-directories of each searched directory. */
void ld_hwcaps_init(struct wy_ld *ld);

/* probe.c: one path. */
/* What opening `dir` + `name` finds: a file, or NULL with the errno in *err. */
struct ld_file *ld_probe_in(struct wy_ld *ld, const struct ld_dir *d, const struct ld_sub *sub,
                            struct ld_name *name, int *err);
struct ld_file *ld_probe_path(struct wy_ld *ld, const char *path, int *err);

/* search.c */
#define LD_DF_1_NODEFLIB UINT64_C(0x800)
/* Whose RPATH counts, in order: the needer's, those of the objects that brought it in, and the
 * program's; none of them when the needer has a RUNPATH. */
struct ld_chain {
    const struct wy_object *next, *main;
    bool did_main;
};
struct ld_chain ld_chain_of(const struct ld_work *w, const struct wy_object *needer);
const struct wy_object *ld_chain_next(struct ld_chain *c); /* NULL at the end */
/* Whether a list is walked on after this errno. */
bool ld_goes_on(const struct ld_work *w, int err);
/* Whether DF_1_NODEFLIB bars the needer from this path of the cache. */
bool ld_barred(const struct wy_ld *ld, const struct wy_object *needer, const char *path);
void ld_search(struct ld_work *w, struct ld_name *name, const struct wy_object *needer,
               struct ld_found *ret);

/* trace.c */
void ld_trace(struct ld_work *w, struct ld_name *name, const struct wy_object *needer,
              struct wy_search *ret);

/* cache.c */
const char *ld_cache_lookup(struct wy_ld *ld, struct ld_name *name);

/* refuse.c */
struct ld_verdict ld_verdict_open(const struct wy_host *host, const struct wy_image *image);
struct ld_verdict ld_verdict_map(const struct wy_host *host, const struct wy_image *image,
                                 bool startup);
/* Also what the program needs, and the program itself. */
bool ld_refuses_exec_stack_at_start(const struct wy_host *host);
/* Whether the image has code, and lies on a mount with noexec. */
bool ld_holds_no_code(const struct wy_host *host, const struct wy_image *image);
extern const char ld_no_code_here[]; /* the text of ld_verdict_map for a mount with noexec */
/* Whether pages that must be touched lie past the end of the file. */
bool ld_crashes_mapping(const struct wy_host *host, const struct wy_image *image);
bool ld_crashes_later(const struct wy_host *host, const struct wy_image *image);
/* Whether the x86 ISA level the file asks for is above the CPU's. */
bool ld_lacks_isa(const struct wy_host *host, const struct wy_image *image);

/* messages.c */
/* "OBJ: TEXT[: STRERROR]" */
const char *ld_message(struct ld_work *w, const char *object, const char *text, int err);
const char *ld_strerror(const struct ld_work *w, int err);
const char *ld_missing_text(const struct ld_work *w, const struct ld_found *found, int *err);
/* Adds a problem; the first one stops the loader. */
void ld_problem(struct ld_work *w, struct wy_problem p);

/* match.c */
void ld_work_begin(struct ld_work *w, struct wy_ld *ld, const struct wy_process *state,
                   struct wy_open *open);
void ld_work_end(struct ld_work *w);
uint32_t ld_match(struct ld_work *w, struct ld_name *name);
void ld_enter(struct ld_work *w, uint32_t id);
/* `name` leads to `id`, unless it leads to an earlier one. */
void ld_register_name(struct ld_work *w, struct ld_name *name, uint32_t id);
void ld_register_image(struct ld_work *w, uint32_t id);
uint32_t ld_match_image(struct ld_work *w, const struct ld_image *image);
void ld_answer(struct ld_work *w, uint32_t id, struct ld_name *name);
/* Puts an object at the end of load order; it answers to its path and to `requested`. */
uint32_t ld_add_member(struct ld_work *w, const struct wy_object *o, struct ld_name *requested,
                       uint32_t flags);
/* Moves an object in load order just before `before`. */
void ld_move_before(struct ld_work *w, uint32_t id, uint32_t before);
void ld_move_last(struct ld_work *w, uint32_t id);

/* map.c */
struct ld_want {
    struct ld_name *name;
    const struct wy_object *by;     /* whose need or call */
    const struct wy_object *loader; /* l_loader of the new object; NULL for roots */
    bool preload;                   /* found is then always WY_BY_PRELOAD */
    bool optional;                  /* failure is no problem: DT_AUXILIARY */
    bool noload;                    /* only what is in memory already: RTLD_NOLOAD */
};
/* What happened to a wanted name. */
struct ld_mapped {
    uint32_t member; /* LD_NONE: it failed */
    bool fresh;
    bool vdso;        /* it is the vdso, which is no member */
    bool absent;      /* a file was found, is not in memory and may not be mapped */
    const char *text; /* the loader's words when it failed, without object and strerror */
    const char *object;
    int err;
    struct wy_problem problem; /* what failed */
};
void ld_map(struct ld_work *w, const struct ld_want *want, struct ld_mapped *ret);

/* walk.c: fills w->list from the members given. */
void ld_walk_needs(struct ld_work *w, const uint32_t *first, size_t n);

/* tunables.c */
/* The number that GLIBC_TUNABLES gives to a name, where it lies between the two; else `otherwise`.
 */
uint64_t ld_tunable(const struct wy_host *host, const char *name, uint64_t least, uint64_t most,
                    uint64_t otherwise);

/* versions.c */
/* The first in load order that has the name as its path or has learned it: its SONAME alone does
 * not count (_dl_name_match_p). LD_NONE: none. */
uint32_t ld_named(const struct ld_work *w, const struct ld_name *name);
/* The object's name in messages: the program's is what it was started as. */
const char *ld_shown(const struct ld_work *w, const struct wy_object *o);
void ld_check_versions(struct ld_work *w);

/* order.c: new objects in the order of relocation; caller frees *ret. */
void ld_sort(const struct ld_work *w, uint32_t **ret, size_t *n);

/* tls.c */
void ld_tls_start(struct ld_work *w);
/* Room for the block of an object; true also when it has it, or has no variables. */
bool ld_tls_take(struct ld_work *w, struct ld_member *m, bool optional);
uint64_t ld_tls_after_failure(const struct ld_work *w);

/* scope.c */
struct ld_place {
    const struct wy_symtab *table;
    const struct wy_object *object;
};
/* Where names are looked for, in order, each object once. */
struct ld_scope {
    const struct wy_object *root;
    WY_VEC(struct ld_place) places;
};
/* The scope of a new object; kept until ld_scopes_free. */
const struct ld_scope *ld_scope_for(struct ld_work *w, const struct wy_object *o);
void ld_scopes_free(struct ld_work *w);
const struct ld_list_of_objects *ld_keep_list(struct ld_work *w, const uint32_t *ids, size_t n);
void ld_promote(struct ld_work *w);

/* lookup.c */
struct ld_wanted {
    struct ld_work *w;
    const struct wy_symbol_key *key;
    const struct wy_symbol_version *version; /* NULL: any */
    bool plt, copy;                          /* class of the reference: see enum wy_use */
    const struct ld_place *own; /* of an object that looks at itself first; else NULL */
};
enum ld_lookup_result { LD_UNDEFINED, LD_FOUND, LD_ABORT };
/* *ret: the object that defines it, or whose lack of versions makes the loader abort. */
enum ld_lookup_result ld_lookup(const struct ld_wanted *k, const struct ld_scope *scope,
                                const struct wy_object **ret);

/* relocate.c */
const struct wy_image_symbols *ld_symbols(struct wy_ld *ld, struct ld_image *im);
/* Whether the object has learned that name, or has it as its path. */
bool ld_answers(struct ld_work *w, const struct wy_object *o, const char *name);
void ld_relocate(struct ld_work *w);
/* Whether functions of the object are bound when they are called. */
bool ld_binds_later(const struct ld_work *w, const struct wy_object *o);
struct wy_problem ld_undefined(struct ld_work *w, const struct wy_object *o,
                               const struct wy_ref *r);

/* unbound.c: fills w->unbound, when a program was started. */
void ld_find_unbound(struct ld_work *w);

/* check.c: what is judged when everything is mapped. */
void ld_check(struct ld_work *w);

/* process.c */
const struct wy_process *ld_commit(struct ld_work *w);
const struct wy_process *ld_rollback(struct ld_work *w);

/* open.c: writes what the walk found into w->open. */
void ld_finish(struct ld_work *w);
void ld_glibc_open(struct ld_work *w, struct ld_name *name, const struct wy_object *caller);

/* start.c */
void ld_glibc_start(struct ld_work *w, const struct wy_place *program);
/* What goes wrong before or while the needs are mapped ends the program. */
void ld_fail_start(struct ld_work *w, const char *text);
/* The image of the program's loader; NULL, and a problem, when there is none. */
const struct wy_image *ld_interpreter(struct ld_work *w, const char *interp);

#endif
