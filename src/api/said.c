#include "said/said.h"
#include "api/said.h"

#include "base/path.h"

struct choice {
    struct whyso_answer *a;
    const struct whyso_options *o;
    const struct wy_said *said;
    const char *first; /* the best of what nobody here knows */
};

static bool known_library(const struct wy_world *w, const char *name) {
    size_t n;
    if (wy_world_named(w, name, &n) && n)
        return true;
    for (size_t i = 0; i < w->nlibraries; i++)
        for (size_t k = 0; k < w->libraries[i].image->elf.nneeded; k++)
            if (strcmp(w->libraries[i].image->elf.needed[k], name) == 0)
                return true;
    for (size_t i = 0; i < w->nclaimed; i++)
        if (strcmp(wy_path_base(w->claimed[i].path), name) == 0)
            return true;
    return false;
}

static const char *known_path(struct choice *c, const char *path) {
    struct wy_place place;
    bool exists;
    const char *own = wy_subject_path(c->a, c->o, path, &place, &exists);
    return exists || wy_world_claimed(c->a->world, own) ? own : NULL;
}

/* The file; or, when the text is from another machine, the one in the same place of this
 * environment. */
static const char *here(struct choice *c, const char *path) {
    static const char *const folders[] = {"/site-packages/", "/dist-packages/"};
    const struct wy_env *e = &c->a->world->env;
    const char *found = known_path(c, path);
    for (size_t i = 0; !found && i < sizeof folders / sizeof *folders; i++) {
        const char *below = strstr(path, folders[i]);
        for (size_t k = 0; !found && below && k < e->nsite_dirs; k++)
            found = known_path(
                c, wy_path_join(&c->a->arena, e->site_dirs[k], below + strlen(folders[i])));
    }
    return found;
}

/* One name as an argument; *known: whether this environment has or needs it. */
static const char *subject_of(struct choice *c, size_t name, const char *text, bool *known) {
    struct wy_arena *arena = &c->a->arena;
    *known = false;
    if (name == WY_SAID_MODULE) {
        *known = wy_importer_finds(c->a->importer, text);
        return wy_arena_printf(arena, "module:%s", text);
    }
    const char *path = strchr(text, '/') ? here(c, text) : NULL;
    if (path) {
        *known = true;
        return wy_arena_printf(arena, "file:%s", path);
    }
    const char *base = wy_path_base(text);
    if (!wy_path_is_so(base))
        return NULL;
    *known = known_library(c->a->world, base);
    return wy_arena_printf(arena, "lib:%s", base);
}

/* One word of a row's objects; the subject when it is known here. */
static const char *try_word(struct choice *c, struct wy_str word) {
    if (wy_str_starts(word, "module:"))
        return wy_arena_str(&c->a->arena, word);
    size_t name = wy_said_name_of(word);
    struct wy_str text = name < WY_SAID_NAMES ? c->said->names[name] : (struct wy_str){NULL, 0};
    bool known = false;
    const char *subject =
        text.p ? subject_of(c, name, wy_arena_str(&c->a->arena, text), &known) : NULL;
    if (!c->first)
        c->first = subject;
    return known ? subject : NULL;
}

/* The folder of packages that the text speaks of, when it is none of this environment. */
static const char *other_site(struct whyso_answer *a, struct wy_str site) {
    const struct wy_env *e = &a->world->env;
    const char *path = site.p ? wy_path_clean(&a->arena, wy_arena_str(&a->arena, site)) : NULL;
    struct wy_dir *dir, *own;
    bool here = path && wy_tree_find_dir(a->tree, NULL, path, &dir) == 0;
    for (size_t i = 0; path && i < e->nsite_dirs; i++)
        if (strcmp(path, e->site_dirs[i]) == 0 ||
            (here && wy_tree_find_dir(a->tree, NULL, e->site_dirs[i], &own) == 0 && own == dir))
            return NULL;
    return path;
}

static void fill(struct whyso_answer *a, const struct wy_said *said, struct whyso_said *ret) {
    const char *names[WY_SAID_NAMES] = {0};
    for (size_t i = 0; i < WY_SAID_NAMES; i++)
        if (said->names[i].p)
            names[i] = wy_arena_str(&a->arena, said->names[i]);
    *ret = (struct whyso_said){
        .line = wy_arena_str(&a->arena, said->line),
        .number = said->number,
        .means = said->form ? said->form->means : NULL,
        .library = names[WY_SAID_LIBRARY],
        .file = names[WY_SAID_FILE],
        .symbol = names[WY_SAID_SYMBOL],
        .version = names[WY_SAID_VERSION],
        .module = names[WY_SAID_MODULE],
        .site = other_site(a, said->site),
    };
}

struct wy_error *wy_said_subject(struct whyso_answer *a, const struct whyso_options *o,
                                 struct wy_str text, struct whyso_said *said,
                                 const char **subject) {
    struct wy_said read;
    wy_said_read(a->know, text, &read);
    if (!read.line.p)
        return wy_errorf("standard input: no line in it is an error of a loader or an import that "
                         "whyso knows; `whyso check` looks at everything");
    fill(a, &read, said);
    struct choice c = {.a = a, .o = o, .said = &read};
    struct wy_str rest = wy_str_of(read.form ? read.form->object : "library");
    *subject = NULL;
    while (rest.p && !*subject)
        *subject = try_word(&c, wy_str_cut(rest, '|', &rest));
    if (!*subject)
        *subject = c.first;
    return *subject ? NULL
                    : wy_errorf("standard input, line %llu: names neither a library nor a module",
                                (unsigned long long)read.number);
}
