#include "base/buf.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void wy_buf_deinit(struct wy_buf *b) {
    free(b->p);
    *b = (struct wy_buf){0};
}

static void reserve(struct wy_buf *b, size_t more) {
    if (b->cap - b->n > more)
        return;
    size_t want = b->cap ? b->cap : 64;
    while (want - b->n <= more)
        want *= 2;
    b->p = wy_realloc(b->p, want, 1);
    b->cap = want;
}

void wy_buf_add(struct wy_buf *b, const void *bytes, size_t n) {
    if (!n)
        return;
    reserve(b, n);
    memcpy(b->p + b->n, bytes, n);
    b->n += n;
    b->p[b->n] = '\0';
}

void wy_buf_str(struct wy_buf *b, const char *s) {
    wy_buf_add(b, s, strlen(s));
}

void wy_buf_char(struct wy_buf *b, char c) {
    wy_buf_add(b, &c, 1);
}

void wy_buf_printf(struct wy_buf *b, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0) {
        reserve(b, (size_t)n);
        vsnprintf(b->p + b->n, (size_t)n + 1, format, again);
        b->n += (size_t)n;
    }
    va_end(again);
}

const char *wy_buf_text(const struct wy_buf *b) {
    return b->p ? b->p : "";
}

/* Characters that change how the text around them is shown: C0, DEL, C1, bidirectional marks,
 * embeddings, overrides and isolates (UAX 9), zero-width and line separators, BOM. */
static bool unsafe(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

void wy_buf_escaped(struct wy_buf *b, struct wy_str name) {
    while (name.n) {
        uint32_t c = 0;
        unsigned len = wy_utf8_next(name, &c);
        if (len == 0) {
            wy_buf_printf(b, "\\x%02x", (unsigned char)name.p[0]);
            len = 1;
        } else if (c == '\\') {
            wy_buf_str(b, "\\\\");
        } else if (unsafe(c)) {
            wy_buf_printf(b, c < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)c);
        } else {
            wy_buf_add(b, name.p, len);
        }
        name.p += len;
        name.n -= len;
    }
}

void wy_buf_shell(struct wy_buf *b, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        wy_buf_str(b, word);
        return;
    }
    wy_buf_char(b, '\'');
    for (; *word; word++)
        if (*word == '\'')
            wy_buf_str(b, "'\\''");
        else
            wy_buf_char(b, *word);
    wy_buf_char(b, '\'');
}
