/* Python source → statements and expressions (Python's reference, chapters 2, 3, 6 to 8; 3.8 to
 * 3.14). Bodies of functions are kept as text and parsed when they are asked for: of what an import
 * runs through, two thirds is never called.
 *
 * Names are interned by the caller's table, so two names are equal when their pointers are. The
 * text is borrowed while it is read; wy_source_body needs a part of it again. Annotations are read
 * over: no import follows them. Everything else is in the arena given. Nothing fails: what cannot
 * be read ends the list it stands in and sets `problem`. */
#ifndef WY_SOURCE_AST_H
#define WY_SOURCE_AST_H

#include "base/intern.h"
#include "base/mem.h"

/* A file larger than that, and code nested deeper, is a problem. CPython's own limits are 200
 * brackets (MAXLEVEL) and 100 indents (MAXINDENT in Parser/tokenizer.h). A tree is at most
 * MAX_DEPTH deep, also along `a + b + …` and `a.b.c…`: a part that would be deeper is OPAQUE; an
 * `if` with more arms than that is a problem. So the tree can be gone through by recursion. */
enum {
    WY_SOURCE_MAX_BYTES = 16 << 20,
    WY_SOURCE_MAX_NESTING = 200,
    WY_SOURCE_MAX_INDENTS = 100,
    WY_SOURCE_MAX_DEPTH = 1000,
    WY_SOURCE_MAX_NODES = 1 << 20, /* expressions and statements of one file, read so far */
};

struct wy_expr;
struct wy_stmt;
struct wy_function;

struct wy_exprs {
    const struct wy_expr **v;
    uint32_t n;
};
struct wy_body {
    const struct wy_stmt *v;
    uint32_t n;
};

enum wy_expr_kind {
    WY_E_NONE,
    WY_E_TRUE,
    WY_E_FALSE,
    WY_E_ELLIPSIS,
    WY_E_INT,     /* number; one that does not fit in 63 bits is WY_E_OPAQUE */
    WY_E_FLOAT,   /* text as written; imaginary numbers too */
    WY_E_STRING,  /* text: the value, escapes resolved, neighbours joined; UTF-8, lone surrogates
                     as three bytes */
    WY_E_BYTES,   /* text: the value */
    WY_E_FSTRING, /* items: WY_E_STRING parts and WY_E_FIELD; also t-strings (op is 't') */
    WY_E_FIELD,   /* a: the expression of {…}; op: 'r', 's', 'a' or 0; b: format specification (a
                     STRING or FSTRING) or NULL */
    WY_E_NAME,    /* name */
    WY_E_ATTRIBUTE, /* a . name */
    WY_E_SUBSCRIPT, /* a [ b ]; several indices make b a tuple */
    WY_E_SLICE,     /* a : b : c, each may be NULL */
    WY_E_CALL,      /* a ( arguments ) */
    WY_E_LIST,      /* items; WY_E_STAR among them */
    WY_E_TUPLE,
    WY_E_SET,
    WY_E_DICT,     /* items: key, value, key, value …; key NULL: ** of the value */
    WY_E_LISTCOMP, /* a: element; loops */
    WY_E_SETCOMP,
    WY_E_DICTCOMP, /* a: key, b: value; loops */
    WY_E_GENERATOR,
    WY_E_LAMBDA, /* function, whose body is one return */
    WY_E_UNARY,  /* op: enum wy_op; a */
    WY_E_BINARY, /* a op b */
    WY_E_AND,    /* items, two or more */
    WY_E_OR,
    WY_E_COMPARE, /* a, then items compared by wy_compare_op(e, i) one after the other */
    WY_E_IF,      /* a if b else c */
    WY_E_STAR,    /* * a, in displays, targets and subscripts */
    WY_E_WALRUS,  /* name := a */
    WY_E_YIELD,   /* a or NULL */
    WY_E_YIELD_FROM,
    WY_E_AWAIT,
    WY_E_OPAQUE, /* something that was read over */
};

enum wy_op {
    WY_OP_ADD,
    WY_OP_SUB,
    WY_OP_MUL,
    WY_OP_MATMUL,
    WY_OP_DIV,
    WY_OP_FLOORDIV,
    WY_OP_MOD,
    WY_OP_POW,
    WY_OP_LSHIFT,
    WY_OP_RSHIFT,
    WY_OP_AND,
    WY_OP_OR,
    WY_OP_XOR, /* binary and augmented */
    WY_OP_NOT,
    WY_OP_NEG,
    WY_OP_POS,
    WY_OP_INVERT, /* unary */
    WY_OP_EQ,
    WY_OP_NE,
    WY_OP_LT,
    WY_OP_LE,
    WY_OP_GT,
    WY_OP_GE, /* compare */
    WY_OP_IN,
    WY_OP_NOT_IN,
    WY_OP_IS,
    WY_OP_IS_NOT,
};

struct wy_argument {
    const char *name; /* keyword; NULL: by position */
    uint8_t stars;    /* 1: *value, 2: **value */
    const struct wy_expr *value;
};

struct wy_loop { /* one `for … in …` of a comprehension, with the `if`s behind it */
    const struct wy_expr *target, *over;
    struct wy_exprs ifs;
};

struct wy_expr {
    uint8_t kind; /* enum wy_expr_kind */
    uint8_t op;
    uint16_t depth; /* of the tree below and with it, 1 to WY_SOURCE_MAX_DEPTH */
    uint32_t line;  /* 1-based, where it begins */
    union {
        const char *name;             /* NAME, ATTRIBUTE, WALRUS */
        struct wy_str text;           /* FLOAT, STRING, BYTES */
        int64_t number;               /* INT */
        struct wy_exprs items;        /* LIST, TUPLE, SET, DICT, AND, OR, COMPARE, FSTRING */
        struct wy_function *function; /* LAMBDA */
        struct {
            const struct wy_argument *v;
            uint32_t n;
        } arguments; /* CALL */
        struct {
            const struct wy_loop *v;
            uint32_t n;
        } loops;                 /* the comprehensions */
        const struct wy_expr *c; /* SLICE, IF: see wy_expr_third */
    };
    const struct wy_expr *a, *b;
};

/* The third part, of the kinds that have one. */
static inline const struct wy_expr *wy_expr_third(const struct wy_expr *e) {
    return e->kind == WY_E_SLICE || e->kind == WY_E_IF ? e->c : NULL;
}

/* Of a COMPARE: enum wy_op before item i. They lie behind the items. */
static inline uint8_t wy_compare_op(const struct wy_expr *e, uint32_t i) {
    return ((const uint8_t *)(e->items.v + e->items.n))[i];
}

enum wy_stmt_kind {
    WY_S_EXPR,     /* value; a docstring in three quotes is a PASS */
    WY_S_ASSIGN,   /* targets = … = value */
    WY_S_AUGMENT,  /* targets.v[0] op= value */
    WY_S_ANNOTATE, /* targets.v[0] : … [= value]; value NULL when it only annotates */
    WY_S_DELETE,   /* targets */
    WY_S_RETURN,   /* value or NULL */
    WY_S_RAISE,    /* value or NULL, from value2 or NULL */
    WY_S_ASSERT,   /* value, value2 or NULL */
    WY_S_PASS,
    WY_S_BREAK,
    WY_S_CONTINUE,
    WY_S_GLOBAL,   /* names */
    WY_S_NONLOCAL, /* names */
    WY_S_IMPORT,   /* imports: `import a.b as c, d` */
    WY_S_FROM,     /* from level × "." name import imports; star: imports.n is 0 */
    WY_S_IF,       /* value, body, orelse (an elif is an IF alone in orelse) */
    WY_S_WHILE,    /* value, body, orelse */
    WY_S_FOR,      /* targets.v[0] in value: body, orelse; also async */
    WY_S_TRY,      /* body, handlers, orelse, finally */
    WY_S_WITH,     /* with_items, body; also async */
    WY_S_DEF,      /* function */
    WY_S_CLASS,    /* name, arguments (bases and keywords), decorators, body */
    WY_S_MATCH,    /* value, cases */
    WY_S_TYPE,     /* type NAME = …: binds name to something not known */
};

struct wy_alias {     /* one name of an import */
    const char *name; /* dotted for `import`, interned */
    const char *as;   /* NULL */
    uint32_t line;
};
struct wy_handler {
    const struct wy_expr *type; /* NULL: everything */
    const char *as;             /* NULL */
    bool star;                  /* except* */
    uint32_t line;
    struct wy_body body;
};
struct wy_with_item {
    const struct wy_expr *value, *target; /* target may be NULL */
};
struct wy_match_case {
    const struct wy_expr *pattern; /* literals, dotted names, alternatives (BINARY OR); a NAME (also
                                      `_`) takes everything; other patterns: OPAQUE */
    struct wy_exprs binds;         /* NAMEs that the pattern binds; `_` never */
    const struct wy_expr *guard;   /* NULL */
    struct wy_body body;
};

/* Small, for there are hundreds of thousands: what no kind has together lies in one place. */
/* What dataclasses make of an annotated name, by the text of its annotation. */
enum wy_annotation {
    WY_ANNOTATION_PLAIN,     /* a field */
    WY_ANNOTATION_CLASS_VAR, /* none */
    WY_ANNOTATION_SPECIAL /* InitVar, KW_ONLY: an argument only; what stands behind is keyword-only
                           */
};

struct wy_stmt {
    uint8_t kind;  /* enum wy_stmt_kind */
    uint8_t op;    /* AUGMENT: enum wy_op; ANNOTATE: enum wy_annotation */
    bool star;     /* FROM: import * */
    uint8_t level; /* FROM, at most 255 */
    uint32_t line; /* 1-based, of the first word (a decorated def: of `def`) */
    union {
        const struct wy_expr *value; /* see wy_stmt_value */
        const char *name;            /* FROM: dotted, "" for none; CLASS, TYPE */
    };
    union {
        struct wy_exprs targets;    /* see wy_stmt_targets */
        struct wy_exprs decorators; /* CLASS */
        struct wy_body finally;     /* TRY */
    };
    union {
        struct wy_body body;
        const struct wy_expr *value2; /* RAISE, ASSERT: body.n is 0 */
    };
    struct wy_body orelse;
    union {
        struct wy_function *function; /* DEF */
        struct {
            const struct wy_alias *v;
            uint32_t n;
        } imports;
        struct {
            const struct wy_handler *v;
            uint32_t n;
        } handlers;
        struct {
            const struct wy_with_item *v;
            uint32_t n;
        } with_items;
        struct {
            const struct wy_match_case *v;
            uint32_t n;
        } cases;
        struct {
            const char **v;
            uint32_t n;
        } names;
        struct {
            const struct wy_argument *v;
            uint32_t n;
        } arguments;
    };
};

/* Parts that a statement has or not, whatever its kind. */
static inline const struct wy_expr *wy_stmt_value(const struct wy_stmt *s) {
    return s->kind == WY_S_FROM || s->kind == WY_S_CLASS || s->kind == WY_S_TYPE ? NULL : s->value;
}
static inline const struct wy_expr *wy_stmt_value2(const struct wy_stmt *s) {
    return s->kind == WY_S_RAISE || s->kind == WY_S_ASSERT ? s->value2 : NULL;
}
static inline struct wy_exprs wy_stmt_targets(const struct wy_stmt *s) { /* or decorators */
    return s->kind == WY_S_TRY ? (struct wy_exprs){NULL, 0} : s->targets;
}
static inline struct wy_body wy_stmt_finally(const struct wy_stmt *s) {
    return s->kind == WY_S_TRY ? s->finally : (struct wy_body){NULL, 0};
}

enum wy_parameter_kind {
    WY_PARAM_POSITIONAL_ONLY,
    WY_PARAM_PLAIN,
    WY_PARAM_STAR,
    WY_PARAM_KEYWORD_ONLY,
    WY_PARAM_STARS
};
struct wy_parameter {
    const char *name;
    uint8_t kind;                        /* enum wy_parameter_kind */
    const struct wy_expr *default_value; /* NULL */
};

struct wy_function {
    const char *name; /* "<lambda>" */
    struct wy_exprs decorators;
    bool async;
    uint32_t line;
    /* known once wy_source_body was called */
    const struct wy_parameter *parameters;
    uint32_t nparameters;
    /* private, see wy_source_body */
    uint32_t text_at, text_n; /* of all behind the name, in the file; a lambda is parsed at once */
    uint32_t text_line;
    bool parsed;
    bool yields; /* contains yield (known when parsed) */
    struct wy_body body;
};

struct wy_source_tree {
    struct wy_body body;
    const char *problem; /* NULL, or what could not be read; `body` then ends before it */
    uint32_t problem_line;
    const char *said; /* by CPython when it refuses that file; NULL when it is not known */
    uint32_t said_line;
    const char *said_class; /* of the exception */
    /* private */
    struct wy_str text;
    uint32_t text_at; /* of `text` in the file: behind a byte order mark */
    bool copied;      /* `text` is not as the file has it */
    struct wy_intern *names;
    struct wy_arena *arena;
    unsigned minor;
    uint32_t nodes;
};

/* Reads one file. `minor`: of Python 3.MINOR, for what differs (PEP 701 f-strings from 12). */
void wy_source_parse(struct wy_str text, unsigned minor, struct wy_intern *names,
                     struct wy_arena *a, struct wy_source_tree *ret);
/* The body of a function of that file, which with its parameters is parsed at the first call. One
 * that cannot be read is empty and sets the tree's `problem` if it had none. */
const struct wy_body *wy_source_body(struct wy_source_tree *t, struct wy_function *f);
/* Ends the loan of the text: of most files nothing is needed again. */
void wy_source_forget(struct wy_source_tree *t);
/* Bodies are read into these from now on; the names are of one common table. */
void wy_source_move(struct wy_source_tree *t, struct wy_intern *names, struct wy_arena *a);
/* Whether wy_source_body would need text that is forgotten: the bytes [text_at, text_at + text_n)
 * of the file, which wy_source_body_from then takes. */
bool wy_source_wants(const struct wy_source_tree *t, const struct wy_function *f);
const struct wy_body *wy_source_body_from(struct wy_source_tree *t, struct wy_function *f,
                                          struct wy_str text);
/* Reads one expression or a few statements given as text (exec and eval of a constant string). */
void wy_source_parse_text(struct wy_str text, unsigned minor, struct wy_intern *names,
                          struct wy_arena *a, struct wy_source_tree *ret);

#endif
