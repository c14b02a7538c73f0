/* What a compiled extension imports by name, read from the constants in its file: names of
 * capsules, of helpers, and the tables of names that Cython and mypyc write. Only candidates:
 * whether there is such a module is for the caller to find out.
 *
 * Each pattern is how a code generator or a header writes the argument of an import call; strings
 * of hand-written code are not looked at (pybind11's are mostly modules imported on first use). */
#ifndef WY_SOURCE_EXTENSION_H
#define WY_SOURCE_EXTENSION_H

#include "base/vec.h"
#include "elf/symbols.h"

enum wy_extension_how {
    WY_EXTENSION_CAPSULE, /* "x.y_CAPI", "x._C_API": PyCapsule_Import (Objects/capsule.c) of x */
    WY_EXTENSION_HELPER,  /* what a header imports: numpy's import_array(), cffi's _cffi_backend */
    WY_EXTENSION_MYPYC,   /* "HASH__mypyc", "package.NAME__mypyc": the library of a group of modules
                           */
    WY_EXTENSION_CYTHON,  /* a dotted constant of Cython code: an import, or a name like one */
    WY_EXTENSION_CYTHON_PACKED, /* the same, from the compressed table (Cython from 3.1 on) */
    WY_EXTENSION_WORD,          /* a word of Cython code that is hardly anything but this module */
};

struct wy_extension_import {
    const char *module;
    enum wy_extension_how how;
    uint32_t at; /* the how-manieth that was found */
};

struct wy_extension {
    bool cython; /* made by Cython */
    bool native; /* of a mypyc group whose modules begin each other without Python's import */
    WY_VEC(struct wy_extension_import) found;
    /* private */
    WY_VEC(struct wy_str) joined; /* compressed tables that do not show where a name ends */
    struct wy_arena *arena;
    bool (*is_module)(void *ctx, const char *name);
    void *ctx;
    unsigned asked; /* calls of is_module */
};

/* Names go into `a`. */
void wy_extension_begin(struct wy_extension *x, struct wy_arena *a);
/* Looks through the constants of one segment (wy_image_constants). */
void wy_extension_add(struct wy_extension *x, struct wy_str constants);
/* Each name once, in the order in which init code is likely to use them: compilers write texts down
 * as they meet them, so that of the file, what is in a compressed table last. `is_module` says
 * whether there is a module of a name: the compressed table of Cython often does not show where a
 * name ends. Names found only now go into `a`, which may be that of another thread than the one
 * that began. */
void wy_extension_end(struct wy_extension *x, struct wy_arena *a,
                      bool (*is_module)(void *ctx, const char *name), void *ctx);
void wy_extension_deinit(struct wy_extension *x); /* the names stay */

/* Whether C code of that file may import more than `found`: PyImport_Import… or PyCapsule_Import is
 * among the symbols it takes from elsewhere. */
bool wy_extension_imports_from_c(const struct wy_refs *refs);

/* A .pyx file beside an extension: blanks all but the import statements (not cimport) that begin a
 * line or stand in the arms of a `try` or `if` that does, so that it can be read as Python. */
void wy_source_keep_imports(char *text, size_t n);

/* ---- private to the room ---- */
void wy_extension_put(struct wy_extension *x, struct wy_str module, enum wy_extension_how how);
/* One whole constant of Cython code. */
void wy_extension_cython_name(struct wy_extension *x, struct wy_str text,
                              enum wy_extension_how how);
/* Looks for the compressed table of Cython: cython.c. */
void wy_extension_packed(struct wy_extension *x, struct wy_str constants);
/* Takes the names of an unpacked table; false when it is none: cython_table.c. */
bool wy_extension_table(struct wy_extension *x, struct wy_str constants, struct wy_str text);
/* Takes the names of the tables in `joined`. */
void wy_extension_split(struct wy_extension *x);
static inline bool wy_extension_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

#endif
