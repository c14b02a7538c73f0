#include "base/jsonread.h"

enum { DEEPEST = 256 };

static const char *skip_space(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* Behind the closing quote of the string that starts at `p`, or NULL. */
static const char *string_end(const char *p, const char *end) {
    for (p++; p < end && *p != '"'; p++) {
        if ((unsigned char)*p < 0x20)
            return NULL;
        if (*p == '\\' && ++p == end)
            return NULL;
    }
    return p < end ? p + 1 : NULL;
}

/* Behind a number or one of the three words. */
static const char *scalar_end(const char *p, const char *end) {
    const char *start = p;
    while (p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || *p == 'E' ||
                       *p == '+' || *p == '-' || *p == '.'))
        p++;
    return p > start ? p : NULL;
}

/* Behind an object or array: brackets are matched, what lies between them is only passed over. */
static const char *nest_end(const char *p, const char *end) {
    char closes[DEEPEST];
    size_t depth = 0;
    while (p < end) {
        char c = *p;
        if (c == '"') {
            p = string_end(p, end);
            if (!p)
                return NULL;
            continue;
        }
        p++;
        if (c == '{' || c == '[') {
            if (depth == DEEPEST)
                return NULL;
            closes[depth++] = c == '{' ? '}' : ']';
        } else if (c == '}' || c == ']') {
            if (closes[--depth] != c)
                return NULL;
            if (!depth)
                return p;
        }
    }
    return NULL;
}

static const char *value_end(const char *p, const char *end) {
    if (p == end)
        return NULL;
    if (*p == '"')
        return string_end(p, end);
    return *p == '{' || *p == '[' ? nest_end(p, end) : scalar_end(p, end);
}

struct wy_jread wy_jread_text(struct wy_str text) {
    if (!text.p)
        return (struct wy_jread){0};
    if (wy_str_starts(text, "\xef\xbb\xbf"))
        text = (struct wy_str){text.p + 3, text.n - 3};
    const char *end = text.p + text.n, *p = skip_space(text.p, end);
    return p < end ? (struct wy_jread){p, end} : (struct wy_jread){0};
}

char wy_jread_kind(struct wy_jread v) {
    if (!v.p || v.p == v.end)
        return '\0';
    if (*v.p == '-' || (*v.p >= '0' && *v.p <= '9'))
        return '0';
    return strchr("{[\"tfn", *v.p) ? *v.p : '\0';
}

struct wy_jread_each wy_jread_begin(struct wy_jread v) {
    char kind = wy_jread_kind(v);
    if (kind != '{' && kind != '[')
        return (struct wy_jread_each){0};
    return (struct wy_jread_each){v.p + 1, v.end, kind == '{' ? '}' : ']', true, false};
}

static bool stop(struct wy_jread_each *each, bool damaged) {
    each->close = '\0';
    each->damaged = damaged;
    return false;
}

/* The name of a member and the colon behind it. */
static const char *read_key(const char *p, const char *end, struct wy_str *key) {
    const char *behind = p < end && *p == '"' ? string_end(p, end) : NULL;
    if (!behind)
        return NULL;
    if (key)
        *key = (struct wy_str){p + 1, (size_t)(behind - p) - 2};
    p = skip_space(behind, end);
    return p < end && *p == ':' ? skip_space(p + 1, end) : NULL;
}

bool wy_jread_next(struct wy_jread_each *each, struct wy_str *key, struct wy_jread *ret) {
    if (!each->close)
        return false;
    const char *p = skip_space(each->p, each->end), *end = each->end;
    if (p < end && *p == each->close)
        return stop(each, false);
    if (!each->first) {
        if (p == end || *p != ',')
            return stop(each, true);
        p = skip_space(p + 1, end);
    }
    if (each->close == '}')
        p = read_key(p, end, key);
    const char *behind = p ? value_end(p, end) : NULL;
    if (!behind)
        return stop(each, true);
    *ret = (struct wy_jread){p, behind};
    each->p = behind;
    each->first = false;
    return true;
}

struct wy_jread wy_jread_get(struct wy_jread object, const char *key) {
    struct wy_jread value;
    struct wy_str name;
    struct wy_jread_each each = wy_jread_begin(object);
    while (each.close == '}' && wy_jread_next(&each, &name, &value))
        if (wy_str_is(name, key))
            return value;
    return (struct wy_jread){0};
}

/* ---- strings */

static bool hex4(const char *p, const char *end, uint32_t *ret) {
    if (end - p < 4)
        return false;
    *ret = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 16;
        if (digit == 16)
            return false;
        *ret = *ret << 4 | digit;
    }
    return true;
}

static size_t put_utf8(char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((0xf0U << (4 - n)) | c);
    return n;
}

/* "XXXX" of a \u, with a second one when the two are a pair. Returns how many bytes were read, 0
 * when it is none; at most 4 bytes are written, fewer than are read. */
static size_t unicode(const char *p, const char *end, char *to, size_t *written) {
    uint32_t c, low;
    size_t used = 4;
    if (!hex4(p, end, &c) || !c)
        return 0;
    if (c >= 0xd800 && c < 0xdc00 && end - p >= 10 && p[4] == '\\' && p[5] == 'u' &&
        hex4(p + 6, end, &low) && low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        used = 10;
    }
    if (c >= 0xdc80 && c <= 0xdcff) {
        *to = (char)(c & 0xff);
        *written = 1;
        return used;
    }
    *written = put_utf8(to, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
    return used;
}

bool wy_jread_str(struct wy_jread v, struct wy_arena *a, struct wy_str *ret) {
    static const char plain[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *behind = wy_jread_kind(v) == '"' ? string_end(v.p, v.end) : NULL;
    if (!behind)
        return false;
    const char *p = v.p + 1, *end = behind - 1;
    char *text = wy_arena_alloc(a, (size_t)(end - p) + 1);
    size_t n = 0;
    while (p < end) {
        if (*p != '\\') {
            text[n++] = *p++;
            continue;
        }
        const char *known = strchr(plain, p[1]);
        size_t written = 0;
        size_t used = p[1] == 'u' ? unicode(p + 2, end, text + n, &written) : 0;
        if (known && p[1]) {
            text[n++] = means[known - plain];
            p += 2;
        } else if (used) {
            n += written;
            p += 2 + used;
        } else {
            return false;
        }
    }
    text[n] = '\0';
    *ret = (struct wy_str){text, n};
    return true;
}

bool wy_jread_u64(struct wy_jread v, uint64_t max, uint64_t *ret) {
    const char *behind = wy_jread_kind(v) == '0' ? scalar_end(v.p, v.end) : NULL;
    return behind && wy_str_u64((struct wy_str){v.p, (size_t)(behind - v.p)}, max, ret);
}
