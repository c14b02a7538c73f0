/* The index over all managers: which package lists a path. */
#include "base/map.h"
#include "base/path.h"
#include "base/vec.h"
#include "sys/manager.h"

#include <stdio.h>

enum { LONGEST_PATH = 4096, LONGEST_NAME = 255, MOST_OWNERS = 64 };

static const struct wy_sys_manager *const managers[] = {
    &wy_sys_apk, &wy_sys_conda, &wy_sys_dpkg, &wy_sys_pacman, &wy_sys_rpm,
};
enum { MANAGERS = sizeof managers / sizeof *managers };

struct listed { /* one path that a package lists */
    const struct wy_sys_package *package;
    const char *path;
    const struct listed *next; /* of the same file name, the latest first */
};

/* The managers of the root, or those of one conda prefix. */
struct domain {
    const char *prefix;    /* NULL: the root */
    struct wy_map by_name; /* file name → struct listed *, or NULL */
    struct wy_map asked;   /* file names that are kept beside those of libraries */
    size_t kept;
    bool current; /* by_name has all names that were asked for */
    const char *unread;
    struct domain *next;
};

struct wy_sys {
    struct wy_tree *tree;
    struct domain root;
    struct domain *prefixes; /* of conda, as they were met */
    struct wy_arena arena;
};

struct wy_sys *wy_sys_create(struct wy_tree *t) {
    struct wy_sys *s = wy_alloc0(1, sizeof *s);
    s->tree = t;
    return s;
}

void wy_sys_destroy(struct wy_sys *s) {
    if (!s)
        return;
    s->root.next = s->prefixes;
    for (struct domain *d = &s->root; d; d = d->next) {
        wy_map_deinit(&d->by_name);
        wy_map_deinit(&d->asked);
    }
    wy_arena_deinit(&s->arena);
    free(s);
}

/* ---- reading */

struct target { /* what wy_sys_list fills */
    struct wy_sys *s;
    struct domain *d;
};

static bool is_library(struct wy_str name) {
    char text[LONGEST_NAME + 1];
    if (wy_str_find(name, WY_STR(".so")) == SIZE_MAX)
        return false;
    memcpy(text, name.p, name.n);
    text[name.n] = '\0';
    return wy_path_is_so(text);
}

static bool is_kept(const struct domain *d, struct wy_str name) {
    return is_library(name) || wy_map_get(&d->asked, name);
}

void wy_sys_list_in(struct wy_sys_reading *r, const struct wy_sys_package *p, struct wy_str folder,
                    struct wy_str name) {
    const struct target *to = r->to;
    struct domain *d = to->d;
    size_t prefix = d->prefix ? strlen(d->prefix) : 0;
    if (!name.n || name.n > LONGEST_NAME || memchr(name.p, '\0', name.n) || !is_kept(d, name))
        return;
    if (prefix + folder.n + name.n + 3 > LONGEST_PATH || d->kept == WY_SYS_KEPT_MAX ||
        (folder.n && memchr(folder.p, '\0', folder.n)))
        return;
    char text[LONGEST_PATH];
    snprintf(text, sizeof text, "%s/%.*s/%.*s", d->prefix ? d->prefix : "", (int)folder.n,
             folder.n ? folder.p : "", (int)name.n, name.p);
    const char *path = wy_path_clean(&to->s->arena, text);
    struct listed *made = WY_NEW(&to->s->arena, struct listed);
    void **slot = wy_map_at(&d->by_name, wy_str_of(wy_path_base(path)));
    *made = (struct listed){p, path, *slot};
    *slot = made;
    d->kept++;
}

void wy_sys_list(struct wy_sys_reading *r, const struct wy_sys_package *p, struct wy_str path) {
    const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
    size_t folder = slash ? (size_t)(slash - path.p) : 0, name = slash ? folder + 1 : 0;
    wy_sys_list_in(r, p, (struct wy_str){path.p, folder},
                   (struct wy_str){path.p + name, path.n - name});
}

struct wy_sys_package *wy_sys_package(struct wy_sys_reading *r, const struct wy_sys_manager *m,
                                      const char *record) {
    struct wy_sys_package *p = WY_NEW(r->arena, struct wy_sys_package);
    *p = (struct wy_sys_package){
        .manager = m->name, .reinstall = m->reinstall, .record = record, .prefix = r->prefix};
    return p;
}

bool wy_sys_text(struct wy_sys_reading *r, struct wy_dir *dir, const char *path,
                 struct wy_str *ret) {
    uint64_t left = WY_SYS_ALL_MAX - r->read;
    uint64_t most = left < WY_SYS_FILE_MAX ? left : WY_SYS_FILE_MAX;
    if (wy_tree_slurp(r->tree, dir, path, most, &r->texts, ret) != 0)
        return false;
    r->read += ret->n;
    return true;
}

const char *wy_sys_word(struct wy_sys_reading *r, struct wy_str s) {
    s = wy_str_trim(s);
    return s.n && s.n <= LONGEST_NAME && !memchr(s.p, '\0', s.n) ? wy_arena_str(r->arena, s) : NULL;
}

/* All lists of a domain once more, with the names that are asked for by now. What was given out
 * stays where it is. */
static void read_domain(struct wy_sys *s, struct domain *d) {
    struct target to = {s, d};
    struct wy_sys_reading r = {.tree = s->tree, .prefix = d->prefix, .arena = &s->arena, .to = &to};
    wy_map_deinit(&d->by_name);
    d->by_name = (struct wy_map){0};
    d->kept = 0;
    for (size_t i = 0; i < MANAGERS; i++)
        if ((managers[i] == &wy_sys_conda) == (d->prefix != NULL))
            managers[i]->read(&r);
    d->unread = r.unread;
    d->current = true;
    wy_arena_deinit(&r.texts);
}

/* ---- asking */

/* The nearest folder above a path that conda keeps records in. */
static struct domain *domain_of(struct wy_sys *s, const char *path) {
    struct wy_arena scratch = WY_ARENA_INIT;
    struct domain *ret = &s->root;
    struct wy_dir *dir;
    const char *top = wy_path_dir(&scratch, path);
    for (; top[0] == '/' && top[1]; top = wy_path_dir(&scratch, top))
        if (wy_tree_find_dir(s->tree, NULL, wy_path_join(&scratch, top, "conda-meta"), &dir) == 0)
            break;
    if (top[0] == '/' && top[1]) {
        for (ret = s->prefixes; ret && strcmp(ret->prefix, top) != 0;)
            ret = ret->next;
        if (!ret) {
            ret = WY_NEW(&s->arena, struct domain);
            *ret = (struct domain){.prefix = wy_arena_cstr(&s->arena, top), .next = s->prefixes};
            s->prefixes = ret;
        }
    }
    wy_arena_deinit(&scratch);
    return ret;
}

/* The folder of a path without links, as far as it is there. */
static const char *real_folder(struct wy_sys *s, struct wy_arena *a, const char *path) {
    const char *folder = wy_path_dir(a, path), *rest = "";
    struct wy_dir *dir;
    while (folder[0] == '/' && folder[1] && wy_tree_find_dir(s->tree, NULL, folder, &dir) != 0) {
        rest = wy_arena_printf(a, "/%s%s", wy_path_base(folder), rest);
        folder = wy_path_dir(a, folder);
    }
    const char *real = folder[0] == '/' && folder[1] ? wy_dir_path(dir) : "";
    return wy_arena_printf(a, "%s%s", strcmp(real, "/") == 0 ? "" : real, rest);
}

static void expect(struct wy_sys *s, struct domain *d, const char *name) {
    size_t n = strlen(name);
    if (n > LONGEST_NAME || is_kept(d, (struct wy_str){name, n}))
        return;
    *wy_map_at(&d->asked, wy_str_of(wy_arena_cstr(&s->arena, name))) = d;
    d->current = false;
}

void wy_sys_expect(struct wy_sys *s, const char *path) {
    expect(s, domain_of(s, path), wy_path_base(path));
}

static int by_package(const void *a, const void *b) {
    const struct wy_sys_file *x = a, *y = b;
    int name = strcmp(x->package->name, y->package->name);
    if (!name)
        name = strcmp(x->package->record, y->package->record);
    return name ? name : strcmp(x->path, y->path);
}

static const struct wy_sys_manager *manager_of(const struct wy_sys_package *p) {
    for (size_t i = 0; i < MANAGERS; i++)
        if (strcmp(managers[i]->name, p->manager) == 0)
            return managers[i];
    return NULL;
}

static void describe(struct wy_sys *s, struct wy_sys_file *f) {
    const struct wy_sys_manager *m = manager_of(f->package);
    struct wy_sys_reading r = {.tree = s->tree, .prefix = f->package->prefix, .arena = &s->arena};
    if (m && m->describe)
        m->describe(&r, f);
    wy_arena_deinit(&r.texts);
}

size_t wy_sys_owners(struct wy_sys *s, const char *path, const struct wy_sys_file **ret) {
    struct wy_arena scratch = WY_ARENA_INIT;
    WY_VEC(struct wy_sys_file) found = {0};
    const char *clean = wy_path_clean(&scratch, path);
    struct domain *d = domain_of(s, clean);
    expect(s, d, wy_path_base(clean));
    if (!d->current)
        read_domain(s, d);
    const char *folder = real_folder(s, &scratch, clean);
    const struct listed *k = wy_map_get(&d->by_name, wy_str_of(wy_path_base(clean)));
    struct wy_arena moment = WY_ARENA_INIT;
    for (; k && found.n < MOST_OWNERS; k = k->next) {
        bool known = false;
        for (size_t i = 0; i < found.n && !known; i++)
            known = found.v[i].package == k->package;
        if (!known &&
            (strcmp(k->path, clean) == 0 || strcmp(real_folder(s, &moment, k->path), folder) == 0))
            wy_vec_push(&found, ((struct wy_sys_file){k->package, k->path, -1, NULL}));
        wy_arena_clear(&moment);
    }
    wy_arena_deinit(&moment);
    size_t n = found.n;
    for (size_t i = 0; i < n; i++)
        describe(s, &found.v[i]);
    if (n)
        qsort(found.v, n, sizeof *found.v, by_package);
    wy_vec_keep(&s->arena, &found);
    *ret = found.v;
    wy_arena_deinit(&scratch);
    return n;
}

const char *wy_sys_unread(struct wy_sys *s, const char *path) {
    struct domain *d = domain_of(s, path);
    if (!d->current)
        read_domain(s, d);
    return d->unread;
}

/* ---- repair */

bool wy_sys_is_fit(struct wy_str s, const char *marks) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool digit = c >= '0' && c <= '9';
        if (!letter && !digit && (i == 0 || !c || !strchr(marks, c)))
            return false;
    }
    return s.n > 0;
}

/* conda takes NAME=VERSION=BUILD: the very build that is recorded. */
const char *wy_sys_argument(const struct wy_sys_package *p, struct wy_arena *a) {
    if (!wy_sys_is_fit(wy_str_of(p->name), WY_SYS_NAME_MARKS))
        return NULL;
    if (!p->prefix || !p->version || !p->build)
        return p->name;
    bool fit = wy_sys_is_fit(wy_str_of(p->version), WY_SYS_NAME_MARKS "!~") &&
               wy_sys_is_fit(wy_str_of(p->build), WY_SYS_NAME_MARKS);
    return fit ? wy_arena_printf(a, "%s=%s=%s", p->name, p->version, p->build) : NULL;
}
