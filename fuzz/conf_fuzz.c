/* Project files and baselines: whatever the bytes, an answer or an error with the file's name. */
#include "fuzz.h"

#include "conf/conf.h"

static void check(struct wy_error *e) {
    if (e && !wy_starts(e->message, "f/"))
        abort();
    wy_error_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    char *bytes = wy_alloc(size ? size : 1); /* no byte behind the text */
    if (size)
        memcpy(bytes, data, size);
    struct wy_str text = {bytes, size};
    struct wy_conf conf;
    struct whyso_silence silence = {0};
    check(wy_conf_read(&a, "f/whyso.toml", text, &conf));
    check(wy_conf_read(&a, "f/pyproject.toml", text, &conf));
    check(wy_conf_baseline(&a, "f/known.json", text, &silence));
    free(bytes);
    wy_arena_deinit(&a);
    return 0;
}
