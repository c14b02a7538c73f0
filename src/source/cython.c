/* The table of strings of Cython from 3.1 on: all texts one after the other, compressed by zlib
 * (Cython/Compiler/Code.py, generate_pystring_constants). Their lengths are an array of 32-bit bit
 * fields, which compilers keep among the constants when it is long and turn into code when it is
 * short. With the array every text has its end; without it a name ends where the longest module of
 * the own package does. */
#include "source/extension.h"

#include <zlib.h>

enum {
    MOST_TRIES = 256,       /* places that look like the start of a stream */
    MOST_TEXT = 4 << 20,    /* bytes of one table */
    MOST_OUTPUT = 16 << 20, /* and of all streams of a file together */
    MOST_SPLITS = 64,       /* arrays whose sum is right */
    LEAST_TEXT = 64,
    LONGEST_NAME = 128,
    MOST_ASKED = 100000,
};

/* ---- with the array of lengths ---- */

static uint32_t length_at(struct wy_str in, size_t i) {
    const unsigned char *p = (const unsigned char *)in.p + 4 * i;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Every module made by Cython has the names of its module among its constants. */
static bool is_split(struct wy_str in, size_t from, size_t to, struct wy_str text) {
    bool main = false, name = false;
    for (size_t i = from; i < to; i++) {
        struct wy_str part = {text.p, length_at(in, i)};
        main = main || wy_str_is(part, "__main__");
        name = name || wy_str_is(part, "__name__");
        text.p += part.n;
    }
    return main && name;
}

/* The array: neighbouring numbers whose sum is the length of the text. */
static bool find_lengths(struct wy_str in, struct wy_str text, size_t *from, size_t *to) {
    size_t words = in.n / 4, tries = 0;
    uint64_t sum = 0;
    *from = 0;
    for (size_t i = 0; i < words; i++) {
        uint32_t n = length_at(in, i);
        if (n > text.n) {
            *from = i + 1;
            sum = 0;
            continue;
        }
        for (sum += n; sum > text.n; ++*from)
            sum -= length_at(in, *from);
        if (sum != text.n || n == 0)
            continue;
        if (++tries > MOST_SPLITS)
            return false;
        *to = i + 1;
        if (is_split(in, *from, *to, text))
            return true;
    }
    return false;
}

/* ---- without it ---- */

/* The longest module that a name beginning here can be; what follows it is the next text, so no
 * dot. */
static void longest_module(struct wy_extension *s, struct wy_str run, size_t package) {
    char name[LONGEST_NAME + 1];
    if (run.n > LONGEST_NAME)
        run.n = LONGEST_NAME;
    memcpy(name, run.p, run.n);
    for (size_t n = run.n; n > package + 1; n--) {
        name[n] = '\0';
        if (name[n - 1] == '.' || (n < run.n && run.p[n] == '.'))
            continue;
        if (++s->asked > MOST_ASKED)
            return;
        if (s->is_module(s->ctx, name)) {
            wy_extension_put(s, (struct wy_str){name, n}, WY_EXTENSION_CYTHON_PACKED);
            return;
        }
    }
}

static void search_package(struct wy_extension *s, struct wy_str text) {
    size_t n = s->package ? strlen(s->package) : 0;
    if (!n || !s->is_module)
        return;
    for (size_t at = 0; text.n - at > n + 1;) {
        size_t found =
            wy_str_find((struct wy_str){text.p + at, text.n - at}, wy_str_of(s->package));
        if (found == SIZE_MAX)
            return;
        at += found;
        size_t end = at + n;
        while (end < text.n && (wy_extension_is_letter(text.p[end]) || text.p[end] == '.'))
            end++;
        if (at + n < text.n && text.p[at + n] == '.')
            longest_module(s, (struct wy_str){text.p + at, end - at}, n);
        at += n;
    }
}

/* ---- the streams ---- */

static void take(struct wy_extension *s, struct wy_str constants, struct wy_str text) {
    size_t from, to;
    if (!find_lengths(constants, text, &from, &to)) {
        search_package(s, text);
        return;
    }
    for (size_t i = from; i < to; i++) {
        struct wy_str part = {text.p, length_at(constants, i)};
        wy_extension_cython_name(s, part, WY_EXTENSION_CYTHON_PACKED);
        text.p += part.n;
    }
}

/* A whole stream that begins at `in`, into `out`; false when there is none. */
static bool inflate_all(z_stream *z, struct wy_str in, char *out, size_t room, size_t *n) {
    if (inflateReset(z) != Z_OK)
        return false;
    /* zlib's interface is from before const; it does not write to its input. */
    memcpy(&z->next_in, &in.p, sizeof in.p);
    z->avail_in = in.n < MOST_TEXT ? (uInt)in.n : MOST_TEXT;
    z->next_out = (Bytef *)out;
    z->avail_out = (uInt)room;
    int rc = inflate(z, Z_FINISH);
    *n = room - z->avail_out;
    return rc == Z_STREAM_END;
}

void wy_extension_packed(struct wy_extension *s, struct wy_str constants) {
    z_stream z = {0};
    if (inflateInit(&z) != Z_OK)
        return;
    wy_auto_free char *out = wy_alloc(MOST_TEXT);
    size_t at = 0, output = 0;
    for (int tries = 0; tries < MOST_TRIES && output < MOST_OUTPUT; tries++) {
        struct wy_str rest = {constants.p + at, constants.n - at};
        size_t found = wy_str_find(rest, WY_STR("\x78\xda"));
        if (found == SIZE_MAX)
            break;
        at += found;
        size_t n = 0;
        rest = (struct wy_str){constants.p + at, constants.n - at};
        if (inflate_all(&z, rest, out, MOST_TEXT, &n) && n >= LEAST_TEXT)
            take(s, constants, (struct wy_str){out, n});
        output += n;
        at += 2;
    }
    inflateEnd(&z);
}
