/* The compressed table of strings that Cython writes from 3.1 on (Cython/Compiler/Code.py,
 * generate_pystring_constants): zlib's format, from 3.3 on mostly one of its own. zstd and bz2 can
 * be asked for and are not read. What is in it: cython_table.c. */
#include "source/extension.h"

#include <zlib.h>

enum {
    MOST_TRIES = 4096,      /* places that look like the start of a stream */
    MOST_TEXT = 1 << 20,    /* bytes of one table */
    MOST_OUTPUT = 16 << 20, /* and of all that was unpacked for one segment */
};

struct unpacker {
    struct wy_extension *to;
    struct wy_str constants;
    char *text; /* MOST_TEXT bytes */
    size_t output;
    int tries;
};

static bool may_go_on(struct unpacker *u) {
    return u->tries++ < MOST_TRIES && u->output < MOST_OUTPUT;
}

/* ---- zlib ---- */

/* A whole stream that begins at `in`: the length of its text, 0 when there is none. */
static size_t inflate_all(struct unpacker *u, z_stream *z, struct wy_str in) {
    if (inflateReset(z) != Z_OK)
        return 0;
    /* zlib's interface is from before const; it does not write to its input. */
    memcpy(&z->next_in, &in.p, sizeof in.p);
    z->avail_in = in.n < MOST_TEXT ? (uInt)in.n : MOST_TEXT;
    z->next_out = (Bytef *)u->text;
    z->avail_out = MOST_TEXT;
    int rc = inflate(z, Z_FINISH);
    size_t n = MOST_TEXT - z->avail_out;
    u->output += n;
    return rc == Z_STREAM_END ? n : 0;
}

static bool zlib_table(struct unpacker *u) {
    z_stream z = {0};
    bool found = false;
    if (inflateInit(&z) != Z_OK)
        return false;
    for (size_t at = 0; !found && may_go_on(u); at += 2) {
        struct wy_str rest = {u->constants.p + at, u->constants.n - at};
        size_t next = wy_str_find(rest, WY_STR("\x78\xda")); /* deflate at level 9 */
        if (next == SIZE_MAX)
            break;
        at += next;
        size_t n = inflate_all(u, &z, (struct wy_str){rest.p + next, rest.n - next});
        found = wy_extension_table(u->to, u->constants, (struct wy_str){u->text, n});
    }
    inflateEnd(&z);
    return found;
}

/* ---- Cython's own (Cython/LZSS.py and Utility/StringTools.c of 3.3) ----
 *
 * A byte of flags, then eight items, lowest flag first: 1 is a byte as it is, 0 a copy of what came
 * before. A copy is two or three bytes: how far before the text in hand it ends, and its length. */

struct copy {
    size_t back, n; /* back: from the end of the text to the end of what is copied */
};

static bool next_copy(const unsigned char **p, const unsigned char *end, struct copy *ret) {
    if (end - *p < 2)
        return false;
    unsigned low = *(*p)++, high = *(*p)++;
    if (!(low & 0x80))
        *ret = (struct copy){low, high};
    else if (!(high & 0x80))
        *ret = (struct copy){0x80 + ((high << 2 & 0x180) | (low & 0x7f)), high & 0x1f};
    else if (*p < end)
        *ret = (struct copy){0x80 + ((high & 0x7f) << 7 | (low & 0x7f)), *(*p)++};
    else
        return false;
    ret->n += 3;
    return true;
}

/* Neither its length nor that of its text stands in the stream: reads on until something cannot be.
 * The text then ends in rubbish. */
static size_t unpack(struct unpacker *u, const unsigned char *p, const unsigned char *end,
                     size_t most) {
    size_t n = 0;
    while (p < end) {
        unsigned flags = *p++;
        for (int i = 0; i < 8 && p < end; i++, flags >>= 1) {
            struct copy c = {0, 0};
            if (flags & 1 && n < most) {
                u->text[n++] = (char)*p++;
                continue;
            }
            if (n == most || !next_copy(&p, end, &c) || c.back + c.n > n || c.n > most - n)
                return n;
            memcpy(u->text + n, u->text + n - c.back - c.n, c.n);
            n += c.n;
        }
    }
    return n;
}

/* The table begins with docstrings and other text for people. */
static bool begins_with_text(const char *text, size_t n) {
    size_t printable = 0;
    for (size_t i = 0; i < n; i++)
        printable += (text[i] >= ' ' && text[i] < 127) || text[i] == '\n';
    return printable * 8 >= n * 7;
}

static bool lzss_table(struct unpacker *u) {
    enum { STEP = 8, /* arrays of that size are aligned at least so */ HEAD = 64 };
    const unsigned char *p = (const unsigned char *)u->constants.p, *end = p + u->constants.n;
    for (; end - p > HEAD; p += STEP) {
        if ((*p & 7) != 7 || unpack(u, p, end, HEAD) < HEAD / 2 ||
            !begins_with_text(u->text, HEAD / 2))
            continue;
        if (!may_go_on(u))
            return false;
        size_t n = unpack(u, p, end, MOST_TEXT);
        u->output += n;
        if (wy_extension_table(u->to, u->constants, (struct wy_str){u->text, n}))
            return true;
    }
    return false;
}

void wy_extension_packed(struct wy_extension *x, struct wy_str constants) {
    wy_auto_free char *text = wy_alloc(MOST_TEXT);
    struct unpacker u = {.to = x, .constants = constants, .text = text};
    if (!zlib_table(&u)) {
        u.tries = 0;
        lzss_table(&u);
    }
}
