#include "rule/near_miss.h"

#include <ctype.h>

/* "<length><identifier>": its end, or 0. */
static size_t source_name(struct wy_str s, size_t at) {
    size_t n = 0;
    while (at < s.n && isdigit((unsigned char)s.p[at]) && n < s.n)
        n = n * 10 + (size_t)(s.p[at++] - '0');
    return n && n <= s.n - at ? at + n : 0;
}

enum { DEEPEST = 32 };

static size_t piece(struct wy_str s, size_t at, unsigned depth);

/* Pieces up to and with the E that ends them; 0 when it is not there. */
static size_t pieces(struct wy_str s, size_t at, unsigned depth) {
    while (at && at < s.n && depth < DEEPEST) {
        if (s.p[at] == 'E')
            return at + 1;
        at = piece(s, at, depth);
    }
    return 0;
}

/* "S_", "S0_", "SA_" … and the short forms of std ("St", "Ss"). */
static size_t substitution(struct wy_str s, size_t at) {
    if (at + 1 < s.n && !isdigit((unsigned char)s.p[at + 1]) &&
        !isupper((unsigned char)s.p[at + 1]))
        return at + 2;
    while (at < s.n && s.p[at] != '_')
        at++;
    return at < s.n ? at + 1 : 0;
}

/* "Li3E", "LN3foo3barE1E": the type, then everything up to E. */
static size_t literal(struct wy_str s, size_t at, unsigned depth) {
    at = at + 1 < s.n ? piece(s, at + 1, depth) : 0;
    while (at && at < s.n && s.p[at] != 'E')
        at++;
    return at && at < s.n ? at + 1 : 0;
}

/* Steps over one piece of a name or of a template's arguments; where it ends, 0 when it is cut. */
static size_t piece(struct wy_str s, size_t at, unsigned depth) {
    if (isdigit((unsigned char)s.p[at]))
        return source_name(s, at);
    switch (s.p[at]) {
    case 'C': /* constructors and destructors: C1, C2, D0 … */
    case 'D':
        return at + 2;
    case 'S':
        return substitution(s, at);
    case 'L':
        return literal(s, at, depth + 1);
    case 'I':
    case 'J':
    case 'N':
    case 'X':
        return pieces(s, at + 1, depth + 1);
    default:
        return at + 1;
    }
}

size_t wy_mangled_name(struct wy_str s) {
    if (!wy_str_starts(s, "_Z") || s.n < 4)
        return 0;
    if (s.p[2] != 'N')
        return isdigit((unsigned char)s.p[2]) ? source_name(s, 2) : 0;
    return pieces(s, 3, 0);
}

/* The tag of a function that returns a std::string of the new ABI (Itanium C++ ABI, 5.1.3). */
static size_t past_tag(struct wy_str s, size_t at) {
    static const char tag[] = "B5cxx11";
    size_t n = sizeof tag - 1;
    return s.n - at >= n && memcmp(s.p + at, tag, n) == 0 ? at + n : at;
}

/* Where the function's part `name` of a mangled name ends in `symbol`, tags not compared; 0 when it
 * does not begin with it. */
static size_t same_function(struct wy_str name, struct wy_str symbol) {
    size_t i = 0, k = 0;
    for (;;) {
        i = past_tag(name, i);
        k = past_tag(symbol, k);
        if (i == name.n)
            return k;
        if (k == symbol.n || name.p[i++] != symbol.p[k++])
            return 0;
    }
}

/* Old and new std::string (libstdc++'s _GLIBCXX_USE_CXX11_ABI). */
static bool new_strings(struct wy_str s) {
    return wy_str_find(s, WY_STR("__cxx11")) != SIZE_MAX ||
           wy_str_find(s, WY_STR("B5cxx11")) != SIZE_MAX;
}

static bool old_strings(struct wy_str s) {
    return !new_strings(s) && wy_str_find(s, WY_STR("Ss")) != SIZE_MAX;
}

struct look {
    struct wy_case *c;
    struct wy_str wanted, name; /* the whole symbol; its function's part */
    const char *found;
    bool strings; /* `found` differs in the string ABI: the best answer */
};

static bool look_at(void *ctx, const struct wy_symbol *s, struct wy_str symbol) {
    struct look *k = ctx;
    (void)s;
    size_t n = same_function(k->name, symbol);
    if (!n || wy_str_eq(symbol, k->wanted) || wy_mangled_name(symbol) != n)
        return true;
    struct wy_str name = {symbol.p, n};
    bool strings = new_strings(name) != new_strings(k->name) ||
                   (new_strings(symbol) && old_strings(k->wanted)) ||
                   (old_strings(symbol) && new_strings(k->wanted));
    if (!k->found || strings)
        k->found = wy_arena_str(k->c->arena, symbol);
    k->strings = strings;
    return !strings;
}

static const struct wy_library *provider(struct wy_case *c, const char *soname) {
    size_t n;
    const struct wy_library **libs = wy_world_named(c->world, soname, &n);
    for (size_t i = 0; i < n; i++)
        if (libs[i]->image->elf.kind == WY_ELF_OK)
            return libs[i];
    return NULL;
}

bool wy_near_miss_find(struct wy_case *c, const struct wy_object *needer, const char *wanted,
                       struct wy_near_miss *ret) {
    struct look k = {.c = c, .wanted = wy_str_of(wanted)};
    k.name = (struct wy_str){wanted, wy_mangled_name(k.wanted)};
    const struct wy_elf *elf = &needer->image->elf;
    for (size_t i = 0; k.name.n && i < elf->nneeded; i++) {
        const struct wy_library *lib = provider(c, elf->needed[i]);
        if (!lib)
            continue;
        const struct wy_image_symbols *symbols = wy_host_symbols(c->world->host, lib->image);
        wy_symtab_each(&symbols->table, look_at, &k);
        if (!k.found)
            continue;
        *ret = (struct wy_near_miss){lib, wanted, k.found, k.strings,
                                     k.strings ? "another string ABI" : "other parameter types"};
        return true;
    }
    return false;
}
