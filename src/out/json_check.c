#include "out/answers.h"
#include "out/json_parts.h"

static void import(struct wy_json *j, const struct whyso_import *m) {
    wy_json_open(j, '{');
    wy_json_put(j, "module", m->module);
    wy_json_put_package(j, &m->package);
    wy_json_put_outcome(j, m);
    WY_JSON_LIST(j, "swallowed", m->swallowed, wy_json_swallowed);
    wy_json_put_strings(j, "findings", m->findings);
    wy_json_put_strings(j, "causes", m->causes);
    wy_json_close(j, '}');
}

static void failing(struct wy_json *j, const struct whyso_failing *f) {
    wy_json_open(j, '{');
    wy_json_put(j, "module", f->module);
    wy_json_put(j, "outcome", f->outcome);
    wy_json_put(j, "message", f->message);
    wy_json_close(j, '}');
}

static void news(struct wy_json *j, const struct whyso_new *n) {
    wy_json_open(j, '{');
    wy_json_put(j, "fingerprint", n->fingerprint);
    wy_json_put(j, "severity", wy_json_severity(n->severity));
    wy_json_put(j, "title", n->title);
    wy_json_close(j, '}');
}

void wy_json_put_after(struct wy_json *j, const struct whyso_outlook *a) {
    if (!a->verdict) {
        wy_json_put_null(j, "after");
        return;
    }
    wy_json_key(j, "after");
    wy_json_open(j, '{');
    wy_json_put(j, "verdict", a->verdict);
    wy_json_put_bool(j, "mended", a->mended);
    wy_json_put_strings(j, "imports", a->imports);
    WY_JSON_LIST(j, "fails", a->fails, failing);
    WY_JSON_LIST(j, "new", a->news, news);
    wy_json_put(j, "sure", a->sure);
    wy_json_close(j, '}');
}

static void cause(struct wy_json *j, const struct whyso_cause *c) {
    wy_json_open(j, '{');
    wy_json_put(j, "id", c->id);
    wy_json_put(j, "rule", c->rule);
    wy_json_put(j, "severity", wy_json_severity(c->severity));
    wy_json_put(j, "title", c->title);
    wy_json_put_strings(j, "findings", c->findings);
    wy_json_put_breaks(j, &c->breaks);
    wy_json_put_fix(j, &c->fix);
    wy_json_put_after(j, &c->after);
    wy_json_close(j, '}');
}

static void put_summary(struct wy_json *j, const struct whyso_check *c) {
    wy_json_key(j, "summary");
    wy_json_open(j, '{');
    wy_json_put_uint(j, "error", c->errors);
    wy_json_put_uint(j, "warning", c->warnings);
    wy_json_put_uint(j, "note", c->notes);
    wy_json_put_uint(j, "causes", c->causes.n);
    wy_json_put_uint(j, "imports_broken", c->imports_broken);
    wy_json_close(j, '}');
}

static void put_silenced(struct wy_json *j, const struct whyso_silenced *s) {
    wy_json_key(j, "silenced");
    wy_json_open(j, '{');
    wy_json_put(j, "config", s->config);
    wy_json_put_uint(j, "ignored", s->ignored);
    wy_json_put_uint(j, "baseline", s->known);
    wy_json_put_strings(j, "gone", s->gone);
    wy_json_close(j, '}');
}

void wy_json_check(struct wy_buf *b, enum wy_out_format f, const struct whyso_check *c) {
    struct wy_json j = wy_json_report(b, f, "check");
    wy_json_put_environment(&j, &c->environment);
    wy_json_put(&j, "verdict", c->verdict);
    if (f == WY_OUT_JSON) {
        WY_JSON_LIST(&j, "imports", c->imports, import);
        WY_JSON_LIST(&j, "causes", c->causes, cause);
        WY_JSON_LIST(&j, "findings", c->findings, wy_json_finding);
    }
    put_summary(&j, c);
    put_silenced(&j, &c->silenced);
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON) {
        WY_JSON_LINES(&j, "import", c->imports, import);
        WY_JSON_LINES(&j, "cause", c->causes, cause);
        WY_JSON_LINES(&j, "finding", c->findings, wy_json_finding);
    }
}
