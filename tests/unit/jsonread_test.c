#include "base/jsonread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct wy_jread value_of(const char *text) {
    return wy_jread_text(wy_str_of(text));
}

static void members_are_found(void **state) {
    (void)state;
    struct wy_jread v = value_of(
        "\xef\xbb\xbf {\"a\": {\"name\": \"inner\"}, \"name\" : \"x\",\n \"size\":12, \"n\":null}");
    assert_int_equal(wy_jread_kind(v), '{');
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str s;
    uint64_t n;
    assert_true(wy_jread_str(wy_jread_get(v, "name"), &a, &s));
    assert_string_equal(s.p, "x");
    assert_true(wy_jread_u64(wy_jread_get(v, "size"), 12, &n));
    assert_int_equal(n, 12);
    assert_false(wy_jread_u64(wy_jread_get(v, "size"), 11, &n));
    assert_int_equal(wy_jread_kind(wy_jread_get(v, "n")), 'n');
    assert_null(wy_jread_get(v, "absent").p);
    assert_false(wy_jread_str(wy_jread_get(v, "size"), &a, &s));
    wy_arena_deinit(&a);
}

/* The items' kinds in a row; '!' at the end of a damaged text. */
static void expect_kinds(const char *text, const char *expected) {
    char got[32] = "";
    size_t n = 0;
    struct wy_jread item;
    struct wy_jread_each each = wy_jread_begin(value_of(text));
    while (wy_jread_next(&each, NULL, &item) && n < sizeof got - 2)
        got[n++] = wy_jread_kind(item);
    if (each.damaged)
        got[n++] = '!';
    got[n] = '\0';
    assert_string_equal(got, expected);
    assert_false(wy_jread_next(&each, NULL, &item));
}

static void damage_ends_the_reading(void **state) {
    (void)state;
    expect_kinds("[1, \"a\", [2, 3], {\"x\": []}, true, false, null, -1.5e3]", "0\"[{tfn0");
    expect_kinds("[]", "");
    expect_kinds("{ }", "");
    expect_kinds("7", "");
    expect_kinds("[1, 2", "00!");
    expect_kinds("[1 2]", "0!");
    expect_kinds("[1,, 2]", "0!");
    expect_kinds("[\"open]", "!");
    expect_kinds("[\"line\n\"]", "!");
    expect_kinds("[\"\\", "!");
    expect_kinds("[[1}, 2]", "!");
    expect_kinds("[{\"a\": 1]", "!");
    expect_kinds("{\"a\" 1}", "!");
    expect_kinds("{1: 1}", "!");
    expect_kinds("", "");
}

static void nesting_has_an_end(void **state) {
    (void)state;
    char text[1024] = "[";
    memset(text + 1, '[', 256);
    memset(text + 257, ']', 257);
    expect_kinds(text, "[");
    memset(text, '[', 258);
    memset(text + 258, ']', 258);
    expect_kinds(text, "!");
}

static void expect_text(const char *json, const char *expected) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str s = {0};
    assert_int_equal(wy_jread_str(value_of(json), &a, &s), expected != NULL);
    if (expected) {
        assert_string_equal(s.p, expected);
        assert_int_equal(s.n, strlen(expected));
    }
    wy_arena_deinit(&a);
}

static void escapes_are_resolved(void **state) {
    (void)state;
    expect_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
    expect_text("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    expect_text("\"\\udcff\"", "\xff");
    expect_text("\"\\ud800x\"", "\xef\xbf\xbdx");
    expect_text("\"\\u0000\"", NULL);
    expect_text("\"\\u00\"", NULL);
    expect_text("\"\\x\"", NULL);
    expect_text("\"cut", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_found),
        cmocka_unit_test(damage_ends_the_reading),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(escapes_are_resolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
