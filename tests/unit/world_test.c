/* Claims, bytes and libraries on small site directories made on the spot. No interpreter is needed:
 * a site directory is an environment of its own (kind "site"). */
#include "base/sha256.h"
#include "folder.h"
#include "world/world.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    char dir[64];
    struct wy_tree *tree;
    struct wy_know *know;
    struct wy_world *w;
};

static int setup(void **state) {
    struct fixture *f = wy_alloc0(1, sizeof *f);
    strcpy(f->dir, "/tmp/wy_world_XXXXXX");
    *state = f;
    f->know = wy_know_create();
    return mkdtemp(f->dir) ? 0 : -1;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    wy_world_destroy(f->w);
    if (f->tree)
        wy_tree_destroy(f->tree);
    wy_know_destroy(f->know);
    int left = remove_folder(f->dir);
    free(f);
    return left;
}

static void put(const struct fixture *f, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/lib/python3.11/site-packages/%s", f->dir, name);
    for (char *p = path + strlen(f->dir) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(path, 0755);
        *p = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Sends `text` to a dist-info: METADATA, INSTALLER and the given RECORD. */
static void dist(const struct fixture *f, const char *name, const char *record) {
    char path[256], metadata[256];
    snprintf(metadata, sizeof metadata, "Metadata-Version: 2.1\nName: %s\nVersion: 1.0\n\n", name);
    snprintf(path, sizeof path, "%s-1.0.dist-info/METADATA", name);
    put(f, path, metadata);
    snprintf(path, sizeof path, "%s-1.0.dist-info/INSTALLER", name);
    put(f, path, "pip\n");
    snprintf(path, sizeof path, "%s-1.0.dist-info/RECORD", name);
    put(f, path, record);
}

static void read_world(struct fixture *f, bool hash) {
    char site[128];
    snprintf(site, sizeof site, "%s/lib/python3.11/site-packages", f->dir);
    assert_null(wy_tree_host("/", &f->tree));
    struct wy_world_options o = {.env = {.path = wy_arena_cstr(&f->know->arena, site)},
                                 .host = {.cwd = "/", .cpu = "x86-64-v2", .driver = "none"},
                                 .hash = hash,
                                 .threads = 2};
    struct wy_error *e = wy_world_create(f->tree, f->know, &o, &f->w);
    if (e)
        fail_msg("%s", e->message);
}

static const struct wy_claimed *claimed(struct fixture *f, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/lib/python3.11/site-packages/%s", f->dir, name);
    return wy_world_claimed(f->w, path);
}

/* The hashes of "one" and "two" as RECORD writes them. */
#define HASH_ONE "sha256=dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z_0Me0"
#define HASH_TWO "sha256=P8TM_nRYcOLA2Z9x8w_wZWyN7dQcwdfT03aw2-aF4vM"

static void counts_leave_byte_code_out(void **state) {
    struct fixture *f = *state;
    put(f, "a/__init__.py", "");
    put(f, "a/lib/libgone2.so.1.txt", "");
    dist(f, "a",
         "a/__init__.py,,0\na/lib/libgone.so.1,,9\na/__pycache__/__init__.cpython-311.pyc,,\n"
         "a/lib/libgone.so.1,,9\na-1.0.dist-info/METADATA,,\n");
    read_world(f, false);
    const struct wy_dist_files *s = &f->w->files[0];
    assert_int_equal(s->libraries, 2); /* the row stands twice in the file */
    assert_int_equal(s->libraries_missing, 2);
    assert_int_equal(s->recorded, 4);
    const struct wy_claimed *k = claimed(f, "a/lib/libgone.so.1");
    assert_non_null(k);
    assert_int_equal(k->presence, WY_GONE);
    assert_int_equal(k->nclaims, 1);
    assert_int_equal(k->claims[0].bytes, WY_BYTES_ABSENT);
}

static void rows_outside_are_not_looked_at(void **state) {
    struct fixture *f = *state;
    dist(f, "evil", "../../../../../../../../etc/passwd,,1\n/etc/shadow,,1\nevil/x.py,,1\n");
    read_world(f, false);
    assert_int_equal(f->w->files[0].outside, 2);
    assert_int_equal(f->w->files[0].recorded, 1);
    assert_null(wy_world_claimed(f->w, "/etc/passwd"));
}

static void dangling_links_are_not_absent(void **state) {
    struct fixture *f = *state;
    dist(f, "l", "l/liba.so,,1\nl/libb.so,,1\n");
    put(f, "l/keep", "");
    char path[256];
    snprintf(path, sizeof path, "%s/lib/python3.11/site-packages/l/liba.so", f->dir);
    assert_int_equal(symlink("/nonexistent/liba.so", path), 0);
    read_world(f, false);
    assert_int_equal(f->w->files[0].libraries_dangling, 1);
    assert_int_equal(f->w->files[0].libraries_missing, 1);
    assert_string_equal(claimed(f, "l/liba.so")->link_target, "/nonexistent/liba.so");
}

static void size_decides_where_it_can(void **state) {
    struct fixture *f = *state;
    put(f, "n/libn.so", "longer");
    dist(f, "p", "n/libn.so," HASH_ONE ",3\n");
    dist(f, "q", "n/libn.so," HASH_TWO ",6\n");
    read_world(f, false);
    const struct wy_claimed *k = claimed(f, "n/libn.so");
    assert_int_equal(k->nclaims, 2);
    assert_int_equal(k->claims[0].bytes, WY_BYTES_DIFFERS);
    assert_int_equal(k->claims[1].bytes, WY_BYTES_SAME);
    assert_null(k->sha256);
    assert_string_equal(f->w->libraries[0].dist->name, "q");
}

static void equal_sizes_are_hashed(void **state) {
    struct fixture *f = *state;
    put(f, "n/libn.so", "two");
    dist(f, "p", "n/libn.so," HASH_ONE ",3\n");
    dist(f, "q", "n/libn.so," HASH_TWO ",3\n");
    read_world(f, false);
    const struct wy_claimed *k = claimed(f, "n/libn.so");
    assert_int_equal(k->claims[0].bytes, WY_BYTES_DIFFERS);
    assert_int_equal(k->claims[1].bytes, WY_BYTES_SAME);
    assert_non_null(k->sha256);
}

static void a_changed_file_of_one_owner_needs_hash(void **state) {
    struct fixture *f = *state;
    put(f, "n/m.py", "two");
    dist(f, "p", "n/m.py," HASH_ONE ",3\n");
    read_world(f, false);
    assert_null(claimed(f, "n/m.py"));
    wy_world_destroy(f->w);
    wy_tree_destroy(f->tree);
    read_world(f, true);
    assert_int_equal(claimed(f, "n/m.py")->claims[0].bytes, WY_BYTES_DIFFERS);
}

static void owners_and_names(void **state) {
    struct fixture *f = *state;
    put(f, "n/libn.so.1", "two");
    put(f, "n/orphan.so", "two");
    dist(f, "p", "n/libn.so.1," HASH_TWO ",3\n");
    read_world(f, false);
    size_t n;
    const struct wy_library **named = wy_world_named(f->w, "libn.so.1", &n);
    assert_int_equal(n, 1);
    assert_string_equal(named[0]->dist->key, "p");
    assert_string_equal(named[0]->shown, "n/libn.so.1");
    named = wy_world_named(f->w, "orphan.so", &n);
    assert_int_equal(n, 1);
    assert_null(named[0]->dist);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_leave_byte_code_out, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_outside_are_not_looked_at, setup, teardown),
        cmocka_unit_test_setup_teardown(dangling_links_are_not_absent, setup, teardown),
        cmocka_unit_test_setup_teardown(size_decides_where_it_can, setup, teardown),
        cmocka_unit_test_setup_teardown(equal_sizes_are_hashed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_changed_file_of_one_owner_needs_hash, setup, teardown),
        cmocka_unit_test_setup_teardown(owners_and_names, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
