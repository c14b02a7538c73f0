#include "out/plain.h"

enum { NAMED = 5 }; /* imports; the rest is counted */

/* A backslash is the one character that escaping changes and a terminal does not mind. */
static bool harmless(const char *word) {
    struct wy_str rest = wy_str_of(word);
    while (rest.p) {
        struct wy_str piece = wy_str_cut(rest, '\\', &rest);
        wy_auto_buf safe = {0};
        wy_buf_escaped(&safe, piece);
        if (safe.n != piece.n)
            return false;
    }
    return true;
}

bool wy_plain_word(struct wy_buf *b, const char *word) {
    if (!harmless(word))
        return false;
    wy_buf_shell(b, word);
    return true;
}

bool wy_plain_variable(struct wy_buf *b, const char *setting) {
    const char *eq = strchr(setting, '=');
    if (!eq || !harmless(setting))
        return false;
    wy_buf_add(b, setting, (size_t)(eq - setting) + 1);
    wy_buf_shell(b, eq + 1);
    return true;
}

bool wy_plain_command(struct wy_buf *b, const struct whyso_command *c) {
    wy_auto_buf all = {0};
    for (size_t i = 0; i < c->env.n + c->argv.n; i++) {
        if (i)
            wy_buf_char(&all, ' ');
        if (i < c->env.n ? !wy_plain_variable(&all, c->env.v[i])
                         : !wy_plain_word(&all, c->argv.v[i - c->env.n]))
            return false;
    }
    wy_buf_str(b, wy_buf_text(&all));
    return true;
}

void wy_plain_imports(struct wy_buf *b, const struct whyso_strings *imports) {
    for (size_t i = 0; i < imports->n && i < NAMED; i++)
        wy_buf_printf(b, "%s %s", i ? "," : "import", imports->v[i]);
    if (imports->n > NAMED)
        wy_buf_printf(b, " and %zu more", imports->n - NAMED);
}
