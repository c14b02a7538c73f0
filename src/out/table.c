#include "out/table.h"

/* Between two columns. */
enum { GAP = 2, NARROWEST_LAST = 24, FOLDED_INDENT = 2 };

void wy_table_init(struct wy_table *t, struct wy_page *p, size_t columns) {
    *t = (struct wy_table){.page = p, .columns = columns};
}

void wy_table_deinit(struct wy_table *t) {
    wy_vec_free(&t->cells);
}

void wy_table_cell(struct wy_table *t, enum wy_tone tone, const char *raw) {
    wy_vec_push(&t->cells, ((struct wy_cell){wy_page_name(t->page, raw), tone}));
}

static void measure(const struct wy_table *t, unsigned *widths) {
    memset(widths, 0, WY_TABLE_COLUMNS * sizeof *widths);
    for (size_t i = 0; i < t->cells.n; i++) {
        unsigned w = wy_page_columns(t->cells.v[i].text);
        if (w > widths[i % t->columns])
            widths[i % t->columns] = w;
    }
}

unsigned wy_table_width(const struct wy_table *t) {
    unsigned widths[WY_TABLE_COLUMNS], total = 0;
    measure(t, widths);
    for (size_t i = 0; i < t->columns; i++)
        if (widths[i])
            total += widths[i] + (total ? GAP : 0);
    return total;
}

/* The last cell of a row: it may fold under itself, or go below the row when there is little room
 * beside the others. `text` is escaped already, so it is split here and not escaped again. */
static void put_last(struct wy_table *t, const struct wy_cell *cell, unsigned spaces,
                     unsigned column, unsigned indent) {
    struct wy_page *p = t->page;
    struct wy_para q;
    wy_para_init(&q, p);
    struct wy_str rest = wy_str_of(cell->text);
    while (rest.p) {
        struct wy_str word = wy_str_cut(rest, ' ', &rest);
        const char *text = wy_arena_str(&p->arena, word);
        wy_vec_push(&q.words, ((struct wy_word){text, cell->tone, wy_page_columns(text), false}));
    }
    bool fits = column + wy_page_columns(cell->text) <= p->width;
    if (!fits && column + NARROWEST_LAST > p->width) {
        wy_page_newline(p);
        column = spaces = indent + FOLDED_INDENT;
    }
    wy_page_spaces(p, spaces);
    wy_para_put(&q, column, column);
}

static void put_row(struct wy_table *t, const struct wy_cell *row, const unsigned *widths,
                    unsigned indent) {
    struct wy_page *p = t->page;
    unsigned column = indent, pending = indent; /* pending: spaces owed before the next text */
    for (size_t i = 0; i < t->columns; i++) {
        if (!widths[i])
            continue;
        unsigned w = wy_page_columns(row[i].text);
        unsigned pad = widths[i] - w;
        if (w) {
            pending += t->right[i] ? pad : 0;
            column += t->right[i] ? pad : 0;
            if (i + 1 == t->columns) {
                put_last(t, &row[i], pending, column, indent);
                break;
            }
            wy_page_spaces(p, pending);
            wy_page_put(p, row[i].tone, row[i].text);
            pending = GAP + (t->right[i] ? 0 : pad);
            column += w + pending;
        } else {
            pending += widths[i] + GAP;
            column += widths[i] + GAP;
        }
    }
    wy_page_newline(p);
}

void wy_table_put(struct wy_table *t, unsigned indent) {
    unsigned widths[WY_TABLE_COLUMNS];
    measure(t, widths);
    for (size_t i = 0; i + t->columns <= t->cells.n; i += t->columns)
        put_row(t, &t->cells.v[i], widths, indent);
}
