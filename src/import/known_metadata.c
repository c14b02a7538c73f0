/* What distributions say of themselves: importlib.metadata, packaging.version. */
#include "import/known.h"

static const struct wy_dist *dist_named(struct wy_exec *x, const char *name) {
    char *key = wy_dist_key(&x->im->arena, wy_str_of(name));
    return wy_world_dist(x->im->world, key);
}

static struct wy_value metadata_version(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "distribution_name");
    if (!name)
        return WY_UNKNOWN;
    const struct wy_dist *d = dist_named(x, name);
    if (d)
        return *d->version ? wy_value_cstr(d->version) : WY_UNKNOWN;
    wy_exec_raise_named(x, "PackageNotFoundError", name);
    return WY_UNKNOWN;
}

/* packaging.version: what can be compared, for versions of numbers only. */
static struct wy_value version_of(struct wy_exec *x, const struct wy_args *a) {
    const char *text = wy_text_argument(x, a, 0, "version");
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 4);
    struct wy_str part, rest = text ? wy_str_of(text) : (struct wy_str){0};
    uint64_t number;
    while (rest.p) {
        part = wy_str_cut(rest, '.', &rest);
        if (!wy_str_u64(part, INT32_MAX, &number))
            return WY_UNKNOWN;
        wy_list_add(x, v.list, wy_value_int((int64_t)number));
    }
    while (v.list->n && v.list->v[v.list->n - 1].number == 0) /* 2.0 is 2 */
        v.list->n--;
    return text ? v : WY_UNKNOWN;
}

/* importlib.metadata.files(name): what RECORD lists, as paths. */
static struct wy_value metadata_files(struct wy_exec *x, const struct wy_args *a) {
    enum { MOST_ROWS = 10000 };
    const char *name = wy_text_argument(x, a, 0, "distribution_name");
    const struct wy_dist *d = name ? dist_named(x, name) : NULL;
    if (name && !d)
        wy_exec_raise_named(x, "PackageNotFoundError", name);
    if (!d || d->no_record || d->record.n > MOST_ROWS)
        return WY_UNKNOWN;
    struct wy_value v = wy_make_list(x, WY_V_LIST, (uint32_t)d->record.n);
    for (size_t i = 0; i < d->record.n; i++)
        wy_list_add(x, v.list,
                    wy_path_value(wy_path_join(&x->im->arena, d->site, d->record.v[i].path)));
    x->work += d->record.n;
    return v;
}

/* A text file of the dist-info folder, by its name there; None where there is none. */
static struct wy_value read_text(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, "filename"), *problem = NULL;
    struct wy_arena *arena = &x->im->arena;
    struct wy_place place;
    if (!name || a->self.kind != WY_V_STR)
        return WY_UNKNOWN;
    const char *info = wy_arena_str(arena, wy_value_str(a->self));
    if (wy_tree_find(x->im->world->tree, NULL, wy_path_join(arena, info, name), 0, &place) != 0)
        return WY_NONE;
    struct wy_str text = wy_place_text(x->im, &place, &x->im->text, &problem);
    x->work += text.n;
    return problem ? WY_UNKNOWN : wy_value_text((struct wy_str){wy_arena_str(arena, text), text.n});
}

/* importlib.metadata.distribution(name): its folder, its version and its texts. */
static struct wy_value metadata_of(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value version = metadata_version(x, a);
    if (x->raising || version.kind != WY_V_STR)
        return WY_UNKNOWN;
    const char *info = dist_named(x, wy_text_argument(x, a, 0, "distribution_name"))->info;
    struct wy_value v = wy_open_instance(x, "Distribution");
    struct wy_intern *names = &x->im->names;
    struct wy_table *t = v.instance->names;
    wy_bind(x, t, wy_intern(names, WY_STR("version")), version);
    wy_bind(x, t, wy_intern(names, WY_STR("_path")),
            wy_path_value(wy_arena_cstr(&x->im->arena, info)));
    wy_bind(x, t, wy_intern(names, WY_STR("read_text")),
            wy_made_by(x, wy_value_cstr(info), "importlib.metadata.distribution", "read_text"));
    wy_bind(x, t, wy_intern(names, WY_STR("files")), metadata_files(x, a));
    return v;
}

static struct wy_value metadata_as_mapping(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = metadata_version(x, a);
    return x->raising || v.kind != WY_V_STR ? WY_UNKNOWN : wy_open_instance(x, "Message");
}

static struct wy_value not_found_class(struct wy_exec *x) {
    return (struct wy_value){.kind = WY_V_CLASS,
                             .class_ = wy_exception_class(x->im, "PackageNotFoundError")};
}

static const struct wy_known rows[] = {
    {.name = "importlib.metadata.version", .call = metadata_version},
    {.name = "importlib.metadata.distribution", .call = metadata_of},
    {.name = "importlib.metadata.distribution.read_text", .call = read_text},
    {.name = "importlib.metadata.files", .call = metadata_files},
    {.name = "importlib.metadata.metadata", .call = metadata_as_mapping},
    {.name = "importlib.metadata.PackageNotFoundError", .make = not_found_class},
    {.name = "packaging.version.Version", .call = version_of},
    {.name = "packaging.version.parse", .call = version_of},
};
WY_KNOWN_TABLE(wy_known_metadata, rows);
