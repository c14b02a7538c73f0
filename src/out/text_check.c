/* The look of one check: causes worst first, each with what it breaks, its packages in columns,
 * why, and the command that mends it; notes in one line; counts and the next command at the end. */
#include "base/path.h"
#include "out/answers.h"
#include "out/text_cause.h"
#include "out/text_parts.h"

#include <stdio.h>

static bool shown(const struct wy_page *p, const struct whyso_cause *c) {
    return c->severity != WHYSO_NOTE || p->style->verbosity > 0;
}

/* "· 3 notes: leftover, 2 × missing-file · whyso check -v shows them" */
static void put_notes(struct wy_page *p, const struct whyso_check *c) {
    if (!c->notes || p->style->verbosity != 0)
        return;
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_text(&q, WY_DIM, wy_page_count(p, c->notes, "note:", "notes:"));
    const char *before = NULL;
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct whyso_finding *f = &c->findings.v[i];
        if (f->severity != WHYSO_NOTE || wy_same(f->rule, before))
            continue;
        unsigned long same = 0;
        for (size_t k = i; k < c->findings.n; k++)
            same +=
                c->findings.v[k].severity == WHYSO_NOTE && wy_same(c->findings.v[k].rule, f->rule);
        if (before)
            wy_para_glue(&q, WY_DIM, ",");
        if (same > 1)
            wy_para_word(&q, WY_DIM, wy_arena_printf(&p->arena, "%lu %s", same, f->rule));
        else
            wy_para_word(&q, WY_DIM, f->rule);
        before = f->rule;
    }
    wy_para_text(&q, WY_DIM, "(-v shows them)");
    wy_text_sign(p, WHYSO_NOTE);
    wy_para_line(&q, 2, 2);
}

static size_t unknown_imports(const struct whyso_check *c) {
    size_t n = 0;
    for (size_t i = 0; i < c->imports.n; i++)
        n += wy_same(c->imports.v[i].outcome, "unknown");
    return n;
}

/* With -v: every import that is not known to work, and what others caught on the way. */
static void put_imports(struct wy_page *p, const struct whyso_check *c) {
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < c->imports.n; i++) {
        const struct whyso_import *m = &c->imports.v[i];
        bool ok = wy_same(m->outcome, "ok");
        if (!ok) {
            wy_table_cell(&t, WY_BOLD, m->module);
            wy_table_cell(&t, WY_PLAIN, m->outcome);
            wy_table_cell(&t, WY_DIM, m->message ? m->message : m->reason);
        }
        for (size_t k = 0; k < m->swallowed.n; k++) {
            wy_table_cell(&t, WY_BOLD, m->module);
            wy_table_cell(&t, WY_PLAIN, "caught");
            wy_table_cell(&t, WY_DIM, m->swallowed.v[k].message);
        }
    }
    if (t.cells.n) {
        wy_page_put(p, WY_DIM, "imports");
        wy_page_newline(p);
        wy_table_put(&t, 2);
        wy_page_newline(p);
    }
    wy_table_deinit(&t);
}

/* Notes belong to no cause; one by one they are shown with -v. */
static void put_lone_findings(struct wy_page *p, const struct whyso_check *c) {
    for (size_t i = 0; i < c->findings.n; i++) {
        if (c->findings.v[i].cause)
            continue;
        wy_finding_put(p, &c->findings.v[i]);
        wy_page_newline(p);
    }
}

/* "1 of 34 imports cannot be told": said in one quiet line, reasons with -v. */
static void put_unknown(struct wy_page *p, const struct whyso_check *c) {
    size_t n = unknown_imports(c);
    if (!n || p->style->verbosity != 0)
        return;
    wy_text_sign(p, WHYSO_NOTE);
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_text(&q, WY_DIM,
                 wy_arena_printf(&p->arena, "%zu of %s cannot be told from the files:", n,
                                 wy_page_count(p, c->imports.n, "import", "imports")));
    size_t named = 0;
    for (size_t i = 0; i < c->imports.n && named < 4; i++) {
        if (!wy_same(c->imports.v[i].outcome, "unknown"))
            continue;
        if (named++)
            wy_para_glue(&q, WY_DIM, ",");
        wy_para_word(&q, WY_DIM, c->imports.v[i].module);
    }
    if (n > named)
        wy_para_glue(&q, WY_DIM, ", …");
    wy_para_text(&q, WY_DIM, "(-v says why)");
    wy_para_line(&q, 2, 2);
}

static bool silenced(const struct whyso_check *c) {
    return c->silenced.ignored || c->silenced.known;
}

/* "· 3 findings in the baseline, 1 finding ignored (whyso.toml)": a project's file is named, since
 * nobody may have thought of it. */
static void put_held_back(struct wy_page *p, const struct whyso_silenced *s) {
    struct wy_para q;
    wy_para_init(&q, p);
    if (s->known)
        wy_para_text(&q, WY_DIM,
                     wy_arena_printf(&p->arena, "%s in the baseline%s",
                                     wy_page_count(p, s->known, "finding", "findings"),
                                     s->ignored ? "," : ""));
    if (s->ignored)
        wy_para_text(&q, WY_DIM,
                     wy_arena_printf(&p->arena, "%s ignored",
                                     wy_page_count(p, s->ignored, "finding", "findings")));
    if (s->config)
        wy_para_word(&q, WY_DIM, wy_arena_printf(&p->arena, "(%s)", s->config));
    wy_text_sign(p, WHYSO_NOTE);
    wy_para_line(&q, 2, 2);
}

/* What is not reported, and what of the baseline is no more. */
static void put_silenced(struct wy_page *p, const struct whyso_check *c) {
    const struct whyso_silenced *s = &c->silenced;
    if (p->style->verbosity < 0)
        return;
    if (silenced(c))
        put_held_back(p, s);
    if (!s->gone.n)
        return;
    wy_text_sign(p, WHYSO_NOTE);
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_text(&q, WY_DIM,
                 wy_arena_printf(&p->arena,
                                 "%s of the baseline %s gone (--write-baseline renews it):",
                                 wy_page_count(p, s->gone.n, "finding", "findings"),
                                 s->gone.n == 1 ? "is" : "are"));
    for (size_t i = 0; i < s->gone.n; i++) {
        if (i)
            wy_para_glue(&q, WY_DIM, ",");
        wy_para_word(&q, WY_DIM, s->gone.v[i]);
    }
    wy_para_line(&q, 2, 2);
}

/* The library that the first cause is about: what one would ask next. */
static const char *next_question(struct wy_page *p, const struct whyso_check *c) {
    for (size_t i = 0; i < c->causes.n; i++) {
        if (c->causes.v[i].severity == WHYSO_NOTE)
            continue;
        const struct whyso_finding *f = wy_cause_first_finding(c, &c->causes.v[i]);
        const char *asked = f ? f->library ? f->library : f->file : NULL;
        const char *call = asked ? wy_text_next(p, "why", asked) : NULL;
        if (call)
            return wy_arena_printf(&p->arena, "%s shows the search", call);
        call = c->causes.v[i].rule ? wy_text_next(p, "explain", c->causes.v[i].rule) : NULL;
        if (call)
            return wy_arena_printf(&p->arena, "%s says more", call);
    }
    return NULL;
}

/* Counts, and the next command to try. */
static void put_footer(struct wy_page *p, const struct whyso_check *c) {
    uint64_t causes = 0;
    for (size_t i = 0; i < c->causes.n; i++)
        causes += c->causes.v[i].severity != WHYSO_NOTE;
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_PLAIN,
                 wy_arena_printf(&p->arena, "%s,", wy_page_count(p, causes, "cause", "causes")));
    wy_para_word(
        &q, WY_PLAIN,
        wy_arena_printf(&p->arena, "%s,",
                        wy_page_count(p, c->imports_broken, "import broken", "imports broken")));
    wy_para_word(&q, WY_PLAIN, wy_page_count(p, c->warnings, "warning", "warnings"));
    const char *next = next_question(p, c);
    if (next) {
        wy_para_glue(&q, WY_DIM, " ·");
        wy_para_word(&q, WY_DIM, next);
    }
    wy_para_line(&q, 0, 2);
}

/* How many imports load, when findings are held back: they may be why others do not. */
static const char *calm_beside_silenced(struct wy_page *p, const struct whyso_check *c,
                                        uint64_t loads) {
    if (!c->imports.n)
        return "Nothing else is wrong.";
    return wy_arena_printf(&p->arena, "Nothing else is wrong: %llu of %s with native code %s.",
                           (unsigned long long)loads,
                           wy_page_count(p, c->imports.n, "import", "imports"),
                           loads == 1 ? "loads" : "load");
}

/* Nothing at or above a warning: one calm line. */
static void put_calm(struct wy_page *p, const struct whyso_check *c) {
    uint64_t loads = c->imports.n - unknown_imports(c) - c->imports_broken;
    const char *text;
    if (silenced(c))
        text = calm_beside_silenced(p, c, loads);
    else if (c->imports.n && loads == c->imports.n)
        text = wy_arena_printf(&p->arena, "Nothing is broken: %s.",
                               loads == 1
                                   ? "its 1 import with native code loads"
                                   : wy_arena_printf(&p->arena, "all %s with native code load",
                                                     wy_page_count(p, loads, "import", "imports")));
    else if (c->imports.n)
        text = wy_arena_printf(&p->arena, "Nothing found broken: %llu of %s with native code %s.",
                               (unsigned long long)loads,
                               wy_page_count(p, c->imports.n, "import", "imports"),
                               loads == 1 ? "loads" : "load");
    else if (c->environment.libraries)
        text = "Nothing is broken: no library is missing.";
    else
        text = "Nothing is broken: no package here has native code.";
    wy_page_sentence(p, 0, WY_PLAIN, text);
}

void wy_text_check(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_check *c) {
    struct wy_page page, *p = &page;
    wy_page_init(p, b, s);
    wy_text_header(p, &c->environment);
    bool quiet = s->verbosity < 0, calm = true;
    if (!quiet)
        wy_page_newline(p);
    for (size_t i = 0; i < c->causes.n; i++) {
        if (!shown(p, &c->causes.v[i]))
            continue;
        wy_cause_put(p, c, &c->causes.v[i]);
        if (!quiet)
            wy_page_newline(p);
        calm = calm && c->causes.v[i].severity == WHYSO_NOTE;
    }
    if (s->verbosity > 0) {
        put_lone_findings(p, c);
        put_imports(p, c);
    }
    if (calm && !quiet)
        put_calm(p, c);
    put_unknown(p, c);
    put_notes(p, c);
    put_silenced(p, c);
    if (!calm && !quiet) {
        if (silenced(c) || c->silenced.gone.n ||
            (s->verbosity == 0 && (c->notes || unknown_imports(c))))
            wy_page_newline(p);
        put_footer(p, c);
    }
    wy_page_deinit(p);
}
