/* Requirements, their specifiers and markers: what is taken may stand in a command. */
#include "fuzz.h"

#include "pip/pip.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static void check_parts(const struct wy_requirement *q) {
    static const struct wy_marker_env env = {"3.11", "3.11.7", "x86_64", "dev"};
    require(wy_name_valid(q->name) && wy_name_valid(q->key));
    require(!q->pinned || wy_version_valid(q->pinned));
    require(!q->pinned || wy_specifier_matches(q->specifier, q->pinned) == 1);
    int verdict = wy_marker_eval(q->marker, &env);
    require(verdict >= -1 && verdict <= 1);
    int met = wy_specifier_matches(q->specifier, "1.0rc1+x.1");
    require(met >= -1 && met <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct wy_marker_env env = {"3.11", NULL, "x86_64", NULL};
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = {(const char *)data, size};
    struct wy_requirement q;
    const char *text = wy_arena_str(&a, bytes);
    if (wy_requirement_parse(text, &a, &q))
        check_parts(&q);
    int verdict = wy_marker_eval(bytes, &env); /* without the parser before it */
    require(verdict >= -1 && verdict <= 1);
    wy_specifier_matches(bytes, "2.0");
    wy_specifier_matches(WY_STR(">=1,!=2.*"), text);
    wy_arena_deinit(&a);
    return 0;
}
