/* The one table of rpmdb.sqlite that is needed (Fedora 33, RHEL 9 and later): Packages, with a blob
 * for each package. Only what that takes of the format is read (sqlite.org/fileformat2.html, by
 * section): table b-trees (1.6), records (2.1), chains of overflow pages (1.6), the schema (2.6).
 */
#include "sys/rpm.h"

enum { DEEPEST = 20, LARGEST_PAGE = 65536, FILE_HEADER = 100, LEAF = 13, INTERIOR = 5 };
enum { MOST_PAGES = 1 << 22 };

struct pages {
    struct wy_rpm_file *f;
    uint32_t size, usable; /* bytes of a page, and without the reserved ones at its end */
    uint32_t read;         /* pages so far: a tree that runs in circles has an end */
    /* Called for each row: the record's bytes. */
    void (*row)(struct pages *p, const uint8_t *record, size_t n);
    uint32_t root; /* of Packages, once the schema told it */
};

static bool read_page(struct pages *p, uint32_t number, uint8_t *to) {
    return number && p->read++ < MOST_PAGES &&
           wy_rpm_read(p->f, (uint64_t)(number - 1) * p->size, to, p->size);
}

/* Huffman-like integers of 1 to 9 bytes (section 1.6); returns how many, 0 past the end. */
static size_t varint(const uint8_t *p, size_t n, uint64_t *ret) {
    *ret = 0;
    for (size_t i = 0; i < 9 && i < n; i++) {
        if (i == 8) {
            *ret = *ret << 8 | p[i];
            return 9;
        }
        *ret = *ret << 7 | (p[i] & 0x7f);
        if (!(p[i] & 0x80))
            return i + 1;
    }
    return 0;
}

/* ---- rows */

/* How much of a payload lies in the leaf itself (section 1.6). */
static uint64_t local_part(const struct pages *p, uint64_t payload) {
    uint64_t most = p->usable - 35, least = (p->usable - 12) * 32 / 255 - 23;
    if (payload <= most)
        return payload;
    uint64_t k = least + (payload - least) % (p->usable - 4);
    return k <= most ? k : least;
}

static void read_cell(struct pages *p, const uint8_t *cell, size_t left) {
    uint64_t payload, rowid;
    size_t a = varint(cell, left, &payload);
    size_t b = a ? varint(cell + a, left - a, &rowid) : 0;
    if (!b || payload > WY_RPM_HEADER_MAX || payload > p->f->size)
        return;
    uint64_t local = local_part(p, payload);
    size_t at = a + b;
    if (local + (local < payload ? 4 : 0) > left - at)
        return;
    wy_auto_free uint8_t *record = wy_alloc(payload + p->size), *page = wy_alloc(p->size);
    memcpy(record, cell + at, local);
    uint32_t next = local < payload ? wy_be32(cell + at + local) : 0;
    uint64_t have = local;
    while (have < payload) {
        if (!read_page(p, next, page))
            return;
        uint64_t part = payload - have < p->usable - 4 ? payload - have : p->usable - 4;
        memcpy(record + have, page + 4, part);
        have += part;
        next = wy_be32(page);
    }
    p->row(p, record, payload);
}

static void read_tree(struct pages *p, uint32_t number, unsigned depth) {
    wy_auto_free uint8_t *page = wy_alloc(p->size);
    if (depth > DEEPEST || !read_page(p, number, page))
        return;
    size_t start = number == 1 ? FILE_HEADER : 0;
    uint8_t type = page[start];
    size_t cells = wy_be16(page + start + 3), list = start + (type == INTERIOR ? 12 : 8);
    if ((type != LEAF && type != INTERIOR) || list + 2 * cells > p->usable)
        return;
    for (size_t i = 0; i < cells; i++) {
        size_t at = wy_be16(page + list + 2 * i);
        if (at + 4 > p->usable)
            continue;
        if (type == LEAF)
            read_cell(p, page + at, p->usable - at);
        else
            read_tree(p, wy_be32(page + at), depth + 1);
    }
    if (type == INTERIOR)
        read_tree(p, wy_be32(page + start + 8), depth + 1);
}

/* ---- records */

struct column {
    uint64_t type; /* serial type (section 2.1) */
    const uint8_t *p;
    size_t n;
};

static size_t length_of(uint64_t type) {
    static const uint8_t fixed[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    return type < 12 ? fixed[type] : (size_t)((type - 12) / 2);
}

/* The first `n` columns; false when there are fewer, or they leave the record. */
static bool columns(const uint8_t *record, size_t size, struct column *ret, size_t n) {
    uint64_t header;
    size_t at = varint(record, size, &header);
    if (!at || header > size)
        return false;
    size_t body = header;
    for (size_t i = 0; i < n; i++) {
        size_t used = at < header ? varint(record + at, header - at, &ret[i].type) : 0;
        if (!used || ret[i].type > 2 * (uint64_t)size + 13)
            return false;
        ret[i].p = record + body;
        ret[i].n = length_of(ret[i].type);
        if (ret[i].n > size - body)
            return false;
        body += ret[i].n;
        at += used;
    }
    return true;
}

static bool is_text(const struct column *c, const char *text) {
    return c->type >= 13 && c->type % 2 &&
           wy_str_is((struct wy_str){(const char *)c->p, c->n}, text);
}

/* type, name, tbl_name, rootpage */
static void take_schema(struct pages *p, const uint8_t *record, size_t n) {
    struct column c[4];
    if (!columns(record, n, c, 4) || !is_text(&c[0], "table") || !is_text(&c[1], "Packages") ||
        c[3].type < 1 || c[3].type > 4)
        return;
    p->root = 0;
    for (size_t i = 0; i < c[3].n; i++)
        p->root = p->root << 8 | c[3].p[i];
}

/* hnum, which is the row's number and so is stored as null, and blob */
static void take_package(struct pages *p, const uint8_t *record, size_t n) {
    struct column c[2];
    if (columns(record, n, c, 2) && c[1].type >= 12 && c[1].type % 2 == 0)
        p->f->take(p->f, c[1].p, c[1].n);
}

bool wy_rpm_sqlite(struct wy_rpm_file *f) {
    uint8_t head[FILE_HEADER];
    if (!wy_rpm_read(f, 0, head, sizeof head) || memcmp(head, "SQLite format 3", 16) != 0)
        return false;
    struct pages p = {.f = f, .size = wy_be16(head + 16), .row = take_schema};
    if (p.size == 1)
        p.size = LARGEST_PAGE;
    if (p.size < 512 || (p.size & (p.size - 1)) || p.size - head[20] < 480)
        return false;
    p.usable = p.size - head[20];
    read_tree(&p, 1, 0);
    if (!p.root)
        return false;
    p.row = take_package;
    read_tree(&p, p.root, 0);
    return true;
}
