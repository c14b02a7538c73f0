/* Names that lead nowhere: what Python says of them, and when that is believed. */
#include "import/internal.h"

const char *wy_exec_cannot_import(struct wy_exec *x, const struct wy_spec *from, const char *name) {
    bool partial = *wy_exec_state(x, from) & WY_IN_PROGRESS;
    return wy_arena_printf(
        &x->im->arena,
        partial ? "cannot import name '%s' from partially initialized module '%s' (most likely due "
                  "to a circular import) (%s)"
                : "cannot import name '%s' from '%s' (%s)",
        name, from->name, from->path ? from->path : "unknown location");
}

static void add_event(struct wy_exec *x, const struct wy_spec *spec, const char *path,
                      const char *message, const char *why) {
    *wy_vec_add(&x->events) = (struct wy_event){
        .module = spec->name,
        .path = path,
        .library = wy_map_get(&x->im->world->library_by_path, wy_str_of(path)),
        .message = message,
        .altered = spec->gone ? NULL : why, /* what is gone has rules of its own */
        .file = wy_exec_file(x),
        .line = wy_exec_line(x)};
}

/* A module that is not found although a file of it is known: one whose name is for another Python
 * or machine, so that Python does not see it, or one that is recorded and gone. */
void wy_exec_fail_known(struct wy_exec *x, const struct wy_spec *spec, const char *path,
                        const char *message, const char *class_name, const char *why) {
    const char *at = wy_exec_file(x);
    add_event(x, spec, path, message, why);
    wy_exec_fail(x, (struct wy_exception){.class_ = wy_exception_class(x->im, class_name),
                                          .text = message,
                                          .name = spec->name,
                                          .how = "exception",
                                          .at = at ? at : path});
}

/* By a record of data/imports.tsv: the module that asks cannot do without. */
static bool is_needed(const struct wy_exec *x, const struct wy_spec *spec) {
    if (!x->frame || spec->parent)
        return false;
    const struct wy_extension_does *d =
        wy_know_does(x->im->world->know, x->frame->scope->module->spec->name);
    for (; d; d = d->next)
        if (strcmp(d->does, "needs") == 0 && strcmp(d->what, spec->name) == 0)
            return !wy_sys_path_unsure(x->im);
    return false;
}

static const char *not_installed(struct wy_exec *x, const char *why) {
    return wy_arena_printf(&x->im->arena, " is not the file that was installed (%s)", why);
}

/* What fails first in a mix of two versions may be in compiled code. */
bool wy_exec_doubt_mixed(struct wy_exec *x, struct wy_spec *spec, const char *message,
                         const char *class_name) {
    const char *path, *why = wy_spec_altered(x->im, spec, &path);
    if (!why || x->maybe || spec->gone || !wy_spec_mixed(x->im, spec))
        return false;
    if (wy_exec_catcher(x, wy_exception_class(x->im, class_name)) == WY_NOBODY) {
        add_event(x, spec, path, NULL, not_installed(x, why));
        wy_exec_doubt(x, "%s, and sources of another version lie over those of this one", message);
    }
    return true;
}

/* A name that a module does not bind: said for certain only where the file was altered, for that
 * following overlooks a binding is else as likely. False: there is no sign of that. */
bool wy_exec_fail_altered(struct wy_exec *x, struct wy_spec *spec, const char *message,
                          const char *class_name) {
    const char *path, *why = wy_spec_altered(x->im, spec, &path);
    if (!why || x->maybe || wy_exec_doubt_mixed(x, spec, message, class_name))
        return false;
    wy_exec_fail_known(x, spec, path, message, class_name, not_installed(x, why));
    return true;
}

bool wy_exec_lacks(struct wy_exec *x, const struct wy_module *m, const char *name) {
    bool partial = *wy_exec_state(x, m->spec) & WY_IN_PROGRESS;
    const char *message = wy_arena_printf(
        &x->im->arena,
        partial ? "partially initialized module '%s' has no attribute '%s' (most likely due to a "
                  "circular import)"
                : "module '%s' has no attribute '%s'",
        m->spec->name, name);
    return wy_exec_fail_altered(x, m->spec, message, "AttributeError");
}

/* `import NAME` that resolves to nothing. A Python exception on paper is no verdict: where nothing
 * catches it the module goes on, and the outcome is not known. */
void wy_exec_not_found(struct wy_exec *x, const struct wy_spec *spec) {
    const char *message = wy_arena_printf(&x->im->arena, "No module named '%s'", spec->name);
    if ((spec->foreign || spec->lost) && !wy_sys_path_unsure(x->im)) {
        wy_exec_fail_known(x, spec, spec->foreign ? spec->foreign : spec->lost, message,
                           "ModuleNotFoundError", NULL);
        return;
    }
    struct wy_class *c = wy_exception_class(x->im, "ModuleNotFoundError");
    if (is_needed(x, spec))
        wy_exec_fail_known(x, spec, wy_exec_file(x), message, "ModuleNotFoundError", NULL);
    else if (wy_exec_catcher(x, c) != WY_NOBODY)
        wy_exec_raise_paper(
            x, (struct wy_exception){.class_ = c, .text = message, .name = spec->name});
    else if (x->handling && x->handling->event != SIZE_MAX)
        wy_exec_travel(x, (struct wy_exception){.class_ = c,
                                                .text = message,
                                                .name = spec->name,
                                                .event = x->handling->event,
                                                .how = "exception",
                                                .at = x->handling->at});
    else
        wy_exec_doubt(x, "%s", message);
}
