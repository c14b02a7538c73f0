#include "elf/symbols.h"
#include "elf_bytes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { R_64 = 1, R_GLOB_DAT = 6, R_JUMP_SLOT = 7, R_RELATIVE = 8, R_TPOFF64 = 18 };

/* Everything about one file in memory. */
static struct {
    struct wy_arena arena;
    struct wy_str bytes;
    struct wy_elf elf;
    struct wy_symtab symtab;
    struct wy_refs refs;
} now;

static int done(void **state) {
    (void)state;
    if (now.elf.kind == WY_ELF_OK)
        wy_symtab_release(&now.symtab);
    now.elf.kind = WY_ELF_NOT;
    wy_arena_deinit(&now.arena);
    return 0;
}

static void read_bytes(const struct elf_bytes *e, bool all) {
    done(NULL);
    now.bytes = elf_text(e);
    struct wy_source src = wy_source_memory(&now.bytes);
    wy_elf_read(&src, &now.arena, &now.elf);
    assert_int_equal(now.elf.kind, WY_ELF_OK);
    wy_symtab_read(&src, &now.elf, &now.arena, &now.symtab);
    wy_symtab_refs(&now.symtab, &now.arena, all, &now.refs);
}

/* The definitions of a name, as indexes in .dynsym; their number. */
static size_t find(const char *name, uint32_t ret[4]) {
    struct wy_symbol_key key = wy_symbol_key(wy_str_of(name));
    struct wy_symbol_walk walk;
    struct wy_symbol s;
    size_t n = 0;
    if (!wy_symtab_find(&now.symtab, &key, &walk))
        return 0;
    while (wy_symtab_next(&walk, &s)) {
        assert_true(n < 4);
        if (wy_symbol_is_definition(&s))
            ret[n++] = s.index;
    }
    return n;
}

static void assert_found(const char *name, uint32_t index) {
    uint32_t found[4];
    assert_int_equal(find(name, found), 1);
    assert_int_equal(found[0], index);
}

static void assert_absent(const char *name) {
    uint32_t found[4];
    assert_int_equal(find(name, found), 0);
}

static const struct elf_spec full = {
    .verneed = {{"libc.so.6", "GLIBC_2.34", 0}, {"libb.so.1", "B_1", 2}},
    .verdef = {"libx.so.2", "X_1.0"},
    .undefined = {"malloc", "maybe", "plain", "unnamed"},
    .weak = 1 << 1,
    .symbols = {"first", "second", "third"},
    .versym = {2, 3, 1, 1, 1, 0x8002, 1},
    .relocs = {{ELF_RELA, 0, R_RELATIVE},
               {ELF_RELA, 2, R_GLOB_DAT},
               {ELF_RELA, 5, R_64},
               {ELF_RELA, 2, R_64},
               {ELF_JMPREL, 3, R_JUMP_SLOT},
               {ELF_JMPREL, 1, R_JUMP_SLOT},
               {ELF_JMPREL, 2, R_JUMP_SLOT}},
    .relacount = 1,
    .hashes = ELF_GNU_HASH | ELF_SYSV_HASH,
};

static void each_form(const struct elf_spec *spec, void (*check)(struct elf_bytes *e)) {
    for (int form = 0; form < 4; form++) {
        struct elf_spec s = *spec;
        struct elf_bytes e;
        s.is64 = form & 1;
        s.big_endian = form & 2;
        elf_build(&s, &e);
        check(&e);
    }
}

static void check_found(struct elf_bytes *e) {
    read_bytes(e, true);
    assert_null(now.symtab.problem);
    assert_found("first", 5);
    assert_found("second", 6);
    assert_found("third", 7);
    assert_absent("thir");
    assert_absent("third_");
    assert_absent("malloc");
    assert_absent("");
    /* Without DT_GNU_HASH the other table is used. */
    uint64_t gnu = elf_dynamic_value(e, 0x6ffffef5) - elf_word(e);
    elf_poke(e, gnu, 0x6fff0000, elf_word(e));
    read_bytes(e, true);
    assert_false(now.symtab.has_gnu_hash);
    assert_null(now.symtab.problem);
    assert_found("first", 5);
    assert_found("third", 7);
    assert_absent("malloc");
    assert_absent("fourth");
}

static void definitions_are_found_by_either_hash_table(void **state) {
    (void)state;
    each_form(&full, check_found);
}

static void check_symbol_facts(struct elf_bytes *e) {
    read_bytes(e, true);
    struct wy_symbol_key key = wy_symbol_key(WY_STR("second"));
    struct wy_symbol_walk walk;
    struct wy_symbol s;
    assert_true(wy_symtab_find(&now.symtab, &key, &walk));
    assert_true(wy_symtab_next(&walk, &s));
    assert_int_equal(s.index, 6);
    assert_int_equal(s.value, ELF_BASE + 6);
    assert_int_equal(s.section, 7);
    assert_int_equal(s.type, WY_STT_FUNC);
    assert_int_equal(s.binding, WY_STB_GLOBAL);
    assert_int_equal(s.visibility, WY_STV_DEFAULT);
    assert_int_equal(s.versym, 0x8002);
    /* Defined versions come over needed ones of the same number. */
    assert_string_equal(s.version->name, "X_1.0");
    assert_null(s.version->file);
    assert_string_equal(wy_symtab_name(&now.symtab, &s, &now.arena), "second");
    assert_false(wy_symtab_next(&walk, &s));
    assert_true(wy_symtab_symbol(&now.symtab, 5, &s));
    assert_int_equal(s.versym, 1);
    assert_null(s.version);
}

static void a_symbol_has_its_version(void **state) {
    (void)state;
    each_form(&full, check_symbol_facts);
}

static void assert_ref(size_t i, const char *name, uint32_t order, uint32_t plt_order,
                       unsigned uses) {
    assert_true(i < now.refs.n);
    const struct wy_ref *r = &now.refs.v[i];
    assert_string_equal(r->key.name.p, name);
    assert_int_equal(r->key.name.n, strlen(name));
    assert_int_equal(r->order, order);
    assert_int_equal(r->plt_order, plt_order);
    assert_int_equal(r->uses, uses);
}

static void check_refs(struct elf_bytes *e) {
    read_bytes(e, true);
    assert_null(now.refs.problem);
    assert_int_equal(now.refs.n, 4);
    assert_int_equal(now.refs.relocations, 6);
    enum { BOTH = WY_USE_NOW | WY_USE_LAZY | WY_USE_PLT | WY_USE_ADDRESS | WY_USE_GOT };
    assert_ref(0, "maybe", 0, 5, BOTH);
    assert_ref(1, "first", 1, WY_NO_ORDER, WY_USE_NOW | WY_USE_ADDRESS);
    assert_ref(2, "plain", WY_NO_ORDER, 3, WY_USE_LAZY | WY_USE_PLT);
    assert_ref(3, "malloc", WY_NO_ORDER, 4, WY_USE_LAZY | WY_USE_PLT);
    assert_int_equal(now.refs.v[0].symbol.binding, WY_STB_WEAK);
    assert_string_equal(now.refs.v[0].symbol.version->name, "B_1");
    assert_string_equal(now.refs.v[0].symbol.version->file, "libb.so.1");
    assert_null(now.refs.v[2].symbol.version);
    assert_int_equal(now.refs.v[1].symbol.section, 7);
    assert_int_equal(now.refs.unknown_order, WY_NO_ORDER);
    assert_int_equal(now.refs.odd_order, WY_NO_ORDER);
}

static void references_come_in_the_loaders_order(void **state) {
    (void)state;
    each_form(&full, check_refs);
}

static void own_definitions_can_be_left_out(void **state) {
    (void)state;
    struct elf_spec s = full;
    struct elf_bytes e;
    s.is64 = true;
    elf_build(&s, &e);
    read_bytes(&e, false);
    assert_int_equal(now.refs.n, 3);
    assert_int_equal(now.refs.own, 1);
    /* not when the definition is not sound: here without a value … */
    elf_poke(&e, e.symtab + (size_t)5 * 24 + 8, 0, 8);
    read_bytes(&e, false);
    assert_int_equal(now.refs.n, 4);
    assert_int_equal(now.refs.own, 0);
    /* … nor when it has another use than by address */
    s.relocs[2].type = R_TPOFF64;
    elf_build(&s, &e);
    read_bytes(&e, false);
    assert_int_equal(now.refs.n, 4);
    assert_true(now.refs.tls_ie_own);
    assert_int_equal(now.refs.v[1].uses, WY_USE_NOW | WY_USE_PLT | WY_USE_TLS_IE);
}

static void a_symbol_left_out_of_the_hash_table_is_no_own_definition(void **state) {
    (void)state;
    struct elf_spec s = full;
    struct elf_bytes e;
    s.is64 = true;
    elf_build(&s, &e);
    elf_poke(&e, e.gnu_hash + 4, 6, 4); /* the table begins with symbol 6 … */
    elf_poke(&e, e.gnu_hash + 24, 6, 4);
    memmove(e.b + e.gnu_hash + 28, e.b + e.gnu_hash + 32, 8); /* … and its hash */
    read_bytes(&e, false);
    assert_null(now.symtab.problem);
    assert_absent("first");
    assert_found("second", 6);
    assert_found("third", 7);
    assert_int_equal(now.refs.n, 4);
}

static void types_are_judged_by_machine(void **state) {
    (void)state;
    enum { EM_386 = 3, EM_S390 = 22, EM_AARCH64 = 183, EM_OTHER = 0x1234 };
    struct elf_spec s = {.is64 = true,
                         .undefined = {"a", "b"},
                         .relocs = {{ELF_RELA, 1, 99}, {ELF_JMPREL, 2, R_GLOB_DAT}}};
    struct elf_bytes e;
    elf_build(&s, &e);
    read_bytes(&e, true);
    assert_int_equal(now.refs.n, 2); /* looked up all the same */
    assert_int_equal(now.refs.unknown_type, 99);
    assert_int_equal(now.refs.unknown_order, 0);
    assert_int_equal(now.refs.odd_type, R_GLOB_DAT);
    assert_int_equal(now.refs.odd_order, 1);
    assert_int_equal(now.refs.v[1].uses, WY_USE_NOW | WY_USE_GOT);
    assert_int_equal(now.refs.musl_other.type, 99);
    assert_int_equal(now.refs.musl_other.order, 0);
    assert_int_equal(now.refs.musl_other.symbol, now.refs.v[0].symbol.index);
    assert_int_equal(now.refs.musl_plt.order, WY_NO_ORDER);

    s.machine = EM_AARCH64;
    s.relocs[0].type = 1032; /* IRELATIVE */
    s.relocs[0].symbol = 0;
    s.relocs[1].type = 1026; /* JUMP_SLOT */
    elf_build(&s, &e);
    read_bytes(&e, true);
    assert_int_equal(now.refs.n, 1);
    assert_int_equal(now.refs.irelative, 1);
    assert_int_equal(now.refs.unknown_order, WY_NO_ORDER);
    assert_int_equal(now.refs.musl_other.type, 1032); /* musl has no such resolvers */
    assert_int_equal(now.refs.musl_other.symbol, 0);
    assert_int_equal(now.refs.v[0].uses, WY_USE_LAZY | WY_USE_PLT);

    s.machine = EM_OTHER;
    elf_build(&s, &e);
    read_bytes(&e, true);
    assert_int_equal(now.refs.unknown_order, WY_NO_ORDER);
    assert_int_equal(now.refs.v[0].uses, WY_USE_LAZY | WY_USE_PLT);

    s = (struct elf_spec){.machine = EM_386,
                          .undefined = {"a", "b", "c"},
                          .relocs = {{ELF_RELA, 3, 1}, {ELF_REL, 1, 14}, {ELF_JMPREL, 2, 7}}};
    elf_build(&s, &e);
    read_bytes(&e, true);
    assert_int_equal(now.refs.n, 3);
    assert_ref(0, "a", 0, WY_NO_ORDER, WY_USE_NOW | WY_USE_PLT | WY_USE_TLS_IE);
    assert_ref(1, "b", WY_NO_ORDER, 1, WY_USE_LAZY | WY_USE_PLT);
    assert_ref(2, "c", 2, WY_NO_ORDER, WY_USE_NOW | WY_USE_ADDRESS);
}

static void a_table_may_include_the_plt(void **state) {
    (void)state;
    struct elf_spec s = full;
    struct elf_bytes e;
    s.is64 = true;
    elf_build(&s, &e);
    elf_poke(&e, elf_dynamic_value(&e, 8), e.relocs_end - e.rela, 8);
    read_bytes(&e, true);
    assert_int_equal(now.refs.relocations, 6);
    assert_ref(2, "plain", WY_NO_ORDER, 3, WY_USE_LAZY | WY_USE_PLT);
}

static void text_relocations_are_seen(void **state) {
    (void)state;
    struct elf_spec s = full;
    struct elf_bytes e;
    s.is64 = true;
    elf_build(&s, &e);
    read_bytes(&e, true);
    assert_true(now.refs.changes_code); /* the test's only segment is read-only */
    elf_poke(&e, e.phdrs + 4, 6, 4);
    read_bytes(&e, true);
    assert_false(now.refs.changes_code);
}

struct names {
    char text[64];
    int left;
};

static bool collect(void *ctx, const struct wy_symbol *s, struct wy_str name) {
    struct names *n = ctx;
    assert_true(s->index >= 5);
    assert_int_equal(name.p[name.n], '\0');
    snprintf(n->text + strlen(n->text), sizeof n->text - strlen(n->text), "%s ", name.p);
    return --n->left != 0;
}

static void check_each(struct elf_bytes *e) {
    read_bytes(e, true);
    struct names n = {"", 9};
    wy_symtab_each(&now.symtab, collect, &n);
    assert_string_equal(n.text, "first second third ");
    n = (struct names){"", 2};
    wy_symtab_each(&now.symtab, collect, &n);
    assert_string_equal(n.text, "first second ");
}

static void all_definitions_can_be_gone_through(void **state) {
    (void)state;
    each_form(&full, check_each);
}

static void damage_is_told_and_harmless(void **state) {
    (void)state;
    static const struct {
        size_t at; /* into DT_GNU_HASH */
        uint32_t value;
        const char *problem;
    } cases[] = {
        {0, UINT32_MAX, "runs past the end"},
        {8, 3, "expected a power of two"},
        {8, 0, "expected a power of two"},
        {24, 4, "names symbol 4, which is not in its chain"},
        {24, 1u << 30, "which is not in its chain"},
        {36, 2, NULL}, /* the end mark; what follows ends the chain somewhere */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct elf_spec s = full;
        struct elf_bytes e;
        s.is64 = true;
        elf_build(&s, &e);
        elf_poke(&e, e.gnu_hash + cases[i].at, cases[i].value, 4);
        read_bytes(&e, true);
        if (cases[i].problem) {
            assert_non_null(now.symtab.problem);
            assert_non_null(strstr(now.symtab.problem, cases[i].problem));
        }
        assert_absent("nothing");
        assert_int_equal(now.refs.n, 4); /* references do not depend on it */
    }
}

static void a_circle_in_a_sysv_chain_ends(void **state) {
    (void)state;
    struct elf_spec s = full;
    struct elf_bytes e;
    s.hashes = ELF_SYSV_HASH;
    elf_build(&s, &e);
    elf_poke(&e, e.sysv_hash + 12 + (size_t)4 * 7, 5, 4); /* after the third, the first again */
    read_bytes(&e, true);
    assert_absent("fourth");
    struct wy_symbol_key key = wy_symbol_key(WY_STR("third"));
    struct wy_symbol_walk walk;
    struct wy_symbol found;
    size_t n = 0;
    assert_true(wy_symtab_find(&now.symtab, &key, &walk));
    while (wy_symtab_next(&walk, &found))
        assert_true(n++ < 65536);
    assert_true(n > 0);
}

static void bad_relocations_are_told(void **state) {
    (void)state;
    struct elf_spec s = full;
    struct elf_bytes e;
    s.is64 = true;
    s.relocs[1].symbol = 1u << 20;
    elf_build(&s, &e);
    read_bytes(&e, true);
    assert_non_null(strstr(now.refs.problem, "names symbol 1048576"));
    assert_int_equal(now.refs.n, 4); /* the others are there */

    elf_build(&full, &e);
    elf_poke(&e, elf_dynamic_value(&e, 8), 1u << 20, 4);
    read_bytes(&e, true);
    assert_non_null(strstr(now.refs.problem, "DT_RELA at byte"));

    elf_build(&full, &e);
    elf_poke(&e, elf_dynamic_value(&e, 7), 16, 4);
    read_bytes(&e, true);
    assert_non_null(strstr(now.refs.problem, "DT_RELA at address 0x10 lies in no segment"));
    assert_int_equal(now.refs.n, 3); /* those of DT_JMPREL */

    elf_build(&full, &e);
    elf_poke(&e, e.symtab + 16, 1u << 30, 4); /* the name of symbol 1 */
    read_bytes(&e, true);
    assert_non_null(strstr(now.refs.problem, "the name of symbol 1"));
    assert_null(now.refs.v[3].key.name.p);
}

/* A source that fails from some byte on, as a disk does. */
static int64_t read_part(void *ctx, uint64_t offset, void *buf, size_t n) {
    struct wy_str *s = ctx;
    if (offset >= s->n)
        return -EIO;
    memset(buf, 0, n);
    memcpy(buf, s->p + offset, n < s->n - offset ? n : s->n - (size_t)offset);
    return (int64_t)n;
}

static void a_block_that_cannot_be_read_later_is_told(void **state) {
    (void)state;
    struct elf_spec s = full;
    struct elf_bytes e;
    s.is64 = true;
    elf_build(&s, &e);
    read_bytes(&e, true);
    assert_true(wy_symtab_held(&now.symtab) > 0);
    wy_symtab_release(&now.symtab);
    assert_int_equal(wy_symtab_held(&now.symtab), 0);
    assert_int_equal(wy_symtab_read_error(&now.symtab), 0);
    struct wy_str nothing = {"", 0};
    now.symtab.src.read = read_part;
    now.symtab.src.ctx = &nothing;
    assert_absent("first");
    assert_int_equal(wy_symtab_read_error(&now.symtab), EIO);
}

/* Names and symbols far into tables that have many blocks. */
enum { MANY = 6000, NAME = 40, STRINGS = MANY * NAME + 1 };

static void put32(unsigned char *p, uint32_t v) {
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(v >> 8 * i);
}
static void put64(unsigned char *p, uint64_t v) {
    put32(p, (uint32_t)v);
    put32(p + 4, (uint32_t)(v >> 32));
}

static void large_tables_are_read_in_blocks(void **state) {
    (void)state;
    enum { SYMS = 4096, STRS = SYMS + (MANY + 1) * 24, HASH = STRS + STRINGS + 7 };
    enum { SIZE = HASH + 16 + 8 + 4 * MANY + 4 * MANY };
    unsigned char *b = wy_alloc0(1, SIZE);
    struct wy_elf_load load = {.filesz = SIZE, .memsz = SIZE};
    struct wy_elf elf = {.kind = WY_ELF_OK,
                         .is64 = true,
                         .machine = 62,
                         .file_size = SIZE,
                         .has_dynamic = true,
                         .loads = &load,
                         .nloads = 1,
                         .strtab = STRS,
                         .strsz = STRINGS / 2,
                         .symtab = SYMS,
                         .has_gnu_hash = true,
                         .gnu_hash = HASH};
    put32(b + HASH, MANY);
    put32(b + HASH + 4, 1);
    put32(b + HASH + 8, 1);
    put64(b + HASH + 16, UINT64_MAX);
    /* Symbol i has bucket i - 1 to itself, whatever its hash: so each is put where it belongs. */
    uint32_t *bucket = wy_alloc0(MANY, sizeof *bucket), *order = wy_alloc0(MANY, sizeof *order);
    for (uint32_t i = 0; i < MANY; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "_ZN4long4name%026u", i);
        bucket[i] = wy_symbol_key(wy_str_of(name)).gnu_hash % MANY;
        order[i] = i;
    }
    uint32_t at = 0;
    for (uint32_t k = 0; k < MANY; k++) { /* .dynsym in order of buckets, as linkers do */
        uint32_t from = at, hash = 0;
        for (uint32_t i = 0; i < MANY; i++) {
            if (bucket[i] != k)
                continue;
            char name[NAME];
            snprintf(name, sizeof name, "_ZN4long4name%026u", i);
            memcpy(b + STRS + 1 + (size_t)at * NAME, name, NAME);
            unsigned char *s = b + SYMS + (size_t)(at + 1) * 24;
            put32(s, 1 + at * NAME);
            s[4] = 0x12;
            s[6] = 7;
            put64(s + 8, i + 1);
            hash = wy_symbol_key(wy_str_of(name)).gnu_hash;
            put32(b + HASH + 24 + 4 * MANY + (size_t)at * 4, hash & ~1u);
            at++;
        }
        if (at > from) {
            put32(b + HASH + 24 + (size_t)k * 4, from + 1);
            put32(b + HASH + 24 + 4 * MANY + (size_t)(at - 1) * 4, hash | 1);
        }
    }
    done(NULL);
    now.bytes = (struct wy_str){(char *)b, SIZE};
    struct wy_source src = wy_source_memory(&now.bytes);
    wy_symtab_read(&src, &elf, &now.arena, &now.symtab);
    assert_null(now.symtab.problem);
    assert_int_equal(now.symtab.count, MANY);
    assert_int_equal(wy_symtab_held(&now.symtab), 0);
    assert_absent("_ZN4long4name");
    for (uint32_t i = 0; i < MANY; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "_ZN4long4name%026u", i);
        struct wy_symbol_key key = wy_symbol_key(wy_str_of(name));
        struct wy_symbol_walk walk;
        struct wy_symbol s;
        assert_true(wy_symtab_find(&now.symtab, &key, &walk));
        assert_true(wy_symtab_next(&walk, &s));
        assert_int_equal(s.value, i + 1);
        assert_string_equal(wy_symtab_name(&now.symtab, &s, &now.arena), name);
    }
    assert_true(wy_symtab_held(&now.symtab) > STRINGS);
    wy_symtab_release(&now.symtab);
    free(order);
    free(bucket);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(definitions_are_found_by_either_hash_table, done),
        cmocka_unit_test_teardown(a_symbol_has_its_version, done),
        cmocka_unit_test_teardown(references_come_in_the_loaders_order, done),
        cmocka_unit_test_teardown(own_definitions_can_be_left_out, done),
        cmocka_unit_test_teardown(a_symbol_left_out_of_the_hash_table_is_no_own_definition, done),
        cmocka_unit_test_teardown(types_are_judged_by_machine, done),
        cmocka_unit_test_teardown(a_table_may_include_the_plt, done),
        cmocka_unit_test_teardown(text_relocations_are_seen, done),
        cmocka_unit_test_teardown(all_definitions_can_be_gone_through, done),
        cmocka_unit_test_teardown(damage_is_told_and_harmless, done),
        cmocka_unit_test_teardown(a_circle_in_a_sysv_chain_ends, done),
        cmocka_unit_test_teardown(bad_relocations_are_told, done),
        cmocka_unit_test_teardown(a_block_that_cannot_be_read_later_is_told, done),
        cmocka_unit_test_teardown(large_tables_are_read_in_blocks, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
