/* try, with and raise. */
#include "import/internal.h"

/* ---- raise ---- */

static bool same_exception(struct wy_value v, const struct wy_exception *e) {
    return v.kind == WY_V_INSTANCE && e->value.kind == WY_V_INSTANCE &&
           v.instance == e->value.instance;
}

/* Raised again: `raise` alone, or the name it was bound to. */
static enum wy_flow again(struct wy_exec *x, const struct wy_exception *e) {
    if (e->event != SIZE_MAX)
        wy_exec_travel(x, *e);
    else
        wy_exec_raise(x, e->class_, e->value, e->text);
    return x->raising ? WY_RAISE : WY_NEXT;
}

/* One thing after the other was tried, the loader refused, and now this function or module says so.
 */
static bool gives_up(const struct wy_exec *x) {
    return x->frame->caught && x->running && !x->frame->doubtful && x->maybe <= x->running->maybe;
}

/* `raise E from None`: what was being handled is not shown (PEP 409). */
static bool from_nothing(const struct wy_stmt *s) {
    const struct wy_expr *cause = wy_stmt_value2(s);
    return cause && cause->kind == WY_E_NONE;
}

/* A module that says for itself that it is not for this place: `if sys.platform != "win32": raise
 * ImportError`. On paper no verdict, but nothing behind it is run. */
static bool ends_import(struct wy_exec *x, const struct wy_exception *e) {
    return e->event == SIZE_MAX && !e->unnamed && e->class_ && !x->maybe && !x->frame->function &&
           wy_exec_catcher(x, e->class_) == WY_NOBODY;
}

/* An exception that is raised while a failure of the loader is handled, or behind that in the same
 * function, tells of that failure: it is believed. Any other is only what stands on paper; where
 * one follows such a failure, the outcome is not known. */
enum wy_flow wy_run_raise(struct wy_exec *x, const struct wy_stmt *s) {
    const struct wy_exception *handled = x->handling;
    if (!s->value)
        return handled ? again(x, handled) : WY_NEXT;
    struct wy_value v = wy_eval(x, s->value);
    if (x->raising)
        return WY_RAISE;
    if (v.kind == WY_V_CLASS)
        v = wy_instantiate(x, v.class_, &(struct wy_args){0});
    for (const struct wy_exception *e = handled; e; e = e->around)
        if (same_exception(v, e))
            return again(x, e);
    struct wy_class *c =
        v.kind == WY_V_INSTANCE ? v.instance->class_ : wy_exception_class(x->im, "Exception");
    struct wy_exception e = {.class_ = c,
                             .value = v,
                             .text = wy_exception_text(x, v),
                             .event = handled ? handled->event : SIZE_MAX,
                             .how = "exception",
                             .unnamed = v.kind != WY_V_INSTANCE,
                             .unchained = from_nothing(s),
                             .at = handled ? handled->at : NULL};
    if (!handled && gives_up(x)) {
        e.event = x->frame->caught - 1;
        e.unchained = true;
        e.at = wy_exec_file(x);
        wy_exec_reraise(x, e);
        return WY_RAISE;
    }
    enum wy_flow flow = again(x, &e);
    if (flow == WY_NEXT && ends_import(x, &e)) {
        wy_exec_doubt(x, "raises %s%s%s", c->name, e.text ? ": " : "", e.text ? e.text : "");
        x->stop = true;
    }
    if (flow == WY_NEXT && e.event == SIZE_MAX && x->running && x->running->failed && !x->maybe)
        wy_exec_doubt(x, "raises %s after a library could not be loaded",
                      c ? c->name : "an exception");
    return flow;
}

/* ---- try ---- */

static const struct wy_handler *handler_for(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_exception e = x->raised;
    const struct wy_handler *found = NULL;
    if (!e.class_)
        return NULL;
    x->raising = false;
    for (uint32_t i = 0; i < s->handlers.n && !found; i++) {
        const struct wy_handler *h = &s->handlers.v[i];
        struct wy_value types = h->type ? wy_eval(x, h->type) : WY_UNKNOWN;
        x->raising = false;
        enum wy_truth t = h->type ? wy_handler_takes(x, types, e.class_) : WY_YES;
        if (t == WY_YES)
            found = h;
        else if (t == WY_PERHAPS && e.event != SIZE_MAX)
            wy_exec_doubt(x, "whether this handler catches the failure is not known");
    }
    x->raising = true;
    x->raised = e;
    return found;
}

static enum wy_flow handle(struct wy_exec *x, const struct wy_handler *h) {
    struct wy_exception e = x->raised;
    x->raising = false;
    if (e.event != SIZE_MAX && x->running) {
        x->running->failures++; /* what comes out of it is no longer what came in */
        x->frame->caught = e.event + 1;
    }
    e.around = x->handling;
    x->handling = &e;
    if (h->as)
        wy_bind_name(x, h->as, e.value);
    enum wy_flow flow = wy_run_body(x, &h->body);
    if (h->as)
        wy_bind_name(x, h->as, WY_UNBOUND);
    x->handling = e.around;
    return flow;
}

static enum wy_flow run_finally(struct wy_exec *x, const struct wy_body *body, enum wy_flow flow) {
    if (!body->n)
        return flow;
    bool raising = x->raising;
    struct wy_exception e = x->raised;
    struct wy_value result = x->frame->result;
    x->raising = false;
    enum wy_flow own = wy_run_body(x, body);
    if (own != WY_NEXT)
        return own;
    x->raising = raising;
    x->raised = e;
    x->frame->result = result;
    return flow;
}

enum wy_flow wy_run_try(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_guarded *around = x->guards;
    struct wy_guarded guard = {.up = around, .kind = WY_AROUND_TRY, .frame = x->frame, .stmt = s};
    if (s->handlers.n)
        x->guards = &guard;
    enum wy_flow flow = wy_run_body(x, &s->body);
    wy_guards_restore(x, around);
    if (flow == WY_RAISE) {
        const struct wy_handler *h = handler_for(x, s);
        if (h)
            flow = handle(x, h);
    } else if (flow == WY_NEXT) {
        flow = wy_run_body(x, &s->orelse);
    }
    return run_finally(x, &s->finally, flow);
}

/* ---- with ---- */

static bool is_suppress(struct wy_value v) {
    return v.kind == WY_V_METHOD && v.method->function.kind == WY_V_NAMED &&
           strcmp(v.method->function.known->name, "contextlib.suppress") == 0;
}

static struct wy_value call_special(struct wy_exec *x, struct wy_value v, const char *name,
                                    bool open) {
    struct wy_value f = wy_class_find(v.instance->class_, name);
    struct wy_value none[] = {v, WY_NONE, WY_NONE, WY_NONE};
    if (f.kind != WY_V_FUNCTION)
        return WY_UNKNOWN;
    return wy_call(x, f, &(struct wy_args){.v = none, .n = open ? 4 : 1});
}

static struct wy_value entered(struct wy_exec *x, struct wy_value v) {
    if (v.kind == WY_V_INSTANCE)
        return call_special(x, v, x->im->n.enter, false);
    if (v.kind == WY_V_LIST) /* what a generator gave */
        return v.list->n ? v.list->v[0] : WY_UNKNOWN;
    return v.kind == WY_V_METHOD || v.kind == WY_V_PATH ? v : WY_UNKNOWN;
}

static enum wy_flow run_items(struct wy_exec *x, const struct wy_stmt *s, uint32_t i) {
    if (i == s->with_items.n)
        return wy_run_body(x, &s->body);
    const struct wy_with_item *item = &s->with_items.v[i];
    struct wy_value v = wy_eval(x, item->value);
    if (x->raising)
        return WY_RAISE;
    struct wy_guarded *around = x->guards;
    struct wy_guarded guard = {.up = around, .kind = WY_AROUND_SUPPRESS, .frame = x->frame};
    if (is_suppress(v)) {
        guard.types = v.method->self;
        x->guards = &guard;
    }
    struct wy_value inner = entered(x, v);
    if (item->target && !x->raising)
        wy_assign(x, item->target, inner);
    enum wy_flow flow = x->raising ? WY_RAISE : run_items(x, s, i + 1);
    wy_guards_restore(x, around);
    if (is_suppress(v) && flow == WY_RAISE && x->raised.class_ &&
        wy_handler_takes(x, v.method->self, x->raised.class_) == WY_YES) {
        x->raising = false;
        return WY_NEXT;
    }
    if (v.kind == WY_V_INSTANCE && !x->raising)
        call_special(x, v, x->im->n.exit, true);
    return x->raising ? WY_RAISE : flow;
}

enum wy_flow wy_run_with(struct wy_exec *x, const struct wy_stmt *s) {
    return run_items(x, s, 0);
}
