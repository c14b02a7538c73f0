/* What imports do by compiled code, and what frameworks open. */
#include "base/path.h"
#include "import_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- torch */

/* The start of torch/__init__.py in short, with one library in its list. */
static void put_torch(struct fixture *f, const char *global_needs) {
    py(f, "torch", "torch/__init__.py",
       "import ctypes, glob, os, sys\n"
       "import torch.early\n"
       "def preload(err):\n"
       "  libs = {'cuda_runtime': 'libcudart.so.*[0-9]'}\n"
       "  if not [l for l in libs.values() if l.split('.')[0] in err.args[0]]:\n"
       "    raise err\n"
       "  for folder, name in libs.items():\n"
       "    path = None\n"
       "    for p in sys.path:\n"
       "      found = glob.glob(os.path.join(p, 'nvidia', folder, 'lib', name))\n"
       "      if found:\n"
       "        path = found[0]\n"
       "        break\n"
       "    if not path:\n"
       "      raise ValueError(f'{name} not found in the system path {sys.path}')\n"
       "    ctypes.CDLL(path)\n"
       "def load_global_deps():\n"
       "  here = os.path.dirname(os.path.abspath(__file__))\n"
       "  path = os.path.join(here, 'lib', 'libtorch_global_deps' + '.so')\n"
       "  try:\n"
       "    ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)\n"
       "  except OSError as err:\n"
       "    preload(err)\n"
       "    ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)\n"
       "load_global_deps()\n"
       "from torch._C import *\n");
    py(f, "std", "ctypes/__init__.py", "");
    py(f, "std", "glob.py", "");
    ext(f, "torch", "torch/early", NULL);
    ext(f, "torch", "torch/_C", "libtorch_python.so");
    lib(f, SITE "/torch/lib/libtorch_global_deps.so", "libtorch_global_deps.so", global_needs);
    lib(f, SITE "/torch/lib/libtorch_python.so", "libtorch_python.so", NULL);
    record(f, "torch", "torch/lib/libtorch_python.so", 1);
}

static void libraries_are_opened_by_path(void **state) {
    struct fixture *f = *state;
    put_torch(f, "libcudart.so.12");
    lib(f, "/lib64/libtorch_python.so", "libtorch_python.so", NULL);
    lib(f, "/lib64/libcudart.so.12", "libcudart.so.12", NULL);
    expect(f, "torch", "M torch.early | c libtorch_global_deps.so | M torch._C => ok");
}

static void torch_without_a_member_of_its_list(void **state) {
    struct fixture *f = *state;
    put_torch(f, "libcudart.so.12");
    expect(f, "torch", "M torch.early | M libtorch_global_deps.so ! => fails");
    const struct wy_run *r = wy_importer_run(f->importer, "torch");
    assert_string_equal(r->raised_type, "ValueError");
    assert_string_equal(r->raised_text, "libcudart.so.*[0-9] not found in the system path ['', "
                                        "'/usr/lib/python311.zip', '/usr/lib/python3.11', "
                                        "'/usr/lib/python3.11/lib-dynload', '" SITE "']");
    assert_string_equal(r->message, "libcudart.so.12: cannot open shared object file: No such file "
                                    "or directory");
}

static void torch_without_another_library(void **state) {
    struct fixture *f = *state;
    put_torch(f, "libgone.so.1");
    expect(f, "torch", "M torch.early | M libtorch_global_deps.so ! => fails");
    const struct wy_run *r = wy_importer_run(f->importer, "torch");
    assert_string_equal(r->raised_type, "OSError");
    assert_string_equal(r->raised_text, GONE);
}

static void torch_preloads_what_lies_on_sys_path(void **state) {
    struct fixture *f = *state;
    put_torch(f, "libcudart.so.12");
    lib(f, "/lib64/libtorch_python.so", "libtorch_python.so", NULL);
    lib(f, SITE "/nvidia/cuda_runtime/lib/libcudart.so.12", "libcudart.so.12", NULL);
    expect(f, "torch",
           "M torch.early | c libtorch_global_deps.so ! | M libcudart.so.12 | "
           "M libtorch_global_deps.so | M torch._C => ok");
}

static void a_torch_without_the_marker_opens_nothing(void **state) {
    struct fixture *f = *state;
    put_torch(f, "libgone.so.1");
    lib(f, "/lib64/libtorch_python.so", "libtorch_python.so", NULL);
    py(f, "torch", "torch/__init__.py", "from torch._C import *\n");
    expect(f, "torch", "M torch._C => ok");
}

static void extensions_of_a_framework_are_opened_after_it(void **state) {
    struct fixture *f = *state;
    put_torch(f, NULL);
    lib(f, "/lib64/libtorch_python.so", "libtorch_python.so", NULL);
    py(f, "torchuser", "torchuser/__init__.py", "");
    ext(f, "torchuser", "torchuser/_x", "libtorch_python.so");
    py(f, "loner", "loner/__init__.py", "");
    ext(f, "loner", "loner/_x", "libtorch_python.so");
    begin(f);
    assert_int_equal(unlink(wy_arena_printf(&f->arena, "%s/empty/x", f->root)), 0);
    const struct wy_library *x =
        wy_map_get(&f->world->library_by_path, wy_str_of(SITE "/torchuser/_x" SUFFIX));
    const struct wy_open *open = wy_importer_alone(f->importer, x);
    assert_int_equal(open->outcome, WY_OPEN_OK);
    assert_int_equal(open->nmapped, 1); /* torch's library is there already */
    x = wy_map_get(&f->world->library_by_path, wy_str_of(SITE "/loner/_x" SUFFIX));
    open = wy_importer_alone(f->importer, x);
    assert_int_equal(open->outcome, WY_OPEN_OK);
    assert_int_equal(open->nmapped, 2);
}

/* ---- what compiled code does */

static void records_tell_what_is_imported_from_c(void **state) {
    struct fixture *f = *state;
    py(f, "orjson", "orjson/__init__.py", "from .orjson import *\n");
    ext(f, "orjson", "orjson/orjson", NULL);
    py(f, "std", "json.py", "from std import _json\n");
    py(f, "std", "std/__init__.py", "");
    ext(f, "std", "std/_json", NULL);
    py(f, "cv2", "cv2/__init__.py", "");
    ext_with(f, "cv2", "cv2/cv2", ".abi3.so", "libgone.so.1");
    expect(f, "orjson", "M orjson.orjson | m std._json => ok");
    expect(f, "cv2", "M cv2 ! => fails");
}

static void constants_name_what_may_be_imported(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "from . import _x\n");
    put_elf(f, SITE "/a/_x" SUFFIX,
            &(struct elf_spec){
                .is64 = true, .symbols = {"PyInit__x", "b.c_CAPI"}, .hashes = ELF_GNU_HASH});
    py(f, "b", "b/__init__.py", "from . import _y\n");
    ext(f, "b", "b/_y", "libgone.so.1");
    expect(f, "a", "M a._x | m b._y ! => unknown");
}

static void put_compiled(struct fixture *f, const char *package, const char *init) {
    py(f, package, wy_arena_printf(&f->arena, "%s/__init__.py", package), init);
    put_elf(f, wy_arena_printf(&f->arena, SITE "/%s/_x" SUFFIX, package),
            &(struct elf_spec){
                .is64 = true, .symbols = {"PyInit__x", "b.c_CAPI"}, .hashes = ELF_GNU_HASH});
}

static void what_compiled_code_imports_may_be_gone(void **state) {
    struct fixture *f = *state;
    put_compiled(f, "a", "from . import _x\n");
    put_compiled(f, "caught", "try: from . import _x\nexcept ImportError: pass\n");
    record(f, "b", "b/__init__.py", 10);
    expect(f, "a", "M a._x | m b ! => unknown");
    expect(f, "caught", "c caught._x | m b ! => ok");
}

static void a_getattr_may_not_know_a_module_that_is_gone(void **state) {
    struct fixture *f = *state;
    static const char init[] = "def __getattr__(name):\n  if name in lazy(): return 1\n"
                               "  raise AttributeError(name)\n"
                               "def f():\n  from . import %s\nf()\n";
    py(f, "a", "a/__init__.py", wy_arena_printf(&f->arena, init, "_gone"));
    record(f, "a", "a/_gone" SUFFIX, 1);
    py(f, "b", "b/__init__.py", wy_arena_printf(&f->arena, init, "name"));
    expect(f, "a", " => unknown");
    expect(f, "b", " => ok");
}

static void a_possible_failure_may_be_raised_as_another(void **state) {
    struct fixture *f = *state;
    put_compiled(f, "a",
                 "try: from . import _x\nexcept ImportError as e:\n"
                 "  if e: raise RuntimeError('broken') from e\n");
    put_compiled(f, "caught", "try: from . import _x\nexcept ImportError: pass\n");
    py(f, "b", "b/__init__.py", "from . import _y\n");
    ext(f, "b", "b/_y", "libgone.so.1");
    py(f, "b", "other/__init__.py", "try: import a\nexcept KeyError: pass\n");
    py(f, "b", "outside/__init__.py", "try: import a\nexcept RuntimeError: pass\n");
    expect(f, "other", "c a._x | m b._y ! => unknown");
    expect(f, "a", "c a._x | m b._y ! => unknown");
    expect(f, "caught", "c caught._x | m b._y ! => ok");
    /* whatever becomes of it on its way ends there */
    expect(f, "outside", "c a._x | m b._y ! => ok");
}

static void imports_of_shipped_cython_source_run(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py", "from . import _x\n");
    put_elf(f, SITE "/a/_x" SUFFIX,
            &(struct elf_spec){
                .is64 = true, .symbols = {"PyInit__x", "__pyx_x"}, .hashes = ELF_GNU_HASH});
    py(f, "a", "a/_x.pyx", "from . import _y\ncdef int f():\n  from . import _no\n");
    ext(f, "a", "a/_y", NULL);
    ext(f, "a", "a/_no", NULL);
    expect(f, "a", "M a._x | M a._y => ok");
}

static void modules_of_a_mypyc_group_begin_each_other(void **state) {
    struct fixture *f = *state;
    static const char *const group = "9a__mypyc", *const deps = "9a__mypyc.ensure_deps";
    put_elf(
        f, SITE "/9a__mypyc" SUFFIX,
        &(struct elf_spec){.is64 = true, .symbols = {"PyInit_9a__mypyc"}, .hashes = ELF_GNU_HASH});
    for (const char *name = "xyz"; *name; name++)
        put_elf(f, wy_arena_printf(&f->arena, SITE "/a/%c" SUFFIX, *name),
                &(struct elf_spec){.is64 = true,
                                   .symbols = {wy_arena_printf(&f->arena, "PyInit_%c", *name),
                                               group, *name == 'z' ? NULL : deps},
                                   .hashes = ELF_GNU_HASH});
    py(f, "a", "a/__init__.py", "");
    py(f, "a", "a/x.py", "from . import y, z\n");
    py(f, "a", "a/y.py", "import a._py\n");
    py(f, "a", "a/z.py", "");
    py(f, "a", "a/_py.py", "import a._more\n");
    ext(f, "a", "a/_more", NULL);
    /* z was made by an older mypyc: its shim is opened as any extension */
    expect(f, "a.x", "M a.x | m 9a__mypyc | M a._more | M a.z => ok");
    expect(f, "a._py", "M a._more => ok");
    expect(f, "a.y", "M a.y | m 9a__mypyc | M a._more => ok");
}

/* What Cython code names of a package that its own does not ask for is imported on use. */
static void names_of_packages_that_are_not_asked_for(void **state) {
    struct fixture *f = *state;
    static const char *const init = "PyInit__x", *const mark = "__pyx_x";
    put_elf(f, SITE "/torchuser/_x" SUFFIX,
            &(struct elf_spec){
                .is64 = true, .symbols = {init, mark, "b._y", "torch._y"}, .hashes = ELF_GNU_HASH});
    py(f, "torchuser", "torchuser/__init__.py", "from . import _x\n");
    record(f, "torchuser", "torchuser/_x" SUFFIX, 1);
    for (const char *const *name = (const char *const[]){"b", "torch", NULL}; *name; name++) {
        py(f, *name, wy_arena_printf(&f->arena, "%s/__init__.py", *name), "");
        ext(f, *name, wy_arena_printf(&f->arena, "%s/_y", *name), NULL);
    }
    expect(f, "torchuser", "M torchuser._x | m torch._y => ok");
}

static void records_say_what_code_does_not_show(void **state) {
    struct fixture *f = *state;
    ext(f, "anyio", "anyio/_no", NULL);
    py(f, "anyio", "anyio/__init__.py",
       "from ._lazyimport import install_lazy_importer\n"
       "if not install_lazy_importer(): from . import _no\n");
    py(f, "anyio", "anyio/_lazyimport.py", "def install_lazy_importer(): return unknown\n");
    py(f, "toolz", "tlz/__init__.py", "");
    py(f, "toolz", "tlz/_build_tlz.py", "");
    ext(f, "a", "a/_x", NULL);
    py(f, "a", "a/__init__.py",
       "import tlz._build_tlz\nfrom tlz.some import name\nfrom . import _x\n");
    py(f, "a", "early.py", "from tlz.some import name\n");
    expect(f, "anyio", " => ok");
    expect(f, "a", "M a._x => ok");
    expect(f, "early", " => unknown");
}

/* One guard that is not known is mostly passed, two hardly ever. */
static void imports_behind_guards(void **state) {
    struct fixture *f = *state;
    ext(f, "a", "a/_x", NULL);
    ext(f, "a", "a/_y", NULL);
    py(f, "a", "a/__init__.py",
       "import nobody_knows as n\n"
       "def once():\n"
       "  if n.a(): return\n"
       "  from . import _x\n"
       "def twice():\n"
       "  if n.a(): return\n"
       "  if n.b(): return 1\n"
       "  from . import _y\n"
       "once()\n"
       "twice()\n");
    py(f, "b", "nobody_knows/__init__.py", "from os import *\n");
    expect(f, "a", "m a._x => ok");
}

/* Two distributions below one name: they are made for each other. */
static void parts_of_a_namespace_know_each_other(void **state) {
    struct fixture *f = *state;
    static const char *const init = "PyInit__x", *const mark = "__pyx_x";
    py(f, "one", "space/one/__init__.py", "from . import _x\n");
    put_elf(f, SITE "/space/one/_x" SUFFIX,
            &(struct elf_spec){
                .is64 = true, .symbols = {init, mark, "space.two._y"}, .hashes = ELF_GNU_HASH});
    record(f, "one", "space/one/_x" SUFFIX, 1);
    py(f, "two", "space/two/__init__.py", "");
    ext(f, "two", "space/two/_y", NULL);
    expect(f, "space.one", "M space.one._x | m space.two._y => ok");
}

/* What a record tries is not asked again by a constant; what it needs tells how it was built. */
static void records_say_what_may_fail(void **state) {
    struct fixture *f = *state;
    static const char *const mark = "__pyx_x";
    py(f, "cupy", "cupy/__init__.py", "from .b import statistics\nfrom . import _last\n");
    py(f, "cupy", "cupy/b.py",
       "import cupy._core._routines_statistics as statistics\n"
       "from cupy_backends.cuda.api import runtime\n"
       "if runtime.is_hip: from . import _hip\nelse: from . import _cuda\n");
    py(f, "cupy", "cupy/_core/__init__.py", "");
    put_elf(f, SITE "/cupy/_core/_routines_statistics" SUFFIX,
            &(struct elf_spec){.is64 = true,
                               .symbols = {"PyInit__routines_statistics", mark,
                                           "cupy_backends.cuda.libs.cutensor"},
                               .hashes = ELF_GNU_HASH});
    record(f, "cupy", "cupy/_core/_routines_statistics" SUFFIX, 1);
    for (const char *const *m = (const char *const[]){"", "/cuda", "/cuda/api", "/cuda/libs", NULL};
         *m; m++)
        py(f, "cupy", wy_arena_printf(&f->arena, "cupy_backends%s/__init__.py", *m), "");
    ext(f, "cupy", "cupy_backends/cuda/libs/cutensor", "libgone.so.1");
    ext(f, "cupy", "cupy_backends/cuda/api/runtime", "libamdhip64.so.7");
    lib(f, "/lib64/libamdhip64.so.7", "libamdhip64.so.7", NULL);
    for (const char *const *m = (const char *const[]){"hip", "cuda", "last", NULL}; *m; m++)
        ext(f, "cupy", wy_arena_printf(&f->arena, "cupy/_%s", *m), NULL);
    expect(f, "cupy",
           "M cupy._core._routines_statistics | c cupy_backends.cuda.libs.cutensor ! | "
           "M cupy_backends.cuda.api.runtime | M cupy._hip | M cupy._last => ok");
}

static void a_hook_that_is_known_moves_a_package(void **state) {
    struct fixture *f = *state;
    py(f, "numba", "numba/__init__.py", "");
    py(f, "numba", "numba/cuda/__init__.py", "from . import _old\n");
    ext(f, "numba", "numba/cuda/_old", NULL);
    py(f, "numba-cuda", "numba_cuda/numba/cuda/__init__.py", "from . import _new\n");
    ext(f, "numba-cuda", "numba_cuda/numba/cuda/_new", NULL);
    py(f, "numba-cuda", "_numba_cuda_redirector.py", "");
    expect(f, "numba.cuda", "M numba.cuda._new => ok");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, import_setup, import_teardown)
    const struct CMUnitTest tests[] = {
        TEST(libraries_are_opened_by_path),
        TEST(torch_without_a_member_of_its_list),
        TEST(torch_without_another_library),
        TEST(torch_preloads_what_lies_on_sys_path),
        TEST(a_torch_without_the_marker_opens_nothing),
        TEST(extensions_of_a_framework_are_opened_after_it),
        TEST(records_tell_what_is_imported_from_c),
        TEST(constants_name_what_may_be_imported),
        TEST(what_compiled_code_imports_may_be_gone),
        TEST(a_getattr_may_not_know_a_module_that_is_gone),
        TEST(a_possible_failure_may_be_raised_as_another),
        TEST(imports_of_shipped_cython_source_run),
        TEST(modules_of_a_mypyc_group_begin_each_other),
        TEST(names_of_packages_that_are_not_asked_for),
        TEST(parts_of_a_namespace_know_each_other),
        TEST(records_say_what_may_fail),
        TEST(a_hook_that_is_known_moves_a_package),
        TEST(records_say_what_code_does_not_show),
        TEST(imports_behind_guards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
