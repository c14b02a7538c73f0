/* cwd-dependent: a library was found only because Python was started in a certain folder: an empty
 * or relative element of a search list, or a name with a slash that does not start with one, stands
 * for the working directory (docs/loader.md A3). */
#include "rule/shadow.h"

/* Whether the loader opened it by a path that starts at the working directory. */
static bool found_here(const struct wy_object *o) {
    return o->image && o->name[0] && o->name[0] != '/';
}

/* Without the working directory the same file is found: then it decides nothing. */
static bool found_anyway(struct wy_case *c, const struct wy_process *state,
                         const struct wy_object *o) {
    struct wy_search search;
    if (strchr(o->requested, '/'))
        return false;
    wy_ld_search_fresh(c->ld, state, o->requested, o->by, WY_WITHOUT_CWD, &search);
    return search.taken && wy_image_at(c, search.taken) == o->image;
}

/* Which element of which list, or which path, led to it. */
static const char *led_by(struct wy_case *c, const struct wy_process *state,
                          const struct wy_object *o, int *entry) {
    struct wy_search search = {0};
    if (strchr(o->requested, '/'))
        return wy_arena_printf(c->arena, "%s asks for it by the path \"%s\"",
                               o->by ? wy_object_shown(c, o->by) : "the program", o->requested);
    wy_ld_search_fresh(c->ld, state, o->requested, o->by, 0, &search);
    const struct wy_search_step *last = search.n ? &search.steps[search.n - 1] : NULL;
    if (!last || last->result != WY_HIT_TAKEN)
        return "the search began at the working directory";
    *entry = last->entry;
    const char *list = last->by == WY_BY_LD_LIBRARY_PATH ? "LD_LIBRARY_PATH"
                       : last->of                        ? wy_arena_printf(c->arena, "the %s of %s",
                                                    last->by == WY_BY_RUNPATH ? "RUNPATH" : "RPATH",
                                                                           wy_object_shown(c, last->of))
                                                         : "the search list";
    return wy_arena_printf(c->arena, "element %d of %s is %s", last->entry, list,
                           strcmp(last->place, ".") == 0
                               ? "empty: the working directory"
                               : wy_arena_printf(c->arena, "relative: %s", last->place));
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct wy_object *o, int entry) {
    struct wy_remedy *r = &f->remedy;
    if (o->found == WY_BY_LD_LIBRARY_PATH && entry) {
        *r = (struct wy_remedy){
            .kind = WY_REMEDY_VARIABLE,
            .name = "LD_LIBRARY_PATH",
            .version = wy_library_path_without(c, entry),
            .text = "Start Python without that element of LD_LIBRARY_PATH; if the library is "
                    "meant, name its folder by an absolute path."};
        return;
    }
    const char *who = o->by && o->by->name[0] ? wy_object_shown(c, o->by) : "the program";
    const char *how =
        strchr(o->requested, '/')
            ? wy_arena_printf(c->arena,
                              "ask for \"%s\" instead (patchelf --replace-needed), and have a "
                              "search path with $ORIGIN",
                              f->f.library)
            : "have a search path that does not depend on where Python is started ($ORIGIN)";
    *r = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text = wy_arena_printf(c->arena, "Build %s again: it should %s.", who, how)};
}

static void report(struct wy_case *c, const struct wy_run *run, const struct wy_object *o) {
    const char *library = wy_path_base(o->requested), *cwd = c->world->host->options.cwd;
    const char *path = wy_path_clean(c->arena, wy_path_join(c->arena, cwd, o->name));
    int entry = 0;
    struct wy_finding *f = wy_make(c, "cwd-dependent", WHYSO_WARNING, library);
    wy_make_dist(c, f, wy_world_image_owner(c->world, o->image));
    f->f.wanted = (struct whyso_wanted){"library", library, NULL};
    f->f.library = library;
    f->f.file = wy_shown(c, path);
    f->f.title =
        wy_arena_printf(c->arena, "%s is found only because Python is started in %s", library, cwd);
    if (o->by && o->by->name[0])
        WY_ADD(c->arena, &f->f.needed_by,
               ((struct whyso_needer){wy_object_shown(c, o->by), wy_object_package(c, o->by), NULL,
                                      NULL}));
    f->why = led_by(c, run->after, o, &entry);
    wy_make_because(c, f, "%s", f->why);
    wy_make_because(c, f, "import %s maps %s", run->module, f->f.file);
    advise(c, f, o, entry);
}

void wy_rule_cwd_dependent(struct wy_case *c) {
    struct wy_map known = {0}; /* keys are image pointers */
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_process *state = c->runs[i]->after;
        for (size_t k = 0; state && k < wy_process_count(state); k++) {
            const struct wy_object *o = wy_process_at(state, k);
            if (!found_here(o))
                continue;
            struct wy_str key = {(const char *)&o->image, sizeof o->image};
            void **slot = wy_map_at(&known, key);
            if (!*slot && !found_anyway(c, state, o))
                report(c, c->runs[i], o);
            *slot = c;
        }
    }
    wy_map_deinit(&known);
}
