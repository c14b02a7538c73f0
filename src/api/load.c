/* whyso load: a dry run of a series of dlopen calls (CONTRACT section 4). */
#include "api/session.h"

#include "base/path.h"

static const char *const outcomes[] = {"ok", "error", "abort", "crash"};

struct request {
    const char *name;
    unsigned mode;
    const char *by; /* path of the calling object, or NULL */
};

/* `lazy:`, `global:` and `by=FILE:`, combinable with commas: "lazy,global:name", "by=/x/y.so:name".
 */
static struct wy_error *read_request(struct whyso_answer *a, const char *text,
                                     struct request *ret) {
    *ret = (struct request){text, WY_NOW, NULL};
    const char *at = text;
    for (;;) {
        if (wy_starts(at, "lazy:") || wy_starts(at, "lazy,")) {
            ret->mode = (ret->mode & ~(unsigned)WY_NOW) | WY_LAZY;
            at += 5;
        } else if (wy_starts(at, "global:") || wy_starts(at, "global,")) {
            ret->mode |= WY_GLOBAL;
            at += 7;
        } else if (wy_starts(at, "by=")) {
            size_t n = strcspn(at, ":,");
            if (!at[n])
                return wy_errorf("%s: expected by=FILE:NAME", text);
            ret->by = wy_arena_str(&a->arena, (struct wy_str){at + 3, n - 3});
            at += n + 1;
        } else {
            return wy_errorf("%s: expected lazy:, global: or by=FILE: before the name", text);
        }
        if (at[-1] == ':')
            break;
    }
    ret->name = at;
    return NULL;
}

static bool has_prefix(const char *text) {
    return wy_starts(text, "lazy:") || wy_starts(text, "lazy,") || wy_starts(text, "global:") ||
           wy_starts(text, "global,") || wy_starts(text, "by=");
}

static const char *object_path(const char *program, const struct wy_object *o) {
    return !o ? NULL : o->name[0] ? o->name : program;
}

struct whyso_mapped wy_fill_mapped(const char *program, const struct wy_object *o) {
    return (struct whyso_mapped){o->name, o->requested, object_path(program, o->by),
                                 wy_found_word(o->found)};
}

void wy_fill_step(struct whyso_answer *a, const char *program, const struct wy_open *open,
                  struct whyso_step *s) {
    s->request = open->request;
    s->outcome = outcomes[open->outcome];
    s->message = open->message;
    s->mapped.v = wy_arena_zero(&a->arena, (open->nmapped + 1) * sizeof *s->mapped.v);
    for (size_t i = 0; i < open->nmapped; i++) {
        const struct wy_object *o = open->mapped[i];
        if (o->name[0])
            s->mapped.v[s->mapped.n++] = wy_fill_mapped(program, o);
    }
    s->resolved.v = wy_arena_zero(&a->arena, (open->nresolved + 1) * sizeof *s->resolved.v);
    for (size_t i = 0; i < open->nresolved; i++)
        s->resolved.v[s->resolved.n++] = (struct whyso_resolved){
            open->resolved[i].requested, object_path(program, open->resolved[i].by),
            object_path(program, open->resolved[i].object)};
    s->problems.v = wy_arena_zero(&a->arena, (open->nproblems + 1) * sizeof *s->problems.v);
    for (size_t i = 0; i < open->nproblems; i++) {
        const struct wy_problem *p = &open->problems[i];
        s->problems.v[s->problems.n++] =
            (struct whyso_load_problem){wy_problem_word(p->kind),
                                        p->file,
                                        object_path(program, p->needer),
                                        p->name,
                                        p->version,
                                        p->message};
    }
}

/* The object of a path in the process; by text, then by file. */
static const struct wy_object *object_at(struct whyso_answer *a, const struct wy_process *p,
                                         const char *path) {
    const struct wy_object *o = wy_process_named(p, path);
    struct wy_place place, other;
    if (o || wy_tree_find(a->tree, NULL, path, 0, &place) != 0)
        return o;
    for (size_t i = 0; i < wy_process_count(p); i++) {
        const struct wy_object *k = wy_process_at(p, i);
        if (k->name[0] && wy_tree_find(a->tree, NULL, k->name, 0, &other) == 0 &&
            other.entry == place.entry)
            return k;
    }
    return NULL;
}

static struct wy_error *run_steps(struct whyso_answer *a, const struct wy_process *state,
                                  const char *const *requests, size_t n, struct whyso_load *l) {
    l->steps.v = wy_arena_zero(&a->arena, (n + 1) * sizeof *l->steps.v);
    for (size_t i = 0; i < n; i++) {
        struct request r = {requests[i], WY_NOW, NULL};
        if (has_prefix(requests[i]))
            WY_TRY(read_request(a, requests[i], &r));
        const struct wy_object *caller = r.by ? object_at(a, state, r.by) : NULL;
        if (r.by && !caller)
            return wy_errorf("%s: %s is not loaded at that point, so it cannot call", requests[i],
                             r.by);
        const struct wy_open *open = wy_ld_open(a->ld, state, r.name, r.mode, caller);
        if (open->given_up)
            return wy_errorf("%s: loading all that was asked for takes too many steps", r.name);
        wy_fill_step(a, l->program_path, open, &l->steps.v[l->steps.n++]);
        l->ok = l->ok && open->outcome == WY_OPEN_OK;
        if (open->outcome == WY_OPEN_ABORT || open->outcome == WY_OPEN_CRASH)
            break;
        state = open->after;
    }
    return NULL;
}

static struct wy_error *start(struct whyso_answer *a, const struct whyso_options *o,
                              const char *program, const char **path) {
    if (program) {
        *path = wy_path_join(&a->arena, o->cwd ? o->cwd : "/", program);
        return wy_session_program(a, o, *path);
    }
    WY_TRY(wy_session_open(a, o));
    if (!a->world->env.python_real)
        return wy_errorf("%s: has no interpreter to start (expected bin/python, or --program)",
                         a->world->env.prefix);
    *path = a->world->env.python;
    return NULL;
}

/* The state the import leaves. One that cannot be followed to its end leaves what it reached; one
 * that fails ends the process, and nothing is opened after it. */
static struct wy_error *run_after(struct whyso_answer *a, const char *module, struct whyso_load *l,
                                  const struct wy_process **state) {
    static const char *const words[] = {
        [WY_RUN_OK] = "ok", [WY_RUN_FAILS] = "fails", [WY_RUN_UNKNOWN] = "unknown"};
    if (!wy_importer_finds(a->importer, module))
        return wy_errorf("--after %s: %s has no module of this name", module, a->world->env.prefix);
    const struct wy_run *run = wy_importer_run(a->importer, module);
    l->after.outcome = words[run->outcome];
    l->after.message = run->message;
    l->after.reason = run->reason;
    l->ok = run->outcome != WY_RUN_FAILS;
    *state = run->after;
    return NULL;
}

static struct wy_error *run(struct whyso_answer *a, const char *const *requests, size_t n,
                            struct whyso_load *l) {
    struct wy_open alone;
    const struct wy_open *started = &alone;
    if (a->importer)
        started = wy_importer_start(a->importer);
    else
        wy_ld_start(a->ld, l->program_path, &alone);
    wy_fill_step(a, l->program_path, started, &l->program);
    l->ok = started->outcome == WY_OPEN_OK;
    const struct wy_process *state = started->after;
    if (l->ok && l->after.module)
        WY_TRY(run_after(a, l->after.module, l, &state));
    return l->ok ? run_steps(a, state, requests, n, l) : NULL;
}

struct whyso_answer *whyso_load(const struct whyso_options *o, const char *program,
                                const char *after, const char *const *requests, size_t n,
                                const struct whyso_load **ret) {
    struct whyso_answer *a = wy_answer_new();
    struct whyso_load *l = WY_NEW(&a->arena, struct whyso_load);
    *ret = NULL;
    if (wy_answer_fails(a, start(a, o, program, &l->program_path)))
        return a;
    wy_session_environment(a, o, &l->environment);
    l->after.module = after;
    if (!wy_answer_fails(a, run(a, requests, n, l)))
        *ret = l;
    return a;
}
