/* What CPython's tokenizer says of a text that it refuses: its messages from 3.10 on
 * (Parser/tokenizer.c, Parser/lexer/lexer.c; unclosed brackets: raise_unclosed_parentheses_error in
 * Parser/pegen_errors.c). A file that is cut short ends in one of them more often than not. */
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

static void look_at(struct tokens *t, struct wy_token at) {
    if (at.kind == WY_T_STRING && t->lex.problem)
        string_without_end(t, at);
    else if (at.op == '(' || at.op == '[' || at.op == '{')
        wy_vec_push(&t->open, ((struct bracket){(char)at.op, at.line}));
    else if (at.op == ')' || at.op == ']' || at.op == '}')
        close(t, at);
}

const char *wy_source_complaint(struct wy_str text, unsigned minor, struct wy_arena *a,
                                uint32_t *line) {
    struct tokens t = {.lex = {.start = text.p,
                               .p = text.p,
                               .end = text.p + text.n,
                               .line = 1,
                               .nested_fstrings = minor >= 12},
                       .arena = a,
                       .minor = minor};
    if (minor < 10)
        return NULL;
    struct wy_token at;
    do {
        at = wy_lex_next(&t.lex);
        look_at(&t, at);
    } while (at.kind != WY_T_END && !t.message && !t.lex.problem);
    if (at.kind == WY_T_END && t.open.n) {
        struct bracket b = wy_vec_pop(&t.open);
        say(&t, b.line, wy_arena_printf(a, "'%c' was never closed", b.c));
    }
    wy_vec_free(&t.open);
    *line = t.line;
    return t.message;
}
