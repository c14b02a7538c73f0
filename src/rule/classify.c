/* Which one rule speaks about a wanted object: the first that fits (CONTRACT section 3). */
#include "rule/internal.h"
#include "rule/shadow.h"

struct absent { /* a recorded library that is not there */
    const struct wy_claimed *claimed;
    const struct absent *next; /* of the same file name, in order of path */
};

void wy_absent_index(struct wy_case *c, struct wy_wants *wants) {
    for (size_t i = c->world->nclaimed; i-- > 0;) {
        const struct wy_claimed *k = &c->world->claimed[i];
        if (k->presence == WY_PRESENT || !k->is_so)
            continue;
        void **slot = wy_map_at(&wants->absent, wy_str_of(wy_path_base(k->path)));
        struct absent *made = WY_NEW(c->arena, struct absent);
        *made = (struct absent){k, *slot};
        *slot = made;
    }
}

static bool gutted(const struct wy_case *c, const struct wy_dist *d) {
    const struct wy_dist_files *f = &c->world->files[wy_world_dist_index(c->world, d)];
    return f->libraries_missing > 0 && f->libraries_missing * 2 >= f->libraries;
}

static const struct wy_dist *needer_dist(const struct wy_case *c, const struct wy_problem *p) {
    return p->needer ? wy_world_image_owner(c->world, p->needer->image) : NULL;
}

bool wy_dist_requires(struct wy_case *c, const struct wy_dist *d, const char *key) {
    for (size_t i = 0; d && i < d->nrequires; i++) {
        struct wy_requirement r;
        if (wy_requirement_names(d->requires[i], key) &&
            wy_requirement_parse(d->requires[i], c -> arena, &r))
            return true;
    }
    return false;
}

bool wy_dist_required(struct wy_case *c, const struct wy_dist *d) {
    for (size_t i = 0; i < c->world->dists.n; i++)
        if (wy_dist_requires(c, &c->world->dists.v[i], d->key))
            return true;
    return false;
}

/* The recorded path that should have been found: asked for by path, or of that file name. Of
 * several, the one whose package the needing package requires. */
static const struct wy_claimed *absent_claim(struct wy_case *c, const struct wy_wants *wants,
                                             const struct wy_problem *p) {
    const struct wy_dist *needer = needer_dist(c, p);
    const struct wy_claimed *best = NULL;
    if (strchr(p->name, '/')) {
        best = wy_world_claimed(c->world, wy_path_clean(c->arena, p->name));
        return best && best->presence != WY_PRESENT ? best : NULL;
    }
    const struct absent *first = wy_map_get(&wants->absent, wy_str_of(p->name));
    for (const struct absent *k = first; k; k = k->next)
        if (!best || wy_dist_requires(c, needer, k->claimed->claims[0].dist->key))
            best = k->claimed;
    return best;
}

/* A package that the table knows as the provider, installed in name but without any file: an
 * install that was killed before it wrote RECORD. */
static const struct wy_dist *hollow_provider(struct wy_case *c, const char *soname) {
    size_t n;
    const struct wy_provider *rows = wy_know_providers(c->world->know, soname, &n);
    for (size_t i = 0; i < n; i++) {
        const struct wy_dist *d = wy_world_dist(c->world, rows[i].package);
        if (d && c->world->files[wy_world_dist_index(c->world, d)].libraries == 0 && d->no_record)
            return d;
    }
    return NULL;
}

static const struct wy_library *elsewhere(struct wy_case *c, const char *soname) {
    size_t n;
    const struct wy_library **libs = wy_world_named(c->world, soname, &n);
    for (size_t i = 0; i < n; i++)
        if (!libs[i]->image->error && libs[i]->image->elf.kind == WY_ELF_OK &&
            libs[i]->image->elf.machine == c->world->host->machine)
            return libs[i];
    return NULL;
}

/* "libx.so." of "libx.so.12.1", and 12; 0 when no number follows. */
static size_t stem_and_major(const char *soname, unsigned long *major) {
    const char *so = strstr(soname, ".so.");
    char *end = NULL;
    *major = so ? strtoul(so + 4, &end, 10) : 0;
    return so && end > so + 4 ? (size_t)(so + 4 - soname) : 0;
}

/* Another major of the same library that is here: the thing people link in its place. */
static const struct wy_library *other_major(const struct wy_case *c, const char *soname,
                                            const struct wy_dist *needer) {
    unsigned long wanted, major;
    size_t stem = stem_and_major(soname, &wanted);
    for (size_t i = 0; stem && i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        const char *base = wy_path_base(lib->path);
        if (strncmp(base, soname, stem) == 0 && stem_and_major(base, &major) == stem &&
            major != wanted && !wy_tells_variants(c, needer, soname))
            return lib;
    }
    return NULL;
}

/* The library lies here, but this user may not read it: the loader passes it over. */
static const struct wy_library *unreadable_copy(struct wy_case *c, const char *name) {
    const struct wy_library *at = wy_map_get(&c->world->library_by_path, wy_str_of(name));
    if (at)
        return at->image->error ? at : NULL;
    size_t n;
    const struct wy_library **libs = wy_world_named(c->world, name, &n);
    for (size_t i = 0; i < n; i++)
        if (!libs[i]->image->error)
            return NULL;
    return n ? libs[0] : NULL;
}

static void classify_missing(struct wy_case *c, const struct wy_wants *wants, struct wy_want *want,
                             const struct wy_problem *p) {
    const char *base = wy_path_base(p->name);
    want->claimed = absent_claim(c, wants, p);
    if (want->claimed) {
        want->dist = want->claimed->claims[0].dist;
        want->file = want->claimed->path;
        want->kind = want->claimed->presence == WY_DANGLING ? WY_WANT_BROKEN_LINK
                     : gutted(c, want->dist)                ? WY_WANT_GUTTED
                                                            : WY_WANT_MISSING_FILE;
        return;
    }
    const struct wy_library *closed = unreadable_copy(c, p->name);
    if (closed) {
        want->kind = WY_WANT_BAD_FILE;
        want->file = closed->path;
        want->image = closed->image;
        want->claimed = closed->claimed;
        want->dist = closed->dist;
        return;
    }
    want->dist = hollow_provider(c, base);
    if (want->dist) {
        want->kind = WY_WANT_GUTTED;
        return;
    }
    want->reach = elsewhere(c, base);
    want->other = want->reach ? NULL : other_major(c, base, needer_dist(c, p));
    want->kind = want->reach                               ? WY_WANT_OUT_OF_REACH
                 : want->other                             ? WY_WANT_GENERATION
                 : wy_know_is_driver(c->world->know, base) ? WY_WANT_DRIVER
                                                           : WY_WANT_MISSING;
}

/* The file that the loader has in hand when it gives up. */
static void take_file(struct wy_case *c, struct wy_want *want, const char *file) {
    struct wy_place place;
    want->file = wy_path_clean(c->arena, file);
    if (wy_tree_find(c->world->tree, NULL, file, 0, &place) != 0)
        return;
    if (place.entry && place.entry->type == WY_FT_FILE)
        want->image = wy_host_image(c->world->host, &place);
    want->claimed = wy_world_claimed(c->world, want->file);
    want->dist = want->claimed ? want->claimed->claims[0].dist : wy_world_owner(c->world, &place);
}

static enum wy_want_kind kind_of(enum wy_problem_kind problem) {
    switch (problem) {
    case WY_P_MISSING_VERSION:
        return WY_WANT_VERSION;
    case WY_P_UNDEFINED_SYMBOL:
        return WY_WANT_SYMBOL;
    case WY_P_STATIC_TLS:
        return WY_WANT_STATIC_TLS;
    case WY_P_WRONG_CLASS:
    case WY_P_WRONG_MACHINE:
        return WY_WANT_WRONG_MACHINE;
    case WY_P_ISA_LEVEL:
        return WY_WANT_ISA_LEVEL;
    case WY_P_NOEXEC:
        return WY_WANT_NOEXEC;
    case WY_P_EXEC_STACK:
        return WY_WANT_EXEC_STACK;
    default:
        return WY_WANT_BAD_FILE;
    }
}

/* A copy from elsewhere that comes first explains what it lacks, and what it needs itself. */
static bool may_be_shadowed(enum wy_want_kind kind) {
    return kind == WY_WANT_VERSION || kind == WY_WANT_SYMBOL || kind == WY_WANT_OUT_OF_REACH ||
           kind == WY_WANT_GENERATION || kind == WY_WANT_MISSING;
}

void wy_want_classify(struct wy_case *c, const struct wy_wants *wants, struct wy_want *want,
                      const struct wy_problem *p, const struct wy_process *state) {
    if (wy_of_other_libc(c, p)) {
        take_file(c, want, p->needer->name);
        want->kind = WY_WANT_WRONG_LIBC;
        return;
    }
    if (p->kind == WY_P_MISSING_LIBRARY) {
        classify_missing(c, wants, want, p);
    } else {
        want->kind = kind_of(p->kind);
        if (p->file)
            take_file(c, want, p->file);
    }
    if (may_be_shadowed(want->kind))
        want->shadow = wy_shadow_behind(c, p, state);
    if (want->shadow)
        want->kind = WY_WANT_SHADOWED;
}
