/* Operators on values that are known; everything else is unknown. */
#include "base/buf.h"
#include "import/internal.h"

static bool is_number(struct wy_value v) {
    return v.kind == WY_V_INT || v.kind == WY_V_BOOL;
}

struct wy_value wy_unary(struct wy_exec *x, enum wy_op op, struct wy_value v) {
    (void)x;
    if (op == WY_OP_NOT)
        return wy_truth_value(wy_truth_not(wy_truth(v)));
    if (!is_number(v) || v.number == INT64_MIN)
        return WY_UNKNOWN;
    return wy_value_int(op == WY_OP_NEG ? -v.number : op == WY_OP_INVERT ? ~v.number : v.number);
}

/* ---- numbers ---- */

static bool divide(int64_t a, int64_t b, int64_t *quotient, int64_t *rest) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *quotient = a / b;
    *rest = a % b;
    if (*rest && (*rest < 0) != (b < 0)) { /* Python rounds down */
        *quotient -= 1;
        *rest += b;
    }
    return true;
}

static bool power(int64_t base, int64_t exponent, int64_t *ret) {
    *ret = 1;
    for (int64_t i = 0; i < exponent; i++)
        if (i > 64 || __builtin_mul_overflow(*ret, base, ret))
            return false;
    return exponent >= 0;
}

static bool calculate(enum wy_op op, int64_t a, int64_t b, int64_t *r) {
    int64_t other;
    switch (op) {
    case WY_OP_ADD:
        return !__builtin_add_overflow(a, b, r);
    case WY_OP_SUB:
        return !__builtin_sub_overflow(a, b, r);
    case WY_OP_MUL:
        return !__builtin_mul_overflow(a, b, r);
    case WY_OP_FLOORDIV:
        return divide(a, b, r, &other);
    case WY_OP_MOD:
        return divide(a, b, &other, r);
    case WY_OP_POW:
        return power(a, b, r);
    case WY_OP_LSHIFT:
        return b >= 0 && b < 62 && !__builtin_mul_overflow(a, (int64_t)1 << b, r);
    case WY_OP_RSHIFT:
        *r = b >= 0 && b < 63 ? a >> b : 0;
        return b >= 0 && b < 63;
    case WY_OP_AND:
        *r = a & b;
        return true;
    case WY_OP_OR:
        *r = a | b;
        return true;
    case WY_OP_XOR:
        *r = a ^ b;
        return true;
    default:
        return false;
    }
}

/* ---- text and sequences ---- */

/* "%s" % value, with %s, %d, %r and %% only. */
static struct wy_value format(struct wy_exec *x, struct wy_value f, struct wy_value args) {
    wy_auto_buf b = {0};
    struct wy_list one = {.v = &args, .n = 1};
    const struct wy_list *list = args.kind == WY_V_TUPLE ? args.list : &one;
    uint32_t used = 0;
    for (uint32_t i = 0; i < f.n; i++) {
        if (f.text[i] != '%') {
            wy_buf_char(&b, f.text[i]);
            continue;
        }
        char c = ++i < f.n ? f.text[i] : '\0';
        if (c == '%')
            wy_buf_char(&b, '%');
        else if ((c != 's' && c != 'd' && c != 'r') || used >= list->n ||
                 !wy_value_print(x, &b, list->v[used++], c == 'r'))
            return WY_UNKNOWN;
    }
    return wy_make_text(x, (struct wy_str){wy_buf_text(&b), b.n});
}

static struct wy_value joined_text(struct wy_exec *x, struct wy_value a, struct wy_value b) {
    wy_auto_buf text = {0};
    if ((uint64_t)a.n + b.n > UINT16_MAX)
        return WY_UNKNOWN;
    wy_buf_add(&text, a.text, a.n);
    wy_buf_add(&text, b.text, b.n);
    struct wy_value v = wy_make_text(x, (struct wy_str){wy_buf_text(&text), text.n});
    v.kind = a.kind;
    return v;
}

static struct wy_value joined_lists(struct wy_exec *x, struct wy_value a, struct wy_value b) {
    struct wy_value v = wy_make_list(x, a.kind, a.list->n + b.list->n);
    for (uint32_t i = 0; i < a.list->n; i++)
        wy_list_add(x, v.list, a.list->v[i]);
    for (uint32_t i = 0; i < b.list->n; i++)
        wy_list_add(x, v.list, b.list->v[i]);
    v.list->open = a.list->open || b.list->open;
    x->work += v.list->n;
    return v;
}

/* A list and something unknown: what is known of it stays certain. */
static struct wy_value half_known(struct wy_exec *x, struct wy_value list) {
    struct wy_value v = wy_make_list(x, list.kind, list.list->n);
    for (uint32_t i = 0; i < list.list->n; i++)
        wy_list_add(x, v.list, list.list->v[i]);
    v.list->open = true;
    return v;
}

static struct wy_value without(struct wy_exec *x, struct wy_value a, struct wy_value b) {
    struct wy_value v = wy_make_list(x, WY_V_SET, 0);
    for (uint32_t i = 0; i < a.list->n; i++) {
        enum wy_truth t = wy_contains(x, b, a.list->v[i]);
        if (t == WY_NO)
            wy_list_add(x, v.list, a.list->v[i]);
        v.list->open = v.list->open || t == WY_PERHAPS;
    }
    v.list->open = v.list->open || a.list->open;
    return v;
}

static struct wy_value repeated(struct wy_exec *x, struct wy_value list, int64_t times) {
    enum { MOST = 4096 };
    if (times < 0 || (list.list->n && times > MOST / (int64_t)list.list->n))
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, list.kind, 0);
    for (int64_t t = 0; t < times; t++)
        for (uint32_t i = 0; i < list.list->n; i++)
            wy_list_add(x, v.list, list.list->v[i]);
    v.list->open = list.list->open;
    return v;
}

static struct wy_value merged(struct wy_exec *x, struct wy_value a, struct wy_value b) {
    struct wy_value v = wy_make_dict(x);
    const struct wy_table *from[] = {a.table, b.table};
    for (int i = 0; i < 2; i++) {
        for (const struct wy_binding *e = from[i]->first; e; e = e->next, x->work++)
            if (e->value.kind != WY_V_UNBOUND)
                wy_bind_key(x, v.table, wy_binding_key(e), e->value);
        v.table->open = v.table->open || from[i]->open;
    }
    return v;
}

struct wy_value wy_binary(struct wy_exec *x, enum wy_op op, struct wy_value a, struct wy_value b) {
    int64_t r;
    if (is_number(a) && is_number(b))
        return calculate(op, a.number, b.number, &r) ? wy_value_int(r) : WY_UNKNOWN;
    if (op == WY_OP_MOD && a.kind == WY_V_STR)
        return format(x, a, b);
    if (op == WY_OP_DIV && a.kind == WY_V_PATH && wy_is_text(b)) {
        char *joined = wy_path_join(&x->im->arena, wy_arena_str(&x->im->arena, wy_value_str(a)),
                                    wy_arena_str(&x->im->arena, wy_value_str(b)));
        struct wy_value v = wy_value_cstr(joined);
        v.kind = WY_V_PATH;
        return v;
    }
    if (op == WY_OP_ADD && a.kind == b.kind && (a.kind == WY_V_STR || a.kind == WY_V_BYTES))
        return joined_text(x, a, b);
    if (op == WY_OP_ADD && wy_is_sequence(a) && wy_is_sequence(b))
        return joined_lists(x, a, b);
    if (op == WY_OP_OR && a.kind == WY_V_SET && wy_is_sequence(b))
        return joined_lists(x, a, b);
    if (op == WY_OP_SUB && a.kind == WY_V_SET && wy_is_sequence(b))
        return without(x, a, b);
    if (op == WY_OP_OR && a.kind == WY_V_DICT && b.kind == WY_V_DICT)
        return merged(x, a, b);
    if (op == WY_OP_MUL && is_number(a) && wy_is_sequence(b))
        return repeated(x, b, a.number);
    if (op == WY_OP_MUL && wy_is_sequence(a) && is_number(b))
        return repeated(x, a, b.number);
    bool adds = op == WY_OP_ADD || op == WY_OP_MUL; /* (… not in list) * [item] */
    if (adds && wy_is_sequence(a) && b.kind == WY_V_UNKNOWN)
        return half_known(x, a);
    if (adds && wy_is_sequence(b) && a.kind == WY_V_UNKNOWN)
        return half_known(x, b);
    return WY_UNKNOWN;
}

/* ---- relations ---- */

static enum wy_truth in_list(struct wy_exec *x, const struct wy_list *l, struct wy_value v) {
    enum wy_truth any = l->open ? WY_PERHAPS : WY_NO;
    for (uint32_t i = 0; i < l->n; i++) {
        enum wy_truth t = wy_equal(l->v[i], v);
        if (t == WY_YES)
            return t;
        any = t == WY_PERHAPS ? t : any;
    }
    x->work += l->n / 4;
    return any;
}

enum wy_truth wy_contains(struct wy_exec *x, struct wy_value in, struct wy_value v) {
    if (in.kind == WY_V_STR || in.kind == WY_V_BYTES)
        return v.kind == in.kind ? wy_truth_of(v.n == 0 || wy_str_find(wy_value_str(in),
                                                                       wy_value_str(v)) != SIZE_MAX)
                                 : WY_PERHAPS;
    if (wy_is_sequence(in))
        return in_list(x, in.list, v);
    if (in.kind == WY_V_DICT) {
        const char *name = wy_key_name(x, v);
        if (!name)
            return WY_PERHAPS;
        return wy_table_get(in.table, name).kind != WY_V_UNBOUND ? WY_YES
               : in.table->open                                  ? WY_PERHAPS
                                                                 : WY_NO;
    }
    return in.kind == WY_V_NAMED ? wy_known_contains(x, in.known, v) : WY_PERHAPS;
}

enum wy_truth wy_relation(struct wy_exec *x, enum wy_op op, struct wy_value a, struct wy_value b) {
    int order;
    switch (op) {
    case WY_OP_EQ:
        return wy_equal(a, b);
    case WY_OP_NE:
        return wy_truth_not(wy_equal(a, b));
    case WY_OP_IS:
        return wy_identical(a, b);
    case WY_OP_IS_NOT:
        return wy_truth_not(wy_identical(a, b));
    case WY_OP_IN:
        return wy_contains(x, b, a);
    case WY_OP_NOT_IN:
        return wy_truth_not(wy_contains(x, b, a));
    case WY_OP_LT:
        return wy_compare(a, b, &order) ? wy_truth_of(order < 0) : WY_PERHAPS;
    case WY_OP_LE:
        return wy_compare(a, b, &order) ? wy_truth_of(order <= 0) : WY_PERHAPS;
    case WY_OP_GT:
        return wy_compare(a, b, &order) ? wy_truth_of(order > 0) : WY_PERHAPS;
    case WY_OP_GE:
        return wy_compare(a, b, &order) ? wy_truth_of(order >= 0) : WY_PERHAPS;
    default:
        return WY_PERHAPS;
    }
}
