/* Text for a terminal: words that fold at the page's width, with a hanging indent, and colour that
 * only supports what the words already say. Widths count code points. Every text that may come
 * from a file goes through wy_page_name or wy_para_* (they escape it). */
#ifndef WY_OUT_PAGE_H
#define WY_OUT_PAGE_H

#include "base/vec.h"
#include "out/out.h"

enum wy_tone { WY_PLAIN, WY_BOLD, WY_DIM, WY_RED, WY_YELLOW };

struct wy_page {
    struct wy_buf *out;
    const struct wy_out_style *style;
    unsigned width;
    struct wy_arena arena; /* everything that lives as long as the page is built */
};

void wy_page_init(struct wy_page *p, struct wy_buf *out, const struct wy_out_style *style);
void wy_page_deinit(struct wy_page *p);

/* The text made safe for a terminal, kept by the page. NULL gives "". */
const char *wy_page_name(struct wy_page *p, const char *raw);
/* `n` with thousands separators and the noun that fits: "1 file", "16,214 files". */
const char *wy_page_count(struct wy_page *p, uint64_t n, const char *one, const char *many);
/* Columns a text takes. */
unsigned wy_page_columns(const char *text);
/* Adds text as it is, in a tone. */
void wy_page_put(struct wy_page *p, enum wy_tone tone, const char *text);
void wy_page_spaces(struct wy_page *p, unsigned n);
void wy_page_newline(struct wy_page *p);

/* A paragraph: words put together first, laid out at the end. */
struct wy_word {
    const char *text; /* escaped, owned by the page */
    enum wy_tone tone;
    unsigned columns;
    bool glued; /* no space between it and the word before */
};
struct wy_para {
    struct wy_page *page;
    const char *fold; /* stands at the end of a folded line (" \\" for commands), or "" */
    WY_VEC(struct wy_word) words;
};
void wy_para_init(struct wy_para *q, struct wy_page *p);
/* A sentence: may fold at each of its spaces. */
void wy_para_text(struct wy_para *q, enum wy_tone tone, const char *raw);
/* One word that never folds, whatever is in it. */
void wy_para_word(struct wy_para *q, enum wy_tone tone, const char *raw);
/* The same, joined to the word before. */
void wy_para_glue(struct wy_para *q, enum wy_tone tone, const char *raw);
/* Where the last line would end, the first beginning at `column`, the others at `hang`. */
unsigned wy_para_end_column(const struct wy_para *q, unsigned column, unsigned hang);
/* Writes it, from `column` (already written) on, without a newline at the end; frees the words. */
void wy_para_put(struct wy_para *q, unsigned column, unsigned hang);
/* The same, and ends the line. */
void wy_para_line(struct wy_para *q, unsigned column, unsigned hang);

/* One sentence on lines of its own, indented. */
void wy_page_sentence(struct wy_page *p, unsigned indent, enum wy_tone tone, const char *raw);

#endif
