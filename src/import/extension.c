/* What an extension imports from C once it is loaded: by the records of data/imports.tsv, and by
 * the names among its constants. */
#include "import/ahead.h"

/* The modules that constants name, looked for once per extension. */
struct wy_named_imports {
    struct wy_spec **v;
    size_t n;
    bool source_too, pyx; /* the code was made from a file beside it, and does what that says */
    struct wy_place source;
    const struct wy_spec *group; /* of mypyc, whose modules begin each other; NULL */
};

/* One whose file is recorded and gone counts: code that imports it was not changed for that. */
static bool is_there(const struct wy_spec *spec) {
    return spec->kind != WY_SPEC_MISSING || spec->lost;
}

static bool is_module(void *ctx, const char *name) {
    return is_there(wy_find(ctx, name));
}

static bool is_parent(const struct wy_spec *of, const struct wy_spec *spec) {
    for (; of; of = of->parent)
        if (of == spec)
            return true;
    return false;
}

static const char *path_of(struct wy_exec *x, const struct wy_spec *spec, const char *what) {
    struct wy_arena *a = &x->im->arena;
    const char *dir = "{dir}/";
    return wy_starts(what, dir) ? wy_path_join(a, wy_path_dir(a, spec->path), what + strlen(dir))
                                : what;
}

/* One import of compiled code. Where it is not `tried`, a failure leaves open what becomes of it:
 * C code may go on without. `constant`: only its name is known. */
static void import_from_c(struct wy_exec *x, struct wy_spec *named, bool tried, bool constant) {
    struct wy_guarded guard = {
        .up = x->guards, .kind = WY_AROUND_ARM, .frame = x->frame, .constant = constant};
    if (tried) {
        guard.kind = WY_AROUND_SUPPRESS;
        guard.types = (struct wy_value){.kind = WY_V_CLASS,
                                        .class_ = wy_exception_class(x->im, "BaseException")};
    }
    x->guards = &guard;
    x->maybe += !tried;
    wy_exec_import(x, named);
    x->maybe -= !tried;
    x->guards = guard.up;
    if (tried && x->raising && x->raised.class_)
        x->raising = false;
    if (!tried)
        wy_exec_absorb(x);
}

static void import_all(struct wy_exec *x, const char *names, bool tried) {
    struct wy_str rest = wy_str_of(names);
    while (rest.p && !x->raising) {
        const char *name = wy_arena_str(&x->im->arena, wy_str_cut(rest, ' ', &rest));
        if (is_module(x->im, name))
            import_from_c(x, wy_find(x->im, name), tried, false);
    }
}

static bool is_file(struct wy_exec *x, const char *path) {
    struct wy_place p;
    return wy_tree_find(x->im->world->tree, NULL, path, 0, &p) == 0;
}

/* "FUNCTION VALUE": binds a function that gives this, where it is known here. */
static void bind_answer(struct wy_exec *x, struct wy_spec *spec, const char *what) {
    struct wy_str value, name = wy_str_cut(wy_str_of(what), ' ', &value);
    unsigned level = x->im->world->host->cpu_level;
    if (wy_str_starts(value, "x86-64-v"))
        value = level >= (unsigned)(value.p[value.n - 1] - '0') ? WY_STR("True") : WY_STR("");
    if (wy_str_is(value, "no-gpu"))
        value = wy_same(x->im->world->host->driver, "none") ? WY_STR("False") : WY_STR("");
    struct wy_value v =
        wy_table_get(wy_known_below(x->im, "<answer>"), wy_intern(&x->im->names, value));
    if (v.kind != WY_V_UNBOUND)
        wy_bind(x, wy_spec_module(x->im, spec)->scope.names, wy_intern(&x->im->names, name), v);
}

static bool needs_library(struct wy_exec *x, const struct wy_spec *spec, const char *soname) {
    const struct wy_library *lib =
        wy_map_get(&x->im->world->library_by_path, wy_str_of(spec->path));
    for (size_t i = 0; lib && lib->image && i < lib->image->elf.nneeded; i++)
        if (wy_glob(soname, lib->image->elf.needed[i]))
            return true;
    return false;
}

/* "NAME {dir}/FILE", "NAME SONAME": binds whether that file is there, or that library needed. */
static void bind_whether(struct wy_exec *x, struct wy_spec *spec, const char *what) {
    struct wy_str rest, name = wy_str_cut(wy_str_of(what), ' ', &rest);
    const char *file = wy_arena_str(&x->im->arena, rest), *path = path_of(x, spec, file);
    bool is = path == file ? needs_library(x, spec, file) : is_file(x, path);
    wy_bind(x, wy_spec_module(x->im, spec)->scope.names, wy_intern(&x->im->names, name),
            wy_value_bool(is));
}

bool wy_exec_provided(struct wy_exec *x, const struct wy_spec *spec) {
    const struct wy_know *know = x->im->world->know;
    for (size_t i = 0; i < know->ndoes; i++) {
        const struct wy_extension_does *d = &know->does[i];
        if (strcmp(d->does, "provides") != 0 || !wy_glob(d->what, spec->name))
            continue;
        const struct wy_spec *by = wy_find(x->im, d->module);
        if (*wy_exec_state(x, by) & (WY_LOADED | WY_IN_PROGRESS))
            return true;
    }
    return false;
}

/* "MODULE.NAME": of a module that it has imported. Of one that is whole nobody needs to ask. */
static void ask(struct wy_exec *x, const char *what) {
    const char *name = strrchr(what, '.');
    struct wy_str module = {what, (size_t)(name - what)};
    struct wy_spec *of = wy_find(x->im, wy_arena_str(&x->im->arena, module));
    if (of->kind == WY_SPEC_NAMESPACE && of->lost && (*wy_exec_state(x, of) & WY_LOADED))
        wy_exec_fail_known(
            x, of, of->lost,
            wy_arena_printf(&x->im->arena, "module '%s' has no attribute '%s'", of->name, name + 1),
            "AttributeError", NULL);
}

/* "MODULE CLASS TEXT": what its package imports first, unless the file that does so is gone. */
static void stand_behind(struct wy_exec *x, const char *what) {
    struct wy_arena *a = &x->im->arena;
    struct wy_str class_name, text;
    struct wy_str module = wy_str_cut(wy_str_of(what), ' ', &text);
    const struct wy_spec *first = wy_find(x->im, wy_arena_str(a, module)), *by = first->parent;
    class_name = wy_str_cut(text, ' ', &text);
    if (by && by->gone && !(*wy_exec_state(x, first) & (WY_LOADED | WY_IN_PROGRESS)))
        wy_exec_fail_known(x, by, by->gone, wy_arena_str(a, text), wy_arena_str(a, class_name),
                           NULL);
}

void wy_exec_records(struct wy_exec *x, struct wy_spec *spec) {
    const struct wy_extension_does *d = wy_know_does(x->im->world->know, spec->name);
    for (; d && !x->raising; d = d->next) {
        const char *path = path_of(x, spec, d->what);
        if (strcmp(d->does, "imports") == 0 || strcmp(d->does, "tries") == 0)
            import_all(x, d->what, strcmp(d->does, "tries") == 0);
        else if (strcmp(d->does, "opens") == 0)
            wy_exec_open(x, NULL, path, WY_NOW, wy_process_named(x->process, spec->path), NULL);
        else if (strcmp(d->does, "loads") == 0 && is_file(x, path))
            wy_exec_open(x, spec, path, x->dlopen_flags, NULL, "ImportError");
        else if (strcmp(d->does, "answers") == 0)
            bind_answer(x, spec, d->what);
        else if (strcmp(d->does, "holds") == 0)
            bind_whether(x, spec, d->what);
        else if (strcmp(d->does, "asks") == 0)
            ask(x, d->what);
        else if (strcmp(d->does, "behind") == 0)
            stand_behind(x, d->what);
    }
}

static bool is_among(const char *names, const char *name) {
    struct wy_str rest = wy_str_of(names);
    while (rest.p)
        if (wy_str_is(wy_str_cut(rest, ' ', &rest), name))
            return true;
    return false;
}

/* A record says of the name that it is not imported, or that it is and may fail. */
static bool skipped(const struct wy_importer *im, const struct wy_spec *spec, const char *name) {
    const struct wy_extension_does *d = wy_know_does(im->world->know, spec->name);
    for (; d; d = d->next)
        if ((strcmp(d->does, "skips") == 0 && wy_glob(d->what, name)) ||
            (strcmp(d->does, "tries") == 0 && is_among(d->what, name)))
            return true;
    return false;
}

static bool source_beside(struct wy_importer *im, const struct wy_spec *spec, const char *suffix,
                          struct wy_place *place) {
    const char *base = wy_path_base(spec->path), *dot = strchr(base, '.');
    if (!dot)
        return false;
    const char *name = wy_arena_printf(&im->arena, "%.*s%s", (int)(dot - base), base, suffix);
    return wy_tree_find(im->world->tree, spec->place.dir, name, 0, place) == 0 && place->entry &&
           place->entry->type == WY_FT_FILE;
}

/* m.py beside m.SUFFIX.so of Cython's pure mode or mypyc runs; of m.pyx its imports. */
static void find_source(struct wy_importer *im, const struct wy_spec *spec,
                        struct wy_named_imports *ret) {
    ret->source_too = source_beside(im, spec, ".py", &ret->source);
    ret->pyx = !ret->source_too && source_beside(im, spec, ".pyx", &ret->source);
    ret->source_too = ret->source_too || ret->pyx;
}

/* What Cython's packed table names was written in the source; if that is there, it says as well
 * which of it is imported at once. */
static bool source_knows(const struct wy_named_imports *named, enum wy_extension_how how) {
    return named->source_too && how == WY_EXTENSION_CYTHON_PACKED;
}

/* Distributions that share a namespace package are made for each other, though one may ask for
 * another only by an extra. */
static bool share_namespace(const struct wy_spec *a, const struct wy_spec *b) {
    while (a->parent)
        a = a->parent;
    while (b->parent)
        b = b->parent;
    return a == b && a->kind == WY_SPEC_NAMESPACE;
}

/* Code that names a package which its own does not ask for uses it when the user does: at most in a
 * function. What headers and mypyc import, they do import. */
static bool wants(struct wy_importer *im, const struct wy_spec *spec, const struct wy_spec *named,
                  enum wy_extension_how how) {
    const struct wy_dist *by = wy_world_owner(im->world, &spec->place),
                         *of = wy_world_owner(im->world, &named->place);
    return how == WY_EXTENSION_HELPER || how == WY_EXTENSION_MYPYC || !by || !of || by == of ||
           share_namespace(spec, named) || wy_requires(im, by, of->key);
}

static struct wy_named_imports *look(struct wy_importer *im, struct wy_spec *spec) {
    struct wy_named_imports *ret = WY_NEW(&im->arena, struct wy_named_imports);
    struct wy_extension found;
    bool mypyc = false;
    wy_read_constants(im, &spec->place, &found);
    wy_extension_end(&found, &im->arena, is_module, im);
    for (size_t i = 0; i < found.found.n; i++)
        mypyc = mypyc || found.found.v[i].how == WY_EXTENSION_MYPYC;
    if (found.cython || mypyc)
        find_source(im, spec, ret);
    ret->v = wy_arena_alloc(&im->arena, (found.found.n + 1) * sizeof(struct wy_spec *));
    for (size_t i = 0; i < found.found.n; i++) {
        struct wy_spec *named = wy_find(im, found.found.v[i].module);
        if (found.found.v[i].how == WY_EXTENSION_MYPYC && found.native)
            ret->group = named;
        if (!source_knows(ret, found.found.v[i].how) && is_there(named) &&
            !is_parent(spec, named) &&
            strcmp(named->name, spec->leaf) !=
                0 && /* its own name, in a package that holds a copy */
            !skipped(im, spec, named->name) &&
            wants(im, spec, named, found.found.v[i].how))
            ret->v[ret->n++] = named;
    }
    wy_extension_deinit(&found);
    return ret;
}

static void read_pyx(struct wy_importer *im, struct wy_module *m, const struct wy_place *place) {
    const char *problem = NULL;
    struct wy_str text = wy_place_text(im, place, &im->text, &problem);
    char *imports = wy_arena_str(&im->arena, text);
    m->tree = WY_NEW(&im->arena, struct wy_source_tree);
    if (problem)
        return;
    wy_source_keep_imports(imports, text.n);
    wy_source_parse((struct wy_str){imports, text.n}, im->world->env.minor, &im->names, &im->arena,
                    m->tree);
    m->tree->problem = NULL;
}

static void run_source_beside(struct wy_exec *x, struct wy_spec *spec) {
    struct wy_module *m = wy_spec_module(x->im, spec);
    if (!m->tree && spec->imports->pyx)
        read_pyx(x->im, m, &spec->imports->source);
    wy_run_source(x, m, &spec->imports->source);
}

static const struct wy_named_imports *named_imports(struct wy_exec *x, struct wy_spec *spec) {
    if (!spec->imports)
        spec->imports = look(x->im, spec);
    return spec->imports;
}

bool wy_exec_in_group(struct wy_exec *x, struct wy_spec *spec) {
    struct wy_spec *from = x->running ? x->running->module->spec : NULL;
    return from && from->imports && from->imports->group &&
           named_imports(x, spec)->group == from->imports->group;
}

void wy_exec_extension_imports(struct wy_exec *x, struct wy_spec *spec) {
    const struct wy_named_imports *named = named_imports(x, spec);
    for (size_t i = 0; i < named->n && !x->raising && !x->stop; i++)
        import_from_c(x, named->v[i], false, true);
    if (named->source_too && !x->raising)
        run_source_beside(x, spec);
}
