#include "know/parse.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static int create(void **state) {
    *state = wy_know_create();
    return 0;
}

static int destroy(void **state) {
    wy_know_destroy(*state);
    return 0;
}

static void every_line_is_understood(void **state) {
    const struct wy_know *k = *state;
    assert_int_equal(k->damaged, 0);
    assert_true(k->nproviders > 500);
    assert_true(k->npreloads >= 3);
    assert_true(k->nplugins > 20);
    assert_true(k->ndlopens > 50);
    assert_true(k->nfamilies > 10);
    assert_true(k->npages >= 14);
}

static void every_line_has_a_source(void **state) {
    const struct wy_know *k = *state;
    for (size_t i = 0; i < k->nproviders; i++)
        assert_true(strlen(k->providers[i].checked) > 3);
    for (size_t i = 0; i < k->npreloads; i++)
        assert_true(strlen(k->preloads[i].source) > 10);
    for (size_t i = 0; i < k->nplugins; i++)
        assert_true(strlen(k->plugins[i].source) > 10);
    for (size_t i = 0; i < k->ndlopens; i++)
        assert_true(strlen(k->dlopens[i].source) > 10);
    assert_true(k->nvariants >= 2);
    for (size_t i = 0; i < k->nvariants; i++)
        assert_true(strlen(k->variants[i].source) > 10);
}

static bool one_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static void kinds_are_the_known_ones(void **state) {
    static const char *const generations[] = {"cu11", "cu12",   "cu13",   "any", "rocm",
                                              "xpu",  "driver", "system", NULL};
    static const char *const plugins[] = {"plug-in", "driver", "framework", NULL};
    static const char *const families[] = {"parts", "runtime", "single", "witness", NULL};
    static const char *const dlopens[] = {"needed", "optional", "newer", "driver", NULL};
    const struct wy_know *k = *state;
    for (size_t i = 0; i < k->nproviders; i++)
        assert_true(one_of(k->providers[i].generation, generations));
    for (size_t i = 0; i < k->nplugins; i++)
        assert_true(one_of(k->plugins[i].kind, plugins));
    for (size_t i = 0; i < k->ndlopens; i++)
        assert_true(one_of(k->dlopens[i].importance, dlopens));
    for (size_t i = 0; i < k->nfamilies; i++)
        assert_true(one_of(k->families[i].kind, families));
}

static void drivers_that_libraries_open_are_known_as_such(void **state) {
    const struct wy_know *k = *state;
    for (size_t i = 0; i < k->ndlopens; i++)
        if (strcmp(k->dlopens[i].importance, "driver") == 0)
            assert_true(wy_know_is_driver(k, k->dlopens[i].target));
    assert_true(wy_know_is_driver(k, "libnvidia-encode.so.1"));
    assert_true(wy_know_is_driver(k, "libEGL_nvidia.so.0"));
    assert_false(wy_know_is_driver(k, "libcudart.so.12"));
    assert_false(wy_know_is_driver(k, "libnowhere.so.1"));
}

static void rows_of_a_soname_adjoin(void **state) {
    const struct wy_know *k = *state;
    for (size_t i = 1; i < k->nproviders; i++)
        assert_true(strcmp(k->providers[i - 1].soname, k->providers[i].soname) <= 0);
    size_t n;
    const struct wy_provider *rows = wy_know_providers(k, "libcudnn.so.9", &n);
    assert_true(n >= 2);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(rows[i].soname, "libcudnn.so.9");
    assert_true(rows == k->providers || strcmp(rows[-1].soname, "libcudnn.so.9") != 0);
    assert_null(wy_know_providers(k, "libnowhere.so.1", &n));
    assert_int_equal(n, 0);
}

static void wrong_rows_are_left_out(void **state) {
    const struct wy_know *k = *state;
    for (size_t i = 0; i < k->nproviders; i++)
        assert_null(strstr(k->providers[i].checked, "WRONG:"));
    size_t n;
    const struct wy_provider *rows = wy_know_providers(k, "libcudnn_engines_tensor_ir.so.9", &n);
    for (size_t i = 0; i < n; i++)
        assert_null(strstr(rows[i].package, "-jit-"));
}

static void x_stands_for_any_last_number(void **state) {
    const struct wy_know *k = *state;
    size_t n;
    const struct wy_provider *rows = wy_know_providers(k, "libnvrtc-builtins.so.12.8", &n);
    assert_true(n >= 1);
    assert_string_equal(rows[0].soname, "libnvrtc-builtins.so.12.X");
    assert_non_null(wy_know_providers(k, "libnvrtc-builtins.so.13.0", &n));
    assert_null(wy_know_providers(k, "libnvrtc-builtins.so.12.8a", &n));
    assert_null(wy_know_providers(k, "libnvrtc-builtins.so.12.", &n));
    assert_null(wy_know_providers(k, "libnvrtc-builtins", &n));
    assert_null(wy_know_providers(k, "", &n));
    char longest[400];
    memset(longest, 'a', sizeof longest);
    memcpy(longest + sizeof longest - 3, ".1", 3);
    assert_null(wy_know_providers(k, longest, &n));
}

static void torch_supplies_its_libraries(void **state) {
    const struct wy_know *k = *state;
    bool supplies = false;
    for (size_t i = 0; i < k->npreloads; i++)
        supplies |= strcmp(k->preloads[i].package, "torch") == 0 &&
                    strcmp(k->preloads[i].module, "torch") == 0;
    assert_true(supplies);
}

static void healthy_exceptions_are_found(void **state) {
    const struct wy_know *k = *state;
    const struct wy_plugin *p =
        wy_know_plugin(k, "nvidia-nvshmem-cu12", "nvshmem_transport_ucx.so.3");
    assert_non_null(p);
    assert_string_equal(p->kind, "plug-in");
    assert_non_null(wy_know_plugin(k, "torch", "libcaffe2_nvrtc.so"));
    assert_null(wy_know_plugin(k, "other", "libcaffe2_nvrtc.so"));
    assert_null(wy_know_plugin(k, "torch", "libtorch_cuda.so"));
    assert_null(wy_know_plugin(k, "bitsandbytes", "libbitsandbytes_cpu.so"));
    assert_non_null(wy_know_plugin(k, "bitsandbytes", "libbitsandbytes_cuda118.so"));
}

static void every_page_can_be_read_on_a_terminal(void **state) {
    const struct wy_know *k = *state;
    for (size_t i = 0; i < k->npages; i++) {
        const struct wy_rule_page *p = &k->pages[i];
        assert_ptr_equal(wy_know_page(k, p->rule), p);
        assert_true(strlen(p->title) > 10);
        assert_true(wy_starts(p->severity, "error") || wy_starts(p->severity, "warning") ||
                    wy_starts(p->severity, "note") || wy_starts(p->severity, "by what fails"));
        unsigned number = 0;
        for (struct wy_str rest = wy_str_of(p->text); rest.p; number++) {
            struct wy_str line = wy_str_line(rest, &rest);
            size_t columns = 0;
            for (size_t j = 0; j < line.n; j++)
                columns += ((unsigned char)line.p[j] & 0xC0) != 0x80;
            assert_true(number < 2 || columns <= 78);
        }
        assert_in_range(number, 25, 60);
        assert_non_null(strstr(p->text, "\nHow to silence it\n"));
    }
    assert_null(wy_know_page(k, "no-such-rule"));
}

static void damaged_lines_are_counted_and_left_out(void **state) {
    (void)state;
    struct wy_know k = {0};
    char plugins[] = "# a\nothers\tfile\tkind\tsource\ntorch\tx.so\n\na\t\tplug-in\tseen\n"
                     "a\tb\tc\td\te\tf\tg\th\ti\tj\n";
    wy_know_parse_plugins(&k, plugins);
    assert_int_equal(k.nplugins, 1);
    assert_int_equal(k.damaged, 3);
    char rules[] = "package = early\n[rule a]\npackage = p\nwhen-import = m\nstep supplies\n"
                   "source = s\nsource = twice\nstep supplies\nstep fly\nother = x\n";
    wy_know_parse_preloads(&k, rules);
    assert_int_equal(k.npreloads, 1);
    assert_int_equal(k.damaged, 3 + 5);
    char imports[] = "module\tdoes\twhat\tsource\na\timports\tb c\tseen\na\tflies\tb\tseen\n";
    wy_know_parse_imports(&k, imports);
    assert_int_equal(k.ndoes, 1);
    assert_string_equal(k.does[0].what, "b c");
    assert_int_equal(k.damaged, 3 + 6);
    char variants[] =
        "package\tfile\tneeds\twhat\tsystem\tsource\np\tf*\tn.so.*\tN\t-\tseen\np\tf\n";
    wy_know_parse_variants(&k, variants);
    assert_int_equal(k.nvariants, 1);
    assert_null(k.variants[0].system);
    assert_int_equal(k.damaged, 3 + 7);
    struct wy_rule_page pages[1];
    k.pages = pages;
    wy_know_parse_page(&k, "a", "# b: title\nseverity: note\n");
    wy_know_parse_page(&k, "a", "# a: title\n");
    wy_know_parse_page(&k, "a", "");
    assert_int_equal(k.npages, 0);
    assert_int_equal(k.damaged, 3 + 7 + 3);
    wy_map_deinit(&k.does_by_module);
    wy_arena_deinit(&k.arena);
}

static void globs_match_as_in_a_shell(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool match;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "abc", true},
        {"?", "", false},
        {"?", "a", true},
        {"a*c", "abbbc", true},
        {"a*c", "abbb", false},
        {"*.so*", "x.so.1", true},
        {"a*b*c", "aXbXbXc", true},
        {"a*b*c", "aXcXb", false},
        {"lib?.so", "libx.so", true},
        {"lib?.so", "lib.so", false},
        {"**a", "a", true},
        {"[a]", "a", false},
        {"[a]", "[a]", true},
        {"a", "A", false},
        {"a*", "*", false},
        {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(wy_glob(cases[i].pattern, cases[i].text), cases[i].match);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_understood),
        cmocka_unit_test(every_line_has_a_source),
        cmocka_unit_test(kinds_are_the_known_ones),
        cmocka_unit_test(drivers_that_libraries_open_are_known_as_such),
        cmocka_unit_test(rows_of_a_soname_adjoin),
        cmocka_unit_test(wrong_rows_are_left_out),
        cmocka_unit_test(x_stands_for_any_last_number),
        cmocka_unit_test(torch_supplies_its_libraries),
        cmocka_unit_test(healthy_exceptions_are_found),
        cmocka_unit_test(every_page_can_be_read_on_a_terminal),
        cmocka_unit_test(damaged_lines_are_counted_and_left_out),
        cmocka_unit_test(globs_match_as_in_a_shell),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
