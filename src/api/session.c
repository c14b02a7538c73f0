#include "api/session.h"

#include "base/path.h"
#include "base/pool.h"

struct whyso_answer *wy_answer_new(void) {
    return wy_alloc0(1, sizeof(struct whyso_answer));
}

bool wy_answer_fails(struct whyso_answer *a, struct wy_error *e) {
    if (!e)
        return false;
    a->error = wy_arena_cstr(&a->arena, e->message);
    wy_error_free(e);
    return true;
}

const char *whyso_answer_error(const struct whyso_answer *a) {
    return a->error;
}

void whyso_answer_free(struct whyso_answer *a) {
    if (!a)
        return;
    wy_task_end(a->ahead);
    wy_case_deinit(&a->rules);
    wy_importer_destroy(a->importer);
    wy_ld_destroy(a->ld);
    wy_host_destroy(a->host);
    wy_world_destroy(a->world);
    if (a->know)
        wy_know_destroy(a->know);
    if (a->tree)
        wy_tree_destroy(a->tree);
    wy_arena_deinit(&a->arena);
    free(a);
}

bool whyso_is_environment(const char *root, const char *path) {
    struct wy_tree *tree;
    struct wy_error *e = wy_tree_host(root ? root : "/", &tree);
    if (e) {
        wy_error_free(e);
        return false;
    }
    bool is = wy_env_is(tree, path);
    wy_tree_destroy(tree);
    return is;
}

static struct wy_host_options host_options(struct whyso_answer *a, const struct whyso_options *o) {
    struct wy_variable *variables =
        wy_arena_zero(&a->arena, (o->nvariables + 1) * sizeof *variables);
    for (size_t i = 0; i < o->nvariables; i++)
        variables[i] = (struct wy_variable){o->variables[i].name, o->variables[i].value};
    return (struct wy_host_options){
        .cwd = o->cwd ? o->cwd : "/",
        .variables = variables,
        .nvariables = o->nvariables,
        .uid = o->uid,
        .cpu = o->cpu,
        .driver = o->driver,
        .foreign = o->root && strcmp(o->root, "/") != 0,
    };
}

static const char *variable(const struct whyso_options *o, const char *name) {
    for (size_t i = 0; i < o->nvariables; i++)
        if (strcmp(o->variables[i].name, name) == 0)
            return o->variables[i].value;
    return NULL;
}

static bool is_set(const struct whyso_options *o, const char *name) {
    const char *value = variable(o, name);
    return value && *value;
}

static struct wy_env_options env_options(const struct whyso_options *o) {
    return (struct wy_env_options){
        .path = o->env,
        .python = o->python,
        .cwd = o->cwd ? o->cwd : "/",
        .pythonpath = variable(o, "PYTHONPATH"),
        .home = variable(o, "HOME"),
        .user_base = variable(o, "PYTHONUSERBASE"),
        .no_user_site = o->isolated || is_set(o, "PYTHONNOUSERSITE"),
        .isolated = o->isolated,
        .machine_triplet = "x86_64-linux-gnu",
    };
}

/* Nearly every library is opened in the end, and reading its tables depends on nothing else. Each
 * is read once, by whoever comes first. */
static void read_symbols(void *ctx) {
    struct wy_world *w = ctx;
    for (size_t i = 0; i < w->nlibraries; i++)
        if (w->libraries[i].image->elf.kind == WY_ELF_OK)
            wy_host_symbols(w->host, w->libraries[i].image);
}

void wy_session_read_ahead(struct whyso_answer *a, const struct whyso_options *o) {
    unsigned threads = o->threads ? o->threads : wy_pool_threads();
    if (o->only == WHYSO_ONLY_SYMBOLS && threads > 1 && a->world->python)
        a->ahead = wy_task_start(read_symbols, a->world);
    else if (o->only != WHYSO_ONLY_RESOLVE)
        wy_importer_read_ahead(a->importer, threads - 1);
}

static void create_loader(struct whyso_answer *a, const struct whyso_options *o,
                          struct wy_host *host) {
    a->ld = wy_ld_create(host);
    wy_ld_set_depth(a->ld, o->only == WHYSO_ONLY_RESOLVE ? WY_LD_VERSIONS : WY_LD_SYMBOLS);
}

struct wy_error *wy_session_open(struct whyso_answer *a, const struct whyso_options *o) {
    WY_TRY(wy_tree_host(o->root ? o->root : "/", &a->tree));
    return wy_session_on_tree(a, o);
}

struct wy_error *wy_session_on_tree(struct whyso_answer *a, const struct whyso_options *o) {
    a->know = wy_know_create();
    struct wy_world_options w = {
        .env = env_options(o),
        .host = host_options(a, o),
        .hash = o->hash,
        .threads = o->threads ? o->threads : wy_pool_threads(),
        .progress = o->progress,
        .progress_ctx = o->progress_ctx,
    };
    WY_TRY(wy_world_create(a->tree, a->know, &w, &a->world));
    create_loader(a, o, a->world->host);
    a->importer = wy_importer_create(a->world, a->ld);
    return NULL;
}

struct wy_error *wy_session_program(struct whyso_answer *a, const struct whyso_options *o,
                                    const char *program) {
    WY_TRY(wy_tree_host(o->root ? o->root : "/", &a->tree));
    struct wy_host_options options = host_options(a, o);
    WY_TRY(wy_host_create(a->tree, &options, &a->host));
    struct wy_place place;
    int error = wy_tree_find(a->tree, NULL, program, 0, &place);
    if (error)
        return wy_errorf("%s: %s (expected a program)", program, strerror(error));
    wy_host_set_program(a->host, wy_host_image(a->host, &place));
    create_loader(a, o, a->host);
    return NULL;
}

static const char *const loader_variables[] = {
    "GLIBC_TUNABLES", "LD_AUDIT",         "LD_BIND_NOW",    "LD_LIBRARY_PATH",
    "LD_ORIGIN_PATH", "LD_PRELOAD",       "PYTHONHOME",     "PYTHONNOUSERSITE",
    "PYTHONPATH",     "PYTHONPLATLIBDIR", "PYTHONSAFEPATH", "PYTHONUSERBASE",
};

static void add_variables(struct whyso_answer *a, const struct whyso_options *o,
                          struct whyso_environment *ret) {
    size_t most = sizeof loader_variables / sizeof *loader_variables;
    ret->variables.v = wy_arena_zero(&a->arena, most * sizeof *ret->variables.v);
    for (size_t i = 0; i < most; i++) {
        const char *value = variable(o, loader_variables[i]);
        if (value)
            ret->variables.v[ret->variables.n++] =
                (struct whyso_variable){loader_variables[i], value};
    }
}

static void add_counts(const struct wy_world *w, bool gave_up, struct whyso_environment *ret) {
    ret->packages = w->dists.n;
    ret->files = w->nfiles;
    ret->libraries = w->nlibraries;
    for (size_t i = 0; i < w->nlibraries; i++)
        ret->elf += w->libraries[i].image->elf.kind == WY_ELF_OK;
    ret->complete = w->nunreadable == 0 && !gave_up;
    for (size_t i = 0; i < w->dists.n; i++)
        ret->complete = ret->complete && !w->dists.v[i].problem && !w->files[i].hidden;
}

void wy_session_environment(struct whyso_answer *a, const struct whyso_options *o,
                            struct whyso_environment *ret) {
    const struct wy_host *h = a->world ? a->world->host : a->host;
    *ret = (struct whyso_environment){
        .chosen_by = o->chosen_by,
        .root = o->root ? o->root : "/",
        .complete = true,
        .libc_kind = h->libc == WY_LIBC_GLIBC  ? "glibc"
                     : h->libc == WY_LIBC_MUSL ? "musl"
                                               : NULL,
        .libc_version = h->libc_version,
        .machine = wy_elf_machine_uname(h->machine, h->is64, h->big_endian),
        .cwd = o->cwd ? o->cwd : "/",
        .user = o->uid,
        .driver = h->driver,
        .cpu = h->cpu,
    };
    add_variables(a, o, ret);
    if (!a->world)
        return;
    const struct wy_env *e = &a->world->env;
    ret->prefix = e->prefix;
    ret->kind = wy_env_kind_word(e->kind);
    ret->python = e->python ? wy_world_shown(a->world, e->python) : NULL;
    ret->python_real = e->python_real;
    ret->python_version = e->version;
    ret->soabi = e->soabi;
    for (size_t i = 0; i < e->nsys_path; i++)
        wy_strings_add(&a->arena, &ret->sys_path, wy_world_shown(a->world, e->sys_path[i]));
    add_counts(a->world, a->rules.gave_up, ret);
}
