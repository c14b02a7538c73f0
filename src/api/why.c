/* whyso why: one library or one file. Who needs it, where the loader looks, who has it, who should.
 */
#include "api/may_open.h"
#include "api/owners.h"
#include "api/package.h"
#include "api/said.h"
#include "api/session.h"

#include "base/path.h"
#include "base/vec.h"

enum { MOST_NEEDERS = 1000 };

struct about {
    struct whyso_answer *a;
    const char *soname; /* the name asked for, or the SONAME of the file */
    const char *path;   /* the file asked about, or NULL */
    struct whyso_why *w;
    WY_VEC(struct whyso_needer) needers;
    WY_VEC(struct whyso_candidate) candidates;
    WY_VEC(struct whyso_provider) providers;
    const struct wy_library *first_needer;
    const struct whyso_import *import; /* of a module, or NULL */
    const struct wy_dist *dist;        /* of a package, or NULL */
};

static bool needs(const struct wy_elf *elf, const char *soname) {
    for (size_t i = 0; i < elf->nneeded; i++)
        if (strcmp(elf->needed[i], soname) == 0)
            return true;
    return false;
}

static void find_needers(struct about *q) {
    const struct wy_world *w = q->a->world;
    for (size_t i = 0; i < w->nlibraries && q->needers.n < MOST_NEEDERS; i++) {
        const struct wy_library *lib = &w->libraries[i];
        if (!needs(&lib->image->elf, q->soname))
            continue;
        q->first_needer = q->first_needer ? q->first_needer : lib;
        wy_vec_push(&q->needers, ((struct whyso_needer){
                                     lib->shown, lib->dist ? lib->dist->name : NULL, NULL, NULL}));
    }
}

/* The object that asked for the library in a followed import, with the loaders above it: its search
 * is the one that counts. Else the first needer opened by itself. */
static const struct wy_object *asking_object(struct about *q, const struct wy_process **state) {
    const struct wy_open *start = wy_importer_start(q->a->importer);
    if (!start || start->outcome != WY_OPEN_OK)
        return NULL;
    *state = start->after;
    const struct wy_case *c = &q->a->rules;
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_process *p = c->runs[i]->after;
        for (size_t k = 0; p && k < wy_process_count(p); k++) {
            const struct wy_object *o = wy_process_at(p, k);
            if (o->by && o->loader && strcmp(o->requested, q->soname) == 0)
                return o->by;
        }
    }
    if (!q->first_needer)
        return NULL;
    const struct wy_open *open = wy_ld_open(q->a->ld, *state, q->first_needer->path, WY_NOW, NULL);
    return open->object;
}

static void fill_search(struct about *q) {
    const struct wy_process *state = NULL;
    const struct wy_object *needer = asking_object(q, &state);
    struct wy_world *w = q->a->world;
    if (!state)
        return;
    struct wy_shown_search s;
    wy_show_search(&q->a->rules, state, q->soname, needer, &s);
    q->w->searched_for = needer ? wy_object_shown(&q->a->rules, needer) : NULL;
    q->w->searched.v = s.v;
    q->w->searched.n = s.n;
    const char *taken = s.taken ? wy_path_clean(&q->a->arena, s.taken) : NULL;
    if (taken && !wy_map_get(&w->library_by_path, wy_str_of(taken)))
        wy_vec_push(&q->candidates,
                    ((struct whyso_candidate){.file = wy_world_shown(w, taken), .chosen = true}));
}

static bool taken(const struct about *q, const struct wy_library *lib) {
    const struct wy_case *c = &q->a->rules;
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_process *p = c->runs[i]->after;
        for (size_t k = 0; p && k < wy_process_count(p); k++)
            if (wy_process_at(p, k)->image == lib->image)
                return true;
    }
    return false;
}

static void find_candidates(struct about *q) {
    size_t n;
    const struct wy_library **libs = wy_world_named(q->a->world, q->soname, &n);
    for (size_t i = 0; i < n; i++)
        wy_vec_push(&q->candidates,
                    ((struct whyso_candidate){.file = libs[i]->shown,
                                              .package = libs[i]->dist ? libs[i]->dist->name : NULL,
                                              .chosen = taken(q, libs[i])}));
}

/* Every package that lists a file of that name (or that file). */
static void find_owners(struct about *q) {
    struct wy_world *w = q->a->world;
    WY_VEC(struct whyso_owner) all = {0};
    for (size_t i = 0; i < w->nclaimed; i++) {
        const struct wy_claimed *k = &w->claimed[i];
        if (q->path ? strcmp(k->path, q->path) != 0 : strcmp(wy_path_base(k->path), q->soname) != 0)
            continue;
        struct wy_owners owners;
        wy_owners_of(q->a, k->path, &k->place, &owners);
        for (size_t m = 0; m < owners.n; m++)
            wy_vec_push(&all, owners.v[m]);
    }
    q->w->owners.n = all.n;
    wy_vec_keep(&q->a->arena, &all);
    q->w->owners.v = all.v;
}

static bool gutted(const struct about *q, const struct wy_dist *d) {
    for (size_t i = 0; i < q->a->rules.findings.n; i++)
        if (q->a->rules.findings.v[i].dist == d &&
            strcmp(q->a->rules.findings.v[i].f.rule, "gutted-package") == 0)
            return true;
    return false;
}

/* A row of the table as a provider. */
static struct whyso_provider provider(const struct about *q, const struct wy_provider *row,
                                      const struct wy_dist *d) {
    bool pip = strcmp(row->package, "-") != 0;
    return (struct whyso_provider){.package = pip ? row->package : row->apt,
                                   .version = d ? d->version : NULL,
                                   .manager = pip ? "pip" : "apt",
                                   .state = d && gutted(q, d) ? "gutted" : "available",
                                   .because = d ? "RECORD" : "table"};
}

/* What findings say of the machine's own packages, then the table: installed ones first. */
static void find_providers(struct about *q) {
    size_t n;
    const struct wy_provider *rows = wy_know_providers(q->a->know, q->soname, &n);
    for (size_t i = 0; i < q->w->findings.n; i++)
        for (size_t k = 0; k < q->w->findings.v[i].providers.n; k++)
            if (!wy_same(q->w->findings.v[i].providers.v[k].manager, "pip"))
                wy_vec_push(&q->providers, q->w->findings.v[i].providers.v[k]);
    for (int installed = 1; installed >= 0; installed--)
        for (size_t i = 0; i < n; i++) {
            const struct wy_dist *d = wy_world_dist(q->a->world, rows[i].package);
            bool known = strcmp(rows[i].package, "-") != 0 || strcmp(rows[i].apt, "-") != 0;
            if (known && (d != NULL) == (installed == 1))
                wy_vec_push(&q->providers, provider(q, &rows[i], d));
        }
    q->w->providers.n = q->providers.n;
    wy_vec_keep(&q->a->arena, &q->providers);
    q->w->providers.v = q->providers.v;
}

static bool listed(const struct whyso_strings *list, const char *text) {
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->v[i], text) == 0)
            return true;
    return false;
}

/* The file itself, or what it needs when an error was pasted that names both. */
static bool about_file(const struct about *q, const struct whyso_finding *f) {
    const char *shown = wy_world_shown(q->a->world, q->path);
    for (size_t i = 0; q->w->said.line && i < f->needed_by.n; i++)
        if (wy_same(f->needed_by.v[i].file, shown))
            return true;
    return wy_same(f->file, shown);
}

/* Its own, and those that name it as an owner or as who should provide something. */
static bool about_package(const struct wy_dist *d, const struct whyso_finding *f) {
    if (wy_same(f->package.name, d->name))
        return true;
    for (size_t i = 0; i < f->owners.n; i++)
        if (wy_same(f->owners.v[i].package, d->name))
            return true;
    for (size_t i = 0; !f->package.name && i < f->providers.n; i++)
        if (wy_same(f->providers.v[i].package, d->name))
            return true;
    return false;
}

static bool about_import(const struct whyso_import *m, const struct whyso_finding *f) {
    return listed(&f->breaks.imports, m->module) ||
           (m->package.name && wy_same(f->package.name, m->package.name));
}

static bool about_it(const struct about *q, const struct whyso_finding *f) {
    if (q->import || q->dist)
        return (q->import && about_import(q->import, f)) || (q->dist && about_package(q->dist, f));
    if (q->path)
        return about_file(q, f);
    if (f->library && strcmp(f->library, q->soname) == 0)
        return true;
    if (f->wanted.name && strcmp(f->wanted.name, q->soname) == 0)
        return true;
    for (size_t i = 0; i < f->missing.n; i++)
        if (strcmp(wy_path_base(f->missing.v[i]), q->soname) == 0)
            return true;
    for (size_t i = 0; i < f->candidates.n; i++)
        if (strcmp(wy_path_base(f->candidates.v[i].file), q->soname) == 0)
            return true;
    return false;
}

/* What a pasted line says word for word comes before what else is known about the object. */
static void named_first(struct about *q) {
    const struct whyso_said *s = &q->w->said;
    const char *name = s->symbol ? s->symbol : s->version ? s->version : s->library;
    struct whyso_finding *v = q->w->findings.v;
    for (size_t i = 0, first = 0; name && i < q->w->findings.n; i++) {
        if (!wy_same(v[i].wanted.name, name))
            continue;
        struct whyso_finding named = v[i];
        memmove(&v[first + 1], &v[first], (i - first) * sizeof *v);
        v[first++] = named;
    }
}

static void find_findings(struct about *q) {
    struct wy_case *c = &q->a->rules;
    q->w->findings.v = wy_arena_zero(&q->a->arena, (c->findings.n + 1) * sizeof *q->w->findings.v);
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct whyso_finding *f = &c->findings.v[i].f;
        if (!about_it(q, f))
            continue;
        q->w->findings.v[q->w->findings.n++] = *f;
    }
    named_first(q);
    for (size_t i = 0; i < q->w->findings.n; i++) {
        const struct whyso_finding *f = &q->w->findings.v[i];
        for (size_t k = 0; k < f->breaks.imports.n; k++)
            wy_strings_add_new(&q->a->arena, &q->w->imports, f->breaks.imports.v[k]);
        for (size_t k = 0; k < q->a->plan.ncauses && !q->w->fix.kind; k++)
            if (wy_same(q->a->plan.causes[k].id, f->cause)) /* a note has no cause */
                q->w->fix = q->a->plan.causes[k].fix;
    }
}

/* The search that failed in a followed import says more than one made up afterwards: its objects
 * are gone again when the import has ended. */
static void prefer_failed_search(struct whyso_why *w, const char *soname) {
    for (size_t i = 0; i < w->findings.n; i++) {
        const struct whyso_finding *f = &w->findings.v[i];
        if (!f->searched.n || !f->needed_by.n || !wy_same(f->wanted.name, soname))
            continue;
        w->searched.v = f->searched.v;
        w->searched.n = f->searched.n;
        w->searched_for = f->needed_by.v[0].file;
        return;
    }
}

/* What a finding says of a copy: why it is not taken, what it has and lacks of what is wanted. */
static void judge_candidate(const struct whyso_why *w, struct whyso_candidate *c) {
    for (size_t i = 0; i < w->findings.n; i++)
        for (size_t k = 0; k < w->findings.v[i].candidates.n; k++) {
            const struct whyso_candidate *judged = &w->findings.v[i].candidates.v[k];
            if (!wy_same(judged->file, c->file))
                continue;
            c->why_not = judged->why_not;
            c->has = judged->has;
            c->lacks = judged->lacks;
            return;
        }
}

static void answer(struct about *q) {
    find_needers(q);
    fill_search(q);
    find_candidates(q);
    for (size_t i = 0; i < q->candidates.n; i++)
        wy_name_candidate(q->a->world, &q->a->arena, &q->candidates.v[i]);
    find_owners(q);
    find_findings(q);
    for (size_t i = 0; i < q->candidates.n; i++)
        judge_candidate(q->w, &q->candidates.v[i]);
    find_providers(q);
    prefer_failed_search(q->w, q->soname);
    q->w->needed_by.n = q->needers.n;
    wy_vec_keep(&q->a->arena, &q->needers);
    q->w->needed_by.v = q->needers.v;
    q->w->candidates.n = q->candidates.n;
    wy_vec_keep(&q->a->arena, &q->candidates);
    q->w->candidates.v = q->candidates.v;
}

/* A library nobody needs, has, lists or knows is a question with a typing error. */
static bool unheard_of(const struct whyso_why *w) {
    return !w->needed_by.n && !w->candidates.n && !w->owners.n && !w->providers.n && !w->findings.n;
}

/* A module: how its import ends, and what stands behind that. A name that is both, as `torch`, is
 * explained as both. */
static struct wy_error *explain_module(struct about *q, const struct whyso_options *o,
                                       const char *name, const struct wy_dist *d) {
    struct whyso_answer *a = q->a;
    const char *subject = wy_arena_printf(&a->arena, "module:%s", name);
    WY_TRY(wy_session_examine(a, o, &subject, d ? 0 : 1));
    wy_session_environment(a, o, &q->w->environment);
    wy_fill_import(a, wy_importer_run(a->importer, name), &q->w->import);
    q->import = &q->w->import;
    q->dist = d;
    q->w->subject_kind = "module";
    q->w->subject_name = name;
    find_findings(q);
    return d ? wy_about_package(a, o, d, q->w) : NULL;
}

static struct wy_error *explain_package(struct about *q, const struct whyso_options *o,
                                        const struct wy_dist *d) {
    WY_TRY(wy_session_examine(q->a, o, NULL, 0));
    wy_session_environment(q->a, o, &q->w->environment);
    q->dist = d;
    q->w->subject_kind = "package";
    q->w->subject_name = d->name;
    find_findings(q);
    return wy_about_package(q->a, o, d, q->w);
}

static struct wy_error *explain_file(struct about *q, const struct whyso_options *o,
                                     const struct wy_subject *s) {
    struct whyso_answer *a = q->a;
    WY_TRY(wy_session_examine(a, o, NULL, 0));
    wy_session_environment(a, o, &q->w->environment);
    q->w->subject_kind = s->kind == WY_SUBJECT_FILE ? "file" : "library";
    q->w->subject_name = s->kind == WY_SUBJECT_FILE ? wy_world_shown(a->world, s->name) : s->name;
    q->soname = s->name;
    if (s->kind == WY_SUBJECT_FILE) {
        q->path = s->name;
        q->soname = s->library && s->library->image->elf.soname ? s->library->image->elf.soname
                                                                : wy_path_base(s->name);
    }
    answer(q);
    if (s->kind == WY_SUBJECT_FILE && s->library)
        wy_may_open(a, s->library, q->w);
    if (unheard_of(q->w))
        return wy_errorf("%s: nothing in %s needs, has or lists it", q->w->subject_name,
                         a->world->env.prefix);
    return NULL;
}

static struct wy_error *explain(struct whyso_answer *a, const struct whyso_options *o,
                                const char *text, struct whyso_why *w) {
    struct wy_subject s;
    struct about q = {.a = a, .w = w};
    WY_TRY(wy_subject_read(a, o, text, &s));
    if (s.kind == WY_SUBJECT_MODULE) {
        bool forced = wy_starts(text, "module:");
        const char *key = wy_dist_key(&a->arena, wy_str_of(s.name));
        return explain_module(&q, o, s.name, forced ? NULL : wy_world_dist(a->world, key));
    }
    if (s.kind == WY_SUBJECT_PACKAGE)
        return explain_package(&q, o, s.dist);
    return explain_file(&q, o, &s);
}

struct whyso_answer *whyso_why(const struct whyso_options *o, const char *subject,
                               const struct whyso_why **ret) {
    struct whyso_answer *a = wy_answer_new();
    struct whyso_why *w = WY_NEW(&a->arena, struct whyso_why);
    *ret = NULL;
    if (wy_answer_fails(a, wy_session_open(a, o)) || wy_answer_fails(a, explain(a, o, subject, w)))
        return a;
    *ret = w;
    return a;
}

static struct wy_error *explain_said(struct whyso_answer *a, const struct whyso_options *o,
                                     struct wy_str text, struct whyso_why *w) {
    const char *subject;
    WY_TRY(wy_session_open(a, o));
    WY_TRY(wy_said_subject(a, o, text, &w->said, &subject));
    return explain(a, o, subject, w);
}

struct whyso_answer *whyso_why_said(const struct whyso_options *o, const char *text, size_t n,
                                    const struct whyso_why **ret) {
    struct whyso_answer *a = wy_answer_new();
    struct whyso_why *w = WY_NEW(&a->arena, struct whyso_why);
    *ret = NULL;
    if (!wy_answer_fails(a, explain_said(a, o, (struct wy_str){text, n}, w)))
        *ret = w;
    return a;
}
