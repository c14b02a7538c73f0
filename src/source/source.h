/* Python source → the import statements it runs at module level, with what surrounds them.
 *
 * First step of following imports: a tokenizer that knows strings, brackets, continuation lines and
 * indentation, and a statement reader for imports, `if`, `try`, `with`, `class` and `def`. Function
 * bodies are skipped. Later steps add expressions. Never fails: what cannot be read sets `problem`.
 *
 * Statements are a flat list in source order; each stands in a block, blocks form a tree by their
 * parents. So a reader of the list can run it as Python would: leave a `try` body at the statement
 * that raises, enter the handler that matches, skip the others. */
#ifndef WY_SOURCE_SOURCE_H
#define WY_SOURCE_SOURCE_H

#include "source/ast.h"

enum wy_guard {            /* how sure it is that a statement runs when the module runs */
                WY_MUST,   /* at module level, or in an arm whose every alternative imports the same
                              module */
                WY_MAYBE,  /* below a condition that is not known, in a loop, or in a handler */
                WY_CAUGHT, /* inside a try that catches ImportError (or everything): a failure is
                              swallowed */
                WY_NEVER,  /* below a condition known to be false (TYPE_CHECKING, other platform,
                              other version) */
};

enum wy_block_kind {
    WY_BLOCK_MODULE,  /* the file itself: always blocks[0] */
    WY_BLOCK_ARM,     /* an arm of `if` or `match`: `guard` is MUST, MAYBE or NEVER */
    WY_BLOCK_TRY,     /* the body of a try statement */
    WY_BLOCK_EXCEPT,  /* one of its handlers: runs only when the body raised what it catches */
    WY_BLOCK_ELSE,    /* its else part: runs when the body did not raise */
    WY_BLOCK_FINALLY, /* its finally part: always runs */
    WY_BLOCK_WITH,    /* a with statement; `catches` is not 0 for contextlib.suppress */
    WY_BLOCK_LOOP,    /* body or else part of for or while: MAYBE */
};

/* What a handler catches, and what is raised: a set of bits. */
enum wy_exception {
    WY_EX_IMPORT = 1,    /* ImportError: the loader refused an extension */
    WY_EX_NOT_FOUND = 2, /* ModuleNotFoundError */
    WY_EX_OS = 4,        /* OSError: ctypes could not open a library */
    WY_EX_OTHER = 8,     /* any other class below Exception */
};

enum wy_raises { WY_RAISES_NO, WY_RAISES_MAYBE, WY_RAISES_YES };

struct wy_source_block {
    enum wy_block_kind kind;
    uint32_t parent;       /* index of the block around it; blocks[0] is its own parent */
    uint32_t of;           /* EXCEPT, ELSE, FINALLY: index of their TRY block */
    uint32_t next_handler; /* TRY, EXCEPT: the first, the next EXCEPT block; 0 when none */
    enum wy_guard guard;   /* of this block alone: MUST, MAYBE or NEVER */
    unsigned catches;      /* EXCEPT, WITH: enum wy_exception bits */
    enum wy_raises raises; /* EXCEPT: whether the handler itself ends in `raise` */
    const char *raised;    /* the class it then raises; NULL for the same exception again */
    unsigned line;
};

struct wy_import_stmt {
    const char *module; /* dotted name after `import` or `from`; "" for `from . import x` */
    unsigned level;     /* leading dots */
    bool from;          /* from … import … */
    bool star;          /* from … import * */
    const char **names; /* names after `import` of a from statement (not the `as` names) */
    size_t nnames;
    const char *as;      /* `import a.b as c`; NULL */
    enum wy_guard guard; /* of all blocks around it together; see wy_source_read */
    uint32_t block;      /* where it stands; an import in all arms of an `if` stands around it */
    unsigned line;       /* 1-based */
};

/* Code that loads libraries by itself: said as "not modelled" when no record covers it. */
struct wy_loading_code {
    const char *what; /* "ctypes.CDLL", "dlopen", … as written */
    unsigned line;
    bool at_module_level;
};

/* A name bound at module level by def, class, simple assignment or import. */
struct wy_binding {
    const char *name;
    uint32_t block; /* where */
    unsigned line;
};

struct wy_source_file {
    struct wy_import_stmt *imports; /* in source order */
    size_t nimports;
    struct wy_source_block *blocks; /* in source order */
    size_t nblocks;
    struct wy_loading_code *loading;
    size_t nloading;
    struct wy_binding *defined; /* in source order; a name may come twice */
    size_t ndefined;
    bool has_getattr;    /* def __getattr__ (or an assignment to it) at module level */
    const char *problem; /* NULL, or what could not be read with its line */
    unsigned problem_line;
};

/* Known answers to conditions. */
struct wy_source_env {
    unsigned python_major, python_minor;
    const char *platform; /* sys.platform: "linux" */
};

/* Reads one file's text (UTF-8 or other ASCII-compatible bytes). All results are in `a`; `text` is
 * not kept. A statement's guard is NEVER when any block around it is, else CAUGHT when a handler
 * around it swallows ImportError, ModuleNotFoundError or OSError, else MAYBE when any block is. */
void wy_source_read(struct wy_str text, const struct wy_source_env *env, struct wy_arena *a,
                    struct wy_source_file *ret);

#endif
