#include "out/text_cause.h"
#include "base/path.h"
#include "out/text_after.h"
#include "out/text_parts.h"

enum { ROWS = 10, NAMES = 6 }; /* shown without -v; the rest is counted */

static const struct whyso_finding *finding_by_id(const struct whyso_check *c, const char *id) {
    for (size_t i = 0; i < c->findings.n; i++)
        if (wy_same(c->findings.v[i].id, id))
            return &c->findings.v[i];
    return NULL;
}

const struct whyso_finding *wy_cause_first_finding(const struct whyso_check *c,
                                                   const struct whyso_cause *cause) {
    return cause->findings.n ? finding_by_id(c, cause->findings.v[0]) : NULL;
}

/* Whether this import ends with the cause's message: the cause is its first. An import that this
 * cause would break next has its own message, which belongs elsewhere. */
static bool ends_with(const struct whyso_import *m, const struct whyso_cause *cause) {
    return wy_same(m->outcome, "fails") && m->causes.n && wy_same(m->causes.v[0], cause->id);
}

static bool listed(const struct whyso_strings *list, const char *word) {
    for (size_t i = 0; i < list->n; i++)
        if (wy_same(list->v[i], word))
            return true;
    return false;
}

/* How well an import names the failure: the damaged package itself; then one that is called as its
 * package, which is what people import (torch before functorch, which torch brings along); then
 * any. */
static int name_rank(const struct whyso_import *m, const struct whyso_finding *f) {
    if (f && wy_same(m->module, f->package.name))
        return 2;
    return wy_same(m->module, m->package.name);
}

static const struct whyso_import *failing_import(const struct whyso_check *c,
                                                 const struct whyso_cause *cause) {
    const struct whyso_finding *f = wy_cause_first_finding(c, cause);
    const struct whyso_import *best = NULL;
    for (size_t i = 0; i < c->imports.n; i++) {
        const struct whyso_import *m = &c->imports.v[i];
        if (!listed(&cause->breaks.imports, m->module) || !ends_with(m, cause))
            continue;
        if (!best || name_rank(m, f) > name_rank(best, f))
            best = m;
    }
    return best;
}

/* "import torch fails", "import torch and functorch fail", "import torch and 3 more fail" */
static const char *who_fails(struct wy_page *p, const struct whyso_cause *cause,
                             const struct whyso_import *m) {
    const struct whyso_strings *all = &cause->breaks.imports;
    bool crash = wy_same(m->how, "abort") || wy_same(m->how, "signal");
    if (all->n <= 1)
        return wy_arena_printf(&p->arena, "import %s %s", m->module, crash ? "crashes" : "fails");
    const char *verb = crash ? "crash" : "fail";
    if (all->n == 2)
        return wy_arena_printf(&p->arena, "import %s and %s %s", m->module,
                               all->v[wy_same(all->v[0], m->module)], verb);
    return wy_arena_printf(&p->arena, "import %s and %zu more %s", m->module, all->n - 1, verb);
}

static const char *failure(struct wy_page *p, const struct whyso_cause *cause,
                           const struct whyso_import *m) {
    const char *message = m->message       ? m->message
                          : m->raised_text ? m->raised_text
                                           : m->raised_type;
    const char *who = who_fails(p, cause, m);
    return message ? wy_arena_printf(&p->arena, "%s: %s", who, message) : who;
}

/* Puts the rule's name at the right end of the line that ends at `column`, if it fits. */
static bool put_rule_right(struct wy_page *p, const char *rule, unsigned column) {
    unsigned n = wy_page_columns(rule);
    if (column + 2 + n > p->width)
        return false;
    wy_page_spaces(p, p->width - n - column);
    wy_page_put(p, WY_DIM, rule);
    return true;
}

/* One or two sentences: what fails, and what the cause is. The rule's name stands at the right end
 * of one of their lines, or follows them. */
static void put_title(struct wy_page *p, const struct whyso_cause *cause,
                      const struct whyso_import *m) {
    const char *rule = wy_page_name(p, cause->rule);
    const char *title = cause->title ? cause->title : cause->rule;
    struct wy_para head, body;
    wy_para_init(&head, p);
    wy_para_init(&body, p);
    wy_para_text(&head, WY_BOLD, m ? failure(p, cause, m) : title);
    unsigned head_end = wy_para_end_column(&head, 2, 2), body_end = p->width;
    if (m) {
        wy_para_text(&body, WY_PLAIN, title);
        body_end = wy_para_end_column(&body, 2, 2);
    }
    bool rule_below = body_end + 2 + wy_page_columns(rule) <= p->width;
    wy_text_sign(p, cause->severity);
    wy_para_put(&head, 2, 2);
    bool placed = !rule_below && put_rule_right(p, rule, head_end);
    wy_page_newline(p);
    if (m) {
        wy_page_spaces(p, 2);
        wy_para_put(&body, 2, 2);
        placed = placed || put_rule_right(p, rule, body_end);
        wy_page_newline(p);
    }
    if (!placed) {
        wy_page_spaces(p, 2);
        wy_page_put(p, WY_DIM, rule);
        wy_page_newline(p);
    }
}

/* What a row says about its subject beside name and version. */
static const char *row_state(struct wy_page *p, const struct whyso_finding *f) {
    return f->brief ? f->brief : wy_text_gone(p, &f->counts);
}

/* "on disk: nvidia-nccl-cu13 2.28.9": another owner whose bytes are there; NULL when there is none.
 */
static const char *row_holder(struct wy_page *p, const struct whyso_finding *f) {
    for (size_t i = 0; f->package.name && !f->brief && i < f->owners.n; i++) {
        const struct whyso_owner *o = &f->owners.v[i];
        if (wy_same(o->on_disk, "same") && !wy_same(o->package, f->package.name))
            return wy_arena_printf(&p->arena, "on disk: %s%s%s", o->package, o->version ? " " : "",
                                   o->version ? o->version : "");
    }
    return NULL;
}

/* Whether rows tell anything that the title does not. */
static bool rows_matter(struct wy_page *p, const struct whyso_check *c,
                        const struct whyso_cause *cause) {
    if (cause->findings.n > 1)
        return true;
    const struct whyso_finding *f = wy_cause_first_finding(c, cause);
    return f && (row_state(p, f) || wy_text_need(p, f) || row_holder(p, f));
}

/* `needs`: the last column says who needs what; else only what. */
static void fill_rows(struct wy_table *t, const struct whyso_check *c,
                      const struct whyso_cause *cause, bool needs) {
    struct wy_page *p = t->page;
    bool all = p->style->verbosity > 0;
    for (size_t i = 0; i < cause->findings.n && (all || i < ROWS); i++) {
        const struct whyso_finding *f = finding_by_id(c, cause->findings.v[i]);
        if (!f)
            continue;
        const char *need = wy_text_need(p, f), *wanted = f->wanted.name;
        wy_table_cell(t, WY_BOLD, wy_text_subject(f));
        wy_table_cell(t, WY_PLAIN, f->package.name ? f->package.version : NULL);
        wy_table_cell(t, WY_PLAIN, row_state(p, f));
        wy_table_cell(t, WY_DIM, !need ? row_holder(p, f) : needs ? need : wanted);
    }
}

/* In a narrow terminal the rows name only what is needed, and this line says by whom. */
static void put_needers(struct wy_page *p, const struct whyso_check *c,
                        const struct whyso_cause *cause) {
    struct wy_para q;
    wy_para_init(&q, p);
    struct whyso_strings seen = {
        wy_arena_alloc(&p->arena, (cause->findings.n + 1) * sizeof *seen.v), 0};
    for (size_t i = 0; i < cause->findings.n; i++) {
        const struct whyso_finding *f = finding_by_id(c, cause->findings.v[i]);
        if (!f || !wy_text_need(p, f))
            continue;
        const char *who = wy_path_base(f->needed_by.v[0].file);
        bool known = false;
        for (size_t k = 0; k < seen.n; k++)
            known = known || strcmp(seen.v[k], who) == 0;
        if (known)
            continue;
        seen.v[seen.n++] = who;
        if (seen.n > NAMES && p->style->verbosity <= 0)
            continue;
        if (seen.n > 1)
            wy_para_glue(&q, WY_PLAIN, ",");
        wy_para_word(&q, WY_PLAIN, who);
    }
    if (seen.n > NAMES && p->style->verbosity <= 0)
        wy_para_text(&q, WY_PLAIN, wy_arena_printf(&p->arena, "and %zu more", seen.n - NAMES));
    if (seen.n) {
        wy_page_spaces(p, 2);
        wy_page_put(p, WY_DIM, "for");
        wy_page_spaces(p, 3);
        wy_para_put(&q, 8, 8);
        wy_page_newline(p);
    }
    wy_vec_free(&q.words);
}

static void put_rows(struct wy_page *p, const struct whyso_check *c,
                     const struct whyso_cause *cause) {
    enum { INDENT = 4 };
    struct wy_table t;
    bool wide = true;
    wy_table_init(&t, p, 4);
    t.right[2] = true;
    fill_rows(&t, c, cause, true);
    if (wy_table_width(&t) + INDENT > p->width && cause->findings.n > 1) {
        wide = false;
        t.cells.n = 0;
        fill_rows(&t, c, cause, false);
    }
    wy_table_put(&t, INDENT);
    wy_table_deinit(&t);
    if (cause->findings.n > ROWS && p->style->verbosity <= 0)
        wy_page_sentence(
            p, INDENT, WY_DIM,
            wy_arena_printf(&p->arena, "and %zu more (-v shows all)", cause->findings.n - ROWS));
    if (!wide)
        put_needers(p, c, cause);
}

/* The imports it breaks, when the head does not name them all. */
static void put_breaks(struct wy_page *p, const struct whyso_cause *cause, bool named) {
    const struct whyso_strings *imports = &cause->breaks.imports;
    if (imports->n <= (named ? 2 : 0))
        return;
    struct wy_para q;
    wy_para_init(&q, p);
    size_t limit = p->style->verbosity > 0 ? imports->n : NAMES;
    wy_para_word(&q, WY_PLAIN, "import");
    for (size_t i = 0; i < imports->n && i < limit; i++) {
        if (i)
            wy_para_glue(&q, WY_PLAIN, ",");
        wy_para_word(&q, WY_PLAIN, imports->v[i]);
    }
    if (imports->n > limit)
        wy_para_text(&q, WY_PLAIN, wy_arena_printf(&p->arena, "and %zu more", imports->n - limit));
    wy_page_spaces(p, 2);
    wy_page_put(p, WY_DIM, "hits");
    wy_page_spaces(p, 2);
    wy_para_line(&q, 8, 8);
}

static void put_why(struct wy_page *p, const struct whyso_check *c,
                    const struct whyso_cause *cause) {
    const struct whyso_finding *f = wy_cause_first_finding(c, cause);
    if (cause->why)
        wy_text_label(p, "why", WY_PLAIN, cause->why);
    else if (f && f->because.n)
        wy_text_label(p, "why", WY_PLAIN, f->because.v[0]);
}

/* One path per line, whole even when it is wider than the page. */
static void put_path(struct wy_page *p, const char *label, const char *path) {
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_DIM, label);
    wy_para_glue(&q, WY_DIM, " ");
    wy_para_glue(&q, WY_DIM, path);
    wy_page_spaces(p, 6);
    wy_para_line(&q, 6, 6);
}

static size_t shown_paths(const struct wy_page *p, size_t n) {
    return p->style->verbosity > 1 || n <= ROWS ? n : ROWS;
}

static void put_rest(struct wy_page *p, size_t n) {
    size_t shown = shown_paths(p, n);
    if (n > shown)
        wy_page_sentence(p, 6, WY_DIM,
                         wy_arena_printf(&p->arena, "and %zu more (-vv shows all)", n - shown));
}

/* All a finding knows, below its title (-v); `said`: its first sentence stands under "why" already.
 */
static void put_details(struct wy_page *p, const struct whyso_finding *f, bool said) {
    for (size_t i = said; i < f->because.n; i++)
        wy_page_sentence(p, 6, WY_DIM, f->because.v[i]);
    for (size_t i = 0; i < shown_paths(p, f->needed_by.n); i++)
        if (f->needed_by.v[i].file)
            put_path(p, "needed by:", f->needed_by.v[i].file);
    put_rest(p, f->needed_by.n);
    for (size_t i = 0; i < shown_paths(p, f->missing.n); i++)
        put_path(p, "absent:", f->missing.v[i]);
    put_rest(p, f->missing.n);
}

void wy_cause_put(struct wy_page *p, const struct whyso_check *c, const struct whyso_cause *cause) {
    const struct whyso_import *m = failing_import(c, cause);
    bool quiet = p->style->verbosity < 0;
    put_title(p, cause, m);
    if (!quiet && rows_matter(p, c, cause))
        put_rows(p, c, cause);
    if (!quiet)
        put_breaks(p, cause, m != NULL);
    if (!quiet)
        put_why(p, c, cause);
    for (size_t i = 0; p->style->verbosity > 0 && i < cause->findings.n; i++) {
        const struct whyso_finding *f = finding_by_id(c, cause->findings.v[i]);
        if (!f)
            continue;
        if (cause->findings.n > 1 && f->title)
            wy_page_sentence(p, 4, WY_PLAIN, f->title);
        put_details(p, f, i == 0 && !cause->why);
    }
    wy_text_fix(p, &cause->fix);
    wy_text_after(p, &cause->after, c->imports.v, c->imports.n, m ? m->module : NULL,
                  cause->severity);
}

void wy_finding_put(struct wy_page *p, const struct whyso_finding *f) {
    struct whyso_cause alone = {.rule = f->rule, .severity = f->severity, .title = f->title};
    put_title(p, &alone, NULL);
    put_details(p, f, false);
    wy_text_fix(p, &f->fix);
}
