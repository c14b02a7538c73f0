/* How sure it is that a statement runs, what stops an exception, and what could not be followed. */
#include "import/internal.h"

#include <stdarg.h>
#include <stdio.h>

/* Of what people install, torchvision takes most: see docs/decisions/0007. */
enum { MOST_WORK = 10000000, MOST_WORK_OF_ALL = 40000000, MOST_NESTING = 3000 };

/* ---- doubts ---- */

const char *wy_exec_file(const struct wy_exec *x) {
    return x->frame ? x->frame->scope->module->spec->path : NULL;
}

uint32_t wy_exec_line(const struct wy_exec *x) {
    return x->frame ? x->frame->line : 0;
}

static void doubt_at(struct wy_exec *x, const char *file, uint32_t line, const char *text) {
    if (x->reason)
        return;
    x->reason = file ? wy_arena_printf(&x->im->arena, "%s:%u: %s",
                                       wy_world_shown(x->im->world, file), line, text)
                     : wy_arena_cstr(&x->im->arena, text);
    wy_log_step(x, (struct wy_step){.kind = WY_STEP_DOUBT, .text = x->reason});
}

void wy_exec_doubt(struct wy_exec *x, const char *format, ...) {
    if (x->reason)
        return;
    va_list args;
    char text[2048];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    doubt_at(x, wy_exec_file(x), wy_exec_line(x), text);
}

bool wy_exec_step(struct wy_exec *x) {
    x->work++;
    if (x->stop)
        return false;
    if (x->work > MOST_WORK || x->im->work + x->work > MOST_WORK_OF_ALL) {
        wy_exec_doubt(x, "following this import takes too many steps");
        x->stop = true;
        return false;
    }
    if (x->nesting < MOST_NESTING)
        return true;
    wy_exec_doubt(x, "what this import runs is nested too deep to be followed");
    return false;
}

/* ---- who catches ---- */

enum wy_truth wy_handler_takes(struct wy_exec *x, struct wy_value types, const struct wy_class *c) {
    if (types.kind == WY_V_CLASS)
        return wy_class_below(c, types.class_) ? WY_YES : wy_class_open(c) ? WY_PERHAPS : WY_NO;
    if (!wy_is_sequence(types))
        return WY_PERHAPS;
    enum wy_truth any = types.list->open ? WY_PERHAPS : WY_NO;
    for (uint32_t i = 0; i < types.list->n; i++) {
        enum wy_truth t = types.list->v[i].kind == WY_V_CLASS
                              ? wy_handler_takes(x, types.list->v[i], c)
                              : WY_PERHAPS;
        if (t == WY_YES)
            return t;
        any = t == WY_PERHAPS ? t : any;
    }
    return any;
}

/* Only what can be looked at without running anything is a type here. */
static bool plain(const struct wy_expr *e) {
    if (e->kind == WY_E_TUPLE) {
        for (uint32_t i = 0; i < e->items.n; i++)
            if (!plain(e->items.v[i]))
                return false;
        return true;
    }
    return e->kind == WY_E_NAME || (e->kind == WY_E_ATTRIBUTE && plain(e->a));
}

static bool try_takes(struct wy_exec *x, const struct wy_guarded *g, const struct wy_class *c) {
    for (uint32_t i = 0; i < g->stmt->handlers.n; i++) {
        const struct wy_handler *h = &g->stmt->handlers.v[i];
        if (!h->type)
            return true;
        struct wy_frame *frame = x->frame;
        struct wy_guarded *guards = x->guards;
        x->frame = g->frame;
        x->guards = g->up;
        bool takes = plain(h->type) && wy_handler_takes(x, wy_eval(x, h->type), c) == WY_YES;
        x->frame = frame;
        x->guards = guards;
        x->raising = false;
        if (takes)
            return true;
    }
    return false;
}

static const struct wy_guarded *catcher_from(struct wy_exec *x, struct wy_guarded *from,
                                             const struct wy_class *c, bool *uncertain) {
    *uncertain = false;
    for (struct wy_guarded *g = from; g; g = g->up) {
        x->work++;
        if (g->kind == WY_AROUND_ARM)
            *uncertain = true;
        else if (g->kind == WY_AROUND_BODY)
            continue;
        else if (c && (g->kind == WY_AROUND_TRY ? try_takes(x, g, c)
                                                : wy_handler_takes(x, g->types, c) == WY_YES))
            return g;
    }
    return NULL;
}

static const struct wy_guarded *catcher(struct wy_exec *x, const struct wy_class *c,
                                        bool *uncertain) {
    return catcher_from(x, x->guards, c, uncertain);
}

enum wy_catcher wy_exec_catcher(struct wy_exec *x, const struct wy_class *c) {
    bool uncertain;
    const struct wy_guarded *g = catcher(x, c, &uncertain);
    return uncertain ? WY_CAUGHT_PERHAPS : g ? WY_CAUGHT_HERE : WY_NOBODY;
}

/* ---- raising ---- */

/* What stands around an import of compiled code that goes on without the module. */
static bool around_c(struct wy_exec *x, const struct wy_guarded *g) {
    return g->kind == WY_AROUND_SUPPRESS && g->types.kind == WY_V_CLASS &&
           g->types.class_ == wy_exception_class(x->im, "BaseException");
}

/* Whether a body of a module lies between here and what catches. */
static bool leaves_a_module(const struct wy_exec *x, const struct wy_guarded *to) {
    for (const struct wy_guarded *g = x->guards; g && g != to; g = g->up)
        if (g->kind == WY_AROUND_BODY)
            return true;
    return false;
}

/* What a module that was released does not end in: else it could never be imported. */
static bool is_mistake(struct wy_exec *x, const struct wy_class *c) {
    static const char *const names[] = {"AttributeError", "NameError", "TypeError", "LookupError"};
    for (size_t i = 0; c && i < sizeof names / sizeof *names; i++)
        if (wy_class_below(c, wy_exception_class(x->im, names[i])))
            return true;
    return false;
}

/* That nobody knows whether a module is imported at all is no reason to believe what its own body
 * raises on paper: such an arm counts only for what stands in the same body, and for modules that
 * are not there. Nor is that compiled code would go on without the module. */
static bool believed(struct wy_exec *x, const struct wy_class *c) {
    const struct wy_class *missing = wy_exception_class(x->im, "ModuleNotFoundError");
    for (struct wy_guarded *g = x->guards; g && g->kind != WY_AROUND_BODY; g = g->up)
        if (g->kind == WY_AROUND_ARM)
            return true;
    bool uncertain;
    const struct wy_guarded *g = catcher(x, c, &uncertain);
    if (g && is_mistake(x, c) && leaves_a_module(x, g))
        return false;
    return (g && !around_c(x, g)) || ((g || uncertain) && c && wy_class_below(c, missing));
}

void wy_exec_raise(struct wy_exec *x, struct wy_class *c, struct wy_value value, const char *text) {
    if (x->raising || !believed(x, c))
        return;
    x->raising = true;
    x->raised = (struct wy_exception){.class_ = c,
                                      .value = value,
                                      .text = text,
                                      .event = SIZE_MAX,
                                      .how = "exception",
                                      .at = wy_exec_file(x)};
}

void wy_exec_raise_paper(struct wy_exec *x, struct wy_exception e) {
    if (!x->raising && wy_exec_catcher(x, e.class_) != WY_NOBODY)
        wy_exec_raise(x, e.class_, wy_exception_value(x, &e), e.text);
}

void wy_exec_raise_named(struct wy_exec *x, const char *class_name, const char *text) {
    wy_exec_raise_paper(
        x, (struct wy_exception){.class_ = wy_exception_class(x->im, class_name), .text = text});
}

void wy_exec_travel(struct wy_exec *x, struct wy_exception e) {
    bool uncertain;
    const struct wy_guarded *g = catcher(x, e.class_, &uncertain);
    x->events.v[e.event].guard = uncertain ? WY_MAYBE : g ? WY_CAUGHT : WY_MUST;
    x->raising = true;
    x->raised = e;
}

void wy_exec_fail(struct wy_exec *x, struct wy_exception e) {
    e.event = x->events.n - 1;
    if (x->handling && x->handling->event < e.event)
        x->events.v[e.event].within = (uint32_t)x->handling->event + 1;
    if (e.class_)
        e.value = wy_exception_value(x, &e);
    wy_exec_travel(x, e);
    for (struct wy_running *r = x->running; r; r = r->up) {
        r->failures++;
        r->failed = r->failed || x->maybe <= r->maybe;
    }
}

void wy_exec_reraise(struct wy_exec *x, struct wy_exception e) {
    if (e.class_ && e.value.kind == WY_V_UNKNOWN)
        e.value = wy_exception_value(x, &e);
    for (struct wy_running *r = x->running; r; r = r->up)
        r->failures++;
    wy_exec_travel(x, e);
}

static bool stops(struct wy_exec *x, const struct wy_guarded *g, const struct wy_class *c);

/* Whether all that these statements may raise in place of `c` ends in a handler outside of `from`.
 */
static bool raises_end(struct wy_exec *x, struct wy_guarded *from, const struct wy_body *body,
                       const struct wy_class *c) {
    for (uint32_t i = 0; i < body->n; i++) {
        const struct wy_stmt *s = &body->v[i];
        const struct wy_class *raised = c;
        bool uncertain;
        if (!raises_end(x, from, &s->body, c) || !raises_end(x, from, &s->orelse, c))
            return false;
        if (s->kind != WY_S_RAISE)
            continue;
        if (s->value && (s->value->kind != WY_E_CALL || s->value->a->kind != WY_E_NAME))
            return false;
        if (s->value)
            raised = wy_exception_class(x->im, s->value->a->name);
        const struct wy_guarded *g = raised ? catcher_from(x, from, raised, &uncertain) : NULL;
        if (!g || !stops(x, g, raised))
            return false;
    }
    return true;
}

/* Whether a failure that this statement takes goes no further, whatever it is raised as. */
static bool stops(struct wy_exec *x, const struct wy_guarded *g, const struct wy_class *c) {
    for (uint32_t i = 0; g->kind == WY_AROUND_TRY && i < g->stmt->handlers.n; i++)
        if (!raises_end(x, g->up, &g->stmt->handlers.v[i].body, c))
            return false;
    return true;
}

/* Compiled code goes on, whatever it is raised as. */
static bool ends_in_c(struct wy_exec *x) {
    for (const struct wy_guarded *g = x->guards; g; g = g->up)
        if (around_c(x, g))
            return true;
    return false;
}

/* An exception has left a part that may not run at all. */
void wy_exec_absorb(struct wy_exec *x) {
    if (!x->raising)
        return;
    x->raising = false;
    if (x->raised.event == SIZE_MAX || x->raised.event >= x->events.n)
        return;
    bool uncertain;
    const struct wy_guarded *g = catcher(x, x->raised.class_, &uncertain);
    if (g && (stops(x, g, x->raised.class_) || ends_in_c(x)))
        return;
    const struct wy_event *e = &x->events.v[x->raised.event];
    struct wy_arena scratch = WY_ARENA_INIT;
    doubt_at(x, e->file, e->line,
             wy_arena_printf(&scratch,
                             "%s, if this statement runs: it stands below a condition that was not "
                             "followed",
                             e->message ? e->message : "the process ends here"));
    wy_arena_deinit(&scratch);
}

void wy_exec_doubtful(struct wy_exec *x) {
    struct wy_frame *f = x->frame;
    x->cuts++;
    if (f->doubtful)
        return;
    f->doubtful = true;
    f->doubt = (struct wy_guarded){.up = x->guards, .kind = WY_AROUND_ARM, .frame = f};
    x->guards = &f->doubt;
    x->maybe++;
}

void wy_guards_restore(struct wy_exec *x, struct wy_guarded *guards) {
    struct wy_frame *f = x->frame;
    for (const struct wy_guarded *g = guards; g; g = g->up)
        if (g == &f->doubt) {
            x->guards = guards;
            return;
        }
    if (f->doubtful) {
        f->doubt.up = guards;
        guards = &f->doubt;
    }
    x->guards = guards;
}
