#include "out/json.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>

static void new_line(struct wy_json *j) {
    if (!j->lines)
        return;
    wy_buf_char(j->out, '\n');
    for (unsigned i = 0; i < j->depth; i++)
        wy_buf_str(j->out, "  ");
}

/* What stands before a value or a key: a comma, a line break, or nothing. */
static void lead(struct wy_json *j) {
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    if (!j->first)
        wy_buf_char(j->out, ',');
    if (j->depth)
        new_line(j);
    j->first = false;
}

void wy_json_open(struct wy_json *j, char bracket) {
    if (j->depth || j->after_key)
        lead(j);
    wy_buf_char(j->out, bracket);
    j->depth++;
    j->first = true;
    if (j->depth == 1 && j->line_type)
        wy_json_put(j, "type", j->line_type);
}

void wy_json_close(struct wy_json *j, char bracket) {
    j->depth--;
    if (!j->first)
        new_line(j);
    wy_buf_char(j->out, bracket);
    j->first = false;
    if (j->depth == 0)
        wy_buf_char(j->out, '\n');
}

static void code_unit(struct wy_buf *b, uint32_t c) {
    wy_buf_printf(b, "\\u%04x", (unsigned)c);
}

static void character(struct wy_buf *b, uint32_t c) {
    static const char letters[] = "btn?fr"; /* \b is 8; 11 has no letter */
    if (c == '"' || c == '\\') {
        wy_buf_char(b, '\\');
        wy_buf_char(b, (char)c);
    } else if (c >= 8 && c <= 13 && c != 11) {
        wy_buf_char(b, '\\');
        wy_buf_char(b, letters[c - 8]);
    } else if (c >= 0x20 && c < 0x7f) {
        wy_buf_char(b, (char)c);
    } else if (c < 0x10000) {
        code_unit(b, c);
    } else {
        code_unit(b, 0xd800 + ((c - 0x10000) >> 10));
        code_unit(b, 0xdc00 + ((c - 0x10000) & 0x3ff));
    }
}

static void quoted(struct wy_buf *b, struct wy_str s) {
    wy_buf_char(b, '"');
    while (s.n) {
        uint32_t c = 0;
        unsigned len = wy_utf8_next(s, &c);
        if (len == 0) {
            code_unit(b, 0xdc00u + (unsigned char)s.p[0]);
            len = 1;
        } else {
            character(b, c);
        }
        s.p += len;
        s.n -= len;
    }
    wy_buf_char(b, '"');
}

void wy_json_key(struct wy_json *j, const char *key) {
    lead(j);
    quoted(j->out, wy_str_of(key));
    wy_buf_str(j->out, j->lines ? ": " : ":");
    j->after_key = true;
}

void wy_json_text(struct wy_json *j, const char *s) {
    lead(j);
    if (s)
        quoted(j->out, wy_str_of(s));
    else
        wy_buf_str(j->out, "null");
}

void wy_json_uint(struct wy_json *j, uint64_t v) {
    lead(j);
    wy_buf_printf(j->out, "%llu", (unsigned long long)v);
}

/* Up to 2^53 a double holds every integer exactly. */
#define WHOLE 9007199254740992.0

void wy_json_number(struct wy_json *j, double v) {
    lead(j);
    if (!isfinite(v)) /* JSON has no such number */
        wy_buf_str(j->out, "null");
    else if (v > -WHOLE && v < WHOLE && v == (double)(int64_t)v)
        wy_buf_printf(j->out, "%lld", (long long)v);
    else
        wy_buf_printf(j->out, "%.17g", v);
}

void wy_json_bool(struct wy_json *j, bool v) {
    lead(j);
    wy_buf_str(j->out, v ? "true" : "false");
}

void wy_json_null(struct wy_json *j) {
    wy_json_text(j, NULL);
}

void wy_json_put(struct wy_json *j, const char *key, const char *s) {
    wy_json_key(j, key);
    wy_json_text(j, s);
}

void wy_json_put_uint(struct wy_json *j, const char *key, uint64_t v) {
    wy_json_key(j, key);
    wy_json_uint(j, v);
}

void wy_json_put_bool(struct wy_json *j, const char *key, bool v) {
    wy_json_key(j, key);
    wy_json_bool(j, v);
}

void wy_json_put_null(struct wy_json *j, const char *key) {
    wy_json_put(j, key, NULL);
}

void wy_json_put_strings(struct wy_json *j, const char *key, struct whyso_strings list) {
    wy_json_key(j, key);
    wy_json_open(j, '[');
    for (size_t i = 0; i < list.n; i++)
        wy_json_text(j, list.v[i]);
    wy_json_close(j, ']');
}
