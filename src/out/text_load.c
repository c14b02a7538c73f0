/* A series of opens, dry: what each one maps, or the loader's own words why not. */
#include "out/answers.h"
#include "out/text_parts.h"

static void put_mapped(struct wy_page *p, const struct whyso_step *s) {
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < s->mapped.n; i++) {
        const struct whyso_mapped *m = &s->mapped.v[i];
        wy_table_cell(&t, WY_PLAIN, m->name);
        wy_table_cell(&t, WY_DIM, m->found);
        wy_table_cell(&t, WY_DIM, m->by ? wy_arena_printf(&p->arena, "for %s", m->by) : NULL);
    }
    wy_table_put(&t, 4);
    wy_table_deinit(&t);
}

/* What was there already and serves a need (-v). */
static void put_resolved(struct wy_page *p, const struct whyso_step *s) {
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < s->resolved.n; i++) {
        const struct whyso_resolved *r = &s->resolved.v[i];
        wy_table_cell(&t, WY_DIM, r->requested);
        wy_table_cell(&t, WY_DIM, wy_arena_printf(&p->arena, "is %s", r->name ? r->name : ""));
        wy_table_cell(&t, WY_DIM, r->by ? wy_arena_printf(&p->arena, "for %s", r->by) : NULL);
    }
    wy_table_put(&t, 4);
    wy_table_deinit(&t);
}

/* The first problem is the message; here come the others that would follow. */
static void put_problems(struct wy_page *p, const struct whyso_step *s) {
    bool said = false;
    for (size_t i = 0; i < s->problems.n; i++) {
        const struct whyso_load_problem *k = &s->problems.v[i];
        if (!k->message || (!said && wy_same(k->message, s->message))) {
            said = said || k->message;
            continue;
        }
        wy_text_label(p, "then", WY_PLAIN, k->message);
    }
}

static void put_step(struct wy_page *p, const char *what, const struct whyso_step *s) {
    bool ok = wy_same(s->outcome, "ok");
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_BOLD, what);
    if (ok)
        wy_para_text(&q, WY_DIM,
                     wy_arena_printf(&p->arena, "loads, %s",
                                     wy_page_count(p, s->mapped.n, "new object", "new objects")));
    else
        wy_para_text(&q, WY_PLAIN,
                     wy_arena_printf(&p->arena, "%s: %s",
                                     wy_same(s->outcome, "error") ? "fails" : s->outcome,
                                     s->message ? s->message : "no message"));
    wy_text_sign(p, ok ? WHYSO_NOTE : WHYSO_ERROR);
    wy_para_line(&q, 2, 2);
    if (p->style->verbosity < 0)
        return;
    put_problems(p, s);
    put_mapped(p, s);
    if (p->style->verbosity > 0)
        put_resolved(p, s);
}

void wy_text_load(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_load *l) {
    struct wy_page page, *p = &page;
    wy_page_init(p, b, s);
    wy_text_header_short(p, &l->environment);
    if (l->environment.prefix && s->verbosity >= 0)
        wy_page_newline(p);
    bool starts = wy_same(l->program.outcome, "ok");
    if (!starts || s->verbosity > 0 || l->steps.n == 0)
        put_step(p, l->program_path ? l->program_path : "program", &l->program);
    for (size_t i = 0; i < l->steps.n; i++)
        put_step(p, l->steps.v[i].request, &l->steps.v[i]);
    wy_page_deinit(p);
}
