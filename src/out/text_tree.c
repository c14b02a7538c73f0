/* What an import maps: one line for each object, or for each package when they are many. */
#include "base/path.h"
#include "out/answers.h"
#include "out/text_parts.h"

enum { ONE_SCREEN = 24 };

/* Without the folder of sys.path that it lies in. */
static const char *below_path(const struct whyso_tree *t, const char *file) {
    const char *best = file;
    for (size_t i = 0; file && i < t->environment.sys_path.n; i++) {
        const char *below = wy_path_below(file, t->environment.sys_path.v[i]);
        if (below && *below && strlen(below) < strlen(best))
            best = below;
    }
    return best;
}

/* What was opened; the objects after it up to the next such are those that it needed. */
static bool is_root(const struct whyso_tree *t, size_t i) {
    return wy_same(t->mapped.v[i].mapped.by, t->program_path);
}

/* The one in whose open it was mapped. */
static size_t root_of(const struct whyso_tree *t, size_t i) {
    while (i > 0 && !is_root(t, i))
        i--;
    return i;
}

/* Extension modules go by their dotted name, libraries by that of their file. */
static const char *object_name(const struct whyso_tree *t, size_t i) {
    const struct whyso_tree_object *o = &t->mapped.v[i];
    return is_root(t, i) && o->module ? o->module : wy_path_base(o->file);
}

static const char *owner(const struct whyso_tree_object *o) {
    return o->package                          ? o->package
           : wy_same(o->origin, "python")      ? "Python"
           : wy_same(o->origin, "environment") ? "nobody's"
                                               : "system";
}

/* "torch/__init__.py:289"; "rpath", and for whom when that is not the object opened. */
static const char *reason(struct wy_page *p, const struct whyso_tree *t, size_t i) {
    const struct whyso_tree_object *o = &t->mapped.v[i];
    if (!is_root(t, i))
        return wy_same(o->mapped.by, t->mapped.v[root_of(t, i)].mapped.name)
                   ? o->mapped.found
                   : wy_arena_printf(&p->arena, "%s, for %s", o->mapped.found,
                                     wy_path_base(o->mapped.by));
    const char *guard = wy_same(o->guard, "maybe")    ? ", maybe"
                        : wy_same(o->guard, "caught") ? ", in a try"
                                                      : "";
    if (!o->source)
        return o->mapped.found;
    return wy_arena_printf(&p->arena, "%s:%u%s", below_path(t, o->source), o->line, guard);
}

static void number(struct wy_table *t, size_t i) {
    wy_table_cell(t, WY_DIM, wy_arena_printf(&t->page->arena, "%zu", i + 1));
}

static void put_each(struct wy_page *p, const struct whyso_tree *t) {
    struct wy_table table;
    bool paths = p->style->verbosity > 0;
    wy_table_init(&table, p, 4);
    table.right[0] = true;
    for (size_t i = 0; i < t->mapped.n; i++) {
        const struct whyso_tree_object *o = &t->mapped.v[i];
        const char *name = paths ? o->file : object_name(t, i);
        number(&table, i);
        wy_table_cell(&table, is_root(t, i) ? WY_BOLD : WY_PLAIN,
                      is_root(t, i) ? name : wy_arena_printf(&p->arena, "  %s", name));
        wy_table_cell(&table, WY_PLAIN, paths && o->system_package ? o->system_package : owner(o));
        wy_table_cell(&table, WY_DIM, reason(p, t, i));
    }
    wy_table_put(&table, 2);
    wy_table_deinit(&table);
}

/* "_C, libtorch_python.so and 9 more" */
static const char *some_names(struct wy_page *p, const struct whyso_tree *t, size_t first) {
    enum { NAMED = 2 };
    wy_auto_buf text = {0};
    size_t n = 0;
    for (size_t i = first; i < t->mapped.n; i++)
        if (wy_same(owner(&t->mapped.v[i]), owner(&t->mapped.v[first])) && n++ < NAMED)
            wy_buf_printf(&text, "%s%s", n > 1 ? ", " : "", object_name(t, i));
    if (n > NAMED)
        wy_buf_printf(&text, " and %zu more", n - NAMED);
    return wy_arena_cstr(&p->arena, wy_buf_text(&text));
}

static bool seen_before(const struct whyso_tree *t, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (wy_same(owner(&t->mapped.v[k]), owner(&t->mapped.v[i])))
            return true;
    return false;
}

/* One line for each owner, in the order in which they come first. */
static void put_owners(struct wy_page *p, const struct whyso_tree *t) {
    struct wy_table table;
    wy_table_init(&table, p, 4);
    table.right[0] = true;
    for (size_t i = 0; i < t->mapped.n; i++) {
        if (seen_before(t, i))
            continue;
        const struct whyso_tree_object *o = &t->mapped.v[i];
        number(&table, i);
        wy_table_cell(&table, WY_BOLD, owner(o));
        wy_table_cell(&table, WY_PLAIN, o->version);
        wy_table_cell(&table, WY_PLAIN, some_names(p, t, i));
    }
    wy_table_put(&table, 2);
    wy_table_deinit(&table);
}

static void put_verdict(struct wy_page *p, const struct whyso_tree *t) {
    const struct whyso_import *im = &t->import;
    bool ok = wy_same(im->outcome, "ok"), fails = wy_same(im->outcome, "fails");
    const char *count = wy_page_count(p, t->mapped.n, "object", "objects");
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_BOLD, wy_same(t->subject_kind, "module") ? "import" : "dlopen");
    wy_para_word(&q, WY_BOLD, t->subject_name);
    if (fails)
        wy_para_text(
            &q, WY_PLAIN,
            wy_arena_printf(&p->arena, "fails: %s", im->message ? im->message : "no message"));
    else
        wy_para_text(&q, WY_PLAIN, wy_arena_printf(&p->arena, "maps %s", count));
    if (!ok && !fails && im->reason)
        wy_para_text(&q, WY_PLAIN,
                     wy_arena_printf(&p->arena, "as far as it was followed: %s", im->reason));
    wy_text_sign(p, fails ? WHYSO_ERROR : ok ? WHYSO_NOTE : WHYSO_WARNING);
    wy_para_line(&q, 2, 2);
    if (fails && t->mapped.n)
        wy_page_sentence(p, 2, WY_DIM, wy_arena_printf(&p->arena, "before that it maps %s", count));
}

static void put_swallowed(struct wy_page *p, const struct whyso_tree *t) {
    for (size_t i = 0; i < t->import.swallowed.n; i++)
        wy_text_label(p, i ? "" : "caught", WY_DIM, t->import.swallowed.v[i].message);
}

static void put_next(struct wy_page *p, const struct whyso_tree *t, bool folded) {
    const char *next = NULL;
    if (wy_same(t->import.outcome, "fails"))
        next =
            wy_text_next(p, wy_same(t->subject_kind, "library") ? "why" : "check", t->subject_name);
    else if (folded)
        next = wy_text_next(p, "tree -v", t->subject_name);
    if (!next)
        return;
    wy_page_newline(p);
    wy_page_sentence(
        p, 0, WY_DIM,
        wy_arena_printf(&p->arena, folded ? "%s shows each object" : "%s says why", next));
}

void wy_text_tree(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_tree *t) {
    struct wy_page page, *p = &page;
    bool folded = t->mapped.n > ONE_SCREEN && s->verbosity <= 0;
    wy_page_init(p, b, s);
    wy_text_header_short(p, &t->environment);
    if (s->verbosity >= 0)
        wy_page_newline(p);
    put_verdict(p, t);
    if (s->verbosity >= 0) {
        if (folded)
            put_owners(p, t);
        else
            put_each(p, t);
        put_swallowed(p, t);
        put_next(p, t, folded && !wy_same(t->import.outcome, "fails"));
    }
    wy_page_deinit(p);
}
