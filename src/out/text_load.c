/* A series of opens, dry: what each one maps, or the loader's own words why not. */
#include "base/path.h"
#include "out/answers.h"
#include "out/text_parts.h"

/* As the loader spells it, without the part that all of an environment's paths share. */
static const char *short_path(const char *path, const char *prefix) {
    const char *below = prefix && path ? wy_path_below(path, prefix) : NULL;
    return below && *below ? below : path;
}

/* Found how and where; under a line that says for whom, as long as that stays the same. */
static void put_mapped(struct wy_page *p, const struct whyso_step *s, const char *prefix) {
    for (size_t i = 0, first = 0; i < s->mapped.n; first = i) {
        struct wy_table t;
        const char *by = s->mapped.v[i].by;
        wy_table_init(&t, p, 2);
        for (; i < s->mapped.n && wy_same(s->mapped.v[i].by, by); i++) {
            wy_table_cell(&t, WY_DIM, s->mapped.v[i].found);
            wy_table_cell(&t, WY_PLAIN, short_path(s->mapped.v[i].name, prefix));
        }
        /* The request itself, opened by its path, needs no line that says so. */
        bool itself = first == 0 && i == 1 && wy_same(s->mapped.v[0].found, "path");
        if (by && !itself)
            wy_page_sentence(p, 2, WY_DIM, /* its path stands above */
                             wy_arena_printf(&p->arena, "for %s", wy_path_base(by)));
        wy_table_put(&t, 4);
        wy_table_deinit(&t);
    }
}

/* What was there already and serves a need (-v). */
static void put_resolved(struct wy_page *p, const struct whyso_step *s, const char *prefix) {
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < s->resolved.n; i++) {
        const struct whyso_resolved *r = &s->resolved.v[i];
        wy_table_cell(&t, WY_DIM, "loaded");
        wy_table_cell(&t, WY_DIM, r->requested);
        wy_table_cell(&t, WY_DIM, short_path(r->name, prefix));
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

static void put_step(struct wy_page *p, const char *what, const struct whyso_step *s,
                     const char *prefix) {
    bool ok = wy_same(s->outcome, "ok");
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_BOLD, short_path(what, prefix));
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
    put_mapped(p, s, prefix);
    if (p->style->verbosity > 0)
        put_resolved(p, s, prefix);
}

/* The import before the requests. */
static void put_after(struct wy_page *p, const struct whyso_after *a) {
    if (!a->outcome)
        return;
    bool fails = wy_same(a->outcome, "fails");
    const char *how = fails ? "fails" : wy_same(a->outcome, "ok") ? "is done" : "is not all known";
    const char *why = fails ? a->message : a->reason;
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_BOLD, wy_arena_printf(&p->arena, "import %s", a->module));
    wy_para_text(&q, fails ? WY_PLAIN : WY_DIM,
                 why ? wy_arena_printf(&p->arena, "%s: %s", how, why) : how);
    wy_text_sign(p, fails ? WHYSO_ERROR : a->reason ? WHYSO_WARNING : WHYSO_NOTE);
    wy_para_line(&q, 2, 2);
    if (fails && p->style->verbosity >= 0)
        wy_page_sentence(p, 2, WY_DIM, "nothing is opened after it");
}

void wy_text_load(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_load *l) {
    struct wy_page page, *p = &page;
    wy_page_init(p, b, s);
    wy_text_header_short(p, &l->environment);
    if (l->environment.prefix && s->verbosity >= 0)
        wy_page_newline(p);
    const char *prefix = l->environment.prefix;
    bool starts = wy_same(l->program.outcome, "ok");
    if (!starts || s->verbosity > 0 || (l->steps.n == 0 && !l->after.outcome))
        put_step(p, l->program_path ? l->program_path : "program", &l->program, prefix);
    put_after(p, &l->after);
    for (size_t i = 0; i < l->steps.n; i++)
        put_step(p, l->steps.v[i].request, &l->steps.v[i], prefix);
    wy_page_deinit(p);
}
