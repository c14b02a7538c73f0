/* Expressions → values. */
#include "base/buf.h"
#include "import/internal.h"

/* ---- names ---- */

static bool declared_global(const struct wy_scope *s, const char *name) {
    for (const struct wy_declared *d = s->declared; d; d = d->next)
        if (d->name == name)
            return d->global;
    return false;
}

/* A module that may bind more than is known hardly ever binds the name of a builtin. */
static struct wy_value global_value(struct wy_exec *x, struct wy_module *m, const char *name) {
    struct wy_value v = wy_module_attribute(x, m, name);
    if (v.kind != WY_V_UNBOUND && v.kind != WY_V_UNKNOWN)
        return v;
    struct wy_value builtin =
        wy_table_get(m->scope.names, name).kind == WY_V_UNBOUND ? wy_builtin(x, name) : WY_UNBOUND;
    if (builtin.kind != WY_V_UNBOUND)
        return builtin;
    if (v.kind == WY_V_UNBOUND)
        wy_exec_raise_named(x, "NameError", NULL);
    return WY_UNKNOWN;
}

struct wy_value wy_name_value(struct wy_exec *x, const char *name) {
    struct wy_scope *s = x->frame->scope;
    struct wy_module *m = s->module;
    if (name == x->im->n.type_checking)
        return wy_value_bool(false);
    if (s->declared && declared_global(s, name))
        return global_value(x, m, name);
    for (; s; s = s->up) {
        if (s->kind == WY_SCOPE_MODULE)
            break;
        struct wy_value v = wy_table_get(s->names, name);
        if (v.kind != WY_V_UNBOUND)
            return v;
        if (s->names->open)
            return WY_UNKNOWN;
    }
    return global_value(x, m, name);
}

void wy_bind_name(struct wy_exec *x, const char *name, struct wy_value v) {
    struct wy_scope *s = x->frame->scope;
    for (const struct wy_declared *d = s->declared; d; d = d->next) {
        if (d->name != name)
            continue;
        if (d->global) {
            wy_bind(x, s->module->scope.names, name, v);
            return;
        }
        for (struct wy_scope *u = s->up; u; u = u->up)
            if (wy_table_find(u->names, name)) {
                wy_bind(x, u->names, name, v);
                return;
            }
    }
    wy_bind(x, s->names, name, v);
}

/* ---- displays ---- */

static void add_all(struct wy_exec *x, struct wy_list *to, struct wy_value from) {
    struct wy_list items;
    if (!wy_items(x, from, &items)) {
        to->open = true;
        return;
    }
    for (uint32_t i = 0; i < items.n; i++)
        wy_list_add(x, to, items.v[i]);
    x->work += items.n;
    to->open = to->open || items.open;
}

static struct wy_value sequence(struct wy_exec *x, const struct wy_expr *e,
                                enum wy_value_kind kind) {
    struct wy_value v = wy_make_list(x, kind, e->items.n);
    for (uint32_t i = 0; i < e->items.n; i++) {
        const struct wy_expr *item = e->items.v[i];
        if (item->kind == WY_E_STAR)
            add_all(x, v.list, wy_eval(x, item->a));
        else
            wy_list_add(x, v.list, wy_eval(x, item));
        if (x->raising)
            return WY_UNKNOWN;
    }
    return v;
}

static void merge_dict(struct wy_exec *x, struct wy_table *to, struct wy_value from) {
    if (from.kind != WY_V_DICT) {
        to->open = true;
        return;
    }
    for (const struct wy_binding *b = from.table->first; b; b = b->next, x->work++)
        if (b->value.kind != WY_V_UNBOUND)
            wy_bind_key(x, to, wy_binding_key(b), b->value);
    to->open = to->open || from.table->open;
}

static struct wy_value dict(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value v = wy_make_dict(x);
    for (uint32_t i = 0; i + 1 < e->items.n; i += 2) {
        const struct wy_expr *key = e->items.v[i];
        if (!key) {
            merge_dict(x, v.table, wy_eval(x, e->items.v[i + 1]));
            continue;
        }
        struct wy_value k = wy_eval(x, key);
        struct wy_value value = wy_eval(x, e->items.v[i + 1]);
        if (x->raising)
            return WY_UNKNOWN;
        wy_bind_key(x, v.table, k, value);
    }
    return v;
}

/* ---- f-strings ---- */

static bool add_field(struct wy_exec *x, struct wy_buf *b, const struct wy_expr *field) {
    struct wy_value v = wy_eval(x, field->a);
    if (field->b)
        wy_eval(x, field->b);
    return !field->b && wy_value_print(x, b, v, field->op == 'r');
}

static struct wy_value fstring(struct wy_exec *x, const struct wy_expr *e) {
    enum { LONGEST = 1 << 16 };
    wy_auto_buf b = {0};
    bool known = e->op != 't';
    for (uint32_t i = 0; i < e->items.n; i++) {
        const struct wy_expr *part = e->items.v[i];
        if (part->kind == WY_E_STRING)
            wy_buf_add(&b, part->text.p, part->text.n);
        else
            known = add_field(x, &b, part) && known;
        known = known && b.n < LONGEST;
        if (!known)
            b.n = 0;
    }
    return known ? wy_make_text(x, (struct wy_str){wy_buf_text(&b), b.n}) : WY_UNKNOWN;
}

/* ---- conditions ---- */

/* `and` gives its first false item, `or` its first true one. */
static struct wy_value chain(struct wy_exec *x, const struct wy_expr *e, enum wy_truth ends) {
    bool unknown = false;
    struct wy_value v = WY_UNKNOWN;
    for (uint32_t i = 0; i < e->items.n; i++) {
        v = wy_eval(x, e->items.v[i]);
        if (x->raising)
            return WY_UNKNOWN;
        enum wy_truth t = wy_truth(v);
        if (t == ends) /* whatever was unknown before: a value of that truth comes out */
            return unknown ? wy_unknown_of(ends) : v;
        unknown = unknown || t == WY_PERHAPS;
        if (t == WY_PERHAPS && i + 1 < e->items.n && x->frame->function)
            return WY_UNKNOWN; /* what follows may not be run */
    }
    return unknown ? WY_UNKNOWN : v;
}

static struct wy_value compare(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value left = wy_eval(x, e->a);
    enum wy_truth all = WY_YES;
    for (uint32_t i = 0; i < e->items.n && !x->raising; i++) {
        struct wy_value right = wy_eval(x, e->items.v[i]);
        if (x->raising)
            break;
        enum wy_truth t = wy_relation(x, wy_compare_op(e, i), left, right);
        if (t == WY_NO)
            return wy_value_bool(false);
        all = t == WY_PERHAPS ? t : all;
        left = right;
    }
    return wy_truth_value(all);
}

static struct wy_value conditional(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value condition = wy_eval(x, e->b);
    if (x->raising)
        return WY_UNKNOWN;
    enum wy_truth t = wy_truth(condition);
    if (t != WY_PERHAPS)
        return wy_eval(x, t == WY_YES ? e->a : e->c);
    if (x->frame->function)
        return WY_UNKNOWN;
    struct wy_value a = wy_eval(x, e->a);
    struct wy_value b = wy_eval(x, e->c);
    return wy_equal(a, b) == WY_YES ? a : WY_UNKNOWN;
}

/* ---- the rest ---- */

void wy_capture(struct wy_scope *s) {
    for (; s && !s->captured; s = s->up)
        s->captured = true;
}

static struct wy_value lambda(struct wy_exec *x, struct wy_function *ast) {
    struct wy_func *f = WY_NEW(&x->im->arena, struct wy_func);
    struct wy_scope *s = x->frame->scope;
    f->ast = ast;
    f->module = s->module;
    f->closure = s->kind == WY_SCOPE_FUNCTION ? s : s->up;
    wy_capture(f->closure);
    return (struct wy_value){.kind = WY_V_FUNCTION, .function = f};
}

static struct wy_value yielded(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value v = e->a ? wy_eval(x, e->a) : WY_NONE;
    struct wy_list *to = x->frame->yields;
    if (to && e->kind == WY_E_YIELD)
        wy_list_add(x, to, v);
    else if (to && e->kind == WY_E_YIELD_FROM)
        add_all(x, to, v);
    return WY_UNKNOWN;
}

static struct wy_value walrus(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value v = wy_eval(x, e->a);
    if (!x->raising)
        wy_bind_name(x, e->name, v);
    return v;
}

static struct wy_value subscript(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value of = wy_eval(x, e->a);
    struct wy_value index = e->b->kind == WY_E_SLICE || x->raising ? WY_UNKNOWN : wy_eval(x, e->b);
    if (x->raising)
        return WY_UNKNOWN;
    if (e->b->kind != WY_E_SLICE)
        return wy_subscript(x, of, index);
    return wy_slice(x, of, e->b);
}

static struct wy_value binary(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value a = wy_eval(x, e->a);
    struct wy_value b = x->raising ? WY_UNKNOWN : wy_eval(x, e->b);
    return x->raising ? WY_UNKNOWN : wy_binary(x, e->op, a, b);
}

static struct wy_value attribute(struct wy_exec *x, const struct wy_expr *e) {
    struct wy_value of = wy_eval(x, e->a);
    return x->raising ? WY_UNKNOWN : wy_attribute(x, of, e->name);
}

static struct wy_value eval(struct wy_exec *x, const struct wy_expr *e) {
    switch ((enum wy_expr_kind)e->kind) {
    case WY_E_NONE:
        return WY_NONE;
    case WY_E_TRUE:
    case WY_E_FALSE:
        return wy_value_bool(e->kind == WY_E_TRUE);
    case WY_E_ELLIPSIS:
        return (struct wy_value){.kind = WY_V_ELLIPSIS};
    case WY_E_INT:
        return wy_value_int(e->number);
    case WY_E_STRING:
        return wy_value_text(e->text);
    case WY_E_BYTES:
        return (struct wy_value){.kind = WY_V_BYTES, .n = (uint32_t)e->text.n, .text = e->text.p};
    case WY_E_NAME:
        return wy_name_value(x, e->name);
    case WY_E_ATTRIBUTE:
        return attribute(x, e);
    case WY_E_CALL:
        return wy_call_expr(x, e);
    case WY_E_SUBSCRIPT:
        return subscript(x, e);
    case WY_E_FSTRING:
        return fstring(x, e);
    case WY_E_LIST:
        return sequence(x, e, WY_V_LIST);
    case WY_E_TUPLE:
        return sequence(x, e, WY_V_TUPLE);
    case WY_E_SET:
        return sequence(x, e, WY_V_SET);
    case WY_E_DICT:
        return dict(x, e);
    case WY_E_LISTCOMP:
    case WY_E_SETCOMP:
    case WY_E_DICTCOMP:
    case WY_E_GENERATOR:
        return wy_comprehend(x, e);
    case WY_E_LAMBDA:
        return lambda(x, e->function);
    case WY_E_UNARY: {
        struct wy_value v = wy_eval(x, e->a);
        return x->raising ? WY_UNKNOWN : wy_unary(x, e->op, v);
    }
    case WY_E_BINARY:
        return binary(x, e);
    case WY_E_AND:
        return chain(x, e, WY_NO);
    case WY_E_OR:
        return chain(x, e, WY_YES);
    case WY_E_COMPARE:
        return compare(x, e);
    case WY_E_IF:
        return conditional(x, e);
    case WY_E_WALRUS:
        return walrus(x, e);
    case WY_E_YIELD:
    case WY_E_YIELD_FROM:
    case WY_E_AWAIT:
        return yielded(x, e);
    default:
        return WY_UNKNOWN;
    }
}

struct wy_value wy_eval(struct wy_exec *x, const struct wy_expr *e) {
    if (!wy_exec_step(x))
        return WY_UNKNOWN;
    x->nesting++;
    struct wy_value v = eval(x, e);
    x->nesting--;
    return v;
}
