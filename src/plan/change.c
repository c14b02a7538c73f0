/* Remedies → changes. */
#include "plan/change.h"

#include "base/path.h"

void wy_changes_deinit(struct wy_changes *c) {
    wy_map_deinit(&c->suspects);
    wy_vec_free(c);
}

static void add(struct wy_changes *c, struct wy_change change) {
    for (size_t i = 0; i < c->n; i++)
        if (c->v[i].kind == change.kind && c->v[i].dist == change.dist &&
            wy_same(c->v[i].name, change.name))
            return;
    wy_vec_push(c, change);
}

static void suspect(struct wy_changes *c, const char *shown) {
    if (shown)
        *wy_map_at(&c->suspects, wy_str_of(shown)) = c;
}

static void put_back(struct wy_changes *c, const struct wy_finding *f) {
    suspect(c, f->f.file);
    for (size_t i = 0; i < f->f.missing.n; i++)
        suspect(c, f->f.missing.v[i]);
    add(c, (struct wy_change){.kind = WY_CHANGE_PUT_BACK,
                              .dist = f->remedy.dist,
                              .other_wheel = f->remedy.other_wheel});
}

static bool system_library(struct wy_changes *c, const struct wy_finding *f) {
    bool library = f->f.wanted.kind && strcmp(f->f.wanted.kind, "library") == 0;
    const char *name = f->remedy.name      ? f->remedy.name
                       : f->remedy.package ? f->f.file
                       : library           ? f->f.wanted.name
                                           : NULL;
    if (name)
        add(c, (struct wy_change){.kind = WY_CHANGE_SYSTEM, .name = name});
    return name != NULL;
}

bool wy_changes_add(struct wy_changes *c, const struct wy_finding *f) {
    const struct wy_remedy *r = &f->remedy;
    switch (r->kind) {
    case WY_REMEDY_REPLACE:
    case WY_REMEDY_EXCHANGE:
        add(c, (struct wy_change){.kind = WY_CHANGE_REMOVE, .dist = r->other});
        if (r->kind == WY_REMEDY_REPLACE) {
            put_back(c, f);
            return true;
        }
        __attribute__((fallthrough));
    case WY_REMEDY_INSTALL:
        add(c,
            (struct wy_change){.kind = WY_CHANGE_INSTALL, .name = r->name, .version = r->version});
        return true;
    case WY_REMEDY_REINSTALL:
        put_back(c, f);
        return true;
    case WY_REMEDY_SYSTEM:
        return system_library(c, f);
    case WY_REMEDY_VARIABLE:
        add(c,
            (struct wy_change){.kind = WY_CHANGE_VARIABLE, .name = r->name, .version = r->version});
        return true;
    case WY_REMEDY_REFIT:
    case WY_REMEDY_REBUILD:
    case WY_REMEDY_REMOVE:
    case WY_REMEDY_MANUAL:
    case WY_REMEDY_NONE:
        break;
    }
    return false;
}

void wy_changes_sort(struct wy_changes *c) {
    for (size_t i = 1; i < c->n; i++) { /* few, and those of one kind keep their order */
        struct wy_change one = c->v[i];
        size_t k = i;
        for (; k > 0 && c->v[k - 1].kind > one.kind; k--)
            c->v[k] = c->v[k - 1];
        c->v[k] = one;
    }
}
