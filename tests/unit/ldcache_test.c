#include "base/buf.h"
#include "host/host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void numbers_in_names_compare_as_numbers(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int sign;
    } cases[] = {
        {"libz.so.1", "libz.so.01", 0},
        {"libx.so.10", "libx.so.9", 1},
        {"liba.so", "libb.so", -1},
        {"lib1.so", "liba.so", 1},
        {"lib.so", "lib1so", -1},
        {"lib", "lib.so", -1},
        {"lib", "lib1", -1},
        {"", "", 0},
        {"libc.so.6", "libc.so.6", 0},
        {"a4294967297", "a1", 0}, /* wraps as the loader's int */
        {"a3000000000", "a1", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int ab = wy_ldcache_cmp(cases[i].a, cases[i].b),
            ba = wy_ldcache_cmp(cases[i].b, cases[i].a);
        assert_int_equal((ab > 0) - (ab < 0), cases[i].sign);
        assert_int_equal((ba > 0) - (ba < 0), -cases[i].sign);
    }
}

/* One cache file under construction. */
struct file {
    struct wy_buf b;
    bool big_endian;
    size_t start; /* of the new-format header */
};

static void put(struct file *f, uint64_t v, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        wy_buf_char(&f->b, (char)(v >> 8 * (f->big_endian ? n - 1 - i : i)));
}

static void text(struct file *f, const char *s) {
    wy_buf_add(&f->b, s, strlen(s) + 1);
}

static void put_old(struct file *f) {
    text(f, "ld.so-1.7.0");
    put(f, 2, 4);
    put(f, 0x0303, 4);
    put(f, 0, 4);
    put(f, 10, 4);
    put(f, 3, 4);
    put(f, 0, 4);
    put(f, 0, 4);
    text(f, "libz.so.1");
    text(f, "/old/libz.so.1");
}

enum { ENTRIES = 3, TEXTS = 48 + ENTRIES * 24 };
static const char key[] = "libz.so.1", path[] = "/lib/libz.so.1", v2[] = "x86-64-v2",
                  v3[] = "x86-64-v3";

static void put_entry(struct file *f, uint64_t hwcap) {
    put(f, 0x0303, 4);
    put(f, TEXTS, 4);
    put(f, TEXTS + sizeof key, 4);
    put(f, 0x020600, 4);
    put(f, hwcap, 8);
}

/* Entries: folder x86-64-v3, folder out of range, plain. */
static void put_new(struct file *f, unsigned endian, bool extension) {
    size_t names = TEXTS + sizeof key + sizeof path;
    size_t ext = (names + sizeof v2 + sizeof v3 + 3) & ~(size_t)3;
    f->start = f->b.n;
    wy_buf_str(&f->b, "glibc-ld.so.cache1.1");
    put(f, ENTRIES, 4);
    put(f, 0, 4);
    put(f, endian, 1);
    put(f, 0, 3);
    put(f, extension ? ext : 0, 4);
    put(f, 0, 8);
    put(f, 0, 4);
    put_entry(f, UINT64_C(1) << 62 | UINT64_C(2) << 32 | 1);
    put_entry(f, UINT64_C(1) << 62 | 2);
    put_entry(f, 0);
    text(f, key);
    text(f, path);
    text(f, v2);
    text(f, v3);
    put(f, 0, (unsigned)(f->start + ext - f->b.n));
    put(f, 0xeaa42174, 4);
    put(f, 1, 4);
    put(f, 1, 4);
    put(f, 0, 4);
    put(f, ext + 24, 4);
    put(f, 8, 4);
    put(f, names, 4);
    put(f, names + sizeof v2, 4);
}

struct parsed {
    struct wy_arena a;
    struct wy_cache_entry *e;
    size_t n;
    const char *problem;
};

static void parse(struct file *f, struct parsed *p) {
    *p = (struct parsed){0};
    wy_ldcache_parse((struct wy_str){f->b.p, f->b.n}, &p->a, &p->e, &p->n, &p->problem);
}

static void end(struct file *f, struct parsed *p) {
    wy_arena_deinit(&p->a);
    wy_buf_deinit(&f->b);
}

static void check_new(struct file *f) {
    struct parsed p;
    parse(f, &p);
    assert_null(p.problem);
    assert_int_equal(p.n, ENTRIES);
    assert_string_equal(p.e[0].key, "libz.so.1");
    assert_string_equal(p.e[0].path, "/lib/libz.so.1");
    assert_int_equal(p.e[0].flags, 0x0303);
    assert_int_equal(p.e[0].osversion, 0x020600);
    assert_string_equal(p.e[0].hwcap_name, "x86-64-v3");
    assert_true(p.e[0].hwcap == (UINT64_C(1) << 62 | UINT64_C(2) << 32 | 1));
    assert_null(p.e[1].hwcap_name);
    assert_true(p.e[1].hwcap >> 62 & 1);
    assert_null(p.e[2].hwcap_name);
    assert_int_equal(p.e[2].hwcap, 0);
    end(f, &p);
}

static void the_new_format_in_both_byte_orders(void **state) {
    (void)state;
    struct file little = {0}, big = {.big_endian = true}, unset = {0};
    put_new(&little, 2, true);
    check_new(&little);
    put_new(&big, 3, true);
    check_new(&big);
    put_new(&unset, 0, true);
    check_new(&unset);
}

static void the_old_format(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        struct file f = {.big_endian = big};
        struct parsed p;
        put_old(&f);
        parse(&f, &p);
        assert_null(p.problem);
        assert_int_equal(p.n, 2);
        assert_string_equal(p.e[0].key, "libz.so.1");
        assert_string_equal(p.e[0].path, "/old/libz.so.1");
        assert_int_equal(p.e[1].flags, 3);
        end(&f, &p);
    }
}

/* After the old entries, aligned to 8; the old texts follow the new block in real files. */
static void a_new_block_inside_the_old_format_wins(void **state) {
    (void)state;
    for (unsigned alignment = 4; alignment <= 8; alignment += 4) {
        struct file f = {0};
        text(&f, "ld.so-1.7.0");
        put(&f, 1, 4);
        put(&f, 0x0303, 4);
        put(&f, 0, 4);
        put(&f, 0, 4);
        while (f.b.n % alignment)
            put(&f, 0, 1);
        put_new(&f, 2, true);
        check_new(&f);
    }
}

static void expect_problem(struct file *f, size_t n, const char *problem) {
    struct parsed p;
    parse(f, &p);
    assert_string_equal(p.problem, problem);
    assert_int_equal(p.n, n);
    wy_arena_deinit(&p.a);
}

static void damage_is_said(void **state) {
    (void)state;
    struct file f = {0}, invalid = {0}, other = {0};
    put_new(&f, 2, true);
    size_t whole = f.b.n;
    f.b.n = 40;
    expect_problem(&f, 0, "the header is cut off");
    f.b.n = TEXTS - 1;
    expect_problem(&f, 0, "the entries run past the end of the file");
    f.b.n = whole;
    f.b.p[48 + 4 + 2] = 1; /* the first key's offset */
    expect_problem(&f, ENTRIES - 1, "an entry's text lies past the end of the file");
    f.b.p[48 + 4 + 2] = 0;
    f.b.p[32] ^= 4; /* the extension's offset */
    expect_problem(&f, ENTRIES, "the extension block has no magic");
    put_new(&invalid, 1, false);
    expect_problem(&invalid, 0, "the header says that the byte order is invalid");
    wy_buf_str(&other.b, "something else that is no cache");
    expect_problem(&other, 0, "no ld.so.cache magic at byte 0");
    wy_buf_deinit(&f.b);
    wy_buf_deinit(&invalid.b);
    wy_buf_deinit(&other.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_names_compare_as_numbers),
        cmocka_unit_test(the_new_format_in_both_byte_orders),
        cmocka_unit_test(the_old_format),
        cmocka_unit_test(a_new_block_inside_the_old_format_wins),
        cmocka_unit_test(damage_is_said),
    };
    return cmocka_run_group_tests_name("ldcache", tests, NULL, NULL);
}
