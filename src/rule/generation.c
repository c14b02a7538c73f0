/* Which CUDA a file was built for, told by witnesses: libraries whose soname has CUDA's own major
 * (data/families.tsv, "witness"). */
#include "rule/families.h"

#include <stdlib.h>

unsigned wy_cuda_of_soname(const struct wy_case *c, const char *soname) {
    const struct wy_know *k = c->world->know;
    const char *so = soname ? strstr(soname, ".so.") : NULL;
    for (size_t i = 0; so && i < k->nfamilies; i++)
        if (strcmp(k->families[i].kind, "witness") == 0 && wy_glob(k->families[i].member, soname))
            return (unsigned)strtoul(so + 4, NULL, 10);
    return 0;
}

/* The first witness that it needs; NULL: none, or they disagree. */
static const char *needed_witness(const struct wy_case *c, const struct wy_elf *elf) {
    const char *first = NULL;
    for (size_t i = 0; i < elf->nneeded; i++) {
        unsigned major = wy_cuda_of_soname(c, elf->needed[i]);
        if (major && first && wy_cuda_of_soname(c, first) != major)
            return NULL;
        first = major && !first ? elf->needed[i] : first;
    }
    return first;
}

unsigned wy_cuda_of_image(const struct wy_case *c, const struct wy_image *image) {
    unsigned own = image ? wy_cuda_of_soname(c, image->elf.soname) : 0;
    return own || !image ? own : wy_cuda_of_soname(c, needed_witness(c, &image->elf));
}

unsigned wy_cuda_of_dist(const struct wy_case *c, const struct wy_dist *d) {
    const struct wy_know *k = c->world->know;
    for (size_t i = 0; d && i < k->nproviders; i++)
        if (strcmp(k->providers[i].package, d->key) == 0 &&
            wy_starts(k->providers[i].generation, "cu"))
            return (unsigned)strtoul(k->providers[i].generation + 2, NULL, 10);
    return 0;
}

unsigned wy_cuda_of_object(const struct wy_case *c, const struct wy_object *o) {
    unsigned own = wy_cuda_of_image(c, o->image);
    return own || !o->image ? own : wy_cuda_of_dist(c, wy_kin_dist(c, o));
}

struct wy_cuda_users wy_cuda_users(struct wy_case *c, unsigned major, size_t most) {
    struct wy_cuda_users ret = {0};
    for (size_t i = 0; i < c->world->nlibraries && ret.names.n < most; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        const char *by = lib->dist ? needed_witness(c, &lib->image->elf) : NULL;
        if (!by || wy_cuda_of_soname(c, by) != major || wy_cuda_of_dist(c, lib->dist))
            continue;
        size_t known = ret.names.n;
        wy_strings_add_new(c->arena, &ret.names, lib->dist->name);
        if (ret.names.n > known)
            wy_strings_add(c->arena, &ret.because,
                           wy_arena_printf(c->arena, "%s %s is built for CUDA %u: %s needs %s",
                                           lib->dist->name, lib->dist->version, major,
                                           wy_path_base(lib->path), by));
    }
    return ret;
}

const char *wy_and(struct wy_arena *a, const struct whyso_strings *list) {
    const char *text = "";
    for (size_t i = 0; i < list->n; i++)
        text = wy_arena_printf(a, "%s%s%s", text,
                               i == 0             ? ""
                               : i + 1 == list->n ? " and "
                                                  : ", ",
                               list->v[i]);
    return text;
}
