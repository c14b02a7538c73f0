/* Columns that line up. A column without content takes no room; the last one folds. */
#ifndef WY_OUT_TABLE_H
#define WY_OUT_TABLE_H

#include "out/page.h"

#define WY_TABLE_COLUMNS 8

struct wy_cell {
    const char *text; /* escaped, owned by the page; "" when empty */
    enum wy_tone tone;
};
struct wy_table {
    struct wy_page *page;
    size_t columns;
    bool right[WY_TABLE_COLUMNS]; /* right-aligned */
    WY_VEC(struct wy_cell) cells; /* row after row */
};
void wy_table_init(struct wy_table *t, struct wy_page *p, size_t columns);
void wy_table_deinit(struct wy_table *t);
/* The next cell; `raw` is escaped here, NULL is empty. */
void wy_table_cell(struct wy_table *t, enum wy_tone tone, const char *raw);
/* Columns of the widest row. */
unsigned wy_table_width(const struct wy_table *t);
/* Writes the rows, each indented and on its own line. */
void wy_table_put(struct wy_table *t, unsigned indent);

#endif
