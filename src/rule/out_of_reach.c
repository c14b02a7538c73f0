/* out-of-reach: the file is in the environment, but the one who needs it does not look there. */
#include "rule/orders.h"

/* The physical folder of lib64 is not lib's: the environment is split in two trees. */
static bool split_lib64(const struct wy_case *c) {
    struct wy_arena scratch = WY_ARENA_INIT;
    struct wy_dir *lib, *lib64;
    bool split =
        wy_tree_find_dir(c->world->tree, NULL, wy_path_join(&scratch, c->world->env.prefix, "lib"),
                         &lib) == 0 &&
        wy_tree_find_dir(c->world->tree, NULL,
                         wy_path_join(&scratch, c->world->env.prefix, "lib64"), &lib64) == 0 &&
        lib != lib64;
    wy_arena_deinit(&scratch);
    return split;
}

/* Where a searched place really lies, when that is not where its text seems to lead: the kernel
 * goes through a linked folder before it takes the ".." behind it. Else NULL. */
static const char *led_astray(struct wy_case *c, const char *place) {
    const char *path = wy_path_join(c->arena, c->world->env.prefix, place);
    const char *last = NULL;
    for (const char *p = strstr(path, "/../"); p; p = strstr(p + 1, "/../"))
        last = p;
    if (!last)
        return NULL;
    size_t n = (size_t)(last - path) + strlen("/..");
    const char *up = wy_arena_str(c->arena, (struct wy_str){path, n});
    struct wy_dir *taken, *meant;
    if (wy_tree_find_dir(c->world->tree, NULL, up, &taken) != 0 ||
        wy_tree_find_dir(c->world->tree, NULL, wy_path_clean(c->arena, up), &meant) != 0 ||
        taken == meant)
        return NULL;
    return wy_world_shown(c->world, wy_path_join(c->arena, wy_dir_path(taken), path + n + 1));
}

/* The first such search of a finding, and the place it leads to. */
static const struct whyso_searched *through_link(struct wy_case *c, const struct wy_finding *f,
                                                 const char **real) {
    for (size_t i = 0; i < f->f.searched.n; i++) {
        *real = led_astray(c, f->f.searched.v[i].place);
        if (*real)
            return &f->f.searched.v[i];
    }
    return NULL;
}

/* The import that has it in memory, for whoever comes later; or NULL. */
static const char *in_memory_after(const struct wy_case *c, const struct wy_want *want) {
    const struct wy_run *best = NULL;
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_run *run = c->runs[i];
        if (run->outcome != WY_RUN_FAILS && run->after &&
            wy_process_named(run->after, want->name) && (!best || wy_order_closer(run, best)))
            best = run;
    }
    return best ? best->module : NULL;
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct wy_library *reach,
                   const struct whyso_searched *link) {
    const char *dir = wy_path_dir(c->arena, reach->path);
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_VARIABLE,
        .name = "LD_LIBRARY_PATH",
        .version = dir,
        .text = wy_arena_printf(c->arena, "Start Python with LD_LIBRARY_PATH=%s.", dir),
        .avoid = "Reinstalling the package that has the file does not help: it is whole.",
    };
    if (split_lib64(c))
        f->remedy.also =
            "Better: make the environment anew with lib64 as a link to lib, so that all packages "
            "lie in one tree.";
    else if (link)
        f->remedy.also = wy_arena_printf(c->arena,
                                         "Better: a real folder (a copy, or links to files) in "
                                         "place of the linked one: the kernel "
                                         "follows the link before the \"..\" in %s.",
                                         link->place);
}

static void report(struct wy_case *c, const struct wy_want *want) {
    const struct wy_library *reach = want->reach;
    struct wy_finding *f = wy_make(c, "out-of-reach", want->severity, want->name);
    wy_make_wanted(c, f, want);
    wy_make_owners(c, f, reach->claimed);
    f->f.file = reach->shown;
    const char *needer = f->f.needed_by.n ? f->f.needed_by.v[0].file : "the one who needs it";
    f->f.title = wy_arena_printf(c->arena, "%s is installed, but %s does not look where it lies",
                                 want->name, needer);
    const char *real = NULL;
    const struct whyso_searched *link = through_link(c, f, &real);
    const char *astray =
        link ? wy_arena_printf(c->arena,
                               "; the search goes through a linked folder: %s is really %s",
                               link->place, real)
             : "";
    wy_make_because(c, f, "%s is on disk%s%s%s", reach->shown, reach->dist ? ", from " : "",
                    reach->dist ? reach->dist->name : "", astray);
    f->f.candidates.v = WY_NEW(c->arena, struct whyso_candidate);
    f->f.candidates.n = 1;
    f->f.candidates.v[0] =
        (struct whyso_candidate){.file = reach->shown,
                                 .package = reach->dist ? reach->dist->name : NULL,
                                 .chosen = false,
                                 .why_not = "not on the search path of the one who needs it"};
    const char *first = in_memory_after(c, want);
    if (first)
        wy_make_because(c, f, "after import %s it is in memory: then it is found", first);
    advise(c, f, reach, link);
}

void wy_rule_out_of_reach(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_OUT_OF_REACH)
            report(c, c->wants->all.v[i]);
}
