/* The text of the smaller answers, as a person sees it at 80 columns. */
#include "out/out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SITE "lib/python3.11/site-packages/"

static const struct wy_out_style plain = {.width = 80, .again = "whyso -e .venv"};

static const struct whyso_environment environment = {.prefix = "/srv/app/.venv",
                                                     .chosen_by = "--env",
                                                     .root = "/",
                                                     .complete = true,
                                                     .python = "bin/python",
                                                     .python_version = "3.11.7",
                                                     .libc_kind = "glibc",
                                                     .libc_version = "2.36",
                                                     .cwd = "/srv/app"};
#define HEADER ".venv (--env) · Python 3.11.7 · glibc 2.36\n"

static struct whyso_owner owners[] = {
    {.package = "nvidia-cudnn-cu12",
     .version = "9.10.2.21",
     .size = 125136,
     .on_disk = "absent",
     .manager = "pip"},
    {.package = "nvidia-cudnn-cu13",
     .version = "9.19.0.56",
     .size = 5125136,
     .on_disk = "differs",
     .manager = "pip"},
    {.package = "nvidia-cudnn-jit-cu12",
     .version = "9.27.0.42",
     .size = -1,
     .on_disk = "unchecked",
     .manager = "pip"},
};

static void why_shows_the_whole_search(void **state) {
    (void)state;
    struct whyso_needer needers[] = {
        {.file = SITE "torch/lib/libtorch_cuda.so", .package = "torch"},
        {.file = SITE "torch/lib/libtorch_python.so", .package = "torch"}};
    const char *of = SITE "torch/lib/libtorch_cuda.so";
    struct whyso_searched searched[] = {
        {SITE "nvidia/cublas/lib", "rpath", of, 1, "absent"},
        {SITE "nvidia/cudnn/lib", "rpath", of, 2, "no directory"},
        {"/etc/ld.so.cache", "cache", NULL, 0, "absent"},
        {"/lib/x86_64-linux-gnu", "default", NULL, 1, "absent"},
    };
    struct whyso_provider providers[] = {
        {"nvidia-cudnn-cu12", "9.10.2.21", "pip", "gutted", "RECORD"}};
    struct whyso_finding finding = {.id = "f1",
                                    .severity = WHYSO_ERROR,
                                    .title = "nvidia-cudnn-cu12 is installed in name only"};
    const char *torch[] = {"torch"}, *argv[] = {"pip", "install", "a b"};
    const char *avoid[] = {"Do not link another major version to this name."};
    struct whyso_command command = {.argv = {argv, COUNT(argv)}};
    struct whyso_why w = {
        .environment = environment,
        .subject_kind = "library",
        .subject_name = "libcudnn.so.9",
        .needed_by = {needers, COUNT(needers)},
        .searched = {searched, COUNT(searched)},
        .searched_for = of,
        .owners = {owners, 1},
        .providers = {providers, 1},
        .findings = {&finding, 1},
        .imports = {torch, 1},
        .fix = {.kind = "install", .commands = {&command, 1}, .avoid = {avoid, 1}}};
    wy_auto_buf b = {0};
    wy_out_why(&b, &plain, &w);
    assert_string_equal(wy_buf_text(&b),
                        HEADER "\n"
                               "✗ libcudnn.so.9: nvidia-cudnn-cu12 is installed in name only\n"
                               "  hits  import torch\n"
                               "\n"
                               "needed by\n"
                               "  " SITE "torch/lib/libtorch_cuda.so    torch\n"
                               "  " SITE "torch/lib/libtorch_python.so  torch\n"
                               "\n"
                               "where the loader looks for libtorch_cuda.so\n"
                               "  DT_RPATH of " SITE "torch/lib/libtorch_cuda.so\n"
                               "    1  " SITE "nvidia/cublas/lib  absent\n"
                               "    2  " SITE "nvidia/cudnn/lib   no directory\n"
                               "  loader cache\n"
                               "    /etc/ld.so.cache  absent\n"
                               "  default folders\n"
                               "    1  /lib/x86_64-linux-gnu  absent\n"
                               "\n"
                               "recorded by\n"
                               "  nvidia-cudnn-cu12  9.10.2.21  125,136 bytes  the file is gone\n"
                               "\n"
                               "who provides it\n"
                               "  nvidia-cudnn-cu12  9.10.2.21  pip  gutted  RECORD\n"
                               "\n"
                               "  fix   pip install 'a b'\n"
                               "  not   Do not link another major version to this name.\n");
}

static void owner_says_whose_bytes_are_there(void **state) {
    (void)state;
    struct whyso_owned paths[] = {
        {.path = SITE "nvidia/cudnn/lib/libcudnn.so.9", .exists = true, .owners = {owners, 3}},
        {.path = "/etc/passwd", .exists = true},
        {.path = "/none"}};
    struct whyso_owner_answer o = {.environment = environment, .paths = {paths, COUNT(paths)}};
    wy_auto_buf b = {0};
    wy_out_owner(&b, &plain, &o);
    assert_string_equal(
        wy_buf_text(&b), HEADER
        "\n" SITE "nvidia/cudnn/lib/libcudnn.so.9\n"
        "  nvidia-cudnn-cu12      9.10.2.21    125,136 bytes  the file is gone\n"
        "  nvidia-cudnn-cu13      9.19.0.56  5,125,136 bytes  other bytes are on disk\n"
        "  nvidia-cudnn-jit-cu12  9.27.0.42                   not compared (--hash compares)\n"
        "\n"
        "/etc/passwd\n"
        "  no package records it\n"
        "\n"
        "/none\n"
        "  no such file, and no package records it\n");
}

static void list_lines_up(void **state) {
    (void)state;
    struct whyso_listed packages[] = {
        {"numpy", "2.1.0", NULL, "uv", NULL, "whole", 21},
        {"nvidia-nccl-cu12", "2.27.5", NULL, "pip", "cu12", "gutted", 1},
    };
    struct whyso_list l = {.environment = environment, .packages = {packages, COUNT(packages)}};
    wy_auto_buf b = {0};
    wy_out_list(&b, &plain, &l);
    assert_string_equal(
        wy_buf_text(&b),
        HEADER "\n"
               "numpy             2.1.0         21 libraries  whole   uv\n"
               "nvidia-nccl-cu12  2.27.5  cu12     1 library  gutted  pip\n"
               "\n"
               "2 packages with native code, 1 not whole · whyso -e .venv check says why\n");
}

static void load_uses_the_loaders_words(void **state) {
    (void)state;
    struct whyso_mapped mapped[] = {{"/lib/libz.so.1", "libz.so.1", "/a/ext.so", "cache"}};
    const char *first = "liby.so.1: cannot open shared object file: No such file or directory";
    const char *second = "libw.so.1: cannot open shared object file: No such file or directory";
    struct whyso_load_problem problems[] = {
        {.kind = "missing-library", .name = "liby.so.1", .message = first},
        {.kind = "missing-library", .name = "libw.so.1", .message = second}};
    struct whyso_step steps[] = {
        {.request = "/a/ext.so", .outcome = "ok", .mapped = {mapped, 1}},
        {.request = "liby", .outcome = "error", .message = first, .problems = {problems, 2}}};
    struct whyso_load l = {.environment = environment,
                           .program_path = "/usr/bin/python3.11",
                           .program = {.outcome = "ok"},
                           .steps = {steps, COUNT(steps)}};
    wy_auto_buf b = {0};
    wy_out_load(&b, &plain, &l);
    assert_string_equal(
        wy_buf_text(&b),
        HEADER "\n"
               "· /a/ext.so loads, 1 new object\n"
               "  for ext.so\n"
               "    cache  /lib/libz.so.1\n"
               "✗ liby fails: liby.so.1: cannot open shared object file: No such file or\n"
               "  directory\n"
               "  then  libw.so.1: cannot open shared object file: No such file or directory\n");
}

/* The second cause breaks torch too, but the message torch ends with belongs to the first. */
static void a_message_stands_with_the_cause_it_belongs_to(void **state) {
    (void)state;
    const char *f1[] = {"f1"}, *f2[] = {"f2"}, *both[] = {"c1", "c2"};
    const char *imports[] = {"torch", "torchvision", "torchaudio"};
    struct whyso_finding findings[] = {
        {.id = "f1", .rule = "missing-library", .severity = WHYSO_ERROR, .library = "liba.so.1"},
        {.id = "f2", .rule = "bad-file", .severity = WHYSO_ERROR, .file = "lib/b.so"}};
    struct whyso_cause causes[] = {{.id = "c1",
                                    .rule = "missing-library",
                                    .severity = WHYSO_ERROR,
                                    .title = "liba.so.1 is nowhere",
                                    .findings = {f1, 1},
                                    .breaks = {.imports = {imports, 3}},
                                    .fix = {.kind = "manual", .text = "Ask its vendor."}},
                                   {.id = "c2",
                                    .rule = "bad-file",
                                    .severity = WHYSO_ERROR,
                                    .title = "lib/b.so is no library",
                                    .findings = {f2, 1},
                                    .breaks = {.imports = {imports, 1}}}};
    struct whyso_import torch = {.module = "torch",
                                 .outcome = "fails",
                                 .how = "exception",
                                 .message = "liba.so.1: cannot open",
                                 .causes = {both, 2}};
    struct whyso_check c = {.environment = environment,
                            .imports = {&torch, 1},
                            .causes = {causes, 2},
                            .findings = {findings, 2},
                            .errors = 2,
                            .imports_broken = 3};
    struct wy_out_style style = plain;
    wy_auto_buf b = {0}, q = {0};
    wy_out_check(&b, &style, &c);
    const char *body = strstr(wy_buf_text(&b), "✗");
    assert_string_equal(
        body, "✗ import torch and 2 more fail: liba.so.1: cannot open\n"
              "  liba.so.1 is nowhere                                           missing-library\n"
              "  hits  import torch, torchvision, torchaudio\n"
              "  fix   Ask its vendor.\n"
              "\n"
              "✗ lib/b.so is no library                                                bad-file\n"
              "  hits  import torch\n"
              "\n"
              "2 causes, 3 imports broken, 0 warnings ·\n"
              "  whyso -e .venv why liba.so.1 shows the search\n");
    style.verbosity = -1;
    wy_out_check(&q, &style, &c);
    assert_non_null(strstr(wy_buf_text(&q), "fix   Ask its vendor."));
    assert_null(strstr(wy_buf_text(&q), ".venv (--env)"));
}

/* Twins: whose bytes are there stands in the row. */
static void rows_name_who_wrote_over_whom(void **state) {
    (void)state;
    struct whyso_owner twins[] = {
        {.package = "a-cu12", .version = "1.0", .size = 1, .on_disk = "differs"},
        {.package = "a-cu13", .version = "2.0", .size = 1, .on_disk = "same"}};
    struct whyso_finding finding = {.id = "f1",
                                    .rule = "overwritten-file",
                                    .severity = WHYSO_WARNING,
                                    .package = {"a-cu12", "1.0", NULL},
                                    .owners = {twins, 2}};
    const char *f1[] = {"f1"};
    struct whyso_cause cause = {.id = "c1",
                                .rule = "overwritten-file",
                                .severity = WHYSO_WARNING,
                                .title = "1 package was overwritten",
                                .findings = {f1, 1}};
    struct whyso_check c = {.environment = environment,
                            .causes = {&cause, 1},
                            .findings = {&finding, 1},
                            .warnings = 1};
    wy_auto_buf b = {0};
    wy_out_check(&b, &plain, &c);
    assert_non_null(strstr(wy_buf_text(&b), "\n    a-cu12  1.0  on disk: a-cu13 2.0\n"));
}

/* More objects than a screen has lines: one row for each owner, in the order of first appearance.
 */
static void tree_sums_up_what_is_long(void **state) {
    (void)state;
    struct whyso_tree_object o[26];
    for (size_t i = 0; i < COUNT(o); i++)
        o[i] = (struct whyso_tree_object){
            .mapped = {"/x/liba.so", "liba.so", i % 13 ? "/x/m.so" : "/bin/python", "rpath"},
            .file = i % 13 ? "lib/liba.so" : "lib/m.so",
            .origin = i == 1 ? "system" : "package",
            .package = i == 1   ? NULL
                       : i < 20 ? "numpy"
                                : "scipy",
            .version = i == 1 ? NULL : "2.0",
            .module = i < 13 ? "numpy.m" : "scipy.m",
            .guard = "must"};
    struct whyso_tree t = {.environment = environment,
                           .subject_kind = "module",
                           .subject_name = "scipy",
                           .program_path = "/bin/python",
                           .import = {.outcome = "ok"},
                           .mapped = {o, COUNT(o)}};
    wy_auto_buf b = {0};
    wy_out_tree(&b, &plain, &t);
    assert_string_equal(wy_buf_text(&b), HEADER "\n"
                                                "· import scipy maps 26 objects\n"
                                                "   1  numpy   2.0  numpy.m, liba.so and 17 more\n"
                                                "   2  system       liba.so\n"
                                                "  21  scipy   2.0  liba.so, liba.so and 4 more\n"
                                                "\n"
                                                "whyso -e .venv tree -v scipy shows each object\n");
    struct wy_out_style all = plain;
    all.verbosity = 1;
    b.n = 0;
    wy_out_tree(&b, &all, &t);
    assert_non_null(strstr(wy_buf_text(&b), "\n  26    lib/liba.so  scipy   rpath, for m.so\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(why_shows_the_whole_search),
        cmocka_unit_test(owner_says_whose_bytes_are_there),
        cmocka_unit_test(list_lines_up),
        cmocka_unit_test(load_uses_the_loaders_words),
        cmocka_unit_test(tree_sums_up_what_is_long),
        cmocka_unit_test(rows_name_who_wrote_over_whom),
        cmocka_unit_test(a_message_stands_with_the_cause_it_belongs_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
