/* Starting a program and dlopen, musl's phases (ldso/dynlink.c: __dls3, dlopen, load_deps,
 * extend_bfs_deps). At the start everything that is wrong is printed before the program ends;
 * dlopen stops at the first. */
#include "ld/musl.h"

#include "base/path.h"

#include <errno.h>

void ld_musl_line(struct ld_work *w, const char *text) {
    if (w->startup && w->open->outcome != WY_OPEN_CRASH)
        wy_buf_printf(&w->lines, "%s%s", w->lines.n ? "\n" : "", text);
}

static void fail(struct ld_work *w, const struct ld_musl_want *want,
                 const struct ld_musl_got *got) {
    struct wy_arena *a = &w->ld->arena;
    const char *name = want->name->s, *why = ld_musl_strerror(w->c_errno);
    const struct ld_image *im = got->bad ? got->bad->image : NULL;
    struct wy_problem p = {.kind = WY_P_MISSING_LIBRARY, .name = name, .needer = want->by};
    if (got->bad) {
        bool other = im && im->key->elf.kind == WY_ELF_OK && im->key->elf.is64 != w->ld->host->is64;
        p.kind = other                 ? WY_P_WRONG_CLASS
                 : w->c_errno == EPERM ? WY_P_NOEXEC /* no other refusal has it */
                                       : WY_P_BAD_FILE;
        p.file = got->bad->path->s;
    }
    if (got->crash) {
        p.kind = WY_P_CRASH;
        p.message = ld_message(w, p.file, got->crash, 0);
    } else if (want->is_need) {
        p.message = wy_arena_printf(a, "Error loading shared library %s: %s (needed by %s)", name,
                                    why, ld_shown(w, want->by));
    } else if (want->noload) {
        p.message = wy_arena_printf(a, "Library %s is not already loaded", name);
    } else {
        p.message = wy_arena_printf(a, "Error loading shared library %s: %s", name, why);
    }
    if (!want->is_need)
        p.needer = NULL;
    if (want->preload && !got->crash)
        p.kind = WY_P_PRELOAD; /* musl says nothing of it */
    else if (!got->crash)
        ld_musl_line(w, p.message);
    if (want->name->lost != w->ld->epoch)
        ld_problem(w, p);
    if (want->is_need)
        want->name->lost = w->ld->epoch;
    if (got->crash && w->startup)
        w->open->outcome = WY_OPEN_CRASH;
}

static bool map(struct ld_work *w, const struct ld_musl_want *want, struct ld_musl_got *got) {
    ld_musl_map(w, want, got);
    if (got->member == LD_NONE && !got->vdso)
        fail(w, want, got);
    return got->member != LD_NONE;
}

static void load_direct_deps(struct ld_work *w, uint32_t id) {
    WY_VEC(uint32_t) deps = {0};
    const struct wy_object *o = w->members.v[id].object;
    const struct ld_image *im = o->paths->image;
    for (size_t i = 1; i < w->order.n && (w->members.v[id].flags & LD_MAIN); i++)
        wy_vec_push(&deps, w->order.v[i]); /* preloads count as needs of the program */
    for (size_t i = 0; i < im->nneeds; i++) {
        if (im->needs[i].kind != LD_NEEDED) /* filters mean nothing to musl */
            continue;
        struct ld_musl_want want = {
            .name = im->needs[i].name, .by = o, .needer = o, .is_need = true};
        struct ld_musl_got got;
        if (!map(w, &want, &got))
            continue;
        wy_vec_push(&deps, got.member);
        if (!w->startup && got.member < w->nold)
            wy_vec_push(&w->resolved,
                        ((struct wy_resolved){want.name->s, o, w->members.v[got.member].object}));
    }
    w->members.v[id].deps = ld_keep_list(w, deps.v, deps.n);
    wy_vec_free(&deps);
}

static void load_deps(struct ld_work *w, size_t from) {
    for (size_t i = from; i < w->order.n; i++)
        if (!w->members.v[w->order.v[i]].deps)
            load_direct_deps(w, w->order.v[i]);
}

static uint32_t id_of(const struct ld_work *w, const struct wy_object *o) {
    const struct ld_image *im = o->paths->image;
    if (im->epoch == w->ld->epoch && w->members.v[im->member].object == o)
        return im->member;
    for (uint32_t i = 0; i < w->members.n; i++)
        if (w->members.v[i].object == o)
            return i;
    return LD_NONE;
}

/* The root and all it needs, breadth-first. */
static void list_deps(struct ld_work *w) {
    bool *marked = wy_alloc0(w->members.n + 1, sizeof *marked);
    wy_vec_push(&w->list, w->root);
    marked[w->root] = true;
    for (size_t i = 0; i < w->list.n; i++) {
        const struct ld_list_of_objects *deps = w->members.v[w->list.v[i]].deps;
        for (size_t k = 0; deps && k < deps->n; k++) {
            uint32_t id = id_of(w, deps->v[k]);
            if (id == LD_NONE || marked[id])
                continue;
            marked[id] = true;
            wy_vec_push(&w->list, id);
        }
    }
    free(marked);
}

void ld_musl_open(struct ld_work *w, struct ld_name *name, const struct wy_object *caller) {
    struct ld_musl_want want = {.name = name,
                                .by = caller,
                                .needer = w->members.v[w->order.v[0]].object,
                                .noload = w->mode & WY_NOLOAD};
    struct ld_musl_got got;
    if (!map(w, &want, &got))
        return; /* also when it is the vdso */
    w->root = got.member;
    if (!got.fresh)
        wy_vec_push(&w->resolved,
                    ((struct wy_resolved){name->s, caller, w->members.v[w->root].object}));
    uint32_t from = w->members.v[w->root].rank;
    if (got.fresh)
        load_deps(w, from);
    list_deps(w);
    w->members.v[w->root].list = ld_keep_list(w, w->list.v, w->list.n);
    w->incomplete = w->stopped;
    if (got.fresh)
        ld_musl_relocate(w, from);
    if ((w->mode & WY_GLOBAL) && !w->stopped)
        ld_promote(w);
}

/* Separators are white space and ':'; a preload has no search path of its own. */
static void preload(struct ld_work *w) {
    static const char separators[] = ": \t\n\v\f\r";
    const char *s = wy_host_getenv(w->ld->host, "LD_PRELOAD");
    if (w->ld->host->secure)
        return;
    while (s && *s) {
        s += strspn(s, separators);
        size_t n = strcspn(s, separators);
        const char *name = wy_arena_str(&w->ld->arena, (struct wy_str){s, n});
        struct ld_musl_want want = {
            .name = ld_name_of(w->ld, name), .by = w->members.v[w->root].object, .preload = true};
        struct ld_musl_got got;
        if (n)
            map(w, &want, &got);
        else
            w->c_errno = EINVAL; /* what stands behind the last separator */
        s += n;
    }
}

static void add_main(struct ld_work *w, const struct wy_place *program,
                     const struct wy_image *image) {
    struct wy_ld *ld = w->ld;
    struct wy_object *o = WY_NEW(&ld->arena, struct wy_object);
    struct wy_object_paths *paths = WY_NEW(&ld->arena, struct wy_object_paths);
    const char *exe = wy_place_path(&ld->arena, program); /* as /proc/self/exe says */
    *paths = (struct wy_object_paths){
        .image = ld_image_of(ld, image),
        .path = ld_name_of(ld, ""),
        .origin = ld_musl_origin(ld, ld->is_explicit ? w->open->request : exe)};
    *o = (struct wy_object){.name = paths->path->s,
                            .requested = w->open->request,
                            .image = paths->image->image,
                            .origin = paths->origin,
                            .paths = paths};
    w->root = ld_musl_add(w, o, NULL, LD_MAIN | LD_ROOT);
    w->library_path = ld_musl_list(ld, wy_host_getenv(ld->host, "LD_LIBRARY_PATH"));
}

void ld_musl_start(struct ld_work *w, const struct wy_place *program) {
    const struct wy_image *image = wy_host_image(w->ld->host, program);
    if (image->elf.kind != WY_ELF_OK) {
        ld_fail_start(w, ld_message(w, w->open->request, "Exec format error", 0));
        return;
    }
    add_main(w, program, image);
    if (!image->elf.interp || !ld_interpreter(w, image->elf.interp))
        return;
    preload(w);
    load_deps(w, 0);
    w->global = ld_keep_list(w, w->order.v, w->order.n);
    wy_vec_push(&w->list, w->root);
    w->incomplete = w->stopped;
    ld_musl_relocate(w, 0);
    if (!w->stopped)
        return;
    const char *text = wy_buf_text(&w->lines);
    w->open->message = w->lines.n ? wy_arena_cstr(&w->ld->arena, text) : NULL;
}
