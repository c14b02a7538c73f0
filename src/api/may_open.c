/* Libraries that a file may open by name while it runs, by its constants: shown on demand, never a
 * finding. Many such names are optional, and static archives bring names that nobody uses. */
#include "api/may_open.h"

#include "base/path.h"

enum { MOST_NAMES = 200, LONGEST = 256 };

struct gathering {
    struct whyso_answer *a;
    const struct wy_library *lib;
    struct whyso_strings names;
};

static bool opens(struct whyso_answer *a, const struct wy_library *lib) {
    static const char *const functions[] = {"dlopen", "dlmopen", "__libc_dlopen_mode"};
    const struct wy_image_symbols *s = wy_host_symbols(a->world->host, lib->image);
    for (size_t i = 0; s && !s->error && i < s->refs.n; i++)
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
            if (wy_str_is(s->refs.v[i].key.name, functions[k]))
                return true;
    return false;
}

/* (/…/)libNAME.so(.N)* */
static bool is_library(struct wy_str s) {
    const char *slash = memrchr(s.p, '/', s.n);
    struct wy_str base = slash ? (struct wy_str){slash + 1, s.n - (size_t)(slash + 1 - s.p)} : s;
    if ((slash && s.p[0] != '/') || base.n < 7 || !wy_str_starts(base, "lib"))
        return false;
    for (size_t i = 3; i < base.n; i++) {
        char c = base.p[i];
        bool letter = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
        if (!letter && !memchr("_+-.", c, sizeof "_+-." - 1))
            return false;
    }
    while (base.n && base.p[base.n - 1] >= '0' && base.p[base.n - 1] <= '9') {
        while (base.n && base.p[base.n - 1] >= '0' && base.p[base.n - 1] <= '9')
            base.n--;
        if (!base.n || base.p[--base.n] != '.')
            return false;
    }
    return wy_str_ends(base, ".so");
}

/* What it needs is no news, and neither is what a table or its own note says. */
static bool told(const struct gathering *g, const char *name) {
    const struct wy_elf *elf = &g->lib->image->elf;
    const struct wy_know *know = g->a->know;
    const char *soname = elf->soname ? elf->soname : wy_path_base(g->lib->path);
    bool yes = strcmp(name, soname) == 0;
    for (size_t i = 0; i < elf->nneeded && !yes; i++)
        yes = strcmp(elf->needed[i], name) == 0;
    for (size_t i = 0; i < elf->ndlopens && !yes; i++)
        for (size_t k = 0; k < elf->dlopens[i].nsonames; k++)
            yes = yes || strcmp(elf->dlopens[i].sonames[k], name) == 0;
    for (size_t i = 0; i < know->ndlopens && !yes; i++)
        yes = wy_glob(know->dlopens[i].opener, soname) && wy_glob(know->dlopens[i].target, name);
    return yes;
}

static bool add_segment(void *ctx, struct wy_str bytes) {
    struct gathering *g = ctx;
    while (bytes.n && g->names.n < MOST_NAMES) {
        struct wy_str one = {bytes.p, strnlen(bytes.p, bytes.n)};
        bytes = (struct wy_str){bytes.p + one.n, bytes.n - one.n};
        if (bytes.n && one.n <= LONGEST && is_library(one)) {
            const char *name = wy_arena_str(&g->a->arena, one);
            if (!told(g, name))
                wy_strings_add_new(&g->a->arena, &g->names, name);
        }
        if (bytes.n)
            bytes = (struct wy_str){bytes.p + 1, bytes.n - 1};
    }
    return false;
}

/* The file as an object of a process: of the first import that maps it, else opened by itself. */
static const struct wy_object *in_process(struct whyso_answer *a, const struct wy_library *lib,
                                          const struct wy_process **state) {
    const struct wy_case *c = &a->rules;
    const struct wy_open *start = wy_importer_start(a->importer);
    for (size_t i = 0; i < c->nruns; i++) {
        *state = c->runs[i]->after;
        for (size_t k = 0; *state && k < wy_process_count(*state); k++)
            if (wy_process_at(*state, k)->image == lib->image)
                return wy_process_at(*state, k);
    }
    *state = start ? start->after : NULL;
    if (!*state)
        return NULL;
    const struct wy_open *open = wy_ld_open(a->ld, *state, lib->path, WY_NOW, NULL);
    *state = open->after ? open->after : *state;
    return open->object;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void wy_may_open(struct whyso_answer *a, const struct wy_library *lib, struct whyso_why *w) {
    struct gathering g = {.a = a, .lib = lib};
    const struct wy_process *state = NULL;
    if (lib->image->elf.kind != WY_ELF_OK || !opens(a, lib))
        return;
    wy_image_constants(a->world->host, lib->image, add_segment, &g);
    const struct wy_object *opener = g.names.n ? in_process(a, lib, &state) : NULL;
    if (!opener)
        return;
    qsort(g.names.v, g.names.n, sizeof *g.names.v, by_name);
    w->may_open.v = wy_arena_zero(&a->arena, g.names.n * sizeof *w->may_open.v);
    for (; w->may_open.n < g.names.n; w->may_open.n++) {
        struct whyso_may_open *m = &w->may_open.v[w->may_open.n];
        const struct wy_open *open =
            wy_ld_open(a->ld, state, g.names.v[w->may_open.n], WY_NOW, opener);
        m->name = g.names.v[w->may_open.n];
        if (open->outcome != WY_OPEN_OK || !open->object)
            continue;
        const struct wy_dist *d = wy_world_image_owner(a->world, open->object->image);
        m->file = wy_object_shown(&a->rules, open->object);
        m->package = d ? d->name : NULL;
    }
}
