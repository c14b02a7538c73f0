/* Which project file counts, and what it says: --config, else the nearest whyso.toml or
 * pyproject.toml with [tool.whyso], from the caller's folder upward. What is examined never
 * configures its own examination: files below --root or the environment are passed over. */
#include "base/path.h"
#include "cli/cli.h"
#include "conf/conf.h"

#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The folder of an environment that is named by its python. */
static const char *prefix_of(struct wy_call *c, const char *env) {
    const char *bin = wy_path_dir(&c->arena, env), *prefix = wy_path_dir(&c->arena, bin);
    bool named = strcmp(wy_path_base(bin), "bin") == 0 &&
                 is_file(wy_path_join(&c->arena, prefix, "pyvenv.cfg"));
    return named ? prefix : env;
}

static bool examined(struct wy_call *c, const struct whyso_options *o, const char *folder) {
    if (o->root)
        return wy_path_below(folder, o->root) != NULL;
    return o->env && wy_path_below(folder, prefix_of(c, o->env)) != NULL;
}

static struct wy_error *read_conf(struct wy_call *c, const char *what, const char *path,
                                  struct wy_conf *ret) {
    wy_auto_buf text = {0};
    WY_TRY(wy_read_named(what, path, &text));
    return wy_conf_read(&c->arena, path, (struct wy_str){text.p, text.n}, ret);
}

static struct wy_error *find_conf(struct wy_call *c, const struct whyso_options *o,
                                  struct wy_conf *ret) {
    static const char *const names[] = {"whyso.toml", "pyproject.toml"};
    char *cwd = getcwd(NULL, 0);
    const char *dir = cwd && cwd[0] == '/' ? wy_arena_cstr(&c->arena, cwd) : "";
    free(cwd);
    while (*dir) {
        for (size_t i = 0; i < 2 && !examined(c, o, dir); i++) {
            const char *path = wy_path_join(&c->arena, dir, names[i]);
            if (!is_file(path))
                continue;
            WY_TRY(read_conf(c, "configuration", path, ret));
            if (ret->found)
                return NULL;
        }
        dir = strcmp(dir, "/") == 0 ? "" : wy_path_dir(&c->arena, dir);
    }
    *ret = (struct wy_conf){0};
    return NULL;
}

/* The command line has the last word; its ignores come on top. */
static struct wy_error *apply(struct wy_call *c, const struct wy_conf *conf) {
    for (size_t i = 0; i < conf->nignores; i++)
        wy_vec_push(&c->ignores, conf->ignores[i]);
    if (conf->baseline && !c->baseline)
        c->baseline = wy_path_join(&c->arena, wy_path_dir(&c->arena, conf->file), conf->baseline);
    if (conf->fail_on && c->fail_on < 0) {
        struct wy_error *e = wy_call_fail_on(c, conf->fail_on);
        if (e) {
            struct wy_error *placed = wy_errorf("%s: %s", conf->file, e->message);
            wy_error_free(e);
            return placed;
        }
    }
    return NULL;
}

struct wy_error *wy_call_config(struct wy_call *c, const struct whyso_options *o) {
    struct wy_conf conf = {0};
    if (c->config)
        WY_TRY(read_conf(c, "--config", wy_call_here(c, c->config), &conf));
    else
        WY_TRY(find_conf(c, o, &conf));
    if (c->config && !conf.found)
        return wy_errorf("--config %s: has no table [tool.whyso]", c->config);
    c->silence.config = conf.found ? conf.file : NULL;
    return apply(c, &conf);
}
