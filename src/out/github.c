/* Annotations of a GitHub workflow: one per cause, with its fix; notes only with -v, since ten of
 * each kind are shown (docs.github.com, "Workflow commands"). Files are named in the text only: an
 * annotation's file is one of the repository, and an environment is none. */
#include "out/answers.h"
#include "out/plain.h"

/* Data of a workflow command: "%" is its escape character. Control characters have been escaped, so
 * no name can begin a command of its own. */
static void put_data(struct wy_buf *b, const char *text) {
    for (; *text; text++)
        if (*text == '%')
            wy_buf_str(b, "%25");
        else
            wy_buf_char(b, *text);
}

static void put_line(struct wy_buf *b, const char *lead, const char *raw) {
    wy_auto_buf safe = {0};
    wy_buf_escaped(&safe, wy_str_of(raw));
    wy_buf_str(b, "%0A");
    put_data(b, lead);
    put_data(b, wy_buf_text(&safe));
}

static void put_fix(struct wy_buf *b, const struct whyso_fix *f) {
    if (!f->kind)
        return;
    for (size_t i = 0; i < f->commands.n; i++) {
        wy_auto_buf command = {0};
        if (!wy_plain_command(&command, &f->commands.v[i]))
            continue;
        wy_buf_str(b, "%0Afix: ");
        put_data(b, wy_buf_text(&command));
    }
    if (f->text && !f->commands.n)
        put_line(b, "fix: ", f->text);
    for (size_t i = 0; i < f->avoid.n; i++)
        put_line(b, "not: ", f->avoid.v[i]);
}

static void begin(struct wy_buf *b, enum whyso_severity s, const char *rule, const char *title) {
    static const char *const words[] = {
        [WHYSO_NOTE] = "notice", [WHYSO_WARNING] = "warning", [WHYSO_ERROR] = "error"};
    wy_auto_buf safe = {0};
    wy_buf_escaped(&safe, wy_str_of(title ? title : rule));
    wy_buf_printf(b, "::%s title=whyso %s::", words[s], rule);
    put_data(b, wy_buf_text(&safe));
}

static void put_cause(struct wy_buf *b, const struct whyso_cause *c) {
    begin(b, c->severity, c->rule, c->title);
    wy_auto_buf imports = {0};
    wy_plain_imports(&imports, &c->breaks.imports);
    if (imports.n)
        put_line(b, "breaks: ", wy_buf_text(&imports));
    if (c->why)
        put_line(b, "why: ", c->why);
    put_fix(b, &c->fix);
    wy_buf_char(b, '\n');
}

static void put_note(struct wy_buf *b, const struct whyso_finding *f) {
    begin(b, f->severity, f->rule, f->title);
    put_fix(b, &f->fix);
    wy_buf_char(b, '\n');
}

void wy_github_check(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_check *c) {
    for (size_t i = 0; i < c->causes.n; i++)
        put_cause(b, &c->causes.v[i]);
    for (size_t i = 0; i < c->findings.n && s->verbosity > 0; i++)
        if (!c->findings.v[i].cause)
            put_note(b, &c->findings.v[i]);
    wy_buf_printf(b, "whyso: %s: %zu cause%s, %llu import%s broken, %llu warning%s\n", c->verdict,
                  c->causes.n, c->causes.n == 1 ? "" : "s", (unsigned long long)c->imports_broken,
                  c->imports_broken == 1 ? "" : "s", (unsigned long long)c->warnings,
                  c->warnings == 1 ? "" : "s");
}
