/* What is compiled into a loader, read from its own strings. */
#include "host/private.h"

#include "base/vec.h"

/* One NUL-terminated text of a segment. */
struct texts {
    struct wy_str rest;
};

static bool next_text(struct texts *t, struct wy_str *ret) {
    const char *end = t->rest.n ? memchr(t->rest.p, '\0', t->rest.n) : NULL;
    if (!end)
        return false;
    *ret = (struct wy_str){t->rest.p, (size_t)(end - t->rest.p)};
    t->rest.p += ret->n + 1;
    t->rest.n -= ret->n + 1;
    return true;
}

static bool is_path_text(struct wy_str s) {
    enum { LONGEST = 4096 };
    if (s.n == 0 || s.n > LONGEST || s.p[0] != '/')
        return false;
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 127)
            return false;
    return true;
}

typedef WY_VEC(struct wy_str) str_vec;

struct found {
    struct wy_host *h;
    str_vec dirs, run; /* the longest run so far, the present one: borrowed from a segment */
    const char *cache; /* a copy */
    bool knows_platforms;
};

/* system_dirs of elf/dl-load.c: texts that start and end with '/', one directly after the other.
 * The list appears a second time in part, so the longest run is the list. */
static void end_run(struct found *f) {
    if (f->run.n > f->dirs.n) {
        str_vec old = f->dirs;
        f->dirs = f->run;
        f->run = old;
    }
    f->run.n = 0;
}

/* $LIB is the configured library directory without its prefix: "lib/x86_64-linux-gnu" where a text
 * of the loader says so (Debian), else its last part (upstream). */
static const char *lib_token(struct wy_str bytes, const char *dir) {
    while (*dir == '/')
        dir++;
    struct texts t = {bytes};
    struct wy_str s;
    while (next_text(&t, &s))
        if (wy_str_is(s, dir))
            return dir;
    const char *slash = strrchr(dir, '/');
    return slash ? slash + 1 : dir;
}

static bool take_texts(void *ctx, struct wy_str bytes) {
    struct found *f = ctx;
    struct texts t = {bytes};
    struct wy_str s;
    struct wy_arena *a = &f->h->arena;
    f->dirs.n = f->run.n = 0;
    while (next_text(&t, &s)) {
        if (s.n > 2 && s.p[s.n - 1] == '/' && is_path_text(s))
            wy_vec_push(&f->run, s);
        else
            end_run(f);
        if (!f->cache && wy_str_ends(s, "/ld.so.cache") && is_path_text(s))
            f->cache = wy_arena_str(a, s);
        f->knows_platforms |= wy_str_is(s, "haswell");
    }
    end_run(f);
    if (!f->dirs.n || !f->cache)
        return false;
    struct wy_host *h = f->h;
    h->default_dirs = wy_arena_alloc(a, f->dirs.n * sizeof *h->default_dirs);
    h->ndefault_dirs = f->dirs.n;
    for (size_t i = 0; i < f->dirs.n; i++)
        h->default_dirs[i] = wy_arena_str(a, (struct wy_str){f->dirs.v[i].p, f->dirs.v[i].n - 1});
    h->lib_token = lib_token(bytes, h->default_dirs[0]);
    return true;
}

static void set_dirs(struct wy_host *h, const char *first, const char *second, const char *third,
                     const char *fourth) {
    const char *const dirs[] = {first, second, third, fourth};
    h->default_dirs = wy_arena_alloc(&h->arena, sizeof dirs);
    h->ndefault_dirs = 0;
    for (size_t i = 0; i < 4; i++)
        if (dirs[i])
            h->default_dirs[h->ndefault_dirs++] = dirs[i];
}

/* ID and ID_LIKE of os-release(5) hold that word. */
static bool os_is(struct wy_host *h, const char *word) {
    enum { MAX_OS_RELEASE = 65536 };
    struct wy_arena scratch = WY_ARENA_INIT;
    struct wy_str rest, text;
    bool yes = false;
    if (wy_tree_slurp(h->tree, NULL, "/etc/os-release", MAX_OS_RELEASE, &scratch, &rest) != 0)
        wy_tree_slurp(h->tree, NULL, "/usr/lib/os-release", MAX_OS_RELEASE, &scratch, &rest);
    while (rest.p && !yes) {
        struct wy_str line = wy_str_trim(wy_str_line(rest, &rest));
        struct wy_str key = wy_str_cut(line, '=', &text);
        if (!wy_str_is(key, "ID") && !wy_str_is(key, "ID_LIKE"))
            continue;
        if (text.n >= 2 && (text.p[0] == '"' || text.p[0] == '\''))
            text = (struct wy_str){text.p + 1, text.n - 2};
        while (text.p && !yes)
            yes = wy_str_is(wy_str_cut(text, ' ', &text), word);
    }
    wy_arena_deinit(&scratch);
    return yes;
}

/* Debian's multiarch name of a machine (/usr/share/dpkg/tupletable and cputable). */
static const char *triplet(const struct wy_host *h) {
    const char *cpu = wy_elf_machine_uname(h->machine, h->is64, h->big_endian);
    if (h->machine == WY_EM_386)
        return "i386-linux-gnu";
    if (h->machine == WY_EM_X86_64)
        return h->is64 ? "x86_64-linux-gnu" : "x86_64-linux-gnux32";
    if (!cpu)
        return NULL;
    static const struct {
        const char *cpu, *triplet;
    } table[] = {
        {"aarch64", "aarch64-linux-gnu"},      {"armv7l", "arm-linux-gnueabihf"},
        {"ppc64le", "powerpc64le-linux-gnu"},  {"s390x", "s390x-linux-gnu"},
        {"riscv64", "riscv64-linux-gnu"},      {"loongarch64", "loongarch64-linux-gnu"},
        {"mips64", "mips64el-linux-gnuabi64"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].cpu, cpu) == 0)
            return table[i].triplet;
    return NULL;
}

/* Loaders as distributions build them, for trees whose own loader cannot be read. */
static void guess_dirs(struct wy_host *h) {
    enum { EM_RISCV = 243 };
    struct wy_arena *a = &h->arena;
    const char *t = triplet(h);
    if (t && os_is(h, "debian")) {
        set_dirs(h, wy_arena_printf(a, "/lib/%s", t), wy_arena_printf(a, "/usr/lib/%s", t), "/lib",
                 "/usr/lib");
        h->lib_token = wy_arena_printf(a, "lib/%s", t);
    } else if (os_is(h, "arch")) {
        set_dirs(h, "/usr/lib", NULL, NULL, NULL);
        h->lib_token = "lib";
    } else if (h->machine == EM_RISCV && h->is64) {
        set_dirs(h, "/lib64/lp64d", "/usr/lib64/lp64d", NULL, NULL);
        h->lib_token = "lib64/lp64d";
    } else {
        set_dirs(h, h->is64 ? "/lib64" : "/lib", h->is64 ? "/usr/lib64" : "/usr/lib", NULL, NULL);
        h->lib_token = h->is64 ? "lib64" : "lib";
    }
}

void wy_host_read_glibc(struct wy_host *h, const struct wy_image *ldso) {
    struct found f = {.h = h};
    if (!ldso || !wy_image_constants(h, ldso, take_texts, &f))
        guess_dirs(h);
    /* AT_PLATFORM is the kernel's word; glibc up to 2.36 puts its own there for Intel's models. */
    h->platform_token = wy_elf_machine_uname(h->machine, h->is64, h->big_endian);
    if (h->machine == WY_EM_X86_64)
        h->platform_token = "x86_64";
    if (f.knows_platforms && h->cpu_platform && h->machine == WY_EM_X86_64)
        h->platform_token = h->cpu_platform;
    wy_host_load_cache(h, f.cache ? f.cache : "/etc/ld.so.cache");
    wy_vec_free(&f.dirs);
    wy_vec_free(&f.run);
}

struct release {
    struct wy_arena *a;
    const char *text;
};

static struct wy_str version_at(struct wy_str s) {
    size_t n = 0;
    while (n < s.n && n < 32 && ((s.p[n] >= '0' && s.p[n] <= '9') || s.p[n] == '.'))
        n++;
    while (n && s.p[n - 1] == '.')
        n--;
    return (struct wy_str){s.p, n};
}

static bool take_release(void *ctx, struct wy_str bytes) {
    struct release *r = ctx;
    static const char marker[] = "release version ";
    for (;;) {
        size_t at = wy_str_find(bytes, WY_STR(marker));
        if (at == SIZE_MAX)
            return false;
        at += sizeof marker - 1;
        bytes = (struct wy_str){bytes.p + at, bytes.n - at};
        struct wy_str version = version_at(bytes);
        if (version.n > 2 && wy_str_starts(version, "2.")) {
            r->text = wy_arena_str(r->a, version);
            return true;
        }
    }
}

const char *wy_host_release(struct wy_host *h, const struct wy_image *image) {
    struct release r = {&h->arena, NULL};
    wy_image_constants(h, image, take_release, &r);
    return r.text;
}

/* __libc_version of musl: a text of its own, "1.2.3" (ldso/dynlink.c prints it, src/internal/
 * version.c holds it). */
static bool take_musl_release(void *ctx, struct wy_str bytes) {
    struct release *r = ctx;
    struct texts t = {bytes};
    struct wy_str s;
    while (next_text(&t, &s)) {
        struct wy_str version = version_at(s);
        size_t dots = 0;
        for (size_t i = 0; i < version.n; i++)
            dots += version.p[i] == '.';
        bool whole = version.n == s.n || s.p[version.n] == '-'; /* "1.2.5-git-7-…" */
        if (dots == 2 && whole && (wy_str_starts(s, "1.") || wy_str_starts(s, "0."))) {
            r->text = wy_arena_str(r->a, version);
            return true;
        }
    }
    return false;
}

const char *wy_host_musl_release(struct wy_host *h, const struct wy_image *image) {
    struct release r = {&h->arena, NULL};
    wy_image_constants(h, image, take_musl_release, &r);
    return r.text;
}
