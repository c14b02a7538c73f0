#include "out/text_parts.h"
#include "base/path.h"
#include "out/plain.h"

enum { LABEL_INDENT = 2, TEXT_INDENT = 8 };

/* The prefix as people call it: relative to where they stand when it lies there. */
static const char *prefix_name(const struct whyso_environment *e) {
    const char *below = e->cwd ? wy_path_below(e->prefix, e->cwd) : NULL;
    bool nearer = below && *below && strcmp(e->cwd, "/") != 0;
    return nearer ? below : e->prefix;
}

static const char *chosen_by(const char *by) {
    static const char *const words[][2] = {
        {"--env", "(--env)"},
        {"VIRTUAL_ENV", "($VIRTUAL_ENV)"},
        {"CONDA_PREFIX", "($CONDA_PREFIX)"},
        {".venv", "(nearest .venv)"},
        {"PATH", "(first python on PATH)"},
    };
    for (size_t i = 0; by && i < sizeof words / sizeof *words; i++)
        if (strcmp(by, words[i][0]) == 0)
            return words[i][1];
    return NULL;
}

/* Parts are joined by " · " and fold there. */
static void part(struct wy_para *q, enum wy_tone tone, const char *raw) {
    if (q->words.n)
        wy_para_glue(q, WY_DIM, " ·");
    wy_para_word(q, tone, raw);
}

static void header_parts(struct wy_para *q, const struct whyso_environment *e) {
    struct wy_page *p = q->page;
    part(q, WY_BOLD, prefix_name(e));
    if (e->root && strcmp(e->root, "/") != 0)
        wy_para_word(q, WY_PLAIN, wy_arena_printf(&p->arena, "in %s", e->root));
    if (chosen_by(e->chosen_by))
        wy_para_word(q, WY_DIM, chosen_by(e->chosen_by));
    if (e->python_version)
        part(q, WY_PLAIN, wy_arena_printf(&p->arena, "Python %s", e->python_version));
    else if (!e->python)
        part(q, WY_PLAIN, "no interpreter");
    if (e->libc_kind)
        part(q, WY_PLAIN,
             wy_arena_printf(&p->arena, "%s %s", e->libc_kind,
                             e->libc_version ? e->libc_version : "of unknown version"));
}

static void put_header(struct wy_page *p, struct wy_para *q, const struct whyso_environment *e) {
    if (!e->complete)
        part(q, WY_YELLOW, "parts could not be read");
    for (size_t i = 0; p->style->verbosity > 0 && i < e->variables.n; i++)
        part(q, WY_DIM,
             wy_arena_printf(&p->arena, "%s=%s", e->variables.v[i].name, e->variables.v[i].value));
    wy_para_line(q, 0, LABEL_INDENT);
}

void wy_text_header(struct wy_page *p, const struct whyso_environment *e) {
    if (!e->prefix || p->style->verbosity < 0)
        return;
    struct wy_para q;
    wy_para_init(&q, p);
    header_parts(&q, e);
    part(&q, WY_PLAIN,
         wy_arena_printf(&p->arena, "%s, %s, %s",
                         wy_page_count(p, e->packages, "package", "packages"),
                         wy_page_count(p, e->files, "file", "files"),
                         wy_page_count(p, e->libraries, "library", "libraries")));
    put_header(p, &q, e);
}

void wy_text_header_short(struct wy_page *p, const struct whyso_environment *e) {
    if (!e->prefix || p->style->verbosity < 0)
        return;
    struct wy_para q;
    wy_para_init(&q, p);
    header_parts(&q, e);
    put_header(p, &q, e);
}

/* Writes the label and leaves the cursor at TEXT_INDENT. */
static void label(struct wy_page *p, const char *name) {
    unsigned columns = wy_page_columns(name);
    wy_page_spaces(p, LABEL_INDENT);
    wy_page_put(p, WY_DIM, name);
    wy_page_spaces(p,
                   columns < TEXT_INDENT - LABEL_INDENT ? TEXT_INDENT - LABEL_INDENT - columns : 1);
}

void wy_text_label(struct wy_page *p, const char *name, enum wy_tone tone, const char *raw) {
    struct wy_para q;
    wy_para_init(&q, p);
    label(p, name);
    wy_para_text(&q, tone, raw);
    wy_para_line(&q, TEXT_INDENT, TEXT_INDENT);
}

const char *wy_text_shell(struct wy_page *p, const char *word) {
    wy_auto_buf quoted = {0};
    return wy_plain_word(&quoted, word) ? wy_arena_cstr(&p->arena, wy_buf_text(&quoted)) : NULL;
}

/* One word of a command line, already quoted for the shell: not escaped again. */
static bool push_quoted(struct wy_para *q, const struct wy_buf *word) {
    const char *text = wy_arena_cstr(&q->page->arena, wy_buf_text(word));
    wy_vec_push(&q->words, ((struct wy_word){text, WY_BOLD, wy_page_columns(text), false}));
    return true;
}

static bool shell_word(struct wy_para *q, const char *word) {
    wy_auto_buf quoted = {0};
    return wy_plain_word(&quoted, word) && push_quoted(q, &quoted);
}

static bool shell_variable(struct wy_para *q, const char *setting) {
    wy_auto_buf quoted = {0};
    return wy_plain_variable(&quoted, setting) && push_quoted(q, &quoted);
}

static bool command_words(struct wy_para *q, const struct whyso_command *c) {
    for (size_t i = 0; i < c->env.n; i++)
        if (!shell_variable(q, c->env.v[i]))
            return false;
    for (size_t i = 0; i < c->argv.n; i++)
        if (!shell_word(q, c->argv.v[i]))
            return false;
    return true;
}

static bool needs_root(const struct whyso_command *c) {
    for (size_t i = 0; i < c->needs.n; i++)
        if (strcmp(c->needs.v[i], "root") == 0)
            return true;
    return false;
}

static void put_command(struct wy_page *p, const char *name, const struct whyso_command *c) {
    struct wy_para q;
    wy_para_init(&q, p);
    q.fold = " \\";
    if (!command_words(&q, c)) {
        wy_vec_free(&q.words);
        wy_text_label(p, name, WY_PLAIN,
                      "(a path in the command cannot be shown; --format json has it)");
        return;
    }
    label(p, name);
    wy_para_line(&q, TEXT_INDENT, TEXT_INDENT + 2);
    if (needs_root(c))
        wy_text_label(p, "", WY_DIM, "(as root)");
}

void wy_text_fix(struct wy_page *p, const struct whyso_fix *f) {
    if (!f->kind)
        return;
    bool words = f->text && (f->commands.n == 0 || p->style->verbosity > 0);
    for (size_t i = 0; i < f->commands.n; i++)
        put_command(p, i ? "" : "fix", &f->commands.v[i]);
    if (words)
        wy_text_label(p, f->commands.n ? "" : "fix", WY_PLAIN, f->text);
    for (size_t i = 0; i < f->also.n; i++)
        wy_text_label(p, i ? "" : "or", WY_PLAIN, f->also.v[i]);
    for (size_t i = 0; i < f->avoid.n; i++)
        wy_text_label(p, i ? "" : "not", WY_PLAIN, f->avoid.v[i]);
}

void wy_text_sign(struct wy_page *p, enum whyso_severity s) {
    static const char *const signs[] = {
        [WHYSO_NOTE] = "·", [WHYSO_WARNING] = "!", [WHYSO_ERROR] = "✗"};
    static const enum wy_tone tones[] = {
        [WHYSO_NOTE] = WY_DIM, [WHYSO_WARNING] = WY_YELLOW, [WHYSO_ERROR] = WY_RED};
    wy_page_put(p, tones[s], signs[s]);
    wy_page_spaces(p, 1);
}

const char *wy_text_gone(struct wy_page *p, const struct whyso_counts *c) {
    if (!c->set)
        return NULL;
    if (c->libraries_missing)
        return wy_arena_printf(&p->arena, "%llu of %llu gone",
                               (unsigned long long)c->libraries_missing,
                               (unsigned long long)c->libraries);
    if (c->missing)
        return wy_arena_printf(&p->arena, "%llu of %llu files gone", (unsigned long long)c->missing,
                               (unsigned long long)c->recorded);
    return c->recorded ? NULL : "no files";
}

const char *wy_text_subject(const struct whyso_finding *f) {
    if (f->package.name)
        return f->package.name;
    if (f->library)
        return f->library;
    return f->file ? f->file : "";
}

const char *wy_text_need(struct wy_page *p, const struct whyso_finding *f) {
    if (!f->needed_by.n || !f->needed_by.v[0].file)
        return NULL;
    const char *who = wy_path_base(f->needed_by.v[0].file);
    const char *what = f->wanted.demangled ? f->wanted.demangled
                       : f->wanted.name    ? f->wanted.name
                                           : f->library;
    if (!what)
        return NULL;
    if (strcmp(what, wy_text_subject(f)) == 0)
        return wy_arena_printf(&p->arena, "needed by %s", who);
    return wy_arena_printf(&p->arena, "%s needs %s", who, what);
}

const char *wy_text_next(struct wy_page *p, const char *command, const char *argument) {
    const char *word = argument ? wy_text_shell(p, argument) : "";
    if (!p->style->again || !word)
        return NULL;
    return wy_arena_printf(&p->arena, "%s %s%s%s", p->style->again, command, *word ? " " : "",
                           word);
}
