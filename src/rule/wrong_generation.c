/* wrong-generation: a library is here, and for another generation. Either its soname is wanted in a
 * major that nothing here has; or the name is the same in several CUDA generations (libcudnn.so.9),
 * and the file that answers to it is of another one than the library that uses it. */
#include "rule/families.h"
#include "rule/shadow.h"

enum { MOST_SAID = 4 };

/* ---- the soname exists only in another major */

/* Of CUDA's: who here was built for which. */
static void say_builds(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    unsigned here = wy_cuda_of_soname(c, wy_path_base(want->other->path));
    unsigned wanted = wy_cuda_of_soname(c, want->name);
    const struct wy_object *needer = want->wanters.n ? want->wanters.v[0].needer : NULL;
    const char *who = needer ? wy_object_package(c, needer) : NULL;
    if (!here || !wanted)
        return;
    struct wy_cuda_users users = wy_cuda_users(c, here, MOST_SAID);
    for (size_t i = 0; i < users.names.n; i++)
        wy_make_because(c, f, "%s", users.because.v[i]);
    if (users.names.n && who)
        f->why =
            wy_arena_printf(c->arena, "%s was built for CUDA %u. Here CUDA %u is installed: %s.",
                            who, wanted, here, users.because.v[0]);
}

static void report_wanted(struct wy_case *c, const struct wy_want *want) {
    struct wy_finding *f = wy_report_nowhere(c, "wrong-generation", want);
    const struct wy_library *other = want->other;
    WY_ADD(c->arena, &f->f.candidates,
           ((struct whyso_candidate){.file = other->shown,
                                     .package = other->dist ? other->dist->name : NULL,
                                     .why_not = "another major version"}));
    wy_make_because(c, f, "%s is here%s%s; the name asked for is %s", other->shown,
                    other->dist ? ", of " : "", other->dist ? other->dist->name : "", want->name);
    say_builds(c, f, want);
}

/* ---- the file that serves it is of another generation */

struct serving {
    const struct wy_object *file, *needer; /* the first met of that package */
    const char *soname, *module;
    unsigned is, wants; /* CUDA majors */
    WY_VEC(const struct wy_object *) needers;
};
struct servings {
    WY_VEC(struct serving) v;
    struct wy_map asked; /* objects whose needs were looked at; keys are image pointers */
};

static bool same_source(const struct wy_case *c, const struct wy_object *a,
                        const struct wy_object *b) {
    const struct wy_dist *d = wy_kin_dist(c, a);
    return a->image == b->image || (d && d == wy_kin_dist(c, b));
}

static void add(const struct wy_case *c, struct servings *all, struct serving found) {
    for (size_t i = 0; i < all->v.n; i++)
        if (same_source(c, all->v.v[i].file, found.file)) {
            wy_vec_push(&all->v.v[i].needers, found.needer);
            return;
        }
    struct serving *s = wy_vec_add(&all->v);
    *s = found;
    wy_vec_push(&s->needers, found.needer);
}

static void look_at(const struct wy_case *c, struct servings *all, const struct wy_run *run,
                    const struct wy_object *o) {
    struct wy_str key = {(const char *)&o->image, sizeof o->image};
    if (!o->image || !o->name[0] || wy_map_get(&all->asked, key))
        return;
    *wy_map_at(&all->asked, key) = all;
    unsigned wants = wy_cuda_of_object(c, o);
    for (size_t i = 0; wants && i < o->image->elf.nneeded; i++) {
        const char *soname = o->image->elf.needed[i];
        const struct wy_object *file = wy_process_named(run->after, soname);
        unsigned is = file ? wy_cuda_of_object(c, file) : 0;
        if (is && is != wants)
            add(c, all,
                (struct serving){.file = file,
                                 .needer = o,
                                 .soname = soname,
                                 .module = run->module,
                                 .is = is,
                                 .wants = wants});
    }
}

/* How that is known of an object: its package, or a name in its dynamic section. */
static const char *evidence(struct wy_case *c, const struct wy_object *o) {
    const struct wy_dist *d = wy_kin_dist(c, o);
    const struct wy_elf *elf = &o->image->elf;
    for (size_t i = 0; i < elf->nneeded; i++)
        if (wy_cuda_of_soname(c, elf->needed[i]))
            return wy_arena_printf(c->arena, "%s needs %s", wy_object_shown(c, o), elf->needed[i]);
    return wy_arena_printf(c->arena, "%s belongs to %s %s", wy_object_shown(c, o),
                           d ? d->name : "nobody", d ? d->version : "");
}

/* The package that has it for the generation that is wanted, in place of the one that is here. */
static void advise_exchange(struct wy_case *c, struct wy_finding *f, const struct serving *s,
                            const struct wy_dist *has) {
    struct wy_provision p;
    f->remedy =
        (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                           .text = wy_arena_printf(
                               c->arena, "Use a build of %s for CUDA %u, or one of %s for CUDA %u.",
                               has->name, s->wants,
                               wy_object_package(c, s->needer) ? wy_object_package(c, s->needer)
                                                               : wy_path_base(s->needer->name),
                               s->is)};
    if (!wy_provide(c, s->soname, wy_kin_dist(c, s->needer), &p) || !p.package ||
        strcmp(p.package, has->key) == 0)
        return;
    wy_make_provider(c, f,
                     (struct whyso_provider){p.package, p.version, "pip", "available", p.because});
    if (wy_dist_required(c, has))
        return; /* something else wants it as it is: two environments */
    const struct wy_dist *installed = wy_world_dist(c->world, p.package);
    f->remedy = (struct wy_remedy){
        .kind = installed ? WY_REMEDY_REPLACE : WY_REMEDY_EXCHANGE,
        .dist = installed,
        .other = has,
        .name = p.package,
        .version = p.version,
        .text = wy_arena_printf(c->arena, "Remove the one for CUDA %u, then install that for %u.",
                                s->is, s->wants)};
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct serving *s) {
    const struct wy_dist *has = wy_kin_dist(c, s->file);
    int entry = has ? 0 : wy_library_path_entry(c, s->file->name);
    if (wy_follows_overwriting(c, f, s->file))
        return;
    if (has) {
        advise_exchange(c, f, s, has);
        return;
    }
    const char *folder = wy_path_dir(c->arena, wy_path_clean(c->arena, s->file->name));
    f->remedy = (struct wy_remedy){
        .kind = entry ? WY_REMEDY_VARIABLE : WY_REMEDY_MANUAL,
        .name = "LD_LIBRARY_PATH",
        .version = entry ? wy_library_path_without(c, entry) : NULL,
        .text = wy_arena_printf(c->arena, "Start Python without %s in %s.", folder,
                                entry ? "LD_LIBRARY_PATH" : "the loader's reach")};
}

static void report_serving(struct wy_case *c, const struct serving *s) {
    const struct wy_dist *has = wy_kin_dist(c, s->file);
    struct wy_finding *f =
        wy_make(c, "wrong-generation", WHYSO_WARNING, has ? has->key : s->soname);
    wy_make_dist(c, f, has);
    f->f.library = s->soname;
    f->f.file = wy_object_shown(c, s->file);
    f->f.wanted = (struct whyso_wanted){"library", s->soname, NULL};
    f->f.title = wy_arena_printf(c->arena, "%s is for CUDA %u, and %s, which uses it, for CUDA %u",
                                 s->soname, s->is, wy_path_base(s->needer->name), s->wants);
    wy_make_because(c, f, "import %s maps both: it loads, since both generations have that name",
                    s->module);
    wy_make_because(c, f, "CUDA %u: %s", s->is, evidence(c, s->file));
    for (size_t i = 0; i < s->needers.n; i++) {
        wy_make_needer(c, f, s->needers.v[i]);
        if (i < MOST_SAID)
            wy_make_because(c, f, "CUDA %u: %s", s->wants, evidence(c, s->needers.v[i]));
    }
    f->why = "Its name is the same in both generations, so it loads. What it opens and calls later "
             "belongs to the other one.";
    advise(c, f, s);
}

void wy_rule_wrong_generation(struct wy_case *c) {
    struct servings all = {0};
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_GENERATION)
            report_wanted(c, c->wants->all.v[i]);
    for (size_t i = 0; i < c->nruns; i++)
        for (size_t k = 0; c->runs[i]->after && k < wy_process_count(c->runs[i]->after); k++)
            look_at(c, &all, c->runs[i], wy_process_at(c->runs[i]->after, k));
    for (size_t i = 0; i < all.v.n; i++) {
        report_serving(c, &all.v.v[i]);
        wy_vec_free(&all.v.v[i].needers);
    }
    wy_vec_free(&all.v);
    wy_map_deinit(&all.asked);
}
