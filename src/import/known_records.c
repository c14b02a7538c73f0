/* Functions of which data/imports.tsv tells: operators that they look up, registered by libraries
 * when these are mapped; modules that they import. */
#include "import/known.h"

struct sought {
    struct wy_str whole, space, name; /* "space::name", "space", "name" */
    bool has_whole, has_space, has_name;
};

/* Whether a constant begins with this word and then ends, or goes on with arguments. */
static bool has_word(struct wy_str bytes, struct wy_str word, bool with_arguments) {
    while (bytes.n > word.n) {
        const char *at = memmem(bytes.p, bytes.n - 1, word.p, word.n);
        if (!at)
            return false;
        char before = at > bytes.p ? at[-1] : '\0', after = at[word.n];
        if (before == '\0' && (with_arguments ? after == '(' : after == '\0'))
            return true;
        bytes.n -= (size_t)(at + 1 - bytes.p);
        bytes.p = at + 1;
    }
    return false;
}

/* A library writes the names of its operators as "space::name" or "space::name(arguments) …", or
 * in a block for the space as "name(arguments) …" (torch/library.h, TORCH_LIBRARY). */
static bool find_names(void *ctx, struct wy_str bytes) {
    struct sought *s = ctx;
    s->has_whole =
        s->has_whole || has_word(bytes, s->whole, false) || has_word(bytes, s->whole, true);
    s->has_space = s->has_space || has_word(bytes, s->space, false);
    s->has_name = s->has_name || has_word(bytes, s->name, true);
    return s->has_whole;
}

static bool defines(struct wy_exec *x, const struct wy_library *lib, const struct sought *s) {
    struct sought found = *s;
    if (!lib || lib->image->elf.kind != WY_ELF_OK)
        return false;
    wy_image_constants(x->im->world->host, lib->image, find_names, &found);
    return found.has_whole || (found.has_space && found.has_name);
}

/* Whether a mapped library of the same package defines it, too: another variant. */
static bool defined_by_another(struct wy_exec *x, const struct wy_library *failed,
                               const struct sought *s) {
    for (size_t i = 0; i < wy_process_count(x->process); i++) {
        const struct wy_library *lib = wy_map_get(&x->im->world->library_by_path,
                                                  wy_str_of(wy_process_at(x->process, i)->name));
        if (lib && lib->dist == failed->dist && defines(x, lib, s))
            return true;
    }
    return false;
}

/* A damaged file cannot be asked. It is the one when it belongs to the package that looks the
 * operator up, and no other library of that could register it. */
static bool left_over(struct wy_exec *x, const struct wy_library *lib, const struct sought *s) {
    const struct wy_world *w = x->im->world;
    if (!lib || !lib->dist || lib->image->elf.kind == WY_ELF_OK ||
        wy_world_owner(w, &x->frame->scope->module->spec->place) != lib->dist)
        return false;
    for (size_t i = 0; i < w->nlibraries; i++)
        if (w->libraries[i].dist == lib->dist && defines(x, &w->libraries[i], s))
            return false;
    return true;
}

/* The failure, met before, of the library that would have registered the operator. */
static size_t failed_definer(struct wy_exec *x, const struct sought *s) {
    for (size_t i = 0; i < x->events.n; i++) {
        const struct wy_event *e = &x->events.v[i];
        if (e->open && e->open->outcome == WY_OPEN_ERROR && e->guard == WY_CAUGHT &&
            ((defines(x, e->library, s) && !defined_by_another(x, e->library, s)) ||
             left_over(x, e->library, s)))
            return i;
    }
    return SIZE_MAX;
}

/* `what`: the class of the exception and its text, with {} for the operator. */
static void raise_as(struct wy_exec *x, const char *what, const char *name, size_t event) {
    struct wy_str text, class_ = wy_str_cut(wy_str_of(what), ' ', &text);
    struct wy_str after, before = wy_str_cut(text, '{', &after);
    struct wy_arena *a = &x->im->arena;
    const char *end = after.p ? after.p + 1 : "";
    wy_exec_reraise(x,
                    (struct wy_exception){
                        .class_ = wy_exception_class(x->im, wy_arena_str(a, class_)),
                        .text = wy_arena_printf(a, "%.*s%s%s", (int)before.n, before.p, name, end),
                        .event = event,
                        .how = "exception",
                        .unchained = true,
                        .at = wy_exec_file(x)});
}

/* A library that the package has lost cannot be asked what it would have registered. */
static void doubt_lost(struct wy_exec *x, const char *operator, const struct sought * s) {
    struct wy_world *w = x->im->world;
    const struct wy_dist *d = wy_world_owner(w, &x->frame->scope->module->spec->place);
    const char *lost = NULL;
    for (size_t i = 0; d && i < d->record.n && !lost; i++) {
        const char *path = d->record.v[i].path;
        const struct wy_claimed *k =
            wy_ends(path, ".so") ? wy_world_claimed(w, wy_path_join(&x->im->arena, d->site, path))
                                 : NULL;
        lost = k && k->presence != WY_PRESENT ? path : NULL;
    }
    for (size_t i = 0; i < w->nlibraries && lost; i++)
        if (w->libraries[i].dist == d && defines(x, &w->libraries[i], s))
            return;
    if (lost)
        wy_exec_doubt(x, "looks up operator %s, and %s is gone", operator, lost);
}

static struct wy_value needs_operator(struct wy_exec *x, const struct wy_args *a) {
    const char *whole = wy_text_argument(x, a, 0, NULL);
    const char *name = whole ? strstr(whole, "::") : NULL;
    if (!name || x->maybe)
        return WY_UNKNOWN;
    struct sought s = {.whole = wy_str_of(whole),
                       .space = {whole, (size_t)(name - whole)},
                       .name = wy_str_of(name + 2)};
    size_t event = failed_definer(x, &s);
    if (event != SIZE_MAX)
        raise_as(x, a->what, whole, event);
    else
        doubt_lost(x, whole, &s);
    return WY_UNKNOWN;
}

/* Compiled code that imports when it is called: `what` is one module. */
static struct wy_value imports_module(struct wy_exec *x, const struct wy_args *a) {
    struct wy_spec *spec = wy_find(x->im, a->what);
    if (spec->kind != WY_SPEC_MISSING)
        wy_exec_import(x, spec);
    return WY_UNKNOWN;
}

void wy_known_add_records(struct wy_importer *im) {
    const struct wy_know *know = im->world->know;
    for (size_t i = 0; i < know->ndoes; i++) {
        const struct wy_extension_does *d = &know->does[i];
        bool called = strcmp(d->does, "called") == 0;
        if (!called && strcmp(d->does, "operator") != 0)
            continue;
        struct wy_known *row = WY_NEW(&im->arena, struct wy_known);
        *row = (struct wy_known){
            .name = d->module, .call = called ? imports_module : needs_operator, .what = d->what};
        wy_known_add(im, row);
    }
}
