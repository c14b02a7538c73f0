#include "base/vec.h"
#include "pip/headers.h"
#include "pip/pip.h"
#include "pip/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static int setup(void **state) {
    *state = wy_alloc0(1, sizeof(struct wy_arena));
    return 0;
}

static int teardown(void **state) {
    wy_arena_deinit(*state);
    free(*state);
    return 0;
}

/* ---- RECORD ---- */

static const char *parse_n(struct wy_arena *a, const char *text, size_t n, struct wy_record *ret) {
    char *copy = wy_arena_str(a, (struct wy_str){text, n});
    *ret = (struct wy_record){0};
    const char *problem = wy_record_parse(copy, n, a, ret);
    wy_vec_keep(a, ret);
    return problem;
}

static const char *parse(struct wy_arena *a, const char *text, struct wy_record *ret) {
    return parse_n(a, text, strlen(text), ret);
}

static void rows_have_path_hash_and_size(void **state) {
    struct wy_record r;
    assert_null(parse(*state,
                      "numpy/a.so,sha256=abc_-1,42\r\n"
                      "../../../bin/f2py,sha256=x,0\n"
                      "\n"
                      "/abs/x,,\r"
                      "d.dist-info/RECORD,,\n"
                      "m.py,md5=zz,9223372036854775807",
                      &r));
    assert_int_equal(r.n, 5);
    assert_string_equal(r.v[0].path, "numpy/a.so");
    assert_true(wy_str_is(r.v[0].hash, "abc_-1"));
    assert_int_equal(r.v[0].size, 42);
    assert_string_equal(r.v[1].path, "../../../bin/f2py");
    assert_int_equal(r.v[1].size, 0);
    assert_string_equal(r.v[2].path, "/abs/x");
    assert_int_equal(r.v[2].size, -1);
    assert_true(wy_str_is(r.v[2].hash, ""));
    assert_string_equal(r.v[3].path, "d.dist-info/RECORD");
    assert_true(wy_str_is(r.v[4].hash, "")); /* only sha256 is read */
    assert_int_equal(r.v[4].size, INT64_MAX);
}

static void quoting_follows_the_csv_module(void **state) {
    struct wy_record r;
    assert_null(parse(*state,
                      "\"a,b.py\",sha256=q,1\n"
                      "\"say \"\"hi\"\".txt\",,\n"
                      "\"two\nlines\",\"sha256=z\",\"3\"\n"
                      "\"ab\"cd,,\n"
                      "a\"b,,\n"
                      "pkg\\sub\\m.py,,\n",
                      &r));
    assert_int_equal(r.n, 6);
    assert_string_equal(r.v[0].path, "a,b.py");
    assert_string_equal(r.v[1].path, "say \"hi\".txt");
    assert_string_equal(r.v[2].path, "two\nlines");
    assert_true(wy_str_is(r.v[2].hash, "z"));
    assert_int_equal(r.v[2].size, 3);
    assert_string_equal(r.v[3].path, "abcd");
    assert_string_equal(r.v[4].path, "a\"b");
    assert_string_equal(r.v[5].path, "pkg/sub/m.py");
}

static void a_wrong_row_is_said_and_the_rest_is_read(void **state) {
    struct wy_record r;
    assert_string_equal(parse(*state, "a,,\nb,,,,\nc\nd,,\n", &r),
                        "line 2: a row that has not three columns (path, hash, size)");
    assert_int_equal(r.n, 3); /* too many columns: no row; too few: a row as importlib sees it */
    assert_string_equal(r.v[1].path, "c");
    assert_string_equal(parse(*state, "a,,12x\nb,,\n", &r), "line 1: a size that is not a number");
    assert_int_equal(r.n, 2);
    assert_int_equal(r.v[0].size, -1);
    assert_string_equal(parse(*state, "\"x\ny\",,\nb\xff,,\nc,,\n", &r),
                        "line 3: a path that is not UTF-8");
    assert_int_equal(r.n, 3);
    assert_string_equal(r.v[1].path, "b\xff");
}

static void damage_ends_the_rows_before_it_are_kept(void **state) {
    struct wy_record r;
    assert_string_equal(parse_n(*state, "a,,\nb,\0,\nc,,\n", 13, &r), "line 2: a NUL byte");
    assert_int_equal(r.n, 1);
    assert_string_equal(parse(*state, "a,,\n\"b,,\nc,,\n", &r),
                        "line 2: a quote that is not closed");
    assert_int_equal(r.n, 1);
    assert_string_equal(parse(*state, "a,,\n\x01\x02gz\nc,,\n", &r), "line 2: not text");
    assert_int_equal(r.n, 1);
    assert_string_equal(parse(*state, "a,,\n\xfe\xff\nc,,\n", &r), "line 2: not text");
    assert_int_equal(r.n, 1);
}

static void limits_of_a_record_hold_at_their_edge(void **state) {
    struct wy_record r;
    size_t n = WY_RECORD_MAX_ROWS;
    char *text = wy_alloc((n + 1) * 4 + 1);
    for (size_t rows = n; rows <= n + 1; rows++) {
        for (size_t i = 0; i < rows; i++)
            memcpy(text + 4 * i, "a,,\n", 4);
        r = (struct wy_record){0};
        const char *problem = wy_record_parse(text, 4 * rows, *state, &r);
        assert_int_equal(r.n, n);
        if (rows == n)
            assert_null(problem);
        else
            assert_string_equal(problem, "line 2000001: more than 2,000,000 rows");
        wy_vec_free(&r);
    }
    free(text);
    char byte = 'a';
    r = (struct wy_record){0};
    assert_string_equal(wy_record_parse(&byte, (size_t)WY_RECORD_MAX_BYTES + 1, *state, &r),
                        "larger than 64 MiB");
    char *line = wy_alloc(131080);
    memset(line, 'x', 131080);
    line[131079] = '\0';
    assert_string_equal(parse(*state, line, &r), "line 1: a row longer than 131,072 bytes");
    assert_int_equal(r.n, 0);
    free(line);
    assert_null(parse(*state, "", &r));
    assert_int_equal(r.n, 0);
}

/* ---- header lines ---- */

static void headers_are_read_as_mail(void **state) {
    struct wy_str name, value;
    struct wy_str rest = WY_STR("Metadata-Version: 2.1\r\n"
                                "NAME:torch\n"
                                "License: one\n"
                                "        two\r\n"
                                "\tthree\n"
                                "Empty:\n"
                                "\n"
                                "Version: 1\n");
    assert_true(wy_header_next(&rest, &name, &value));
    assert_true(wy_header_is(name, "metadata-version"));
    assert_true(wy_str_is(value, "2.1"));
    assert_true(wy_header_next(&rest, &name, &value));
    assert_true(wy_header_is(name, "Name"));
    assert_true(wy_str_is(value, "torch"));
    assert_true(wy_header_next(&rest, &name, &value));
    assert_string_equal(wy_header_text(*state, value), "one two three");
    assert_true(wy_header_next(&rest, &name, &value));
    assert_true(wy_str_is(value, ""));
    assert_false(wy_header_next(&rest, &name, &value));
    rest = WY_STR("Not a header: x\n");
    assert_false(wy_header_next(&rest, &name, &value));
    rest = WY_STR("A: b");
    assert_true(wy_header_next(&rest, &name, &value));
    assert_false(wy_header_next(&rest, &name, &value));
    assert_string_equal(wy_header_text(*state, (struct wy_str){"a\0b", 3}), "a?b");
}

/* ---- names and versions ---- */

static void names_are_normalised(void **state) {
    static const char *cases[][2] = {{"Jinja2", "jinja2"},
                                     {"zope.interface", "zope-interface"},
                                     {"A._-b", "a-b"},
                                     {"nvidia_cudnn_cu12", "nvidia-cudnn-cu12"},
                                     {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(wy_dist_key(*state, wy_str_of(cases[i][0])), cases[i][1]);
}

static void only_project_names_may_stand_in_a_command(void **state) {
    (void)state;
    static const char *good[] = {"a", "7z", "torch", "zope.interface", "a-_.b"};
    static const char *bad[] = {
        "",   "-e", "--index-url=x", "$(rm -rf)", "a b", "a\n", "\x1b[2J", "torch;", "a/b",
        "_a", "a.", "\xc3\xa9",      "a'b",       "*",   ".",   "../x",    "a@b"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(wy_name_valid(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(wy_name_valid(bad[i]));
    assert_false(wy_name_valid(NULL));
}

static void versions_of_pep_440_are_known(void **state) {
    (void)state;
    static const char *good[] = {"1",        "9.10.2.21", "1!2.0",    "2.10.0+cu128",    "1.0a1",
                                 "1.0.dev0", "1.0rc1",    "1.0-1",    "1.0.post2",       "v1.0",
                                 "1.0.RC-1", "1.0+a.b_1", "1.0alpha", "1.0a1.post2.dev3"};
    static const char *bad[] = {"",        "a",   "1.0+", "1..0", "1.0 ",   "1.0;x", "$(x)", "-1",
                                "1.0+a+b", "1.*", "1.0x", "1.",   "1.0+-a", "!1",    "1.0\n"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(wy_version_valid(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(wy_version_valid(bad[i]));
    assert_false(wy_version_valid(NULL));
}

static int order(const char *a, const char *b) {
    struct wy_version x, y;
    assert_true(wy_version_parse(wy_str_of(a), &x));
    assert_true(wy_version_parse(wy_str_of(b), &y));
    return wy_version_compare(&x, &y);
}

/* The order that PEP 440 gives in "Summary of permitted suffixes and relative ordering". */
static void versions_are_ordered(void **state) {
    (void)state;
    static const char *sorted[] = {"1.dev0",
                                   "1.0.dev456",
                                   "1.0a1",
                                   "1.0a2.dev456",
                                   "1.0a12.dev456",
                                   "1.0a12",
                                   "1.0b1.dev456",
                                   "1.0b2",
                                   "1.0b2.post345.dev456",
                                   "1.0b2.post345",
                                   "1.0rc1.dev456",
                                   "1.0rc1",
                                   "1.0",
                                   "1.0+abc.5",
                                   "1.0+abc.7",
                                   "1.0+5",
                                   "1.0.post456.dev34",
                                   "1.0.post456",
                                   "1.0.15",
                                   "1.1.dev1",
                                   "1.9",
                                   "1.10",
                                   "20240101000000000000000",
                                   "1!0.1"};
    size_t n = sizeof sorted / sizeof *sorted;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            assert_int_equal(order(sorted[i], sorted[k]), (i > k) - (i < k));
    assert_int_equal(order("1.0", "1.0.0"), 0);
    assert_int_equal(order("1.0-1", "1.0.post1"), 0);
    assert_int_equal(order("1.0C1", "1.0rc1"), 0);
    assert_int_equal(order("01.002", "1.2"), 0);
    assert_int_equal(order("1.0+ABC", "1.0+abc"), 0);
}

static void specifiers_are_met_or_not(void **state) {
    (void)state;
    static const struct {
        const char *specifier, *version;
        int expected;
    } cases[] = {
        {"", "1.0", 1},
        {">=1.0,<2", "1.5", 1},
        {">=1.0, <2", "2.0", 0},
        {"==1.4.*", "1.4.99", 1},
        {"==1.4.*", "1.40", 0},
        {"==1.4.*", "1.4rc1", 1},
        {"==1.*", "1", 1},
        {"!=1.4.*", "1.4.1", 0},
        {"~=2.2", "2.9", 1},
        {"~=2.2", "3.0", 0},
        {"~=2.2.1", "2.3", 0},
        {"~=2.2.post3", "2.2.post4", 1},
        {"~=1", "1.1", -1},
        {"==1.0", "1.0+cu118", 1},
        {"==1.0+cu118", "1.0", 0},
        {"===1.0", "1.0.0", 0},
        {"===1.0", "1.0", 1},
        {"<1.0", "1.0rc1", 0},
        {"<1.0rc2", "1.0rc1", 1},
        {"<1.1", "1.0rc1", 1},
        {">1.0", "1.0.post1", 0},
        {">1.0", "1.0+local", 0},
        {">1.0", "1.0.1", 1},
        {">1.0.post1", "1.0.post2", 1},
        {"<=1.0", "1.0+local", 1},
        {">=1.0.*", "1.1", -1},
        {"1.0", "1.0", -1},
        {">=1.0", "unknown", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int got = wy_specifier_matches(wy_str_of(cases[i].specifier), cases[i].version);
        if (got != cases[i].expected)
            fail_msg("%s against %s: %d", cases[i].version, cases[i].specifier, got);
    }
}

/* ---- requirements and markers ---- */

static void requirements_are_taken_apart(void **state) {
    struct wy_requirement q;
    assert_true(wy_requirement_parse("nvidia-cudnn-cu12==9.10.2.21; platform_system == \"Linux\"",
                                     *state, &q));
    assert_string_equal(q.name, "nvidia-cudnn-cu12");
    assert_string_equal(q.pinned, "9.10.2.21");
    assert_true(wy_str_is(q.specifier, "==9.10.2.21"));
    assert_true(wy_str_is(q.marker, "platform_system == \"Linux\""));
    assert_true(wy_requirement_parse("Foo_Bar [a, b] (>= 1.0 , < 2) ; extra == 'x'", *state, &q));
    assert_string_equal(q.key, "foo-bar");
    assert_true(wy_str_is(q.extras, "a, b"));
    assert_true(wy_str_is(q.specifier, ">=1.0,<2"));
    assert_true(wy_str_is(q.marker, "extra == 'x'"));
    assert_null(q.pinned);
    assert_true(wy_requirement_parse("p@ https://h/x;y.whl#a=b ; os_name=='posix'", *state, &q));
    assert_true(wy_str_is(q.url, "https://h/x;y.whl#a=b"));
    assert_true(wy_str_is(q.specifier, ""));
    assert_true(wy_str_is(q.marker, "os_name=='posix'"));
    assert_true(wy_requirement_parse("six", *state, &q));
    assert_true(wy_str_is(q.specifier, ""));
    assert_true(wy_requirement_parse("a==1.*", *state, &q));
    assert_null(q.pinned);
    assert_true(wy_requirement_parse("a==1,!=2", *state, &q));
    assert_null(q.pinned);
    static const char *bad[] = {"",     ">=1", "a b", "a>=",     "a(>=1", "a[x", "--index-url=x",
                                "a[$]", "a@",  "a.",  "a==$(x)", "a=1",   "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (wy_requirement_parse(bad[i], *state, &q))
            fail_msg("taken: %s", bad[i]);
}

static void markers_are_evaluated_for_linux(void **state) {
    (void)state;
    static const struct {
        const char *marker;
        int expected;
    } cases[] = {
        {"", 1},
        {"platform_system == 'Linux' and platform_machine == 'x86_64'", 1},
        {"platform_system == \"Windows\"", 0},
        {"python_version < '3.9'", 0},
        {"python_version >= '3.9'", 1}, /* by version, not by text */
        {"python_version == '3.*'", 1},
        {"python_version ~= '3.8'", 1},
        {"python_full_version <= '3.11.2'", 0},
        {"'3.9' <= python_version", 1},
        {"sys_platform == 'win32' or (os_name == 'posix' and extra == '')", 1},
        {"sys_platform == 'win32' or os_name == 'posix' and extra == 'x'", 0},
        {"extra == 'My_Extra'", 0},
        {"sys_platform in 'linux darwin'", 1},
        {"sys_platform not in 'linux darwin'", 0},
        {"'linux' in sys_platform", 1},
        {"implementation_name == 'cpython' and platform_python_implementation=='CPython'", 1},
        {"python_implementation == 'PyPy'", 0},
        {"platform_release >= '5'", -1},
        {"platform_release >= '5' and os_name == 'nt'", 0},
        {"platform_release >= '5' or os_name == 'posix'", 1},
        {"nonsense == '1'", -1},
        {"python_version", -1},
        {"python_version >=", -1},
        {"(os_name == 'posix'", -1},
        {"os_name == 'posix')", -1},
        {"os_name not 'posix'", -1},
        {"os_name == 'posix", -1},
        {"sys_platform ~= 'linux'", -1},
    };
    struct wy_marker_env env = {"3.11", "3.11.7", "x86_64", ""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int got = wy_marker_eval(wy_str_of(cases[i].marker), &env);
        if (got != cases[i].expected)
            fail_msg("%s: %d", cases[i].marker, got);
    }
    env.extra = "my-extra";
    assert_int_equal(wy_marker_eval(WY_STR("extra == 'My_Extra'"), &env), 1);
    env.python_full_version = NULL;
    assert_int_equal(wy_marker_eval(WY_STR("python_full_version > '3'"), &env), -1);
}

static void deep_markers_are_refused(void **state) {
    (void)state;
    struct wy_marker_env env = {"3.11", "3.11.7", "x86_64", ""};
    char deep[100000];
    memset(deep, '(', sizeof deep);
    assert_int_equal(wy_marker_eval((struct wy_str){deep, sizeof deep}, &env), -1);
}

static void tags_of_wheels(void **state) {
    (void)state;
    static const struct {
        const char *tag, *platform;
        bool fits;
    } table[] = {
        {"py3-none-any", "any", true},
        {"py2.py3-none-any", "any", true},
        {"py2-none-any", "any", false},
        {"py39-none-any", "any", true},
        {"py312-none-any", "any", false},
        {"cp311-cp311-manylinux_2_28_x86_64", "manylinux_2_28_x86_64", true},
        {"cp310-cp310-linux_x86_64", "linux_x86_64", false},
        {"cp310-abi3-linux_x86_64", "linux_x86_64", true},
        {"cp312-abi3-linux_x86_64", "linux_x86_64", false},
        {"cp39.cp310.cp311-abi3-any", "any", true},
        {"pp311-pypy311_pp73-any", "any", false},
        {"", "", false},
        {"cp-abi3-any", "any", false},
    };
    struct wy_env env = {.major = 3, .minor = 11};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct wy_str platform;
        assert_int_equal(wy_tag_fits_python(wy_str_of(table[i].tag), &env, &platform),
                         table[i].fits);
        assert_true(wy_str_is(platform, table[i].platform));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_have_path_hash_and_size, setup, teardown),
        cmocka_unit_test_setup_teardown(quoting_follows_the_csv_module, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wrong_row_is_said_and_the_rest_is_read, setup, teardown),
        cmocka_unit_test_setup_teardown(damage_ends_the_rows_before_it_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(limits_of_a_record_hold_at_their_edge, setup, teardown),
        cmocka_unit_test_setup_teardown(headers_are_read_as_mail, setup, teardown),
        cmocka_unit_test_setup_teardown(names_are_normalised, setup, teardown),
        cmocka_unit_test(only_project_names_may_stand_in_a_command),
        cmocka_unit_test(versions_of_pep_440_are_known),
        cmocka_unit_test(versions_are_ordered),
        cmocka_unit_test(specifiers_are_met_or_not),
        cmocka_unit_test_setup_teardown(requirements_are_taken_apart, setup, teardown),
        cmocka_unit_test(markers_are_evaluated_for_linux),
        cmocka_unit_test(deep_markers_are_refused),
        cmocka_unit_test(tags_of_wheels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
