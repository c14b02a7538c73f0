#include "out/answers.h"
#include "out/json_parts.h"

static void package(struct wy_json *j, const struct whyso_listed *p) {
    wy_json_open(j, '{');
    wy_json_put(j, "name", p->name);
    wy_json_put(j, "version", p->version);
    wy_json_put(j, "site", p->site);
    wy_json_put(j, "installer", p->installer);
    wy_json_put(j, "generation", p->generation);
    wy_json_put(j, "state", p->state);
    wy_json_put_uint(j, "libraries", p->libraries);
    wy_json_close(j, '}');
}

void wy_json_packages(struct wy_buf *b, enum wy_out_format f, const struct whyso_list *l) {
    struct wy_json j = wy_json_report(b, f, "list");
    wy_json_put_environment(&j, &l->environment);
    if (f == WY_OUT_JSON)
        WY_JSON_LIST(&j, "packages", l->packages, package);
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON)
        WY_JSON_LINES(&j, "package", l->packages, package);
}
