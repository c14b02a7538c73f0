#include "base/buf.h"
#include "base/demangle.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/path.h"
#include "base/pool.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include <cmocka.h>

static void cut_gives_parts_and_the_end(void **state) {
    (void)state;
    struct wy_str rest = WY_STR("a::b");
    assert_true(wy_str_is(wy_str_cut(rest, ':', &rest), "a"));
    assert_true(wy_str_is(wy_str_cut(rest, ':', &rest), ""));
    assert_non_null(rest.p);
    assert_true(wy_str_is(wy_str_cut(rest, ':', &rest), "b"));
    assert_null(rest.p);
}

static void numbers_stop_at_their_limit(void **state) {
    (void)state;
    uint64_t v = 7;
    assert_true(wy_str_u64(WY_STR("255"), 255, &v));
    assert_int_equal(v, 255);
    assert_false(wy_str_u64(WY_STR("256"), 255, &v));
    assert_false(wy_str_u64(WY_STR("18446744073709551616"), UINT64_MAX, &v));
    assert_true(wy_str_u64(WY_STR("18446744073709551615"), UINT64_MAX, &v));
    assert_false(wy_str_u64(WY_STR(""), 9, &v));
    assert_false(wy_str_u64(WY_STR("-1"), 9, &v));
}

static void paths_are_cleaned_textually(void **state) {
    (void)state;
    static const char *cases[][2] = {
        {"/a/./b//c/", "/a/b/c"},
        {"/a/../../b", "/b"},
        {"/..", "/"},
        {"a/../..", ".."},
        {"../../a/..", "../.."},
        {"", "."},
        {"a/b/../c", "a/c"},
        {"/", "/"},
    };
    struct wy_arena a = WY_ARENA_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(wy_path_clean(&a, cases[i][0]), cases[i][1]);
    wy_arena_deinit(&a);
}

static void below_is_textual(void **state) {
    (void)state;
    assert_string_equal(wy_path_below("/a/b/c", "/a/b"), "c");
    assert_string_equal(wy_path_below("/a/b", "/a/b/"), "");
    assert_string_equal(wy_path_below("/a", "/"), "a");
    assert_null(wy_path_below("/a/bc", "/a/b"));
}

static void library_names(void **state) {
    (void)state;
    assert_true(wy_path_is_so("libx.so"));
    assert_true(wy_path_is_so("libx.so.1"));
    assert_true(wy_path_is_so("libnvrtc-builtins.so.12.8"));
    assert_false(wy_path_is_so("libx.so.1a"));
    assert_false(wy_path_is_so("libx.so.py"));
    assert_false(wy_path_is_so(".so"));
    assert_false(wy_path_is_so("1.2"));
    assert_false(wy_path_is_so("libx.so."));
}

static void names_are_escaped(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    wy_buf_escaped(&b, WY_STR("a\x1b[31m\n\\\xff\xc3\xa9\xe2\x80\xae"));
    assert_string_equal(wy_buf_text(&b), "a\\x1b[31m\\x0a\\\\\\xff\xc3\xa9\\u202e");
}

static void shell_words_are_quoted(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    wy_buf_shell(&b, "nvidia-nccl-cu12==2.27.5");
    wy_buf_char(&b, ' ');
    wy_buf_shell(&b, "it's $x");
    wy_buf_char(&b, ' ');
    wy_buf_shell(&b, "");
    assert_string_equal(wy_buf_text(&b), "nvidia-nccl-cu12==2.27.5 'it'\\''s $x' ''");
}

static void maps_keep_many_keys(void **state) {
    (void)state;
    struct wy_intern t = {0};
    char name[32];
    const char *first = NULL;
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "key%d", i);
        const char *kept = wy_intern(&t, wy_str_of(name));
        first = i == 0 ? kept : first;
    }
    assert_ptr_equal(wy_intern(&t, WY_STR("key0")), first);
    assert_null(wy_interned(&t, WY_STR("key5000")));
    assert_int_equal(t.n, 5000);
    wy_intern_deinit(&t);
}

static void tables_with_something_in_common(void **state) {
    (void)state;
    struct wy_common *common = wy_common_create();
    struct wy_intern a = {.common = common}, b = {.common = common}, other = {0};
    const char *text = wy_intern(&a, WY_STR("name"));
    assert_ptr_equal(wy_interned(&b, WY_STR("name")), text);
    assert_null(wy_interned(&b, WY_STR("nam")));
    assert_ptr_equal(wy_intern(&b, WY_STR("name")), text);
    assert_null(wy_interned(&other, WY_STR("name")));
    wy_intern_deinit(&a);
    assert_string_equal(wy_interned(&b, WY_STR("name")), "name");
    wy_intern_deinit(&b);
    wy_intern_deinit(&other);
    wy_common_destroy(common);
}

/* Pairs of blocks that differ in one top bit and in where a multiplication and a shift carry it: a
 * family of keys for each such hash that is not keyed. */
static void keys_of_one_hash_cannot_be_made(void **state) {
    (void)state;
    enum { BLOCKS = 12, KEYS = 1 << BLOCKS };
    static uint64_t hashes[KEYS];
    size_t equal = 0;
    for (size_t k = 0; k < KEYS; k++) {
        uint64_t words[2 * BLOCKS];
        for (size_t i = 0; i < BLOCKS; i++) {
            bool other = k >> i & 1;
            words[2 * i] = 0x6161616161616161u ^ (other ? UINT64_C(1) << 63 : 0);
            words[2 * i + 1] =
                0x6161616161616161u ^ (other ? UINT64_C(1) << 63 | UINT64_C(1) << 34 : 0);
        }
        hashes[k] = wy_hash(words, sizeof words);
        equal += k && hashes[k] == hashes[k - 1];
    }
    assert_true(equal < 3);
}

static void record_hashes_become_hex(void **state) {
    (void)state;
    char hex[65];
    assert_true(wy_sha256_from_record(WY_STR("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"), hex));
    struct wy_sha256 *h = wy_sha256_create();
    char empty[65];
    wy_sha256_end(h, empty);
    assert_string_equal(hex, empty);
    assert_false(wy_sha256_from_record(WY_STR("short"), hex));
    assert_false(wy_sha256_from_record(WY_STR("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"), hex));
}

static void utf8_refuses_what_is_not(void **state) {
    (void)state;
    uint32_t c;
    assert_int_equal(wy_utf8_next(WY_STR("\xf0\x9f\x98\x80"), &c), 4);
    assert_int_equal(c, 0x1f600);
    assert_int_equal(wy_utf8_next(WY_STR("\xed\xa0\x80"), &c), 0); /* a surrogate */
    assert_int_equal(wy_utf8_next(WY_STR("\xc0\x80"), &c), 0);     /* overlong */
    assert_int_equal(wy_utf8_next(WY_STR("\xe2\x80"), &c), 0);     /* cut */
}

static void count_item(void *ctx, unsigned worker, size_t item) {
    (void)worker;
    atomic_fetch_add((atomic_size_t *)ctx, item);
}

static void the_pool_runs_each_item_once(void **state) {
    (void)state;
    atomic_size_t sum = 0;
    wy_pool_run(4, 1001, count_item, &sum);
    assert_int_equal(sum, 500500);
    wy_pool_run(4, 0, count_item, &sum);
    assert_int_equal(sum, 500500);
}

static void names_are_demangled_within_limits(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    assert_string_equal(wy_demangle(&a, "_ZN3c105ErrorC2ENS_14SourceLocationESs"),
                        "c10::Error::Error(c10::SourceLocation, std::string)");
    assert_null(wy_demangle(&a, "cudaLaunchKernel"));
    assert_null(wy_demangle(&a, "_Zxx"));
    /* 80 references, each twice as long as the one before: half a gigabyte and more. */
    wy_auto_buf bomb = {0};
    wy_buf_str(&bomb, "_Z1fI1AIiiEE");
    wy_buf_str(&bomb, "S_IS_S_E");
    for (char c = '0'; c <= '9'; c++)
        wy_buf_printf(&bomb, "S%c_IS%c_S%c_E", c, c, c);
    for (char c = 'A'; c <= 'Z'; c++)
        wy_buf_printf(&bomb, "S%c_IS%c_S%c_E", c, c, c);
    char *text = wy_demangle(&a, wy_buf_text(&bomb));
    assert_true(!text || strlen(text) <= 65536);
    char *endless = wy_alloc0(WY_DEMANGLE_LONGEST + 2, 1);
    memset(endless, 'i', WY_DEMANGLE_LONGEST + 1);
    memcpy(endless, "_Z1f", 4);
    assert_null(wy_demangle(&a, endless));
    free(endless);
    wy_arena_deinit(&a);
}

static void vectors_move_into_arenas(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    WY_VEC(int) v = {0};
    for (int i = 0; i < 100; i++)
        wy_vec_push(&v, i);
    wy_vec_keep(&a, &v);
    assert_int_equal(v.v[99], 99);
    wy_arena_deinit(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_gives_parts_and_the_end),
        cmocka_unit_test(numbers_stop_at_their_limit),
        cmocka_unit_test(paths_are_cleaned_textually),
        cmocka_unit_test(below_is_textual),
        cmocka_unit_test(library_names),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(shell_words_are_quoted),
        cmocka_unit_test(maps_keep_many_keys),
        cmocka_unit_test(tables_with_something_in_common),
        cmocka_unit_test(keys_of_one_hash_cannot_be_made),
        cmocka_unit_test(record_hashes_become_hex),
        cmocka_unit_test(utf8_refuses_what_is_not),
        cmocka_unit_test(the_pool_runs_each_item_once),
        cmocka_unit_test(names_are_demangled_within_limits),
        cmocka_unit_test(vectors_move_into_arenas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
