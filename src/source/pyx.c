/* Cython's own language is not read, only what a module imports from Python at its top level, also
 * below one `try` or `if`. */
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

static size_t indent(struct wy_str line) {
    size_t n = 0;
    while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
        n++;
    return n;
}

/* `try:` and its like, or `if …:` and its like, on a line of their own. */
static bool begins_arms(struct wy_str line) {
    static const char *const words[] = {"try:", "except", "else:", "finally:", "if ", "elif "};
    while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\r'))
        line.n--;
    for (size_t i = 0; line.n && i < sizeof words / sizeof *words; i++)
        if (wy_str_starts(line, words[i]))
            return line.p[line.n - 1] == ':';
    return false;
}

/* A statement of an arm that is no import; an arm without any would be no Python. */
static void pass(char *line, size_t n, size_t from) {
    static const char word[] = {'p', 'a', 's', 's'};
    memset(line + from, ' ', n - from);
    if (n - from >= sizeof word)
        memcpy(line + from, word, sizeof word);
}

struct keeping {
    bool quoted;   /* within three quotes */
    bool inside;   /* within an import statement */
    unsigned open; /* its brackets */
    size_t arm; /* the indent of the arm that the lines belong to, 0: none, SIZE_MAX: not known */
};

static void keep_line(struct keeping *k, char *p, struct wy_str line) {
    bool was_quoted = k->quoted;
    size_t at = indent(line);
    struct wy_str rest = {line.p + at, line.n - at};
    if ((count(line, "\"\"\"") + count(line, "'''")) % 2)
        k->quoted = !k->quoted;
    bool code = !was_quoted && !k->quoted && rest.n && *rest.p != '#' && !k->inside;
    if (code && at == 0)
        k->arm = begins_arms(line) ? SIZE_MAX : 0;
    else if (code && k->arm == SIZE_MAX)
        k->arm = at;
    k->inside = k->inside || (code && (at == 0 || at == k->arm) && begins_import(rest));
    if (k->inside) {
        k->open += count(line, "(");
        k->open -= count(line, ")") < k->open ? count(line, ")") : k->open;
        k->inside = k->open > 0 || (line.n && line.p[line.n - 1] == '\\');
    } else if (code && at > 0 && at == k->arm) {
        pass(p, line.n, at);
    } else if (!code || k->arm != SIZE_MAX) {
        memset(p, ' ', line.n);
    }
}

void wy_source_keep_imports(char *text, size_t n) {
    struct keeping k = {0};
    for (size_t at = 0, next; at < n; at = next) {
        struct wy_str line = line_at((struct wy_str){text, n}, at);
        next = at + line.n + 1;
        keep_line(&k, text + at, line);
    }
}
