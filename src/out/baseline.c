#include "out/json_parts.h"

static void known(struct wy_json *j, const struct whyso_known *k) {
    wy_json_open(j, '{');
    wy_json_put(j, "fingerprint", k->fingerprint);
    wy_json_put(j, "severity", wy_json_severity(k->severity));
    wy_json_close(j, '}');
}

/* No version of the program, no path: a new one changes only the lines of what changed. */
void wy_out_baseline(struct wy_buf *b, const struct whyso_check *c) {
    struct wy_json j = {.out = b, .lines = true, .first = true};
    wy_json_open(&j, '{');
    wy_json_put(&j, "schema", "whyso/baseline/1");
    WY_JSON_LIST(&j, "findings", c->baseline, known);
    wy_json_close(&j, '}');
}
