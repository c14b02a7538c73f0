/* The statement reader's state. Private to the room: read.c has blocks, simple.c what stands in
 * them. */
#ifndef WY_SOURCE_READ_H
#define WY_SOURCE_READ_H

#include "source/cond.h"

enum wy_chain_kind { WY_CHAIN_NONE, WY_CHAIN_IF, WY_CHAIN_TRY, WY_CHAIN_LOOP };

/* A compound statement with several parts that may still go on at the same column. */
struct wy_chain {
    enum wy_chain_kind kind;
    int column;
    bool has_else, taken, unknown_seen; /* IF: an arm's condition holds; one was not known */
    unsigned arms;                      /* IF: those that can run */
    uint32_t parent, first_block;       /* TRY: first_block is the body */
    uint32_t last_handler;              /* TRY: the body or the last handler so far */
    size_t first_stmt;                  /* index of the first import in it */
};

/* A block that the current line stands in; its lines are further in than `column`. */
struct wy_open_block {
    int column;
    uint32_t block;        /* index in blocks */
    bool skipped;          /* a function body */
    bool in_class;         /* names bound here are not the module's */
    struct wy_chain chain; /* the compound statement read last, directly in this block */
};

struct wy_read {
    struct wy_lex lex;
    const struct wy_source_env *env;
    struct wy_arena *arena;
    WY_VEC(struct wy_source_block) blocks;
    WY_VEC(struct wy_open_block) open;
    WY_VEC(struct wy_import_stmt) imports;
    WY_VEC(struct wy_binding) defined;
    struct wy_map constants; /* name → const struct wy_token *: its one value, or a blank token */
    WY_VEC(struct wy_token) tokens; /* of the header read last */
    bool too_long;                  /* it had more than are kept */
    bool inline_body;               /* the body follows on the same line */
    bool has_getattr;
};

struct wy_open_block *wy_read_top(struct wy_read *r);
/* A name is bound here (ignored inside classes), to the constant `value` or (NULL) to something
 * else. */
void wy_read_bind(struct wy_read *r, struct wy_str name, const struct wy_token *value);
/* The rest of a simple statement that begins with `word`. True when another statement follows on
 * the line. */
bool wy_read_simple(struct wy_read *r, struct wy_str word);
/* What a handler for the class of that name catches: enum wy_exception bits. */
unsigned wy_caught_by(struct wy_str name);

#endif
