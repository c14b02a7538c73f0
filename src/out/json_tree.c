#include "out/answers.h"
#include "out/json_parts.h"

static void object(struct wy_json *j, const struct whyso_tree_object *o) {
    wy_json_open(j, '{');
    wy_json_put_mapped(j, &o->mapped);
    wy_json_put(j, "file", o->file);
    wy_json_put(j, "origin", o->origin);
    wy_json_put(j, "package", o->package);
    wy_json_put(j, "system_package", o->system_package);
    wy_json_key(j, "opened_by");
    wy_json_open(j, '{');
    wy_json_put(j, "module", o->module);
    wy_json_put(j, "file", o->source);
    wy_json_put_uint(j, "line", o->line);
    wy_json_put(j, "guard", o->guard);
    wy_json_close(j, '}');
    wy_json_close(j, '}');
}

void wy_json_tree(struct wy_buf *b, enum wy_out_format f, const struct whyso_tree *t) {
    struct wy_json j = wy_json_report(b, f, "tree");
    wy_json_put_environment(&j, &t->environment);
    wy_json_key(&j, "subject");
    wy_json_open(&j, '{');
    wy_json_put(&j, "kind", t->subject_kind);
    wy_json_put(&j, "name", t->subject_name);
    wy_json_close(&j, '}');
    wy_json_put_program(&j, t->program_path, &t->program);
    wy_json_put_outcome(&j, &t->import);
    if (f == WY_OUT_JSON) {
        WY_JSON_LIST(&j, "swallowed", t->import.swallowed, wy_json_swallowed);
        WY_JSON_LIST(&j, "mapped", t->mapped, object);
    }
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON) {
        WY_JSON_LINES(&j, "swallowed", t->import.swallowed, wy_json_swallowed);
        WY_JSON_LINES(&j, "mapped", t->mapped, object);
    }
}
