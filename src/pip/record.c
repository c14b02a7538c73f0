/* RECORD as Python's csv module reads it (excel dialect, not strict): fields may be quoted, a
 * doubled quote inside is one quote, text behind a closing quote belongs to the field, a line ends
 * with LF, CR or CRLF. */
#include "base/utf8.h"
#include "pip/pip.h"

enum { FIELD_MAX = 131072 /* csv.field_size_limit() */, COLUMNS = 3 };

struct reader {
    char *p, *end;
    char *line_end; /* first CR or LF at or behind p, or `end` */
    size_t line;    /* of p, counted from 1 */
    bool backslash; /* there is one somewhere in the file */
    bool ascii;     /* no byte above 0x7f in the file */
    char *fields[COLUMNS];
    size_t lengths[COLUMNS];
    size_t nfields;      /* all of the row, also those past COLUMNS */
    const char *problem; /* the first thing that is wrong */
    struct wy_arena *arena;
};

static void complain(struct reader *r, size_t line, const char *what) {
    if (!r->problem)
        r->problem = wy_arena_printf(r->arena, "line %zu: %s", line, what);
}

static bool is_ascii(const char *p, size_t n) {
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        if (word & 0x8080808080808080u)
            return false;
    }
    for (; n; p++, n--)
        if ((unsigned char)*p > 0x7f)
            return false;
    return true;
}

static bool is_utf8(struct wy_str s) {
    uint32_t ignored;
    while (s.n) {
        unsigned n = wy_utf8_next(s, &ignored);
        if (n == 0)
            return false;
        s.p += n;
        s.n -= n;
    }
    return true;
}

/* Copies the quoted part down over its own quotes: the field starts at r->p, which is a quote.
 * Returns the end of what was kept, or NULL when the quote is never closed. */
static char *unquote(struct reader *r) {
    char *to = r->p, *from = r->p + 1;
    for (; from < r->end; from++) {
        if (*from == '"') {
            if (from + 1 == r->end || from[1] != '"') {
                r->p = from + 1;
                return to;
            }
            from++;
        } else if (*from == '\n') {
            r->line++;
        }
        *to++ = *from;
    }
    return NULL;
}

static void find_line_end(struct reader *r) {
    char *lf = memchr(r->p, '\n', (size_t)(r->end - r->p));
    r->line_end = lf ? lf : r->end;
    char *cr = memchr(r->p, '\r', (size_t)(r->line_end - r->p));
    if (cr)
        r->line_end = cr;
}

/* One field; r->p then stands at the separator that ended it, or at the end. */
static bool read_field(struct reader *r) {
    char *start = r->p, *to = start;
    if (r->p < r->line_end && *r->p == '"') {
        to = unquote(r);
        if (!to)
            return false;
        find_line_end(r); /* the quoted part may have held some */
    }
    char *comma = memchr(r->p, ',', (size_t)(r->line_end - r->p));
    char *stop = comma ? comma : r->line_end;
    size_t tail = (size_t)(stop - r->p);
    if (to != r->p)
        memmove(to, r->p, tail);
    r->p = stop;
    if (r->nfields < COLUMNS) {
        r->fields[r->nfields] = start;
        r->lengths[r->nfields] = (size_t)(to - start) + tail;
    }
    r->nfields++;
    return true;
}

/* Eats the line end, or nothing at the end of the file. */
static void end_line(struct reader *r) {
    if (r->p < r->end && *r->p == '\r')
        r->p++;
    if (r->p < r->end && *r->p == '\n')
        r->p++;
    r->line++;
}

/* One row into `fields`, each NUL-terminated inside the file's own bytes (a field is always
 * followed by a separator or by the end, where there is room). False when a quote stays open. */
static bool read_row(struct reader *r) {
    r->nfields = 0;
    find_line_end(r);
    for (;;) {
        if (!read_field(r))
            return false;
        if (r->p == r->end || *r->p != ',')
            break;
        r->p++;
    }
    end_line(r);
    for (size_t i = 0; i < COLUMNS && i < r->nfields; i++)
        r->fields[i][r->lengths[i]] = '\0';
    return true;
}

static struct wy_str field(const struct reader *r, size_t i) {
    if (i >= r->nfields || i >= COLUMNS)
        return (struct wy_str){NULL, 0};
    return (struct wy_str){r->fields[i], r->lengths[i]};
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

/* Whether the row can be one of a text at all. Random bytes rarely have three columns. */
static bool is_garbage(const struct reader *r) {
    struct wy_str path = field(r, 0);
    if (r->nfields == COLUMNS)
        return false;
    for (size_t i = 0; i < path.n; i++)
        if (is_control(path.p[i]))
            return true;
    return !r->ascii && !is_utf8(path);
}

static void slashes(char *p, size_t n) {
    for (char *end = p + n; (p = memchr(p, '\\', (size_t)(end - p)));)
        *p = '/';
}

static void add_row(struct reader *r, size_t line, struct wy_record *ret) {
    struct wy_str path = field(r, 0), hash = field(r, 1), size = field(r, 2);
    struct wy_record_row row = {.path = r->fields[0], .size = -1};
    if (r->nfields != COLUMNS)
        complain(r, line, "a row that has not three columns (path, hash, size)");
    if (r->nfields > COLUMNS || path.n == 0)
        return;
    if (!r->ascii && !is_utf8(path))
        complain(r, line, "a path that is not UTF-8");
    if (r->backslash)
        slashes(r->fields[0], path.n);
    if (wy_str_starts(hash, "sha256="))
        row.hash = (struct wy_str){hash.p + 7, hash.n - 7};
    uint64_t bytes;
    if (wy_str_u64(size, INT64_MAX, &bytes))
        row.size = (int64_t)bytes;
    else if (size.n)
        complain(r, line, "a size that is not a number");
    wy_vec_push(ret, row);
}

static void reserve(struct wy_record *ret, const char *p, size_t n) {
    size_t lines = 1;
    for (const char *end = p + n; (p = memchr(p, '\n', (size_t)(end - p))); p++)
        lines++;
    if (lines > WY_RECORD_MAX_ROWS)
        lines = WY_RECORD_MAX_ROWS;
    if (ret->cap < lines) {
        ret->v = wy_realloc(ret->v, lines, sizeof *ret->v);
        ret->cap = lines;
    }
}

static void read_rows(struct reader *r, struct wy_record *ret) {
    while (r->p < r->end) {
        size_t line = r->line;
        if (*r->p == '\n' || *r->p == '\r') {
            end_line(r);
            continue;
        }
        const char *start = r->p;
        if (!read_row(r)) {
            complain(r, line, "a quote that is not closed");
            return;
        }
        if ((size_t)(r->p - start) > FIELD_MAX) {
            complain(r, line, "a row longer than 131,072 bytes");
            return;
        }
        if (is_garbage(r)) {
            complain(r, line, "not text");
            return;
        }
        if (ret->n == WY_RECORD_MAX_ROWS) {
            complain(r, line, "more than 2,000,000 rows");
            return;
        }
        add_row(r, line, ret);
    }
}

const char *wy_record_parse(char *bytes, size_t n, struct wy_arena *a, struct wy_record *ret) {
    if (n == 0)
        return NULL;
    if (n > WY_RECORD_MAX_BYTES)
        return "larger than 64 MiB";
    char *nul = memchr(bytes, '\0', n);
    struct reader r = {.p = bytes, .end = nul ? nul : bytes + n, .line = 1, .arena = a};
    if (nul) { /* keep whole rows only */
        while (r.end > bytes && r.end[-1] != '\n')
            r.end--;
    }
    size_t kept = (size_t)(r.end - bytes);
    r.backslash = kept && memchr(bytes, '\\', kept);
    r.ascii = is_ascii(bytes, kept);
    if (kept)
        reserve(ret, bytes, kept);
    read_rows(&r, ret);
    if (nul)
        complain(&r, r.line, "a NUL byte");
    return r.problem;
}
