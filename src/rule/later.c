/* What the libraries of an import open later by name, at a user's call (data/dlopen.tsv, and what
 * their own notes say): tried on paper, in the process that the import ends with, with the opening
 * library as the caller. */
#include "rule/families.h"

enum { MOST_LATER = 5000 }; /* opens in all */

struct trying {
    struct wy_case *c;
    struct wy_laters *all;
    struct wy_map tried; /* keys are image pointers: each library opens once */
    const char *module;
    const struct wy_process *state;
};

static const char *soname_of(const struct wy_object *o) {
    return o->image->elf.soname ? o->image->elf.soname : wy_path_base(o->name);
}

static bool answers(const struct wy_object *o, const char *glob) {
    return o->image && (wy_glob(glob, soname_of(o)) || wy_glob(glob, wy_path_base(o->name)));
}

/* The names that a pattern stands for: those of the libraries here, sorted by path, then those of
 * ld.so.cache. */
static struct whyso_strings names_for(struct wy_case *c, const char *glob) {
    struct whyso_strings names = {0};
    if (!strpbrk(glob, "*?")) {
        wy_strings_add(c->arena, &names, glob);
        return names;
    }
    for (size_t i = 0; i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        const char *soname = lib->image->elf.soname;
        const char *name = soname && wy_glob(glob, soname) ? soname : wy_path_base(lib->path);
        if (wy_glob(glob, name))
            wy_strings_add_new(c->arena, &names, name);
    }
    for (size_t i = 0; i < c->world->host->ncache; i++)
        if (wy_glob(glob, c->world->host->cache[i].key))
            wy_strings_add_new(c->arena, &names, c->world->host->cache[i].key);
    return names;
}

/* Whether a build is one that opens it: the file has its name, up to ".so". */
static bool mentions(struct wy_case *c, const struct wy_object *o, const char *target) {
    const char *dot = strstr(target, ".so");
    struct wy_str stem = {target, dot ? (size_t)(dot - target) : strlen(target)};
    return wy_image_mentions(c->world->host, o->image, stem);
}

/* What lies beside its opener came with it: no need to ask. */
static bool beside(struct wy_case *c, const struct wy_object *o, const char *target) {
    const char *path = wy_path_join(c->arena, wy_path_dir(c->arena, o->name), target);
    return wy_map_get(&c->world->library_by_path, wy_str_of(wy_path_clean(c->arena, path)));
}

/* "13" for a file of nvidia-cudnn-cu13, whoever else claims it; "*" where no name tells. */
static const char *cuda_major(struct wy_case *c, const struct wy_object *opener) {
    const struct wy_dist *d = wy_kin_dist(c, opener);
    const char *cu = d ? strstr(d->key, "-cu") : NULL;
    while (cu && strspn(cu + 3, "0123456789") != strlen(cu + 3))
        cu = strstr(cu + 1, "-cu");
    return cu && cu[3] ? cu + 3 : "*";
}

/* The row with its '@' filled in. */
static const struct wy_dlopen *fitting(struct wy_case *c, const struct wy_dlopen *row,
                                       const struct wy_object *opener) {
    struct wy_str rest, before = wy_str_cut(wy_str_of(row->target), '@', &rest);
    if (!rest.p)
        return row;
    struct wy_dlopen *ret = WY_NEW(c->arena, struct wy_dlopen);
    *ret = *row;
    ret->target = wy_arena_printf(c->arena, "%.*s%s%.*s", (int)before.n, before.p,
                                  cuda_major(c, opener), (int)rest.n, rest.p);
    return ret;
}

static bool loaded_already(const struct trying *t, const char *glob) {
    for (size_t i = 0; i < wy_process_count(t->state); i++)
        if (answers(wy_process_at(t->state, i), glob))
            return true;
    return false;
}

/* One row for one library. Of several names, one that opens is enough. */
static void try_names(struct trying *t, const struct wy_dlopen *row, const struct wy_object *opener,
                      struct whyso_strings names) {
    struct wy_case *c = t->c;
    struct wy_later later = {
        .row = row, .opener = opener, .module = t->module, .name = row->target, .state = t->state};
    for (size_t i = 0; i < names.n; i++) {
        const struct wy_open *open = wy_ld_open(c->ld, t->state, names.v[i], WY_LAZY, opener);
        c->gave_up |= open->given_up;
        later.name = names.v[i];
        later.open = open;
        if (open->outcome == WY_OPEN_OK)
            break;
    }
    if (later.open && later.open->outcome == WY_OPEN_OK)
        t->state = later.open->after;
    wy_vec_push(&t->all->v, later);
}

static void try_row(struct trying *t, const struct wy_dlopen *row, const struct wy_object *opener) {
    row = fitting(t->c, row, opener);
    if (!loaded_already(t, row->target))
        try_names(t, row, opener, names_for(t->c, row->target));
}

/* A note of the opener itself, as a row. */
static void try_note(struct trying *t, const struct wy_elf_dlopen *note,
                     const struct wy_object *opener) {
    struct wy_arena *a = t->c->arena;
    struct wy_dlopen *row = WY_NEW(a, struct wy_dlopen);
    struct whyso_strings names = {0};
    for (size_t i = 0; i < note->nsonames; i++) {
        if (loaded_already(t, note->sonames[i]))
            return;
        wy_strings_add(a, &names, note->sonames[i]);
    }
    const char *feature = note->feature ? note->feature : note->description;
    *row = (struct wy_dlopen){
        .opener = soname_of(opener),
        .target = note->sonames[0],
        .importance = note->priority == WY_DLOPEN_REQUIRED ? "needed" : "optional",
        .source = feature ? wy_arena_printf(a, "a note in it: %s", feature) : "a note in it"};
    try_names(t, row, opener, names);
    struct wy_later *later = &t->all->v.v[t->all->v.n - 1];
    later->required = note->priority == WY_DLOPEN_REQUIRED;
    if (later->open->outcome != WY_OPEN_OK)
        later->name = row->target;
}

static bool applies(struct trying *t, const struct wy_dlopen *row, const struct wy_object *o) {
    if (!answers(o, row->opener) || strcmp(row->importance, "driver") == 0)
        return false;
    return strcmp(row->importance, "newer") != 0 || beside(t->c, o, row->target) ||
           mentions(t->c, o, row->target);
}

static void try_object(struct trying *t, const struct wy_object *o) {
    const struct wy_know *k = t->c->world->know;
    if (!o->image || !o->name[0] || t->all->v.n > MOST_LATER)
        return;
    void **slot = wy_map_at(&t->tried, (struct wy_str){(const char *)&o->image, sizeof o->image});
    if (*slot)
        return;
    *slot = t;
    for (size_t i = 0; i < k->ndlopens; i++)
        if (applies(t, &k->dlopens[i], o))
            try_row(t, &k->dlopens[i], o);
    for (size_t i = 0; i < o->image->elf.ndlopens; i++)
        try_note(t, &o->image->elf.dlopens[i], o);
}

/* What is opened may open more: the process grows while it is walked. */
static const struct wy_process *try_run(struct trying *t, const struct wy_run *run) {
    t->module = run->module;
    t->state = run->after;
    for (size_t i = 0; i < wy_process_count(t->state); i++)
        try_object(t, wy_process_at(t->state, i));
    return t->state;
}

const struct wy_laters *wy_laters(struct wy_case *c) {
    if (c->laters)
        return c->laters;
    struct trying t = {.c = c, .all = WY_NEW(c->arena, struct wy_laters)};
    t.all->after = wy_arena_zero(c->arena, (c->nruns + 1) * sizeof(struct wy_process *));
    for (size_t i = 0; i < c->nruns; i++)
        if (c->runs[i]->after)
            t.all->after[i] = try_run(&t, c->runs[i]);
    wy_map_deinit(&t.tried);
    wy_vec_keep(c->arena, &t.all->v);
    c->laters = t.all;
    return c->laters;
}
