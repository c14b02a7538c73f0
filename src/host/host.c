/* Making a host, and what of it needs no program. */
#include "host/private.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/utsname.h>

enum { MAX_CACHE = 64 * 1024 * 1024 };

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct wy_variable *)a)->name, ((const struct wy_variable *)b)->name);
}

static void copy_options(struct wy_host *h, const struct wy_host_options *o) {
    struct wy_host_options *mine = &h->options;
    struct wy_arena *a = &h->arena;
    *mine = *o;
    mine->cwd = wy_arena_cstr(a, o->cwd ? o->cwd : "/");
    mine->cpu = wy_arena_cstr(a, o->cpu);
    mine->driver = wy_arena_cstr(a, o->driver);
    mine->kernel = wy_arena_cstr(a, o->kernel);
    struct wy_variable *v = wy_arena_alloc(a, o->nvariables * sizeof *v);
    for (size_t i = 0; i < o->nvariables; i++)
        v[i] = (struct wy_variable){wy_arena_cstr(a, o->variables[i].name),
                                    wy_arena_cstr(a, o->variables[i].value)};
    if (o->nvariables)
        qsort(v, o->nvariables, sizeof *v, by_name);
    mine->variables = v;
}

/* "6.1.18-…" → 0x060112, the form of osversion in ld.so.cache and of NT_GNU_ABI_TAG; numbers past
 * 255 are cut to that, as LINUX_VERSION_CODE does. 0 when it is not a version. */
static uint32_t version_code(const char *s) {
    unsigned part[3] = {0};
    if (sscanf(s, "%3u.%5u.%5u", &part[0], &part[1], &part[2]) < 2)
        return 0;
    uint32_t code = 0;
    for (unsigned i = 0; i < 3; i++)
        code = code << 8 | (part[i] < 255 ? part[i] : 255);
    return code;
}

static void set_kernel(struct wy_host *h) {
    struct utsname u;
    if (h->options.kernel)
        h->kernel = version_code(h->options.kernel);
    else if (!h->options.foreign && uname(&u) == 0)
        h->kernel = version_code(u.release);
}

struct wy_error *wy_host_create(struct wy_tree *tree, const struct wy_host_options *options,
                                struct wy_host **ret) {
    *ret = NULL;
    if (options->cwd && options->cwd[0] != '/')
        return wy_errorf("working directory '%s': expected an absolute path", options->cwd);
    struct wy_host *h = wy_alloc0(1, sizeof *h);
    h->tree = tree;
    pthread_mutex_t *lock = wy_alloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    h->lock = lock;
    wy_images_create(h);
    wy_symbols_create(h);
    copy_options(h, options);
    wy_host_set_cpu(h, 0);
    set_kernel(h);
    struct wy_error *error = wy_host_find_driver(h);
    if (error) {
        wy_host_destroy(h);
        return error;
    }
    *ret = h;
    return NULL;
}

void wy_host_destroy(struct wy_host *h) {
    if (!h)
        return;
    wy_symbols_destroy(h);
    wy_images_destroy(h);
    wy_intern_deinit(&h->intern);
    pthread_mutex_destroy(h->lock);
    free(h->lock);
    wy_arena_deinit(&h->arena);
    free(h);
}

/* Of sysdeps/generic/unsecvars.h, those that are asked for here. LD_PRELOAD is not: a part of it
 * stays. */
static bool is_unsecure(const char *name) {
    static const char *const names[] = {"GLIBC_TUNABLES", "LD_DYNAMIC_WEAK", "LD_LIBRARY_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

const char *wy_host_getenv(const struct wy_host *h, const char *name) {
    if (!h->options.nvariables || (h->secure && is_unsecure(name)))
        return NULL;
    struct wy_variable key = {name, NULL};
    const struct wy_variable *v = bsearch(&key, h->options.variables, h->options.nvariables,
                                          sizeof *h->options.variables, by_name);
    return v ? v->value : NULL;
}

const char *wy_host_intern(struct wy_host *h, const char *s) {
    if (!s)
        return NULL;
    pthread_mutex_lock(h->lock);
    const char *ret = wy_intern(&h->intern, wy_str_of(s));
    pthread_mutex_unlock(h->lock);
    return ret;
}

void wy_host_load_cache(struct wy_host *h, const char *path) {
    if (h->cache_path && strcmp(h->cache_path, path) == 0)
        return;
    struct wy_str bytes;
    h->cache_path = h->cache_problem = NULL;
    h->cache = NULL;
    h->ncache = 0;
    if (wy_tree_slurp(h->tree, NULL, path, MAX_CACHE, &h->arena, &bytes) != 0)
        return;
    h->cache_path = wy_arena_cstr(&h->arena, path);
    wy_ldcache_parse(bytes, &h->arena, &h->cache, &h->ncache, &h->cache_problem);
}
