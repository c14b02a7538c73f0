#include "base/pool.h"
#include "base/vec.h"
#include "folder.h"
#include "tree/private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A temporary folder, the working directory of the test, and a tree over it. */
struct fixture {
    char dir[64];
    int before; /* the working directory */
    struct wy_tree *t;
    struct wy_arena a;
};

static int setup(void **state) {
    struct fixture *f = wy_alloc0(1, sizeof *f);
    strcpy(f->dir, "/tmp/wy_tree_XXXXXX");
    f->before = open(".", O_PATH | O_CLOEXEC);
    if (!mkdtemp(f->dir) || chmod(f->dir, 0755) != 0 || chdir(f->dir) != 0)
        return -1;
    struct wy_error *e = wy_tree_host(f->dir, &f->t);
    *state = f;
    return e ? -1 : 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    wy_tree_destroy(f->t);
    wy_arena_deinit(&f->a);
    int left = remove_folder(f->dir);
    if (fchdir(f->before) != 0)
        left = -1;
    close(f->before);
    free(f);
    return left;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void folder(const char *path) {
    assert_int_equal(mkdir(path, 0755), 0);
}
static void link_to(const char *target, const char *path) {
    assert_int_equal(symlink(target, path), 0);
}

static int find(struct fixture *f, const char *path) {
    struct wy_place p;
    return wy_tree_find(f->t, NULL, path, 0, &p);
}

/* Where `path` leads, as a path without links. */
static const char *leads_to(struct fixture *f, const char *path) {
    struct wy_place p;
    int error = wy_tree_find(f->t, NULL, path, 0, &p);
    return error ? strerrorname_np(error) : wy_place_path(&f->a, &p);
}

static void links_are_followed_inside_the_root(void **state) {
    struct fixture *f = *state;
    folder("a");
    folder("a/b");
    put("a/b/file", "x");
    link_to("b/file", "a/relative");
    link_to("/a/b", "absolute");
    link_to("../../../../../../etc", "a/upwards");
    link_to("/", "a/b/top");
    link_to("absolute/", "chain");
    assert_string_equal(leads_to(f, "/a/relative"), "/a/b/file");
    assert_string_equal(leads_to(f, "absolute/file"), "/a/b/file");
    assert_string_equal(leads_to(f, "chain/file"), "/a/b/file");
    assert_string_equal(leads_to(f, "/a/b/top/a/b/top"), "/");
    assert_string_equal(leads_to(f, "/a/upwards"), "ENOENT");
    assert_string_equal(leads_to(f, "/a/upwards/passwd"), "ENOENT");
    assert_string_equal(leads_to(f, "/etc/passwd"), "ENOENT");
}

static void dots_are_physical_and_stop_at_the_root(void **state) {
    struct fixture *f = *state;
    folder("a");
    folder("a/b");
    folder("c");
    put("a/here", "");
    link_to("../a/b", "c/link");
    assert_string_equal(leads_to(f, "/c/link/../here"), "/a/here");
    assert_string_equal(leads_to(f, "/c/../a/./here"), "/a/here");
    assert_string_equal(leads_to(f, "/../../../a"), "/a");
    assert_string_equal(leads_to(f, ".."), "/");
    assert_string_equal(leads_to(f, "."), "/");
    assert_string_equal(leads_to(f, "//"), "/");
    assert_string_equal(leads_to(f, "/a/b/."), "/a/b");
    struct wy_dir *b;
    struct wy_place p;
    assert_int_equal(wy_tree_find_dir(f->t, NULL, "c/link", &b), 0);
    assert_string_equal(wy_dir_path(b), "/a/b");
    assert_int_equal(wy_tree_find(f->t, b, "../here", 0, &p), 0);
    assert_false(p.through_link);
    assert_string_equal(wy_place_path(&f->a, &p), "/a/here");
    assert_ptr_equal(wy_dir_parent(wy_tree_root(f->t)), wy_tree_root(f->t));
}

static void the_last_link_can_be_the_answer(void **state) {
    struct fixture *f = *state;
    folder("d");
    link_to("d", "l");
    struct wy_place p;
    assert_int_equal(wy_tree_find(f->t, NULL, "l", WY_FIND_NOFOLLOW, &p), 0);
    assert_int_equal(p.entry->type, WY_FT_LINK);
    assert_false(p.through_link);
    assert_null(wy_place_dir(f->t, &p));
    struct wy_node node;
    assert_int_equal(wy_place_stat(f->t, &p, &node), 0);
    assert_true(S_ISLNK(node.mode));
    char *target;
    assert_int_equal(wy_place_readlink(f->t, &p, &f->a, &target), 0);
    assert_string_equal(target, "d");
    assert_int_equal(wy_tree_find(f->t, NULL, "l/", WY_FIND_NOFOLLOW, &p), 0);
    assert_int_equal(p.entry->type, WY_FT_DIR);
    assert_true(p.through_link);
    assert_int_equal(wy_place_readlink(f->t, &p, &f->a, &target), EINVAL);
}

static void forty_links_are_followed_and_no_more(void **state) {
    struct fixture *f = *state;
    char name[16], target[16];
    put("0", "");
    for (int i = 1; i <= 41; i++) {
        snprintf(name, sizeof name, "%d", i);
        snprintf(target, sizeof target, "%d", i - 1);
        link_to(target, name);
    }
    link_to("self", "self");
    assert_string_equal(leads_to(f, "40"), "/0");
    assert_string_equal(leads_to(f, "41"), "ELOOP");
    assert_string_equal(leads_to(f, "self"), "ELOOP");
    assert_string_equal(leads_to(f, "self/x"), "ELOOP");
}

/* The kernel is the judge: every path gives what open(2) gives. */
static void compare_with_open(struct wy_tree *t, const char *path) {
    struct wy_place p;
    struct stat st;
    for (int follow = 0; follow < 2; follow++) {
        int fd = open(path, O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
        int expected = fd < 0 ? errno : 0;
        int got = wy_tree_find(t, NULL, path, follow ? 0 : WY_FIND_NOFOLLOW, &p);
        if (got != expected)
            fprintf(stderr, "%.200s: %s, open(2) says %s\n", path, strerror(got),
                    strerror(expected));
        if (got != expected || (!expected && fstat(fd, &st) != 0))
            abort();
        struct wy_node node;
        if (!got && (wy_place_stat(t, &p, &node) != 0 || node.ino != st.st_ino))
            abort();
        if (fd >= 0)
            close(fd);
    }
}

static void make_playground(void) {
    folder("dir");
    folder("dir/sub");
    put("dir/file", "text");
    link_to("dir/file", "to_file");
    link_to("dir", "to_dir");
    link_to("dir/file/", "to_file_slash");
    link_to("nowhere", "dangling");
    link_to("dangling/x", "dangling2");
    link_to("loop2", "loop1");
    link_to("loop1", "loop2");
    link_to("dir/sub/../file", "dotted");
    assert_int_equal(mkfifo("pipe", 0644), 0);
}

static void compare_playground(struct wy_tree *t, const char *dir) {
    static const char *const tails[] = {
        "",
        "/",
        "/dir",
        "/dir/",
        "/dir/file",
        "/dir/file/",
        "/dir/file/.",
        "/dir/file/..",
        "/dir/file/x",
        "/none",
        "/none/",
        "/none/..",
        "/to_file",
        "/to_file/",
        "/to_file/x",
        "/to_dir",
        "/to_dir/",
        "/to_dir/file",
        "/to_dir/..",
        "/to_dir/../dir/sub",
        "/to_file_slash",
        "/dangling",
        "/dangling/",
        "/dangling/..",
        "/dangling2",
        "/loop1",
        "/loop1/",
        "/loop1/x",
        "/dotted",
        "/pipe",
        "/pipe/",
        "/pipe/x",
        "/./dir/.//sub/",
        "/dir/sub/../../to_dir/./file",
        "/shut",
        "/shut/.",
        "/shut/..",
        "/shut/in",
        "/shut/none",
        "/shut/in/x",
        "/blind",
        "/blind/.",
        "/blind/..",
        "/blind/in",
        "/blind/none",
        "/blind/in/x",
        "/blind/l",
        "/blind/l/x",
        "/through",
    };
    char path[6000];
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        snprintf(path, sizeof path, "%s%s", dir, tails[i]);
        compare_with_open(t, path);
    }
    compare_with_open(t, "");
    for (size_t n = 250; n < 260; n++) {
        snprintf(path, sizeof path, "%s/%0*d", dir, (int)n, 0);
        compare_with_open(t, path);
        strcat(path, "/x");
        compare_with_open(t, path);
        snprintf(path, sizeof path, "%s/dir/file/%0*d", dir, (int)n, 0);
        compare_with_open(t, path);
    }
    for (size_t n = 4090; n < 4100; n++) {
        size_t at = (size_t)snprintf(path, sizeof path, "%s", dir);
        while (at + 2 <= n - 4)
            at += (size_t)sprintf(path + at, "/.");
        at += (size_t)sprintf(path + at, "/dir");
        while (at < n)
            path[at++] = '/';
        path[at] = '\0';
        compare_with_open(t, path);
    }
}

static void errors_are_those_of_open(void **state) {
    struct fixture *f = *state;
    struct wy_tree *t;
    make_playground();
    assert_null(wy_tree_host("/", &t));
    compare_playground(t, f->dir);
    wy_tree_destroy(t);
}

/* Runs `check` in a child that is nobody in particular; true when it ended well. */
static bool as_nobody(void (*check)(const char *dir), const char *dir) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(1);
        check(dir);
        _exit(0);
    }
    int status = -1;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

static void must(bool right, const char *what) {
    if (right)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}
#define MUST(what) must((what), #what)

static void check_closed_folders(const char *dir) {
    struct wy_tree *t;
    MUST(wy_tree_host("/", &t) == NULL);
    compare_playground(t, dir);
    wy_tree_destroy(t);
    MUST(wy_tree_host(dir, &t) == NULL);
    struct wy_dir *shut, *blind, *listed;
    size_t n;
    MUST(wy_tree_find_dir(t, NULL, "shut", &shut) == 0);
    MUST(wy_dir_error(shut) == EACCES);
    wy_dir_entries(shut, &n);
    MUST(n == 0 && !wy_dir_get(shut, "in"));
    MUST(wy_tree_find_dir(t, NULL, "blind", &blind) == 0);
    MUST(wy_dir_error(blind) == EACCES);
    wy_dir_entries(blind, &n);
    MUST(n == 0 && wy_dir_get(blind, "in") && !wy_dir_get(blind, "none"));
    MUST(wy_dir_get(blind, "in") == wy_dir_get(blind, "in"));
    MUST(wy_dir_get(blind, "in")->type == WY_FT_FILE && wy_dir_get(blind, "l")->type == WY_FT_LINK);
    MUST(wy_tree_find_dir(t, NULL, "listed", &listed) == 0);
    MUST(wy_dir_error(listed) == EACCES);
    wy_dir_entries(listed, &n);
    MUST(n == 1);
    struct wy_place p = {.dir = listed, .entry = wy_dir_entries(listed, &n)};
    struct wy_file *file;
    MUST(wy_place_open(t, &p, &file) == EACCES);
    MUST(wy_tree_find(t, NULL, "listed/in", 0, &p) == EACCES);
    MUST(wy_tree_find(t, NULL, "secret", 0, &p) == 0);
    MUST(wy_place_open(t, &p, &file) == EACCES);
    wy_tree_prefetch(t, NULL, 2);
    wy_tree_destroy(t);
}

static void closed_folders_are_asked_name_by_name(void **state) {
    struct fixture *f = *state;
    make_playground();
    static const struct {
        const char *name;
        mode_t mode;
    } closed[] = {{"shut", 0}, {"blind", 0111}, {"listed", 0444}};
    for (size_t i = 0; i < 3; i++) {
        char path[32];
        folder(closed[i].name);
        snprintf(path, sizeof path, "%s/in", closed[i].name);
        put(path, "x");
    }
    link_to("../dir", "blind/l");
    link_to("blind/l/file", "through");
    put("secret", "x");
    assert_int_equal(chmod("secret", 0), 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(chmod(closed[i].name, closed[i].mode), 0);
    bool good = as_nobody(check_closed_folders, f->dir);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(chmod(closed[i].name, 0755), 0);
    assert_true(good);
}

static void deny_openat2(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = 4, .filter = code};
    MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    MUST(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void check_old_kernel(const char *dir) {
    struct wy_tree *t;
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str text;
    deny_openat2();
    MUST(wy_tree_host("/", &t) == NULL);
    compare_playground(t, dir);
    wy_tree_destroy(t);
    MUST(wy_tree_host(dir, &t) == NULL);
    MUST(wy_tree_slurp(t, NULL, "to_dir/file", 9, &a, &text) == 0 && wy_str_is(text, "text"));
    MUST(rename("dir", "moved") == 0 && symlink("moved", "dir") == 0);
    MUST(wy_tree_slurp(t, NULL, "dir/file", 9, &a, &text) == ENOTDIR);
    MUST(rename("moved", "away") == 0 && unlink("dir") == 0 && rename("away", "dir") == 0);
    wy_tree_destroy(t);
    wy_arena_deinit(&a);
}

static void kernels_without_openat2_do_as_well(void **state) {
    struct fixture *f = *state;
    make_playground();
    assert_int_equal(chmod(f->dir, 0777), 0); /* the check renames in it */
    assert_true(as_nobody(check_old_kernel, f->dir));
}

static void nothing_but_regular_files_is_opened(void **state) {
    struct fixture *f = *state;
    make_playground();
    static const char *const others[] = {"pipe", "dir", "/"};
    struct wy_place p;
    struct wy_file *file;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(wy_tree_find(f->t, NULL, others[i], 0, &p), 0);
        assert_int_equal(wy_place_open(f->t, &p, &file), EINVAL);
        assert_null(file);
    }
    assert_int_equal(wy_tree_find(f->t, NULL, "to_file", WY_FIND_NOFOLLOW, &p), 0);
    assert_int_equal(wy_place_open(f->t, &p, &file), EINVAL);
}

/* The listing says file, the disk has changed its mind: no hang, nothing outside is read. */
static void files_that_change_after_the_listing_do_no_harm(void **state) {
    struct fixture *f = *state;
    folder("d");
    put("d/gone", "x");
    put("d/pipe", "x");
    put("d/link", "x");
    folder("d/sub");
    put("d/sub/file", "x");
    struct wy_place gone, pipe, to, in;
    assert_int_equal(wy_tree_find(f->t, NULL, "d/gone", 0, &gone), 0);
    assert_int_equal(wy_tree_find(f->t, NULL, "d/pipe", 0, &pipe), 0);
    assert_int_equal(wy_tree_find(f->t, NULL, "d/link", 0, &to), 0);
    assert_int_equal(wy_tree_find(f->t, NULL, "d/sub/file", 0, &in), 0);
    assert_int_equal(unlink("d/gone") | unlink("d/pipe") | unlink("d/link"), 0);
    assert_int_equal(mkfifo("d/pipe", 0644), 0);
    link_to("/etc/passwd", "d/link");
    assert_int_equal(rename("d/sub", "moved"), 0);
    link_to("../moved", "d/sub");
    struct wy_file *file;
    struct wy_node node;
    assert_int_equal(wy_place_stat(f->t, &gone, &node), ENOENT);
    assert_int_equal(wy_place_open(f->t, &gone, &file), ENOENT);
    assert_int_equal(wy_place_open(f->t, &pipe, &file), EINVAL);
    assert_int_equal(wy_place_open(f->t, &to, &file), ELOOP);
    assert_int_equal(wy_place_open(f->t, &in, &file), ELOOP);
    assert_int_equal(wy_place_stat(f->t, &in, &node), ELOOP);
    assert_int_equal(find(f, "d/gone"), 0); /* remembered: one answer for the whole run */
}

static void folders_that_vanish_are_empty(void **state) {
    struct fixture *f = *state;
    folder("d");
    put("d/x", "");
    struct wy_dir *d;
    assert_int_equal(wy_tree_find_dir(f->t, NULL, "d", &d), 0);
    assert_int_equal(unlink("d/x") | rmdir("d"), 0);
    size_t n;
    wy_dir_entries(d, &n);
    assert_int_equal(n, 0);
    assert_int_equal(wy_dir_error(d), ENOENT);
    assert_int_equal(find(f, "d/x"), ENOENT);
}

static void names_are_any_bytes_in_order(void **state) {
    struct fixture *f = *state;
    static const char *const names[] = {"\x01",      "\n",        "a\nb", "ab",       "abcdefgh",
                                        "abcdefghA", "abcdefghi", "b\\",  "\xc3\xa4", "\xff\xfe"};
    size_t count = sizeof names / sizeof *names, n;
    for (size_t i = count; i-- > 0;)
        put(names[i], "");
    const struct wy_entry *e = wy_dir_entries(wy_tree_root(f->t), &n);
    assert_int_equal(n, count);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(e[i].name, names[i]);
        assert_ptr_equal(wy_dir_get(wy_tree_root(f->t), names[i]), &e[i]);
        assert_true(e[i].id < wy_tree_ids(f->t));
    }
    assert_null(wy_dir_get(wy_tree_root(f->t), "abcdefg"));
    assert_null(wy_dir_get(wy_tree_root(f->t), ""));
}

static void contents_are_read_within_a_limit(void **state) {
    struct fixture *f = *state;
    struct wy_str text;
    put("file", "content");
    put("empty", "");
    assert_int_equal(wy_tree_slurp(f->t, NULL, "file", 7, &f->a, &text), 0);
    assert_true(wy_str_is(text, "content"));
    assert_int_equal(text.p[7], '\0');
    assert_int_equal(wy_tree_slurp(f->t, NULL, "file", 6, &f->a, &text), EFBIG);
    assert_int_equal(wy_tree_slurp(f->t, NULL, "empty", 0, &f->a, &text), 0);
    assert_int_equal(text.n, 0);
    assert_int_equal(wy_tree_slurp(f->t, NULL, "none", 9, &f->a, &text), ENOENT);
    struct wy_place p;
    struct wy_file *file;
    char buf[16];
    assert_int_equal(wy_tree_find(f->t, NULL, "file", 0, &p), 0);
    assert_int_equal(wy_place_open(f->t, &p, &file), 0);
    assert_int_equal(wy_file_size(file), 7);
    assert_int_equal(wy_file_read(file, 3, buf, sizeof buf), 4);
    assert_memory_equal(buf, "tent", 4);
    assert_int_equal(wy_file_read(file, 7, buf, sizeof buf), 0);
    assert_int_equal(wy_file_read(file, UINT64_MAX, buf, sizeof buf), 0);
    struct wy_node node;
    wy_file_node(file, &node);
    assert_true(S_ISREG(node.mode) && node.nlink == 1);
    wy_file_close(file);
    wy_file_close(NULL);
    assert_int_equal(wy_tree_bytes_read(f->t), 7 + 4);
}

/* Files of /proc have size 0 and contents all the same. */
static void files_without_a_size_are_read_too(void **state) {
    struct fixture *f = *state;
    struct wy_tree *t;
    struct wy_str text;
    assert_null(wy_tree_host("/", &t));
    assert_int_equal(wy_tree_slurp(t, NULL, "/proc/self/maps", 1 << 24, &f->a, &text), 0);
    assert_true(text.n > 4096 && text.p[text.n] == '\0' && text.p[text.n - 1] == '\n');
    assert_int_equal(wy_tree_slurp(t, NULL, "/proc/self/maps", 100, &f->a, &text), EFBIG);
    wy_tree_destroy(t);
}

static void make_deep(size_t depth, size_t name_length) {
    char name[256];
    memset(name, 'd', name_length);
    name[name_length] = '\0';
    int at = open(".", O_PATH | O_CLOEXEC);
    for (size_t i = 0; i < depth; i++) {
        assert_int_equal(mkdirat(at, name, 0755), 0);
        int next = openat(at, name, O_PATH | O_CLOEXEC);
        close(at);
        at = next;
    }
    close(at);
}

static void paths_end_at_4096_bytes(void **state) {
    struct fixture *f = *state;
    make_deep(20, 255);
    wy_tree_prefetch(f->t, NULL, 2);
    struct wy_dir *d = wy_tree_root(f->t);
    size_t n, deep = 0;
    const struct wy_entry *e;
    while ((e = wy_dir_entries(d, &n)) && n == 1) {
        struct wy_place p = {.dir = d, .entry = e};
        d = wy_place_dir(f->t, &p);
        deep++;
    }
    assert_int_equal(deep, 16); /* 15 × 256 = 3,840 is listed, 16 × 256 = 4,096 is too long */
    assert_int_equal(wy_dir_error(d), ENAMETOOLONG);
    struct wy_place p;
    assert_int_equal(wy_tree_find(f->t, d, "x", 0, &p), ENAMETOOLONG);
    assert_int_equal(system("rm -rf d*"), 0); /* longer than nftw(3) can go */
}

/* A tree that holds only names, for listings that no disk gives. */
struct made {
    char (*names)[8];
    size_t n;
};

static int made_list(void *self, const char *path, struct wy_names *names, int *search) {
    struct made *m = self;
    *search = 0;
    for (size_t i = 0; strcmp(path, "/") == 0 && i < m->n; i++)
        wy_names_add(names, m->names[i], strlen(m->names[i]), WY_FT_FILE);
    return 0;
}
static void made_destroy(void *self) {
    (void)self;
}

static void names_that_hash_alike_are_found_all_the_same(void **state) {
    (void)state;
    enum { COUNT = 128, TABLE = 256 };
    static const struct wy_tree_ops ops = {.list = made_list, .destroy = made_destroy};
    char names[COUNT][8], name[8];
    struct made m = {names, 0};
    for (unsigned i = 0; m.n < COUNT; i++) {
        snprintf(name, sizeof name, "%x", i);
        if (((uint32_t)wy_hash(name, strlen(name)) & (TABLE - 1)) == 7)
            strcpy(names[m.n++], name);
    }
    struct wy_tree *t = wy_tree_over(&ops, &m, "made");
    assert_null(wy_dir_listing(wy_tree_root(t), NULL)->table);
    for (size_t i = 0; i < COUNT; i++)
        assert_string_equal(wy_dir_get(wy_tree_root(t), names[i])->name, names[i]);
    assert_null(wy_dir_get(wy_tree_root(t), "none"));
    assert_null(wy_dir_get(wy_tree_root(t), ""));
    assert_string_equal(wy_tree_root_path(t), "made");
    wy_tree_destroy(t);
}

static void make_forest(void) {
    char path[64];
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "d%d", i);
        folder(path);
        for (int j = 0; j < 6; j++) {
            snprintf(path, sizeof path, "d%d/e%d", i, j);
            folder(path);
            for (int k = 0; k < 12; k++) {
                snprintf(path, sizeof path, "d%d/e%d/f%d", i, j, k);
                put(path, "");
            }
            snprintf(path, sizeof path, "d%d/e%d/l", i, j);
            link_to("../../d0/e0/f0", path);
        }
    }
}

/* Everything below `d`, one line each. */
static void write_out(struct wy_tree *t, struct wy_dir *d, FILE *out) {
    size_t n;
    const struct wy_entry *e = wy_dir_entries(d, &n);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s %s %d\n", wy_dir_path(d), e[i].name, e[i].type);
        struct wy_place p = {.dir = d, .entry = &e[i]};
        struct wy_dir *sub = wy_place_dir(t, &p);
        if (sub)
            write_out(t, sub, out);
    }
}

static char *written(struct wy_tree *t) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    write_out(t, wy_tree_root(t), out);
    fclose(out);
    return text;
}

static void prefetch_gives_the_same_from_any_number_of_threads(void **state) {
    struct fixture *f = *state;
    make_forest();
    wy_auto_free char *expected = written(f->t);
    uint32_t ids = wy_tree_ids(f->t);
    assert_int_equal(ids, 6 + 36 + 36 * 13);
    for (unsigned threads = 0; threads < 9; threads++) {
        struct wy_tree *t;
        assert_null(wy_tree_host(f->dir, &t));
        wy_tree_prefetch(t, NULL, threads);
        assert_int_equal(wy_tree_ids(t), ids);
        wy_auto_free char *got = written(t);
        assert_string_equal(got, expected);
        assert_int_equal(wy_tree_ids(t), ids); /* nothing was listed again */
        wy_tree_destroy(t);
    }
}

struct stress {
    struct wy_tree *t;
    const struct wy_entry *_Atomic first; /* the entry that every path of the stress leads to */
    atomic_uint wrong;
};

static void look_around(void *ctx, unsigned worker, size_t item) {
    struct stress *s = ctx;
    char path[64];
    struct wy_place p;
    (void)worker;
    if (item % 50 == 0)
        wy_tree_prefetch(s->t, NULL, 2);
    snprintf(path, sizeof path, "d%zu/../d%zu/e%zu/l", item % 6, item / 6 % 6, item / 36 % 6);
    if (wy_tree_find(s->t, NULL, path, 0, &p) != 0) {
        atomic_fetch_add(&s->wrong, 1);
        return;
    }
    const struct wy_entry *none = NULL;
    if (!atomic_compare_exchange_strong(&s->first, &none, p.entry) && none != p.entry)
        atomic_fetch_add(&s->wrong, 1);
    snprintf(path, sizeof path, "d%zu/e%zu/none", item % 6, item / 6 % 6);
    if (wy_tree_find(s->t, NULL, path, 0, &p) != ENOENT)
        atomic_fetch_add(&s->wrong, 1);
}

static void many_threads_see_one_tree(void **state) {
    struct fixture *f = *state;
    make_forest();
    for (int round = 0; round < 5; round++) {
        struct stress s = {0};
        assert_null(wy_tree_host(f->dir, &s.t));
        wy_pool_run(8, 400, look_around, &s);
        assert_int_equal(atomic_load(&s.wrong), 0);
        wy_tree_destroy(s.t);
    }
}

static void a_root_must_be_a_folder(void **state) {
    (void)state;
    struct wy_tree *t;
    put("file", "");
    static const char *const roots[] = {"file", "none", ""};
    for (size_t i = 0; i < 3; i++) {
        struct wy_error *e = wy_tree_host(roots[i], &t);
        assert_non_null(e);
        assert_non_null(strstr(e->message, roots[i]));
        assert_null(t);
        wy_error_free(e);
    }
    wy_tree_destroy(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(links_are_followed_inside_the_root),
        TEST(dots_are_physical_and_stop_at_the_root),
        TEST(the_last_link_can_be_the_answer),
        TEST(forty_links_are_followed_and_no_more),
        TEST(errors_are_those_of_open),
        TEST(closed_folders_are_asked_name_by_name),
        TEST(kernels_without_openat2_do_as_well),
        TEST(nothing_but_regular_files_is_opened),
        TEST(files_that_change_after_the_listing_do_no_harm),
        TEST(folders_that_vanish_are_empty),
        TEST(names_are_any_bytes_in_order),
        TEST(contents_are_read_within_a_limit),
        TEST(files_without_a_size_are_read_too),
        TEST(paths_end_at_4096_bytes),
        TEST(names_that_hash_alike_are_found_all_the_same),
        TEST(prefetch_gives_the_same_from_any_number_of_threads),
        TEST(many_threads_see_one_tree),
        TEST(a_root_must_be_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
