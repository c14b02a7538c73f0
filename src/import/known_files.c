/* Paths and files: os.path, pathlib, glob, os.listdir; answered from the tree. */
#include "import/known.h"

#include <stdio.h>

/* ---- text ---- */

static struct wy_value path_join(struct wy_exec *x, const struct wy_args *a) {
    char *path = NULL;
    if (a->open || a->n == 0)
        return WY_UNKNOWN;
    for (uint32_t i = 0; i < a->n; i++) {
        const char *part = wy_text_argument(x, a, i, NULL);
        if (!part)
            return WY_UNKNOWN;
        path = path ? wy_path_join(&x->im->arena, path, part) : wy_arena_cstr(&x->im->arena, part);
    }
    return wy_value_cstr(path);
}

static struct wy_value one(struct wy_exec *x, const struct wy_args *a,
                           char *(*make)(struct wy_exec *, const char *)) {
    const char *path = wy_text_argument(x, a, 0, NULL);
    return path ? wy_value_cstr(make(x, path)) : WY_UNKNOWN;
}

static char *dir_of(struct wy_exec *x, const char *path) {
    return wy_path_dir(&x->im->arena, path);
}
static char *base_of(struct wy_exec *x, const char *path) {
    return wy_arena_cstr(&x->im->arena, wy_path_base(path));
}
static char *clean(struct wy_exec *x, const char *path) {
    return wy_path_clean(&x->im->arena, path);
}
static char *absolute(struct wy_exec *x, const char *path) {
    const char *cwd = x->im->world->host->options.cwd;
    return clean(x, path[0] == '/' || !cwd ? path : wy_path_join(&x->im->arena, cwd, path));
}
static char *real(struct wy_exec *x, const char *path) {
    struct wy_place p;
    char *whole = absolute(x, path);
    return wy_tree_find(x->im->world->tree, NULL, whole, 0, &p) == 0
               ? wy_place_path(&x->im->arena, &p)
               : whole;
}

static struct wy_value path_dirname(struct wy_exec *x, const struct wy_args *a) {
    return one(x, a, dir_of);
}
static struct wy_value path_basename(struct wy_exec *x, const struct wy_args *a) {
    return one(x, a, base_of);
}
static struct wy_value path_normpath(struct wy_exec *x, const struct wy_args *a) {
    return one(x, a, clean);
}
static struct wy_value path_abspath(struct wy_exec *x, const struct wy_args *a) {
    return one(x, a, absolute);
}
static struct wy_value path_realpath(struct wy_exec *x, const struct wy_args *a) {
    return one(x, a, real);
}
/* `~` is HOME; other people's folders are not looked up. */
static struct wy_value path_expanduser(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, "path");
    if (!path || path[0] != '~')
        return path ? wy_value_cstr(path) : WY_UNKNOWN;
    struct wy_value home = wy_environ(x, WY_STR("HOME"));
    if (home.kind != WY_V_STR || (path[1] && path[1] != '/'))
        return WY_UNKNOWN;
    return wy_value_cstr(
        wy_arena_printf(&x->im->arena, "%.*s%s", (int)home.n, home.text, path + 1));
}
static struct wy_value path_expandvars(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, "path");
    return path && !strchr(path, '$') ? wy_value_cstr(path) : WY_UNKNOWN;
}
static struct wy_value path_fspath(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, NULL);
    return path ? wy_value_cstr(path) : WY_UNKNOWN;
}

static struct wy_value pair(struct wy_exec *x, struct wy_str a, struct wy_str b) {
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 2);
    wy_list_add(x, v.list, wy_value_text(a));
    wy_list_add(x, v.list, wy_value_text(b));
    return v;
}

/* Offset of the suffix of a file name: its last dot, if something else than dots is before it. */
static size_t suffix_at(const char *path) {
    const char *base = wy_path_base(path), *dot = strrchr(base, '.');
    size_t leading = strspn(base, ".");
    return dot && (size_t)(dot - base) >= leading && dot != base ? (size_t)(dot - path)
                                                                 : strlen(path);
}

static struct wy_value path_splitext(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, NULL);
    if (!path)
        return WY_UNKNOWN;
    size_t at = suffix_at(path);
    return pair(x, (struct wy_str){path, at}, wy_str_of(path + at));
}

static struct wy_value path_split(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, NULL);
    return path ? pair(x, wy_str_of(dir_of(x, path)), wy_str_of(wy_path_base(path))) : WY_UNKNOWN;
}

static struct wy_value path_isabs(struct wy_exec *x, const struct wy_args *a) {
    const char *path = wy_text_argument(x, a, 0, NULL);
    return path ? wy_value_bool(path[0] == '/') : WY_UNKNOWN;
}

/* ---- the tree ---- */

enum what { ANYTHING, A_FILE, A_FOLDER };

/* /proc, /sys and /dev are not of the tree: what they hold is not known. */
static bool outside(const char *path) {
    return wy_path_below(path, "/proc") || wy_path_below(path, "/sys") ||
           wy_path_below(path, "/dev");
}

static struct wy_value is_there(struct wy_exec *x, const char *path, enum what what) {
    struct wy_place p;
    if (!path || outside(path))
        return WY_UNKNOWN;
    if (wy_tree_find(x->im->world->tree, NULL, absolute(x, path), 0, &p) != 0)
        return wy_value_bool(false);
    bool folder = !p.entry || p.entry->type == WY_FT_DIR;
    return wy_value_bool(what == ANYTHING || folder == (what == A_FOLDER));
}

static struct wy_value path_exists(struct wy_exec *x, const struct wy_args *a) {
    return is_there(x, wy_text_argument(x, a, 0, NULL), ANYTHING);
}
static struct wy_value path_isfile(struct wy_exec *x, const struct wy_args *a) {
    return is_there(x, wy_text_argument(x, a, 0, NULL), A_FILE);
}
static struct wy_value path_isdir(struct wy_exec *x, const struct wy_args *a) {
    return is_there(x, wy_text_argument(x, a, 0, NULL), A_FOLDER);
}

static const struct wy_entry *entries(struct wy_exec *x, const char *path, size_t *n) {
    struct wy_dir *d;
    *n = 0;
    if (wy_tree_find_dir(x->im->world->tree, NULL, absolute(x, path), &d) != 0)
        return NULL;
    x->work += 64;
    return wy_dir_entries(d, n);
}

/* Python gives them in no order; here it is that of their names. */
static struct wy_value os_listdir(struct wy_exec *x, const struct wy_args *a) {
    const char *path = a->n ? wy_text_argument(x, a, 0, NULL) : ".";
    size_t n;
    if (!path || outside(path))
        return WY_UNKNOWN;
    const struct wy_entry *e = entries(x, path, &n);
    struct wy_value v = wy_make_list(x, WY_V_LIST, (uint32_t)n);
    for (size_t i = 0; e && i < n; i++)
        wy_list_add(x, v.list, wy_value_cstr(e[i].name));
    x->work += n;
    return v;
}

/* fnmatch: *, ?, [set], [!set]. */
static bool matches(const char *pattern, const char *name) {
    for (; *pattern; pattern++) {
        if (*pattern == '*') {
            while (*pattern == '*')
                pattern++;
            if (!*pattern)
                return true;
            for (; *name; name++)
                if (matches(pattern, name))
                    return true;
            return false;
        }
        const char *end = *pattern == '[' && pattern[1] ? strchr(pattern + 2, ']') : NULL;
        if (!*name)
            return false;
        if (end) {
            bool negated = pattern[1] == '!', in = false;
            for (const char *p = pattern + 1 + negated; p < end; p++) {
                bool range = p + 2 < end && p[1] == '-';
                in = in || (range ? *name >= p[0] && *name <= p[2] : *name == *p);
                p += range ? 2 : 0;
            }
            if (in == negated)
                return false;
            pattern = end;
        } else if (*pattern != '?' && *pattern != *name) {
            return false;
        }
        name++;
    }
    return !*name;
}

static bool has_magic(const char *s) {
    return strpbrk(s, "*?[") != NULL;
}

/* Adds all paths below `dir` that fit; the pattern's parts are taken one by one. */
static void glob_in(struct wy_exec *x, const char *dir, const char *pattern, struct wy_list *ret,
                    unsigned depth) {
    enum { DEEPEST = 32, MOST = 4096 };
    size_t length = strcspn(pattern, "/"), n;
    char part[256];
    if (length >= sizeof part || depth > DEEPEST || ret->n > MOST || x->stop) {
        ret->open = true;
        return;
    }
    memcpy(part, pattern, length);
    part[length] = '\0';
    bool last = pattern[length] == '\0';
    const char *next = last ? "" : pattern + length + 1;
    if (!has_magic(part)) {
        char *path = wy_path_join(&x->im->arena, dir, part);
        if (!last)
            glob_in(x, path, next, ret, depth + 1);
        else if (is_there(x, path, ANYTHING).number == 1)
            wy_list_add(x, ret, wy_value_cstr(path));
        return;
    }
    bool any = strcmp(part, "**") == 0; /* this folder, and all below it */
    const struct wy_entry *e = entries(x, dir, &n);
    x->work += n;
    if (any && (last || !wy_exec_step(x))) {
        ret->open = true;
        return;
    }
    if (any && e)
        glob_in(x, dir, next, ret, depth + 1);
    for (size_t i = 0; e && i < n; i++) {
        if ((e[i].name[0] == '.' && part[0] != '.') || !matches(part, e[i].name) ||
            (any && e[i].type == WY_FT_FILE))
            continue;
        char *path = wy_path_join(&x->im->arena, dir, e[i].name);
        if (any)
            glob_in(x, path, pattern, ret, depth + 1);
        else if (last)
            wy_list_add(x, ret, wy_value_cstr(path));
        else
            glob_in(x, path, next, ret, depth + 1);
    }
}

static struct wy_value glob_from(struct wy_exec *x, const char *dir, const char *pattern) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0);
    glob_in(x, dir, pattern, v.list, 0);
    return v;
}

static struct wy_value glob_glob(struct wy_exec *x, const struct wy_args *a) {
    const char *pattern = wy_text_argument(x, a, 0, "pathname");
    struct wy_value below = wy_given(x, a, UINT32_MAX, "recursive");
    bool recursive = wy_truth(below) == WY_YES;
    if (!pattern || a->nnamed > (below.kind != WY_V_UNBOUND) || outside(pattern) ||
        (!recursive && strstr(pattern, "**")))
        return WY_UNKNOWN;
    if (pattern[0] == '/')
        return glob_from(x, "/", pattern + 1);
    const char *cwd = x->im->world->host->options.cwd;
    return cwd ? glob_from(x, cwd, pattern) : WY_UNKNOWN;
}

static struct wy_value fnmatch_fnmatch(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, NULL), *pattern = wy_text_argument(x, a, 1, NULL);
    return name && pattern ? wy_value_bool(matches(pattern, name)) : WY_UNKNOWN;
}

/* ---- pathlib ---- */

static char *self_path(struct wy_exec *x, const struct wy_args *a) {
    return wy_arena_str(&x->im->arena, wy_value_str(a->self));
}

static struct wy_value path_new(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = a->n ? path_join(x, a) : wy_value_cstr(".");
    return v.kind == WY_V_STR ? wy_path_value(wy_path_clean(
                                    &x->im->arena, wy_arena_str(&x->im->arena, wy_value_str(v))))
                              : WY_UNKNOWN;
}
static struct wy_value p_joinpath(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = a->self;
    for (uint32_t i = 0; i < a->n; i++)
        v = wy_binary(x, WY_OP_DIV, v, a->v[i]);
    return v;
}
static struct wy_value p_resolve(struct wy_exec *x, const struct wy_args *a) {
    return wy_path_value(real(x, self_path(x, a)));
}
static struct wy_value p_absolute(struct wy_exec *x, const struct wy_args *a) {
    return wy_path_value(absolute(x, self_path(x, a)));
}
static struct wy_value p_exists(struct wy_exec *x, const struct wy_args *a) {
    return is_there(x, self_path(x, a), ANYTHING);
}
static struct wy_value p_is_file(struct wy_exec *x, const struct wy_args *a) {
    return is_there(x, self_path(x, a), A_FILE);
}
static struct wy_value p_is_dir(struct wy_exec *x, const struct wy_args *a) {
    return is_there(x, self_path(x, a), A_FOLDER);
}
static struct wy_value p_is_absolute(struct wy_exec *x, const struct wy_args *a) {
    return wy_value_bool(self_path(x, a)[0] == '/');
}
static struct wy_value p_enter(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return a->self;
}
static struct wy_value p_as_posix(struct wy_exec *x, const struct wy_args *a) {
    return wy_value_cstr(self_path(x, a));
}

static struct wy_value p_glob(struct wy_exec *x, const struct wy_args *a) {
    const char *pattern = wy_text_argument(x, a, 0, "pattern");
    struct wy_value v = pattern ? glob_from(x, absolute(x, self_path(x, a)), pattern) : WY_UNKNOWN;
    for (uint32_t i = 0; v.kind == WY_V_LIST && i < v.list->n; i++)
        v.list->v[i].kind = WY_V_PATH;
    return v;
}
static struct wy_value p_iterdir(struct wy_exec *x, const struct wy_args *a) {
    char *path = self_path(x, a);
    struct wy_value text = wy_value_cstr(path);
    struct wy_value v = os_listdir(x, &(struct wy_args){.v = &text, .n = 1});
    for (uint32_t i = 0; v.kind == WY_V_LIST && i < v.list->n; i++)
        v.list->v[i] = wy_path_value(wy_path_join(
            &x->im->arena, path, wy_arena_str(&x->im->arena, wy_value_str(v.list->v[i]))));
    return v;
}

static struct wy_value p_with_name(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "name");
    return name ? wy_path_value(wy_path_join(&x->im->arena, dir_of(x, self_path(x, a)), name))
                : WY_UNKNOWN;
}
static struct wy_value p_with_suffix(struct wy_exec *x, const struct wy_args *a) {
    const char *suffix = wy_text_argument(x, a, 0, "suffix");
    char *path = self_path(x, a);
    if (!suffix)
        return WY_UNKNOWN;
    path[suffix_at(path)] = '\0';
    return wy_path_value(wy_arena_printf(&x->im->arena, "%s%s", path, suffix));
}

static struct wy_value p_parent(struct wy_exec *x, const struct wy_args *a) {
    char *dir = dir_of(x, self_path(x, a));
    return wy_path_value(*dir ? dir : wy_arena_cstr(&x->im->arena, "."));
}
static struct wy_value p_parents(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 0);
    char *path = self_path(x, a);
    for (char *dir = dir_of(x, path); *dir && strcmp(dir, path) != 0; dir = dir_of(x, path)) {
        wy_list_add(x, v.list, wy_path_value(dir));
        path = dir;
    }
    return v;
}
static struct wy_value p_name(struct wy_exec *x, const struct wy_args *a) {
    return wy_value_cstr(base_of(x, self_path(x, a)));
}
static struct wy_value p_parts(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 0);
    const char *path = self_path(x, a);
    struct wy_str part, rest = wy_str_of(path);
    if (path[0] == '/')
        wy_list_add(x, v.list, wy_value_cstr("/"));
    while (rest.p) {
        part = wy_str_cut(rest, '/', &rest);
        if (part.n && !wy_str_is(part, "."))
            wy_list_add(x, v.list, wy_value_cstr(wy_arena_str(&x->im->arena, part)));
    }
    return v;
}
static struct wy_value p_suffix(struct wy_exec *x, const struct wy_args *a) {
    char *path = self_path(x, a);
    return wy_value_cstr(path + suffix_at(path));
}
static struct wy_value p_suffixes(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0);
    char *path = self_path(x, a);
    const char *name = base_of(x, path);
    const char *dot = strchr(name + strspn(name, "."), '.');
    struct wy_str part, rest = dot ? wy_str_of(dot + 1) : (struct wy_str){0};
    for (; rest.p;
         wy_list_add(x, v.list,
                     wy_value_cstr(wy_arena_printf(&x->im->arena, ".%.*s", (int)part.n, part.p))))
        part = wy_str_cut(rest, '.', &rest);
    return v;
}
static struct wy_value p_stem(struct wy_exec *x, const struct wy_args *a) {
    char *path = self_path(x, a);
    path[suffix_at(path)] = '\0';
    return wy_value_cstr(base_of(x, path));
}

static const struct wy_known rows[] = {
    {.name = "os.path"},
    {.name = "os.path.join", .call = path_join},
    {.name = "os.path.dirname", .call = path_dirname},
    {.name = "os.path.basename", .call = path_basename},
    {.name = "os.path.normpath", .call = path_normpath},
    {.name = "os.path.abspath", .call = path_abspath},
    {.name = "os.path.realpath", .call = path_realpath},
    {.name = "os.path.splitext", .call = path_splitext},
    {.name = "os.path.split", .call = path_split},
    {.name = "os.path.isabs", .call = path_isabs},
    {.name = "os.path.exists", .call = path_exists},
    {.name = "os.path.lexists", .call = path_exists},
    {.name = "os.path.isfile", .call = path_isfile},
    {.name = "os.path.isdir", .call = path_isdir},
    {.name = "os.path.sep", .text = "/"},
    {.name = "os.path.expanduser", .call = path_expanduser},
    {.name = "os.path.expandvars", .call = path_expandvars},
    {.name = "os.path.relpath"},
    {.name = "os.sep", .text = "/"},
    {.name = "os.pathsep", .text = ":"},
    {.name = "os.fspath", .call = path_fspath},
    {.name = "os.listdir", .call = os_listdir},
    {.name = "glob.glob", .call = glob_glob},
    {.name = "glob.iglob", .call = glob_glob},
    {.name = "fnmatch.fnmatch", .call = fnmatch_fnmatch},
    {.name = "fnmatch.fnmatchcase", .call = fnmatch_fnmatch},
    {.name = "pathlib.Path", .call = path_new},
    {.name = "pathlib.PurePath", .call = path_new},
    {.name = "pathlib.PosixPath", .call = path_new},
    {.name = "<path>.joinpath", .call = p_joinpath},
    {.name = "<path>.resolve", .call = p_resolve},
    {.name = "<path>.locate", .call = p_absolute}, /* importlib.metadata.PackagePath */
    {.name = "<path>.absolute", .call = p_absolute},
    {.name = "<path>.exists", .call = p_exists},
    {.name = "<path>.is_file", .call = p_is_file},
    {.name = "<path>.is_dir", .call = p_is_dir},
    {.name = "<path>.is_absolute", .call = p_is_absolute},
    {.name = "<path>.__enter__", .call = p_enter}, /* importlib.resources.as_file() */
    {.name = "<path>.as_posix", .call = p_as_posix},
    {.name = "<path>.__fspath__", .call = p_as_posix},
    {.name = "<path>.glob", .call = p_glob},
    {.name = "<path>.iterdir", .call = p_iterdir},
    {.name = "<path>.with_name", .call = p_with_name},
    {.name = "<path>.with_suffix", .call = p_with_suffix},
    {.name = "<path!>.parent", .call = p_parent},
    {.name = "<path!>.parents", .call = p_parents},
    {.name = "<path!>.parts", .call = p_parts},
    {.name = "<path!>.name", .call = p_name},
    {.name = "<path!>.suffix", .call = p_suffix},
    {.name = "<path!>.suffixes", .call = p_suffixes},
    {.name = "<path!>.stem", .call = p_stem},
};
WY_KNOWN_TABLE(wy_known_files, rows);
