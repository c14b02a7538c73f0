#include "pip/headers.h"

#include <strings.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* Length of the name before the colon, 0 when the line begins no header: email.feedparser's
 * headerRE takes printable ASCII without space and colon. */
static size_t name_length(struct wy_str line) {
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == ':')
            return i;
        if (line.p[i] < 0x21 || line.p[i] > 0x7e)
            return 0;
    }
    return 0;
}

bool wy_header_next(struct wy_str *rest, struct wy_str *name, struct wy_str *value) {
    struct wy_str after;
    if (rest->n == 0)
        return false;
    struct wy_str line = wy_str_line(*rest, &after);
    size_t n = name_length(line);
    if (n == 0)
        return false;
    *name = (struct wy_str){line.p, n};
    const char *end = line.p + line.n;
    while (after.n && is_blank(after.p[0])) {
        line = wy_str_line(after, &after);
        end = line.p + line.n;
    }
    const char *start = name->p + n + 1;
    *value = wy_str_trim((struct wy_str){start, (size_t)(end - start)});
    *rest = after;
    return true;
}

bool wy_header_is(struct wy_str name, const char *want) {
    return name.n == strlen(want) && strncasecmp(name.p, want, name.n) == 0;
}

char *wy_header_text(struct wy_arena *a, struct wy_str value) {
    char *text = wy_arena_alloc(a, value.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < value.n; i++) {
        char c = value.p[i];
        if (c == '\n' || (c == '\r' && i + 1 < value.n && value.p[i + 1] == '\n')) {
            while (n && is_blank(text[n - 1]))
                n--;
            while (i + 1 < value.n && (is_blank(value.p[i + 1]) || value.p[i + 1] == '\n'))
                i++;
            c = ' ';
        }
        text[n++] = c ? c : '?';
    }
    text[n] = '\0';
    return text;
}
