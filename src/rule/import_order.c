/* import-order: what works only after another import, or fails after it. The first copy of a soname
 * serves the whole process (docs/loader.md A4), and the reserve for thread-local variables is for
 * all. Here: an import that fails although another order of the same opens works; pairs of imports
 * that work alone are in import_pairs.c. */
#include "rule/orders.h"

/* ---- works only after another ---- */

static bool holds(const struct wy_run *run, const struct wy_open *open) {
    bool whole = run->outcome != WY_RUN_FAILS && run->after;
    for (size_t i = 0; whole && i < open->nproblems; i++)
        if (open->problems[i].kind == WY_P_MISSING_LIBRARY &&
            wy_process_named(run->after, open->problems[i].name))
            return true;
    return false;
}

static bool owns(struct wy_case *c, const struct wy_dist *d, const struct wy_open *open) {
    for (size_t i = 0; i < open->nproblems; i++) {
        size_t n;
        const struct wy_library **libs = wy_world_named(c->world, open->problems[i].name, &n);
        for (size_t k = 0; k < n; k++)
            if (libs[k]->dist == d)
                return true;
    }
    return false;
}

/* The import that has in memory what this one lacks: of a package that its own package requires,
 * or, where nobody owns it, of the package that has the library. */
static const char *comes_first(struct wy_case *c, const struct wy_run *run) {
    const struct wy_event *e = run->outcome == WY_RUN_FAILS ? run->fatal : NULL;
    const struct wy_run *best = NULL;
    size_t n;
    if (!e || !e->open || !e->open->nproblems)
        return NULL;
    const struct wy_listed_module *listed = wy_importer_modules(c->importer, &n);
    for (size_t i = 0; i < n; i++) {
        const struct wy_dist *d = listed[i].dist;
        if (!d || d == run->dist ||
            !(run->dist ? wy_dist_requires(c, run->dist, d->key) : owns(c, d, e->open)))
            continue;
        const struct wy_run *first = wy_importer_run(c->importer, listed[i].name);
        if (holds(first, e->open) && (!best || wy_order_closer(first, best)) &&
            wy_importer_run_after(c->importer, first->module, run->module)->outcome == WY_RUN_OK)
            best = first;
    }
    return best ? best->module : NULL;
}

static void report_after(struct wy_case *c, const struct wy_run *run, const char *first) {
    const char *file = wy_path_base(run->fatal->path);
    struct wy_finding *f =
        wy_make(c, "import-order", WHYSO_ERROR, run->dist ? run->dist->key : run->module);
    wy_order_wanted(c, f, run->fatal->open);
    wy_make_dist(c, f, run->dist);
    wy_strings_add(c->arena, &f->f.breaks.imports, run->module);
    f->f.file = wy_shown(c, run->fatal->path);
    f->f.title =
        wy_arena_printf(c->arena, "import %s works only after import %s", run->module, first);
    f->why = wy_arena_printf(c->arena,
                             "%s needs libraries of %s and has no search path to them: it finds "
                             "only what is in memory already.",
                             file, first);
    wy_order_add_run(c, f, NULL, run);
    wy_order_add_run(c, f, first, wy_importer_run_after(c->importer, first, run->module));
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text =
            wy_arena_printf(c->arena, "Write `import %s` before `import %s`.", first, run->module),
        .avoid = "Do not set LD_LIBRARY_PATH for it: all programs that are started from there "
                 "would take these libraries, too."};
}

/* What only these imports lack is told: other rules need not speak of it. */
static void take_wants(struct wy_case *c, const char *const *first) {
    for (size_t i = 0; i < c->wants->all.n; i++) {
        struct wy_want *w = c->wants->all.v[i];
        size_t told = 0;
        for (size_t k = 0; k < w->imports.n; k++)
            for (size_t r = 0; r < c->nruns; r++)
                told += first[r] && strcmp(c->runs[r]->module, w->imports.v[k]) == 0;
        if (told && told == w->imports.n)
            w->kind = WY_WANT_TOLD;
    }
}

static void check_after(struct wy_case *c) {
    const char **first = wy_arena_zero(c->arena, (c->nruns + 1) * sizeof *first);
    for (size_t i = 0; i < c->nruns; i++) {
        first[i] = comes_first(c, c->runs[i]);
        if (first[i])
            report_after(c, c->runs[i], first[i]);
    }
    take_wants(c, first);
}

/* ---- two opens of one import ---- */

/* The event of a failing import that has mapped an object of that name, or NULL. */
static const struct wy_event *brought_by(const struct wy_run *run, const char *name) {
    for (const struct wy_event *e = run->events; e < run->fatal; e++)
        for (size_t i = 0; e->open && name && i < e->open->nmapped; i++)
            if (wy_same(e->open->mapped[i]->name, name))
                return e;
    return NULL;
}

static bool opens(struct wy_case *c, const struct wy_process *state, const struct wy_event *e,
                  const struct wy_process **after) {
    const struct wy_open *open = wy_ld_open(c->ld, state, e->path, WY_NOW, NULL);
    *after = open->after;
    return open->outcome == WY_OPEN_OK && !open->given_up;
}

static bool swapped_works(struct wy_case *c, const struct wy_event *early,
                          const struct wy_event *late) {
    const struct wy_open *start = wy_importer_start(c->importer);
    const struct wy_process *one, *both;
    return start && start->after && opens(c, start->after, late, &one) &&
           opens(c, one, early, &both);
}

static const char *called(const struct wy_case *c, const struct wy_event *e) {
    return e->module ? e->module : wy_shown(c, e->path);
}

static void report_within(struct wy_case *c, const struct wy_run *run, const struct wy_event *early,
                          const char *copy) {
    const struct wy_event *late = run->fatal;
    struct wy_want *want = wy_order_want(c, late->message);
    if (!want || (want->kind != WY_WANT_VERSION && want->kind != WY_WANT_SYMBOL))
        return;
    want->kind = WY_WANT_TOLD;
    struct wy_finding *f =
        wy_make(c, "import-order", WHYSO_ERROR, run->dist ? run->dist->key : run->module);
    wy_order_wanted(c, f, late->open);
    wy_make_dist(c, f, run->dist);
    for (size_t i = 0; i < want->imports.n; i++)
        wy_strings_add(c->arena, &f->f.breaks.imports, want->imports.v[i]);
    f->f.title = wy_arena_printf(c->arena, "%s loads before %s, and not after it", called(c, late),
                                 called(c, early));
    f->why = wy_arena_printf(c->arena,
                             "The first copy of a library serves the whole process: %s brings %s.",
                             called(c, early), copy);
    wy_order_add(c, f, called(c, early), called(c, late), "fails", late->message);
    wy_order_add(c, f, called(c, late), called(c, early), "ok", NULL);
    f->remedy =
        (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                           .text = wy_arena_printf(c->arena, "Import %s before %s.",
                                                   called(c, late), called(c, early)),
                           .also = "Better: install builds of both that bring the same copy."};
}

/* The copies in memory that may be the wrong ones: what a version is asked of, or, for a symbol,
 * what its user needs by name. */
static void check_within(struct wy_case *c, const struct wy_run *run) {
    const struct wy_event *late = run->outcome == WY_RUN_FAILS ? run->fatal : NULL;
    const struct wy_problem *p =
        late && late->open && late->open->nproblems ? &late->open->problems[0] : NULL;
    if (!p || !p->needer || (p->kind != WY_P_MISSING_VERSION && p->kind != WY_P_UNDEFINED_SYMBOL))
        return;
    const struct wy_elf *elf = &p->needer->image->elf;
    for (size_t i = 0; i < elf->nneeded; i++) {
        const struct wy_object *o = wy_process_named(late->open->after, elf->needed[i]);
        if (!o || (p->kind == WY_P_MISSING_VERSION && !wy_same(o->name, p->file)))
            continue;
        const struct wy_event *early = brought_by(run, o->name);
        if (early && swapped_works(c, early, late)) {
            report_within(c, run, early, wy_object_shown(c, o));
            return;
        }
    }
}

void wy_rule_import_order(struct wy_case *c) {
    check_after(c);
    for (size_t i = 0; i < c->nruns; i++)
        check_within(c, c->runs[i]);
    wy_check_pairs(c);
}
