/* Environments of each kind, made as small trees in a temporary folder that is the tree's root. */
#include "base/path.h"
#include "folder.h"
#include "pip/pip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct world {
    char root[32];
    struct wy_arena arena;
    struct wy_tree *tree; /* made at the first question, when all files stand */
    struct wy_env env;
    struct wy_dists dists;
};

static int setup(void **state) {
    struct world *w = wy_alloc0(1, sizeof *w);
    strcpy(w->root, "/tmp/whyso-pip-XXXXXX");
    *state = w;
    return mkdtemp(w->root) ? 0 : -1;
}

static int teardown(void **state) {
    struct world *w = *state;
    if (w->tree)
        wy_tree_destroy(w->tree);
    wy_arena_deinit(&w->arena);
    remove_folder(w->root);
    free(w);
    return 0;
}

static void make_folders(struct world *w, const char *path) {
    for (size_t i = 1; path[i]; i++) {
        if (path[i] != '/')
            continue;
        char *folder = wy_arena_printf(&w->arena, "%s%.*s", w->root, (int)i, path);
        mkdir(folder, 0700);
    }
}

/* "/a/b/" is a folder; everything else a file with this content. */
static void add(struct world *w, const char *path, const char *text) {
    make_folders(w, path);
    if (wy_ends(path, "/"))
        return;
    FILE *f = fopen(wy_arena_printf(&w->arena, "%s%s", w->root, path), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void add_link(struct world *w, const char *path, const char *target) {
    make_folders(w, path);
    assert_int_equal(symlink(target, wy_arena_printf(&w->arena, "%s%s", w->root, path)), 0);
}

static struct wy_error *read_with(struct world *w, struct wy_env_options options) {
    if (!w->tree)
        assert_null(wy_tree_host(w->root, &w->tree));
    return wy_env_read(w->tree, &options, &w->arena, &w->env);
}

static const struct wy_env *read_env(struct world *w, const char *path) {
    struct wy_error *e =
        read_with(w, (struct wy_env_options){.path = path, .machine_triplet = "x86_64-linux-gnu"});
    if (e)
        fail_msg("%s", e->message);
    return &w->env;
}

static const char *joined(struct world *w, const char *const *texts, size_t n) {
    const char *all = "";
    for (size_t i = 0; i < n; i++)
        all = wy_arena_printf(&w->arena, "%s%s%s", all, i ? " " : "", texts[i]);
    return all;
}

#define assert_paths(w, list, expected)                                                            \
    assert_string_equal(joined((w), (w)->env.list, (w)->env.n##list), (expected))

/* A base interpreter as `make install` leaves it below /opt/py. */
static void add_base(struct world *w) {
    add(w, "/opt/py/bin/python3.11", "elf");
    add_link(w, "/opt/py/bin/python3", "python3.11");
    add_link(w, "/opt/py/bin/python", "python3");
    add(w, "/opt/py/lib/python3.11/os.py", "");
    add(w, "/opt/py/lib/python3.11/lib-dynload/", "");
    add(w, "/opt/py/lib/python3.11/site-packages/", "");
    add(w, "/opt/py/lib/python3.11/_sysconfigdata__linux_x86_64-linux-gnu.py",
        "build_time_vars = {'A': 1,\n 'EXT_SUFFIX': '.cpython-311-x86_64-linux-gnu.so',\n"
        " 'SOABI': 'cpython-311-x86_64-linux-gnu',\n}\n");
    add(w, "/opt/py/include/python3.11/patchlevel.h",
        "#define PY_MAJOR_VERSION 3\n#define PY_VERSION             \"3.11.9\"\n");
}

static void add_venv(struct world *w, const char *more) {
    add(w, "/srv/v/pyvenv.cfg",
        wy_arena_printf(&w->arena, "home = /opt/py/bin\nversion = 3.11.7\n%s", more));
    add_link(w, "/srv/v/bin/python", "/opt/py/bin/python3.11");
    add_link(w, "/srv/v/bin/python3", "python");
    add(w, "/srv/v/lib/python3.11/site-packages/", "");
}

static void a_venv_takes_its_library_from_the_base(void **state) {
    struct world *w = *state;
    add_base(w);
    add_venv(w, "include-system-site-packages = false\nUV = 0.13.9\n");
    add_link(w, "/srv/v/lib64", "lib");
    const struct wy_env *env = read_env(w, "/srv/v/");
    assert_int_equal(env->kind, WY_ENV_VENV);
    assert_string_equal(env->prefix, "/srv/v");
    assert_string_equal(env->python, "/srv/v/bin/python");
    assert_string_equal(env->python_real, "/opt/py/bin/python3.11");
    assert_null(env->problem.text);
    assert_string_equal(env->version, "3.11.9"); /* what is there now, not what pyvenv.cfg noted */
    assert_string_equal(env->soabi, "cpython-311-x86_64-linux-gnu");
    assert_string_equal(env->base_prefix, "/opt/py");
    assert_string_equal(env->uv, "0.13.9");
    assert_paths(w, sys_path,
                 "/opt/py/lib/python3.11 /opt/py/lib/python3.11/lib-dynload "
                 "/srv/v/lib/python3.11/site-packages");
    assert_paths(w, site_dirs, "/srv/v/lib/python3.11/site-packages");
    assert_paths(w, ext_suffixes, ".cpython-311-x86_64-linux-gnu.so .abi3.so .so");
    env = read_env(w, "/srv/v/bin/python3"); /* links are not resolved to find pyvenv.cfg */
    assert_int_equal(env->kind, WY_ENV_VENV);
    assert_string_equal(env->prefix, "/srv/v");
    assert_string_equal(env->python, "/srv/v/bin/python3");
}

static void system_site_packages_follow_the_venvs_own(void **state) {
    struct world *w = *state;
    add_base(w);
    add_venv(w, ""); /* without the key they are included */
    add(w, "/home/u/.local/lib/python3.11/site-packages/", "");
    add(w, "/srv/user/lib/python3.11/site-packages/", "");
    struct wy_env_options o = {.path = "/srv/v", .home = "/home/u"};
    assert_null(read_with(w, o));
    assert_paths(w, site_dirs,
                 "/srv/v/lib/python3.11/site-packages "
                 "/home/u/.local/lib/python3.11/site-packages "
                 "/opt/py/lib/python3.11/site-packages");
    o.user_base = "user"; /* relative to the working directory */
    o.cwd = "/srv";
    assert_null(read_with(w, o));
    assert_paths(w, site_dirs,
                 "/srv/v/lib/python3.11/site-packages "
                 "/srv/user/lib/python3.11/site-packages "
                 "/opt/py/lib/python3.11/site-packages");
    o.no_user_site = true;
    assert_null(read_with(w, o));
    assert_paths(w, site_dirs,
                 "/srv/v/lib/python3.11/site-packages /opt/py/lib/python3.11/site-packages");
}

static void pythonpath_comes_first_and_isolated_drops_it(void **state) {
    struct world *w = *state;
    add_base(w);
    add(w, "/x/target/a-1.dist-info/", "");
    add(w, "/x/plain/", "");
    struct wy_env_options o = {
        .path = "/opt/py", .pythonpath = "/x/plain:target:/none:/x/../x/plain:", .cwd = "/x"};
    assert_null(read_with(w, o));
    assert_paths(w, sys_path,
                 "/x/plain /x/target /x /opt/py/lib/python3.11 /opt/py/lib/python3.11/lib-dynload "
                 "/opt/py/lib/python3.11/site-packages");
    assert_paths(w, site_dirs, "/x/target /opt/py/lib/python3.11/site-packages");
    o.isolated = true;
    assert_null(read_with(w, o));
    assert_int_equal(w->env.nsys_path, 3);
}

static void a_base_that_is_gone_is_said(void **state) {
    struct world *w = *state;
    add_venv(w, "");
    const struct wy_env *env = read_env(w, "/srv/v");
    assert_string_equal(env->python, "/srv/v/bin/python");
    assert_null(env->python_real);
    assert_string_equal(env->problem.file, "/srv/v/bin/python");
    assert_string_equal(env->problem.text,
                        "is a link to /opt/py/bin/python3.11, which does not exist");
    assert_string_equal(env->version, "3.11.7");
    assert_string_equal(env->soabi, "cpython-311-x86_64-linux-gnu");
    assert_paths(w, site_dirs, "/srv/v/lib/python3.11/site-packages");
    assert_string_equal(read_env(w, "/srv/v/bin/python3")->prefix, "/srv/v");
}

static void a_home_that_is_gone_is_said(void **state) {
    struct world *w = *state;
    add(w, "/srv/v/pyvenv.cfg", "home = /gone/bin\nversion_info = 3.12.1.final.0\n");
    add(w, "/srv/v/bin/python", "elf"); /* a copy */
    const struct wy_env *env = read_env(w, "/srv/v");
    assert_string_equal(env->problem.file, "/srv/v/pyvenv.cfg");
    assert_string_equal(env->problem.text, "names the home /gone/bin, which does not exist");
    assert_string_equal(env->version, "3.12.1");
    assert_null(env->stdlib);
}

static void a_base_of_another_minor_is_said(void **state) {
    struct world *w = *state;
    add(w, "/usr/bin/python3.12", "elf");
    add_link(w, "/usr/bin/python3", "python3.12");
    add(w, "/usr/lib/python3.12/os.py", "");
    add(w, "/srv/v/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n");
    add_link(w, "/srv/v/bin/python", "/usr/bin/python3");
    add(w, "/srv/copy/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n");
    add(w, "/srv/copy/bin/python", "elf");
    const struct wy_env *env = read_env(w, "/srv/v");
    assert_string_equal(env->problem.text, "is Python 3.12 now, the environment was made for 3.11");
    assert_string_equal(env->version, "3.12");
    env = read_env(w, "/srv/copy");
    assert_string_equal(env->problem.text,
                        "finds no standard library of Python 3.11 below /usr (3.12 is there)");
}

static void a_venv_without_interpreter_is_said(void **state) {
    struct world *w = *state;
    add(w, "/srv/v/pyvenv.cfg", "home = /usr/bin\n");
    add(w, "/srv/v/lib/python3.10/site-packages/", "");
    const struct wy_env *env = read_env(w, "/srv/v");
    assert_null(env->python);
    assert_string_equal(env->problem.text, "does not exist");
    assert_string_equal(env->version, "3.10");
    assert_paths(w, site_dirs, "/srv/v/lib/python3.10/site-packages");
}

static void debian_has_dist_packages(void **state) {
    struct world *w = *state;
    add(w, "/usr/bin/python3.11", "elf");
    add_link(w, "/usr/bin/python3", "python3.11");
    add(w, "/usr/lib/python3.11/os.py", "");
    add(w, "/usr/lib/python3.11/site.py", "x = 'dist-packages'");
    add(w, "/usr/lib/python3.11/EXTERNALLY-MANAGED", "");
    add(w, "/usr/lib/python3/dist-packages/", "");
    add(w, "/usr/local/lib/python3.11/dist-packages/", "");
    const struct wy_env *env = read_env(w, "/usr/bin/python3");
    assert_int_equal(env->kind, WY_ENV_SYSTEM);
    assert_string_equal(env->prefix, "/usr");
    assert_true(env->externally_managed);
    assert_paths(w, site_dirs,
                 "/usr/local/lib/python3.11/dist-packages /usr/lib/python3/dist-packages");
    assert_string_equal(read_env(w, "/usr")->python, "/usr/bin/python3");
}

static void fedora_has_lib64_and_lib(void **state) {
    struct world *w = *state;
    add(w, "/usr/bin/python3.12", "elf");
    add(w, "/usr/lib64/python3.12/os.py", "");
    add(w, "/usr/lib64/python3.12/site.py", "PREFIXES.insert(0, \"/usr/local\")");
    add(w, "/usr/lib64/python3.12/site-packages/", "");
    add(w, "/usr/lib/python3.12/site-packages/", "");
    add(w, "/usr/local/lib/python3.12/site-packages/", "");
    read_env(w, "/usr/bin/python3.12");
    assert_paths(w, site_dirs,
                 "/usr/local/lib/python3.12/site-packages /usr/lib64/python3.12/site-packages "
                 "/usr/lib/python3.12/site-packages");
    assert_string_equal(w->env.stdlib, "/usr/lib64/python3.12");
}

static void one_directory_under_two_texts_is_one_site(void **state) {
    struct world *w = *state;
    add(w, "/usr/bin/python3.12", "elf");
    add(w, "/usr/lib64/python3.12/os.py", "");
    add(w, "/v/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n");
    add_link(w, "/v/bin/python", "/usr/bin/python3.12");
    add(w, "/v/lib/python3.12/site-packages/", "");
    add_link(w, "/v/lib64", "lib");
    read_env(w, "/v");
    assert_paths(w, sys_path,
                 "/usr/lib64/python3.12 /v/lib64/python3.12/site-packages "
                 "/v/lib/python3.12/site-packages");
    assert_paths(w, site_dirs, "/v/lib64/python3.12/site-packages");
}

static void a_conda_prefix_is_known_by_conda_meta(void **state) {
    struct world *w = *state;
    add(w, "/c/conda-meta/history", "");
    add(w, "/c/bin/python3.10", "elf");
    add_link(w, "/c/bin/python", "python3.10");
    add(w, "/c/lib/python3.10/os.py", "");
    add(w, "/c/lib/python3.10/site-packages/", "");
    add_link(w, "/c/lib/python3.1", "python3.10");
    const struct wy_env *env = read_env(w, "/c");
    assert_int_equal(env->kind, WY_ENV_CONDA);
    assert_string_equal(env->version, "3.10");
    assert_string_equal(env->python_real, "/c/bin/python3.10");
    assert_int_equal(read_env(w, "/c/bin/python")->kind, WY_ENV_CONDA);
}

static void a_launcher_elsewhere_leads_to_its_python(void **state) {
    struct world *w = *state;
    add_base(w);
    add_link(w, "/home/u/.local/bin/python3.11", "/opt/py/bin/python3.11");
    const struct wy_env *env = read_env(w, "/home/u/.local/bin/python3.11");
    assert_int_equal(env->kind, WY_ENV_SYSTEM);
    assert_string_equal(env->prefix, "/opt/py");
    assert_paths(w, site_dirs, "/opt/py/lib/python3.11/site-packages");
}

static void free_threaded_builds_have_their_own_folder(void **state) {
    struct world *w = *state;
    add(w, "/p/bin/python3.13t", "elf");
    add_link(w, "/p/bin/python3", "python3.13t");
    add(w, "/p/lib/python3.13t/os.py", "");
    add(w, "/p/lib/python3.13t/site-packages/", "");
    const struct wy_env *env = read_env(w, "/p");
    assert_true(env->free_threaded);
    assert_string_equal(env->soabi, "cpython-313t-x86_64-linux-gnu");
    assert_paths(w, ext_suffixes, ".cpython-313t-x86_64-linux-gnu.so .so");
    assert_paths(w, site_dirs, "/p/lib/python3.13t/site-packages");
}

static void the_version_is_found_in_path_or_binary(void **state) {
    struct world *w = *state;
    add(w, "/uv/cpython-3.12.4-linux/bin/python3.12", "elf");
    add(w, "/uv/cpython-3.12.4-linux/lib/python3.12/os.py", "");
    assert_string_equal(read_env(w, "/uv/cpython-3.12.4-linux")->version, "3.12.4");
    wy_tree_destroy(w->tree);
    w->tree = NULL;
    add(w, "/p/bin/python3.12", "small");
    add(w, "/p/lib/python3.12/os.py", "");
    make_folders(w, "/p/lib/");
    FILE *f = fopen(wy_arena_printf(&w->arena, "%s/p/lib/libpython3.12.so.1.0", w->root), "w");
    assert_non_null(f);
    for (int i = 0; i < 65530; i++) /* across the edge of a chunk */
        fputc('x', f);
    fwrite("\0003.12.x\0003.12.11rc2+\0y3.12.9", 1, 28, f);
    fclose(f);
    assert_string_equal(read_env(w, "/p")->version, "3.12.11rc2");
}

static void a_site_folder_is_an_environment(void **state) {
    struct world *w = *state;
    add_base(w);
    add_venv(w, "include-system-site-packages = false\n");
    const struct wy_env *env = read_env(w, "/srv/v/lib/python3.11/site-packages");
    assert_int_equal(env->kind, WY_ENV_SITE);
    assert_string_equal(env->prefix, "/srv/v/lib/python3.11/site-packages");
    assert_string_equal(env->python, "/srv/v/bin/python");
    assert_paths(w, site_dirs, "/srv/v/lib/python3.11/site-packages");
    add(w, "/t/x/target/six-1.dist-info/", "");
    wy_tree_destroy(w->tree);
    w->tree = NULL;
    env = read_env(w, "/t/x/target");
    assert_int_equal(env->kind, WY_ENV_SITE);
    assert_null(env->python);
    assert_null(env->version);
    assert_null(env->problem.text);
    assert_paths(w, sys_path, "/t/x/target");
    assert_paths(w, ext_suffixes, ".abi3.so .so");
    assert_null(read_with(
        w, (struct wy_env_options){.path = "/t/x/target", .python = "/opt/py/bin/python"}));
    assert_paths(w, site_dirs, "/t/x/target /opt/py/lib/python3.11/site-packages");
}

static void what_is_no_environment_is_refused(void **state) {
    struct world *w = *state;
    add(w, "/empty/", "");
    add(w, "/bin/ls", "elf");
    add_link(w, "/bin/python9", "/gone");
    add_link(w, "/loop", "loop");
    static const char *paths[] = {"/empty",       "/none", "/bin/ls",
                                  "/bin/python9", "/loop", "/bin/ls/x"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct wy_error *e = read_with(w, (struct wy_env_options){.path = paths[i]});
        assert_non_null(e);
        assert_non_null(strstr(e->message, paths[i]));
        wy_error_free(e);
        assert_false(wy_env_is(w->tree, paths[i]));
    }
}

static void pth_lines_extend_the_path(void **state) {
    struct world *w = *state;
    add_base(w);
    add(w, "/src/a/", "");
    add(w, "/src/b/", "");
    add(w, "/src/c/", "");
    static const char site[] = "/opt/py/lib/python3.11/site-packages";
    add(w, wy_arena_printf(&w->arena, "%s/z.pth", site), "/src/a\r\n\n# /src/c\nsub\n/none\n");
    add(w, wy_arena_printf(&w->arena, "%s/sub/", site), "");
    add(w, wy_arena_printf(&w->arena, "%s/a.pth", site), "/src/b  \n/src/../src/a\n");
    add(w, wy_arena_printf(&w->arena, "%s/.hidden.pth", site), "/src/c\n");
    add(w, wy_arena_printf(&w->arena, "%s/distutils-precedence.pth", site), "import os; x\n");
    add(w, wy_arena_printf(&w->arena, "%s/odd.pth", site), "import sys; sys.path.append('/q')\n");
    read_env(w, "/opt/py");
    assert_paths(w, sys_path,
                 "/opt/py/lib/python3.11 /opt/py/lib/python3.11/lib-dynload "
                 "/opt/py/lib/python3.11/site-packages /src/b /src/a "
                 "/opt/py/lib/python3.11/site-packages/sub");
    assert_paths(w, not_followed, "/opt/py/lib/python3.11/site-packages/odd.pth");
    assert_paths(w, site_dirs, "/opt/py/lib/python3.11/site-packages");
}

static void editable_finders_give_their_mapping(void **state) {
    struct world *w = *state;
    add_base(w);
    static const char site[] = "/opt/py/lib/python3.11/site-packages";
    add(w, wy_arena_printf(&w->arena, "%s/__editable__.foo-1.pth", site),
        "import __editable___foo_1_finder; __editable___foo_1_finder.install()");
    add(w, wy_arena_printf(&w->arena, "%s/__editable___foo_1_finder.py", site),
        "import x\nMAPPING: dict[str, str] = {'foo': '/src/foo', 'bar.b': \"/src/b.py\"}\nX = 1\n");
    add(w, wy_arena_printf(&w->arena, "%s/__editable__.odd-1.pth", site),
        "import __editable___odd_1_finder; __editable___odd_1_finder.install()");
    add(w, wy_arena_printf(&w->arena, "%s/__editable___odd_1_finder.py", site),
        "x\nMAPPING = {'a': '/src/a', 'odd': f()}\n");
    read_env(w, "/opt/py");
    assert_int_equal(w->env.neditables, 2);
    assert_string_equal(w->env.editables[0].module, "foo");
    assert_string_equal(w->env.editables[0].path, "/src/foo");
    assert_string_equal(w->env.editables[1].module, "bar.b");
    assert_string_equal(w->env.editables[1].path, "/src/b.py");
    assert_paths(w, not_followed, "/opt/py/lib/python3.11/site-packages/__editable__.odd-1.pth");
}

static void a_flood_of_pth_lines_ends(void **state) {
    struct world *w = *state;
    static const char site[] = "/s/site-packages";
    char *text = wy_alloc(10001 * 2 + 20);
    for (int i = 0; i < 10000; i++)
        memcpy(text + 2 * i, "x\n", 2);
    strcpy(text + 20000, "/late\n");
    add(w, "/late/", "");
    add(w, wy_arena_printf(&w->arena, "%s/a.pth", site), text);
    free(text);
    read_env(w, site);
    assert_paths(w, sys_path, "/s/site-packages");
    assert_paths(w, not_followed, "/s/site-packages/a.pth");
}

/* ---- distributions ---- */

static const struct wy_dist *find(struct world *w, const char *folder) {
    for (size_t i = 0; i < w->dists.n; i++)
        if (strcmp(wy_path_base(w->dists.v[i].info), folder) == 0)
            return &w->dists.v[i];
    fail_msg("no %s", folder);
    return NULL;
}

static void read_dists(struct world *w) {
    read_env(w, "/s/site-packages");
    wy_dists_read(w->tree, &w->env, 3, &w->arena, &w->dists);
}

static void distributions_are_described(void **state) {
    struct world *w = *state;
    add(w, "/s/site-packages/Foo_Bar-1.2.dist-info/METADATA",
        "Name: Foo.Bar\nVersion: 1.2\nRequires-Dist: six>=1\nrequires-dist: x;\n extra == 'y'\n"
        "Requires-Python: >=3.8\n\nRequires-Dist: body\n");
    add(w, "/s/site-packages/Foo_Bar-1.2.dist-info/RECORD", "foo.py,sha256=a,1\nfoo.so,,\n");
    add(w, "/s/site-packages/Foo_Bar-1.2.dist-info/WHEEL",
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py2-none-any\nTag: py3-none-any\n");
    add(w, "/s/site-packages/Foo_Bar-1.2.dist-info/INSTALLER", "uv\n");
    add(w, "/s/site-packages/Foo_Bar-1.2.dist-info/REQUESTED", "");
    add(w, "/s/site-packages/Foo_Bar-1.2.dist-info/direct_url.json",
        "{\"dir_info\": {\"editable\" : true}, \"url\": \"file:///x\"}");
    read_dists(w);
    const struct wy_dist *d = find(w, "Foo_Bar-1.2.dist-info");
    assert_string_equal(d->name, "Foo.Bar");
    assert_string_equal(d->key, "foo-bar");
    assert_string_equal(d->version, "1.2");
    assert_string_equal(d->site, "/s/site-packages");
    assert_string_equal(d->installer, "uv");
    assert_true(d->requested && d->editable && d->purelib);
    assert_false(d->egg || d->no_metadata || d->no_record || d->problem);
    assert_int_equal(d->nrequires, 2);
    assert_string_equal(d->requires[1], "x; extra == 'y'");
    assert_string_equal(d->requires_python, ">=3.8");
    assert_string_equal(joined(w, d->tags, d->ntags), "py2-none-any py3-none-any");
    assert_int_equal(d->record.n, 2);
    assert_string_equal(d->record.v[1].path, "foo.so");
}

static void damaged_distributions_are_said(void **state) {
    struct world *w = *state;
    add(w, "/s/site-packages/bare_one-3.1.dist-info/", "");
    add(w, "/s/site-packages/nameless-1.dist-info/METADATA", "Version: 1\n");
    add(w, "/s/site-packages/nameless-1.dist-info/RECORD", "a,,\n\"b\n");
    add(w, "/s/site-packages/evil-1.dist-info/METADATA",
        "Name: --index-url=x\n  $(rm -rf)\x1b[2J\nVersion: \xff\n");
    add(w, "/s/site-packages/folder-1.dist-info/METADATA/x", "");
    add(w, "/s/site-packages/pipe-1.dist-info/", "");
    assert_int_equal(
        mkfifo(wy_arena_printf(&w->arena, "%s/s/site-packages/pipe-1.dist-info/RECORD", w->root),
               0600),
        0);
    add(w, "/s/site-packages/~umpy/", "");
    add(w, "/s/site-packages/~umpy-1.dist-info/", "");
    add(w, "/s/site-packages/file-1.dist-info", "not a folder");
    read_dists(w);
    assert_int_equal(w->dists.n, 5);
    const struct wy_dist *d = find(w, "bare_one-3.1.dist-info");
    assert_string_equal(d->name, "bare_one");
    assert_string_equal(d->version, "3.1");
    assert_true(d->no_metadata && d->no_record);
    assert_null(d->problem);
    d = find(w, "nameless-1.dist-info");
    assert_string_equal(d->name, "nameless");
    assert_string_equal(d->problem, "METADATA: has no Name");
    assert_int_equal(d->record.n, 1);
    d = find(w, "evil-1.dist-info");
    assert_string_equal(d->name, "--index-url=x $(rm -rf)\x1b[2J");
    assert_false(wy_name_valid(d->name));
    assert_string_equal(d->problem, "METADATA: Name or Version is not UTF-8");
    d = find(w, "folder-1.dist-info");
    assert_true(d->no_metadata);
    assert_string_equal(d->problem, "METADATA: not a regular file");
    d = find(w, "pipe-1.dist-info");
    assert_string_equal(d->problem, "RECORD: not a regular file");
    assert_string_equal(joined(w, w->dists.stashes, w->dists.nstashes),
                        "/s/site-packages/~umpy /s/site-packages/~umpy-1.dist-info");
}

static void a_metadata_beyond_its_limit_is_not_read(void **state) {
    struct world *w = *state;
    size_t n = WY_METADATA_MAX_BYTES;
    char *text = wy_alloc(n + 2);
    memset(text, 'x', n + 1);
    memcpy(text, "Name: a\nB: ", 11);
    text[n + 1] = '\0';
    add(w, "/s/site-packages/big-1.dist-info/METADATA", text);
    text[n] = '\0';
    add(w, "/s/site-packages/edge-1.dist-info/METADATA", text);
    free(text);
    read_dists(w);
    const struct wy_dist *d = find(w, "big-1.dist-info");
    assert_true(d->no_metadata);
    assert_string_equal(d->problem, "METADATA: larger than 4 MiB");
    assert_string_equal(find(w, "edge-1.dist-info")->name, "a");
}

static void eggs_are_read(void **state) {
    struct world *w = *state;
    add(w, "/s/site-packages/old-1.0-py3.11.egg-info", "Name: Old\nVersion: 1.0\n");
    add(w, "/s/site-packages/dir-2.0-py3.11.egg-info/PKG-INFO", "Name: dir\nVersion: 2.0\n");
    add(w, "/s/site-packages/dir-2.0-py3.11.egg-info/requires.txt",
        "six\n\n[dev]\npytest\n[:os_name == 'nt']\nwin\n[x:a == 'b']\ny\n");
    add(w, "/s/site-packages/dir-2.0-py3.11.egg-info/installed-files.txt",
        "../dir/m.so\nPKG-INFO\n");
    add(w, "/s/site-packages/none-3.0-py3.11.egg-info/", "");
    read_dists(w);
    const struct wy_dist *d = find(w, "old-1.0-py3.11.egg-info");
    assert_string_equal(d->name, "Old");
    assert_true(d->egg && d->no_record);
    d = find(w, "dir-2.0-py3.11.egg-info");
    assert_int_equal(d->nrequires, 4);
    assert_string_equal(d->requires[1], "pytest; extra == \"dev\"");
    assert_string_equal(d->requires[2], "win; os_name == 'nt'");
    assert_string_equal(d->requires[3], "y; (a == 'b') and extra == \"x\"");
    assert_false(d->no_record);
    assert_string_equal(d->record.v[0].path, "dir/m.so");
    assert_string_equal(d->record.v[1].path, "dir-2.0-py3.11.egg-info/PKG-INFO");
    d = find(w, "none-3.0-py3.11.egg-info");
    assert_string_equal(d->name, "none");
    assert_string_equal(d->version, "3.0");
}

static void the_order_does_not_depend_on_threads(void **state) {
    struct world *w = *state;
    for (int i = 0; i < 40; i++)
        add(w,
            wy_arena_printf(&w->arena, "/s/site-packages/p%02d-%d.dist-info/METADATA", (i * 7) % 20,
                            i),
            wy_arena_printf(&w->arena, "Name: P%02d\nVersion: %d\n", (i * 7) % 20, i));
    read_env(w, "/s/site-packages");
    for (unsigned threads = 0; threads < 5; threads++) {
        wy_dists_read(w->tree, &w->env, threads, &w->arena, &w->dists);
        assert_int_equal(w->dists.n, 40); /* duplicates are kept */
        for (size_t i = 1; i < w->dists.n; i++) {
            const struct wy_dist *a = &w->dists.v[i - 1], *b = &w->dists.v[i];
            int c = strcmp(a->key, b->key);
            assert_true(c < 0 || (c == 0 && strcmp(a->info, b->info) < 0));
        }
    }
}

#define WORLD_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_venv_takes_its_library_from_the_base),
        WORLD_TEST(system_site_packages_follow_the_venvs_own),
        WORLD_TEST(pythonpath_comes_first_and_isolated_drops_it),
        WORLD_TEST(a_base_that_is_gone_is_said),
        WORLD_TEST(a_home_that_is_gone_is_said),
        WORLD_TEST(a_base_of_another_minor_is_said),
        WORLD_TEST(a_venv_without_interpreter_is_said),
        WORLD_TEST(debian_has_dist_packages),
        WORLD_TEST(fedora_has_lib64_and_lib),
        WORLD_TEST(one_directory_under_two_texts_is_one_site),
        WORLD_TEST(a_conda_prefix_is_known_by_conda_meta),
        WORLD_TEST(a_launcher_elsewhere_leads_to_its_python),
        WORLD_TEST(free_threaded_builds_have_their_own_folder),
        WORLD_TEST(the_version_is_found_in_path_or_binary),
        WORLD_TEST(a_site_folder_is_an_environment),
        WORLD_TEST(what_is_no_environment_is_refused),
        WORLD_TEST(pth_lines_extend_the_path),
        WORLD_TEST(editable_finders_give_their_mapping),
        WORLD_TEST(a_flood_of_pth_lines_ends),
        WORLD_TEST(distributions_are_described),
        WORLD_TEST(damaged_distributions_are_said),
        WORLD_TEST(a_metadata_beyond_its_limit_is_not_read),
        WORLD_TEST(eggs_are_read),
        WORLD_TEST(the_order_does_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
