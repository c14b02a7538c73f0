/* dpkg's database (dpkg(1), deb-control(5), dpkg-divert(1)): /var/lib/dpkg/status with a stanza for
 * each package, info/NAME.list (or NAME:ARCH.list) with the paths it has, diversions with three
 * lines each. An image without dpkg (distroless) has status.d instead: a stanza and a list of
 * checksums for each package. */
#include "base/map.h"
#include "base/path.h"
#include "sys/manager.h"

static const char *const words[] = {"apt-get", "install", "--reinstall", NULL};

struct dpkg {
    struct wy_sys_reading *r;
    struct wy_map packages;   /* "NAME" and "NAME:ARCH" → struct wy_sys_package * */
    struct wy_map diversions; /* path → struct diversion * */
};

struct diversion {
    struct wy_str to, by; /* `by`: the package whose own file stays where it is; ":" for nobody's */
};

/* ---- stanzas */

static void take_field(struct wy_sys_reading *r, struct wy_str key, struct wy_str value,
                       struct wy_sys_package *p) {
    if (wy_str_is(key, "Package"))
        p->name = wy_sys_word(r, value);
    else if (wy_str_is(key, "Version"))
        p->version = wy_sys_word(r, value);
    else if (wy_str_is(key, "Architecture"))
        p->architecture = wy_sys_word(r, value);
    else if (wy_str_is(key, "Status")) { /* "install ok installed": wanted, error, state */
        value = wy_str_trim(value);
        const char *space = value.n ? memrchr(value.p, ' ', value.n) : NULL;
        size_t at = space ? (size_t)(space + 1 - value.p) : 0;
        p->state = wy_sys_word(r, (struct wy_str){value.p + at, value.n - at});
        if (p->state && strcmp(p->state, "installed") == 0)
            p->state = NULL;
    }
}

/* Up to the next empty line. NULL when it names no package. */
static struct wy_sys_package *read_stanza(struct wy_sys_reading *r, struct wy_str *text) {
    struct wy_sys_package *p = wy_sys_package(r, &wy_sys_dpkg, NULL);
    while (text->p) {
        struct wy_str value, line = wy_str_line(*text, text);
        if (!line.n)
            break;
        if (*line.p == ' ' || *line.p == '\t') /* goes on from the line before */
            continue;
        struct wy_str key = wy_str_cut(line, ':', &value);
        if (value.p)
            take_field(r, key, value, p);
    }
    return p->name ? p : NULL;
}

static void read_status(struct dpkg *d) {
    struct wy_str text;
    if (!wy_sys_text(d->r, NULL, "/var/lib/dpkg/status", &text))
        return;
    for (size_t n = 0; text.p && n < WY_SYS_RECORDS_MAX; n++) {
        struct wy_sys_package *p = read_stanza(d->r, &text);
        if (!p)
            continue;
        *wy_map_at(&d->packages, wy_str_of(p->name)) = p;
        if (p->architecture)
            *wy_map_at(&d->packages,
                       wy_str_of(wy_arena_printf(d->r->arena, "%s:%s", p->name, p->architecture))) =
                p;
    }
    wy_arena_clear(&d->r->texts);
}

/* ---- diversions: the path, where it goes instead, for whom it does not */

static void read_diversions(struct dpkg *d) {
    struct wy_str text;
    if (!wy_sys_text(d->r, NULL, "/var/lib/dpkg/diversions", &text))
        return;
    text = wy_str_of(wy_arena_str(d->r->arena, text)); /* used until the end of the reading */
    for (size_t n = 0; text.p && n < WY_SYS_RECORDS_MAX; n++) {
        struct diversion *made = WY_NEW(d->r->arena, struct diversion);
        struct wy_str from = wy_str_line(text, &text);
        made->to = text.p ? wy_str_line(text, &text) : (struct wy_str){0};
        made->by = text.p ? wy_str_line(text, &text) : (struct wy_str){0};
        if (from.n && made->to.n && made->by.n)
            *wy_map_at(&d->diversions, from) = made;
    }
}

static void list(struct dpkg *d, const struct wy_sys_package *p, struct wy_str path) {
    const struct diversion *k = wy_map_get(&d->diversions, path);
    wy_sys_list(d->r, p, k && !wy_str_is(k->by, p->name) ? k->to : path);
}

/* ---- lists */

/* A list whose package the status does not know still says a name. */
static const struct wy_sys_package *package_of(struct dpkg *d, struct wy_str stem,
                                               const char *record) {
    struct wy_sys_package *p = wy_map_get(&d->packages, stem);
    if (!p) {
        struct wy_str arch;
        p = wy_sys_package(d->r, &wy_sys_dpkg, NULL);
        p->state = "not in the status file";
        p->name = wy_arena_str(d->r->arena, wy_str_cut(stem, ':', &arch));
        p->architecture = arch.p ? wy_arena_str(d->r->arena, arch) : NULL;
    }
    p->record = record;
    return p;
}

static void read_lists(struct dpkg *d) {
    static const char folder[] = "/var/lib/dpkg/info";
    struct wy_dir *info;
    size_t n;
    if (wy_tree_find_dir(d->r->tree, NULL, folder, &info) != 0)
        return;
    const struct wy_entry *entries = wy_dir_entries(info, &n);
    for (size_t i = 0; i < n; i++) {
        struct wy_str text, stem = wy_str_of(entries[i].name);
        if (!wy_str_ends(stem, ".list") || stem.n == 5 || *stem.p == ':')
            continue;
        stem.n -= 5;
        wy_arena_clear(&d->r->texts);
        if (!wy_sys_text(d->r, info, entries[i].name, &text))
            continue;
        const char *record = wy_path_join(d->r->arena, folder, entries[i].name);
        const struct wy_sys_package *p = package_of(d, stem, record);
        while (text.p)
            list(d, p, wy_str_line(text, &text));
    }
}

/* Lines of a checksum, two spaces and a path without the leading slash. */
static void read_sums(struct dpkg *d, const struct wy_sys_package *p, struct wy_str text) {
    while (text.p) {
        struct wy_str line = wy_str_line(text, &text);
        size_t at = wy_str_find(line, WY_STR("  "));
        if (at != SIZE_MAX)
            wy_sys_list(d->r, p, (struct wy_str){line.p + at + 2, line.n - at - 2});
    }
}

static void read_status_d(struct dpkg *d) {
    static const char folder[] = "/var/lib/dpkg/status.d";
    struct wy_dir *dir;
    size_t n;
    if (wy_tree_find_dir(d->r->tree, NULL, folder, &dir) != 0)
        return;
    const struct wy_entry *entries = wy_dir_entries(dir, &n);
    for (size_t i = 0; i < n && i < WY_SYS_RECORDS_MAX; i++) {
        struct wy_str text;
        wy_arena_clear(&d->r->texts);
        if (wy_ends(entries[i].name, ".md5sums") || !wy_sys_text(d->r, dir, entries[i].name, &text))
            continue;
        struct wy_sys_package *p = read_stanza(d->r, &text);
        const char *sums = wy_arena_printf(d->r->arena, "%s.md5sums", entries[i].name);
        if (!p || !wy_sys_text(d->r, dir, sums, &text))
            continue;
        p->reinstall.words = NULL;
        p->record = wy_path_join(d->r->arena, folder, sums);
        read_sums(d, p, text);
    }
}

static void read_dpkg(struct wy_sys_reading *r) {
    struct dpkg d = {.r = r};
    read_status(&d);
    read_diversions(&d);
    read_lists(&d);
    read_status_d(&d);
    wy_arena_clear(&r->texts);
    wy_map_deinit(&d.packages);
    wy_map_deinit(&d.diversions);
}

const struct wy_sys_manager wy_sys_dpkg = {"dpkg", {"apt", words}, read_dpkg, NULL};
