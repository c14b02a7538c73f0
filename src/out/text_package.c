/* One package: what it brings, who needs it, who overlaps it, what breaks without it. */
#include "out/text_package.h"

static const char *count(struct wy_page *p, uint64_t n, const char *one, const char *many) {
    return n ? wy_page_count(p, n, one, many) : wy_arena_printf(&p->arena, "no %s", one);
}

/* "2 imports of other packages fail, 1 can no longer be told to work". */
static const char *without(struct wy_page *p, const struct whyso_about_package *k) {
    size_t fail = 0, unknown;
    for (size_t i = 0; i < k->breaks.n; i++)
        fail += wy_same(k->breaks.v[i].outcome, "fails");
    unknown = k->breaks.n - fail;
    const char *failing =
        wy_arena_printf(&p->arena, "%s of other packages %s",
                        wy_page_count(p, fail, "import", "imports"), fail == 1 ? "fails" : "fail");
    if (!unknown)
        return fail ? failing : "all imports of other packages end as now";
    const char *many = fail ? wy_arena_printf(&p->arena, "%s, %zu", failing, unknown)
                            : wy_arena_printf(&p->arena, "%s of other packages",
                                              wy_page_count(p, unknown, "import", "imports"));
    return wy_arena_printf(&p->arena, "%s can no longer be told to work", many);
}

/* "numpy 2.4.6: 1,046 files, 22 libraries, required by 7 packages; without it …" */
static void put_verdict(struct wy_page *p, const struct whyso_about_package *k) {
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_BOLD, k->package.name);
    wy_para_word(&q, WY_BOLD, k->package.version);
    wy_para_glue(&q, WY_PLAIN, ":");
    wy_para_text(&q, WY_PLAIN,
                 wy_arena_printf(&p->arena, "%s, %s, required by %s;",
                                 count(p, k->files, "file", "files"),
                                 count(p, k->libraries.n, "library", "libraries"),
                                 count(p, k->required_by.n, "package", "packages")));
    wy_para_text(&q, WY_PLAIN,
                 k->recorded ? wy_arena_printf(&p->arena, "without it %s", without(p, k))
                             : "it has no RECORD, so what would go with it is not known");
    wy_text_sign(p, WHYSO_NOTE);
    wy_para_line(&q, 2, 2);
}

static void put_brought(struct wy_page *p, const struct whyso_about_package *k) {
    if (!k->modules.n && !k->libraries.n)
        return;
    wy_text_heading(p, "brings");
    wy_auto_buf modules = {0};
    for (size_t i = 0; i < k->modules.n; i++)
        wy_buf_printf(&modules, "%s%s", i ? ", " : "import ", k->modules.v[i]);
    if (modules.n)
        wy_page_sentence(p, 2, WY_PLAIN, wy_buf_text(&modules));
    struct wy_table t;
    wy_table_init(&t, p, 2);
    for (size_t i = 0; i < wy_text_limit(p, k->libraries.n); i++) {
        wy_table_cell(&t, WY_PLAIN, k->libraries.v[i].file);
        wy_table_cell(&t, WY_DIM, k->libraries.v[i].soname);
    }
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
    wy_text_more(p, k->libraries.n);
}

static void put_requirers(struct wy_page *p, const struct whyso_about_package *k) {
    if (!k->required_by.n)
        return;
    wy_text_heading(p, "required by");
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < wy_text_limit(p, k->required_by.n); i++) {
        wy_table_cell(&t, WY_BOLD, k->required_by.v[i].package);
        wy_table_cell(&t, WY_PLAIN, k->required_by.v[i].version);
        wy_table_cell(&t, WY_DIM, k->required_by.v[i].requirement);
    }
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
    wy_text_more(p, k->required_by.n);
}

/* Equal markers in many packages (nvidia/__init__.py) clash with nobody: only with -v. */
static bool clashes(const struct wy_page *p, const struct whyso_overlap *o) {
    return o->differ || p->style->verbosity > 0;
}

static void put_overlaps(struct wy_page *p, const struct whyso_about_package *k) {
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < k->overlaps.n; i++) {
        const struct whyso_overlap *o = &k->overlaps.v[i];
        if (!clashes(p, o))
            continue;
        const char *files = wy_page_count(p, o->files, "file", "files");
        wy_table_cell(&t, WY_BOLD, o->package);
        wy_table_cell(&t, WY_PLAIN, o->version);
        wy_table_cell(&t, WY_PLAIN,
                      wy_arena_printf(&p->arena, "%s, %llu with other content", files,
                                      (unsigned long long)o->differ));
    }
    if (t.cells.n)
        wy_text_heading(p, "claim the same paths");
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
}

static void put_breaks(struct wy_page *p, const struct whyso_about_package *k) {
    if (!k->breaks.n)
        return;
    wy_text_heading(p, "without it (simulated)");
    struct wy_table t;
    wy_table_init(&t, p, 3);
    for (size_t i = 0; i < wy_text_limit(p, k->breaks.n); i++) {
        const struct whyso_broken *b = &k->breaks.v[i];
        wy_table_cell(&t, WY_BOLD, wy_arena_printf(&p->arena, "import %s", b->module));
        wy_table_cell(&t, WY_PLAIN, b->outcome);
        wy_table_cell(&t, WY_DIM, b->message);
    }
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
    wy_text_more(p, k->breaks.n);
}

void wy_text_package(struct wy_page *p, const struct whyso_why *w) {
    const struct whyso_about_package *k = &w->about;
    put_verdict(p, k);
    wy_text_findings(p, w);
    if (p->style->verbosity < 0)
        return;
    put_brought(p, k);
    wy_text_needers(p, w);
    put_requirers(p, k);
    put_overlaps(p, k);
    put_breaks(p, k);
}
