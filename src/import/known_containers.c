/* Methods of lists, sets and dicts. */
#include "import/known.h"

/* ---- lists and sets ---- */

static struct wy_value l_append(struct wy_exec *x, const struct wy_args *a) {
    if (a->n == 1)
        wy_list_append(x, a->self.list, a->v[0]);
    return WY_NONE;
}

static struct wy_value s_add(struct wy_exec *x, const struct wy_args *a) {
    if (a->n == 1 && wy_contains(x, a->self, a->v[0]) != WY_YES)
        wy_list_append(x, a->self.list, a->v[0]);
    return WY_NONE;
}

static struct wy_value l_extend(struct wy_exec *x, const struct wy_args *a) {
    for (uint32_t k = 0; k < a->n; k++) {
        struct wy_list items;
        if (!wy_items(x, a->v[k], &items)) {
            wy_list_open(x, a->self.list);
            continue;
        }
        for (uint32_t i = 0; i < items.n; i++)
            wy_list_append(x, a->self.list, items.v[i]);
        if (items.open)
            wy_list_open(x, a->self.list);
    }
    return WY_NONE;
}

static struct wy_value l_insert(struct wy_exec *x, const struct wy_args *a) {
    struct wy_list *l = a->self.list;
    if (a->n != 2 || a->v[0].kind != WY_V_INT) {
        wy_list_open(x, l);
        return WY_NONE;
    }
    int64_t at = a->v[0].number < 0 ? a->v[0].number + l->n : a->v[0].number;
    at = at < 0 ? 0 : at > l->n ? l->n : at;
    struct wy_value v = wy_make_list(x, WY_V_LIST, l->n + 1);
    for (uint32_t i = 0; i <= l->n; i++) {
        if (i == at)
            wy_list_add(x, v.list, a->v[1]);
        if (i < l->n)
            wy_list_add(x, v.list, l->v[i]);
    }
    v.list->open = l->open;
    x->work += l->n / 4;
    wy_list_replace(x, l, v.list);
    return WY_NONE;
}

static struct wy_value without(struct wy_exec *x, struct wy_list *l, uint32_t at) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, l->n), taken = l->v[at];
    for (uint32_t i = 0; i < l->n; i++)
        if (i != at)
            wy_list_add(x, v.list, l->v[i]);
    v.list->open = l->open;
    x->work += l->n / 4;
    wy_list_replace(x, l, v.list);
    return taken;
}

static struct wy_value l_pop(struct wy_exec *x, const struct wy_args *a) {
    struct wy_list *l = a->self.list;
    int64_t at = a->n && a->v[0].kind == WY_V_INT ? a->v[0].number : -1;
    at += at < 0 ? l->n : 0;
    if (a->self.kind != WY_V_LIST || l->open || at < 0 || at >= l->n ||
        (a->n && a->v[0].kind != WY_V_INT)) {
        wy_list_open(x, l);
        return WY_UNKNOWN;
    }
    return without(x, l, (uint32_t)at);
}

static struct wy_value l_remove(struct wy_exec *x, const struct wy_args *a) {
    struct wy_list *l = a->self.list;
    for (uint32_t i = 0; a->n && i < l->n; i++) {
        enum wy_truth t = wy_equal(l->v[i], a->v[0]);
        if (t == WY_PERHAPS)
            break;
        if (t == WY_YES) {
            without(x, l, i);
            return WY_NONE;
        }
    }
    wy_list_open(x, l);
    return WY_NONE;
}

static struct wy_value l_clear(struct wy_exec *x, const struct wy_args *a) {
    struct wy_list none = {0};
    wy_list_replace(x, a->self.list, &none);
    return WY_NONE;
}

static struct wy_value l_copy(struct wy_exec *x, const struct wy_args *a) {
    return wy_copy_sequence(x, a->self, false);
}

static struct wy_value l_index(struct wy_exec *x, const struct wy_args *a) {
    const struct wy_list *l = a->self.list;
    for (uint32_t i = 0; a->n && i < l->n; i++) {
        enum wy_truth t = wy_equal(l->v[i], a->v[0]);
        if (t != WY_NO)
            return t == WY_YES ? wy_value_int(i) : WY_UNKNOWN;
    }
    if (!l->open)
        wy_exec_raise_named(x, "ValueError", NULL);
    return WY_UNKNOWN;
}

static struct wy_value s_union(struct wy_exec *x, const struct wy_args *a) {
    struct wy_args with = *a;
    with.self = wy_copy_sequence(x, a->self, false);
    l_extend(x, &with);
    return with.self;
}

static struct wy_value s_difference(struct wy_exec *x, const struct wy_args *a) {
    return a->n == 1 && a->self.kind == WY_V_SET ? wy_binary(x, WY_OP_SUB, a->self, a->v[0])
                                                 : WY_UNKNOWN;
}

static struct wy_value same_items(struct wy_exec *x, const struct wy_args *a) {
    wy_list_open(x, a->self.list);
    return WY_NONE;
}

static struct wy_value keep_order(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a; /* sort, reverse: the same items */
    return WY_NONE;
}

/* ---- dicts ---- */

static struct wy_value get(struct wy_exec *x, const struct wy_args *a, struct wy_value without) {
    const char *name = a->n ? wy_key_name(x, a->v[0]) : NULL;
    if (!name)
        return WY_UNKNOWN;
    struct wy_value v = wy_table_get(a->self.table, name);
    return v.kind != WY_V_UNBOUND ? v : a->self.table->open ? WY_UNKNOWN : without;
}

static struct wy_value d_get(struct wy_exec *x, const struct wy_args *a) {
    return get(x, a, a->n > 1 ? a->v[1] : WY_NONE);
}

static struct wy_value d_setdefault(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = get(x, a, WY_UNBOUND);
    if (v.kind != WY_V_UNBOUND)
        return v;
    v = a->n > 1 ? a->v[1] : WY_NONE;
    wy_bind_key(x, a->self.table, a->v[0], v);
    return v;
}

static struct wy_value d_pop(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = get(x, a, a->n > 1 ? a->v[1] : WY_UNKNOWN);
    const char *name = a->n ? wy_key_name(x, a->v[0]) : NULL;
    if (name && wy_table_find(a->self.table, name))
        wy_bind(x, a->self.table, name, WY_UNBOUND);
    return v;
}

static struct wy_value d_keys(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0);
    wy_items(x, a->self, v.list);
    return v;
}

static struct wy_value pairs(struct wy_exec *x, const struct wy_args *a, bool with_key) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, a->self.table->n);
    for (const struct wy_binding *b = a->self.table->first; b; b = b->next, x->work++) {
        if (b->value.kind == WY_V_UNBOUND)
            continue;
        struct wy_value item = b->value;
        if (with_key) {
            item = wy_make_list(x, WY_V_TUPLE, 2);
            wy_list_add(x, item.list, wy_binding_key(b));
            wy_list_add(x, item.list, b->value);
        }
        wy_list_add(x, v.list, item);
    }
    v.list->open = a->self.table->open;
    return v;
}
static struct wy_value d_values(struct wy_exec *x, const struct wy_args *a) {
    return pairs(x, a, false);
}
static struct wy_value d_items(struct wy_exec *x, const struct wy_args *a) {
    return pairs(x, a, true);
}

void wy_update(struct wy_exec *x, struct wy_table *t, struct wy_value with) {
    struct wy_list items;
    if (with.kind == WY_V_DICT) {
        if (with.table == t)
            return;
        for (const struct wy_binding *b = with.table->first; b; b = b->next, x->work++)
            if (b->value.kind != WY_V_UNBOUND)
                wy_bind_key(x, t, wy_binding_key(b), b->value);
        t->open = t->open || with.table->open;
        return;
    }
    if (!wy_items(x, with, &items) || items.open)
        t->open = true;
    else
        for (uint32_t i = 0; i < items.n; i++)
            if (wy_is_sequence(items.v[i]) && items.v[i].list->n == 2)
                wy_bind_key(x, t, items.v[i].list->v[0], items.v[i].list->v[1]);
            else
                t->open = true;
}

static struct wy_value d_update(struct wy_exec *x, const struct wy_args *a) {
    if (a->n)
        wy_update(x, a->self.table, a->v[0]);
    for (uint32_t i = 0; i < a->nnamed; i++)
        wy_bind_key(x, a->self.table, wy_value_cstr(a->names[i]), a->named[i]);
    if (a->open)
        a->self.table->open = true;
    return WY_NONE;
}

static struct wy_value d_copy(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_make_dict(x);
    wy_update(x, v.table, a->self);
    return v;
}

static const struct wy_known rows[] = {
    {.name = "<list>.append", .call = l_append},
    {.name = "<list>.add", .call = s_add},
    {.name = "<list>.extend", .call = l_extend},
    {.name = "<list>.update", .call = l_extend},
    {.name = "<list>.insert", .call = l_insert},
    {.name = "<list>.pop", .call = l_pop},
    {.name = "<list>.remove", .call = l_remove},
    {.name = "<list>.discard", .call = l_remove},
    {.name = "<list>.clear", .call = l_clear},
    {.name = "<list>.copy", .call = l_copy},
    {.name = "<list>.index", .call = l_index},
    {.name = "<list>.union", .call = s_union},
    {.name = "<list>.difference", .call = s_difference},
    {.name = "<list>.difference_update", .call = same_items},
    {.name = "<list>.intersection_update", .call = same_items},
    {.name = "<list>.sort", .call = keep_order},
    {.name = "<list>.reverse", .call = keep_order},
    {.name = "<dict>.get", .call = d_get},
    {.name = "<dict>.setdefault", .call = d_setdefault},
    {.name = "<dict>.pop", .call = d_pop},
    {.name = "<dict>.keys", .call = d_keys},
    {.name = "<dict>.values", .call = d_values},
    {.name = "<dict>.items", .call = d_items},
    {.name = "<dict>.update", .call = d_update},
    {.name = "<dict>.copy", .call = d_copy},
};
WY_KNOWN_TABLE(wy_known_containers, rows);
