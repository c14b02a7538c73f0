/* What runs before the first statement (CPython Lib/site.py): lines of .pth files that begin with
 * `import`, sitecustomize, usercustomize. Followed once, like any import; the process, the modules
 * and the path it leaves behind are where every run begins. Nothing that is raised there ends the
 * start. */
#include "base/buf.h"
#include "import/known.h"

enum { MOST_PTH = 1 << 20 };

static bool is_import(struct wy_str line) {
    return wy_str_starts(line, "import ") || wy_str_starts(line, "import\t");
}

/* The text that Python would run of a .pth file; line numbers stay. */
static struct wy_str code_of(struct wy_importer *im, const struct wy_spec *spec) {
    wy_auto_buf b = {0};
    struct wy_str text = {0};
    wy_place_slurp(im->world->tree, &spec->place, MOST_PTH, &im->arena, &text);
    for (struct wy_str rest = text; rest.p && rest.n;) {
        struct wy_str line = wy_str_line(rest, &rest);
        struct wy_str code = wy_str_trim(line);
        if (is_import(line))
            wy_buf_add(&b, code.p, code.n);
        wy_buf_char(&b, '\n');
    }
    size_t n = b.n;
    return (struct wy_str){wy_arena_cstr(&im->arena, wy_buf_text(&b)), n};
}

/* Exceptions are printed, and the start goes on. */
static void guarded(struct wy_exec *x, struct wy_spec *spec, bool pth) {
    struct wy_guarded guard = {
        .up = x->guards,
        .kind = WY_AROUND_SUPPRESS,
        .types = {.kind = WY_V_CLASS, .class_ = wy_exception_class(x->im, "Exception")}};
    x->guards = &guard;
    if (pth) {
        struct wy_module *m = wy_spec_module(x->im, spec);
        struct wy_frame frame = {.scope = &m->scope, .line = 1};
        x->frame = &frame;
        wy_run_text(x, code_of(x->im, spec), &m->scope);
        x->frame = NULL;
    } else {
        wy_exec_import(x, spec);
    }
    x->guards = guard.up;
    x->raising = false;
}

static void run_pth(struct wy_exec *x, const char *path) {
    struct wy_spec spec = {
        .name = path, .leaf = wy_path_base(path), .kind = WY_SPEC_SOURCE, .path = path};
    x->im->hooked = false;
    x->reason = NULL;
    if (wy_tree_find(x->im->world->tree, NULL, path, 0, &spec.place) == 0)
        guarded(x, wy_spec_add(x->im, &spec), true);
    if (x->im->hooked || x->reason)
        wy_vec_push(&x->im->hooks, path);
}

static void run_module(struct wy_exec *x, const char *name) {
    struct wy_spec *spec = wy_find(x->im, name);
    if (spec->kind != WY_SPEC_MISSING && !spec->lost)
        guarded(x, spec, false);
}

static bool anything(struct wy_importer *im) {
    const struct wy_env *env = &im->world->env;
    return env->nnot_followed || wy_find(im, "sitecustomize")->kind != WY_SPEC_MISSING ||
           (env->user_site && wy_find(im, "usercustomize")->kind != WY_SPEC_MISSING);
}

/* What it has loaded and changed stays. */
static void keep(struct wy_importer *im, struct wy_exec *x) {
    for (size_t i = 0; i < im->specs.n; i++)
        if (*wy_exec_state(x, im->specs.v[i]) & WY_LOADED)
            im->specs.v[i]->at_start = true;
    im->start.after = x->process;
    wy_vec_keep(&im->arena, &x->events);
    im->before = x->events.v;
    im->nbefore = x->events.n;
    x->undo.n = 0;
    wy_paths_rebase(im);
}

void wy_startup(struct wy_importer *im) {
    const struct wy_env *env = &im->world->env;
    struct wy_exec x;
    if (!im->started || im->start.outcome != WY_OPEN_OK || !im->start.after || !anything(im))
        return;
    wy_exec_begin(&x, im);
    for (size_t i = 0; i < env->nnot_followed; i++)
        run_pth(&x, env->not_followed[i]);
    run_module(&x, "sitecustomize");
    if (env->user_site)
        run_module(&x, "usercustomize");
    keep(im, &x);
    wy_exec_end(&x);
}

const char *const *wy_importer_hooks(const struct wy_importer *im, size_t *n) {
    *n = im->hooks.n;
    return im->hooks.v;
}
