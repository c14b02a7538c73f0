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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ignore_is_a_rule_and_a_glob),
        cmocka_unit_test(a_baseline_is_read),
        cmocka_unit_test(what_is_no_baseline_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
