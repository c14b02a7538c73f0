/* What CPython says of a file that is cut short, from 3.10 on. Its tokenizer comes first
 * (Parser/tokenizer.c, Parser/lexer/lexer.c; unclosed brackets: raise_unclosed_parentheses_error in
 * Parser/pegen_errors.c); else the last line says what the grammar misses
 * (Grammar/python.gram, the rules called invalid_…). */
#include "base/vec.h"
#include "source/lex.h"
#include "source/parse.h"

struct bracket {
    char c;
    unsigned line;
};
struct tokens {
    struct wy_lex lex;
    struct wy_arena *arena;
    unsigned minor;
    WY_VEC(struct bracket) open;
    struct {
        struct wy_token first, second, last; /* of the last line that is not blank */
        bool goes_on;                        /* no newline behind it yet */
    } tail;
    const char *message;
    unsigned line;
};

static void say(struct tokens *t, unsigned line, const char *message) {
    t->message = message;
    t->line = line;
}

/* From 3.12 (PEP 701) f-strings are named as such, from 3.14 (PEP 750) t-strings. */
static const char *kind_of_string(const struct tokens *t, struct wy_token at) {
    for (const char *p = at.text.p; *p != '"' && *p != '\''; p++)
        if (t->minor >= 12 && (*p | 32) == 'f')
            return "f-string";
        else if ((*p | 32) == 't')
            return "t-string";
    return "string";
}

static void string_without_end(struct tokens *t, struct wy_token at) {
    struct wy_str s = at.text;
    while (s.n && *s.p != '"' && *s.p != '\'')
        s = (struct wy_str){s.p + 1, s.n - 1};
    bool triple = s.n >= 3 && s.p[1] == s.p[0] && s.p[2] == s.p[0];
    if (t->minor >= 12 && memchr(s.p, '{', s.n) && strcmp(kind_of_string(t, at), "string") != 0)
        return; /* perhaps the end of a field is missing, or a string in it */
    bool newline = triple && s.p[s.n - 1] == '\n'; /* the end of the file is on the line before */
    say(t, at.line,
        wy_arena_printf(t->arena, "unterminated %s%s literal (detected at line %u)",
                        triple ? "triple-quoted " : "", kind_of_string(t, at),
                        t->lex.line - newline));
}

static void close(struct tokens *t, struct wy_token at) {
    char c = (char)at.op, opens = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (!t->open.n) {
        say(t, at.line, wy_arena_printf(t->arena, "unmatched '%c'", c));
        return;
    }
    struct bracket b = wy_vec_pop(&t->open);
    const char *format = b.line == at.line
                             ? "closing parenthesis '%c' does not match opening parenthesis '%c'"
                             : "closing parenthesis '%c' does not match opening parenthesis '%c' "
                               "on line %u";
    if (b.c != opens)
        say(t, at.line, wy_arena_printf(t->arena, format, c, b.c, b.line));
}

static void keep_tail(struct tokens *t, struct wy_token at) {
    if (at.kind == WY_T_NEWLINE || at.kind == WY_T_END) {
        t->tail.goes_on = false;
        return;
    }
    if (!t->tail.goes_on)
        t->tail.first = at;
    else if (t->tail.last.text.p == t->tail.first.text.p)
        t->tail.second = at;
    t->tail.goes_on = true;
    t->tail.last = at;
}

static void look_at(struct tokens *t, struct wy_token at) {
    keep_tail(t, at);
    if (at.kind == WY_T_STRING && t->lex.problem)
        string_without_end(t, at);
    else if (at.op == '(' || at.op == '[' || at.op == '{')
        wy_vec_push(&t->open, ((struct bracket){(char)at.op, at.line}));
    else if (at.op == ')' || at.op == ']' || at.op == '}')
        close(t, at);
}

/* ---- the last line ---- */

/* What a line that opens a block is called; NULL for any other. */
static const char *header(struct tokens *t) {
    static const char *const statements[] = {"if",  "elif",   "else",    "for",   "while", "with",
                                             "try", "except", "finally", "match", "case"};
    struct wy_token word = t->tail.first;
    if (wy_token_is(word, "async"))
        word = t->tail.second;
    if (wy_token_is(word, "def"))
        return "function definition";
    if (wy_token_is(word, "class"))
        return "class definition";
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (wy_token_is(word, statements[i]))
            return wy_arena_printf(t->arena, "'%s' statement", statements[i]);
    return NULL;
}

static void last_line(struct tokens *t, struct wy_source_tree *tree) {
    static const struct {
        const char *problem, *message;
    } known[] = {
        {WY_NO_HANDLER, "expected 'except' or 'finally' block"},
        {WY_NO_COLON, "expected ':'"},
        {WY_NO_BLOCK, "expected ':'"}, /* of a `def`, whose colon is looked for later */
        {WY_NO_BRACKET, "expected '('"},
        {"`else` is missing", "expected 'else' after 'if' expression"},
        {"an expression is missing", "invalid syntax"},
        {"a name is missing", "invalid syntax"},
        {"`import` is missing", "invalid syntax"},
        {"`in` is missing", "invalid syntax"},
    };
    const char *opens = t->tail.last.op == ':' ? header(t) : NULL;
    if (tree->problem_line < t->tail.first.line)
        return;
    /* What is missing would stand where the text ends. */
    unsigned end = t->lex.line - (tree->text.p[tree->text.n - 1] == '\n');
    bool further = strcmp(tree->problem, WY_NO_HANDLER) == 0;
    if (opens) {
        tree->said_class = "IndentationError";
        say(t, end,
            wy_arena_printf(t->arena, "expected an indented block after %s on line %u", opens,
                            t->tail.first.line));
    }
    if (t->minor >= 13 && wy_token_is(t->tail.last, "import") &&
        strcmp(tree->problem, "a name is missing") == 0) {
        say(t, t->tail.last.line, "Expected one or more names after 'import'");
        return;
    }
    for (size_t i = 0; !opens && i < sizeof known / sizeof *known; i++)
        if (strcmp(tree->problem, known[i].problem) == 0)
            say(t, further ? end : t->tail.last.line, known[i].message);
}

void wy_source_complain(struct wy_source_tree *tree) {
    struct wy_str text = tree->text;
    struct tokens t = {.lex = {.start = text.p,
                               .p = text.p,
                               .end = text.p + text.n,
                               .line = 1,
                               .nested_fstrings = tree->minor >= 12},
                       .arena = tree->arena,
                       .minor = tree->minor};
    struct wy_token at;
    if (tree->minor < 10 || !text.n)
        return;
    tree->said_class = "SyntaxError";
    do {
        at = wy_lex_next(&t.lex);
        look_at(&t, at);
    } while (at.kind != WY_T_END && !t.message && !t.lex.problem);
    if (at.kind == WY_T_END && t.open.n) {
        struct bracket b = wy_vec_pop(&t.open);
        say(&t, b.line, wy_arena_printf(t.arena, "'%c' was never closed", b.c));
    } else if (at.kind == WY_T_END && !t.lex.problem) {
        last_line(&t, tree);
    }
    wy_vec_free(&t.open);
    tree->said = t.message;
    tree->said_line = t.line;
}
