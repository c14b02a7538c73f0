/* shadowed-library: a copy from elsewhere (LD_LIBRARY_PATH, LD_PRELOAD, a folder of the system) is
 * taken before the one that is meant. One finding for each folder that brings such copies: an error
 * where something fails for it, else a warning or a note. */
#include "rule/shadow.h"

#include "base/demangle.h"

enum { MOST_SAID = 4 };

struct hidden { /* not taken, though a search would find it first */
    const char *soname, *needer, *instead;
};
struct source { /* one folder */
    const char *folder;
    enum wy_found by;
    int entry;                            /* of LD_LIBRARY_PATH, else 0 */
    WY_VEC(const struct wy_want *) wants; /* what fails for it */
    WY_VEC(struct wy_shadow) loaded;      /* what is mapped from it, each soname once */
    WY_VEC(struct hidden) hidden;
};
struct sources {
    WY_VEC(struct source) v;
    struct wy_map asked; /* objects whose needs were looked at; keys are image pointers */
};

static struct source *source_of(struct wy_case *c, struct sources *all, const char *file,
                                enum wy_found by) {
    const char *folder = wy_path_dir(c->arena, wy_path_clean(c->arena, file));
    for (size_t i = 0; i < all->v.n; i++)
        if (strcmp(all->v.v[i].folder, folder) == 0 && all->v.v[i].by == by)
            return &all->v.v[i];
    struct source *s = wy_vec_add(&all->v);
    int entry = by == WY_BY_LD_LIBRARY_PATH ? wy_library_path_entry(c, file) : 0;
    *s = (struct source){.folder = folder, .by = by, .entry = entry};
    return s;
}

static void free_sources(struct sources *all) {
    for (size_t i = 0; i < all->v.n; i++) {
        wy_vec_free(&all->v.v[i].wants);
        wy_vec_free(&all->v.v[i].loaded);
        wy_vec_free(&all->v.v[i].hidden);
    }
    wy_vec_free(&all->v);
    wy_map_deinit(&all->asked);
}

/* ---- collecting */

static bool same_build(const struct wy_image *a, const struct wy_image *b) {
    return a == b ||
           (a->elf.build_id && b->elf.build_id && strcmp(a->elf.build_id, b->elf.build_id) == 0);
}

static void add_loaded(struct wy_case *c, struct sources *all, const struct wy_process *state,
                       const struct wy_object *o) {
    struct wy_shadow s;
    if (!wy_shadow_of_object(c, state, o, &s) || !s.library || !s.library->dist ||
        same_build(s.image, s.intended_image))
        return;
    struct source *to = source_of(c, all, s.taken, s.by);
    for (size_t i = 0; i < to->loaded.n; i++)
        if (strcmp(to->loaded.v[i].soname, s.soname) == 0)
            return;
    wy_vec_push(&to->loaded, s);
}

static bool is_hidden(const struct source *s, const char *soname) {
    for (size_t i = 0; i < s->hidden.n; i++)
        if (strcmp(s->hidden.v[i].soname, soname) == 0)
            return true;
    return false;
}

/* Needs that something in memory serves, where the object's own search would find another copy. */
static void add_hidden(struct wy_case *c, struct sources *all, const struct wy_process *state,
                       const struct wy_object *o) {
    const struct wy_elf *elf = &o->image->elf;
    void **slot = wy_map_at(&all->asked, (struct wy_str){(const char *)&o->image, sizeof o->image});
    if (*slot)
        return;
    *slot = all;
    for (size_t i = 0; i < elf->nneeded; i++) {
        size_t n;
        const struct wy_object *served = wy_process_named(state, elf->needed[i]);
        wy_world_named(c->world, elf->needed[i], &n);
        if (!n || !served || !served->image || wy_outside(c, served->name))
            continue;
        struct wy_search search;
        wy_ld_search_fresh(c->ld, state, elf->needed[i], o, 0, &search);
        const struct wy_search_step *last = search.n ? &search.steps[search.n - 1] : NULL;
        if (!last || last->result != WY_HIT_TAKEN || last->by != WY_BY_LD_LIBRARY_PATH ||
            !wy_outside(c, last->file))
            continue;
        struct source *to = source_of(c, all, last->file, last->by);
        if (!is_hidden(to, elf->needed[i]))
            wy_vec_push(&to->hidden, ((struct hidden){elf->needed[i], wy_object_shown(c, o),
                                                      wy_object_shown(c, served)}));
    }
}

static void add_run(struct wy_case *c, struct sources *all, const struct wy_run *run) {
    const char *path = wy_host_getenv(c->world->host, "LD_LIBRARY_PATH");
    for (size_t i = 0; run->after && i < wy_process_count(run->after); i++) {
        const struct wy_object *o = wy_process_at(run->after, i);
        if (!o->image || !o->name[0])
            continue;
        add_loaded(c, all, run->after, o);
        if (path && *path && !wy_outside(c, o->name))
            add_hidden(c, all, run->after, o);
    }
}

static void collect(struct wy_case *c, struct sources *all) {
    for (size_t i = 0; i < c->wants->all.n; i++) {
        const struct wy_want *w = c->wants->all.v[i];
        if (w->kind == WY_WANT_SHADOWED)
            wy_vec_push(&source_of(c, all, w->shadow->taken, w->shadow->by)->wants, w);
    }
    for (size_t i = 0; i < c->nruns; i++)
        add_run(c, all, c->runs[i]);
}

/* ---- words */

static const char *origin(struct wy_case *c, const struct source *s) {
    switch (s->by) {
    case WY_BY_LD_LIBRARY_PATH:
        return s->entry
                   ? wy_arena_printf(c->arena, "LD_LIBRARY_PATH, entry %d: %s", s->entry, s->folder)
                   : wy_arena_printf(c->arena, "LD_LIBRARY_PATH: %s", s->folder);
    case WY_BY_PRELOAD:
        return wy_arena_printf(c->arena, "a preload (LD_PRELOAD, /etc/ld.so.preload): %s",
                               s->folder);
    default:
        return wy_arena_printf(c->arena, "a folder of the system: %s", s->folder);
    }
}

static const char *meant_file(struct wy_case *c, const struct wy_shadow *s) {
    return s->library ? s->library->shown : wy_shown(c, s->intended);
}

static const char *meant(struct wy_case *c, const struct wy_shadow *s) {
    const struct wy_dist *d = s->library ? s->library->dist : NULL;
    return d ? wy_arena_printf(c->arena, "%s (%s %s)", meant_file(c, s), d->name, d->version)
             : meant_file(c, s);
}

static const char *title(struct wy_case *c, const struct source *from, const struct wy_shadow *s) {
    const struct wy_dist *d = s->library ? s->library->dist : NULL;
    return wy_arena_printf(c->arena, "%s is taken from %s, not from %s", s->soname, from->folder,
                           d ? d->name : wy_path_dir(c->arena, meant_file(c, s)));
}

static void add_candidates(struct wy_case *c, struct wy_finding *f, const struct source *from,
                           const struct wy_shadow *s, const struct whyso_strings *lacks) {
    struct whyso_candidate taken = {
        .file = wy_shown(c, wy_path_clean(c->arena, s->taken)), .chosen = true, .lacks = *lacks};
    struct whyso_candidate other = {
        .file = meant_file(c, s),
        .package = s->library && s->library->dist ? s->library->dist->name : NULL,
        .why_not = wy_arena_printf(c->arena, "%s comes first", origin(c, from)),
        .has = *lacks};
    if (wy_same(f->f.wanted.kind, "version"))
        taken.has = wy_versions_defined(c, s->image, f->f.wanted.name);
    if (taken.has.n)
        wy_make_because(c, f, "%s goes up to %s (readelf -V shows them)", taken.file,
                        taken.has.v[0]);
    WY_ADD(c->arena, &f->f.candidates, taken);
    WY_ADD(c->arena, &f->f.candidates, other);
}

/* What else the folder has that the environment's packages have, too. */
static void say_others(struct wy_case *c, struct wy_finding *f, const struct source *s) {
    struct wy_dir *dir;
    if (s->by != WY_BY_LD_LIBRARY_PATH ||
        wy_tree_find_dir(c->world->tree, NULL, s->folder, &dir) != 0)
        return;
    size_t n, found = 0;
    const char *names = "";
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n; i++) {
        size_t owned;
        const struct wy_library **libs = wy_world_named(c->world, entries[i].name, &owned);
        if (!owned || !libs[0]->dist || wy_same(entries[i].name, f->f.library))
            continue;
        if (++found <= MOST_SAID)
            names = wy_arena_printf(c->arena, "%s%s%s", names, *names ? ", " : "", entries[i].name);
    }
    if (found)
        wy_make_because(c, f, "the same folder also has %s of this environment: %s%s",
                        wy_count(c->arena, found, "library", "libraries"), names,
                        found > MOST_SAID ? ", …" : "");
}

static const char *preload_without(struct wy_case *c, const struct source *s) {
    const char *text = wy_host_getenv(c->world->host, "LD_PRELOAD"), *ret = NULL;
    for (; text; text = *text ? text + 1 : NULL) {
        size_t n = strcspn(text, ": ");
        const char *item = wy_arena_str(c->arena, (struct wy_str){text, n});
        const char *folder = wy_path_dir(c->arena, wy_path_clean(c->arena, item));
        if (n && strcmp(folder, s->folder) != 0)
            ret = wy_arena_printf(c->arena, "%s%s%s", ret ? ret : "", ret ? ":" : "", item);
        text += n;
    }
    return ret;
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct source *s,
                   const struct wy_shadow *shadow) {
    struct wy_remedy *r = &f->remedy;
    *r = (struct wy_remedy){.kind = WY_REMEDY_VARIABLE,
                            .avoid = "Reinstalling a package does not help: its files are whole."};
    if (s->by == WY_BY_LD_LIBRARY_PATH) {
        r->name = "LD_LIBRARY_PATH";
        r->version = s->entry ? wy_library_path_without(c, s->entry) : NULL;
        r->text =
            wy_arena_printf(c->arena, "Start Python without %s in LD_LIBRARY_PATH.", s->folder);
    } else if (s->by == WY_BY_PRELOAD && wy_host_getenv(c->world->host, "LD_PRELOAD")) {
        r->name = "LD_PRELOAD";
        r->version = preload_without(c, s);
        r->text = wy_arena_printf(c->arena, "Start Python without the files of %s in LD_PRELOAD.",
                                  s->folder);
    } else if (s->by == WY_BY_PRELOAD) {
        r->kind = WY_REMEDY_MANUAL;
        r->text =
            wy_arena_printf(c->arena, "Take the files of %s out of /etc/ld.so.preload.", s->folder);
    } else {
        r->name = "LD_LIBRARY_PATH";
        r->version = wy_path_dir(c->arena, shadow->intended);
        r->text = wy_arena_printf(c->arena,
                                  "Start Python with LD_LIBRARY_PATH=%s, so that this "
                                  "copy comes first.",
                                  r->version);
    }
}

/* ---- what fails */

static enum wy_problem_kind problem_of(const struct wy_want *w) {
    return w->wanters.v[0].problem->kind;
}

/* Whether it is rather something that the copy itself needs, or what it brings along. */
static bool itself(const struct wy_want *w) {
    for (const struct wy_object *o = w->wanters.v[0].needer; o; o = o->loader)
        if (o->image == w->shadow->image)
            return true;
    return false;
}

/* What the copy that is taken lacks. */
static struct whyso_strings lacks(struct wy_case *c, const struct wy_want *w) {
    struct whyso_strings ret = {0};
    if (!itself(w) && problem_of(w) == WY_P_MISSING_VERSION)
        ret = wy_versions_lacking(c, w);
    else if (!itself(w))
        wy_strings_add(c->arena, &ret, w->name);
    return ret;
}

static void say_want(struct wy_case *c, struct wy_finding *f, const struct wy_want *w) {
    const struct wy_wanter *first = &w->wanters.v[0];
    struct whyso_strings all = lacks(c, w);
    for (size_t i = 0; i < all.n; i++) {
        const char *text = wy_demangle(c->arena, all.v[i]);
        wy_make_because(c, f, "that copy lacks %s, which %s wants", text ? text : all.v[i],
                        wy_object_shown(c, first->needer));
    }
    if (itself(w))
        wy_make_because(c, f, "that copy itself does not get what it needs: %s",
                        first->problem->message);
}

static void set_wanted(struct wy_case *c, struct wy_finding *f, const struct wy_want *w) {
    const struct wy_wanter *first = &w->wanters.v[0];
    if (problem_of(w) == WY_P_MISSING_VERSION) {
        struct whyso_strings all = wy_versions_lacking(c, w);
        f->f.wanted = (struct whyso_wanted){"version", wy_version_newest(&all), NULL};
    } else if (problem_of(w) == WY_P_UNDEFINED_SYMBOL) {
        f->f.wanted = (struct whyso_wanted){"symbol", w->name, wy_demangle(c->arena, w->name)};
        if (f->f.needed_by.n) {
            f->f.needed_by.v[0].symbol = w->name;
            f->f.needed_by.v[0].version = first->problem->version;
        }
    }
}

static void show_search(struct wy_case *c, struct wy_finding *f, const struct wy_want *w) {
    struct wy_shown_search shown = {0};
    if (w->wanters.v[0].state)
        wy_show_search(c, w->wanters.v[0].state, w->shadow->soname, w->shadow->needer, &shown);
    f->f.searched.v = shown.v;
    f->f.searched.n = shown.n;
}

static const struct wy_want *worst(const struct source *s) {
    const struct wy_want *best = s->wants.v[0];
    for (size_t i = 1; i < s->wants.n; i++)
        if (s->wants.v[i]->severity > best->severity)
            best = s->wants.v[i];
    return best;
}

static void report_failing(struct wy_case *c, const struct source *s) {
    const struct wy_want *first = worst(s);
    const struct wy_shadow *shadow = first->shadow;
    struct wy_finding *f = wy_make(c, "shadowed-library", first->severity, shadow->soname);
    wy_make_wanted(c, f, first);
    wy_make_dist(c, f, shadow->library ? shadow->library->dist : NULL);
    set_wanted(c, f, first);
    show_search(c, f, first);
    f->f.library = shadow->soname;
    f->f.file = wy_shown(c, wy_path_clean(c->arena, shadow->taken));
    f->f.title = title(c, s, shadow);
    wy_make_because(c, f, "%s is taken from %s", shadow->soname, origin(c, s));
    for (size_t i = 0; i < s->wants.n; i++) {
        if (i < MOST_SAID)
            say_want(c, f, s->wants.v[i]);
        for (size_t k = 0; k < s->wants.v[i]->imports.n; k++)
            wy_strings_add_new(c->arena, &f->f.breaks.imports, s->wants.v[i]->imports.v[k]);
        if (s->wants.v[i]->files > f->f.breaks.files)
            f->f.breaks.files = s->wants.v[i]->files;
    }
    wy_make_because(c, f, "the copy that is meant: %s", meant(c, shadow));
    say_others(c, f, s);
    struct whyso_strings lack = lacks(c, first);
    add_candidates(c, f, s, shadow, &lack);
    f->why = wy_arena_printf(c->arena, "%s is taken from %s. It comes before %s.", shadow->soname,
                             origin(c, s), meant(c, shadow));
    advise(c, f, s, shadow);
}

/* ---- what loads */

/* One of a set of libraries that are built to fit one another (the table's rows): the package that
 * has it, and no other build, is what its neighbours were tested with. */
static bool of_a_family(const struct wy_case *c, const struct wy_shadow *s) {
    size_t n;
    const struct wy_provider *rows = wy_know_providers(c->world->know, s->soname, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].package, s->library->dist->key) == 0)
            return true;
    return false;
}

static void report_loaded(struct wy_case *c, const struct source *s) {
    const struct wy_shadow *first = NULL;
    for (size_t i = 0; i < s->loaded.n && !first; i++)
        first = of_a_family(c, &s->loaded.v[i]) ? &s->loaded.v[i] : NULL;
    enum whyso_severity severity = first ? WHYSO_WARNING : WHYSO_NOTE;
    first = first ? first : &s->loaded.v[0];
    struct wy_finding *f = wy_make(c, "shadowed-library", severity, first->soname);
    wy_make_dist(c, f, first->library->dist);
    f->f.library = first->soname;
    f->f.file = wy_shown(c, wy_path_clean(c->arena, first->taken));
    f->f.title = title(c, s, first);
    const struct whyso_strings nothing = {0};
    for (size_t i = 0; i < s->loaded.n && i < MOST_SAID; i++) {
        wy_make_because(c, f, "%s is taken from %s", s->loaded.v[i].soname, origin(c, s));
        wy_make_because(c, f, "the copy that is meant: %s", meant(c, &s->loaded.v[i]));
        add_candidates(c, f, s, &s->loaded.v[i], &nothing);
    }
    say_others(c, f, s);
    f->why = "It loads, with a build that nobody tested with the others.";
    advise(c, f, s, first);
}

static void report_hidden(struct wy_case *c, const struct source *s) {
    const struct hidden *first = &s->hidden.v[0];
    struct wy_finding *f = wy_make(c, "shadowed-library", WHYSO_NOTE, first->soname);
    f->f.library = first->soname;
    f->f.title = wy_arena_printf(c->arena,
                                 "%s of %s would come before the environment's own; today that is "
                                 "in memory first",
                                 first->soname, s->folder);
    for (size_t i = 0; i < s->hidden.n && i < MOST_SAID; i++)
        wy_make_because(c, f, "%s needs %s and would find it in %s; it gets %s, which is in memory",
                        s->hidden.v[i].needer, s->hidden.v[i].soname, origin(c, s),
                        s->hidden.v[i].instead);
    say_others(c, f, s);
    const struct wy_shadow none = {.intended = first->instead};
    advise(c, f, s, &none);
}

void wy_rule_shadowed_library(struct wy_case *c) {
    struct sources all = {0};
    collect(c, &all);
    for (size_t i = 0; i < all.v.n; i++) {
        const struct source *s = &all.v.v[i];
        if (s->wants.n)
            report_failing(c, s);
        else if (s->loaded.n)
            report_loaded(c, s);
        else
            report_hidden(c, s);
    }
    free_sources(&all);
}
