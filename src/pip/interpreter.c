/* The interpreter of an environment: the real file, its version, where its standard library is,
 * and what is wrong with it. Follows Modules/getpath.py of CPython 3.11 and later. */
#include "base/path.h"
#include "pip/reading.h"

#include <errno.h>

enum { LINKS_MAX = 40 };

bool wy_reading_minor(const char *s, unsigned *major, unsigned *minor, const char **end) {
    unsigned numbers[2];
    for (int i = 0; i < 2; i++) {
        unsigned v = 0, digits = 0;
        for (; *s >= '0' && *s <= '9' && digits < 4; s++, digits++)
            v = v * 10 + (unsigned)(*s - '0');
        if (digits == 0 || (i == 0 && *s++ != '.'))
            return false;
        numbers[i] = v;
    }
    *major = numbers[0];
    *minor = numbers[1];
    *end = s;
    return true;
}

struct version {
    unsigned major, minor;
    const char *suffix; /* ABI letters behind the number */
};

/* A name such as python3.11 or python3.13t. */
static bool parse_name(const char *name, struct version *ret) {
    static const char *const suffixes[] = {"", "t", "d", "td"};
    if (!wy_starts(name, "python") ||
        !wy_reading_minor(name + 6, &ret->major, &ret->minor, &ret->suffix))
        return false;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(ret->suffix, suffixes[i]) == 0)
            return true;
    return false;
}

static void set_version(struct wy_reading *r, struct version v) {
    r->env->major = v.major;
    r->env->minor = v.minor;
    r->suffix = v.suffix;
    r->env->free_threaded = v.suffix[0] == 't';
}

static bool version_from_name(struct wy_reading *r, const char *name) {
    struct version v;
    if (!parse_name(name, &v))
        return false;
    set_version(r, v);
    return true;
}

static void version_from_cfg(struct wy_reading *r) {
    struct version v;
    if (!r->cfg_version || !wy_reading_minor(r->cfg_version, &v.major, &v.minor, &v.suffix))
        return;
    v.suffix = "";
    set_version(r, v);
}

static bool has_stdlib(struct wy_reading *r, const char *dir) {
    return wy_reading_is(r, wy_reading_join(r, dir, "os.py"), WY_FT_FILE) ||
           wy_reading_is(r, wy_reading_join(r, dir, "os.pyc"), WY_FT_FILE);
}

static bool same_file(struct wy_reading *r, const char *a, const char *b) {
    struct wy_place x, y;
    return wy_tree_find(r->tree, NULL, a, 0, &x) == 0 &&
           wy_tree_find(r->tree, NULL, b, 0, &y) == 0 && x.entry && x.entry == y.entry;
}

/* The best of the python3.Y folders of <prefix>/lib: the one whose bin/python3.Y is the interpreter
 * itself, else the highest. conda has a link python3.1 -> python3.10, so links do not count. */
static bool best_folder(struct wy_reading *r, const char *prefix, const char *libdir,
                        struct version *best) {
    struct wy_dir *dir;
    const char *lib = wy_reading_join(r, prefix, libdir);
    if (wy_tree_find_dir(r->tree, NULL, lib, &dir) != 0)
        return false;
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++) {
        struct version v;
        if (entries[i].type != WY_FT_DIR || !parse_name(entries[i].name, &v))
            continue;
        const char *own = wy_arena_printf(r->arena, "%s/bin/%s", prefix, entries[i].name);
        if (r->env->python_real && same_file(r, own, r->env->python_real)) {
            *best = v;
            return true;
        }
        if (!r->cfg && !has_stdlib(r, wy_reading_join(r, lib, entries[i].name)))
            continue; /* only packages of a version that is gone */
        if (v.major > best->major || (v.major == best->major && v.minor > best->minor))
            *best = v;
    }
    return false;
}

/* For an interpreter file whose name has no version ("python3" as a copy). */
static void version_from_folders(struct wy_reading *r, const char *prefix) {
    struct version best = {0, 0, ""};
    if (!best_folder(r, prefix, "lib", &best))
        best_folder(r, prefix, "lib64", &best);
    set_version(r, best);
}

static void find_version(struct wy_reading *r) {
    const struct wy_env *env = r->env;
    set_version(r, (struct version){0, 0, ""});
    if (env->python_real && version_from_name(r, wy_path_base(env->python_real)))
        return;
    version_from_cfg(r);
    if (env->major)
        return;
    if (r->site) /* <prefix>/lib/python3.11/site-packages */
        version_from_name(r, wy_path_base(wy_path_dir(r->arena, r->site)));
    if (env->major)
        return;
    if (env->python_real) {
        const char *bin = wy_path_dir(r->arena, env->python_real);
        version_from_folders(r, wy_path_dir(r->arena, bin));
    }
    if (!env->major)
        version_from_folders(r, env->prefix);
}

/* getpath.py's search_up: the nearest folder at or above `dir` that holds the standard library. */
static bool search_up(struct wy_reading *r, const char *dir) {
    static const char *const libdirs[] = {"lib", "lib64"};
    for (const char *at = dir; at && at[0] == '/';) {
        for (size_t i = 0; i < 2; i++) {
            const char *stdlib =
                wy_arena_printf(r->arena, "%s/%s/python%u.%u%s", strcmp(at, "/") == 0 ? "" : at,
                                libdirs[i], r->env->major, r->env->minor, /* "d" is not part */
                                r->env->free_threaded ? "t" : "");
            if (has_stdlib(r, stdlib)) {
                r->env->base_prefix = at;
                r->env->stdlib = stdlib;
                r->libdir = libdirs[i];
                return true;
            }
        }
        if (strcmp(at, "/") == 0)
            return false;
        at = wy_path_dir(r->arena, at);
    }
    return false;
}

/* Where the links of a file end, as text: getpath.c's realpath follows the last component only and
 * leaves linked folders above it as they are written. */
static const char *link_end(struct wy_reading *r, const char *path) {
    for (int i = 0; i < LINKS_MAX; i++) {
        struct wy_place place;
        char *target;
        if (wy_tree_find(r->tree, NULL, path, WY_FIND_NOFOLLOW, &place) != 0 || !place.entry ||
            place.entry->type != WY_FT_LINK ||
            wy_place_readlink(r->tree, &place, r->arena, &target) != 0)
            break;
        const char *dir = wy_path_dir(r->arena, path);
        path = wy_path_clean(r->arena, wy_path_join(r->arena, dir, target));
    }
    return path;
}

static void find_base(struct wy_reading *r) {
    struct wy_env *env = r->env;
    r->libdir = "lib";
    env->base_prefix = env->prefix;
    if (env->major == 0)
        return;
    if (r->home && search_up(r, r->home))
        return;
    if (env->python_real && search_up(r, wy_path_dir(r->arena, link_end(r, env->python))))
        return;
    if (env->python_real && search_up(r, wy_path_dir(r->arena, env->python_real)))
        return;
    if (env->kind != WY_ENV_SITE && search_up(r, env->prefix))
        return;
    if (r->home)
        env->base_prefix = wy_path_dir(r->arena, r->home);
}

/* A launcher elsewhere (~/.local/bin/python3.11): its own folder holds no Python, so the prefix is
 * the one sys.prefix would say. */
static void settle_prefix(struct wy_reading *r) {
    struct wy_env *env = r->env;
    if (env->kind != WY_ENV_SYSTEM || !env->stdlib)
        return;
    const char *own =
        wy_arena_printf(r->arena, "%s/%s/%s", env->prefix, r->libdir, wy_path_base(env->stdlib));
    if (!has_stdlib(r, own))
        env->prefix = env->base_prefix;
    if (wy_reading_is(r, wy_reading_join(r, env->prefix, "conda-meta"), WY_FT_DIR))
        env->kind = WY_ENV_CONDA;
}

static void problem(struct wy_reading *r, const char *file, const char *text) {
    if (!r->env->problem.text && text)
        r->env->problem = (struct wy_python_problem){.file = file, .text = text};
}

/* Why `path` is no program, in words that follow its name. */
static const char *what_is_there(struct wy_reading *r, const char *path) {
    struct wy_place place;
    int error = wy_tree_find(r->tree, NULL, path, 0, &place);
    if (error == ENOENT || error == ENOTDIR)
        return "does not exist";
    if (error)
        return wy_arena_printf(r->arena, "cannot be read: %s", strerror(error));
    bool folder = !place.entry || place.entry->type == WY_FT_DIR;
    return folder ? "is a folder, not a program" : "is no regular file";
}

static void check_file(struct wy_reading *r) {
    const struct wy_env *env = r->env;
    const char *file = env->python;
    if (env->python_real || (env->kind == WY_ENV_SITE && !file))
        return;
    if (!file)
        file = wy_reading_join(r, env->prefix, "bin/python");
    const char *what = what_is_there(r, file);
    if (wy_reading_is_link(r, file))
        what = wy_arena_printf(r->arena, "is a link to %s, which %s", link_end(r, file), what);
    problem(r, file, what);
}

/* Other versions whose standard library stands below the base prefix, for the message. */
static const char *other_version(struct wy_reading *r) {
    struct wy_env copy = {.prefix = r->env->base_prefix};
    struct wy_reading look = {.tree = r->tree, .arena = r->arena, .env = &copy, .suffix = ""};
    version_from_folders(&look, copy.prefix);
    return copy.major ? wy_arena_printf(r->arena, " (%u.%u is there)", copy.major, copy.minor) : "";
}

/* A distribution that goes from 3.11 to 3.12 leaves bin/python leading to another version than the
 * one the venv's folders were made for. */
static void check_minor(struct wy_reading *r) {
    const struct wy_env *env = r->env;
    unsigned major, minor;
    const char *end;
    if (!r->cfg || !r->cfg_version || !wy_reading_minor(r->cfg_version, &major, &minor, &end))
        return;
    if (env->python_real && (major != env->major || minor != env->minor))
        problem(r, env->python,
                wy_arena_printf(r->arena, "is Python %u.%u now, the environment was made for %u.%u",
                                env->major, env->minor, major, minor));
}

static void check_base(struct wy_reading *r) {
    const struct wy_env *env = r->env;
    if (r->home && !wy_reading_is(r, r->home, WY_FT_DIR))
        problem(r, r->cfg,
                wy_arena_printf(r->arena, "names the home %s, which does not exist", r->home));
    check_minor(r);
    if (env->python && env->major && !env->stdlib)
        problem(r, env->python,
                wy_arena_printf(r->arena, "finds no standard library of Python %u.%u below %s%s",
                                env->major, env->minor, env->base_prefix, other_version(r)));
}

static bool is_script(struct wy_reading *r, const struct wy_place *place) {
    struct wy_file *f;
    char mark[2] = {0};
    if (wy_place_open(r->tree, place, &f) != 0)
        return false;
    wy_file_read(f, 0, mark, sizeof mark);
    wy_file_close(f);
    return mark[0] == '#' && mark[1] == '!';
}

/* A wrapper script may start any interpreter: which one is not guessed. */
static void resolve(struct wy_reading *r) {
    struct wy_env *env = r->env;
    struct wy_place place;
    if (!env->python || wy_tree_find(r->tree, NULL, env->python, 0, &place) != 0 || !place.entry ||
        place.entry->type != WY_FT_FILE)
        return;
    if (is_script(r, &place))
        env->problem = (struct wy_python_problem){
            env->python, "is a script: which interpreter it starts is not known", true};
    else
        env->python_real = wy_place_path(r->arena, &place);
}

void wy_reading_interpreter(struct wy_reading *r) {
    resolve(r);
    find_version(r);
    find_base(r);
    settle_prefix(r);
    check_file(r);
    check_base(r);
    if (r->env->stdlib)
        r->env->externally_managed =
            !r->cfg &&
            wy_reading_is(r, wy_reading_join(r, r->env->stdlib, "EXTERNALLY-MANAGED"), WY_FT_FILE);
}
