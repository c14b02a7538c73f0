#include "out/json_parts.h"

void wy_json_needer(struct wy_json *j, const struct whyso_needer *n) {
    wy_json_open(j, '{');
    wy_json_put(j, "file", n->file);
    wy_json_put(j, "package", n->package);
    wy_json_put(j, "symbol", n->symbol);
    wy_json_put(j, "version", n->version);
    wy_json_close(j, '}');
}

void wy_json_searched(struct wy_json *j, const struct whyso_searched *s) {
    wy_json_open(j, '{');
    wy_json_put(j, "place", s->place);
    wy_json_put(j, "by", s->by);
    wy_json_put(j, "of", s->of);
    if (s->entry > 0)
        wy_json_put_uint(j, "entry", (uint64_t)s->entry);
    else
        wy_json_put_null(j, "entry");
    wy_json_put(j, "result", s->result);
    wy_json_close(j, '}');
}

void wy_json_candidate(struct wy_json *j, const struct whyso_candidate *c) {
    wy_json_open(j, '{');
    wy_json_put(j, "file", c->file);
    wy_json_put(j, "package", c->package);
    wy_json_put(j, "manager", c->manager);
    wy_json_put_bool(j, "chosen", c->chosen);
    wy_json_put(j, "why_not", c->why_not);
    wy_json_put_strings(j, "has", c->has);
    wy_json_put_strings(j, "lacks", c->lacks);
    wy_json_close(j, '}');
}

void wy_json_owner(struct wy_json *j, const struct whyso_owner *o) {
    wy_json_open(j, '{');
    wy_json_put(j, "package", o->package);
    wy_json_put(j, "version", o->version);
    if (o->size >= 0)
        wy_json_put_uint(j, "size", (uint64_t)o->size);
    else
        wy_json_put_null(j, "size");
    wy_json_put(j, "sha256", o->sha256);
    wy_json_put(j, "on_disk", o->on_disk);
    wy_json_put(j, "manager", o->manager);
    wy_json_put(j, "architecture", o->architecture);
    wy_json_put(j, "build", o->build);
    wy_json_put(j, "channel", o->channel);
    wy_json_put(j, "state", o->state);
    wy_json_close(j, '}');
}

void wy_json_provider(struct wy_json *j, const struct whyso_provider *p) {
    wy_json_open(j, '{');
    wy_json_put(j, "package", p->package);
    wy_json_put(j, "version", p->version);
    wy_json_put(j, "manager", p->manager);
    wy_json_put(j, "state", p->state);
    wy_json_put(j, "because", p->because);
    wy_json_close(j, '}');
}

static void part(struct wy_json *j, const struct whyso_part *p) {
    wy_json_open(j, '{');
    wy_json_put(j, "soname", p->soname);
    wy_json_put(j, "file", p->file);
    wy_json_put(j, "package", p->package);
    wy_json_close(j, '}');
}

static void order(struct wy_json *j, const struct whyso_order *o) {
    wy_json_open(j, '{');
    wy_json_put_strings(j, "imports", o->imports);
    wy_json_put(j, "outcome", o->outcome);
    wy_json_put(j, "message", o->message);
    wy_json_close(j, '}');
}

static void put_wanted(struct wy_json *j, const struct whyso_wanted *w) {
    if (!w->kind) {
        wy_json_put_null(j, "wanted");
        return;
    }
    wy_json_key(j, "wanted");
    wy_json_open(j, '{');
    wy_json_put(j, "kind", w->kind);
    wy_json_put(j, "name", w->name);
    wy_json_put(j, "demangled", w->demangled);
    wy_json_close(j, '}');
}

static void put_counts(struct wy_json *j, const struct whyso_counts *c) {
    if (!c->set) {
        wy_json_put_null(j, "counts");
        return;
    }
    wy_json_key(j, "counts");
    wy_json_open(j, '{');
    wy_json_put_uint(j, "recorded", c->recorded);
    wy_json_put_uint(j, "missing", c->missing);
    wy_json_put_uint(j, "libraries", c->libraries);
    wy_json_put_uint(j, "libraries_missing", c->libraries_missing);
    wy_json_close(j, '}');
}

static void put_numbers(struct wy_json *j, const struct whyso_finding *f) {
    wy_json_key(j, "numbers");
    wy_json_open(j, '{');
    for (size_t i = 0; i < f->numbers.n; i++) {
        wy_json_key(j, f->numbers.v[i].name);
        wy_json_number(j, f->numbers.v[i].value);
    }
    wy_json_close(j, '}');
}

void wy_json_finding(struct wy_json *j, const struct whyso_finding *f) {
    wy_json_open(j, '{');
    wy_json_put(j, "id", f->id);
    wy_json_put(j, "fingerprint", f->fingerprint);
    wy_json_put(j, "cause", f->cause);
    wy_json_put(j, "rule", f->rule);
    wy_json_put(j, "severity", wy_json_severity(f->severity));
    wy_json_put(j, "title", f->title);
    wy_json_put_package(j, &f->package);
    wy_json_put(j, "library", f->library);
    wy_json_put(j, "file", f->file);
    put_wanted(j, &f->wanted);
    WY_JSON_LIST(j, "needed_by", f->needed_by, wy_json_needer);
    wy_json_put_strings(j, "chain", f->chain);
    WY_JSON_LIST(j, "searched", f->searched, wy_json_searched);
    WY_JSON_LIST(j, "candidates", f->candidates, wy_json_candidate);
    WY_JSON_LIST(j, "owners", f->owners, wy_json_owner);
    WY_JSON_LIST(j, "providers", f->providers, wy_json_provider);
    put_counts(j, &f->counts);
    wy_json_put_strings(j, "missing", f->missing);
    WY_JSON_LIST(j, "parts", f->parts, part);
    WY_JSON_LIST(j, "orders", f->orders, order);
    put_numbers(j, f);
    wy_json_put_strings(j, "because", f->because);
    wy_json_put_breaks(j, &f->breaks);
    wy_json_put_fix(j, &f->fix);
    wy_json_close(j, '}');
}
