/* Imports on small trees made on the spot. What real Python does in these cases was tried by hand;
 * texts are CPython 3.11's. */
#include "base/path.h"
#include "import_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the finder */

static void packages_before_extensions_before_sources(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "from . import x, y, z, w\n");
    py(f, "a", "a/x/__init__.py", "from . import in_package\n");
    ext(f, "a", "a/x/in_package", NULL);
    ext(f, "a", "a/x", NULL);
    ext(f, "a", "a/y", NULL);
    ext_with(f, "a", "a/y", ".abi3.so", "libgone.so.1");
    py(f, "a", "a/y.py", "import a.no\n");
    ext_with(f, "a", "a/z", ".so", NULL);
    py(f, "a", "a/w.py", "import a.w2\n");
    ext(f, "a", "a/w2", NULL);
    expect(f, "a", "M a.x.in_package | M a.y | M a.z | M a.w2 => ok");
}

static void an_extension_can_be_a_package(void **state) {
    struct fixture *f = *state;
    put_elf(f, SITE "/a/__init__" SUFFIX,
            &(struct elf_spec){.is64 = true, .symbols = {"PyInit_a"}, .hashes = ELF_GNU_HASH});
    py(f, "a", "a/b.py", "");
    py(f, "b", "b/__init__.py", "import a.b\n");
    ext(f, "b", "b/c", NULL);
    expect(f, "b", "M a => ok");
}

static void namespace_parts_are_searched_in_order(void **state) {
    struct fixture *f = *state;
    py(f, "u", "u/__init__.py", "import space.one\nfrom space import two\n");
    ext(f, "u", "u/_x", NULL);
    ext(f, "u", "space/two", NULL);
    put_bytes(f, SITE "/extra.pth", "../../other\n", 12);
    put_bytes(f, "/venv/lib/other/space/one.py", "import u._x\n", 12);
    expect(f, "u", "M u._x | M space.two => ok");
}

/* That Python raises here is certain only if nothing binds the name in a way not followed. */
static void a_part_that_is_nowhere_leaves_it_open(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "from . import _x\n");
    ext(f, "a", "a/_y", NULL);
    py(f, "b", "b/__init__.py", "try:\n    from . import _x\nexcept ImportError:\n    pass\n");
    py(f, "c", "c.py", "from b import _z\n");
    py(f, "d", "d.py", "from b import plain\n");
    expect(f, "a", " => unknown");
    expect(f, "b", " => ok");
    expect(f, "c", " => unknown");
    expect(f, "d", " => ok");
}

/* A library under the name of an extension, imported only if a condition holds. */
static void a_library_is_no_module_where_it_may_be_imported(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "if unknown():\n    from . import _x\n");
    lib(f, SITE "/a/_x" SUFFIX, NULL, NULL);
    record(f, "a", "a/_x" SUFFIX, 1);
    expect(f, "a", "m a._x ! => unknown");
}

/* Where the path of a library is not known, a constant of that file that names one beside it. */
static void a_library_named_beside_the_code_may_be_meant(void **state) {
    struct fixture *f = *state;
    size_t n;
    py(f, "a", "a/__init__.py",
       "import ctypes\n# 'comment'\n\"\"\"\n'libdoc.so'\n\"\"\"\n"
       "def load(where):\n    return ctypes.CDLL(find(where, 'core') or \"other.dll\")\nload(x())\n"
       "from . import _x\n");
    py(f, "std", "ctypes.py", "");
    ext(f, "a", "a/_x", NULL);
    py(f, "b", "b.py", "import ctypes, sys\nctypes.CDLL(x('lib_b.so', 'lib_gone.so'))\n");
    py(f, "c", "c.py", "import ctypes\nctypes.CDLL(x('none.so'))\n");
    static const char *const libs[] = {"a/libcore.so", "a/libdoc.so", "a/comment.so", "lib_b.so",
                                       "lib_gone.so"};
    for (size_t i = 0; i < sizeof libs / sizeof *libs; i++) {
        lib(f, wy_arena_printf(&f->arena, SITE "/%s", libs[i]), NULL,
            i == 4 ? "libgone.so.1" : NULL);
        record(f, i < 3 ? "a" : "b", libs[i], 1);
    }
    expect(f, "a", "m libcore.so | M a._x => ok");
    expect(f, "b", "m lib_b.so => ok");
    wy_importer_unfollowed(f->importer, &n);
    assert_int_equal(n, 0);
    expect(f, "c", " => ok");
    wy_importer_unfollowed(f->importer, &n);
    assert_int_equal(n, 1);
}

static void parents_run_first(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "from a import first\n");
    ext(f, "a", "a/first", NULL);
    py(f, "a", "a/b/__init__.py", "from ..second import q\nfrom .. import third\n");
    ext(f, "a", "a/second", NULL);
    ext(f, "a", "a/third", NULL);
    ext(f, "a", "a/b/c", NULL);
    expect(f, "a.b.c", "M a.first | M a.second | M a.third | M a.b.c => ok");
    expect(f, "a", "M a.first => ok");
}

/* ---- from p import x */

static void bound_names_are_no_submodules(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "def f(): pass\nfrom .use import q\nfrom a import late\nlate = 1\n");
    py(f, "a", "a/use.py", "from a import f, g\nfrom a import *\n");
    ext(f, "a", "a/f", "libgone.so.1");
    ext(f, "a", "a/g", NULL);
    ext(f, "a", "a/late", NULL);
    expect(f, "a", "M a.g | M a.late => ok");
}

static void a_module_runs_once_and_circles_end(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "import b\nimport a.c\n");
    py(f, "a", "a/c.py", "import a, b, b._x\n");
    py(f, "b", "b/__init__.py", "import a.c\nfrom . import _x\n");
    ext(f, "b", "b/_x", NULL);
    ext(f, "a", "a/_y", NULL);
    expect(f, "a", "M b._x => ok");
    expect(f, "b", "M b._x => ok");
}

/* ---- failures */

static void a_must_that_fails_ends_the_import(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "from . import x\nfrom . import y\nfrom . import z\n");
    ext(f, "a", "a/x", NULL);
    ext(f, "a", "a/y", "libgone.so.1");
    ext(f, "a", "a/z", NULL);
    expect(f, "a", "M a.x | M a.y ! => fails");
    const struct wy_run *r = wy_importer_run(f->importer, "a");
    assert_string_equal(r->message, GONE);
    assert_string_equal(r->how, "exception");
    assert_string_equal(r->raised_type, "ImportError");
    assert_string_equal(r->raised_text, GONE);
    assert_string_equal(r->at, SITE "/a/y" SUFFIX);
    assert_ptr_equal(r->fatal, &r->events[1]);
    assert_string_equal(r->fatal->file, SITE "/a/__init__.py");
    assert_int_equal(r->fatal->line, 2);
    assert_string_equal(r->dist->name, "a");
    assert_non_null(r->fatal->library);
}

static void failures_travel_through_imports(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "try:\n  import b\nexcept ImportError:\n  import a.plain\n"
       "else:\n  import a.no\nfrom . import z\n");
    py(f, "a", "a/plain.py", "import a.p2\n");
    ext(f, "a", "a/p2", NULL);
    ext(f, "a", "a/no", NULL);
    ext(f, "a", "a/z", NULL);
    py(f, "b", "b/__init__.py", "import c\nimport b.never\n");
    ext(f, "b", "b/never", NULL);
    py(f, "c", "c/__init__.py", "from c._x import *\nimport c.never\n");
    ext(f, "c", "c/_x", "libgone.so.1");
    ext(f, "c", "c/never", NULL);
    expect(f, "a", "c c._x ! | M a.p2 | M a.z => ok");
    expect(f, "b", "M c._x ! => fails");
}

static void handlers_run_only_for_what_they_catch(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "try:\n  import a.fine\nexcept ImportError:\n  import a.no\n"
       "try:\n  import a.bad\nexcept ModuleNotFoundError:\n  import a.no\nexcept OSError: pass\n");
    ext(f, "a", "a/fine", NULL);
    ext(f, "a", "a/no", NULL);
    ext(f, "a", "a/bad", "libgone.so.1");
    py(f, "b", "b/__init__.py",
       "try:\n  import nowhere\nexcept ModuleNotFoundError:\n"
       "  import b.instead\n");
    ext(f, "b", "b/instead", NULL);
    expect(f, "a", "c a.fine | M a.bad ! => fails");
    expect(f, "b", "M b.instead => ok");
}

static void a_handler_may_raise_another_exception(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "try:\n  from . import _x\nexcept ImportError as e:\n"
       "  raise RuntimeError('broken') from e\n");
    ext(f, "a", "a/_x", "libgone.so.1");
    py(f, "b", "b/__init__.py", "try: import a\nexcept ImportError: pass\n");
    ext(f, "b", "b/_y", NULL);
    py(f, "c", "c/__init__.py", "try: import a\nexcept Exception: from . import _y\n");
    ext(f, "c", "c/_y", NULL);
    expect(f, "a", "M a._x ! => fails");
    const struct wy_run *r = wy_importer_run(f->importer, "a");
    assert_string_equal(r->message, GONE);
    assert_string_equal(r->raised_type, "RuntimeError");
    assert_string_equal(r->raised_text, "broken");
    expect(f, "b", "M a._x ! => fails"); /* RuntimeError is no ImportError */
    expect(f, "c", "c a._x ! | M c._y => ok");
}

static void what_may_not_run_gives_a_reason(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "if x():\n  import a.deep\nfrom . import z\n");
    py(f, "a", "a/deep.py", "from . import bad\n");
    ext(f, "a", "a/bad", "libgone.so.1");
    ext(f, "a", "a/z", NULL);
    expect(f, "a", "m a.bad ! | M a.z => unknown");
    const struct wy_run *r = wy_importer_run(f->importer, "a");
    assert_true(wy_starts(r->reason, "lib/python3.11/site-packages/a/deep.py:1: " GONE));
}

static void a_doubtful_module_is_followed_again_for_certain(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "if x():\n  import a.deep\nimport a.deep\n");
    py(f, "a", "a/deep.py", "from . import bad\n");
    ext(f, "a", "a/bad", "libgone.so.1");
    expect(f, "a", "m a.bad ! | M a.bad ! => fails");
}

static void both_arms_of_an_if_are_a_must(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "if x():\n  from a._C import *\nelse:\n  from a._C import *\n");
    ext(f, "a", "a/_C", "libgone.so.1");
    expect(f, "a", "M a._C ! => fails");
}

static void never_and_other_platforms_are_not_followed(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "import sys\nif TYPE_CHECKING:\n  import a.bad\nif sys.platform == 'win32':\n  import "
       "a.bad\n"
       "def f():\n  import a.bad\n");
    ext(f, "a", "a/bad", "libgone.so.1");
    expect(f, "a", " => ok");
}

static void nesting_has_a_limit(void **state) {
    struct fixture *f = *state;
    char name[64], text[64];
    for (int i = 0; i < 450; i++) {
        snprintf(name, sizeof name, SITE "/deep%d.py", i);
        snprintf(text, sizeof text, "import deep%d\n", i + 1);
        put_bytes(f, name, text, strlen(text));
    }
    begin(f);
    assert_string_equal(told(f, "deep0"), " => unknown");
    assert_true(wy_ends(wy_importer_run(f->importer, "deep0")->reason,
                        "imports are nested more than 400 deep"));
}

static void python_failures_are_no_verdict(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "import nowhere.x\nfrom . import nothing\nfrom . import z\n");
    ext(f, "a", "a/z", NULL);
    expect(f, "a", "M a.z => unknown");
    const struct wy_run *r = wy_importer_run(f->importer, "a");
    assert_string_equal(r->reason, "lib/python3.11/site-packages/a/__init__.py:1: No module named "
                                   "'nowhere'");
    expect(f, "not_there", " => unknown");
}

/* ---- files for another Python or machine */

static void other_suffixes_are_not_seen(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "import a._x\n");
    ext_with(f, "a", "a/_x", ".cpython-311-aarch64-linux-gnu.so", NULL);
    py(f, "b", "b/__init__.py", "from . import _x\n");
    ext_with(f, "b", "b/_x", ".cpython-312-x86_64-linux-gnu.so", NULL);
    py(f, "c", "c/__init__.py", "try: from ._x import q\nexcept ImportError: pass\n");
    ext_with(f, "c", "c/_x", ".cpython-312-x86_64-linux-gnu.so", NULL);
    expect(f, "a", "M a._x ! => fails");
    const struct wy_run *r = wy_importer_run(f->importer, "a");
    assert_string_equal(r->message, "No module named 'a._x'");
    assert_string_equal(r->raised_type, "ModuleNotFoundError");
    assert_null(r->fatal->open);
    assert_string_equal(r->fatal->module, "a._x");
    expect(f, "b", "M b._x ! => fails");
    r = wy_importer_run(f->importer, "b");
    assert_string_equal(r->message,
                        "cannot import name '_x' from partially initialized module 'b' "
                        "(most likely due to a circular import) (" SITE "/b/__init__.py)");
    assert_string_equal(r->raised_type, "ImportError");
    expect(f, "c", "c c._x ! => ok");
}

/* ---- lists */

static void listed_modules(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "x = 1\n");
    ext(f, "a", "a/_x", NULL);
    py(f, "a", "a_tool.py", "x = 1\n");
    py(f, "a", "a-b/no.py", "x = 1\n");
    py(f, "pure", "pure/__init__.py", "x = 1\n");
    py(f, "nv", "nv/__init__.py", "");
    py(f, "nv", "nv/x/__init__.py", "");
    lib(f, SITE "/nv/x/lib/libnv.so.1", "libnv.so.1", NULL);
    record(f, "nv", "nv/x/lib/libnv.so.1", 1);
    ext(f, "pip", "pip/_x", NULL);
    ext(f, "space", "space/deep/_x", NULL);
    put_elf(f, SITE "/alone" SUFFIX,
            &(struct elf_spec){.is64 = true, .symbols = {"PyInit_alone"}, .hashes = ELF_GNU_HASH});
    begin(f);
    size_t n;
    const struct wy_listed_module *m = wy_importer_modules(f->importer, &n);
    char got[256] = "";
    for (size_t i = 0; i < n; i++) {
        strcat(got, m[i].name);
        strcat(got, m[i].dist ? " " : "- ");
    }
    assert_string_equal(got, "a a_tool alone- space ");
}

static void pure_packages_that_fail_are_listed_too(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "from . import _x\n");
    ext(f, "a", "a/_x", "libgone.so.1");
    py(f, "hurt", "hurt/__init__.py", "import a\n");
    py(f, "well", "well/__init__.py", "try: import a\nexcept ImportError: pass\n");
    begin(f);
    size_t n;
    const struct wy_listed_module *m = wy_importer_also_failing(f->importer, &n);
    assert_int_equal(n, 1);
    assert_string_equal(m[0].name, "hurt");
    assert_string_equal(m[0].dist->name, "hurt");
    assert_ptr_equal(wy_importer_also_failing(f->importer, &n), m);
    assert_int_equal(n, 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, import_setup, import_teardown)
    const struct CMUnitTest tests[] = {
        TEST(packages_before_extensions_before_sources),
        TEST(an_extension_can_be_a_package),
        TEST(namespace_parts_are_searched_in_order),
        TEST(a_part_that_is_nowhere_leaves_it_open),
        TEST(a_library_is_no_module_where_it_may_be_imported),
        TEST(a_library_named_beside_the_code_may_be_meant),
        TEST(parents_run_first),
        TEST(bound_names_are_no_submodules),
        TEST(a_module_runs_once_and_circles_end),
        TEST(a_must_that_fails_ends_the_import),
        TEST(failures_travel_through_imports),
        TEST(handlers_run_only_for_what_they_catch),
        TEST(a_handler_may_raise_another_exception),
        TEST(what_may_not_run_gives_a_reason),
        TEST(a_doubtful_module_is_followed_again_for_certain),
        TEST(both_arms_of_an_if_are_a_must),
        TEST(never_and_other_platforms_are_not_followed),
        TEST(nesting_has_a_limit),
        TEST(python_failures_are_no_verdict),
        TEST(other_suffixes_are_not_seen),
        TEST(listed_modules),
        TEST(pure_packages_that_fail_are_listed_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
