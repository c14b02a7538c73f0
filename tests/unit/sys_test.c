#include "sys/sys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A root with one os-release; "" as `where` leaves it out. */
static void read_release(struct wy_arena *a, const char *where, const char *text, bool found,
                         struct wy_distro *ret) {
    char root[] = "/tmp/whyso-sys-XXXXXX", path[128];
    static const char *const dirs[] = {"etc", "usr", "usr/lib"};
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", root, dirs[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    char file[128];
    snprintf(file, sizeof file, "%s/%s", root, where);
    if (where[0]) {
        FILE *f = fopen(file, "w");
        assert_non_null(f);
        fputs(text, f);
        fclose(f);
    }
    struct wy_tree *t;
    assert_null(wy_tree_host(root, &t));
    assert_int_equal(wy_distro_read(t, a, ret), found);
    wy_tree_destroy(t);
    if (where[0])
        unlink(file);
    for (size_t i = 3; i-- > 0;) {
        snprintf(path, sizeof path, "%s/%s", root, dirs[i]);
        rmdir(path);
    }
    rmdir(root);
}

static void os_release_is_read(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_distro d;
    read_release(&a, "etc/os-release",
                 "# x\nPRETTY_NAME=\"Debian \\\"12\\\"\"\nID=debian\nVERSION_ID=\"12\"\n", true,
                 &d);
    assert_string_equal(d.id, "debian");
    assert_string_equal(d.version_id, "12");
    assert_string_equal(d.name, "Debian \"12\"");
    assert_string_equal(d.family->manager, "apt");
    assert_string_equal(d.family->install[0], "apt-get");
    read_release(&a, "usr/lib/os-release", "ID='newlinux'\nID_LIKE='rhel centos fedora'\n", true,
                 &d);
    assert_string_equal(d.family->manager, "dnf");
    read_release(&a, "etc/os-release", "ID=alpine\n", true, &d);
    assert_string_equal(d.family->install[1], "add");
    read_release(&a, "etc/os-release", "NAME=x\n", true, &d);
    assert_string_equal(d.id, "linux");
    assert_null(d.family);
    read_release(&a, "", "", false, &d);
    assert_null(d.family);
    assert_string_equal(d.id, "");
    wy_arena_deinit(&a);
}

static void expect(const char *os_release, const char *field, const char *expected) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_distro d;
    struct wy_distro_package p[8];
    read_release(&a, "etc/os-release", os_release, true, &d);
    size_t n = wy_distro_pick(&d, field, &a, p, 8);
    char got[512] = "";
    for (size_t i = 0; i < n && i < 8; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s", i ? " " : "", p[i].name,
                 p[i].vendor ? "!" : "", p[i].unchecked ? "?" : "");
    assert_string_equal(got, expected);
    wy_arena_deinit(&a);
}

/* "!" stands for the vendor's repository, "?" for unchecked. */
static void packages_are_chosen_from_the_table(void **state) {
    (void)state;
    static const char gl[] = "debian:libgl1 | fedora:mesa-libGL | alpine:mesa-gl?";
    static const char glib[] = "debian:libglib2.0-0 (12) | debian:libglib2.0-0t64 (13)";
    static const char debian12[] = "ID=debian\nVERSION_ID=\"12\"\n";
    static const char ubuntu[] = "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"\n";
    expect(debian12, gl, "libgl1");
    expect("ID=rocky\nID_LIKE='rhel centos fedora'\n", gl, "mesa-libGL?");
    expect("ID=fedora\n", gl, "mesa-libGL");
    expect("ID=alpine\n", gl, "mesa-gl?");
    expect("ID=arch\n", gl, "");
    expect("ID=unheard\n", gl, "");
    expect(debian12, glib, "libglib2.0-0");
    expect("ID=debian\nVERSION_ID=\"13\"\n", glib, "libglib2.0-0t64");
    expect("ID=debian\n", glib, "");
    expect(ubuntu, glib, "");
    expect(ubuntu, "debian:a | ubuntu:b", "b");
    expect(ubuntu, "debian:a", "a?");
    expect(debian12, "nvidia:libcudnn9-cuda-12 | debian:own", "own libcudnn9-cuda-12!");
    expect(debian12, "nvidia:cudnn-jit ?", "cudnn-jit!?");
    expect(debian12, "nvidia:cuda-cudart-12-X", ""); /* a placeholder is no package */
    expect(debian12, "nvidia:libnccl2 (+cudaX.Y in version)", "libnccl2!");
    expect("ID=alpine\n", "nvidia:libnccl2", "");
    expect("ID=fedora\n", "fedora:ffmpeg-free / ffmpeg-libs (7.x)?", "");
    expect(debian12, "debian:-oDir=x | debian:a;b | debian: | - | debian", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(os_release_is_read),
        cmocka_unit_test(packages_are_chosen_from_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
