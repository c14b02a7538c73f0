/* data/preload.rules: records of "key = value" lines and steps (the head of the file tells). */
#include "know/parse.h"

struct record {
    const char *package, *module, *source;
    bool open; /* a [rule …] line was seen */
};
typedef WY_VEC(struct wy_preload) preloads;

static char *trim(char *s) {
    s += strspn(s, " \t");
    for (size_t n = strlen(s); n && strchr(" \t\r", s[n - 1]); n--)
        s[n - 1] = '\0';
    return s;
}

static bool add_step(const struct record *r, const char *step, preloads *out) {
    if (strcmp(step, "supplies") != 0 || !r->package || !r->module || !r->source)
        return false;
    wy_vec_push(
        out, ((struct wy_preload){
                 .package = r->package, .module = r->module, .kind = step, .source = r->source}));
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
