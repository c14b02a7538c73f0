/* Numbers and strings (Python's reference 2.4). */
#include "source/parse.h"

/* ---- numbers ---- */

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool whole_number(struct wy_str text, int64_t *ret) {
    int base = 10;
    size_t i = 0;
    if (text.n > 2 && text.p[0] == '0' && digit(text.p[1]) > 9 + (text.p[1] == '_')) {
        char c = text.p[1] | 32;
        base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
        i = base == 10 ? 0 : 2;
    }
    *ret = 0;
    for (; i < text.n; i++) {
        if (text.p[i] == '_')
            continue;
        int d = digit(text.p[i]);
        if (d >= base || __builtin_mul_overflow(*ret, base, ret) ||
            __builtin_add_overflow(*ret, d, ret))
            return false;
    }
    return true;
}

static bool is_float(struct wy_str text) {
    if (text.n > 1 && text.p[0] == '0' && (text.p[1] | 32) == 'x')
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '.' || (text.p[i] | 32) == 'e' || (text.p[i] | 32) == 'j')
            return true;
    return false;
}

const struct wy_expr *wy_parse_number(struct wy_parse *p) {
    struct wy_expr *e = wy_parse_new(p, WY_E_OPAQUE, p->at.line);
    if (is_float(p->at.text)) {
        e->kind = WY_E_FLOAT;
        e->text.n = p->at.text.n;
        e->text.p = wy_parse_keep(p, p->at.text.p, e->text.n);
    } else if (whole_number(p->at.text, &e->number)) {
        e->kind = WY_E_INT;
    }
    wy_parse_advance(p);
    return e;
}

/* ---- strings ---- */

static struct wy_literal open_literal(struct wy_token t) {
    struct wy_literal l = {.p = t.text.p, .end = t.text.p + t.text.n, .line = t.line};
    for (; *l.p != '"' && *l.p != '\''; l.p++) {
        char c = *l.p | 32;
        l.raw = l.raw || c == 'r';
        l.bytes = l.bytes || c == 'b';
        l.template = l.template || c == 't';
        l.formatted = l.formatted || c == 'f' || c == 't';
    }
    bool triple = l.end - l.p >= 6 && l.p[1] == *l.p && l.p[2] == *l.p;
    l.p += triple ? 3 : 1;
    l.end -= triple ? 3 : 1;
    return l;
}

static void put_utf8(struct wy_parse *p, uint32_t c) {
    if (c < 0x80) {
        wy_vec_push(&p->text, (char)c);
        return;
    }
    if (c < 0x800) {
        wy_vec_push(&p->text, (char)(0xc0 | c >> 6));
    } else {
        if (c < 0x10000) {
            wy_vec_push(&p->text, (char)(0xe0 | c >> 12));
        } else {
            wy_vec_push(&p->text, (char)(0xf0 | c >> 18));
            wy_vec_push(&p->text, (char)(0x80 | (c >> 12 & 0x3f)));
        }
        wy_vec_push(&p->text, (char)(0x80 | (c >> 6 & 0x3f)));
    }
    wy_vec_push(&p->text, (char)(0x80 | (c & 0x3f)));
}

/* Exactly `n` hexadecimal digits. */
static const char *hexadecimal(struct wy_parse *p, const char *at, const char *end, int n,
                               uint32_t *value) {
    *value = 0;
    for (int i = 0; i < n; i++, at++) {
        if (at == end || digit(*at) > 15) {
            wy_parse_fail(p, "an escape in a string is not complete");
            return end;
        }
        *value = *value << 4 | (uint32_t)digit(*at);
    }
    if (*value > 0x10ffff)
        wy_parse_fail(p, "an escape in a string is no character");
    return at;
}

/* The characters that stand for one byte, each followed by that byte. */
static bool simple_escape(char c, char *byte) {
    static const char pairs[] = "\\\\''\"\"a\ab\bf\fn\nr\rt\tv\v";
    for (const char *q = pairs; *q; q += 2)
        if (*q == c) {
            *byte = q[1];
            return true;
        }
    return false;
}

static const char *octal(const char *at, const char *end, uint32_t *value) {
    *value = 0;
    for (int i = 0; i < 3 && at < end && *at >= '0' && *at <= '7'; i++)
        *value = *value << 3 | (uint32_t)(*at++ - '0');
    return at;
}

const char *wy_literal_escape(struct wy_parse *p, const char *at, const char *end, bool bytes,
                              bool *named) {
    uint32_t value = 0;
    char c = at + 1 < end ? at[1] : '\\', byte;
    const char *next = at + 2 < end ? at + 2 : end;
    if (c == '\n')
        return next;
    if (simple_escape(c, &byte)) {
        wy_vec_push(&p->text, byte);
        return next;
    }
    if (c >= '0' && c <= '7') {
        next = octal(at + 1, end, &value);
    } else if (c == 'x') {
        next = hexadecimal(p, next, end, 2, &value);
    } else if (!bytes && (c == 'u' || c == 'U')) {
        next = hexadecimal(p, next, end, c == 'u' ? 4 : 8, &value);
    } else if (!bytes && c == 'N' && next < end && *next == '{') {
        *named = true; /* the names of characters are not known here */
        const char *close = memchr(next, '}', (size_t)(end - next));
        return close ? close + 1 : end;
    } else { /* no escape: the backslash stays, what follows is read next */
        wy_vec_push(&p->text, '\\');
        return at + 1;
    }
    if (bytes)
        wy_vec_push(&p->text, (char)value);
    else
        put_utf8(p, value);
    return next;
}

static void put(struct wy_parse *p, const char *from, const char *to) {
    for (; from < to; from++)
        wy_vec_push(&p->text, *from);
}

static void put_plain(struct wy_parse *p, const struct wy_literal *l, bool *named) {
    const char *at = l->p, *backslash;
    while (!l->raw && at < l->end &&
           (backslash = memchr(at, '\\', (size_t)(l->end - at))) != NULL) {
        put(p, at, backslash);
        at = wy_literal_escape(p, backslash, l->end, l->bytes, named);
    }
    put(p, at, l->end);
}

static bool as_written(const struct wy_literal *l) {
    return !l->formatted && (l->raw || !memchr(l->p, '\\', (size_t)(l->end - l->p)));
}

/* What was put since `text`. */
static void take_text(struct wy_parse *p, size_t text, struct wy_expr *e) {
    e->text.n = p->text.n - text;
    e->text.p = e->text.n ? wy_parse_keep(p, p->text.v + text, e->text.n) : NULL;
    p->text.n = text;
}

void wy_literal_flush(struct wy_parse *p, size_t text, unsigned line) {
    if (p->text.n == text)
        return;
    struct wy_expr *e = wy_parse_new(p, WY_E_STRING, line);
    take_text(p, text, e);
    wy_vec_push(&p->exprs, e);
}

const struct wy_expr *wy_literal_finish(struct wy_parse *p, struct wy_expr *e, size_t items,
                                        size_t text, bool named) {
    bool fields = p->exprs.n > items || e->op == 't';
    if (fields)
        wy_literal_flush(p, text, e->line);
    if (named) {
        e->kind = WY_E_OPAQUE;
        p->exprs.n = items;
    } else if (fields) {
        e->kind = WY_E_FSTRING;
        WY_PARSE_TAKE(p, exprs, items, &e->items);
    } else {
        take_text(p, text, e);
    }
    p->text.n = text;
    return wy_parse_done(e);
}

const struct wy_expr *wy_parse_strings(struct wy_parse *p) {
    struct wy_expr *e = wy_parse_new(p, WY_E_STRING, p->at.line);
    struct wy_literal l = open_literal(p->at);
    e->kind = l.bytes ? WY_E_BYTES : WY_E_STRING;
    wy_parse_advance(p);
    if (p->at.kind != WY_T_STRING && as_written(&l)) {
        e->text.n = (size_t)(l.end - l.p);
        e->text.p = wy_parse_keep(p, l.p, e->text.n);
        return e;
    }
    size_t items = p->exprs.n, text = p->text.n;
    bool named = false;
    for (;;) {
        if (l.template)
            e->op = 't';
        if (l.formatted)
            wy_literal_fstring(p, &l, text, &named);
        else
            put_plain(p, &l, &named);
        if (p->at.kind != WY_T_STRING)
            return wy_literal_finish(p, e, items, text, named);
        l = open_literal(p->at);
        wy_parse_advance(p);
    }
}
