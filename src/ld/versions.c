/* Version needs of what was mapped, held against what the named files define (elf/dl-version.c,
 * _dl_check_map_versions and match_symbol; docs/loader.md A10). */
#include "ld/internal.h"

enum { VER_FLG_WEAK = 2, RELR_MINOR = 36 };

static bool has_learned(const struct ld_member *m, const struct ld_name *name) {
    for (const struct ld_learned *l = m->names; l; l = l->older)
        if (l->name == name)
            return true;
    return false;
}

uint32_t ld_named(const struct ld_work *w, const struct ld_name *name) {
    if (name->epoch != w->ld->epoch || name->member == LD_NONE)
        return LD_NONE;
    if (has_learned(&w->members.v[name->member], name))
        return name->member;
    for (size_t i = 0; i < w->order.n; i++)
        if (has_learned(&w->members.v[w->order.v[i]], name))
            return w->order.v[i];
    return LD_NONE;
}

const char *ld_shown(const struct ld_work *w, const struct wy_object *o) {
    return *o->name ? o->name : w->members.v[0].object->requested;
}

/* How a text reaches the user at program start. */
enum style {
    FATAL, /* it ends the program at once */
    LINE,  /* one line of several; the program ends after the last */
};

static const char *worded(const struct ld_work *w, enum style style, const char *text) {
    if (!w->startup)
        return text;
    const char *how = style == FATAL ? "error while loading shared libraries: " : "";
    return wy_arena_printf(&w->ld->arena, "%s: %s%s", w->open->request, how, text);
}

static struct wy_problem refused(struct ld_work *w, const struct wy_object *o, const char *text) {
    const char *object = ld_shown(w, o);
    return (struct wy_problem){.kind = WY_P_BAD_FILE,
                               .name = o->requested,
                               .needer = o->by,
                               .file = object,
                               .message = worded(w, FATAL, ld_message(w, object, text, 0))};
}

/* One needed version. */
struct need {
    const struct wy_object *needer, *provider;
    const struct wy_elf_verneed *need;
};

static struct wy_problem missing(struct ld_work *w, const struct need *n, const char *format) {
    struct wy_arena *a = &w->ld->arena;
    const char *file = ld_shown(w, n->provider);
    const char *text = wy_arena_printf(a, format, n->need->version, ld_shown(w, n->needer));
    return (struct wy_problem){.kind = WY_P_MISSING_VERSION,
                               .name = n->need->file,
                               .needer = n->needer,
                               .file = file,
                               .version = n->need->version,
                               .message = worded(w, LINE, ld_message(w, file, text, 0))};
}

/* At program start also what is tolerated is said. */
static void remark(struct ld_work *w, const struct need *n, const char *format) {
    if (!w->startup)
        return;
    struct wy_problem p = missing(w, n, format);
    p.kind = WY_P_NO_VERSION;
    ld_problem(w, p);
}

static void check_need(struct ld_work *w, const struct need *n) {
    const struct wy_elf *elf = &n->provider->image->elf;
    if (n->provider->image->assumed)
        return;
    if (!elf->verdef_addr) {
        if (!w->startup)
            return;
        struct wy_problem p = missing(w, n, "");
        p.kind = WY_P_NO_VERSION;
        p.message = worded(w, LINE,
                           wy_arena_printf(&w->ld->arena,
                                           "%s: no version information available (required by %s)",
                                           p.file, ld_shown(w, n->needer)));
        ld_problem(w, p);
        return;
    }
    size_t ndefs = elf->verdef_odd ? elf->verdef_odd_at : elf->nverdef;
    for (size_t i = 0; i < ndefs; i++)
        if (elf->verdef[i].hash == n->need->hash &&
            wy_same(elf->verdef[i].version, n->need->version))
            return;
    if (elf->verdef_odd) {
        struct wy_problem p = missing(w, n, "");
        const char *text = wy_arena_printf(&w->ld->arena, "unsupported version %u of Verdef record",
                                           elf->verdef_odd);
        p.message = worded(w, LINE, ld_message(w, p.file, text, 0));
        ld_problem(w, p);
    } else if (n->need->flags & VER_FLG_WEAK) {
        remark(w, n, "weak version `%s' not found (required by %s)");
    } else {
        ld_problem(w, missing(w, n, "version `%s' not found (required by %s)"));
    }
}

/* The line of the assertion moved: reports of 2.19 and 2.27 name the first two. */
static const char *assertion(unsigned minor) {
    if (minor && minor < 26)
        return "Inconsistency detected by ld.so: dl-version.c: 224: _dl_check_map_versions: "
               "Assertion `needed != ((void *)0)' failed!";
    return minor && minor < 34
               ? "Inconsistency detected by ld.so: dl-version.c: 205: _dl_check_map_versions: "
                 "Assertion `needed != NULL' failed!"
               : "Inconsistency detected by ld.so: dl-version.c: 204: _dl_check_map_versions: "
                 "Assertion `needed != NULL' failed!";
}

/* The file that a version is needed from is not in memory under that name. Where it could not be
 * mapped either, that was said already. */
static void name_unknown(struct ld_work *w, const struct wy_object *needer,
                         const struct wy_elf_verneed *need, const struct ld_name *name) {
    if (name->lost == w->ld->epoch)
        return;
    ld_problem(w, (struct wy_problem){.kind = WY_P_MISSING_VERSION,
                                      .name = need->file,
                                      .needer = needer,
                                      .version = need->version,
                                      .aborts = true,
                                      .message = assertion(w->ld->host->libc_minor)});
}

/* DT_RELR needs a libc that knows it: who is linked with a versioned libc must say so by the marker
 * (from 2.36; GLIBC_PRIVATE marks libc's own parts). */
static bool lacks_relr_marker(const struct ld_work *w, const struct wy_elf *elf) {
    unsigned minor = w->ld->host->libc_minor;
    if (!elf->has_relr || (minor && minor < RELR_MINOR))
        return false;
    for (size_t i = 0; i < elf->nverneed; i++)
        if (wy_same(elf->verneed[i].version, "GLIBC_ABI_DT_RELR"))
            return false;
    for (size_t i = 0; i < elf->nverdef; i++)
        if (wy_same(elf->verdef[i].version, "GLIBC_PRIVATE"))
            return false;
    for (size_t i = 0; i < elf->nneeded; i++)
        if (wy_starts(elf->needed[i], "libc.so."))
            return true;
    return false;
}

static void check_object(struct ld_work *w, const struct wy_object *o) {
    const struct wy_elf *elf = &o->image->elf;
    if (!elf->verneed_addr)
        return;
    if (elf->verneed_odd) {
        const char *text = wy_arena_printf(
            &w->ld->arena, "unsupported version %u of Verneed record", elf->verneed_odd);
        ld_problem(w, refused(w, o, text));
        return;
    }
    const char *file = NULL;
    uint32_t provider = LD_NONE;
    bool vdso = false;
    for (size_t i = 0; i < elf->nverneed; i++) {
        const struct wy_elf_verneed *need = &elf->verneed[i];
        if (need->file != file) {
            struct ld_name *name = ld_name_of(w->ld, need->file);
            file = need->file;
            provider = ld_named(w, name);
            vdso = name == w->ld->vdso_name;
            if (provider == LD_NONE && !vdso)
                name_unknown(w, o, need, name);
        }
        if (provider == LD_NONE)
            continue;
        struct need n = {o, w->members.v[provider].object, need};
        check_need(w, &n);
    }
    if (lacks_relr_marker(w, elf))
        ld_problem(w, refused(w, o, "DT_RELR without GLIBC_ABI_DT_RELR dependency"));
}

/* At program start everything in load order, else what is new in the order of the search list. */
void ld_check_versions(struct ld_work *w) {
    w->versions_from = w->problems.n;
    if (w->startup)
        for (size_t i = 0; i < w->order.n; i++)
            check_object(w, w->members.v[w->order.v[i]].object);
    else
        for (size_t i = 0; i < w->list.n; i++)
            if (w->members.v[w->list.v[i]].fresh)
                check_object(w, w->members.v[w->list.v[i]].object);
    w->versions_to = w->problems.n;
}
