#include "said/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static int setup(void **state) {
    *state = wy_know_create();
    return 0;
}

static int teardown(void **state) {
    wy_know_destroy(*state);
    return 0;
}

static void expect_name(struct wy_str got, const char *wanted, const char *line) {
    if (!wanted ? got.p == NULL : got.p && wy_str_is(got, wanted))
        return;
    fprintf(stderr, "%s\n  names %.*s, expected %s\n", line, (int)got.n, got.p ? got.p : "",
            wanted ? wanted : "nothing");
    fail();
}

static void each_form_names_what_it_says(void **state) {
    static const struct {
        const char *line, *library, *file, *symbol, *version, *module;
    } forms[] = {
        {"ImportError: libcudnn.so.9: cannot open shared object file: No such file or directory",
         "libcudnn.so.9", NULL, NULL, NULL, NULL},
        {"python: error while loading shared libraries: libpython3.11.so.1.0: cannot open shared "
         "object file: No such file or directory",
         "libpython3.11.so.1.0", NULL, NULL, NULL, NULL},
        {"OSError: /srv/my env/nvidia/lib/libcusparse.so.12: undefined symbol: "
         "__nvJitLinkAddData_12_1, version libnvJitLink.so.12",
         NULL, "/srv/my env/nvidia/lib/libcusparse.so.12", "__nvJitLinkAddData_12_1",
         "libnvJitLink.so.12", NULL},
        {"ImportError: /e/fa.so: undefined symbol: _ZN3c104cuda9SetDeviceEi", NULL, "/e/fa.so",
         "_ZN3c104cuda9SetDeviceEi", NULL, NULL},
        {"/l/libcublas.so.11: symbol free_gemm_select version libcublasLt.so.11 not defined in "
         "file libcublasLt.so.11 with link time reference",
         "libcublasLt.so.11", "/l/libcublas.so.11", "free_gemm_select", "libcublasLt.so.11", NULL},
        {"ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required "
         "by /e/x.so)",
         "/e/x.so", "/lib/x86_64-linux-gnu/libc.so.6", NULL, "GLIBC_2.38", NULL},
        {"Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot "
         "open shared object file: No such file or directory",
         "libcudnn_ops_infer.so.8", NULL, NULL, NULL, NULL},
        {"Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9}",
         "libcudnn_cnn.so.9.1.0", NULL, NULL, NULL, NULL},
        {"Error loading shared library libgomp.so.1: No such file or directory (needed by /e/x.so)",
         "libgomp.so.1", "/e/x.so", NULL, NULL, NULL},
        {"Error relocating /e/x.so: __strdup: symbol not found", NULL, "/e/x.so", "__strdup", NULL,
         NULL},
        {"ModuleNotFoundError: No module named 'pkg._ext'", NULL, NULL, NULL, NULL, "pkg._ext"},
        {"AttributeError: partially initialized module 'cv2' has no attribute 'dnn'", NULL, NULL,
         NULL, NULL, "cv2"},
        {"ImportError: cannot import name '_C' from partially initialized module 'torch' (most",
         NULL, NULL, NULL, NULL, "torch"},
        {"ImportError: /e/libcublasLt.so.12: file too short", NULL, "/e/libcublasLt.so.12", NULL,
         NULL, NULL},
        {"ImportError: /e/a.so: invalid ELF header", NULL, "/e/a.so", NULL, NULL, NULL},
        {"> ImportError: /e/libgomp-d22c30c5.so.1.0.0: cannot allocate memory in static TLS block",
         NULL, "/e/libgomp-d22c30c5.so.1.0.0", NULL, NULL, NULL},
        {"RuntimeError: operator torchvision::nms does not exist", NULL, NULL, NULL, NULL, NULL},
        {"the plug-in (libodd.so.3) was not started", "libodd.so.3", NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct wy_said said;
        wy_said_read(*state, wy_str_of(forms[i].line), &said);
        assert_non_null(said.line.p);
        expect_name(said.names[WY_SAID_LIBRARY], forms[i].library, forms[i].line);
        expect_name(said.names[WY_SAID_FILE], forms[i].file, forms[i].line);
        expect_name(said.names[WY_SAID_SYMBOL], forms[i].symbol, forms[i].line);
        expect_name(said.names[WY_SAID_VERSION], forms[i].version, forms[i].line);
        expect_name(said.names[WY_SAID_MODULE], forms[i].module, forms[i].line);
    }
}

static void the_telling_line_is_chosen(void **state) {
    struct wy_said said;
    /* The loader's words, not those around them; the last of several. */
    wy_said_read(*state,
                 WY_STR("OSError: libfirst.so.1: cannot open shared object file: No such file\n\r\n"
                        "OSError: liblast.so.2: cannot open shared object file: No such file\r\n"
                        "RuntimeError: Unable to load cuSPARSE. Is it installed?\n"
                        "No module named 'x', see libother.so.3\n"),
                 &said);
    assert_int_equal(said.number, 3);
    assert_true(wy_str_is(said.names[WY_SAID_LIBRARY], "liblast.so.2"));
    assert_true(wy_str_starts(said.line, "OSError: liblast"));
    wy_said_read(*state, WY_STR("a/b.so, libx.so.1 are named\nNo module named 'm'\n"), &said);
    assert_int_equal(said.form->rank, WY_SAID_BY_PYTHON);
    wy_said_read(*state, WY_STR("Traceback (most recent call last):\nValueError: 3\n"), &said);
    assert_null(said.line.p);
    assert_null(said.site.p);
    wy_said_read(*state, (struct wy_str){NULL, 0}, &said);
    assert_null(said.line.p);
}

static void the_folder_of_packages_is_told(void **state) {
    struct wy_said said;
    wy_said_read(*state,
                 WY_STR("  File \"/a/lib/python3.9/site-packages/x/__init__.py\", line 1\n"
                        "  File \"/srv/my env/lib/python3.11/site-packages/y.py\", line 2, in f\n"
                        "ValueError: x/site-packages\n"),
                 &said);
    assert_true(wy_str_is(said.site, "/srv/my env/lib/python3.11/site-packages"));
    wy_said_read(*state, WY_STR("see lib/site-packages/x"), &said);
    assert_null(said.site.p);
    wy_said_read(*state, WY_STR("/site-packages/"), &said);
    assert_true(wy_str_is(said.site, "/site-packages"));
}

/* Long lines full of what looks like a beginning; no name is longer than a path may be. */
static void hostile_text_takes_linear_time(void **state) {
    enum { SIZE = 2 << 20 };
    static const char *const pieces[] = {
        ": undefined symbol: ", "/a /", "{",       "'\"",
        "Error relocating ",    "x",    "lib.so.", "/site-packages/"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = wy_alloc(SIZE);
        size_t n = strlen(pieces[i]);
        for (size_t at = 0; at < SIZE; at++)
            text[at] = pieces[i][at % n];
        struct wy_said said;
        wy_said_read(*state, (struct wy_str){text, SIZE}, &said);
        for (size_t k = 0; k < WY_SAID_NAMES; k++)
            assert_true(said.names[k].n <= 4096);
        free(text);
    }
}

static void every_row_can_match(void **state) {
    const struct wy_know *k = *state;
    assert_true(k->nmessages > 20);
    for (size_t i = 0; i < k->nmessages; i++) {
        struct wy_str rest = wy_str_of(k->messages[i].object);
        while (rest.p) {
            struct wy_str word = wy_str_cut(rest, '|', &rest);
            char name[32];
            assert_true(word.n && word.n < sizeof name - 2);
            snprintf(name, sizeof name, "{%.*s}", (int)word.n, word.p);
            assert_true(wy_str_starts(word, "module:") || strstr(k->messages[i].pattern, name));
        }
        /* A name in each place: the line that this row is for. */
        char line[512];
        size_t n = 0;
        for (const char *p = k->messages[i].pattern; *p; p++) {
            const char *end = *p == '{' ? strchr(p, '}') : NULL;
            bool name = end && (end == p + 1 || wy_said_name_of((struct wy_str){
                                                    p + 1, (size_t)(end - p - 1)}) < WY_SAID_NAMES);
            n += (size_t)snprintf(line + n, sizeof line - n, "%.*s", name ? 9 : 1,
                                  name ? "libx.so.1" : p);
            assert_true(n < sizeof line);
            p = name ? end : p;
        }
        struct wy_said said;
        wy_said_read(k, wy_str_of(line), &said);
        assert_ptr_equal(said.form, &k->messages[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_names_what_it_says),
        cmocka_unit_test(the_telling_line_is_chosen),
        cmocka_unit_test(the_folder_of_packages_is_told),
        cmocka_unit_test(hostile_text_takes_linear_time),
        cmocka_unit_test(every_row_can_match),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
