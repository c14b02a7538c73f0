/* What the program that will run says about its world: libc, machine, default directories. */
#include "host/private.h"

#include "base/path.h"
#include "base/vec.h"

#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

static bool same_machine(const struct wy_host *h, const struct wy_image *image) {
    const struct wy_elf *e = &image->elf;
    return e->kind == WY_ELF_OK && e->machine == h->machine && e->is64 == h->is64 &&
           e->big_endian == h->big_endian;
}

/* The image at a path, when it is one for the program's machine; else NULL. */
static const struct wy_image *image_at(struct wy_host *h, struct wy_dir *base, const char *path) {
    struct wy_place p;
    if (wy_tree_find(h->tree, base, path, 0, &p) != 0)
        return NULL;
    const struct wy_image *image = wy_host_image(h, &p);
    return same_machine(h, image) ? image : NULL;
}

static enum wy_libc libc_by_name(const char *name) {
    static const char *const glibc[] = {"ld-linux", "ld64.so.", "ld.so.", "ld-2."};
    if (wy_starts(name, "ld-musl-") || wy_starts(name, "libc.musl-"))
        return WY_LIBC_MUSL;
    for (size_t i = 0; i < sizeof glibc / sizeof *glibc; i++)
        if (wy_starts(name, glibc[i]))
            return WY_LIBC_GLIBC;
    return WY_LIBC_UNKNOWN;
}

/* By the name the program asks for, else by what the file says of itself (musl's loader is its
 * libc). */
static enum wy_libc which_libc(struct wy_host *h, const struct wy_image *ldso) {
    enum wy_libc libc = libc_by_name(wy_path_base(h->ldso));
    if (libc || !ldso)
        return libc;
    if (ldso->elf.soname && (libc = libc_by_name(ldso->elf.soname)))
        return libc;
    if (wy_image_exports(h, ldso, "__libc_start_main"))
        return WY_LIBC_MUSL;
    return wy_image_exports(h, ldso, "_rtld_global") ? WY_LIBC_GLIBC : WY_LIBC_UNKNOWN;
}

/* Highest N of the versions GLIBC_2.N a library defines; 0 when there is none. */
static unsigned highest_minor(const struct wy_elf *elf) {
    static const char prefix[] = "GLIBC_2.";
    unsigned highest = 0;
    for (size_t i = 0; i < elf->nverdef; i++) {
        const char *v = elf->verdef[i].version;
        if (!wy_starts(v, prefix))
            continue;
        struct wy_str rest;
        uint64_t minor;
        struct wy_str digits = wy_str_cut(wy_str_of(v + sizeof prefix - 1), '.', &rest);
        if (wy_str_u64(digits, 9999, &minor) && minor > highest)
            highest = (unsigned)minor;
    }
    return highest;
}

static unsigned minor_of(const char *version) {
    struct wy_str rest;
    uint64_t minor = 0;
    wy_str_cut(wy_str_of(version), '.', &rest);
    if (rest.p)
        wy_str_u64(wy_str_cut(rest, '.', &rest), 9999, &minor);
    return (unsigned)minor;
}

/* libc.so.6 beside the loader, else where that loader would find it. */
static const struct wy_image *find_libc(struct wy_host *h, const struct wy_image *ldso) {
    const struct wy_image *libc = ldso ? image_at(h, ldso->place.dir, "libc.so.6") : NULL;
    for (size_t i = 0; i < h->ndefault_dirs && !libc; i++) {
        struct wy_arena scratch = WY_ARENA_INIT;
        libc = image_at(h, NULL, wy_path_join(&scratch, h->default_dirs[i], "libc.so.6"));
        wy_arena_deinit(&scratch);
    }
    return libc;
}

/* The banner is exact; the versions defined are a lower bound that equals the release in practice;
 * up to 2.33 the loader's file was called ld-2.N.so. */
static void glibc_version(struct wy_host *h, const struct wy_image *ldso) {
    const struct wy_image *libc = find_libc(h, ldso);
    const char *version = libc ? wy_host_release(h, libc) : NULL;
    if (!version && ldso)
        version = wy_host_release(h, ldso);
    unsigned highest = libc ? highest_minor(&libc->elf) : 0;
    if (!version && highest)
        version = wy_arena_printf(&h->arena, "2.%u", highest);
    if (!version && ldso) {
        const char *name = ldso->place.entry->name;
        size_t n = strlen(name);
        if (wy_starts(name, "ld-2.") && wy_ends(name, ".so") && n > 8)
            version = wy_arena_str(&h->arena, (struct wy_str){name + 3, n - 6});
    }
    h->libc_version = version;
    h->libc_minor = version ? minor_of(version) : 0;
}

static void split_dirs(struct wy_host *h, struct wy_str text) {
    WY_VEC(const char *) dirs = {0};
    while (text.p && text.n) {
        size_t n = 0;
        while (n < text.n && text.p[n] != ':' && text.p[n] != '\n')
            n++;
        if (n)
            wy_vec_push(&dirs, wy_arena_str(&h->arena, (struct wy_str){text.p, n}));
        n += n < text.n;
        text = (struct wy_str){text.p + n, text.n - n};
    }
    wy_vec_keep(&h->arena, &dirs);
    h->default_dirs = dirs.v;
    h->ndefault_dirs = dirs.n;
}

/* musl's list: PREFIX/etc/ld-musl-ARCH.path replaces the built-in one; PREFIX is what comes before
 * the last two parts of the loader's path (ldso/dynlink.c, load_library). */
void wy_host_read_musl(struct wy_host *h, const struct wy_image *ldso) {
    enum { MAX_PATH_FILE = 65536 };
    struct wy_arena scratch = WY_ARENA_INIT;
    const char *name = wy_path_base(h->ldso);
    size_t n = strcspn(name, ".");
    const char *dir = wy_path_dir(&scratch, wy_path_dir(&scratch, h->ldso));
    const char *file = wy_arena_printf(&scratch, "%s/etc/%.*s.path", strcmp(dir, "/") ? dir : "",
                                       (int)(n < 256 ? n : 256), name);
    struct wy_str text;
    int error = wy_tree_slurp(h->tree, NULL, file, MAX_PATH_FILE, &scratch, &text);
    struct wy_dir *dir_itself;
    if (error == EINVAL && wy_tree_find_dir(h->tree, NULL, file, &dir_itself) == 0)
        error = EISDIR;
    h->path_file_error = error == ENOENT ? 0 : error;
    if (!error && text.n) /* as a C string */
        text.n = strnlen(text.p, text.n);
    if (error) /* any other error than absence leaves musl without directories */
        text = error == ENOENT ? WY_STR("/lib:/usr/local/lib:/usr/lib") : WY_STR("");
    split_dirs(h, text);
    wy_arena_deinit(&scratch);
    h->libc_version = ldso ? wy_host_musl_release(h, ldso) : NULL;
    h->libc_minor = h->libc_version ? minor_of(h->libc_version) : 0;
    h->cache_path = NULL;
    h->cache = NULL;
    h->ncache = 0;
}

static void forget(struct wy_host *h) {
    h->libc = WY_LIBC_UNKNOWN;
    h->libc_version = h->ldso = h->lib_token = h->platform_token = NULL;
    h->libc_minor = 0;
    h->path_file_error = 0;
    h->default_dirs = NULL;
    h->ndefault_dirs = 0;
}

/* The mode as execve(2) takes it (fs/exec.c, bprm_fill_uid): a set-gid bit counts only beside
 * group execution. The groups of the process are not known, so every such file counts. Root gains
 * nothing from file capabilities (security/commoncap.c). */
static bool is_secure(const struct wy_host *h, const struct wy_image *program) {
    enum { SET_UID = 04000, SET_GID = 02000, GROUP_X = 010 };
    const struct wy_node *n = &program->node;
    if ((n->mode & SET_UID) && n->uid != h->options.uid)
        return true;
    if ((n->mode & SET_GID) && (n->mode & GROUP_X))
        return true;
    struct wy_file *f;
    if (h->options.uid == 0 || wy_place_open(h->tree, &program->place, &f) != 0)
        return false;
    bool ret = wy_file_has_attribute(f, "security.capability");
    wy_file_close(f);
    return ret;
}

static uint64_t page_size(const struct wy_host *h) {
    enum { EM_PPC64 = 21, USUAL = 4096, POWER = 65536 };
    struct utsname u;
    const char *name = wy_elf_machine_uname(h->machine, h->is64, h->big_endian);
    if (!h->options.foreign && name && uname(&u) == 0 && strcmp(u.machine, name) == 0)
        return (uint64_t)sysconf(_SC_PAGESIZE);
    return h->machine == EM_PPC64 ? POWER : USUAL;
}

void wy_host_set_program(struct wy_host *h, const struct wy_image *program) {
    const struct wy_elf *elf = &program->elf;
    forget(h);
    h->machine = elf->machine;
    h->eflags = elf->eflags;
    h->page_size = page_size(h);
    h->secure = is_secure(h, program);
    h->is64 = elf->is64;
    h->big_endian = elf->big_endian;
    wy_host_set_cpu(h, h->machine);
    h->ldso = wy_arena_cstr(&h->arena, elf->interp);
    if (!h->ldso)
        return;
    const struct wy_image *ldso = image_at(h, NULL, h->ldso);
    h->libc = which_libc(h, ldso);
    if (h->libc == WY_LIBC_MUSL) {
        wy_host_read_musl(h, ldso);
    } else {
        wy_host_read_glibc(h, ldso);
        glibc_version(h, ldso);
    }
}
