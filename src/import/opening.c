/* dlopen in the simulated process. */
#include "import/internal.h"

static struct wy_exception failure_of(struct wy_exec *x, const struct wy_spec *spec,
                                      const struct wy_open *open, const char *path,
                                      const char *class_name) {
    if (open->outcome == WY_OPEN_ERROR)
        return (struct wy_exception){.class_ = wy_exception_class(x->im, class_name),
                                     .text = open->message,
                                     .name = spec ? spec->leaf : NULL, /* dynload_shlib.c */
                                     .path = path,
                                     .how = "exception",
                                     .at = path};
    return (struct wy_exception){.how = open->outcome == WY_OPEN_ABORT ? "abort" : "signal",
                                 .at = path};
}

void wy_exec_blind(struct wy_exec *x, const struct wy_dist *by) {
    for (struct wy_running *r = x->running; by && r; r = r->up)
        r->blind = by;
    if (by)
        wy_vec_push(&x->blind, by);
}

static bool is_blind(const struct wy_exec *x, const struct wy_library *lib) {
    for (size_t i = 0; lib && lib->dist && i < x->blind.n; i++)
        if (x->blind.v[i] == lib->dist)
            return true;
    return false;
}

/* A call that was passed over, on the way here, may have loaded what is missing now, as that lies
 * in this environment; or the code of that distribution opened something by a path that is not
 * known. */
static bool perhaps_loaded(const struct wy_exec *x, const struct wy_open *open,
                           const struct wy_library *lib) {
    const struct wy_problem *p = open->nproblems ? open->problems : NULL;
    size_t n = 0;
    bool skipped = is_blind(x, lib);
    for (const struct wy_frame *f = x->frame; f && f->function && !skipped; f = f->up)
        skipped = f->skipped_calls;
    if (skipped && p && p->kind == WY_P_MISSING_LIBRARY && p->needer)
        wy_world_named(x->im->world, p->name, &n);
    return n > 0;
}

bool wy_exec_open(struct wy_exec *x, const struct wy_spec *spec, const char *path, unsigned mode,
                  const struct wy_object *caller, const char *class_name) {
    const struct wy_open *open = wy_ld_open(x->im->ld, x->process, path, mode, caller);
    if (open->after)
        x->process = open->after;
    const char *file = open->object && open->object->name[0] ? open->object->name : path;
    enum wy_catcher c = class_name ? wy_exec_catcher(x, wy_exception_class(x->im, class_name))
                        : x->maybe ? WY_CAUGHT_PERHAPS
                                   : WY_NOBODY;
    *wy_vec_add(&x->events) =
        (struct wy_event){.module = spec ? spec->name : NULL,
                          .path = spec || path[0] == '/' ? path : file,
                          .library = wy_map_get(&x->im->world->library_by_path, wy_str_of(file)),
                          .open = open,
                          .message = open->message,
                          .guard = c == WY_CAUGHT_PERHAPS ? WY_MAYBE
                                   : c == WY_CAUGHT_HERE  ? WY_CAUGHT
                                                          : WY_MUST,
                          .file = wy_exec_file(x),
                          .line = wy_exec_line(x)};
    if (!spec)
        wy_log_step(x, (struct wy_step){
                           .kind = WY_STEP_OPEN, .text = path, .mode = mode, .caller = caller});
    if (open->given_up)
        wy_exec_doubt(x, "%s: loading all libraries of this environment takes too many steps",
                      wy_world_shown(x->im->world, path));
    if (open->outcome == WY_OPEN_OK)
        return true;
    if (class_name && perhaps_loaded(x, open, x->events.v[x->events.n - 1].library)) {
        x->events.v[x->events.n - 1].guard = WY_MAYBE;
        wy_exec_doubt(x, "%s, unless what was not followed before has loaded it", open->message);
        return true;
    }
    if (class_name)
        wy_exec_fail(x, failure_of(x, spec, open, path, class_name));
    return false;
}

static bool by_constant(const struct wy_exec *x) {
    return x->guards && x->guards->kind == WY_AROUND_ARM && x->guards->constant;
}

/* Python/importdl.c, _PyImport_GetModInitFunc. A name among the constants of an extension may be a
 * library's as well: nothing is said. */
bool wy_exec_has_init(struct wy_exec *x, const struct wy_spec *spec) {
    struct wy_event *e = &x->events.v[x->events.n - 1];
    if (!e->library || e->library->role != WY_ROLE_LIBRARY || by_constant(x) || e->open->given_up ||
        !wy_same(e->library->module, spec->name) || !wy_same(e->library->path, spec->path))
        return true;
    e->message = wy_arena_printf(
        &x->im->arena, "dynamic module does not define module export function (PyInit_%s)",
        spec->leaf);
    wy_exec_fail(x, (struct wy_exception){.class_ = wy_exception_class(x->im, "ImportError"),
                                          .text = e->message,
                                          .name = spec->leaf,
                                          .path = spec->path,
                                          .how = "exception",
                                          .at = spec->path});
    return false;
}

/* Calls through the standard library (ctypes.cdll, importlib) are their caller's. */
static const struct wy_frame *owned_frame(const struct wy_exec *x) {
    const struct wy_frame *f = x->frame;
    while (f && !wy_world_owner(x->im->world, &f->scope->module->spec->place))
        f = f->up;
    return f ? f : x->frame;
}

void wy_exec_unfollowed(struct wy_exec *x, const char *does) {
    const struct wy_frame *f = owned_frame(x);
    struct wy_importer *im = x->im;
    if (!f || x->stop || x->maybe)
        return;
    struct wy_unfollowed u = {does, f->scope->module->spec->path, f->line};
    for (size_t i = 0; i < im->unfollowed.n; i++)
        if (im->unfollowed.v[i].line == u.line && wy_same(im->unfollowed.v[i].file, u.file))
            return;
    wy_vec_push(&im->unfollowed, u);
}

void wy_exec_unfollowed_open(struct wy_exec *x, const char *does) {
    const struct wy_frame *f = owned_frame(x);
    if (f && !x->stop)
        wy_exec_blind(x, wy_world_owner(x->im->world, &f->scope->module->spec->place));
    wy_exec_unfollowed(x, does);
}

const struct wy_unfollowed *wy_importer_unfollowed(const struct wy_importer *im, size_t *n) {
    *n = im->unfollowed.n;
    return im->unfollowed.v;
}
