/* The index of wanted objects: what the loader could not give, to whom, and in which imports. Built
 * from the followed imports first (what fails), then from every library opened alone that no import
 * reached (what would fail, if anybody opened it). */
#include "rule/internal.h"

struct alone { /* a library that no import mapped, opened by itself */
    const struct wy_library *lib;
    const struct wy_open *open;
    const struct wy_plugin *plugin;
};

struct wy_wants_private {
    struct wy_wants pub;
    struct wy_map reached; /* images that some process mapped; keys are image pointers */
    struct wy_map opened;  /* images opened by themselves */
    WY_VEC(struct alone) alone;
};

static struct wy_str pointer_key(const struct wy_image *const *image) {
    return (struct wy_str){(const char *)image, sizeof *image};
}

/* Its package, else its file. */
static const char *subject_of(struct wy_case *c, const struct wy_object *o) {
    const char *package = wy_object_package(c, o);
    return package ? package : wy_object_shown(c, o);
}

/* ---- collecting */

static struct wy_want *want_for(struct wy_case *c, struct wy_wants *w, const struct wy_problem *p,
                                const struct wy_process *state) {
    bool by_file = p->kind != WY_P_MISSING_LIBRARY && p->file;
    const char *key = by_file ? wy_path_clean(c->arena, p->file) : p->name;
    /* The same file may be wanted for other reasons, too. */
    if (p->kind == WY_P_MISSING_VERSION || p->kind == WY_P_STATIC_TLS)
        key = wy_arena_printf(c->arena, "%s (%s)", key, wy_problem_word(p->kind));
    if (p->kind == WY_P_UNDEFINED_SYMBOL)
        key = wy_arena_printf(c->arena, "%s (symbol %s)", key, p->name);
    /* All that a package of the other C library lacks is one matter. */
    if (wy_of_other_libc(c, p))
        key = wy_arena_printf(c->arena, "(libc) %s", subject_of(c, p->needer));
    void **slot = wy_map_at(&w->by_name, wy_str_of(key));
    if (!*slot) {
        struct wy_want *made = WY_NEW(c->arena, struct wy_want);
        made->name = p->name;
        wy_want_classify(c, w, made, p, state);
        *slot = made;
        wy_vec_push(&w->all, made);
    }
    return *slot;
}

static void add_wanter(struct wy_want *want, const struct wy_problem *p,
                       const struct wy_process *state) {
    for (size_t i = 0; i < want->wanters.n; i++) {
        const struct wy_object *o = want->wanters.v[i].needer;
        bool same = o == p->needer || (o && p->needer && o->image == p->needer->image);
        if (same && wy_same(want->wanters.v[i].problem->version, p->version))
            return;
    }
    wy_vec_push(&want->wanters, ((struct wy_wanter){p->needer, state, p}));
}

static void add_import(struct wy_want *want, const char *module) {
    for (size_t i = 0; i < want->imports.n; i++)
        if (strcmp(want->imports.v[i], module) == 0)
            return;
    wy_vec_push(&want->imports, module);
}

static void take_event(struct wy_case *c, struct wy_wants *w, const struct wy_run *run,
                       const struct wy_event *e) {
    bool fatal = run->outcome == WY_RUN_FAILS && e == run->fatal;
    for (size_t i = 0; i < e->open->nproblems; i++) {
        if (e->open->problems[i].kind == WY_P_NO_VERSION)
            continue;
        struct wy_want *want = want_for(c, w, &e->open->problems[i], e->open->after);
        add_wanter(want, &e->open->problems[i], e->open->after);
        want->plugin = NULL;
        if (fatal) {
            want->severity = WHYSO_ERROR;
            add_import(want, run->module);
        } else if (e->path == c->world->env.python && want->severity < WHYSO_WARNING) {
            want->severity = WHYSO_WARNING; /* the interpreter's own: it ends at the call */
        }
    }
}

/* A module that is not found because its recorded file is gone: wanted like a library. */
static void take_lost(struct wy_case *c, struct wy_wants *w, const struct wy_run *run,
                      const struct wy_event *e) {
    const struct wy_claimed *k = wy_world_claimed(c->world, e->path);
    if (!k || k->presence == WY_PRESENT)
        return;
    struct wy_problem p = {.kind = WY_P_MISSING_LIBRARY, .name = k->path};
    struct wy_want *want = want_for(c, w, &p, NULL);
    if (!want->module || (!want->module->file && e->file))
        want->module = e;
    if (run->outcome == WY_RUN_FAILS && e == run->fatal) {
        want->severity = WHYSO_ERROR;
        add_import(want, run->module);
    }
}

/* A source file that is not as it was installed, and that therefore ended an import. */
static void take_altered(struct wy_case *c, struct wy_wants *w, const struct wy_run *run,
                         const struct wy_event *e) {
    struct wy_problem *p = WY_NEW(c->arena, struct wy_problem);
    *p = (struct wy_problem){
        .kind = WY_P_BAD_FILE, .name = e->path, .file = e->path, .message = e->message};
    struct wy_want *want = want_for(c, w, p, NULL);
    want->altered = e->altered;
    add_wanter(want, p, NULL);
    if (run->outcome == WY_RUN_FAILS && e == run->fatal) {
        want->severity = WHYSO_ERROR;
        add_import(want, run->module);
    } else if (run->outcome == WY_RUN_UNKNOWN && want->severity < WHYSO_WARNING) {
        want->severity = WHYSO_WARNING; /* of a mix of versions: nobody can tell what works */
    }
}

/* A file that loads and is not the module that its name promises. */
static void take_no_init(struct wy_case *c, struct wy_wants *w, const struct wy_run *run,
                         const struct wy_event *e) {
    struct wy_problem *p = WY_NEW(c->arena, struct wy_problem);
    *p = (struct wy_problem){
        .kind = WY_P_BAD_FILE, .name = e->path, .file = e->path, .message = e->message};
    struct wy_want *want = want_for(c, w, p, NULL);
    want->no_init = true;
    add_wanter(want, p, NULL);
    if (run->outcome == WY_RUN_FAILS && e == run->fatal) {
        want->severity = WHYSO_ERROR;
        add_import(want, run->module);
    }
}

static void take_run(struct wy_case *c, struct wy_wants_private *w, const struct wy_run *run) {
    for (size_t i = 0; i < run->nevents; i++)
        if (run->events[i].altered)
            take_altered(c, &w->pub, run, &run->events[i]);
        else if (!run->events[i].open)
            take_lost(c, &w->pub, run, &run->events[i]);
        else if (run->events[i].open->nproblems)
            take_event(c, &w->pub, run, &run->events[i]);
        else if (run->events[i].message)
            take_no_init(c, &w->pub, run, &run->events[i]);
    for (size_t i = 0; run->after && i < wy_process_count(run->after); i++) {
        const struct wy_object *o = wy_process_at(run->after, i);
        *wy_map_at(&w->reached, pointer_key(&o->image)) = w;
    }
}

/* What a library that a user's call opens later lacks itself. That it is nowhere is dlopen-missing;
 * what a package can do without is looked at with all other libraries. */
static void take_later(struct wy_case *c, struct wy_wants_private *w, const struct wy_later *k) {
    bool needed = strcmp(k->row->importance, "needed") == 0;
    for (size_t i = 0; needed && k->open && i < k->open->nproblems; i++) {
        const struct wy_problem *p = &k->open->problems[i];
        if (!p->needer && p->kind == WY_P_MISSING_LIBRARY)
            continue;
        struct wy_want *want = want_for(c, &w->pub, p, k->open->after);
        add_wanter(want, p, k->open->after);
        want->plugin = NULL;
        if (want->severity < WHYSO_WARNING)
            want->severity = WHYSO_WARNING;
    }
    for (size_t i = 0; k->open && i < k->open->nmapped; i++)
        *wy_map_at(&w->reached, pointer_key(&k->open->mapped[i]->image)) = w;
}

static void take_laters(struct wy_case *c, struct wy_wants_private *w) {
    const struct wy_laters *all = wy_laters(c);
    for (size_t i = 0; i < all->v.n; i++)
        take_later(c, w, &all->v.v[i]);
}

/* A library that a required framework has (data/preload.rules, "supplies"): with imports followed
 * it is in memory by then; without, it counts as if it were. */
static bool supplied(struct wy_case *c, const struct wy_dist *d, const char *soname) {
    const struct wy_know *k = c->world->know;
    size_t n;
    const struct wy_library **libs = wy_world_named(c->world, soname, &n);
    for (size_t i = 0; d && n && i < k->npreloads; i++) {
        if (strcmp(k->preloads[i].kind, "supplies") != 0 ||
            !wy_dist_requires(c, d, k->preloads[i].package))
            continue;
        for (size_t m = 0; m < n; m++)
            if (libs[m]->dist && strcmp(libs[m]->dist->key, k->preloads[i].package) == 0)
                return true;
    }
    return false;
}

static const struct wy_open *open_bare(struct wy_case *c, const struct wy_library *lib) {
    const struct wy_open *start = wy_importer_start(c->importer);
    if (!start || !start->after)
        return NULL;
    const struct wy_open *open = wy_ld_open(c->ld, start->after, lib->path, WY_NOW, NULL);
    for (size_t i = 0; i < open->nproblems; i++)
        if (!supplied(c, lib->dist, open->problems[i].name))
            return open;
    return open->outcome == WY_OPEN_OK ? open : NULL;
}

static void open_alone(struct wy_case *c, struct wy_wants_private *w,
                       const struct wy_library *lib) {
    const struct wy_plugin *plugin =
        wy_know_plugin(c->world->know, lib->dist ? lib->dist->key : "", wy_path_base(lib->path));
    if (plugin && strcmp(plugin->kind, "framework") == 0)
        return;
    const struct wy_open *open =
        c->resolve_only ? open_bare(c, lib) : wy_importer_alone(c->importer, lib);
    if (!open)
        return;
    c->gave_up |= open->given_up;
    if (open->outcome != WY_OPEN_OK)
        wy_vec_push(&w->alone, ((struct alone){lib, open, plugin}));
    for (size_t i = 0; i < open->nmapped; i++)
        *wy_map_at(&w->reached, pointer_key(&open->mapped[i]->image)) = w;
}

/* A library that loads below another one does not have to load by itself: it may inherit its
 * needer's RPATH. So what some process has mapped is forgotten here. */
static void keep_unmapped(struct wy_wants_private *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->alone.n; i++)
        if (!wy_map_get(&w->reached, pointer_key(&w->alone.v[i].lib->image)))
            w->alone.v[kept++] = w->alone.v[i];
    w->alone.n = kept;
}

static void take_alone(struct wy_case *c, struct wy_wants_private *w, const struct alone *k) {
    for (size_t i = 0; i < k->open->nproblems; i++) {
        if (c->resolve_only && supplied(c, k->lib->dist, k->open->problems[i].name))
            continue;
        size_t known = w->pub.all.n;
        struct wy_want *want = want_for(c, &w->pub, &k->open->problems[i], k->open->after);
        if (w->pub.all.n > known)
            want->plugin = k->plugin;
        else if (!k->plugin)
            want->plugin = NULL;
        add_wanter(want, &k->open->problems[i], k->open->after);
        want->files++;
    }
}

/* Damage to what is installed is a fault, also where no listed import meets it: a user who calls
 * for that part meets it. That a library of the system is nowhere may be meant. */
static bool is_damage(const struct wy_want *want) {
    return want->kind != WY_WANT_MISSING && want->kind != WY_WANT_DRIVER &&
           want->kind != WY_WANT_OUT_OF_REACH && want->kind != WY_WANT_GENERATION &&
           want->kind != WY_WANT_EXEC_STACK;
}

/* A symbol of a framework that is to be in memory already: it is not Python's own, and no library
 * of the environment that the file names could have it. The framework may not be installed at all,
 * and then nobody calls for this part. */
static bool of_a_framework(struct wy_case *c, const struct wy_problem *p) {
    if (p->kind != WY_P_UNDEFINED_SYMBOL || !p->needer || !p->needer->image ||
        wy_starts(p->name, "Py") || wy_starts(p->name, "_Py"))
        return false;
    const struct wy_elf *elf = &p->needer->image->elf;
    for (size_t i = 0, n; i < elf->nneeded; i++)
        if (wy_world_named(c->world, elf->needed[i], &n) && n)
            return false;
    return true;
}

/* Part of a package, not a file in a folder that only happens to be importable: some packages carry
 * whole interpreters with them, or what goes into the bundles they make. */
static bool in_a_package(const struct wy_library *lib) {
    return !strchr(lib->module, '.') || wy_dir_get(lib->image->place.dir, "__init__.py");
}

static void take_submodule(struct wy_case *c, struct wy_wants_private *w,
                           const struct wy_library *lib, const struct wy_event *fatal) {
    for (size_t i = 0; i < fatal->open->nproblems; i++) {
        const struct wy_problem *p = &fatal->open->problems[i];
        if (p->kind == WY_P_NO_VERSION)
            continue;
        struct wy_want *want = want_for(c, &w->pub, p, fatal->open->after);
        add_wanter(want, p, fatal->open->after);
        want->plugin = NULL;
        want->files++;
        bool part = p->kind == WY_P_BAD_FILE || in_a_package(lib); /* google/_upb is one as well */
        if (is_damage(want) && want->severity < WHYSO_WARNING && !of_a_framework(c, p) && part)
            want->severity = WHYSO_WARNING;
    }
}

/* An extension that no listed import reaches is imported by its own name: its parents run first,
 * which may load what it needs. True when that says it all. */
static bool import_alone(struct wy_case *c, struct wy_wants_private *w, const struct alone *k) {
    if (c->resolve_only || k->plugin || k->lib->role != WY_ROLE_EXTENSION)
        return false;
    const struct wy_run *run = wy_importer_run(c->importer, k->lib->module);
    if (run->outcome == WY_RUN_OK) {
        *wy_map_at(&w->reached, pointer_key(&k->lib->image)) = w;
        return true;
    }
    if (run->outcome != WY_RUN_FAILS || !run->fatal || !run->fatal->open)
        return false;
    take_submodule(c, w, k->lib, run->fatal);
    return true;
}

/* Worth opening: an ELF file of any kind that is not for another Python, once per file. Linker
 * scripts and other text named .so are looked at only when somebody opens them. */
static bool worth_opening(struct wy_wants_private *w, const struct wy_library *lib) {
    if (lib->role == WY_ROLE_FOREIGN || lib->image->error)
        return false;
    if (lib->image->elf.kind == WY_ELF_NOT && lib->image->elf.looks == WY_LOOKS_LINKER_SCRIPT)
        return false;
    if (wy_map_get(&w->reached, pointer_key(&lib->image)) ||
        wy_map_get(&w->opened, pointer_key(&lib->image)))
        return false;
    *wy_map_at(&w->opened, pointer_key(&lib->image)) = w;
    return true;
}

struct wy_wants *wy_wants_create(struct wy_case *c) {
    struct wy_wants_private *w = wy_alloc0(1, sizeof *w);
    wy_absent_index(c, &w->pub);
    for (size_t i = 0; i < c->nruns; i++)
        take_run(c, w, c->runs[i]);
    take_laters(c, w);
    const struct wy_library *all = c->world->libraries;
    for (size_t i = 0; !c->runs_only && i < c->world->nlibraries; i++)
        if (worth_opening(w, &all[i]))
            open_alone(c, w, &all[i]);
    for (size_t i = 0; i < c->nalso; i++)
        if (worth_opening(w, c->also[i]))
            open_alone(c, w, c->also[i]);
    keep_unmapped(w);
    for (size_t i = 0; i < w->alone.n; i++)
        if (!import_alone(c, w, &w->alone.v[i]))
            take_alone(c, w, &w->alone.v[i]);
    keep_unmapped(w);
    return &w->pub;
}

void wy_wants_destroy(struct wy_wants *wants) {
    struct wy_wants_private *w = (struct wy_wants_private *)wants;
    if (!w)
        return;
    for (size_t i = 0; i < wants->all.n; i++) {
        wy_vec_free(&wants->all.v[i]->wanters);
        wy_vec_free(&wants->all.v[i]->imports);
    }
    wy_vec_free(&wants->all);
    wy_map_deinit(&wants->by_name);
    wy_map_deinit(&wants->absent);
    wy_map_deinit(&w->reached);
    wy_map_deinit(&w->opened);
    wy_vec_free(&w->alone);
    free(w);
}

bool wy_wants_reached(const struct wy_wants *wants, const struct wy_image *image) {
    const struct wy_wants_private *w = (const struct wy_wants_private *)wants;
    return wy_map_get(&w->reached, pointer_key(&image)) != NULL;
}

/* The loader maps whole pages: a file that ends within the last one is mapped, with zeros for what
 * is not there. What such code does cannot be known. */
static const char *damaged_and_mapped(struct wy_case *c, const struct wy_run *run) {
    for (size_t i = 0; run->after && i < wy_process_count(run->after); i++) {
        const struct wy_object *o = wy_process_at(run->after, i);
        if (o->image && o->image->elf.problem)
            return wy_arena_printf(c->arena, "%s is mapped although it is damaged: %s",
                                   wy_object_shown(c, o), o->image->elf.problem);
    }
    return NULL;
}

/* A crash has no message of its own. */
static const char *why_not(const struct wy_open *open) {
    return open->message     ? open->message
           : open->nproblems ? open->problems[0].message
                             : "it ends the process";
}

/* Whether the import maps another extension of that package and folder, whose compiled code may
 * import it. In site-packages itself, packages that know nothing of each other lie side by side. */
static bool maps_sibling(const struct wy_case *c, struct wy_arena *scratch,
                         const struct wy_run *run, const struct wy_library *broken) {
    const char *folder = wy_path_dir(scratch, broken->path);
    for (size_t i = 0; run->after && i < wy_process_count(run->after); i++) {
        const char *name = wy_process_at(run->after, i)->name;
        const struct wy_library *lib = wy_map_get(&c->world->library_by_path, wy_str_of(name));
        if (lib && lib->role == WY_ROLE_EXTENSION && lib->dist == broken->dist &&
            strcmp(wy_path_dir(scratch, name), folder) == 0)
            return true;
    }
    return false;
}

const char *wy_case_unknown(struct wy_case *c, const struct wy_run *run) {
    const struct wy_wants_private *w = (const struct wy_wants_private *)c->wants;
    const char *reason = damaged_and_mapped(c, run);
    struct wy_arena scratch = WY_ARENA_INIT;
    for (size_t i = 0; i < w->alone.n && !reason; i++) {
        const struct alone *k = &w->alone.v[i];
        if (k->lib->role == WY_ROLE_EXTENSION && !k->plugin &&
            maps_sibling(c, &scratch, run, k->lib))
            reason = wy_arena_printf(c->arena,
                                     "%s cannot be loaded (%s), and whether compiled code beside "
                                     "it imports it is not known",
                                     k->lib->shown, why_not(k->open));
    }
    wy_arena_deinit(&scratch);
    return reason;
}
