/* The simulated loader as a library: states are values, opens are remembered. What it predicts is
 * tested in tests/loader, where the real loader judges. */
#include "elf_bytes.h"
#include "folder.h"
#include "ld/ld.h"
#include "tree/overlay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

struct world {
    struct wy_tree *tree;
    struct wy_host *host;
    struct wy_ld *ld;
    struct wy_open start;
    char program[4096];
};

/* Over w->tree, which may be as the machine is or as it would be. */
static void start(struct world *w) {
    struct wy_host_options options = {.cwd = "/"};
    assert_null(wy_host_create(w->tree, &options, &w->host));
    struct wy_place place;
    assert_int_equal(wy_tree_find(w->tree, NULL, w->program, 0, &place), 0);
    wy_host_set_program(w->host, wy_host_image(w->host, &place));
    w->ld = wy_ld_create(w->host);
    wy_ld_start(w->ld, w->program, &w->start);
    assert_int_equal(w->start.outcome, WY_OPEN_OK);
}

/* The program that is simulated is this test. */
static int set_up(void **state) {
    struct world *w = wy_alloc0(1, sizeof *w);
    ssize_t n = readlink("/proc/self/exe", w->program, sizeof w->program - 1);
    assert_true(n > 0);
    assert_null(wy_tree_host("/", &w->tree));
    start(w);
    *state = w;
    return 0;
}

static void end(struct world *w) {
    wy_ld_destroy(w->ld);
    wy_host_destroy(w->host);
    wy_tree_destroy(w->tree);
}

static int tear_down(void **state) {
    end(*state);
    free(*state);
    return 0;
}

static void the_program_comes_first_and_libc_answers(void **state) {
    struct world *w = *state;
    const struct wy_process *p = w->start.after;
    assert_string_equal(wy_process_at(p, 0)->name, "");
    assert_string_equal(wy_process_at(p, 0)->requested, w->program);
    assert_int_equal(wy_process_count(p), w->start.nmapped + 1);
    assert_non_null(wy_process_named(p, "libc.so.6"));
    assert_null(wy_process_named(p, "libnone.so.7"));
}

static void an_open_is_remembered_and_leaves_its_state_alone(void **state) {
    struct world *w = *state;
    const struct wy_process *p = w->start.after;
    size_t before = wy_process_count(p);
    const struct wy_open *one = wy_ld_open(w->ld, p, "libresolv.so.2", WY_NOW, NULL);
    assert_ptr_equal(one, wy_ld_open(w->ld, p, "libresolv.so.2", WY_NOW, NULL));
    assert_int_equal(one->outcome, WY_OPEN_OK);
    assert_int_equal(wy_process_count(p), before);
    assert_null(wy_process_named(p, "libresolv.so.2"));
    assert_ptr_equal(wy_process_named(one->after, "libresolv.so.2"), one->object);
    const struct wy_open *again = wy_ld_open(w->ld, one->after, "libresolv.so.2", WY_NOW, NULL);
    assert_int_equal(again->nmapped, 0);
    assert_ptr_equal(again->object, one->object);
    assert_int_equal(again->nresolved, 1);
}

static void a_failed_open_gives_the_state_from_before(void **state) {
    struct world *w = *state;
    const struct wy_process *p = w->start.after;
    const struct wy_open *o = wy_ld_open(w->ld, p, "libnone.so.7", WY_NOW, NULL);
    assert_int_equal(o->outcome, WY_OPEN_ERROR);
    assert_string_equal(o->message,
                        "libnone.so.7: cannot open shared object file: No such file or directory");
    assert_int_equal(o->nproblems, 1);
    assert_int_equal(o->problems[0].kind, WY_P_MISSING_LIBRARY);
    assert_null(o->problems[0].needer);
    assert_ptr_equal(o->problems[0].message, o->message);
    assert_int_equal(wy_process_count(o->after), wy_process_count(p));
}

static void a_mode_without_lazy_or_now_is_refused(void **state) {
    struct world *w = *state;
    const struct wy_open *o = wy_ld_open(w->ld, w->start.after, "libc.so.6", WY_GLOBAL, NULL);
    assert_string_equal(o->message, "libc.so.6: invalid mode for dlopen(): Invalid argument");
}

static void a_search_ends_at_what_is_loaded(void **state) {
    struct world *w = *state;
    struct wy_search s;
    wy_ld_search(w->ld, w->start.after, "libc.so.6", NULL, &s);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.steps[0].by, WY_BY_LOADED);
    wy_ld_search(w->ld, w->start.after, "libnone.so.7", NULL, &s);
    assert_null(s.taken);
    assert_true(s.n >= 1);
    assert_string_equal(wy_hit_word(s.steps[s.n - 1].result), "absent");
}

static void a_program_is_no_library(void **state) {
    struct world *w = *state;
    const struct wy_image *program = wy_process_at(w->start.after, 0)->image;
    enum wy_hit hit;
    assert_null(wy_ld_refuses(w->host, program, true, &hit));
    assert_int_equal(hit, WY_HIT_TAKEN);
    assert_non_null(wy_ld_refuses(w->host, program, false, &hit));
    assert_int_equal(hit, WY_HIT_FATAL);
}

/* A library that needs one of its own folder, a version of it and a symbol. */
static void put_user(const char *path) {
    enum { R_X86_64_GLOB_DAT = 6 };
    struct elf_bytes *e = wy_alloc(sizeof *e);
    elf_build(&(struct elf_spec){.is64 = true,
                                 .needed = {"libpromised.so.1"},
                                 .runpath = "$ORIGIN",
                                 .verneed = {{"libpromised.so.1", "P_1", 0}},
                                 .undefined = {"from_promised"},
                                 .versym = {2},
                                 .relocs = {{ELF_RELA, 1, R_X86_64_GLOB_DAT}},
                                 .hashes = ELF_GNU_HASH},
              e);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(e->b, 1, e->n, file), e->n);
    assert_int_equal(fclose(file), 0);
    free(e);
}

static void what_is_promised_has_what_is_asked_of_it(void **state) {
    struct world *w = *state, over = {0};
    end(w); /* its tree has listed the folder that is made now */
    char dir[] = "/tmp/wy_ld_XXXXXX", user[64], promised[64];
    assert_non_null(mkdtemp(dir));
    snprintf(user, sizeof user, "%s/user.so", dir);
    snprintf(promised, sizeof promised, "%s/libpromised.so.1", dir);
    put_user(user);
    assert_null(wy_tree_host("/", &w->tree));
    start(w);
    const struct wy_open *before = wy_ld_open(w->ld, w->start.after, user, WY_NOW, NULL);
    assert_int_equal(before->outcome, WY_OPEN_ERROR);
    assert_int_equal(before->problems[0].kind, WY_P_MISSING_LIBRARY);
    assert_string_equal(before->problems[0].name, "libpromised.so.1");

    struct wy_layer *layer = wy_layer_create();
    wy_layer_promise(layer, promised, 5000, NULL);
    memcpy(over.program, w->program, sizeof over.program);
    over.tree = wy_tree_overlay(w->tree, layer);
    start(&over);
    wy_ld_set_depth(over.ld, WY_LD_SYMBOLS);
    const struct wy_open *after = wy_ld_open(over.ld, over.start.after, user, WY_NOW, NULL);
    assert_int_equal(after->outcome, WY_OPEN_OK);
    assert_int_equal(after->nproblems, 0);
    assert_non_null(wy_process_named(after->after, promised));
    assert_true(wy_process_named(after->after, promised)->image->assumed);
    end(&over);
    assert_int_equal(remove_folder(dir), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_program_comes_first_and_libc_answers, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_open_is_remembered_and_leaves_its_state_alone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_failed_open_gives_the_state_from_before, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_mode_without_lazy_or_now_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_search_ends_at_what_is_loaded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_program_is_no_library, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_promised_has_what_is_asked_of_it, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
