/* Symbols of one object: whatever the bytes, names are whole, look-ups end, and what is found by
 * name has that name. */
#include "fuzz.h"

#include "elf/symbols.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static void check_symbol(const struct wy_symtab *t, const struct wy_symbol *s) {
    require(s->index < t->limit && s->binding < 16 && s->type < 16 && s->visibility < 4);
    if (!s->version)
        return;
    require(s->version->name && s->version->hash);
    require(s->version == &t->versions[s->versym & 0x7fff]);
    require(strlen(s->version->name) > 0 || s->version->hash);
}

/* At most so many look-ups for one input: hostile chains are long. */
struct budget {
    const struct wy_symtab *t;
    unsigned left;
};

static size_t look_up(const struct wy_symtab *t, struct wy_str name) {
    struct wy_symbol_key key = wy_symbol_key(name);
    struct wy_symbol_walk walk;
    struct wy_symbol s;
    size_t n = 0;
    struct wy_arena a = WY_ARENA_INIT;
    if (wy_symtab_find(t, &key, &walk))
        for (; wy_symtab_next(&walk, &s); n++) {
            check_symbol(t, &s);
            const char *found = n < 4 ? wy_symtab_name(t, &s, &a) : NULL;
            require(n >= 4 || (found && wy_str_is(name, found)));
        }
    wy_arena_deinit(&a);
    require(n <= 4096);
    return n;
}

static bool each(void *ctx, const struct wy_symbol *s, struct wy_str name) {
    struct budget *b = ctx;
    check_symbol(b->t, s);
    require(wy_symbol_is_definition(s) && name.p[name.n] == '\0' && strlen(name.p) == name.n);
    if (b->left)
        look_up(b->t, name);
    b->left -= b->left > 0;
    return true;
}

static void check_refs(const struct wy_symtab *t, bool all) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_refs r;
    wy_symtab_refs(t, &a, all, &r);
    require(!all || r.own == 0);
    uint32_t before = 0;
    for (size_t i = 0; i < r.n; i++) {
        const struct wy_ref *x = &r.v[i];
        require(x->key.name.p ? strlen(x->key.name.p) == x->key.name.n : r.problem != NULL);
        require(x->uses & (WY_USE_NOW | WY_USE_LAZY));
        uint32_t first = x->order < x->plt_order ? x->order : x->plt_order;
        require(first != WY_NO_ORDER && (i == 0 || first > before));
        before = first;
        check_symbol(t, &x->symbol);
        if (i < 64 && x->key.name.p)
            look_up(t, x->key.name);
    }
    wy_arena_deinit(&a);
}

static void check_tables(const struct wy_source *src, const struct wy_elf *elf,
                         struct wy_arena *a) {
    struct wy_symtab t;
    wy_symtab_read(src, elf, a, &t);
    check_refs(&t, true);
    wy_symtab_release(&t);
    check_refs(&t, false);
    look_up(&t, WY_STR("first"));
    look_up(&t, WY_STR(""));
    struct budget b = {&t, 64};
    wy_symtab_each(&t, each, &b);
    require(wy_symtab_read_error(&t) == 0);
    wy_symtab_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = {(const char *)data, size};
    struct wy_source src = wy_source_memory(&bytes);
    struct wy_elf elf;
    wy_elf_read(&src, &a, &elf);
    check_tables(&src, &elf, &a);
    /* The other hash table as well, which the loader would not look at. */
    elf.has_gnu_hash = false;
    elf.has_sysv_hash = true;
    check_tables(&src, &elf, &a);
    wy_arena_deinit(&a);
    return 0;
}
