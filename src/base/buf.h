/* A text that grows: built up piece by piece, always NUL-terminated. */
#ifndef WY_BASE_BUF_H
#define WY_BASE_BUF_H

#include "base/mem.h"

struct wy_buf {
    char *p; /* NULL while empty */
    size_t n, cap;
};

void wy_buf_deinit(struct wy_buf *b);
void wy_buf_add(struct wy_buf *b, const void *bytes, size_t n);
void wy_buf_str(struct wy_buf *b, const char *s);
void wy_buf_char(struct wy_buf *b, char c);
void wy_buf_printf(struct wy_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text so far; "" while empty. Valid until the next addition. */
const char *wy_buf_text(const struct wy_buf *b);
/* Bytes of a NAME FROM A FILE, made safe for a terminal: control characters, bytes that are not
 * UTF-8, bidirectional and zero-width characters appear as \xNN or \uNNNN; a backslash as \\. */
void wy_buf_escaped(struct wy_buf *b, struct wy_str name);
/* One word for a POSIX shell: as it is when that is safe, else in single quotes. */
void wy_buf_shell(struct wy_buf *b, const char *word);

#define wy_auto_buf __attribute__((cleanup(wy_buf_deinit))) struct wy_buf

#endif
