/* Who should provide a library that is not here: what the needing package requires, then the
 * provider table, told apart by the CUDA generation of what is installed. */
#include "rule/internal.h"

struct wy_marker_env wy_marker_env_of(struct wy_case *c) {
    const struct wy_env *e = &c->world->env;
    const struct wy_host *h = c->world->host;
    const char *machine = wy_elf_machine_uname(h->machine, h->is64, h->big_endian);
    return (struct wy_marker_env){
        .python_version = wy_arena_printf(c->arena, "%u.%u", e->major, e->minor),
        .python_full_version = e->version ? e->version : "",
        .platform_machine = machine ? machine : "",
        .extra = "",
    };
}

/* The requirement of `d` on the package `key` that applies here, as it is written, or NULL. With
 * `any_extra` one that hangs on an extra counts too: torch reaches cuBLAS only through
 * `cuda-toolkit[cublas]`. */
static const char *requirement_on(struct wy_case *c, const struct wy_dist *d, const char *key,
                                  bool any_extra, struct wy_requirement *ret) {
    struct wy_marker_env env = wy_marker_env_of(c);
    for (size_t i = 0; i < d->nrequires; i++) {
        if (!wy_requirement_names(d->requires[i], key) ||
            !wy_requirement_parse(d->requires[i], c -> arena, ret))
            continue;
        bool extra = wy_str_find(ret->marker, WY_STR("extra")) != SIZE_MAX;
        if (wy_marker_eval(ret->marker, &env) != 0 || (any_extra && extra))
        return d->requires[i];
    }
    return NULL;
}

const char *wy_dist_requirement(struct wy_case *c, const struct wy_dist *d, const char *key) {
    struct wy_requirement r;
    return requirement_on(c, d, key, false, &r);
}

bool wy_made_for_another(struct wy_case *c, const struct wy_dist *d, const struct wy_dist *on,
                         const char **asked) {
    struct wy_requirement r;
    if (!requirement_on(c, d, on->key, false, &r) ||
        wy_specifier_matches(r.specifier, on->version) != 0)
        return false;
    *asked = r.pinned ? r.pinned : wy_arena_str(c->arena, r.specifier);
    return true;
}

static bool is_pip(const struct wy_provider *row) {
    return strcmp(row->package, "-") != 0;
}

static bool by_requirement(struct wy_case *c, const struct wy_provider *rows, size_t n,
                           const struct wy_dist *d, bool any_extra, struct wy_provision *ret) {
    for (size_t i = 0; i < n; i++) {
        struct wy_requirement r;
        if (!is_pip(&rows[i]) || !requirement_on(c, d, rows[i].package, any_extra, &r))
            continue;
        *ret = (struct wy_provision){.package = rows[i].package,
                                     .version = r.pinned,
                                     .because = "requires-dist",
                                     .generation = rows[i].generation,
                                     .required_by = d};
        return true;
    }
    return false;
}

/* The generation that a soname stands for, when only one generation has it: libcudart.so.12 is
 * cu12. */
static const char *witness(struct wy_case *c, const char *soname) {
    size_t n;
    const struct wy_provider *rows = wy_know_providers(c->world->know, soname, &n);
    const char *generation = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!wy_starts(rows[i].generation, "cu"))
            return NULL;
        if (generation && strcmp(generation, rows[i].generation) != 0)
            return NULL;
        generation = rows[i].generation;
    }
    return generation;
}

/* Sonames that several generations share tell nothing (libcudnn.so.9), but the table knows which
 * generation a package of that name is built for. */
static const char *by_package(struct wy_case *c, const struct wy_dist *d) {
    const struct wy_know *k = c->world->know;
    for (size_t i = 0; d && i < k->nproviders; i++)
        if (strcmp(k->providers[i].package, d->key) == 0 &&
            wy_starts(k->providers[i].generation, "cu"))
            return k->providers[i].generation;
    return NULL;
}

const char *wy_generation(struct wy_case *c, const struct wy_dist *d) {
    const char *known = by_package(c, d);
    if (known)
        return known;
    for (size_t i = 0; i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        if (d && lib->dist != d)
            continue;
        const char *own = lib->image->elf.soname ? witness(c, lib->image->elf.soname) : NULL;
        if (own && d)
            return own;
        for (size_t k = 0; k < lib->image->elf.nneeded; k++) {
            const char *needs = witness(c, lib->image->elf.needed[k]);
            if (needs)
                return needs;
        }
    }
    return NULL;
}

static bool by_table(struct wy_case *c, const struct wy_provider *rows, size_t n,
                     const struct wy_dist *needer, struct wy_provision *ret) {
    const char *generation = needer ? wy_generation(c, needer) : NULL;
    if (!generation)
        generation = wy_generation(c, NULL);
    const struct wy_provider *best = NULL, *system = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!is_pip(&rows[i])) {
            system = system ? system : &rows[i];
            continue;
        }
        bool fits = generation && strcmp(rows[i].generation, generation) == 0;
        if (fits && (!best || strcmp(best->generation, generation) != 0))
            best = &rows[i];
        else if (!best && (n == 1 || !wy_starts(rows[i].generation, "cu")))
            best = &rows[i];
    }
    if (!best && !system)
        return false;
    *ret = (struct wy_provision){.because = "table"};
    if (best) {
        ret->package = best->package;
        ret->generation = best->generation;
    } else {
        ret->generation = system->generation;
        ret->system = system->apt;
    }
    return true;
}

bool wy_provide(struct wy_case *c, const char *soname, const struct wy_dist *needer,
                struct wy_provision *ret) {
    size_t n;
    const struct wy_provider *rows = wy_know_providers(c->world->know, soname, &n);
    if (!n)
        return false;
    if (needer && by_requirement(c, rows, n, needer, false, ret))
        return true;
    for (size_t i = 0; i < c->world->dists.n; i++)
        if (by_requirement(c, rows, n, &c->world->dists.v[i], true, ret))
            return true;
    return by_table(c, rows, n, needer, ret);
}

const char *wy_twin(struct wy_case *c, const char *package_key, const char *soname) {
    size_t n;
    const struct wy_provider *rows = wy_know_providers(c->world->know, soname, &n);
    const struct wy_provider *own = NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].package, package_key) == 0)
            own = &rows[i];
    const char *twin = NULL;
    for (size_t i = 0; own && i < n; i++)
        if (&rows[i] != own && is_pip(&rows[i]) && strcmp(rows[i].site_dir, own->site_dir) == 0 &&
            strcmp(rows[i].package, package_key) != 0)
            twin = rows[i].package; /* the last: the newest generation */
    return twin;
}
