#include "source/extension.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <zlib.h>

#define BYTES(literal) ((struct wy_str){(literal), sizeof(literal)})

/* "how:name" of all that is found, joined by blanks. */
static void assert_found(const struct wy_extension *s, const char *want) {
    char got[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < s->found.n; i++)
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%c:%s", i ? " " : "",
                                 "chmCpw"[s->found.v[i].how], s -> found.v[i].module);
    assert_string_equal(got, want);
}

static bool is_module(void *ctx, const char *name) {
    (void)ctx;
    static const char *const modules[] = {"p", "p.a", "p.a.b", "p.long"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (strcmp(name, modules[i]) == 0)
            return true;
    return false;
}

static void look(struct wy_extension *s, struct wy_arena *a, struct wy_str bytes) {
    /* An exact copy: a read past the end is seen by the address sanitizer. */
    char *copy = wy_alloc(bytes.n + !bytes.n);
    memcpy(copy, bytes.p, bytes.n);
    wy_extension_begin(s, a);
    wy_extension_add(s, (struct wy_str){copy, bytes.n});
    wy_extension_end(s, a, is_module, NULL);
    free(copy);
}

static void assert_names(struct wy_str bytes, bool cython, const char *want) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_extension s;
    look(&s, &a, bytes);
    assert_found(&s, want);
    assert_true(s.cython == cython);
    wy_extension_deinit(&s);
    wy_arena_deinit(&a);
}

static void any_extension(void **state) {
    (void)state;
    assert_names(BYTES("datetime.datetime_CAPI\0x.y._C_API\0cairo.CAPI\0_CAPI\0a b.c_CAPI"), false,
                 "c:datetime c:x.y c:cairo");
    assert_names(BYTES("numpy.core._multiarray_umath\0numpy._core._multiarray_umath\0"
                       "xnumpy.core._multiarray_umath\0_cffi_backend\0p._cffi_backend\0"
                       "a b._cffi_backend\0._cffi_backend"),
                 false, "h:numpy h:_cffi_backend h:p._cffi_backend");
    assert_names(BYTES("p.q._ARRAY_API\0p.q.the_API\0p.QAPI"), false, "c:p.q");
    assert_names(BYTES("3c22db458360489351e4__mypyc\0p.md__mypyc\0p.md__mypyc.init\0__mypyc."),
                 false, "m:3c22db458360489351e4__mypyc m:p.md__mypyc");
    /* What is only a name of another extension's code is not looked at. */
    assert_names(BYTES("scipy.linalg\0zlib\0__pyx_capi__"), false, "");
    assert_names((struct wy_str){"", 0}, false, "");
}

static void constants_of_cython(void **state) {
    (void)state;
    assert_names(BYTES("cython_runtime\0p.a\0p.a b\0.p\0p.\0p..a\0p.1\0zlib\0json\0asyncio.x\0"
                       "numpy.core.multiarray\0numpy.random\0p.a"),
                 true, "C:p.a w:zlib C:numpy.random");
    assert_names(BYTES("__pyx_capi__\0__pyx_vtable__\0p.a"), true, "C:p.a");
    assert_names(BYTES("__pyx_"), true, "");
    assert_names((struct wy_str){"__pyx_p.a", 9}, true, "");
}

static void assert_kept(const char *pyx, const char *want) {
    char text[512];
    size_t n = strlen(pyx);
    assert_true(n < sizeof text);
    memcpy(text, pyx, n + 1);
    wy_source_keep_imports(text, n);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) /* lines keep their numbers */
        if (text[i] != ' ')
            text[kept++] = text[i];
    text[kept] = '\0';
    assert_string_equal(text, want);
}

static void imports_of_cython_source(void **state) {
    (void)state;
    assert_kept("import a\ncimport b\nfrom c import d\nfrom e cimport f\n",
                "importa\n\nfromcimportd\n\n");
    assert_kept("from a import (b,\n  c)\nimport d, \\\n  e\ncdef int i\nif X:\n  import f\n",
                "fromaimport(b,\nc)\nimportd,\\\ne\n\nifX:\nimportf\n");
    assert_kept("try:\n  import a\n  x = a.b(\n    c)\n  def f():\n    import g\nexcept E as e:\n"
                "  cdef int i\n  # no\nx.y\n  import h\n",
                "try:\nimporta\npass\n\npass\n\nexceptEase:\npass\n\n\n\n");
    assert_kept("\"\"\"Text\nimport a\n\"\"\"\nimport b", "\n\n\nimportb");
    assert_kept("import cython\nfrom cython.parallel import prange\nimport a\n", "\n\nimporta\n");
    assert_kept("import a)(\nx", "importa)(\n");
    assert_kept("", "");
}

/* Cython's own format: a byte of flags before eight items, each a byte or a copy. */
static size_t own_format(const char *text, size_t n, char *out) {
    size_t to = 0, flags = 0, items = 8;
    for (size_t at = 0; at < n; items++) {
        if (items == 8) {
            items = 0;
            flags = to++;
            out[flags] = 0;
        }
        size_t best = 0, back = 0;
        for (size_t from = 0; from < at; from++) {
            size_t k = 0;
            while (k < 258 && at + k < n && from + k < at && text[from + k] == text[at + k])
                k++;
            if (k > best) {
                best = k;
                back = at - from - k;
            }
        }
        bool near = back < 0x80, middle = back < 0x280 && best <= 34;
        if (best < 4) {
            out[flags] = (char)(out[flags] | 1 << items);
            out[to++] = text[at++];
            continue;
        }
        size_t far = back - 0x80;
        out[to++] = (char)(near ? back : (far & 0x7f) | 0x80);
        out[to++] = (char)(near     ? best - 3
                           : middle ? (far >> 2 & 0x60) | (best - 3)
                                    : (far >> 7 & 0x7f) | 0x80);
        if (!near && !middle)
            out[to++] = (char)(best - 3);
        at += best;
    }
    return to;
}

/* Constants of a file with a compressed table, at a multiple of eight; `lengths`: with the array of
 * lengths; `own`: in Cython's own format, else zlib's. */
static struct wy_str packed(struct wy_arena *a, const char *const *texts, size_t n, bool lengths,
                            bool own) {
    char *out = wy_arena_zero(a, 8192), text[4096];
    size_t length = 0, at = 16;
    memcpy(out, "cython_runtime", 14);
    for (size_t i = 0; i < n; i++) {
        size_t one = strlen(texts[i]);
        memcpy(text + length, texts[i], one);
        length += one;
        if (lengths) {
            out[at] = (char)(one & 0xff);
            out[at + 1] = (char)(one >> 8);
            at += 4;
        }
    }
    memset(out + at, 0xff, 4); /* the array has an end */
    at = (at + 4 + 7) / 8 * 8;
    uLongf room = 4096;
    if (own)
        room = own_format(text, length, out + at);
    else
        assert_int_equal(compress2((Bytef *)out + at, &room, (const Bytef *)text, length, 9), Z_OK);
    return (struct wy_str){out, at + room};
}

/* Long enough for copies from near, from farther and from far away. */
static const char filler[] =
    "Some text that a person can read, the docstring of a class, say.\n\nParameters\n----------\n"
    "a : number\n    It is added.\nb : list of numbers, or None\n    They are left alone unless "
    "the "
    "moon is full.\nReturns\n-------\nwhatever it likes best at that very time of day; do not "
    "count on it, nor on anything else that is written here but p.a.B.method and p.a.C.method and "
    "the like. Examples\n--------\n>>> f(1, [2, 3])\n4\n>>> f(1, None)  # quickly jumping zebras "
    "vex; waltz, bad nymph. Sphinx of black quartz, judge my vow\nRaises\n------\nValueError\n"
    "    Never. See also: the docstring of a class, say.\n    They are left alone unless the moon "
    "is full.\nwhatever it likes best at that very time of day; do not count on it, nor on that";

static void packed_table(void **state) {
    (void)state;
    static const char *const texts[] = {filler,
                                        "?",
                                        "__main__",
                                        "__name__",
                                        "",
                                        "p.a",
                                        "p.a.b",
                                        "ssl",
                                        "p.longer",
                                        "q.r",
                                        "asyncio.coroutines",
                                        "numpy._core.multiarray failed to import",
                                        "p.a.B.method",
                                        "B.p.a"};
    size_t n = sizeof texts / sizeof *texts;
    struct wy_arena a = WY_ARENA_INIT;
    for (int own = 0; own < 2; own++) {
        struct wy_extension x;
        look(&x, &a, packed(&a, texts, n, true, own));
        assert_found(&x, "w:ssl p:p.a p:p.a.b p:p.longer p:q.r p:p.a.B.method p:B.p.a");
        wy_extension_deinit(&x);
        /* Where names have no end, the longest module is taken, nothing else. */
        look(&x, &a, packed(&a, texts, n, false, own));
        assert_found(&x, "p:p.a p:p.a.b p:p.long");
        wy_extension_deinit(&x);
    }
    wy_arena_deinit(&a);
}

static void a_damaged_table_is_none(void **state) {
    (void)state;
    static const char *const texts[] = {filler, "p.a", "__main__", "__name__", "more"};
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = packed(&a, texts, sizeof texts / sizeof *texts, true, false);
    for (size_t n = 0; n < bytes.n; n++) {
        struct wy_extension x;
        look(&x, &a, (struct wy_str){bytes.p, n});
        assert_found(&x, "");
        wy_extension_deinit(&x);
    }
    assert_names(bytes, true, "p:p.a");
    /* The other format does not say where it ends: cut, it gives less. */
    bytes = packed(&a, texts, sizeof texts / sizeof *texts, true, true);
    for (size_t n = 0; n < bytes.n; n++) {
        struct wy_extension x;
        look(&x, &a, (struct wy_str){bytes.p, n});
        assert_true(x.found.n <= 1);
        wy_extension_deinit(&x);
    }
    wy_arena_deinit(&a);
}

static void symbols_that_import(void **state) {
    (void)state;
    struct wy_ref v[2] = {{.key.name = WY_STR("PyImport_AddModule")},
                          {.key.name = WY_STR("PyImport_ImportModule")}};
    struct wy_refs refs = {.v = v, .n = 2};
    assert_true(wy_extension_imports_from_c(&refs));
    v[1].symbol.section = 12; /* its own */
    assert_false(wy_extension_imports_from_c(&refs));
    v[0].key.name = WY_STR("PyCapsule_Import");
    assert_true(wy_extension_imports_from_c(&refs));
    v[0].key.name.p = NULL;
    assert_false(wy_extension_imports_from_c(&refs));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_extension),
        cmocka_unit_test(constants_of_cython),
        cmocka_unit_test(imports_of_cython_source),
        cmocka_unit_test(packed_table),
        cmocka_unit_test(a_damaged_table_is_none),
        cmocka_unit_test(symbols_that_import),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
