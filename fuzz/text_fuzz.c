/* Names from files: whatever the bytes, nothing that steers a terminal comes out. */
#include "fuzz.h"

#include "base/buf.h"
#include "base/path.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static void check_escaped(struct wy_str name) {
    wy_auto_buf out = {0};
    wy_buf_escaped(&out, name);
    for (const char *p = wy_buf_text(&out); *p; p++)
        require((unsigned char)*p >= 0x20 && *p != 0x7f);
}

static void check_shell(const char *word) {
    wy_auto_buf out = {0};
    wy_buf_shell(&out, word);
    require(wy_buf_text(&out)[0] != '\0');
}

static void check_path(const char *text) {
    struct wy_arena a = WY_ARENA_INIT;
    wy_auto_buf absolute = {0};
    wy_buf_char(&absolute, '/');
    wy_buf_str(&absolute, text);
    const char *clean = wy_path_clean(&a, wy_buf_text(&absolute));
    require(clean[0] == '/' && !strstr(clean, "//") && !strstr(clean, "/../"));
    require(wy_same(wy_path_clean(&a, clean), clean));
    wy_arena_deinit(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = {(const char *)data, size};
    const char *text = wy_arena_str(&a, bytes);
    check_escaped(bytes);
    check_shell(text);
    check_path(text);
    wy_arena_deinit(&a);
    return 0;
}
