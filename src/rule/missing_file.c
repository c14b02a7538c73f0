/* missing-file: any other recorded file that is gone. What slimmed images and cleaners remove on
 * purpose is not looked at: byte code, headers, tests, documents, static archives. */
#include "rule/internal.h"

enum { MOST_LISTED = 1000 };

static bool removable(const char *path) {
    static const char *const endings[] = {".pyc", ".pyo", ".h",   ".hh",  ".hpp",  ".hxx",
                                          ".cuh", ".inl", ".a",   ".la",  ".pyi",  ".pxd",
                                          ".pyx", ".md",  ".rst", ".txt", ".html", ".cmake",
                                          ".pc",  ".c",   ".cpp", ".cu",  ".typed"};
    static const char *const folders[] = {
        "/tests/",    "/test/",      "/testing/",   "/docs/",       "/doc/",
        "/include/",  "/examples/",  "/share/man/", "/share/info/", ".dist-info/",
        ".egg-info/", "/share/doc/", "/bin/"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (wy_ends(path, endings[i]))
            return true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(path, folders[i]))
            return true;
    const char *base = wy_path_base(path);
    return wy_starts(base, "test_") || wy_starts(base, "LICENSE") || wy_starts(base, "NOTICE");
}

struct gone {
    uint64_t files, libraries;
    const struct wy_claimed *first_library;
    enum whyso_severity severity;
};

static void collect(struct wy_case *c, const struct wy_dist *d, struct gone *g,
                    struct whyso_strings *list) {
    const struct wy_dist_files *own = wy_files_of(c, d);
    for (size_t i = 0; i < own->nclaimed; i++) {
        const struct wy_claimed *k = own->claimed[i];
        if (k->presence != WY_GONE || (!k->is_so && removable(k->path)))
            continue;
        g->files++;
        g->libraries += k->is_so;
        if (k->is_so && !g->first_library)
            g->first_library = k;
        if (k->is_so && wy_needed_later(c, wy_path_base(k->path)) && g->severity < WHYSO_WARNING)
            g->severity = WHYSO_WARNING;
        if (list->n < MOST_LISTED)
            wy_strings_add(c->arena, list, k->shown);
    }
}

static bool is_gutted(const struct wy_case *c, const struct wy_dist *d) {
    for (size_t i = 0; i < c->findings.n; i++)
        if (c->findings.v[i].dist == d && strcmp(c->findings.v[i].f.rule, "gutted-package") == 0)
            return true;
    return false;
}

static void report(struct wy_case *c, const struct wy_dist *d) {
    struct gone g = {.severity = WHYSO_NOTE};
    struct whyso_strings list = {0};
    collect(c, d, &g, &list);
    const struct wy_want *want = wy_first_want(c, d, WY_WANT_MISSING_FILE);
    if (!g.files && !want)
        return;
    if (want && want->severity > g.severity)
        g.severity = want->severity;
    struct wy_finding *f = wy_make(c, "missing-file", g.severity, d->key);
    if (want)
        wy_make_wanted(c, f, want);
    wy_make_more_wants(c, f, d, WY_WANT_MISSING_FILE);
    wy_make_dist(c, f, d);
    wy_make_counts(c, f, d);
    f->f.missing = list;
    const char *path = want ? want->file : g.first_library ? g.first_library->path : NULL;
    f->f.file = path ? wy_shown(c, path) : list.v[0];
    if (path)
        f->f.library = wy_path_base(path);
    const char *what = want || g.files == 1 ? wy_path_base(f->f.file)
                                            : wy_count(c->arena, g.files, "file", "files");
    f->f.title = wy_arena_printf(c->arena, "%s %s has lost %s", d->name, d->version, what);
    wy_make_because(c, f, "%s lists %s, which is not on disk",
                    wy_shown(c, wy_path_join(c->arena, d->info, "RECORD")), f->f.file);
    wy_make_hollow(c, f, d);
    wy_make_provider(c, f, (struct whyso_provider){d->name, d->version, "pip", "gutted", "RECORD"});
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL, .dist = d};
}

void wy_rule_missing_file(struct wy_case *c) {
    for (size_t i = 0; i < c->world->dists.n; i++)
        if (c->world->files[i].missing && !is_gutted(c, &c->world->dists.v[i]))
            report(c, &c->world->dists.v[i]);
}
