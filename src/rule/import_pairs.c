/* import-order for pairs: each import works alone. They are followed in both orders where they
 * answer one soname with different files, or together want more static TLS than there is. */
#include "rule/orders.h"

enum { MOST_PAIRS = 16 };

struct copy { /* a file that answers to a soname in some runs */
    const struct wy_image *image;
    WY_VEC(size_t) runs;
};
struct answers {
    const char *soname;
    WY_VEC(struct copy) copies; /* in order of meeting */
};
struct pair {
    size_t a, b;        /* runs; a < b */
    const char *soname; /* NULL: of the reserve */
};
struct pairs {
    WY_VEC(struct answers *) all;
    WY_VEC(struct pair) v;
};

static bool works(const struct wy_run *run) {
    return run->outcome != WY_RUN_FAILS && run->after;
}

static bool known(const struct answers *n, size_t run) {
    for (size_t i = 0; i < n->copies.n; i++)
        if (n->copies.v[i].runs.v[n->copies.v[i].runs.n - 1] == run)
            return true;
    return false;
}

/* A further copy in one process answers to nobody. */
static void add_copy(struct answers *n, const struct wy_image *image, size_t run) {
    if (known(n, run))
        return;
    for (size_t i = 0; i < n->copies.n; i++)
        if (n->copies.v[i].image == image) {
            wy_vec_push(&n->copies.v[i].runs, run);
            return;
        }
    struct copy *made = wy_vec_add(&n->copies);
    *made = (struct copy){.image = image};
    wy_vec_push(&made->runs, run);
}

static const char *answers_to(const struct wy_object *o) {
    const char *soname = o->image ? o->image->elf.soname : NULL;
    return soname || !o->requested || strchr(o->requested, '/') ? soname : o->requested;
}

static void add_process(struct wy_case *c, struct pairs *ps, struct wy_map *by_name, size_t run) {
    const struct wy_process *p = c->runs[run]->after;
    for (size_t i = 0; i < wy_process_count(p); i++) {
        const struct wy_object *o = wy_process_at(p, i);
        const char *soname = o->name[0] ? answers_to(o) : NULL;
        if (!soname)
            continue;
        void **slot = wy_map_at(by_name, wy_str_of(soname));
        if (!*slot) {
            struct answers *made = WY_NEW(c->arena, struct answers);
            made->soname = soname;
            *slot = made;
            wy_vec_push(&ps->all, made);
        }
        add_copy(*slot, o->image, run);
    }
}

static void add_pair(struct pairs *ps, size_t one, size_t other, const char *soname) {
    size_t a = one < other ? one : other, b = one < other ? other : one;
    for (size_t i = 0; i < ps->v.n; i++)
        if (ps->v.v[i].a == a && ps->v.v[i].b == b)
            return;
    if (ps->v.n < MOST_PAIRS)
        wy_vec_push(&ps->v, ((struct pair){a, b, soname}));
}

/* The smallest process that has the copy stands for the others. */
static size_t smallest(const struct wy_case *c, const struct copy *k) {
    size_t best = k->runs.v[0];
    for (size_t i = 1; i < k->runs.n; i++)
        if (wy_process_count(c->runs[k->runs.v[i]]->after) < wy_process_count(c->runs[best]->after))
            best = k->runs.v[i];
    return best;
}

static void pair_up(const struct wy_case *c, struct pairs *ps, const struct answers *n,
                    const struct copy *x, const struct copy *y) {
    size_t first = smallest(c, x);
    add_pair(ps, first, smallest(c, y), n->soname);
    for (size_t i = 0; i < y->runs.n; i++)
        add_pair(ps, first, y->runs.v[i], n->soname);
}

static void find_pairs(struct wy_case *c, struct pairs *ps) {
    struct wy_map by_name = {0};
    const struct wy_open *start = wy_importer_start(c->importer);
    for (size_t i = 0; i < c->nruns; i++)
        if (works(c->runs[i]))
            add_process(c, ps, &by_name, i);
    wy_map_deinit(&by_name);
    for (size_t i = 0; i < ps->all.n; i++)
        for (size_t k = 0; k < ps->all.v[i]->copies.n; k++)
            for (size_t m = 0; m < ps->all.v[i]->copies.n; m++)
                if (k != m)
                    pair_up(c, ps, ps->all.v[i], &ps->all.v[i]->copies.v[k],
                            &ps->all.v[i]->copies.v[m]);
    for (size_t i = 0; i < c->nruns; i++)
        for (size_t k = 0; k < c->nruns; k++)
            if (i != k && works(c->runs[i]) && works(c->runs[k]) &&
                wy_process_tls_exceeds(start->after, c->runs[i]->after, c->runs[k]->after))
                add_pair(ps, i, k, NULL);
}

static void free_pairs(struct pairs *ps) {
    for (size_t i = 0; i < ps->all.n; i++) {
        for (size_t k = 0; k < ps->all.v[i]->copies.n; k++)
            wy_vec_free(&ps->all.v[i]->copies.v[k].runs);
        wy_vec_free(&ps->all.v[i]->copies);
    }
    wy_vec_free(&ps->all);
    wy_vec_free(&ps->v);
}

static const struct wy_object *add_part(struct wy_case *c, struct wy_finding *f,
                                        const struct wy_run *run, const char *soname) {
    const struct wy_object *o = soname ? wy_process_named(run->after, soname) : NULL;
    if (o)
        WY_ADD(c->arena, &f->f.parts,
               ((struct whyso_part){soname, wy_object_shown(c, o), wy_object_package(c, o)}));
    return o;
}

static const char *reason(struct wy_case *c, struct wy_finding *f, const struct pair *k,
                          const struct wy_run *first, const struct wy_run *second) {
    const struct wy_object *a = add_part(c, f, first, k->soname);
    const struct wy_object *b = add_part(c, f, second, k->soname);
    if (!a || !b)
        return "Both want room for thread-local variables at a fixed place, and the reserve does "
               "not hold all of them.";
    return wy_arena_printf(c->arena,
                           "The first copy of %s serves the whole process: that of %s is %s, that "
                           "of %s is %s.",
                           k->soname, first->module, wy_object_shown(c, a), second->module,
                           wy_object_shown(c, b));
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct pair *k,
                   const struct wy_run *first, const struct wy_run *second, bool other_works) {
    const char *better =
        k->soname ? wy_arena_printf(c->arena,
                                    "Install builds of %s and %s that bring the same %s, or that "
                                    "give their own copy another name.",
                                    first->module, second->module, k->soname)
                  : "Raise the reserve: GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096.";
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL, .text = better};
    if (!other_works)
        return;
    f->remedy.text =
        wy_arena_printf(c->arena, "Import %s before %s.", second->module, first->module);
    f->remedy.also = better;
}

static bool told(const struct wy_case *c, const char *message) {
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct whyso_finding *f = &c->findings.v[i].f;
        for (size_t k = 0; k < f->orders.n && strcmp(f->rule, "import-order") == 0; k++)
            if (wy_same(f->orders.v[k].message, message))
                return true;
    }
    return false;
}

/* `second` fails after `first`; `other` is what becomes of `first` after `second`. */
static void report_pair(struct wy_case *c, const struct pair *k, const struct wy_run *first,
                        const struct wy_run *second, const struct wy_run *fails,
                        const struct wy_run *other) {
    struct wy_want *want = wy_order_want(c, fails->message);
    bool takes = want && (want->kind == WY_WANT_VERSION || want->kind == WY_WANT_SYMBOL);
    if ((want && !takes) || told(c, fails->message))
        return;
    bool works_first = other->outcome != WY_RUN_FAILS;
    struct wy_finding *f =
        wy_make(c, "import-order", takes && want->imports.n ? WHYSO_ERROR : WHYSO_WARNING,
                second->dist ? second->dist->key : second->module);
    if (takes)
        want->kind = WY_WANT_TOLD;
    for (size_t i = 0; takes && i < want->imports.n; i++)
        wy_strings_add(c->arena, &f->f.breaks.imports, want->imports.v[i]);
    wy_make_dist(c, f, second->dist);
    if (fails->fatal && fails->fatal->open && fails->fatal->open->nproblems)
        wy_order_wanted(c, f, fails->fatal->open);
    f->f.title =
        works_first
            ? wy_arena_printf(c->arena, "import %s fails after import %s, and works before it",
                              second->module, first->module)
            : wy_arena_printf(c->arena,
                              "import %s and import %s work alone, and not in one "
                              "process",
                              first->module, second->module);
    f->why = reason(c, f, k, first, second);
    wy_order_add_run(c, f, first->module, fails);
    wy_order_add_run(c, f, second->module, other);
    advise(c, f, k, first, second, works_first);
}

static void check_pair(struct wy_case *c, const struct pair *k) {
    const struct wy_run *a = c->runs[k->a], *b = c->runs[k->b];
    const struct wy_run *ab = wy_importer_run_after(c->importer, a->module, b->module);
    const struct wy_run *ba = wy_importer_run_after(c->importer, b->module, a->module);
    if (ab->outcome == WY_RUN_FAILS)
        report_pair(c, k, a, b, ab, ba);
    else if (ba->outcome == WY_RUN_FAILS)
        report_pair(c, k, b, a, ba, ab);
}

void wy_check_pairs(struct wy_case *c) {
    struct pairs ps = {0};
    find_pairs(c, &ps);
    for (size_t i = 0; i < ps.v.n; i++)
        check_pair(c, &ps.v.v[i]);
    free_pairs(&ps);
}
