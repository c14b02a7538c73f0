/* undefined-symbol: a library asks for a symbol that nothing in its scope defines. abi-mismatch:
 * one of the libraries it names defines the same function with other parameters or another string
 * ABI, so it was built for another build of that library. One finding per file; the first symbol is
 * the loader's own. */
#include "rule/internal.h"

#include "base/demangle.h"
#include "rule/near_miss.h"

enum { MOST_SAID = 4, MOST_COMPARED = 16 };

struct group { /* what one file lacks */
    const char *file;
    WY_VEC(const struct wy_want *) wants;
};

static const struct wy_object *needer(const struct wy_want *want) {
    return want->wanters.n ? want->wanters.v[0].needer : NULL;
}

static const char *readable(struct wy_case *c, const char *symbol) {
    const char *text = wy_demangle(c->arena, symbol);
    return text ? text : symbol;
}

static void add_imports(struct wy_case *c, struct wy_finding *f, const struct group *g) {
    for (size_t i = 0; i < g->wants.n; i++) {
        const struct wy_want *w = g->wants.v[i];
        for (size_t k = 0; k < w->imports.n; k++)
            wy_strings_add_new(c->arena, &f->f.breaks.imports, w->imports.v[k]);
        if (w->files > f->f.breaks.files)
            f->f.breaks.files = w->files;
    }
}

static void say_symbols(struct wy_case *c, struct wy_finding *f, const struct group *g) {
    for (size_t i = 0; i < g->wants.n && i < MOST_SAID; i++) {
        const char *symbol = g->wants.v[i]->name, *text = readable(c, symbol);
        if (strcmp(text, symbol) == 0)
            wy_make_because(c, f, "not defined anywhere it looks: %s", symbol);
        else
            wy_make_because(c, f, "not defined anywhere it looks: %s (%s)", text, symbol);
    }
    if (g->wants.n > MOST_SAID)
        wy_make_because(c, f, "and %zu more symbols", g->wants.n - MOST_SAID);
}

/* The build of another package that a file was made for, and the one that is here. */
struct made_for {
    const struct wy_dist *framework; /* NULL: nothing says that it was made for another */
    const char *asked;
};

/* Among the packages whose libraries the file names. */
static struct made_for made_for(struct wy_case *c, const struct wy_object *o,
                                const struct wy_dist *d) {
    struct made_for ret = {0};
    for (size_t i = 0; d && i < o->image->elf.nneeded; i++) {
        size_t n;
        const struct wy_library **libs = wy_world_named(c->world, o->image->elf.needed[i], &n);
        const struct wy_dist *on = n ? libs[0]->dist : NULL;
        if (on && on != d && wy_made_for_another(c, d, on, &ret.asked)) {
            ret.framework = on;
            break;
        }
    }
    return ret;
}

/* The near miss of one of the symbols; one that shows another string ABI says most. */
static bool near_miss(struct wy_case *c, const struct wy_object *o, const struct group *g,
                      struct wy_near_miss *ret) {
    bool found = false;
    for (size_t i = 0; o && i < g->wants.n && i < MOST_COMPARED; i++) {
        struct wy_near_miss miss;
        if (!wy_near_miss_find(c, o, g->wants.v[i]->name, &miss) || (found && !miss.strings))
            continue;
        found = true;
        *ret = miss;
        if (miss.strings)
            break;
    }
    return found;
}

static void describe_miss(struct wy_case *c, struct wy_finding *f, const char *first,
                          const struct wy_near_miss *miss) {
    const struct wy_library *lib = miss->library;
    struct whyso_candidate *k = WY_NEW(c->arena, struct whyso_candidate);
    *k = (struct whyso_candidate){.file = lib->shown,
                                  .package = lib->dist ? lib->dist->name : NULL,
                                  .chosen = true,
                                  .why_not = miss->difference};
    wy_strings_add(c->arena, &k->has, miss->symbol);
    wy_strings_add(c->arena, &k->lacks, miss->wanted);
    f->f.candidates.v = k;
    f->f.candidates.n = 1;
    if (strcmp(miss->wanted, first) != 0)
        wy_make_because(c, f, "it also wants %s", readable(c, miss->wanted));
    wy_make_because(c, f, "%s has the same function with %s: %s", wy_path_base(lib->shown),
                    miss->difference, readable(c, miss->symbol));
}

/* Libraries it needs that LD_LIBRARY_PATH brings from outside of the environment. The copies that
 * they hide lack it as well, else shadowed-library speaks. */
static void say_brought_in(struct wy_case *c, struct wy_finding *f, const struct group *g) {
    const struct wy_wanter *first = &g->wants.v[0]->wanters.v[0];
    const struct wy_elf *elf = first->needer ? &first->needer->image->elf : NULL;
    for (size_t i = 0; elf && first->state && i < elf->nneeded; i++) {
        struct wy_search s;
        wy_ld_search(c->ld, first->state, elf->needed[i], first->needer, &s);
        const struct wy_search_step *last = s.n ? &s.steps[s.n - 1] : NULL;
        if (last && last->result == WY_HIT_TAKEN && last->by == WY_BY_LD_LIBRARY_PATH &&
            !wy_path_below(last->place, c->world->env.prefix))
            wy_make_because(c, f, "%s is taken from LD_LIBRARY_PATH, entry %d: %s", elf->needed[i],
                            last->entry, last->place);
    }
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d,
                   const struct wy_near_miss *miss, const struct made_for *made) {
    if (made->framework) {
        const struct wy_dist *on = made->framework;
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_REFIT,
            .dist = d,
            .other = on,
            .text = wy_arena_printf(c->arena, "Install the %s that goes with %s %s.", d->name,
                                    on->name, on->version),
            .also = wy_arena_printf(c->arena, "Install %s %s, which this %s was made for.",
                                    on->name, made->asked, d->name)};
        return;
    }
    const struct wy_dist *other = miss ? miss->library->dist : NULL;
    const char *who = d ? d->name : f->f.library;
    const char *text =
        other
            ? wy_arena_printf(
                  c->arena,
                  "Install a build of %s that was made for %s %s, or build it in this environment.",
                  who, other->name, other->version)
            : wy_arena_printf(c->arena,
                              "Install another build of %s: this one was made for other libraries "
                              "than those here.",
                              who);
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REBUILD, .text = text};
}

static const char *title(struct wy_case *c, const struct wy_finding *f, const char *symbol,
                         const struct wy_near_miss *miss, const struct made_for *made) {
    if (made->framework)
        return wy_arena_printf(c->arena, "%s was built for %s %s, not for %s", f->f.library,
                               made->framework->name, made->asked, made->framework->version);
    if (miss)
        return wy_arena_printf(c->arena, "%s was built for another %s", f->f.library,
                               miss->library->dist ? miss->library->dist->name
                                                   : wy_path_base(miss->library->path));
    return wy_arena_printf(c->arena, "%s needs %s, which nothing defines", f->f.library,
                           readable(c, symbol));
}

static void report(struct wy_case *c, const struct group *g) {
    const struct wy_want *first = g->wants.v[0];
    const struct wy_object *o = needer(first);
    const struct wy_problem *p = first->wanters.v[0].problem;
    struct wy_near_miss miss;
    bool near = near_miss(c, o, g, &miss);
    const struct wy_dist *d = o && o->image ? wy_world_image_owner(c->world, o->image) : NULL;
    struct made_for made = d ? made_for(c, o, d) : (struct made_for){0};
    enum whyso_severity severity = WHYSO_NOTE;
    for (size_t i = 0; i < g->wants.n; i++)
        severity = g->wants.v[i]->severity > severity ? g->wants.v[i]->severity : severity;
    if (made.framework && severity == WHYSO_NOTE)
        severity = WHYSO_WARNING; /* nothing imports it, but a user will call it */
    const char *shown = wy_shown(c, g->file);
    struct wy_finding *f = wy_make(c, near ? "abi-mismatch" : "undefined-symbol", severity, shown);
    wy_make_wanted(c, f, first);
    wy_make_dist(c, f, d);
    const char *demangled = wy_demangle(c->arena, first->name);
    f->f.wanted = (struct whyso_wanted){"symbol", first->name, demangled};
    f->f.file = shown;
    f->f.library = wy_path_base(g->file);
    if (f->f.needed_by.n) {
        f->f.needed_by.v[0].symbol = first->name;
        f->f.needed_by.v[0].version = p->version;
    }
    f->f.searched.n = 0;
    add_imports(c, f, g);
    f->f.title = title(c, f, first->name, near ? &miss : NULL, &made);
    if (made.framework)
        wy_make_because(c, f, "%s %s asks for %s %s, and %s is installed", d->name, d->version,
                        made.framework->name, made.asked, made.framework->version);
    if (near)
        describe_miss(c, f, first->name, &miss);
    say_brought_in(c, f, g);
    say_symbols(c, f, g);
    const struct wy_library *other = made.framework || near ? NULL : wy_changed_behind(c, o);
    if (other)
        wy_make_changed(c, f, other,
                        wy_arena_printf(c->arena, "%s is missing", readable(c, first->name)));
    else
        advise(c, f, d, near ? &miss : NULL, &made);
}

void wy_rule_undefined_symbol(struct wy_case *c) {
    WY_VEC(struct group) groups = {0};
    for (size_t i = 0; i < c->wants->all.n; i++) {
        const struct wy_want *w = c->wants->all.v[i];
        if (w->kind != WY_WANT_SYMBOL || !w->wanters.n)
            continue;
        const char *file = w->file ? w->file : w->name;
        struct group *g = NULL;
        for (size_t k = 0; k < groups.n && !g; k++)
            g = strcmp(groups.v[k].file, file) == 0 ? &groups.v[k] : NULL;
        if (!g) {
            g = wy_vec_add(&groups);
            *g = (struct group){.file = file};
        }
        wy_vec_push(&g->wants, w);
    }
    for (size_t i = 0; i < groups.n; i++) {
        report(c, &groups.v[i]);
        wy_vec_free(&groups.v[i].wants);
    }
    wy_vec_free(&groups);
}
