/* The parser's state, and what its files ask of each other. Private to the room.
 *
 * A recursive descent with one token in hand. A list under way lies on a stack of the parser and is
 * copied to the arena when it is complete. After wy_parse_fail every token is END, so all loops and
 * all recursion come to an end by themselves; what they then return is not looked at. */
#ifndef WY_SOURCE_PARSE_H
#define WY_SOURCE_PARSE_H

#include "base/vec.h"
#include "source/ast.h"
#include "source/lex.h"

/* Python's reference 2.3.1. A number of its own for each, beyond all operators (wy_token.op). */
enum wy_keyword {
    WY_KW_FALSE = 1 << 24,
    WY_KW_NONE,
    WY_KW_TRUE,
    WY_KW_AND,
    WY_KW_AS,
    WY_KW_ASSERT,
    WY_KW_ASYNC,
    WY_KW_AWAIT,
    WY_KW_BREAK,
    WY_KW_CLASS,
    WY_KW_CONTINUE,
    WY_KW_DEF,
    WY_KW_DEL,
    WY_KW_ELIF,
    WY_KW_ELSE,
    WY_KW_EXCEPT,
    WY_KW_FINALLY,
    WY_KW_FOR,
    WY_KW_FROM,
    WY_KW_GLOBAL,
    WY_KW_IF,
    WY_KW_IMPORT,
    WY_KW_IN,
    WY_KW_IS,
    WY_KW_LAMBDA,
    WY_KW_NONLOCAL,
    WY_KW_NOT,
    WY_KW_OR,
    WY_KW_PASS,
    WY_KW_RAISE,
    WY_KW_RETURN,
    WY_KW_TRY,
    WY_KW_WHILE,
    WY_KW_WITH,
    WY_KW_YIELD,
};
/* 0 when it is none. */
uint32_t wy_keyword(struct wy_str word);

struct wy_parse {
    struct wy_lex lex;
    struct wy_token at; /* the token in hand; `op` is set for keywords too */
    int column;         /* of the logical line in hand, -1 at the end of the text */
    unsigned depth;     /* expressions open inside each other */
    unsigned indents;
    bool yields;      /* the function whose text is read contains a yield */
    uint32_t nodes;   /* of the whole file so far */
    uint32_t text_at; /* of what is read, in the file */
    struct wy_intern *names;
    struct wy_arena *arena;
    const char *problem; /* the first one */
    unsigned problem_line;
    WY_VEC(const struct wy_expr *) exprs;
    WY_VEC(struct wy_argument) arguments;
    WY_VEC(struct wy_loop) loops;
    WY_VEC(struct wy_parameter) parameters;
    WY_VEC(struct wy_stmt) stmts;
    WY_VEC(struct wy_alias) aliases;
    WY_VEC(struct wy_handler) handlers;
    WY_VEC(struct wy_with_item) with_items;
    WY_VEC(struct wy_match_case) cases;
    WY_VEC(const char *) words;
    WY_VEC(uint8_t) ops;
    WY_VEC(char) text; /* of a string under way */
};

/* Takes the items from `mark` on off a stack, into a counted array of the arena. */
#define WY_PARSE_TAKE(p, stack, mark, to)                                                          \
    ((to)->n = (uint32_t)((p)->stack.n - (mark)),                                                  \
     (to)->v = wy_parse_keep((p), (p)->stack.v ? (p)->stack.v + (mark) : NULL,                     \
                             (to)->n * sizeof *(p)->stack.v),                                      \
     (p)->stack.n = (mark))

/* ---- parse.c: tokens and lists ---- */
void wy_parse_fail(struct wy_parse *p, const char *what);
void wy_parse_advance(struct wy_parse *p);
void wy_parse_count(struct wy_parse *p); /* one expression or statement more */
void *wy_parse_keep(struct wy_parse *p, const void *v, size_t bytes);
/* The first token of the next logical line, and its column. */
void wy_parse_next_line(struct wy_parse *p);
static inline bool wy_parse_at(const struct wy_parse *p, uint32_t op) {
    return p->at.op == op;
}
bool wy_parse_accept(struct wy_parse *p, uint32_t op);
void wy_parse_expect(struct wy_parse *p, uint32_t op, const char *what);
bool wy_parse_at_name(const struct wy_parse *p); /* a name that is no keyword */
const char *wy_parse_name(struct wy_parse *p);   /* takes one; "" after a failure */
const char *wy_parse_dotted(struct wy_parse *p); /* a . b . c */

/* ---- parse_expr.c ---- */
struct wy_expr *wy_parse_new(struct wy_parse *p, enum wy_expr_kind kind, unsigned line);
/* The node with its depth, once its parts are set; OPAQUE when it would be too deep. */
const struct wy_expr *wy_parse_done(struct wy_expr *e);
const struct wy_expr *wy_parse_opaque(struct wy_parse *p);
/* One level deeper, until p->depth--; false, and a problem, at the limit. */
bool wy_parse_enter(struct wy_parse *p);
bool wy_parse_starts_expr(const struct wy_parse *p);
const struct wy_expr *wy_parse_expr(struct wy_parse *p);        /* also lambda and a if b else c */
const struct wy_expr *wy_parse_named(struct wy_parse *p);       /* and name := … */
const struct wy_expr *wy_parse_star_named(struct wy_parse *p);  /* and *a */
const struct wy_expr *wy_parse_exprs(struct wy_parse *p);       /* with a comma: a tuple */
const struct wy_expr *wy_parse_named_exprs(struct wy_parse *p); /* the same, and name := … */
const struct wy_expr *wy_parse_value(struct wy_parse *p);       /* and yield */
const struct wy_expr *wy_parse_or(struct wy_parse *p);          /* without lambda and if */
const struct wy_expr *wy_parse_target(struct wy_parse *p);      /* without `in`; *a too */
const struct wy_expr *wy_parse_targets(struct wy_parse *p);     /* with a comma: a tuple */
/* ---- parse_atom.c ---- */
const struct wy_expr *wy_parse_primary(struct wy_parse *p);
void wy_parse_arguments(struct wy_parse *p); /* behind '(': onto the stack, past ')' */
/* ---- literal.c, fstring.c ---- */
const struct wy_expr *wy_parse_number(struct wy_parse *p);
const struct wy_expr *wy_parse_strings(struct wy_parse *p);

struct wy_literal { /* one string token, taken apart */
    const char *p, *end;
    unsigned line; /* of p */
    bool raw, bytes, formatted, template;
};
/* What stands at a backslash: its value onto p->text; returns behind it. */
const char *wy_literal_escape(struct wy_parse *p, const char *at, const char *end, bool bytes,
                              bool *named);
/* The parts of an f-string, complete fields onto p->exprs. Text goes to p->text from `text` on, and
 * what is behind the last field stays there. */
void wy_literal_fstring(struct wy_parse *p, const struct wy_literal *l, size_t text, bool *named);
void wy_literal_flush(struct wy_parse *p, size_t text, unsigned line);
/* `e` from the fields that stand on p->exprs from `items` on and the text from `text` on, which are
 * taken away: without fields it is a string. A name of a character (`named`) makes it not known. */
const struct wy_expr *wy_literal_finish(struct wy_parse *p, struct wy_expr *e, size_t items,
                                        size_t text, bool named);
/* ---- parse_def.c ---- */
const struct wy_expr *wy_parse_lambda(struct wy_parse *p);
void wy_parse_def(struct wy_parse *p, unsigned line, bool async, struct wy_exprs decorators);
/* The text of a function behind its name: parameters and body. */
void wy_parse_function(struct wy_parse *p, struct wy_function *f);
void wy_parse_class(struct wy_parse *p, struct wy_exprs decorators);
void wy_parse_decorated(struct wy_parse *p);
void wy_parse_skip_brackets(struct wy_parse *p); /* at '[': past its end */
/* Past an annotation, of which `expression` reads any. */
void wy_parse_annotation(struct wy_parse *p,
                         const struct wy_expr *(*expression)(struct wy_parse *p));
/* ---- parse_stmt.c, parse_block.c, parse_match.c: statements go onto p->stmts ---- */
void wy_parse_line(struct wy_parse *p); /* a logical line, with the block below it */
void wy_parse_simple(struct wy_parse *p);
bool wy_parse_compound(struct wy_parse *p); /* false: the line begins none */
bool wy_parse_match(struct wy_parse *p);    /* false: `match` is a name here */
/* At ':': the statements behind it, on its line or in a block further in than `column`. */
struct wy_body wy_parse_block(struct wy_parse *p, int column);
/* All lines of one column from here on. */
struct wy_body wy_parse_lines(struct wy_parse *p, int column);
/* A zeroed statement at the token in hand. */
struct wy_stmt wy_parse_stmt(const struct wy_parse *p, enum wy_stmt_kind kind);

/* ---- complaint.c ---- */

/* Problems of which CPython says something of its own. */
#define WY_NO_COLON "the colon of a block is missing"
#define WY_NO_BLOCK "a block is missing"
#define WY_NO_BRACKET "a bracket is missing"
#define WY_NO_HANDLER "a `try` has neither `except` nor `finally`"

/* Sets `said` of a tree with a problem, as far as it is known. */
void wy_source_complain(struct wy_source_tree *tree);

#endif
