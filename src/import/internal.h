/* Parts of the import room: finder.c (names → files), lost.c (files that
 * should be there), run.c (statements → opens), preload.c
 * (records), replay.c (a run used again inside another), modules.c (which imports are listed). */
#ifndef WY_IMPORT_INTERNAL_H
#define WY_IMPORT_INTERNAL_H

#include "base/path.h"
#include "import/import.h"

/* ---- finder ---- */

enum wy_spec_kind {
    WY_SPEC_MISSING,
    WY_SPEC_BUILTIN,   /* compiled into the interpreter, or in memory since its start */
    WY_SPEC_SOURCE,    /* NAME.py or NAME/__init__.py */
    WY_SPEC_BYTECODE,  /* NAME.pyc without its source: not followed */
    WY_SPEC_EXTENSION, /* NAME.SUFFIX.so or NAME/__init__.SUFFIX.so */
    WY_SPEC_NAMESPACE, /* folders without __init__ */
};

struct wy_search_dir { /* one entry of sys.path or of a package's __path__ */
    const char *text;  /* as Python spells it, links not resolved */
    struct wy_dir *dir;
};

/* Where a dotted name leads in this environment. */
struct wy_spec {
    const char *name; /* dotted */
    const char *leaf; /* its last part */
    uint32_t id;      /* index in the importer's specs */
    enum wy_spec_kind kind;
    struct wy_spec *parent;     /* NULL for a top-level name */
    const char *path;           /* the file as Python opens it */
    struct wy_place place;      /* of that file */
    struct wy_search_dir *dirs; /* of a package: its __path__ */
    size_t ndirs;
    const char *foreign; /* MISSING: a file NAME.SUFFIX.so of another Python or machine */
    const char *lost;    /* MISSING, or NAMESPACE with nothing in it: the recorded file that is not
                            on disk */
    bool at_start;       /* in sys.modules before the first statement of -c runs */
    bool source_read;
    struct wy_source_file source; /* read when the module is first run */
    bool bound_known;
    struct wy_map bound; /* name → its first binding that may run (const struct wy_binding *) */
};

/* The spec of a dotted name; its parents are looked up first. Never NULL. */
struct wy_spec *wy_find(struct wy_importer *im, const char *name);
/* A child of a package (MISSING when `parent` is none). */
struct wy_spec *wy_find_child(struct wy_importer *im, struct wy_spec *parent, const char *leaf);
void wy_finder_init(struct wy_importer *im);
const struct wy_source_file *wy_spec_source(struct wy_importer *im, struct wy_spec *spec);
bool wy_identifier(struct wy_str s);

/* Sets `lost` of a spec that was looked for in these folders and not found, or found empty. */
void wy_spec_find_lost(struct wy_importer *im, struct wy_spec *spec,
                       const struct wy_search_dir *dirs, size_t n);

/* ---- runs ---- */

/* A finished run with what is needed to use it inside another. */
struct wy_ran {
    struct wy_run run;
    bool finished;
    unsigned raises; /* enum wy_exception of the failure; 0 when none, or none can catch it */
    const struct wy_step *steps; /* beside run.events */
    uint32_t *loaded;            /* ids of modules loaded at the end */
    size_t nloaded;
    uint8_t *touched; /* bitmap by id: every module that was looked for */
    size_t ntouched;  /* bits */
};

struct wy_step {   /* how an event was made */
    uint32_t spec; /* id; UINT32_MAX for a preload */
    unsigned mode;
};

struct wy_importer {
    struct wy_world *world;
    struct wy_ld *ld;
    struct wy_source_env source_env;
    struct wy_open start;
    bool started; /* `start` is filled */
    struct wy_search_dir *path;
    size_t npath;
    struct wy_map specs_by_name; /* dotted name → struct wy_spec * */
    WY_VEC(struct wy_spec *) specs;
    struct wy_spec *nothing; /* a name that is nowhere: for names past all limits */
    struct wy_map runs;      /* module → struct wy_ran * */
    struct wy_map states;    /* "a,b" → struct wy_state * */
    uint64_t work;           /* steps of the imports followed so far */
    unsigned depth;          /* modules being run, in all runs that wait for one another */
    const struct wy_listed_module *listed;
    size_t nlisted;
    const struct wy_listed_module *also; /* (c), when asked for */
    size_t nalso;
    bool also_known;
    struct wy_map listed_by_name; /* → const struct wy_listed_module * */
    struct wy_arena arena;
};

struct wy_state { /* a process some modules were imported in */
    const struct wy_process *process;
};

/* What one module does while it runs. */
struct wy_frame {
    struct wy_frame *up;
    struct wy_spec *spec;
    const struct wy_source_file *source;
    uint32_t *left; /* by block: TRY, WITH: 0, or left by an exception: the handler entered, else
                       UINT32_MAX */
    uint32_t block; /* of the current statement */
    unsigned line;
};

enum { WY_IN_PROGRESS = 1, WY_LOADED = 2, WY_UNCERTAIN = 4, WY_TOUCHED = 8 };

struct wy_failure {   /* an exception on its way up */
    size_t event;     /* index in events */
    unsigned kind;    /* enum wy_exception; 0: the process ends, nothing catches it */
    const char *how;  /* "exception", "abort", "signal" */
    const char *type; /* class that reaches the user */
    bool text_known;  /* its text is the event's message */
    const char *at;
};

struct wy_exec {
    struct wy_importer *im;
    const struct wy_process *process;
    struct wy_frame *top;
    unsigned depth;
    uint64_t work;  /* steps so far: hostile sources end at a limit */
    uint8_t *state; /* by spec id */
    size_t nstate;
    WY_VEC(struct wy_event) events;
    WY_VEC(struct wy_step) steps;
    struct wy_failure failure; /* valid while an exception travels */
    const char *reason;        /* why the outcome is not known: the first one */
};

/* Every step that may raise gives false when an exception travels: see exec->failure. */
bool wy_exec_import(struct wy_exec *x, struct wy_spec *spec); /* with its parents */
bool wy_exec_ensure(struct wy_exec *x, struct wy_spec *spec); /* parents are loaded */
uint8_t *wy_exec_state(struct wy_exec *x, const struct wy_spec *spec);
void wy_exec_doubt(struct wy_exec *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct wy_context { /* of the current statement, seen up to what catches `kind` */
    bool caught, maybe;
    bool may_raise_again; /* the handler that catches it raises under a condition */
};
struct wy_context wy_exec_context(struct wy_exec *x, unsigned kind);
enum wy_guard wy_context_guard(struct wy_context c);
/* The current statement fails with the event added last: an exception starts (false), or it is not
 * certain that it does, then the doubt is noted and the module goes on (true). */
bool wy_exec_fail(struct wy_exec *x, struct wy_failure failure);
/* dlopen in the simulated process; adds an event. */
const struct wy_open *wy_exec_open(struct wy_exec *x, const struct wy_spec *spec, const char *path,
                                   unsigned mode, unsigned kind);

/* torch.c: whether a soname is in torch's preload list; and that list opened, where this torch does
 * so once its global dependencies are loaded. */
bool wy_torch_member(const char *soname);
void wy_torch_front_load(struct wy_exec *x, const struct wy_spec *torch);

/* What records say happens just before `spec` is loaded. */
bool wy_exec_preload(struct wy_exec *x, const struct wy_spec *spec);

/* Uses a finished run of `spec` instead of following it again. False when it cannot be used here;
 * else *raised tells whether it ends in an exception. */
bool wy_exec_replay(struct wy_exec *x, struct wy_spec *spec, bool *raised);

struct wy_ran *wy_importer_ran(struct wy_importer *im, const char *module);
void wy_modules_init(struct wy_importer *im);

#endif
