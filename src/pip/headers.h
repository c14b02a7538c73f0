/* Header lines as METADATA, PKG-INFO and WHEEL write them (RFC 822, read as Python's email parser
 * does: the core metadata specification names it as the reader). */
#ifndef WY_PIP_HEADERS_H
#define WY_PIP_HEADERS_H

#include "base/mem.h"

/* The next header of `*rest`, which moves behind it. `value` is trimmed and may hold line ends with
 * the white space of continuation lines. False at the blank line, at the first line that is no
 * header, or at the end; `*rest` is then the body. */
bool wy_header_next(struct wy_str *rest, struct wy_str *name, struct wy_str *value);
/* Equal names whatever the letter case. */
bool wy_header_is(struct wy_str name, const char *want);
/* The value on one line: each line end with the white space around it becomes one space, a NUL
 * becomes '?'. */
char *wy_header_text(struct wy_arena *a, struct wy_str value);

#endif
