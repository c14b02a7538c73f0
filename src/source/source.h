/* Python source → the import statements it runs at module level, with what surrounds them.
 *
 * First step of facts/imports section 10: a tokenizer that knows strings, brackets, continuation
 * lines and indentation, and a statement reader for imports, `if`, `try`, `with`, `class` and
 * `def`. Function bodies are skipped. Later steps add expressions. Never fails: what cannot be read
 * sets `problem`. */
#ifndef WY_SOURCE_SOURCE_H
#define WY_SOURCE_SOURCE_H

#include "base/mem.h"

enum wy_guard {            /* how sure it is that a statement runs when the module runs */
                WY_MUST,   /* at module level, or in an arm whose every alternative imports the same
                              module */
                WY_MAYBE,  /* below a condition that is not known, or in a loop */
                WY_CAUGHT, /* inside a try that catches ImportError (or everything): a failure is
                              swallowed */
                WY_NEVER,  /* below a condition known to be false (TYPE_CHECKING, other platform,
                              other version) */
};

struct wy_import_stmt {
    const char *module; /* dotted name after `import` or `from`; "" for `from . import x` */
    unsigned level;     /* leading dots */
    bool from;          /* from … import … */
    bool star;          /* from … import * */
    const char **names; /* names after `import` of a from statement (not the `as` names) */
    size_t nnames;
    const char *as; /* `import a.b as c`; NULL */
    enum wy_guard guard;
    unsigned line; /* 1-based */
};

/* Code that loads libraries by itself: said as "not modelled" when no record covers it. */
struct wy_loading_code {
    const char *what; /* "ctypes.CDLL", "dlopen", … as written */
    unsigned line;
    bool at_module_level;
};

struct wy_source_file {
    struct wy_import_stmt *imports; /* in source order */
    size_t nimports;
    struct wy_loading_code *loading;
    size_t nloading;
    const char **defined; /* names bound at module level by def, class, simple assignment, import */
    size_t ndefined;
    bool has_getattr;    /* def __getattr__ at module level */
    const char *problem; /* NULL, or what could not be read with its line */
    unsigned problem_line;
};

/* Known answers to conditions. */
struct wy_source_env {
    unsigned python_major, python_minor;
    const char *platform; /* sys.platform: "linux" */
};

enum { WY_SOURCE_MAX_BYTES = 16 << 20, WY_SOURCE_MAX_NESTING = 200 };

/* Reads one file's text (UTF-8 or other ASCII-compatible bytes). All results are in `a`. */
void wy_source_read(struct wy_str text, const struct wy_source_env *env, struct wy_arena *a,
                    struct wy_source_file *ret);

#endif
