/* overwritten-file: a package's files hold another owner's bytes. With several owners: a warning,
 * one finding for each package whose libraries were overwritten. With one owner: the file was
 * changed after it was installed, a note. */
#include "rule/internal.h"

#include <inttypes.h>

/* The owner whose bytes are on disk, or NULL. */
static const struct wy_dist *writer(const struct wy_claimed *k) {
    for (size_t i = 0; i < k->nclaims; i++)
        if (k->claims[i].bytes == WY_BYTES_SAME)
            return k->claims[i].dist;
    return NULL;
}

static const struct wy_claim *claim_of(const struct wy_claimed *k, const struct wy_dist *d) {
    for (size_t i = 0; i < k->nclaims; i++)
        if (k->claims[i].dist == d)
            return &k->claims[i];
    return NULL;
}

/* A library of `d` with other bytes on disk, written by another owner. */
static bool overwritten(const struct wy_claimed *k, const struct wy_dist *d) {
    const struct wy_claim *own = claim_of(k, d);
    return k->is_so && k->nclaims > 1 && own && own->bytes == WY_BYTES_DIFFERS && writer(k);
}

/* Keep the one that something requires. Removing the other deletes the shared files, so these are
 * put back. */
static void advise(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d,
                   const struct wy_dist *other) {
    bool d_wanted = wy_dist_required(c, d), other_wanted = wy_dist_required(c, other);
    const struct wy_dist *keep = other_wanted && !d_wanted ? other : d;
    const struct wy_dist *drop = keep == d ? other : d;
    const char *avoid =
        "Do not just uninstall one of two: both list these files, so its removal deletes them "
        "for the other as well, whose metadata will still say it is installed.";
    if (d_wanted && other_wanted) {
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text = wy_arena_printf(
                c->arena,
                "Installed packages require both %s and %s, and only one can be on disk: "
                "part them into two environments.",
                d->name, other->name),
            .avoid = avoid};
        return;
    }
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REPLACE,
                                   .dist = keep,
                                   .other = drop,
                                   .text = "Remove the ones that nothing requires, then put the "
                                           "files of the others back: the removal deletes "
                                           "them.",
                                   .avoid = avoid};
}

/* For each library that several claim: whose bytes are on disk. */
static void say_whose(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d,
                      const struct wy_claimed *k) {
    const struct wy_claim *own = claim_of(k, d);
    if (!k->is_so || k->nclaims < 2 || !own)
        return;
    const struct wy_dist *w = own->bytes == WY_BYTES_SAME ? d : writer(k);
    const char *package = w ? w->name : NULL;
    WY_ADD(c->arena, &f->f.candidates,
           ((struct whyso_candidate){.file = k->shown, .package = package, .chosen = true}));
    if (w == d)
        wy_make_because(c, f, "%s: the bytes of %s are on disk", k->shown, package);
    else
        wy_make_because(c, f, "%s: the bytes of %s are on disk, not those of %s", k->shown,
                        package ? package : "nobody", d->name);
}

static void report_package(struct wy_case *c, const struct wy_dist *d) {
    const struct wy_claimed *first = NULL;
    const struct wy_dist *other = NULL;
    const struct wy_dist_files *own = wy_files_of(c, d);
    uint64_t n = 0;
    for (size_t i = 0; i < own->nclaimed; i++) {
        const struct wy_claimed *k = own->claimed[i];
        if (!overwritten(k, d))
            continue;
        n++;
        first = first ? first : k;
        other = other ? other : writer(k);
    }
    if (!first || !other)
        return;
    struct wy_finding *f = wy_make(c, "overwritten-file", WHYSO_WARNING, d->key);
    wy_make_dist(c, f, d);
    wy_make_counts(c, f, d);
    wy_make_owners(c, f, first);
    f->f.file = first->shown;
    f->f.library = wy_path_base(first->path);
    f->f.title = wy_arena_printf(c->arena, "%s %s: %s the bytes of %s %s", d->name, d->version,
                                 wy_count(c->arena, n, "library holds", "libraries hold"),
                                 other->name, other->version);
    for (size_t i = 0; i < own->nclaimed; i++)
        say_whose(c, f, d, own->claimed[i]);
    f->f.brief = n < f->f.candidates.n
                     ? wy_arena_printf(c->arena, "%" PRIu64 " of %zu are %s's", n,
                                       f->f.candidates.n, other->name)
                     : wy_arena_printf(c->arena, n == 1 ? "its library is %s's" : "all are %s's",
                                       other->name);
    wy_make_because(c, f, "removing %s or %s deletes these files for both", d->name, other->name);
    f->why = "Both packages ship the same paths, and the one installed last wrote over the other "
             "without a word.";
    advise(c, f, d, other);
}

static void report_changed(struct wy_case *c, const struct wy_dist *d) {
    const struct wy_claimed *first = NULL;
    const struct wy_dist_files *own = wy_files_of(c, d);
    uint64_t n = 0;
    for (size_t i = 0; i < own->nclaimed; i++) {
        const struct wy_claimed *k = own->claimed[i];
        if (k->nclaims != 1 || k->claims[0].bytes != WY_BYTES_DIFFERS)
            continue;
        n++;
        first = first ? first : k;
    }
    if (!n)
        return;
    struct wy_finding *f = wy_make(c, "overwritten-file", WHYSO_NOTE, d->key);
    f->f.fingerprint = wy_arena_printf(c->arena, "overwritten-file:%s:changed", d->key);
    wy_make_dist(c, f, d);
    wy_make_owners(c, f, first);
    f->f.file = first->shown;
    f->f.library = first->is_so ? wy_path_base(first->path) : NULL;
    f->f.title = wy_arena_printf(c->arena, "%s of %s %s changed since it was installed",
                                 wy_count(c->arena, n, "file", "files"), d->name, d->version);
    wy_make_because(c, f, "%s has %" PRIu64 " bytes, RECORD says %" PRId64, first->shown,
                    first->size, first->claims[0].row->size);
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_NONE,
                                   .text = "Nothing to do if you stripped or patched it yourself."};
}

void wy_rule_overwritten_file(struct wy_case *c) {
    for (size_t i = 0; i < c->world->dists.n; i++) {
        report_package(c, &c->world->dists.v[i]);
        report_changed(c, &c->world->dists.v[i]);
    }
}
