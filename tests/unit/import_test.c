/* Imports on small trees made on the spot: a root with its own loader, libc, python and venv. What
 * real Python does in these cases was tried by hand; texts are CPython 3.11's. */
#include "base/path.h"
#include "elf_bytes.h"
#include "folder.h"
#include "import/import.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SUFFIX ".cpython-311-x86_64-linux-gnu.so"
#define SITE "/venv/lib/python3.11/site-packages"
#define GONE "libgone.so.1: cannot open shared object file: No such file or directory"

struct fixture {
    char root[64];
    struct wy_arena arena;
    struct wy_tree *tree;
    struct wy_know *know;
    struct wy_world *world;
    struct wy_ld *ld;
    struct wy_importer *importer;
    char dists[16][64]; /* names, for RECORDs written at the end */
    char records[16][2048];
    size_t ndists;
};

static void put_bytes(struct fixture *f, const char *path, const void *bytes, size_t n) {
    char *full = wy_arena_printf(&f->arena, "%s%s", f->root, path);
    for (char *p = full + strlen(f->root) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(full, 0755);
        *p = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void put_elf(struct fixture *f, const char *path, const struct elf_spec *spec) {
    struct elf_bytes *e = wy_alloc(sizeof *e);
    elf_build(spec, e);
    put_bytes(f, path, e->b, e->n);
    free(e);
}

static int setup(void **state) {
    struct fixture *f = wy_alloc0(1, sizeof *f);
    strcpy(f->root, "/tmp/wy_import_XXXXXX");
    *state = f;
    if (!mkdtemp(f->root))
        return -1;
    f->know = wy_know_create();
    put_elf(f, "/lib64/ld-linux-x86-64.so.2",
            &(struct elf_spec){.is64 = true, .soname = "ld-linux-x86-64.so.2"});
    put_elf(f, "/lib64/libc.so.6", &(struct elf_spec){.is64 = true, .soname = "libc.so.6"});
    put_elf(f, "/usr/bin/python3.11",
            &(struct elf_spec){.is64 = true,
                               .interp = "/lib64/ld-linux-x86-64.so.2",
                               .needed = {"libc.so.6"},
                               .flags_1 = 0x08000000 /* DF_1_PIE */});
    put_bytes(f, "/usr/lib/python3.11/os.py", "", 0);
    put_bytes(f, "/usr/lib/python3.11/lib-dynload/x", "", 0);
    static const char cfg[] = "home = /usr/bin\nversion = 3.11.7\n";
    put_bytes(f, "/venv/pyvenv.cfg", cfg, sizeof cfg - 1);
    put_bytes(f, SITE "/README.txt", "", 0);
    put_bytes(f, "/venv/bin/x", "", 0);
    put_bytes(f, "/empty/x", "", 0);
    return symlink("/usr/bin/python3.11",
                   wy_arena_printf(&f->arena, "%s/venv/bin/python", f->root));
}

static int teardown(void **state) {
    struct fixture *f = *state;
    wy_importer_destroy(f->importer);
    if (f->ld)
        wy_ld_destroy(f->ld);
    wy_world_destroy(f->world);
    if (f->tree)
        wy_tree_destroy(f->tree);
    wy_know_destroy(f->know);
    wy_arena_deinit(&f->arena);
    int left = remove_folder(f->root);
    free(f);
    return left;
}

/* ---- building */

/* A file of the site directory; it is listed in the RECORD of distribution `dist`. */
static void record(struct fixture *f, const char *dist, const char *name, size_t size) {
    size_t i = 0;
    while (i < f->ndists && strcmp(f->dists[i], dist) != 0)
        i++;
    assert_true(i < sizeof f->dists / sizeof *f->dists);
    if (i == f->ndists)
        strcpy(f->dists[f->ndists++], dist);
    size_t used = strlen(f->records[i]);
    snprintf(f->records[i] + used, sizeof f->records[i] - used, "%s,,%zu\n", name, size);
}

static void py(struct fixture *f, const char *dist, const char *name, const char *text) {
    put_bytes(f, wy_arena_printf(&f->arena, SITE "/%s", name), text, strlen(text));
    record(f, dist, name, strlen(text));
}

/* An extension NAME (dotted path with slashes, no suffix) that needs a library, or nothing. */
static void ext_with(struct fixture *f, const char *dist, const char *name, const char *suffix,
                     const char *needed) {
    const char *init = wy_arena_printf(&f->arena, "PyInit_%s", strrchr(name, '/') + 1);
    const char *file = wy_arena_printf(&f->arena, "%s%s", name, suffix);
    put_elf(f, wy_arena_printf(&f->arena, SITE "/%s", file),
            &(struct elf_spec){
                .is64 = true, .needed = {needed}, .symbols = {init}, .hashes = ELF_GNU_HASH});
    record(f, dist, file, 1);
}

static void ext(struct fixture *f, const char *dist, const char *name, const char *needed) {
    ext_with(f, dist, name, SUFFIX, needed);
}

/* A library with a soname; `path` from the root of the tree. */
static void lib(struct fixture *f, const char *path, const char *soname, const char *needed) {
    put_elf(f, path, &(struct elf_spec){.is64 = true, .soname = soname, .needed = {needed}});
}

static void write_dists(struct fixture *f) {
    for (size_t i = 0; i < f->ndists; i++) {
        char dir[128];
        snprintf(dir, sizeof dir, SITE "/%s-1.0.dist-info", f->dists[i]);
        char *meta =
            wy_arena_printf(&f->arena, "Name: %s\nVersion: 1.0\n%s\n", f->dists[i],
                            strcmp(f->dists[i], "torchuser") == 0 ? "Requires-Dist: torch\n" : "");
        put_bytes(f, wy_arena_printf(&f->arena, "%s/METADATA", dir), meta, strlen(meta));
        put_bytes(f, wy_arena_printf(&f->arena, "%s/RECORD", dir), f->records[i],
                  strlen(f->records[i]));
    }
}

static void begin(struct fixture *f) {
    write_dists(f);
    assert_null(wy_tree_host(f->root, &f->tree));
    struct wy_world_options o = {
        .env = {.path = "/venv", .machine_triplet = "x86_64-linux-gnu", .no_user_site = true},
        .host = {.cwd = "/empty", .cpu = "x86-64-v2", .driver = "none", .foreign = true},
        .threads = 1};
    struct wy_error *e = wy_world_create(f->tree, f->know, &o, &f->world);
    if (e)
        fail_msg("%s", e->message);
    f->ld = wy_ld_create(f->world->host);
    f->importer = wy_importer_create(f->world, f->ld);
    const struct wy_open *start = wy_importer_start(f->importer);
    assert_non_null(start);
    if (start->outcome != WY_OPEN_OK)
        fail_msg("start: %s", start->message);
}

/* ---- asking */

/* "guard module message" of every event, joined by " | "; then the outcome. */
static const char *told(struct fixture *f, const char *module) {
    const struct wy_run *r = wy_importer_run(f->importer, module);
    char *text = wy_arena_cstr(&f->arena, "");
    for (size_t i = 0; i < r->nevents; i++) {
        const struct wy_event *e = &r->events[i];
        const char *what = e->module ? e->module : wy_path_base(e->path);
        text = wy_arena_printf(&f->arena, "%s%s%c %s%s", text, i ? " | " : "", "Mmcn"[e->guard],
                               what, e -> message ? " !" : "");
    }
    static const char *const words[] = {"ok", "fails", "unknown"};
    return wy_arena_printf(&f->arena, "%s => %s", text, words[r->outcome]);
}

static void expect(struct fixture *f, const char *module, const char *want) {
    if (!f->importer)
        begin(f);
    assert_string_equal(told(f, module), want);
}

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
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
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
        TEST(records_say_what_code_does_not_show),
        TEST(imports_behind_guards),
        TEST(what_a_process_knows_of_itself),
        TEST(values_lead_to_libraries),
        TEST(code_finds_modules_by_itself),
        TEST(records_tell_what_a_function_imports),
        TEST(entry_points_are_loaded),
        TEST(getattr_is_for_names_that_are_not_bound),
        TEST(giving_up_after_failures_is_believed),
        TEST(resources_are_paths),
        TEST(what_a_run_changes_is_put_back),
        TEST(an_unknown_condition_in_a_function_is_passed_over),
        TEST(below_a_condition_modules_run_as_elsewhere),
        TEST(namespaces_that_grow_unseen_lack_nothing),
        TEST(a_finished_run_is_used_again),
        TEST(listed_modules),
        TEST(pure_packages_that_fail_are_listed_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
