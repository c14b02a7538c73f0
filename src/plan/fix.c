/* Remedies → commands. Nothing of the tree reaches a command line unless it is a valid project
 * name, a PEP 440 version, or a path made absolute (CONTRACT section 1); otherwise there is no
 * command, and the text says why. */
#include "base/path.h"
#include "base/vec.h"
#include "plan/plan.h"
#include "plan/system.h"

struct args {
    struct wy_arena *arena;
    WY_VEC(const char *) argv;
    WY_VEC(const char *) needs;
};

static void arg(struct args *a, const char *word) {
    wy_vec_push(&a->argv, word);
}

static void need(struct args *a, const char *what) {
    for (size_t i = 0; i < a->needs.n; i++)
        if (strcmp(a->needs.v[i], what) == 0)
            return;
    wy_vec_push(&a->needs, what);
}

/* Ends a command: appends it to the fix. */
static void finish(struct args *a, struct whyso_fix *fix) {
    struct whyso_command *grown = wy_arena_zero(a->arena, (fix->commands.n + 1) * sizeof *grown);
    if (fix->commands.n)
        memcpy(grown, fix->commands.v, fix->commands.n * sizeof *grown);
    struct whyso_command *cmd = &grown[fix->commands.n];
    cmd->argv.n = a->argv.n;
    wy_vec_keep(a->arena, &a->argv);
    cmd->argv.v = a->argv.v;
    cmd->needs.n = a->needs.n;
    wy_vec_keep(a->arena, &a->needs);
    cmd->needs.v = a->needs.v;
    fix->commands.v = grown;
    fix->commands.n++;
}

static void drop(struct args *a) {
    wy_vec_free(&a->argv);
    wy_vec_free(&a->needs);
}

/* NAME==VERSION (or NAME), or NULL when either is not fit for a command line. */
static const char *spec(struct wy_arena *a, const char *name, const char *version) {
    if (!name || !wy_name_valid(name) || (version && !wy_version_valid(version)))
        return NULL;
    return version ? wy_arena_printf(a, "%s==%s", name, version) : name;
}

static bool local_version(const char *version) {
    return version && strchr(version, '+');
}

/* The interpreter to name: the environment's own, absolute. */
static const char *target(const struct wy_case *c) {
    const struct wy_env *e = &c->world->env;
    return e->kind == WY_ENV_VENV || e->kind == WY_ENV_CONDA || !e->python ? e->prefix : e->python;
}

static bool has_pip(const struct wy_case *c) {
    return wy_world_dist(c->world, "pip") != NULL;
}

/* The words up to the verb's options: `uv pip VERB --python ENV`, `ENV/bin/python -m pip VERB`. */
static void speak(const struct wy_case *c, struct args *a, enum wy_installer by, const char *verb) {
    if (by == WY_BY_UV) {
        arg(a, "uv");
        arg(a, "pip");
        arg(a, verb);
        arg(a, "--python");
        arg(a, target(c));
        return;
    }
    const char *python = c->world->env.python;
    if (has_pip(c) && python) {
        arg(a, python);
        arg(a, "-m");
        arg(a, "pip");
    } else {
        arg(a, "pip");
        arg(a, "--python");
        arg(a, target(c));
    }
    arg(a, verb);
}

static bool plain_installer(enum wy_installer by) {
    return by == WY_BY_UV || by == WY_BY_PIP;
}

static const char *not_fit(struct wy_arena *a, const struct wy_dist *d) {
    (void)a;
    (void)d;
    return "The package's recorded name or version is not one that may stand in a command: look at "
           "its dist-info "
           "folder, remove it by hand, and install the package again.";
}

static void say_by_hand(const struct wy_case *c, struct whyso_fix *fix, enum wy_installer by,
                        const struct wy_dist *d) {
    fix->kind = "manual";
    fix->text =
        by == WY_BY_CONDA
            ? wy_arena_printf(c->arena, "Installed by conda: reinstall %s %s with conda, by force.",
                              d->name, d->version)
            : "Installed by the distribution: reinstall its package with the distribution's own "
              "tool.";
}

/* Adds a word that is not there yet; false when there is none to add. */
static bool arg_once(struct args *a, const char *word) {
    for (size_t i = 0; word && i < a->argv.n; i++)
        if (strcmp(a->argv.v[i], word) == 0)
            return true;
    if (word)
        arg(a, word);
    return word != NULL;
}

/* Adds the specs of all findings' distributions; false when one is not fit. */
static bool add_specs(struct args *a, struct wy_finding **f, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const struct wy_dist *d = f[i]->remedy.dist;
        if (!arg_once(a, spec(a->arena, d->name, d->version)))
            return false;
        if (local_version(d->version))
            need(a, "index");
    }
    return true;
}

static void reinstall(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    enum wy_installer by = wy_plan_installer(c, f[0]->remedy.dist);
    if (!plain_installer(by)) {
        say_by_hand(c, fix, by, f[0]->remedy.dist);
        return;
    }
    struct args a = {.arena = c->arena};
    need(&a, "network");
    speak(c, &a, by, "install");
    arg(&a, by == WY_BY_UV ? "--reinstall" : "--force-reinstall");
    arg(&a, "--no-deps");
    if (!add_specs(&a, f, n)) {
        drop(&a);
        fix->kind = "manual";
        fix->text = not_fit(c->arena, f[0]->remedy.dist);
        return;
    }
    bool index = a.needs.n > 1;
    finish(&a, fix);
    fix->kind = "install";
    fix->text = index ? "Put the recorded files back, by force; a local version (+…) comes from "
                        "the index it was "
                        "installed from, which must be named."
                      : "Put the recorded files back, by force and without touching anything else.";
}

/* Uninstalls the others; false when one's name is not fit for a command. */
static bool uninstall_others(struct wy_case *c, struct wy_finding **f, size_t n,
                             struct whyso_fix *fix) {
    enum wy_installer by = wy_plan_installer(c, f[0]->remedy.other);
    struct args a = {.arena = c->arena};
    if (!plain_installer(by)) {
        say_by_hand(c, fix, by, f[0]->remedy.other);
        return false;
    }
    speak(c, &a, by, "uninstall");
    if (by == WY_BY_PIP)
        arg(&a, "-y");
    for (size_t i = 0; i < n; i++) {
        if (!arg_once(&a, spec(c->arena, f[i]->remedy.other->name, NULL))) {
            drop(&a);
            fix->kind = "manual";
            fix->text = not_fit(c->arena, f[i]->remedy.other);
            return false;
        }
    }
    finish(&a, fix);
    return true;
}

/* Remove the other owners, then put the files back: removal deletes the shared ones. */
static void replace(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    if (!uninstall_others(c, f, n, fix))
        return;
    reinstall(c, f, n, fix);
    fix->text = f[0]->remedy.text;
}

static void install(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    enum wy_installer by = wy_plan_installer(c, NULL);
    struct args a = {.arena = c->arena};
    need(&a, "network");
    speak(c, &a, by, "install");
    for (size_t i = 0; i < n; i++) {
        if (!arg_once(&a, spec(c->arena, f[i]->remedy.name, f[i]->remedy.version))) {
            drop(&a);
            fix->kind = "manual";
            fix->text =
                "The wanted package's name or version is not one that may stand in a command.";
            return;
        }
    }
    finish(&a, fix);
    fix->kind = "install";
    fix->text =
        n == 1 ? "Install the package that has it." : "Install the packages that have them.";
}

/* Remove what stands in the place of a package that is not installed, then install that. */
static void exchange(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    if (!uninstall_others(c, f, n, fix))
        return;
    install(c, f, n, fix);
    fix->text = f[0]->remedy.text;
}

/* The installer finds the version that fits: asked for the package together with the version of
 * the other that is installed. */
static void refit(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    const struct wy_dist *other = f[0]->remedy.other;
    enum wy_installer by = wy_plan_installer(c, f[0]->remedy.dist);
    fix->kind = "rebuild";
    fix->text = f[0]->remedy.text;
    struct args a = {.arena = c->arena};
    need(&a, "network");
    if (local_version(other->version))
        need(&a, "index");
    speak(c, &a, by, "install");
    bool fit = plain_installer(by);
    for (size_t i = 0; i < n; i++)
        fit = arg_once(&a, spec(c->arena, f[i]->remedy.dist->name, NULL)) && fit;
    fit = arg_once(&a, spec(c->arena, other->name, other->version)) && fit;
    if (fit)
        finish(&a, fix);
    else
        drop(&a);
}

static void variable(struct wy_case *c, const struct wy_finding *f, struct whyso_fix *fix) {
    const struct wy_remedy *r = &f->remedy;
    fix->kind = "variable";
    fix->text = r->text;
    struct whyso_command *cmd = WY_NEW(c->arena, struct whyso_command);
    if (r->version) {
        wy_strings_add(c->arena, &cmd->env,
                       wy_arena_printf(c->arena, "%s=%s", r->name, r->version));
    } else { /* env(1) takes it away */
        wy_strings_add(c->arena, &cmd->argv, "env");
        wy_strings_add(c->arena, &cmd->argv, "-u");
        wy_strings_add(c->arena, &cmd->argv, r->name);
    }
    wy_strings_add(c->arena, &cmd->argv, c->world->env.python ? c->world->env.python : "python");
    fix->commands.v = cmd;
    fix->commands.n = 1;
}

void wy_plan_fix(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    *fix = (struct whyso_fix){.sure = "assumed"};
    switch (f[0]->remedy.kind) {
    case WY_REMEDY_REINSTALL:
        reinstall(c, f, n, fix);
        break;
    case WY_REMEDY_REPLACE:
        replace(c, f, n, fix);
        break;
    case WY_REMEDY_EXCHANGE:
        exchange(c, f, n, fix);
        break;
    case WY_REMEDY_REFIT:
        refit(c, f, n, fix);
        break;
    case WY_REMEDY_INSTALL:
        install(c, f, n, fix);
        break;
    case WY_REMEDY_SYSTEM:
        wy_plan_system(c, f, n, fix);
        break;
    case WY_REMEDY_VARIABLE:
        variable(c, f[0], fix);
        break;
    case WY_REMEDY_REBUILD:
        fix->kind = "rebuild";
        fix->text = f[0]->remedy.text;
        break;
    case WY_REMEDY_REMOVE:
    case WY_REMEDY_MANUAL:
        fix->kind = "manual";
        fix->text = f[0]->remedy.text;
        break;
    case WY_REMEDY_NONE:
        fix->text = f[0]->remedy.text;
        break;
    }
    for (size_t i = 0; i < n; i++) {
        if (f[i]->remedy.avoid)
            wy_strings_add_new(c->arena, &fix->avoid, f[i]->remedy.avoid);
        if (f[i]->remedy.also)
            wy_strings_add_new(c->arena, &fix->also, f[i]->remedy.also);
    }
}
