/* What steers the loader beside ELF files: the preload file, musl's path file, search variables,
 * tunables, a RUNPATH. A program of two libraries is started in a small root of its own, under
 * either C library, and one more library is opened.
 *
 * Input: one byte that chooses, then texts that end in a NUL each: LD_LIBRARY_PATH, LD_PRELOAD,
 * GLIBC_TUNABLES, a RUNPATH, what is opened; the rest is the content of the configuration file. */
#include "fuzz.h"

#include "ld/ld.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXTS = 5, MAX_TEXT = 4096 };

static void require(bool promise) {
    if (!promise)
        abort();
}

static void put_file(const char *root, const char *name, const void *bytes, size_t n) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *f = fopen(path, "wb");
    require(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

/* ---- libraries of one page */

enum { DT_NEEDED = 1, DT_STRTAB = 5, DT_STRSZ = 10, DT_SONAME = 14, DT_RUNPATH = 29 };
enum { PT_LOAD = 1, PT_DYNAMIC, PT_INTERP, HEADERS = 64 + 3 * 56, DYNAMIC = 512, STRINGS = 1024 };
enum { FILE_BYTES = STRINGS + 3 * MAX_TEXT };

struct image {
    uint8_t bytes[FILE_BYTES];
    size_t dynamic, strings; /* where the next entry, the next text goes */
};

static void put(uint8_t *at, uint64_t value, size_t n) {
    for (size_t i = 0; i < n; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void entry(struct image *im, uint64_t tag, uint64_t value) {
    put(im->bytes + im->dynamic, tag, 8);
    put(im->bytes + im->dynamic + 8, value, 8);
    im->dynamic += 16;
}

static uint64_t text(struct image *im, const char *s) {
    size_t at = im->strings, n = strlen(s) + 1;
    require(at + n <= FILE_BYTES);
    memcpy(im->bytes + at, s, n);
    im->strings += n;
    return at;
}

static void segment(struct image *im, int index, uint32_t type, uint64_t at, uint64_t n) {
    uint8_t *p = im->bytes + 64 + 56 * index;
    put(p, type, 4);
    put(p + 4, 4 | (type == PT_LOAD), 4); /* readable; the code executable */
    for (int i = 8; i <= 24; i += 8)
        put(p + i, at, 8);
    put(p + 32, n, 8);
    put(p + 40, n, 8);
    put(p + 48, type == PT_LOAD ? 4096 : 8, 8);
}

static void make(const char *root, const char *name, const char *interp, const char *needed,
                 const char *runpath) {
    static const uint8_t ident[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    struct image im = {.dynamic = DYNAMIC, .strings = STRINGS + 1};
    memcpy(im.bytes, ident, sizeof ident);
    put(im.bytes + 16, 3, 2);  /* ET_DYN */
    put(im.bytes + 18, 62, 2); /* x86-64 */
    put(im.bytes + 20, 1, 4);
    put(im.bytes + 32, 64, 8); /* program headers */
    put(im.bytes + 52, 64, 2);
    put(im.bytes + 54, 56, 2);
    put(im.bytes + 56, interp ? 3 : 2, 2);
    if (needed)
        entry(&im, DT_NEEDED, text(&im, needed) - STRINGS);
    if (!interp)
        entry(&im, DT_SONAME, text(&im, strrchr(name, '/') + 1) - STRINGS);
    if (runpath)
        entry(&im, DT_RUNPATH, text(&im, runpath) - STRINGS);
    uint64_t at = interp ? text(&im, interp) : 0;
    entry(&im, DT_STRTAB, STRINGS);
    entry(&im, DT_STRSZ, im.strings - STRINGS);
    entry(&im, 0, 0);
    segment(&im, 0, PT_LOAD, 0, FILE_BYTES);
    segment(&im, 1, PT_DYNAMIC, DYNAMIC, im.dynamic - DYNAMIC);
    if (interp)
        segment(&im, 2, PT_INTERP, at, strlen(interp) + 1);
    put_file(root, name, im.bytes, FILE_BYTES);
}

/* ---- the root, made once */

static char root[64];

static const char *const folders[] = {"bin", "etc", "lib", "lib/more"};
static const char *const files[] = {"bin/glibc",
                                    "bin/musl",
                                    "lib/ld-linux-x86-64.so.2",
                                    "lib/ld-musl-x86_64.so.1",
                                    "lib/libone.so",
                                    "lib/libtwo.so",
                                    "lib/more/libthree.so",
                                    "etc/ld.so.preload",
                                    "etc/ld-musl-x86_64.path"};

static void clean_up(void) {
    char path[512];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", root, files[i]);
        unlink(path);
    }
    for (size_t i = sizeof folders / sizeof *folders; i-- > 0;) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        rmdir(path);
    }
    rmdir(root);
}

static void make_root(void) {
    const char *tmp = getenv("TMPDIR");
    snprintf(root, sizeof root, "%.40s/whyso-config-XXXXXX", tmp ? tmp : "/tmp");
    require(mkdtemp(root));
    require(atexit(clean_up) == 0);
    char path[512];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        require(mkdir(path, 0755) == 0);
    }
    make(root, "bin/glibc", "/lib/ld-linux-x86-64.so.2", "libone.so", NULL);
    make(root, "bin/musl", "/lib/ld-musl-x86_64.so.1", "libone.so", NULL);
    make(root, "lib/ld-linux-x86-64.so.2", NULL, NULL, NULL);
    make(root, "lib/ld-musl-x86_64.so.1", NULL, NULL, NULL);
    make(root, "lib/libtwo.so", NULL, NULL, NULL);
    make(root, "lib/more/libthree.so", NULL, "libtwo.so", NULL);
}

/* ---- one run */

static void check(const struct wy_open *open) {
    require(open->outcome == WY_OPEN_OK || open->nproblems);
    for (size_t i = 0; i < open->nproblems; i++)
        require(open->problems[i].message);
}

static void run(struct wy_host *host, const char *program, unsigned minor, const char *request) {
    struct wy_place place;
    require(wy_tree_find(host->tree, NULL, program, 0, &place) == 0);
    wy_host_set_program(host, wy_host_image(host, &place));
    if (host->libc == WY_LIBC_GLIBC)
        host->libc_minor = minor;
    struct wy_ld *ld = wy_ld_create(host);
    struct wy_open start;
    wy_ld_set_depth(ld, WY_LD_SYMBOLS);
    wy_ld_start(ld, program, &start);
    check(&start);
    if (start.after) {
        struct wy_search search;
        check(wy_ld_open(ld, start.after, request, WY_NOW, NULL));
        wy_ld_search(ld, start.after, request, NULL, &search);
    }
    wy_ld_destroy(ld);
}

/* The next text, at most MAX_TEXT bytes of it; *data moves behind its NUL. */
static const char *next_text(const uint8_t **data, size_t *size, char to[MAX_TEXT + 1]) {
    size_t n = strnlen((const char *)*data, *size), kept = n < MAX_TEXT ? n : MAX_TEXT;
    memcpy(to, *data, kept);
    to[kept] = '\0';
    n += n < *size;
    *data += n;
    *size -= n;
    return to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char texts[TEXTS][MAX_TEXT + 1];
    if (!size)
        return 0;
    if (!root[0])
        make_root();
    uint8_t choice = *data++;
    size--;
    for (int i = 0; i < TEXTS; i++)
        next_text(&data, &size, texts[i]);
    make(root, "lib/libone.so", NULL, "libthree.so", texts[3]);
    put_file(root, choice & 1 ? "etc/ld-musl-x86_64.path" : "etc/ld.so.preload", data, size);

    struct wy_tree *tree = NULL;
    struct wy_host *host = NULL;
    const struct wy_variable variables[] = {
        {"GLIBC_TUNABLES", texts[2]}, {"LD_LIBRARY_PATH", texts[0]}, {"LD_PRELOAD", texts[1]}};
    struct wy_host_options options = {
        .cwd = "/lib", .variables = variables, .nvariables = 3, .cpu = "x86-64-v3"};
    require(!wy_tree_host(root, &tree) && !wy_host_create(tree, &options, &host));
    run(host, choice & 1 ? "/bin/musl" : "/bin/glibc", 31 + (choice >> 1) % 14, texts[4]);
    wy_host_destroy(host);
    wy_tree_destroy(tree);
    return 0;
}
