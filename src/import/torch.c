/* What torch's start-up code does with the CUDA libraries (torch/__init__.py, _load_global_deps and
 * _preload_cuda_deps; read in 2.10.0 and 2.14.1, that of 2.6 to 2.9 from its public source). Which
 * variant it is, its text tells. */
#include "import/internal.h"

enum { MOST_SOURCE = 4 << 20 };

/* The preload list in its order: cublasLt before cublas, so that this one does not take another's.
 */
static const struct member {
    const char *folder, *stem;
} members[] = {
    {"cublas", "libcublasLt"},
    {"cublas", "libcublas"},
    {"cudnn", "libcudnn"},
    {"cuda_nvrtc", "libnvrtc"},
    {"cuda_nvrtc", "libnvrtc-builtins"},
    {"cuda_runtime", "libcudart"},
    {"cuda_cupti", "libcupti"},
    {"cufft", "libcufft"},
    {"curand", "libcurand"},
    {"nvjitlink", "libnvJitLink"},
    {"cusparse", "libcusparse"},
    {"cusparselt", "libcusparseLt"},
    {"cusolver", "libcusolver"},
    {"nccl", "libnccl"},
    {"nvshmem", "libnvshmem_host"},
    {"cufile", "libcufile"},
    {"nvtx", "libnvToolsExt"}, /* the only one that may be absent */
};
enum { MEMBERS = sizeof members / sizeof *members };

bool wy_torch_member(const char *soname) {
    for (size_t i = 0; i < MEMBERS; i++) {
        size_t n = strlen(members[i].stem);
        if (strncmp(soname, members[i].stem, n) == 0 && wy_starts(soname + n, ".so"))
            return true;
    }
    return false;
}

/* First entry that fits `STEM.so.*[0-9]`. torch takes the first in directory order; of several,
 * which that is cannot be said, and the first by name stands for it. */
static const char *in_folder(struct wy_exec *x, const struct wy_search_dir *base,
                             const char *folder, const char *stem) {
    struct wy_arena *a = &x->im->arena;
    struct wy_dir *d;
    size_t n, len = strlen(stem);
    if (wy_tree_find_dir(x->im->world->tree, base->dir, folder, &d) != 0)
        return NULL;
    const struct wy_entry *entries = wy_dir_entries(d, &n);
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i].name;
        char last = name[strlen(name) - 1];
        if (strncmp(name, stem, len) == 0 && wy_starts(name + len, ".so.") && last >= '0' &&
            last <= '9')
            return wy_path_join(a, wy_path_join(a, base->text, folder), name);
    }
    return NULL;
}

/* For each entry of sys.path: nvidia/FOLDER/lib, nvidia/cuMAJOR/lib, FOLDER/lib; the first entry
 * with a match. */
static const char *find(struct wy_exec *x, const struct member *m, const char *major) {
    struct wy_arena *a = &x->im->arena;
    for (size_t i = 0; i < x->im->npath; i++) {
        const struct wy_search_dir *base = &x->im->path[i];
        const char *path =
            in_folder(x, base, wy_arena_printf(a, "nvidia/%s/lib", m->folder), m->stem);
        if (!path && major)
            path = in_folder(x, base, wy_arena_printf(a, "nvidia/cu%s/lib", major), m->stem);
        if (!path)
            path = in_folder(x, base, wy_arena_printf(a, "%s/lib", m->folder), m->stem);
        if (path)
            return path;
    }
    return NULL;
}

/* CUDA major in torch/version.py: "cuda: Optional[str] = '12.8'". NULL: a build without CUDA. */
static const char *cuda_major(struct wy_exec *x, const struct wy_spec *torch) {
    struct wy_str text;
    struct wy_arena *a = &x->im->arena;
    if (wy_tree_slurp(x->im->world->tree, torch->place.dir, "version.py", MOST_SOURCE, a, &text) !=
        0)
        return NULL;
    for (struct wy_str rest = text; rest.p;) {
        struct wy_str line = wy_str_line(rest, &rest);
        size_t quote = wy_str_find(line, WY_STR("'"));
        if (!wy_str_starts(line, "cuda") || quote == SIZE_MAX)
            continue;
        struct wy_str value = {line.p + quote + 1, line.n - quote - 1}, after;
        value = wy_str_cut(value, '.', &after);
        uint64_t major;
        return after.p && wy_str_u64(value, 99, &major) ? wy_arena_str(a, value) : NULL;
    }
    return NULL;
}

static bool has_cudart(const struct wy_process *p) {
    for (size_t i = 0; i < wy_process_count(p); i++)
        if (strstr(wy_process_at(p, i)->name, "libcudart.so"))
            return true;
    return false;
}

/* Opens one member by path. What fails in here is swallowed. False: the rest is not opened. */
static bool front_load(struct wy_exec *x, const struct member *m, const char *major,
                       bool required) {
    const char *path = find(x, m, major);
    if (!path)
        return !required;
    const struct wy_open *open = wy_exec_open(x, NULL, path, WY_NOW, WY_EX_OS);
    x->events.v[x->events.n - 1].guard = WY_CAUGHT;
    return open->outcome == WY_OPEN_OK;
}

void wy_torch_front_load(struct wy_exec *x, const struct wy_spec *torch) {
    struct wy_arena scratch = WY_ARENA_INIT;
    struct wy_str text;
    bool read =
        wy_place_slurp(x->im->world->tree, &torch->place, MOST_SOURCE, &scratch, &text) == 0;
    bool strict = read && wy_str_find(text, WY_STR("    _preload_cuda_deps()\n")) != SIZE_MAX;
    bool lenient =
        read && wy_str_find(text, WY_STR("_preload_cuda_deps(required=False)")) != SIZE_MAX;
    size_t maps = read ? wy_str_find(text, WY_STR("/proc/self/maps")) : SIZE_MAX;
    struct wy_str behind = {text.p, 0};
    if (maps != SIZE_MAX)
        behind = (struct wy_str){text.p + maps, text.n - maps};
    /* 2.6 to 2.9: these two by name, from the same place of the code */
    bool nvrtc = wy_str_find(behind, WY_STR("(\"cuda_nvrtc\", \"libnvrtc.so")) != SIZE_MAX;
    bool jit = wy_str_find(behind, WY_STR("(\"nvjitlink\", \"libnvJitLink.so")) != SIZE_MAX;
    wy_arena_deinit(&scratch);
    if (!(strict || lenient || nvrtc || jit) || !has_cudart(x->process))
        return;
    const char *major = cuda_major(x, torch);
    if (!(strict || lenient)) {
        if (nvrtc)
            front_load(x, &(struct member){"cuda_nvrtc", "libnvrtc"}, major, false);
        if (jit)
            front_load(x, &(struct member){"nvjitlink", "libnvJitLink"}, major, false);
        return;
    }
    for (size_t i = 0; i < MEMBERS; i++)
        if (!front_load(x, &members[i], major, strict && i + 1 < MEMBERS))
            return;
}
