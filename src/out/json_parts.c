#include "out/json_parts.h"

#include <string.h>

struct wy_json wy_json_report(struct wy_buf *b, enum wy_out_format format, const char *command) {
    bool ndjson = format == WY_OUT_NDJSON;
    struct wy_json j = {.out = b, .lines = !ndjson, .line_type = ndjson ? "report" : NULL};
    wy_auto_buf schema = {0};
    wy_buf_printf(&schema, "whyso/%s/1", command);
    wy_json_open(&j, '{');
    wy_json_put(&j, "schema", wy_buf_text(&schema));
    wy_json_key(&j, "tool");
    wy_json_open(&j, '{');
    wy_json_put(&j, "name", "whyso");
    wy_json_put(&j, "version", WHYSO_VERSION);
    wy_json_close(&j, '}');
    return j;
}

const char *wy_json_severity(enum whyso_severity s) {
    static const char *const names[] = {
        [WHYSO_NOTE] = "note", [WHYSO_WARNING] = "warning", [WHYSO_ERROR] = "error"};
    return names[s];
}

static void put_python(struct wy_json *j, const struct whyso_environment *e) {
    if (!e->python) {
        wy_json_put_null(j, "python");
        return;
    }
    wy_json_key(j, "python");
    wy_json_open(j, '{');
    wy_json_put(j, "executable", e->python);
    wy_json_put(j, "real", e->python_real);
    wy_json_put(j, "version", e->python_version);
    wy_json_put(j, "soabi", e->soabi);
    wy_json_close(j, '}');
}

static void put_libc(struct wy_json *j, const struct whyso_environment *e) {
    if (!e->libc_kind) {
        wy_json_put_null(j, "libc");
        return;
    }
    wy_json_key(j, "libc");
    wy_json_open(j, '{');
    wy_json_put(j, "kind", e->libc_kind);
    wy_json_put(j, "version", e->libc_version);
    wy_json_close(j, '}');
}

static void put_process(struct wy_json *j, const struct whyso_environment *e) {
    wy_json_key(j, "process");
    wy_json_open(j, '{');
    wy_json_put(j, "cwd", e->cwd);
    wy_json_put_uint(j, "user", e->user);
    wy_json_key(j, "variables");
    wy_json_open(j, '{');
    for (size_t i = 0; i < e->variables.n; i++)
        wy_json_put(j, e->variables.v[i].name, e->variables.v[i].value);
    wy_json_close(j, '}');
    wy_json_put(j, "driver", e->driver);
    wy_json_put(j, "cpu", e->cpu);
    wy_json_close(j, '}');
}

void wy_json_put_environment(struct wy_json *j, const struct whyso_environment *e) {
    if (!e->prefix) {
        wy_json_put_null(j, "environment");
        return;
    }
    wy_json_key(j, "environment");
    wy_json_open(j, '{');
    wy_json_put(j, "prefix", e->prefix);
    wy_json_put(j, "kind", e->kind);
    wy_json_put(j, "chosen_by", e->chosen_by);
    wy_json_put(j, "root", e->root);
    wy_json_put_bool(j, "complete", e->complete);
    put_python(j, e);
    put_libc(j, e);
    wy_json_put(j, "machine", e->machine);
    wy_json_put_strings(j, "sys_path", e->sys_path);
    put_process(j, e);
    wy_json_put_uint(j, "packages", e->packages);
    wy_json_put_uint(j, "files", e->files);
    wy_json_put_uint(j, "elf", e->elf);
    wy_json_close(j, '}');
}

void wy_json_put_package(struct wy_json *j, const struct whyso_package_ref *p) {
    if (!p->name) {
        wy_json_put_null(j, "package");
        return;
    }
    wy_json_key(j, "package");
    wy_json_open(j, '{');
    wy_json_put(j, "name", p->name);
    wy_json_put(j, "version", p->version);
    wy_json_put(j, "site", p->site);
    wy_json_close(j, '}');
}

void wy_json_put_breaks(struct wy_json *j, const struct whyso_breaks *b) {
    wy_json_key(j, "breaks");
    wy_json_open(j, '{');
    wy_json_put_strings(j, "imports", b->imports);
    wy_json_put_uint(j, "files", b->files);
    wy_json_close(j, '}');
}

static void put_variables(struct wy_json *j, struct whyso_strings env) {
    wy_json_key(j, "env");
    wy_json_open(j, '{');
    for (size_t i = 0; i < env.n; i++) {
        const char *eq = strchr(env.v[i], '=');
        if (!eq)
            continue;
        wy_auto_buf name = {0};
        wy_buf_add(&name, env.v[i], (size_t)(eq - env.v[i]));
        wy_json_put(j, wy_buf_text(&name), eq + 1);
    }
    wy_json_close(j, '}');
}

static void command(struct wy_json *j, const struct whyso_command *c) {
    wy_json_open(j, '{');
    wy_json_put_strings(j, "argv", c->argv);
    put_variables(j, c->env);
    wy_json_put_strings(j, "needs", c->needs);
    wy_json_close(j, '}');
}

void wy_json_put_fix(struct wy_json *j, const struct whyso_fix *f) {
    if (!f->kind) {
        wy_json_put_null(j, "fix");
        return;
    }
    wy_json_key(j, "fix");
    wy_json_open(j, '{');
    wy_json_put(j, "kind", f->kind);
    WY_JSON_LIST(j, "commands", f->commands, command);
    wy_json_put_strings(j, "command",
                        f->commands.n ? f->commands.v[0].argv : (struct whyso_strings){NULL, 0});
    wy_json_put(j, "text", f->text);
    wy_json_put_strings(j, "also", f->also);
    wy_json_put_strings(j, "avoid", f->avoid);
    wy_json_put(j, "sure", f->sure);
    wy_json_close(j, '}');
}

void wy_json_swallowed(struct wy_json *j, const struct whyso_swallowed *s) {
    wy_json_open(j, '{');
    wy_json_put(j, "file", s->file);
    wy_json_put(j, "message", s->message);
    wy_json_put(j, "finding", s->finding);
    wy_json_close(j, '}');
}

void wy_json_put_raised(struct wy_json *j, const char *type, const char *text) {
    if (!type && !text) {
        wy_json_put_null(j, "raised");
        return;
    }
    wy_json_key(j, "raised");
    wy_json_open(j, '{');
    wy_json_put(j, "type", type);
    wy_json_put(j, "text", text);
    wy_json_close(j, '}');
}

void wy_json_put_outcome(struct wy_json *j, const struct whyso_import *m) {
    wy_json_put(j, "outcome", m->outcome);
    wy_json_put(j, "how", m->how);
    wy_json_put(j, "message", m->message);
    wy_json_put_raised(j, m->raised_type, m->raised_text);
    wy_json_put(j, "at", m->at);
    wy_json_put(j, "reason", m->reason);
}

void wy_json_put_mapped(struct wy_json *j, const struct whyso_mapped *m) {
    wy_json_put(j, "name", m->name);
    wy_json_put(j, "requested", m->requested);
    wy_json_put(j, "by", m->by);
    wy_json_put(j, "found", m->found);
}

static void mapped(struct wy_json *j, const struct whyso_mapped *m) {
    wy_json_open(j, '{');
    wy_json_put_mapped(j, m);
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

void wy_json_put_step(struct wy_json *j, const struct whyso_step *s) {
    wy_json_put(j, "outcome", s->outcome);
    wy_json_put(j, "message", s->message);
    WY_JSON_LIST(j, "mapped", s->mapped, mapped);
    WY_JSON_LIST(j, "resolved", s->resolved, resolved);
    WY_JSON_LIST(j, "problems", s->problems, problem);
}

void wy_json_put_program(struct wy_json *j, const char *path, const struct whyso_step *start) {
    wy_json_key(j, "program");
    wy_json_open(j, '{');
    wy_json_put(j, "path", path);
    wy_json_put_step(j, start);
    wy_json_close(j, '}');
}
