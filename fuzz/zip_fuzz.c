/* Zip archives on sys.path: whatever the bytes, members are whole texts and unpacking ends. */
#include "fuzz.h"

#include "source/zip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST_TEXTS = 16, MOST_TEXT = 1 << 16 };
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = {(const char *)data, size}, text;
    struct wy_source src = wy_source_memory(&bytes);
    struct wy_zip zip;
    const char *problem = wy_zip_read(&src, &a, &zip);
    if (problem && zip.n)
        abort();
    for (size_t i = 0; i < zip.n && i < MOST_TEXTS; i++) {
        if (wy_zip_find(&zip, zip.v[i].name) != &zip.v[i])
            abort();
        if (!wy_zip_text(&src, &zip.v[i], MOST_TEXT, &a, &text) &&
            (text.n != zip.v[i].size || text.p[text.n] != '\0'))
            abort();
    }
    wy_arena_deinit(&a);
    return 0;
}
