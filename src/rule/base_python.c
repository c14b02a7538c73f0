/* base-python: the interpreter of the environment is gone or cannot start. */
#include "rule/internal.h"

static const char how_to_mend[] = "Install that Python again, or make the environment anew with "
                                  "one that is there and install the packages into "
                                  "it.";

static const char how_to_tell[] = "Name the interpreter that the script starts with --env. Until "
                                  "then imports cannot be followed.";

static void report_gone(struct wy_case *c) {
    const struct wy_python_problem *p = &c->world->env.problem;
    const char *file = p->file ? wy_shown(c, p->file) : c->world->env.prefix;
    struct wy_finding *f = wy_make(c, "base-python", p->unsure ? WHYSO_WARNING : WHYSO_ERROR, file);
    f->f.file = file;
    f->f.title = wy_arena_printf(c->arena, "%s %s", file, p->text);
    wy_make_because(c, f, "%s %s", file, p->text);
    f->remedy =
        (struct wy_remedy){.kind = WY_REMEDY_MANUAL, .text = p->unsure ? how_to_tell : how_to_mend};
}

static void report_start(struct wy_case *c, const struct wy_open *start) {
    const char *file = wy_shown(c, c->world->env.python);
    struct wy_finding *f = wy_make(c, "base-python", WHYSO_ERROR, file);
    f->f.file = file;
    f->f.title = wy_arena_printf(c->arena, "the interpreter cannot start: %s", start->message);
    for (size_t i = 0; i < start->nproblems; i++)
        wy_make_because(c, f, "%s", start->problems[i].message);
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL, .text = how_to_mend};
}

void wy_rule_base_python(struct wy_case *c) {
    const struct wy_open *start = wy_importer_start(c->importer);
    if (c->world->env.problem.text)
        report_gone(c);
    else if (c->world->env.python && start && start->outcome != WY_OPEN_OK)
        report_start(c, start);
}
