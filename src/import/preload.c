/* Libraries that start-up code opens by itself, by the records of data/preload.rules. */
#include "import/internal.h"

/* The missing member of torch's preload list that made the open fail, or NULL: torch then opens all
 * of them by path from the nvidia folders of sys.path, raises ValueError at the first that is not
 * there, and tries again. */
static const char *missing_member(const struct wy_open *open) {
    if (open->outcome != WY_OPEN_ERROR || !open->nproblems ||
        open->problems[0].kind != WY_P_MISSING_LIBRARY || !wy_torch_member(open->problems[0].name))
        return NULL;
    return open->problems[0].name;
}

/* A copy below a folder nvidia of a site directory, as torch would find it. */
static const char *on_path(struct wy_importer *im, const char *soname) {
    size_t n;
    const struct wy_library **named = wy_world_named(im->world, soname, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < im->world->env.nsite_dirs; s++) {
            const char *below = wy_path_below(named[i]->path, im->world->env.site_dirs[s]);
            if (below && wy_starts(below, "nvidia/") &&
                wy_same(wy_path_base(named[i]->path), soname))
                return named[i]->path;
        }
    return NULL;
}

static bool open_record(struct wy_exec *x, const struct wy_preload *p, const struct wy_spec *of) {
    enum { MOST_TRIES = 32 };
    const char *path = wy_path_join(&x->im->arena, of->dirs[0].text, p->path);
    unsigned mode = WY_NOW | (p->global ? WY_GLOBAL : 0);
    bool is_torch = strcmp(p->package, "torch") == 0;
    const struct wy_open *open = NULL;
    const char *member = NULL;
    for (int i = 0; i < MOST_TRIES; i++) {
        open = wy_exec_open(x, NULL, path, mode, WY_EX_OS);
        member = is_torch ? missing_member(open) : NULL;
        const char *found = member ? on_path(x->im, member) : NULL;
        if (!found)
            break;
        x->events.v[x->events.n - 1].guard = WY_CAUGHT; /* torch catches it and preloads */
        if (wy_exec_open(x, NULL, found, WY_NOW, WY_EX_OS)->outcome != WY_OPEN_OK)
            break;
    }
    if (open->outcome == WY_OPEN_OK) {
        if (is_torch)
            wy_torch_front_load(x, of);
        return true;
    }
    struct wy_failure f = {.kind = member ? WY_EX_OTHER : WY_EX_OS,
                           .how = "exception",
                           .type = member ? "ValueError" : "OSError",
                           .text_known = !member,
                           .at = path};
    if (open->outcome != WY_OPEN_ERROR)
        f = (struct wy_failure){.how = open->outcome == WY_OPEN_ABORT ? "abort" : "signal",
                                .at = path};
    return wy_exec_fail(x, f);
}

/* Whether the module's own source shows that the record is about it: versions and private builds
 * differ, and the name of a package proves nothing. */
static bool applies(struct wy_importer *im, const struct wy_preload *p, struct wy_spec *of) {
    const struct wy_source_file *source = wy_spec_source(im, of);
    bool bound = !p->defines;
    for (size_t i = 0; i < source->ndefined && !bound; i++)
        bound = strcmp(source->defined[i].name, p->defines) == 0;
    return bound;
}

bool wy_exec_preload(struct wy_exec *x, const struct wy_spec *spec) {
    const struct wy_know *know = x->im->world->know;
    for (size_t i = 0; i < know->npreloads; i++) {
        const struct wy_preload *p = &know->preloads[i];
        if (strcmp(p->kind, "dlopen") != 0 || strcmp(p->before, spec->name) != 0)
            continue;
        struct wy_spec *of = wy_find(x->im, p->module);
        bool running = of->ndirs && (*wy_exec_state(x, of) & WY_IN_PROGRESS);
        if (running && applies(x->im, p, of) && !open_record(x, p, of))
            return false;
    }
    return true;
}
