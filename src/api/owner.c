/* whyso owner: which packages claim a file, and whose bytes are on disk. */
#include "api/owners.h"
#include "api/session.h"

#include "base/path.h"

static void add(struct whyso_answer *a, struct wy_owners *list, struct whyso_owner item) {
    size_t n = list->n;
    if ((n & (n - 1)) == 0) { /* the room is the next power of two */
        struct whyso_owner *grown = wy_arena_alloc(&a->arena, (n ? n * 2 : 1) * sizeof *grown);
        if (n)
            memcpy(grown, list->v, n * sizeof *grown);
        list->v = grown;
    }
    list->v[n] = item;
    list->n++;
}

/* A path with one owner that is there and is no library: its row is looked up now. Size and hash
 * are compared now as well, since somebody asks. */
static void single_owner(struct whyso_answer *a, const char *path, const struct wy_dist *d,
                         struct wy_owners *list) {
    for (size_t i = 0; i < d->record.n; i++) {
        struct wy_arena scratch = WY_ARENA_INIT;
        const char *own =
            wy_path_clean(&scratch, wy_path_join(&scratch, d->site, d->record.v[i].path));
        bool same = strcmp(own, path) == 0;
        wy_arena_deinit(&scratch);
        if (same) {
            add(a, list, wy_owner_by_record(&a->arena, d, &d->record.v[i], WY_BYTES_UNCHECKED));
            return;
        }
    }
}

void wy_owners_of(struct whyso_answer *a, const char *path, const struct wy_place *place,
                  struct wy_owners *ret) {
    *ret = (struct wy_owners){0};
    const struct wy_claimed *k = wy_world_claimed(a->world, path);
    for (size_t i = 0; k && i < k->nclaims; i++)
        add(a, ret,
            wy_owner_by_record(&a->arena, k->claims[i].dist, k->claims[i].row, k->claims[i].bytes));
    const struct wy_dist *d = k || !place->entry ? NULL : wy_world_owner(a->world, place);
    if (d)
        single_owner(a, path, d, ret);
    const struct wy_sys_file *files;
    size_t n = wy_world_system_owners(a->world, path, &files);
    for (size_t i = 0; i < n; i++)
        add(a, ret, wy_owner_by_system(a->world, &files[i]));
}

static const char *plain(const char *subject) {
    return wy_starts(subject, "file:") ? subject + 5 : subject;
}

/* All at once, so that the lists of the system's packages are read once. */
static void announce(struct whyso_answer *a, const struct whyso_options *o,
                     const char *const *paths, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct wy_place place;
        bool exists;
        const char *path = wy_subject_path(a, o, plain(paths[i]), &place, &exists);
        wy_world_expect(a->world, path);
    }
}

static void fill(struct whyso_answer *a, const struct whyso_options *o, const char *text,
                 struct whyso_owned *ret) {
    struct wy_place place;
    struct wy_owners owners;
    const char *path = wy_subject_path(a, o, plain(text), &place, &ret->exists);
    ret->path = wy_world_shown(a->world, path);
    ret->unread = wy_world_unread(a->world, path);
    wy_owners_of(a, path, &place, &owners);
    ret->owners.v = owners.v;
    ret->owners.n = owners.n;
}

struct whyso_answer *whyso_owner(const struct whyso_options *o, const char *const *paths, size_t n,
                                 const struct whyso_owner_answer **ret) {
    struct whyso_answer *a = wy_answer_new();
    *ret = NULL;
    if (wy_answer_fails(a, wy_session_open(a, o)))
        return a;
    struct whyso_owner_answer *r = WY_NEW(&a->arena, struct whyso_owner_answer);
    wy_session_environment(a, o, &r->environment);
    r->paths.v = wy_arena_zero(&a->arena, (n + 1) * sizeof *r->paths.v);
    announce(a, o, paths, n);
    for (size_t i = 0; i < n; i++)
        fill(a, o, paths[i], &r->paths.v[r->paths.n++]);
    *ret = r;
    return a;
}
