/* Relocation of what is new: each symbol that a relocation names is looked up, dependencies first
 * (elf/dl-open.c, elf/rtld.c, elf/dl-reloc.c; docs/loader.md A9, A11, A13). */
#include "ld/internal.h"

enum { MOST_UNDEFINED = 10000 }; /* looked at in one open */

const struct wy_image_symbols *ld_symbols(struct wy_ld *ld, struct ld_image *im) {
    if (!im->symbols)
        im->symbols = wy_host_symbols(ld->host, im->image);
    return im->symbols;
}

/* The object being relocated. */
struct job {
    struct ld_work *w;
    const struct wy_object *object;
    const struct ld_scope *scope;
    struct ld_place own; /* DT_SYMBOLIC: it looks at itself first */
    bool lazy;
    bool odd_plt; /* the type that is refused is one of the PLT */
    bool dead;    /* the process has crashed */
};

static void crash(struct ld_work *w, const struct wy_object *o, const char *text) {
    w->incomplete = true;
    ld_problem(w, (struct wy_problem){.kind = WY_P_CRASH,
                                      .name = o->requested,
                                      .needer = o->by,
                                      .file = o->name,
                                      .message = ld_message(w, o->name, text, 0)});
}

/* Numbers of versions without a table of them: the loader looks into one that it never made. */
static bool lacks_versions(const struct wy_elf *elf) {
    return elf->has_versym && !elf->verneed_addr && !elf->verdef_addr;
}

/* Whether this was told already: the library or the version that would define it is missing. With a
 * library missing somewhere, who should define a name without a version cannot be told; one with a
 * version is due from the file that the version is needed from. */
static bool is_consequence(const struct job *j, const struct wy_symbol_version *v) {
    const struct ld_work *w = j->w;
    for (size_t i = w->versions_from; v && i < w->versions_to; i++) {
        const struct wy_problem *p = &w->problems.v[i];
        if (p->kind == WY_P_MISSING_VERSION && p->needer == j->object &&
            wy_same(p->version, v->name))
            return true;
    }
    if (!w->incomplete)
        return false;
    if (!v || !v->file)
        return true;
    return ld_named(w, ld_name_of(w->ld, v->file)) == LD_NONE;
}

struct wy_problem ld_undefined(struct ld_work *w, const struct wy_object *o,
                               const struct wy_ref *r) {
    const struct wy_symbol_version *v = r->symbol.version;
    const char *file = ld_shown(w, o);
    const char *text = wy_arena_printf(&w->ld->arena, "undefined symbol: %s%s%s", r->key.name.p,
                                       v ? ", version " : "", v ? v->name : "");
    const char *message = ld_message(w, file, text, 0);
    if (w->startup)
        message = wy_arena_printf(&w->ld->arena, "%s: symbol lookup error: %s", w->open->request,
                                  message);
    return (struct wy_problem){.kind = WY_P_UNDEFINED_SYMBOL,
                               .name = r->key.name.p,
                               .needer = o,
                               .file = file,
                               .version = v ? v->name : NULL,
                               .message = message};
}

static void undefined(const struct job *j, const struct wy_ref *r) {
    struct ld_work *w = j->w;
    if (ld_assumes(w))
        return;
    if (w->nundefined++ >= MOST_UNDEFINED || is_consequence(j, r->symbol.version))
        return;
    ld_problem(w, ld_undefined(w, j->object, r));
}

/* The file it was needed from has a symbol of that name and no versions at all. The line of the
 * assertion moved: a report of 2.31 names the first. */
static void asserts(const struct job *j, const struct wy_ref *r, const struct wy_object *provider) {
    static const char format[] =
        "Inconsistency detected by ld.so: dl-lookup.c: %d: check_match: Assertion "
        "`version->filename == NULL || ! _dl_name_match_p (version->filename, map)' failed!";
    struct ld_work *w = j->w;
    unsigned minor = w->ld->host->libc_minor;
    const struct wy_symbol_version *v = r->symbol.version;
    ld_problem(w, (struct wy_problem){.kind = WY_P_MISSING_VERSION,
                                      .name = v->file,
                                      .needer = j->object,
                                      .file = ld_shown(w, provider),
                                      .version = v->name,
                                      .aborts = true,
                                      .message = wy_arena_printf(&w->ld->arena, format,
                                                                 minor && minor < 34 ? 111 : 107)});
}

static struct ld_member *member_of(struct ld_work *w, const struct wy_object *o) {
    const struct ld_image *im = o->paths->image;
    if (im->epoch == w->ld->epoch && w->members.v[im->member].object == o)
        return &w->members.v[im->member];
    for (size_t i = 0; i < w->members.n; i++)
        if (w->members.v[i].object == o)
            return &w->members.v[i];
    return NULL;
}

bool ld_answers(struct ld_work *w, const struct wy_object *o, const char *name) {
    const struct ld_member *m = member_of(w, o);
    for (const struct ld_learned *l = m ? m->names : NULL; l; l = l->older)
        if (wy_same(l->name->s, name))
            return true;
    return false;
}

/* A variable at a fixed place: its owner must have room among those of the start. */
static void take_tls(const struct job *j, const struct wy_object *owner) {
    struct ld_work *w = j->w;
    struct ld_member *m = member_of(w, owner);
    if (!m || ld_tls_take(w, m, false) || m->tls_refused)
        return;
    m->tls_refused = true;
    ld_problem(w, (struct wy_problem){
                      .kind = WY_P_STATIC_TLS,
                      .name = owner->requested,
                      .needer = j->object,
                      .file = ld_shown(w, owner),
                      .message = ld_message(w, ld_shown(w, owner),
                                            "cannot allocate memory in static TLS block", 0)});
}

static void take_ref(struct job *j, const struct wy_ref *r) {
    if (j->dead || !r->key.name.p || (j->lazy && !(r->uses & WY_USE_NOW)))
        return;
    const struct wy_symbol *s = &r->symbol;
    const struct wy_object *owner = j->object;
    bool binds_here = s->binding == WY_STB_LOCAL || s->visibility == WY_STV_HIDDEN ||
                      s->visibility == WY_STV_INTERNAL;
    if (!binds_here && lacks_versions(&j->object->image->elf)) {
        crash(j->w, j->object,
              "Segmentation fault: its symbols have versions, but it has no table of them");
        j->dead = true;
        return;
    }
    if (!binds_here) {
        struct ld_wanted k = {.w = j->w,
                              .key = &r->key,
                              .version = s->version,
                              .plt = r->uses & WY_USE_PLT,
                              .copy = r->uses & WY_USE_COPY,
                              .own = j->own.table ? &j->own : NULL};
        switch (ld_lookup(&k, j->scope, &owner)) {
        case LD_FOUND:
            break;
        case LD_ABORT:
            asserts(j, r, owner);
            return;
        case LD_UNDEFINED:
            if (s->binding != WY_STB_WEAK)
                undefined(j, r);
            return;
        }
    }
    if (r->uses & WY_USE_TLS_IE)
        take_tls(j, owner);
    struct ld_member *m = r->uses & WY_USE_TLS_DESC ? member_of(j->w, owner) : NULL;
    if (m)
        ld_tls_take(j->w, m, true); /* only faster, so none is no failure */
}

/* A relocation of a type that this machine does not have (_dl_reloc_bad_type, elf/dl-reloc.c). */
static void refuse_type(const struct job *j, const struct wy_refs *refs) {
    struct ld_work *w = j->w;
    uint32_t type = j->odd_plt ? refs->odd_type : refs->unknown_type;
    const char *file = ld_shown(w, j->object);
    const char *text = wy_arena_printf(&w->ld->arena, "unexpected %sreloc type 0x%0*x",
                                       j->odd_plt ? "PLT " : "", type > 0xff ? 8 : 2, type);
    ld_problem(w, (struct wy_problem){.kind = WY_P_BAD_FILE,
                                      .name = j->object->requested,
                                      .needer = j->object->by,
                                      .file = file,
                                      .message = ld_message(w, file, text, 0)});
}

bool ld_binds_later(const struct ld_work *w, const struct wy_object *o) {
    const char *now = wy_host_getenv(w->ld->host, "LD_BIND_NOW");
    if ((now && *now) || o->image->elf.bind_now)
        return false;
    return w->startup || (w->mode & WY_LAZY);
}

/* Fixed places for variables that no symbol names: linkers write these relocations first. */
static bool has_nameless_tls(const struct wy_refs *refs) {
    for (size_t i = 0; i < refs->n && refs->tls_ie_own; i++)
        if (refs->v[i].symbol.section && (refs->v[i].uses & WY_USE_TLS_IE))
            return false;
    return refs->tls_ie_own;
}

/* ---- the same again ----
 * What a symbol binds to hangs on the tables in the scope and their order. A file that was bound
 * without a problem among the same tables is so again, whichever process it is: an environment's
 * imports load the same libraries over and over. */

enum { MOST_BOUND = 32 }; /* kept of one file */

struct ld_bound {
    const struct ld_bound *older;
    bool lazy, own;
    unsigned age;
    size_t n;
    const struct wy_symtab *tables[];
};

static const struct ld_bound *bound_before(const struct job *j, const struct ld_image *im) {
    for (const struct ld_bound *b = im->bound; b; b = b->older) {
        size_t i = 0;
        if (b->n != j->scope->places.n || b->lazy != j->lazy || b->own != !!j->own.table)
            continue;
        while (i < b->n && b->tables[i] == j->scope->places.v[i].table)
            i++;
        if (i == b->n)
            return b;
    }
    return NULL;
}

static void remember(const struct job *j, struct ld_image *im) {
    size_t n = j->scope->places.n;
    unsigned age = im->bound ? im->bound->age + 1 : 0;
    if (age == MOST_BOUND)
        return;
    struct ld_bound *b = wy_arena_alloc(&j->w->ld->arena, sizeof *b + n * sizeof *b->tables);
    *b = (struct ld_bound){im->bound, j->lazy, j->own.table, age, n};
    for (size_t i = 0; i < n; i++)
        b->tables[i] = j->scope->places.v[i].table;
    im->bound = b;
}

/* Variables of threads also change the process: they take room, and a unique one its owner. */
static bool only_binds(const struct wy_ref *r) {
    return r->symbol.type != WY_STT_TLS && !(r->uses & (WY_USE_TLS_IE | WY_USE_TLS_DESC));
}

static void take_refs(struct job *j, const struct wy_refs *refs) {
    struct ld_work *w = j->w;
    struct ld_image *im = j->object->paths->image;
    bool again = refs->n && bound_before(j, im), hangs = false;
    size_t problems = w->problems.n, undefined_before = w->nundefined;
    uint32_t odd = j->odd_plt ? refs->odd_order : refs->unknown_order;
    for (size_t i = 0; i < refs->n; i++) {
        const struct wy_ref *r = &refs->v[i];
        if (odd < r->order && odd < r->plt_order) {
            refuse_type(j, refs);
            odd = WY_NO_ORDER;
        }
        if (again && only_binds(r))
            continue;
        w->hangs_on_process = false;
        take_ref(j, r);
        hangs |= only_binds(r) && w->hangs_on_process;
    }
    if (odd != WY_NO_ORDER)
        refuse_type(j, refs);
    bool clean = w->problems.n == problems && w->nundefined == undefined_before && !hangs;
    if (refs->n && !again && clean)
        remember(j, im);
}

static void relocate(struct ld_work *w, const struct ld_member *m) {
    struct ld_image *im = m->object->paths->image;
    if (im->crashes_late) {
        crash(w, m->object, "Bus error: the file is shorter than its segments");
        return;
    }
    if (!im->image->assumed && !im->image->elf.symtab) { /* elf_dynamic_do_Rela */
        crash(w, m->object, "Segmentation fault: its dynamic section names no symbol table");
        return;
    }
    if (w->ld->depth < WY_LD_SYMBOLS || (m->flags & LD_LOADER))
        return;
    const struct wy_refs *refs = &ld_symbols(w->ld, im)->refs;
    struct job j = {.w = w, .object = m->object, .lazy = ld_binds_later(w, m->object)};
    if (im->image->elf.symbolic && !(w->mode & WY_DEEPBIND)) /* _dl_map_object_from_fd */
        j.own = (struct ld_place){&ld_symbols(w->ld, im)->table, m->object};
    if (has_nameless_tls(refs))
        take_tls(&j, m->object);
    if (refs->n)
        j.scope = ld_scope_for(w, m->object);
    j.odd_plt = j.lazy && refs->odd_order <= refs->unknown_order;
    take_refs(&j, refs);
}

void ld_relocate(struct ld_work *w) {
    ld_sort(w, &w->sorted, &w->nsorted);
    if (w->startup)
        ld_tls_start(w);
    for (size_t i = 0; i < w->nsorted; i++)
        relocate(w, &w->members.v[w->sorted[i]]);
    ld_scopes_free(w);
}
