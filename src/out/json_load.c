#include "out/answers.h"
#include "out/json_parts.h"

static void step(struct wy_json *j, const struct whyso_step *s) {
    wy_json_open(j, '{');
    wy_json_put(j, "request", s->request);
    wy_json_put_step(j, s);
    wy_json_close(j, '}');
}

static void put_after(struct wy_json *j, const struct whyso_after *a) {
    if (!a->module) {
        wy_json_null(j);
        return;
    }
    wy_json_open(j, '{');
    wy_json_put(j, "module", a->module);
    wy_json_put(j, "outcome", a->outcome);
    wy_json_put(j, "message", a->message);
    wy_json_put(j, "reason", a->reason);
    wy_json_close(j, '}');
}

void wy_json_load(struct wy_buf *b, enum wy_out_format f, const struct whyso_load *l) {
    struct wy_json j = wy_json_report(b, f, "load");
    wy_json_put_environment(&j, &l->environment);
    wy_json_put_program(&j, l->program_path, &l->program);
    wy_json_key(&j, "after");
    put_after(&j, &l->after);
    if (f == WY_OUT_JSON)
        WY_JSON_LIST(&j, "steps", l->steps, step);
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON)
        WY_JSON_LINES(&j, "step", l->steps, step);
}
