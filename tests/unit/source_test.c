#include "source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const struct wy_source_env linux_311 = {3, 11, "linux"};

static struct wy_source_file read_env(struct wy_arena *a, const char *text,
                                      const struct wy_source_env *env) {
    struct wy_source_file f;
    /* An exact heap copy: a read past the end is seen by the address sanitizer. */
    size_t n = strlen(text);
    char *copy = wy_alloc(n);
    memcpy(copy, text, n);
    wy_source_read((struct wy_str){copy, n}, env, a, &f);
    free(copy);
    return f;
}

static struct wy_source_file read_text(struct wy_arena *a, const char *text) {
    return read_env(a, text, &linux_311);
}

/* "line:guard:module" of every import, joined by blanks: M must, m maybe, c caught, n never. */
static void assert_imports(const char *text, const char *want) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_source_file f = read_text(&a, text);
    char got[2048] = "";
    size_t used = 0;
    for (size_t i = 0; i < f.nimports; i++) {
        const struct wy_import_stmt *s = &f.imports[i];
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%u:%c:%.*s%s", i ? " " : "",
                                 s->line, "Mmcn"[s->guard], (int)s -> level, "......", s->module);
        for (size_t j = 0; j < s->nnames; j++)
            used +=
                (size_t)snprintf(got + used, sizeof got - used, "%c%s", j ? ',' : '/', s->names[j]);
        if (s->star)
            used += (size_t)snprintf(got + used, sizeof got - used, "/*");
        assert_true(used < sizeof got);
    }
    if (strcmp(got, want) != 0)
        print_message("in:\n%s\n", text);
    assert_string_equal(got, want);
    assert_null(f.problem);
    wy_arena_deinit(&a);
}

static void all_forms_of_import(void **state) {
    (void)state;
    assert_imports("import a\nimport b.c as d, e\nfrom f import g as h, i\n",
                   "1:M:a 2:M:b.c 2:M:e 3:M:f/g,i");
    assert_imports(
        "from . import x\nfrom .. y import z\nfrom ...a.b import *\nfrom .... import q\n",
        "1:M:./x 2:M:..y/z 3:M:...a.b/* 4:M:..../q");
    assert_imports("from a import (  # why\n  b as c,\n\n  d,\n)\nimport e", "1:M:a/b,d 6:M:e");
    assert_imports("import a, \\\n   b; import c\n", "1:M:a 2:M:b 2:M:c");
    assert_imports("\xef\xbb\xbfimport a\r\nif x:\r\n\timport b\r\n\fimport c\r\n",
                   "1:M:a 3:m:b 4:M:c");
}

static void strings_and_brackets_hide(void **state) {
    (void)state;
    assert_imports("'''\nimport a\n'''\nimport b\nx = r\"\\\"\"; import c\n", "4:M:b 5:M:c");
    assert_imports(
        "x = [\nimport_,\n# ]\n]\nimport a\ny = rb'''\n\\'''\nimport no\n'''\nimport b\n",
        "5:M:a 10:M:b");
    assert_imports("x = 'a\\\nimport b'\nimport c\n", "3:M:c");
    assert_imports("f'{x!r:>{w}}' 'import q'; import a\n", "1:M:a");
    assert_imports("x = f'''{d['''a''']}\nimport b\n'''\nimport c\n", "4:M:c");
}

static void later_pythons_nest_quotes_in_f_strings(void **state) {
    (void)state;
    static const struct wy_source_env linux_312 = {3, 12, "linux"};
    static const char *const texts[] = {
        "x = f'{d['a']}'\nimport b\n",
        "x = f'{d['''a\n''']}'; import b\n",
        "x = f\"{y:'>10}\"\nimport b\n",
        "x = f'{{' f'{y:{w}}' f'{(lambda: 1)()}'\nimport b\n",
        "x = f'''{\n  '}'  # it's\n}'''\nimport b\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct wy_arena a = WY_ARENA_INIT;
        struct wy_source_file f = read_env(&a, texts[i], &linux_312);
        assert_int_equal(f.nimports, 1);
        assert_null(f.problem);
        wy_arena_deinit(&a);
    }
}

static void functions_are_not_run_but_classes_are(void **state) {
    (void)state;
    assert_imports("def f(a=(1,\n 2)):\n  import no\n\n# out\n  import no\nimport a\n", "7:M:a");
    assert_imports("async def f(): import no\nclass A:\n  import b\n  def g(self):\n    import no\n"
                   "  import c\nimport d\n",
                   "3:M:b 6:M:c 7:M:d");
    assert_imports(
        "@x(lambda: 1)\ndef f():\n  '''\nimport no\n'''\n  import no\nclass B: import a\n",
        "7:M:a");
}

static void conditions_with_known_answers(void **state) {
    (void)state;
    static const struct {
        const char *condition;
        char guard;
    } cases[] = {
        {"sys.version_info >= (3, 8)", 'M'},
        {"sys.version_info < (3,)", 'n'},
        {"sys.version_info[:2] == (3, 11)", 'M'},
        {"sys.version_info[0] < 3", 'n'},
        {"sys.version_info.minor > 10", 'M'},
        {"sys.version_info >= (3, 11, 4)", 'm'},
        {"sys.version_info > (3, 11)", 'M'},
        {"sys.version_info == (3, 11)", 'n'},
        {"(3, 9) <= sys.version_info < (3, 12)", 'M'},
        {"sys.version_info[0] in (2, 4)", 'n'},
        {"sys.platform == 'win32'", 'n'},
        {"sys.platform.startswith(('linux', 'darwin'))", 'M'},
        {"sys.platform in ['win32', \"cygwin\"]", 'n'},
        {"not sys.platform.startswith(\"win\") and os.name == 'posix'", 'M'},
        {"os.name == 'nt' or x", 'm'},
        {"x and False", 'n'},
        {"x or True", 'M'},
        {"not x", 'm'},
        {"TYPE_CHECKING", 'n'},
        {"typing.TYPE_CHECKING", 'n'},
        {"not TYPE_CHECKING", 'M'},
        {"__name__ == '__main__'", 'n'},
        {"__name__ == 'a.b'", 'm'},
        {"0", 'n'},
        {"1", 'M'},
        {"None", 'n'},
        {"(True)", 'M'},
        {"sys.maxsize > 2**32", 'M'},
        {"platform.system() == 'Windows'", 'n'},
        {"x if y else True", 'm'},
        {"sys.implementation.name != 'cpython'", 'n'},
        {"f(sys.platform == 'linux')", 'm'},
        {"[x for x in y]", 'm'},
        {"True and lambda: 0", 'm'},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], want[32];
        snprintf(text, sizeof text, "if %s:\n  import a\n", cases[i].condition);
        snprintf(want, sizeof want, "2:%c:a", cases[i].guard);
        assert_imports(text, want);
    }
}

static void arms_exclude_each_other(void **state) {
    (void)state;
    assert_imports("if TYPE_CHECKING:\n  import a\nelse:\n  import b\n", "2:n:a 4:M:b");
    assert_imports("if x: import a\nelif True: import b\nelse: import c\nimport d\n",
                   "1:m:a 2:m:b 3:n:c 4:M:d");
    assert_imports("if sys.platform == 'win32':\n  if x:\n    import a\n  import b\nimport c\n",
                   "3:n:a 4:n:b 5:M:c");
    assert_imports("for x in y:\n  import a\nelse:\n  import b\nwhile 1: import c\n",
                   "2:m:a 4:m:b 5:m:c");
    assert_imports(
        "match = 1\nmatch.x\nmatch x:\n  case 1:\n    import a\n  case _:\n    import b\n",
        "5:m:a 7:m:b");
}

static void names_bound_to_one_constant(void **state) {
    (void)state;
    assert_imports("try:\n  S\nexcept NameError:\n  S = False\nif S: import a\nelse: import b\n",
                   "5:n:a 6:M:b");
    assert_imports("A = B = True\nC: bool = 1; D = 'x'\nif A and B and C and D: import a\n",
                   "3:m:a");
    assert_imports("B: bool = True\nif B: import a\nB = False\nif B: import b\n", "2:M:a 4:m:b");
    assert_imports("X = f()\nX = False\nif X: import a\n", "3:m:a");
    assert_imports("X = False\nX |= y\nif X: import a\n", "3:m:a");
    assert_imports("X = not True\nif X: import a\n", "2:m:a");
    assert_imports("V = 3\nif V >= 3 and V != 4: import a\n", "2:M:a");
    assert_imports("class C:\n  X = True\nif X: import a\n", "3:m:a");
}

static void what_all_arms_import_is_certain(void **state) {
    (void)state;
    assert_imports(
        "if x and y():\n  import os as o\n  from t._C import *\nelse:\n  if z:\n    f()\n"
        "  from t._C import *\n",
        "2:m:os 3:M:t._C/* 7:M:t._C/*");
    assert_imports("if x:\n  import a\nelif y:\n  import a\n", "2:m:a 4:m:a");
    assert_imports("if x:\n  import a\nelif y:\n  import b\nelse:\n  import a\n",
                   "2:m:a 4:m:b 6:m:a");
    assert_imports("if x:\n  from . import a\nelse:\n  from . import b\n", "2:m:./a 4:m:./b");
    assert_imports("if x:\n  if y:\n    import a\n  else:\n    import a\nelse:\n  import a\n",
                   "3:M:a 5:M:a 7:M:a");
}

static void tries_catch_import_errors(void **state) {
    (void)state;
    assert_imports("try:\n  import a\nexcept ImportError as e:\n  import b\nelse:\n  import c\n"
                   "finally:\n  import d\n",
                   "2:c:a 4:m:b 6:M:c 8:M:d");
    assert_imports("try: import a\nexcept: pass\n", "1:c:a");
    assert_imports("try: import a\nexcept (KeyError, m.OSError): pass\n", "1:c:a");
    assert_imports("try: import a\nexcept* Exception: pass\n", "1:c:a");
    assert_imports("try: import a\nexcept NameError: pass\n", "1:M:a");
    assert_imports("try: import a\nfinally: pass\n", "1:M:a");
    assert_imports("try:\n  try:\n    import a\n  except ValueError:\n    import b\n"
                   "except Exception:\n  pass\nimport c\n",
                   "3:c:a 5:c:b 8:M:c");
    assert_imports("with contextlib.suppress(ImportError, X), y:\n  import a\nwith z: import b\n",
                   "2:c:a 3:M:b");
}

static void a_handler_that_raises_swallows_nothing(void **state) {
    (void)state;
    assert_imports("try:\n  import a\nexcept ImportError as e:\n  m = 'x'\n"
                   "  raise ImportError(m) from e\n",
                   "2:M:a");
    assert_imports("try:\n  import a\nexcept ImportError:\n  if x:\n    raise\n", "2:c:a");
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_source_file f =
        read_text(&a, "try:\n  import a\nexcept ImportError as e:\n  if x: raise\n"
                      "  raise m.Wrong('no') from e\nexcept OSError: raise\n");
    assert_int_equal(f.blocks[1].kind, WY_BLOCK_TRY);
    const struct wy_source_block *h = &f.blocks[f.blocks[1].next_handler];
    assert_int_equal(h->raises, WY_RAISES_YES);
    assert_string_equal(h->raised, "Wrong");
    assert_int_equal(h->catches, WY_EX_IMPORT | WY_EX_NOT_FOUND);
    h = &f.blocks[h->next_handler];
    assert_int_equal(h->raises, WY_RAISES_YES);
    assert_null(h->raised);
    assert_int_equal(h->catches, WY_EX_OS);
    assert_int_equal(h->next_handler, 0);
    wy_arena_deinit(&a);
}

static void names_bound_at_module_level(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_source_file f =
        read_text(&a, "import a.b, c.d as e\nfrom f import g, h as i\ndef j(): k = 1\n"
                      "class L:\n  m = 1\nn = o = 1\np, q = r\ns: int = 2\nt: int\nu.v = 3\n"
                      "w[0] = 4\nx == 5\ndef __getattr__(n): pass\nprint 'y'\n");
    char got[256] = "";
    for (size_t i = 0; i < f.ndefined; i++) {
        strcat(got, f.defined[i].name);
        strcat(got, " ");
    }
    assert_string_equal(got, "a e g i j L n o p q s __getattr__ ");
    assert_true(f.has_getattr);
    wy_arena_deinit(&a);
}

static void loading_code_is_noted(void **state) {
    (void)state;
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_source_file f = read_text(
        &a, "# ctypes.CDLL('x')\ns = 'CDLL(1)'\nctypes.CDLL('y', mode=ctypes.RTLD_GLOBAL)\n"
            "def f():\n  return ffi.dlopen(p)\ndef dlopen(): pass\nsys.setdlopenflags(1)\n"
            "x = os.RTLD_GLOBAL\ntorch.ops.load_library(p)\nMyCDLL(1)\n");
    static const struct {
        const char *what;
        unsigned line;
        bool top;
    } want[] = {{"ctypes.CDLL", 3, true},
                {"ffi.dlopen", 5, false},
                {"sys.setdlopenflags", 7, true},
                {"RTLD_GLOBAL", 8, true},
                {"torch.ops.load_library", 9, true}};
    assert_int_equal(f.nloading, sizeof want / sizeof *want);
    for (size_t i = 0; i < f.nloading; i++) {
        assert_string_equal(f.loading[i].what, want[i].what);
        assert_int_equal(f.loading[i].line, want[i].line);
        assert_int_equal(f.loading[i].at_module_level, want[i].top);
    }
    wy_arena_deinit(&a);
}

static void damage_is_said_and_survived(void **state) {
    (void)state;
    static const struct {
        const char *text, *problem;
        unsigned line;
        size_t imports;
    } cases[] = {
        {"import a\nx = '''\nimport b\n", "a triple-quoted string does not end", 4, 1},
        {"x = 'abc\nimport a\n", "a string does not end on its line", 1, 1},
        {"import a\nx = (\nimport b\n", "a bracket is not closed", 4, 1},
        {"x = )\nimport a\n", "a bracket is closed that was not opened", 1, 1},
        {"else:\n  import a\n", NULL, 0, 1},
        {"import\nfrom\nfrom x\nfrom . \nfrom . import\nimport a.\nif\nif x\n", NULL, 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wy_arena a = WY_ARENA_INIT;
        struct wy_source_file f = read_text(&a, cases[i].text);
        if (cases[i].problem)
            assert_string_equal(f.problem, cases[i].problem);
        else
            assert_null(f.problem);
        assert_int_equal(f.problem_line, cases[i].line);
        assert_int_equal(f.nimports, cases[i].imports);
        wy_arena_deinit(&a);
    }
}

static void deep_nesting_ends(void **state) {
    (void)state;
    enum { DEPTH = 400 };
    struct wy_arena a = WY_ARENA_INIT;
    char *text = wy_alloc(DEPTH * (DEPTH + 8) + 64), *p = text;
    for (int i = 0; i < DEPTH; i++) {
        memset(p, ' ', (size_t)i);
        p += i;
        p = stpcpy(p, "if x:\n");
    }
    memset(p, ' ', DEPTH);
    strcpy(p + DEPTH, "import a\nimport b\n");
    struct wy_source_file f = read_text(&a, text);
    assert_string_equal(f.problem, "blocks are nested too deeply");
    assert_int_equal(f.nimports, 1);
    assert_string_equal(f.imports[0].module, "b");
    free(text);
    wy_arena_deinit(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_of_import),
        cmocka_unit_test(strings_and_brackets_hide),
        cmocka_unit_test(later_pythons_nest_quotes_in_f_strings),
        cmocka_unit_test(functions_are_not_run_but_classes_are),
        cmocka_unit_test(conditions_with_known_answers),
        cmocka_unit_test(arms_exclude_each_other),
        cmocka_unit_test(names_bound_to_one_constant),
        cmocka_unit_test(what_all_arms_import_is_certain),
        cmocka_unit_test(tries_catch_import_errors),
        cmocka_unit_test(a_handler_that_raises_swallows_nothing),
        cmocka_unit_test(names_bound_at_module_level),
        cmocka_unit_test(loading_code_is_noted),
        cmocka_unit_test(damage_is_said_and_survived),
        cmocka_unit_test(deep_nesting_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
