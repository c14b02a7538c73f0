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
    wy_extension_begin(s, a, "p", is_module, NULL);
    wy_extension_add(s, (struct wy_str){copy, bytes.n});
    wy_extension_end(s);
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
                 "c:cairo c:datetime c:x.y");
    assert_names(BYTES("numpy.core._multiarray_umath\0numpy._core._multiarray_umath\0"
                       "xnumpy.core._multiarray_umath\0_cffi_backend"),
                 false, "h:_cffi_backend h:numpy");
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
                 true, "C:numpy.random C:p.a w:zlib");
    assert_names(BYTES("__pyx_capi__\0__pyx_vtable__\0p.a"), true, "C:p.a");
    assert_names(BYTES("__pyx_"), true, "");
    assert_names((struct wy_str){"__pyx_p.a", 9}, true, "");
}

/* Constants of a file with a compressed table; `lengths`: with the array of lengths. */
static struct wy_str packed(struct wy_arena *a, const char *const *texts, size_t n, bool lengths) {
    char *out = wy_arena_zero(a, 4096), text[1024];
    size_t length = 0, at = 16;
    memcpy(out, "cython_runtime", 14);
    for (size_t i = 0; i < n; i++) {
        size_t one = strlen(texts[i]);
        memcpy(text + length, texts[i], one);
        length += one;
        if (lengths) {
            out[at] = (char)one;
            at += 4;
        }
    }
    memset(out + at, 0xff, 6); /* the array has an end */
    at += 6;
    uLongf room = 2048;
    assert_int_equal(compress2((Bytef *)out + at, &room, (const Bytef *)text, length, 9), Z_OK);
    return (struct wy_str){out, at + room};
}

static void packed_table(void **state) {
    (void)state;
    static const char *const texts[] = {"No such thing.",
                                        "?",
                                        "__main__",
                                        "__name__",
                                        "",
                                        "p.a",
                                        "p.a.b",
                                        "bz2",
                                        "p.longer",
                                        "q.r",
                                        "asyncio.coroutines",
                                        "numpy._core.multiarray failed to import",
                                        "p.a.B.method"};
    size_t n = sizeof texts / sizeof *texts;
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_extension s;
    look(&s, &a, packed(&a, texts, n, true));
    assert_found(&s, "w:bz2 p:p.a p:p.a.B.method p:p.a.b p:p.longer p:q.r");
    wy_extension_deinit(&s);
    /* Where names have no end, the longest module of the own package is taken, nothing else. */
    look(&s, &a, packed(&a, texts, n, false));
    assert_found(&s, "p:p.a p:p.a.b p:p.long");
    wy_extension_deinit(&s);
    wy_arena_deinit(&a);
}

static void a_damaged_table_is_none(void **state) {
    (void)state;
    static const char *const texts[] = {"p.a", "__main__", "__name__",
                                        "some more text to be packed",
                                        "and more of it, but nothing that repeats: 0123456789"};
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = packed(&a, texts, sizeof texts / sizeof *texts, true);
    for (size_t n = 0; n + 1 < bytes.n; n++) {
        struct wy_extension s;
        look(&s, &a, (struct wy_str){bytes.p, n});
        assert_found(&s, "");
        wy_extension_deinit(&s);
    }
    assert_names(bytes, true, "p:p.a");
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
        cmocka_unit_test(any_extension),       cmocka_unit_test(constants_of_cython),
        cmocka_unit_test(packed_table),        cmocka_unit_test(a_damaged_table_is_none),
        cmocka_unit_test(symbols_that_import),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
