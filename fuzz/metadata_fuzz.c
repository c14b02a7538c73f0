/* Header lines of METADATA and WHEEL: progress, slices inside the text, values on one line. */
#include "fuzz.h"

#include "pip/headers.h"
#include "pip/pip.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static bool inside(struct wy_str part, struct wy_str whole) {
    return part.n == 0 || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

static void check_name(struct wy_arena *a, struct wy_str value) {
    const char *name = wy_header_text(a, value);
    require(strlen(name) <= value.n && !strchr(name, '\n'));
    const char *key = wy_dist_key(a, wy_str_of(name));
    require(wy_same(wy_dist_key(a, wy_str_of(key)), key));
    if (wy_name_valid(name))
        require(wy_name_valid(key));
    if (wy_version_valid(name))
        require(!strpbrk(name, " \t;&|$`'\"\\<>(){}*?~#"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str text = {(const char *)data, size}, rest = text, name, value;
    for (size_t before = rest.n; wy_header_next(&rest, &name, &value); before = rest.n) {
        require(rest.n < before && name.n > 0);
        require(inside(name, text) && inside(value, text));
        check_name(&a, value);
    }
    wy_arena_deinit(&a);
    return 0;
}
