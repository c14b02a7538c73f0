/* Functions that a starting program binds when they are called, and that nothing has: the loader
 * ends the process at the first call (elf/dl-runtime.c, _dl_fixup; docs/loader.md A9). */
#include "ld/internal.h"

/* Preloads and what they need are made for many programs: most never call for all they name. */
static bool is_needed(const struct ld_work *w, const struct wy_object *o) {
    while (o->loader)
        o = o->loader;
    return o == w->members.v[w->root].object;
}

static bool is_there(struct ld_work *w, const struct wy_object *o, const struct wy_ref *r,
                     const struct ld_scope *scope) {
    const struct wy_object *owner = o;
    struct ld_wanted k = {.w = w, .key = &r->key, .version = r->symbol.version, .plt = true};
    return ld_lookup(&k, scope, &owner) != LD_UNDEFINED;
}

static void look(struct ld_work *w, const struct wy_object *o) {
    const struct wy_refs *refs = &ld_symbols(w->ld, o->paths->image)->refs;
    const struct ld_scope *scope = refs->n ? ld_scope_for(w, o) : NULL;
    for (size_t i = 0; i < refs->n; i++) {
        const struct wy_ref *r = &refs->v[i];
        if (r->key.name.p && !(r->uses & WY_USE_NOW) && r->symbol.binding == WY_STB_GLOBAL &&
            !is_there(w, o, r, scope))
            wy_vec_push(&w->unbound, ld_undefined(w, o, r));
    }
}

void ld_find_unbound(struct ld_work *w) {
    if (w->ld->depth < WY_LD_SYMBOLS || w->stopped)
        return;
    for (size_t i = 0; i < w->nsorted; i++) {
        const struct ld_member *m = &w->members.v[w->sorted[i]];
        if (!(m->flags & LD_LOADER) && is_needed(w, m->object) && ld_binds_later(w, m->object))
            look(w, m->object);
    }
    ld_scopes_free(w);
}
