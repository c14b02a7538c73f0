#include "said/said.h"

#include "base/path.h"

enum {
    LONGEST_LINE = 64 << 10, /* what is longer is looked at in pieces of this size */
    LONGEST_NAME = 4096,
    MOST_PARTS = 12 /* of a pattern: texts and names in turn */
};

static const char *const names[WY_SAID_NAMES] = {
    [WY_SAID_LIBRARY] = "library", [WY_SAID_FILE] = "file",     [WY_SAID_SYMBOL] = "symbol",
    [WY_SAID_VERSION] = "version", [WY_SAID_MODULE] = "module",
};

size_t wy_said_name_of(struct wy_str word) {
    for (size_t i = 0; i < WY_SAID_NAMES; i++)
        if (wy_str_is(word, names[i]))
            return i;
    return SIZE_MAX;
}

/* A pattern, taken apart: text, name, text, … Texts may be empty at both ends only. */
struct part {
    struct wy_str text; /* what stands there; p == NULL: a name */
    size_t name;        /* WY_SAID_NAMES: not kept */
};
struct pattern {
    struct part parts[MOST_PARTS];
    size_t n;
};

/* The name that begins at `at`: "{symbol}", "{}". False for a brace that is a brace. */
static bool name_at(struct wy_str at, size_t *name, size_t *length) {
    struct wy_str rest, word;
    if (at.n < 2 || at.p[0] != '{')
        return false;
    word = wy_str_cut((struct wy_str){at.p + 1, at.n - 1}, '}', &rest);
    *name = word.n ? wy_said_name_of(word) : WY_SAID_NAMES;
    *length = word.n + 2;
    return rest.p && *name != SIZE_MAX;
}

static void take_apart(const char *text, struct pattern *ret) {
    struct wy_str rest = wy_str_of(text);
    ret->n = 0;
    while (rest.n && ret->n < MOST_PARTS) {
        struct part *p = &ret->parts[ret->n++];
        size_t length = 0;
        *p = (struct part){{NULL, 0}, WY_SAID_NAMES};
        if (!name_at(rest, &p->name, &length)) {
            p->text.p = rest.p;
            for (size_t name, skip; length < rest.n; length++)
                if (name_at((struct wy_str){rest.p + length, rest.n - length}, &name, &skip))
                    break;
            p->text.n = length;
        }
        rest = (struct wy_str){rest.p + length, rest.n - length};
    }
}

/* What no name holds. Colons end a name only when a space follows: C++ and paths have them. */
static bool ends_name(char c) {
    return (unsigned char)c <= ' ' || strchr("'\"`()[]{},;", c) != NULL;
}

/* The name that ends where `before` ends. One that begins with "/" may hold spaces: it then starts
 * behind the last ": " or quote. */
static struct wy_str name_before(struct wy_str before, bool file) {
    size_t at = before.n, slash = SIZE_MAX;
    size_t least = before.n > LONGEST_NAME ? before.n - LONGEST_NAME : 0;
    while (at > least && !ends_name(before.p[at - 1]))
        at--;
    for (size_t i = at; file && i > least && !strchr("'\"`", before.p[i - 1]) &&
                        !(before.p[i - 1] == ' ' && i >= 2 && before.p[i - 2] == ':');
         i--)
        if (before.p[i - 1] == '/' && (i == 1 || ends_name(before.p[i - 2])))
            slash = i - 1;
    if (slash != SIZE_MAX)
        at = slash;
    return (struct wy_str){before.p + at, before.n - at};
}

/* The name that begins where `after` begins, up to `stop` (empty: the end of the word). */
static struct wy_str name_after(struct wy_str after, struct wy_str stop) {
    size_t n = 0;
    while (n < after.n && n < LONGEST_NAME && !ends_name(after.p[n]) &&
           !(stop.n && after.n - n >= stop.n && memcmp(after.p + n, stop.p, stop.n) == 0))
        n++;
    while (!stop.n && n && strchr(".:", after.p[n - 1]))
        n--;
    return (struct wy_str){after.p, n};
}

static struct wy_str from(struct wy_str s, size_t at) {
    return (struct wy_str){s.p + at, s.n - at};
}

/* Any text up to the next part: "{}". */
static bool skip_to(struct wy_str *rest, struct wy_str stop) {
    size_t at = wy_str_find(*rest, stop);
    if (at == SIZE_MAX)
        return false;
    *rest = from(*rest, at);
    return true;
}

/* The parts from `first` on against the text that begins there. */
static bool match_rest(const struct pattern *p, size_t first, struct wy_str rest,
                       struct wy_said *ret) {
    for (size_t i = first; i < p->n; i++) {
        const struct part *part = &p->parts[i];
        struct wy_str stop = i + 1 < p->n ? p->parts[i + 1].text : (struct wy_str){NULL, 0};
        if (part->text.p) {
            if (rest.n < part->text.n || memcmp(rest.p, part->text.p, part->text.n) != 0)
                return false;
            rest = from(rest, part->text.n);
        } else if (part->name == WY_SAID_NAMES) {
            if (!skip_to(&rest, stop))
                return false;
        } else {
            struct wy_str name = name_after(rest, stop);
            if (!name.n)
                return false;
            ret->names[part->name] = name;
            rest = from(rest, name.n);
        }
    }
    return true;
}

/* One place of the first text in the line: a name may stand before it. */
static bool match_at(const struct pattern *p, size_t anchor, struct wy_str line, size_t at,
                     struct wy_said *ret) {
    memset(ret->names, 0, sizeof ret->names);
    if (!match_rest(p, anchor, from(line, at), ret))
        return false;
    if (anchor == 0)
        return true;
    const struct part *first = &p->parts[0];
    struct wy_str name = name_before((struct wy_str){line.p, at}, first->name == WY_SAID_FILE);
    if (first->name < WY_SAID_NAMES)
        ret->names[first->name] = name;
    return name.n > 0;
}

static bool match(const struct pattern *p, struct wy_str line, struct wy_said *ret) {
    size_t anchor = p->n && !p->parts[0].text.p;
    if (anchor >= p->n)
        return false;
    struct wy_str text = p->parts[anchor].text;
    for (size_t at = 0; at + text.n <= line.n; at += text.n) {
        size_t next = wy_str_find(from(line, at), text);
        if (next == SIZE_MAX)
            return false;
        at += next;
        if (match_at(p, anchor, line, at, ret))
            return true;
    }
    return false;
}

/* The last word of the line that is called as a library is: for texts that no row knows. */
static bool names_library(struct wy_str line, struct wy_str *ret) {
    bool found = false;
    for (size_t at = 0; at < line.n;) {
        struct wy_str word = name_after(from(line, at), (struct wy_str){NULL, 0});
        char name[256];
        if (word.n > 3 && word.n < sizeof name) {
            memcpy(name, word.p, word.n);
            name[word.n] = '\0';
            if (!memchr(name, '\0', word.n) && wy_path_is_so(wy_path_base(name))) {
                *ret = word;
                found = true;
            }
        }
        at += word.n;
        while (at < line.n && (ends_name(line.p[at]) || strchr(".:", line.p[at])))
            at++;
    }
    return found;
}

struct reading {
    const struct wy_know *know;
    struct pattern *patterns; /* as many as there are rows */
    struct wy_said *best;
    bool loose; /* nothing but the name of a library was found so far */
};

static void read_line(struct reading *r, struct wy_str line, uint64_t number) {
    struct wy_said said = {.line = wy_str_trim(line), .number = number};
    bool any = r->best->line.p != NULL;
    for (size_t i = 0; i < r->know->nmessages; i++) {
        const struct wy_message_form *form = &r->know->messages[i];
        if (any && !r->loose && r->best->form->rank < form->rank)
            continue;
        if (!match(&r->patterns[i], said.line, &said))
            continue;
        said.form = form;
        *r->best = said;
        r->loose = false;
        return;
    }
    memset(said.names, 0, sizeof said.names);
    if ((!any || r->loose) && names_library(said.line, &said.names[WY_SAID_LIBRARY])) {
        *r->best = said;
        r->loose = true;
    }
}

/* "/srv/e/lib/python3.11/site-packages": whose traceback this is. */
static struct wy_str last_site(struct wy_str text) {
    static const struct wy_str folder = {"/site-packages/", 15};
    size_t end = SIZE_MAX;
    for (size_t at = 0, next; (next = wy_str_find(from(text, at), folder)) != SIZE_MAX;) {
        at += next + folder.n;
        end = at - 1;
    }
    if (end == SIZE_MAX)
        return (struct wy_str){NULL, 0};
    struct wy_str site = name_before((struct wy_str){text.p, end}, true);
    return site.p[0] == '/' ? site : (struct wy_str){NULL, 0};
}

void wy_said_read(const struct wy_know *k, struct wy_str text, struct wy_said *ret) {
    *ret = (struct wy_said){0};
    struct reading r = {.know = k, .best = ret};
    r.patterns = wy_alloc0(k->nmessages + 1, sizeof *r.patterns);
    for (size_t i = 0; i < k->nmessages; i++)
        take_apart(k->messages[i].pattern, &r.patterns[i]);
    uint64_t number = 0;
    for (struct wy_str rest = text; rest.p;) {
        struct wy_str line = wy_str_line(rest, &rest);
        number++;
        do {
            size_t n = line.n < LONGEST_LINE ? line.n : LONGEST_LINE;
            read_line(&r, (struct wy_str){line.p, n}, number);
            line = from(line, n);
        } while (line.n);
    }
    free(r.patterns);
    ret->site = last_site(text);
}
