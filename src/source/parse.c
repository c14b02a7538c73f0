#include "source/parse.h"

/* ---- words ---- */

uint32_t wy_keyword(struct wy_str word) {
    static const char words[][9] = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    /* Index of the first word of each first letter from 'a' on; the last is the end. */
    static const uint8_t first[] = {3,  8,  9,  11, 13, 16, 19, 20, 20, 24, 24, 24, 25, 25,
                                    27, 28, 29, 29, 31, 31, 32, 32, 32, 34, 34, 35, 35};
    if (word.n < 2 || word.n > 8)
        return 0;
    unsigned from = 0, to = 3;
    if (word.p[0] >= 'a' && word.p[0] <= 'z') {
        from = first[word.p[0] - 'a'];
        to = first[word.p[0] - 'a' + 1];
    } else if (word.p[0] < 'A' || word.p[0] > 'Z') {
        return 0;
    }
    for (unsigned i = from; i < to; i++)
        if (memcmp(words[i], word.p, word.n) == 0 && !words[i][word.n])
            return WY_KW_FALSE + i;
    return 0;
}

void wy_parse_fail(struct wy_parse *p, const char *what) {
    if (!p->problem) {
        p->problem = what;
        p->problem_line = p->at.line;
    }
    p->lex.p = p->lex.end;
    p->lex.depth = 0;
    p->at = (struct wy_token){.kind = WY_T_END, .line = p->at.line};
    p->column = -1;
}

void wy_parse_count(struct wy_parse *p) {
    if (p->nodes < WY_SOURCE_MAX_NODES)
        p->nodes++;
    else
        wy_parse_fail(p, "the file holds too much code");
}

void wy_parse_advance(struct wy_parse *p) {
    p->at = wy_lex_next(&p->lex);
    if (p->lex.problem)
        wy_parse_fail(p, p->lex.problem);
    else if (p->at.kind == WY_T_NAME)
        p->at.op = wy_keyword(p->at.text);
}

void wy_parse_next_line(struct wy_parse *p) {
    if (p->problem)
        return;
    p->column = wy_lex_indent(&p->lex);
    wy_parse_advance(p);
    if (p->at.kind == WY_T_END)
        p->column = -1;
}

bool wy_parse_accept(struct wy_parse *p, uint32_t op) {
    if (p->at.op != op)
        return false;
    wy_parse_advance(p);
    return true;
}

void wy_parse_expect(struct wy_parse *p, uint32_t op, const char *what) {
    if (!wy_parse_accept(p, op))
        wy_parse_fail(p, what);
}

bool wy_parse_at_name(const struct wy_parse *p) {
    return p->at.kind == WY_T_NAME && !p->at.op;
}

const char *wy_parse_name(struct wy_parse *p) {
    if (!wy_parse_at_name(p)) {
        wy_parse_fail(p, "a name is missing");
        return "";
    }
    const char *name = wy_intern(p->names, p->at.text);
    wy_parse_advance(p);
    return name;
}

const char *wy_parse_dotted(struct wy_parse *p) {
    const char *name = wy_parse_name(p);
    if (!wy_parse_at(p, '.'))
        return name;
    size_t mark = p->text.n;
    for (;;) {
        for (const char *c = name; *c; c++)
            wy_vec_push(&p->text, *c);
        if (!wy_parse_accept(p, '.'))
            break;
        wy_vec_push(&p->text, '.');
        name = wy_parse_name(p);
    }
    name = wy_intern(p->names, (struct wy_str){p->text.v + mark, p->text.n - mark});
    p->text.n = mark;
    return name;
}

void *wy_parse_keep(struct wy_parse *p, const void *v, size_t bytes) {
    if (!bytes)
        return NULL;
    void *kept = wy_arena_alloc(p->arena, bytes);
    memcpy(kept, v, bytes);
    return kept;
}

/* ---- lines and blocks ---- */

struct wy_stmt wy_parse_stmt(const struct wy_parse *p, enum wy_stmt_kind kind) {
    return (struct wy_stmt){.kind = (uint8_t)kind, .line = p->at.line};
}

static void simple_line(struct wy_parse *p) {
    do {
        wy_parse_count(p);
        wy_parse_simple(p);
    } while (wy_parse_accept(p, ';') && p->at.kind != WY_T_NEWLINE && p->at.kind != WY_T_END);
    if (p->at.kind != WY_T_NEWLINE && p->at.kind != WY_T_END)
        wy_parse_fail(p, "a statement does not end");
    wy_parse_next_line(p);
}

void wy_parse_line(struct wy_parse *p) {
    wy_parse_count(p);
    if (!wy_parse_compound(p))
        simple_line(p);
}

struct wy_body wy_parse_lines(struct wy_parse *p, int column) {
    size_t mark = p->stmts.n;
    while (p->column == column && p->at.kind != WY_T_END) {
        size_t before = p->stmts.n;
        wy_parse_line(p);
        if (p->problem)
            p->stmts.n = before; /* what could not be read is not there */
    }
    if (p->column > column)
        wy_parse_fail(p, "a line is further in than the one before");
    struct wy_body body;
    WY_PARSE_TAKE(p, stmts, mark, &body);
    return body;
}

static struct wy_body same_line(struct wy_parse *p) {
    size_t mark = p->stmts.n;
    simple_line(p);
    struct wy_body body;
    WY_PARSE_TAKE(p, stmts, mark, &body);
    return body;
}

struct wy_body wy_parse_block(struct wy_parse *p, int column) {
    bool at_end = p->at.kind == WY_T_NEWLINE || p->at.kind == WY_T_END;
    wy_parse_expect(p, ':', at_end ? WY_NO_COLON : "a colon is missing");
    if (p->at.kind != WY_T_NEWLINE)
        return same_line(p);
    wy_parse_next_line(p);
    if (p->column <= column) {
        wy_parse_fail(p, WY_NO_BLOCK);
        return (struct wy_body){NULL, 0};
    }
    if (p->indents >= WY_SOURCE_MAX_INDENTS) {
        wy_parse_fail(p, "blocks are nested too deeply");
        return (struct wy_body){NULL, 0};
    }
    p->indents++;
    struct wy_body body = wy_parse_lines(p, p->column);
    p->indents--;
    return body;
}

/* ---- the whole text ---- */

static void begin(struct wy_parse *p, const struct wy_source_tree *t, struct wy_str text,
                  uint32_t at, unsigned line) {
    *p = (struct wy_parse){.nodes = t->nodes, .text_at = at, .names = t->names, .arena = t->arena};
    p->lex = (struct wy_lex){.start = text.p,
                             .p = text.p,
                             .end = text.p + text.n,
                             .line = line,
                             .nested_fstrings = t->minor >= 12};
}

static void end(struct wy_parse *p, struct wy_source_tree *t) {
    t->nodes = p->nodes;
    if (p->problem && !t->problem) {
        t->problem = p->problem;
        t->problem_line = p->problem_line;
    }
    wy_vec_free(&p->exprs);
    wy_vec_free(&p->arguments);
    wy_vec_free(&p->loops);
    wy_vec_free(&p->parameters);
    wy_vec_free(&p->stmts);
    wy_vec_free(&p->aliases);
    wy_vec_free(&p->handlers);
    wy_vec_free(&p->with_items);
    wy_vec_free(&p->cases);
    wy_vec_free(&p->words);
    wy_vec_free(&p->ops);
    wy_vec_free(&p->text);
}

/* CPython reads all of "\r\n", "\r" and "\n" as "\n" (translate_newlines in Parser/tokenizer.c). */
static struct wy_str plain_newlines(struct wy_str text, struct wy_arena *a) {
    if (!text.n || !memchr(text.p, '\r', text.n))
        return text;
    char *copy = wy_arena_alloc(a, text.n);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\r' && i + 1 < text.n && text.p[i + 1] == '\n')
            continue;
        copy[n++] = c == '\r' ? '\n' : c;
    }
    return (struct wy_str){copy, n};
}

static void parse(struct wy_source_tree *t) {
    struct wy_parse p;
    begin(&p, t, t->text, t->text_at, 1);
    wy_parse_next_line(&p);
    t->body = wy_parse_lines(&p, 0);
    end(&p, t);
}

static void start_tree(struct wy_str text, unsigned minor, struct wy_intern *names,
                       struct wy_arena *a, struct wy_source_tree *ret) {
    bool mark = wy_str_starts(text, "\xef\xbb\xbf");
    if (mark)
        text = (struct wy_str){text.p + 3, text.n - 3};
    *ret = (struct wy_source_tree){
        .text_at = mark ? 3 : 0, .names = names, .arena = a, .minor = minor};
    if (text.n > WY_SOURCE_MAX_BYTES) {
        ret->problem = "the file is too large";
        ret->problem_line = 1;
        text.n = 0;
    }
    ret->text = text.n ? plain_newlines(text, a) : WY_STR("");
    ret->copied = text.n && ret->text.p != text.p;
}

/* The last statement of a body, or of what stands in it at its end. */
static const struct wy_stmt *last_of(struct wy_body b) {
    const struct wy_stmt *s = b.n ? &b.v[b.n - 1] : NULL;
    while (s && s->kind != WY_S_DEF) {
        struct wy_body finally = wy_stmt_finally(s);
        bool caught = s->kind == WY_S_TRY && s->handlers.n;
        b = finally.n     ? finally
            : s->orelse.n ? s->orelse
            : caught      ? s->handlers.v[s->handlers.n - 1].body
                          : s->body;
        if (!b.n)
            break;
        s = &b.v[b.n - 1];
    }
    return s;
}

/* A file that is cut short hardly ends with a line, or with one that is whole. */
static bool may_be_cut(struct wy_str text) {
    size_t n = text.n;
    while (n && (text.p[n - 1] == '\n' || text.p[n - 1] == ' '))
        n--;
    return n && (text.p[text.n - 1] != '\n' || text.p[n - 1] == ':');
}

/* Functions that reach to the end of the file, which are else read when they are called. */
static void read_to_the_end(struct wy_source_tree *t) {
    const struct wy_stmt *s = last_of(t->body);
    while (!t->problem && s && s->kind == WY_S_DEF)
        s = last_of(*wy_source_body(t, s->function));
}

void wy_source_parse(struct wy_str text, unsigned minor, struct wy_intern *names,
                     struct wy_arena *a, struct wy_source_tree *ret) {
    start_tree(text, minor, names, a, ret);
    parse(ret);
    if (may_be_cut(ret->text))
        read_to_the_end(ret);
    if (ret->problem)
        wy_source_complain(ret);
}

void wy_source_parse_text(struct wy_str text, unsigned minor, struct wy_intern *names,
                          struct wy_arena *a, struct wy_source_tree *ret) {
    while (text.n && (*text.p == ' ' || *text.p == '\t')) /* eval() takes these away */
        text = (struct wy_str){text.p + 1, text.n - 1};
    wy_source_parse(text, minor, names, a, ret);
}

void wy_source_forget(struct wy_source_tree *t) {
    if (!t->copied)
        t->text = (struct wy_str){0};
}

void wy_source_move(struct wy_source_tree *t, struct wy_intern *names, struct wy_arena *a) {
    t->names = names;
    t->arena = a;
}

bool wy_source_wants(const struct wy_source_tree *t, const struct wy_function *f) {
    return !f->parsed && !t->text.p;
}

const struct wy_body *wy_source_body(struct wy_source_tree *t, struct wy_function *f) {
    if (f->parsed)
        return &f->body;
    struct wy_str text = {0};
    if (t->text.p)
        text = (struct wy_str){t->text.p + (f->text_at - t->text_at), f->text_n};
    return wy_source_body_from(t, f, text);
}

const struct wy_body *wy_source_body_from(struct wy_source_tree *t, struct wy_function *f,
                                          struct wy_str text) {
    f->parsed = true;
    struct wy_parse p;
    begin(&p, t, text, f->text_at, f->text_line);
    if (text.n != f->text_n)
        wy_parse_fail(&p, "the file has changed since it was read");
    wy_parse_function(&p, f);
    if (!p.problem && p.column >= 0)
        wy_parse_fail(&p, "a line is further out than the block it is in");
    if (p.problem)
        f->body = (struct wy_body){NULL, 0};
    end(&p, t);
    return &f->body;
}
