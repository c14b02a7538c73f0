#include "out/answers.h"
#include "out/json_parts.h"

static void path(struct wy_json *j, const struct whyso_owned *p) {
    wy_json_open(j, '{');
    wy_json_put(j, "path", p->path);
    WY_JSON_LIST(j, "owners", p->owners, wy_json_owner);
    wy_json_put(j, "unread", p->unread);
    wy_json_close(j, '}');
}

void wy_json_owners(struct wy_buf *b, enum wy_out_format f, const struct whyso_owner_answer *o) {
    struct wy_json j = wy_json_report(b, f, "owner");
    wy_json_put_environment(&j, &o->environment);
    if (f == WY_OUT_JSON)
        WY_JSON_LIST(&j, "paths", o->paths, path);
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON)
        WY_JSON_LINES(&j, "path", o->paths, path);
}
