/* A module that has run once need not be followed again in another process: what it asked for comes
 * in the same order, and its names are what they were. So two hundred packages that import torch
 * follow it once. Where something answers otherwise than it did then, the module is run after all.
 */
#include "import/known.h"

static bool open_again(struct wy_exec *x, const struct wy_step *s) {
    size_t events = x->events.n;
    const struct wy_process *process = x->process;
    if (wy_exec_open(x, NULL, s->text, s->mode, s->caller, NULL)) {
        x->events.v[x->events.n - 1].file = s->file;
        x->events.v[x->events.n - 1].line = s->line;
        return true;
    }
    x->events.n = events;
    x->process = process;
    return false;
}

static bool import_again(struct wy_exec *x, const struct wy_step *s, bool fails) {
    struct wy_guarded guard = {.up = x->guards, .kind = WY_AROUND_SUPPRESS, .frame = x->frame};
    size_t events = x->events.n;
    const char *reason = x->reason;
    if (s->answer && !fails) { /* what it raised was caught */
        guard.types.kind = WY_V_CLASS;
        guard.types.class_ = wy_exception_class(x->im, "BaseException");
        x->guards = &guard;
    }
    bool meant = !x->im->elsewhere || wy_find(x->im, s->spec->name) == s->spec;
    bool ok = meant && wy_exec_ensure(x, s->spec);
    x->guards = guard.up;
    if (fails && !ok && x->raised.event != SIZE_MAX)
        return true;
    if (meant && !fails && (ok || (s->answer && x->raised.event == SIZE_MAX))) {
        x->raising = false;
        for (size_t i = events; i < x->events.n; i++)
            if (!x->events.v[i].file) {
                x->events.v[i].file = s->file;
                x->events.v[i].line = s->line;
            }
        return true;
    }
    x->raising = false; /* it will be met again */
    x->events.n = events;
    x->reason = reason;
    return false;
}

static bool again(struct wy_exec *x, const struct wy_step *s, bool fails) {
    switch ((enum wy_step_kind)s->kind) {
    case WY_STEP_IMPORT:
        return import_again(x, s, fails);
    case WY_STEP_OPEN:
        return open_again(x, s);
    case WY_STEP_BIND:
        wy_vec_push(&x->undo,
                    ((struct wy_undo){.binding = s->binding, .value = s->binding->value}));
        s->binding->value = s->value;
        return true;
    case WY_STEP_LIST:
        wy_vec_push(&x->undo, ((struct wy_undo){.list = s->list, .before = *s->list}));
        *s->list = *s->after;
        return true;
    case WY_STEP_LOADED:
        return s->answer == wy_is_loaded(x, s->spec);
    case WY_STEP_ALIAS:
        if (s->value.kind != WY_V_UNBOUND)
            *wy_exec_state(x, s->spec) |= WY_LOADED;
        else
            *wy_exec_state(x, s->spec) &= (uint8_t)~WY_LOADED;
        return true;
    case WY_STEP_MODE:
        x->dlopen_flags = s->mode;
        return true;
    case WY_STEP_DOUBT:
        x->reason = x->reason ? x->reason : s->text;
        return true;
    }
    return false;
}

static bool step(struct wy_exec *x, const struct wy_step *s, bool fails) {
    struct wy_guarded guard = {.up = x->guards, .kind = WY_AROUND_ARM, .frame = x->frame};
    x->work++;
    if (!s->maybe)
        return again(x, s, fails);
    x->guards = &guard;
    x->maybe++;
    bool same = again(x, s, fails);
    x->maybe--;
    x->guards = guard.up;
    return same;
}

bool wy_exec_replay(struct wy_exec *x, struct wy_module *m) {
    struct wy_running running = {
        .up = x->running, .module = m, .maybe = x->maybe, .id = ++x->im->nrunning, .again = true};
    bool same = true;
    x->running = &running;
    for (size_t i = 0; i < m->log->n && same; i++)
        same = step(x, &m->log->v[i], m->log->fails && i + 1 == m->log->n);
    x->running = running.up;
    wy_exec_blind(x, m->log->blind);
    wy_vec_free(&running.steps);
    return same;
}
