#include "out/answers.h"
#include "out/json_parts.h"

static void mapped(struct wy_json *j, const struct whyso_mapped *m) {
    wy_json_open(j, '{');
    wy_json_put(j, "name", m->name);
    wy_json_put(j, "requested", m->requested);
    wy_json_put(j, "by", m->by);
    wy_json_put(j, "found", m->found);
    wy_json_close(j, '}');
}

static void resolved(struct wy_json *j, const struct whyso_resolved *r) {
    wy_json_open(j, '{');
    wy_json_put(j, "requested", r->requested);
    wy_json_put(j, "by", r->by);
    wy_json_put(j, "name", r->name);
    wy_json_close(j, '}');
}

static void problem(struct wy_json *j, const struct whyso_load_problem *p) {
    wy_json_open(j, '{');
    wy_json_put(j, "kind", p->kind);
    wy_json_put(j, "object", p->object);
    wy_json_put(j, "needed_by", p->needed_by);
    wy_json_put(j, "name", p->name);
    wy_json_put(j, "version", p->version);
    wy_json_put(j, "message", p->message);
    wy_json_close(j, '}');
}

/* What the start of the program and the opening of one request have in common. */
static void put_outcome(struct wy_json *j, const struct whyso_step *s) {
    wy_json_put(j, "outcome", s->outcome);
    wy_json_put(j, "message", s->message);
    WY_JSON_LIST(j, "mapped", s->mapped, mapped);
    WY_JSON_LIST(j, "resolved", s->resolved, resolved);
    WY_JSON_LIST(j, "problems", s->problems, problem);
}

static void step(struct wy_json *j, const struct whyso_step *s) {
    wy_json_open(j, '{');
    wy_json_put(j, "request", s->request);
    put_outcome(j, s);
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
    wy_json_key(&j, "program");
    wy_json_open(&j, '{');
    wy_json_put(&j, "path", l->program_path);
    put_outcome(&j, &l->program);
    wy_json_close(&j, '}');
    wy_json_key(&j, "after");
    put_after(&j, &l->after);
    if (f == WY_OUT_JSON)
        WY_JSON_LIST(&j, "steps", l->steps, step);
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON)
        WY_JSON_LINES(&j, "step", l->steps, step);
}
