/* missing-version: the copy of a library that the loader takes lacks a version that is asked of it
 * (docs/loader.md A10). One finding per copy, with all that it lacks. */
#include "rule/internal.h"

enum { MOST_SHOWN = 5 };

static void add_new(struct wy_case *c, struct whyso_strings *list, const char *s) {
    wy_strings_add_new(c->arena, list, s);
}

/* Numbers in the text compare as numbers: GLIBC_2.9 is older than GLIBC_2.34. */
static int newer(const char *a, const char *b) {
    return wy_ldcache_cmp(a, b);
}

struct whyso_strings wy_versions_lacking(struct wy_case *c, const struct wy_want *want) {
    struct whyso_strings ret = {0};
    for (size_t i = 0; i < want->wanters.n; i++)
        if (want->wanters.v[i].problem->version)
            add_new(c, &ret, want->wanters.v[i].problem->version);
    return ret;
}

const char *wy_version_newest(const struct whyso_strings *list) {
    const char *best = list->n ? list->v[0] : NULL;
    for (size_t i = 1; i < list->n; i++)
        if (newer(list->v[i], best) > 0)
            best = list->v[i];
    return best;
}

/* Up to and with the '_' before the number: "GLIBCXX_" of "GLIBCXX_3.4.32". */
static size_t family(const char *version) {
    const char *end = strrchr(version, '_');
    return end ? (size_t)(end - version) + 1 : 0;
}

/* The newest versions of that kind which a file defines. */
struct whyso_strings wy_versions_defined(struct wy_case *c, const struct wy_image *image,
                                         const char *like) {
    struct whyso_strings ret = {0};
    const struct wy_elf *elf = &image->elf;
    size_t n = family(like);
    const char *below = NULL;
    while (ret.n < MOST_SHOWN) {
        const char *best = NULL;
        for (size_t i = 0; i < elf->nverdef; i++) {
            const char *v = elf->verdef[i].version;
            if ((elf->verdef[i].flags & 1) || strncmp(v, like, n) != 0 || family(v) != n ||
                (below && newer(v, below) >= 0))
                continue;
            if (!best || newer(v, best) > 0)
                best = v;
        }
        if (!best)
            break;
        add_new(c, &ret, best);
        below = best;
    }
    return ret;
}

bool wy_defines_version(const struct wy_image *image, const char *version) {
    for (size_t i = 0; i < image->elf.nverdef; i++)
        if (wy_same(image->elf.verdef[i].version, version))
            return true;
    return false;
}

static bool defines_all(const struct wy_image *image, const struct whyso_strings *versions) {
    for (size_t i = 0; i < versions->n; i++)
        if (!wy_defines_version(image, versions->v[i]))
            return false;
    return true;
}

static void add_candidate(struct wy_case *c, struct wy_finding *f, struct whyso_candidate k) {
    WY_ADD(c->arena, &f->f.candidates, k);
}

/* Another copy that has it all: in the environment, or the system's (the loader's cache). */
static const char *other_copy(struct wy_case *c, struct wy_finding *f, const struct wy_want *want,
                              const struct whyso_strings *lacks) {
    const char *found = NULL;
    size_t n;
    const struct wy_library **libs = wy_world_named(c->world, want->name, &n);
    for (size_t i = 0; i < n; i++) {
        const struct wy_library *l = libs[i];
        if (l->image == want->image || l->image->elf.machine != c->world->host->machine ||
            !defines_all(l->image, lacks))
            continue;
        add_candidate(c, f,
                      (struct whyso_candidate){.file = l->shown,
                                               .package = l->dist ? l->dist->name : NULL,
                                               .why_not = "another copy is in memory first",
                                               .has = *lacks});
        found = found ? found : l->path;
    }
    const struct wy_host *h = c->world->host;
    for (size_t i = 0; i < h->ncache && !found; i++) {
        const struct wy_image *image =
            wy_same(h->cache[i].key, want->name) ? wy_image_at(c, h->cache[i].path) : NULL;
        if (!image || image == want->image || !defines_all(image, lacks))
            continue;
        found = h->cache[i].path;
        add_candidate(c, f,
                      (struct whyso_candidate){.file = wy_shown(c, found),
                                               .why_not = "another copy is found first",
                                               .has = *lacks});
    }
    return found;
}

/* The package of the first needer. */
static const char *needing_package(struct wy_finding *f) {
    for (size_t i = 0; i < f->f.needed_by.n; i++)
        if (f->f.needed_by.v[i].package)
            return f->f.needed_by.v[i].package;
    return NULL;
}

static void advise(struct wy_case *c, struct wy_finding *f, const char *version,
                   const char *other) {
    struct wy_arena *a = c->arena;
    const char *package = needing_package(f);
    const char *who = package ? package : "what needs it";
    const struct wy_host *h = c->world->host;
    if (wy_starts(version, "GLIBC_")) {
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text = wy_arena_printf(a,
                                    "Install a build of %s for this system (an older release, or a "
                                    "wheel whose name says manylinux with glibc %s or older), or "
                                    "use an image with a newer C library.",
                                    who, h->libc_version ? h->libc_version : "of this system"),
            .avoid = "Do not put another glibc beside or over this one: everything on the system "
                     "hangs on it, and its parts must fit each other."};
    } else if (other) {
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text = wy_arena_printf(a,
                                    "%s has it: let it be found first, by taking the other copy "
                                    "off LD_LIBRARY_PATH or out of the way.",
                                    wy_shown(c, other))};
    } else {
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text = wy_arena_printf(a,
                                    "Install a build of %s that fits this %s, or a newer %s in its "
                                    "place.",
                                    who, f->f.library, f->f.library)};
    }
}

static void add_chosen(struct wy_case *c, struct wy_finding *f, const struct wy_want *want,
                       const struct whyso_strings *lacks, const char *version) {
    add_candidate(c, f,
                  (struct whyso_candidate){.file = f->f.file,
                                           .package = want->dist ? want->dist->name : NULL,
                                           .chosen = true,
                                           .has = want->image
                                                      ? wy_versions_defined(c, want->image, version)
                                                      : (struct whyso_strings){0},
                                           .lacks = *lacks});
}

/* The file that a version is asked of is not in memory under that name: an edited need. */
static void report_unnamed(struct wy_case *c, const struct wy_want *want) {
    struct wy_finding *f = wy_make(c, "missing-version", want->severity, want->name);
    wy_make_wanted(c, f, want);
    const char *needer = f->f.needed_by.n ? wy_path_base(f->f.needed_by.v[0].file) : "a library";
    f->f.wanted = (struct whyso_wanted){"version", want->wanters.v[0].problem->version, NULL};
    f->f.title = wy_arena_printf(
        c->arena, "%s asks %s for versions and does not say that it needs it: the process ends",
        needer, want->name);
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
    f->why = "DT_NEEDED was edited and the table of versions was not: glibc takes that for a "
             "damaged file and ends the process.";
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text = wy_arena_printf(c->arena, "Put the unedited %s back: reinstall %s.",
                                wy_path_base(needer),
                                needing_package(f) ? needing_package(f) : "its package")};
}

static void report(struct wy_case *c, const struct wy_want *want) {
    struct whyso_strings lacks = wy_versions_lacking(c, want);
    const char *version = wy_version_newest(&lacks);
    if (!want->file) {
        report_unnamed(c, want);
        return;
    }
    struct wy_finding *f = wy_make(c, "missing-version", want->severity, want->name);
    wy_make_wanted(c, f, want);
    wy_make_dist(c, f, want->dist);
    wy_make_owners(c, f, want->claimed);
    f->f.wanted = (struct whyso_wanted){"version", version, NULL};
    const char *needer = f->f.needed_by.n ? wy_path_base(f->f.needed_by.v[0].file) : "the program";
    const struct wy_host *h = c->world->host;
    bool floor = wy_starts(version, "GLIBC_") && h->libc_version;
    f->f.title = floor ? wy_arena_printf(c->arena, "%s needs %s; the C library here is glibc %s",
                                         needer, version, h->libc_version)
                       : wy_arena_printf(c->arena, "%s needs %s of %s, which %s does not have",
                                         needer, version, want->name, f->f.file);
    add_chosen(c, f, want, &lacks, version);
    const struct whyso_strings *has = &f->f.candidates.v[0].has;
    if (has->n)
        wy_make_because(c, f, "%s goes up to %s (readelf -V shows them)", f->f.file, has->v[0]);
    const char *other = other_copy(c, f, want, &lacks);
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
    /* A C library that is too old, or another copy that has it, tells more than a changed size. */
    const struct wy_library *changed =
        floor || other ? NULL : wy_changed(c, want->wanters.v[0].needer);
    if (changed)
        wy_make_changed(
            c, f, changed,
            wy_arena_printf(c->arena, "%s needs %s of %s", needer, version, want->name));
    else
        advise(c, f, version, other);
}

void wy_rule_missing_version(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_VERSION)
            report(c, c->wants->all.v[i]);
}
