/* Built-in functions of values; those of attributes and types are in known_objects.c. */
#include "base/buf.h"
#include "import/known.h"

static struct wy_value first(const struct wy_args *a) {
    return wy_argument(a, 0, NULL);
}

static struct wy_value b_len(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = first(a);
    struct wy_list items;
    if (v.kind == WY_V_STR || v.kind == WY_V_BYTES)
        return wy_value_int(v.n);
    return wy_items(x, v, &items) && !items.open ? wy_value_int(items.n) : WY_UNKNOWN;
}

static struct wy_value text_of(struct wy_exec *x, struct wy_value v, bool quoted) {
    wy_auto_buf b = {0};
    return wy_value_print(x, &b, v, quoted) ? wy_make_text(x, (struct wy_str){wy_buf_text(&b), b.n})
                                            : WY_UNKNOWN;
}

static struct wy_value b_str(struct wy_exec *x, const struct wy_args *a) {
    return a->n == 1 ? text_of(x, a->v[0], false) : a->n == 0 ? wy_value_cstr("") : WY_UNKNOWN;
}

static struct wy_value b_repr(struct wy_exec *x, const struct wy_args *a) {
    return text_of(x, first(a), true);
}

static struct wy_value b_int(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = first(a);
    uint64_t n;
    (void)x;
    if (a->n != 1)
        return WY_UNKNOWN;
    if (v.kind == WY_V_INT || v.kind == WY_V_BOOL)
        return wy_value_int(v.number);
    if (v.kind == WY_V_STR && wy_str_u64(wy_str_trim(wy_value_str(v)), INT64_MAX, &n))
        return wy_value_int((int64_t)n);
    if (v.kind == WY_V_STR)
        wy_exec_raise_named(x, "ValueError", NULL);
    return WY_UNKNOWN;
}

static struct wy_value b_bool(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return a->n ? wy_truth_value(wy_truth(a->v[0])) : wy_value_bool(false);
}

/* ---- sequences ---- */

static struct wy_value sequence(struct wy_exec *x, const struct wy_args *a,
                                enum wy_value_kind kind) {
    struct wy_value v = wy_make_list(x, kind, 0);
    struct wy_list items = {0};
    if (a->n && !wy_items(x, a->v[0], &items))
        items.open = true;
    for (uint32_t i = 0; i < items.n; i++)
        wy_list_add(x, v.list, items.v[i]);
    v.list->open = items.open || a->open;
    x->work += items.n;
    return v;
}

static struct wy_value b_list(struct wy_exec *x, const struct wy_args *a) {
    return sequence(x, a, WY_V_LIST);
}
static struct wy_value b_tuple(struct wy_exec *x, const struct wy_args *a) {
    return sequence(x, a, WY_V_TUPLE);
}
static struct wy_value b_set(struct wy_exec *x, const struct wy_args *a) {
    return sequence(x, a, WY_V_SET);
}

static struct wy_value b_reversed(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = sequence(x, a, WY_V_LIST);
    for (uint32_t i = 0; i < v.list->n / 2; i++) {
        struct wy_value t = v.list->v[i];
        v.list->v[i] = v.list->v[v.list->n - 1 - i];
        v.list->v[v.list->n - 1 - i] = t;
    }
    return v;
}

static int by_order(const void *a, const void *b) {
    const struct wy_value *p = a, *q = b;
    int order = 0;
    wy_compare(*p, *q, &order);
    return order;
}

static struct wy_value b_sorted(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = sequence(x, a, WY_V_LIST);
    int order;
    for (uint32_t i = 0; i < v.list->n; i++)
        if (a->nnamed || !wy_compare(v.list->v[0], v.list->v[i], &order))
            return v; /* the same items, in an order that is not known */
    if (v.list->n)
        qsort(v.list->v, v.list->n, sizeof *v.list->v, by_order);
    return v;
}

static struct wy_value b_dict(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_make_dict(x);
    if (a->n)
        wy_update(x, v.table, a->v[0]);
    for (uint32_t i = 0; i < a->nnamed; i++)
        wy_bind_key(x, v.table, wy_value_cstr(a->names[i]), a->named[i]);
    v.table->open = v.table->open || a->open;
    return v;
}

static struct wy_value b_range(struct wy_exec *x, const struct wy_args *a) {
    enum { MOST = 10000 };
    int64_t from = 0, to, step = 1;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].kind != WY_V_INT)
            return WY_UNKNOWN;
    if (a->n == 0 || a->n > 3 || a->open)
        return WY_UNKNOWN;
    to = a->v[a->n > 1].number;
    from = a->n > 1 ? a->v[0].number : 0;
    step = a->n > 2 ? a->v[2].number : 1;
    if (step <= 0 || from < -MOST || to > MOST)
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0);
    for (int64_t i = from; i<to; i += step> MOST ? MOST : step)
        wy_list_add(x, v.list, wy_value_int(i));
    return v;
}

static struct wy_value pair(struct wy_exec *x, struct wy_value a, struct wy_value b) {
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 2);
    wy_list_add(x, v.list, a);
    wy_list_add(x, v.list, b);
    return v;
}

static struct wy_value b_enumerate(struct wy_exec *x, const struct wy_args *a) {
    struct wy_list items;
    struct wy_value start = wy_given(x, a, 1, "start");
    if (!wy_items(x, first(a), &items))
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, WY_V_LIST, items.n);
    int64_t from = start.kind == WY_V_INT && start.number < INT32_MAX ? start.number : 0;
    for (uint32_t i = 0; i < items.n; i++)
        wy_list_add(x, v.list, pair(x, wy_value_int(from + i), items.v[i]));
    v.list->open = items.open;
    return v;
}

static struct wy_value b_zip(struct wy_exec *x, const struct wy_args *a) {
    enum { MOST = 8 };
    struct wy_list items[MOST];
    uint32_t n = UINT32_MAX;
    bool open = a->open;
    if (a->n == 0 || a->n > MOST)
        return WY_UNKNOWN;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!wy_items(x, a->v[i], &items[i]))
            return WY_UNKNOWN;
        n = items[i].n < n ? items[i].n : n;
        open = open || items[i].open;
    }
    struct wy_value v = wy_make_list(x, WY_V_LIST, n);
    for (uint32_t i = 0; i < n; i++) {
        struct wy_value t = wy_make_list(x, WY_V_TUPLE, a->n);
        for (uint32_t k = 0; k < a->n; k++)
            wy_list_add(x, t.list, items[k].v[i]);
        wy_list_add(x, v.list, t);
    }
    v.list->open = open;
    return v;
}

static struct wy_value b_map(struct wy_exec *x, const struct wy_args *a) {
    struct wy_list items;
    if (a->n != 2 || !wy_items(x, a->v[1], &items))
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, WY_V_LIST, items.n);
    for (uint32_t i = 0; i < items.n && !x->raising; i++)
        wy_list_add(x, v.list, wy_call(x, a->v[0], &(struct wy_args){.v = &items.v[i], .n = 1}));
    v.list->open = items.open;
    return v;
}

static struct wy_value b_filter(struct wy_exec *x, const struct wy_args *a) {
    struct wy_list items;
    if (a->n != 2 || !wy_items(x, a->v[1], &items))
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0);
    v.list->open = items.open;
    for (uint32_t i = 0; i < items.n && !x->raising; i++) {
        struct wy_value kept =
            a->v[0].kind == WY_V_NONE
                ? items.v[i]
                : wy_call(x, a->v[0], &(struct wy_args){.v = &items.v[i], .n = 1});
        enum wy_truth t = wy_truth(kept);
        if (t == WY_YES)
            wy_list_add(x, v.list, items.v[i]);
        v.list->open = v.list->open || t == WY_PERHAPS;
    }
    return v;
}

static struct wy_value any_or_all(struct wy_exec *x, const struct wy_args *a, enum wy_truth ends) {
    struct wy_list items;
    if (!wy_items(x, first(a), &items))
        return WY_UNKNOWN;
    bool unknown = items.open;
    for (uint32_t i = 0; i < items.n; i++) {
        enum wy_truth t = wy_truth(items.v[i]);
        if (t == ends)
            return wy_truth_value(ends);
        unknown = unknown || t == WY_PERHAPS;
    }
    return unknown ? WY_UNKNOWN : wy_truth_value(wy_truth_not(ends));
}
static struct wy_value b_any(struct wy_exec *x, const struct wy_args *a) {
    return any_or_all(x, a, WY_YES);
}
static struct wy_value b_all(struct wy_exec *x, const struct wy_args *a) {
    return any_or_all(x, a, WY_NO);
}

static struct wy_value extreme(struct wy_exec *x, const struct wy_args *a, int sign) {
    struct wy_list items = {.v = a->v, .n = a->n};
    if (a->nnamed || a->open || (a->n == 1 && !wy_items(x, a->v[0], &items)) || items.open ||
        !items.n)
        return WY_UNKNOWN;
    struct wy_value best = items.v[0];
    for (uint32_t i = 1; i < items.n; i++) {
        int order;
        if (!wy_compare(items.v[i], best, &order))
            return WY_UNKNOWN;
        if (order * sign > 0)
            best = items.v[i];
    }
    return best;
}
static struct wy_value b_max(struct wy_exec *x, const struct wy_args *a) {
    return extreme(x, a, 1);
}
static struct wy_value b_min(struct wy_exec *x, const struct wy_args *a) {
    return extreme(x, a, -1);
}

static struct wy_value b_same(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    struct wy_value v = first(a);
    return v.kind == WY_V_UNBOUND ? WY_UNKNOWN : v;
}

static struct wy_value b_next(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = first(a);
    if (!wy_is_sequence(v))
        return WY_UNKNOWN;
    if (v.list->n)
        return v.list->v[0];
    return a->n > 1 && !v.list->open ? a->v[1] : WY_UNKNOWN;
    (void)x;
}

static struct wy_value nothing(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a;
    return WY_NONE;
}

static struct wy_value unknown(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a;
    return WY_UNKNOWN;
}

static struct wy_value not_implemented(struct wy_exec *x) {
    (void)x;
    return WY_UNKNOWN;
}

static const struct wy_known rows[] = {
    {.name = "builtins.len", .call = b_len},
    {.name = "builtins.str", .call = b_str},
    {.name = "builtins.repr", .call = b_repr},
    {.name = "builtins.ascii", .call = unknown},
    {.name = "builtins.format", .call = unknown},
    {.name = "builtins.int", .call = b_int},
    {.name = "builtins.bool", .call = b_bool},
    {.name = "builtins.float", .call = unknown},
    {.name = "builtins.complex", .call = unknown},
    {.name = "builtins.bytes", .call = unknown},
    {.name = "builtins.bytearray", .call = unknown},
    {.name = "builtins.memoryview", .call = unknown},
    {.name = "builtins.object", .call = unknown},
    {.name = "builtins.slice", .call = unknown},
    {.name = "builtins.list", .call = b_list},
    {.name = "builtins.tuple", .call = b_tuple},
    {.name = "builtins.set", .call = b_set},
    {.name = "builtins.frozenset", .call = b_set},
    {.name = "builtins.reversed", .call = b_reversed},
    {.name = "builtins.sorted", .call = b_sorted},
    {.name = "builtins.dict", .call = b_dict},
    {.name = "builtins.range", .call = b_range},
    {.name = "builtins.enumerate", .call = b_enumerate},
    {.name = "builtins.zip", .call = b_zip},
    {.name = "builtins.map", .call = b_map},
    {.name = "builtins.filter", .call = b_filter},
    {.name = "builtins.any", .call = b_any},
    {.name = "builtins.all", .call = b_all},
    {.name = "builtins.max", .call = b_max},
    {.name = "builtins.min", .call = b_min},
    {.name = "builtins.sum", .call = unknown},
    {.name = "builtins.abs", .call = unknown},
    {.name = "builtins.round", .call = unknown},
    {.name = "builtins.pow", .call = unknown},
    {.name = "builtins.divmod", .call = unknown},
    {.name = "builtins.hash", .call = unknown},
    {.name = "builtins.id", .call = unknown},
    {.name = "builtins.ord", .call = unknown},
    {.name = "builtins.chr", .call = unknown},
    {.name = "builtins.hex", .call = unknown},
    {.name = "builtins.oct", .call = unknown},
    {.name = "builtins.bin", .call = unknown},
    {.name = "builtins.input", .call = unknown},
    {.name = "builtins.aiter", .call = unknown},
    {.name = "builtins.anext", .call = unknown},
    {.name = "builtins.iter", .call = b_same},
    {.name = "builtins.next", .call = b_next},
    {.name = "builtins.delattr", .call = nothing},
    {.name = "builtins.compile", .call = b_same},
    {.name = "builtins.print", .call = nothing},
    {.name = "builtins.help", .call = nothing},
    {.name = "builtins.breakpoint", .call = nothing},
    {.name = "builtins.copyright"},
    {.name = "builtins.credits"},
    {.name = "builtins.license"},
    {.name = "builtins.exit", .call = nothing},
    {.name = "builtins.quit", .call = nothing},
    {.name = "builtins.NotImplemented", .make = not_implemented},
    {.name = "builtins.Ellipsis", .make = not_implemented},
    {.name = "builtins.__build_class__"},
    {.name = "builtins.__debug__", .make = not_implemented},
    {.name = "builtins.__spec__", .make = not_implemented},
    {.name = "builtins.__loader__", .make = not_implemented},
    {.name = "builtins.__doc__", .make = not_implemented},
};
WY_KNOWN_TABLE(wy_known_builtins, rows);
