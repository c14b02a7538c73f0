/* Subscripts, slices, going through things, comprehensions. */
#include "import/internal.h"

enum { MOST_CHARACTERS = 4096 };

static struct wy_value missing(struct wy_exec *x, bool open, const char *class_name) {
    if (!open)
        wy_exec_raise_named(x, class_name, NULL);
    return WY_UNKNOWN;
}

static struct wy_value text_at(struct wy_exec *x, struct wy_value of, int64_t i) {
    i += i < 0 ? of.n : 0;
    if (i < 0 || i >= of.n)
        return missing(x, false, "IndexError");
    if (of.kind == WY_V_BYTES)
        return wy_value_int((unsigned char)of.text[i]);
    return (unsigned char)of.text[i] < 0x80 ? wy_value_text((struct wy_str){of.text + i, 1})
                                            : WY_UNKNOWN;
}

static struct wy_value list_at(struct wy_exec *x, const struct wy_list *l, int64_t i) {
    if (i < 0 && l->open)
        return WY_UNKNOWN;
    i += i < 0 ? l->n : 0;
    return i >= 0 && i < l->n ? l->v[i] : missing(x, l->open, "IndexError");
}

static struct wy_value dict_at(struct wy_exec *x, const struct wy_table *t, struct wy_value key) {
    const char *name = wy_key_name(x, key);
    struct wy_value v = name ? wy_table_get(t, name) : WY_UNKNOWN;
    return v.kind == WY_V_UNBOUND ? missing(x, t->open, "KeyError") : v;
}

struct wy_value wy_subscript(struct wy_exec *x, struct wy_value of, struct wy_value index) {
    bool number = index.kind == WY_V_INT || index.kind == WY_V_BOOL;
    if (of.kind == WY_V_DICT)
        return dict_at(x, of.table, index);
    if ((of.kind == WY_V_LIST || of.kind == WY_V_TUPLE) && number)
        return list_at(x, of.list, index.number);
    if ((of.kind == WY_V_STR || of.kind == WY_V_BYTES) && number)
        return text_at(x, of, index.number);
    if (of.kind == WY_V_CLASS || of.kind == WY_V_FUNCTION) /* Generic[T] */
        return of.kind == WY_V_CLASS ? of : WY_UNKNOWN;
    if (of.kind == WY_V_NAMED)
        return wy_known_subscript(x, of.known, index);
    if (of.kind == WY_V_INSTANCE) {
        struct wy_value f = wy_class_find(of.instance->class_, x->im->n.getitem);
        struct wy_value args[] = {of, index};
        if (f.kind == WY_V_FUNCTION)
            return wy_call(x, f, &(struct wy_args){.v = args, .n = 2});
    }
    return WY_UNKNOWN;
}

/* ---- slices ---- */

static bool bound_of(struct wy_exec *x, const struct wy_expr *e, uint32_t n, int64_t without,
                     int64_t *ret) {
    *ret = without;
    if (!e)
        return true;
    struct wy_value v = wy_eval(x, e);
    if (v.kind == WY_V_NONE)
        return true;
    if (v.kind != WY_V_INT)
        return false;
    *ret = v.number < 0 ? v.number + n : v.number;
    *ret = *ret < 0 ? 0 : *ret > n ? n : *ret;
    return true;
}

struct wy_value wy_slice(struct wy_exec *x, struct wy_value of, const struct wy_expr *slice) {
    bool text = wy_is_text(of) || of.kind == WY_V_BYTES;
    uint32_t n = text ? of.n : wy_is_sequence(of) ? of.list->n : 0;
    int64_t from, to, step;
    bool known = bound_of(x, slice->a, n, 0, &from);
    known = bound_of(x, slice->b, n, n, &to) && known;
    known = bound_of(x, slice->c, n, 1, &step) && known;
    if (x->raising || !known || (slice->c && step != 1))
        return wy_is_sequence(of) && !x->raising ? wy_copy_sequence(x, of, true) : WY_UNKNOWN;
    if (to < from)
        to = from;
    if (text) {
        of.text += from;
        of.n = (uint32_t)(to - from);
        return of;
    }
    if (!wy_is_sequence(of))
        return WY_UNKNOWN;
    bool open = of.list->open;
    if (open && slice->a && from != 0)
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, of.kind, (uint32_t)(to - from));
    for (int64_t i = from; i < to; i++)
        wy_list_add(x, v.list, of.list->v[i]);
    v.list->open = open && !slice->b;
    return v;
}

/* l[from:to] = with */
static void replace_part(struct wy_exec *x, struct wy_list *l, int64_t from, int64_t to,
                         const struct wy_list *with) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, l->n + with->n);
    for (int64_t i = 0; i < from; i++)
        wy_list_add(x, v.list, l->v[i]);
    for (uint32_t i = 0; i < with->n; i++)
        wy_list_add(x, v.list, with->v[i]);
    for (int64_t i = to > from ? to : from; i < l->n; i++)
        wy_list_add(x, v.list, l->v[i]);
    v.list->open = l->open || with->open;
    x->work += v.list->n / 4;
    wy_list_replace(x, l, v.list);
}

void wy_store_slice(struct wy_exec *x, struct wy_value of, const struct wy_expr *slice,
                    struct wy_value v) {
    struct wy_list items;
    int64_t from, to;
    if (of.kind != WY_V_LIST || slice->c || !wy_items(x, v, &items)) {
        wy_lose(x, of);
        return;
    }
    bool known = bound_of(x, slice->a, of.list->n, 0, &from);
    known = bound_of(x, slice->b, of.list->n, of.list->n, &to) && known;
    if (!x->raising && known && !of.list->open)
        replace_part(x, of.list, from, to, &items);
    else
        wy_lose(x, of);
}

void wy_store_item(struct wy_exec *x, struct wy_list *l, int64_t at, struct wy_value v) {
    at += at < 0 ? l->n : 0;
    if (l->open || at < 0 || at >= l->n)
        wy_list_open(x, l);
    else
        replace_part(x, l, at, at + 1, &(struct wy_list){.v = &v, .n = v.kind != WY_V_UNBOUND});
}

/* A new list of the same items. */
struct wy_value wy_copy_sequence(struct wy_exec *x, struct wy_value of, bool open) {
    struct wy_value v = wy_make_list(x, of.kind, of.list->n);
    for (uint32_t i = 0; i < of.list->n; i++)
        wy_list_add(x, v.list, of.list->v[i]);
    v.list->open = open || of.list->open;
    x->work += v.list->n;
    return v;
}

/* ---- going through ---- */

struct wy_value wy_binding_key(const struct wy_binding *b) {
    const struct wy_keyed_binding *k =
        b->name[0] == '\1' ? (const struct wy_keyed_binding *)b : NULL;
    return k && k->key.kind != WY_V_UNKNOWN ? k->key : wy_value_cstr(b->name);
}

static void keys(struct wy_exec *x, const struct wy_table *t, struct wy_list *ret) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, t->n);
    for (const struct wy_binding *b = t->first; b; b = b->next, x->work++)
        if (b->value.kind != WY_V_UNBOUND)
            wy_list_add(x, v.list, wy_binding_key(b));
    *ret = *v.list;
    ret->open = t->open;
}

static bool characters(struct wy_exec *x, struct wy_value of, struct wy_list *ret) {
    if (of.n > MOST_CHARACTERS)
        return false;
    struct wy_value v = wy_make_list(x, WY_V_LIST, of.n);
    for (uint32_t i = 0; i < of.n; i++)
        wy_list_add(x, v.list, text_at(x, of, i));
    *ret = *v.list;
    return true;
}

bool wy_items(struct wy_exec *x, struct wy_value of, struct wy_list *ret) {
    if (wy_is_sequence(of))
        *ret = *of.list;
    else if (of.kind == WY_V_DICT)
        keys(x, of.table, ret);
    else if (of.kind == WY_V_STR || of.kind == WY_V_BYTES)
        return characters(x, of, ret);
    else
        return false;
    return true;
}

/* ---- comprehensions ---- */

struct gathering {
    const struct wy_expr *e;
    struct wy_value into;
    bool open;
};

static void gather(struct wy_exec *x, struct gathering *g, uint32_t loop);

static void one(struct wy_exec *x, struct gathering *g) {
    if (g->into.kind != WY_V_DICT) {
        struct wy_value v = wy_eval(x, g->e->a);
        if (!x->raising)
            wy_list_add(x, g->into.list, v);
        return;
    }
    struct wy_value key = wy_eval(x, g->e->a);
    struct wy_value v = x->raising ? WY_UNKNOWN : wy_eval(x, g->e->b);
    if (!x->raising)
        wy_bind_key(x, g->into.table, key, v);
}

static enum wy_truth wanted(struct wy_exec *x, const struct wy_loop *l) {
    for (uint32_t i = 0; i < l->ifs.n; i++) {
        struct wy_value v = wy_eval(x, l->ifs.v[i]);
        enum wy_truth t = x->raising ? WY_NO : wy_truth(v);
        if (t != WY_YES)
            return t;
    }
    return WY_YES;
}

static void gather(struct wy_exec *x, struct gathering *g, uint32_t loop) {
    if (loop == g->e->loops.n) {
        one(x, g);
        return;
    }
    const struct wy_loop *l = &g->e->loops.v[loop];
    struct wy_list items;
    struct wy_value over = wy_eval(x, l->over);
    if (x->raising)
        return;
    if (!wy_items(x, over, &items)) {
        g->open = true;
        return;
    }
    g->open = g->open || items.open;
    for (uint32_t i = 0; i < items.n && !x->raising && !x->stop; i++) {
        wy_assign(x, l->target, items.v[i]);
        enum wy_truth t = wanted(x, l);
        if (t == WY_YES)
            gather(x, g, loop + 1);
        g->open = g->open || t == WY_PERHAPS;
    }
}

struct wy_value wy_comprehend(struct wy_exec *x, const struct wy_expr *e) {
    struct gathering g = {.e = e};
    struct wy_scope *outer = x->frame->scope, *kept = WY_NEW(&x->im->arena, struct wy_scope);
    kept->kind = WY_SCOPE_FUNCTION;
    kept->names = wy_make_table(x);
    kept->up = outer->kind == WY_SCOPE_MODULE ? NULL : outer; /* a class's names are seen, too */
    kept->module = outer->module;
    g.into = e->kind == WY_E_DICTCOMP  ? wy_make_dict(x)
             : e->kind == WY_E_SETCOMP ? wy_make_list(x, WY_V_SET, 0)
                                       : wy_make_list(x, WY_V_LIST, 0);
    x->frame->scope = kept;
    gather(x, &g, 0);
    x->frame->scope = outer;
    if (!kept->captured)
        wy_table_recycle(kept->names, &x->im->spare_bindings);
    if (g.into.kind == WY_V_DICT)
        g.into.table->open = g.into.table->open || g.open;
    else
        g.into.list->open = g.open;
    return x->raising ? WY_UNKNOWN : g.into;
}
