/* Python's import machinery, followed on paper: which extension modules and libraries `import M`
 * opens, in which order, and what the loader says to each. Sources are followed by a small abstract
 * interpreter whose values may be unknown; it ends in a series of opens in a simulated process. */
#ifndef WY_IMPORT_IMPORT_H
#define WY_IMPORT_IMPORT_H

#include "ld/ld.h"
#include "world/world.h"

enum wy_guard {            /* how sure it is that something is opened, and what its failure does */
                WY_MUST,   /* certain; a failure ends the import */
                WY_MAYBE,  /* it stands below a condition that is not known */
                WY_CAUGHT, /* certain; a failure is swallowed */
};

enum wy_run_outcome { WY_RUN_OK, WY_RUN_FAILS, WY_RUN_UNKNOWN };

/* One extension or library opened while an import runs. */
struct wy_event {
    const char *module;               /* dotted name for extensions, NULL for a preload */
    const char *path;                 /* the file as it is opened */
    const struct wy_library *library; /* in the world, or NULL (standard library) */
    const struct wy_open
        *open;           /* what the loader did; NULL when it never got there (no such module) */
    const char *message; /* open->message; a Python text when open is NULL, or when the file loads
                            and is not the module that its name promises; else NULL */
    const char *altered; /* what is wrong with `path`, a source file that is not as it was
                            installed, behind its name; NULL */
    enum wy_guard guard; /* MUST, MAYBE or CAUGHT: of the whole chain that led here */
    const char *file;    /* source file and line of the statement, NULL for the request itself */
    unsigned line;
    uint32_t within; /* index + 1 of the failure that was handled when this one came; 0: none */
};

/* Code that an import runs and that loads something by a name made at run time. */
struct wy_unfollowed {
    const char *does; /* "ctypes.CDLL" … */
    const char *file; /* of the package whose statement it is; else the innermost one */
    unsigned line;
};

struct wy_run {
    const char *module;
    const struct wy_dist *dist; /* its distribution, or NULL */
    enum wy_run_outcome outcome;
    const char *how;     /* "exception" | "abort" | "signal", "exit" when the interpreter does not
                            start, or calls what no library has; NULL unless it fails */
    const char *message; /* innermost loader text when it fails */
    const char *raised_type, *raised_text; /* what reaches the user; text NULL when not computed */
    const char *at;               /* path of the extension that fails, or of the source line */
    const char *reason;           /* why unknown */
    const struct wy_event *fatal; /* the event that ends the import, or NULL */
    struct wy_event *events;      /* everything opened, in order */
    size_t nevents;
    const struct wy_process *after;
};

struct wy_importer;
/* Both borrowed. Starts the interpreter once; `started` tells how that went. */
struct wy_importer *wy_importer_create(struct wy_world *w, struct wy_ld *ld);
/* From now on files that the listed modules may ask for are read on so many threads beside the
 * caller's. No result depends on it. */
void wy_importer_read_ahead(struct wy_importer *im, unsigned threads);
void wy_importer_destroy(struct wy_importer *im);
const struct wy_open *wy_importer_start(const struct wy_importer *im); /* the program's start */

/* `python -c "import M"` in a fresh process. Memoised. Never NULL: an unknown module gives a run
 * that is unknown with a reason. */
const struct wy_run *wy_importer_run(struct wy_importer *im, const char *module);

/* Where imports followed so far loaded something by a name that is not known; each statement once,
 * in order of meeting. */
const struct wy_unfollowed *wy_importer_unfollowed(const struct wy_importer *im, size_t *n);

/* .pth files whose code was not followed to its end when the interpreter started, or makes Python
 * find modules in a way of its own, in the order of the environment's. */
const char *const *wy_importer_hooks(const struct wy_importer *im, size_t *n);

/* `import M` in a process that has run `import FIRST` before, whatever became of that. Memoised;
 * `events` are those of M alone. */
const struct wy_run *wy_importer_run_after(struct wy_importer *im, const char *first,
                                           const char *module);

/* Whether `module` (dotted) is found on the environment's sys.path, without running anything. */
bool wy_importer_finds(struct wy_importer *im, const char *module);

/* The file that a top-level name leads to when nothing has changed sys.path yet, as Python spells
 * it; NULL: nothing, a namespace, or compiled in. */
const char *wy_importer_leads_to(struct wy_importer *im, const char *module);

/* The recorded file (absolute) whose absence makes `import M` succeed and give nothing: M's folder
 * is there, what the package put into it is not. NULL for every other module. */
const char *wy_importer_hollow(struct wy_importer *im, const char *module);

/* The modules the contract lists: (a) and (b) of section 3, sorted. */
struct wy_listed_module {
    const char *name;
    const struct wy_dist *dist; /* NULL for an unowned one */
};
const struct wy_listed_module *wy_importer_modules(struct wy_importer *im, size_t *n);

/* (c) of section 3: modules of the other distributions whose import fails, sorted. Follows all of
 * them, so it is asked only when something fails. */
const struct wy_listed_module *wy_importer_also_failing(struct wy_importer *im, size_t *n);

/* What an extension or library does when opened by itself in a fresh process in which the
 * frameworks that its package requires (data/preload.rules, "supplies") have been imported. */
const struct wy_open *wy_importer_alone(struct wy_importer *im, const struct wy_library *lib);

#endif
