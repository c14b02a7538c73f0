/* wrong-python: the extension is there, but built for another Python. Its name carries that
 * Python's tag (PEP 3149), so the finder does not look at it, and the message speaks of a module
 * that does not exist. */
#include "rule/internal.h"

#include <ctype.h>
#include <stdio.h>

/* "CPython 3.12" from "x.cpython-312-x86_64-linux-gnu.so"; the tag itself when it reads otherwise.
 */
static const char *built_for(struct wy_case *c, const char *file) {
    const char *dot = strchr(wy_path_base(file), '.');
    const char *tag = dot ? dot + 1 : "another Python";
    const char *digits = wy_starts(tag, "cpython-") ? tag + strlen("cpython-") : NULL;
    size_t n = digits ? strspn(digits, "0123456789") : 0;
    if (n < 2)
        return wy_arena_str(c->arena, (struct wy_str){tag, strcspn(tag, "-.")});
    return wy_arena_printf(c->arena, "CPython %c.%.*s%s", digits[0], (int)(n - 1), digits + 1,
                           digits[n] == 't' ? " (free-threaded)" : "");
}

static void report(struct wy_case *c, const struct wy_foreign *k) {
    const struct wy_library *lib = k->library;
    struct wy_finding *f = wy_make(c, "wrong-python", WHYSO_ERROR, lib->shown);
    wy_make_dist(c, f, lib->dist);
    f->f.file = lib->shown;
    f->f.library = wy_path_base(lib->path);
    f->f.title = wy_arena_printf(c->arena, "%s is for %s, this Python is %u.%u%s", f->f.library,
                                 built_for(c, lib->path), c->world->env.major, c->world->env.minor,
                                 c->world->env.free_threaded ? " (free-threaded)" : "");
    wy_make_foreign(c, f, k);
    f->why =
        "Python looks only for file names that carry its own tag: for it, this file is not there.";
    if (lib->dist)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL,
                                       .dist = lib->dist,
                                       .other_wheel = true,
                                       .also = "If many packages are for the other Python, make "
                                               "the environment anew with this one."};
    else
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                       .text = "Build the extension again with this Python."};
}

void wy_rule_wrong_python(struct wy_case *c) {
    wy_foreign_each(c, WY_FOREIGN_PYTHON, report);
}
