#include "conf/conf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void ignore_is_a_rule_and_a_glob(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    struct whyso_ignore one;
    assert_null(wy_conf_ignore(&a, "leftover", &one));
    assert_string_equal(one.rule, "leftover");
    assert_null(one.glob);
    assert_null(wy_conf_ignore(&a, "bad-file:lib/a:b*", &one));
    assert_string_equal(one.rule, "bad-file");
    assert_string_equal(one.glob, "lib/a:b*");
    static const char *const wrong[] = {"", ":", ":x", "leftover:"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct wy_error *e = wy_conf_ignore(&a, wrong[i], &one);
        assert_non_null(e);
        wy_error_free(e);
    }
    wy_arena_deinit(&a);
}

#define HEAD "{\"schema\": \"whyso/baseline/1\", \"findings\": "

static void a_baseline_is_read(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    struct whyso_silence s = {0};
    assert_null(wy_conf_baseline(
        &a, "f",
        WY_STR(HEAD
               "[{\"fingerprint\": \"bad-file:a\\udcff\", \"severity\": \"error\", \"more\": 1},"
               "{\"severity\": \"note\", \"fingerprint\": \"leftover:b\"}]}"),
        &s));
    assert_int_equal(s.nknown, 2);
    assert_string_equal(s.known[0].fingerprint, "bad-file:a\xff");
    assert_int_equal(s.known[0].severity, WHYSO_ERROR);
    assert_string_equal(s.known[1].fingerprint, "leftover:b");
    assert_int_equal(s.known[1].severity, WHYSO_NOTE);
    assert_null(wy_conf_baseline(&a, "f", WY_STR(HEAD "[]}"), &s));
    assert_int_equal(s.nknown, 0);
    wy_arena_deinit(&a);
}

static void what_is_no_baseline_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "no baseline"},
        {"[]", "no baseline"},
        {"{\"schema\": \"whyso/check/1\"}", "no baseline"},
        {"{\"schema\": \"whyso/baseline/1\"}", "a whole list named findings"},
        {HEAD "{}}", "a whole list named findings"},
        {HEAD "[1]}", "finding 1: expected"},
        {HEAD "[{\"fingerprint\": \"x\"}]}", "finding 1: expected"},
        {HEAD "[{\"fingerprint\": \"x\", \"severity\": \"bad\"}]}", "finding 1: expected"},
        {HEAD "[{\"fingerprint\": \"x\", \"severity\": \"note\"}, {}]}", "finding 2: expected"},
        {HEAD "[{\"fingerprint\": \"x\", \"severity\": \"note\"}", "a whole list named findings"},
        {HEAD "[{\"fingerprint\": \"x\", \"severity\": \"note\"} {}]}", "damaged after finding 1"},
        {HEAD "[{\"fingerprint\": \"x\\u0000\", \"severity\": \"note\"}]}", "finding 1: expected"},
    };
    struct wy_arena a = WY_ARENA_INIT;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct whyso_silence s = {0};
        struct wy_error *e = wy_conf_baseline(&a, "known.json", wy_str_of(wrong[i].text), &s);
        assert_non_null(e);
        assert_non_null(strstr(e->message, wrong[i].says));
        assert_true(wy_starts(e->message, "known.json: "));
        wy_error_free(e);
    }
    wy_arena_deinit(&a);
}

/* What `text` gives when it is called `file`; the error's text in `a` when there is one. */
static const char *error_of(struct wy_arena *a, const char *file, const char *text,
                            struct wy_conf *ret) {
    struct wy_error *e = wy_conf_read(a, file, wy_str_of(text), ret);
    const char *message = e ? wy_arena_cstr(a, e->message) : NULL;
    wy_error_free(e);
    return message;
}

static void settings_are_read(void **state) {
    (void)state;
    static const char text[] = "ignore = ['leftover', \"bad-file:lib/*\"]\n"
                               "baseline = \"known.json\"\nfail-on = \"note\"\n";
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_conf c;
    assert_null(error_of(&a, "/p/whyso.toml", text, &c));
    assert_true(c.found);
    assert_int_equal(c.nignores, 2);
    assert_string_equal(c.ignores[0].rule, "leftover");
    assert_null(c.ignores[0].glob);
    assert_string_equal(c.ignores[1].glob, "lib/*");
    assert_string_equal(c.baseline, "known.json");
    assert_string_equal(c.fail_on, "note");
    assert_null(error_of(&a, "/p/pyproject.toml", "[tool.whyso]\nfail-on = 'never'\n", &c));
    assert_true(c.found);
    assert_string_equal(c.fail_on, "never");
    assert_null(c.baseline);
    wy_arena_deinit(&a);
}

static void files_of_others_are_left_alone(void **state) {
    (void)state;
    static const char *const texts[] = {"", "[tool.ruff]\nwhyso = 1\n", "tool = 'whyso'\n",
                                        "[tool]\nwhyso = 3\n", "[broken"};
    struct wy_arena a = WY_ARENA_INIT;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct wy_conf c;
        assert_null(error_of(&a, "/p/pyproject.toml", texts[i], &c));
        assert_false(c.found);
    }
    wy_arena_deinit(&a);
}

static void wrong_settings_name_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"\nignroe = []", "line 2: unknown key 'ignroe'"},
        {"ignore = 'leftover'", "line 1: ignore takes a list of texts"},
        {"ignore = ['leftover',\n 3]", "line 2: ignore takes a list of texts"},
        {"ignore = [':x']", "line 1: ignore takes RULE"},
        {"ignore = [['a']]", "line 1: ignore takes a list of texts"},
        {"baseline = 1", "line 1: baseline takes a text"},
        {"baseline = ['x']", "line 1: baseline takes a text"},
        {"fail-on = \"a\\u0000b\"", "line 1: fail-on takes a text"},
        {"a = 1\na = 2", "line 2: "},
        {"\xff", "line 1: "},
        {"ignore = [", "line 1: "},
        {"\xef\xb3\xbf", "line 1: "},
        {"a = {,", "/p/whyso.toml: "},
    };
    struct wy_arena a = WY_ARENA_INIT;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct wy_conf c;
        const char *message = error_of(&a, "/p/whyso.toml", wrong[i].text, &c);
        assert_non_null(message);
        assert_true(wy_starts(message, "/p/whyso.toml: "));
        if (!strstr(message, wrong[i].says))
            fail_msg("%s: %s", wrong[i].text, message);
    }
    wy_arena_deinit(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ignore_is_a_rule_and_a_glob),
        cmocka_unit_test(a_baseline_is_read),
        cmocka_unit_test(what_is_no_baseline_is_said),
        cmocka_unit_test(settings_are_read),
        cmocka_unit_test(files_of_others_are_left_alone),
        cmocka_unit_test(wrong_settings_name_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
