/* Files of the machine in findings: whose they are by its package managers, and how a package gets
 * its files back. */
#include "base/sha256.h"
#include "rule/internal.h"

struct whyso_owner wy_owner_by_record(struct wy_arena *a, const struct wy_dist *d,
                                      const struct wy_record_row *row, enum wy_bytes bytes) {
    char hex[65];
    bool hashed = wy_sha256_from_record(row->hash, hex);
    return (struct whyso_owner){.package = d->name,
                                .version = d->version,
                                .size = row->size,
                                .sha256 = hashed ? wy_arena_cstr(a, hex) : NULL,
                                .on_disk = wy_bytes_word(bytes),
                                .manager = "pip"};
}

static enum wy_bytes on_disk(const struct wy_world *w, const struct wy_sys_file *f) {
    struct wy_place place;
    struct wy_node node;
    if (wy_tree_find(w->tree, NULL, f->path, 0, &place) != 0 ||
        wy_place_stat(w->tree, &place, &node) != 0)
        return WY_BYTES_ABSENT;
    return f->size >= 0 && (uint64_t)f->size != node.size ? WY_BYTES_DIFFERS : WY_BYTES_UNCHECKED;
}

struct whyso_owner wy_owner_by_system(const struct wy_world *w, const struct wy_sys_file *f) {
    const struct wy_sys_package *p = f->package;
    return (struct whyso_owner){.package = p->name,
                                .version = p->version,
                                .size = f->size,
                                .sha256 = f->sha256,
                                .on_disk = wy_bytes_word(on_disk(w, f)),
                                .manager = p->manager,
                                .architecture = p->architecture,
                                .build = p->build,
                                .channel = p->channel,
                                .state = p->state};
}

/* A path as answers show it, made absolute again. */
static const char *absolute(const struct wy_world *w, struct wy_arena *a, const char *shown) {
    return wy_path_clean(a, wy_path_join(a, w->env.prefix, shown));
}

void wy_name_candidate(const struct wy_world *w, struct wy_arena *a, struct whyso_candidate *k) {
    if (k->package)
        k->manager = "pip";
    if (k->package || !k->file)
        return;
    const struct wy_sys_package *p = wy_world_system_package(w, absolute(w, a, k->file));
    k->package = p ? p->name : NULL;
    k->manager = p ? p->manager : NULL;
}

/* "libgomp1 12.2.0-14 (dpkg)", "half 1.0 (dpkg, half-installed)". */
static const char *named(struct wy_case *c, const struct wy_sys_package *p) {
    return wy_arena_printf(c->arena, "%s%s%s (%s%s%s)", p->name, p->version ? " " : "",
                           p->version ? p->version : "", p->manager, p->state ? ", " : "",
                           p->state ? p->state : "");
}

static void name_file(struct wy_case *c, struct wy_finding *f) {
    const struct wy_sys_file *files;
    const char *path = f->f.file ? absolute(c->world, c->arena, f->f.file) : NULL;
    if (!path || f->f.owners.n || wy_world_claimed(c->world, path))
        return;
    size_t n = wy_world_system_owners(c->world, path, &files);
    for (size_t i = 0; i < n; i++)
        WY_ADD(c->arena, &f->f.owners, wy_owner_by_system(c->world, &files[i]));
    if (!n)
        return;
    const char *text =
        wy_arena_printf(c->arena, "%s belongs to %s", f->f.file, named(c, files->package));
    wy_make_because(c, f, "%s", text);
    if (f->why)
        f->why = wy_arena_printf(c->arena, "%s %s.", f->why, text);
}

void wy_name_system_owners(struct wy_case *c) {
    for (size_t i = 0; i < c->findings.n; i++) {
        struct wy_finding *f = &c->findings.v[i];
        for (size_t k = 0; k < f->f.candidates.n; k++)
            wy_name_candidate(c->world, c->arena, &f->f.candidates.v[k]);
        name_file(c, f);
    }
}

/* ---- repair */

static void advise(struct wy_case *c, struct wy_finding *f, const struct wy_sys_file *file) {
    const struct wy_sys_package *p = file->package;
    wy_make_provider(
        c, f, (struct whyso_provider){p->name, p->version, p->reinstall.as, "gutted", p->manager});
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_SYSTEM, .package = p, .name = file->path};
}

bool wy_advise_put_back(struct wy_case *c, struct wy_finding *f, const char *soname) {
    for (size_t i = 0; i < f->f.searched.n && !strchr(soname, '/'); i++) {
        const struct wy_sys_file *files;
        struct wy_place place;
        const char *folder = absolute(c->world, c->arena, f->f.searched.v[i].place);
        const char *path = wy_path_join(c->arena, folder, soname);
        if (!wy_world_system_owners(c->world, path, &files) ||
            wy_tree_find(c->world->tree, NULL, path, 0, &place) == 0)
            continue;
        wy_make_because(c, f, "%s lists %s (%s), and it is not there", named(c, files->package),
                        files->path, files->package->record);
        advise(c, f, files);
        return true;
    }
    return false;
}

bool wy_advise_mended(struct wy_case *c, struct wy_finding *f, const char *path) {
    const struct wy_sys_file *files;
    if (!wy_world_system_owners(c->world, path, &files))
        return false;
    advise(c, f, files);
    return true;
}
