/* Look-up of one name in a scope (elf/dl-lookup.c, do_lookup_x and check_match; docs/loader.md
 * A11). */
#include "ld/internal.h"

enum { SHN_UNDEF = 0, SHN_ABS = 0xfff1, HIDDEN = 0x8000, NUMBER = 0x7fff };
enum { NO_ABORT_MINOR = 41, FALLBACK_MINOR = 42 };

/* Symbols that are no definition for anybody; undefined ones with a value (the PLT of a program)
 * serve references outside the PLT class. */
static bool counts(const struct ld_wanted *k, const struct wy_symbol *s) {
    /* NOTYPE, OBJECT, FUNC, COMMON, TLS, GNU_IFUNC */
    static const unsigned types = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 10;
    if (s->value == 0 && s->section != SHN_ABS && s->type != WY_STT_TLS)
        return false;
    if (s->section == SHN_UNDEF && k->plt)
        return false;
    return types >> s->type & 1;
}

enum fit { NO, YES, MAYBE, ABORT };

static bool same_version(const struct wy_symbol_version *a, const struct wy_symbol_version *b) {
    return a && a->hash == b->hash && wy_same(a->name, b->name);
}

/* A reference with a version. MAYBE: without a version, taken when there is no better one. */
static enum fit fits_version(const struct ld_wanted *k, const struct ld_place *p,
                             const struct wy_symbol *s) {
    unsigned minor = k->w->ld->host->libc_minor;
    if (!p->table->elf->has_versym) {
        /* The very file it was needed from has no versions at all: up to 2.40 an assertion. */
        bool asserts = k->version->file && minor && minor < NO_ABORT_MINOR;
        k->w->hangs_on_process |= asserts;
        return asserts && ld_answers(k->w, p->object, k->version->file) ? ABORT : YES;
    }
    if (same_version(s->version, k->version))
        return YES;
    if (k->version->hidden || s->version || (s->versym & HIDDEN))
        return NO;
    return !minor || minor >= FALLBACK_MINOR ? MAYBE : YES;
}

/* One without takes the oldest version, else the only visible one. */
static enum fit fits_any(const struct ld_place *p, const struct wy_symbol *s) {
    if (!p->table->elf->has_versym || (s->versym & NUMBER) < 3)
        return YES;
    return s->versym & HIDDEN ? NO : MAYBE;
}

/* The symbol of one object that is taken. */
static enum fit find_in(const struct ld_wanted *k, const struct ld_place *p,
                        struct wy_symbol_walk *walk, struct wy_symbol *ret) {
    struct wy_symbol s, kept = {0};
    unsigned nkept = 0;
    while (wy_symtab_next(walk, &s)) {
        if (!counts(k, &s))
            continue;
        enum fit fit = k->version ? fits_version(k, p, &s) : fits_any(p, &s);
        if (fit == YES || fit == ABORT) {
            *ret = s;
            return fit;
        }
        if (fit == MAYBE && nkept++ == 0)
            kept = s;
    }
    *ret = kept;
    return nkept == 1 || (nkept && k->version) ? YES : NO;
}

static bool is_visible(const struct wy_symbol *s) {
    return s->visibility != WY_STV_HIDDEN && s->visibility != WY_STV_INTERNAL &&
           (s->binding == WY_STB_GLOBAL || s->binding == WY_STB_WEAK ||
            s->binding == WY_STB_GNU_UNIQUE);
}

/* The object whose definition of a unique variable all take: the first that was found, also by who
 * does not see it now (do_lookup_unique). Of other unique symbols only the address is shared. */
static const struct wy_object *first_of(const struct ld_wanted *k, const struct wy_object *o) {
    const char *name = k->key->name.p;
    k->w->hangs_on_process = true;
    for (const struct ld_unique *u = k->w->unique; u; u = u->older)
        if (strcmp(u->name, name) == 0)
            return u->object;
    struct ld_unique *u = WY_NEW(&k->w->ld->arena, struct ld_unique);
    *u = (struct ld_unique){name, o, k->w->unique};
    k->w->unique = u;
    return o;
}

/* What one object has; *weak, unless it is found: a weak definition, which LD_DYNAMIC_WEAK leaves
 * for when there is no other. */
static enum ld_lookup_result look_at(const struct ld_wanted *k, const struct ld_place *p,
                                     struct wy_symbol_key *key, bool *weak,
                                     const struct wy_object **ret) {
    struct wy_symbol_walk walk;
    struct wy_symbol s;
    *ret = p->object;
    if (!wy_symtab_find(p->table, key, &walk))
        return LD_UNDEFINED;
    if (k->copy && p->object == k->w->members.v[0].object)
        return LD_UNDEFINED;
    enum fit fit = find_in(k, p, &walk, &s);
    if (fit == ABORT)
        return LD_ABORT;
    if (fit != YES || !is_visible(&s))
        return LD_UNDEFINED;
    *weak = k->w->weak_waits && s.binding == WY_STB_WEAK;
    if (s.binding == WY_STB_GNU_UNIQUE && s.type == WY_STT_TLS)
        *ret = first_of(k, p->object);
    return *weak ? LD_UNDEFINED : LD_FOUND;
}

enum ld_lookup_result ld_lookup(const struct ld_wanted *k, const struct ld_scope *scope,
                                const struct wy_object **ret) {
    struct wy_symbol_key key = *k->key;
    const struct wy_object *kept = NULL;
    for (size_t i = k->own ? 0 : 1; i <= scope->places.n; i++) {
        const struct ld_place *p = i ? &scope->places.v[i - 1] : k->own;
        bool weak = false;
        enum ld_lookup_result result = look_at(k, p, &key, &weak, ret);
        if (weak && !kept)
            kept = p->object;
        if (result != LD_UNDEFINED)
            return result;
    }
    if (kept)
        *ret = kept;
    return kept ? LD_FOUND : LD_UNDEFINED;
}
