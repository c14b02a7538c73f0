#include "source/zip.h"

#include <zlib.h>

enum {
    END_BYTES = 22, /* end of central directory, without its comment */
    MOST_COMMENT = 0xffff,
    ENTRY_BYTES = 46, /* of the directory, without name, extra field and comment */
    LOCAL_BYTES = 30, /* before a member's content, likewise */
    MOST_MEMBERS = 100000,
    MOST_DIRECTORY = 32 << 20,
};

static uint32_t get(const char *p, unsigned n) {
    uint32_t v = 0;
    while (n--)
        v = v << 8 | (unsigned char)p[n];
    return v;
}

static bool read_all(const struct wy_source *src, uint64_t at, void *to, size_t n) {
    return at <= src->size && n <= src->size - at &&
           (n == 0 || src->read(src->ctx, at, to, n) == (int64_t)n);
}

/* Where the end record lies: behind it only its comment. SIZE_MAX: nowhere. */
static size_t find_end(const char *tail, size_t n) {
    for (size_t at = n >= END_BYTES ? n - END_BYTES + 1 : 0; at-- > 0;)
        if (memcmp(tail + at, "PK\5\6", 4) == 0)
            return at;
    return SIZE_MAX;
}

static int by_name(const void *a, const void *b) {
    const struct wy_zip_member *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* One entry of the directory; returns its length, 0 at the end or where it is damaged. */
static size_t take_entry(struct wy_str dir, uint64_t before, struct wy_arena *a,
                         struct wy_zip_member *ret) {
    if (dir.n < ENTRY_BYTES || memcmp(dir.p, "PK\1\2", 4) != 0)
        return 0;
    size_t name = get(dir.p + 28, 2);
    size_t whole = ENTRY_BYTES + name + get(dir.p + 30, 2) + get(dir.p + 32, 2);
    if (whole > dir.n)
        return 0;
    *ret =
        (struct wy_zip_member){.name = wy_arena_str(a, (struct wy_str){dir.p + ENTRY_BYTES, name}),
                               .method = get(dir.p + 10, 2),
                               .at = before + get(dir.p + 42, 4),
                               .packed = get(dir.p + 20, 4),
                               .size = get(dir.p + 24, 4)};
    return whole;
}

static void keep_last_of_each(struct wy_zip *zip) {
    size_t kept = 0;
    for (size_t i = 0; i < zip->n; i++)
        if (i + 1 == zip->n || strcmp(zip->v[i].name, zip->v[i + 1].name) != 0)
            zip->v[kept++] = zip->v[i];
    zip->n = kept;
}

static void take_directory(struct wy_str dir, uint64_t before, struct wy_arena *a,
                           struct wy_zip *ret) {
    size_t room = dir.n / ENTRY_BYTES < MOST_MEMBERS ? dir.n / ENTRY_BYTES : MOST_MEMBERS, n;
    ret->v = wy_arena_alloc(a, (room + 1) * sizeof *ret->v);
    while (ret->n < room && (n = take_entry(dir, before, a, &ret->v[ret->n])) != 0) {
        ret->n++;
        dir = (struct wy_str){dir.p + n, dir.n - n};
    }
    if (ret->n)
        qsort(ret->v, ret->n, sizeof *ret->v, by_name);
    keep_last_of_each(ret);
}

const char *wy_zip_read(const struct wy_source *src, struct wy_arena *a, struct wy_zip *ret) {
    *ret = (struct wy_zip){0};
    wy_auto_free char *tail = NULL, *dir = NULL;
    size_t n = src->size < END_BYTES + MOST_COMMENT ? (size_t)src->size : END_BYTES + MOST_COMMENT;
    tail = wy_alloc(n + 1);
    if (!read_all(src, src->size - n, tail, n))
        return "it cannot be read";
    size_t end = find_end(tail, n);
    if (end == SIZE_MAX)
        return "it is no zip archive";
    uint64_t at = src->size - n + end;
    uint32_t bytes = get(tail + end + 12, 4), offset = get(tail + end + 16, 4);
    /* offsets count from where the archive begins; something else may stand before it */
    if ((uint64_t)bytes + offset > at || bytes > MOST_DIRECTORY)
        return "its central directory lies outside of it";
    dir = wy_alloc((size_t)bytes + 1);
    if (!read_all(src, at - bytes, dir, bytes))
        return "it cannot be read";
    take_directory((struct wy_str){dir, bytes}, at - bytes - offset, a, ret);
    return NULL;
}

const struct wy_zip_member *wy_zip_find(const struct wy_zip *zip, const char *name) {
    size_t low = 0, high = zip->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(zip->v[middle].name, name);
        if (order == 0)
            return &zip->v[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool inflate_all(const char *from, size_t n, unsigned char *to, size_t size) {
    z_stream z = {.avail_in = (uInt)n, .avail_out = (uInt)size};
    z.next_out = to;
    /* zlib's interface is from before const; it does not write to its input. */
    memcpy(&z.next_in, &from, sizeof from);
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return false;
    int result = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return result == Z_STREAM_END && z.avail_out == 0;
}

const char *wy_zip_text(const struct wy_source *src, const struct wy_zip_member *m, size_t max,
                        struct wy_arena *a, struct wy_str *ret) {
    char local[LOCAL_BYTES];
    if (m->size > max || (m->method == 0 && m->packed != m->size) || m->packed > src->size)
        return "it is too large";
    if (!read_all(src, m->at, local, sizeof local) || memcmp(local, "PK\3\4", 4) != 0)
        return "its header in the archive is damaged";
    uint64_t at = m->at + sizeof local + get(local + 26, 2) + get(local + 28, 2);
    wy_auto_free char *packed = wy_alloc((size_t)m->packed + 1);
    char *text = wy_arena_alloc(a, (size_t)m->size + 1);
    text[m->size] = '\0';
    *ret = (struct wy_str){text, m->size};
    if (!read_all(src, at, packed, m->packed))
        return "it ends beyond the archive";
    if (m->method == 0)
        memcpy(text, packed, m->size);
    else if (m->method != 8 || !inflate_all(packed, m->packed, (unsigned char *)text, m->size))
        return "its packed content is damaged";
    return NULL;
}
