#include "out/answers.h"
#include "out/json_parts.h"

static void put_rule(struct wy_json *j, const struct whyso_rule *r) {
    wy_json_put(j, "rule", r->rule);
    wy_json_put(j, "severity", r->severity);
    wy_json_put(j, "title", r->title);
}

static void rule(struct wy_json *j, const struct whyso_rule *r) {
    wy_json_open(j, '{');
    put_rule(j, r);
    wy_json_close(j, '}');
}

void wy_json_rules(struct wy_buf *b, enum wy_out_format f, const struct whyso_rules *r) {
    struct wy_json j = wy_json_report(b, f, "rules");
    if (f == WY_OUT_JSON)
        WY_JSON_LIST(&j, "rules", r->rules, rule);
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON)
        WY_JSON_LINES(&j, "rule", r->rules, rule);
}

void wy_json_explain(struct wy_buf *b, enum wy_out_format f, const struct whyso_rule *r) {
    struct wy_json j = wy_json_report(b, f, "explain");
    put_rule(&j, r);
    wy_json_put(&j, "text", r->text);
    wy_json_close(&j, '}');
}
