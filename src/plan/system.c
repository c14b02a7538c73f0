#include "plan/system.h"

#include "base/vec.h"
#include "sys/sys.h"

enum { MOST_PACKAGES = 4 };

static void by_hand(struct whyso_fix *fix, const char *text) {
    fix->kind = "system";
    fix->text = text;
}

/* The words of the command, without repeating a package. Returns how many packages are named. */
static size_t name_packages(struct wy_case *c, const struct wy_distro *distro,
                            struct wy_finding **f, size_t n, struct whyso_strings *argv,
                            bool *vendor) {
    size_t before = argv->n;
    for (size_t i = 0; i < n; i++) {
        struct wy_distro_package picked[MOST_PACKAGES];
        const char *field = f[i]->remedy.system_packages;
        size_t got = field ? wy_distro_pick(distro, field, c->arena, picked, MOST_PACKAGES) : 0;
        if (!got)
            continue;
        wy_strings_add_new(c->arena, argv, picked[0].name);
        *vendor = *vendor || picked[0].vendor;
    }
    return argv->n - before;
}

static void need_all(struct wy_case *c, struct whyso_command *cmd, bool root) {
    if (root)
        wy_strings_add(c->arena, &cmd->needs, "root");
    wy_strings_add(c->arena, &cmd->needs, "network");
}

/* The files of installed packages once more, by the manager that has them. All are of one manager
 * and one prefix. */
static void put_back(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    const struct wy_sys_package *first = f[0]->remedy.package;
    const char *const *word = first->reinstall.words;
    struct whyso_command *cmd = WY_NEW(c->arena, struct whyso_command);
    fix->kind = "system";
    fix->text = "The package is installed and its file is not what it was: put it back.";
    for (size_t i = 0; word && word[i]; i++)
        wy_strings_add(c->arena, &cmd->argv, word[i]);
    if (first->prefix) {
        wy_strings_add(c->arena, &cmd->argv, "--prefix");
        wy_strings_add(c->arena, &cmd->argv, first->prefix);
    }
    for (size_t i = 0; i < n && word; i++) {
        const char *name = wy_sys_argument(f[i]->remedy.package, c->arena);
        if (name)
            wy_strings_add_new(c->arena, &cmd->argv, name);
        else
            word = NULL;
    }
    if (!word) {
        fix->text = !first->reinstall.words
                        ? "The package manager was left out of this image: build the image again."
                        : "The package's recorded name is not one that may stand in a command: "
                          "look at the list that names it.";
        return;
    }
    need_all(c, cmd, !first->prefix);
    fix->commands.v = cmd;
    fix->commands.n = 1;
}

void wy_plan_system(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    struct wy_distro distro;
    if (f[0]->remedy.package) {
        put_back(c, f, n, fix);
        return;
    }
    if (!wy_distro_read(c->world->tree, c->arena, &distro) || !distro.family) {
        by_hand(fix, "A library of the system: install it with the system's own package manager.");
        return;
    }
    struct whyso_strings argv = {0};
    bool vendor = false;
    for (const char *const *word = distro.family->install; *word; word++)
        wy_strings_add(c->arena, &argv, *word);
    if (!name_packages(c, &distro, f, n, &argv, &vendor)) {
        by_hand(fix,
                wy_arena_printf(
                    c->arena, "A library of the system; its package in %s is not in whyso's table.",
                    distro.name[0] ? distro.name : distro.id));
        return;
    }
    struct whyso_command *cmd = WY_NEW(c->arena, struct whyso_command);
    cmd->argv = argv;
    need_all(c, cmd, true);
    fix->commands.v = cmd;
    fix->commands.n = 1;
    fix->kind = "system";
    fix->text = vendor ? "A library of the system, from the vendor's package repository, which "
                         "must be set up first."
                       : "A library of the system: its own package manager has it.";
}
