/* One simulated loader: made for a host whose program is known. */
#include "ld/musl.h"

enum { EM_386 = 3, EM_PPC64 = 21, EM_S390 = 22 };

/* The vdso answers to its name, which the kernel chose (arch/<machine>/kernel/vdso). */
static const char *vdso_name(const struct wy_host *h) {
    if (h->libc == WY_LIBC_MUSL) /* its own word (ldso/dynlink.c, __dls3) */
        return "linux-gate.so.1";
    switch (h->machine) {
    case EM_386:
        return "linux-gate.so.1";
    case EM_PPC64:
    case EM_S390:
        return "linux-vdso64.so.1";
    default:
        return "linux-vdso.so.1";
    }
}

/* The built-in directories as one list; without tokens, so one text serves. */
static const struct ld_list *default_list(struct wy_ld *ld) {
    bool musl = ld->ops == &wy_ld_musl;
    wy_auto_buf b = {0};
    for (size_t i = 0; i < ld->host->ndefault_dirs; i++)
        wy_buf_printf(&b, "%s%s", i ? ":" : "", ld->host->default_dirs[i]);
    const char *text = wy_arena_cstr(&ld->arena, wy_buf_text(&b));
    return musl ? ld_musl_list(ld, text) : ld_list_of(ld, text, ":", NULL);
}

struct wy_ld *wy_ld_create(struct wy_host *host) {
    struct wy_ld *ld = wy_alloc0(1, sizeof *ld);
    ld->host = host;
    ld->ops = host->libc == WY_LIBC_MUSL ? &wy_ld_musl : &wy_ld_glibc;
    ld->depth = WY_LD_VERSIONS;
    ld->ndirs = LD_CACHE_BIT + 1;
    const char *cwd = host->options.cwd;
    if (!cwd || wy_tree_find_dir(host->tree, NULL, cwd, &ld->cwd) != 0)
        ld->cwd = NULL;
    if (ld->ops == &wy_ld_glibc)
        ld_hwcaps_init(ld);
    ld->defaults = default_list(ld);
    ld->vdso_name = ld_name_of(ld, vdso_name(host));
    ld->vdso = (struct wy_object){.name = ld->vdso_name->s, .requested = ld->vdso_name->s};
    return ld;
}

void wy_ld_destroy(struct wy_ld *ld) {
    if (!ld)
        return;
    wy_map_deinit(&ld->names);
    wy_map_deinit(&ld->images);
    wy_map_deinit(&ld->dirs);
    wy_map_deinit(&ld->lists);
    wy_map_deinit(&ld->walks);
    wy_map_deinit(&ld->opens);
    wy_arena_deinit(&ld->arena);
    free(ld);
}

void wy_ld_set_depth(struct wy_ld *ld, enum wy_ld_depth depth) {
    ld->depth = depth;
}

void wy_ld_set_explicit(struct wy_ld *ld, bool is) {
    ld->is_explicit = is;
}

struct wy_host *wy_ld_host(struct wy_ld *ld) {
    return ld->host;
}
