/* Functions that the interpreter binds when it calls them, and that no library has: the process
 * ends at the first call, and nothing catches that. data/imports.tsv tells which modules that are
 * compiled into it call which. */
#include "import/internal.h"

static const struct wy_problem *find(const struct wy_open *start, struct wy_str symbol) {
    for (size_t i = 0; i < start->nunbound; i++)
        if (wy_str_is(symbol, start->unbound[i].name))
            return &start->unbound[i];
    return NULL;
}

/* As if its library were opened at the call. */
static void add_event(struct wy_importer *im, struct wy_event *e, const struct wy_problem *p,
                      size_t n) {
    struct wy_open *open = WY_NEW(&im->arena, struct wy_open);
    struct wy_problem *problems = wy_arena_alloc(&im->arena, n * sizeof *p);
    memcpy(problems, p, n * sizeof *p);
    *open = (struct wy_open){.request = im->start.request,
                             .outcome = WY_OPEN_ABORT,
                             .message = p->message,
                             .problems = problems,
                             .nproblems = n,
                             .after = im->start.after};
    *e = (struct wy_event){
        .path = im->world->env.python, .open = open, .message = p->message, .guard = WY_MAYBE};
}

static void call(struct wy_exec *x, const struct wy_problem *p) {
    struct wy_event *e = wy_vec_add(&x->events);
    add_event(x->im, e, p, 1);
    e->file = wy_exec_file(x);
    e->line = wy_exec_line(x);
    wy_exec_fail(x, (struct wy_exception){.how = "exit", .at = x->im->world->env.python});
}

void wy_exec_calls_unbound(struct wy_exec *x, const struct wy_spec *spec) {
    const struct wy_extension_does *d = wy_know_does(x->im->world->know, spec->name);
    for (; d && !x->raising; d = d->next) {
        const struct wy_problem *p =
            strcmp(d->does, "calls") == 0 ? find(&x->im->start, wy_str_of(d->what)) : NULL;
        if (p)
            call(x, p);
    }
}

static bool names(struct wy_arena *scratch, struct wy_str globs, const char *symbol) {
    while (globs.p)
        if (wy_glob(wy_arena_str(scratch, wy_str_cut(globs, ' ', &globs)), symbol))
            return true;
    return false;
}

/* Whether only the functions of one module call it: then who does not use them is safe. */
static bool is_of_a_module(const struct wy_importer *im, const char *symbol) {
    const struct wy_know *know = im->world->know;
    struct wy_arena scratch = WY_ARENA_INIT;
    bool found = false;
    for (size_t i = 0; i < know->ndoes && !found; i++)
        found = strcmp(know->does[i].does, "uses") == 0 &&
                names(&scratch, wy_str_of(know->does[i].what), symbol);
    wy_arena_deinit(&scratch);
    return found;
}

void wy_unbound_init(struct wy_importer *im) {
    struct wy_problem *v = wy_arena_alloc(&im->arena, im->start.nunbound * sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < im->start.nunbound; i++)
        if (!is_of_a_module(im, im->start.unbound[i].name))
            v[n++] = im->start.unbound[i];
    if (!n)
        return;
    struct wy_event *e = WY_NEW(&im->arena, struct wy_event);
    add_event(im, e, v, n);
    im->before = e;
    im->nbefore = 1;
    im->unsure = wy_arena_printf(
        &im->arena, "%s: so the process ends as soon as that function is called", v->message);
}
