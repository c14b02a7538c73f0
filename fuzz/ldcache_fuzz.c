/* ld.so.cache: every entry's texts end inside the file, and a name equals itself. */
#include "fuzz.h"

#include "host/host.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static void check_text(struct wy_str bytes, const char *s) {
    require(s >= bytes.p && s < bytes.p + bytes.n);
    require(memchr(s, '\0', (size_t)(bytes.p + bytes.n - s)) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = {(const char *)data, size};
    struct wy_cache_entry *entries;
    size_t n;
    const char *problem;
    wy_ldcache_parse(bytes, &a, &entries, &n, &problem);
    require(n <= size / 12);
    for (size_t i = 0; i < n; i++) {
        check_text(bytes, entries[i].key);
        check_text(bytes, entries[i].path);
        if (entries[i].hwcap_name)
            check_text(bytes, entries[i].hwcap_name);
        require(wy_ldcache_cmp(entries[i].key, entries[i].key) == 0);
        /* Not an order for huge numbers, as little as the loader's own; but it ends. */
        if (i)
            wy_ldcache_cmp(entries[i - 1].key, entries[i].key);
    }
    wy_arena_deinit(&a);
    return 0;
}
