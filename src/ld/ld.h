/* The loader, simulated: a process that opens libraries exactly as glibc would. Specification:
 * docs/loader.md. The real ld.so is the judge of every rule (tests/loader). Needs no Python.
 *
 * A process is a value: opening returns a new state that shares its past, a failed open returns the
 * state from before (with the names it learned), a fork is free. One `struct wy_ld` serves one
 * thread. */
#ifndef WY_LD_LD_H
#define WY_LD_LD_H

#include "host/host.h"

enum wy_found { /* how a file was found: the words of the contract */
                WY_BY_PATH,
                WY_BY_RPATH,
                WY_BY_LD_LIBRARY_PATH,
                WY_BY_RUNPATH,
                WY_BY_CACHE,
                WY_BY_DEFAULT,
                WY_BY_PRELOAD,
                WY_BY_LOADED, /* only in searches: something in memory answers to the name */
};
const char *wy_found_word(enum wy_found f); /* "path", "rpath", "ld_library_path", … */

enum wy_hit { /* what a candidate was */
              WY_HIT_ABSENT,
              WY_HIT_NO_DIRECTORY,
              WY_HIT_UNREADABLE,
              WY_HIT_WRONG_CLASS,
              WY_HIT_WRONG_MACHINE,
              WY_HIT_LOOP,
              WY_HIT_FATAL, /* the loader stops here */
              WY_HIT_TAKEN,
};
const char *wy_hit_word(enum wy_hit h); /* "absent", "no directory", … as in the contract */

/* One object in a process. */
struct wy_object {
    const char *name; /* path it was opened under (glibc's l_name), unnormalised; "" for main */
    const char *requested;      /* name by which it was asked for */
    const struct wy_object *by; /* object whose need or call asked; NULL for main */
    enum wy_found found;
    const struct wy_image *image;
    const struct wy_object
        *loader;        /* whose DT_NEEDED mapped it (l_loader); NULL for roots and main */
    const char *origin; /* what $ORIGIN stands for; NULL when unknown */
    struct wy_object_paths *paths; /* private: its expanded search lists */
};

enum wy_problem_kind {                       /* words: wy_problem_word */
                       WY_P_MISSING_LIBRARY, /* "missing-library" */
                       WY_P_BAD_FILE,        /* "bad-file": the chosen candidate stops the loader */
                       WY_P_WRONG_CLASS, /* "wrong-machine": only files of the other class were seen
                                          */
                       WY_P_WRONG_MACHINE, /* "wrong-machine": only files of another machine were
                                              seen */
                       WY_P_PRELOAD,       /* "preload-ignored" */
                       WY_P_EXEC_STACK,    /* "exec-stack": it asks for one, glibc 2.41 refuses */
                       WY_P_ISA_LEVEL,     /* "isa-level": built for a newer CPU */
                       WY_P_NOEXEC,        /* "noexec-mount": it lies where nothing may be mapped as
                                              code */
                       WY_P_CRASH, /* "bad-file": mapping it would touch a page past the end of the
                                      file */
                       WY_P_MISSING_VERSION,  /* "missing-version": `name` as the version need names
                                                 it, `file` the object that answers to it (NULL: none
                                                 does), `version` what it lacks */
                       WY_P_UNDEFINED_SYMBOL, /* "undefined-symbol": `name` is the symbol, `needer`
                                                 and `file` the object that refers to it */
                       WY_P_STATIC_TLS, /* "static-tls": `file` owns variables that must lie at a
                                           fixed place, and there is no room left */
                       WY_P_NO_VERSION, /* "no-version": as above, but only a line on stderr at
                                           program start, no failure */
};
const char *wy_problem_word(enum wy_problem_kind k);

/* One thing the loader met that stops (or would stop) an open. */
struct wy_problem {
    enum wy_problem_kind kind;
    const char *name;               /* the wanted name (soname or path) */
    const struct wy_object *needer; /* whose need; NULL: the request itself */
    const char *file;               /* path of the offending file, NULL when nothing was found */
    const char *version;            /* of missing-version and undefined-symbol, else NULL */
    bool aborts;                    /* the loader ends the process in place of failing the open */
    const char *message;            /* what the loader would print if this were the first problem */
};

enum wy_outcome { WY_OPEN_OK, WY_OPEN_ERROR, WY_OPEN_ABORT, WY_OPEN_CRASH };

struct wy_resolved { /* a need served by what was already there */
    const char *requested;
    const struct wy_object *by, *object;
};

enum wy_mode { WY_LAZY = 1, WY_NOW = 2, WY_NOLOAD = 4, WY_DEEPBIND = 8, WY_GLOBAL = 0x100 };

struct wy_process;
struct wy_open {
    const char *request;
    enum wy_outcome outcome;
    const char *message;             /* dlerror() text, byte for byte; NULL when ok */
    const struct wy_object *object;  /* the object opened; NULL when it fails, or when WY_NOLOAD
                                        was given and it is not in memory: that is no failure */
    const struct wy_object **mapped; /* newly mapped, in load order; empty when it fails */
    size_t nmapped;
    struct wy_resolved *resolved;
    size_t nresolved;
    struct wy_problem *problems; /* all of them, in the loader's order; [0] gave the message */
    size_t nproblems;
    /* Of a program's start: functions that it binds when they are called, and that nothing has. Not
     * a failure: the process ends when one is called, and `message` is what is printed then. */
    struct wy_problem *unbound;
    size_t nunbound;
    const struct wy_process *after; /* the state afterwards */
    bool given_up; /* nothing was done: all opens together took as much work as they may. Neither ok
                      nor a failure, though `outcome` says ok and `after` is the state before. */
};

struct wy_ld;
/* The host must have its program set. Borrowed; must outlive it. Caller owns *ret. */
struct wy_ld *wy_ld_create(struct wy_host *host);
void wy_ld_destroy(struct wy_ld *ld);
struct wy_host *wy_ld_host(struct wy_ld *ld);

/* How far an open is followed; each includes the one before. Set it before the first start or open:
 * both are remembered. */
enum wy_ld_depth { WY_LD_RESOLVE, WY_LD_VERSIONS /* the default */, WY_LD_SYMBOLS };
void wy_ld_set_depth(struct wy_ld *ld, enum wy_ld_depth depth);

/* The program is started by its loader ("ld.so PROG"), not by the kernel: its $ORIGIN is then of
 * the path as given, links not followed, up to glibc 2.41. Set it before the start. */
void wy_ld_set_explicit(struct wy_ld *ld, bool is);

/* Starts the program `path` (absolute, inside the tree; links allowed): main, preloads, needs
 * breadth-first. The request of *ret is the path; on failure `message` is what the loader prints on
 * stderr, all lines, and `after` is NULL. Everything returned lives as long as `ld`. */
void wy_ld_start(struct wy_ld *ld, const char *path, struct wy_open *ret);

/* dlopen(request, mode) called from `caller` (NULL: main). Memoised by (state, request, mode,
 * caller). */
const struct wy_open *wy_ld_open(struct wy_ld *ld, const struct wy_process *state,
                                 const char *request, unsigned mode,
                                 const struct wy_object *caller);

/* Objects in load order; main first. */
size_t wy_process_count(const struct wy_process *p);
const struct wy_object *wy_process_at(const struct wy_process *p, size_t i);
/* The object that answers to `name` (path, learned name or SONAME), or NULL. */
const struct wy_object *wy_process_named(const struct wy_process *p, const char *name);

/* Whether what the objects of `b` took of the reserve for thread-local variables since the
 * program's start would not fit into what `a` has left of it. An upper bound: objects that both
 * have count. */
bool wy_process_tls_exceeds(const struct wy_process *start, const struct wy_process *a,
                            const struct wy_process *b);

/* Every place where the loader looks for `name` needed by `needer` (NULL: dlopen from main), in
 * order, up to and with the one it takes or stops at. For explanations: not fast. */
struct wy_search_step {
    const char *place; /* directory as it is tried, or the cache file's path */
    enum wy_found by;
    const struct wy_object *of; /* whose RPATH or RUNPATH; NULL for others */
    int entry;                  /* 1-based element of that list; 0 where it has none */
    enum wy_hit result;
    const char *file; /* the candidate's path where one exists, else NULL */
};
struct wy_search {
    struct wy_search_step *steps;
    size_t n;
    const char *taken; /* path of the file the loader takes; NULL when none */
};
void wy_ld_search(struct wy_ld *ld, const struct wy_process *state, const char *name,
                  const struct wy_object *needer, struct wy_search *ret);

/* The same, as if nothing in memory answered to the name; and, by flags, as if LD_LIBRARY_PATH were
 * not set, or no list led to the working directory. */
enum wy_search_without { WY_WITHOUT_LIBRARY_PATH = 1, WY_WITHOUT_CWD = 2 };
void wy_ld_search_fresh(struct wy_ld *ld, const struct wy_process *state, const char *name,
                        const struct wy_object *needer, unsigned without, struct wy_search *ret);

/* Whether an image asks for an executable stack, and whether dlopen of this C library refuses it.
 */
bool wy_ld_wants_exec_stack(const struct wy_image *image);
bool wy_ld_refuses_exec_stack(const struct wy_host *host);

/* Can an image be mapped by dlopen? NULL when it can. Else the loader's text after "OBJ: ", and in
 * *hit whether it is skipped or fatal (facts in docs/loader.md, A5). `main_program` relaxes what
 * only dlopen refuses. */
const char *wy_ld_refuses(const struct wy_host *host, const struct wy_image *image,
                          bool main_program, enum wy_hit *hit);

#endif
