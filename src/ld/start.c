/* Starting a program (elf/rtld.c, dl_main): the program, the loader, preloads, needs. */
#include "ld/internal.h"

#include "base/path.h"

#include <errno.h>

/* Adds an object that the kernel mapped. */
static uint32_t add_given(struct ld_work *w, const char *name, const struct wy_image *image,
                          const char *origin, uint32_t flags) {
    struct wy_ld *ld = w->ld;
    struct wy_object *o = WY_NEW(&ld->arena, struct wy_object);
    struct wy_object_paths *paths = WY_NEW(&ld->arena, struct wy_object_paths);
    *paths = (struct wy_object_paths){
        .image = ld_image_of(ld, image), .path = ld_name_of(ld, name), .origin = origin};
    *o = (struct wy_object){.name = paths->path->s,
                            .requested = flags & LD_MAIN ? w->open->request : paths->path->s,
                            .by = w->members.n ? w->members.v[0].object : NULL,
                            .image = image,
                            .origin = origin,
                            .paths = paths};
    return ld_add_member(w, o, paths->path, flags);
}

/* What goes wrong before or while the needs are mapped ends the program. */
void ld_fail_start(struct ld_work *w, const char *text) {
    ld_problem(
        w, (struct wy_problem){.kind = WY_P_BAD_FILE, .name = w->open->request, .message = text});
}

enum { CANONICAL_MINOR = 42 };

/* $ORIGIN of the program: the folder of /proc/self/exe, links resolved (_dl_get_origin). */
static void add_main(struct ld_work *w, const struct wy_place *program,
                     const struct wy_image *image) {
    struct wy_arena *a = &w->ld->arena;
    const char *origin = wy_path_dir(a, wy_place_path(a, program));
    origin = *origin ? origin : "/";
    unsigned minor = w->ld->host->libc_minor;
    if (w->ld->is_explicit && minor && minor < CANONICAL_MINOR)
        origin = ld_origin_of(w->ld, w->open->request);
    w->ld->main_origin = origin;
    w->root = add_given(w, "", image, origin, LD_MAIN | LD_ROOT | LD_GLOBAL);
    w->exec_stack = wy_ld_wants_exec_stack(image);
    w->library_path =
        ld_list_of(w->ld, wy_host_getenv(w->ld->host, "LD_LIBRARY_PATH"), ":;", origin);
}

const struct wy_image *ld_interpreter(struct ld_work *w, const char *interp) {
    struct wy_host *host = w->ld->host;
    struct wy_place place;
    int err = wy_tree_find(host->tree, w->ld->cwd, interp, 0, &place);
    if (!err && (!place.entry || place.entry->type != WY_FT_FILE))
        err = EACCES;
    if (!err)
        return wy_host_image(host, &place);
    /* execve(2) says so; the loader never runs */
    ld_fail_start(w, ld_message(w, w->open->request, "cannot execute: required file not found", 0));
    return NULL;
}

/* The loader answers to its PT_INTERP name and its SONAME. */
static uint32_t add_loader(struct ld_work *w, const char *interp) {
    const struct wy_image *image = ld_interpreter(w, interp);
    if (!image)
        return LD_NONE;
    return add_given(w, interp, image, ld_origin_of(w->ld, interp), LD_LOADER | LD_GLOBAL);
}

/* A preload that fails is a line on stderr, nothing more; errors of errno are not named. */
static void preload(struct ld_work *w, const char *name, const char *from) {
    struct ld_want want = {.name = ld_name_of(w->ld, name),
                           .by = w->members.v[w->root].object,
                           .loader = w->members.v[w->root].object,
                           .preload = true};
    struct ld_mapped m;
    ld_map(w, &want, &m);
    want.name->lost = 0;
    if (!m.text)
        return;
    if (m.problem.kind != WY_P_CRASH) {
        m.problem.kind = WY_P_PRELOAD;
        m.problem.message = wy_arena_printf(
            &w->ld->arena, "ERROR: ld.so: object '%s' from %s cannot be preloaded (%s): ignored.",
            name, from, m.text);
    }
    m.problem.needer = NULL;
    ld_problem(w, m.problem);
}

/* SECURE_PATH_LIMIT and SECURE_NAME_LIMIT of elf/rtld.c */
enum { PRELOAD_PATH_MAX = 4096, PRELOAD_NAME_MAX = 255 };

/* In secure mode only bare names may be preloaded (dso_name_valid_for_suid). */
static bool may_preload(const struct ld_work *w, struct wy_str name) {
    if (!name.n || name.n >= PRELOAD_PATH_MAX)
        return false;
    return !w->ld->host->secure || (name.n < PRELOAD_NAME_MAX && !memchr(name.p, '/', name.n));
}

static void preload_variable(struct ld_work *w) {
    const char *s = wy_host_getenv(w->ld->host, "LD_PRELOAD");
    while (s && *s) {
        size_t n = strcspn(s, " :");
        if (may_preload(w, (struct wy_str){s, n}))
            preload(w, wy_arena_str(&w->ld->arena, (struct wy_str){s, n}), "LD_PRELOAD");
        s += n + (s[n] != '\0');
    }
}

/* As the loader does it: after a comment it looks for the next from the start of the file again,
 * over as many bytes as are left, so a later comment may stay. */
static void blank_comments(char *text, size_t n) {
    size_t rest = n;
    char *comment;
    while (rest > 0 && (comment = memchr(text, '#', rest))) {
        rest -= (size_t)(comment - text);
        do
            *comment = ' ';
        while (--rest > 0 && *++comment != '\n');
    }
}

static void preload_file(struct ld_work *w) {
    static const char path[] = "/etc/ld.so.preload";
    struct wy_str bytes;
    w->err = wy_tree_slurp(w->ld->host->tree, NULL, path, 1 << 20, &w->ld->arena, &bytes);
    if (w->err || !bytes.n)
        return;
    char *text = wy_arena_str(&w->ld->arena, bytes);
    blank_comments(text, bytes.n);
    for (char *s = text; *s;) {
        size_t n = strcspn(s, ": \t\n");
        if (n)
            preload(w, wy_arena_str(&w->ld->arena, (struct wy_str){s, n}), path);
        s += n + (s[n] != '\0');
    }
}

/* The loader stands in load order behind its predecessor in the search list; it is always needed,
 * by libc. */
static void place_loader(struct ld_work *w, uint32_t loader) {
    for (size_t i = 1; i < w->list.n; i++)
        if (w->list.v[i] == loader) {
            uint32_t rank = w->members.v[w->list.v[i - 1]].rank;
            if (rank + 1 == w->members.v[loader].rank)
                return;
            if (rank + 1 < w->order.n)
                ld_move_before(w, loader, w->order.v[rank + 1]);
            else
                ld_move_last(w, loader);
            return;
        }
}

/* Whether nothing more is printed after this problem. Of missing versions all are listed; the
 * program ends behind them (*lines: there was one). */
static bool ends(const struct ld_work *w, size_t i, bool *lines) {
    const struct wy_problem *p = &w->problems.v[i];
    bool line = p->kind == WY_P_MISSING_VERSION && !p->aborts;
    *lines = *lines || line;
    if (line || p->kind == WY_P_PRELOAD || p->kind == WY_P_NO_VERSION)
        return *lines && i + 1 == w->versions_to;
    return true;
}

/* All lines that the loader prints on stderr. */
static void join_messages(struct ld_work *w) {
    struct wy_arena *a = &w->ld->arena;
    const char *text = NULL;
    bool lines = false;
    for (size_t i = 0; i < w->problems.n; i++) {
        struct wy_problem *p = &w->problems.v[i];
        bool last = ends(w, i, &lines);
        if (p->kind == WY_P_CRASH)
            break;
        text = text ? wy_arena_printf(a, "%s\n%s", text, p->message) : p->message;
        if (last && p->aborts)
            w->open->outcome = WY_OPEN_ABORT;
        if (last)
            break;
    }
    w->open->message = text;
}

/* Problems after the preloads get the words of the fatal line. */
static void word_fatal(struct ld_work *w) {
    struct wy_arena *a = &w->ld->arena;
    for (size_t i = 0; i < w->problems.n; i++) {
        struct wy_problem *p = &w->problems.v[i];
        if (p->kind == WY_P_PRELOAD || p->kind == WY_P_CRASH || p->kind == WY_P_UNDEFINED_SYMBOL ||
            p->aborts || (i >= w->versions_from && i < w->versions_to))
            continue;
        const char *text = p->message;
        p->message = p->kind == WY_P_ISA_LEVEL
                         ? text
                         : wy_arena_printf(a, "%s: error while loading shared libraries: %s",
                                           w->open->request, text);
        if (w->open->message == text)
            w->open->message = p->message;
    }
}

static void map_all(struct ld_work *w, uint32_t loader) {
    w->set_uid = w->ld->host->secure;
    preload_variable(w);
    preload_file(w);
    w->set_uid = false;
    int access_err = w->err;
    WY_VEC(uint32_t) first = {0};
    wy_vec_push(&first, w->root);
    for (size_t i = 0; i < w->order.n; i++)
        if (w->order.v[i] != w->root && w->order.v[i] != loader)
            wy_vec_push(&first, w->order.v[i]);
    ld_walk_needs(w, first.v, first.n);
    wy_vec_free(&first);
    if (!w->err)
        w->err = access_err;
    for (size_t i = 0; i < w->list.n; i++)
        w->members.v[w->list.v[i]].flags |= LD_GLOBAL;
    w->global = ld_keep_list(w, w->list.v, w->list.n);
    if (!w->circle)
        place_loader(w, loader);
    ld_check(w);
    ld_find_unbound(w);
}

void ld_glibc_start(struct ld_work *w, const struct wy_place *program) {
    const struct wy_image *image = wy_host_image(w->ld->host, program);
    enum wy_hit hit;
    const char *refused = wy_ld_refuses(w->ld->host, image, true, &hit);
    if (refused) {
        ld_fail_start(w, ld_message(w, w->open->request, refused, 0));
        return;
    }
    add_main(w, program, image);
    if (!image->elf.interp)
        return;
    uint32_t loader = add_loader(w, image->elf.interp);
    if (loader == LD_NONE)
        return;
    if (w->exec_stack && ld_refuses_exec_stack_at_start(w->ld->host)) {
        ld_fail_start(w, "Fatal glibc error: executable stack is not allowed");
        return;
    }
    map_all(w, loader);
    if (w->stopped) {
        word_fatal(w);
        join_messages(w);
    }
}

void wy_ld_start(struct wy_ld *ld, const char *path, struct wy_open *ret) {
    *ret = (struct wy_open){.request = wy_host_intern(ld->host, path)};
    struct ld_work w;
    struct wy_place place;
    ld_work_begin(&w, ld, NULL, ret);
    int err = wy_tree_find(ld->host->tree, ld->cwd, path, 0, &place);
    if (!err && (!place.entry || place.entry->type != WY_FT_FILE))
        err = EACCES;
    if (err)
        ld_fail_start(&w, ld_message(&w, path, ld_strerror(&w, err), 0));
    else
        ld->ops->start(&w, &place);
    ld_finish(&w);
    ld_work_end(&w);
}
