#include "pip/dist_files.h"
#include "base/path.h"
#include "base/utf8.h"
#include "pip/headers.h"

#include <errno.h>

enum { SMALL_FILE = 64 << 10, TEXT_LIST_MAX = 16 << 20, LABEL_MAX = 255 };

struct texts {
    const char **v;
    size_t n, cap;
};

struct reader {
    struct wy_tree *tree;
    struct wy_arena *arena;
    struct wy_dir *dir; /* of the dist-info; NULL when it is a single file, or cannot be entered */
    int dir_error;      /* errno of entering it; ENOTDIR for a single file */
    struct wy_dist_task *task;
    struct wy_dist *dist;
};

static void problem(struct reader *r, const char *file, const char *what) {
    if (!r->dist->problem)
        r->dist->problem = wy_arena_printf(r->arena, "%s: %s", file, what);
}

static bool is_utf8(const char *text) {
    struct wy_str s = wy_str_of(text);
    uint32_t ignored;
    while (s.n) {
        unsigned n = wy_utf8_next(s, &ignored);
        if (n == 0)
            return false;
        s = (struct wy_str){s.p + n, s.n - n};
    }
    return true;
}

/* 0 or errno; ENOENT when the dist-info is a single file. */
static int slurp(struct reader *r, const char *name, uint64_t max, struct wy_str *ret) {
    *ret = (struct wy_str){0};
    if (!r->dir)
        return r->dir_error == ENOTDIR ? ENOENT : r->dir_error;
    return wy_tree_slurp(r->tree, r->dir, name, max, r->arena, ret);
}

static const char *why_not(int e, const char *limit) {
    if (e == EFBIG)
        return limit;
    return e == EINVAL || e == EISDIR ? "not a regular file" : strerror(e);
}

/* ---- names ---- */

/* NAME-VERSION, where NAME has no '-' by the wheel specification; old tools left some in, so the
 * cut is at the last '-' before a digit. */
static void name_from_folder(struct reader *r) {
    const char *folder = wy_path_base(r->dist->info);
    struct wy_str stem = {folder, strlen(folder) - strlen(".dist-info")};
    if (r->dist->egg) {
        size_t py = wy_str_find(stem, WY_STR("-py3"));
        stem.n = strlen(folder) - strlen(".egg-info");
        if (py < stem.n)
            stem.n = py;
    }
    size_t cut = stem.n;
    for (size_t i = 1; i + 1 < stem.n; i++)
        if (stem.p[i] == '-' && stem.p[i + 1] >= '0' && stem.p[i + 1] <= '9')
            cut = i;
    r->dist->name = wy_arena_str(r->arena, (struct wy_str){stem.p, cut});
    r->dist->version =
        cut < stem.n ? wy_arena_str(r->arena, (struct wy_str){stem.p + cut + 1, stem.n - cut - 1})
                     : "";
}

/* ---- METADATA ---- */

/* A name or version stands in sentences and tables: not megabytes of it. */
static void take_label(struct reader *r, struct wy_str value, const char *file, const char **ret) {
    if (value.n > LABEL_MAX)
        problem(r, file, "Name or Version is longer than 255 bytes");
    else
        *ret = wy_header_text(r->arena, value);
}

static void take_headers(struct reader *r, struct wy_str text, const char *file) {
    struct wy_dist *d = r->dist;
    struct wy_str name, value;
    struct texts requires = {0};
    bool named = false, versioned = false; /* the first of each counts */
    while (wy_header_next(&text, &name, &value)) {
        if (!named && wy_header_is(name, "Name") && value.n) {
            take_label(r, value, file, &d->name);
            named = true;
        } else if (!versioned && wy_header_is(name, "Version") && value.n) {
            take_label(r, value, file, &d->version);
            versioned = true;
        } else if (wy_header_is(name, "Requires-Dist")) {
            wy_vec_push(&requires, wy_header_text(r->arena, value));
        } else if (!d->requires_python && wy_header_is(name, "Requires-Python")) {
            d->requires_python = wy_header_text(r->arena, value);
        }
    }
    wy_vec_keep(r->arena, &requires);
    d->requires = requires.v;
    d->nrequires = requires.n;
    if (!named)
        problem(r, file, "has no Name");
    else if (!is_utf8(d->name) || !is_utf8(d->version))
        problem(r, file, "Name or Version is not UTF-8");
}

static void read_metadata(struct reader *r) {
    const char *file = r->dist->egg ? "PKG-INFO" : "METADATA";
    struct wy_str text = {NULL, 0};
    int e;
    if (r->dir || r->dir_error != ENOTDIR) {
        e = slurp(r, file, WY_METADATA_MAX_BYTES, &text);
    } else {
        struct wy_place place = {.dir = r->dist->site_dir, .entry = r->task->entry};
        e = wy_place_slurp(r->tree, &place, WY_METADATA_MAX_BYTES, r->arena, &text);
    }
    if (e == 0) {
        take_headers(r, text, file);
        return;
    }
    r->dist->no_metadata = true;
    if (e != ENOENT)
        problem(r, file, why_not(e, "larger than 4 MiB"));
}

/* requires.txt of an egg-info: "[extra:marker]" sections. The lines become what METADATA would
 * say. */
static const char *egg_requirement(struct reader *r, struct wy_str line, struct wy_str section) {
    struct wy_str marker, extra = wy_str_trim(wy_str_cut(section, ':', &marker));
    const char *by =
        extra.n ? wy_arena_printf(r->arena, "extra == \"%.*s\"", (int)extra.n, extra.p) : NULL;
    int n = (int)line.n, m = (int)marker.n;
    if (marker.n && by)
        return wy_arena_printf(r->arena, "%.*s; (%.*s) and %s", n, line.p, m, marker.p, by);
    if (marker.n)
        return wy_arena_printf(r->arena, "%.*s; %.*s", n, line.p, m, marker.p);
    return by ? wy_arena_printf(r->arena, "%.*s; %s", n, line.p, by) : wy_arena_str(r->arena, line);
}

static void read_egg_requires(struct reader *r) {
    struct wy_str rest, section = {NULL, 0};
    struct texts requires = {0};
    if (r->dist->nrequires || slurp(r, "requires.txt", SMALL_FILE, &rest) != 0)
        return;
    while (rest.p) {
        struct wy_str line = wy_str_trim(wy_str_line(rest, &rest));
        if (line.n == 0 || line.p[0] == '#')
            continue;
        if (line.p[0] == '[' && line.p[line.n - 1] == ']')
            section = (struct wy_str){line.p + 1, line.n - 2};
        else
            wy_vec_push(&requires, egg_requirement(r, line, section));
    }
    wy_vec_keep(r->arena, &requires);
    r->dist->requires = requires.v;
    r->dist->nrequires = requires.n;
}

/* ---- RECORD ---- */

/* `pip install --target` moves lib/python/, bin/ and share/ of a home scheme into one folder and
 * leaves the rows as they were: ../../bin/NAME now lies at bin/NAME. */
static void undo_target(struct reader *r, struct wy_record_row *row) {
    static const char up[] = "../../";
    struct wy_place place;
    const char *moved = row->path + strlen(up);
    struct wy_dir *site = r->dist->site_dir;
    if (wy_starts(row->path, up) && !wy_starts(moved, "/") && !strstr(moved, "..") &&
        wy_tree_find(r->tree, site, moved, WY_FIND_NOFOLLOW, &place) == 0 &&
        wy_tree_find(r->tree, site, row->path, WY_FIND_NOFOLLOW, &place) != 0)
        row->path = moved;
}

static void read_record(struct reader *r) {
    struct wy_str text = {0};
    int e = slurp(r, "RECORD", WY_RECORD_MAX_BYTES, &text);
    if (e) {
        r->dist->no_record = e == ENOENT;
        if (e != ENOENT)
            problem(r, "RECORD", why_not(e, "larger than 64 MiB"));
        return;
    }
    char *bytes; /* the slurped copy is ours to change */
    memcpy(&bytes, &text.p, sizeof bytes);
    const char *what = wy_record_parse(bytes, text.n, r->arena, &r->dist->record);
    if (what)
        problem(r, "RECORD", what);
    wy_vec_keep(r->arena, &r->dist->record);
    for (size_t i = 0; i < r->dist->record.n; i++)
        undo_target(r, &r->dist->record.v[i]);
}

/* installed-files.txt of an egg-info: paths relative to the egg-info folder. */
static void read_installed_files(struct reader *r) {
    struct wy_str rest = {0};
    r->dist->no_record = true;
    if (slurp(r, "installed-files.txt", TEXT_LIST_MAX, &rest) != 0)
        return;
    r->dist->no_record = false;
    const char *folder = wy_path_base(r->dist->info);
    while (rest.p) {
        struct wy_str line = wy_str_trim(wy_str_line(rest, &rest));
        if (line.n == 0 || memchr(line.p, '\0', line.n))
            continue;
        const char *path = wy_path_join(r->arena, folder, wy_arena_str(r->arena, line));
        struct wy_record_row row = {.path = wy_path_clean(r->arena, path), .size = -1};
        wy_vec_push(&r->dist->record, row);
    }
    wy_vec_keep(r->arena, &r->dist->record);
}

/* ---- the small files ---- */

static void read_wheel(struct reader *r) {
    struct wy_str text = {0}, name = {0}, value = {0};
    struct texts tags = {0};
    if (slurp(r, "WHEEL", SMALL_FILE, &text) != 0)
        return;
    while (wy_header_next(&text, &name, &value)) {
        if (wy_header_is(name, "Tag"))
            wy_vec_push(&tags, wy_header_text(r->arena, value));
        else if (wy_header_is(name, "Root-Is-Purelib"))
            r->dist->purelib = strcasecmp(wy_header_text(r->arena, value), "true") == 0;
    }
    wy_vec_keep(r->arena, &tags);
    r->dist->tags = tags.v;
    r->dist->ntags = tags.n;
}

static void read_installer(struct reader *r) {
    struct wy_str text, rest;
    r->dist->installer = "";
    if (slurp(r, "INSTALLER", SMALL_FILE, &text) == 0)
        r->dist->installer = wy_header_text(r->arena, wy_str_trim(wy_str_line(text, &rest)));
}

/* PEP 610: "dir_info": {"editable": true}. One flag is wanted, so no JSON reader. */
static void read_direct_url(struct reader *r) {
    struct wy_str text;
    if (slurp(r, "direct_url.json", SMALL_FILE, &text) != 0)
        return;
    size_t at = wy_str_find(text, WY_STR("\"editable\""));
    if (at == SIZE_MAX)
        return;
    at += strlen("\"editable\"");
    text = wy_str_trim((struct wy_str){text.p + at, text.n - at});
    if (text.n && text.p[0] == ':')
        r->dist->editable =
            wy_str_starts(wy_str_trim((struct wy_str){text.p + 1, text.n - 1}), "true");
}

static int info_dir(struct wy_tree *t, const struct wy_dist_task *task, struct wy_dir **ret) {
    return wy_tree_find_dir(t, task->dist.site_dir, task->entry->name, ret);
}

void wy_dist_weigh(struct wy_tree *t, struct wy_dist_task *task) {
    struct wy_dir *dir;
    info_dir(t, task, &dir);
    struct wy_place place = {.dir = dir, .entry = dir ? wy_dir_get(dir, "RECORD") : NULL};
    struct wy_node node;
    task->weight = place.entry && wy_place_stat(t, &place, &node) == 0 ? node.size : 0;
}

void wy_dist_read(struct wy_tree *t, struct wy_dist_task *task, struct wy_arena *a) {
    struct reader r = {.tree = t, .arena = a, .task = task, .dist = &task->dist};
    r.dir_error = info_dir(t, task, &r.dir);
    name_from_folder(&r);
    read_metadata(&r);
    r.dist->key = wy_dist_key(a, wy_str_of(r.dist->name));
    if (r.dist->egg) {
        read_egg_requires(&r);
        read_installed_files(&r);
    } else {
        read_record(&r);
        read_wheel(&r);
    }
    read_installer(&r);
    read_direct_url(&r);
    r.dist->requested = r.dir && wy_dir_get(r.dir, "REQUESTED");
}
