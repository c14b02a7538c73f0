#include "base/buf.h"
#include "source/lex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* Blocks are passed over in one go, and must end where they end line by line. */

/* Over the lines that are further in than `column`; the column of what follows. */
static int over_block(struct wy_lex *l, int column, bool in_one_go) {
    int next;
    while ((next = wy_lex_indent(l)) > column) {
        if (in_one_go)
            wy_lex_skip_lines(l, column);
        else
            wy_lex_skip(l, true);
    }
    return next;
}

static void assert_same_end(const char *text, size_t n, int column) {
    struct wy_lex one = {.start = text, .p = text, .end = text + n, .line = 1}, all = one;
    int after_one = over_block(&one, column, false), after_all = over_block(&all, column, true);
    bool same = one.p == all.p && one.line == all.line && one.depth == all.depth &&
                after_one == after_all && one.problem == all.problem &&
                one.problem_line == all.problem_line;
    if (!same)
        print_message("column %d: byte %td, line %u (%s) but line by line byte %td, line %u (%s)\n"
                      "%.*s\n",
                      column, all.p - text, all.line, all.problem ? all.problem : "no problem",
                      one.p - text, one.line, one.problem ? one.problem : "no problem", (int)n,
                      text);
    assert_true(same);
}

/* All that can hide, open, close or end a line, between plain words, in any order. */
static void blocks_end_where_their_lines_do(void **state) {
    (void)state;
    static const char *const parts[] = {
        "\n",
        "\n    ",
        "\n    ",
        "\n        ",
        "\n\n",
        "\n  \t",
        "\n\r\n",
        "\r\n    ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "(a, b)",
        "a[1]",
        "'a'",
        "\"b\"",
        "'''\nc'''",
        "\"\"\"d\n",
        "#",
        "# it's\n",
        "\\\n",
        "\\",
        "word ",
        "x = 1",
        "f(x)",
        ";",
        ":",
        "\n#",
        "\n    #",
        "\f",
        "a longer run of words without anything in it that could end a line, of over 64 bytes"};
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        struct wy_buf text = {0};
        wy_buf_str(&text, "    start");
        for (int k = 0; k < 30; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            wy_buf_str(&text, parts[(random >> 33) % (sizeof parts / sizeof *parts)]);
        }
        if (i % 100 == 0)
            text.p[text.n / 2] = '\0';
        char *exact = wy_alloc(text.n);
        memcpy(exact, text.p, text.n);
        for (int column = 0; column < 8; column += 3)
            assert_same_end(exact, text.n, column);
        free(exact);
        wy_buf_deinit(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_end_where_their_lines_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
