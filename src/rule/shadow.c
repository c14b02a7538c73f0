/* Which copy is taken, which is meant: asked of the simulated loader, with and without
 * LD_LIBRARY_PATH. */
#include "rule/shadow.h"

/* The prefix of a system's Python is /usr: what lies there is not the environment's for that. */
bool wy_outside(struct wy_case *c, const char *path) {
    const struct wy_env *e = &c->world->env;
    const char *clean = wy_path_clean(c->arena, path);
    if (wy_map_get(&c->world->library_by_path, wy_str_of(clean)))
        return false;
    bool own_prefix = e->kind == WY_ENV_VENV || e->kind == WY_ENV_CONDA;
    return !own_prefix || !wy_path_below(clean, e->prefix);
}

bool wy_by_variable(const struct wy_shadow *s) {
    return s->by == WY_BY_LD_LIBRARY_PATH || s->by == WY_BY_PRELOAD;
}

/* ---- LD_LIBRARY_PATH as text: elements end at ':' or ';' (elf/dl-load.c, _dl_init_paths) */

static const char library_path[] = "LD_LIBRARY_PATH";

int wy_library_path_entry(struct wy_case *c, const char *file) {
    const char *text = wy_host_getenv(c->world->host, library_path);
    const char *folder = wy_path_dir(c->arena, wy_path_clean(c->arena, file));
    for (int entry = 1; text; entry++) {
        size_t n = strcspn(text, ":;");
        const char *dir = wy_arena_str(c->arena, (struct wy_str){text, n});
        const char *below =
            *dir == '/' ? wy_path_below(folder, wy_path_clean(c->arena, dir)) : NULL;
        if (below && (!*below || wy_starts(below, "glibc-hwcaps/")))
            return entry;
        text = text[n] ? text + n + 1 : NULL;
    }
    return 0;
}

const char *wy_library_path_without(struct wy_case *c, int entry) {
    const char *text = wy_host_getenv(c->world->host, library_path), *ret = NULL;
    for (int i = 1; text; i++) {
        size_t n = strcspn(text, ":;");
        if (n && i != entry)
            ret =
                wy_arena_printf(c->arena, "%s%s%.*s", ret ? ret : "", ret ? ":" : "", (int)n, text);
        text = text[n] ? text + n + 1 : NULL;
    }
    return ret;
}

/* ---- the copy that is meant */

static bool mean(struct wy_case *c, struct wy_shadow *s, const char *path,
                 const struct wy_image *image, const struct wy_library *library) {
    s->intended = path;
    s->intended_image = image;
    s->library =
        library ? library
                : wy_map_get(&c->world->library_by_path, wy_str_of(wy_path_clean(c->arena, path)));
    return true;
}

/* The copy that a package of the environment has; with several, that of one which the needing
 * package requires. False also when the copy that is taken is one of them, by another path. */
static bool mean_packaged(struct wy_case *c, struct wy_shadow *s) {
    const struct wy_dist *needer =
        s->needer && s->needer->image ? wy_world_image_owner(c->world, s->needer->image) : NULL;
    const struct wy_library *best = NULL;
    size_t n;
    const struct wy_library **libs = wy_world_named(c->world, s->soname, &n);
    for (size_t i = 0; i < n; i++) {
        const struct wy_library *l = libs[i];
        if (l->image == s->image)
            return false;
        bool good = l->dist && !l->image->error && l->image->elf.kind == WY_ELF_OK &&
                    l->image->elf.machine == c->world->host->machine;
        bool required = good && wy_dist_requires(c, needer, l->dist->key);
        if (good && (required || (!best && wy_by_variable(s))))
            best = l;
    }
    return best && mean(c, s, best->path, best->image, best);
}

static bool find_meant(struct wy_case *c, const struct wy_process *state, struct wy_shadow *s) {
    struct wy_search search = {0};
    if (wy_by_variable(s))
        wy_ld_search_fresh(c->ld, state, s->soname, s->needer,
                           s->by == WY_BY_PRELOAD ? 0 : WY_WITHOUT_LIBRARY_PATH, &search);
    const struct wy_image *image = search.taken ? wy_image_at(c, search.taken) : NULL;
    if (image && image == s->image)
        return false;
    return image ? mean(c, s, search.taken, image, NULL) : mean_packaged(c, s);
}

static bool brought(enum wy_found by) {
    return by == WY_BY_LD_LIBRARY_PATH || by == WY_BY_PRELOAD || by == WY_BY_CACHE ||
           by == WY_BY_DEFAULT;
}

static bool of_file(struct wy_case *c, const struct wy_process *state, struct wy_shadow *s) {
    s->image = s->taken ? wy_image_at(c, s->taken) : NULL;
    return s->image && brought(s->by) && wy_outside(c, s->taken) && find_meant(c, state, s);
}

bool wy_shadow_of_object(struct wy_case *c, const struct wy_process *state,
                         const struct wy_object *o, struct wy_shadow *ret) {
    *ret = (struct wy_shadow){.taken = o->name, .by = o->found, .needer = o->by};
    if (!o->image || !o->name[0] || !state)
        return false;
    bool path = strchr(o->requested, '/') != NULL;
    ret->soname = path && o->image->elf.soname ? o->image->elf.soname : wy_path_base(o->requested);
    return of_file(c, state, ret);
}

bool wy_shadow_of_need(struct wy_case *c, const struct wy_process *state, const char *soname,
                       const struct wy_object *needer, struct wy_shadow *ret) {
    struct wy_search search;
    if (!state || strchr(soname, '/'))
        return false;
    wy_ld_search(c->ld, state, soname, needer, &search);
    if (!search.taken)
        return false;
    enum wy_found by = search.steps[search.n - 1].by;
    const struct wy_object *loaded = by == WY_BY_LOADED ? wy_process_named(state, soname) : NULL;
    if (loaded)
        return wy_shadow_of_object(c, state, loaded, ret);
    *ret = (struct wy_shadow){.soname = soname, .taken = search.taken, .by = by, .needer = needer};
    return of_file(c, state, ret);
}

/* ---- the shadow behind a problem */

static bool lacks_version(struct wy_case *c, const struct wy_problem *p,
                          const struct wy_process *state, struct wy_shadow *ret) {
    return p->kind == WY_P_MISSING_VERSION && p->version &&
           wy_shadow_of_need(c, state, p->name, p->needer, ret) &&
           wy_defines_version(ret->intended_image, p->version);
}

static bool has_symbol(struct wy_case *c, const struct wy_shadow *s, const char *symbol) {
    return wy_image_exports(c->world->host, s->intended_image, symbol);
}

/* One that a variable brings for a library that the file names: its scope holds that, too. */
static bool one_further(struct wy_case *c, const struct wy_problem *p,
                        const struct wy_process *state, const char *needed, struct wy_shadow *ret) {
    size_t n;
    const struct wy_library **libs = wy_world_named(c->world, needed, &n);
    const struct wy_elf *elf = n ? &libs[0]->image->elf : NULL;
    for (size_t i = 0; elf && i < elf->nneeded; i++)
        if (wy_shadow_of_need(c, state, elf->needed[i], NULL, ret) && wy_by_variable(ret) &&
            has_symbol(c, ret, p->name))
            return true;
    return false;
}

/* The libraries that it names, then those that a variable brought into the process: an extension
 * does not name the interpreter's library. */
static bool lacks_symbol(struct wy_case *c, const struct wy_problem *p,
                         const struct wy_process *state, struct wy_shadow *ret) {
    const struct wy_elf *elf = &p->needer->image->elf;
    if (p->kind != WY_P_UNDEFINED_SYMBOL)
        return false;
    for (size_t i = 0; i < elf->nneeded; i++)
        if (wy_shadow_of_need(c, state, elf->needed[i], p->needer, ret) &&
            has_symbol(c, ret, p->name))
            return true;
    for (size_t i = 0; i < elf->nneeded; i++)
        if (one_further(c, p, state, elf->needed[i], ret))
            return true;
    for (size_t i = 0; i < wy_process_count(state); i++) {
        const struct wy_object *o = wy_process_at(state, i);
        bool variable = o->found == WY_BY_LD_LIBRARY_PATH || o->found == WY_BY_PRELOAD;
        if (variable && wy_shadow_of_object(c, state, o, ret) && has_symbol(c, ret, p->name))
            return true;
    }
    return false;
}

/* What needs it, or what needs that in turn, is a copy that a variable brings. */
static bool brought_along(struct wy_case *c, const struct wy_object *needer,
                          const struct wy_process *state, struct wy_shadow *ret) {
    for (const struct wy_object *o = needer; o && o->name[0]; o = o->loader)
        if (wy_shadow_of_object(c, state, o, ret) && wy_by_variable(ret))
            return true;
    return false;
}

const struct wy_shadow *wy_shadow_behind(struct wy_case *c, const struct wy_problem *p,
                                         const struct wy_process *state) {
    struct wy_shadow s;
    if (!p->needer || !p->needer->image || !state)
        return NULL;
    if (!lacks_version(c, p, state, &s) && !lacks_symbol(c, p, state, &s) &&
        !brought_along(c, p->needer, state, &s))
        return NULL;
    struct wy_shadow *ret = WY_NEW(c->arena, struct wy_shadow);
    *ret = s;
    return ret;
}
