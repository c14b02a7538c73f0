#include "base/jsonread.h"
#include "base/vec.h"
#include "conf/conf.h"

static bool read_text(struct wy_jread object, const char *key, struct wy_arena *a,
                      struct wy_str *ret) {
    return wy_jread_str(wy_jread_get(object, key), a, ret);
}

static bool read_severity(struct wy_jread object, struct wy_arena *a, enum whyso_severity *ret) {
    static const char *const words[] = {"note", "warning", "error"};
    struct wy_str text;
    if (!read_text(object, "severity", a, &text))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (wy_str_is(text, words[i])) {
            *ret = (enum whyso_severity)i;
            return true;
        }
    return false;
}

static bool read_known(struct wy_jread item, struct wy_arena *a, struct whyso_known *ret) {
    struct wy_str text;
    if (!read_text(item, "fingerprint", a, &text) || !read_severity(item, a, &ret->severity))
        return false;
    ret->fingerprint = text.p;
    return true;
}

struct wy_error *wy_conf_baseline(struct wy_arena *a, const char *file, struct wy_str text,
                                  struct whyso_silence *ret) {
    struct wy_jread all = wy_jread_text(text), list = wy_jread_get(all, "findings"), item;
    struct wy_str schema;
    if (!read_text(all, "schema", a, &schema) || !wy_str_is(schema, "whyso/baseline/1"))
        return wy_errorf("%s: no baseline (expected \"schema\": \"whyso/baseline/1\"); "
                         "--write-baseline makes one",
                         file);
    if (wy_jread_kind(list) != '[')
        return wy_errorf("%s: expected a whole list named findings", file);
    WY_VEC(struct whyso_known) known = {0};
    struct wy_jread_each each = wy_jread_begin(list);
    while (wy_jread_next(&each, NULL, &item)) {
        struct whyso_known one;
        if (!read_known(item, a, &one)) {
            size_t n = known.n + 1;
            wy_vec_free(&known);
            return wy_errorf("%s: finding %zu: expected a fingerprint and a severity", file, n);
        }
        wy_vec_push(&known, one);
    }
    ret->nknown = known.n;
    wy_vec_keep(a, &known);
    ret->known = known.v;
    return each.damaged ? wy_errorf("%s: damaged after finding %zu", file, ret->nknown) : NULL;
}
