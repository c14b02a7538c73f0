#include "out/page.h"

#include <stdio.h>

void wy_page_init(struct wy_page *p, struct wy_buf *out, const struct wy_out_style *style) {
    *p = (struct wy_page){.out = out, .style = style, .arena = WY_ARENA_INIT};
    p->width = style->width < 40 ? 40 : style->width;
}

void wy_page_deinit(struct wy_page *p) {
    wy_arena_deinit(&p->arena);
}

const char *wy_page_name(struct wy_page *p, const char *raw) {
    wy_auto_buf safe = {0};
    wy_buf_escaped(&safe, wy_str_of(raw));
    return wy_arena_cstr(&p->arena, wy_buf_text(&safe));
}

const char *wy_page_count(struct wy_page *p, uint64_t n, const char *one, const char *many) {
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    wy_auto_buf b = {0};
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            wy_buf_char(&b, ',');
        wy_buf_char(&b, digits[i]);
    }
    wy_buf_printf(&b, " %s", n == 1 ? one : many);
    return wy_arena_cstr(&p->arena, wy_buf_text(&b));
}

unsigned wy_page_columns(const char *text) {
    unsigned n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80; /* all but continuation bytes of UTF-8 */
    return n;
}

static const char *tone_code(enum wy_tone tone) {
    static const char *const codes[] = {[WY_PLAIN] = "",
                                        [WY_BOLD] = "\x1b[1m",
                                        [WY_DIM] = "\x1b[2m",
                                        [WY_RED] = "\x1b[1;31m",
                                        [WY_YELLOW] = "\x1b[33m"};
    return codes[tone];
}

/* From one tone to the next in the middle of a line. */
static void change_tone(struct wy_page *p, enum wy_tone *now, enum wy_tone next) {
    if (!p->style->colour || *now == next)
        return;
    if (*now != WY_PLAIN)
        wy_buf_str(p->out, "\x1b[0m");
    wy_buf_str(p->out, tone_code(next));
    *now = next;
}

void wy_page_put(struct wy_page *p, enum wy_tone tone, const char *text) {
    enum wy_tone now = WY_PLAIN;
    change_tone(p, &now, tone);
    wy_buf_str(p->out, text);
    change_tone(p, &now, WY_PLAIN);
}

void wy_page_spaces(struct wy_page *p, unsigned n) {
    while (n--)
        wy_buf_char(p->out, ' ');
}

void wy_page_newline(struct wy_page *p) {
    wy_buf_char(p->out, '\n');
}

void wy_para_init(struct wy_para *q, struct wy_page *p) {
    *q = (struct wy_para){.page = p, .fold = ""};
}

static void add(struct wy_para *q, enum wy_tone tone, struct wy_str raw, bool glued) {
    wy_auto_buf safe = {0};
    wy_buf_escaped(&safe, raw);
    const char *text = wy_arena_cstr(&q->page->arena, wy_buf_text(&safe));
    wy_vec_push(&q->words, ((struct wy_word){text, tone, wy_page_columns(text), glued}));
}

void wy_para_text(struct wy_para *q, enum wy_tone tone, const char *raw) {
    struct wy_str rest = wy_str_of(raw);
    while (rest.p) {
        struct wy_str word = wy_str_cut(rest, ' ', &rest);
        add(q, tone, word, false);
    }
}

void wy_para_word(struct wy_para *q, enum wy_tone tone, const char *raw) {
    add(q, tone, wy_str_of(raw), false);
}

void wy_para_glue(struct wy_para *q, enum wy_tone tone, const char *raw) {
    add(q, tone, wy_str_of(raw), true);
}

/* Columns of the word at `i` with all that is glued to it. */
static unsigned unit(const struct wy_para *q, size_t i, size_t *next) {
    unsigned columns = q->words.v[i].columns;
    for (i++; i < q->words.n && q->words.v[i].glued; i++)
        columns += q->words.v[i].columns;
    *next = i;
    return columns;
}

/* The one place that decides where lines fold; writes only when `write`. Returns the end column. */
static unsigned lay_out(const struct wy_para *q, unsigned column, unsigned hang, bool write) {
    struct wy_page *p = q->page;
    enum wy_tone now = WY_PLAIN;
    bool fresh = true; /* nothing on this line yet */
    for (size_t i = 0, next = 0; i < q->words.n; i = next) {
        unsigned columns = unit(q, i, &next);
        unsigned after = next < q->words.n ? wy_page_columns(q->fold) : 0;
        if (!fresh && column + 1 + columns + after > p->width) {
            if (write) {
                change_tone(p, &now, WY_PLAIN);
                wy_buf_str(p->out, q->fold);
                wy_page_newline(p);
                wy_page_spaces(p, hang);
            }
            column = hang;
        } else if (!fresh) {
            if (write) {
                if (now != q->words.v[i].tone)
                    change_tone(p, &now, WY_PLAIN);
                wy_buf_char(p->out, ' ');
            }
            column++;
        }
        fresh = false;
        for (size_t k = i; write && k < next; k++) {
            change_tone(p, &now, q->words.v[k].tone);
            wy_buf_str(p->out, q->words.v[k].text);
        }
        column += columns;
    }
    if (write)
        change_tone(p, &now, WY_PLAIN);
    return column;
}

unsigned wy_para_end_column(const struct wy_para *q, unsigned column, unsigned hang) {
    return lay_out(q, column, hang, false);
}

void wy_para_put(struct wy_para *q, unsigned column, unsigned hang) {
    lay_out(q, column, hang, true);
    wy_vec_free(&q->words);
}

void wy_para_line(struct wy_para *q, unsigned column, unsigned hang) {
    wy_para_put(q, column, hang);
    wy_page_newline(q->page);
}

void wy_page_sentence(struct wy_page *p, unsigned indent, enum wy_tone tone, const char *raw) {
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_text(&q, tone, raw);
    wy_page_spaces(p, indent);
    wy_para_line(&q, indent, indent);
}
