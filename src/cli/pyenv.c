/* pyenv puts a script for each program name on PATH and decides at start which version it means.
 * The same decision from its files, running nothing: PYENV_VERSION, else .python-version in the
 * folder or the nearest one above, else PYENV_ROOT/version, else the next python on PATH
 * (pyenv 2.x: libexec/pyenv-version-file, -version-file-read, -which). */
#include "base/path.h"
#include "cli/cli.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

enum { LONGEST_FILE = 4096 };

/* The first 4 KiB of a small file; false when it cannot be read. */
static bool read_small(struct wy_arena *a, const char *path, struct wy_str *ret) {
    char *bytes = wy_arena_alloc(a, LONGEST_FILE);
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    *ret = (struct wy_str){bytes, fread(bytes, 1, LONGEST_FILE, f)};
    fclose(f);
    return true;
}

/* A shim says which installation it belongs to: `export PYENV_ROOT="/opt/pyenv"`. */
static const char *root_of(struct wy_arena *a, const char *shim) {
    struct wy_str text;
    if (!read_small(a, shim, &text) || wy_str_find(text, WY_STR("pyenv")) == SIZE_MAX)
        return NULL;
    static const char key[] = "PYENV_ROOT=\"";
    size_t at = wy_str_find(text, WY_STR("PYENV_ROOT=\""));
    if (at != SIZE_MAX) {
        struct wy_str rest, value = {text.p + at + strlen(key), text.n - at - strlen(key)};
        return wy_arena_str(a, wy_str_cut(value, '"', &rest));
    }
    const char *set = getenv("PYENV_ROOT");
    if (set && *set)
        return set;
    const char *dir = wy_path_dir(a, shim);
    return strcmp(wy_path_base(dir), "shims") == 0 ? wy_path_dir(a, dir) : NULL;
}

/* The versions a file names: first word of each line that is no comment, joined by ':'. NULL when
 * there is no such file. */
static const char *versions_in(struct wy_arena *a, const char *path) {
    struct wy_str text;
    if (!read_small(a, path, &text))
        return NULL;
    wy_auto_buf all = {0};
    while (text.p && text.n) {
        struct wy_str line = wy_str_trim(wy_str_line(text, &text));
        size_t n = 0;
        while (n < line.n && line.p[n] != ' ' && line.p[n] != '\t')
            n++;
        if (n == 0 || line.p[0] == '#')
            continue;
        if (all.n)
            wy_buf_char(&all, ':');
        wy_buf_add(&all, line.p, n);
    }
    return wy_arena_cstr(a, wy_buf_text(&all));
}

static const char *wanted_versions(struct wy_arena *a, const char *root, const char *cwd) {
    const char *set = getenv("PYENV_VERSION");
    if (set && *set)
        return set;
    for (const char *dir = cwd; *dir; dir = wy_path_dir(a, dir)) {
        const char *found = versions_in(a, wy_path_join(a, dir, ".python-version"));
        if (found)
            return found;
        if (strcmp(dir, "/") == 0)
            break;
    }
    return versions_in(a, wy_path_join(a, root, "version"));
}

static bool plain_number(struct wy_str s) {
    uint64_t v;
    return wy_str_u64(s, UINT32_MAX, &v);
}

/* "3.11.7" after "3.11.10"? Both are numbers joined by dots. */
static bool newer(const char *a, const char *b) {
    struct wy_str x = wy_str_of(a), y = wy_str_of(b);
    while (x.p || y.p) {
        uint64_t i = 0, k = 0;
        struct wy_str p = wy_str_cut(x, '.', &x), q = wy_str_cut(y, '.', &y);
        wy_str_u64(p, UINT32_MAX, &i);
        wy_str_u64(q, UINT32_MAX, &k);
        if (i != k)
            return i > k;
    }
    return false;
}

static bool is_release(const char *name) {
    struct wy_str rest = wy_str_of(name);
    while (rest.p)
        if (!plain_number(wy_str_cut(rest, '.', &rest)))
            return false;
    return true;
}

/* "3.11" means the newest installed 3.11.N (pyenv-latest). */
static const char *newest(struct wy_arena *a, const char *versions, const char *prefix) {
    const char *best = NULL, *start = wy_arena_printf(a, "%s.", prefix);
    DIR *d = opendir(versions);
    if (!d)
        return NULL;
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        if (wy_starts(e->d_name, start) && is_release(e->d_name) &&
            (!best || newer(e->d_name, best)))
            best = wy_arena_cstr(a, e->d_name);
    closedir(d);
    return best;
}

static const char *program_of(struct wy_arena *a, const char *root, const char *version,
                              const char *name) {
    if (!*version || strchr(version, '/') || strcmp(version, "..") == 0)
        return NULL;
    const char *versions = wy_path_join(a, root, "versions");
    const char *path = wy_arena_printf(a, "%s/%s/bin/%s", versions, version, name);
    if (access(path, X_OK) == 0)
        return path;
    const char *latest = newest(a, versions, version);
    path = latest ? wy_arena_printf(a, "%s/%s/bin/%s", versions, latest, name) : NULL;
    return path && access(path, X_OK) == 0 ? path : NULL;
}

const char *wy_pyenv_resolve(struct wy_arena *a, const char *path, const char *cwd) {
    const char *root = root_of(a, path);
    const char *wanted = root ? wanted_versions(a, root, cwd) : NULL;
    struct wy_str rest = wy_str_of(wanted);
    while (wanted && rest.p) {
        const char *version = wy_arena_str(a, wy_str_cut(rest, ':', &rest));
        if (strcmp(version, "system") == 0)
            return NULL;
        if (wy_starts(version, "python-"))
            version += strlen("python-");
        const char *program = program_of(a, root, version, wy_path_base(path));
        if (program)
            return program;
    }
    return NULL;
}
