/* Methods of text. */
#include "base/buf.h"
#include "import/known.h"

static bool text_at(const struct wy_args *a, uint32_t i, struct wy_str *ret) {
    if (i >= a->n || a->v[i].kind != a->self.kind)
        return false;
    *ret = wy_value_str(a->v[i]);
    return true;
}

static struct wy_value part(const struct wy_args *a, const char *p, size_t n) {
    struct wy_value v = a->self;
    v.text = p;
    v.n = (uint32_t)n;
    return v;
}

/* ---- cutting ---- */

static size_t find_last(struct wy_str s, struct wy_str what) {
    for (size_t i = s.n + 1; what.n && i-- > 0;)
        if (i + what.n <= s.n && memcmp(s.p + i, what.p, what.n) == 0)
            return i;
    return SIZE_MAX;
}

static bool space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct wy_value split_words(struct wy_exec *x, const struct wy_args *a, struct wy_value v) {
    struct wy_str s = wy_value_str(a->self);
    for (size_t i = 0; i < s.n;) {
        while (i < s.n && space(s.p[i]))
            i++;
        size_t from = i;
        while (i < s.n && !space(s.p[i]))
            i++;
        if (i > from)
            wy_list_add(x, v.list, part(a, s.p + from, i - from));
    }
    x->work += s.n / 16;
    return v;
}

static struct wy_value split(struct wy_exec *x, const struct wy_args *a, bool last) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0), most = wy_given(x, a, 1, "maxsplit");
    struct wy_str s = wy_value_str(a->self), by;
    int64_t left = most.kind == WY_V_INT ? most.number : -1;
    if (a->n == 0 || a->v[0].kind == WY_V_NONE)
        return most.kind == WY_V_UNBOUND ? split_words(x, a, v) : WY_UNKNOWN;
    if (!text_at(a, 0, &by) || by.n == 0 || (most.kind != WY_V_INT && most.kind != WY_V_UNBOUND))
        return WY_UNKNOWN;
    size_t at;
    while (!last && left-- != 0 && (at = wy_str_find(s, by)) != SIZE_MAX) {
        wy_list_add(x, v.list, part(a, s.p, at));
        s = (struct wy_str){s.p + at + by.n, s.n - at - by.n};
    }
    uint32_t n = v.list->n;
    while (last && left-- != 0 && (at = find_last(s, by)) != SIZE_MAX) {
        wy_list_add(x, v.list, part(a, s.p + at + by.n, s.n - at - by.n));
        s.n = at;
        n = v.list->n;
    }
    wy_list_add(x, v.list, part(a, s.p, s.n));
    for (uint32_t i = 0; last && i < (n + 1) / 2; i++) {
        struct wy_value t = v.list->v[i];
        v.list->v[i] = v.list->v[n - i];
        v.list->v[n - i] = t;
    }
    x->work += a->self.n / 16;
    return v;
}
static struct wy_value s_split(struct wy_exec *x, const struct wy_args *a) {
    return split(x, a, false);
}
static struct wy_value s_rsplit(struct wy_exec *x, const struct wy_args *a) {
    return split(x, a, true);
}

static struct wy_value s_splitlines(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, 0);
    for (struct wy_str rest = wy_value_str(a->self); rest.p && rest.n;) {
        struct wy_str line = wy_str_line(rest, &rest);
        wy_list_add(x, v.list, part(a, line.p, line.n));
    }
    return v;
}

static struct wy_value three(struct wy_exec *x, const struct wy_args *a, bool last) {
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 3);
    struct wy_str s = wy_value_str(a->self), by;
    if (!text_at(a, 0, &by) || by.n == 0)
        return WY_UNKNOWN;
    size_t at = last ? find_last(s, by) : wy_str_find(s, by);
    struct wy_value whole = part(a, s.p, s.n), none = part(a, "", 0);
    if (at == SIZE_MAX) {
        wy_list_add(x, v.list, last ? none : whole);
        wy_list_add(x, v.list, none);
        wy_list_add(x, v.list, last ? whole : none);
        return v;
    }
    wy_list_add(x, v.list, part(a, s.p, at));
    wy_list_add(x, v.list, part(a, by.p, by.n));
    wy_list_add(x, v.list, part(a, s.p + at + by.n, s.n - at - by.n));
    return v;
}
static struct wy_value s_partition(struct wy_exec *x, const struct wy_args *a) {
    return three(x, a, false);
}
static struct wy_value s_rpartition(struct wy_exec *x, const struct wy_args *a) {
    return three(x, a, true);
}

static struct wy_value strip(const struct wy_args *a, bool left, bool right) {
    struct wy_str s = wy_value_str(a->self), set = WY_STR(" \t\n\r\v\f");
    if (a->n && a->v[0].kind != WY_V_NONE && !text_at(a, 0, &set))
        return WY_UNKNOWN;
    while (left && s.n && memchr(set.p, s.p[0], set.n)) {
        s.p++;
        s.n--;
    }
    while (right && s.n && memchr(set.p, s.p[s.n - 1], set.n))
        s.n--;
    return part(a, s.p, s.n);
}
static struct wy_value s_strip(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return strip(a, true, true);
}
static struct wy_value s_lstrip(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return strip(a, true, false);
}
static struct wy_value s_rstrip(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return strip(a, false, true);
}

static struct wy_value cut(const struct wy_args *a, bool front) {
    struct wy_str s = wy_value_str(a->self), what;
    if (!text_at(a, 0, &what))
        return WY_UNKNOWN;
    if (what.n > s.n || memcmp(front ? s.p : s.p + s.n - what.n, what.p, what.n) != 0)
        return a->self;
    return part(a, front ? s.p + what.n : s.p, s.n - what.n);
}
static struct wy_value s_removeprefix(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return cut(a, true);
}
static struct wy_value s_removesuffix(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return cut(a, false);
}

/* ---- asking ---- */

static enum wy_truth has(const struct wy_args *a, struct wy_value what, bool front) {
    struct wy_str s = wy_value_str(a->self), w = wy_value_str(what);
    if (what.kind != a->self.kind)
        return WY_PERHAPS;
    return wy_truth_of(w.n <= s.n &&
                       (w.n == 0 || memcmp(front ? s.p : s.p + s.n - w.n, w.p, w.n) == 0));
}

static struct wy_value begins(const struct wy_args *a, bool front) {
    if (a->n != 1)
        return WY_UNKNOWN;
    if (!wy_is_sequence(a->v[0]))
        return wy_truth_value(has(a, a->v[0], front));
    enum wy_truth any = a->v[0].list->open ? WY_PERHAPS : WY_NO;
    for (uint32_t i = 0; i < a->v[0].list->n && any != WY_YES; i++) {
        enum wy_truth t = has(a, a->v[0].list->v[i], front);
        any = t == WY_NO ? any : t;
    }
    return wy_truth_value(any);
}
static struct wy_value s_startswith(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return begins(a, true);
}
static struct wy_value s_endswith(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return begins(a, false);
}

static struct wy_value s_find(struct wy_exec *x, const struct wy_args *a) {
    struct wy_str what;
    (void)x;
    if (a->n != 1 || !text_at(a, 0, &what))
        return WY_UNKNOWN;
    size_t at = what.n ? wy_str_find(wy_value_str(a->self), what) : 0;
    return wy_value_int(at == SIZE_MAX ? -1 : (int64_t)at);
}
static struct wy_value s_rfind(struct wy_exec *x, const struct wy_args *a) {
    struct wy_str what;
    (void)x;
    if (a->n != 1 || !text_at(a, 0, &what))
        return WY_UNKNOWN;
    size_t at = find_last(wy_value_str(a->self), what);
    return wy_value_int(at == SIZE_MAX ? -1 : (int64_t)at);
}

static struct wy_value s_isdigit(struct wy_exec *x, const struct wy_args *a) {
    bool all = a->self.n > 0;
    (void)x;
    for (uint32_t i = 0; i < a->self.n; i++)
        all = all && a->self.text[i] >= '0' && a->self.text[i] <= '9';
    return wy_value_bool(all);
}

static struct wy_value s_isidentifier(struct wy_exec *x, const struct wy_args *a) {
    (void)x;
    return wy_value_bool(wy_identifier(wy_value_str(a->self)));
}

/* ---- making ---- */

static struct wy_value s_join(struct wy_exec *x, const struct wy_args *a) {
    enum { LONGEST = 1 << 16 };
    wy_auto_buf b = {0};
    struct wy_list items;
    if (a->n != 1 || !wy_items(x, a->v[0], &items) || items.open)
        return WY_UNKNOWN;
    for (uint32_t i = 0; i < items.n; i++) {
        if (items.v[i].kind != a->self.kind || b.n > LONGEST)
            return WY_UNKNOWN;
        if (i)
            wy_buf_add(&b, a->self.text, a->self.n);
        wy_buf_add(&b, items.v[i].text, items.v[i].n);
    }
    struct wy_value v = wy_make_text(x, (struct wy_str){wy_buf_text(&b), b.n});
    v.kind = v.kind == WY_V_STR ? a->self.kind : v.kind;
    return v;
}

static struct wy_value s_replace(struct wy_exec *x, const struct wy_args *a) {
    enum { LONGEST = 1 << 16 };
    wy_auto_buf b = {0};
    struct wy_str s = wy_value_str(a->self), old, new;
    if (a->n != 2 || !text_at(a, 0, &old) || !text_at(a, 1, &new) || old.n == 0)
        return WY_UNKNOWN;
    for (size_t at; (at = wy_str_find(s, old)) != SIZE_MAX && b.n < LONGEST;) {
        wy_buf_add(&b, s.p, at);
        wy_buf_add(&b, new.p, new.n);
        s = (struct wy_str){s.p + at + old.n, s.n - at - old.n};
    }
    wy_buf_add(&b, s.p, s.n);
    struct wy_value v = wy_make_text(x, (struct wy_str){wy_buf_text(&b), b.n});
    v.kind = v.kind == WY_V_STR ? a->self.kind : v.kind;
    return v;
}

static struct wy_value with_case(struct wy_exec *x, const struct wy_args *a, bool upper) {
    struct wy_value v = wy_make_text(x, wy_value_str(a->self));
    if (v.kind == WY_V_UNKNOWN)
        return v;
    char *p = wy_arena_str(&x->im->arena, wy_value_str(v));
    for (uint32_t i = 0; i < v.n; i++) {
        if ((unsigned char)p[i] >= 0x80)
            return WY_UNKNOWN;
        if (upper ? p[i] >= 'a' && p[i] <= 'z' : p[i] >= 'A' && p[i] <= 'Z')
            p[i] ^= 32;
    }
    v.kind = a->self.kind;
    v.text = p;
    return v;
}
static struct wy_value s_lower(struct wy_exec *x, const struct wy_args *a) {
    return with_case(x, a, false);
}
static struct wy_value s_upper(struct wy_exec *x, const struct wy_args *a) {
    return with_case(x, a, true);
}

/* "{} {0} {name!r}" without anything else behind the name. */
static struct wy_value s_format(struct wy_exec *x, const struct wy_args *a) {
    enum { LONGEST = 1 << 16 };
    wy_auto_buf b = {0};
    struct wy_str s = wy_value_str(a->self);
    uint32_t next = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c != '{' && c != '}') {
            wy_buf_char(&b, c);
            continue;
        }
        if (i + 1 < s.n && s.p[i + 1] == c) {
            wy_buf_char(&b, c);
            i++;
            continue;
        }
        size_t end = i + 1;
        while (end < s.n && s.p[end] != '}')
            end++;
        struct wy_str field = {s.p + i + 1, end - i - 1};
        uint64_t number = next;
        struct wy_value v;
        bool quoted = wy_str_ends(field, "!r");
        if (quoted || wy_str_ends(field, "!s"))
            field.n -= 2;
        if (field.n == 0 || wy_str_u64(field, 1000, &number)) {
            v = wy_argument(a, (uint32_t)number, NULL);
            next++;
        } else {
            v = wy_argument(a, UINT32_MAX, wy_interned(&x->im->names, field));
        }
        if (c == '}' || end >= s.n || b.n > LONGEST || !wy_value_print(x, &b, v, quoted))
            return WY_UNKNOWN;
        i = end;
    }
    return wy_make_text(x, (struct wy_str){wy_buf_text(&b), b.n});
}

/* ---- textwrap.dedent ---- */

static size_t indent_of(struct wy_str line) {
    size_t n = 0;
    while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
        n++;
    return n;
}

/* What all lines that are not blank begin with. */
static struct wy_str common_indent(struct wy_str text) {
    struct wy_str margin = {NULL, 0};
    for (struct wy_str rest = text; rest.n;) {
        struct wy_str line = wy_str_line(rest, &rest);
        size_t n = indent_of(line);
        if (n == line.n)
            continue;
        if (!margin.p)
            margin = (struct wy_str){line.p, n};
        for (size_t i = 0; i < margin.n; i++)
            if (i >= n || line.p[i] != margin.p[i])
                margin.n = i;
    }
    return margin;
}

static struct wy_value dedent(struct wy_exec *x, const struct wy_args *a) {
    if (a->n != 1 || a->v[0].kind != WY_V_STR)
        return WY_UNKNOWN;
    wy_auto_buf b = {0};
    struct wy_str text = wy_value_str(a->v[0]), margin = common_indent(text);
    for (struct wy_str rest = text; rest.n;) {
        struct wy_str line = wy_str_line(rest, &rest);
        bool blank = indent_of(line) == line.n, newline = rest.n || text.p[text.n - 1] == '\n';
        if (!blank)
            wy_buf_add(&b, line.p + margin.n, line.n - margin.n);
        if (newline)
            wy_buf_char(&b, '\n');
    }
    return wy_make_text(x, (struct wy_str){wy_buf_text(&b), b.n});
}

static struct wy_value s_recoded(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = a->self;
    const char *name = wy_text_argument(x, a, 0, "encoding");
    v.kind = v.kind == WY_V_STR ? WY_V_BYTES : WY_V_STR;
    if (name && strcmp(name, "idna") == 0)
        wy_import_named(x, WY_STR("encodings.idna"));
    return name && strcmp(name, "utf-8") != 0 && strcmp(name, "ascii") != 0 ? WY_UNKNOWN : v;
}

static const struct wy_known rows[] = {
    {.name = "<str>.split", .call = s_split},
    {.name = "<str>.rsplit", .call = s_rsplit},
    {.name = "<str>.splitlines", .call = s_splitlines},
    {.name = "<str>.partition", .call = s_partition},
    {.name = "<str>.rpartition", .call = s_rpartition},
    {.name = "<str>.strip", .call = s_strip},
    {.name = "<str>.lstrip", .call = s_lstrip},
    {.name = "<str>.rstrip", .call = s_rstrip},
    {.name = "<str>.removeprefix", .call = s_removeprefix},
    {.name = "<str>.removesuffix", .call = s_removesuffix},
    {.name = "<str>.startswith", .call = s_startswith},
    {.name = "<str>.endswith", .call = s_endswith},
    {.name = "<str>.find", .call = s_find},
    {.name = "<str>.index", .call = s_find},
    {.name = "<str>.rfind", .call = s_rfind},
    {.name = "<str>.isdigit", .call = s_isdigit},
    {.name = "<str>.isdecimal", .call = s_isdigit},
    {.name = "<str>.isidentifier", .call = s_isidentifier},
    {.name = "<str>.join", .call = s_join},
    {.name = "<str>.replace", .call = s_replace},
    {.name = "<str>.lower", .call = s_lower},
    {.name = "<str>.casefold", .call = s_lower},
    {.name = "<str>.upper", .call = s_upper},
    {.name = "<str>.format", .call = s_format},
    {.name = "<str>.encode", .call = s_recoded},
    {.name = "<str>.decode", .call = s_recoded},
    {.name = "textwrap.dedent", .call = dedent},
};
WY_KNOWN_TABLE(wy_known_text, rows);
