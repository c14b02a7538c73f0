#include "out/answers.h"
#include "out/json_parts.h"

static void may_open(struct wy_json *j, const struct whyso_may_open *m) {
    wy_json_open(j, '{');
    wy_json_put(j, "name", m->name);
    wy_json_put(j, "file", m->file);
    wy_json_put(j, "package", m->package);
    wy_json_close(j, '}');
}

static void put_said(struct wy_json *j, const struct whyso_said *s) {
    if (!s->line) {
        wy_json_put_null(j, "said");
        return;
    }
    wy_json_key(j, "said");
    wy_json_open(j, '{');
    wy_json_put(j, "line", s->line);
    wy_json_put_uint(j, "number", s->number);
    wy_json_put(j, "means", s->means);
    wy_json_put(j, "library", s->library);
    wy_json_put(j, "file", s->file);
    wy_json_put(j, "symbol", s->symbol);
    wy_json_put(j, "version", s->version);
    wy_json_put(j, "module", s->module);
    wy_json_put(j, "site", s->site);
    wy_json_close(j, '}');
}

static void put_import(struct wy_json *j, const struct whyso_import *m) {
    if (!m->module) {
        wy_json_put_null(j, "import");
        return;
    }
    wy_json_key(j, "import");
    wy_json_open(j, '{');
    wy_json_put(j, "module", m->module);
    wy_json_put_package(j, &m->package);
    wy_json_put_outcome(j, m);
    wy_json_close(j, '}');
}

static void brought(struct wy_json *j, const struct whyso_brought *l) {
    wy_json_open(j, '{');
    wy_json_put(j, "file", l->file);
    wy_json_put(j, "soname", l->soname);
    wy_json_close(j, '}');
}

static void requirer(struct wy_json *j, const struct whyso_requirer *r) {
    wy_json_open(j, '{');
    wy_json_put(j, "package", r->package);
    wy_json_put(j, "version", r->version);
    wy_json_put(j, "requirement", r->requirement);
    wy_json_close(j, '}');
}

static void overlap(struct wy_json *j, const struct whyso_overlap *o) {
    wy_json_open(j, '{');
    wy_json_put(j, "package", o->package);
    wy_json_put(j, "version", o->version);
    wy_json_put_uint(j, "files", o->files);
    wy_json_put_uint(j, "differ", o->differ);
    wy_json_close(j, '}');
}

static void broken(struct wy_json *j, const struct whyso_broken *b) {
    wy_json_open(j, '{');
    wy_json_put(j, "module", b->module);
    wy_json_put(j, "package", b->package);
    wy_json_put(j, "outcome", b->outcome);
    wy_json_put(j, "message", b->message);
    wy_json_close(j, '}');
}

/* "about": {…}, or null when the subject is no package. */
static void put_about(struct wy_json *j, const struct whyso_about_package *k) {
    if (!k->package.name) {
        wy_json_put_null(j, "about");
        return;
    }
    wy_json_key(j, "about");
    wy_json_open(j, '{');
    wy_json_put_package(j, &k->package);
    wy_json_put_bool(j, "recorded", k->recorded);
    wy_json_put_uint(j, "files", k->files);
    wy_json_put_strings(j, "modules", k->modules);
    WY_JSON_LIST(j, "libraries", k->libraries, brought);
    WY_JSON_LIST(j, "required_by", k->required_by, requirer);
    WY_JSON_LIST(j, "overlaps", k->overlaps, overlap);
    WY_JSON_LIST(j, "breaks", k->breaks, broken);
    wy_json_close(j, '}');
}

void wy_json_why(struct wy_buf *b, enum wy_out_format f, const struct whyso_why *w) {
    struct wy_json j = wy_json_report(b, f, "why");
    wy_json_put_environment(&j, &w->environment);
    wy_json_key(&j, "subject");
    wy_json_open(&j, '{');
    wy_json_put(&j, "kind", w->subject_kind);
    wy_json_put(&j, "name", w->subject_name);
    wy_json_close(&j, '}');
    put_said(&j, &w->said);
    put_import(&j, &w->import);
    put_about(&j, &w->about);
    if (f == WY_OUT_JSON) {
        WY_JSON_LIST(&j, "needed_by", w->needed_by, wy_json_needer);
        WY_JSON_LIST(&j, "searched", w->searched, wy_json_searched);
        WY_JSON_LIST(&j, "candidates", w->candidates, wy_json_candidate);
        WY_JSON_LIST(&j, "owners", w->owners, wy_json_owner);
        WY_JSON_LIST(&j, "providers", w->providers, wy_json_provider);
        WY_JSON_LIST(&j, "findings", w->findings, wy_json_finding);
        WY_JSON_LIST(&j, "may_open", w->may_open, may_open);
    }
    wy_json_close(&j, '}');
    if (f == WY_OUT_NDJSON) {
        WY_JSON_LINES(&j, "needed_by", w->needed_by, wy_json_needer);
        WY_JSON_LINES(&j, "searched", w->searched, wy_json_searched);
        WY_JSON_LINES(&j, "candidate", w->candidates, wy_json_candidate);
        WY_JSON_LINES(&j, "owner", w->owners, wy_json_owner);
        WY_JSON_LINES(&j, "provider", w->providers, wy_json_provider);
        WY_JSON_LINES(&j, "finding", w->findings, wy_json_finding);
        WY_JSON_LINES(&j, "may_open", w->may_open, may_open);
    }
}
