/* Patch version and ABI of the base interpreter, from its files. */
#include "pip/reading.h"

#include <stdio.h>

enum {
    HEADER_MAX = 64 << 10,
    SYSCONFIG_MAX = 1 << 20,
    CHUNK = 64 << 10,
    OVERLAP = 64,        /* longer than any version text */
    SMALL_MAIN = 1 << 20 /* an interpreter below this size has its code in libpython */
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t digits(struct wy_str s, size_t at) {
    size_t n = 0;
    while (at + n < s.n && is_digit(s.p[at + n]))
        n++;
    return n;
}

/* Length of a full version of this interpreter's minor at the start of `s`: "3.11.7", "3.13.0rc1".
 * 0 when there is none. */
static size_t full_version(const struct wy_reading *r, struct wy_str s) {
    static const char *const stages[] = {"a", "b", "rc"};
    char minor[32];
    int n = snprintf(minor, sizeof minor, "%u.%u.", r->env->major, r->env->minor);
    if (!wy_str_starts(s, minor))
        return 0;
    size_t length = (size_t)n, patch = digits(s, length);
    if (patch == 0 || patch > 3)
        return 0;
    length += patch;
    for (size_t i = 0; i < 3; i++) {
        size_t stage = strlen(stages[i]);
        struct wy_str rest = {s.p + length, s.n - length};
        if (wy_str_starts(rest, stages[i]) && digits(rest, stage))
            return length + stage + digits(rest, stage);
    }
    return length;
}

static bool take(struct wy_reading *r, struct wy_str s) {
    size_t n = full_version(r, s);
    if (n)
        r->env->version = wy_arena_str(r->arena, (struct wy_str){s.p, n});
    return n > 0;
}

static const char *include_dir(struct wy_reading *r) {
    return wy_arena_printf(r->arena, "%s/include/python%u.%u%s", r->env->base_prefix, r->env->major,
                           r->env->minor, r->suffix);
}

static bool from_header(struct wy_reading *r) {
    static const char define[] = "#define PY_VERSION ";
    const char *path = wy_reading_join(r, include_dir(r), "patchlevel.h");
    for (struct wy_str rest = wy_reading_text(r, path, HEADER_MAX); rest.p;) {
        struct wy_str after, line = wy_str_line(rest, &rest);
        if (wy_str_starts(line, define)) {
            wy_str_cut(line, '"', &after);
            if (after.p && take(r, after))
                return true;
        }
    }
    return false;
}

/* pyenv and uv name the folder after the version: versions/3.11.7, cpython-3.11.7-linux-…. */
static bool from_path(struct wy_reading *r) {
    const char *path = r->env->python_real;
    for (const char *p = path; p && *p; p++)
        if ((*p == '/' || *p == '-') && take(r, wy_str_of(p + 1)))
            return true;
    return false;
}

/* PY_VERSION stands in the interpreter as a string of its own. True when `s` holds one; a second
 * that differs makes the answer doubtful. */
static bool scan_chunk(struct wy_reading *r, struct wy_str s, struct wy_str *found) {
    char needle[32] = "";
    size_t n =
        1 + (size_t)snprintf(needle + 1, sizeof needle - 1, "%u.%u.", r->env->major, r->env->minor);
    for (size_t at; (at = wy_str_find(s, (struct wy_str){needle, n})) != SIZE_MAX;) {
        s = (struct wy_str){s.p + at + 1, s.n - at - 1};
        size_t length = full_version(r, s);
        size_t plus = length && length < s.n && s.p[length] == '+';
        if (length == 0 || length + plus >= s.n || s.p[length + plus] != '\0')
            continue;
        struct wy_str text = {s.p, length};
        if (found->p && !wy_str_eq(*found, text))
            return false;
        if (!found->p)
            *found = (struct wy_str){wy_arena_str(r->arena, text), length};
    }
    return true;
}

static bool from_binary(struct wy_reading *r, const char *path, uint64_t at_least) {
    struct wy_place place;
    struct wy_file *file;
    struct wy_str found = {NULL, 0};
    if (wy_tree_find(r->tree, NULL, path, 0, &place) != 0 ||
        wy_place_open(r->tree, &place, &file) != 0)
        return false;
    bool good = wy_file_size(file) >= at_least;
    char *chunk = wy_alloc(CHUNK);
    for (uint64_t at = 0; good; at += CHUNK - OVERLAP) {
        int64_t n = wy_file_read(file, at, chunk, CHUNK);
        good = n >= 0 && scan_chunk(r, (struct wy_str){chunk, (size_t)n}, &found);
        if (n < CHUNK)
            break;
    }
    free(chunk);
    wy_file_close(file);
    if (good && found.p)
        r->env->version = found.p;
    return good && found.p;
}

static bool from_libpython(struct wy_reading *r) {
    const char *path =
        wy_arena_printf(r->arena, "%s/%s/libpython%u.%u%s.so.1.0", r->env->base_prefix, r->libdir,
                        r->env->major, r->env->minor, r->suffix);
    return from_binary(r, path, 0);
}

void wy_reading_patch_version(struct wy_reading *r) {
    struct wy_env *env = r->env;
    if (env->major == 0 || from_header(r) || from_path(r))
        return;
    if (r->cfg_version && take(r, wy_str_of(r->cfg_version)))
        return;
    if (env->python_real && (from_binary(r, env->python_real, SMALL_MAIN) || from_libpython(r)))
        return;
    env->version = wy_arena_printf(r->arena, "%u.%u", env->major, env->minor);
}

/* _sysconfigdata_<abi flags>_<platform>_<multiarch>.py of the standard library; Debian has one
 * without the platform, conda others for its compilers. */
static struct wy_str read_sysconfig(struct wy_reading *r) {
    struct wy_dir *dir;
    if (!r->env->stdlib || wy_tree_find_dir(r->tree, NULL, r->env->stdlib, &dir) != 0)
        return (struct wy_str){NULL, 0};
    const char *start = wy_arena_printf(r->arena, "_sysconfigdata_%s_", r->suffix);
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i].name;
        struct wy_str text;
        if (wy_starts(name, start) && wy_ends(name, ".py") &&
            wy_tree_slurp(r->tree, dir, name, SYSCONFIG_MAX, r->arena, &text) == 0)
            return text;
    }
    return (struct wy_str){NULL, 0};
}

/* The value in a line "'KEY': 'value'," of the build_time_vars dictionary. */
static const char *sysconfig_value(struct wy_reading *r, struct wy_str text, const char *key) {
    const char *quoted = wy_arena_printf(r->arena, "'%s':", key);
    size_t at = wy_str_find(text, wy_str_of(quoted));
    if (at == SIZE_MAX)
        return NULL;
    at += strlen(quoted);
    struct wy_str after, rest = wy_str_trim((struct wy_str){text.p + at, text.n - at});
    if (rest.n == 0 || rest.p[0] != '\'')
        return NULL;
    struct wy_str value = wy_str_cut((struct wy_str){rest.p + 1, rest.n - 1}, '\'', &after);
    return value.n && value.n < 256 ? wy_arena_str(r->arena, value) : NULL;
}

static void derive_soabi(struct wy_reading *r) {
    struct wy_env *env = r->env;
    if (!env->soabi && env->major && r->options->machine_triplet)
        env->soabi =
            wy_arena_printf(r->arena, "cpython-%u%u%s%s-%s", env->major, env->minor, r->suffix,
                            env->major == 3 && env->minor < 8 ? "m" : "" /* pymalloc */,
                            r->options->machine_triplet);
}

void wy_reading_abi(struct wy_reading *r) {
    struct wy_env *env = r->env;
    struct wy_str text = read_sysconfig(r);
    const char *suffix = NULL;
    if (text.p) {
        env->soabi = sysconfig_value(r, text, "SOABI");
        suffix = sysconfig_value(r, text, "EXT_SUFFIX");
    }
    derive_soabi(r);
    if (!suffix && env->soabi)
        suffix = wy_arena_printf(r->arena, ".%s.so", env->soabi);
    env->ext_suffixes = wy_arena_zero(r->arena, 3 * sizeof *env->ext_suffixes);
    if (suffix)
        env->ext_suffixes[env->next_suffixes++] = suffix;
    if (!env->free_threaded) /* the stable ABI does not exist there */
        env->ext_suffixes[env->next_suffixes++] = ".abi3.so";
    env->ext_suffixes[env->next_suffixes++] = ".so";
}
