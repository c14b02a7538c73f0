/* The databases of package managers: whatever their bytes, a question has an answer, and what is
 * named can be shown and lies where it says.
 *
 * Input: one byte that chooses the file, then its content; the files beside it are whole. */
#include "fuzz.h"

#include "sys/packages.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void require(bool promise) {
    if (!promise)
        abort();
}

static char root[64];

static const char *const folders[] = {
    "/lib",
    "/lib/apk",
    "/lib/apk/db",
    "/opt",
    "/opt/conda-meta",
    "/usr",
    "/usr/lib",
    "/var",
    "/var/lib",
    "/var/lib/dpkg",
    "/var/lib/dpkg/info",
    "/var/lib/dpkg/status.d",
    "/var/lib/pacman",
    "/var/lib/pacman/local",
    "/var/lib/pacman/local/z-1",
    "/var/lib/rpm",
};
static const struct {
    const char *path, *whole;
} files[] = {
    {"/var/lib/dpkg/status", "Package: z\nStatus: install ok installed\nVersion: 1\n"},
    {"/var/lib/dpkg/info/z.list", "/.\n/usr/lib/libz.so.1\n"},
    {"/var/lib/dpkg/diversions", "/usr/lib/libz.so.1\n/usr/lib/libz.so.1.old\ny\n"},
    {"/var/lib/dpkg/status.d/z", "Package: z\nVersion: 1\n"},
    {"/var/lib/dpkg/status.d/z.md5sums", "00  usr/lib/libz.so.1\n"},
    {"/lib/apk/db/installed", "P:z\nV:1\nF:usr/lib\nR:libz.so.1\n"},
    {"/var/lib/pacman/local/z-1/desc", "%NAME%\nz\n\n%VERSION%\n1\n"},
    {"/var/lib/pacman/local/z-1/files", "%FILES%\nusr/lib/libz.so.1\n"},
    {"/opt/conda-meta/z-1-0.json",
     "{\"name\": \"z\", \"version\": \"1\", \"build\": \"0\", \"files\": [\"lib/libz.so.1\"]}"},
    {"/var/lib/rpm/rpmdb.sqlite", ""},
    {"/var/lib/rpm/Packages.db", ""},
};
enum { FOLDERS = sizeof folders / sizeof *folders, FILES = sizeof files / sizeof *files };

static const char *full(const char *path) {
    static char text[256];
    snprintf(text, sizeof text, "%s%s", root, path);
    return text;
}

static void put(size_t i, const void *bytes, size_t n) {
    FILE *f = fopen(full(files[i].path), "wb");
    require(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static void clean_up(void) {
    for (size_t i = 0; i < FILES; i++)
        unlink(full(files[i].path));
    for (size_t i = FOLDERS; i-- > 0;)
        rmdir(full(folders[i]));
    rmdir(root);
}

static void make_root(void) {
    const char *tmp = getenv("TMPDIR");
    snprintf(root, sizeof root, "%.40s/whyso-sysdb-XXXXXX", tmp ? tmp : "/tmp");
    require(mkdtemp(root));
    require(atexit(clean_up) == 0);
    for (size_t i = 0; i < FOLDERS; i++)
        require(mkdir(full(folders[i]), 0755) == 0);
    for (size_t i = 0; i < FILES; i++)
        put(i, files[i].whole, strlen(files[i].whole));
}

static void ask(struct wy_sys *s, struct wy_arena *a, const char *path) {
    const struct wy_sys_file *f;
    size_t n = wy_sys_owners(s, path, &f);
    for (size_t i = 0; i < n; i++) {
        const struct wy_sys_package *p = f[i].package;
        require(p->name && p->name[0] && p->record && p->manager && f[i].path[0] == '/');
        require(!p->version || p->version[0]);
        require(f[i].size >= -1 && (!f[i].sha256 || strlen(f[i].sha256) == 64));
        const char *word = wy_sys_argument(p, a);
        require(!word || (word[0] != '-' && !strpbrk(word, " \t\n\"'$;&|<>`\\/")));
        require(p->reinstall.as);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_tree *t;
    if (!size)
        return 0;
    if (!root[0])
        make_root();
    size_t which = data[0] % FILES;
    put(which, data + 1, size - 1);
    require(!wy_tree_host(root, &t));
    struct wy_sys *s = wy_sys_create(t);
    ask(s, &a, "/usr/lib/libz.so.1");
    ask(s, &a, "/opt/lib/libz.so.1");
    ask(s, &a, "/usr/lib/other");
    wy_sys_unread(s, "/usr/lib/x");
    wy_sys_destroy(s);
    wy_tree_destroy(t);
    put(which, files[which].whole, strlen(files[which].whole));
    wy_arena_deinit(&a);
    return 0;
}
