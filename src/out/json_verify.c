#include "out/answers.h"
#include "out/json_parts.h"

static void put_real(struct wy_json *j, const struct whyso_real_import *r) {
    wy_json_open(j, '{');
    wy_json_put(j, "outcome", r->outcome);
    wy_json_put(j, "how", r->how);
    wy_json_put_uint(j, "status", (uint64_t)r->status);
    wy_json_put(j, "message", r->message);
    wy_json_put_raised(j, r->raised_type, r->raised_text);
    if (r->no_objects)
        wy_json_put_null(j, "objects");
    else
        wy_json_put_uint(j, "objects", r->objects);
    wy_json_put(j, "no_objects", r->no_objects);
    wy_json_close(j, '}');
}

static void difference(struct wy_json *j, const struct whyso_difference *d) {
    wy_json_open(j, '{');
    wy_json_put(j, "what", d->what);
    wy_json_put(j, "predicted", d->predicted);
    wy_json_put(j, "real", d->real);
    wy_json_put_uint(j, "at", d->at);
    wy_json_close(j, '}');
}

static void verified(struct wy_json *j, const struct whyso_verified *v) {
    wy_json_open(j, '{');
    wy_json_put(j, "module", v->module);
    wy_json_put_package(j, &v->predicted.package);
    wy_json_put_bool(j, "same", v->same);
    wy_json_key(j, "predicted");
    wy_json_open(j, '{');
    wy_json_put_outcome(j, &v->predicted);
    wy_json_close(j, '}');
    wy_json_key(j, "real");
    put_real(j, &v->real);
    WY_JSON_LIST(j, "differences", v->differences, difference);
    wy_json_put_strings(j, "missing", v->missing);
    wy_json_put_strings(j, "extra", v->extra);
    wy_json_close(j, '}');
}

void wy_json_verify(struct wy_buf *b, enum wy_out_format f, const struct whyso_verify *v) {
    struct wy_json j = wy_json_report(b, f, "verify");
    wy_json_put_environment(&j, &v->environment);
    wy_json_put_uint(&j, "timeout", v->timeout);
    wy_json_put_uint(&j, "different", v->different);
    if (f == WY_OUT_JSON)
        WY_JSON_LIST(&j, "imports", v->imports, verified);
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON)
        WY_JSON_LINES(&j, "import", v->imports, verified);
}
