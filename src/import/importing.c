/* Modules: import statements, and what happens when a module is loaded. */
#include "import/ahead.h"

enum { MOST_DEPTH = 400 };

/* ---- loading ---- */

/* What the module did can be done again without following it: it met no failure of the loader, or
 * one, in an import that ended it. */
static bool can_repeat(const struct wy_exec *x, const struct wy_running *r) {
    const struct wy_step *last = r->steps.n ? &r->steps.v[r->steps.n - 1] : NULL;
    if (x->stop)
        return false;
    if (!x->raising)
        return r->failures == 0;
    return r->failures == 1 && x->raised.event != SIZE_MAX && last &&
           last->kind == WY_STEP_IMPORT && last->answer && !last->maybe && last->spec == x->failed;
}

static void keep_log(struct wy_exec *x, struct wy_module *m, struct wy_running *r) {
    if (!can_repeat(x, r)) {
        wy_vec_free(&r->steps);
        return;
    }
    m->log = WY_NEW(&x->im->arena, struct wy_log);
    wy_vec_keep(&x->im->arena, &r->steps);
    m->log->v = r->steps.v;
    m->log->n = r->steps.n;
    m->log->fails = x->raising;
    m->log->path = r->path;
    m->log->blind = r->blind;
}

/* A module that fails may be asked for again and again. */
static bool too_often(struct wy_exec *x, struct wy_module *m) {
    enum { MOST_RUNS = 8 };
    m->runs = m->run == x->run ? m->runs + 1 : 1;
    m->run = x->run;
    if (m->runs > MOST_RUNS)
        wy_exec_doubt(x, "%s is run more than %d times", m->spec->name, MOST_RUNS);
    return m->runs > MOST_RUNS;
}

/* Source that cannot be read to its end. That Python cannot either is sure of a file that is not
 * what was installed; else what is read of it still counts. */
static bool refused(struct wy_exec *x, struct wy_module *m) {
    const char *path, *why = wy_spec_altered(x->im, m->spec, &path), *said = NULL;
    x->frame->line = m->tree->problem_line;
    if (m->tree->said) /* SyntaxError_str, Objects/exceptions.c */
        said = wy_arena_printf(&x->im->arena, "%s (%s, line %u)", m->tree->said,
                               wy_path_base(m->spec->path), m->tree->said_line);
    if (why)
        wy_exec_fail_known(x, m->spec, path, said, said ? m->tree->said_class : "SyntaxError",
                           wy_arena_printf(&x->im->arena, ", line %u: %s (%s)",
                                           m->tree->problem_line, m->tree->problem, why));
    else
        wy_exec_doubt(x, "%s", m->tree->problem);
    return x->raising;
}

static void run_body(struct wy_exec *x, struct wy_module *m) {
    struct wy_running running = {.up = x->running,
                                 .module = m,
                                 .maybe = x->maybe,
                                 .id = ++x->im->nrunning,
                                 .path = wy_sys_path_id(x->im)};
    struct wy_frame frame = {.up = x->frame, .scope = &m->scope};
    struct wy_guarded guard = {.up = x->guards, .kind = WY_AROUND_BODY, .frame = &frame};
    unsigned calls = x->calls;
    if (m->spec->ndirs) /* it may have run before, in another process, and changed its __path__ */
        wy_module_describe(x->im, m);
    x->running = &running;
    x->frame = &frame;
    x->guards = &guard;
    x->calls = 0;
    x->depth++;
    if (!m->tree->problem || !refused(x, m))
        wy_run_body(x, &m->tree->body);
    x->depth--;
    x->guards = guard.up;
    x->calls = calls;
    x->frame = frame.up;
    x->running = running.up;
    keep_log(x, m, &running);
}

void wy_run_source(struct wy_exec *x, struct wy_module *m, const struct wy_place *place) {
    if (too_often(x, m))
        return;
    if (m->log && m->log->path == wy_sys_path_id(x->im) && wy_exec_replay(x, m))
        return;
    if (x->depth >= MOST_DEPTH) {
        wy_exec_doubt(x, "imports are nested more than %d deep", MOST_DEPTH);
        return;
    }
    if (!m->tree) {
        m->tree = m->spec->member ? wy_read_member(x->im, m->spec) : wy_read_source(x->im, place);
        m->source = *place;
    }
    run_body(x, m);
}

static void load(struct wy_exec *x, struct wy_spec *spec) {
    for (size_t i = 0; i < spec->ndirs; i++)
        if (spec->dirs[i].dir && wy_dir_error(spec->dirs[i].dir))
            wy_exec_doubt(x, "%s cannot be read: %s",
                          wy_world_shown(x->im->world, spec->dirs[i].text),
                          strerror(wy_dir_error(spec->dirs[i].dir)));
    if (spec->kind == WY_SPEC_EXTENSION) {
        if (wy_exec_in_group(x, spec)) {
            wy_exec_extension_imports(x, spec);
            return;
        }
        if (!wy_exec_open(x, spec, spec->path, x->dlopen_flags, NULL, "ImportError") ||
            !wy_exec_has_init(x, spec))
            return;
        wy_exec_records(x, spec);
        if (!x->raising)
            wy_exec_extension_imports(x, spec);
    } else if (spec->kind == WY_SPEC_SOURCE) {
        wy_run_source(x, wy_spec_module(x->im, spec), &spec->place);
        if (!x->raising)
            wy_exec_records(x, spec);
    } else if (spec->kind == WY_SPEC_BUILTIN) {
        wy_exec_calls_unbound(x, spec);
    }
}

void wy_log_import(struct wy_exec *x, struct wy_spec *spec, bool raised) {
    struct wy_running *r = x->running;
    if (!r || r->again || spec->at_start)
        return;
    for (size_t i = r->steps.n; raised && i-- > 0;) {
        if (r->steps.v[i].kind != WY_STEP_IMPORT || r->steps.v[i].spec != spec)
            continue;
        r->steps.v[i].answer = true;
        return;
    }
    if (spec->logged == r->id)
        return;
    spec->logged = r->id;
    wy_log_step(x, (struct wy_step){.kind = WY_STEP_IMPORT, .spec = spec});
}

bool wy_exec_ensure(struct wy_exec *x, struct wy_spec *spec) {
    uint8_t state = *wy_exec_state(x, spec);
    if (spec->kind == WY_SPEC_MISSING && !(state & WY_LOADED)) {
        if (wy_exec_provided(x, spec))
            return true;
        wy_exec_not_found(x, spec);
        return !x->raising;
    }
    wy_log_import(x, spec, false);
    if (state & (WY_IN_PROGRESS | WY_LOADED))
        return true;
    if (!wy_exec_step(x))
        return true;
    *wy_exec_state(x, spec) |= WY_IN_PROGRESS;
    x->nesting++;
    load(x, spec);
    x->nesting--;
    uint8_t *after = wy_exec_state(x, spec);
    *after &= (uint8_t) ~(WY_IN_PROGRESS | WY_LOADED);
    if (!x->raising)
        *after |= WY_LOADED;
    else
        wy_log_import(x, spec, true);
    x->failed = spec;
    return !x->raising;
}

/* A name below a module that is no package (`os.path`, what an extension puts into sys.modules):
 * nothing to look for. */
static bool below_module(const struct wy_spec *spec) {
    return spec->parent && spec->parent->kind != WY_SPEC_MISSING && !spec->parent->ndirs;
}

bool wy_exec_import(struct wy_exec *x, struct wy_spec *spec) {
    if (spec->parent && !wy_exec_import(x, spec->parent))
        return false;
    if (spec->parent && spec->parent->kind == WY_SPEC_MISSING)
        return true; /* said already */
    return below_module(spec) || wy_exec_ensure(x, spec);
}

/* ---- statements ---- */

/* A function that two guards may have ended before rarely comes that far: what it imports then is
 * for what callers seldom have. (With one guard the import is mostly made.) */
static bool hardly_reached(const struct wy_exec *x) {
    return x->frame->function && x->frame->returned_perhaps > 1;
}

void wy_run_import(struct wy_exec *x, const struct wy_stmt *s) {
    if (hardly_reached(x)) {
        wy_forget_import(x, s);
        return;
    }
    for (uint32_t i = 0; i < s->imports.n; i++) {
        const struct wy_alias *a = &s->imports.v[i];
        struct wy_spec *spec = wy_find(x->im, a->name), *top = spec;
        x->frame->line = a->line ? a->line : s->line;
        if (!wy_exec_import(x, spec))
            return;
        while (!a->as && top->parent)
            top = top->parent;
        const char *name = a->as ? a->as : wy_intern(&x->im->names, wy_str_of(top->name));
        wy_bind_name(x, name, wy_named_module(x, top));
    }
}

/* os.path and the like have no file of their own. */
struct wy_value wy_named_module(struct wy_exec *x, struct wy_spec *spec) {
    if (!below_module(spec))
        return wy_module_value(x, spec);
    return wy_attribute(x, wy_named_module(x, spec->parent),
                        wy_intern(&x->im->names, wy_str_of(spec->leaf)));
}

struct wy_spec *wy_relative(struct wy_exec *x, struct wy_module *from, const char *name,
                            unsigned level) {
    if (level == 0)
        return wy_find(x->im, name);
    struct wy_spec *base = from->spec->ndirs ? from->spec : from->spec->parent;
    for (unsigned i = 1; i < level && base; i++)
        base = base->parent;
    struct wy_str rest = wy_str_of(name);
    while (base && rest.p && name[0]) {
        char leaf[256];
        struct wy_str part = wy_str_cut(rest, '.', &rest);
        if (part.n >= sizeof leaf)
            return NULL;
        memcpy(leaf, part.p, part.n);
        leaf[part.n] = '\0';
        base = wy_find_child(x->im, base, leaf);
    }
    return base;
}

/* Of a name that is bound nowhere: that following has overlooked where it is bound is less likely
 * than that a module is meant. Packages ask so for their own parts, and call extensions `_name`. */
static bool must_be_module(const struct wy_exec *x, const struct wy_spec *package,
                           const char *name) {
    bool own = x->frame && x->frame->scope->module->spec == package && !x->frame->function;
    return package->kind == WY_SPEC_NAMESPACE ||
           (package->ndirs && (own || (name[0] == '_' && name[1] != '_')));
}

/* The names of the same statement that stand behind one. All submodules among them are imported
 * before the first name is bound, so also before one is found missing (_handle_fromlist). */
struct others {
    const struct wy_stmt *s;
    uint32_t from;
};

static bool import_others(struct wy_exec *x, struct wy_spec *package, const struct others *o) {
    for (uint32_t i = o->from; o->s && package->ndirs && i < o->s->imports.n; i++) {
        const char *name = o->s->imports.v[i].name;
        struct wy_value v = wy_module_attribute(x, wy_spec_module(x->im, package), name);
        struct wy_spec *child = wy_find_child(x->im, package, name);
        if ((v.kind == WY_V_UNBOUND || v.kind == WY_V_UNKNOWN) && child->kind != WY_SPEC_MISSING &&
            !wy_exec_ensure(x, child))
            return false;
    }
    return true;
}

/* A name that a package does not bind: its submodule, or nothing (importlib's _handle_fromlist). It
 * is not believed to be missing, unless its file is there for another Python, or recorded and gone.
 */
static struct wy_value submodule(struct wy_exec *x, struct wy_spec *package, const char *name,
                                 bool open, const struct others *others) {
    struct wy_spec *child = package->ndirs ? wy_find_child(x->im, package, name) : NULL;
    if (child && child->kind != WY_SPEC_MISSING)
        return wy_exec_ensure(x, child) ? wy_module_value(x, child) : WY_UNKNOWN;
    if (!import_others(x, package, others))
        return WY_UNKNOWN;
    const char *known = !child ? NULL : child->foreign ? child->foreign : child->lost;
    if (open) {
        /* the package's __getattr__ may know the name, but hardly one that is a file */
        if (known && wy_exec_catcher(x, wy_exception_class(x->im, "ImportError")) == WY_NOBODY)
            wy_exec_doubt(x, "%s", wy_exec_cannot_import(x, package, name));
        else if (!known)
            wy_exec_doubt_mixed(x, package,
                                wy_arena_printf(&x->im->arena, "whether %s has '%s' is not known",
                                                package->name, name),
                                "ImportError");
        return WY_UNKNOWN;
    }
    if (known) {
        wy_exec_fail_known(x, child, known, wy_exec_cannot_import(x, package, name), "ImportError",
                           NULL);
        return WY_UNKNOWN;
    }
    if (wy_exec_fail_altered(x, package, wy_exec_cannot_import(x, package, name), "ImportError"))
        return WY_UNKNOWN;
    struct wy_class *c = wy_exception_class(x->im, "ImportError");
    bool caught = wy_exec_catcher(x, c) != WY_NOBODY;
    if (caught && !(*wy_exec_state(x, package) & WY_IN_PROGRESS))
        wy_exec_raise_named(x, "ImportError", wy_exec_cannot_import(x, package, name));
    else if (!caught && must_be_module(x, package, name))
        wy_exec_doubt(x, "%s", wy_exec_cannot_import(x, package, name));
    return WY_UNKNOWN;
}

/* A submodule that the package's names hold from an earlier process; here it was not imported yet.
 */
static bool of_another_process(struct wy_exec *x, const struct wy_spec *base, struct wy_value v) {
    const struct wy_spec *child = v.kind == WY_V_MODULE ? v.module->spec : NULL;
    return child && child->parent == base &&
           !(*wy_exec_state(x, child) & (WY_LOADED | WY_IN_PROGRESS));
}

static struct wy_value from(struct wy_exec *x, struct wy_spec *base, const char *name,
                            const struct others *others) {
    if (base->kind == WY_SPEC_MISSING || below_module(base))
        return wy_find_attribute(x, wy_named_module(x, base), name);
    struct wy_value v = wy_find_attribute(x, wy_module_value(x, base), name);
    if (x->raising)
        return WY_UNKNOWN;
    if (v.kind == WY_V_UNBOUND || of_another_process(x, base, v))
        return submodule(x, base, name, false, others);
    struct wy_module *m = wy_spec_module(x->im, base);
    bool nothing = v.kind == WY_V_UNKNOWN || v.kind == WY_V_NONE;
    if (nothing && wy_table_get(m->scope.names, name).kind == WY_V_UNBOUND)
        return submodule(x, base, name, true, others);
    return v;
}

static void import_star(struct wy_exec *x, struct wy_spec *base) {
    if (base->kind == WY_SPEC_MISSING) {
        x->frame->scope->names->open = true;
        return;
    }
    struct wy_module *m = wy_spec_module(x->im, base);
    struct wy_value all = wy_table_get(m->scope.names, x->im->n.all);
    for (const struct wy_binding *b = m->known ? m->known->first : NULL; b; b = b->next)
        wy_bind_name(x, b->name, wy_known_value(x, b->value.known));
    if (wy_is_sequence(all)) {
        struct wy_list names = *all.list;
        for (uint32_t i = 0; i < names.n && !x->raising; i++) {
            if (names.v[i].kind != WY_V_STR)
                continue;
            const char *name = wy_intern(&x->im->names, wy_value_str(names.v[i]));
            struct wy_value v = from(x, base, name, &(struct others){0});
            if (!x->raising)
                wy_bind_name(x, name, v);
        }
    } else {
        for (const struct wy_binding *b = m->scope.names->first; b; b = b->next)
            if (b->name[0] != '_' && b->name[0] != '\1' && b->value.kind != WY_V_UNBOUND)
                wy_bind_name(x, b->name, b->value);
    }
    if (m->scope.names->open || (wy_is_sequence(all) && all.list->open))
        x->frame->scope->names->open = true;
}

void wy_run_from(struct wy_exec *x, const struct wy_stmt *s) {
    if (hardly_reached(x)) {
        wy_forget_import(x, s);
        return;
    }
    struct wy_spec *base = wy_relative(x, x->frame->scope->module, s->name, s->level);
    if (!base)
        return;
    if (!wy_exec_import(x, base))
        return;
    if (s->star) {
        import_star(x, base);
        return;
    }
    for (uint32_t i = 0; i < s->imports.n; i++) {
        const struct wy_alias *a = &s->imports.v[i];
        struct wy_value v = from(x, base, a->name, &(struct others){s, i + 1});
        if (x->raising)
            return;
        wy_bind_name(x, a->as ? a->as : a->name, v.kind == WY_V_UNBOUND ? WY_UNKNOWN : v);
    }
}

struct wy_value wy_import_named(struct wy_exec *x, struct wy_str name) {
    struct wy_spec *spec = wy_find(x->im, wy_arena_str(&x->im->arena, name));
    return wy_exec_import(x, spec) ? wy_named_module(x, spec) : WY_UNKNOWN;
}

void wy_import_submodules(struct wy_exec *x, struct wy_spec *package, struct wy_value names) {
    for (uint32_t i = 0; package->ndirs && wy_is_sequence(names) && i < names.list->n; i++) {
        struct wy_value v = names.list->v[i];
        if (v.kind != WY_V_STR || x->raising)
            continue;
        const char *name = wy_intern(&x->im->names, wy_value_str(v));
        struct wy_spec *child = wy_find_child(x->im, package, name);
        if (child->kind != WY_SPEC_MISSING &&
            wy_table_get(wy_spec_module(x->im, package)->scope.names, name).kind == WY_V_UNBOUND)
            wy_exec_ensure(x, child);
    }
}
