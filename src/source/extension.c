#include "source/extension.h"

#include <stdlib.h>

/* A file of hostile make has no more names than that, nor longer ones. */
enum { MOST_FOUND = 20000, LONGEST = 255 };

void wy_extension_begin(struct wy_extension *x, struct wy_arena *a) {
    *x = (struct wy_extension){.arena = a};
}

void wy_extension_deinit(struct wy_extension *x) {
    wy_vec_free(&x->found);
    wy_vec_free(&x->joined);
}

void wy_extension_put(struct wy_extension *x, struct wy_str module, enum wy_extension_how how) {
    if (x->found.n < MOST_FOUND)
        wy_vec_push(&x->found, ((struct wy_extension_import){wy_arena_str(x->arena, module), how,
                                                             (uint32_t)x->found.n}));
}

/* ---- names ---- */

/* The number of dots of a dotted name, -1 when it is none. */
static int dots(struct wy_str s) {
    int n = 0;
    if (!s.n || s.n > LONGEST || !wy_extension_is_letter(s.p[0]) || s.p[s.n - 1] == '.')
        return -1;
    for (size_t i = 0; i < s.n; i++) {
        bool begins = i == 0 || s.p[i - 1] == '.';
        if (s.p[i] == '.') {
            if (begins)
                return -1;
            n++;
        } else if (!wy_extension_is_letter(s.p[i]) || (begins && s.p[i] >= '0' && s.p[i] <= '9')) {
            return -1;
        }
    }
    return n;
}

static struct wy_str parent(struct wy_str name) {
    while (name.p[--name.n] != '.')
        continue;
    return name;
}

/* A mypyc group is called by a hash, which may begin with a digit. */
static bool mypyc_group(struct wy_str text) {
    if (text.n > LONGEST || !wy_str_ends(text, "__mypyc"))
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (!wy_extension_is_letter(text.p[i]) && (text.p[i] != '.' || i == 0))
            return false;
    return true;
}

/* "x.y_CAPI", "x._C_API", "x._ARRAY_API": what a header gives to PyCapsule_Import. */
static bool is_capsule(struct wy_str text) {
    if (wy_str_ends(text, "CAPI"))
        return true;
    for (size_t i = parent(text).n + 1; i < text.n; i++)
        if (text.p[i] >= 'a' && text.p[i] <= 'z')
            return false;
    return wy_str_ends(text, "_API");
}

/* Constants of any extension; ends_name knows how each of them ends. */
static bool any_name(struct wy_extension *x, struct wy_str text, int ndots) {
    if (wy_str_ends(text, "__mypyc.ensure_deps")) {
        x->native = true; /* mypyc/codegen/emitmodule.py of 2.x, with CPyImport_ImportNative */
    } else if (mypyc_group(text)) {
        wy_extension_put(x, text, WY_EXTENSION_MYPYC);
    } else if (wy_str_is(text, "_cffi_backend") ||
               (ndots > 0 && wy_str_ends(text, "._cffi_backend"))) {
        wy_extension_put(x, text, WY_EXTENSION_HELPER);
    } else if (ndots > 0 && (wy_str_is(text, "numpy.core._multiarray_umath") ||
                             wy_str_is(text, "numpy._core._multiarray_umath"))) {
        /* numpy/__multiarray_api.h tries both names: one of them is in any case there */
        wy_extension_put(x, WY_STR("numpy"), WY_EXTENSION_HELPER);
    } else if (ndots > 0 && is_capsule(text)) {
        wy_extension_put(x, parent(text), WY_EXTENSION_CAPSULE);
    } else {
        return false;
    }
    return true;
}

/* Words that name a module and are seldom anything else: neither attributes nor arguments. Not bz2:
 * Cython's own code holds it without importing it. Not lzma, json, uuid, asyncio: imported in
 * functions. */
static bool is_module_word(struct wy_str text) {
    static const char *const words[] = {
        "_strptime",  "calendar", "cmath",     "contextvars", "ctypes",      "dataclasses",
        "datetime",   "getpass",  "gzip",      "hashlib",     "heapq",       "inspect",
        "logging",    "pathlib",  "secrets",   "shutil",      "sqlite3",     "ssl",
        "subprocess", "tempfile", "threading", "typing",      "unicodedata", "weakref",
        "zlib",       "zoneinfo"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (wy_str_is(text, words[i]))
            return true;
    return false;
}

/* Cython's own run-time code holds names of asyncio and numpy that it does not always import. */
static bool of_cython_itself(struct wy_str text) {
    return wy_str_starts(text, "asyncio.") || wy_str_is(text, "compression.zstd") ||
           wy_str_starts(text, "numpy.core.") || wy_str_starts(text, "numpy._core.");
}

void wy_extension_cython_name(struct wy_extension *x, struct wy_str text,
                              enum wy_extension_how how) {
    int ndots = dots(text);
    if (ndots > 0 && !of_cython_itself(text))
        wy_extension_put(x, text, how);
    else if (ndots == 0 && is_module_word(text))
        wy_extension_put(x, text, WY_EXTENSION_WORD);
}

/* ---- one segment ---- */

static const char *after(struct wy_str in, const char *from, const char *what) {
    size_t n = strlen(what);
    const char *p = memmem(from, (size_t)(in.p + in.n - from), what, n);
    return p ? p + n : NULL;
}

/* __pyx_capi__ alone is in whatever offers functions to Cython code, and in whatever asks. */
static bool made_by_cython(struct wy_str in) {
    if (!in.n)
        return false;
    if (after(in, in.p, "cython_runtime") || after(in, in.p, "__Pyx_"))
        return true;
    for (const char *p = in.p; (p = after(in, p, "__pyx_")) != NULL;)
        if (in.p + in.n - p < 6 || memcmp(p, "capi__", 6) != 0)
            return true;
    return false;
}

static void take_text(struct wy_extension *x, struct wy_str text) {
    if (text.n > 2 && text.n <= LONGEST && wy_extension_is_letter(*text.p) &&
        !any_name(x, text, dots(text)) && x->cython)
        wy_extension_cython_name(x, text, WY_EXTENSION_CYTHON);
}

static void take_all(struct wy_extension *x, struct wy_str constants) {
    const char *p = constants.p, *end = constants.p + constants.n, *nul;
    while (p < end && (nul = memchr(p, '\0', (size_t)(end - p))) != NULL) {
        take_text(x, (struct wy_str){p, (size_t)(nul - p)});
        p = nul + 1;
    }
}

/* Whether a text that ends in [p, p + n) may be one that any_name takes: CAPI, _API, __mypyc,
 * __mypyc.ensure_deps, _cffi_backend, _multiarray_umath. Without branches, so that compilers look
 * at many bytes at a time. Two bytes before `p` are read. */
static bool ends_name(const char *p, size_t n) {
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++) {
        const char *c = p + i - 2;
        unsigned char api = (c[0] == 'P') & (c[1] == 'I'), mypyc = (c[0] == 'y') & (c[1] == 'c'),
                      deps = (c[0] == 'p') & (c[1] == 's'), backend = (c[0] == 'n') & (c[1] == 'd'),
                      math = (c[0] == 't') & (c[1] == 'h');
        any |= (unsigned char)((api | mypyc | deps | backend | math) & (c[2] == '\0'));
    }
    return any;
}

/* Of megabytes of tables and texts hardly a text is asked for: looks for their ends first. */
static void take_by_end(struct wy_extension *x, struct wy_str constants) {
    enum { BLOCK = 256 };
    for (size_t from = 2, n; from < constants.n; from += n) {
        n = constants.n - from < BLOCK ? constants.n - from : BLOCK;
        if (!ends_name(constants.p + from, n))
            continue;
        for (size_t i = from; i < from + n; i++) {
            if (!ends_name(constants.p + i, 1))
                continue;
            size_t most = i < LONGEST + 1 ? i : LONGEST + 1;
            const char *nul = memrchr(constants.p + i - most, '\0', most);
            const char *p = nul ? nul + 1 : constants.p + i - most;
            take_text(x, (struct wy_str){p, (size_t)(constants.p + i - p)});
        }
    }
}

void wy_extension_add(struct wy_extension *x, struct wy_str constants) {
    x->cython = x->cython || made_by_cython(constants);
    if (!x->cython) {
        take_by_end(x, constants);
        return;
    }
    take_all(x, constants);
    wy_extension_packed(x, constants);
}

/* ---- all of it ---- */

static int by_name(const void *a, const void *b) {
    const struct wy_extension_import *x = a, *y = b;
    int order = strcmp(x->module, y->module);
    order = order ? order : (x->how > y->how) - (x->how < y->how);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The compressed table is sorted, and says nothing of the order. Its imports come last; those of
 * the standard library, which authors write first, are words. */
static int by_place(const void *a, const void *b) {
    const struct wy_extension_import *x = a, *y = b;
    bool last = x->how == WY_EXTENSION_CYTHON_PACKED, other = y->how == WY_EXTENSION_CYTHON_PACKED;
    if (last != other)
        return last - other;
    return (x->at > y->at) - (x->at < y->at);
}

void wy_extension_end(struct wy_extension *x, struct wy_arena *a,
                      bool (*is_module)(void *ctx, const char *name), void *ctx) {
    x->arena = a;
    x->is_module = is_module;
    x->ctx = ctx;
    wy_extension_split(x);
    if (!x->found.n)
        return;
    qsort(x->found.v, x->found.n, sizeof *x->found.v, by_name);
    struct wy_extension_import *v = x->found.v;
    size_t n = 0;
    for (size_t i = 0; i < x->found.n; i++)
        if (i == 0 || strcmp(v[i].module, v[n - 1].module) != 0)
            v[n++] = v[i];
        else if (v[i].at < v[n - 1].at)
            v[n - 1].at = v[i].at;
    x->found.n = n;
    qsort(v, n, sizeof *v, by_place);
}

bool wy_extension_imports_from_c(const struct wy_refs *refs) {
    for (size_t i = 0; i < refs->n; i++) {
        const struct wy_ref *r = &refs->v[i];
        if (r->symbol.section == 0 && r->key.name.p &&
            (wy_str_starts(r->key.name, "PyImport_Import") ||
             wy_str_is(r->key.name, "PyCapsule_Import")))
            return true;
    }
    return false;
}
