/* missing-library: nothing here has it. Last of the rules about wanted objects. */
#include "rule/internal.h"

static const struct wy_dist *needing_dist(const struct wy_case *c, const struct wy_want *want) {
    for (size_t i = 0; i < want->wanters.n; i++) {
        const struct wy_object *o = want->wanters.v[i].needer;
        const struct wy_dist *d = o ? wy_world_image_owner(c->world, o->image) : NULL;
        if (d)
            return d;
    }
    return NULL;
}

/* When only the build itself can be exchanged: the library belongs to an interpreter of another
 * kind, or to another generation than what is here and nothing pins it. Else NULL. */
static const char *another_build(struct wy_case *c, const struct wy_want *want,
                                 const struct wy_provision *known, const struct wy_dist *needer) {
    const char *who = needer ? needer->name : "the package";
    if (wy_starts(want->name, "libpython"))
        return wy_arena_printf(c->arena,
                               "This interpreter needs no %s, and an extension should not: install "
                               "another build of %s, or use a Python with a shared libpython.",
                               want->name, who);
    if (want->other && !known->required_by)
        return wy_arena_printf(c->arena,
                               "%s was built for %s, and what is here is %s: install a build of %s "
                               "for that, or exchange what brings it.",
                               who, want->name, wy_path_base(want->other->path), who);
    return NULL;
}

static void advise_package(struct wy_case *c, struct wy_finding *f, const struct wy_provision *p) {
    wy_make_provider(
        c, f, (struct whyso_provider){p->package, p->version, "pip", "available", p->because});
    if (p->required_by)
        wy_make_because(c, f, "%s %s requires %s%s%s, which is not installed", p->required_by->name,
                        p->required_by->version, p->package, p->version ? "==" : "",
                        p->version ? p->version : "");
    f->remedy =
        (struct wy_remedy){.kind = WY_REMEDY_INSTALL, .name = p->package, .version = p->version};
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    struct wy_provision p = {0};
    const struct wy_dist *needer = needing_dist(c, want);
    if (want->plugin) {
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_NONE,
            .text = "Nothing to do: usual in a healthy environment, and nothing here reaches it."};
        return;
    }
    if (want->severity > WHYSO_NOTE && wy_advise_put_back(c, f, want->name))
        return;
    bool known = wy_provide(c, want->name, needer, &p);
    const char *build = another_build(c, want, &p, needer);
    const struct wy_library *changed =
        !known && want->wanters.n ? wy_changed(c, want->wanters.v[0].needer) : NULL;
    if (changed) { /* whoever knows a provider needs no such guess: libraries are stripped, too */
        wy_make_dist(c, f, changed->dist);
        wy_make_changed(c, f, changed,
                        wy_arena_printf(c->arena, "it needs %s, which is nowhere", want->name));
    } else if (build) {
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL, .text = build};
    } else if (!known) {
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text = wy_arena_printf(c->arena, "No package is known to contain %s.", want->name)};
    } else if (p.package) {
        advise_package(c, f, &p);
    } else {
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_SYSTEM, .system_packages = p.system};
    }
    if (want->other)
        f->remedy.avoid = wy_arena_printf(
            c->arena, "Do not link %s to %s: another major version has another interface.",
            want->name, wy_path_base(want->other->path));
}

static const char *title(struct wy_case *c, const struct wy_finding *f,
                         const struct wy_want *want) {
    const char *needer = f->f.needed_by.n ? wy_path_base(f->f.needed_by.v[0].file) : NULL;
    const char *where =
        want->other ? wy_arena_printf(c->arena, "only %s is here", wy_path_base(want->other->path))
                    : NULL;
    if (where)
        return needer ? wy_arena_printf(c->arena, "%s needs %s, and %s", needer, f->f.wanted.name,
                                        where)
                      : wy_arena_printf(c->arena, "%s is wanted, and %s", f->f.wanted.name, where);
    return needer ? wy_arena_printf(c->arena, "%s needs %s, which is nowhere", needer,
                                    f->f.wanted.name)
                  : wy_arena_printf(c->arena, "%s is nowhere", f->f.wanted.name);
}

struct wy_finding *wy_report_nowhere(struct wy_case *c, const char *rule,
                                     const struct wy_want *want) {
    struct wy_finding *f = wy_make(c, rule, want->severity, want->name);
    wy_make_wanted(c, f, want);
    f->f.title = title(c, f, want);
    if (want->plugin)
        wy_make_because(c, f, "%s is known to be a %s: usual in a healthy environment (%s)",
                        wy_path_base(f->f.needed_by.n ? f->f.needed_by.v[0].file : want->name),
                        want->plugin->kind, want->plugin->source);
    advise(c, f, want);
    return f;
}

void wy_rule_missing_library(struct wy_case *c) {
    wy_report_variants(c);
    wy_report_modules(c);
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_MISSING)
            wy_report_nowhere(c, "missing-library", c->wants->all.v[i]);
}
