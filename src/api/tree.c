/* whyso tree: what an import or an open maps, in load order, with the reason for each object. */
#include "api/session.h"

#include "base/path.h"

struct growing {
    struct whyso_answer *a;
    struct whyso_tree *t;
    WY_VEC(struct whyso_tree_object) objects;
};

static bool below_any(const char *path, const char *const *dirs, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (wy_path_below(path, dirs[i]))
            return true;
    return false;
}

/* Whose it is: a package's, Python's own, the environment's without an owner, or the system's. The
 * prefix of a system Python is /usr, which holds everything, so there only its site folders count.
 */
static const char *origin_of(const struct wy_world *w, const struct wy_dist *d, const char *path) {
    const struct wy_env *e = &w->env;
    bool whole_prefix = e->kind == WY_ENV_VENV || e->kind == WY_ENV_CONDA;
    if (d)
        return "package";
    if (below_any(path, e->site_dirs, e->nsite_dirs))
        return "environment";
    if ((e->stdlib && wy_path_below(path, e->stdlib)) || wy_starts(wy_path_base(path), "libpython"))
        return "python";
    return whole_prefix && wy_path_below(path, e->prefix) ? "environment" : "system";
}

static void add_object(struct growing *g, const struct wy_event *e, const struct wy_object *o) {
    static const char *const guards[] = {
        [WY_MUST] = "must", [WY_MAYBE] = "maybe", [WY_CAUGHT] = "caught"};
    const struct wy_world *w = g->a->world;
    const char *path = wy_path_clean(&g->a->arena, o->name);
    const struct wy_library *lib = wy_map_get(&w->library_by_path, wy_str_of(path));
    const struct wy_dist *d = lib ? lib->dist : wy_world_image_owner(w, o->image);
    const struct wy_sys_package *p = d ? NULL : wy_world_system_package(w, path);
    *wy_vec_add(&g->objects) = (struct whyso_tree_object){
        .mapped = wy_fill_mapped(g->t->program_path, o),
        .file = wy_world_shown(w, path),
        .origin = origin_of(w, d, path),
        .package = d ? d->name : NULL,
        .version = d ? d->version : NULL,
        .system_package = p ? p->name : NULL,
        .module = e ? e->module : NULL,
        .source = e && e->file ? wy_world_shown(w, e->file) : NULL,
        .line = e ? e->line : 0,
        .guard = guards[e ? e->guard : WY_MUST],
    };
}

static void add_open(struct growing *g, const struct wy_event *e, const struct wy_open *open) {
    for (size_t i = 0; i < open->nmapped; i++)
        add_object(g, e, open->mapped[i]);
}

static struct wy_error *follow_import(struct growing *g, const struct whyso_options *o,
                                      const char *module) {
    const char *subject = wy_arena_printf(&g->a->arena, "module:%s", module);
    WY_TRY(wy_session_examine(g->a, o, &subject, 1));
    const struct wy_run *run = g->a->rules.runs[0];
    wy_fill_import(g->a, run, &g->t->import);
    for (size_t i = 0; i < run->nevents; i++)
        if (run->events[i].open)
            add_open(g, &run->events[i], run->events[i].open);
    return NULL;
}

/* dlopen(NAME) in an interpreter that has imported nothing. */
static struct wy_error *open_file(struct growing *g, const char *name) {
    struct whyso_import *im = &g->t->import;
    const struct wy_open *open = wy_importer_start(g->a->importer);
    if (open->outcome == WY_OPEN_OK)
        open = wy_ld_open(g->a->ld, open->after, name, WY_NOW, NULL);
    if (open->given_up)
        return wy_errorf("%s: loading all that it needs takes too many steps", name);
    *im = (struct whyso_import){.outcome = open->outcome == WY_OPEN_OK ? "ok" : "fails",
                                .message = open->message};
    if (open->outcome != WY_OPEN_OK)
        im->how = open->outcome == WY_OPEN_ABORT   ? "abort"
                  : open->outcome == WY_OPEN_CRASH ? "signal"
                                                   : "exception";
    if (open != wy_importer_start(g->a->importer))
        add_open(g, NULL, open);
    return NULL;
}

static struct wy_error *grow(struct growing *g, const struct whyso_options *o, const char *text) {
    struct whyso_answer *a = g->a;
    struct wy_subject s;
    WY_TRY(wy_session_open(a, o));
    if (!a->world->env.python_real)
        return wy_errorf("%s: has no interpreter to follow it with (expected bin/python)",
                         a->world->env.prefix);
    WY_TRY(wy_subject_read(a, o, text, &s));
    g->t->program_path = a->world->env.python;
    g->t->subject_name = s.kind == WY_SUBJECT_FILE ? wy_world_shown(a->world, s.name) : s.name;
    const struct wy_open *start = wy_importer_start(a->importer);
    wy_fill_step(a, g->t->program_path, start, &g->t->program);
    if (s.kind == WY_SUBJECT_PACKAGE)
        return wy_errorf("%s is a package: name one of its modules", s.name);
    static const char *const kinds[] = {[WY_SUBJECT_FILE] = "file",
                                        [WY_SUBJECT_LIBRARY] = "library",
                                        [WY_SUBJECT_MODULE] = "module"};
    g->t->subject_kind = kinds[s.kind];
    WY_TRY(s.kind == WY_SUBJECT_MODULE ? follow_import(g, o, s.name) : open_file(g, s.name));
    wy_session_environment(a, o, &g->t->environment);
    return NULL;
}

struct whyso_answer *whyso_tree(const struct whyso_options *o, const char *subject,
                                const struct whyso_tree **ret) {
    struct growing g = {.a = wy_answer_new()};
    g.t = WY_NEW(&g.a->arena, struct whyso_tree);
    *ret = NULL;
    bool failed = wy_answer_fails(g.a, grow(&g, o, subject));
    g.t->mapped.n = g.objects.n;
    wy_vec_keep(&g.a->arena, &g.objects);
    g.t->mapped.v = g.objects.v;
    if (!failed)
        *ret = g.t;
    return g.a;
}
