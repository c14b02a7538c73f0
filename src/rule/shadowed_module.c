/* shadowed-module: the name of an installed package leads to something else that comes first on
 * sys.path: a folder or file of that name in the working directory, in PYTHONPATH, in the user's
 * site. Python takes the first and looks no further. */
#include "rule/internal.h"

struct taking {
    const struct wy_run *run;
    const char *name;  /* top-level */
    const char *taken; /* the file that Python takes */
    const char *meant; /* the package's own */
};

/* The file that makes the package importable by that name: NAME/__init__.py, NAME.py or NAME.so. */
static const char *own_file(struct wy_case *c, const struct wy_dist *d, const char *name) {
    const struct wy_env *env = &c->world->env;
    struct wy_place place;
    for (size_t i = 0; i < 2 + env->next_suffixes; i++) {
        const char *file = wy_arena_printf(c->arena, "%s/%s%s", d->site, name,
                                           i == 0   ? "/__init__.py"
                                           : i == 1 ? ".py"
                                                    : env->ext_suffixes[i - 2]);
        if (wy_tree_find(c->world->tree, NULL, file, 0, &place) == 0 &&
            wy_world_owner(c->world, &place) == d)
            return file;
    }
    return NULL;
}

static const struct wy_dist *owner_at(struct wy_case *c, const char *path) {
    struct wy_place place;
    return wy_tree_find(c->world->tree, NULL, path, 0, &place) == 0
               ? wy_world_owner(c->world, &place)
               : NULL;
}

/* The folder of sys.path that it was found in. */
static const char *folder_of(struct wy_case *c, const struct taking *t) {
    const char *dir = wy_path_dir(c->arena, t->taken);
    return strcmp(wy_path_base(dir), t->name) == 0 ? wy_path_dir(c->arena, dir) : dir;
}

/* Another copy of one package is duplicate-package's matter; so is what another version is. */
static bool takes(struct wy_case *c, const struct wy_run *run, struct taking *ret) {
    const char *name =
        wy_arena_str(c->arena, (struct wy_str){run->module, strcspn(run->module, ".")});
    const char *taken = wy_importer_leads_to(c->importer, name);
    *ret = (struct taking){.run = run, .name = name, .taken = taken};
    if (!run->dist || !taken)
        return false;
    const struct wy_dist *owner = owner_at(c, taken);
    if (owner && strcmp(owner->key, run->dist->key) == 0)
        return false;
    ret->meant = own_file(c, run->dist, name);
    return ret->meant != NULL;
}

static bool in_cwd(struct wy_case *c, const char *folder) {
    const char *cwd = c->world->host->options.cwd;
    return cwd && strcmp(folder, wy_path_clean(c->arena, cwd)) == 0;
}

/* By what fails. What depends on where Python is started is luck, also where it works. */
static enum whyso_severity severity(struct wy_case *c, const struct taking *t) {
    switch (t->run->outcome) {
    case WY_RUN_FAILS:
        return WHYSO_ERROR;
    case WY_RUN_UNKNOWN:
        return WHYSO_WARNING;
    default:
        return in_cwd(c, folder_of(c, t)) ? WHYSO_WARNING : WHYSO_NOTE;
    }
}

static const char *pythonpath_without(struct wy_case *c, const char *folder, bool *found) {
    const char *text = wy_host_getenv(c->world->host, "PYTHONPATH"), *ret = NULL;
    for (; text; text = *text ? text + 1 : NULL) {
        size_t n = strcspn(text, ":");
        const char *item = wy_arena_str(c->arena, (struct wy_str){text, n});
        if (n && strcmp(wy_path_clean(c->arena, item), folder) == 0)
            *found = true;
        else if (n)
            ret = wy_arena_printf(c->arena, "%s%s%s", ret ? ret : "", ret ? ":" : "", item);
        text += n;
    }
    return ret;
}

static void advise(struct wy_case *c, struct wy_finding *f, const struct taking *t) {
    const char *folder = folder_of(c, t);
    const struct wy_env *env = &c->world->env;
    bool variable = false;
    const char *without = pythonpath_without(c, folder, &variable);
    struct wy_remedy *r = &f->remedy;
    *r = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .avoid = "Reinstalling the package does not help: Python does not get to it."};
    if (in_cwd(c, folder)) {
        r->text = wy_arena_printf(c->arena, "Start Python in another folder than %s, or rename %s.",
                                  folder, wy_shown(c, t->taken));
        if (env->major == 3 && env->minor >= 11) { /* docs.python.org, -P */
            r->kind = WY_REMEDY_VARIABLE;
            r->name = "PYTHONSAFEPATH";
            r->version = "1";
        }
    } else if (variable) {
        r->kind = WY_REMEDY_VARIABLE;
        r->name = "PYTHONPATH";
        r->version = without;
        r->text = wy_arena_printf(c->arena, "Start Python without %s in PYTHONPATH.", folder);
    } else {
        r->text = wy_arena_printf(c->arena, "Remove or rename %s, if the package is meant.",
                                  wy_shown(c, t->taken));
    }
    if (f->f.severity == WHYSO_NOTE) {
        r->kind = WY_REMEDY_NONE;
        r->text = "Nothing to do if the first is meant to win.";
        r->avoid = NULL;
    }
}

/* The import itself, and others that end at a part which only the installed package has. */
static void add_broken(struct wy_case *c, struct wy_finding *f, const struct taking *t) {
    for (size_t i = 0; i < c->nruns; i++) {
        const struct wy_run *run = c->runs[i];
        const struct wy_event *e = run->outcome == WY_RUN_FAILS ? run->fatal : NULL;
        const char *module = e && !e->open && e->module ? e->module : "";
        size_t n = strlen(t->name);
        if (e && (run == t->run || (strncmp(module, t->name, n) == 0 && module[n] == '.')))
            wy_strings_add(c->arena, &f->f.breaks.imports, run->module);
    }
    if (t->run->outcome == WY_RUN_FAILS)
        wy_make_because(c, f, "Python says: %s", t->run->message);
}

static void report(struct wy_case *c, const struct taking *t) {
    const struct wy_dist *d = t->run->dist, *owner = owner_at(c, t->taken);
    const char *folder = folder_of(c, t);
    struct wy_finding *f = wy_make(c, "shadowed-module", severity(c, t), d->key);
    wy_make_dist(c, f, d);
    f->f.wanted = (struct whyso_wanted){"module", t->name, NULL};
    f->f.file = wy_shown(c, t->taken);
    f->f.title = wy_arena_printf(c->arena, "import %s takes %s, not %s %s", t->name, f->f.file,
                                 d->name, d->version);
    WY_ADD(c->arena, &f->f.candidates,
           ((struct whyso_candidate){
               .file = f->f.file, .package = owner ? owner->name : NULL, .chosen = true}));
    WY_ADD(
        c->arena, &f->f.candidates,
        ((struct whyso_candidate){.file = wy_shown(c, t->meant),
                                  .package = d->name,
                                  .why_not = wy_arena_printf(c->arena, "%s comes first", folder)}));
    wy_make_because(c, f, "%s comes before %s on sys.path%s", folder, wy_shown(c, d->site),
                    in_cwd(c, folder) ? ": it is the working directory" : "");
    add_broken(c, f, t);
    f->why = wy_arena_printf(c->arena, "%s has that name, too, and comes first on sys.path%s.",
                             wy_shown(c, t->taken),
                             in_cwd(c, folder) ? ", since Python is started in that folder" : "");
    advise(c, f, t);
}

void wy_rule_shadowed_module(struct wy_case *c) {
    for (size_t i = 0; i < c->nruns; i++) {
        struct taking t;
        if (takes(c, c->runs[i], &t))
            report(c, &t);
    }
}
