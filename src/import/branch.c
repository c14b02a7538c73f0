/* Conditions and loops. What is not known: at module or class level both ways are followed, each as
 * something that may run; in a called function neither is, and what it would have bound is unknown.
 */
#include "import/internal.h"

/* ---- arms ---- */

struct ending {
    bool raised;
    struct wy_exception e;
};

static struct ending run_arm(struct wy_exec *x, struct wy_arm *arm, const struct wy_body *body,
                             const struct wy_expr *target) {
    struct wy_guarded guard = {.up = x->guards, .kind = WY_AROUND_ARM, .frame = x->frame};
    struct ending end = {0};
    wy_arm_begin(x, arm);
    x->guards = &guard;
    if (target)
        wy_assign(x, target, WY_UNKNOWN);
    wy_run_body(x, body);
    x->guards = guard.up;
    wy_arm_end(x, arm);
    if (x->raising)
        end = (struct ending){true, x->raised};
    x->raising = false;
    return end;
}

static bool is_failure(const struct ending *end) {
    return end->raised && end->e.event != SIZE_MAX;
}

static void absorb(struct wy_exec *x, const struct ending *end) {
    if (!is_failure(end))
        return;
    x->raised = end->e;
    x->raising = true;
    wy_exec_absorb(x);
}

/* Whichever arm runs, it fails. */
static void both_raise(struct wy_exec *x, const struct ending *a, const struct ending *b) {
    if (!is_failure(a) || !is_failure(b)) {
        wy_exec_raise(x, a->e.class_, a->e.value, a->e.text);
        absorb(x, a);
        absorb(x, b);
        return;
    }
    const struct wy_event *first = &x->events.v[a->e.event], *second = &x->events.v[b->e.event];
    if (b->e.event + 1 == x->events.n && strcmp(first->path, second->path) == 0)
        x->events.n--; /* the same one twice */
    wy_exec_travel(x, a->e);
}

static void run_both(struct wy_exec *x, const struct wy_body *body, const struct wy_body *orelse,
                     const struct wy_expr *target) {
    struct wy_arm a, b;
    struct ending of_a = run_arm(x, &a, body, target), of_b = {0};
    if (orelse && orelse->n)
        of_b = run_arm(x, &b, orelse, NULL);
    wy_arms_merge(x, &a, orelse && orelse->n ? &b : NULL);
    if (of_a.raised && of_b.raised) {
        both_raise(x, &of_a, &of_b);
        return;
    }
    absorb(x, &of_a);
    absorb(x, &of_b);
}

/* ---- what is not followed ---- */

/* NAME[…] = or globals()[…] = */
static struct wy_value container_of(struct wy_exec *x, const struct wy_expr *e) {
    if (e->kind == WY_E_NAME)
        return wy_name_value(x, e->name);
    bool names = e->kind == WY_E_CALL && e->a->kind == WY_E_NAME && e->items.n == 0 &&
                 strcmp(e->a->name, "globals") == 0;
    return names ? wy_eval(x, e) : WY_UNKNOWN;
}

static void forget_target(struct wy_exec *x, const struct wy_expr *t) {
    if (t->kind == WY_E_NAME)
        wy_bind_name(x, t->name, WY_UNKNOWN);
    else if (t->kind == WY_E_STAR)
        forget_target(x, t->a);
    else if (t->kind == WY_E_TUPLE || t->kind == WY_E_LIST)
        for (uint32_t i = 0; i < t->items.n; i++)
            forget_target(x, t->items.v[i]);
    else if (t->kind == WY_E_ATTRIBUTE && t->a->kind == WY_E_NAME) {
        wy_set_attribute(x, wy_name_value(x, t->a->name), t->name, WY_UNKNOWN);
        x->raising = false;
    } else if (t->kind == WY_E_SUBSCRIPT) {
        wy_lose(x, container_of(x, t->a));
        x->raising = false;
    }
}

void wy_forget_import(struct wy_exec *x, const struct wy_stmt *s) {
    for (uint32_t i = 0; i < s->imports.n; i++) {
        const struct wy_alias *a = &s->imports.v[i];
        if (a->as || !strchr(a->name, '.'))
            wy_bind_name(x, a->as ? a->as : a->name, WY_UNKNOWN);
    }
}

static void forget(struct wy_exec *x, const struct wy_body *body);

static void forget_one(struct wy_exec *x, const struct wy_stmt *s) {
    bool has_value = s->kind == WY_S_EXPR || s->kind == WY_S_ASSIGN;
    const struct wy_expr *v = s->value;
    if (has_value && v->kind == WY_E_CALL)
        x->frame->skipped_calls = true;
    switch ((enum wy_stmt_kind)s->kind) {
    case WY_S_ASSIGN:
    case WY_S_AUGMENT:
    case WY_S_ANNOTATE:
    case WY_S_FOR:
        for (uint32_t i = 0; i < s->targets.n; i++)
            forget_target(x, s->targets.v[i]);
        break;
    case WY_S_IMPORT:
    case WY_S_FROM:
        wy_forget_import(x, s);
        break;
    case WY_S_DEF:
        wy_bind_name(x, s->function->name, WY_UNKNOWN);
        break;
    case WY_S_CLASS:
        wy_bind_name(x, s->name, WY_UNKNOWN);
        return;
    case WY_S_EXPR: /* list.append(…) */
        if (v->kind == WY_E_CALL && v->a->kind == WY_E_ATTRIBUTE && v->a->a->kind == WY_E_NAME)
            wy_lose(x, wy_name_value(x, v->a->a->name));
        x->raising = false;
        break;
    case WY_S_RETURN:
        x->frame->returned_perhaps++;
        wy_exec_doubtful(x);
        break;
    case WY_S_TRY:
        for (uint32_t i = 0; i < s->handlers.n; i++)
            forget(x, &s->handlers.v[i].body);
        break;
    case WY_S_WITH:
        for (uint32_t i = 0; i < s->with_items.n; i++)
            if (s->with_items.v[i].target)
                forget_target(x, s->with_items.v[i].target);
        break;
    case WY_S_MATCH:
        for (uint32_t i = 0; i < s->cases.n; i++)
            forget(x, &s->cases.v[i].body);
        break;
    default:
        break;
    }
    struct wy_body last = wy_stmt_finally(s);
    forget(x, &s->body);
    forget(x, &s->orelse);
    forget(x, &last);
}

static void forget(struct wy_exec *x, const struct wy_body *body) {
    x->cuts++;
    for (uint32_t i = 0; i < body->n && wy_exec_step(x); i++)
        forget_one(x, &body->v[i]);
}

/* ---- if ---- */

enum wy_flow wy_run_if(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_value v = wy_eval(x, s->value);
    if (x->raising)
        return WY_RAISE;
    enum wy_truth t = wy_truth(v);
    if (t == WY_YES)
        return wy_run_body(x, &s->body);
    if (t == WY_NO)
        return wy_run_body(x, &s->orelse);
    if (x->frame->function) {
        forget(x, &s->body);
        forget(x, &s->orelse);
        return WY_NEXT;
    }
    run_both(x, &s->body, &s->orelse, NULL);
    return x->raising ? WY_RAISE : WY_NEXT;
}

/* ---- loops ---- */

static enum wy_flow perhaps(struct wy_exec *x, const struct wy_stmt *s) {
    const struct wy_expr *target = s->kind == WY_S_FOR ? s->targets.v[0] : NULL;
    if (x->frame->function) {
        if (target)
            forget_target(x, target);
        forget(x, &s->body);
        return WY_NEXT;
    }
    run_both(x, &s->body, NULL, target);
    return x->raising ? WY_RAISE : wy_run_body(x, &s->orelse);
}

static enum wy_flow run_while(struct wy_exec *x, const struct wy_stmt *s) {
    enum { MOST_ROUNDS = 100 };
    bool for_ever = s->value->kind == WY_E_TRUE || s->value->kind == WY_E_INT;
    for (int i = 0; i < (for_ever ? 1 : MOST_ROUNDS) && !x->stop; i++) {
        struct wy_value v = wy_eval(x, s->value);
        if (x->raising)
            return WY_RAISE;
        enum wy_truth t = wy_truth(v);
        if (t == WY_PERHAPS)
            return perhaps(x, s);
        if (t == WY_NO)
            return wy_run_body(x, &s->orelse);
        enum wy_flow flow = wy_run_body(x, &s->body);
        if (flow == WY_BREAK)
            return WY_NEXT;
        if (flow == WY_RETURN || flow == WY_RAISE)
            return flow;
    }
    return WY_NEXT;
}

static enum wy_flow run_for(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_list items;
    struct wy_value over = wy_eval(x, s->value);
    if (x->raising)
        return WY_RAISE;
    if (!wy_items(x, over, &items) || (items.n == 0 && items.open))
        return perhaps(x, s);
    for (uint32_t i = 0; i < items.n && !x->stop; i++) {
        wy_assign(x, s->targets.v[0], items.v[i]);
        enum wy_flow flow = x->raising ? WY_RAISE : wy_run_body(x, &s->body);
        if (flow == WY_BREAK)
            return WY_NEXT;
        if (flow == WY_RETURN || flow == WY_RAISE)
            return flow;
    }
    if (items.open) /* and what it does with those that are not known */
        forget(x, &s->body);
    return wy_run_body(x, &s->orelse);
}

enum wy_flow wy_run_loop(struct wy_exec *x, const struct wy_stmt *s) {
    return s->kind == WY_S_FOR ? run_for(x, s) : run_while(x, s);
}

/* ---- match ---- */

static enum wy_truth fits(struct wy_exec *x, struct wy_value v, const struct wy_expr *p) {
    if (p->kind == WY_E_NAME)
        return WY_YES; /* `_`, or a name that is bound */
    if (p->kind == WY_E_OPAQUE)
        return WY_PERHAPS;
    if (p->kind == WY_E_BINARY && p->op == WY_OP_OR) {
        enum wy_truth a = fits(x, v, p->a), b = a == WY_YES ? a : fits(x, v, p->b);
        return a == WY_YES || b == WY_YES ? WY_YES : a == WY_NO ? b : a;
    }
    return wy_equal(v, wy_eval(x, p));
}

static enum wy_truth chosen(struct wy_exec *x, struct wy_value v, const struct wy_match_case *c) {
    enum wy_truth t = fits(x, v, c->pattern);
    if (t == WY_NO)
        return t;
    for (uint32_t i = 0; i < c->binds.n; i++)
        wy_bind_name(x, c->binds.v[i]->name, c->pattern->kind == WY_E_NAME ? v : WY_UNKNOWN);
    if (!c->guard)
        return t;
    enum wy_truth g = wy_truth(wy_eval(x, c->guard));
    return g == WY_NO ? g : g == WY_YES ? t : WY_PERHAPS;
}

enum wy_flow wy_run_match(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_value v = wy_eval(x, s->value);
    for (uint32_t i = 0; i < s->cases.n && !x->raising; i++) {
        const struct wy_match_case *c = &s->cases.v[i];
        enum wy_truth t = chosen(x, v, c);
        if (t == WY_YES)
            return wy_run_body(x, &c->body);
        if (t == WY_PERHAPS && x->frame->function)
            forget(x, &c->body);
        else if (t == WY_PERHAPS)
            run_both(x, &c->body, NULL, NULL);
    }
    return x->raising ? WY_RAISE : WY_NEXT;
}
