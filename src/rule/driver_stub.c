/* driver-stub: the GPU driver's library that a process gets, or gets at the first call, is the
 * placeholder that toolkits bring for linking (a folder "stubs"). It loads, and every function of
 * it answers with an error (CUDA: cudaErrorStubLibrary, 34). */
#include "rule/shadow.h"

enum { MOST_SAID = 10 };

struct stub {
    const char *library; /* the name asked for */
    const char *file;    /* the placeholder, as the loader spells it */
    const char *module;  /* the import whose process asks */
    const struct wy_object *opener;
    const struct wy_process *state;
    bool later; /* by name, at a user's call */
};
struct folder { /* one folder brings them all, and leaving it out mends them all */
    const char *path;
    WY_VEC(struct stub) stubs; /* in order of meeting */
};
struct stubs {
    WY_VEC(struct folder) v;
    struct wy_map asked; /* openers that were looked at; keys are image pointers */
};

/* A link to a placeholder is one, wherever it lies. */
static bool is_placeholder(struct wy_case *c, const char *file) {
    struct wy_place place;
    if (strstr(file, "/stubs/"))
        return true;
    return wy_tree_find(c->world->tree, NULL, file, 0, &place) == 0 && place.entry &&
           strstr(wy_place_path(c->arena, &place), "/stubs/");
}

static void add(struct wy_case *c, struct stubs *all, struct stub s) {
    const char *path = wy_path_dir(c->arena, wy_path_clean(c->arena, s.file));
    struct folder *to = NULL;
    for (size_t i = 0; i < all->v.n && !to; i++)
        if (strcmp(all->v.v[i].path, path) == 0)
            to = &all->v.v[i];
    if (!to) {
        to = wy_vec_add(&all->v);
        *to = (struct folder){.path = path};
    }
    wy_vec_push(&to->stubs, s);
}

/* ---- who gets one */

/* What it names in DT_NEEDED. */
static void add_mapped(struct wy_case *c, struct stubs *all, const struct wy_run *run,
                       const struct wy_object *o) {
    const struct wy_elf *elf = &o->image->elf;
    for (size_t i = 0; i < elf->nneeded; i++) {
        const char *name = elf->needed[i];
        const struct wy_object *got =
            wy_know_is_driver(c->world->know, name) ? wy_process_named(run->after, name) : NULL;
        if (got && is_placeholder(c, got->name))
            add(c, all, (struct stub){name, got->name, run->module, o, run->after, false});
    }
}

/* What it opens by name when it is used (data/dlopen.tsv, "driver"). */
static void add_later(struct wy_case *c, struct stubs *all, const struct wy_run *run,
                      const struct wy_object *o) {
    const struct wy_know *k = c->world->know;
    const char *soname = o->image->elf.soname ? o->image->elf.soname : wy_path_base(o->name);
    for (size_t i = 0; i < k->ndlopens; i++) {
        const struct wy_dlopen *row = &k->dlopens[i];
        struct wy_search search;
        if (strcmp(row->importance, "driver") != 0 || !wy_glob(row->opener, soname))
            continue;
        wy_ld_search(c->ld, run->after, row->target, o, &search);
        if (!search.taken || !is_placeholder(c, search.taken))
            continue;
        add(c, all, (struct stub){row->target, search.taken, run->module, o, run->after, true});
    }
}

static void collect(struct wy_case *c, struct stubs *all) {
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_run *run = c->runs[i];
        for (size_t k = 0; run->after && k < wy_process_count(run->after); k++) {
            const struct wy_object *o = wy_process_at(run->after, k);
            struct wy_str key = {(const char *)&o->image, sizeof o->image};
            if (!o->image || !o->name[0] || wy_map_get(&all->asked, key))
                continue;
            *wy_map_at(&all->asked, key) = all;
            add_mapped(c, all, run, o);
            add_later(c, all, run, o);
        }
    }
}

/* ---- words */

static void advise(struct wy_case *c, struct wy_finding *f, const struct folder *from) {
    const struct stub *s = &from->stubs.v[0];
    int entry = wy_library_path_entry(c, s->file);
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text = wy_arena_printf(c->arena,
                                "Take %s out of the loader's reach: it is for linking only "
                                "(-L of a compiler), never for running.",
                                from->path)};
    if (!entry)
        return;
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_VARIABLE,
        .name = "LD_LIBRARY_PATH",
        .version = wy_library_path_without(c, entry),
        .text =
            wy_arena_printf(c->arena, "Start Python without %s in LD_LIBRARY_PATH.", from->path)};
    wy_make_because(c, f, "LD_LIBRARY_PATH, entry %d: %s", entry, from->path);
}

static void say(struct wy_case *c, struct wy_finding *f, const struct stub *s) {
    wy_make_because(c, f,
                    s->later ? "import %s maps %s, which opens %s when it is used: %s"
                             : "import %s maps %s, which needs %s: %s",
                    s->module, wy_object_shown(c, s->opener), s->library, wy_shown(c, s->file));
    wy_make_needer(c, f, s->opener);
}

static void add_candidate(struct wy_case *c, struct wy_finding *f, const char *file) {
    for (size_t i = 0; i < f->f.candidates.n; i++)
        if (strcmp(f->f.candidates.v[i].file, file) == 0)
            return;
    WY_ADD(c->arena, &f->f.candidates, ((struct whyso_candidate){.file = file, .chosen = true}));
}

static void report(struct wy_case *c, const struct folder *from) {
    const struct stub *first = &from->stubs.v[0];
    struct wy_finding *f = wy_make(c, "driver-stub", WHYSO_WARNING, first->library);
    struct wy_shown_search shown = {0};
    f->f.library = first->library;
    f->f.file = wy_shown(c, first->file);
    f->f.wanted = (struct whyso_wanted){"driver", first->library, NULL};
    f->f.title = wy_arena_printf(c->arena, "%s is a placeholder of %s, not the GPU driver's",
                                 first->library, from->path);
    wy_show_search(c, first->state, first->library, first->opener, &shown);
    f->f.searched.v = shown.v;
    f->f.searched.n = shown.n;
    for (size_t i = 0; i < from->stubs.n; i++) {
        add_candidate(c, f, wy_shown(c, from->stubs.v[i].file));
        if (i < MOST_SAID)
            say(c, f, &from->stubs.v[i]);
    }
    f->why = "A toolkit brings it so that programs can be linked where there is no driver. It "
             "loads, and every call to it fails.";
    advise(c, f, from);
}

void wy_rule_driver_stub(struct wy_case *c) {
    struct stubs all = {0};
    collect(c, &all);
    for (size_t i = 0; i < all.v.n; i++) {
        report(c, &all.v.v[i]);
        wy_vec_free(&all.v.v[i].stubs);
    }
    wy_vec_free(&all.v);
    wy_map_deinit(&all.asked);
}
