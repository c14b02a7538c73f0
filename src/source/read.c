#include "source/read.h"

/* Exceptions that ImportError, ModuleNotFoundError and OSError are caught by, and the built-in
 * classes that catch none of them. A name that is in neither list is taken to catch everything: a
 * package's own alias mostly stands for import errors. */
unsigned wy_caught_by(struct wy_str name) {
    static const struct {
        const char *name;
        unsigned bits;
    } known[] = {
        {"Exception", WY_EX_IMPORT | WY_EX_NOT_FOUND | WY_EX_OS | WY_EX_OTHER},
        {"BaseException", WY_EX_IMPORT | WY_EX_NOT_FOUND | WY_EX_OS | WY_EX_OTHER},
        {"ImportError", WY_EX_IMPORT | WY_EX_NOT_FOUND},
        {"ModuleNotFoundError", WY_EX_NOT_FOUND},
        {"PackageNotFoundError", 0},
        {"OSError", WY_EX_OS},
        {"IOError", WY_EX_OS},
        {"EnvironmentError", WY_EX_OS},
        {"WindowsError", 0},
        {"AttributeError", 0},
        {"NameError", 0},
        {"TypeError", 0},
        {"ValueError", 0},
        {"KeyError", 0},
        {"IndexError", 0},
        {"LookupError", 0},
        {"RuntimeError", 0},
        {"NotImplementedError", 0},
        {"RecursionError", 0},
        {"SyntaxError", 0},
        {"AssertionError", 0},
        {"ArithmeticError", 0},
        {"ZeroDivisionError", 0},
        {"OverflowError", 0},
        {"UnicodeError", 0},
        {"UnicodeDecodeError", 0},
        {"UnicodeEncodeError", 0},
        {"FileNotFoundError", 0},
        {"PermissionError", 0},
        {"FileExistsError", 0},
        {"StopIteration", 0},
        {"KeyboardInterrupt", 0},
        {"SystemExit", 0},
        {"GeneratorExit", 0},
        {"MemoryError", 0},
        {"Warning", 0},
        {"UserWarning", 0},
        {"DeprecationWarning", 0},
        {"ImportWarning", 0},
        {"DistributionNotFound", 0},
        {"VersionConflict", 0},
        {"error", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (wy_str_is(name, known[i].name))
            return known[i].bits;
    return WY_EX_IMPORT | WY_EX_NOT_FOUND | WY_EX_OS | WY_EX_OTHER;
}

/* ---- blocks ---- */

struct wy_open_block *wy_read_top(struct wy_read *r) {
    return &r->open.v[r->open.n - 1];
}

static uint32_t add_block(struct wy_read *r, enum wy_block_kind kind, enum wy_guard guard) {
    *wy_vec_add(&r->blocks) = (struct wy_source_block){
        .kind = kind, .parent = wy_read_top(r)->block, .guard = guard, .line = r->lex.line};
    return (uint32_t)(r->blocks.n - 1);
}

/* From here on statements stand in `block`, until a line that is not further in than `column`. */
static void enter(struct wy_read *r, int column, uint32_t block) {
    struct wy_open_block *outer = wy_read_top(r);
    struct wy_open_block b = {.column = column, .block = block, .in_class = outer->in_class};
    if (r->open.n > WY_SOURCE_MAX_NESTING) {
        wy_lex_problem(&r->lex, "blocks are nested too deeply");
        b.skipped = true;
    }
    wy_vec_push(&r->open, b);
}

static void chain_begin(struct wy_read *r, enum wy_chain_kind kind, int column) {
    struct wy_open_block *at = wy_read_top(r);
    at->chain = (struct wy_chain){.kind = kind,
                                  .column = column,
                                  .parent = at->block,
                                  .first_block = (uint32_t)r->blocks.n,
                                  .first_stmt = r->imports.n};
}

/* ---- an import that stands in every arm ---- */

static bool same_import(const struct wy_import_stmt *a, const struct wy_import_stmt *b) {
    if (a->level != b->level || !wy_same(a->module, b->module))
        return false;
    if (a->module[0])
        return true;
    for (size_t i = 0; i < a->nnames; i++) {
        bool found = false;
        for (size_t j = 0; j < b->nnames && !found; j++)
            found = wy_same(a->names[i], b->names[j]);
        if (!found)
            return false;
    }
    return a->nnames == b->nnames;
}

/* Whether arm `block` holds an import like `stmt` among the statements of its chain. */
static bool arm_has(const struct wy_read *r, const struct wy_chain *c, uint32_t block,
                    const struct wy_import_stmt *stmt) {
    for (size_t i = c->first_stmt; i < r->imports.n; i++)
        if (r->imports.v[i].block == block && same_import(&r->imports.v[i], stmt))
            return true;
    return false;
}

static bool all_arms_have(const struct wy_read *r, const struct wy_chain *c,
                          const struct wy_import_stmt *stmt) {
    for (size_t b = c->first_block; b < r->blocks.n; b++) {
        const struct wy_source_block *arm = &r->blocks.v[b];
        if (arm->parent == c->parent && arm->kind == WY_BLOCK_ARM && arm->guard != WY_NEVER &&
            !arm_has(r, c, (uint32_t)b, stmt))
            return false;
    }
    return true;
}

/* The `if` is read to its end. One of its arms runs for certain when it has an `else` (or a
 * condition known to hold): what all of them import is then imported for certain, so it moves to
 * the block around the `if`. torch ends both arms with `from torch._C import *`. */
static void chain_end(struct wy_read *r, struct wy_chain *c) {
    enum { MOST_STATEMENTS = 256, MOST_BLOCKS = 256 };
    if (c->kind == WY_CHAIN_IF && (c->has_else || c->taken) && c->arms >= 2 &&
        r->blocks.n - c->first_block <= MOST_BLOCKS &&
        r->imports.n - c->first_stmt <= MOST_STATEMENTS) {
        bool move[MOST_STATEMENTS] = {false};
        for (size_t i = c->first_stmt; i < r->imports.n; i++) {
            const struct wy_import_stmt *s = &r->imports.v[i];
            move[i - c->first_stmt] =
                r->blocks.v[s->block].parent == c->parent && s->block >= c->first_block &&
                r->blocks.v[s->block].guard == WY_MAYBE && all_arms_have(r, c, s);
        }
        for (size_t i = c->first_stmt; i < r->imports.n; i++)
            if (move[i - c->first_stmt])
                r->imports.v[i].block = c->parent;
    }
    c->kind = WY_CHAIN_NONE;
}

/* ---- conditions, handlers ---- */

/* Reads tokens up to the ':' of a compound statement. False when the line ends before it. */
static bool header(struct wy_read *r) {
    enum { MOST_TOKENS = 400 };
    unsigned lambdas = 0, depth = r->lex.depth;
    r->tokens.n = 0;
    r->too_long = false;
    for (;;) {
        struct wy_token t = wy_lex_next(&r->lex);
        if (t.kind == WY_T_END || t.kind == WY_T_NEWLINE)
            return false;
        if (r->lex.depth <= depth && wy_token_is(t, ":")) {
            if (lambdas == 0)
                return true;
            lambdas--;
        } else if (r->lex.depth <= depth && wy_token_is(t, "lambda")) {
            lambdas++;
        }
        if (r->tokens.n < MOST_TOKENS)
            wy_vec_push(&r->tokens, t);
        else
            r->too_long = true;
    }
}

/* The body of a compound statement begins: on the same line (it ends with it) or indented. */
static void body(struct wy_read *r, int column, uint32_t block) {
    struct wy_token t = wy_lex_peek(&r->lex);
    enter(r, column, block);
    if (t.kind == WY_T_NEWLINE || t.kind == WY_T_END) {
        wy_lex_next(&r->lex);
        return;
    }
    r->inline_body = true;
}

static void read_arm(struct wy_read *r, struct wy_chain *c, int column, bool has_condition) {
    enum wy_truth t = WY_YES;
    if (!header(r))
        return;
    if (has_condition)
        t = r->too_long ? WY_UNKNOWN : wy_cond(r->tokens.v, r->tokens.n, r->env, &r->constants);
    else
        c->has_else = true;
    enum wy_guard guard = c->taken || t == WY_NO            ? WY_NEVER
                          : t == WY_YES && !c->unknown_seen ? WY_MUST
                                                            : WY_MAYBE;
    c->taken = c->taken || t == WY_YES;
    c->unknown_seen = c->unknown_seen || t == WY_UNKNOWN;
    c->arms += guard != WY_NEVER;
    body(r, column, add_block(r, WY_BLOCK_ARM, guard));
}

/* `except A, (B.C, D) as e` in the tokens: every name's last part. Nothing catches everything. */
static unsigned handler_catches(const struct wy_read *r) {
    unsigned bits = 0;
    bool any = false;
    for (size_t i = 0; i < r->tokens.n; i++) {
        struct wy_token t = r->tokens.v[i];
        if (wy_token_is(t, "as"))
            break;
        bool last_part = i + 1 == r->tokens.n || !wy_token_is(r->tokens.v[i + 1], ".");
        if (t.kind == WY_T_NAME && last_part) {
            bits |= wy_caught_by(t.text);
            any = true;
        }
    }
    return any ? bits : wy_caught_by(WY_STR("BaseException"));
}

static void read_handler(struct wy_read *r, struct wy_chain *c, int column) {
    if (!header(r))
        return;
    uint32_t b = add_block(r, WY_BLOCK_EXCEPT, WY_MAYBE);
    r->blocks.v[b].of = c->first_block;
    r->blocks.v[b].catches = handler_catches(r);
    r->blocks.v[c->last_handler].next_handler = b;
    c->last_handler = b;
    body(r, column, b);
}

/* ---- compound statements ---- */

static void read_try(struct wy_read *r, int column) {
    if (!header(r))
        return;
    chain_begin(r, WY_CHAIN_TRY, column);
    uint32_t b = add_block(r, WY_BLOCK_TRY, WY_MUST);
    wy_read_top(r)->chain.last_handler = b;
    body(r, column, b);
}

/* with suppress(ImportError), contextlib.suppress(OSError) as x: what it swallows. */
static unsigned suppressed(const struct wy_read *r) {
    unsigned bits = 0;
    for (size_t i = 0; i + 1 < r->tokens.n; i++) {
        if (!wy_token_is(r->tokens.v[i], "suppress") || !wy_token_is(r->tokens.v[i + 1], "("))
            continue;
        for (size_t j = i + 2; j < r->tokens.n && !wy_token_is(r->tokens.v[j], ")"); j++)
            if (r->tokens.v[j].kind == WY_T_NAME)
                bits |= wy_caught_by(r->tokens.v[j].text);
    }
    return bits;
}

static void read_with(struct wy_read *r, int column) {
    if (!header(r))
        return;
    uint32_t b = add_block(r, WY_BLOCK_WITH, WY_MUST);
    r->blocks.v[b].catches = suppressed(r);
    body(r, column, b);
}

static void read_loop(struct wy_read *r, int column) {
    chain_begin(r, WY_CHAIN_LOOP, column);
    if (header(r))
        body(r, column, add_block(r, WY_BLOCK_LOOP, WY_MAYBE));
}

static void read_class(struct wy_read *r, int column) {
    struct wy_token name = wy_lex_next(&r->lex);
    if (name.kind == WY_T_NAME)
        wy_read_bind(r, name.text, NULL);
    if (name.kind == WY_T_NEWLINE || name.kind == WY_T_END || !header(r))
        return;
    body(r, column, wy_read_top(r)->block);
    wy_read_top(r)->in_class = true;
}

static void read_def(struct wy_read *r, int column) {
    struct wy_token name = wy_lex_next(&r->lex);
    if (name.kind == WY_T_NAME)
        wy_read_bind(r, name.text, NULL);
    if (name.kind == WY_T_NEWLINE || name.kind == WY_T_END)
        return;
    r->lex.in_def = true;
    wy_lex_skip(&r->lex, true);
    enter(r, column, wy_read_top(r)->block);
    wy_read_top(r)->skipped = true;
}

/* `match` and `case` are names elsewhere: only a line that ends in ':' is a statement. */
static bool read_match(struct wy_read *r, int column, bool is_case) {
    struct wy_lex before = r->lex;
    if (!header(r) || r->tokens.n == 0) {
        struct wy_loading_code *v = r->lex.loading.v;
        size_t cap = r->lex.loading.cap;
        r->lex = before;
        r->lex.loading.v = v;
        r->lex.loading.cap = cap;
        return false;
    }
    uint32_t block = wy_read_top(r)->block;
    body(r, column, is_case ? add_block(r, WY_BLOCK_ARM, WY_MAYBE) : block);
    return true;
}

static void read_continuation(struct wy_read *r, int column, struct wy_str word) {
    struct wy_chain *c = &wy_read_top(r)->chain;
    bool is_else = wy_str_is(word, "else");
    if (c->kind == WY_CHAIN_IF && (is_else || wy_str_is(word, "elif"))) {
        read_arm(r, c, column, !is_else);
    } else if (c->kind == WY_CHAIN_TRY && wy_str_is(word, "except")) {
        read_handler(r, c, column);
    } else if (c->kind == WY_CHAIN_TRY && header(r)) {
        uint32_t try_block = c->first_block;
        uint32_t b = add_block(r, is_else ? WY_BLOCK_ELSE : WY_BLOCK_FINALLY, WY_MUST);
        r->blocks.v[b].of = try_block;
        body(r, column, b);
    } else if (c->kind == WY_CHAIN_LOOP && header(r)) {
        body(r, column, add_block(r, WY_BLOCK_LOOP, WY_MAYBE));
    } else if (c->kind == WY_CHAIN_NONE && header(r)) {
        body(r, column, add_block(r, WY_BLOCK_ARM, WY_MAYBE)); /* damaged: without its `if` */
    }
}

/* True when `word` begins a compound statement, which is then read up to its body. */
static bool compound(struct wy_read *r, int column, struct wy_str word) {
    if (wy_str_is(word, "if")) {
        chain_begin(r, WY_CHAIN_IF, column);
        struct wy_chain *c = &wy_read_top(r)->chain;
        read_arm(r, c, column, true);
    } else if (wy_str_is(word, "try")) {
        read_try(r, column);
    } else if (wy_str_is(word, "with")) {
        read_with(r, column);
    } else if (wy_str_is(word, "for") || wy_str_is(word, "while")) {
        read_loop(r, column);
    } else if (wy_str_is(word, "class")) {
        read_class(r, column);
    } else if (wy_str_is(word, "def")) {
        read_def(r, column);
    } else if (wy_str_is(word, "else") || wy_str_is(word, "elif") || wy_str_is(word, "except") ||
               wy_str_is(word, "finally")) {
        read_continuation(r, column, word);
    } else if (wy_str_is(word, "match") || wy_str_is(word, "case")) {
        return read_match(r, column, word.p[0] == 'c');
    } else {
        return false;
    }
    return true;
}

/* ---- lines ---- */

/* Leaves the blocks that a line at `column` is no longer in. */
static void leave(struct wy_read *r, int column, struct wy_str word) {
    bool continues = wy_str_is(word, "elif") || wy_str_is(word, "else") ||
                     wy_str_is(word, "except") || wy_str_is(word, "finally");
    while (r->open.n > 1 && wy_read_top(r)->column >= column) {
        chain_end(r, &wy_read_top(r)->chain);
        r->open.n--;
    }
    struct wy_chain *c = &wy_read_top(r)->chain;
    if (c->kind != WY_CHAIN_NONE && !(continues && c->column == column))
        chain_end(r, c);
}

static struct wy_str first_word(const struct wy_lex *l) {
    const char *p = l->p;
    while (p < l->end && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' ||
                          (*p >= '0' && *p <= '9') || (unsigned char)*p >= 0x80))
        p++;
    struct wy_str word = {l->p, (size_t)(p - l->p)};
    bool prefix = p < l->end && (*p == '"' || *p == '\''); /* r"…": a string, not a word */
    return prefix ? WY_STR("") : word;
}

/* One logical line at module level (or in a class or a block there), from its first word on. */
static void read_line(struct wy_read *r, int column) {
    for (;;) {
        struct wy_str word = first_word(&r->lex);
        r->lex.p += word.n;
        r->inline_body = false;
        if (wy_str_is(word, "async")) {
            while (r->lex.p < r->lex.end && (*r->lex.p == ' ' || *r->lex.p == '\t'))
                r->lex.p++;
            word = first_word(&r->lex);
            r->lex.p += word.n;
        }
        if (word.n && compound(r, column, word)) {
            if (!r->inline_body)
                return;
        } else if (!wy_read_simple(r, word)) {
            break;
        }
        while (r->lex.p < r->lex.end && (*r->lex.p == ' ' || *r->lex.p == '\t'))
            r->lex.p++;
    }
}

static void read_lines(struct wy_read *r) {
    for (;;) {
        int column = wy_lex_indent(&r->lex);
        if (column < 0)
            return;
        struct wy_open_block *top = wy_read_top(r);
        if (top->skipped && column > top->column) {
            wy_lex_skip(&r->lex, true);
            continue;
        }
        r->lex.in_def = false;
        leave(r, column, first_word(&r->lex));
        if (wy_read_top(r)->skipped) {
            r->lex.in_def = true;
            wy_lex_skip(&r->lex, true);
            continue;
        }
        read_line(r, column);
    }
}

/* ---- the end ---- */

/* What the handlers of a try body swallow: those that end in `raise` swallow nothing. */
static unsigned swallows(const struct wy_read *r, const struct wy_source_block *b) {
    unsigned swallowed = 0, seen = 0;
    if (b->kind == WY_BLOCK_WITH)
        return b->catches;
    if (b->kind != WY_BLOCK_TRY)
        return 0;
    for (uint32_t h = b->next_handler; h; h = r->blocks.v[h].next_handler) {
        unsigned fresh = r->blocks.v[h].catches & ~seen;
        seen |= fresh;
        if (r->blocks.v[h].raises != WY_RAISES_YES)
            swallowed |= fresh;
    }
    return swallowed;
}

static enum wy_guard together(enum wy_guard outer, enum wy_guard inner) {
    return outer > inner ? outer : inner; /* NEVER beats CAUGHT beats MAYBE beats MUST */
}

static void set_guards(struct wy_read *r) {
    wy_auto_free enum wy_guard *guards = wy_alloc0(r->blocks.n, sizeof *guards);
    for (size_t i = 1; i < r->blocks.n; i++) {
        const struct wy_source_block *b = &r->blocks.v[i]; /* parents come first */
        enum wy_guard own = b->guard;
        if (swallows(r, b) & (WY_EX_IMPORT | WY_EX_NOT_FOUND | WY_EX_OS))
            own = together(own, WY_CAUGHT);
        guards[i] = together(guards[b->parent], own);
    }
    for (size_t i = 0; i < r->imports.n; i++)
        r->imports.v[i].guard = guards[r->imports.v[i].block];
}

void wy_source_read(struct wy_str text, const struct wy_source_env *env, struct wy_arena *a,
                    struct wy_source_file *ret) {
    static const char bom[] = "\xef\xbb\xbf";
    struct wy_read r = {.env = env, .arena = a};
    *ret = (struct wy_source_file){0};
    if (text.n > WY_SOURCE_MAX_BYTES) {
        ret->problem = "the file is larger than 16 MiB";
        ret->problem_line = 1;
        return;
    }
    if (wy_str_starts(text, bom)) {
        text.p += 3;
        text.n -= 3;
    }
    const char *start = text.p ? text.p : "";
    r.lex = (struct wy_lex){.start = start,
                            .p = start,
                            .end = start + text.n,
                            .line = 1,
                            .nested_fstrings = env->python_major == 3 && env->python_minor >= 12,
                            .arena = a};
    wy_vec_push(&r.blocks, ((struct wy_source_block){.kind = WY_BLOCK_MODULE, .line = 1}));
    wy_vec_push(&r.open, ((struct wy_open_block){.column = -1}));
    read_lines(&r);
    leave(&r, 0, WY_STR(""));
    set_guards(&r);
    wy_vec_free(&r.open);
    wy_vec_free(&r.tokens);
    wy_map_deinit(&r.constants);
    ret->problem = r.lex.problem;
    ret->problem_line = r.lex.problem_line;
    ret->has_getattr = r.has_getattr;
    wy_vec_keep(a, &r.imports);
    wy_vec_keep(a, &r.blocks);
    wy_vec_keep(a, &r.lex.loading);
    wy_vec_keep(a, &r.defined);
    ret->imports = r.imports.v;
    ret->nimports = r.imports.n;
    ret->blocks = r.blocks.v;
    ret->nblocks = r.blocks.n;
    ret->loading = r.lex.loading.v;
    ret->nloading = r.lex.loading.n;
    ret->defined = r.defined.v;
    ret->ndefined = r.defined.n;
}
