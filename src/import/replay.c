/* A module that was followed in a process of its own need not be followed again inside another
 * import: what is loaded there already would have been passed over, the rest comes in the same
 * order. So two hundred packages that import torch follow it once. */
#include "import/internal.h"

/* A run of its own begins with room for hundreds of modules below it: its result is kept. */
enum { DEEPEST_REPLAY = 100 };

static bool touches(const struct wy_ran *ran, const struct wy_spec *spec) {
    return spec->id < ran->ntouched && (ran->touched[spec->id / 8] >> (spec->id % 8) & 1);
}

/* Not when the run would come back into a module that is half done here. */
static bool usable(const struct wy_exec *x, const struct wy_ran *ran) {
    if (!ran->finished)
        return false;
    for (const struct wy_frame *f = x->top; f; f = f->up)
        if (touches(ran, f->spec))
            return false;
    return true;
}

static enum wy_guard worse(enum wy_guard a, enum wy_guard b) {
    return a > b ? a : b;
}

/* Opens again what the run opened, on the process as it is here. False when the loader answers
 * otherwise than it did there. *fatal gets the index of the event that ended the run. */
static bool open_again(struct wy_exec *x, const struct wy_ran *ran, enum wy_guard guard,
                       size_t *fatal) {
    for (size_t i = 0; i < ran->run.nevents; i++) {
        const struct wy_event *then = &ran->run.events[i];
        const struct wy_step *step = &ran->steps[i];
        const struct wy_spec *spec = step->spec == UINT32_MAX ? NULL : x->im->specs.v[step->spec];
        if (spec && then->open && then->open->outcome == WY_OPEN_OK &&
            (*wy_exec_state(x, spec) & WY_LOADED))
            continue;
        if (then->open) {
            const struct wy_open *now = wy_exec_open(x, spec, then->path, step->mode, WY_EX_IMPORT);
            if (now->outcome != then->open->outcome)
                return false;
        } else {
            wy_vec_push(&x->events, *then);
            wy_vec_push(&x->steps, *step);
        }
        struct wy_event *e = &x->events.v[x->events.n - 1];
        e->guard = worse(guard, then->guard);
        e->file = then->file ? then->file : e->file;
        e->line = then->file ? then->line : e->line;
        if (then == ran->run.fatal)
            *fatal = x->events.n - 1;
    }
    return true;
}

static void adopt(struct wy_exec *x, const struct wy_ran *ran) {
    for (size_t i = 0; i < ran->nloaded; i++)
        *wy_exec_state(x, x->im->specs.v[ran->loaded[i]]) |= WY_LOADED;
    for (size_t i = 0; i < ran->ntouched; i++)
        if (ran->touched[i / 8] >> (i % 8) & 1)
            *wy_exec_state(x, x->im->specs.v[i]) |= WY_TOUCHED;
}

bool wy_exec_replay(struct wy_exec *x, struct wy_spec *spec, bool *raised) {
    if (!x->top || spec->parent || x->im->depth > DEEPEST_REPLAY ||
        !wy_map_get(&x->im->listed_by_name, wy_str_of(spec->name)))
        return false;
    const struct wy_ran *ran = wy_importer_ran(x->im, spec->name);
    if (!usable(x, ran))
        return false;
    struct wy_context c = wy_exec_context(x, ran->raises ? ran->raises : WY_EX_IMPORT);
    const struct wy_process *process = x->process;
    size_t events = x->events.n, fatal = SIZE_MAX;
    if (!open_again(x, ran, wy_context_guard(c), &fatal)) {
        x->process = process;
        x->events.n = x->steps.n = events;
        return false;
    }
    adopt(x, ran);
    if (ran->run.outcome == WY_RUN_UNKNOWN && !c.caught && !x->reason)
        x->reason = ran->run.reason;
    *raised = false;
    if (ran->run.outcome == WY_RUN_FAILS && fatal != SIZE_MAX) {
        struct wy_failure f = {.kind = ran->raises,
                               .how = ran->run.how,
                               .type = ran->run.raised_type,
                               .text_known = ran->run.raised_text != NULL,
                               .at = ran->run.at};
        *raised = !wy_exec_fail(x, f);
        x->failure.event = fatal;
    }
    return true;
}
