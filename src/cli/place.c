/* Which environment, in which root, seen from which folder (CONTRACT section 1). */
#include "base/path.h"
#include "cli/cli.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The caller's folder, "/" inside another root. "" when it cannot be told (it was deleted). */
static const char *here(struct wy_call *c) {
    if (c->root)
        return "/";
    char *cwd = getcwd(NULL, 0);
    const char *kept = cwd && cwd[0] == '/' ? wy_arena_cstr(&c->arena, cwd) : "";
    free(cwd);
    return kept;
}

/* Absolute by `dir`, without "." and empty parts. ".." is removed only at the beginning of a
 * relative path: getcwd(3) resolves links, so there it is exact; after a name that may be a link it
 * is not. */
static const char *absolute(struct wy_arena *a, const char *dir, const char *path) {
    const char *base = path[0] == '/' ? "/" : dir;
    struct wy_str rest = wy_str_of(path);
    wy_auto_buf b = {0};
    wy_buf_str(&b, strcmp(base, "/") == 0 ? "" : base);
    bool leading = true;
    while (rest.p) {
        struct wy_str part = wy_str_cut(rest, '/', &rest);
        if (part.n == 0 || wy_str_is(part, "."))
            continue;
        leading = leading && wy_str_is(part, "..");
        if (leading) {
            const char *up = wy_path_dir(a, b.n ? b.p : "/");
            wy_buf_deinit(&b);
            wy_buf_str(&b, strcmp(up, "/") == 0 ? "" : up);
            continue;
        }
        wy_buf_char(&b, '/');
        wy_buf_add(&b, part.p, part.n);
    }
    return b.n ? wy_arena_cstr(a, b.p) : "/";
}

const char *wy_call_here(struct wy_call *c, const char *path) {
    char *cwd = getcwd(NULL, 0);
    const char *absolute_path = absolute(&c->arena, cwd ? cwd : "/", path);
    free(cwd);
    return absolute_path;
}

const char *wy_call_path(struct wy_call *c, const char *path) {
    return absolute(&c->arena, here(c), path);
}

/* Where a path of the root lies on this machine. */
static const char *outside(struct wy_call *c, const char *root, const char *path) {
    return root ? wy_path_join(&c->arena, root, path + strspn(path, "/")) : path;
}

/* A variable that is set but names no environment is an error, not skipped. Empty counts as unset,
 * as it does for the tools that set them. */
static struct wy_error *by_variable(struct wy_call *c, struct whyso_options *o, const char *name) {
    const char *value = getenv(name);
    if (!value || !*value)
        return NULL;
    const char *path = wy_call_path(c, value);
    if (!whyso_is_environment(o->root, path))
        return wy_errorf("%s is set to %s, which is no Python environment; unset it or name one "
                         "with --env",
                         name, value);
    o->env = path;
    o->chosen_by = name;
    return NULL;
}

/* conda's base prefix is not an environment one works in. It says so in a variable, and only it
 * has condabin. */
static bool conda_is_base(struct wy_call *c) {
    const char *name = getenv("CONDA_DEFAULT_ENV"), *prefix = getenv("CONDA_PREFIX");
    if (name && (strcmp(name, "base") == 0 || strcmp(name, "root") == 0))
        return true;
    return prefix && *prefix &&
           access(wy_path_join(&c->arena, wy_call_path(c, prefix), "condabin"), F_OK) == 0;
}

static bool by_dot_venv(struct wy_call *c, struct whyso_options *o) {
    const char *dir = here(c);
    while (*dir) {
        const char *path = wy_path_join(&c->arena, dir, ".venv");
        if (whyso_is_environment(o->root, path)) {
            o->env = path;
            o->chosen_by = ".venv";
            return true;
        }
        if (strcmp(dir, "/") == 0)
            break;
        dir = wy_path_dir(&c->arena, dir);
    }
    return false;
}

/* A script with #! in the place of an interpreter. */
static bool is_script(const char *path) {
    char two[2] = {0};
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(two, 1, 2, f) : 0;
    if (f)
        fclose(f);
    return n == 2 && two[0] == '#' && two[1] == '!';
}

static bool is_program(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* `name` in one folder of PATH: itself, or what a shim stands for. */
static const char *in_folder(struct wy_call *c, struct whyso_options *o, const char *dir,
                             const char *name) {
    const char *path = wy_path_join(&c->arena, dir, name);
    const char *real = outside(c, o->root, path);
    if (!is_program(real))
        return NULL;
    if (is_script(real)) {
        path = c->root ? NULL : wy_pyenv_resolve(&c->arena, path, here(c));
        if (!path || !is_program(path) || is_script(path))
            return NULL;
    }
    return whyso_is_environment(o->root, path) ? path : NULL;
}

static bool by_path(struct wy_call *c, struct whyso_options *o) {
    static const char *const names[] = {"python3", "python"};
    const char *list = c->root ? NULL : getenv("PATH");
    if (!list)
        list = "/usr/local/bin:/usr/bin:/bin";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct wy_str rest = wy_str_of(list);
        while (rest.p) {
            struct wy_str part = wy_str_cut(rest, ':', &rest);
            const char *dir = wy_call_path(c, wy_arena_str(&c->arena, part));
            o->env = in_folder(c, o, dir, names[i]);
            o->chosen_by = "PATH";
            if (o->env)
                return true;
        }
    }
    return false;
}

static struct wy_error *choose(struct wy_call *c, struct whyso_options *o) {
    if (c->env) {
        if (!*c->env)
            return wy_errorf("--env names no path");
        o->env = wy_call_path(c, c->env);
        o->chosen_by = "--env";
        return NULL;
    }
    bool variables = !c->root; /* they speak of this machine */
    if (variables)
        WY_TRY(by_variable(c, o, "VIRTUAL_ENV"));
    if (!o->env && variables && !conda_is_base(c))
        WY_TRY(by_variable(c, o, "CONDA_PREFIX"));
    if (o->env || by_dot_venv(c, o))
        return NULL;
    if (variables)
        WY_TRY(by_variable(c, o, "CONDA_PREFIX"));
    if (o->env || by_path(c, o))
        return NULL;
    return wy_errorf("no Python environment found: neither $VIRTUAL_ENV nor $CONDA_PREFIX is set, "
                     "there is no .venv here or above and no python3 on PATH; name one with --env");
}

static struct wy_error *set_root(struct wy_call *c, struct whyso_options *o) {
    if (!c->root)
        return NULL;
    if (!*c->root)
        return wy_errorf("--root names no path");
    o->root = wy_call_here(c, c->root);
    struct stat st;
    if (stat(o->root, &st) != 0 || !S_ISDIR(st.st_mode))
        return wy_errorf("--root %s: no such folder", c->root);
    if (strcmp(o->root, "/") == 0) /* the same machine after all */
        c->root = o->root = NULL;
    return NULL;
}

static struct wy_error *set_cwd(struct wy_call *c, struct whyso_options *o) {
    if (c->cwd && !*c->cwd)
        return wy_errorf("--cwd names no path");
    o->cwd = c->cwd ? wy_call_path(c, c->cwd) : here(c);
    if (!*o->cwd)
        return wy_errorf("the working directory cannot be read; name one with --cwd");
    struct stat st;
    if (c->cwd && !c->root && (stat(o->cwd, &st) != 0 || !S_ISDIR(st.st_mode)))
        return wy_errorf("--cwd %s: no such folder", c->cwd);
    return NULL;
}

struct wy_error *wy_call_options(struct wy_call *c, bool needs_env, struct whyso_options *ret) {
    *ret = (struct whyso_options){
        .isolated = c->isolated,
        .cpu = c->cpu,
        .driver = c->driver,
        .only = c->only,
        .hash = c->hash,
        .threads = c->threads,
    };
    WY_TRY(set_root(c, ret));
    WY_TRY(set_cwd(c, ret));
    WY_TRY(wy_call_variables(c, ret));
    ret->uid = c->root ? 0 : geteuid();
    ret->python = c->python ? wy_call_path(c, c->python) : NULL;
    if (needs_env)
        WY_TRY(choose(c, ret));
    WY_TRY(wy_call_config(c, ret));
    wy_progress_start(&c->progress, c->verbosity >= 0);
    ret->progress = wy_progress_tell;
    ret->progress_ctx = &c->progress;
    return NULL;
}

static bool exists(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0;
}

/* The first folder of a relative path, below `dir`. */
static bool begins_in(struct wy_call *c, const char *dir, const char *path) {
    struct wy_str rest;
    const char *first = wy_arena_str(&c->arena, wy_str_cut(wy_str_of(path), '/', &rest));
    return exists(wy_path_join(&c->arena, dir, first));
}

const char *wy_call_file(struct wy_call *c, const struct whyso_options *o, const char *arg) {
    const char *path = wy_call_path(c, arg);
    if (arg[0] == '/' || !o->env || exists(outside(c, o->root, path)))
        return path;
    /* The file may be gone from either place, then its first folder decides. */
    const char *env = outside(c, o->root, o->env);
    if (exists(wy_path_join(&c->arena, env, arg)) ||
        (begins_in(c, env, arg) && !begins_in(c, outside(c, o->root, here(c)), arg)))
        return absolute(&c->arena, o->env, arg);
    return path;
}

const char *wy_call_subject(struct wy_call *c, const struct whyso_options *o, const char *arg) {
    static const char *const forms[] = {"module:", "pkg:", "lib:"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (wy_starts(arg, forms[i]))
            return arg;
    if (wy_starts(arg, "file:"))
        return wy_arena_printf(&c->arena, "file:%s", wy_call_file(c, o, arg + strlen("file:")));
    return strchr(arg, '/') ? wy_call_file(c, o, arg) : arg;
}

const char **wy_call_subjects(struct wy_call *c, const struct whyso_options *o) {
    const char **subjects = wy_arena_alloc(&c->arena, (c->args.n + 1) * sizeof *subjects);
    for (size_t i = 0; i < c->args.n; i++)
        subjects[i] = wy_call_subject(c, o, c->args.v[i]);
    return subjects;
}
