/* The variables of the simulated process: the caller's (none with --root), then what the command
 * line does to them, in its order. */
#include "cli/cli.h"

#include <unistd.h>

struct variables {
    WY_VEC(struct whyso_variable) all;
};

static void unset(struct variables *v, const char *name) {
    size_t kept = 0;
    for (size_t i = 0; i < v->all.n; i++)
        if (strcmp(v->all.v[i].name, name) != 0)
            v->all.v[kept++] = v->all.v[i];
    v->all.n = kept;
}

static void add(struct variables *v, const char *name, const char *value) {
    wy_vec_push(&v->all, ((struct whyso_variable){name, value}));
}

/* `setting` is NAME=VALUE with a name. */
static void set(struct variables *v, struct wy_arena *a, const char *setting) {
    const char *eq = strchr(setting, '=');
    const char *name = wy_arena_str(a, (struct wy_str){setting, (size_t)(eq - setting)});
    unset(v, name);
    add(v, name, wy_arena_cstr(a, eq + 1));
}

static void take_callers(struct variables *v, struct wy_arena *a) {
    for (char **e = environ; e && *e; e++) {
        const char *eq = strchr(*e, '=');
        if (eq && eq != *e) /* a name that is set twice stays so: the loader sees both */
            add(v, wy_arena_str(a, (struct wy_str){*e, (size_t)(eq - *e)}), eq + 1);
    }
}

/* Lines as `docker run --env-file` reads them: NAME=VALUE with the value as it stands, NAME alone
 * takes the caller's, # begins a comment. A file with NUL bytes is a block as in /proc/PID/environ,
 * its entries end there. */
static struct wy_error *env_file(struct variables *v, struct wy_arena *a, const char *path) {
    wy_auto_buf text = {0};
    WY_TRY(wy_read_named("--env-file", path, &text));
    bool block = text.n && memchr(text.p, '\0', text.n);
    struct wy_str rest = {text.p, text.n};
    for (unsigned long line = 1; rest.p && rest.n; line++) {
        struct wy_str s = block ? wy_str_cut(rest, '\0', &rest) : wy_str_line(rest, &rest);
        if (!block && (wy_str_trim(s).n == 0 || wy_str_trim(s).p[0] == '#'))
            continue;
        if (s.n == 0)
            continue;
        const char *setting = wy_arena_str(a, s), *eq = strchr(setting, '=');
        if (eq == setting)
            return wy_errorf("--env-file %s: line %lu: expected VAR=VALUE", path, line);
        if (eq)
            set(v, a, setting);
        else if (getenv(setting))
            set(v, a, wy_arena_printf(a, "%s=%s", setting, getenv(setting)));
        else
            unset(v, setting);
    }
    return NULL;
}

static struct wy_error *apply(struct variables *v, struct wy_arena *a, const struct wy_setting *s) {
    switch (s->kind) {
    case WY_CLEAN:
        v->all.n = 0;
        return NULL;
    case WY_SET:
        set(v, a, s->text);
        return NULL;
    case WY_UNSET:
        unset(v, s->text);
        return NULL;
    case WY_ENV_FILE:
        return env_file(v, a, s->text);
    }
    return NULL;
}

struct wy_error *wy_call_variables(struct wy_call *c, struct whyso_options *ret) {
    struct variables v = {0};
    struct wy_error *e = NULL;
    if (!c->root)
        take_callers(&v, &c->arena);
    for (size_t i = 0; i < c->settings.n && !e; i++)
        e = apply(&v, &c->arena, &c->settings.v[i]);
    wy_vec_keep(&c->arena, &v.all);
    ret->variables = v.all.v;
    ret->nvariables = v.all.n;
    return e;
}
