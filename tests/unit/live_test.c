/* The loader's list read from a process's memory, against what the loader itself tells. */
#include "live/live.h"

#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

struct told {
    const char *names[256];
    size_t n;
};

static int tell(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct told *t = data;
    assert_true(t->n < sizeof t->names / sizeof *t->names);
    t->names[t->n++] = info->dlpi_name;
    return 0;
}

static void the_list_is_the_loaders_own(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    struct told t = {.n = 0};
    const char **names;
    size_t n;
    dl_iterate_phdr(tell, &t);
    assert_null(wy_live_objects(&a, getpid(), &names, &n));
    assert_true(n > 1);
    assert_int_equal(n, t.n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(names[i], t.names[i]);
    wy_arena_deinit(&a);
}

static void a_process_that_is_not_there(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    const char **names;
    size_t n;
    assert_non_null(wy_live_objects(&a, 0x7ffffffe, &names, &n));
    assert_int_equal(n, 0);
    wy_arena_deinit(&a);
}

static void a_program_that_cannot_be_started(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    const char *const none[] = {NULL};
    const struct wy_live_request r = {"/nonexistent/python", "/", none, false, 20};
    struct wy_live_import got;
    assert_null(wy_live_import(&a, &r, "m", &got));
    assert_int_equal(got.end, WY_LIVE_EXIT);
    assert_int_equal(got.status, 127);
    assert_non_null(got.no_objects);
    wy_arena_deinit(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_the_loaders_own),
        cmocka_unit_test(a_process_that_is_not_there),
        cmocka_unit_test(a_program_that_cannot_be_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
