#include "out/answers.h"
#include "out/text_parts.h"

void wy_text_rules(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rules *r) {
    struct wy_page page, *p = &page;
    struct wy_table t;
    wy_page_init(p, b, s);
    wy_table_init(&t, p, 2);
    for (size_t i = 0; i < r->rules.n; i++) {
        const struct whyso_rule *k = &r->rules.v[i];
        wy_table_cell(&t, WY_BOLD, k->rule);
        wy_table_cell(&t, WY_PLAIN, k->title);
        if (s->verbosity > 0) {
            wy_table_cell(&t, WY_PLAIN, NULL);
            wy_table_cell(&t, WY_DIM, k->severity);
        }
    }
    wy_table_put(&t, 0);
    wy_table_deinit(&t);
    if (s->verbosity >= 0) {
        wy_page_newline(p);
        wy_page_sentence(p, 0, WY_DIM,
                         wy_arena_printf(&p->arena, "%s · whyso explain RULE says more",
                                         wy_page_count(p, r->rules.n, "rule", "rules")));
    }
    wy_page_deinit(p);
}

/* The page is Markdown that reads well as it is; lines keep their breaks. */
void wy_text_explain(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_rule *r) {
    struct wy_page page, *p = &page;
    wy_page_init(p, b, s);
    if (!r->text) {
        wy_page_put(p, WY_BOLD, wy_page_name(p, r->rule));
        wy_page_newline(p);
        wy_page_sentence(p, 0, WY_PLAIN, r->title ? r->title : "");
    }
    struct wy_str rest = wy_str_of(r->text);
    while (rest.p && rest.n) {
        struct wy_str line = wy_str_line(rest, &rest);
        wy_page_put(p, wy_str_starts(line, "#") ? WY_BOLD : WY_PLAIN,
                    wy_arena_str(&p->arena, line));
        wy_page_newline(p);
    }
    wy_page_deinit(p);
}
