#include "base/vec.h"
#include "source/ast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* A tree in short: what each construct must become. tests/source compares whole trees with
 * CPython's; here stands what it cannot say: other versions, limits, damage. */

struct read {
    struct wy_intern names;
    struct wy_arena arena;
    char *text;
    struct wy_source_tree tree;
};

static void read_bytes(struct read *r, const char *text, size_t n, unsigned minor) {
    *r = (struct read){.text = wy_alloc(n + !n)};
    /* An exact copy: a read past the end is seen by the address sanitizer. */
    memcpy(r->text, text, n);
    wy_source_parse((struct wy_str){r->text, n}, minor, &r->names, &r->arena, &r->tree);
}

static void read_text(struct read *r, const char *text) {
    read_bytes(r, text, strlen(text), 14);
}

static void done(struct read *r) {
    wy_arena_deinit(&r->arena);
    wy_intern_deinit(&r->names);
    free(r->text);
}

static const struct wy_stmt *first(const struct read *r) {
    assert_null(r->tree.problem);
    assert_true(r->tree.body.n >= 1);
    return r->tree.body.v;
}

static void assert_str(struct wy_str got, const char *want) {
    if (!wy_str_is(got, want))
        print_message("got \"%.*s\", want \"%s\"\n", (int)got.n, got.p, want);
    assert_true(wy_str_is(got, want));
}

/* The value of a single expression. */
static const struct wy_expr *value(struct read *r, const char *text) {
    read_text(r, text);
    assert_int_equal(first(r)->kind, WY_S_EXPR);
    return first(r)->value;
}

static void assert_kind(const char *text, enum wy_expr_kind kind) {
    struct read r;
    assert_int_equal(value(&r, text)->kind, kind);
    done(&r);
}

static void assert_string(const char *text, const char *want) {
    struct read r;
    const struct wy_expr *e = value(&r, text);
    assert_int_equal(e->kind, WY_E_STRING);
    assert_str(e->text, want);
    done(&r);
}

static void assert_int(const char *text, int64_t want) {
    struct read r;
    const struct wy_expr *e = value(&r, text);
    assert_int_equal(e->kind, WY_E_INT);
    assert_int_equal(e->number, want);
    done(&r);
}

static void assert_problem(const char *text, size_t n, unsigned minor, unsigned line) {
    struct read r;
    read_bytes(&r, text, n, minor);
    if (r.tree.problem_line != line)
        print_message("in:\n%.*s\n%s\n", n < 200 ? (int)n : 200, text, r.tree.problem);
    assert_non_null(r.tree.problem);
    assert_int_equal(r.tree.problem_line, line);
    done(&r);
}

static void numbers(void **state) {
    (void)state;
    assert_int("0", 0);
    assert_int("00", 0);
    assert_int("1_000", 1000);
    assert_int("0x_fF", 255);
    assert_int("0o17", 15);
    assert_int("0B101", 5);
    assert_int("9223372036854775807", INT64_MAX);
    assert_kind("9223372036854775808", WY_E_OPAQUE);
    assert_kind("0xffffffffffffffff", WY_E_OPAQUE);
    assert_kind("1.", WY_E_FLOAT);
    assert_kind(".5e-3", WY_E_FLOAT);
    assert_kind("1e5", WY_E_FLOAT);
    assert_kind("1j", WY_E_FLOAT);
    assert_kind("1if x else 2", WY_E_IF);
    assert_kind("1..real", WY_E_ATTRIBUTE);
}

static void strings(void **state) {
    (void)state;
    assert_string("'' ''", ""); /* the first text of a file, and nothing was put yet */
    assert_string("'a' \"b\" '''c''' r'\\d'", "abc\\d");
    assert_string("'\\x41\\u00e9\\U0001f600\\101\\n\\q\\\n.'", "A\xc3\xa9\xf0\x9f\x98\x80"
                                                               "A\n\\q.");
    assert_string("'\\ud800'", "\xed\xa0\x80");
    assert_string("R'\\x41'", "\\x41");
    assert_string("f'{{a}}' 'b'", "{a}b");
    assert_string("'a\\\n   b'", "a   b");
    assert_string("('a'\n # no\n 'b')", "ab");
    assert_kind("b'\\xff\\u'", WY_E_BYTES);
    assert_kind("'\\N{DIGIT ONE}'", WY_E_OPAQUE);
    assert_problem("'\\x4'", 5, 11, 1);
    assert_problem("'\\U00110000'", 12, 11, 1);
}

static void newlines_of_all_kinds(void **state) {
    (void)state;
    struct read r;
    read_text(&r, "\xef\xbb\xbfx = '''a\r\nb\rc'''\r\nx\ry");
    assert_int_equal(r.tree.body.n, 3);
    assert_str(first(&r)->value->text, "a\nb\nc");
    assert_int_equal(r.tree.body.v[2].line, 5);
    done(&r);
}

static void formatted_strings(void **state) {
    (void)state;
    struct read r;
    const struct wy_expr *e = value(&r, "f'a{ b.c !r:>{w}}d{x=}' 'e'");
    assert_int_equal(e->kind, WY_E_FSTRING);
    assert_int_equal(e->items.n, 5);
    assert_str(e->items.v[0]->text, "a");
    const struct wy_expr *field = e->items.v[1];
    assert_int_equal(field->kind, WY_E_FIELD);
    assert_int_equal(field->op, 'r');
    assert_int_equal(field->a->kind, WY_E_ATTRIBUTE);
    assert_int_equal(field->b->kind, WY_E_FSTRING);
    assert_int_equal(field->b->items.n, 2);
    assert_str(e->items.v[2]->text, "dx=");
    assert_int_equal(e->items.v[3]->op, 'r');
    assert_str(e->items.v[4]->text, "e");
    done(&r);
    e = value(&r, "t'a'");
    assert_int_equal(e->kind, WY_E_FSTRING);
    assert_int_equal(e->op, 't');
    done(&r);
    const char *const two_lines[] = {"rf'\\\n{a}'", "f'\\\n{a}'", "f\"\"\"\n{a}\"\"\""};
    for (size_t i = 0; i < 3; i++) {
        e = value(&r, two_lines[i]);
        assert_int_equal(e->items.v[e->items.n - 1]->line, 2);
        done(&r);
    }
}

/* PEP 701: from 3.12 on a field may hold the quote of its own string, comments and newlines. */
static void quotes_inside_fields(void **state) {
    (void)state;
    struct read r;
    const char *text = "f'{d['k']} {x:{'>'}} {\n y # '\n}'";
    read_bytes(&r, text, strlen(text), 12);
    const struct wy_expr *e = first(&r)->value;
    assert_int_equal(e->items.n, 5);
    assert_int_equal(e->items.v[0]->a->kind, WY_E_SUBSCRIPT);
    assert_str(e->items.v[0]->a->b->text, "k");
    done(&r);
    e = value(&r, "f'{a = # why\n !s}'");
    assert_str(e->items.v[0]->text, "a = \n ");
    assert_int_equal(e->items.v[1]->op, 's');
    done(&r);
    assert_problem("f'{d['k']}'", 11, 11, 1);
    assert_problem("f'{a", 4, 12, 1);
    assert_problem("f'{a!r'", 7, 12, 1);
}

static void operators_bind_as_in_python(void **state) {
    (void)state;
    struct read r;
    const struct wy_expr *e = value(&r, "-a ** -b * c + d");
    assert_int_equal(e->op, WY_OP_ADD);
    assert_int_equal(e->a->op, WY_OP_MUL);
    assert_int_equal(e->a->a->op, WY_OP_NEG);
    assert_int_equal(e->a->a->a->op, WY_OP_POW);
    done(&r);
    e = value(&r, "a - b - c");
    assert_int_equal(e->a->op, WY_OP_SUB);
    assert_int_equal(e->b->kind, WY_E_NAME);
    done(&r);
    e = value(&r, "not a == b < c not in d is not e and f or g");
    assert_int_equal(e->kind, WY_E_OR);
    e = e->items.v[0]->items.v[0];
    assert_int_equal(e->op, WY_OP_NOT);
    assert_int_equal(e->a->kind, WY_E_COMPARE);
    assert_int_equal(e->a->items.n, 4);
    assert_int_equal(wy_compare_op(e->a, 2), WY_OP_NOT_IN);
    assert_int_equal(wy_compare_op(e->a, 3), WY_OP_IS_NOT);
    done(&r);
}

static void one_kind_per_expression(void **state) {
    (void)state;
    assert_kind("...", WY_E_ELLIPSIS);
    assert_kind("()", WY_E_TUPLE);
    assert_kind("a,", WY_E_TUPLE);
    assert_kind("(a)", WY_E_NAME);
    assert_kind("[*a, b]", WY_E_LIST);
    assert_kind("{}", WY_E_DICT);
    assert_kind("{**a, 'b': c}", WY_E_DICT);
    assert_kind("{a, *b}", WY_E_SET);
    assert_kind("[a for b in c if d if e for f in g]", WY_E_LISTCOMP);
    assert_kind("{a async for a in b}", WY_E_SETCOMP);
    assert_kind("{a: b for a, b in c}", WY_E_DICTCOMP);
    assert_kind("(a for a in b)", WY_E_GENERATOR);
    assert_kind("lambda *a, b=1, **c: (yield)", WY_E_LAMBDA);
    assert_kind("(a := b)", WY_E_WALRUS);
    assert_kind("await a", WY_E_AWAIT);
    assert_kind("yield from a", WY_E_YIELD_FROM);
    assert_kind("a[b:c, ::d, *e]", WY_E_SUBSCRIPT);
    assert_kind("a(b, *c, d=e, **f)", WY_E_CALL);
    assert_kind("match(a)", WY_E_CALL);
    assert_kind("type in a", WY_E_COMPARE);
}

static void one_kind_per_statement(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum wy_stmt_kind kind;
    } table[] = {
        {"a = b, c = *d, e", WY_S_ASSIGN},
        {"a @= b", WY_S_AUGMENT},
        {"a: b = yield", WY_S_ANNOTATE},
        {"del a, (b, c),", WY_S_DELETE},
        {"return *a, b", WY_S_RETURN},
        {"raise a from b", WY_S_RAISE},
        {"assert a, b", WY_S_ASSERT},
        {"global a, b", WY_S_GLOBAL},
        {"import a . b as c, \\\n d", WY_S_IMPORT},
        {"from . . a import (b as c, # d\n e,)", WY_S_FROM},
        {"if (a := b): pass", WY_S_IF},
        {"while 1: break\nelse: continue", WY_S_WHILE},
        {"for a, *b in *c, d: pass", WY_S_FOR},
        {"async for a in b: pass", WY_S_FOR},
        {"try:\n  a\nexcept* b as c: d\nelse: e\nfinally: f", WY_S_TRY},
        {"try: a\nexcept b, c: d", WY_S_TRY},
        {"with (a as b, c as d,): pass", WY_S_WITH},
        {"with (a, b) as c: pass", WY_S_WITH},
        {"with (a).b() as c.d, e: pass", WY_S_WITH},
        {"@a.b(c)\n# d\n@e\nclass f[T: int = 1, *U](g, h=i): pass", WY_S_CLASS},
        {"@a\nasync def b[T](c: T, /, d, *, e=1) -> f: pass", WY_S_DEF},
        {"match a, b:\n  case 1 | -2: pass\n  case _: pass", WY_S_MATCH},
        {"match (a):\n  case [b, *c] if d: pass", WY_S_MATCH},
        {"match = a", WY_S_ASSIGN},
        {"match[a]: b", WY_S_ANNOTATE},
        {"type a[*b] = c | d", WY_S_TYPE},
        {"type = a", WY_S_ASSIGN},
        {"pass;", WY_S_PASS},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct read r;
        read_text(&r, table[i].text);
        if (r.tree.problem || r.tree.body.n != 1)
            print_message("in: %s: %s\n", table[i].text, r.tree.problem);
        assert_int_equal(first(&r)->kind, table[i].kind);
        assert_int_equal(r.tree.body.n, 1);
        done(&r);
    }
}

static void imports_have_levels_and_names(void **state) {
    (void)state;
    struct read r;
    read_text(&r, "from ... import a as b, c\nfrom .d.e import *");
    assert_int_equal(first(&r)->level, 3);
    assert_string_equal(first(&r)->name, "");
    assert_int_equal(first(&r)->imports.n, 2);
    assert_string_equal(first(&r)->imports.v[0].as, "b");
    assert_true(r.tree.body.v[1].star);
    assert_string_equal(r.tree.body.v[1].name, "d.e");
    /* Equal names are one pointer. */
    assert_ptr_equal(r.tree.body.v[1].name, wy_intern(&r.names, WY_STR("d.e")));
    done(&r);
}

static void arms_of_an_if(void **state) {
    (void)state;
    struct read r;
    read_text(&r, "if a:\n  b\nelif c: d\nelif e:\n  f\nelse:\n  g\nh");
    assert_int_equal(r.tree.body.n, 2);
    const struct wy_stmt *second = first(&r)->orelse.v;
    assert_int_equal(second->line, 3);
    assert_int_equal(second->orelse.v->orelse.v->line, 7);
    done(&r);
}

static void cases_bind_names(void **state) {
    (void)state;
    struct read r;
    read_text(&r, "match a:\n  case {'k': b, **c} | A.B(d, e=_, f=[g, *h]) as i: pass\n"
                  "  case A.B | None: pass\n  case j: pass");
    const struct wy_stmt *s = first(&r);
    assert_int_equal(s->cases.n, 3);
    assert_int_equal(s->cases.v[0].binds.n, 6);
    assert_int_equal(s->cases.v[1].binds.n, 0);
    assert_int_equal(s->cases.v[1].pattern->a->kind, WY_E_ATTRIBUTE);
    assert_int_equal(s->cases.v[2].pattern->kind, WY_E_NAME);
    assert_int_equal(s->cases.v[2].binds.n, 1);
    done(&r);
}

static struct wy_function *function(struct read *r, const char *text) {
    read_text(r, text);
    assert_int_equal(first(r)->kind, WY_S_DEF);
    return first(r)->function;
}

static void bodies_are_read_when_asked_for(void **state) {
    (void)state;
    struct read r;
    struct wy_function *f = function(&r, "def f(a, b=1):\n  '''\nx'''\n# out\n\n  def g(): yield\n"
                                         "  if a: return (1,\n2)\n\nc");
    assert_int_equal(r.tree.body.n, 2);
    assert_int_equal(r.tree.body.v[1].line, 10);
    assert_false(f->parsed);
    const struct wy_body *b = wy_source_body(&r.tree, f);
    assert_int_equal(b->n, 3);
    assert_int_equal(b->v[1].line, 6);
    assert_false(f->yields);
    assert_int_equal(wy_source_body(&r.tree, b->v[1].function)->n, 1);
    assert_true(b->v[1].function->yields);
    assert_ptr_equal(wy_source_body(&r.tree, f), b);
    done(&r);
    f = function(&r, "def f(): return (yield), lambda: a\n");
    assert_int_equal(wy_source_body(&r.tree, f)->n, 1);
    assert_true(f->yields);
    done(&r);
    f = function(&r, "def f(): return lambda: (yield)\n");
    assert_int_equal(wy_source_body(&r.tree, f)->n, 1);
    assert_false(f->yields);
    done(&r);
    f = function(&r, "def f(): a; return {b: (yield)}\n");
    assert_int_equal(wy_source_body(&r.tree, f)->n, 2);
    assert_true(f->yields);
    done(&r);
}

/* Only the bytes of the body are asked for again, also of functions inside it. */
static void a_text_that_is_forgotten_is_asked_for(void **state) {
    (void)state;
    struct read r;
    const char *text = "\xef\xbb\xbf'''no'''\ndef f():\n  def g():\n    return 'in'\n  x\nc";
    read_text(&r, text);
    assert_int_equal(first(&r)->kind, WY_S_PASS);
    struct wy_function *f = r.tree.body.v[1].function;
    assert_false(wy_source_wants(&r.tree, f));
    wy_source_forget(&r.tree);
    assert_true(wy_source_wants(&r.tree, f));
    struct wy_str part = {text + f->text_at, f->text_n};
    const struct wy_body *b = wy_source_body_from(&r.tree, f, part);
    assert_int_equal(b->n, 2);
    assert_false(wy_source_wants(&r.tree, f));
    assert_ptr_equal(wy_source_body(&r.tree, f), b);
    struct wy_function *g = b->v[0].function;
    assert_true(wy_source_wants(&r.tree, g));
    part = (struct wy_str){text + g->text_at, g->text_n};
    b = wy_source_body_from(&r.tree, g, part);
    assert_str(b->v[0].value->text, "in");
    assert_int_equal(b->v[0].line, 4);
    assert_null(r.tree.problem);
    done(&r);
    f = function(&r, "def f():\n  a\n");
    wy_source_forget(&r.tree);
    assert_int_equal(wy_source_body_from(&r.tree, f, WY_STR("  a"))->n, 0);
    assert_non_null(r.tree.problem); /* the file was cut meanwhile */
    done(&r);
    f = function(&r, "def f():\r\n  a\r\n");
    wy_source_forget(&r.tree); /* the text was not read as the file has it */
    assert_false(wy_source_wants(&r.tree, f));
    assert_int_equal(wy_source_body(&r.tree, f)->n, 1);
    done(&r);
}

static void a_damaged_body_is_empty(void **state) {
    (void)state;
    struct read r;
    struct wy_function *f = function(&r, "def f():\n  a\n  b c\nd");
    assert_int_equal(r.tree.body.n, 2);
    assert_int_equal(wy_source_body(&r.tree, f)->n, 0);
    assert_non_null(r.tree.problem);
    assert_int_equal(r.tree.problem_line, 3);
    done(&r);
    f = function(&r, "def f():\n    a\n  b\n");
    assert_int_equal(wy_source_body(&r.tree, f)->n, 0);
    assert_int_equal(r.tree.problem_line, 3);
    done(&r);
}

static void what_is_before_a_problem_is_kept(void **state) {
    (void)state;
    struct read r;
    const char *text = "a\nb\nc d\ne";
    read_bytes(&r, text, strlen(text), 11);
    assert_int_equal(r.tree.body.n, 2);
    assert_int_equal(r.tree.problem_line, 3);
    done(&r);
    static const struct {
        const char *text;
        unsigned line;
    } table[] = {{"if a\n b", 1},     {"if a:\nb", 2},
                 {"a\n  b", 2},       {"if a:\n    b\n  c", 3},
                 {"(a", 1},           {"a)", 1},
                 {"'a", 1},           {"\"\"\"a\nb", 1},
                 {"@a\nb", 2},        {"try: a\nb", 2},
                 {"a = ", 1},         {"lambda", 1},
                 {"import a as", 1},  {"f(a b)", 1},
                 {"[a for b]", 1},    {"{a: b, c}", 1},
                 {"match a:\n b", 2}, {"from a import", 1},
                 {"def f(:", 1},      {"class", 1},
                 {"async a", 1},      {"x = $", 1},
                 {"f'{a b}'", 1},     {"f'{}'", 1},
                 {"a if b", 1},       {"with (a as b): c d", 1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_problem(table[i].text, strlen(table[i].text), 12, table[i].line);
    assert_problem("a\0b", 3, 12, 1);
}

/* Functions are read when they are called, but where a file is cut short is seen at once. */
static void a_file_that_is_cut_short(void **state) {
    (void)state;
    static const char *const cut[] = {
        "def f()",
        "def f() -> x",
        "class A:\n def f(self)",
        "def f():\n a\n if b",
        "class A:\n def f(self):\n  x = (1,",
        "try:\n a\nexcept B:\n def f():\n  return a.",
        "if a:\n b\nelse:\n def f():\n  def g():\n   b if",
    };
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        struct read r;
        read_text(&r, cut[i]);
        assert_non_null(r.tree.problem);
        done(&r);
    }
    static const char *const whole[] = {"def f(): pass", "def f(a=':'): return {a: 1}",
                                        "class A:\n def f(self):\n  return 1"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        struct read r;
        read_text(&r, whole[i]);
        assert_null(r.tree.problem);
        done(&r);
    }
}

/* n times `unit` between `head` and `tail`. */
static char *repeated(const char *head, const char *unit, size_t n, const char *tail) {
    size_t h = strlen(head), u = strlen(unit), t = strlen(tail);
    char *text = wy_alloc(h + u * n + t + 1);
    memcpy(text, head, h);
    for (size_t i = 0; i < n; i++)
        memcpy(text + h + u * i, unit, u);
    memcpy(text + h + u * n, tail, t + 1);
    return text;
}

static void nesting_has_a_limit(void **state) {
    (void)state;
    static const char *const units[] = {"(",    "[",         "{",        "-",
                                        "not ", "a**",       "lambda: ", "a if b else ",
                                        "f(a=", "x[",        "{a:",      "[a for b in ",
                                        "{**",  "[a for a[", "[a if "};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char *text = repeated("", units[i], 100000, "");
        assert_problem(text, strlen(text), 12, 1);
        free(text);
    }
    char *text = repeated("f'", "{a:", 5000, "");
    assert_problem(text, strlen(text), 12, 1);
    free(text);
    text = repeated("match a:\n  case ", "[", 5000, "");
    assert_problem(text, strlen(text), 12, 2);
    free(text);
    text = repeated("", "(", WY_SOURCE_MAX_NESTING - 1, "a");
    char *whole = repeated(text, ")", WY_SOURCE_MAX_NESTING - 1, "");
    assert_kind(whole, WY_E_NAME);
    free(text);
    free(whole);
}

/* A chain does not nest in the source but in the tree. */
static void chains_have_a_limit(void **state) {
    (void)state;
    static const char *const units[] = {".b", "()", "[b]", " + b"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct read r;
        char *text = repeated("a", units[i], 100000, "");
        const struct wy_expr *e = value(&r, text);
        unsigned depth = 0;
        for (; e; e = e->a)
            depth++;
        assert_true(depth <= WY_SOURCE_MAX_DEPTH);
        done(&r);
        free(text);
    }
    struct read r;
    char *text = repeated("if a: b\n", "elif a: b\n", 100000, "");
    read_text(&r, text);
    assert_non_null(r.tree.problem);
    done(&r);
    free(text);
}

static void blocks_have_a_limit(void **state) {
    (void)state;
    WY_VEC(char) text = {0};
    for (int i = 0; i <= WY_SOURCE_MAX_INDENTS + 1; i++) {
        for (int j = 0; j < i; j++)
            wy_vec_push(&text, ' ');
        for (const char *c = "if a:\n"; *c; c++)
            wy_vec_push(&text, *c);
    }
    assert_problem(text.v, text.n, 12, WY_SOURCE_MAX_INDENTS + 2);
    wy_vec_free(&text);
}

/* Two bytes of text make a hundred of tree. */
static void code_has_a_limit(void **state) {
    (void)state;
    static const struct {
        const char *head, *unit;
    } table[] = {{"", "a;"},         {"", "a,"},     {"import a", ",a"}, {"global a", ",a"},
                 {"lambda a", ",a"}, {"f(", "a=b,"}, {"", "def f():0\n"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct read r;
        char *text = repeated(table[i].head, table[i].unit, WY_SOURCE_MAX_NODES + 1, "");
        read_text(&r, text);
        if (!r.tree.problem || strcmp(r.tree.problem, "the file holds too much code") != 0)
            print_message("%s: %s\n", table[i].unit, r.tree.problem);
        assert_string_equal(r.tree.problem, "the file holds too much code");
        done(&r);
        free(text);
    }
}

static void other_encodings_are_bytes(void **state) {
    (void)state;
    assert_string("# coding: latin-1\n'\xe9' '\\xe9'", "\xe9\xc3\xa9");
}

static void text_given_to_exec(void **state) {
    (void)state;
    struct read r = {.text = NULL};
    wy_source_parse_text(WY_STR("  a + 1"), 11, &r.names, &r.arena, &r.tree);
    assert_int_equal(first(&r)->value->kind, WY_E_BINARY);
    done(&r);
    r = (struct read){.text = NULL};
    wy_source_parse_text(WY_STR(""), 11, &r.names, &r.arena, &r.tree);
    assert_null(r.tree.problem);
    assert_int_equal(r.tree.body.n, 0);
    done(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(strings),
        cmocka_unit_test(newlines_of_all_kinds),
        cmocka_unit_test(formatted_strings),
        cmocka_unit_test(quotes_inside_fields),
        cmocka_unit_test(operators_bind_as_in_python),
        cmocka_unit_test(one_kind_per_expression),
        cmocka_unit_test(one_kind_per_statement),
        cmocka_unit_test(imports_have_levels_and_names),
        cmocka_unit_test(arms_of_an_if),
        cmocka_unit_test(cases_bind_names),
        cmocka_unit_test(bodies_are_read_when_asked_for),
        cmocka_unit_test(a_text_that_is_forgotten_is_asked_for),
        cmocka_unit_test(a_damaged_body_is_empty),
        cmocka_unit_test(what_is_before_a_problem_is_kept),
        cmocka_unit_test(a_file_that_is_cut_short),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(chains_have_a_limit),
        cmocka_unit_test(blocks_have_a_limit),
        cmocka_unit_test(code_has_a_limit),
        cmocka_unit_test(other_encodings_are_bytes),
        cmocka_unit_test(text_given_to_exec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
