#include "import/ahead.h"

#include "base/pool.h"

#include <pthread.h>
#include <stdio.h>

enum {
    MOST_READERS = 8,
    MOST_AHEAD = 48 << 20, /* bytes that were read and that nobody has asked for */
    MOST_READINGS = 200000,
    MOST_WAITING = 1 << 20, /* each may be named many times: the last time counts */
};

/* What a thread reads with. The caller's own is part of the importer. */
struct reader {
    struct wy_ahead *of;
    struct wy_arena arena, text;
    struct wy_intern names;
    struct wy_map targets; /* dotted name → struct target *, or `of` for one that leads nowhere */
    struct wy_task *task;
};

struct reading {
    const struct wy_entry *entry;
    struct wy_place place;
    enum { WAITING, RUNNING, DONE, TAKEN } state;
    bool compiled;
    size_t bytes;
    struct wy_source_tree *tree;
    struct wy_extension found;
};

struct wy_ahead {
    struct wy_importer *im;           /* of it, what does not change: world and target of names */
    const struct wy_search_dir *path; /* sys.path at the start */
    size_t npath;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t work, done;
    struct wy_map by_entry;
    WY_VEC(struct reading *) waiting; /* the last one is next */
    size_t bytes;                     /* of all that is DONE */
    size_t libraries;                 /* of the world, whose tables were read or are being read */
    bool ends;
    struct wy_arena arena; /* of readings */
    struct reader readers[MOST_READERS];
    unsigned nreaders;
    struct reader own; /* of the caller's thread, which reads what is next while it waits */
};

/* ---- where names lead: the finder's rules, as far as a guess needs them ---- */

struct target {
    struct wy_place place; /* of the file; entry is NULL when there is none */
    struct wy_dir *dir;    /* of a package, or NULL */
    bool compiled;
};

static bool entry_of(struct wy_ahead *a, struct wy_dir *dir, const char *name, enum wy_ftype type,
                     struct wy_place *ret) {
    const struct wy_entry *e = wy_dir_get(dir, name);
    *ret = (struct wy_place){.dir = dir, .entry = e};
    if (e && e->type == WY_FT_LINK && wy_tree_find(a->im->world->tree, dir, name, 0, ret) != 0)
        return false;
    return e && ret->entry && ret->entry->type == type;
}

static bool with_suffix(struct wy_ahead *a, struct wy_dir *dir, const char *leaf,
                        const char *suffix, struct wy_place *ret) {
    char name[256];
    int n = snprintf(name, sizeof name, "%s%s", leaf, suffix);
    return n > 0 && (size_t)n < sizeof name && entry_of(a, dir, name, WY_FT_FILE, ret);
}

static bool in_folder(struct wy_ahead *a, struct wy_dir *dir, const char *leaf,
                      struct target *ret) {
    struct wy_place place;
    const struct wy_env *env = &a->im->world->env;
    *ret = (struct target){0};
    if (entry_of(a, dir, leaf, WY_FT_DIR, &place)) {
        ret->dir = wy_place_dir(a->im->world->tree, &place);
        if (ret->dir && entry_of(a, ret->dir, "__init__.py", WY_FT_FILE, &ret->place))
            return true;
        ret->place.entry = NULL;
    }
    for (size_t i = 0; i < env->next_suffixes; i++)
        if (with_suffix(a, dir, leaf, env->ext_suffixes[i], &ret->place)) {
            ret->compiled = true;
            return true;
        }
    if (with_suffix(a, dir, leaf, ".py", &ret->place))
        return true;
    ret->place.entry = NULL;
    return ret->dir;
}

/* `name` up to `n` bytes, dotted; found once per reader. */
static const struct target *absolute(struct reader *r, const char *name, size_t n) {
    struct wy_ahead *a = r->of;
    struct wy_str key = {name, n};
    const void *known = wy_map_get(&r->targets, key);
    if (known)
        return known == a ? NULL : known;
    key.p = wy_arena_str(&r->arena, key);
    const char *dot = memrchr(key.p, '.', n), *leaf = dot ? dot + 1 : key.p;
    const struct target *parent = dot ? absolute(r, key.p, (size_t)(dot - key.p)) : NULL;
    struct target found = {0};
    bool is_there = parent && parent->dir && in_folder(a, parent->dir, leaf, &found);
    for (size_t i = 0; !dot && !is_there && i < a->npath; i++)
        is_there = a->path[i].dir && in_folder(a, a->path[i].dir, leaf, &found);
    struct target *kept = is_there ? WY_NEW(&r->arena, struct target) : NULL;
    if (kept)
        *kept = found;
    *wy_map_at(&r->targets, key) = kept ? (void *)kept : (void *)a;
    return kept;
}

/* ---- what is to be read ---- */

typedef WY_VEC(struct target) target_vec;

static void want(target_vec *to, const struct target *t) {
    if (t && t->place.entry)
        wy_vec_push(to, *t);
}

/* A module and the packages above it. */
static const struct target *want_absolute(struct reader *r, target_vec *to, const char *name) {
    if (strnlen(name, WY_MOST_NAME) == WY_MOST_NAME)
        return NULL;
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
        want(to, absolute(r, name, (size_t)(dot - name)));
    const struct target *t = absolute(r, name, strlen(name));
    want(to, t);
    return t;
}

/* The folder of `from level × "." name`, NULL when there is none. */
static struct wy_dir *relative(struct reader *r, target_vec *to, struct wy_dir *dir,
                               const struct wy_stmt *s) {
    struct wy_str rest = wy_str_of(s->name);
    for (uint32_t i = 1; i < s->level; i++)
        dir = wy_dir_parent(dir);
    while (dir && rest.n) {
        struct target t;
        struct wy_str part = wy_str_cut(rest, '.', &rest);
        char leaf[256];
        if (part.n >= sizeof leaf)
            return NULL;
        memcpy(leaf, part.p, part.n);
        leaf[part.n] = '\0';
        if (!in_folder(r->of, dir, leaf, &t))
            return NULL;
        want(to, &t);
        dir = t.dir;
    }
    return dir;
}

static void from(struct reader *r, target_vec *to, struct wy_dir *here, const struct wy_stmt *s) {
    struct wy_dir *dir = NULL;
    if (s->level) {
        dir = relative(r, to, here, s);
    } else {
        const struct target *t = want_absolute(r, to, s->name);
        dir = t ? t->dir : NULL;
    }
    for (uint32_t i = 0; dir && i < s->imports.n; i++) {
        struct target t;
        if (in_folder(r->of, dir, s->imports.v[i].name, &t))
            want(to, &t);
    }
}

static bool for_type_checkers(const struct wy_expr *e) {
    return (e->kind == WY_E_NAME || e->kind == WY_E_ATTRIBUTE) &&
           strcmp(e->name, "TYPE_CHECKING") == 0;
}

/* Statements that may run when the module is loaded. */
static void statements(struct reader *r, target_vec *to, struct wy_dir *here, struct wy_body b) {
    for (uint32_t i = 0; i < b.n; i++) {
        const struct wy_stmt *s = &b.v[i];
        if (s->kind == WY_S_IMPORT)
            for (uint32_t k = 0; k < s->imports.n; k++)
                want_absolute(r, to, s->imports.v[k].name);
        else if (s->kind == WY_S_FROM)
            from(r, to, here, s);
        if (s->kind == WY_S_CLASS || s->kind == WY_S_DEF)
            continue;
        if (s->kind != WY_S_IF || !for_type_checkers(s->value))
            statements(r, to, here, s->body);
        for (uint32_t k = 0; s->kind == WY_S_TRY && k < s->handlers.n; k++)
            statements(r, to, here, s->handlers.v[k].body);
        statements(r, to, here, s->orelse);
        statements(r, to, here, wy_stmt_finally(s));
    }
}

/* ---- the list ---- */

/* With the lock held. */
static struct reading *add(struct wy_ahead *a, const struct wy_place *p, bool compiled) {
    struct reading *r = WY_NEW(&a->arena, struct reading);
    *r = (struct reading){.entry = p->entry, .place = *p, .compiled = compiled};
    *wy_map_at(&a->by_entry, (struct wy_str){(const char *)&r->entry, sizeof r->entry}) = r;
    return r;
}

static struct reading *known(struct wy_ahead *a, const struct wy_entry *e) {
    return wy_map_get(&a->by_entry, (struct wy_str){(const char *)&e, sizeof e});
}

/* The first of them is read first. */
static void put(struct wy_ahead *a, target_vec *targets) {
    pthread_mutex_lock(&a->lock);
    for (size_t i = targets->n; i-- > 0;) {
        const struct target *t = &targets->v[i];
        struct reading *r = known(a, t->place.entry);
        if (!r && a->by_entry.n < MOST_READINGS)
            r = add(a, &t->place, t->compiled);
        if (r && r->state == WAITING && a->waiting.n < MOST_WAITING)
            wy_vec_push(&a->waiting, r);
    }
    if (a->waiting.n)
        pthread_cond_broadcast(&a->work);
    pthread_mutex_unlock(&a->lock);
    wy_vec_free(targets);
}

/* ---- reading ---- */

/* The tree of a text, or of what is wrong with it. */
static struct wy_source_tree *tree_of(const struct wy_importer *im, struct wy_str text,
                                      const char *problem, struct wy_intern *names,
                                      struct wy_arena *arena) {
    struct wy_source_tree *tree = WY_NEW(arena, struct wy_source_tree);
    if (problem)
        *tree = (struct wy_source_tree){.problem = problem, .problem_line = 1};
    else
        wy_source_parse(text, im->world->env.minor, names, arena, tree);
    wy_source_forget(tree);
    return tree;
}

static bool add_segment(void *ctx, struct wy_str bytes) {
    wy_extension_add(ctx, bytes);
    return false;
}

static void constants(struct wy_importer *im, const struct wy_place *place, struct wy_arena *arena,
                      struct wy_extension *ret) {
    wy_extension_begin(ret, arena);
    wy_image_constants(im->world->host, wy_host_image(im->world->host, place), add_segment, ret);
}

static void announce_tree(struct reader *r, const struct wy_place *place,
                          const struct wy_source_tree *tree) {
    target_vec targets = {0};
    statements(r, &targets, place->dir, tree->body);
    put(r->of, &targets);
}

static void announce_found(struct reader *r, const struct wy_extension *found) {
    target_vec targets = {0};
    for (size_t i = 0; i < found->found.n; i++)
        want_absolute(r, &targets, found->found.v[i].module);
    put(r->of, &targets);
}

static void read_one(struct reader *r, struct reading *one) {
    if (one->compiled) {
        constants(r->of->im, &one->place, &r->arena, &one->found);
        one->bytes = one->found.found.n * sizeof *one->found.found.v;
        announce_found(r, &one->found);
    } else {
        const char *problem;
        struct wy_str text = wy_place_text(r->of->im, &one->place, &r->text, &problem);
        one->tree = tree_of(r->of->im, text, problem, &r->names, &r->arena);
        one->bytes = text.n;
        announce_tree(r, &one->place, one->tree);
    }
}

/* With the lock held, which is open while it reads. */
static void read_waiting(struct reader *r) {
    struct wy_ahead *a = r->of;
    struct reading *one = wy_vec_pop(&a->waiting);
    if (one->state != WAITING)
        return;
    one->state = RUNNING;
    pthread_mutex_unlock(&a->lock);
    read_one(r, one);
    pthread_mutex_lock(&a->lock);
    one->state = DONE;
    a->bytes += one->bytes;
    pthread_cond_broadcast(&a->done);
}

/* The same for the symbol tables of a library: nearly every one is opened in the end. Later than
 * sources, of which more follow from each. */
static void read_library(struct wy_ahead *a) {
    const struct wy_world *w = a->im->world;
    const struct wy_image *image = w->libraries[a->libraries++].image;
    pthread_mutex_unlock(&a->lock);
    if (image->elf.kind == WY_ELF_OK)
        wy_host_symbols(w->host, image);
    pthread_mutex_lock(&a->lock);
}

/* With the lock held: reads what is next. False when nothing is. */
static bool read_next(struct reader *r) {
    struct wy_ahead *a = r->of;
    if (a->waiting.n && a->bytes <= MOST_AHEAD)
        read_waiting(r);
    else if (a->libraries < a->im->world->nlibraries)
        read_library(a);
    else
        return false;
    return true;
}

static void read_on(void *ctx) {
    struct reader *r = ctx;
    struct wy_ahead *a = r->of;
    pthread_mutex_lock(&a->lock);
    while (!a->ends)
        if (!read_next(r))
            pthread_cond_wait(&a->work, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

/* What was read of that file, or NULL: then nobody else will read it. */
static struct reading *take(struct wy_ahead *a, const struct wy_place *place) {
    pthread_mutex_lock(&a->lock);
    struct reading *r = known(a, place->entry);
    while (r && r->state == RUNNING)
        if (!read_next(&a->own))
            pthread_cond_wait(&a->done, &a->lock);
    bool done = r && r->state == DONE;
    if (!r)
        r = add(a, place, false);
    if (done) {
        a->bytes -= r->bytes;
        pthread_cond_broadcast(&a->work);
    }
    r->state = TAKEN;
    pthread_mutex_unlock(&a->lock);
    return done ? r : NULL;
}

struct wy_source_tree *wy_read_source(struct wy_importer *im, const struct wy_place *place) {
    struct reading *r = im->ahead ? take(im->ahead, place) : NULL;
    if (r && r->tree) {
        wy_source_move(r->tree, &im->names, &im->arena);
        return r->tree;
    }
    const char *problem;
    struct wy_str text = wy_place_text(im, place, &im->text, &problem);
    struct wy_source_tree *tree = tree_of(im, text, problem, &im->names, &im->arena);
    if (im->ahead)
        announce_tree(&im->ahead->own, place, tree);
    return tree;
}

struct wy_source_tree *wy_read_member(struct wy_importer *im, const struct wy_spec *spec) {
    const char *problem;
    struct wy_str text = wy_archive_text(im, spec, &problem);
    return tree_of(im, text, problem, &im->names, &im->arena);
}

void wy_read_constants(struct wy_importer *im, const struct wy_place *place,
                       struct wy_extension *ret) {
    struct reading *r = im->ahead ? take(im->ahead, place) : NULL;
    if (r && r->compiled) {
        *ret = r->found;
        r->found = (struct wy_extension){0}; /* it is the caller's now */
    } else {
        constants(im, place, &im->arena, ret);
    }
}

/* ---- all of it ---- */

struct wy_ahead *wy_ahead_start(struct wy_importer *im, unsigned threads) {
    if (!threads)
        return NULL;
    struct wy_ahead *a = wy_alloc0(1, sizeof *a);
    a->im = im;
    a->path = im->paths.v[0]->dirs;
    a->npath = im->paths.v[0]->ndirs;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->work, NULL);
    pthread_cond_init(&a->done, NULL);
    a->own.of = a;
    a->own.names.common = im->names.common;
    for (; a->nreaders < threads && a->nreaders < MOST_READERS; a->nreaders++) {
        struct reader *r = &a->readers[a->nreaders];
        r->of = a;
        r->names.common = im->names.common;
        r->task = wy_task_start(read_on, r);
        if (!r->task)
            break;
    }
    return a;
}

static void free_reader(struct reader *r) {
    wy_map_deinit(&r->targets);
    wy_intern_deinit(&r->names);
    wy_arena_deinit(&r->text);
    wy_arena_deinit(&r->arena);
}

void wy_ahead_stop(struct wy_ahead *a) {
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->ends = true;
    pthread_cond_broadcast(&a->work);
    pthread_mutex_unlock(&a->lock);
    for (unsigned i = 0; i < a->nreaders; i++)
        wy_task_end(a->readers[i].task);
    for (size_t i = 0; i < a->by_entry.cap; i++) {
        struct reading *r = a->by_entry.slots[i].value;
        if (r)
            wy_extension_deinit(&r->found); /* also one that was taken for a source */
    }
    for (unsigned i = 0; i < a->nreaders; i++)
        free_reader(&a->readers[i]);
    free_reader(&a->own);
    wy_map_deinit(&a->by_entry);
    wy_vec_free(&a->waiting);
    wy_arena_deinit(&a->arena);
    pthread_cond_destroy(&a->work);
    pthread_cond_destroy(&a->done);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

void wy_ahead_module(struct wy_ahead *a, const char *name) {
    target_vec targets = {0};
    if (!a)
        return;
    want_absolute(&a->own, &targets, name);
    put(a, &targets);
}
