/* Libraries that code opens by a path that is not known: where a constant of the same file names a
 * library beside it, that one is meant. Never more than maybe, and what does not open was not. */
#include "base/buf.h"
#include "import/internal.h"

enum { MOST_GUESSES = 3, LONGEST = 128 }; /* more names than that are a choice */

struct wy_guesses {
    const char *v[MOST_GUESSES];
    size_t n; /* MOST_GUESSES + 1: too many */
};

static void add(struct wy_guesses *g, const struct wy_library *lib) {
    for (size_t i = 0; i < g->n && i < MOST_GUESSES; i++)
        if (g->v[i] == lib->path)
            return;
    if (g->n < MOST_GUESSES)
        g->v[g->n] = lib->path;
    if (g->n <= MOST_GUESSES)
        g->n++;
}

/* `name`, `name.so` or `libname.so` beside the module. */
static void try_name(struct wy_importer *im, const char *dir, struct wy_str name,
                     struct wy_guesses *g) {
    static const char *const forms[] = {"%s/%.*s", "%s/%.*s.so", "%s/lib%.*s.so"};
    if (name.n == 0 || name.n > LONGEST || memchr(name.p, '\\', name.n) ||
        memchr(name.p, '\0', name.n) || name.p[0] == '/')
        return;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        wy_auto_buf path = {0};
        wy_buf_printf(&path, forms[i], dir, (int)name.n, name.p);
        const struct wy_library *lib =
            wy_map_get(&im->world->library_by_path, wy_str_of(wy_buf_text(&path)));
        if (lib && lib->role == WY_ROLE_LIBRARY)
            add(g, lib);
    }
}

/* From an opening mark: behind its end; *ret is what is between, nothing for what is longer than a
 * line. */
static size_t constant(struct wy_str text, size_t at, struct wy_str *ret) {
    char mark[] = {text.p[at], text.p[at], text.p[at]};
    *ret = (struct wy_str){0};
    if (text.n - at >= 3 && memcmp(text.p + at, mark, 3) == 0) {
        size_t n = wy_str_find((struct wy_str){text.p + at + 3, text.n - at - 3},
                               (struct wy_str){mark, 3});
        return n == SIZE_MAX ? text.n : at + n + 6;
    }
    size_t end = at + 1;
    while (end < text.n && text.p[end] != mark[0] && text.p[end] != '\n')
        end += text.p[end] == '\\' && end + 1 < text.n ? 2 : 1;
    if (end < text.n && text.p[end] == mark[0])
        *ret = (struct wy_str){text.p + at + 1, end - at - 1};
    return end + 1;
}

static void look(struct wy_importer *im, const struct wy_spec *spec, struct wy_guesses *g) {
    const char *problem, *dir = wy_path_dir(&im->arena, spec->path);
    struct wy_str text = wy_place_text(im, &spec->place, &im->text, &problem), name;
    for (size_t at = 0; !problem && at < text.n;) {
        if (text.p[at] == '#')
            while (at < text.n && text.p[at] != '\n')
                at++;
        else if (text.p[at] == '"' || text.p[at] == '\'') {
            at = constant(text, at, &name);
            try_name(im, dir, name, g);
        } else
            at++;
    }
}

static bool open_perhaps(struct wy_exec *x, const char *path, unsigned mode) {
    struct wy_guarded guard = {.up = x->guards, .kind = WY_AROUND_ARM, .frame = x->frame};
    size_t events = x->events.n;
    const struct wy_process *process = x->process;
    if (wy_ld_open(x->im->ld, x->process, path, mode, NULL)->outcome != WY_OPEN_OK)
        return false;
    x->guards = &guard;
    x->maybe++;
    bool opened = wy_exec_open(x, NULL, path, mode, NULL, NULL);
    x->maybe--;
    x->guards = guard.up;
    if (opened)
        return true;
    x->events.n = events;
    x->process = process;
    return false;
}

bool wy_exec_guess(struct wy_exec *x, unsigned mode) {
    struct wy_module *m = x->frame ? x->frame->scope->module : NULL;
    if (!m || x->stop || !wy_world_owner(x->im->world, &m->spec->place))
        return false;
    if (!m->guesses) {
        m->guesses = WY_NEW(&x->im->arena, struct wy_guesses);
        look(x->im, m->spec, m->guesses);
    }
    bool opened = false;
    for (size_t i = 0; m->guesses->n <= MOST_GUESSES && i < m->guesses->n; i++)
        opened |= open_perhaps(x, m->guesses->v[i], mode);
    return opened;
}
