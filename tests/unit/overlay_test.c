/* A tree as it would be: what is hidden is not there, what is promised is. */
#include "base/buf.h"
#include "folder.h"
#include "tree/overlay.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    char dir[64];
    struct wy_tree *lower, *over;
    struct wy_layer *layer; /* taken over by `over` */
    struct wy_arena a;
};

static const char *at(struct fixture *f, const char *path) {
    return wy_arena_printf(&f->a, "%s%s", f->dir, path);
}

static void put(struct fixture *f, const char *path, const char *text) {
    FILE *file = fopen(at(f, path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state) {
    struct fixture *f = wy_alloc0(1, sizeof *f);
    strcpy(f->dir, "/tmp/wy_overlay_XXXXXX");
    if (!mkdtemp(f->dir))
        return -1;
    mkdir(at(f, "/a"), 0755);
    mkdir(at(f, "/a/b"), 0755);
    put(f, "/a/x", "lower x");
    put(f, "/a/y", "lower y");
    put(f, "/a/b/z", "lower z");
    if (symlink("a", at(f, "/l")) != 0 || symlink("y", at(f, "/a/k")) != 0)
        return -1;
    f->layer = wy_layer_create();
    *state = f;
    struct wy_error *e = wy_tree_host(f->dir, &f->lower);
    return e ? -1 : 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    wy_tree_destroy(f->over);
    wy_tree_destroy(f->lower);
    int left = remove_folder(f->dir);
    wy_arena_deinit(&f->a);
    free(f);
    return left;
}

/* The names in a folder, "!" and the errno when it cannot be listed. */
static const char *names(struct fixture *f, const char *path) {
    struct wy_dir *dir;
    int error = wy_tree_find_dir(f->over, NULL, path, &dir);
    if (error)
        return wy_arena_printf(&f->a, "!%s", strerrorname_np(error));
    wy_auto_buf b = {0};
    size_t n;
    const struct wy_entry *e = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++)
        wy_buf_printf(&b, "%s%s%s", i ? " " : "", e[i].name, e[i].type == WY_FT_DIR ? "/" : "");
    return wy_arena_cstr(&f->a, wy_buf_text(&b));
}

/* The content of a file, or "!" and the errno. */
static const char *content(struct fixture *f, const char *path) {
    struct wy_str text;
    int error = wy_tree_slurp(f->over, NULL, path, 100, &f->a, &text);
    return error ? wy_arena_printf(&f->a, "!%s", strerrorname_np(error)) : text.p;
}

static void stack(struct fixture *f) {
    f->over = wy_tree_overlay(f->lower, f->layer);
}

static void without_changes_it_is_the_tree_below(void **state) {
    struct fixture *f = *state;
    stack(f);
    assert_string_equal(names(f, "/"), "a/ l");
    assert_string_equal(names(f, "/a"), "b/ k x y");
    assert_string_equal(content(f, "/l/k"), "lower y");
    struct wy_place above, below;
    struct wy_node x, y;
    assert_int_equal(wy_tree_find(f->over, NULL, "/a/x", 0, &above), 0);
    assert_int_equal(wy_tree_find(f->lower, NULL, "/a/x", 0, &below), 0);
    assert_int_equal(wy_place_stat(f->over, &above, &x), 0);
    assert_int_equal(wy_place_stat(f->lower, &below, &y), 0);
    assert_memory_equal(&x, &y, sizeof x);
}

static void what_is_hidden_is_not_there(void **state) {
    struct fixture *f = *state;
    wy_layer_hide(f->layer, "/a/y");
    wy_layer_hide(f->layer, "/a/b");
    stack(f);
    assert_string_equal(names(f, "/a"), "k x");
    assert_string_equal(content(f, "/a/y"), "!ENOENT");
    assert_string_equal(content(f, "/l/k"), "!ENOENT"); /* a link to it dangles */
    assert_string_equal(names(f, "/a/b"), "!ENOENT");
    assert_string_equal(content(f, "/a/b/z"), "!ENOENT");
}

static void what_is_promised_is_there(void **state) {
    struct fixture *f = *state;
    struct wy_place y, p;
    struct wy_node node;
    struct wy_file *file;
    assert_int_equal(wy_tree_find(f->lower, NULL, "/a/y", 0, &y), 0);
    wy_layer_hide(f->layer, "/a/b");
    wy_layer_promise(f->layer, "/a/b/new", 5, NULL);
    wy_layer_promise(f->layer, "/c/d/copy", 7, &y);
    wy_layer_promise(f->layer, "/a/x", 9, NULL);
    stack(f);
    assert_string_equal(names(f, "/"), "a/ c/ l");
    assert_string_equal(names(f, "/a"), "b/ k x y");
    assert_string_equal(names(f, "/l/b"), "new"); /* z went with its folder */
    assert_string_equal(names(f, "/c/d"), "copy");
    assert_string_equal(content(f, "/c/d/copy"), "lower y");
    assert_string_equal(content(f, "/a/b/new"), "!EIO");
    assert_string_equal(content(f, "/a/x"), "!EIO");
    assert_int_equal(wy_tree_find(f->over, NULL, "/a/b/new", 0, &p), 0);
    assert_int_equal(wy_place_stat(f->over, &p, &node), 0);
    assert_int_equal(node.size, 5);
    assert_int_equal(wy_place_open(f->over, &p, &file), 0);
    assert_true(wy_file_promised(file));
    wy_file_close(file);
    assert_int_equal(wy_tree_find(f->over, NULL, "/c/d/copy", 0, &p), 0);
    assert_int_equal(wy_place_open(f->over, &p, &file), 0);
    assert_false(wy_file_promised(file));
    wy_file_close(file);
}

static void what_is_written_is_read(void **state) {
    struct fixture *f = *state;
    wy_layer_hide(f->layer, "/a/x");
    wy_layer_write(f->layer, "/a/x", WY_STR("new x"));
    wy_layer_write(f->layer, "/a/b/empty", WY_STR(""));
    wy_layer_write(f->layer, "/a/y", WY_STR("new y"));
    wy_layer_promise(f->layer, "/a/y", 5, NULL);
    stack(f);
    struct wy_place p;
    struct wy_file *file;
    char two[2];
    assert_string_equal(content(f, "/a/x"), "new x");
    assert_string_equal(content(f, "/a/b/empty"), "");
    assert_string_equal(content(f, "/a/y"), "!EIO");
    assert_int_equal(wy_tree_find(f->over, NULL, "/a/x", 0, &p), 0);
    assert_int_equal(wy_place_open(f->over, &p, &file), 0);
    assert_false(wy_file_promised(file));
    assert_int_equal(wy_file_read(file, 4, two, sizeof two), 1);
    assert_int_equal(two[0], 'x');
    assert_int_equal(wy_file_read(file, 99, two, sizeof two), 0);
    wy_file_close(file);
}

static void the_last_word_counts(void **state) {
    struct fixture *f = *state;
    wy_layer_promise(f->layer, "/a/x", 1, NULL);
    wy_layer_hide(f->layer, "/a/x");
    wy_layer_hide(f->layer, "/a/y");
    wy_layer_promise(f->layer, "/a/y", 3, NULL);
    stack(f);
    assert_string_equal(names(f, "/a"), "b/ k y");
    assert_string_equal(content(f, "/a/x"), "!ENOENT");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(without_changes_it_is_the_tree_below),
        TEST(what_is_hidden_is_not_there),
        TEST(what_is_promised_is_there),
        TEST(what_is_written_is_read),
        TEST(the_last_word_counts),
    };
    return cmocka_run_group_tests_name("overlay", tests, NULL, NULL);
}
