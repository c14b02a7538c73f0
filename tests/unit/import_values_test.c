/* What values lead to, and what one run leaves to the next. */
#include "base/path.h"
#include "import_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- values */

static void what_a_process_knows_of_itself(void **state) {
    struct fixture *f = *state;
    for (const char *name = "bcdef"; *name; name++)
        ext(f, "a", wy_arena_printf(&f->arena, "a/_%c", *name), NULL);
    for (const char *const *m = (const char *const[]){"inspect", "importlib", "packaging", NULL};
         *m; m++)
        py(f, "std", wy_arena_printf(&f->arena, "%s/__init__.py", *m), "");
    py(f, "std", "importlib/machinery.py", "");
    py(f, "std", "importlib/metadata.py", "");
    py(f, "std", "packaging/version.py", "");
    py(f, "a", "a/__init__.py",
       "import sys, inspect, os\n"
       "from importlib import machinery, metadata\n"
       "from packaging.version import Version\n"
       "if hasattr(sys, 'getwindowsversion') or getattr(sys, 'frozen', False): from . import _b\n"
       "if os.path.isfile(os.path.dirname(__file__) + '/_c' + machinery.EXTENSION_SUFFIXES[0]):\n"
       "  from . import _c\n"
       "if Version('1.10') < Version('1.9.1') or Version('2.0') != Version('2'): from . import _d\n"
       "for p in metadata.files('a'):\n"
       "  if p.parent.name == 'a' and p.suffixes and p.stem == '__init__' and "
       "p.locate().exists():\n"
       "    from . import _e\n"
       "if inspect.getfile(inspect.currentframe()) == __file__: from . import _f\n");
    expect(f, "a", "M a._c | M a._e | M a._f => ok");
}

/* `from ._c import *` of an extension: the module may have any name, so that its own __getattr__
 * is perhaps not asked. */
static void names_from_compiled_code_may_be_there(void **state) {
    struct fixture *f = *state;
    ext(f, "a", "b/_c", NULL);
    py(f, "a", "b/__init__.py",
       "from ._c import *\ndef __getattr__(name): raise AttributeError(name)\n");
    ext(f, "a", "a/_yes", NULL);
    py(f, "a", "a/__init__.py",
       "import b\ntry:\n  b.tensor\n  from . import _yes\nexcept AttributeError: pass\n");
    expect(f, "a", "M b._c | M a._yes => ok");
}

static void values_lead_to_libraries(void **state) {
    struct fixture *f = *state;
    py(f, "std", "importlib/__init__.py", "");
    py(f, "a", "a/__init__.py",
       "import importlib\n"
       "class Loader:\n"
       "  names = ['_one']\n"
       "  def __init__(self, more): self.names = self.names + more\n"
       "  def run(self):\n"
       "    for n in self.names: importlib.import_module(f'a.{n}')\n"
       "Loader(['_two']).run()\n"
       "def __getattr__(name):\n"
       "  if name in lazy: return importlib.import_module('.' + lazy[name], __name__)\n"
       "  raise AttributeError(name)\n"
       "lazy = {'three': '_three'}\n");
    ext(f, "a", "a/_one", NULL);
    ext(f, "a", "a/_two", NULL);
    ext(f, "a", "a/_three", NULL);
    py(f, "b", "b/__init__.py", "import a\na.three\nif hasattr(a, 'four'): from . import _no\n");
    ext(f, "b", "b/_no", NULL);
    expect(f, "a", "M a._one | M a._two => ok");
    expect(f, "b", "M a._one | M a._two | M a._three => ok");
}

/* A dataclass has the __init__ that its annotations ask for: each field here leads to a module. */
static void dataclasses_have_fields(void **state) {
    struct fixture *f = *state;
    for (const char *name = "bcdefghi"; *name; name++)
        ext(f, "a", wy_arena_printf(&f->arena, "a/_%c", *name), NULL);
    py(f, "std", "dataclasses.py", "");
    py(f, "std", "typing.py", "");
    py(f, "std", "importlib/__init__.py", "");
    py(f, "a", "a/__init__.py",
       "import importlib\n"
       "from dataclasses import dataclass, field\n"
       "from typing import ClassVar, cast\n"
       "def load(name): importlib.import_module(cast(str, 'a._' + name))\n"
       "def names(): return ['d']\n"
       "@dataclass\n"
       "class Base:\n"
       "  kind: ClassVar[str] = 'x'\n"
       "  first: str\n"
       "  second: str = 'c'\n"
       "@dataclass(frozen=True)\n"
       "class Both(Base):\n"
       "  second: str = 'i'\n"
       "  third: list = field(default_factory=names)\n"
       "  fourth: str = field(init=False, default='e')\n"
       "  last: str = ''\n"
       "  def __post_init__(self): self.more = 'g'\n"
       "v = Both('b', last='f')\n"
       "load(v.first)\n"
       "load(Base('x').second)\n"
       "load(v.third[0])\n"
       "load(v.fourth)\n"
       "load(v.last)\n"
       "load(v.more)\n"
       "load(Both('x', 'h').second)\n"
       "load(v.second)\n");
    expect(f, "a", "M a._b | M a._c | M a._d | M a._e | M a._f | M a._g | M a._h | M a._i => ok");
}

/* How libraries of other distributions are looked for: beside all packages, then what is in memory,
 * then by name. */
static void libraries_are_found_where_packages_lie(void **state) {
    struct fixture *f = *state;
    for (const char *const *m = (const char *const[]){"site", "struct", "pathlib", NULL}; *m; m++)
        py(f, "std", wy_arena_printf(&f->arena, "%s.py", *m), "");
    py(f, "std", "ctypes/__init__.py", "");
    py(f, "a", "a/__init__.py",
       "import ctypes, os, site, struct\n"
       "from pathlib import PurePath\n"
       "def find(rel, name):\n"
       "  for base in site.getsitepackages():\n"
       "    stack = [(base, 0)]\n"
       "    parts = PurePath(rel).parts\n"
       "    while stack:\n"
       "      path, at = stack.pop()\n"
       "      if at == len(parts): return os.path.join(path, name)\n"
       "      stack.append((os.path.join(path, parts[at]), at + 1))\n"
       "def load(rel, name):\n"
       "  if struct.calcsize('P') * 8 != 64 or site.ENABLE_USER_SITE: raise RuntimeError()\n"
       "  try: return ctypes.CDLL(name, mode=os.RTLD_NOLOAD)\n"
       "  except OSError: return ctypes.CDLL(find(rel, name), os.RTLD_NOW | os.RTLD_GLOBAL)\n"
       "load('vendor/x/lib', 'libx.so.1')\n"
       "load('vendor/gone', 'libx.so.1')\n"
       "from . import _c\n");
    lib(f, SITE "/vendor/x/lib/libx.so.1", "libx.so.1", NULL);
    ext(f, "a", "a/_c", "libx.so.1");
    expect(f, "a", "M libx.so.1 | M a._c => ok");
}

/* setuptools adds the folder of what it carries so; apache-tvm-ffi reads its own RECORD. */
static void paths_of_what_a_distribution_carries(void **state) {
    struct fixture *f = *state;
    py(f, "std", "importlib/__init__.py", "");
    py(f, "std", "importlib/metadata.py", "");
    py(f, "std", "ctypes/__init__.py", "");
    py(f, "a", "a/__init__.py",
       "import ctypes, os, sys\n"
       "import importlib.metadata as im\n"
       "sys.path.extend(((v := os.path.dirname(__file__) + '/_vendor') not in sys.path) * [v])\n"
       "import carried\n"
       "def find(name):\n"
       "  d = im.distribution('a')\n"
       "  for line in (d.read_text('RECORD') or '').splitlines():\n"
       "    path, *_ = line.split(',')\n"
       "    if path.endswith(name): return (d._path.parent / path).resolve()\n"
       "ctypes.CDLL(str(find('libx.so')))\n");
    py(f, "a", "a/_vendor/carried.py", "from a import _c\n");
    ext(f, "a", "a/_c", NULL);
    lib(f, SITE "/a/lib/libx.so", "libx.so", NULL);
    record(f, "a", "a/lib/libx.so", 1);
    expect(f, "a", "M a._c | M libx.so => ok");
}

/* faiss-gpu lists what it loads first in a file beside it, by distribution. */
static void lists_in_files_are_read(void **state) {
    struct fixture *f = *state;
    for (const char *const *m = (const char *const[]){"json", "ctypes", "importlib", NULL}; *m; m++)
        py(f, "std", wy_arena_printf(&f->arena, "%s/__init__.py", *m), "");
    py(f, "std", "importlib/metadata.py", "");
    py(f, "std", "pathlib.py", "");
    py(f, "a", "a/list.json",
       "{\"first\": [{\"of\": \"vendor\", \"name\": \"libx.so.1\", \"on\": true}]}\n");
    py(f, "a", "a/__init__.py",
       "import ctypes, json\n"
       "from importlib.metadata import distribution\n"
       "from pathlib import Path\n"
       "def load(t):\n"
       "  for file in distribution(t['of']).files:\n"
       "    if t['name'] == file.name and t['on']:\n"
       "      path = str(file.locate())\n"
       "      break\n"
       "  else: raise FileNotFoundError(t['name'])\n"
       "  ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)\n"
       "LIST = Path(__file__).parent / 'list.json'\n"
       "for t in json.loads(LIST.read_text())['first']: load(t)\n"
       "with open(LIST) as f: again = json.load(f)\n"
       "if again['first'][0]['on'] is True: from . import _c\n");
    lib(f, SITE "/vendor/libx.so.1", "libx.so.1", NULL);
    record(f, "vendor", "vendor/libx.so.1", 1);
    ext(f, "a", "a/_c", "libx.so.1");
    expect(f, "a", "M libx.so.1 | M a._c => ok");
}

/* An extension is opened when its module is made, source runs in exec_module(). */
static void code_finds_modules_by_itself(void **state) {
    struct fixture *f = *state;
    py(f, "std", "importlib/__init__.py", "");
    py(f, "std", "importlib/util.py", "");
    py(f, "std", "glob.py", "");
    py(f, "std", "os.py", "");
    py(f, "a", "a/__init__.py",
       "import glob, os\n"
       "from importlib.util import module_from_spec, spec_from_file_location\n"
       "here = os.path.dirname(__file__)\n"
       "def load(name, path):\n"
       "  spec = spec_from_file_location(name, path)\n"
       "  m = module_from_spec(spec)\n"
       "  spec.loader.exec_module(m)\n"
       "  return m\n"
       "load('one', glob.glob(f'{here}/**/one.so', recursive=True)[0])\n"
       "if load('two', os.path.join(here, 'far/two.py')).yes: from . import _yes\n"
       "else: from . import _no\n"
       "try: load('three', os.path.join(here, 'three.so'))\n"
       "except ImportError: raise OSError('three')\n");
    py(f, "a", "a/far/two.py", "yes = True\n");
    ext_with(f, "a", "a/far/off/one", ".so", NULL);
    ext_with(f, "a", "a/three", ".so", "libgone.so");
    ext(f, "a", "a/_yes", NULL);
    ext(f, "a", "a/_no", NULL);
    expect(f, "a", "M one | M a._yes | M three ! => fails");
}

static void records_tell_what_a_function_imports(void **state) {
    struct fixture *f = *state;
    py(f, "torch", "torch/__init__.py",
       "from torch import _C\n"
       "_C._initExtension(b'')\n"
       "from . import _last\n");
    py(f, "torch", "torch/cuda/__init__.py", "from . import _graph\n");
    ext(f, "torch", "torch/_C", NULL);
    ext(f, "torch", "torch/_last", NULL);
    ext(f, "torch", "torch/cuda/_graph", NULL);
    expect(f, "torch", "M torch._C | M torch.cuda._graph | M torch._last => ok");
}

/* Plug-ins are found by what their distributions announce. */
static void entry_points_are_loaded(void **state) {
    struct fixture *f = *state;
    py(f, "std", "importlib/__init__.py", "");
    py(f, "std", "importlib/metadata.py", "");
    py(f, "a", "a/__init__.py",
       "from importlib.metadata import entry_points\n"
       "for e in entry_points(group='a.plugins'): e.load()()\n"
       "for e in entry_points().select(group='a.more'): __import__(e.value)\n"
       "if len(entry_points(group='none')): from . import _no\n");
    ext(f, "a", "a/_no", NULL);
    py(f, "b", "b.py", "def start():\n  import c._b\n");
    ext(f, "b", "c/_b", NULL);
    py(f, "b", "b-1.0.dist-info/entry_points.txt",
       "[console_scripts]\nb = b:main\n\n[a.plugins]\nb = b:start [x]\n[a.more]\n# c\nc=c._c\n");
    ext(f, "b", "c/_c", NULL);
    expect(f, "a", "M c._b | M c._c => ok");
}

/* A name that is bound, to whatever, is none that __getattr__ is asked for. */
static void getattr_is_for_names_that_are_not_bound(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "from ._x import thing\n"
       "from ._x import *\n"
       "def __getattr__(name): raise AttributeError(name)\n");
    ext(f, "a", "a/_x", NULL);
    py(f, "b", "b.py", "try: from a import thing\nexcept ImportError: import c._b\n");
    ext(f, "b", "c/_b", NULL);
    expect(f, "b", "c a._x => ok");
}

/* What says that everything it tried was refused is believed, where it is sure to get there. */
static void giving_up_after_failures_is_believed(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "for n in (1, 2):\n"
       "  try: from . import _x\n"
       "  except ImportError: pass\n"
       "raise RuntimeError('none')\n");
    ext(f, "a", "a/_x", "libgone.so");
    expect(f, "a", "c a._x ! | M a._x ! => fails");
}

/* llvmlite: the library is a resource, opened when the first attribute is asked for. */
static void resources_are_paths(void **state) {
    struct fixture *f = *state;
    py(f, "std", "ctypes.py", "");
    py(f, "std", "importlib/__init__.py", "");
    py(f, "std", "importlib/resources.py", "");
    py(f, "std", "importlib/readers.py", "");
    py(f, "a", "a/__init__.py",
       "import ctypes\n"
       "from importlib.resources import as_file, files\n"
       "class Base:\n"
       "  def __init__(self, name): self.name = name\n"
       "class Lib(Base):\n"
       "  def __init__(self):\n"
       "    super(Lib, self).__init__('x')\n"
       "    self.lock = not_known()\n"
       "  def __getattr__(self, name):\n"
       "    with as_file(files(__name__) / 'liba.so') as path:\n"
       "      ctypes.CDLL(str(path))\n"
       "lib = Lib()\n"
       "lib.name\n"
       "try: EnvironmentError\n"
       "except NameError: lib = None\n"
       "lib.function\n");
    lib(f, SITE "/a/liba.so", "liba.so", NULL);
    expect(f, "a", "M liba.so => ok");
}

static void what_a_run_changes_is_put_back(void **state) {
    struct fixture *f = *state;
    py(f, "base", "base/__init__.py", "plug = []\nflag = False\n");
    py(f, "base", "base/late.py",
       "import base\nfor p in base.plug:\n  __import__(p)\nif base.flag: import base._flag\n");
    ext(f, "base", "base/_flag", NULL);
    py(f, "a", "a/__init__.py",
       "import base\nbase.plug.append('a._x')\nbase.flag = True\nimport base.late\n");
    ext(f, "a", "a/_x", NULL);
    py(f, "b", "b/__init__.py", "import base.late\n");
    ext(f, "b", "b/_y", NULL);
    py(f, "c", "c/__init__.py",
       "import a\nif base_flag(): pass\nimport base\n"
       "if base.flag: from . import _z\n");
    ext(f, "c", "c/_z", NULL);
    expect(f, "a", "M a._x | M base._flag => ok");
    expect(f, "c", "M a._x | M base._flag | M c._z => ok");
}

static void an_unknown_condition_in_a_function_is_passed_over(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "def f(x):\n"
       "  if x():\n    import a._no\n"
       "  if x():\n    return None\n"
       "  import nowhere\n"
       "  import a._never\n"
       "f(g())\n"
       "while h():\n  import a._loop\n");
    ext(f, "a", "a/_no", NULL);
    ext(f, "a", "a/_never", NULL);
    ext(f, "a", "a/_loop", NULL);
    expect(f, "a", "m a._loop => ok");
}

/* What is passed over may be what loads the library: that it lies there and is missing later proves
 * nothing. One that is nowhere nobody loads. */
static void what_was_passed_over_may_have_loaded_a_library(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "def f(x):\n"
       "  if x(): load('x')\n"
       "  from . import _c\n"
       "f(unknown())\n");
    py(f, "b", "b/__init__.py",
       "def f(x):\n"
       "  if x(): load('x')\n"
       "  from . import _d\n"
       "f(unknown())\n");
    lib(f, SITE "/vendor/libx.so.1", "libx.so.1", NULL);
    ext(f, "a", "a/_c", "libx.so.1");
    ext(f, "b", "b/_d", "libgone.so.1");
    expect(f, "a", "m a._c ! => unknown");
    expect(f, "b", "M b._d ! => fails");
}

/* The same where code opens something by a path that is not known, also when that module has run
 * before; what others lack has nothing to do with it. */
static void what_is_opened_unseen_may_be_what_is_missing(void **state) {
    struct fixture *f = *state;
    py(f, "std", "ctypes/__init__.py", "");
    py(f, "a", "a/b/first.py", "import ctypes\nctypes.CDLL(unknown())\n");
    py(f, "a", "a/b/second.py", "from a.b import first\nfrom a.b import _c\n");
    py(f, "c", "c/__init__.py", "import a.b.first\nfrom . import _e\n");
    lib(f, SITE "/vendor/libx.so.1", "libx.so.1", NULL);
    ext(f, "a", "a/b/_c", "libx.so.1");
    record(f, "a", "a/b/_c" SUFFIX, 1);
    ext(f, "c", "c/_e", "libx.so.1");
    record(f, "c", "c/_e" SUFFIX, 1);
    expect(f, "a.b.first", " => ok");
    expect(f, "a.b.second", "m a.b._c ! => unknown");
    expect(f, "c", "M c._e ! => fails");
}

/* ---- a run inside another */

/* That a module may not be imported at all does not make true what it raises on paper. */
static void below_a_condition_modules_run_as_elsewhere(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "if g():\n  import a.b\n"
       "if g():\n  raise ValueError\n  import a._never\n"
       "if g():\n  import nowhere\n  import a._never\n");
    py(f, "a", "a/b.py",
       "import a.c\n"
       "a.c.name_of_c\n"
       "raise ImportError\n"
       "import a._after\n");
    py(f, "a", "a/c.py", "");
    ext(f, "a", "a/_after", NULL);
    ext(f, "a", "a/_never", NULL);
    expect(f, "a", "m a._after => ok");
}

/* Where names come from a loop or a function that is not followed, none is missing. */
static void namespaces_that_grow_unseen_lack_nothing(void **state) {
    struct fixture *f = *state;
    py(f, "a", "a/__init__.py",
       "try:\n"
       "  from a.loop import one\n"
       "  from a.enums import two, three\n"
       "except ImportError:\n"
       "  import a._no\n"
       "import a._yes\n");
    py(f, "a", "a/loop.py",
       "names = {'zero': 0}\n"
       "for k in f():\n  names[k] = 1\n"
       "for k in names:\n  globals()[k] = names[k]\n");
    py(f, "a", "a/enums.py",
       "import enum\n"
       "@enum.global_enum\n"
       "class E(enum.Enum):\n  two = 2\n");
    static const char text[] = "class Enum: pass\ndef global_enum(c): return c\n";
    put_bytes(f, "/usr/lib/python3.11/enum.py", text, sizeof text - 1);
    ext(f, "a", "a/_no", NULL);
    ext(f, "a", "a/_yes", NULL);
    expect(f, "a", "M a._yes => ok");
}

static void a_finished_run_is_used_again(void **state) {
    struct fixture *f = *state;
    py(f, "base", "base/__init__.py", "import base.common\nfrom . import _one, _two\n");
    py(f, "base", "base/common.py", "import shared._s\n");
    ext(f, "base", "base/_one", NULL);
    ext(f, "base", "base/_two", NULL);
    py(f, "shared", "shared/__init__.py", "");
    ext(f, "shared", "shared/_s", NULL);
    py(f, "user", "user/__init__.py",
       "import shared._s\ntry: import base\nexcept ImportError: pass\n"
       "import base.late\nimport base\n");
    py(f, "user", "base/late.py", "");
    ext(f, "user", "user/_x", NULL);
    expect(f, "base", "M shared._s | M base._one | M base._two => ok");
    expect(f, "user", "M shared._s | c base._one | c base._two => ok");
    assert_int_equal(wy_process_count(wy_importer_run(f->importer, "user")->after),
                     wy_process_count(wy_importer_run(f->importer, "base")->after));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, import_setup, import_teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_a_process_knows_of_itself),
        TEST(names_from_compiled_code_may_be_there),
        TEST(values_lead_to_libraries),
        TEST(dataclasses_have_fields),
        TEST(libraries_are_found_where_packages_lie),
        TEST(paths_of_what_a_distribution_carries),
        TEST(lists_in_files_are_read),
        TEST(code_finds_modules_by_itself),
        TEST(records_tell_what_a_function_imports),
        TEST(entry_points_are_loaded),
        TEST(getattr_is_for_names_that_are_not_bound),
        TEST(giving_up_after_failures_is_believed),
        TEST(resources_are_paths),
        TEST(what_a_run_changes_is_put_back),
        TEST(an_unknown_condition_in_a_function_is_passed_over),
        TEST(what_was_passed_over_may_have_loaded_a_library),
        TEST(what_is_opened_unseen_may_be_what_is_missing),
        TEST(below_a_condition_modules_run_as_elsewhere),
        TEST(namespaces_that_grow_unseen_lack_nothing),
        TEST(a_finished_run_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
