/* generation-mix: libraries of two CUDA majors are installed. Swapping a framework never removes
 * the other generation's packages, and mostly nobody loads them; a warning where one process maps
 * both, or a file of one serves the other (wrong-generation). */
#include "rule/families.h"

enum { MOST_SAID = 4 };

struct mix {
    unsigned oldest, newest;                   /* majors; 0: none yet */
    WY_VEC(const struct wy_library *) of;      /* installed witnesses, one of each package */
    const char *module;                        /* an import that maps both … */
    const struct wy_object *old_one, *new_one; /* … by these */
};

static void count(struct mix *m, unsigned major) {
    m->oldest = m->oldest && m->oldest < major ? m->oldest : major;
    m->newest = m->newest > major ? m->newest : major;
}

/* One that NVIDIA's package of that generation has. Copies that others bundle serve themselves, and
 * some bundle several generations (triton's CUPTI). */
static bool installed_witness(const struct wy_case *c, const struct wy_library *lib) {
    unsigned major = wy_cuda_of_soname(c, lib->image->elf.soname);
    return major && wy_cuda_of_dist(c, lib->dist) == major;
}

static void find_installed(struct wy_case *c, struct mix *m) {
    for (size_t i = 0; i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        bool known = false;
        if (!installed_witness(c, lib))
            continue;
        count(m, wy_cuda_of_soname(c, lib->image->elf.soname));
        for (size_t k = 0; k < m->of.n && !known; k++)
            known = m->of.v[k]->dist == lib->dist;
        if (!known)
            wy_vec_push(&m->of, lib);
    }
}

/* Whether a package brings witnesses of several majors of its own: it is prepared for either. */
static bool brings_several(const struct wy_case *c, const struct wy_dist *d) {
    unsigned first = 0;
    for (size_t i = 0; d && i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        unsigned major = lib->dist == d ? wy_cuda_of_soname(c, lib->image->elf.soname) : 0;
        if (first && major && major != first)
            return true;
        first = first ? first : major;
    }
    return false;
}

static void look_at(struct wy_case *c, struct mix *m, const struct wy_run *run) {
    const struct wy_object *first = NULL;
    for (size_t i = 0; run->after && !m->module && i < wy_process_count(run->after); i++) {
        const struct wy_object *o = wy_process_at(run->after, i);
        unsigned major = o->image ? wy_cuda_of_soname(c, o->image->elf.soname) : 0;
        if (!major || brings_several(c, wy_kin_dist(c, o)))
            continue;
        unsigned before = first ? wy_cuda_of_soname(c, first->image->elf.soname) : major;
        first = first ? first : o;
        if (before == major)
            continue;
        m->module = run->module;
        m->old_one = before < major ? first : o;
        m->new_one = before < major ? o : first;
        count(m, before);
        count(m, major);
    }
}

/* A file of one generation that serves the other: the warning is its rule's, and this one's. */
static const struct wy_finding *serving(const struct wy_case *c) {
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct wy_finding *f = &c->findings.v[i];
        if (strcmp(f->f.rule, "wrong-generation") == 0 && f->f.severity == WHYSO_WARNING &&
            f->f.package.name)
            return f;
    }
    return NULL;
}

static void say_installed(struct wy_case *c, struct wy_finding *f, const struct mix *m) {
    for (size_t i = 0; i < m->of.n; i++) {
        const struct wy_library *lib = m->of.v[i];
        WY_ADD(c->arena, &f->f.parts,
               ((struct whyso_part){lib->image->elf.soname, lib->shown, lib->dist->name}));
    }
}

static void say_users(struct wy_case *c, struct wy_finding *f, unsigned major,
                      const struct wy_cuda_users *users) {
    for (size_t i = 0; i < users->because.n; i++)
        wy_make_because(c, f, "%s", users->because.v[i]);
    if (!users->names.n)
        wy_make_because(c, f, "no package here that is not NVIDIA's needs CUDA %u", major);
}

/* Each side can be exchanged for a build of the other's generation. */
static void advise(struct wy_case *c, struct wy_finding *f, const struct mix *m,
                   const struct wy_cuda_users *old, const struct wy_cuda_users *new) {
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_NONE,
        .text = "Nothing to do while each import uses one of them. Before one of their packages is "
                "removed: see which files it shares with its twin (`whyso owner`)."};
    if (f->f.severity == WHYSO_NOTE)
        return;
    f->why = wy_arena_printf(
        c->arena,
        "%s.%s%s Each runtime has its own streams, contexts and memory: what "
        "one hands to the other need not fit.",
        old->names.n ? old->because.v[0] : "Nothing needs the older one", new->names.n ? " " : "",
        new->names.n ? wy_arena_printf(c->arena, "%s.", new->because.v[0]) : "");
    f->remedy.kind = WY_REMEDY_MANUAL;
    f->remedy.text =
        old->names.n && new->names.n
            ? wy_arena_printf(c->arena,
                              "Choose one CUDA: install a build for CUDA %u of %s, or one for CUDA "
                              "%u of %s.",
                              m->oldest, wy_and(c->arena, &new->names), m->newest,
                              wy_and(c->arena, &old->names))
            : "Choose one CUDA for all that this import loads.";
}

static void report(struct wy_case *c, const struct mix *m) {
    const struct wy_finding *served = serving(c);
    bool warn = m->module || served;
    struct wy_finding *f = wy_make(c, "generation-mix", warn ? WHYSO_WARNING : WHYSO_NOTE, "CUDA");
    f->follows = served ? served->f.fingerprint : NULL;
    f->f.title = m->module ? wy_arena_printf(c->arena, "import %s maps libraries of CUDA %u and %u",
                                             m->module, m->oldest, m->newest)
                           : wy_arena_printf(c->arena, "CUDA %u and CUDA %u are both installed",
                                             m->oldest, m->newest);
    say_installed(c, f, m);
    if (m->module)
        wy_make_because(c, f, "import %s maps %s and %s", m->module, wy_object_shown(c, m->old_one),
                        wy_object_shown(c, m->new_one));
    struct wy_cuda_users old = wy_cuda_users(c, m->oldest, MOST_SAID);
    struct wy_cuda_users new = wy_cuda_users(c, m->newest, MOST_SAID);
    say_users(c, f, m->oldest, &old);
    say_users(c, f, m->newest, &new);
    advise(c, f, m, &old, &new);
}

void wy_rule_generation_mix(struct wy_case *c) {
    struct mix m = {0};
    find_installed(c, &m);
    for (size_t i = 0; i < c->nruns; i++)
        look_at(c, &m, c->runs[i]);
    if (m.oldest != m.newest)
        report(c, &m);
    wy_vec_free(&m.of);
}
