/* SARIF 2.1.0 (OASIS standard, errata 01): one result per finding, for code scanning and viewers.
 */
#include "out/answers.h"
#include "out/json_parts.h"
#include "out/plain.h"

/* What paths are relative to: the prefix of the environment. */
#define BASE "ENVIRONMENT"

static void put_text(struct wy_json *j, const char *key, const char *text) {
    wy_json_key(j, key);
    wy_json_open(j, '{');
    wy_json_put(j, "text", text);
    wy_json_close(j, '}');
}

/* RFC 3986: everything but unreserved characters and "/" as %XX. */
static void add_path(struct wy_buf *b, const char *path) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    for (; *path; path++)
        if (strchr(plain, *path))
            wy_buf_char(b, *path);
        else
            wy_buf_printf(b, "%%%02X", (unsigned)(unsigned char)*path);
}

/* The file that a person would open: its own, who needs it, what is gone, or where it should be. */
static const char *place(const struct whyso_finding *f) {
    if (f->file)
        return f->file;
    if (f->needed_by.n && f->needed_by.v[0].file)
        return f->needed_by.v[0].file;
    if (f->missing.n)
        return f->missing.v[0];
    return f->package.site ? f->package.site : ".";
}

static void put_location(struct wy_json *j, const char *path) {
    wy_auto_buf uri = {0};
    bool absolute = path[0] == '/';
    if (absolute)
        wy_buf_str(&uri, "file://");
    add_path(&uri, path);
    wy_json_key(j, "artifactLocation");
    wy_json_open(j, '{');
    wy_json_put(j, "uri", wy_buf_text(&uri));
    if (!absolute)
        wy_json_put(j, "uriBaseId", BASE);
    wy_json_close(j, '}');
}

/* The title, its evidence and what to do, a line each. */
static void add_message(struct wy_buf *b, const struct whyso_finding *f) {
    wy_buf_str(b, f->title ? f->title : f->rule);
    if (f->breaks.imports.n) {
        wy_buf_str(b, "\nbreaks: ");
        wy_plain_imports(b, &f->breaks.imports);
    }
    for (size_t i = 0; i < f->because.n; i++)
        wy_buf_printf(b, "\n%s", f->because.v[i]);
    for (size_t i = 0; f->fix.kind && i < f->fix.commands.n; i++) {
        wy_auto_buf command = {0};
        if (wy_plain_command(&command, &f->fix.commands.v[i]))
            wy_buf_printf(b, "\nfix: %s", wy_buf_text(&command));
    }
    if (f->fix.kind && f->fix.text && !f->fix.commands.n)
        wy_buf_printf(b, "\nfix: %s", f->fix.text);
}

static void result(struct wy_json *j, const struct whyso_finding *f) {
    wy_auto_buf message = {0};
    add_message(&message, f);
    wy_json_open(j, '{');
    wy_json_put(j, "ruleId", f->rule);
    wy_json_put(j, "level", wy_json_severity(f->severity));
    put_text(j, "message", wy_buf_text(&message));
    wy_json_key(j, "locations");
    wy_json_open(j, '[');
    wy_json_open(j, '{');
    wy_json_key(j, "physicalLocation");
    wy_json_open(j, '{');
    put_location(j, place(f));
    wy_json_close(j, '}');
    wy_json_close(j, '}');
    wy_json_close(j, ']');
    wy_json_key(j, "partialFingerprints");
    wy_json_open(j, '{');
    wy_json_put(j, "whyso/v1", f->fingerprint);
    wy_json_close(j, '}');
    wy_json_close(j, '}');
}

static void rule(struct wy_json *j, const struct whyso_rule *r) {
    wy_json_open(j, '{');
    wy_json_put(j, "id", r->rule);
    put_text(j, "shortDescription", r->title);
    put_text(j, "help", r->text);
    wy_json_close(j, '}');
}

static void put_tool(struct wy_json *j, const struct whyso_check *c) {
    wy_json_key(j, "tool");
    wy_json_open(j, '{');
    wy_json_key(j, "driver");
    wy_json_open(j, '{');
    wy_json_put(j, "name", "whyso");
    wy_json_put(j, "version", WHYSO_VERSION);
    WY_JSON_LIST(j, "rules", c->rules, rule);
    wy_json_close(j, '}');
    wy_json_close(j, '}');
}

static void put_base(struct wy_json *j, const char *prefix) {
    wy_auto_buf uri = {0};
    wy_buf_str(&uri, "file://");
    add_path(&uri, prefix);
    if (!wy_ends(prefix, "/"))
        wy_buf_char(&uri, '/');
    wy_json_key(j, "originalUriBaseIds");
    wy_json_open(j, '{');
    wy_json_key(j, BASE);
    wy_json_open(j, '{');
    wy_json_put(j, "uri", wy_buf_text(&uri));
    wy_json_close(j, '}');
    wy_json_close(j, '}');
}

void wy_sarif_check(struct wy_buf *b, const struct whyso_check *c) {
    struct wy_json j = {.out = b, .lines = true};
    wy_json_open(&j, '{');
    wy_json_put(&j, "$schema",
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                "sarif-schema-2.1.0.json");
    wy_json_put(&j, "version", "2.1.0");
    wy_json_key(&j, "runs");
    wy_json_open(&j, '[');
    wy_json_open(&j, '{');
    put_tool(&j, c);
    put_base(&j, c->environment.prefix);
    WY_JSON_LIST(&j, "results", c->findings, result);
    wy_json_close(&j, '}');
    wy_json_close(&j, ']');
    wy_json_close(&j, '}');
}
