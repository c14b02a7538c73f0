/* whyso verify: imports run for real, and compared with what was predicted. */
#include "api/session.h"
#include "live/live.h"

#include "base/path.h"

#include <signal.h>

struct verifying {
    struct whyso_answer *a;
    struct wy_live_request request;
    struct whyso_verified *v; /* the import being compared */
    WY_VEC(struct whyso_difference) differences;
};

/* One name for a file, however the loader spells it. */
static const char *canonical(struct whyso_answer *a, const char *name) {
    struct wy_place place;
    if (wy_tree_find(a->tree, NULL, name, 0, &place) != 0 || !place.entry)
        return wy_path_clean(&a->arena, name);
    return wy_path_join(&a->arena, wy_dir_path(place.dir), place.entry->name);
}

static void add_names(struct whyso_answer *a, struct whyso_strings *list,
                      const struct wy_open *open) {
    for (size_t i = 0; i < open->nmapped; i++)
        if (open->mapped[i]->name[0])
            wy_strings_add(&a->arena, list, canonical(a, open->mapped[i]->name));
}

static struct whyso_strings predicted_objects(struct whyso_answer *a, const struct wy_run *run) {
    struct whyso_strings list = {0};
    add_names(a, &list, wy_importer_start(a->importer));
    for (size_t i = 0; i < run->nevents; i++)
        if (run->events[i].open)
            add_names(a, &list, run->events[i].open);
    return list;
}

/* Without the program itself and the kernel's part, which have no file. */
static struct whyso_strings real_objects(struct whyso_answer *a,
                                         const struct wy_live_import *real) {
    struct whyso_strings list = {0};
    for (size_t i = 0; i < real->nobjects; i++)
        if (strchr(real->objects[i], '/'))
            wy_strings_add(&a->arena, &list, canonical(a, real->objects[i]));
    return list;
}

/* What `from` has and `in` has not. */
static struct whyso_strings without(struct whyso_answer *a, struct whyso_strings from,
                                    struct whyso_strings in) {
    struct whyso_strings left = {0};
    struct wy_map there = {0};
    for (size_t i = 0; i < in.n; i++)
        *wy_map_at(&there, wy_str_of(in.v[i])) = a;
    for (size_t i = 0; i < from.n; i++)
        if (!wy_map_get(&there, wy_str_of(from.v[i])))
            wy_strings_add(&a->arena, &left, wy_world_shown(a->world, from.v[i]));
    wy_map_deinit(&there);
    return left;
}

static void differ(struct verifying *k, const char *what, const char *predicted, const char *real) {
    if (!wy_same(predicted, real))
        wy_vec_push(&k->differences, ((struct whyso_difference){what, predicted, real, 0}));
}

static void compare_objects(struct verifying *k, const struct wy_run *run,
                            const struct wy_live_import *real) {
    struct whyso_answer *a = k->a;
    struct whyso_strings said = predicted_objects(a, run), is = real_objects(a, real);
    k->v->real.objects = is.n;
    k->v->missing = without(a, is, said);
    k->v->extra = without(a, said, is);
    if (k->v->missing.n || k->v->extra.n)
        return;
    for (size_t i = 0; i < is.n && i < said.n; i++) {
        if (strcmp(is.v[i], said.v[i]) == 0)
            continue;
        wy_vec_push(&k->differences,
                    ((struct whyso_difference){"order", wy_world_shown(a->world, said.v[i]),
                                               wy_world_shown(a->world, is.v[i]), i + 1}));
        return;
    }
}

static bool is_one_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

/* The text of the loader's or the import's error where it began: what `message` is in a prediction.
 */
static const char *innermost(const struct wy_live_import *real) {
    static const char *const kinds[] = {"ImportError", "ModuleNotFoundError", "OSError", NULL};
    for (size_t i = real->nchain; i-- > 0;)
        if (is_one_of(real->chain[i].type, kinds))
            return real->chain[i].text;
    return NULL;
}

static void describe(const struct wy_live_import *real, struct whyso_real_import *ret) {
    static const char *const outcomes[] = {[WY_LIVE_OK] = "ok",
                                           [WY_LIVE_EXCEPTION] = "fails",
                                           [WY_LIVE_EXIT] = "fails",
                                           [WY_LIVE_SIGNAL] = "fails",
                                           [WY_LIVE_TIMEOUT] = "timeout"};
    *ret =
        (struct whyso_real_import){.outcome = outcomes[real->end], .no_objects = real->no_objects};
    if (real->end == WY_LIVE_EXCEPTION) {
        ret->how = strcmp(real->chain[0].type, "SystemExit") == 0 ? "exit" : "exception";
        ret->message = innermost(real);
        ret->raised_type = real->chain[0].type;
        ret->raised_text = real->chain[0].text;
    } else if (real->end == WY_LIVE_EXIT || real->end == WY_LIVE_SIGNAL) {
        bool aborted = real->end == WY_LIVE_SIGNAL && real->status == SIGABRT;
        ret->how = real->end == WY_LIVE_EXIT ? "exit" : aborted ? "abort" : "signal";
        ret->status = real->status;
        ret->message = *real->complaint ? real->complaint : NULL;
    }
}

/* The loader ends a process by SIGABRT or with status 127, as it happens to be written. */
static const char *kind_of_end(const char *how) {
    return wy_same(how, "abort") ? "exit" : how;
}

/* The loader writes its message to stderr when it ends the process; others may write more. */
static bool complains(const struct wy_live_import *real, const char *message) {
    return message && strstr(real->complaint, message);
}

/* What the loader said may be in no traceback: then the exception at the end counts, or that it
 * quotes the loader, where its text is not computed. */
static bool tells(const struct whyso_import *said, const struct whyso_real_import *is) {
    if (wy_same(said->message, is->message))
        return true;
    if (said->raised_text)
        return !is->message && wy_same(said->message, is->raised_text);
    return !is->message ||
           (said->message && is->raised_text && strstr(is->raised_text, said->message));
}

static void compare_outcome(struct verifying *k, const struct wy_live_import *real) {
    const struct whyso_import *said = &k->v->predicted;
    const struct whyso_real_import *is = &k->v->real;
    if (wy_same(said->outcome, "unknown"))
        return;
    differ(k, "outcome", said->outcome, is->outcome);
    if (k->differences.n || !wy_same(is->outcome, "fails"))
        return;
    if (!wy_same(kind_of_end(said->how), kind_of_end(is->how)))
        differ(k, "how", said->how, is->how);
    if (real->end == WY_LIVE_EXCEPTION ? !tells(said, is) : !complains(real, said->message))
        differ(k, "message", said->message, is->message);
    if (real->end == WY_LIVE_EXCEPTION) {
        differ(k, "raised", said->raised_type, is->raised_type);
        if (said->raised_text)
            differ(k, "raised", said->raised_text, is->raised_text);
    }
}

static struct wy_error *verify_one(struct verifying *k, const struct wy_run *run) {
    struct wy_live_import real;
    k->v->module = run->module;
    wy_fill_import(k->a, run, &k->v->predicted);
    WY_TRY(wy_live_import(&k->a->arena, &k->request, run->module, &real));
    describe(&real, &k->v->real);
    compare_outcome(k, &real);
    if (!real.no_objects)
        compare_objects(k, run, &real);
    k->v->differences.n = k->differences.n;
    wy_vec_keep(&k->a->arena, &k->differences);
    k->v->differences.v = k->differences.v;
    k->v->same = !k->v->differences.n && !k->v->missing.n && !k->v->extra.n;
    return NULL;
}

static const char *const *settings(struct whyso_answer *a, const struct whyso_options *o) {
    const char **list = wy_arena_zero(&a->arena, (o->nvariables + 1) * sizeof *list);
    for (size_t i = 0; i < o->nvariables; i++)
        list[i] = wy_arena_printf(&a->arena, "%s=%s", o->variables[i].name, o->variables[i].value);
    return list;
}

/* What runs must be what was read: not something below another root, and no folder whose python
 * does not know of it. */
static struct wy_error *can_run(const struct whyso_answer *a, const struct whyso_options *o) {
    const struct wy_env *e = &a->world->env;
    if (o->root && strcmp(o->root, "/") != 0)
        return wy_errorf("verify runs the environment's python, which lies below --root %s here",
                         o->root);
    if (e->kind == WY_ENV_SITE)
        return wy_errorf("%s: verify wants an environment with a python of its own, not a folder",
                         e->prefix);
    if (!e->python)
        return wy_errorf("%s: has no interpreter to run (expected bin/python)", e->prefix);
    return NULL;
}

static struct wy_error *verify_all(struct whyso_answer *a, const struct whyso_options *o,
                                   const struct whyso_verify_options *options,
                                   const char *const *modules, size_t n, struct whyso_verify *all) {
    WY_TRY(wy_session_open(a, o));
    WY_TRY(can_run(a, o));
    WY_TRY(wy_session_examine(a, o, modules, n));
    if (n && !a->rules.nruns)
        return wy_errorf("%s has no module to import", modules[0]);
    wy_session_environment(a, o, &all->environment);
    const struct wy_live_request request = {.python = a->world->env.python,
                                            .cwd = o->cwd ? o->cwd : "/",
                                            .variables = settings(a, o),
                                            .isolated = o->isolated,
                                            .seconds = options->seconds};
    all->timeout = options->seconds;
    all->imports.v = wy_arena_zero(&a->arena, (a->rules.nruns + 1) * sizeof *all->imports.v);
    if (options->announce)
        options->announce(options->announce_ctx, request.python, a->rules.nruns, options->seconds);
    for (size_t i = 0; i < a->rules.nruns; i++) {
        if (o->progress)
            o->progress(o->progress_ctx, "importing for real", i, a->rules.nruns);
        struct verifying k = {.a = a, .request = request, .v = &all->imports.v[all->imports.n++]};
        WY_TRY(verify_one(&k, a->rules.runs[i]));
        all->different += !k.v->same;
    }
    return NULL;
}

struct whyso_answer *whyso_verify(const struct whyso_options *o,
                                  const struct whyso_verify_options *v, const char *const *modules,
                                  size_t n, const struct whyso_verify **ret) {
    struct whyso_answer *a = wy_answer_new();
    struct whyso_verify *all = WY_NEW(&a->arena, struct whyso_verify);
    *ret = NULL;
    if (!wy_answer_fails(a, verify_all(a, o, v, modules, n, all)))
        *ret = all;
    return a;
}
