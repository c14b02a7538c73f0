/* What a command is asked about: CONTRACT section 1, "Arguments". */
#include "api/session.h"

#include "base/path.h"

const char *wy_subject_path(struct whyso_answer *a, const struct whyso_options *o, const char *text,
                            struct wy_place *place, bool *exists) {
    const char *cwd = o->cwd ? o->cwd : "/";
    const char *given = wy_path_clean(&a->arena, wy_path_join(&a->arena, cwd, text));
    *place = (struct wy_place){0};
    *exists = wy_tree_find(a->tree, NULL, given, WY_FIND_NOFOLLOW, place) == 0;
    if (*exists || !a->world || wy_world_claimed(a->world, given))
        return given;
    /* As whyso prints it: relative to the prefix. The caller may have put its cwd in front. */
    const char *rel = wy_path_below(given, cwd);
    const char *own = wy_path_clean(
        &a->arena, wy_path_join(&a->arena, a->world->env.prefix, rel && *rel ? rel : text));
    struct wy_place other;
    bool there = wy_tree_find(a->tree, NULL, own, WY_FIND_NOFOLLOW, &other) == 0;
    if (!there && !wy_world_claimed(a->world, own))
        return given;
    *place = there ? other : (struct wy_place){0};
    *exists = there;
    return own;
}

static struct wy_error *read_file(struct whyso_answer *a, const struct whyso_options *o,
                                  const char *text, struct wy_subject *ret) {
    bool exists;
    ret->kind = WY_SUBJECT_FILE;
    ret->name = wy_subject_path(a, o, text, &ret->place, &exists);
    ret->library = wy_map_get(&a->world->library_by_path, wy_str_of(ret->name));
    if (!exists && !wy_world_claimed(a->world, ret->name))
        return wy_errorf("%s: no such file, and no package of %s lists it", ret->name,
                         a->world->env.prefix);
    return NULL;
}

static struct wy_error *read_package(struct whyso_answer *a, const char *text,
                                     struct wy_subject *ret) {
    ret->kind = WY_SUBJECT_PACKAGE;
    ret->name = text;
    ret->dist = wy_world_dist(a->world, wy_dist_key(&a->arena, wy_str_of(text)));
    if (!ret->dist)
        return wy_errorf("%s: neither a module nor a package of %s", text, a->world->env.prefix);
    return NULL;
}

static bool importable(struct whyso_answer *a, const char *name) {
    size_t n = strcspn(name, "."), count;
    const struct wy_listed_module *listed = wy_importer_modules(a->importer, &count);
    for (size_t i = 0; i < count; i++)
        if (strncmp(listed[i].name, name, n) == 0 && listed[i].name[n] == '\0')
            return true;
    return wy_importer_finds(a->importer, name);
}

static bool is_empty(const char *text) {
    static const char *const forms[] = {"", "module:", "pkg:", "lib:", "file:"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(text, forms[i]) == 0)
            return true;
    return false;
}

struct wy_error *wy_subject_read(struct whyso_answer *a, const struct whyso_options *o,
                                 const char *text, struct wy_subject *ret) {
    *ret = (struct wy_subject){.name = text};
    if (is_empty(text))
        return wy_errorf("'%s' names nothing: expected a module, package, library or file", text);
    if (wy_starts(text, "file:"))
        return read_file(a, o, text + 5, ret);
    if (wy_starts(text, "pkg:"))
        return read_package(a, text + 4, ret);
    if (wy_starts(text, "lib:")) {
        ret->kind = WY_SUBJECT_LIBRARY;
        ret->name = text + 4;
        return NULL;
    }
    if (wy_starts(text, "module:")) {
        ret->kind = WY_SUBJECT_MODULE;
        ret->name = text + 7;
        return NULL;
    }
    if (strchr(text, '/'))
        return read_file(a, o, text, ret);
    if (wy_path_is_so(text)) {
        ret->kind = WY_SUBJECT_LIBRARY;
        return NULL;
    }
    if (importable(a, text)) {
        ret->kind = WY_SUBJECT_MODULE;
        return NULL;
    }
    return read_package(a, text, ret);
}
