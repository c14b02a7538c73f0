/* Look-up of names in the tables of one object. */
#include "elf/parts.h"
#include "elf/tables.h"

uint32_t wy_elf_gnu_hash(struct wy_str s) {
    uint32_t h = 5381;
    for (size_t i = 0; i < s.n; i++)
        h = h * 33 + (unsigned char)s.p[i];
    return h;
}

uint32_t wy_elf_sysv_hash(struct wy_str s) {
    uint32_t h = 0;
    for (size_t i = 0; i < s.n; i++) {
        h = (h << 4) + (unsigned char)s.p[i];
        h ^= h >> 24 & 0xf0;
        h &= 0x0fffffff;
    }
    return h;
}

struct wy_symbol_key wy_symbol_key(struct wy_str name) {
    return (struct wy_symbol_key){name, wy_elf_gnu_hash(name), WY_NO_HASH};
}

static bool in_bloom(const struct wy_symtab *t, uint32_t hash) {
    uint32_t mask = (1u << t->word_log) - 1, a = hash & mask, b = hash >> t->shift & mask;
    const uint32_t *word =
        t->bloom + ((size_t)(hash >> t->word_log & (t->nbloom - 1)) << (t->word_log - 5));
    return word[a / 32] >> a % 32 & word[b / 32] >> b % 32 & 1;
}

/* The walk from chain position `at` on, to the next symbol whose hash is the key's (its low bit is
 * taken by the end mark). */
static bool seek_gnu(struct wy_symbol_walk *w, uint32_t at) {
    const struct wy_symtab *t = w->t;
    for (;; at++) {
        if (!((t->chain[at] ^ w->key->gnu_hash) >> 1)) {
            w->index = t->first + at;
            return true;
        }
        if (t->chain[at] & 1)
            return false;
    }
}

static bool find_gnu(struct wy_symbol_walk *w) {
    const struct wy_symtab *t = w->t;
    if (!in_bloom(t, w->key->gnu_hash))
        return false;
    uint32_t bucket = t->buckets[w->key->gnu_hash % t->nbuckets];
    return bucket && seek_gnu(w, bucket - t->first);
}

bool wy_symtab_find(const struct wy_symtab *t, struct wy_symbol_key *key,
                    struct wy_symbol_walk *ret) {
    *ret = (struct wy_symbol_walk){t, key, 0, WY_ELF_MAX_RUN};
    if (!t->nbuckets)
        return false;
    if (t->has_gnu_hash)
        return find_gnu(ret);
    if (key->sysv_hash == WY_NO_HASH)
        key->sysv_hash = wy_elf_sysv_hash(key->name);
    ret->index = t->buckets[key->sysv_hash % t->nbuckets];
    return ret->index != 0;
}

static void step(struct wy_symbol_walk *w) {
    const struct wy_symtab *t = w->t;
    uint32_t at = w->index;
    w->index = 0;
    if (!t->has_gnu_hash)
        w->index = t->chain[at];
    else if (!(t->chain[at - t->first] & 1))
        seek_gnu(w, at - t->first + 1);
}

bool wy_symtab_next(struct wy_symbol_walk *w, struct wy_symbol *ret) {
    while (w->index && w->left) {
        uint32_t index = w->index;
        w->left--;
        step(w);
        if (wy_symtab_symbol(w->t, index, ret) &&
            wy_elf_table_text_is(w->t, &w->t->strings, ret->name, w->key->name))
            return true;
    }
    return false;
}

bool wy_symbol_is_definition(const struct wy_symbol *s) {
    enum { SHN_UNDEF = 0, SHN_ABS = 0xfff1 };
    /* NOTYPE, OBJECT, FUNC, COMMON, TLS, GNU_IFUNC */
    static const unsigned types = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 10;
    if (s->section == SHN_UNDEF || !(types >> s->type & 1))
        return false;
    if (s->value == 0 && s->section != SHN_ABS && s->type != WY_STT_TLS)
        return false;
    if (s->binding != WY_STB_GLOBAL && s->binding != WY_STB_WEAK && s->binding != WY_STB_GNU_UNIQUE)
        return false;
    return s->visibility == WY_STV_DEFAULT || s->visibility == WY_STV_PROTECTED;
}

static void add_version(const struct wy_symtab *t, struct wy_symbol *s) {
    unsigned char buf[2];
    const unsigned char *p = NULL;
    s->versym = 1;
    s->version = NULL;
    if (t->elf->has_versym)
        p = wy_elf_table_bytes(t, &t->versym, (uint64_t)s->index * 2, sizeof buf, buf);
    if (!p)
        return;
    s->versym = wy_symtab_get16(t, p);
    unsigned n = s->versym & 0x7fffu;
    if (n < t->nversions && t->versions[n].name)
        s->version = &t->versions[n];
}

bool wy_symtab_symbol(const struct wy_symtab *t, uint32_t index, struct wy_symbol *ret) {
    unsigned char buf[24];
    unsigned size = t->elf->is64 ? 24 : 16;
    const unsigned char *p = NULL;
    if (index < t->limit)
        p = wy_elf_table_bytes(t, &t->symbols, (uint64_t)index * size, size, buf);
    if (!p)
        return false;
    ret->index = index;
    ret->name = wy_symtab_get32(t, p);
    const unsigned char *info = p + (t->elf->is64 ? 4 : 12);
    if (t->elf->is64) {
        ret->value = wy_symtab_get64(t, p + 8);
        ret->size = wy_symtab_get64(t, p + 16);
    } else {
        ret->value = wy_symtab_get32(t, p + 4);
        ret->size = wy_symtab_get32(t, p + 8);
    }
    ret->binding = info[0] >> 4;
    ret->type = info[0] & 15;
    ret->visibility = info[1] & 3;
    ret->section = wy_symtab_get16(t, info + 2);
    add_version(t, ret);
    return true;
}

const char *wy_symtab_name(const struct wy_symtab *t, const struct wy_symbol *s,
                           struct wy_arena *a) {
    wy_auto_buf scratch = {0};
    struct wy_str name = wy_elf_table_text(t, &t->strings, s->name, &scratch);
    return name.p ? wy_arena_str(a, name) : NULL;
}

void wy_symtab_each(const struct wy_symtab *t,
                    bool (*use)(void *ctx, const struct wy_symbol *s, struct wy_str name),
                    void *ctx) {
    wy_auto_buf scratch = {0};
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < t->count && bytes < WY_ELF_MAX_EACH; i++) {
        struct wy_symbol s;
        if (!wy_symtab_symbol(t, t->first + i, &s) || !wy_symbol_is_definition(&s))
            continue;
        struct wy_str name = wy_elf_table_text(t, &t->strings, s.name, &scratch);
        bytes += name.n + 1;
        if (name.p && !use(ctx, &s, name))
            return;
    }
}
