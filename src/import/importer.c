/* Runs: one fresh process for each import, kept for all who ask again. */
#include "base/buf.h"
#include "import/ahead.h"

struct wy_importer *wy_importer_create(struct wy_world *w, struct wy_ld *ld) {
    struct wy_importer *im = wy_alloc0(1, sizeof *im);
    im->world = w;
    im->ld = ld;
    im->common = im->names.common = wy_common_create();
    if (w->python && ld) {
        wy_ld_start(ld, w->env.python, &im->start);
        im->started = true;
    }
    wy_finder_init(im);
    wy_known_init(im);
    wy_unbound_init(im);
    wy_startup(im);
    wy_modules_init(im);
    return im;
}

void wy_importer_destroy(struct wy_importer *im) {
    if (!im)
        return;
    wy_ahead_stop(im->ahead);
    wy_finder_deinit(im);
    for (size_t i = 0; i < im->specs.n; i++)
        if (im->specs.v[i]->children) {
            wy_map_deinit(im->specs.v[i]->children);
            free(im->specs.v[i]->children);
        }
    wy_map_deinit(&im->specs_by_name);
    wy_map_deinit(&im->runs);
    wy_map_deinit(&im->states);
    wy_map_deinit(&im->listed_by_name);
    wy_map_deinit(&im->known);
    wy_intern_deinit(&im->names);
    wy_common_destroy(im->common);
    wy_vec_free(&im->specs);
    wy_vec_free(&im->paths);
    wy_vec_free(&im->archives);
    wy_vec_free(&im->hooks);
    wy_vec_free(&im->unfollowed);
    wy_vec_free(&im->entry_points);
    wy_vec_free(&im->spare_methods);
    wy_arena_deinit(&im->text);
    wy_arena_deinit(&im->arena);
    free(im);
}

void wy_importer_read_ahead(struct wy_importer *im, unsigned threads) {
    im->ahead = wy_ahead_start(im, threads);
    for (size_t i = im->nlisted; i-- > 0;)
        wy_ahead_module(im->ahead, im->listed[i].name);
}

const struct wy_open *wy_importer_start(const struct wy_importer *im) {
    return im->started ? &im->start : NULL;
}

const struct wy_listed_module *wy_importer_modules(struct wy_importer *im, size_t *n) {
    *n = im->nlisted;
    return im->listed;
}

/* ---- the result of a run ---- */

/* The text of the innermost failure in the chain that Python shows (__context__). */
static const char *innermost(const struct wy_run *run) {
    const struct wy_event *e = run->fatal;
    while (e->within)
        e = &run->events[e->within - 1];
    return e->message;
}

static void set_failure(struct wy_exec *x, struct wy_run *run) {
    const struct wy_exception *e = &x->raised;
    run->outcome = WY_RUN_FAILS;
    run->events[e->event].guard = WY_MUST;
    run->fatal = &run->events[e->event];
    run->how = e->how;
    run->message = e->unchained && e->text ? e->text : innermost(run);
    run->raised_type = e->class_ && !e->unnamed ? e->class_->name : NULL;
    run->raised_text = e->text;
    run->at = e->at;
    run->reason = NULL;
}

static void keep(struct wy_importer *im, struct wy_exec *x, struct wy_ran *ran) {
    struct wy_run *run = &ran->run;
    wy_vec_keep(&im->arena, &x->events);
    run->events = x->events.v;
    run->nevents = x->events.n;
    run->after = x->process;
    run->outcome = x->reason ? WY_RUN_UNKNOWN : WY_RUN_OK;
    run->reason = x->reason;
    if (x->raising && x->raised.event < run->nevents)
        set_failure(x, run);
}

/* An interpreter that does not start fails every import with what the loader prints. */
static bool cannot_start(struct wy_importer *im, struct wy_run *run) {
    if (!im->started) {
        run->outcome = WY_RUN_UNKNOWN;
        run->reason = "there is no interpreter to follow it with";
        return true;
    }
    if (im->start.outcome == WY_OPEN_OK && im->start.after)
        return false;
    run->outcome = WY_RUN_FAILS;
    run->how = im->start.outcome == WY_OPEN_ABORT   ? "abort"
               : im->start.outcome == WY_OPEN_CRASH ? "signal"
                                                    : "exit";
    run->message = im->start.message;
    run->at = im->world->env.python;
    return true;
}

static const struct wy_dist *dist_of(struct wy_importer *im, const char *module) {
    const struct wy_listed_module *listed = wy_map_get(&im->listed_by_name, wy_str_of(module));
    if (listed)
        return listed->dist;
    const struct wy_spec *spec = wy_find(im, module);
    return spec->path ? wy_world_owner(im->world, &spec->place) : NULL;
}

/* ---- one process ---- */

uint8_t *wy_exec_state(struct wy_exec *x, const struct wy_spec *spec) {
    if (spec->id >= x->nstate) {
        size_t n = x->im->specs.n + x->im->specs.n / 2 + 256;
        x->state = wy_realloc(x->state, n, 1);
        memset(x->state + x->nstate, 0, n - x->nstate);
        x->nstate = n;
    }
    if (spec->at_start)
        x->state[spec->id] |= WY_LOADED;
    return &x->state[spec->id];
}

void wy_exec_begin(struct wy_exec *x, struct wy_importer *im) {
    *x = (struct wy_exec){.im = im,
                          .process = im->start.after,
                          .run = ++im->nruns,
                          .dlopen_flags = WY_NOW,
                          .reason = im->unsure};
    im->exec = x;
    for (size_t i = 0; i < im->nbefore; i++)
        wy_vec_push(&x->events, im->before[i]);
}

/* What this process changed in shared objects is put back; the events are kept. */
void wy_exec_end(struct wy_exec *x) {
    while (x->undo.n) {
        struct wy_undo *u = &wy_vec_pop(&x->undo);
        if (u->binding)
            u->binding->value = u->value;
        else
            *u->list = u->before;
    }
    wy_vec_free(&x->undo);
    wy_vec_free(&x->blind);
    x->im->exec = NULL;
    x->im->work += x->work;
    free(x->state);
}

static void follow(struct wy_importer *im, struct wy_ran *ran) {
    struct wy_exec x;
    wy_exec_begin(&x, im);
    wy_exec_import(&x, wy_find(im, ran->run.module));
    keep(im, &x, ran);
    wy_exec_end(&x);
}

struct wy_ran *wy_importer_ran(struct wy_importer *im, const char *module) {
    struct wy_ran *ran = wy_map_get(&im->runs, wy_str_of(module));
    if (ran)
        return ran;
    ran = WY_NEW(&im->arena, struct wy_ran);
    ran->run.module = wy_arena_cstr(&im->arena, module);
    *wy_map_at(&im->runs, wy_str_of(ran->run.module)) = ran;
    ran->run.dist = dist_of(im, module);
    if (!cannot_start(im, &ran->run))
        follow(im, ran);
    return ran;
}

const struct wy_run *wy_importer_run(struct wy_importer *im, const char *module) {
    return &wy_importer_ran(im, module)->run;
}

/* As wy_importer_ran; the key of such a pair is "FIRST,MODULE". */
const struct wy_run *wy_importer_run_after(struct wy_importer *im, const char *first,
                                           const char *module) {
    const char *key = wy_arena_printf(&im->arena, "%s,%s", first, module);
    struct wy_ran *ran = wy_map_get(&im->runs, wy_str_of(key));
    if (ran)
        return &ran->run;
    ran = WY_NEW(&im->arena, struct wy_ran);
    *wy_map_at(&im->runs, wy_str_of(key)) = ran;
    ran->run.module = wy_arena_cstr(&im->arena, module);
    ran->run.dist = dist_of(im, module);
    if (cannot_start(im, &ran->run))
        return &ran->run;
    struct wy_exec x;
    wy_exec_begin(&x, im);
    wy_exec_import(&x, wy_find(im, first));
    x.raising = false;
    x.reason = NULL;
    x.events.n = 0;
    wy_exec_import(&x, wy_find(im, module));
    keep(im, &x, ran);
    wy_exec_end(&x);
    return &ran->run;
}

/* ---- alone ---- */

static struct wy_marker_env marker_env(struct wy_importer *im, char *short_version, size_t size) {
    const struct wy_world *w = im->world;
    const char *machine =
        wy_elf_machine_uname(w->host->machine, w->host->is64, w->host->big_endian);
    size_t n = 0;
    const char *version = w->env.version ? w->env.version : "";
    for (unsigned dots = 0; version[n] && n + 1 < size; n++)
        if (version[n] == '.' && ++dots == 2)
            break;
    memcpy(short_version, version, n);
    short_version[n] = '\0';
    return (struct wy_marker_env){.python_version = short_version,
                                  .python_full_version = version,
                                  .platform_machine = machine ? machine : "",
                                  .extra = ""};
}

bool wy_requires(struct wy_importer *im, const struct wy_dist *d, const char *key) {
    char version[16];
    struct wy_marker_env env = marker_env(im, version, sizeof version);
    bool found = false;
    struct wy_arena scratch = WY_ARENA_INIT;
    for (size_t i = 0; i < d->nrequires && !found; i++) {
        struct wy_requirement r;
        found = wy_requirement_names(d->requires[i], key) &&
                wy_requirement_parse(d->requires[i], &scratch, &r) &&
                wy_marker_eval(r.marker, &env) != 0;
    }
    wy_arena_deinit(&scratch);
    return found;
}

/* Where the modules named in `key`, separated by commas, leave a fresh process. */
static const struct wy_process *state_after(struct wy_importer *im, const char *key) {
    if (!strchr(key, ','))
        return wy_importer_run(im, key)->after;
    struct wy_state *known = wy_map_get(&im->states, wy_str_of(key));
    if (known)
        return known->process;
    struct wy_exec x;
    struct wy_arena scratch = WY_ARENA_INIT;
    struct wy_str rest = wy_str_of(key);
    wy_exec_begin(&x, im);
    for (; rest.p; x.raising = false)
        wy_exec_import(&x, wy_find(im, wy_arena_str(&scratch, wy_str_cut(rest, ',', &rest))));
    known = WY_NEW(&im->arena, struct wy_state);
    known->process = x.process;
    *wy_map_at(&im->states, wy_str_of(wy_arena_cstr(&im->arena, key))) = known;
    wy_arena_deinit(&scratch);
    wy_vec_free(&x.events);
    wy_exec_end(&x);
    return known->process;
}

/* The process after importing the frameworks that supply libraries to this distribution. */
static const struct wy_process *supplied(struct wy_importer *im, const struct wy_dist *d) {
    const struct wy_know *know = im->world->know;
    wy_auto_buf key = {0};
    for (size_t i = 0; d && i < know->npreloads; i++) {
        const struct wy_preload *p = &know->preloads[i];
        if (strcmp(p->kind, "supplies") != 0 || strcmp(p->package, d->key) == 0 ||
            !wy_requires(im, d, p->package))
            continue;
        if (key.n)
            wy_buf_char(&key, ',');
        wy_buf_str(&key, p->module);
    }
    const struct wy_process *after = key.n ? state_after(im, wy_buf_text(&key)) : NULL;
    return after ? after : im->start.after;
}

const struct wy_open *wy_importer_alone(struct wy_importer *im, const struct wy_library *lib) {
    if (!im->started || im->start.outcome != WY_OPEN_OK || !im->start.after)
        return NULL;
    return wy_ld_open(im->ld, supplied(im, lib->dist), lib->path, WY_NOW, NULL);
}

bool wy_importer_finds(struct wy_importer *im, const char *module) {
    return wy_find(im, module)->kind != WY_SPEC_MISSING;
}
