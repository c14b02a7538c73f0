/* JSON of other programs (RFC 8259), read where it stands: no tree of values is built, nothing is
 * copied but the strings that are asked for, and nothing recurses. A text that is cut or wrong ends
 * the reading where the fault is; `damaged` says so. */
#ifndef WY_BASE_JSONREAD_H
#define WY_BASE_JSONREAD_H

#include "base/mem.h"

/* One value: from its first byte to the last one that may belong to it. Borrowed from the text. */
struct wy_jread {
    const char *p, *end; /* p == NULL: there is none */
};

/* The members of an object or the items of an array. */
struct wy_jread_each {
    const char *p, *end;
    char close;   /* '}' or ']'; 0 when there is nothing more */
    bool first;   /* nothing was read yet: no comma is due */
    bool damaged; /* the text breaks off, or what stands there is no JSON */
};

/* The value that a text is (a byte order mark before it is passed over). */
struct wy_jread wy_jread_text(struct wy_str text);
/* '{' '[' '"' 't' 'f' 'n', '0' for any number, NUL for anything else. */
char wy_jread_kind(struct wy_jread v);

/* Begins with the first member or item; there is none when `v` is neither object nor array. */
struct wy_jread_each wy_jread_begin(struct wy_jread v);
/* The next one, or false. `key` is the member's name as it is written, escapes and all (NULL for
 * an array). Nesting beyond 256 levels is damage. */
bool wy_jread_next(struct wy_jread_each *each, struct wy_str *key, struct wy_jread *ret);
/* The first member of that name, or none. */
struct wy_jread wy_jread_get(struct wy_jread object, const char *key);

/* The text of a string, escapes resolved, into `a`, with a NUL behind that is not counted. False
 * when it is no string, or holds the character NUL, which no name here may have. A lone surrogate
 * \udcXX is the byte XX (Python's surrogateescape), others become U+FFFD. */
bool wy_jread_str(struct wy_jread v, struct wy_arena *a, struct wy_str *ret);
/* A whole number without sign, at most `max`. */
bool wy_jread_u64(struct wy_jread v, uint64_t max, uint64_t *ret);

#endif
