/* Module objects: what each has before its body runs. */
#include "import/internal.h"

void wy_module_describe(struct wy_importer *im, struct wy_module *m) {
    const struct wy_spec *s = m->spec, *package = s->ndirs ? s : s->parent;
    struct wy_table *t = m->scope.names;
    wy_table_make(&im->arena, t, im->n.name)->value = wy_value_cstr(s->name);
    wy_table_make(&im->arena, t, im->n.package)->value =
        wy_value_cstr(package ? package->name : "");
    if (s->path)
        wy_table_make(&im->arena, t, im->n.file)->value = wy_value_cstr(s->path);
    else if (s->kind == WY_SPEC_NAMESPACE) /* importlib's _init_module_attrs, from 3.7 */
        wy_table_make(&im->arena, t, im->n.file)->value = (struct wy_value){.kind = WY_V_NONE};
    if (!s->ndirs)
        return;
    struct wy_list *dirs = WY_NEW(&im->arena, struct wy_list);
    dirs->v = wy_arena_alloc(&im->arena, s->ndirs * sizeof *dirs->v);
    dirs->owner = t->owner;
    for (size_t i = 0; i < s->ndirs; i++)
        dirs->v[dirs->n++] = wy_value_cstr(s->dirs[i].text);
    dirs->cap = dirs->n;
    wy_table_make(&im->arena, t, im->n.path)->value =
        (struct wy_value){.kind = WY_V_LIST, .list = dirs};
}

/* A namespace has no names but its submodules. One in which there are none, only stubs of them, is
 * made by compiled code. */
static bool holds_modules(const struct wy_spec *spec) {
    for (size_t i = 0; spec->kind == WY_SPEC_NAMESPACE && i < spec->ndirs; i++) {
        size_t n = 0;
        const struct wy_entry *e = spec->dirs[i].dir ? wy_dir_entries(spec->dirs[i].dir, &n) : NULL;
        for (size_t k = 0; k < n; k++)
            if (wy_ends(e[k].name, ".py") || wy_ends(e[k].name, ".so"))
                return true;
    }
    return spec->gone;
}

struct wy_module *wy_spec_module(struct wy_importer *im, struct wy_spec *spec) {
    if (spec->module)
        return spec->module;
    struct wy_module *m = WY_NEW(&im->arena, struct wy_module);
    spec->module = m;
    m->spec = spec;
    m->replaced = WY_UNBOUND;
    m->known = spec->gone ? NULL : wy_known_below(im, spec->name);
    m->quiet = wy_know_quiet(im->world->know, spec->name);
    m->scope = (struct wy_scope){
        .names = WY_NEW(&im->arena, struct wy_table), .module = m, .kind = WY_SCOPE_MODULE};
    m->scope.names->owner = spec->id + 1;
    m->scope.names->open = (spec->kind != WY_SPEC_SOURCE && !holds_modules(spec)) || spec->at_start;
    wy_module_describe(im, m);
    return m;
}

struct wy_value wy_module_value(struct wy_exec *x, struct wy_spec *spec) {
    if (spec->kind == WY_SPEC_MISSING && !(*wy_exec_state(x, spec) & WY_LOADED))
        return WY_UNKNOWN;
    struct wy_module *m = wy_spec_module(x->im, spec);
    if (m->replaced.kind != WY_V_UNBOUND)
        return m->replaced;
    return (struct wy_value){.kind = WY_V_MODULE, .module = m};
}
