#include "source/lex.h"

/* Classes of bytes. SPECIAL ones stop the fast skip: everything that can hide or end a line.
 * Bytes from 0x80 on are letters: identifiers may be of any script (PEP 3131). */
enum { SPECIAL = 1, WORD = 2, DIGIT = 4, BLANK = 8 };

#define S SPECIAL
#define W WORD
#define D (WORD | DIGIT)
#define B BLANK
#define HIGH W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W
/* One row is sixteen bytes of ASCII. */
/* clang-format off */
static const unsigned char classes[256] = {
    S, 0, 0, 0, 0, 0, 0, 0, 0, B, S, 0, B, B, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    B, 0, S, S, 0, 0, 0, S, S, S, 0, 0, 0, 0, 0, 0,
    D, D, D, D, D, D, D, D, D, D, 0, S, 0, 0, 0, 0,
    0, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, S, S, S, 0, W,
    0, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, S, 0, S, 0, 0,
    HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH,
};
/* clang-format on */
#undef S
#undef W
#undef D
#undef B
#undef HIGH

static inline bool is(char c, unsigned char class) {
    return classes[(unsigned char)c] & class;
}

void wy_lex_problem(struct wy_lex *l, const char *what) {
    if (!l->problem) {
        l->problem = what;
        l->problem_line = l->line;
    }
}

/* ---- strings ---- */

static const char *string_end(struct wy_lex *l, const char *p, bool formatted, unsigned nesting);

static bool is_prefix_letter(char c) {
    return c && strchr("rRbBuUfFtT", c) != NULL;
}

/* Whether the word that ends at the quote `p` marks an f-string (or t-string). */
static bool formatted_before(const struct wy_lex *l, const char *p) {
    bool formatted = false;
    const char *q = p;
    while (q > l->start && p - q < 2 && is_prefix_letter(q[-1])) {
        q--;
        formatted = formatted || (*q | 32) == 'f' || (*q | 32) == 't';
    }
    return formatted && (q == l->start || !is(q[-1], WORD));
}

/* Inside the braces of an f-string, p behind '{': behind the matching '}'. After ':' outside all
 * brackets comes a format specification, which is text again (PEP 701). */
static const char *field_end(struct wy_lex *l, const char *p, const char *quote, size_t nquote,
                             unsigned nesting) {
    unsigned open = 0;
    bool specification = false;
    while (p < l->end) {
        char c = *p;
        if (specification && (size_t)(l->end - p) >= nquote && memcmp(p, quote, nquote) == 0)
            return p; /* not closed: the string ends here */
        if (c == '\n') {
            l->line++;
        } else if (c == '}' && open == 0) {
            return p + 1;
        } else if (specification) {
            if (c == '{' && nesting < 8) {
                p = field_end(l, p + 1, quote, nquote, nesting + 1);
                continue;
            }
        } else if (c == '"' || c == '\'') {
            if (nesting >= 8)
                return l->end;
            p = string_end(l, p, formatted_before(l, p), nesting + 1);
            continue;
        } else if (c == '(' || c == '[' || c == '{') {
            open++;
        } else if (c == ')' || c == ']' || c == '}') {
            open -= open > 0;
        } else if (c == '#') {
            const char *nl = memchr(p, '\n', (size_t)(l->end - p));
            p = nl ? nl : l->end;
            continue;
        } else if (c == ':' && open == 0) {
            specification = true;
        }
        p++;
    }
    return p;
}

/* Docstrings are a third of many files: looks from quote to quote. A quote behind an odd number of
 * backslashes is none. */
static const char *plain_triple_end(struct wy_lex *l, const char *p, char quote) {
    const char *start = p, *q;
    while ((q = memchr(p, quote, (size_t)(l->end - p))) != NULL) {
        const char *b = q;
        while (b > p && b[-1] == '\\')
            b--;
        p = q + 1;
        if ((q - b) % 2 == 0 && l->end - q >= 3 && q[1] == quote && q[2] == quote) {
            l->line += wy_lex_newlines(start, q);
            return q + 3;
        }
    }
    l->line += wy_lex_newlines(start, l->end);
    wy_lex_problem(l, "a triple-quoted string does not end");
    return l->end;
}

static const char *triple_end(struct wy_lex *l, const char *p, char quote, bool formatted,
                              unsigned nesting) {
    if (!formatted)
        return plain_triple_end(l, p, quote);
    const char three[3] = {quote, quote, quote};
    while (p < l->end) {
        char c = *p;
        if (!is(c, SPECIAL)) {
            p++;
            continue;
        }
        if (c == quote && l->end - p >= 3 && p[1] == quote && p[2] == quote)
            return p + 3;
        if (c == '\n') {
            l->line++;
        } else if (c == '\\' && p + 1 < l->end) {
            p++;
            if (*p == '{')
                continue; /* a field all the same */
            l->line += *p == '\n';
        } else if (c == '{') {
            if (p + 1 < l->end && p[1] == '{') {
                p++;
            } else {
                p = field_end(l, p + 1, three, 3, nesting);
                continue;
            }
        }
        p++;
    }
    wy_lex_problem(l, "a triple-quoted string does not end");
    return p;
}

static const char *single_end(struct wy_lex *l, const char *p, char quote, bool formatted,
                              unsigned nesting) {
    while (p < l->end) {
        char c = *p;
        if (c == quote)
            return p + 1;
        if (c == '\n')
            break;
        if (c == '\\' && p + 1 < l->end) {
            p++;
            if (formatted && *p == '{')
                continue; /* a field all the same */
            if (*p == '\r' && p + 1 < l->end && p[1] == '\n')
                p++;
            l->line += *p == '\n';
        } else if (formatted && c == '{') {
            if (p + 1 < l->end && p[1] == '{') {
                p++;
            } else {
                p = field_end(l, p + 1, &quote, 1, nesting);
                continue;
            }
        }
        p++;
    }
    wy_lex_problem(l, "a string does not end on its line");
    return p;
}

/* p at the first quote: behind the string. A backslash hides the next byte in raw strings too. */
static const char *string_end(struct wy_lex *l, const char *p, bool formatted, unsigned nesting) {
    char quote = *p;
    formatted = formatted && l->nested_fstrings;
    if (l->end - p >= 3 && p[1] == quote && p[2] == quote)
        return triple_end(l, p + 3, quote, formatted, nesting);
    return single_end(l, p + 1, quote, formatted, nesting);
}

/* ---- skipping ---- */

static const char *comment_end(const struct wy_lex *l, const char *p) {
    const char *nl = memchr(p, '\n', (size_t)(l->end - p));
    return nl ? nl : l->end;
}

/* p at a backslash outside strings: behind the newline it hides, else behind itself. */
static const char *joined_line(struct wy_lex *l, const char *p) {
    p++;
    if (p < l->end && *p == '\r')
        p++;
    if (p < l->end && *p == '\n') {
        l->line++;
        p++;
    }
    return p;
}

static void close_bracket(struct wy_lex *l) {
    if (l->depth)
        l->depth--;
    else
        wy_lex_problem(l, "a bracket is closed that was not opened");
}

const char *wy_lex_past(struct wy_lex *l, const char *p) {
    switch (*p) {
    case '#':
        return comment_end(l, p);
    case '"':
    case '\'':
        return string_end(l, p, l->nested_fstrings && formatted_before(l, p), 0);
    case '\\':
        return joined_line(l, p);
    default:
        wy_lex_problem(l, "a NUL byte");
        return p + 1;
    }
}

char wy_lex_skip(struct wy_lex *l, bool whole_line) {
    const char *p = l->p, *end = l->end;
    for (;;) {
        while (end - p >= 4 && !is(p[0], SPECIAL) && !is(p[1], SPECIAL) && !is(p[2], SPECIAL) &&
               !is(p[3], SPECIAL))
            p += 4;
        while (p < end && !is(*p, SPECIAL))
            p++;
        if (p == end)
            break;
        switch (*p) {
        case '\n':
            l->line++;
            p++;
            if (l->depth == 0) {
                l->p = p;
                return '\n';
            }
            break;
        case ';':
            p++;
            if (l->depth == 0 && !whole_line) {
                l->p = p;
                return ';';
            }
            break;
        case '(':
        case '[':
        case '{':
            l->depth++;
            p++;
            break;
        case ')':
        case ']':
        case '}':
            close_bracket(l);
            p++;
            break;
        default:
            p = wy_lex_past(l, p);
        }
    }
    l->p = p;
    if (l->depth)
        wy_lex_problem(l, "a bracket is not closed");
    l->depth = 0;
    return 0;
}

int wy_lex_indent(struct wy_lex *l) {
    const char *p = l->p, *end = l->end;
    for (;;) {
        const char *spaces = p;
        while (p < end && *p == ' ')
            p++;
        int column = p - spaces > 1 << 20 ? 1 << 20 : (int)(p - spaces);
        for (; p < end; p++) {
            if (*p == ' ')
                column++;
            else if (*p == '\t')
                column = (column / 8 + 1) * 8;
            else if (*p == '\f')
                column = 0;
            else if (*p != '\r')
                break;
            if (column > 1 << 20)
                column = 1 << 20;
        }
        if (p < end && *p == '#')
            p = comment_end(l, p);
        if (p == end || *p != '\n') {
            l->p = p;
            return p == end ? -1 : column;
        }
        l->line++;
        p++;
    }
}

/* ---- tokens ---- */

static const char *word_end(const struct wy_lex *l, const char *p) {
    while (p < l->end && is(*p, WORD))
        p++;
    return p;
}

static const char *digits_end(const struct wy_lex *l, const char *p) {
    while (p < l->end && (is(*p, DIGIT) || *p == '_'))
        p++;
    return p;
}

/* "1_000", "0x1f", "1.5e-3", "2j". What follows at once is another token: `1if x`, `1..real`. */
static const char *number_end(const struct wy_lex *l, const char *p) {
    if (*p == '0' && l->end - p > 1 && strchr("xXoObB", p[1]) && p[1]) {
        bool hex = (p[1] | 32) == 'x';
        p += 2;
        while (p < l->end &&
               (is(*p, DIGIT) || *p == '_' || (hex && ((*p | 32) >= 'a' && (*p | 32) <= 'f'))))
            p++;
        return p;
    }
    p = digits_end(l, p);
    if (p < l->end && *p == '.')
        p = digits_end(l, p + 1);
    if (p < l->end && (*p | 32) == 'e') {
        const char *e = p + 1;
        e += e < l->end && (*e == '-' || *e == '+');
        if (e < l->end && is(*e, DIGIT))
            p = digits_end(l, e);
    }
    return p + (p < l->end && (*p | 32) == 'j');
}

static size_t operator_length(const char *p, const char *end) {
    char c = p[0], next = end - p > 1 ? p[1] : '\0', third = end - p > 2 ? p[2] : '\0';
    if (c == next && (c == '*' || c == '/' || c == '<' || c == '>'))
        return third == '=' ? 3 : 2;
    if (c == '.' && next == '.' && third == '.')
        return 3;
    if (next == '=' && c && strchr("=!<>+-*/%&|^@:", c))
        return 2;
    return (c == '-' || c == '<') && next == '>' ? 2 : 1;
}

/* Passes blanks, comments, joined lines and newlines inside brackets. */
static void skip_blank(struct wy_lex *l) {
    while (l->p < l->end) {
        char c = *l->p;
        if (is(c, BLANK)) {
            l->p++;
        } else if (c == '#') {
            l->p = comment_end(l, l->p);
        } else if (c == '\\') {
            l->p = joined_line(l, l->p);
        } else if (c == '\n' && l->depth) {
            l->line++;
            l->p++;
        } else {
            return;
        }
    }
}

static struct wy_token token(struct wy_lex *l, enum wy_token_kind kind, const char *to) {
    struct wy_token t = {.kind = kind, .text = {l->p, (size_t)(to - l->p)}, .line = l->line};
    l->p = to;
    return t;
}

static struct wy_token operator_token(struct wy_lex *l, size_t n) {
    struct wy_token t = token(l, WY_T_OP, l->p + n);
    for (size_t i = 0; i < n; i++)
        t.op |= (uint32_t)(unsigned char)t.text.p[i] << 8 * i;
    return t;
}

/* A name, or a string when it is the string's prefix. */
static struct wy_token name_or_string(struct wy_lex *l) {
    const char *e = word_end(l, l->p);
    if (e < l->end && (*e == '"' || *e == '\'') && e - l->p <= 2) {
        bool prefix = true, formatted = false;
        for (const char *q = l->p; q < e; q++) {
            prefix = prefix && is_prefix_letter(*q);
            formatted = formatted || (*q | 32) == 'f' || (*q | 32) == 't';
        }
        if (prefix)
            return token(l, WY_T_STRING, string_end(l, e, formatted, 0));
    }
    return token(l, WY_T_NAME, e);
}

static struct wy_token op(struct wy_lex *l) {
    switch (*l->p) {
    case '(':
    case '[':
    case '{':
        l->depth++;
        return operator_token(l, 1);
    case ')':
    case ']':
    case '}':
        close_bracket(l);
        return operator_token(l, 1);
    case '\0':
        wy_lex_problem(l, "a NUL byte");
        return operator_token(l, 1);
    default:
        return operator_token(l, operator_length(l->p, l->end));
    }
}

static struct wy_token next_token(struct wy_lex *l) {
    char c = *l->p;
    if (c == '\n') {
        l->line++;
        return token(l, WY_T_NEWLINE, l->p + 1);
    }
    if (c == '"' || c == '\'')
        return token(l, WY_T_STRING, string_end(l, l->p, false, 0));
    if (is(c, DIGIT) || (c == '.' && l->end - l->p > 1 && is(l->p[1], DIGIT)))
        return token(l, WY_T_NUMBER, number_end(l, l->p));
    if (is(c, WORD))
        return name_or_string(l);
    return op(l);
}

struct wy_token wy_lex_next(struct wy_lex *l) {
    skip_blank(l);
    unsigned line = l->line;
    if (l->p == l->end) {
        if (l->depth)
            wy_lex_problem(l, "a bracket is not closed");
        l->depth = 0;
        return (struct wy_token){.kind = WY_T_END, .line = line};
    }
    struct wy_token t = next_token(l);
    t.line = line; /* a string may end on another line */
    return t;
}

struct wy_token wy_lex_peek(const struct wy_lex *l) {
    struct wy_lex copy = *l;
    return wy_lex_next(&copy);
}
