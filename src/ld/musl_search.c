/* From a bare name to a file, musl's way: one list after the other, the first file that can be
 * opened counts, whatever it is (ldso/dynlink.c: load_library, path_open, fixup_rpath). */
#include "ld/musl.h"

#include <errno.h>

/* Paths are built in a buffer of this size (2*NAME_MAX+2); what does not fit is passed over. */
enum { BUFFER = 512 };

/* All before the last slash of a text; the whole name when there is none ("." in musl). */
const char *ld_musl_origin(struct wy_ld *ld, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return wy_arena_str(&ld->arena, (struct wy_str){path, (size_t)(slash - path)});
}

/* Elements end at ':' or a newline; empty ones do not count. */
static struct ld_list *make_list(struct wy_ld *ld, const char *text) {
    size_t most = 1;
    for (const char *s = text; *s; s++)
        most += *s == ':' || *s == '\n';
    struct ld_list *list = WY_NEW(&ld->arena, struct ld_list);
    list->dirs = wy_arena_alloc(&ld->arena, most * sizeof *list->dirs);
    list->entries = wy_arena_alloc(&ld->arena, most * sizeof *list->entries);
    for (int entry = 1;; entry++) {
        size_t n = strcspn(text, ":\n");
        if (n) {
            list->entries[list->n] = entry;
            list->dirs[list->n++] =
                ld_dir_of(ld, wy_arena_printf(&ld->arena, "%.*s/", (int)n, text));
        }
        if (!text[n])
            return list;
        text += n + 1;
    }
}

const struct ld_list *ld_musl_list(struct wy_ld *ld, const char *text) {
    if (!text || !*text)
        return NULL;
    const char *key = wy_host_intern(ld->host, text);
    void **slot = wy_map_at(&ld->lists, wy_str_of(key));
    if (!*slot)
        *slot = make_list(ld, key);
    const struct ld_list *list = *slot;
    return list->n ? list : NULL;
}

/* Length of "ORIGIN" or "{ORIGIN}", 0 for anything else; what follows is plain text. */
static size_t origin_token(const char *s) {
    return wy_starts(s, "ORIGIN") ? 6 : wy_starts(s, "{ORIGIN}") ? 8 : 0;
}

/* In secure mode the place of the program, or a relative one, is not trusted. */
static bool has_origin(const struct wy_ld *ld, const struct wy_object *o) {
    const char *origin = o->origin;
    if (!origin || (o->name[0] == '\0' && strlen(origin) >= BUFFER))
        return false;
    return !ld->host->secure || (o->name[0] && *origin == '/');
}

/* NULL when the text has a '$' of another kind: then the whole list is of no use. */
static const char *expand(struct wy_ld *ld, const char *text, const struct wy_object *o) {
    if (!strchr(text, '$'))
        return text;
    wy_auto_buf b = {0};
    for (const char *s = text; *s;) {
        if (*s != '$') {
            wy_buf_char(&b, *s++);
            continue;
        }
        size_t n = origin_token(s + 1);
        if (!n || !has_origin(ld, o))
            return NULL;
        wy_buf_str(&b, o->origin);
        s += n + 1;
    }
    return wy_arena_cstr(&ld->arena, wy_buf_text(&b));
}

/* One string for both tags; DT_RUNPATH comes first (decode_dyn). */
static const struct ld_list *path_of(struct wy_ld *ld, const struct wy_object *o) {
    struct wy_object_paths *p = o->paths;
    if (!p || p->made)
        return p ? p->rpath : NULL;
    const struct wy_elf *elf = &p->image->image->elf;
    const char *text = elf->runpath ? elf->runpath : elf->rpath;
    text = text ? expand(ld, text, o) : NULL;
    p->made = true;
    p->rpath = ld_musl_list(ld, text);
    return p->rpath;
}

/* Who brought it in: main for what was opened, nobody for main and for preloads. */
static const struct wy_object *needed_by(const struct ld_work *w, const struct wy_object *o) {
    if (o->loader || o->found == WY_BY_PRELOAD || !o->name[0])
        return o->loader;
    return w->members.v[w->order.v[0]].object;
}

static bool goes_on(int err) {
    return err == ENOENT || err == ENOTDIR || err == EACCES || err == ENAMETOOLONG;
}

/* One element. NULL with *err: the errno, or 0 when nothing was tried. */
static struct ld_file *try_dir(struct wy_ld *ld, const struct ld_dir *d, struct ld_name *name,
                               int *err) {
    *err = 0;
    if (strlen(d->text) + strlen(name->s) >= BUFFER)
        return NULL;
    *err = d->err;
    return d->err ? NULL : ld_probe_in(ld, d, &d->subs[d->nsubs - 1], name, err);
}

static const struct ld_walk *walk_of(struct wy_ld *ld, const struct ld_list *list,
                                     struct ld_name *name) {
    const void *key[2] = {list, name};
    struct wy_str bytes = {(const char *)key, sizeof key};
    struct ld_walk *r = wy_map_get(&ld->walks, bytes);
    if (r)
        return r;
    r = WY_NEW(&ld->arena, struct ld_walk);
    r->key[0] = list;
    r->key[1] = name;
    for (size_t i = 0; i < list->n && !r->file && !r->ended; i++) {
        int err;
        r->file = try_dir(ld, list->dirs[i], name, &err);
        if (r->file || !err)
            continue;
        r->err = err;
        r->ended = !goes_on(err);
    }
    bytes.p = (const char *)r->key;
    *wy_map_at(&ld->walks, bytes) = r;
    return r;
}

/* True when the search is over: found, or an error that ends all of it. */
static bool in_list(struct ld_work *w, const struct ld_list *list, struct ld_name *name,
                    struct ld_found *ret) {
    if (!list)
        return false;
    const struct ld_walk *r = walk_of(w->ld, list, name);
    if (r->err)
        w->c_errno = r->err;
    ret->file = r->file;
    return r->file || r->ended;
}

static enum wy_found tag_of(const struct wy_object *o) {
    return o->image->elf.runpath ? WY_BY_RUNPATH : WY_BY_RPATH;
}

/* The file is read when it is first wanted; w->err remembers that it was. */
static void read_path_file(struct ld_work *w) {
    if (!w->err && w->ld->host->path_file_error)
        w->c_errno = w->ld->host->path_file_error;
    w->err = 1;
}

struct ld_file *ld_musl_search(struct ld_work *w, struct ld_name *name,
                               const struct wy_object *needer, struct ld_found *ret) {
    *ret = (struct ld_found){.by = WY_BY_LD_LIBRARY_PATH};
    if (in_list(w, w->library_path, name, ret))
        return ret->file;
    for (const struct wy_object *o = needer; o; o = needed_by(w, o)) {
        ret->by = tag_of(o);
        ret->of = o;
        if (in_list(w, path_of(w->ld, o), name, ret))
            return ret->file;
    }
    ret->by = WY_BY_DEFAULT;
    ret->of = NULL;
    read_path_file(w);
    in_list(w, w->ld->defaults, name, ret);
    return ret->file;
}

struct tracer {
    struct ld_work *w;
    struct ld_name *name;
    WY_VEC(struct wy_search_step) steps;
    const char *taken;
};

static void add_step(struct tracer *t, struct wy_search_step step, const struct ld_file *f,
                     int err) {
    step.result = f               ? f->verdict.hit
                  : err == EACCES ? WY_HIT_UNREADABLE
                  : err == ELOOP  ? WY_HIT_LOOP
                                  : WY_HIT_ABSENT;
    step.file = f ? f->path->s : NULL;
    wy_vec_push(&t->steps, step);
    if (step.result == WY_HIT_TAKEN)
        t->taken = step.file;
}

/* True when the search is over. */
static bool trace_list(struct tracer *t, const struct ld_list *list, enum wy_found by,
                       const struct wy_object *of) {
    struct wy_arena *a = &t->w->ld->arena;
    for (size_t i = 0; list && i < list->n; i++) {
        const struct ld_dir *d = list->dirs[i];
        size_t n = strlen(d->text);
        struct wy_search_step step = {.by = by, .of = of, .entry = list->entries[i]};
        step.place = n == 1 ? d->text : wy_arena_str(a, (struct wy_str){d->text, n - 1});
        if (by == WY_BY_DEFAULT)
            step.entry = 0;
        int err;
        const struct ld_file *f = try_dir(t->w->ld, d, t->name, &err);
        add_step(t, step, f, err);
        if (d->err && goes_on(d->err))
            t->steps.v[t->steps.n - 1].result = WY_HIT_NO_DIRECTORY;
        if (f || (err && !goes_on(err)))
            return true;
    }
    return false;
}

static void trace_stages(struct tracer *t, const struct wy_object *needer) {
    struct ld_work *w = t->w;
    if (t->name->slash) {
        int err;
        const struct ld_file *f = ld_probe_path(w->ld, t->name->s, &err);
        add_step(t, (struct wy_search_step){.place = t->name->s, .by = WY_BY_PATH}, f, err);
        return;
    }
    if (trace_list(t, w->library_path, WY_BY_LD_LIBRARY_PATH, NULL))
        return;
    for (const struct wy_object *o = needer; o; o = needed_by(w, o))
        if (trace_list(t, path_of(w->ld, o), tag_of(o), o))
            return;
    trace_list(t, w->ld->defaults, WY_BY_DEFAULT, NULL);
}

void ld_musl_trace(struct ld_work *w, struct ld_name *name, const struct wy_object *needer,
                   struct wy_search *ret) {
    struct tracer t = {.w = w, .name = name};
    const char *self = w->ld->host->ldso;
    if (ld_musl_is_self(w->ld, name->s)) { /* whatever lies on disk */
        struct wy_search_step step = {
            .place = self, .by = WY_BY_LOADED, .result = WY_HIT_TAKEN, .file = self};
        wy_vec_push(&t.steps, step);
        t.taken = self;
    } else {
        trace_stages(&t, needer);
    }
    wy_vec_keep(&w->ld->arena, &t.steps);
    *ret = (struct wy_search){t.steps.v, t.steps.n, t.taken};
}
