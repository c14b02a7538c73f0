/* Statements of modules in order, ending in opens. Exceptions travel as Python's do: to the handler
 * that catches their class, in this module or in one that imports it. */
#include "import/internal.h"

#include <stdarg.h>
#include <stdio.h>

/* Steps of one import, and of all imports of an answer together: of what people install,
 * torchvision takes most, 0.3 million. */
enum { MOST_DEPTH = 400, MOST_WORK = 5000000, MOST_WORK_OF_ALL = 100000000 };
static const uint32_t LEFT = UINT32_MAX;

uint8_t *wy_exec_state(struct wy_exec *x, const struct wy_spec *spec) {
    if (spec->id >= x->nstate) {
        size_t n = x->im->specs.n + 256;
        x->state = wy_realloc(x->state, n, 1);
        for (size_t i = x->nstate; i < n; i++)
            x->state[i] =
                i < x->im->specs.n && x->im->specs.v[i]->at_start ? (uint8_t)WY_LOADED : 0;
        x->nstate = n;
    }
    if (spec->at_start)
        x->state[spec->id] |= WY_LOADED;
    return &x->state[spec->id];
}

void wy_exec_doubt(struct wy_exec *x, const char *format, ...) {
    if (x->reason)
        return;
    va_list args;
    char text[2048];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const struct wy_frame *f = x->top;
    x->reason = f ? wy_arena_printf(&x->im->arena, "%s:%u: %s",
                                    wy_world_shown(x->im->world, f->spec->path), f->line, text)
                  : wy_arena_cstr(&x->im->arena, text);
}

/* ---- who catches ---- */

static unsigned kind_of(const char *type) {
    return strcmp(type, "ImportError") == 0           ? WY_EX_IMPORT
           : strcmp(type, "ModuleNotFoundError") == 0 ? WY_EX_NOT_FOUND
           : strcmp(type, "OSError") == 0             ? WY_EX_OS
                                                      : WY_EX_OTHER;
}

/* The handler of a try body that takes an exception of that kind; 0 when none. */
static uint32_t handler_for(const struct wy_source_file *s, uint32_t try_block, unsigned kind) {
    uint32_t h = s->blocks[try_block].next_handler;
    while (h && !(s->blocks[h].catches & kind))
        h = s->blocks[h].next_handler;
    return h;
}

struct wy_context wy_exec_context(struct wy_exec *x, unsigned kind) {
    struct wy_context c = {0};
    for (const struct wy_frame *f = x->top; f; f = f->up) {
        const struct wy_source_block *blocks = f->source->blocks;
        x->work++;
        for (uint32_t b = f->block; b; b = blocks[b].parent) {
            x->work++;
            c.maybe = c.maybe || (blocks[b].guard == WY_MAYBE && blocks[b].kind != WY_BLOCK_EXCEPT);
            if (blocks[b].kind == WY_BLOCK_WITH && (blocks[b].catches & kind)) {
                c.caught = true;
                return c;
            }
            uint32_t h = blocks[b].kind == WY_BLOCK_TRY ? handler_for(f->source, b, kind) : 0;
            if (!h)
                continue;
            if (blocks[h].raises != WY_RAISES_YES) {
                c.caught = true;
                c.may_raise_again = blocks[h].raises == WY_RAISES_MAYBE;
                return c;
            }
            if (blocks[h].raised)
                kind = kind_of(blocks[h].raised);
        }
    }
    return c;
}

enum wy_guard wy_context_guard(struct wy_context c) {
    return c.caught ? WY_CAUGHT : c.maybe ? WY_MAYBE : WY_MUST;
}

/* An exception leaves the current statement of `f`: true when a handler of this module takes it. */
static bool unwind(struct wy_exec *x, struct wy_frame *f) {
    const struct wy_source_block *blocks = f->source->blocks;
    struct wy_failure *e = &x->failure;
    for (uint32_t b = f->block; b; b = blocks[b].parent) {
        if (blocks[b].kind == WY_BLOCK_WITH && (blocks[b].catches & e->kind)) {
            f->left[b] = LEFT;
            return true;
        }
        if (blocks[b].kind != WY_BLOCK_TRY)
            continue;
        uint32_t h = handler_for(f->source, b, e->kind);
        f->left[b] = LEFT;
        if (h && blocks[h].raises != WY_RAISES_YES) {
            f->left[b] = h;
            if (blocks[h].raises == WY_RAISES_MAYBE && e->event != SIZE_MAX)
                wy_exec_doubt(x, "the handler in line %u may raise the failure again",
                              blocks[h].line);
            return true;
        }
        if (h && blocks[h].raised) {
            e->kind = kind_of(blocks[h].raised);
            e->type = blocks[h].raised;
            e->text_known = false;
        }
    }
    return false;
}

/* What is being imported under a condition has met a failure: when one of these modules is imported
 * again for certain, it is followed again. */
static void mark_uncertain(struct wy_exec *x, uint32_t failed) {
    bool maybe = false;
    const struct wy_frame *order[MOST_DEPTH + 8];
    size_t n = 0;
    if (failed != UINT32_MAX)
        *wy_exec_state(x, x->im->specs.v[failed]) |= WY_UNCERTAIN;
    for (struct wy_frame *f = x->top; f && n < sizeof order / sizeof *order; f = f->up)
        order[n++] = f;
    while (n--) { /* from the outermost: what lies below a condition is uncertain */
        if (maybe)
            *wy_exec_state(x, order[n]->spec) |= WY_UNCERTAIN;
        const struct wy_source_block *blocks = order[n]->source->blocks;
        for (uint32_t b = order[n]->block; b; b = blocks[b].parent)
            maybe = maybe || (blocks[b].guard == WY_MAYBE && blocks[b].kind != WY_BLOCK_EXCEPT);
    }
}

bool wy_exec_fail(struct wy_exec *x, struct wy_failure failure) {
    struct wy_context c = wy_exec_context(x, failure.kind);
    failure.event = x->events.n - 1;
    if (!c.maybe) {
        x->failure = failure;
        return false;
    }
    if (!c.caught || c.may_raise_again)
        wy_exec_doubt(x,
                      "%s, if this statement runs: it stands below a condition that was not "
                      "followed",
                      x->events.v[failure.event].message);
    mark_uncertain(x, x->steps.v[failure.event].spec);
    return true;
}

/* ---- opening ---- */

const struct wy_open *wy_exec_open(struct wy_exec *x, const struct wy_spec *spec, const char *path,
                                   unsigned mode, unsigned kind) {
    const struct wy_open *open = wy_ld_open(x->im->ld, x->process, path, mode, NULL);
    if (open->after)
        x->process = open->after;
    *wy_vec_add(&x->events) =
        (struct wy_event){.module = spec ? spec->name : NULL,
                          .path = path,
                          .library = wy_map_get(&x->im->world->library_by_path, wy_str_of(path)),
                          .open = open,
                          .message = open->message,
                          .guard = wy_context_guard(wy_exec_context(x, kind)),
                          .file = x->top ? x->top->spec->path : NULL,
                          .line = x->top ? x->top->line : 0};
    wy_vec_push(&x->steps, ((struct wy_step){spec ? spec->id : UINT32_MAX, mode}));
    return open;
}

static bool load_extension(struct wy_exec *x, struct wy_spec *spec) {
    const struct wy_open *open = wy_exec_open(x, spec, spec->path, WY_NOW, WY_EX_IMPORT);
    struct wy_failure f = {.kind = WY_EX_IMPORT,
                           .how = "exception",
                           .type = "ImportError",
                           .text_known = true,
                           .at = spec->path};
    if (open->given_up)
        wy_exec_doubt(x, "%s: loading all libraries of this environment takes too many steps",
                      wy_world_shown(x->im->world, spec->path));
    if (open->outcome == WY_OPEN_OK)
        return true;
    if (open->outcome != WY_OPEN_ERROR)
        f = (struct wy_failure){.how = open->outcome == WY_OPEN_ABORT ? "abort" : "signal",
                                .at = spec->path};
    return wy_exec_fail(x, f);
}

/* ---- names that lead nowhere ---- */

static const char *cannot_import(struct wy_exec *x, const struct wy_spec *from, const char *name) {
    bool partial = *wy_exec_state(x, from) & WY_IN_PROGRESS;
    return wy_arena_printf(
        &x->im->arena,
        partial ? "cannot import name '%s' from partially initialized module '%s' (most likely due "
                  "to a circular import) (%s)"
                : "cannot import name '%s' from '%s' (%s)",
        name, from->name, from->path ? from->path : "unknown location");
}

/* A module that is not found although a file of it is known: one whose name is for another Python
 * or machine, so that Python does not see it, or one that is recorded and gone. */
static bool fail_known(struct wy_exec *x, const struct wy_spec *spec, const char *path,
                       const char *message, unsigned kind) {
    *wy_vec_add(&x->events) =
        (struct wy_event){.module = spec->name,
                          .path = path,
                          .library = wy_map_get(&x->im->world->library_by_path, wy_str_of(path)),
                          .message = message,
                          .guard = wy_context_guard(wy_exec_context(x, kind)),
                          .file = x->top ? x->top->spec->path : NULL,
                          .line = x->top ? x->top->line : 0};
    wy_vec_push(&x->steps, ((struct wy_step){spec->id, 0}));
    return wy_exec_fail(
        x, (struct wy_failure){.kind = kind,
                               .how = "exception",
                               .type = kind == WY_EX_IMPORT ? "ImportError" : "ModuleNotFoundError",
                               .text_known = true,
                               .at = x->top ? x->top->spec->path : path});
}

/* `import NAME` that resolves to nothing. A Python exception on paper is no verdict: where nothing
 * catches it the module goes on, and the outcome is not known. */
static bool not_found(struct wy_exec *x, const struct wy_spec *spec) {
    const char *message = wy_arena_printf(&x->im->arena, "No module named '%s'", spec->name);
    if (spec->foreign || spec->lost)
        return fail_known(x, spec, spec->foreign ? spec->foreign : spec->lost, message,
                          WY_EX_NOT_FOUND);
    struct wy_context c = wy_exec_context(x, WY_EX_NOT_FOUND);
    if (c.maybe)
        return true;
    if (!c.caught) {
        wy_exec_doubt(x, "%s", message);
        return true;
    }
    x->failure = (struct wy_failure){.event = SIZE_MAX, .kind = WY_EX_NOT_FOUND};
    return false;
}

/* ---- modules ---- */

static bool run_statement(struct wy_exec *x, struct wy_frame *f, const struct wy_import_stmt *s);

/* Whether a statement in that block runs, by what is known so far. */
static bool reached(const struct wy_frame *f, uint32_t block) {
    const struct wy_source_block *blocks = f->source->blocks;
    for (uint32_t b = block; b; b = blocks[b].parent) {
        const struct wy_source_block *k = &blocks[b];
        if (k->guard == WY_NEVER)
            return false;
        if ((k->kind == WY_BLOCK_TRY || k->kind == WY_BLOCK_WITH) && f->left[b])
            return false;
        if (k->kind == WY_BLOCK_EXCEPT && f->left[k->of] != b)
            return false;
        if (k->kind == WY_BLOCK_ELSE && f->left[k->of])
            return false;
    }
    return true;
}

static bool load_source(struct wy_exec *x, struct wy_spec *spec) {
    const struct wy_source_file *source = wy_spec_source(x->im, spec);
    struct wy_frame f = {.up = x->top, .spec = spec, .source = source};
    bool ok = true;
    if (source->problem) { /* what is read of it still counts */
        x->top = &f;
        f.line = source->problem_line;
        wy_exec_doubt(x, "%s", source->problem);
        x->top = f.up;
    }
    if (!source->nimports)
        return true;
    if (x->im->depth == MOST_DEPTH) {
        wy_exec_doubt(x, "imports are nested more than %d deep", MOST_DEPTH);
        return true;
    }
    f.left = wy_alloc0(source->nblocks, sizeof *f.left);
    x->top = &f;
    x->depth++;
    x->im->depth++;
    for (size_t i = 0; i < source->nimports && ok; i++) {
        const struct wy_import_stmt *s = &source->imports[i];
        if (++x->work > MOST_WORK || x->im->work + x->work > MOST_WORK_OF_ALL) {
            wy_exec_doubt(x, "following this import takes too many steps");
            break;
        }
        if (!reached(&f, s->block))
            continue;
        f.block = s->block;
        f.line = s->line;
        ok = run_statement(x, &f, s) || unwind(x, &f);
    }
    x->depth--;
    x->im->depth--;
    x->top = f.up;
    free(f.left);
    return ok;
}

static bool load(struct wy_exec *x, struct wy_spec *spec) {
    if (!wy_exec_preload(x, spec))
        return false;
    for (size_t i = 0; i < spec->ndirs; i++)
        if (wy_dir_error(spec->dirs[i].dir))
            wy_exec_doubt(x, "%s cannot be read: %s",
                          wy_world_shown(x->im->world, spec->dirs[i].text),
                          strerror(wy_dir_error(spec->dirs[i].dir)));
    if (spec->kind == WY_SPEC_EXTENSION)
        return load_extension(x, spec);
    return spec->kind == WY_SPEC_SOURCE ? load_source(x, spec) : true;
}

bool wy_exec_ensure(struct wy_exec *x, struct wy_spec *spec) {
    uint8_t state = *wy_exec_state(x, spec) |= WY_TOUCHED;
    bool raised = false;
    if (state & WY_IN_PROGRESS)
        return true;
    if (state & WY_LOADED) {
        if (!(state & WY_UNCERTAIN) || wy_exec_context(x, WY_EX_IMPORT).maybe)
            return true;
        *wy_exec_state(x, spec) &= (uint8_t)~WY_UNCERTAIN;
    }
    if (spec->kind == WY_SPEC_MISSING)
        return not_found(x, spec);
    if (spec->kind == WY_SPEC_NAMESPACE && spec->lost && x->top &&
        !wy_exec_context(x, WY_EX_IMPORT).maybe)
        wy_exec_doubt(
            x, "%s is a folder without its recorded files: the import gives an empty package",
            spec->name);
    if (wy_exec_replay(x, spec, &raised))
        return !raised;
    *wy_exec_state(x, spec) |= WY_IN_PROGRESS;
    bool ok = load(x, spec);
    uint8_t *after = wy_exec_state(x, spec);
    *after &= (uint8_t) ~(WY_IN_PROGRESS | WY_LOADED);
    if (ok)
        *after |= WY_LOADED;
    return ok;
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

/* The module after `from`, or NULL when it leads above the top. */
static struct wy_spec *base_of(struct wy_exec *x, const struct wy_frame *f,
                               const struct wy_import_stmt *s) {
    if (s->level == 0)
        return wy_find(x->im, s->module);
    struct wy_spec *base = f->spec->ndirs ? f->spec : f->spec->parent;
    for (unsigned i = 1; i < s->level && base; i++)
        base = base->parent;
    struct wy_str rest = wy_str_of(s->module);
    while (base && rest.p && s->module[0]) {
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

static bool below_never(const struct wy_source_file *s, uint32_t block) {
    for (uint32_t b = block; b; b = s->blocks[b].parent)
        if (s->blocks[b].guard == WY_NEVER)
            return true;
    return false;
}

static const struct wy_map *bindings(struct wy_importer *im, struct wy_spec *package) {
    const struct wy_source_file *s = wy_spec_source(im, package);
    for (size_t i = 0; i < s->ndefined && !package->bound_known; i++) {
        void **slot = wy_map_at(&package->bound, wy_str_of(s->defined[i].name));
        if (!*slot && !below_never(s, s->defined[i].block))
            *slot = &s->defined[i];
    }
    package->bound_known = true;
    return &package->bound;
}

/* Whether the package itself binds the name before this moment. */
static bool bound(struct wy_exec *x, struct wy_spec *package, const char *name) {
    if (package->kind == WY_SPEC_EXTENSION)
        return true;
    const struct wy_binding *b = wy_map_get(bindings(x->im, package), wy_str_of(name));
    unsigned before = UINT32_MAX;
    for (const struct wy_frame *f = x->top; b && f; f = f->up)
        if (f->spec == package)
            before = f->line;
    return b && b->line < before;
}

/* A package whose names are not all known: a star import, a __getattr__. */
static bool open_namespace(struct wy_exec *x, struct wy_spec *package) {
    const struct wy_source_file *s = wy_spec_source(x->im, package);
    bool star = false;
    for (size_t i = 0; i < s->nimports && !star; i++)
        star = s->imports[i].star;
    return star || s->has_getattr;
}

/* `from p import x`: bound in p, else the submodule p.x (importlib's _handle_fromlist). A name that
 * is neither is not believed to be missing, unless its file is there for another Python, or
 * recorded and gone; where a star import or a namespace might bind it, that is a doubt. */
static bool import_name(struct wy_exec *x, struct wy_spec *package, const char *name) {
    if (!package->ndirs || bound(x, package, name))
        return true;
    struct wy_spec *child = wy_find_child(x->im, package, name);
    if (child->kind != WY_SPEC_MISSING)
        return wy_exec_ensure(x, child);
    const char *known = child->foreign ? child->foreign : child->lost;
    if (known && !open_namespace(x, package))
        return fail_known(x, child, known, cannot_import(x, package, name), WY_EX_IMPORT);
    struct wy_context c = wy_exec_context(x, WY_EX_IMPORT);
    if ((known || package->kind == WY_SPEC_NAMESPACE) && !c.maybe && !c.caught)
        wy_exec_doubt(x, "%s", cannot_import(x, package, name));
    return true;
}

static bool run_statement(struct wy_exec *x, struct wy_frame *f, const struct wy_import_stmt *s) {
    struct wy_spec *base = base_of(x, f, s);
    if (!base)
        return true;
    if (!wy_exec_import(x, base))
        return false;
    if (!s->from || s->star)
        return true;
    for (size_t i = 0; i < s->nnames; i++) {
        x->work += x->depth;
        if (!import_name(x, base, s->names[i]))
            return false;
    }
    return true;
}
