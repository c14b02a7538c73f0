/* Parts of the import room: finder.h (names → files: finder.c, paths.c, zips.c, lost.c), ahead.c
 * (files read on other threads), importer.c (one process for each import), startup.c (what runs
 * before it), modules.c (which imports are listed); and the abstract interpreter: value.c, table.c,
 * store.c (values), eval.c … call.c (expressions), exec.c … try.c (statements), guards.c (doubts
 * and exceptions), importing.c, absent.c, extension.c, replay.c, opening.c, guess.c (modules and
 * libraries), known_*.c (what is known by name), unbound.c (functions that the interpreter lacks).
 */
#ifndef WY_IMPORT_INTERNAL_H
#define WY_IMPORT_INTERNAL_H

#include "base/path.h"
#include "import/finder.h"

/* ---- the importer ---- */

/* A finished import in a process of its own. */
struct wy_ran {
    struct wy_run run;
};

struct wy_state { /* a process some modules were imported in */
    const struct wy_process *process;
};

/* Names that the rules ask for. */
#define WY_NAMES(X)                                                                                \
    X(all, "__all__")                                                                              \
    X(getattr, "__getattr__")                                                                      \
    X(name, "__name__")                                                                            \
    X(file, "__file__")                                                                            \
    X(path, "__path__")                                                                            \
    X(package, "__package__")                                                                      \
    X(spec, "__spec__")                                                                            \
    X(doc, "__doc__")                                                                              \
    X(dict, "__dict__")                                                                            \
    X(class, "__class__")                                                                          \
    X(init, "__init__")                                                                            \
    X(new, "__new__")                                                                              \
    X(call, "__call__")                                                                            \
    X(enter, "__enter__")                                                                          \
    X(exit, "__exit__")                                                                            \
    X(init_subclass, "__init_subclass__")                                                          \
    X(bool_, "__bool__")                                                                           \
    X(len, "__len__")                                                                              \
    X(iter, "__iter__")                                                                            \
    X(getitem, "__getitem__")                                                                      \
    X(module, "__module__")                                                                        \
    X(qualname, "__qualname__")                                                                    \
    X(metaclass, "metaclass")                                                                      \
    X(args, "args")                                                                                \
    X(mode, "mode")                                                                                \
    X(underscore, "_")                                                                             \
    X(type_checking, "TYPE_CHECKING")

struct wy_names {
#define X(field, text) const char *field;
    WY_NAMES(X)
#undef X
};

/* Sources of which functions were read, for those called next: opening one costs as much as reading
 * a hundred functions. */
enum { WY_OPEN_SOURCES = 64 };
struct wy_open_source {
    const struct wy_entry *entry; /* NULL: none */
    struct wy_file *file;
};

struct wy_importer {
    struct wy_world *world;
    struct wy_ld *ld;
    struct wy_open start;
    bool started;                  /* `start` is filled; its `after` is behind startup.c */
    const struct wy_event *before; /* what that opened */
    size_t nbefore;
    const char *unsure;         /* why no outcome is known but a failure: see unbound.c; NULL */
    WY_VEC(const char *) hooks; /* .pth files that were not followed to the end */
    bool hooked;                /* code has added a finder of its own */
    WY_VEC(struct wy_path *) paths;
    WY_VEC(struct wy_archive *) archives;
    bool elsewhere;              /* some name led elsewhere by another path */
    struct wy_exec *exec;        /* the run under way; NULL */
    struct wy_map specs_by_name; /* dotted name → struct wy_spec * */
    WY_VEC(struct wy_spec *) specs;
    struct wy_spec *nothing;  /* a name that is nowhere: for names past all limits */
    struct wy_map runs;       /* module → struct wy_ran * */
    struct wy_map states;     /* "a,b" → struct wy_state * */
    uint64_t work;            /* steps of the imports followed so far */
    uint32_t nruns, nrunning; /* imports, and runs of modules, so far */
    const struct wy_listed_module *listed;
    size_t nlisted;
    const struct wy_listed_module *also; /* (c), when asked for */
    size_t nalso;
    bool also_known;
    struct wy_map listed_by_name; /* → const struct wy_listed_module * */
    struct wy_common *common;     /* of the names of all threads that read */
    struct wy_intern names;
    struct wy_ahead *ahead; /* NULL: files are read when asked for */
    struct wy_names n;
    struct wy_map known;        /* prefix → struct wy_table * of what is known below it */
    struct wy_table *builtins;  /* known below "builtins" */
    struct wy_table exceptions; /* built-in classes of exceptions */
    struct wy_table environ;    /* variables that code has set */
    struct wy_list sys_path;
    bool sys_path_open; /* as it was at the start */
    WY_VEC(struct wy_unfollowed) unfollowed;
    WY_VEC(struct wy_entry_point) entry_points; /* of all distributions, when something asks */
    bool entry_points_read;
    struct wy_arena text;                                /* of the source in hand */
    struct wy_open_source open_sources[WY_OPEN_SOURCES]; /* by a hash of the entry */
    struct wy_binding *spare_bindings;                   /* of calls that are over */
    struct wy_call_scope *spare_scopes;
    WY_VEC(struct wy_method *) spare_methods;
    struct wy_arena arena;
};

struct wy_ran *wy_importer_ran(struct wy_importer *im, const char *module);
void wy_modules_init(struct wy_importer *im);
void wy_startup(struct wy_importer *im); /* startup.c */

/* ---- unbound.c ---- */

struct wy_exec;
void wy_unbound_init(struct wy_importer *im);
/* A module compiled into the interpreter begins: fails when it calls what no library has. */
void wy_exec_calls_unbound(struct wy_exec *x, const struct wy_spec *spec);

/* ---- one run ---- */

enum { WY_IN_PROGRESS = 1, WY_LOADED = 2 };

/* An exception on its way. */
struct wy_exception {
    struct wy_class *class_;
    struct wy_value value;   /* the instance, or UNKNOWN */
    const char *text;        /* NULL when it is not computed */
    const char *name, *path; /* of an ImportError: what could not be imported; else NULL */
    size_t event;            /* of the failure it comes from; SIZE_MAX: it is only known on paper */
    bool unnamed;            /* its class is not known */
    bool unchained;          /* raised when that failure was over: no traceback shows it */
    const struct wy_exception *around; /* handled when this one is */
    const char *how;                   /* "exception"; "abort", "signal": nothing catches it */
    const char *at;                    /* path of the extension that fails, or of the source */
};

struct wy_frame;

/* What stands around the current statement and may stop an exception. */
struct wy_guarded {
    struct wy_guarded *up;
    enum {
        WY_AROUND_TRY,
        WY_AROUND_SUPPRESS,
        WY_AROUND_ARM,
        WY_AROUND_BODY, /* of a module: stops nothing */
    } kind;
    struct wy_frame *frame;
    const struct wy_stmt *stmt; /* TRY */
    struct wy_value types;      /* SUPPRESS */
    bool constant;              /* ARM: around an import that a constant of an extension names */
};

/* A call, or a module or class whose body is run. */
struct wy_frame {
    struct wy_frame *up;
    struct wy_scope *scope;
    struct wy_func *function; /* NULL at module or class level */
    struct wy_class *class_;  /* whose body it is; NULL */
    uint32_t line;
    struct wy_value self;      /* first argument, for super() */
    struct wy_value result;    /* of return */
    struct wy_list *yields;    /* NULL: no generator */
    size_t caught;             /* the failure that one of its handlers took last, plus one; or 0 */
    bool doubtful;             /* a guard that is not known may have ended the function before */
    uint32_t returned_perhaps; /* … by so many returns */
    bool skipped_calls;        /* … and calls may have been made that were passed over */
    struct wy_guarded doubt;
};

/* A part of the program that may run or not. What it binds is undone behind it and merged. */
struct wy_change {
    struct wy_table *table;
    struct wy_binding *binding;
    struct wy_value value; /* before; once the arm is over: behind it */
};
struct wy_arm {
    struct wy_arm *up;
    uint32_t id;
    WY_VEC(struct wy_change) changes;
};

/* What the run of a module did to the world: done again when it is imported in another process. */
enum wy_step_kind {
    WY_STEP_IMPORT,
    WY_STEP_OPEN,
    WY_STEP_BIND,
    WY_STEP_LIST,
    WY_STEP_LOADED,
    WY_STEP_ALIAS,
    WY_STEP_MODE,
    WY_STEP_DOUBT
};
struct wy_step {
    uint8_t kind;
    bool maybe;
    bool answer; /* LOADED: whether it was; IMPORT: whether it raised what was then caught */
    uint32_t line;
    const char *file; /* of the statement */
    union {
        struct wy_spec *spec;       /* IMPORT, LOADED, ALIAS */
        const char *text;           /* OPEN: path; DOUBT: reason */
        struct wy_binding *binding; /* BIND */
        struct wy_list *list;       /* LIST */
    };
    union {
        struct {
            const struct wy_object *caller;
            unsigned mode;
        };                           /* OPEN; MODE: mode alone */
        struct wy_value value;       /* ALIAS, BIND */
        const struct wy_list *after; /* LIST */
    };
};
struct wy_log {
    struct wy_step *v;
    size_t n;
    uint32_t path;               /* id of sys.path when the module began */
    bool fails;                  /* with what its last step raises */
    const struct wy_dist *blind; /* as of `wy_running` */
};

struct wy_running { /* a module whose body is run */
    struct wy_running *up;
    struct wy_module *module;
    WY_VEC(struct wy_step) steps;
    uint32_t id;
    bool again;        /* from its log: not written down */
    uint32_t failures; /* of the loader, so far */
    bool failed;       /* one of them for certain, if the module runs */
    uint32_t maybe;    /* of the run when it began */
    uint32_t path;     /* id of sys.path then */
    const struct wy_dist
        *blind; /* the code of that distribution opened a library that is not known */
};

struct wy_undo { /* what this run changed in objects of modules that others share */
    struct wy_binding *binding;
    struct wy_value value;
    struct wy_list *list, before;
};

struct wy_exec {
    struct wy_importer *im;
    const struct wy_process *process;
    struct wy_running *running; /* innermost first */
    struct wy_frame *frame;
    struct wy_guarded *guards;
    struct wy_arm *arm;
    uint32_t arms;    /* made so far */
    uint32_t maybe;   /* uncertain parts around the current statement */
    uint32_t run;     /* number of this run */
    unsigned depth;   /* modules being run */
    unsigned nesting; /* of expressions, statements and calls */
    unsigned calls;   /* being followed */
    uint64_t cuts;    /* times that something was not followed */
    uint64_t work;    /* steps so far: hostile sources end at a limit */
    bool stop;        /* the limit is reached: nothing is followed any more */
    uint8_t *state;   /* by spec id */
    size_t nstate;
    WY_VEC(struct wy_event) events;
    WY_VEC(struct wy_undo) undo;
    WY_VEC(const struct wy_dist *) blind; /* whose code opened libraries that are not known */
    unsigned dlopen_flags;                /* of imports of extensions */
    const struct wy_spec *failed;         /* while an exception travels: the module it left last */
    const struct wy_method *fresh; /* made by the attribute evaluated last, and kept nowhere */
    bool raising;
    struct wy_exception raised;          /* valid while it travels */
    const struct wy_exception *handling; /* whose handler is run; NULL */
    const char *reason;                  /* why the outcome is not known: the first one */
};

uint8_t *wy_exec_state(struct wy_exec *x, const struct wy_spec *spec);
void wy_exec_begin(struct wy_exec *x, struct wy_importer *im);
void wy_exec_end(struct wy_exec *x);

/* ---- guards.c: doubts, limits, uncertain parts, exceptions ---- */

void wy_exec_doubt(struct wy_exec *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *wy_exec_file(const struct wy_exec *x); /* of the current statement; NULL: the request */
uint32_t wy_exec_line(const struct wy_exec *x);
/* One more step: false when the run is over its limits, or `nesting` is. */
bool wy_exec_step(struct wy_exec *x);

enum wy_catcher { WY_NOBODY, WY_CAUGHT_HERE, WY_CAUGHT_PERHAPS /* or beyond an uncertain part */ };
enum wy_catcher wy_exec_catcher(struct wy_exec *x, const struct wy_class *c);
/* Whether a handler of a try statement, or what suppress() was given, takes such an exception. */
enum wy_truth wy_handler_takes(struct wy_exec *x, struct wy_value types, const struct wy_class *c);
/* An exception that is only known on paper: it travels when something catches it. */
void wy_exec_raise(struct wy_exec *x, struct wy_class *c, struct wy_value value, const char *text);
void wy_exec_raise_named(struct wy_exec *x, const char *class_name, const char *text);
void wy_exec_raise_paper(struct wy_exec *x, struct wy_exception e); /* its value is made */
void wy_exec_travel(struct wy_exec *x, struct wy_exception e); /* one that comes from a failure */
/* A failure that was caught before ends in another exception after all. */
void wy_exec_reraise(struct wy_exec *x, struct wy_exception e);
/* The event added last is a failure. */
void wy_exec_fail(struct wy_exec *x, struct wy_exception e);

/* The rest of this function runs only if a condition that is not known lets it. */
void wy_exec_doubtful(struct wy_exec *x);
void wy_guards_restore(struct wy_exec *x, struct wy_guarded *guards); /* behind a try or with */

/* An exception has left a part that may not run at all: it ends there. */
void wy_exec_absorb(struct wy_exec *x);

void wy_arm_begin(struct wy_exec *x, struct wy_arm *arm);
void wy_arm_end(struct wy_exec *x, struct wy_arm *arm); /* what it bound is undone, noted in arm */
void wy_arms_merge(struct wy_exec *x, struct wy_arm *a, struct wy_arm *b); /* b may be NULL */

/* opening.c: that code has opened something unknown, perhaps what is missing later. */
void wy_exec_blind(struct wy_exec *x, const struct wy_dist *by);

/* ---- store.c: every change goes through here ---- */

void wy_bind(struct wy_exec *x, struct wy_table *t, const char *name, struct wy_value v);
void wy_bind_key(struct wy_exec *x, struct wy_table *t, struct wy_value key, struct wy_value v);
void wy_list_append(struct wy_exec *x, struct wy_list *l, struct wy_value v);
void wy_list_replace(struct wy_exec *x, struct wy_list *l, const struct wy_list *with);
void wy_list_open(struct wy_exec *x, struct wy_list *l);
void wy_lose(struct wy_exec *x, struct wy_value v); /* code that is not followed may change it */
void wy_log_step(struct wy_exec *x, struct wy_step step);

/* ---- eval.c, operators.c, attribute.c, call.c, exec.c … ---- */

struct wy_value wy_eval(struct wy_exec *x, const struct wy_expr *e);
struct wy_value wy_name_value(struct wy_exec *x, const char *name);
void wy_capture(struct wy_scope *s); /* a function made there may look names up later */
struct wy_value wy_unary(struct wy_exec *x, enum wy_op op, struct wy_value v);
struct wy_value wy_binary(struct wy_exec *x, enum wy_op op, struct wy_value a, struct wy_value b);
enum wy_truth wy_relation(struct wy_exec *x, enum wy_op op, struct wy_value a, struct wy_value b);
enum wy_truth wy_contains(struct wy_exec *x, struct wy_value in, struct wy_value v);
struct wy_value wy_attribute(struct wy_exec *x, struct wy_value of, const char *name);
/* As hasattr would find it: UNBOUND when it is not there, UNKNOWN when that is not known. */
struct wy_value wy_find_attribute(struct wy_exec *x, struct wy_value of, const char *name);
struct wy_value wy_module_attribute(struct wy_exec *x, struct wy_module *m, const char *name);
struct wy_value wy_class_find(const struct wy_class *c, const char *name); /* UNBOUND: not there */
bool wy_class_open(const struct wy_class *c);
bool wy_class_below(const struct wy_class *c, const struct wy_class *base);
struct wy_value wy_subscript(struct wy_exec *x, struct wy_value of, struct wy_value index);
struct wy_value wy_slice(struct wy_exec *x, struct wy_value of, const struct wy_expr *slice);
void wy_store_slice(struct wy_exec *x, struct wy_value of, const struct wy_expr *slice,
                    struct wy_value v);
void wy_store_item(struct wy_exec *x, struct wy_list *l, int64_t at,
                   struct wy_value v); /* UNBOUND: taken out */
struct wy_value wy_copy_sequence(struct wy_exec *x, struct wy_value of,
                                 bool open); /* of a sequence */
struct wy_value wy_binding_key(const struct wy_binding *b);
/* The items of something that can be gone through; false when it is not known at all. `*open` tells
 * whether there may be more. */
bool wy_items(struct wy_exec *x, struct wy_value of, struct wy_list *ret);
struct wy_value wy_comprehend(struct wy_exec *x, const struct wy_expr *e);
struct wy_value wy_call(struct wy_exec *x, struct wy_value f, const struct wy_args *args);
struct wy_value wy_call_expr(struct wy_exec *x, const struct wy_expr *e);
struct wy_value wy_follow(struct wy_exec *x, struct wy_func *f, const struct wy_args *args);
/* What decorators make of a function or class: where that is not known, it stays what it is. */
struct wy_value wy_decorate(struct wy_exec *x, const struct wy_exprs *decorators,
                            struct wy_value v);
struct wy_value wy_instantiate(struct wy_exec *x, struct wy_class *c, const struct wy_args *args);
struct wy_value wy_argument(const struct wy_args *a, uint32_t i, const char *interned_name);

enum wy_flow { WY_NEXT, WY_BREAK, WY_CONTINUE, WY_RETURN, WY_RAISE };
enum wy_flow wy_run_body(struct wy_exec *x, const struct wy_body *body);
enum wy_flow wy_run_try(struct wy_exec *x, const struct wy_stmt *s);
enum wy_flow wy_run_with(struct wy_exec *x, const struct wy_stmt *s);
enum wy_flow wy_run_raise(struct wy_exec *x, const struct wy_stmt *s);
void wy_forget_import(struct wy_exec *x, const struct wy_stmt *s); /* its names are unknown */
enum wy_flow wy_run_if(struct wy_exec *x, const struct wy_stmt *s);
enum wy_flow wy_run_loop(struct wy_exec *x, const struct wy_stmt *s);
enum wy_flow wy_run_match(struct wy_exec *x, const struct wy_stmt *s);
void wy_run_class(struct wy_exec *x, const struct wy_stmt *s);
/* known_dataclasses.c: false when the __init__ of that instance is not one of those. */
bool wy_dataclass_init(struct wy_exec *x, struct wy_value self, const struct wy_args *a);
void wy_run_def(struct wy_exec *x, const struct wy_stmt *s);
void wy_assign(struct wy_exec *x, const struct wy_expr *target, struct wy_value v);
void wy_set_attribute(struct wy_exec *x, struct wy_value of, const char *name, struct wy_value v);
void wy_update(struct wy_exec *x, struct wy_table *t, struct wy_value with); /* dict.update */
void wy_bind_name(struct wy_exec *x, const char *name, struct wy_value v);

/* ---- absent.c ---- */

/* The text of the ImportError for a name that a module does not have. */
const char *wy_exec_cannot_import(struct wy_exec *x, const struct wy_spec *from, const char *name);
/* Fails for the file at `path`, by the statement under way. `why`, behind the file's name, or NULL:
 * what is wrong with a source that is there. `message` NULL: not computed. */
void wy_exec_fail_known(struct wy_exec *x, const struct wy_spec *spec, const char *path,
                        const char *message, const char *class_name, const char *why);
/* The same when the module's file is not what was installed; else false, and nothing happens. */
bool wy_exec_fail_altered(struct wy_exec *x, struct wy_spec *spec, const char *message,
                          const char *class_name);
/* A name that a module of a package with sources of two versions may not have: the outcome is not
 * known. False: it is none. */
bool wy_exec_doubt_mixed(struct wy_exec *x, struct wy_spec *spec, const char *message,
                         const char *class_name);
/* An attribute that a module does not have: fails when its file was altered, else false. */
bool wy_exec_lacks(struct wy_exec *x, const struct wy_module *m, const char *name);
/* `import NAME` of what is not there. */
void wy_exec_not_found(struct wy_exec *x, const struct wy_spec *spec);

/* ---- importing.c ---- */

void wy_run_import(struct wy_exec *x, const struct wy_stmt *s);
void wy_run_from(struct wy_exec *x, const struct wy_stmt *s);
struct wy_module *wy_spec_module(struct wy_importer *im, struct wy_spec *spec);
void wy_module_describe(struct wy_importer *im, struct wy_module *m); /* __name__, __path__ … */
struct wy_value wy_module_value(struct wy_exec *x, struct wy_spec *spec);
struct wy_value wy_named_module(struct wy_exec *x, struct wy_spec *spec); /* also os.path */
/* `import NAME` with its parents; false when it raises. */
bool wy_exec_import(struct wy_exec *x, struct wy_spec *spec);
bool wy_exec_ensure(struct wy_exec *x, struct wy_spec *spec); /* parents are loaded */
/* The spec a name means, seen from the module of the current statement; NULL above the top. */
struct wy_spec *wy_relative(struct wy_exec *x, struct wy_module *from, const char *name,
                            unsigned level);
/* importlib.import_module of a constant name. */
struct wy_value wy_import_named(struct wy_exec *x, struct wy_str name);
/* Of a package that is loaded, the modules among these names (importlib, _handle_fromlist). */
void wy_import_submodules(struct wy_exec *x, struct wy_spec *package, struct wy_value names);
/* The module that runs asks for this one: noted once; and again when it raised. */
void wy_log_import(struct wy_exec *x, struct wy_spec *spec, bool raised);
/* Runs the body of a module, or uses its log. */
void wy_run_source(struct wy_exec *x, struct wy_module *m, const struct wy_place *place);
/* Uses the log of a module. False: it has to be run. */
bool wy_exec_replay(struct wy_exec *x, struct wy_module *m);
/* What records say of a module, once it is loaded; and what constants of an extension name. */
void wy_exec_records(struct wy_exec *x, struct wy_spec *spec);
/* Whether a module without a file is made by one that was imported. */
bool wy_exec_provided(struct wy_exec *x, const struct wy_spec *spec);
void wy_exec_extension_imports(struct wy_exec *x, struct wy_spec *spec);
/* Whether the distribution asks for that package here. */
bool wy_requires(struct wy_importer *im, const struct wy_dist *d, const char *key);
/* Whether the running module and this extension are of one mypyc group, whose library begins it
 * without opening its file. */
bool wy_exec_in_group(struct wy_exec *x, struct wy_spec *spec);

/* ---- opening.c ---- */

/* dlopen in the simulated process; adds an event, and fails as `class_name` if it fails. `module`
 * is the dotted name of an extension. */
bool wy_exec_open(struct wy_exec *x, const struct wy_spec *spec, const char *path, unsigned mode,
                  const struct wy_object *caller, const char *class_name);
/* The current statement opens a library whose path is not known: guess.c opens what a constant of
 * the same file names. False: nothing. */
bool wy_exec_guess(struct wy_exec *x, unsigned mode);
/* The current statement loads something by a name that is not known. */
void wy_exec_unfollowed(struct wy_exec *x, const char *does);
void wy_exec_unfollowed_open(struct wy_exec *x, const char *does); /* … a library */
/* The extension that was opened last: false, and ImportError, when it has no function that makes a
 * module of its name. */
bool wy_exec_has_init(struct wy_exec *x, const struct wy_spec *spec);

/* ---- known things ---- */

void wy_known_init(struct wy_importer *im);
const struct wy_table *wy_known_below(const struct wy_importer *im, const char *prefix);
struct wy_value wy_known_value(struct wy_exec *x, const struct wy_known *k);
struct wy_value wy_builtin(struct wy_exec *x, const char *name); /* UNBOUND: no such builtin */
enum wy_truth wy_known_contains(struct wy_exec *x, const struct wy_known *k, struct wy_value v);
struct wy_value wy_known_subscript(struct wy_exec *x, const struct wy_known *k,
                                   struct wy_value index);
/* Assigns to a name of the tables that code may change: sys.path. False: it is none. */
bool wy_known_set(struct wy_exec *x, struct wy_value known, struct wy_value v);
void wy_known_store(struct wy_exec *x, const struct wy_known *k, struct wy_value index,
                    struct wy_value v);
/* X.dlopen(path) of something unknown (cffi). */
struct wy_value wy_dlopen_call(struct wy_exec *x, const struct wy_args *a);
struct wy_class *wy_exception_class(struct wy_importer *im, const char *name);

/* ---- exception.c ---- */

/* What BaseException.__init__ and ImportError.__init__ bind. */
void wy_exception_init(struct wy_exec *x, struct wy_value v, const struct wy_list *args);
/* The instance that Python makes of it. */
struct wy_value wy_exception_value(struct wy_exec *x, const struct wy_exception *e);
/* Adds str() or repr() of an instance; false when it is not known. */
bool wy_exception_print(struct wy_exec *x, struct wy_buf *b, struct wy_value v, bool quoted);
/* str() in the arena; NULL when it is not known. */
const char *wy_exception_text(struct wy_exec *x, struct wy_value v);

#endif
