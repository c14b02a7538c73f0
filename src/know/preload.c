/* data/preload.rules: records of "key = value" lines and steps (the head of the file tells). */
#include "know/parse.h"

struct record {
    const char *package, *module, *defines, *source;
    bool open; /* a [rule …] line was seen */
};
typedef WY_VEC(struct wy_preload) preloads;

static char *trim(char *s) {
    s += strspn(s, " \t");
    for (size_t n = strlen(s); n && strchr(" \t\r", s[n - 1]); n--)
        s[n - 1] = '\0';
    return s;
}

/* One "key=value" word of a step. */
static bool set_word(struct wy_preload *p, char *word) {
    char *value = strchr(word, '=');
    if (!value)
        return false;
    *value++ = '\0';
    if (strcmp(word, "path") == 0 && wy_starts(value, "{pkg}/"))
        p->path = value + strlen("{pkg}/");
    else if (strcmp(word, "mode") == 0 && (wy_same(value, "global") || wy_same(value, "local")))
        p->global = wy_same(value, "global");
    else if (strcmp(word, "before") == 0 && *value)
        p->before = value;
    else
        return false;
    return true;
}

static bool add_step(const struct record *r, char *step, preloads *out) {
    char *kind = strsep(&step, " ");
    struct wy_preload p = {.package = r->package, .module = r->module, .kind = kind};
    p.defines = r->defines;
    p.source = r->source;
    for (char *word; step && (word = strsep(&step, " "));)
        if (*word && !set_word(&p, word))
            return false;
    bool supplies = strcmp(kind, "supplies") == 0 && !p.path && !p.before;
    bool opens = strcmp(kind, "dlopen") == 0 && p.path && p.before;
    if (!(supplies || opens) || !p.package || !p.module || !p.source)
        return false;
    wy_vec_push(out, p);
    return true;
}

static bool set_key(struct record *r, char *line) {
    char *value = strchr(line, '=');
    if (!value || !r->open)
        return false;
    *value++ = '\0';
    const char *key = trim(line);
    value = trim(value);
    const char **slot = wy_same(key, "package")       ? &r->package
                        : wy_same(key, "when-import") ? &r->module
                        : wy_same(key, "defines")     ? &r->defines
                        : wy_same(key, "source")      ? &r->source
                                                      : NULL;
    if (!slot || *slot || !*value)
        return false;
    *slot = value;
    return true;
}

static bool read_line(struct record *r, char *line, preloads *out) {
    if (!*line || *line == '#')
        return true;
    if (wy_starts(line, "[rule ") && wy_ends(line, "]")) {
        *r = (struct record){.open = true};
        return true;
    }
    if (wy_starts(line, "step "))
        return add_step(r, trim(line + strlen("step ")), out);
    return set_key(r, line);
}

void wy_know_parse_preloads(struct wy_know *k, char *text) {
    struct record r = {0};
    preloads out = {0};
    for (char *line; text && (line = strsep(&text, "\n"));)
        if (!read_line(&r, trim(line), &out))
            k->damaged++;
    k->npreloads = out.n;
    wy_vec_keep(&k->arena, &out);
    k->preloads = out.v;
}
