/* JSON: whatever the bytes, values lie inside of them, in order, and what was read once is read the
 * same again. */
#include "fuzz.h"

#include "base/jsonread.h"

enum { DEEPEST = 64 };

static void require(bool promise) {
    if (!promise)
        abort();
}

static void walk(struct wy_jread v, struct wy_arena *a, int depth) {
    struct wy_str text;
    uint64_t number;
    wy_jread_u64(v, UINT64_MAX, &number);
    if (wy_jread_str(v, a, &text))
        require(strlen(text.p) == text.n && text.n <= (size_t)(v.end - v.p));
    struct wy_jread item;
    struct wy_str key;
    struct wy_jread_each each = wy_jread_begin(v);
    const char *last = v.p;
    while (wy_jread_next(&each, &key, &item)) {
        require(item.p > last && item.end > item.p && item.end <= v.end);
        last = item.end - 1;
        if (depth < DEEPEST)
            walk(item, a, depth + 1);
    }
    require(!each.close);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    char *bytes = wy_alloc(size ? size : 1); /* no byte behind the text */
    if (size)
        memcpy(bytes, data, size);
    struct wy_jread v = wy_jread_text((struct wy_str){bytes, size});
    if (v.p)
        walk(v, &a, 0);
    wy_jread_get(v, "name");
    free(bytes);
    wy_arena_deinit(&a);
    return 0;
}
