/* The search once more, for people: every step. */
#include "ld/internal.h"

#include <errno.h>

struct tracer {
    struct ld_work *w;
    struct ld_name *name;
    WY_VEC(struct wy_search_step) steps;
    const char *taken;
};

static enum wy_hit hit_of(const struct ld_file *f, int err) {
    if (f)
        return f->verdict.hit;
    return err == EACCES ? WY_HIT_UNREADABLE : err == ELOOP ? WY_HIT_LOOP : WY_HIT_ABSENT;
}

static bool trace_file(struct tracer *t, struct wy_search_step step, const struct ld_file *f,
                       int err) {
    step.result = hit_of(f, err);
    step.file = f ? f->path->s : NULL;
    wy_vec_push(&t->steps, step);
    if (step.result == WY_HIT_TAKEN)
        t->taken = step.file;
    return step.result == WY_HIT_TAKEN || step.result == WY_HIT_FATAL;
}

/* A directory without its trailing slash. */
static const char *place_text(struct tracer *t, const struct ld_dir *d, const char *prefix) {
    const char *s = wy_arena_printf(&t->w->ld->arena, "%s%s", d->text, prefix);
    size_t n = strlen(s);
    if (!n)
        return ".";
    return n == 1 ? s : wy_arena_str(&t->w->ld->arena, (struct wy_str){s, n - 1});
}

static bool trace_list(struct tracer *t, const struct ld_list *list, enum wy_found by,
                       const struct wy_object *of) {
    for (size_t i = 0; list && i < list->n; i++) {
        const struct ld_dir *d = list->dirs[i];
        if (t->w->without_cwd && d->relative)
            continue;
        struct wy_search_step step = {.by = by, .of = of, .entry = list->entries[i]};
        if (by == WY_BY_DEFAULT)
            step.entry = 0;
        int err = d->err;
        if (err) {
            step.place = place_text(t, d, "");
            step.result = WY_HIT_NO_DIRECTORY;
            wy_vec_push(&t->steps, step);
        }
        for (size_t k = 0; k < d->nsubs; k++) {
            struct ld_file *f = ld_probe_in(t->w->ld, d, &d->subs[k], t->name, &err);
            step.place = place_text(t, d, d->subs[k].prefix);
            if (trace_file(t, step, f, err))
                return true;
            err = f ? ENOENT : err;
        }
        if ((d->relative || !d->err) && !ld_goes_on(t->w, err))
            return false;
    }
    return false;
}

static bool trace_path(struct tracer *t, const char *place, const char *path, enum wy_found by) {
    int err = ENOENT;
    struct ld_file *f = path ? ld_probe_path(t->w->ld, path, &err) : NULL;
    struct wy_search_step step = {.place = place, .by = by};
    return trace_file(t, step, f, err);
}

static void trace_stages(struct tracer *t, const struct wy_object *needer) {
    struct wy_ld *ld = t->w->ld;
    if (t->name->slash) {
        const char *path = ld_expand(ld, t->name->s, needer->origin);
        trace_path(t, path ? path : t->name->s, path, WY_BY_PATH);
        return;
    }
    struct ld_chain c = ld_chain_of(t->w, needer);
    for (const struct wy_object *o; (o = ld_chain_next(&c));)
        if (trace_list(t, ld_rpath(ld, o), WY_BY_RPATH, o))
            return;
    if (trace_list(t, t->w->library_path, WY_BY_LD_LIBRARY_PATH, NULL) ||
        trace_list(t, ld_runpath(ld, needer), WY_BY_RUNPATH, needer))
        return;
    const char *cached = ld_cache_lookup(ld, t->name);
    if (cached && ld_barred(ld, needer, cached))
        cached = NULL;
    if (ld->host->cache_path && trace_path(t, ld->host->cache_path, cached, WY_BY_CACHE))
        return;
    if (!(needer->image->elf.flags_1 & LD_DF_1_NODEFLIB))
        trace_list(t, ld->defaults, WY_BY_DEFAULT, NULL);
}

void ld_trace(struct ld_work *w, struct ld_name *name, const struct wy_object *needer,
              struct wy_search *ret) {
    struct tracer t = {.w = w, .name = name};
    trace_stages(&t, needer);
    wy_vec_keep(&w->ld->arena, &t.steps);
    *ret = (struct wy_search){t.steps.v, t.steps.n, t.taken};
}
