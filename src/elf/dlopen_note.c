/* Notes of owner "FDO" and type 0x407c0c0a: what a file opens by name while it runs, as a JSON
 * array of objects in which all values are strings or arrays of strings (uapi-group.org, "Package
 * Metadata for dlopen"). Whatever else stands there is passed over; a text that is no JSON says
 * nothing. */
#include "base/utf8.h"
#include "elf/parts.h"

enum { MOST_ENTRIES = 256, MOST_SONAMES = 64, MOST_NESTING = 16, MOST_TEXT = WY_ELF_MAX_STR };

struct json {
    struct wy_str rest;
    struct wy_arena *a;
    unsigned depth;
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool take(struct json *j, char c) {
    while (j->rest.n && is_blank(j->rest.p[0]))
        j->rest = (struct wy_str){j->rest.p + 1, j->rest.n - 1};
    if (!j->rest.n || j->rest.p[0] != c)
        return false;
    j->rest = (struct wy_str){j->rest.p + 1, j->rest.n - 1};
    return true;
}

/* The byte behind a backslash; names of libraries need no \uXXXX, so that becomes '?'. */
static bool take_escape(struct json *j, char *ret) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (!j->rest.n)
        return false;
    char c = j->rest.p[0];
    size_t used = c == 'u' ? 5 : 1;
    const char *at = c == 'u' ? NULL : memchr(from, c, sizeof from - 1);
    if ((c != 'u' && !at) || j->rest.n < used)
        return false;
    *ret = at ? to[at - from] : '?';
    j->rest = (struct wy_str){j->rest.p + used, j->rest.n - used};
    return true;
}

/* Bytes to the closing mark of a string, at most. */
static size_t string_room(struct wy_str s) {
    size_t n = 0;
    while (n < s.n && s.p[n] != '"')
        n += s.p[n] == '\\' ? 2 : 1;
    return n < s.n ? n : s.n;
}

/* A string, or NULL. Control characters in it are as little JSON as bytes that are no UTF-8. */
static const char *take_string(struct json *j) {
    if (!take(j, '"'))
        return NULL;
    char *text = wy_arena_alloc(j->a, string_room(j->rest) + 1);
    size_t n = 0;
    while (j->rest.n && j->rest.p[0] != '"') {
        uint32_t point;
        unsigned used = wy_utf8_next(j->rest, &point);
        if (!used || point < 0x20)
            return NULL;
        if (point == '\\') {
            j->rest = (struct wy_str){j->rest.p + 1, j->rest.n - 1};
            if (!take_escape(j, &text[n++]))
                return NULL;
            continue;
        }
        memcpy(text + n, j->rest.p, used);
        n += used;
        j->rest = (struct wy_str){j->rest.p + used, j->rest.n - used};
    }
    text[n] = '\0';
    return take(j, '"') ? text : NULL;
}

static bool pass_value(struct json *j);

/* Behind the opening mark; `named`: an object. */
static bool pass_list(struct json *j, char end, bool named) {
    bool first = true;
    if (++j->depth > MOST_NESTING)
        return false;
    for (; !take(j, end); first = false) {
        if (!first && !take(j, ','))
            return false;
        if (named && (!take_string(j) || !take(j, ':')))
            return false;
        if (!pass_value(j))
            return false;
    }
    j->depth--;
    return true;
}

static bool pass_value(struct json *j) {
    if (take(j, '['))
        return pass_list(j, ']', false);
    if (take(j, '{'))
        return pass_list(j, '}', true);
    if (j->rest.n && j->rest.p[0] == '"')
        return take_string(j) != NULL;
    size_t n = 0; /* a number, true, false, null */
    while (n < j->rest.n && !is_blank(j->rest.p[n]) && !strchr(",]}", j->rest.p[n]))
        n++;
    j->rest = (struct wy_str){j->rest.p + n, j->rest.n - n};
    return n > 0;
}

/* An array of strings, or one string. */
static bool take_sonames(struct json *j, struct wy_elf_dlopen *ret) {
    ret->sonames = wy_arena_zero(j->a, MOST_SONAMES * sizeof *ret->sonames);
    ret->nsonames = 0;
    bool array = take(j, '[');
    while (!(array && ret->nsonames == 0 && take(j, ']'))) {
        const char *name = take_string(j);
        if (!name)
            return false;
        if (ret->nsonames < MOST_SONAMES)
            ret->sonames[ret->nsonames++] = name;
        if (!array || take(j, ']'))
            return true;
        if (!take(j, ','))
            return false;
    }
    return true;
}

static bool take_priority(struct json *j, struct wy_elf_dlopen *ret) {
    const char *word = take_string(j);
    if (word)
        ret->priority = strcmp(word, "required") == 0    ? WY_DLOPEN_REQUIRED
                        : strcmp(word, "suggested") == 0 ? WY_DLOPEN_SUGGESTED
                                                         : WY_DLOPEN_RECOMMENDED;
    return word;
}

/* One object, behind its opening mark. */
static bool take_entry(struct json *j, struct wy_elf_dlopen *ret) {
    *ret = (struct wy_elf_dlopen){.priority = WY_DLOPEN_RECOMMENDED};
    for (bool first = true; !take(j, '}'); first = false) {
        if (!first && !take(j, ','))
            return false;
        const char *key = take_string(j);
        if (!key || !take(j, ':'))
            return false;
        bool ok = strcmp(key, "soname") == 0        ? take_sonames(j, ret)
                  : strcmp(key, "priority") == 0    ? take_priority(j, ret)
                  : strcmp(key, "feature") == 0     ? (ret->feature = take_string(j)) != NULL
                  : strcmp(key, "description") == 0 ? (ret->description = take_string(j)) != NULL
                                                    : pass_value(j);
        if (!ok)
            return false;
    }
    return true;
}

static void add(struct wy_elf_job *job, const struct wy_elf_dlopen *entry) {
    struct wy_elf *elf = job->elf;
    if (!elf->dlopens)
        elf->dlopens = wy_arena_zero(job->a, MOST_ENTRIES * sizeof *elf->dlopens);
    if (entry->nsonames && elf->ndlopens < MOST_ENTRIES)
        elf->dlopens[elf->ndlopens++] = *entry;
}

void wy_elf_take_dlopen(struct wy_elf_job *job, struct wy_str text) {
    struct json j = {.rest = text, .a = job->a};
    struct wy_elf_dlopen entry;
    if (text.n > MOST_TEXT || job->strings + text.n > WY_ELF_MAX_STRINGS || !take(&j, '['))
        return;
    job->strings += text.n;
    for (bool first = true; !take(&j, ']'); first = false) {
        if ((!first && !take(&j, ',')) || !take(&j, '{') || !take_entry(&j, &entry))
            return;
        add(job, &entry);
    }
}
