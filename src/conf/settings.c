/* A project's whyso.toml, or [tool.whyso] of its pyproject.toml. */
#include "conf/conf.h"
#include "conf/toml.h"

#include "base/path.h"
#include "base/vec.h"

struct settings {
    struct wy_arena *a;
    const char *file;
    struct wy_conf *conf;
    WY_VEC(struct whyso_ignore) ignores;
    struct wy_error *error; /* the first */
};

static void refuse(struct settings *s, const struct wy_toml_entry *e, const char *wanted) {
    s->error = wy_errorf("%s: line %u: %s takes %s", s->file, e->line, e->key, wanted);
}

static void take_ignore(struct settings *s, const struct wy_toml_entry *e) {
    struct whyso_ignore one;
    if (e->kind == WY_TOML_LIST)
        return;
    if (e->kind != WY_TOML_ITEM) {
        refuse(s, e, "a list of texts");
        return;
    }
    struct wy_error *error = wy_conf_ignore(s->a, e->text, &one);
    if (error)
        refuse(s, e, "RULE or RULE:GLOB");
    else
        wy_vec_push(&s->ignores, one);
    wy_error_free(error);
}

static void take(void *ctx, const struct wy_toml_entry *e) {
    struct settings *s = ctx;
    if (s->error)
        return;
    bool baseline = strcmp(e->key, "baseline") == 0;
    if (strcmp(e->key, "ignore") == 0)
        take_ignore(s, e);
    else if (!baseline && strcmp(e->key, "fail-on") != 0)
        s->error = wy_errorf("%s: line %u: unknown key '%s' (expected ignore, baseline or fail-on)",
                             s->file, e->line, e->key);
    else if (e->kind != WY_TOML_TEXT)
        refuse(s, e, "a text");
    else
        *(baseline ? &s->conf->baseline : &s->conf->fail_on) = wy_arena_cstr(s->a, e->text);
}

struct wy_error *wy_conf_read(struct wy_arena *a, const char *file, struct wy_str text,
                              struct wy_conf *ret) {
    struct settings s = {.a = a, .file = file, .conf = ret};
    char error[WY_TOML_ERROR] = "";
    bool table = strcmp(wy_path_base(file), "pyproject.toml") == 0;
    *ret = (struct wy_conf){.file = wy_arena_cstr(a, file)};
    /* Somebody else's file may be damaged: that is not for us to say. */
    if (table && wy_str_find(text, WY_STR("whyso")) == SIZE_MAX)
        return NULL;
    if (!wy_toml_read(text.p, text.n, table ? "tool" : NULL, table ? "whyso" : NULL, take, &s,
                      &ret->found, error))
        s.error = wy_errorf("%s: %s", file, error);
    ret->nignores = s.ignores.n;
    wy_vec_keep(a, &s.ignores);
    ret->ignores = s.ignores.v;
    return s.error;
}
