/* One library or file: who needs it, where the loader looks and what it finds there, whose the
 * copies are, who should provide it, what to do. */
#include "base/path.h"
#include "out/answers.h"
#include "out/text_cause.h"
#include "out/text_package.h"
#include "out/text_parts.h"

enum { LISTED = 12 }; /* without -v; the rest is counted */

void wy_text_heading(struct wy_page *p, const char *text) {
    wy_page_newline(p);
    wy_page_put(p, WY_BOLD, text);
    wy_page_newline(p);
}

void wy_text_more(struct wy_page *p, size_t n) {
    if (n > LISTED && p->style->verbosity <= 0)
        wy_page_sentence(p, 2, WY_DIM,
                         wy_arena_printf(&p->arena, "and %zu more (-v shows all)", n - LISTED));
}

size_t wy_text_limit(const struct wy_page *p, size_t n) {
    return p->style->verbosity > 0 || n < LISTED ? n : LISTED;
}

/* "libcudnn.so.9: 2 files need it, it is found nowhere". The answer in one line. */
static void put_verdict(struct wy_page *p, const struct whyso_why *w) {
    const struct whyso_candidate *chosen = NULL;
    for (size_t i = 0; i < w->candidates.n; i++)
        if (w->candidates.v[i].chosen)
            chosen = &w->candidates.v[i];
    struct wy_para q;
    wy_para_init(&q, p);
    const char *name = w->subject_name ? w->subject_name : "";
    const char *title = w->findings.n ? w->findings.v[0].title : NULL;
    if (!title || !wy_starts(title, name)) {
        wy_para_word(&q, WY_BOLD, name);
        wy_para_glue(&q, WY_PLAIN, ":");
    }
    if (title)
        wy_para_text(&q, WY_PLAIN, title);
    if (!w->findings.n && chosen) {
        wy_para_text(&q, WY_PLAIN, "found, the loader takes");
        wy_para_word(&q, WY_PLAIN, chosen->file);
    } else if (!w->findings.n && w->needed_by.n) {
        wy_para_text(&q, WY_PLAIN,
                     w->candidates.n ? "nothing is wrong with it" : "nothing is recorded about it");
    } else if (!w->findings.n) {
        wy_para_text(&q, WY_PLAIN, "nothing here needs it, and nothing is wrong with it");
    }
    enum whyso_severity worst = WHYSO_NOTE;
    for (size_t i = 0; i < w->findings.n; i++)
        worst = w->findings.v[i].severity > worst ? w->findings.v[i].severity : worst;
    wy_text_sign(p, worst);
    wy_para_line(&q, 2, 2);
}

/* The line of a pasted error that counts, and what it really says. */
static void put_said(struct wy_page *p, const struct whyso_said *s) {
    if (!s->line || p->style->verbosity < 0)
        return;
    wy_text_label(p, "said", WY_PLAIN, s->line);
    if (s->means)
        wy_text_label(p, "means", WY_DIM, s->means);
    if (s->site)
        wy_text_label(p, "but", WY_YELLOW,
                      wy_arena_printf(&p->arena,
                                      "the text is about %s, which is not this environment",
                                      s->site));
    wy_page_newline(p);
}

/* A text that nothing here bears out: better said than left to be guessed. */
static void put_unseen(struct wy_page *p, const struct whyso_why *w) {
    if (w->said.line && !w->findings.n && !wy_same(w->import.outcome, "fails") &&
        p->style->verbosity >= 0)
        wy_page_sentence(
            p, 2, WY_PLAIN,
            "Nothing here fails in that way now: the text is from another environment, "
            "another process, or another time.");
}

/* "import torch works", "import torch fails: libcudnn.so.9: …" */
static void put_import(struct wy_page *p, const struct whyso_import *m) {
    bool fails = wy_same(m->outcome, "fails");
    const char *ends = wy_same(m->outcome, "ok") ? "works" : fails ? "fails" : "cannot be told";
    const char *message = m->message ? m->message : fails ? m->raised_text : m->reason;
    wy_text_sign(p, fails ? WHYSO_ERROR : WHYSO_NOTE);
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_text(&q, WY_BOLD, wy_arena_printf(&p->arena, "import %s %s", m->module, ends));
    if (message) {
        wy_para_glue(&q, WY_BOLD, ":");
        wy_para_text(&q, WY_BOLD, message);
    }
    wy_para_line(&q, 2, 2);
}

/* What was found about a module, one by one. */
void wy_text_findings(struct wy_page *p, const struct whyso_why *w) {
    for (size_t i = 0; i < w->findings.n; i++)
        if (w->findings.v[i].severity != WHYSO_NOTE || p->style->verbosity > 0)
            wy_finding_put(p, &w->findings.v[i]);
}

static void put_imports(struct wy_page *p, const struct whyso_why *w) {
    wy_auto_buf all = {0};
    for (size_t i = 0; i < w->imports.n; i++)
        wy_buf_printf(&all, "%s%s", i ? ", " : "import ", w->imports.v[i]);
    if (w->imports.n)
        wy_text_label(p, "hits", WY_PLAIN, wy_buf_text(&all));
}

void wy_text_needers(struct wy_page *p, const struct whyso_why *w) {
    if (!w->needed_by.n)
        return;
    wy_text_heading(p, "needed by");
    struct wy_table t;
    wy_table_init(&t, p, 2);
    for (size_t i = 0; i < wy_text_limit(p, w->needed_by.n); i++) {
        wy_table_cell(&t, WY_PLAIN, w->needed_by.v[i].file);
        wy_table_cell(&t, WY_DIM, w->needed_by.v[i].package);
    }
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
    wy_text_more(p, w->needed_by.n);
}

/* "rpath of torch/lib/libtorch_cuda.so", in words. */
static const char *stage(struct wy_page *p, const struct whyso_searched *s) {
    static const char *const words[][2] = {
        {"rpath", "DT_RPATH"},
        {"runpath", "DT_RUNPATH"},
        {"ld_library_path", "LD_LIBRARY_PATH"},
        {"cache", "loader cache"},
        {"default", "default folders"},
        {"preload", "preloaded"},
        {"loaded", "already loaded"},
        {"path", "as a path"},
    };
    const char *name = s->by ? s->by : "";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i][0]) == 0)
            name = words[i][1];
    return s->of ? wy_arena_printf(&p->arena, "%s of %s", name, s->of) : name;
}

static bool same_stage(const struct whyso_searched *a, const struct whyso_searched *b) {
    return wy_same(a->by, b->by) && wy_same(a->of, b->of);
}

/* The rows of one stage share a table, so their results line up. */
static void put_stage(struct wy_page *p, const struct whyso_searched *s, size_t n) {
    wy_page_sentence(p, 2, WY_DIM, stage(p, s));
    struct wy_table t;
    wy_table_init(&t, p, 3);
    t.right[0] = true;
    for (size_t i = 0; i < n; i++) {
        bool taken = wy_same(s[i].result, "taken");
        wy_table_cell(&t, WY_DIM, s[i].entry ? wy_arena_printf(&p->arena, "%d", s[i].entry) : NULL);
        wy_table_cell(&t, taken ? WY_BOLD : WY_PLAIN, s[i].place);
        wy_table_cell(&t, taken ? WY_BOLD : WY_DIM, s[i].result);
    }
    wy_table_put(&t, 4);
    wy_table_deinit(&t);
}

static void put_search(struct wy_page *p, const struct whyso_why *w) {
    if (!w->searched.n)
        return;
    wy_text_heading(
        p, w->searched_for
               ? wy_page_name(p, wy_arena_printf(&p->arena, "where the loader looks for %s",
                                                 wy_path_base(w->searched_for)))
               : "where the loader looks");
    for (size_t i = 0; i < w->searched.n;) {
        size_t n = 1;
        while (i + n < w->searched.n && same_stage(&w->searched.v[i], &w->searched.v[i + n]))
            n++;
        put_stage(p, &w->searched.v[i], n);
        i += n;
    }
}

/* "taken, lacks __nvJitLinkComplete_12_4" */
static const char *judgement(struct wy_page *p, const struct whyso_candidate *c) {
    const char *place = c->chosen ? "taken" : c->why_not;
    bool lacks = c->lacks.n > 0;
    const struct whyso_strings *names = lacks ? &c->lacks : &c->has;
    if (!names->n)
        return place;
    return wy_arena_printf(
        &p->arena, "%s%s%s %s%s", place ? place : "", place ? ", " : "", lacks ? "lacks" : "has",
        names->v[0], names->n > 1 ? wy_arena_printf(&p->arena, " and %zu more", names->n - 1) : "");
}

static void put_candidates(struct wy_page *p, const struct whyso_why *w) {
    if (!w->candidates.n)
        return;
    wy_text_heading(p, "copies");
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < w->candidates.n; i++) {
        const struct whyso_candidate *c = &w->candidates.v[i];
        wy_table_cell(&t, c->chosen ? WY_BOLD : WY_PLAIN, c->file);
        wy_table_cell(&t, WY_PLAIN, c->package);
        wy_table_cell(&t, WY_DIM, judgement(p, c));
    }
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
}

static void put_may_open(struct wy_page *p, const struct whyso_why *w) {
    if (!w->may_open.n)
        return;
    wy_text_heading(p, "may open, by its constants");
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < w->may_open.n; i++) {
        const struct whyso_may_open *m = &w->may_open.v[i];
        wy_table_cell(&t, WY_PLAIN, m->name);
        wy_table_cell(&t, WY_DIM, m->file ? m->file : "not here");
        wy_table_cell(&t, WY_DIM, m->package);
    }
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
}

static void put_providers(struct wy_page *p, const struct whyso_why *w) {
    if (!w->providers.n)
        return;
    wy_text_heading(p, "who provides it");
    struct wy_table t;
    wy_table_init(&t, p, 5);
    for (size_t i = 0; i < w->providers.n; i++) {
        const struct whyso_provider *o = &w->providers.v[i];
        wy_table_cell(&t, WY_BOLD, o->package);
        wy_table_cell(&t, WY_PLAIN, o->version);
        wy_table_cell(&t, WY_PLAIN, o->manager);
        wy_table_cell(&t, wy_same(o->state, "gutted") ? WY_RED : WY_PLAIN, o->state);
        wy_table_cell(&t, WY_DIM, o->because);
    }
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
}

void wy_text_why(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_why *w) {
    struct wy_page page, *p = &page;
    wy_page_init(p, b, s);
    wy_text_header_short(p, &w->environment);
    if (s->verbosity >= 0)
        wy_page_newline(p);
    put_said(p, &w->said);
    if (w->import.module || w->about.package.name) {
        if (w->import.module)
            put_import(p, &w->import);
        put_unseen(p, w);
        if (w->about.package.name)
            wy_text_package(p, w);
        else
            wy_text_findings(p, w);
        wy_page_deinit(p);
        return;
    }
    put_verdict(p, w);
    put_unseen(p, w);
    put_imports(p, w);
    if (s->verbosity >= 0) {
        wy_text_needers(p, w);
        put_search(p, w);
        put_candidates(p, w);
        if (w->owners.n) {
            wy_text_heading(p, "recorded by");
            wy_text_owners(p, 2, w->owners.v, w->owners.n);
        }
        put_providers(p, w);
        put_may_open(p, w);
    }
    if (w->fix.kind) {
        wy_page_newline(p);
        wy_text_fix(p, &w->fix);
    }
    wy_page_deinit(p);
}
