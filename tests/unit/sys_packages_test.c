/* The databases of package managers, each in a small root of its own. */
#include "folder.h"
#include "sys/packages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];
static const char *const *last_words; /* that put the last answer's first package back */

static int make_root(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/whyso-sys-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state) {
    (void)state;
    return remove_folder(root);
}

/* A path below the root, with the folders above it made. */
static const char *below(const char *path) {
    static char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *p = full + strlen(root) + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            mkdir(full, 0700);
            *p = '/';
        }
    return full;
}

static void put_bytes(const char *path, const char *bytes, size_t n) {
    FILE *f = fopen(below(path), "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void put(const char *path, const char *text) {
    put_bytes(path, text, strlen(text));
}

static void put_link(const char *path, const char *target) {
    assert_int_equal(symlink(target, below(path)), 0);
}

/* "NAME VERSION ARCH (MANAGER) STATE", several joined by " + ". */
static const char *owners(const char *path) {
    static char text[1024];
    struct wy_tree *t;
    const struct wy_sys_file *f;
    assert_null(wy_tree_host(root, &t));
    struct wy_sys *s = wy_sys_create(t);
    size_t n = wy_sys_owners(s, path, &f);
    text[0] = '\0';
    last_words = n ? f[0].package->reinstall.words : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct wy_sys_package *p = f[i].package;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s %s (%s)%s%s",
                 i ? " + " : "", p->name, p->version ? p->version : "-",
                 p->architecture ? p->architecture : "-", p->manager, p->state ? " " : "",
                 p->state ? p->state : "");
    }
    wy_sys_destroy(s);
    wy_tree_destroy(t);
    return text;
}

static const char dpkg_status[] = "Package: libstdc++6\n"
                                  "Status: install ok installed\n"
                                  "Description: a library\n"
                                  " Version: not this one\n"
                                  "Version: 12.2.0-14\n"
                                  "Architecture: i386\n"
                                  "\n"
                                  "Package: libstdc++6\n"
                                  "Status: install ok installed\n"
                                  "Architecture: amd64\n"
                                  "Version: 12.2.0-14+b1\n"
                                  "\n"
                                  "Package: half\n"
                                  "Status: install reinstreq half-installed\n"
                                  "Version: 1\n"
                                  "Architecture: all\n";

static void dpkg_is_read(void **state) {
    (void)state;
    put("/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "");
    put_link("/lib", "usr/lib");
    put("/var/lib/dpkg/status", dpkg_status);
    put("/var/lib/dpkg/info/libstdc++6:amd64.list",
        "/.\n/lib\n/lib/x86_64-linux-gnu\n/lib/x86_64-linux-gnu/libstdc++.so.6\n");
    put("/var/lib/dpkg/info/libstdc++6:i386.list", "/usr/lib/i386-linux-gnu/libstdc++.so.6");
    put("/var/lib/dpkg/info/half.list", "/usr/lib/libhalf.so\r\n/usr/share/half.txt\n");
    put("/var/lib/dpkg/info/unknown:amd64.list", "/usr/share/half.txt\n");
    const char *const wide = "libstdc++6 12.2.0-14+b1 amd64 (dpkg)";
    assert_string_equal(owners("/usr/lib/x86_64-linux-gnu/libstdc++.so.6"), wide);
    assert_string_equal(owners("/lib/x86_64-linux-gnu/libstdc++.so.6"), wide);
    assert_string_equal(owners("/usr/lib/../lib/x86_64-linux-gnu//libstdc++.so.6"), wide);
    assert_string_equal(owners("/lib/i386-linux-gnu/libstdc++.so.6"),
                        "libstdc++6 12.2.0-14 i386 (dpkg)");
    assert_string_equal(owners("/lib/libhalf.so"), "half 1 all (dpkg) half-installed");
    assert_string_equal(last_words[2], "--reinstall");
    assert_string_equal(owners("/usr/share/half.txt"),
                        "half 1 all (dpkg) half-installed + "
                        "unknown - amd64 (dpkg) not in the status file");
    assert_string_equal(owners("/usr/lib/libstdc++.so.6"), "");
}

static void dpkg_diverts(void **state) {
    (void)state;
    put("/var/lib/dpkg/status", dpkg_status);
    put("/var/lib/dpkg/info/half.list", "/usr/lib/libGL.so.1\n");
    put("/var/lib/dpkg/info/driver.list", "/usr/lib/libGL.so.1\n");
    put("/var/lib/dpkg/diversions",
        "/usr/lib/libGL.so.1\n/usr/lib/mesa/libGL.so.1\ndriver\n/cut/line\n");
    assert_string_equal(owners("/usr/lib/libGL.so.1"), "driver - - (dpkg) not in the status file");
    assert_string_equal(owners("/usr/lib/mesa/libGL.so.1"), "half 1 all (dpkg) half-installed");
}

static void images_without_dpkg_have_lists_as_well(void **state) {
    (void)state;
    put("/var/lib/dpkg/status.d/libc6", "Package: libc6\nVersion: 2.36-9\nArchitecture: amd64\n");
    put("/var/lib/dpkg/status.d/libc6.md5sums",
        "0123456789abcdef0123456789abcdef  lib/x86_64-linux-gnu/libm.so.6\nno sum\n");
    assert_string_equal(owners("/lib/x86_64-linux-gnu/libm.so.6"), "libc6 2.36-9 amd64 (dpkg)");
    assert_null(last_words);
}

static void apk_is_read(void **state) {
    (void)state;
    put("/lib/apk/db/installed", "C:Q1x=\nP:musl\nV:1.2.4-r2\nA:x86_64\nF:lib\n"
                                 "R:ld-musl-x86_64.so.1\na:0:0:755\nZ:Q1y=\nF:\nR:top\n\n"
                                 "P:zlib\nV:1.3\nF:usr/lib\nR:libz.so.1");
    assert_string_equal(owners("/lib/ld-musl-x86_64.so.1"), "musl 1.2.4-r2 x86_64 (apk)");
    assert_string_equal(owners("/top"), "musl 1.2.4-r2 x86_64 (apk)");
    assert_string_equal(owners("/usr/lib/libz.so.1"), "zlib 1.3 - (apk)");
}

static void pacman_is_read(void **state) {
    (void)state;
    put("/var/lib/pacman/local/ALPM_DB_VERSION", "9\n");
    put("/var/lib/pacman/local/zlib-1:1.3-1/desc",
        "%NAME%\nzlib\n\n%VERSION%\n1:1.3-1\n\n%DESC%\nnone\n\n%ARCH%\nx86_64\n");
    put("/var/lib/pacman/local/zlib-1:1.3-1/files",
        "%FILES%\nusr/\nusr/lib/\nusr/lib/libz.so.1\n\n%BACKUP%\netc/libother.so\t0\n");
    assert_string_equal(owners("/usr/lib/libz.so.1"), "zlib 1:1.3-1 x86_64 (pacman)");
    assert_string_equal(owners("/etc/libother.so"), "");
}

static void conda_is_read(void **state) {
    (void)state;
    const char *const record =
        "{\"name\": \"libstdcxx\", \"version\": \"13.2.0\", \"build\": \"hc0_7\",\n"
        "\"channel\": \"https://conda.anaconda.org/conda-forge/linux-64\", \"subdir\":\"linux-64\","
        "\"files\": [\"lib/libstdc++.so.6\", \"lib/libtext.so\", \"share/x\"], \"paths_data\": "
        "{\"paths\": [{\"_path\": \"lib/libstdc++.so.6\", \"size_in_bytes\": 19, \"sha256\": "
        "\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\"}, {\"_path\": "
        "\"lib/libtext.so\", \"prefix_placeholder\": \"/opt/x\", \"size_in_bytes\": 7, "
        "\"sha256\": \"00\"}]}}";
    put("/opt/conda/conda-meta/libstdcxx-13.2.0-hc0_7.json", record);
    put("/opt/conda/conda-meta/cut.json", "{\"name\": \"cut\", \"files\": [\"lib/libcut.so\", \"l");
    put("/opt/conda/conda-meta/wrong.json", "[\"name\"");
    put("/var/lib/dpkg/info/half.list", "/opt/conda/lib/libstdc++.so.6\n");
    assert_string_equal(owners("/opt/conda/lib/libstdc++.so.6"),
                        "libstdcxx 13.2.0 linux-64 (conda)");
    assert_string_equal(owners("/opt/conda/share/x"), "libstdcxx 13.2.0 linux-64 (conda)");
    assert_string_equal(owners("/opt/conda/lib/libcut.so"), "");
    assert_string_equal(owners("/lib/libstdc++.so.6"), "");

    struct wy_tree *t;
    const struct wy_sys_file *f;
    assert_null(wy_tree_host(root, &t));
    struct wy_sys *s = wy_sys_create(t);
    assert_int_equal(wy_sys_owners(s, "/opt/conda/lib/libstdc++.so.6", &f), 1);
    assert_int_equal(f->size, 19);
    assert_int_equal(strlen(f->sha256), 64);
    assert_string_equal(f->package->channel, "conda-forge");
    assert_string_equal(f->package->build, "hc0_7");
    struct wy_arena a = WY_ARENA_INIT;
    assert_string_equal(wy_sys_argument(f->package, &a), "libstdcxx=13.2.0=hc0_7");
    assert_string_equal(f->package->reinstall.words[0], "conda");
    assert_int_equal(wy_sys_owners(s, "/opt/conda/lib/libtext.so", &f), 1);
    assert_int_equal(f->size, -1);
    assert_null(f->sha256);
    assert_null(wy_sys_unread(s, "/usr/lib/x"));
    wy_arena_deinit(&a);
    wy_sys_destroy(s);
    wy_tree_destroy(t);
}

/* What is no database is passed over, and what stands around it is still read. */
static void damage_hides_nothing_else(void **state) {
    (void)state;
    static const char noise[] =
        "/usr/lib/lib\0a.so\n\n\n/usr/lib/libb.so\n///\n../../../libc.so\n/x";
    char longest[6000];
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "/usr/", 5);
    memcpy(longest + sizeof longest - 6, "/l.so\n", 6);
    put_bytes("/var/lib/dpkg/info/noise.list", noise, sizeof noise - 1);
    put_bytes("/var/lib/dpkg/info/long.list", longest, sizeof longest);
    put("/var/lib/dpkg/info/.list", "/usr/lib/libb.so\n");
    put("/var/lib/dpkg/status", "\n\n:\nPackage:\nVersion: 1\n\nPackage: noise\nVersion: 7");
    put_link("/var/lib/dpkg/info/loop.list", "loop.list");
    put_link("/var/lib/dpkg/info/out.list", "../../../../../../../../etc/passwd");
    put("/var/lib/dpkg/info/folder.list/x", "");
    put("/lib/apk/db/installed", "R:libearly.so\nF:lib\n\nP:\n\nP:a\nR:libr.so");
    put_link("/var/lib/pacman/local", "local");
    assert_string_equal(owners("/usr/lib/libb.so"), "noise 7 - (dpkg)");
    assert_string_equal(owners("/libc.so"), "noise 7 - (dpkg)");
    assert_string_equal(owners("/usr/lib/liba.so"), "");
    assert_string_equal(owners("/libr.so"), "a - - (apk)");
    assert_string_equal(owners("/libearly.so"), "");
}

static void names_for_commands_are_checked(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    static const char *const bad[] = {"", "-y", "a b", "a;b", "$(x)", "a/b", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct wy_sys_package p = {.manager = "dpkg", .name = bad[i]};
        assert_null(wy_sys_argument(&p, &a));
    }
    struct wy_sys_package p = {.manager = "dpkg", .name = "libstdc++6"};
    assert_string_equal(wy_sys_argument(&p, &a), "libstdc++6");
    struct wy_sys_package odd = {
        .manager = "conda", .name = "x", .version = "1 -y", .build = "0", .prefix = "/p"};
    assert_null(wy_sys_argument(&odd, &a));
    wy_arena_deinit(&a);
}

static void rpm_is_seen(void **state) {
    (void)state;
    struct wy_tree *t;
    put("/var/lib/rpm/rpmdb.sqlite", "SQLite format 3");
    assert_null(wy_tree_host(root, &t));
    struct wy_sys *s = wy_sys_create(t);
    assert_string_equal(wy_sys_unread(s, "/usr/lib/x"), "rpm");
    wy_sys_destroy(s);
    wy_tree_destroy(t);
}

#define IN_A_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_A_ROOT(dpkg_is_read),
        IN_A_ROOT(dpkg_diverts),
        IN_A_ROOT(images_without_dpkg_have_lists_as_well),
        IN_A_ROOT(apk_is_read),
        IN_A_ROOT(pacman_is_read),
        IN_A_ROOT(conda_is_read),
        IN_A_ROOT(damage_hides_nothing_else),
        cmocka_unit_test(names_for_commands_are_checked),
        IN_A_ROOT(rpm_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
