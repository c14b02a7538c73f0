#include "pip/pip.h"
#include "pip/reading.h"

const char *wy_env_kind_word(enum wy_env_kind k) {
    static const char *const words[] = {"venv", "conda", "system", "site"};
    return words[k];
}

static void keep(struct wy_reading *r) {
    struct wy_env *env = r->env;
    wy_vec_keep(r->arena, &r->sys_path);
    wy_vec_keep(r->arena, &r->site_dirs);
    wy_vec_keep(r->arena, &r->not_followed);
    wy_vec_keep(r->arena, &r->editables);
    wy_vec_keep(r->arena, &r->hidden);
    env->sys_path = r->sys_path.v;
    env->nsys_path = r->sys_path.n;
    env->site_dirs = r->site_dirs.v;
    env->nsite_dirs = r->site_dirs.n;
    env->not_followed = r->not_followed.v;
    env->nnot_followed = r->not_followed.n;
    env->editables = r->editables.v;
    env->neditables = r->editables.n;
    env->hidden = r->hidden.v;
    env->nhidden = r->hidden.n;
}

struct wy_error *wy_env_read(struct wy_tree *t, const struct wy_env_options *options,
                             struct wy_arena *a, struct wy_env *ret) {
    struct wy_reading r = {.tree = t, .options = options, .arena = a, .env = ret};
    *ret = (struct wy_env){0};
    struct wy_error *e = wy_reading_locate(&r);
    if (e) {
        wy_vec_free(&r.hidden);
        return e;
    }
    wy_reading_interpreter(&r);
    wy_reading_patch_version(&r);
    wy_reading_abi(&r);
    wy_reading_sys_path(&r);
    keep(&r);
    return NULL;
}

bool wy_env_is(struct wy_tree *t, const char *path) {
    struct wy_arena arena = WY_ARENA_INIT;
    struct wy_env env = {0};
    struct wy_env_options options = {.path = path};
    struct wy_reading r = {.tree = t, .options = &options, .arena = &arena, .env = &env};
    struct wy_error *e = wy_reading_locate(&r);
    bool ret = !e;
    wy_error_free(e);
    wy_vec_free(&r.hidden);
    wy_arena_deinit(&arena);
    return ret;
}
