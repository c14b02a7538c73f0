/* Tokens of Python source (Python's reference, chapter 2), and a faster way over statements that
 * need not be looked at. Private to the room. */
#ifndef WY_SOURCE_LEX_H
#define WY_SOURCE_LEX_H

#include "base/str.h"

enum wy_token_kind { WY_T_END, WY_T_NEWLINE, WY_T_NAME, WY_T_NUMBER, WY_T_STRING, WY_T_OP };

struct wy_token {
    enum wy_token_kind kind;
    struct wy_str text; /* as written; a string with its prefix and quotes */
    unsigned line;      /* where it starts, 1-based */
    uint32_t op;        /* OP: its characters, first one lowest (WY_PAIR); else 0 */
};

#define WY_PAIR(a, b) ((uint32_t)(a) | (uint32_t)(b) << 8)
#define WY_TRIPLE(a, b, c) (WY_PAIR(a, b) | (uint32_t)(c) << 16)

struct wy_lex {
    const char *start, *p, *end;
    unsigned line;        /* of p, 1-based */
    unsigned depth;       /* open brackets */
    bool nested_fstrings; /* PEP 701 (3.12): an f-string may hold its own quote inside braces */
    const char *problem;  /* the first one */
    unsigned problem_line;
};

/* Next token of the logical line; a NEWLINE token is the end of it (also at the end of the text,
 * before END). Newlines inside brackets and comments are passed over. */
struct wy_token wy_lex_next(struct wy_lex *l);
/* What wy_lex_next would give. */
struct wy_token wy_lex_peek(const struct wy_lex *l);
/* To the end of the statement, past it: '\n' when the logical line ends, ';' when another statement
 * follows on it, 0 at the end of the text. With `whole_line`, a ';' does not stop it. */
char wy_lex_skip(struct wy_lex *l, bool whole_line);
/* From the start of a line to behind a logical line after which the block of those further in than
 * `column` may end; lines that surely belong to it, and blank ones, are passed over in one go.
 * False at the end of the text. */
bool wy_lex_skip_lines(struct wy_lex *l, int column);
/* How many newlines lie in [p, end). */
unsigned wy_lex_newlines(const char *p, const char *end);
/* Behind what begins at `p`: a string at its quote, a comment, a backslash with the newline it
 * hides, a NUL byte (which is a problem). */
const char *wy_lex_past(struct wy_lex *l, const char *p);
/* From the start of a line over blank and comment lines to the next statement; returns its column
 * (tabs go to multiples of 8, a form feed starts again at 0), or -1 at the end of the text. */
int wy_lex_indent(struct wy_lex *l);
void wy_lex_problem(struct wy_lex *l, const char *what);

static inline bool wy_token_is(struct wy_token t, const char *text) {
    return (t.kind == WY_T_NAME || t.kind == WY_T_OP) && wy_str_is(t.text, text);
}

#endif
