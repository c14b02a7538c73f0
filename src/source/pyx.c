/* Cython's own language is not read, only what a module imports from Python at its top level. */
#include "source/extension.h"

static struct wy_str line_at(struct wy_str text, size_t at) {
    const char *p = text.p + at, *end = memchr(p, '\n', text.n - at);
    return (struct wy_str){p, end ? (size_t)(end - p) : text.n - at};
}

static unsigned count(struct wy_str in, const char *what) {
    struct wy_str rest = in, part = wy_str_of(what);
    unsigned n = 0;
    for (size_t at; (at = wy_str_find(rest, part)) != SIZE_MAX; n++)
        rest = (struct wy_str){rest.p + at + part.n, rest.n - at - part.n};
    return n;
}

/* `import cython` is for the compiler. */
static bool begins_import(struct wy_str line) {
    if (wy_str_starts(line, "import cython") || wy_str_starts(line, "from cython"))
        return false;
    return wy_str_starts(line, "import ") ||
           (wy_str_starts(line, "from ") && wy_str_find(line, WY_STR(" import")) != SIZE_MAX &&
            wy_str_find(line, WY_STR(" cimport")) == SIZE_MAX);
}

void wy_source_keep_imports(char *text, size_t n) {
    const struct wy_str whole = {text, n};
    bool quoted = false, inside = false;
    unsigned open = 0;
    for (size_t at = 0; at < n;) {
        struct wy_str line = line_at(whole, at);
        size_t next = at + line.n + 1;
        bool was_quoted = quoted;
        if ((count(line, "\"\"\"") + count(line, "'''")) % 2)
            quoted = !quoted;
        inside = inside || (!was_quoted && !quoted && begins_import(line));
        if (inside) {
            open += count(line, "(");
            open -= count(line, ")") < open ? count(line, ")") : open;
            inside = open > 0 || (line.n && line.p[line.n - 1] == '\\');
        } else {
            memset(text + at, ' ', line.n);
        }
        at = next;
    }
}
