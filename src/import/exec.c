/* Statements in order. */
#include "import/internal.h"

/* ---- assignment ---- */

static void unpack(struct wy_exec *x, const struct wy_exprs *targets, struct wy_value v) {
    struct wy_list items = {0};
    bool known = wy_items(x, v, &items) && !items.open;
    uint32_t star = UINT32_MAX, n = targets->n;
    for (uint32_t i = 0; i < n; i++)
        if (targets->v[i]->kind == WY_E_STAR)
            star = i;
    known = known && (star == UINT32_MAX ? items.n == n : items.n + 1 >= n);
    for (uint32_t i = 0; i < n; i++) {
        const struct wy_expr *t = targets->v[i];
        if (t->kind == WY_E_STAR) {
            struct wy_value rest = wy_make_list(x, WY_V_LIST, 0);
            rest.list->open = !known;
            for (uint32_t k = i; known && k < items.n - (n - 1 - i); k++)
                wy_list_add(x, rest.list, items.v[k]);
            wy_assign(x, t->a, rest);
        } else {
            uint32_t at = i < star ? i : items.n - (n - i);
            wy_assign(x, t, known ? items.v[at] : WY_UNKNOWN);
        }
    }
}

static struct wy_table *attributes_of(struct wy_exec *x, struct wy_value of) {
    switch ((enum wy_value_kind)of.kind) {
    case WY_V_MODULE:
        return of.module->scope.names;
    case WY_V_INSTANCE:
        return of.instance->names;
    case WY_V_CLASS:
        return of.class_->names;
    case WY_V_FUNCTION:
        if (!of.function->names)
            of.function->names = wy_make_table(x);
        return of.function->names;
    default:
        return NULL;
    }
}

void wy_set_attribute(struct wy_exec *x, struct wy_value of, const char *name, struct wy_value v) {
    struct wy_table *t = attributes_of(x, of);
    if (of.kind == WY_V_MODULE && wy_known_set(x, wy_table_get(of.module->known, name), v))
        return;
    if (t)
        wy_bind(x, t, name, v);
}

static void set_item(struct wy_exec *x, struct wy_value of, struct wy_value index,
                     struct wy_value v) {
    if (of.kind == WY_V_DICT)
        wy_bind_key(x, of.table, index, v);
    else if (of.kind == WY_V_NAMED)
        wy_known_store(x, of.known, index, v);
    else if (of.kind == WY_V_LIST && index.kind == WY_V_INT)
        wy_store_item(x, of.list, index.number, v);
    else
        wy_lose(x, of);
}

static void assign_item(struct wy_exec *x, const struct wy_expr *target, struct wy_value v) {
    struct wy_value of = wy_eval(x, target->a);
    if (x->raising)
        return;
    if (target->b->kind == WY_E_SLICE) {
        wy_store_slice(x, of, target->b, v);
        return;
    }
    struct wy_value index = wy_eval(x, target->b);
    if (!x->raising)
        set_item(x, of, index, v);
}

void wy_assign(struct wy_exec *x, const struct wy_expr *target, struct wy_value v) {
    switch ((enum wy_expr_kind)target->kind) {
    case WY_E_NAME:
        wy_bind_name(x, target->name, v);
        return;
    case WY_E_TUPLE:
    case WY_E_LIST:
        unpack(x, &target->items, v);
        return;
    case WY_E_ATTRIBUTE: {
        struct wy_value of = wy_eval(x, target->a);
        if (!x->raising)
            wy_set_attribute(x, of, target->name, v);
        return;
    }
    case WY_E_SUBSCRIPT:
        assign_item(x, target, v);
        return;
    default:
        return;
    }
}

static void assign_all(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_value v = wy_eval(x, s->value);
    for (uint32_t i = 0; i < s->targets.n && !x->raising; i++)
        wy_assign(x, s->targets.v[i], v);
}

/* A list is changed in place: others may hold it, too. */
static void augment(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_value old = wy_eval(x, s->targets.v[0]);
    struct wy_value v = x->raising ? WY_UNKNOWN : wy_eval(x, s->value);
    struct wy_list items;
    if (x->raising)
        return;
    bool list = old.kind == WY_V_LIST || old.kind == WY_V_SET;
    if (!list || (s->op != WY_OP_ADD && s->op != WY_OP_OR)) {
        if (list)
            wy_list_open(x, old.list);
        else if (old.kind == WY_V_DICT && s->op == WY_OP_OR)
            wy_update(x, old.table, v);
        else
            wy_assign(x, s->targets.v[0], wy_binary(x, s->op, old, v));
        return;
    }
    if (!wy_items(x, v, &items)) {
        wy_list_open(x, old.list);
        return;
    }
    for (uint32_t i = 0; i < items.n; i++)
        wy_list_append(x, old.list, items.v[i]);
    if (items.open)
        wy_list_open(x, old.list);
}

static void delete_target(struct wy_exec *x, const struct wy_expr *t) {
    if (t->kind == WY_E_NAME) {
        wy_bind_name(x, t->name, WY_UNBOUND);
    } else if (t->kind == WY_E_ATTRIBUTE) {
        struct wy_value of = wy_eval(x, t->a);
        wy_set_attribute(x, of, t->name, WY_UNBOUND);
    } else if (t->kind == WY_E_SUBSCRIPT) {
        struct wy_value of = wy_eval(x, t->a), nothing = wy_make_list(x, WY_V_TUPLE, 0);
        if (t->b->kind == WY_E_SLICE && !x->raising) {
            wy_store_slice(x, of, t->b, nothing);
            return;
        }
        struct wy_value index = x->raising ? WY_UNKNOWN : wy_eval(x, t->b);
        if (!x->raising)
            set_item(x, of, index, WY_UNBOUND);
    } else if (t->kind == WY_E_TUPLE || t->kind == WY_E_LIST) {
        for (uint32_t i = 0; i < t->items.n; i++)
            delete_target(x, t->items.v[i]);
    }
}

/* ---- functions ---- */

struct wy_value wy_decorate(struct wy_exec *x, const struct wy_exprs *decorators,
                            struct wy_value v) {
    enum { MOST = 32 };
    struct wy_value made[MOST];
    uint32_t n = decorators->n < MOST ? decorators->n : MOST;
    for (uint32_t i = 0; i < n && !x->raising; i++)
        made[i] = wy_eval(x, decorators->v[i]);
    for (uint32_t i = n; i-- > 0 && !x->raising;) {
        struct wy_value result = wy_call(x, made[i], &(struct wy_args){.v = &v, .n = 1});
        if (result.kind == WY_V_FUNCTION || result.kind == WY_V_CLASS ||
            result.kind == WY_V_WRAPPED || result.kind == WY_V_INSTANCE ||
            result.kind == WY_V_METHOD)
            v = result;
    }
    return v;
}

/* @x.setter changes a property, it makes no other function. */
static bool is_setter(const struct wy_exprs *decorators) {
    for (uint32_t i = 0; i < decorators->n; i++) {
        const struct wy_expr *d = decorators->v[i];
        if (d->kind == WY_E_ATTRIBUTE &&
            (strcmp(d->name, "setter") == 0 || strcmp(d->name, "deleter") == 0))
            return true;
    }
    return false;
}

void wy_run_def(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_func *f = WY_NEW(&x->im->arena, struct wy_func);
    struct wy_scope *scope = x->frame->scope;
    f->ast = s->function;
    f->module = scope->module;
    f->class_ = x->frame->class_;
    f->closure = scope->kind == WY_SCOPE_FUNCTION ? scope : scope->up;
    wy_capture(f->closure);
    struct wy_value v = {.kind = WY_V_FUNCTION, .function = f};
    if (s->function->decorators.n) {
        if (is_setter(&s->function->decorators))
            return;
        v = wy_decorate(x, &s->function->decorators, v);
    }
    if (!x->raising)
        wy_bind_name(x, s->function->name, v);
}

static void declare(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_scope *scope = x->frame->scope;
    for (uint32_t i = 0; i < s->names.n; i++) {
        struct wy_declared *d = WY_NEW(&x->im->arena, struct wy_declared);
        *d = (struct wy_declared){scope->declared, s->names.v[i], s->kind == WY_S_GLOBAL};
        scope->declared = d;
    }
}

/* ---- one statement ---- */

static enum wy_flow run_return(struct wy_exec *x, const struct wy_stmt *s) {
    struct wy_value v = s->value ? wy_eval(x, s->value) : WY_NONE;
    if (!x->raising)
        x->frame->result = v;
    return WY_RETURN;
}

static enum wy_flow run(struct wy_exec *x, const struct wy_stmt *s) {
    switch ((enum wy_stmt_kind)s->kind) {
    case WY_S_EXPR:
        if (s->value->kind != WY_E_STRING)
            wy_eval(x, s->value);
        return WY_NEXT;
    case WY_S_ASSIGN:
        assign_all(x, s);
        return WY_NEXT;
    case WY_S_AUGMENT:
        augment(x, s);
        return WY_NEXT;
    case WY_S_ANNOTATE:
        if (s->value)
            assign_all(x, s);
        return WY_NEXT;
    case WY_S_DELETE:
        for (uint32_t i = 0; i < s->targets.n && !x->raising; i++)
            delete_target(x, s->targets.v[i]);
        return WY_NEXT;
    case WY_S_RETURN:
        return run_return(x, s);
    case WY_S_RAISE:
        return wy_run_raise(x, s);
    case WY_S_BREAK:
        return WY_BREAK;
    case WY_S_CONTINUE:
        return WY_CONTINUE;
    case WY_S_GLOBAL:
    case WY_S_NONLOCAL:
        declare(x, s);
        return WY_NEXT;
    case WY_S_IMPORT:
        wy_run_import(x, s);
        return WY_NEXT;
    case WY_S_FROM:
        wy_run_from(x, s);
        return WY_NEXT;
    case WY_S_IF:
        return wy_run_if(x, s);
    case WY_S_WHILE:
    case WY_S_FOR:
        return wy_run_loop(x, s);
    case WY_S_TRY:
        return wy_run_try(x, s);
    case WY_S_WITH:
        return wy_run_with(x, s);
    case WY_S_DEF:
        wy_run_def(x, s);
        return WY_NEXT;
    case WY_S_CLASS:
        wy_run_class(x, s);
        return WY_NEXT;
    case WY_S_MATCH:
        return wy_run_match(x, s);
    case WY_S_TYPE:
        wy_bind_name(x, s->name, WY_UNKNOWN);
        return WY_NEXT;
    default:
        return WY_NEXT;
    }
}

enum wy_flow wy_run_body(struct wy_exec *x, const struct wy_body *body) {
    for (uint32_t i = 0; i < body->n; i++) {
        if (!wy_exec_step(x))
            return WY_NEXT;
        x->frame->line = body->v[i].line;
        x->nesting++;
        enum wy_flow flow = run(x, &body->v[i]);
        x->nesting--;
        if (x->raising)
            return WY_RAISE;
        if (flow != WY_NEXT)
            return flow;
    }
    return WY_NEXT;
}
