#include "host/host.h"

#include "base/pool.h"
#include "elf_bytes.h"
#include "folder.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A temporary folder as the root of a tree, and a host of it. */
struct fixture {
    char dir[64];
    struct wy_tree *t;
    struct wy_host *h;
    struct wy_arena a;
};

static int setup(void **state) {
    struct fixture *f = wy_alloc0(1, sizeof *f);
    strcpy(f->dir, "/tmp/wy_host_XXXXXX");
    *state = f;
    return mkdtemp(f->dir) ? 0 : -1;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    wy_host_destroy(f->h);
    wy_tree_destroy(f->t);
    wy_arena_deinit(&f->a);
    int left = remove_folder(f->dir);
    free(f);
    return left;
}

static const char *inside(struct fixture *f, const char *path) {
    char *full = wy_arena_printf(&f->a, "%s%s", f->dir, path);
    for (char *p = full + strlen(f->dir) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
        *p = '/';
    }
    return full;
}

static void put(struct fixture *f, const char *path, struct wy_str bytes) {
    FILE *file = fopen(inside(f, path), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.p, 1, bytes.n, file), bytes.n);
    assert_int_equal(fclose(file), 0);
}

static void put_elf(struct fixture *f, const char *path, struct elf_spec spec) {
    struct elf_bytes e;
    spec.is64 = true;
    elf_build(&spec, &e);
    put(f, path, elf_text(&e));
}

static void link_to(struct fixture *f, const char *target, const char *path) {
    assert_int_equal(symlink(target, inside(f, path)), 0);
}

/* The host of what the folder holds by now. */
static void create(struct fixture *f, struct wy_host_options o) {
    struct wy_error *e = f->t ? NULL : wy_tree_host(f->dir, &f->t);
    assert_null(e);
    assert_null(wy_host_create(f->t, &o, &f->h));
}

static struct wy_place place(struct fixture *f, const char *path) {
    struct wy_place p;
    assert_int_equal(wy_tree_find(f->t, NULL, path, 0, &p), 0);
    return p;
}

static const struct wy_image *image(struct fixture *f, const char *path) {
    struct wy_place p = place(f, path);
    return wy_host_image(f->h, &p);
}

static const struct wy_host_options foreign = {.foreign = true};
static const char ldso[] = "/lib64/ld-linux-x86-64.so.2";

static void run_program(struct fixture *f, const char *interp) {
    put_elf(f, "/bin/python", (struct elf_spec){.interp = interp, .needed = {"libc.so.6"}});
    create(f, foreign);
    wy_host_set_program(f->h, image(f, "/bin/python"));
}

static void expect_dirs(struct fixture *f, const char *const *dirs) {
    size_t n = 0;
    for (; dirs[n]; n++) {
        assert_true(n < f->h->ndefault_dirs);
        assert_string_equal(f->h->default_dirs[n], dirs[n]);
    }
    assert_int_equal(f->h->ndefault_dirs, n);
}

static void debian_tells_its_constants(void **state) {
    struct fixture *f = *state;
    static const char constants[] =
        "\0/tmp/\0x\0/lib/x86_64-linux-gnu/\0/usr/lib/x86_64-linux-gnu/\0/lib/\0/usr/lib/\0"
        "LIB\0lib/x86_64-linux-gnu\0/usr/lib/x86_64-linux-gnu/\0/lib/\0/usr/lib/\0other\0"
        "/etc/ld.so.cache\0haswell\0";
    static const char banner[] =
        "\0GNU C Library (Debian GLIBC 2.36-9+deb12u14) stable release version 2.36.\nCopyright\0";
    put_elf(f, "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
            (struct elf_spec){.soname = "ld-linux-x86-64.so.2",
                              .constants = {constants, sizeof constants}});
    put_elf(f, "/lib/x86_64-linux-gnu/libc.so.6",
            (struct elf_spec){.constants = {banner, sizeof banner}, .verdef = {"GLIBC_2.35"}});
    link_to(f, "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", ldso);
    run_program(f, ldso);
    const struct wy_host *h = f->h;
    assert_int_equal(h->libc, WY_LIBC_GLIBC);
    assert_string_equal(h->libc_version, "2.36");
    assert_int_equal(h->libc_minor, 36);
    assert_string_equal(h->ldso, ldso);
    assert_string_equal(h->lib_token, "lib/x86_64-linux-gnu");
    assert_string_equal(h->platform_token, "x86_64");
    assert_null(h->cache_path);
    assert_int_equal(h->machine, 62);
    expect_dirs(f, (const char *const[]){"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
                                         "/lib", "/usr/lib", NULL});
}

static void a_store_path_is_its_only_directory(void **state) {
    struct fixture *f = *state;
    static const char constants[] =
        "\0/nix/store/x-glibc-2.38/lib/\0/nix/store/x-glibc-2.38/etc/ld.so.cache\0";
    put_elf(f, "/nix/store/x-glibc-2.38/lib/ld-linux-x86-64.so.2",
            (struct elf_spec){.constants = {constants, sizeof constants}});
    put_elf(
        f, "/nix/store/x-glibc-2.38/lib/libc.so.6",
        (struct elf_spec){.verdef = {"GLIBC_2.2.5", "GLIBC_2.38", "GLIBC_2.4", "GLIBC_PRIVATE"}});
    run_program(f, "/nix/store/x-glibc-2.38/lib/ld-linux-x86-64.so.2");
    assert_string_equal(f->h->libc_version, "2.38");
    assert_string_equal(f->h->lib_token, "lib");
    expect_dirs(f, (const char *const[]){"/nix/store/x-glibc-2.38/lib", NULL});
}

static void without_a_loader_a_table_serves(void **state) {
    struct fixture *f = *state;
    put(f, "/etc/os-release", WY_STR("NAME=x\nID=ubuntu\nID_LIKE=\"debian\"\n"));
    put_elf(f, "/usr/lib/x86_64-linux-gnu/libc.so.6", (struct elf_spec){.verdef = {"GLIBC_2.31"}});
    run_program(f, ldso);
    assert_int_equal(f->h->libc, WY_LIBC_GLIBC);
    assert_string_equal(f->h->libc_version, "2.31");
    assert_string_equal(f->h->lib_token, "lib/x86_64-linux-gnu");
    assert_int_equal(f->h->ndefault_dirs, 4);
}

static void other_distributions_have_lib64(void **state) {
    struct fixture *f = *state;
    put(f, "/etc/os-release", WY_STR("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"));
    run_program(f, ldso);
    assert_null(f->h->libc_version);
    assert_string_equal(f->h->lib_token, "lib64");
    expect_dirs(f, (const char *const[]){"/lib64", "/usr/lib64", NULL});
}

static void musl_reads_its_path_file(void **state) {
    struct fixture *f = *state;
    static const char constants[] = "\0\x31.2.5\0musl libc (x86_64)\nVersion %s\n\0";
    put_elf(f, "/lib/ld-musl-x86_64.so.1",
            (struct elf_spec){.constants = {constants, sizeof constants}});
    put(f, "/etc/ld-musl-x86_64.path", WY_STR("/lib:/opt/lib\n\n/usr/lib\n"));
    run_program(f, "/lib/ld-musl-x86_64.so.1");
    assert_int_equal(f->h->libc, WY_LIBC_MUSL);
    assert_string_equal(f->h->libc_version, "1.2.5");
    expect_dirs(f, (const char *const[]){"/lib", "/opt/lib", "/usr/lib", NULL});
}

static void musl_has_a_built_in_path(void **state) {
    struct fixture *f = *state;
    run_program(f, "/lib/ld-musl-aarch64.so.1");
    assert_null(f->h->libc_version);
    expect_dirs(f, (const char *const[]){"/lib", "/usr/local/lib", "/usr/lib", NULL});
}

static void a_static_program_has_no_loader(void **state) {
    struct fixture *f = *state;
    run_program(f, NULL);
    assert_int_equal(f->h->libc, WY_LIBC_UNKNOWN);
    assert_null(f->h->ldso);
    assert_int_equal(f->h->ndefault_dirs, 0);
}

static void a_foreign_tree_has_no_machine(void **state) {
    struct fixture *f = *state;
    run_program(f, ldso);
    assert_string_equal(f->h->driver, "assumed");
    assert_string_equal(f->h->cpu, "x86-64-v1");
    assert_int_equal(f->h->cpu_level, 1);
    assert_int_equal(f->h->kernel, 0);
}

static void options_win(void **state) {
    struct fixture *f = *state;
    const struct wy_variable variables[] = {{"Z", "1"}, {"A", ""}};
    create(f, (struct wy_host_options){.cwd = "/x",
                                       .variables = variables,
                                       .nvariables = 2,
                                       .cpu = "x86-64-v3",
                                       .driver = "assume:550.54.14",
                                       .kernel = "5.15.0-91-generic"});
    assert_string_equal(f->h->driver, "550.54.14");
    assert_int_equal(f->h->cpu_level, 3);
    assert_int_equal(f->h->kernel, 0x050f00);
    assert_string_equal(wy_host_getenv(f->h, "Z"), "1");
    assert_string_equal(wy_host_getenv(f->h, "A"), "");
    assert_null(wy_host_getenv(f->h, "B"));
}

static void wrong_options_are_errors(void **state) {
    struct fixture *f = *state;
    static const struct wy_host_options wrong[] = {
        {.driver = "550"}, {.driver = "assume:x"}, {.cwd = "relative"}};
    assert_null(wy_tree_host(f->dir, &f->t));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct wy_error *e = wy_host_create(f->t, &wrong[i], &f->h);
        assert_non_null(e);
        assert_null(f->h);
        wy_error_free(e);
    }
}

static void expect_driver(struct fixture *f, const char *version) {
    create(f, (struct wy_host_options){0});
    assert_string_equal(f->h->driver, version);
}

static void no_driver(void **state) {
    expect_driver(*state, "none");
}

static void the_kernel_module_tells_the_driver(void **state) {
    struct fixture *f = *state;
    put(f, "/proc/driver/nvidia/version",
        WY_STR("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build  "
               "(dvs-builder@U16)  Thu Jan 23 22:50:36 UTC 2025\nGCC version:  gcc 12.2.0\n"));
    expect_driver(f, "570.86.15");
}

static void the_library_tells_the_driver(void **state) {
    struct fixture *f = *state;
    put(f, "/usr/lib64/libcuda.so.535.183.01", WY_STR("x"));
    link_to(f, "libcuda.so.535.183.01", "/usr/lib64/libcuda.so.1");
    expect_driver(f, "535.183.01");
}

static void a_driver_may_hide_its_version(void **state) {
    struct fixture *f = *state;
    put(f, "/usr/lib/wsl/lib/libcuda.so.1.1", WY_STR("x"));
    link_to(f, "libcuda.so.1.1", "/usr/lib/wsl/lib/libcuda.so.1");
    expect_driver(f, "assumed");
}

static void one_image_per_node(void **state) {
    struct fixture *f = *state;
    put_elf(f, "/a/liba.so", (struct elf_spec){.needed = {"libc.so.6"}, .soname = "liba.so"});
    put_elf(f, "/b/libb.so", (struct elf_spec){.needed = {"libc.so.6", "liba.so"}});
    assert_int_equal(link(inside(f, "/a/liba.so"), inside(f, "/b/copy.so")), 0);
    link_to(f, "../a/liba.so", "/b/link.so");
    create(f, foreign);
    const struct wy_image *a = image(f, "/a/liba.so"), *b = image(f, "/b/libb.so");
    assert_int_equal(a->elf.kind, WY_ELF_OK);
    assert_ptr_equal(a, image(f, "/b/copy.so"));
    assert_ptr_equal(a, image(f, "/b/link.so"));
    assert_ptr_not_equal(a, b);
    assert_ptr_equal(a->elf.needed[0], b->elf.needed[0]);
    assert_ptr_equal(a->elf.soname, b->elf.needed[1]);
    assert_ptr_equal(a->elf.soname, wy_host_intern(f->h, "liba.so"));
}

static void what_cannot_be_opened_has_an_errno(void **state) {
    struct fixture *f = *state;
    inside(f, "/lib/libd.so/x");
    assert_int_equal(mkfifo(inside(f, "/lib/pipe.so"), 0600), 0);
    put(f, "/lib/gone.so", WY_STR("x"));
    create(f, foreign);
    assert_int_equal(image(f, "/lib/libd.so")->error, EISDIR);
    assert_int_equal(image(f, "/lib/pipe.so")->error, EINVAL);
    struct wy_place gone = place(f, "/lib/gone.so");
    assert_int_equal(unlink(inside(f, "/lib/gone.so")), 0);
    assert_int_equal(wy_host_image(f->h, &gone)->error, ENOENT);
    assert_int_equal(wy_host_image(f->h, &gone)->elf.kind, WY_ELF_UNREADABLE);
    assert_false(wy_image_exports(f->h, wy_host_image(f->h, &gone), "x"));
}

static void exports_go_back_to_the_file(void **state) {
    struct fixture *f = *state;
    put_elf(f, "/liba.so", (struct elf_spec){.symbols = {"one", "two"}, .hashes = ELF_GNU_HASH});
    create(f, foreign);
    assert_true(wy_image_exports(f->h, image(f, "/liba.so"), "two"));
    assert_false(wy_image_exports(f->h, image(f, "/liba.so"), "three"));
}

enum { FILES = 40, LOOKS = 400 };
struct crowd {
    struct fixture *f;
    const struct wy_image *seen[LOOKS];
};

static void look(void *ctx, unsigned worker, size_t item) {
    struct crowd *c = ctx;
    struct wy_place p;
    char path[32];
    (void)worker;
    snprintf(path, sizeof path, "/lib/%zu.so", item % FILES);
    if (wy_tree_find(c->f->t, NULL, path, 0, &p) == 0)
        c->seen[item] = wy_host_image(c->f->h, &p);
}

static void many_threads_get_the_same_images(void **state) {
    struct crowd c = {.f = *state};
    for (size_t i = 0; i < FILES; i++)
        put_elf(c.f, wy_arena_printf(&c.f->a, "/lib/%zu.so", i),
                (struct elf_spec){.needed = {"libc.so.6"}});
    create(c.f, foreign);
    wy_pool_run(8, LOOKS, look, &c);
    for (size_t i = 0; i < LOOKS; i++) {
        assert_non_null(c.seen[i]);
        assert_ptr_equal(c.seen[i], c.seen[i % FILES]);
        assert_ptr_equal(c.seen[i]->elf.needed[0], c.seen[0]->elf.needed[0]);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

struct asked {
    struct wy_host *h;
    const struct wy_image *image;
    const struct wy_image_symbols *got[4];
};

/* As `ld` does: names of one object looked up in another. */
static void ask_symbols(void *ctx, unsigned worker, size_t item) {
    struct asked *a = ctx;
    const struct wy_image_symbols *s = wy_host_symbols(a->h, a->image);
    struct wy_symbol_key key = wy_symbol_key(WY_STR("second"));
    struct wy_symbol_walk walk;
    struct wy_symbol found;
    (void)worker;
    if (wy_symtab_find(&s->table, &key, &walk) && wy_symtab_next(&walk, &found))
        a->got[item] = s;
}

static void symbols_are_read_once_for_all_threads(void **state) {
    struct fixture *f = *state;
    put_elf(f, "/libx.so",
            (struct elf_spec){.undefined = {"malloc"},
                              .symbols = {"first", "second"},
                              .relocs = {{ELF_JMPREL, 1, 7}, {ELF_RELA, 2, 6}},
                              .hashes = ELF_GNU_HASH});
    put(f, "/empty", (struct wy_str){"", 0});
    create(f, (struct wy_host_options){0});
    struct asked a = {.h = f->h, .image = image(f, "/libx.so")};
    wy_pool_run(4, 4, ask_symbols, &a);
    assert_non_null(a.got[0]);
    for (size_t i = 1; i < 4; i++)
        assert_ptr_equal(a.got[i], a.got[0]);
    assert_int_equal(a.got[0]->error, 0);
    assert_int_equal(a.got[0]->refs.n, 2);
    assert_string_equal(a.got[0]->refs.v[0].key.name.p, "first");
    assert_string_equal(a.got[0]->refs.v[1].key.name.p, "malloc");
    assert_int_equal(wy_host_symbols(f->h, image(f, "/empty"))->refs.n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(debian_tells_its_constants),
        TEST(a_store_path_is_its_only_directory),
        TEST(without_a_loader_a_table_serves),
        TEST(other_distributions_have_lib64),
        TEST(musl_reads_its_path_file),
        TEST(musl_has_a_built_in_path),
        TEST(a_static_program_has_no_loader),
        TEST(a_foreign_tree_has_no_machine),
        TEST(options_win),
        TEST(wrong_options_are_errors),
        TEST(no_driver),
        TEST(the_kernel_module_tells_the_driver),
        TEST(the_library_tells_the_driver),
        TEST(a_driver_may_hide_its_version),
        TEST(one_image_per_node),
        TEST(what_cannot_be_opened_has_an_errno),
        TEST(exports_go_back_to_the_file),
        TEST(many_threads_get_the_same_images),
        TEST(symbols_are_read_once_for_all_threads),
    };
    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
