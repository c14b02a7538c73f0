/* Where the names of an object are looked for (elf/dl-object.c, _dl_new_object; docs/loader.md
 * A11): the global scope, then the search list of the root that brought the object in. */
#include "ld/internal.h"

static const struct ld_list_of_objects empty;

/* The root of the chain of loaders: main, or what a dlopen asked for. */
static const struct wy_object *chain_root(const struct wy_object *o) {
    while (o->loader)
        o = o->loader;
    return o;
}

const struct ld_list_of_objects *ld_keep_list(struct ld_work *w, const uint32_t *ids, size_t n) {
    struct wy_arena *a = &w->ld->arena;
    struct ld_list_of_objects *list = WY_NEW(a, struct ld_list_of_objects);
    list->v = wy_arena_alloc(a, (n + 1) * sizeof *list->v);
    for (size_t i = 0; i < n; i++)
        list->v[list->n++] = w->members.v[ids[i]].object;
    return list;
}

/* The list of an earlier root. */
static const struct ld_list_of_objects *list_of(const struct ld_work *w,
                                                const struct wy_object *root) {
    for (size_t i = 0; i < w->members.n; i++)
        if (w->members.v[i].object == root)
            return w->members.v[i].list ? w->members.v[i].list : &empty;
    return &empty;
}

static void add(struct ld_work *w, struct ld_scope *s, const struct wy_object *o) {
    struct ld_image *im = o->paths->image;
    if (im->scoped == w->ld->scopes) /* asked already */
        return;
    im->scoped = w->ld->scopes;
    const struct wy_image_symbols *symbols = ld_symbols(w->ld, im);
    if (symbols->table.nbuckets)
        wy_vec_push(&s->places, ((struct ld_place){&symbols->table, o}));
}

static void add_list(struct ld_work *w, struct ld_scope *s, const struct ld_list_of_objects *list) {
    for (size_t i = 0; i < list->n; i++)
        add(w, s, list->v[i]);
}

static void add_own(struct ld_work *w, struct ld_scope *s) {
    for (size_t i = 0; i < w->list.n; i++)
        add(w, s, w->members.v[w->list.v[i]].object);
}

static void fill(struct ld_work *w, struct ld_scope *s) {
    bool main = w->startup || s->root == w->members.v[0].object;
    w->ld->scopes++;
    bool deep = w->mode & WY_DEEPBIND;
    if (!main && !deep)
        add_list(w, s, w->from->global);
    if (w->startup || s->root == w->members.v[w->root].object)
        add_own(w, s);
    else
        add_list(w, s, main ? w->from->global : list_of(w, s->root));
    if (!main && deep)
        add_list(w, s, w->from->global);
}

const struct ld_scope *ld_scope_for(struct ld_work *w, const struct wy_object *o) {
    const struct wy_object *root = chain_root(o);
    for (size_t i = 0; i < w->scopes.n; i++)
        if (w->scopes.v[i]->root == root)
            return w->scopes.v[i];
    struct ld_scope *s = wy_alloc0(1, sizeof *s);
    s->root = root;
    fill(w, s);
    wy_vec_push(&w->scopes, s);
    return s;
}

void ld_scopes_free(struct ld_work *w) {
    for (size_t i = 0; i < w->scopes.n; i++) {
        wy_vec_free(&w->scopes.v[i]->places);
        free(w->scopes.v[i]);
    }
    wy_vec_free(&w->scopes);
}

/* What an open adds to the global scope, once it has succeeded: its list, without what is there
 * (add_to_global_update, elf/dl-open.c). */
void ld_promote(struct ld_work *w) {
    WY_VEC(const struct wy_object *) all = {0};
    const struct ld_list_of_objects *old = w->from ? w->from->global : &empty;
    const struct ld_list_of_objects *own = w->members.v[w->root].list;
    for (size_t i = 0; i < old->n; i++)
        wy_vec_push(&all, old->v[i]);
    for (size_t i = 0; own && i < own->n; i++) {
        struct ld_member *m = NULL;
        for (size_t k = 0; k < w->members.n && !m; k++)
            if (w->members.v[k].object == own->v[i])
                m = &w->members.v[k];
        if (!m || (m->flags & LD_GLOBAL))
            continue;
        m->flags |= LD_GLOBAL;
        wy_vec_push(&all, own->v[i]);
    }
    struct ld_list_of_objects *list = WY_NEW(&w->ld->arena, struct ld_list_of_objects);
    wy_vec_keep(&w->ld->arena, &all);
    list->v = all.v;
    list->n = all.n;
    w->global = list;
}
