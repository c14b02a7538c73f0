/* .pth files of a site directory (site.py, function addpackage). Lines that Python would execute
 * are not: the harmless ones are known, editable finders of setuptools are read, the rest is
 * reported. */
#include "base/path.h"
#include "pip/reading.h"

#include <fnmatch.h>

enum {
    PTH_MAX = 1 << 20,
    FINDER_MAX = 1 << 20,
    LINES_MAX = 10000 /* path lines of one environment; more are not followed */
};

/* Files whose code changes neither sys.path nor which libraries are opened: import hooks for
 * distutils, virtualenv's start-up, namespace packages of old setuptools, the warning of
 * cuda-bindings about its old module names. */
static bool is_harmless(const char *name) {
    static const char *const patterns[] = {
        "distutils-precedence.pth",      "_virtualenv.pth", "*-nspkg.pth", "matplotlib*.pth",
        "_cuda_bindings_redirector.pth",
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], name, 0) == 0)
            return true;
    return false;
}

/* A plain string literal of Python at the start of `*s` (no escapes); `*s` moves behind it. */
static bool take_literal(struct wy_str *s, struct wy_str *ret) {
    if (s->n < 2 || (s->p[0] != '\'' && s->p[0] != '"'))
        return false;
    const char *close = memchr(s->p + 1, s->p[0], s->n - 1);
    if (!close)
        return false;
    *ret = (struct wy_str){s->p + 1, (size_t)(close - s->p) - 1};
    s->n -= (size_t)(close + 1 - s->p);
    s->p = close + 1;
    return !memchr(ret->p, '\\', ret->n) && !memchr(ret->p, '\n', ret->n) &&
           !memchr(ret->p, '\0', ret->n);
}

static bool take_mark(struct wy_str *s, char c) {
    *s = wy_str_trim(*s);
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = wy_str_trim((struct wy_str){s->p + 1, s->n - 1});
    return true;
}

/* MAPPING: dict[str, str] = {'pkg': '/src/pkg', …} of a finder module of setuptools. */
static bool read_mapping(struct wy_reading *r, const char *pth, struct wy_str text) {
    size_t at = wy_str_find(text, WY_STR("\nMAPPING"));
    if (at == SIZE_MAX)
        return false;
    struct wy_str s = {text.p + at, text.n - at};
    wy_str_cut(s, '=', &s);
    if (!s.p || !take_mark(&s, '{'))
        return false;
    while (!take_mark(&s, '}')) {
        struct wy_str module, path;
        if (!take_literal(&s, &module) || !take_mark(&s, ':') || !take_literal(&s, &path) ||
            path.n == 0 || path.p[0] != '/')
            return false;
        struct wy_editable e = {wy_arena_str(r->arena, module), wy_arena_str(r->arena, path), pth};
        wy_vec_push(&r->editables, e);
        if (!take_mark(&s, ','))
            return take_mark(&s, '}');
    }
    return true;
}

/* "import __editable___NAME_finder; __editable___NAME_finder.install()" */
static bool follow_finder(struct wy_reading *r, const char *site, const char *pth,
                          struct wy_str line) {
    struct wy_str rest = {line.p + 7, line.n - 7};
    struct wy_str module = wy_str_trim(wy_str_cut(wy_str_trim(rest), ';', &rest));
    if (!wy_str_starts(module, "__editable__") || !wy_str_ends(module, "_finder") ||
        memchr(module.p, '/', module.n))
        return false;
    const char *name = wy_arena_printf(r->arena, "%.*s.py", (int)module.n, module.p);
    size_t before = r->editables.n;
    if (read_mapping(r, pth, wy_reading_text(r, wy_reading_join(r, site, name), FINDER_MAX)))
        return true;
    r->editables.n = before;
    return false;
}

static bool is_import(struct wy_str line) {
    return wy_str_starts(line, "import ") || wy_str_starts(line, "import\t");
}

static struct wy_str text_of_pth(struct wy_reading *r, const char *path) {
    struct wy_str text = wy_reading_text(r, path, PTH_MAX);
    bool newer = r->env->major == 3 && r->env->minor >= 13; /* decodes as utf-8-sig */
    if (newer && wy_str_starts(text, "\xef\xbb\xbf"))
        text = (struct wy_str){text.p + 3, text.n - 3};
    return text;
}

static void add_folder(struct wy_reading *r, const char *site, const char *pth, const char *line) {
    const char *path = wy_path_clean(r->arena, wy_path_join(r->arena, site, line));
    if (wy_reading_add(r, path))
        wy_vec_push(&r->editables, ((struct wy_editable){"", path, pth}));
}

/* False when the line has an effect that is not known. */
static bool follow_line(struct wy_reading *r, const char *site, const char *pth,
                        struct wy_str line) {
    struct wy_str text = wy_str_trim(line);
    if (text.n == 0 || line.p[0] == '#')
        return true;
    if (is_import(line))
        return is_harmless(wy_path_base(pth)) || follow_finder(r, site, pth, line);
    if (++r->pth_lines > LINES_MAX)
        return false;
    if (memchr(line.p, '\0', line.n))
        return true;                           /* no file has such a name */
    size_t indent = (size_t)(text.p - line.p); /* only the end is stripped */
    add_folder(r, site, pth, wy_arena_str(r->arena, (struct wy_str){line.p, text.n + indent}));
    return true;
}

static void read_pth(struct wy_reading *r, const char *site, const char *name) {
    const char *path = wy_reading_join(r, site, name);
    bool followed = true;
    for (struct wy_str rest = text_of_pth(r, path); rest.p && r->pth_lines <= LINES_MAX;)
        followed &= follow_line(r, site, path, wy_str_line(rest, &rest));
    if (!followed)
        wy_vec_push(&r->not_followed, path);
}

/* Names that begin with '.' are skipped since 3.8.19, 3.9.19, 3.10.14, 3.11.8, 3.12.2 and in all of
 * 3.13 (python/cpython issue 113659). */
static bool skips_hidden(const struct wy_env *env) {
    static const unsigned first[] = {[8] = 19, [9] = 19, [10] = 14, [11] = 8, [12] = 2};
    uint64_t patch;
    const char *dot = env->version ? strrchr(env->version, '.') : NULL;
    if (env->major < 3 || (env->major == 3 && env->minor < 8))
        return false;
    if (env->major != 3 || env->minor > 12 || !dot || strchr(env->version, '.') == dot ||
        !wy_str_u64(wy_str_of(dot + 1), 1000, &patch))
        return true;
    return patch >= first[env->minor];
}

void wy_reading_pth_files(struct wy_reading *r, const char *site) {
    struct wy_dir *dir;
    if (wy_tree_find_dir(r->tree, NULL, site, &dir) != 0)
        return;
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i].name;
        if (wy_ends(name, ".pth") && (name[0] != '.' || !skips_hidden(r->env)))
            read_pth(r, site, name);
    }
}
