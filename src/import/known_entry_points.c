/* importlib.metadata.entry_points: what distributions announce in their entry_points.txt. */
#include "import/known.h"

enum { MOST_TEXT = 1 << 20, MOST_ENTRIES = 10000 };

struct wy_entry_point {
    struct wy_str group, name, value;
};

/* Lines "[group]" and "name = value" (packaging.python.org, entry points specification). */
static void add_from(struct wy_importer *im, struct wy_str text) {
    struct wy_str group = {0};
    while (text.p && im->entry_points.n < MOST_ENTRIES) {
        struct wy_str line = wy_str_trim(wy_str_line(text, &text)), value;
        if (line.n > 2 && line.p[0] == '[' && line.p[line.n - 1] == ']')
            group = wy_str_trim((struct wy_str){line.p + 1, line.n - 2});
        else if (line.n && line.p[0] != '#' && line.p[0] != ';') {
            struct wy_str name = wy_str_cut(line, '=', &value);
            struct wy_entry_point e = {group, wy_str_trim(name), wy_str_trim(value)};
            if (value.p && group.n)
                wy_vec_push(&im->entry_points, e);
        }
    }
}

/* Read once, when something asks. */
static void read_all(struct wy_importer *im) {
    const struct wy_dists *d = &im->world->dists;
    if (im->entry_points_read)
        return;
    im->entry_points_read = true;
    for (size_t i = 0; i < d->n; i++) {
        struct wy_str text;
        const char *path = wy_path_join(&im->arena, d->v[i].info, "entry_points.txt");
        if (wy_tree_slurp(im->world->tree, NULL, path, MOST_TEXT, &im->arena, &text) == 0)
            add_from(im, text);
    }
}

static struct wy_value entry_of(struct wy_exec *x, const struct wy_entry_point *e) {
    struct wy_value v = wy_open_instance(x, "EntryPoint"), value = wy_value_text(e->value);
    struct wy_table *names = v.instance->names;
    struct wy_str attribute, module = wy_str_cut(e->value, ':', &attribute);
    wy_bind(x, names, wy_intern(&x->im->names, WY_STR("name")), wy_value_text(e->name));
    wy_bind(x, names, wy_intern(&x->im->names, WY_STR("value")), value);
    wy_bind(x, names, wy_intern(&x->im->names, WY_STR("group")), wy_value_text(e->group));
    wy_bind(x, names, wy_intern(&x->im->names, WY_STR("module")),
            wy_value_text(wy_str_trim(module)));
    wy_bind(x, names, wy_intern(&x->im->names, WY_STR("load")),
            wy_made_by(x, value, "importlib.metadata", "EntryPoint"));
    return v;
}

/* entry_points(group="…"), and .select(…) or .get(…) of what entry_points() gives. */
static struct wy_value chosen(struct wy_exec *x, const struct wy_args *a, struct wy_value group) {
    struct wy_value name = wy_given(x, a, UINT32_MAX, "name");
    if (!wy_is_text(group) || (name.kind != WY_V_UNBOUND && !wy_is_text(name)))
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 0);
    for (size_t i = 0; i < x->im->entry_points.n; i++) {
        const struct wy_entry_point *e = &x->im->entry_points.v[i];
        if (wy_str_eq(e->group, wy_value_str(group)) &&
            (name.kind == WY_V_UNBOUND || wy_str_eq(e->name, wy_value_str(name))))
            wy_list_add(x, v.list, entry_of(x, e));
    }
    return v;
}

static struct wy_value entry_points(struct wy_exec *x, const struct wy_args *a) {
    read_all(x->im);
    return a->nnamed || a->open ? chosen(x, a, wy_given(x, a, UINT32_MAX, "group"))
                                : wy_made_by(x, WY_NONE, "importlib.metadata", "entry_points");
}

static struct wy_value select_some(struct wy_exec *x, const struct wy_args *a) {
    return chosen(x, a, wy_given(x, a, UINT32_MAX, "group"));
}

static struct wy_value get_group(struct wy_exec *x, const struct wy_args *a) {
    return chosen(x, a, wy_given(x, a, 0, NULL));
}

static struct wy_value load_entry(struct wy_exec *x, const struct wy_args *a) {
    struct wy_str attribute, module = wy_str_cut(wy_value_str(a->self), ':', &attribute);
    module = wy_str_trim(wy_str_cut(module, '[', &(struct wy_str){0}));
    if (!attribute.p)
        return wy_import_named(x, module);
    struct wy_value v = wy_import_named(x, module);
    attribute = wy_str_trim(wy_str_cut(attribute, '[', &(struct wy_str){0}));
    while (attribute.p && !x->raising)
        v = wy_attribute(x, v, wy_intern(&x->im->names, wy_str_cut(attribute, '.', &attribute)));
    return x->raising ? WY_UNKNOWN : v;
}

static const struct wy_known rows[] = {
    {.name = "importlib.metadata.entry_points", .call = entry_points},
    {.name = "importlib.metadata.entry_points.select", .call = select_some},
    {.name = "importlib.metadata.entry_points.get", .call = get_group},
    {.name = "importlib.metadata.EntryPoint", .call = load_entry},
};
WY_KNOWN_TABLE(wy_known_entry_points, rows);
