/* gutted-package: installed in name only. At least one recorded library and at least half of a
 * package's libraries are gone; or the dist-info of a killed install, without RECORD and without
 * any file. */
#include "rule/internal.h"

#include <inttypes.h>

enum { MOST_MISSING_LISTED = 1000 };

static bool half_gone(const struct wy_dist_files *s) {
    return s->libraries_missing > 0 && s->libraries_missing * 2 >= s->libraries;
}

static void list_missing(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d) {
    const struct wy_dist_files *own = wy_files_of(c, d);
    for (size_t i = 0; i < own->nclaimed && f->f.missing.n < MOST_MISSING_LISTED; i++) {
        const struct wy_claimed *k = own->claimed[i];
        if (k->presence != WY_GONE)
            continue;
        wy_strings_add(c->arena, &f->f.missing, k->shown);
        if (!f->f.library && k->is_so) {
            f->f.file = k->shown;
            f->f.library = wy_path_base(k->path);
        }
    }
}

static void explain_history(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d) {
    const char *twin = f->f.library ? wy_twin(c, d->key, f->f.library) : NULL;
    if (!twin) {
        f->why = "An install was interrupted, or something else deleted the files. Installers do "
                 "not notice: "
                 "they look at metadata only.";
        return;
    }
    wy_make_because(
        c, f, "%s ships the same paths: removing one of the two removes the files of both", twin);
    f->why = wy_arena_printf(
        c->arena,
        "Builds for another CUDA generation (such as %s) ship the same paths: removing one "
        "removes the files of the other. pip and uv do not notice: they look at metadata "
        "only.",
        twin);
}

static void report(struct wy_case *c, const struct wy_dist *d) {
    const struct wy_dist_files *s = &c->world->files[wy_world_dist_index(c->world, d)];
    const struct wy_want *want = wy_first_want(c, d, WY_WANT_GUTTED);
    enum whyso_severity severity = want ? want->severity : WHYSO_NOTE;
    if (severity == WHYSO_NOTE && wy_dist_needed_later(c, d))
        severity = WHYSO_WARNING;
    struct wy_finding *f = wy_make(c, "gutted-package", severity, d->key);
    if (want)
        wy_make_wanted(c, f, want);
    wy_make_more_wants(c, f, d, WY_WANT_GUTTED);
    wy_make_dist(c, f, d);
    wy_make_counts(c, f, d);
    list_missing(c, f, d);
    f->f.title = wy_arena_printf(c->arena,
                                 s->libraries ? "%s %s is installed in name only: %" PRIu64
                                                " of its %" PRIu64 " libraries are gone"
                                              : "%s %s is installed in name only: it has no files",
                                 d->name, d->version, s->libraries_missing, s->libraries);
    if (d->no_record)
        wy_make_because(c, f, "%s has no RECORD", wy_shown(c, d->info));
    else
        wy_make_because(c, f, "%s lists %s that are not on disk, %" PRIu64 " of them libraries",
                        wy_shown(c, wy_path_join(c->arena, d->info, "RECORD")),
                        wy_count(c->arena, s->missing, "file", "files"), s->libraries_missing);
    wy_make_hollow(c, f, d);
    explain_history(c, f, d);
    wy_make_provider(c, f, (struct whyso_provider){d->name, d->version, "pip", "gutted", "RECORD"});
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_REINSTALL,
        .dist = d,
        .avoid = "A plain install changes nothing: installers look at metadata, and that says the "
                 "package is "
                 "there.",
    };
}

/* Whether a folder or module of the site directory bears the distribution's name. */
static bool site_has(const struct wy_dist *d) {
    size_t n;
    const struct wy_entry *entries = wy_dir_entries(d->site_dir, &n);
    for (size_t i = 0; i < n; i++) {
        if (wy_ends(entries[i].name, ".dist-info"))
            continue;
        struct wy_str rest, stem = wy_str_cut(wy_str_of(entries[i].name), '.', &rest);
        if (wy_dist_key_is(stem, d->key))
            return true;
    }
    return false;
}

/* A dist-info without RECORD and without any file of its package. pip and uv write RECORD last, so
 * theirs is a killed install; distributions' own packages never have a RECORD. */
static bool hollow(struct wy_case *c, const struct wy_dist *d) {
    bool wheel = strcmp(d->installer, "pip") == 0 || strcmp(d->installer, "uv") == 0 ||
                 (d->installer[0] == '\0' && c->world->env.kind == WY_ENV_VENV);
    return wheel && d->no_record && !d->egg && !d->editable && !d->no_metadata && !site_has(d);
}

void wy_rule_gutted_package(struct wy_case *c) {
    for (size_t i = 0; i < c->world->dists.n; i++) {
        const struct wy_dist *d = &c->world->dists.v[i];
        if (half_gone(&c->world->files[i]) || hollow(c, d) || wy_first_want(c, d, WY_WANT_GUTTED))
            report(c, d);
    }
}
