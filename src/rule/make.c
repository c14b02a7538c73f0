/* Making findings: the parts that many rules fill alike. */
#include "rule/families.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_NEEDERS = 1000, LONGEST_CHAIN = 64 };

const struct wy_dist_files *wy_files_of(const struct wy_case *c, const struct wy_dist *d) {
    return &c->world->files[wy_world_dist_index(c->world, d)];
}

void wy_strings_add(struct wy_arena *a, struct whyso_strings *list, const char *s) {
    WY_ADD(a, list, s);
}

void wy_strings_add_new(struct wy_arena *a, struct whyso_strings *list, const char *s) {
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->v[i], s) == 0)
            return;
    wy_strings_add(a, list, s);
}

const char *wy_shown(const struct wy_case *c, const char *path) {
    return wy_world_shown(c->world, path);
}

const char *wy_count(struct wy_arena *a, uint64_t n, const char *one, const char *many) {
    return wy_arena_printf(a, "%" PRIu64 " %s", n, n == 1 ? one : many);
}

const struct wy_image *wy_image_at(struct wy_case *c, const char *path) {
    struct wy_place place;
    if (wy_tree_find(c->world->tree, NULL, path, 0, &place) != 0 || !place.entry ||
        place.entry->type != WY_FT_FILE)
        return NULL;
    return wy_host_image(c->world->host, &place);
}

struct wy_finding *wy_make(struct wy_case *c, const char *rule, enum whyso_severity severity,
                           const char *subject) {
    struct wy_finding *f = wy_vec_add(&c->findings);
    *f = (struct wy_finding){0};
    f->f.rule = rule;
    f->f.severity = severity;
    f->f.fingerprint = wy_arena_printf(c->arena, "%s:%s", rule, subject);
    return f;
}

void wy_make_dist(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d) {
    f->dist = d;
    if (d)
        f->f.package = (struct whyso_package_ref){d->name, d->version, wy_shown(c, d->site)};
}

void wy_make_because(struct wy_case *c, struct wy_finding *f, const char *format, ...) {
    va_list args;
    char *text = NULL;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        return;
    wy_strings_add(c->arena, &f->f.because, wy_arena_cstr(c->arena, text));
    free(text);
}

void wy_make_provider(struct wy_case *c, struct wy_finding *f, struct whyso_provider p) {
    WY_ADD(c->arena, &f->f.providers, p);
}

void wy_make_owners(struct wy_case *c, struct wy_finding *f, const struct wy_claimed *claimed) {
    for (size_t i = 0; claimed && i < claimed->nclaims; i++) {
        const struct wy_claim *k = &claimed->claims[i];
        WY_ADD(c->arena, &f->f.owners, wy_owner_by_record(c->arena, k->dist, k->row, k->bytes));
    }
}

void wy_make_counts(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d) {
    const struct wy_dist_files *s = &c->world->files[wy_world_dist_index(c->world, d)];
    f->f.counts =
        (struct whyso_counts){true, s->recorded, s->missing, s->libraries, s->libraries_missing};
}

const char *wy_object_package(const struct wy_case *c, const struct wy_object *o) {
    const struct wy_dist *d = o && o->image ? wy_world_image_owner(c->world, o->image) : NULL;
    return d ? d->name : NULL;
}

/* The path an object was opened under, without the loader's "../.." where leaving them out names
 * the same file. */
const char *wy_object_shown(struct wy_case *c, const struct wy_object *o) {
    if (!o->name[0])
        return wy_shown(c, c->world->env.python);
    char *clean = wy_path_clean(c->arena, o->name);
    struct wy_place a, b;
    bool same = wy_tree_find(c->world->tree, NULL, clean, 0, &a) == 0 &&
                wy_tree_find(c->world->tree, NULL, o->name, 0, &b) == 0 && a.entry == b.entry;
    return wy_shown(c, same ? clean : o->name);
}

void wy_make_needer(struct wy_case *c, struct wy_finding *f, const struct wy_object *o) {
    const char *file = wy_object_shown(c, o);
    for (size_t i = 0; i < f->f.needed_by.n; i++)
        if (strcmp(f->f.needed_by.v[i].file, file) == 0)
            return;
    WY_ADD(c->arena, &f->f.needed_by,
           ((struct whyso_needer){file, wy_object_package(c, o), NULL, NULL}));
}

static void add_needers(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    for (size_t i = 0; i < want->wanters.n && f->f.needed_by.n < MOST_NEEDERS; i++) {
        const struct wy_object *o = want->wanters.v[i].needer;
        if (o && o->name[0])
            WY_ADD(c->arena, &f->f.needed_by,
                   ((struct whyso_needer){wy_object_shown(c, o), wy_object_package(c, o), NULL,
                                          want->wanters.v[i].problem->version}));
    }
}

/* From what was opened down to the one that needs it. */
static void add_chain(struct wy_case *c, struct wy_finding *f, const struct wy_object *needer) {
    const struct wy_object *up[LONGEST_CHAIN];
    size_t n = 0;
    for (const struct wy_object *o = needer; o && o->name[0] && n < LONGEST_CHAIN; o = o->loader)
        up[n++] = o;
    while (n)
        wy_strings_add(c->arena, &f->f.chain, wy_object_shown(c, up[--n]));
}

/* A directory as it is tried, cleaned where that names the same one (or is as absent). */
static const char *place_shown(struct wy_case *c, const char *place) {
    if (!place || place[0] != '/')
        return place;
    char *clean = wy_path_clean(c->arena, place);
    struct wy_place a = {0}, b = {0};
    int one = wy_tree_find(c->world->tree, NULL, clean, 0, &a);
    int two = wy_tree_find(c->world->tree, NULL, place, 0, &b);
    bool same = one == two && (one != 0 || a.entry == b.entry);
    return wy_shown(c, same ? clean : place);
}

void wy_show_search(struct wy_case *c, const struct wy_process *state, const char *name,
                    const struct wy_object *needer, struct wy_shown_search *ret) {
    struct wy_search search;
    wy_ld_search(c->ld, state, name, needer, &search);
    ret->n = search.n;
    ret->v = wy_arena_zero(c->arena, (search.n + 1) * sizeof *ret->v);
    ret->taken = search.taken;
    for (size_t i = 0; i < search.n; i++) {
        const struct wy_search_step *s = &search.steps[i];
        ret->v[i] = (struct whyso_searched){place_shown(c, s->place), wy_found_word(s->by),
                                            s->of ? wy_object_shown(c, s->of) : NULL, s->entry,
                                            wy_hit_word(s->result)};
    }
}

static void add_search(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    const struct wy_wanter *first = &want->wanters.v[0];
    struct wy_shown_search shown;
    if (!first->state || strchr(want->name, '/'))
        return;
    wy_show_search(c, first->state, want->name, first->needer, &shown);
    f->f.searched.v = shown.v;
    f->f.searched.n = shown.n;
}

static void make_wanted_module(struct wy_case *c, struct wy_finding *f, const struct wy_event *e) {
    f->f.wanted = (struct whyso_wanted){"module", e->module, NULL};
    if (!e->file)
        return;
    wy_make_because(c, f, "%s:%u imports %s, and Python says: %s", wy_shown(c, e->file), e->line,
                    e->module, e->message);
    struct wy_place place;
    bool known = wy_tree_find(c->world->tree, NULL, e->file, 0, &place) == 0;
    const struct wy_dist *d = known ? wy_world_owner(c->world, &place) : NULL;
    WY_ADD(c->arena, &f->f.needed_by,
           ((struct whyso_needer){wy_shown(c, e->file), d ? d->name : NULL, NULL, NULL}));
}

void wy_make_wanted(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    bool path = strchr(want->name, '/') != NULL;
    if (want->module) {
        make_wanted_module(c, f, want->module);
    } else {
        f->f.wanted = (struct whyso_wanted){path ? "file" : "library",
                                            path ? wy_shown(c, want->name) : want->name, NULL};
        f->f.library = wy_path_base(want->name);
    }
    if (want->file)
        f->f.file = wy_shown(c, want->file);
    add_needers(c, f, want);
    if (want->wanters.n) {
        add_chain(c, f, want->wanters.v[0].needer);
        add_search(c, f, want);
    }
    for (size_t i = 0; i < want->imports.n; i++)
        wy_strings_add(c->arena, &f->f.breaks.imports, want->imports.v[i]);
    f->f.breaks.files = want->files;
}

void wy_make_more_wants(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d,
                        enum wy_want_kind kind) {
    const struct wy_want *first = wy_first_want(c, d, kind);
    for (size_t i = 0; i < c->wants->all.n; i++) {
        const struct wy_want *w = c->wants->all.v[i];
        if (w == first || w->dist != d || w->kind != kind)
            continue;
        add_needers(c, f, w);
        for (size_t k = 0; k < w->imports.n; k++)
            wy_strings_add_new(c->arena, &f->f.breaks.imports, w->imports.v[k]);
        if (w->files > f->f.breaks.files)
            f->f.breaks.files = w->files;
    }
}

const struct wy_want *wy_first_want(const struct wy_case *c, const struct wy_dist *d,
                                    enum wy_want_kind kind) {
    const struct wy_want *best = NULL;
    for (size_t i = 0; i < c->wants->all.n; i++) {
        const struct wy_want *w = c->wants->all.v[i];
        if (w->dist == d && w->kind == kind && (!best || w->severity > best->severity))
            best = w;
    }
    return best;
}

void wy_make_hollow(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d) {
    size_t n;
    const struct wy_listed_module *m = wy_importer_modules(c->importer, &n);
    for (size_t i = 0; i < n; i++) {
        const char *lost = m[i].dist == d ? wy_importer_hollow(c->importer, m[i].name) : NULL;
        if (!lost)
            continue;
        if (f->f.severity < WHYSO_WARNING)
            f->f.severity = WHYSO_WARNING;
        wy_make_because(
            c, f, "import %s works and gives an empty package: its folder is there, %s is not",
            m[i].name, wy_shown(c, lost));
    }
}

static bool present(const struct wy_case *c, const char *soname_glob) {
    for (size_t i = 0; i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        if (wy_glob(soname_glob, wy_path_base(lib->path)) ||
            (lib->image->elf.soname && wy_glob(soname_glob, lib->image->elf.soname)))
            return true;
    }
    return false;
}

/* '@' stands for any number here. */
static bool opens(const struct wy_dlopen *row, const char *soname) {
    size_t n = strcspn(row->target, "@");
    return row->target[n] ? strncmp(row->target, soname, n) == 0 : wy_glob(row->target, soname);
}

bool wy_needed_later(const struct wy_case *c, const char *soname) {
    const struct wy_know *k = c->world->know;
    for (size_t i = 0; i < k->ndlopens; i++)
        if (strcmp(k->dlopens[i].importance, "needed") == 0 && opens(&k->dlopens[i], soname) &&
            present(c, k->dlopens[i].opener))
            return true;
    return false;
}

bool wy_dist_needed_later(const struct wy_case *c, const struct wy_dist *d) {
    const struct wy_dist_files *own = wy_files_of(c, d);
    for (size_t i = 0; i < own->nclaimed; i++) {
        const struct wy_claimed *k = own->claimed[i];
        if (k->presence != WY_PRESENT && k->is_so && wy_needed_later(c, wy_path_base(k->path)))
            return true;
    }
    return false;
}

struct wy_finding *wy_reported(const struct wy_case *c, const char *fingerprint) {
    for (size_t i = 0; i < c->findings.n; i++)
        if (strcmp(c->findings.v[i].f.fingerprint, fingerprint) == 0)
            return &c->findings.v[i];
    return NULL;
}

/* It is there because of that one, and goes with its repair. */
static bool follow(struct wy_finding *f, const struct wy_finding *cause) {
    if (!cause)
        return false;
    f->follows = cause->f.fingerprint;
    f->remedy = cause->remedy;
    return true;
}

bool wy_follows_generation(struct wy_case *c, struct wy_finding *f, const struct wy_object *o) {
    const struct wy_dist *d = wy_kin_dist(c, o);
    return d && follow(f, wy_reported(c, wy_arena_printf(c->arena, "wrong-generation:%s", d->key)));
}

bool wy_follows_overwriting(struct wy_case *c, struct wy_finding *f, const struct wy_object *o) {
    struct wy_str key = {(const char *)&o->image, sizeof o->image};
    const struct wy_library *lib = wy_map_get(&c->world->library_by_image, key);
    const struct wy_claimed *k = lib ? lib->claimed : NULL;
    for (size_t i = 0; k && k->nclaims > 1 && i < k->nclaims; i++) {
        const struct wy_finding *cause = wy_reported(
            c, wy_arena_printf(c->arena, "overwritten-file:%s", k->claims[i].dist->key));
        if (follow(f, cause))
            return true;
    }
    return false;
}
