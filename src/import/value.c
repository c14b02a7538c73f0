/* Making values and asking them: truth, equality, order, text. */
#include "base/buf.h"
#include "import/internal.h"

enum { LONGEST_TEXT = 1 << 16 };

/* ---- making ---- */

static uint32_t owner_of(const struct wy_exec *x) {
    return x->running ? x->running->module->spec->id + 1 : 0;
}

void wy_init_table(const struct wy_exec *x, struct wy_table *t) {
    *t = (struct wy_table){.owner = owner_of(x), .arm = x->arm ? x->arm->id : 0};
}

struct wy_table *wy_make_table(struct wy_exec *x) {
    struct wy_table *t = wy_arena_alloc(&x->im->arena, sizeof *t);
    wy_init_table(x, t);
    return t;
}

struct wy_value wy_make_dict(struct wy_exec *x) {
    return (struct wy_value){.kind = WY_V_DICT, .table = wy_make_table(x)};
}

struct wy_value wy_make_list(struct wy_exec *x, enum wy_value_kind kind, uint32_t room) {
    struct wy_list *l = WY_NEW(&x->im->arena, struct wy_list);
    l->owner = owner_of(x);
    l->arm = x->arm ? x->arm->id : 0;
    l->cap = room;
    x->work += room; /* memory is limited by the steps it takes */
    l->v = room ? wy_arena_alloc(&x->im->arena, room * sizeof *l->v) : NULL;
    return (struct wy_value){.kind = (uint8_t)kind, .list = l};
}

void wy_list_add(struct wy_exec *x, struct wy_list *l, struct wy_value v) {
    if (l->n == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 4;
        struct wy_value *grown = wy_arena_alloc(&x->im->arena, cap * sizeof *grown);
        if (l->n)
            memcpy(grown, l->v, l->n * sizeof *grown);
        l->v = grown;
        l->cap = cap;
        x->work += cap;
    }
    l->v[l->n++] = v;
}

struct wy_value wy_make_text(struct wy_exec *x, struct wy_str text) {
    if (text.n > LONGEST_TEXT)
        return WY_UNKNOWN;
    x->work += text.n / 16;
    return wy_value_text((struct wy_str){wy_arena_str(&x->im->arena, text), text.n});
}

struct wy_value wy_make_class(struct wy_exec *x, const char *name, struct wy_module *module) {
    struct wy_class *c = WY_NEW(&x->im->arena, struct wy_class);
    c->name = name;
    c->module = module;
    c->names = wy_make_table(x);
    return (struct wy_value){.kind = WY_V_CLASS, .class_ = c};
}

struct wy_value wy_make_instance(struct wy_exec *x, struct wy_class *c) {
    struct wy_instance *i = WY_NEW(&x->im->arena, struct wy_instance);
    i->class_ = c;
    i->names = wy_make_table(x);
    return (struct wy_value){.kind = WY_V_INSTANCE, .instance = i};
}

struct wy_value wy_make_method(struct wy_exec *x, struct wy_value self, struct wy_value function) {
    struct wy_method *m = x->im->spare_methods.n ? wy_vec_pop(&x->im->spare_methods)
                                                 : WY_NEW(&x->im->arena, struct wy_method);
    *m = (struct wy_method){.self = self, .function = function};
    x->fresh = m;
    return (struct wy_value){.kind = WY_V_METHOD, .method = m};
}

struct wy_value wy_make_wrapped(struct wy_exec *x, enum wy_wrapping how, struct wy_value function) {
    struct wy_value v = wy_make_method(x, WY_NONE, function);
    v.kind = WY_V_WRAPPED;
    v.n = how;
    return v;
}

/* ---- asking ---- */

static enum wy_truth some(uint32_t n, bool open) {
    return n ? WY_YES : open ? WY_PERHAPS : WY_NO;
}

enum wy_truth wy_truth(struct wy_value v) {
    switch ((enum wy_value_kind)v.kind) {
    case WY_V_NONE:
        return WY_NO;
    case WY_V_BOOL:
    case WY_V_INT:
        return wy_truth_of(v.number != 0);
    case WY_V_STR:
    case WY_V_BYTES:
        return wy_truth_of(v.n != 0);
    case WY_V_LIST:
    case WY_V_TUPLE:
    case WY_V_SET:
        return some(v.list->n, v.list->open);
    case WY_V_DICT:
        for (const struct wy_binding *b = v.table->first; b; b = b->next)
            if (b->value.kind != WY_V_UNBOUND)
                return WY_YES;
        return some(0, v.table->open);
    case WY_V_PATH:
    case WY_V_ELLIPSIS:
    case WY_V_MODULE:
    case WY_V_FUNCTION:
    case WY_V_CLASS:
    case WY_V_METHOD:
        return WY_YES;
    case WY_V_UNKNOWN: /* of an `or`, its truth may be all that is known */
        return v.number > 0 ? WY_YES : v.number < 0 ? WY_NO : WY_PERHAPS;
    default:
        return WY_PERHAPS;
    }
}

static bool is_number(struct wy_value v) {
    return v.kind == WY_V_INT || v.kind == WY_V_BOOL;
}

static bool is_constant(struct wy_value v) {
    return v.kind >= WY_V_NONE && v.kind <= WY_V_PATH;
}

static enum wy_truth equal_items(const struct wy_list *a, const struct wy_list *b, unsigned depth);

static enum wy_truth equal(struct wy_value a, struct wy_value b, unsigned depth) {
    enum { DEEPEST = 16 };
    if (depth > DEEPEST || a.kind == WY_V_UNKNOWN || b.kind == WY_V_UNKNOWN)
        return WY_PERHAPS;
    if (is_number(a) && is_number(b))
        return wy_truth_of(a.number == b.number);
    if (is_constant(a) && is_constant(b)) {
        if (a.kind != b.kind)
            return WY_NO;
        return a.kind == WY_V_NONE || a.kind == WY_V_ELLIPSIS
                   ? WY_YES
                   : wy_truth_of(wy_str_eq(wy_value_str(a), wy_value_str(b)));
    }
    if (a.kind == b.kind && (a.kind == WY_V_LIST || a.kind == WY_V_TUPLE))
        return equal_items(a.list, b.list, depth + 1);
    if (a.kind == b.kind && a.text == b.text)
        return WY_YES;
    bool odd = a.kind == WY_V_NAMED || b.kind == WY_V_NAMED || a.kind == WY_V_INSTANCE ||
               b.kind == WY_V_INSTANCE;
    if (odd && (a.kind == WY_V_NONE || b.kind == WY_V_NONE))
        return WY_NO;
    return odd || a.kind == b.kind ? WY_PERHAPS : WY_NO;
}

static enum wy_truth equal_items(const struct wy_list *a, const struct wy_list *b, unsigned depth) {
    if (a == b)
        return WY_YES;
    if (a->open || b->open)
        return WY_PERHAPS;
    enum wy_truth all = wy_truth_of(a->n == b->n);
    for (uint32_t i = 0; i < a->n && all != WY_NO && i < b->n; i++) {
        enum wy_truth t = equal(a->v[i], b->v[i], depth);
        all = t == WY_YES ? all : t;
    }
    return all;
}

enum wy_truth wy_equal(struct wy_value a, struct wy_value b) {
    return equal(a, b, 0);
}

enum wy_truth wy_identical(struct wy_value a, struct wy_value b) {
    if (a.kind == WY_V_UNKNOWN || b.kind == WY_V_UNKNOWN)
        return WY_PERHAPS;
    if (a.kind != b.kind)
        return WY_NO;
    if (a.kind == WY_V_NONE || a.kind == WY_V_ELLIPSIS)
        return WY_YES;
    if (is_constant(a))
        return wy_equal(a, b);
    return wy_truth_of(a.text == b.text);
}

bool wy_compare(struct wy_value a, struct wy_value b, int *ret) {
    if (is_number(a) && is_number(b)) {
        *ret = (a.number > b.number) - (a.number < b.number);
        return true;
    }
    if (a.kind != b.kind)
        return false;
    if (wy_is_text(a) || a.kind == WY_V_BYTES) {
        uint32_t n = a.n < b.n ? a.n : b.n;
        int c = n ? memcmp(a.text, b.text, n) : 0;
        *ret = c ? (c > 0) - (c < 0) : (a.n > b.n) - (a.n < b.n);
        return true;
    }
    if (a.kind != WY_V_TUPLE && a.kind != WY_V_LIST)
        return false;
    for (uint32_t i = 0; i < a.list->n && i < b.list->n; i++) {
        struct wy_value p = a.list->v[i], q = b.list->v[i];
        enum wy_truth same = wy_is_sequence(p) || wy_is_sequence(q) ? WY_PERHAPS : wy_equal(p, q);
        if (same == WY_PERHAPS || (same == WY_NO && !wy_compare(p, q, ret)))
            return false;
        if (same == WY_NO)
            return true;
    }
    if (a.list->open || b.list->open)
        return false;
    *ret = (a.list->n > b.list->n) - (a.list->n < b.list->n);
    return true;
}

/* ---- text ---- */

static bool quoted_text(struct wy_buf *b, struct wy_value v) {
    for (uint32_t i = 0; i < v.n; i++)
        if ((unsigned char)v.text[i] < ' ' || v.text[i] == '\'' || v.text[i] == '\\')
            return false;
    wy_buf_char(b, '\'');
    wy_buf_add(b, v.text, v.n);
    wy_buf_char(b, '\'');
    return true;
}

static bool print_items(struct wy_exec *x, struct wy_buf *b, struct wy_value v) {
    const struct wy_list *l = v.list;
    bool tuple = v.kind == WY_V_TUPLE;
    if (l->open || v.kind == WY_V_SET)
        return false;
    wy_buf_char(b, tuple ? '(' : '[');
    for (uint32_t i = 0; i < l->n; i++) {
        if (i)
            wy_buf_str(b, ", ");
        if (wy_is_sequence(l->v[i]) || b->n > LONGEST_TEXT || !wy_value_print(x, b, l->v[i], true))
            return false;
    }
    wy_buf_str(b, tuple ? l->n == 1 ? ",)" : ")" : "]");
    return true;
}

bool wy_value_print(struct wy_exec *x, struct wy_buf *b, struct wy_value v, bool quoted) {
    switch ((enum wy_value_kind)v.kind) {
    case WY_V_NONE:
        wy_buf_str(b, "None");
        return true;
    case WY_V_BOOL:
        wy_buf_str(b, v.number ? "True" : "False");
        return true;
    case WY_V_INT:
        wy_buf_printf(b, "%lld", (long long)v.number);
        return true;
    case WY_V_PATH:
        if (quoted)
            return false;
        wy_buf_add(b, v.text, v.n);
        return true;
    case WY_V_STR:
        if (quoted)
            return quoted_text(b, v);
        wy_buf_add(b, v.text, v.n);
        return true;
    case WY_V_LIST:
    case WY_V_TUPLE:
        return print_items(x, b, v);
    case WY_V_INSTANCE:
        return wy_exception_print(x, b, v, quoted);
    default:
        return false;
    }
}

static bool print_key(struct wy_buf *b, struct wy_value key, unsigned depth) {
    if (key.kind == WY_V_TUPLE && !key.list->open && depth < 4) {
        wy_buf_printf(b, "(%u:", key.list->n);
        for (uint32_t i = 0; i < key.list->n; i++)
            if (b->n > LONGEST_TEXT || !print_key(b, key.list->v[i], depth + 1))
                return false;
        return true;
    }
    if (is_number(key)) /* True and 1 are one key */
        wy_buf_printf(b, "i%lld,", (long long)key.number);
    else if (key.kind == WY_V_NONE || key.kind == WY_V_ELLIPSIS)
        wy_buf_char(b, key.kind == WY_V_NONE ? 'n' : 'e');
    else if (is_constant(key)) {
        wy_buf_printf(b, "%c%u:",
                      key.kind == WY_V_STR    ? 's'
                      : key.kind == WY_V_PATH ? 'p'
                                              : 'b',
                      key.n);
        wy_buf_add(b, key.text, key.n);
    } else if (key.kind >= WY_V_NAMED && !wy_is_sequence(key) && key.kind != WY_V_DICT) {
        wy_buf_printf(b, "@%d%p", key.kind, (const void *)key.text);
    } else {
        return false;
    }
    return true;
}

const char *wy_key_name(struct wy_exec *x, struct wy_value key) {
    if (key.kind == WY_V_STR)
        return wy_intern(&x->im->names, wy_value_str(key));
    wy_auto_buf b = {0};
    wy_buf_char(&b, '\1');
    return print_key(&b, key, 0) ? wy_intern(&x->im->names, (struct wy_str){b.p, b.n}) : NULL;
}
