#include "out/answers.h"
#include "out/text_parts.h"

static enum wy_tone state_tone(const char *state) {
    if (wy_same(state, "whole"))
        return WY_DIM;
    return wy_same(state, "gutted") ? WY_RED : WY_YELLOW;
}

void wy_text_list(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_list *l) {
    struct wy_page page, *p = &page;
    struct wy_table t;
    wy_page_init(p, b, s);
    wy_text_header_short(p, &l->environment);
    wy_table_init(&t, p, 6);
    t.right[3] = true;
    uint64_t unwell = 0;
    for (size_t i = 0; i < l->packages.n; i++) {
        const struct whyso_listed *k = &l->packages.v[i];
        unwell += !wy_same(k->state, "whole");
        wy_table_cell(&t, WY_BOLD, k->name);
        wy_table_cell(&t, WY_PLAIN, k->version);
        wy_table_cell(&t, WY_PLAIN, k->generation);
        wy_table_cell(&t, WY_PLAIN, wy_page_count(p, k->libraries, "library", "libraries"));
        wy_table_cell(&t, state_tone(k->state), k->state);
        wy_table_cell(&t, WY_DIM, k->installer);
    }
    if (s->verbosity >= 0)
        wy_page_newline(p);
    wy_table_put(&t, 0);
    wy_table_deinit(&t);
    if (s->verbosity >= 0) {
        if (l->packages.n)
            wy_page_newline(p);
        struct wy_para q;
        wy_para_init(&q, p);
        wy_para_text(&q, WY_PLAIN,
                     wy_page_count(p, l->packages.n, "package with native code",
                                   "packages with native code"));
        const char *next = unwell ? wy_text_next(p, "check", NULL) : NULL;
        if (unwell)
            wy_para_glue(
                &q, WY_PLAIN,
                wy_arena_printf(&p->arena, ", %llu not whole", (unsigned long long)unwell));
        if (next) {
            wy_para_glue(&q, WY_DIM, " ·");
            wy_para_word(&q, WY_DIM, wy_arena_printf(&p->arena, "%s says why", next));
        }
        wy_para_line(&q, 0, 2);
    }
    wy_page_deinit(p);
}
