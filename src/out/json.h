/* A streaming JSON writer (RFC 8259). Own code because file names need not be UTF-8: a byte that
 * is not appears as the lone surrogate \udcXX, as Python's surrogateescape has it (PEP 383), and
 * JSON libraries refuse to write one. Output is ASCII. */
#ifndef WY_OUT_JSON_H
#define WY_OUT_JSON_H

#include "base/buf.h"
#include "whyso/result.h"

struct wy_json {
    struct wy_buf *out;
    bool lines;            /* one item per line, indented; else everything on one line */
    unsigned depth;        /* open objects and lists */
    bool first;            /* nothing stands in the innermost open one yet */
    bool after_key;        /* the next value belongs to a key just written */
    const char *line_type; /* NDJSON: each outermost object begins with this "type"; NULL: none */
};

/* `bracket` is '{' or '[', and '}' or ']'. */
void wy_json_open(struct wy_json *j, char bracket);
void wy_json_close(struct wy_json *j, char bracket);
void wy_json_key(struct wy_json *j, const char *key);

/* Values: an item of a list, or what belongs to the key before. */
void wy_json_text(struct wy_json *j, const char *s); /* NULL gives null */
void wy_json_uint(struct wy_json *j, uint64_t v);
void wy_json_number(struct wy_json *j, double v);
void wy_json_bool(struct wy_json *j, bool v);
void wy_json_null(struct wy_json *j);

/* Key and value in one. */
void wy_json_put(struct wy_json *j, const char *key, const char *s);
void wy_json_put_uint(struct wy_json *j, const char *key, uint64_t v);
void wy_json_put_bool(struct wy_json *j, const char *key, bool v);
void wy_json_put_null(struct wy_json *j, const char *key);
void wy_json_put_strings(struct wy_json *j, const char *key, struct whyso_strings list);

/* `"key": [` item … `]` over a list of the result types. */
#define WY_JSON_LIST(j, key, list, item)                                                           \
    do {                                                                                           \
        wy_json_key((j), (key));                                                                   \
        wy_json_open((j), '[');                                                                    \
        for (size_t wy_i_ = 0; wy_i_ < (list).n; wy_i_++)                                          \
            item((j), &(list).v[wy_i_]);                                                           \
        wy_json_close((j), ']');                                                                   \
    } while (0)

/* NDJSON: one line per item, each with its "type". */
#define WY_JSON_LINES(j, type, list, item)                                                         \
    do {                                                                                           \
        (j)->line_type = (type);                                                                   \
        for (size_t wy_i_ = 0; wy_i_ < (list).n; wy_i_++)                                          \
            item((j), &(list).v[wy_i_]);                                                           \
    } while (0)

#endif
