/* Which environment stands at a path: venv, conda prefix, plain prefix, interpreter, site folder.
 */
#include "base/path.h"
#include "pip/reading.h"

#include <errno.h>
#include <strings.h>

enum { CFG_MAX = 64 << 10 };

bool wy_reading_is(struct wy_reading *r, const char *path, enum wy_ftype type) {
    struct wy_place place;
    if (wy_tree_find(r->tree, NULL, path, 0, &place) != 0)
        return false;
    return place.entry ? place.entry->type == type : type == WY_FT_DIR;
}

bool wy_reading_is_link(struct wy_reading *r, const char *path) {
    struct wy_place place;
    return wy_tree_find(r->tree, NULL, path, WY_FIND_NOFOLLOW, &place) == 0 && place.entry &&
           place.entry->type == WY_FT_LINK;
}

const char *wy_reading_join(struct wy_reading *r, const char *dir, const char *name) {
    return wy_path_join(r->arena, dir, name);
}

void wy_reading_hidden(struct wy_reading *r, const char *path, int error) {
    bool absent = !error || error == ENOENT || error == ENOTDIR || error == ELOOP ||
                  error == ENAMETOOLONG || error == EINVAL;
    for (size_t i = 0; i < r->hidden.n && !absent; i++)
        absent = strcmp(r->hidden.v[i].path, path) == 0;
    if (!absent)
        wy_vec_push(&r->hidden, ((struct wy_hidden){path, error}));
}

struct wy_str wy_reading_text(struct wy_reading *r, const char *path, uint64_t max) {
    struct wy_str text = {NULL, 0};
    int error = wy_tree_slurp(r->tree, NULL, path, max, r->arena, &text);
    wy_reading_hidden(r, path, error);
    return error ? (struct wy_str){NULL, 0} : text;
}

/* pyvenv.cfg: "key = value" lines, keys in any letter case; without the key the system's packages
 * are included (site.py, function venv). */
static void read_cfg(struct wy_reading *r) {
    r->system_site = true;
    for (struct wy_str rest = wy_reading_text(r, r->cfg, CFG_MAX); rest.p;) {
        struct wy_str value, line = wy_str_line(rest, &rest);
        struct wy_str key = wy_str_trim(wy_str_cut(line, '=', &value));
        if (!value.p)
            continue;
        char *name = wy_arena_str(r->arena, key);
        char *text = wy_arena_str(r->arena, wy_str_trim(value));
        if (strcasecmp(name, "home") == 0 && !r->home && text[0] == '/')
            r->home = text;
        else if (strcasecmp(name, "version") == 0 || strcasecmp(name, "version_info") == 0)
            r->cfg_version = text;
        else if (strcasecmp(name, "include-system-site-packages") == 0)
            r->system_site = strcasecmp(text, "true") == 0;
        else if (strcasecmp(name, "uv") == 0)
            r->env->uv = text;
    }
}

static bool take_cfg(struct wy_reading *r, const char *prefix) {
    const char *cfg = wy_reading_join(r, prefix, "pyvenv.cfg");
    if (!wy_reading_is(r, cfg, WY_FT_FILE))
        return false;
    r->cfg = cfg;
    r->env->kind = WY_ENV_VENV;
    r->env->prefix = prefix;
    read_cfg(r);
    return true;
}

/* getpath.py looks for pyvenv.cfg above the folder of the executable as it was named, then beside
 * the executable; links are not resolved for this. */
static void locate_by_executable(struct wy_reading *r, const char *python) {
    const char *bin = wy_path_dir(r->arena, python);
    const char *above = wy_path_dir(r->arena, bin);
    r->env->python = python;
    if (take_cfg(r, above) || take_cfg(r, bin))
        return;
    r->env->prefix = above[0] ? above : "/";
    r->env->kind = wy_reading_is(r, wy_reading_join(r, above, "conda-meta"), WY_FT_DIR)
                       ? WY_ENV_CONDA
                       : WY_ENV_SYSTEM;
}

/* `make altinstall` leaves bin/python3.12 alone: the highest of such names. */
static const char *find_versioned(struct wy_reading *r, const char *prefix) {
    struct wy_dir *bin;
    const char *best = NULL;
    unsigned best_minor = 0;
    if (wy_tree_find_dir(r->tree, NULL, wy_reading_join(r, prefix, "bin"), &bin) != 0)
        return NULL;
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(bin, &n);
    for (size_t i = 0; i < n; i++) {
        unsigned major, minor;
        const char *end, *name = entries[i].name;
        if (wy_starts(name, "python3.") && wy_reading_minor(name + 6, &major, &minor, &end) &&
            (!end[0] || strcmp(end, "t") == 0) && (!best || minor > best_minor)) {
            best = name;
            best_minor = minor;
        }
    }
    return best ? wy_arena_printf(r->arena, "%s/bin/%s", prefix, best) : NULL;
}

/* The first name in <prefix>/bin that leads to a file; else the first that is a dangling link. */
static const char *find_python(struct wy_reading *r, const char *prefix, const char *const *names) {
    const char *dangling = NULL;
    for (size_t i = 0; names[i]; i++) {
        const char *path = wy_reading_join(r, prefix, names[i]);
        if (wy_reading_is(r, path, WY_FT_FILE))
            return path;
        if (!dangling && wy_reading_is_link(r, path))
            dangling = path;
    }
    return dangling ? dangling : find_versioned(r, prefix);
}

static const char *const venv_names[] = {"bin/python", "bin/python3", NULL};
static const char *const system_names[] = {"bin/python3", "bin/python", NULL};

static bool ends_as_metadata(const char *name) {
    return wy_ends(name, ".dist-info") || wy_ends(name, ".egg-info");
}

static bool is_site_dir(struct wy_reading *r, const char *path) {
    const char *base = wy_path_base(path);
    if (strcmp(base, "site-packages") == 0 || strcmp(base, "dist-packages") == 0)
        return true;
    struct wy_dir *dir;
    if (wy_tree_find_dir(r->tree, NULL, path, &dir) != 0)
        return false;
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++)
        if (ends_as_metadata(entries[i].name))
            return true;
    return false;
}

static void locate_site(struct wy_reading *r, const char *path) {
    static const char *const names[] = {"../../../bin/python", "../../../bin/python3", NULL};
    const char *python = find_python(r, path, names);
    if (!python)
        python = r->options->python;
    if (python)
        locate_by_executable(r, wy_path_clean(r->arena, python));
    r->env->kind = WY_ENV_SITE;
    r->env->prefix = path;
    r->site = path;
}

static bool locate_folder(struct wy_reading *r, const char *path) {
    if (take_cfg(r, path)) {
        r->env->python = find_python(r, path, venv_names);
        return true;
    }
    bool conda = wy_reading_is(r, wy_reading_join(r, path, "conda-meta"), WY_FT_DIR);
    const char *python = find_python(r, path, conda ? venv_names : system_names);
    if (conda || python) {
        r->env->kind = conda ? WY_ENV_CONDA : WY_ENV_SYSTEM;
        r->env->prefix = path;
        r->env->python = python;
        return true;
    }
    if (is_site_dir(r, path)) {
        locate_site(r, path);
        return true;
    }
    return false;
}

/* An interpreter is known by its name, or by the name of the file its link leads to. */
static bool is_python_name(struct wy_reading *r, const char *path) {
    struct wy_place place;
    if (wy_starts(wy_path_base(path), "python") || wy_starts(wy_path_base(path), "pypy"))
        return true;
    return wy_tree_find(r->tree, NULL, path, 0, &place) == 0 && place.entry &&
           wy_starts(place.entry->name, "python");
}

struct wy_error *wy_reading_locate(struct wy_reading *r) {
    const char *path = wy_path_clean(r->arena, r->options->path);
    struct wy_place place;
    int e = wy_tree_find(r->tree, NULL, path, 0, &place);
    if (e == ENOENT && wy_reading_is_link(r, path) && is_python_name(r, path)) {
        locate_by_executable(r, path);
        if (r->cfg)
            return NULL; /* a venv whose base is gone can still be described */
        return wy_errorf("%s: the interpreter is a link that leads to nothing", path);
    }
    if (e)
        return wy_errorf("%s: no such environment: %s", path, strerror(e));
    if (!place.entry || place.entry->type == WY_FT_DIR) {
        if (locate_folder(r, path))
            return NULL;
        struct wy_dir *dir = wy_place_dir(r->tree, &place);
        int closed = dir ? wy_dir_error(dir) : 0;
        if (closed)
            return wy_errorf("%s: cannot be read: %s; expected a Python environment", path,
                             strerror(closed));
        return wy_errorf("%s: not a Python environment: it has no pyvenv.cfg, conda-meta, "
                         "bin/python or *.dist-info",
                         path);
    }
    if (place.entry->type != WY_FT_FILE || !is_python_name(r, path))
        return wy_errorf("%s: neither a folder nor a Python interpreter", path);
    locate_by_executable(r, path);
    return NULL;
}
