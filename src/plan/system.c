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

void wy_plan_system(struct wy_case *c, struct wy_finding **f, size_t n, struct whyso_fix *fix) {
    struct wy_distro distro;
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
    wy_strings_add(c->arena, &cmd->needs, "root");
    wy_strings_add(c->arena, &cmd->needs, "network");
    fix->commands.v = cmd;
    fix->commands.n = 1;
    fix->kind = "system";
    fix->text = vendor ? "A library of the system, from the vendor's package repository, which "
                         "must be set up first."
                       : "A library of the system: its own package manager has it.";
}
