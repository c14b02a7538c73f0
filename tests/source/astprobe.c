/* Prints the tree of Python files as text, one line per statement, for comparison with CPython's
 * own `ast` (test_ast.py makes the same text from it).
 *
 *   astprobe MINOR FILE…    each file: "FILE <path>", its lines, "PROBLEM <line> <text>" if any
 *   astprobe -n MINOR FILE… prints nothing: for measuring
 *   astprobe -s MINOR FILE… the same, bodies of functions left unread */
#include "source/ast.h"

#include <inttypes.h>
#include <stdio.h>

enum { DEEPEST_DEF = 100 };

struct probe {
    struct wy_source_tree tree;
    int indent;
    bool quiet, skip;
};

static void body(struct probe *d, struct wy_body b, const char *title);
static void expr(const struct wy_expr *e);

static void quoted(struct wy_str s, unsigned char last) {
    putchar('"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\' || c < 32 || c == 127 || c > last)
            printf("\\x%02x", c);
        else
            putchar(c);
    }
    putchar('"');
}

/* As a value: how a number is written differs. */
static void number(struct wy_str s) {
    char text[512];
    size_t n = 0;
    for (size_t i = 0; i < s.n && n + 1 < sizeof text; i++)
        if (s.p[i] != '_')
            text[n++] = s.p[i];
    text[n] = '\0';
    char *end;
    double value = strtod(text, &end);
    printf("%.17g%s", value, *end ? "j" : "");
}

static void list(const char *head, struct wy_exprs v) {
    printf("(%s", head);
    for (uint32_t i = 0; i < v.n; i++) {
        putchar(' ');
        expr(v.v[i]);
    }
    putchar(')');
}

static void parts(const char *head, const struct wy_expr *const v[], size_t n) {
    printf("(%s", head);
    for (size_t i = 0; i < n; i++) {
        putchar(' ');
        expr(v[i]);
    }
    putchar(')');
}

static void arguments(const struct wy_argument *v, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        printf(" %.*s%s%s", (int)v[i].stars, "**", v[i].name ? v[i].name : "",
               v[i].name ? "=" : "");
        expr(v[i].value);
    }
}

static void parameters(const struct wy_function *f) {
    static const char *const marks[] = {"/", "", "*", "=", "**"};
    for (uint32_t i = 0; i < f->nparameters; i++) {
        const struct wy_parameter *p = &f->parameters[i];
        printf(" %s%s:", marks[p->kind], p->name);
        expr(p->default_value);
    }
}

static void comprehension(const char *head, const struct wy_expr *e) {
    printf("(%s ", head);
    expr(e->a);
    if (e->kind == WY_E_DICTCOMP) {
        putchar(' ');
        expr(e->b);
    }
    for (uint32_t i = 0; i < e->loops.n; i++) {
        const struct wy_expr *const pair[] = {e->loops.v[i].target, e->loops.v[i].over};
        putchar(' ');
        parts("for", pair, 2);
        list("if", e->loops.v[i].ifs);
    }
    putchar(')');
}

static void compare(const struct wy_expr *e) {
    printf("(cmp ");
    expr(e->a);
    for (uint32_t i = 0; i < e->items.n; i++) {
        printf(" %u ", wy_compare_op(e, i));
        expr(e->items.v[i]);
    }
    putchar(')');
}

static void field(const struct wy_expr *e) {
    printf("(field%c ", e->op ? e->op : '-');
    expr(e->a);
    putchar(' ');
    expr(e->b);
    putchar(')');
}

static void expr(const struct wy_expr *e) {
    static const char *const words[] = {
        [WY_E_NONE] = "None",         [WY_E_TRUE] = "True",
        [WY_E_FALSE] = "False",       [WY_E_ELLIPSIS] = "...",
        [WY_E_OPAQUE] = "opaque",     [WY_E_LIST] = "list",
        [WY_E_TUPLE] = "tuple",       [WY_E_SET] = "set",
        [WY_E_DICT] = "dict",         [WY_E_FSTRING] = "fstring",
        [WY_E_AND] = "and",           [WY_E_OR] = "or",
        [WY_E_LISTCOMP] = "listcomp", [WY_E_SETCOMP] = "setcomp",
        [WY_E_DICTCOMP] = "dictcomp", [WY_E_GENERATOR] = "generator",
        [WY_E_SUBSCRIPT] = "sub",     [WY_E_SLICE] = "slice",
        [WY_E_IF] = "ifelse",         [WY_E_STAR] = "star",
        [WY_E_YIELD] = "yield",       [WY_E_YIELD_FROM] = "yieldfrom",
        [WY_E_AWAIT] = "await"};
    if (!e) {
        putchar('-');
        return;
    }
    const struct wy_expr *const abc[] = {e->a, e->b, wy_expr_third(e)};
    char head[32];
    switch ((enum wy_expr_kind)e->kind) {
    case WY_E_NONE:
    case WY_E_TRUE:
    case WY_E_FALSE:
    case WY_E_ELLIPSIS:
    case WY_E_OPAQUE:
        printf("%s", words[e->kind]);
        break;
    case WY_E_INT:
        printf("%" PRId64, e->number);
        break;
    case WY_E_FLOAT:
        number(e->text);
        break;
    case WY_E_BYTES:
        putchar('b');
        quoted(e->text, 127);
        break;
    case WY_E_STRING:
        quoted(e->text, 255);
        break;
    case WY_E_FIELD:
        field(e);
        break;
    case WY_E_NAME:
        printf("%s", e->name);
        break;
    case WY_E_ATTRIBUTE:
        printf("(. ");
        expr(e->a);
        printf(" %s)", e->name);
        break;
    case WY_E_WALRUS:
        printf("(:= %s ", e->name);
        expr(e->a);
        putchar(')');
        break;
    case WY_E_CALL:
        printf("(call:%u ", e->line);
        expr(e->a);
        arguments(e->arguments.v, e->arguments.n);
        putchar(')');
        break;
    case WY_E_LAMBDA:
        printf("(lambda");
        parameters(e->function);
        putchar(' ');
        expr(e->function->body.v->value);
        putchar(')');
        break;
    case WY_E_LIST:
    case WY_E_TUPLE:
    case WY_E_SET:
    case WY_E_DICT:
    case WY_E_FSTRING:
    case WY_E_AND:
    case WY_E_OR:
        list(words[e->kind], e->items);
        break;
    case WY_E_LISTCOMP:
    case WY_E_SETCOMP:
    case WY_E_DICTCOMP:
    case WY_E_GENERATOR:
        comprehension(words[e->kind], e);
        break;
    case WY_E_COMPARE:
        compare(e);
        break;
    case WY_E_UNARY:
    case WY_E_BINARY:
        snprintf(head, sizeof head, "%s%u", e->kind == WY_E_UNARY ? "u" : "b", e->op);
        parts(head, abc, e->kind == WY_E_UNARY ? 1 : 2);
        break;
    case WY_E_SUBSCRIPT:
        parts(words[e->kind], abc, 2);
        break;
    case WY_E_SLICE:
    case WY_E_IF:
        parts(words[e->kind], abc, 3);
        break;
    case WY_E_STAR:
    case WY_E_YIELD:
    case WY_E_YIELD_FROM:
    case WY_E_AWAIT:
        parts(words[e->kind], abc, 1);
        break;
    }
}

/* ---- statements ---- */

static void handlers(struct probe *d, const struct wy_stmt *s) {
    for (uint32_t i = 0; i < s->handlers.n; i++) {
        const struct wy_handler *h = &s->handlers.v[i];
        printf("%*s%u except%s ", d->indent, "", h->line, h->star ? "*" : "");
        expr(h->type);
        printf(" %s\n", h->as ? h->as : "-");
        body(d, h->body, "do");
    }
}

static void cases(struct probe *d, const struct wy_stmt *s) {
    for (uint32_t i = 0; i < s->cases.n; i++) {
        const struct wy_match_case *c = &s->cases.v[i];
        printf("%*scase ", d->indent, "");
        expr(c->pattern);
        putchar(' ');
        list("binds", c->binds);
        putchar(' ');
        expr(c->guard);
        putchar('\n');
        body(d, c->body, "do");
    }
}

static void function(struct probe *d, struct wy_function *f) {
    const struct wy_body *b = wy_source_body(&d->tree, f);
    printf(" %s%s", f->async ? "async " : "", f->name);
    parameters(f);
    putchar(' ');
    list("@", f->decorators);
    putchar('\n');
    if (d->skip || d->indent >= DEEPEST_DEF * 2)
        return;
    body(d, *b, f->yields ? "yields" : "do");
}

static void imports(const struct wy_stmt *s) {
    if (s->kind == WY_S_FROM)
        printf(" %u %s%s", s->level, s->name[0] ? s->name : "-", s->star ? " *" : "");
    for (uint32_t i = 0; i < s->imports.n; i++)
        printf(" %s as %s", s->imports.v[i].name, s->imports.v[i].as ? s->imports.v[i].as : "-");
}

static void with_items(const struct wy_stmt *s) {
    for (uint32_t i = 0; i < s->with_items.n; i++) {
        const struct wy_expr *const pair[] = {s->with_items.v[i].value, s->with_items.v[i].target};
        putchar(' ');
        parts("item", pair, 2);
    }
}

/* A text alone: the parser leaves most of them out. */
static bool says_nothing(const struct wy_stmt *s) {
    uint8_t kind = s->kind == WY_S_EXPR ? s->value->kind : WY_E_NAME;
    return kind == WY_E_STRING || kind == WY_E_BYTES || kind == WY_E_OPAQUE;
}

static void stmt(struct probe *d, const struct wy_stmt *s) {
    static const char *const words[] = {[WY_S_EXPR] = "expr",         [WY_S_ASSIGN] = "assign",
                                        [WY_S_AUGMENT] = "augment",   [WY_S_ANNOTATE] = "annot",
                                        [WY_S_DELETE] = "del",        [WY_S_RETURN] = "return",
                                        [WY_S_RAISE] = "raise",       [WY_S_ASSERT] = "assert",
                                        [WY_S_PASS] = "pass",         [WY_S_BREAK] = "break",
                                        [WY_S_CONTINUE] = "continue", [WY_S_GLOBAL] = "global",
                                        [WY_S_NONLOCAL] = "nonlocal", [WY_S_IMPORT] = "import",
                                        [WY_S_FROM] = "from",         [WY_S_IF] = "if",
                                        [WY_S_WHILE] = "while",       [WY_S_FOR] = "for",
                                        [WY_S_TRY] = "try",           [WY_S_WITH] = "with",
                                        [WY_S_DEF] = "def",           [WY_S_CLASS] = "class",
                                        [WY_S_MATCH] = "match",       [WY_S_TYPE] = "type"};
    static const struct wy_stmt pass = {.kind = WY_S_PASS};
    unsigned line = s->line;
    s = says_nothing(s) ? &pass : s;
    printf("%*s%u %s", d->indent, "", line, words[s->kind]);
    if (s->kind == WY_S_DEF) {
        function(d, s->function);
        return;
    }
    if (s->kind == WY_S_IMPORT || s->kind == WY_S_FROM)
        imports(s);
    if (s->kind == WY_S_AUGMENT)
        printf("%u", s->op);
    if (s->kind == WY_S_CLASS || s->kind == WY_S_TYPE)
        printf(" %s", s->name);
    if (s->kind == WY_S_CLASS)
        arguments(s->arguments.v, s->arguments.n);
    if (s->kind == WY_S_WITH)
        with_items(s);
    if (s->kind == WY_S_GLOBAL || s->kind == WY_S_NONLOCAL)
        for (uint32_t i = 0; i < s->names.n; i++)
            printf(" %s", s->names.v[i]);
    struct wy_exprs targets = wy_stmt_targets(s);
    if (targets.n) {
        putchar(' ');
        list(s->kind == WY_S_CLASS ? "@" : "to", targets);
    }
    const struct wy_expr *const values[] = {wy_stmt_value(s), wy_stmt_value2(s)};
    putchar(' ');
    parts("", values, 2);
    putchar('\n');
    body(d, s->body, "do");
    if (s->kind == WY_S_TRY)
        handlers(d, s);
    if (s->kind == WY_S_MATCH)
        cases(d, s);
    body(d, s->orelse, "else");
    body(d, wy_stmt_finally(s), "finally");
}

static void body(struct probe *d, struct wy_body b, const char *title) {
    if (!b.n)
        return;
    printf("%*s%s\n", d->indent, "", title);
    d->indent += 2;
    for (uint32_t i = 0; i < b.n; i++)
        stmt(d, &b.v[i]);
    d->indent -= 2;
}

/* ---- files ---- */

/* Reads all bodies without a word. */
static void walk(struct probe *d, struct wy_body b, unsigned depth) {
    for (uint32_t i = 0; i < b.n && depth < DEEPEST_DEF; i++) {
        const struct wy_stmt *s = &b.v[i];
        if (s->kind == WY_S_DEF && !d->skip)
            walk(d, *wy_source_body(&d->tree, s->function), depth + 1);
        walk(d, s->body, depth + 1);
        walk(d, s->orelse, depth + 1);
        walk(d, wy_stmt_finally(s), depth + 1);
        if (s->kind == WY_S_TRY)
            for (uint32_t j = 0; j < s->handlers.n; j++)
                walk(d, s->handlers.v[j].body, depth + 1);
        if (s->kind == WY_S_MATCH)
            for (uint32_t j = 0; j < s->cases.n; j++)
                walk(d, s->cases.v[j].body, depth + 1);
    }
}

static struct wy_str read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f)
        return (struct wy_str){NULL, 0};
    size_t cap = 1 << 16, n = 0, got;
    char *text = wy_alloc(cap);
    while ((got = fread(text + n, 1, cap - n, f)) > 0) {
        n += got;
        if (n == cap)
            text = wy_realloc(text, cap *= 2, 1);
    }
    fclose(f);
    /* An exact copy: a read past the end is seen by the address sanitizer. */
    return (struct wy_str){wy_realloc(text, n + !n, 1), n};
}

static void one_file(struct probe *d, const char *path, unsigned minor, struct wy_intern *names) {
    struct wy_arena arena = WY_ARENA_INIT;
    struct wy_str text = read_file(path);
    wy_source_parse(text, minor, names, &arena, &d->tree);
    if (d->quiet) {
        walk(d, d->tree.body, 0);
    } else {
        printf("FILE %s\n", path);
        body(d, d->tree.body, "do");
        if (d->tree.problem)
            printf("PROBLEM %u %s\n", d->tree.problem_line, d->tree.problem);
        if (d->tree.said)
            printf("SAID %u %s: %s\n", d->tree.said_line, d->tree.said_class, d->tree.said);
    }
    wy_arena_deinit(&arena);
    free((void *)(uintptr_t)text.p);
}

int main(int argc, char **argv) {
    struct probe d = {.indent = 0};
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        d.quiet = d.quiet || argv[i][1] == 'n' || argv[i][1] == 's';
        d.skip = d.skip || argv[i][1] == 's';
    }
    if (i + 1 >= argc) {
        fprintf(stderr, "usage: astprobe [-n | -s] MINOR FILE…\n");
        return 2;
    }
    unsigned minor = (unsigned)strtoul(argv[i++], NULL, 10);
    struct wy_intern names = {0};
    for (; i < argc; i++)
        one_file(&d, argv[i], minor, &names);
    wy_intern_deinit(&names);
    return 0;
}
