/* From a name to a file: the stages and their lists (elf/dl-load.c, _dl_map_object, open_path). */
#include "ld/internal.h"

#include <errno.h>

enum { SET_UID = 04000, CACHE_LOOKED_AT_MINOR = 44 };

static bool test_bit(const struct ld_work *w, uint32_t bit) {
    return bit / 64 < w->missing.n && (w->missing.v[bit / 64] >> (bit % 64) & 1);
}

static void set_bit(struct ld_work *w, uint32_t bit) {
    while (w->missing.n <= bit / 64)
        wy_vec_push(&w->missing, 0);
    w->missing.v[bit / 64] |= UINT64_C(1) << (bit % 64);
    w->changed = true;
}

/* Up to 2.37, once a name was not found in "/", the loader took "/" for missing, as it asked for
 * the directory "" (open_path). Two bits: taken for missing; something was found there before. */
static bool forgets_root(const struct ld_work *w, const struct ld_dir *d) {
    unsigned minor = w->ld->host->libc_minor;
    return minor && minor < 38 && strcmp(d->text, "/") == 0 && !test_bit(w, d->index + 1);
}

/* One directory: its hwcaps sub-directories, then itself. True when a file ends the search. */
static bool walk_dir(struct ld_work *w, const struct ld_dir *d, struct ld_name *name,
                     struct ld_walk *ret, int *err) {
    bool forgets = forgets_root(w, d);
    *err = d->err;
    for (size_t i = 0; i < d->nsubs; i++) {
        if (forgets && !*d->subs[i].prefix && test_bit(w, d->index))
            return false;
        struct ld_file *f = ld_probe_in(w->ld, d, &d->subs[i], name, err);
        if (!f)
            continue;
        if (w->set_uid && f->verdict.hit == WY_HIT_TAKEN && !(f->image->image->node.mode & SET_UID))
            continue;
        if (f->verdict.hit == WY_HIT_TAKEN || f->verdict.hit == WY_HIT_FATAL) {
            ret->file = f;
            if (forgets)
                set_bit(w, d->index + 1);
            return true;
        }
        *err = ENOENT;
        ret->skipped = ret->skipped ? ret->skipped : f;
        ret->other_class |= f->verdict.hit == WY_HIT_WRONG_CLASS;
    }
    if (forgets) {
        set_bit(w, d->index);
        *err = ENOENT;
    }
    return false;
}

/* ENOTDIR goes on since 2.39 (BZ 31035); before, it ended the list for relative elements, which are
 * never marked as missing, and for a link that leads through a file. */
bool ld_goes_on(const struct ld_work *w, int err) {
    unsigned minor = w->ld->host->libc_minor;
    return err == ENOENT || err == EACCES || (err == ENOTDIR && (minor == 0 || minor >= 39));
}

static void walk_dirs(struct ld_work *w, const struct ld_list *list, struct ld_name *name,
                      struct ld_walk *ret) {
    for (size_t i = 0; i < list->n; i++) {
        const struct ld_dir *d = list->dirs[i];
        int err = 0;
        ret->stop = i + 1;
        if (d->err && !d->relative)
            continue;
        if (walk_dir(w, d, name, ret, &err))
            return;
        if (!err)
            continue;
        ret->err = err;
        ret->err_at = i + 1;
        if (!ld_goes_on(w, err)) {
            ret->ended = true;
            return;
        }
    }
}

/* What the walk leaves in the loader's errno. A missing directory is asked once per process. */
static void settle_errno(struct ld_work *w, const struct ld_list *list, const struct ld_walk *r) {
    if (r->err_at)
        w->err = r->err;
    for (size_t i = 0, seen = 0; seen < list->nmissing && i < r->stop; i++) {
        const struct ld_dir *d = list->dirs[i];
        if (!d->err || d->relative)
            continue;
        seen++;
        if (test_bit(w, d->index))
            continue;
        set_bit(w, d->index);
        if (i + 1 > r->err_at)
            w->err = d->err;
    }
    if (r->file)
        w->err = 0;
}

static const struct ld_walk *walk_of(struct ld_work *w, const struct ld_list *list,
                                     struct ld_name *name) {
    const void *key[2] = {list, name};
    struct wy_str bytes = {(const char *)key, sizeof key};
    bool keep = !list->has_root && !w->set_uid;
    struct ld_walk *r = keep ? wy_map_get(&w->ld->walks, bytes) : NULL;
    if (r)
        return r;
    r = WY_NEW(&w->ld->arena, struct ld_walk);
    r->key[0] = list;
    r->key[1] = name;
    walk_dirs(w, list, name, r);
    bytes.p = (const char *)r->key;
    if (keep)
        *wy_map_at(&w->ld->walks, bytes) = r;
    return r;
}

/* True when the search is over. */
static bool in_list(struct ld_work *w, const struct ld_list *list, struct ld_name *name,
                    enum wy_found by, const struct wy_object *of, struct ld_found *ret) {
    if (!list)
        return false;
    const struct ld_walk *r = walk_of(w, list, name);
    settle_errno(w, list, r);
    ret->other_class |= r->other_class;
    ret->skipped = ret->skipped ? ret->skipped : r->skipped;
    ret->file = r->file;
    ret->by = by;
    ret->of = of;
    return r->file;
}

/* One path: a name with a slash, or what the cache says. */
static bool at_path(struct ld_work *w, const char *path, enum wy_found by, struct ld_found *ret) {
    int err;
    struct ld_file *f = ld_probe_path(w->ld, path, &err);
    ret->by = by;
    ret->of = NULL;
    w->err = err;
    if (!f)
        return false;
    if (f->verdict.hit == WY_HIT_TAKEN || f->verdict.hit == WY_HIT_FATAL) {
        ret->file = f;
        return true;
    }
    w->err = ENOENT;
    ret->skipped = ret->skipped ? ret->skipped : f;
    ret->other_class |= f->verdict.hit == WY_HIT_WRONG_CLASS;
    return false;
}

/* DF_1_NODEFLIB bars cache entries below a default directory: a comparison of text. */
bool ld_barred(const struct wy_ld *ld, const struct wy_object *needer, const char *path) {
    if (!(needer->image->elf.flags_1 & LD_DF_1_NODEFLIB))
        return false;
    for (size_t i = 0; i < ld->host->ndefault_dirs; i++) {
        const char *below = wy_starts(path, ld->host->default_dirs[i])
                                ? path + strlen(ld->host->default_dirs[i])
                                : NULL;
        if (below && *below == '/')
            return true;
    }
    return false;
}

struct ld_chain ld_chain_of(const struct ld_work *w, const struct wy_object *needer) {
    if (ld_has_runpath(needer))
        return (struct ld_chain){NULL, NULL, true};
    return (struct ld_chain){needer, w->members.v[w->order.v[0]].object, false};
}

const struct wy_object *ld_chain_next(struct ld_chain *c) {
    const struct wy_object *o = c->next;
    if (o) {
        c->next = o->loader;
        c->did_main |= o == c->main;
    } else if (!c->did_main) {
        c->did_main = true;
        o = c->main;
    }
    return o;
}

/* A cache file that is not there is opened once per process, and from 2.44 looked at before every
 * search of it, which shows in the errno. */
static const char *cached_path(struct ld_work *w, struct ld_name *name) {
    unsigned minor = w->ld->host->libc_minor;
    bool again = minor == 0 || minor >= CACHE_LOOKED_AT_MINOR;
    if (!w->ld->host->cache_path && (again || !test_bit(w, LD_CACHE_BIT))) {
        set_bit(w, LD_CACHE_BIT);
        w->err = ENOENT;
    }
    return ld_cache_lookup(w->ld, name);
}

void ld_search(struct ld_work *w, struct ld_name *name, const struct wy_object *needer,
               struct ld_found *ret) {
    struct wy_ld *ld = w->ld;
    *ret = (struct ld_found){0};
    if (name->slash) {
        const char *path = ld_expand(ld, name->s, needer->origin);
        if (path)
            at_path(w, path, WY_BY_PATH, ret);
        return;
    }
    struct ld_chain c = ld_chain_of(w, needer);
    for (const struct wy_object *o; (o = ld_chain_next(&c));)
        if (in_list(w, ld_rpath(ld, o), name, WY_BY_RPATH, o, ret))
            return;
    if (in_list(w, w->library_path, name, WY_BY_LD_LIBRARY_PATH, NULL, ret) ||
        in_list(w, ld_runpath(ld, needer), name, WY_BY_RUNPATH, needer, ret))
        return;
    const char *cached = w->set_uid ? NULL : cached_path(w, name);
    if (cached && !ld_barred(ld, needer, cached) && at_path(w, cached, WY_BY_CACHE, ret))
        return;
    if (!(needer->image->elf.flags_1 & LD_DF_1_NODEFLIB))
        in_list(w, ld->defaults, name, WY_BY_DEFAULT, NULL, ret);
}
