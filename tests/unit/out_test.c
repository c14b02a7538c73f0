#include "out/json.h"
#include "out/out.h"
#include "out/page.h"
#include "out/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define STRINGS(...)                                                                               \
    { (const char *[]){__VA_ARGS__}, COUNT(((const char *[]){__VA_ARGS__})) }

static const struct wy_out_style plain = {.width = 80, .again = "whyso"};

/* --- JSON --------------------------------------------------------------------------------------*/

static void check_json_text(const char *raw, const char *expected) {
    wy_auto_buf b = {0};
    struct wy_json j = {.out = &b};
    wy_json_open(&j, '[');
    wy_json_text(&j, raw);
    wy_json_close(&j, ']');
    char want[256];
    snprintf(want, sizeof want, "[%s]\n", expected);
    assert_string_equal(wy_buf_text(&b), want);
}

static void json_text_is_ascii_and_loses_no_byte(void **state) {
    (void)state;
    check_json_text(NULL, "null");
    check_json_text("", "\"\"");
    check_json_text("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    check_json_text("\b\t\n\v\f\r\x1b\x7f", "\"\\b\\t\\n\\u000b\\f\\r\\u001b\\u007f\"");
    check_json_text("\xc3\xa9", "\"\\u00e9\"");
    check_json_text("\xe2\x80\xae", "\"\\u202e\"");
    check_json_text("\xf0\x9f\x90\x8d", "\"\\ud83d\\udc0d\"");
    check_json_text("x\xff\xc3", "\"x\\udcff\\udcc3\"");
    /* A surrogate written in UTF-8, and an overlong slash, are not UTF-8: each byte by itself. */
    check_json_text("\xed\xa0\x80", "\"\\udced\\udca0\\udc80\"");
    check_json_text("\xc0\xaf", "\"\\udcc0\\udcaf\"");
}

static void json_nests_with_commas_where_they_belong(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    struct wy_json j = {.out = &b};
    wy_json_open(&j, '{');
    wy_json_put_strings(&j, "empty", (struct whyso_strings){NULL, 0});
    wy_json_put_strings(&j, "two", (struct whyso_strings)STRINGS("a", "b"));
    wy_json_key(&j, "in");
    wy_json_open(&j, '{');
    wy_json_put_uint(&j, "n", UINT64_MAX);
    wy_json_put_bool(&j, "yes", true);
    wy_json_put_null(&j, "none");
    wy_json_close(&j, '}');
    wy_json_key(&j, "half");
    wy_json_number(&j, 0.5);
    wy_json_key(&j, "whole");
    wy_json_number(&j, 12090);
    wy_json_close(&j, '}');
    assert_string_equal(wy_buf_text(&b),
                        "{\"empty\":[],\"two\":[\"a\",\"b\"],\"in\":{\"n\":18446744073709551615,"
                        "\"yes\":true,\"none\":null},\"half\":0.5,\"whole\":12090}\n");
}

static void json_on_several_lines_is_indented(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    struct wy_json j = {.out = &b, .lines = true};
    wy_json_open(&j, '{');
    wy_json_put_strings(&j, "l", (struct whyso_strings)STRINGS("a"));
    wy_json_put_strings(&j, "e", (struct whyso_strings){NULL, 0});
    wy_json_close(&j, '}');
    assert_string_equal(wy_buf_text(&b), "{\n  \"l\": [\n    \"a\"\n  ],\n  \"e\": []\n}\n");
}

/* --- layout ------------------------------------------------------------------------------------*/

static const char *folded(struct wy_buf *b, unsigned width, const char *fold, const char *text) {
    struct wy_out_style style = {.width = width};
    struct wy_page page;
    struct wy_para q;
    wy_page_init(&page, b, &style);
    wy_para_init(&q, &page);
    q.fold = fold;
    wy_para_text(&q, WY_PLAIN, text);
    wy_page_spaces(&page, 2);
    wy_para_line(&q, 2, 4);
    wy_page_deinit(&page);
    return wy_buf_text(b);
}

static void sentences_fold_at_words(void **state) {
    (void)state;
    wy_auto_buf a = {0}, b = {0}, c = {0}, d = {0};
    assert_string_equal(folded(&a, 40, "", "one two three four five six seven eight nine"),
                        "  one two three four five six seven\n    eight nine\n");
    /* 40 columns exactly fit; a word longer than the line is never cut. */
    assert_string_equal(folded(&b, 40, "", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b"),
                        "  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    b\n");
    /* Columns are code points, not bytes. */
    assert_string_equal(folded(&c, 40, "",
                               "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 "
                               "12345678901234567890123456789"),
                        "  \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 "
                        "12345678901234567890123456789\n");
    /* Two spaces in a name stay two. */
    assert_string_equal(folded(&d, 40, "", "a  b"), "  a  b\n");
}

static void command_lines_fold_with_a_backslash(void **state) {
    (void)state;
    wy_auto_buf a = {0}, b = {0};
    assert_string_equal(folded(&a, 40, " \\", "pip install --reinstall package==1.0 two==2.0"),
                        "  pip install --reinstall package==1.0 \\\n    two==2.0\n");
    /* No backslash after the last word, even when it just fits. */
    assert_string_equal(folded(&b, 40, " \\", "pip install --reinstall package-1==1.0"),
                        "  pip install --reinstall package-1==1.0\n");
}

static void tables_align_and_drop_empty_columns(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    struct wy_page page;
    struct wy_table t;
    wy_page_init(&page, &b, &plain);
    wy_table_init(&t, &page, 4);
    t.right[2] = true;
    static const char *const cells[] = {"a",        NULL, "8 of 8",   "one", "bcd", NULL,
                                        "12 of 12", NULL, "\xc3\xa9", NULL,  NULL,  "x\ny"};
    for (size_t i = 0; i < COUNT(cells); i++)
        wy_table_cell(&t, WY_PLAIN, cells[i]);
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
    wy_page_deinit(&page);
    assert_string_equal(wy_buf_text(&b), "  a      8 of 8  one\n"
                                         "  bcd  12 of 12\n"
                                         "  \xc3\xa9              x\\x0ay\n");
}

static void the_last_column_folds_below_itself(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    struct wy_out_style style = {.width = 40};
    struct wy_page page;
    struct wy_table t;
    wy_page_init(&page, &b, &style);
    wy_table_init(&t, &page, 2);
    wy_table_cell(&t, WY_PLAIN, "left");
    wy_table_cell(&t, WY_PLAIN, "some words that take more than the room");
    wy_table_put(&t, 2);
    wy_table_deinit(&t);
    wy_page_deinit(&page);
    assert_string_equal(wy_buf_text(&b), "  left  some words that take more than\n"
                                         "        the room\n");
}

static void colour_surrounds_words_and_never_a_line_break(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    struct wy_out_style style = {.width = 40, .colour = true};
    struct wy_page page;
    wy_page_init(&page, &b, &style);
    wy_page_sentence(&page, 2, WY_BOLD, "one two three four five six seven eight nine");
    wy_page_deinit(&page);
    assert_string_equal(wy_buf_text(&b), "  \x1b[1mone two three four five six seven\x1b[0m\n"
                                         "  \x1b[1meight nine\x1b[0m\n");
}

static void counts_have_separators_and_the_right_noun(void **state) {
    (void)state;
    wy_auto_buf b = {0};
    struct wy_page page;
    wy_page_init(&page, &b, &plain);
    assert_string_equal(wy_page_count(&page, 0, "file", "files"), "0 files");
    assert_string_equal(wy_page_count(&page, 1, "file", "files"), "1 file");
    assert_string_equal(wy_page_count(&page, 999, "file", "files"), "999 files");
    assert_string_equal(wy_page_count(&page, 16214, "file", "files"), "16,214 files");
    assert_string_equal(wy_page_count(&page, 1000000, "file", "files"), "1,000,000 files");
    wy_page_deinit(&page);
}

/* --- answers -----------------------------------------------------------------------------------*/

static const struct whyso_environment story_environment = {
    .prefix = "/srv/app/.venv",
    .kind = "venv",
    .chosen_by = ".venv",
    .root = "/",
    .complete = true,
    .python = "bin/python",
    .python_real = "/usr/local/bin/python3.11",
    .python_version = "3.11.7",
    .soabi = "cpython-311-x86_64-linux-gnu",
    .libc_kind = "glibc",
    .libc_version = "2.36",
    .machine = "x86_64",
    .cwd = "/srv/app",
    .driver = "none",
    .cpu = "x86-64-v3",
    .packages = 29,
    .files = 16214,
    .elf = 169,
    .libraries = 171,
};

struct gutted {
    const char *id, *name, *version;
    unsigned libraries;
    const char *needer, *soname;
};
static const struct gutted four[] = {
    {"f1", "nvidia-cudnn-cu12", "9.10.2.21", 8, "torch/lib/libtorch_cuda.so", "libcudnn.so.9"},
    {"f2", "nvidia-cusparselt-cu12", "0.7.1", 1, "torch/lib/libtorch_cuda.so",
     "libcusparseLt.so.0"},
    {"f3", "nvidia-nccl-cu12", "2.27.5", 1, "torch/lib/libtorch_cuda.so", "libnccl.so.2"},
    {"f4", "nvidia-nvshmem-cu12", "3.4.5", 12, "torch/lib/libtorch_nvshmem.so",
     "libnvshmem_host.so.3"},
};

/* The day this program is for: four packages whose files a removed twin took along. */
struct story {
    struct whyso_needer needers[COUNT(four)];
    struct whyso_finding findings[COUNT(four)];
    struct whyso_command command;
    struct whyso_cause cause;
    struct whyso_import import;
    struct whyso_check check;
};

static void tell_story(struct story *s) {
    *s = (struct story){0};
    for (size_t i = 0; i < COUNT(four); i++) {
        s->needers[i] = (struct whyso_needer){.file = four[i].needer, .package = "torch"};
        struct whyso_finding *f = &s->findings[i];
        f->id = four[i].id;
        f->rule = "gutted-package";
        f->severity = WHYSO_ERROR;
        f->cause = "c1";
        f->package.name = four[i].name;
        f->package.version = four[i].version;
        f->library = four[i].soname;
        f->wanted.kind = "library";
        f->wanted.name = four[i].soname;
        f->needed_by.v = &s->needers[i];
        f->needed_by.n = 1;
        f->counts = (struct whyso_counts){true, 22, 22, four[i].libraries, four[i].libraries};
    }
}

static void finish_story(struct story *s, struct whyso_strings argv) {
    s->command.argv = argv;
    static const char *ids[] = {"f1", "f2", "f3", "f4"}, *torch[] = {"torch"}, *causes[] = {"c1"};
    s->cause.id = "c1";
    s->cause.rule = "gutted-package";
    s->cause.severity = WHYSO_ERROR;
    s->cause.title = "4 packages are installed in name only: their libraries were deleted";
    s->cause.findings = (struct whyso_strings){ids, COUNT(ids)};
    s->cause.breaks.imports = (struct whyso_strings){torch, 1};
    s->cause.why = "Their -cu13 twins ship the same paths. Removing a twin removed the files; pip "
                   "and uv look at metadata only.";
    s->cause.fix.kind = "install";
    s->cause.fix.commands.v = &s->command;
    s->cause.fix.commands.n = 1;
    s->import = (struct whyso_import){
        .module = "torch",
        .outcome = "fails",
        .how = "exception",
        .message = "libcudnn.so.9: cannot open shared object file: No such file or directory",
        .causes = {causes, 1},
    };
    s->check.environment = story_environment;
    s->check.verdict = "broken";
    s->check.imports.v = &s->import;
    s->check.imports.n = 1;
    s->check.causes.v = &s->cause;
    s->check.causes.n = 1;
    s->check.findings.v = s->findings;
    s->check.findings.n = COUNT(four);
    s->check.errors = COUNT(four);
    s->check.imports_broken = 1;
}

static const char *reinstall[] = {"uv",
                                  "pip",
                                  "install",
                                  "--python",
                                  "/srv/app/.venv",
                                  "--reinstall",
                                  "--no-deps",
                                  "nvidia-cudnn-cu12==9.10.2.21",
                                  "nvidia-cusparselt-cu12==0.7.1",
                                  "nvidia-nccl-cu12==2.27.5",
                                  "nvidia-nvshmem-cu12==3.4.5"};

static const char story_at_80[] =
    ".venv (nearest .venv) · Python 3.11.7 · glibc 2.36 ·\n"
    "  29 packages, 16,214 files, 171 libraries\n"
    "\n"
    "✗ import torch fails: libcudnn.so.9: cannot open shared object file: No such\n"
    "  file or directory                                               gutted-package\n"
    "  4 packages are installed in name only: their libraries were deleted\n"
    "    nvidia-cudnn-cu12       9.10.2.21    8 of 8 gone  libcudnn.so.9\n"
    "    nvidia-cusparselt-cu12  0.7.1        1 of 1 gone  libcusparseLt.so.0\n"
    "    nvidia-nccl-cu12        2.27.5       1 of 1 gone  libnccl.so.2\n"
    "    nvidia-nvshmem-cu12     3.4.5      12 of 12 gone  libnvshmem_host.so.3\n"
    "  for   libtorch_cuda.so, libtorch_nvshmem.so\n"
    "  why   Their -cu13 twins ship the same paths. Removing a twin removed the\n"
    "        files; pip and uv look at metadata only.\n"
    "  fix   uv pip install --python /srv/app/.venv --reinstall --no-deps \\\n"
    "          nvidia-cudnn-cu12==9.10.2.21 nvidia-cusparselt-cu12==0.7.1 \\\n"
    "          nvidia-nccl-cu12==2.27.5 nvidia-nvshmem-cu12==3.4.5\n"
    "\n"
    "1 cause, 1 import broken, 0 warnings · whyso why libcudnn.so.9 shows the search\n";

static const char story_at_116[] =
    ".venv (nearest .venv) · Python 3.11.7 · glibc 2.36 · 29 packages, 16,214 files, 171 "
    "libraries\n"
    "\n"
    "✗ import torch fails: libcudnn.so.9: cannot open shared object file: No such file or "
    "directory\n"
    "  4 packages are installed in name only: their libraries were deleted                       "
    "          gutted-package\n"
    "    nvidia-cudnn-cu12       9.10.2.21    8 of 8 gone  libtorch_cuda.so needs libcudnn.so.9\n"
    "    nvidia-cusparselt-cu12  0.7.1        1 of 1 gone  libtorch_cuda.so needs "
    "libcusparseLt.so.0\n"
    "    nvidia-nccl-cu12        2.27.5       1 of 1 gone  libtorch_cuda.so needs libnccl.so.2\n"
    "    nvidia-nvshmem-cu12     3.4.5      12 of 12 gone  libtorch_nvshmem.so needs "
    "libnvshmem_host.so.3\n"
    "  why   Their -cu13 twins ship the same paths. Removing a twin removed the files; pip and uv "
    "look at metadata only.\n"
    "  fix   uv pip install --python /srv/app/.venv --reinstall --no-deps "
    "nvidia-cudnn-cu12==9.10.2.21 \\\n"
    "          nvidia-cusparselt-cu12==0.7.1 nvidia-nccl-cu12==2.27.5 "
    "nvidia-nvshmem-cu12==3.4.5\n"
    "\n"
    "1 cause, 1 import broken, 0 warnings · whyso why libcudnn.so.9 shows the search\n";

/* 18 lines of the 30 that a screen has. */
static void the_story_fits_one_screen(void **state) {
    (void)state;
    struct story s;
    tell_story(&s);
    finish_story(&s, (struct whyso_strings){reinstall, COUNT(reinstall)});
    wy_auto_buf narrow = {0}, wide = {0};
    wy_out_check(&narrow, &plain, &s.check);
    assert_string_equal(wy_buf_text(&narrow), story_at_80);
    struct wy_out_style style = plain;
    style.width = 116;
    wy_out_check(&wide, &style, &s.check);
    assert_string_equal(wy_buf_text(&wide), story_at_116);
}

/* Names come from files: no control character of theirs reaches the terminal, and a command that
 * would hold one is not shown. */
static void hostile_names_stay_harmless(void **state) {
    (void)state;
    struct story s;
    tell_story(&s);
    static const char *argv[] = {"pip", "install", "--target", "/srv/\x1b]0;x\x07/\n-rf"};
    finish_story(&s, (struct whyso_strings){argv, COUNT(argv)});
    s.findings[0].package.name = "evil\x1b[2J\n\xe2\x80\xaename";
    s.findings[0].library = "lib\rx.so";
    s.check.environment.prefix = "/srv/\x1b[31mred";
    s.import.message = "bad\nthing\xff";
    wy_auto_buf b = {0};
    wy_out_check(&b, &plain, &s.check);
    for (size_t i = 0; i < b.n; i++)
        assert_true((unsigned char)b.p[i] >= 0x20 || b.p[i] == '\n');
    assert_null(strstr(wy_buf_text(&b), "\xe2\x80\xae"));
    assert_non_null(strstr(wy_buf_text(&b), "evil\\x1b[2J\\x0a\\u202ename"));
    assert_non_null(strstr(wy_buf_text(&b), "cannot be shown"));
    assert_null(strstr(wy_buf_text(&b), "whyso why lib"));
}

static void a_healthy_environment_is_one_calm_line(void **state) {
    (void)state;
    struct whyso_import ok[] = {{.module = "numpy", .outcome = "ok"},
                                {.module = "torch", .outcome = "ok"}};
    struct whyso_check c = {.environment = story_environment, .verdict = "ok"};
    c.imports.v = ok;
    c.imports.n = COUNT(ok);
    wy_auto_buf b = {0}, q = {0};
    wy_out_check(&b, &plain, &c);
    assert_string_equal(wy_buf_text(&b), ".venv (nearest .venv) · Python 3.11.7 · glibc 2.36 ·\n"
                                         "  29 packages, 16,214 files, 171 libraries\n"
                                         "\n"
                                         "Nothing is broken: all 2 imports with native code "
                                         "load.\n");
    struct wy_out_style quiet = plain;
    quiet.verbosity = -1;
    wy_out_check(&q, &quiet, &c);
    assert_string_equal(wy_buf_text(&q), "");
}

static void notes_are_one_line(void **state) {
    (void)state;
    struct whyso_finding notes[] = {{.id = "f1", .rule = "leftover", .title = "a"},
                                    {.id = "f2", .rule = "missing-file", .title = "b"},
                                    {.id = "f3", .rule = "missing-file", .title = "c"}};
    struct whyso_check c = {.environment = story_environment, .verdict = "ok", .notes = 3};
    c.findings.v = notes;
    c.findings.n = COUNT(notes);
    wy_auto_buf b = {0};
    wy_out_check(&b, &plain, &c);
    assert_non_null(
        strstr(wy_buf_text(&b), "\n· 3 notes: leftover, 2 missing-file (-v shows them)\n"));
}

/* Every field is there, whatever the report lacks. */
static void json_of_an_empty_check_has_every_field(void **state) {
    (void)state;
    struct whyso_check c = {.environment = {.prefix = "/e"}, .verdict = "ok"};
    struct whyso_finding f = {.id = "f1"};
    c.findings.v = &f;
    c.findings.n = 1;
    wy_auto_buf b = {0};
    struct wy_out_style style = {.format = WY_OUT_NDJSON};
    wy_out_check(&b, &style, &c);
    assert_string_equal(
        wy_buf_text(&b),
        "{\"type\":\"report\",\"schema\":\"whyso/check/1\",\"tool\":{\"name\":\"whyso\","
        "\"version\":\"" WHYSO_VERSION "\"},\"environment\":{\"prefix\":\"/e\",\"kind\":null,"
        "\"chosen_by\":null,\"root\":null,\"complete\":false,\"python\":null,\"libc\":null,"
        "\"machine\":null,\"sys_path\":[],\"process\":{\"cwd\":null,\"user\":0,\"variables\":{},"
        "\"driver\":null,\"cpu\":null},\"packages\":0,\"files\":0,\"elf\":0},\"verdict\":\"ok\","
        "\"summary\":{\"error\":0,\"warning\":0,\"note\":0,\"causes\":0,\"imports_broken\":0},"
        "\"silenced\":{\"config\":null,\"ignored\":0,\"baseline\":0,\"gone\":[]}}\n"
        "{\"type\":\"finding\",\"id\":\"f1\",\"fingerprint\":null,\"cause\":null,\"rule\":null,"
        "\"severity\":\"note\",\"title\":null,\"package\":null,\"library\":null,\"file\":null,"
        "\"wanted\":null,\"needed_by\":[],\"chain\":[],\"searched\":[],\"candidates\":[],"
        "\"owners\":[],\"providers\":[],\"counts\":null,\"missing\":[],\"parts\":[],"
        "\"orders\":[],\"numbers\":{},\"because\":[],\"breaks\":{\"imports\":[],\"files\":0},"
        "\"fix\":null}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_text_is_ascii_and_loses_no_byte),
        cmocka_unit_test(json_nests_with_commas_where_they_belong),
        cmocka_unit_test(json_on_several_lines_is_indented),
        cmocka_unit_test(sentences_fold_at_words),
        cmocka_unit_test(command_lines_fold_with_a_backslash),
        cmocka_unit_test(tables_align_and_drop_empty_columns),
        cmocka_unit_test(the_last_column_folds_below_itself),
        cmocka_unit_test(colour_surrounds_words_and_never_a_line_break),
        cmocka_unit_test(counts_have_separators_and_the_right_noun),
        cmocka_unit_test(the_story_fits_one_screen),
        cmocka_unit_test(hostile_names_stay_harmless),
        cmocka_unit_test(a_healthy_environment_is_one_calm_line),
        cmocka_unit_test(notes_are_one_line),
        cmocka_unit_test(json_of_an_empty_check_has_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
