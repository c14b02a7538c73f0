#include "elf/elf.h"
#include "elf_bytes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* Facts of bytes in memory; the arena lives until the next call or `done`. */
static struct wy_arena arena;
static void read_bytes(struct wy_str bytes, struct wy_elf *ret) {
    wy_arena_deinit(&arena);
    struct wy_source src = wy_source_memory(&bytes);
    wy_elf_read(&src, &arena, ret);
}

static int done(void **state) {
    (void)state;
    wy_arena_deinit(&arena);
    return 0;
}

static const struct elf_spec full = {
    .interp = "/lib64/ld.so",
    .needed = {"libb.so.1", "liba.so", "libc.so.6"},
    .soname = "libx.so.2",
    .rpath = "$ORIGIN/old",
    .runpath = "",
    .auxiliary = "libaux.so",
    .filter = "libfilter.so",
    .flags = 8,
    .flags_1 = 0x08000000,
    .verneed = {{"libc.so.6", "GLIBC_2.34", 0}, {"libb.so.1", "B_1", 2}},
    .verdef = {"libx.so.2", "X_1.0"},
    .symbols = {"first", "second", "third"},
    .hashes = ELF_GNU_HASH | ELF_SYSV_HASH,
    .notes = true,
};

/* Runs `check` with the four combinations of class and byte order. */
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

static void check_header(const struct wy_elf *elf, const struct elf_bytes *e) {
    assert_int_equal(elf->is64, e->is64);
    assert_int_equal(elf->big_endian, e->big_endian);
    assert_int_equal(elf->type, 3);
    assert_int_equal(elf->machine, 62);
    assert_int_equal(elf->version, 1);
    assert_int_equal(elf->phnum, e->nphdrs);
    assert_int_equal(elf->phentsize, e->is64 ? 56 : 32);
    assert_int_equal(elf->nloads, 1);
    assert_int_equal(elf->loads[0].filesz, e->n);
    assert_int_equal(elf->loads[0].vaddr, ELF_BASE);
    assert_int_equal(elf->loads[0].align, 0x1000);
    assert_true(elf->has_gnu_stack);
    assert_int_equal(elf->gnu_stack_flags, 6);
    assert_string_equal(elf->interp, "/lib64/ld.so");
}

static void check_names(const struct wy_elf *elf) {
    assert_int_equal(elf->nneeded, 3);
    assert_string_equal(elf->needed[0], "libb.so.1");
    assert_string_equal(elf->needed[1], "liba.so");
    assert_string_equal(elf->needed[2], "libc.so.6");
    assert_string_equal(elf->soname, "libx.so.2");
    assert_string_equal(elf->rpath, "$ORIGIN/old");
    assert_string_equal(elf->runpath, "");
    assert_int_equal(elf->nfilters, 2);
    assert_string_equal(elf->filters[0].name, "libaux.so");
    assert_true(elf->filters[0].auxiliary);
    assert_int_equal(elf->filters[0].nneeded, 3);
    assert_string_equal(elf->filters[1].name, "libfilter.so");
    assert_false(elf->filters[1].auxiliary);
}

static void check_versions(const struct wy_elf *elf) {
    assert_int_equal(elf->nverneed, 2);
    assert_string_equal(elf->verneed[0].file, "libc.so.6");
    assert_string_equal(elf->verneed[0].version, "GLIBC_2.34");
    assert_int_equal(elf->verneed[0].hash, 0x069691b4);
    assert_int_equal(elf->verneed[1].flags, 2);
    assert_int_equal(elf->verneed[1].index, 3);
    assert_int_equal(elf->nverdef, 2);
    assert_int_equal(elf->verdef[0].flags, 1);
    assert_string_equal(elf->verdef[1].version, "X_1.0");
    assert_int_equal(elf->verdef[1].index, 2);
}

static void check_full(struct elf_bytes *e) {
    struct wy_elf elf;
    read_bytes(elf_text(e), &elf);
    assert_int_equal(elf.kind, WY_ELF_OK);
    assert_null(elf.problem);
    check_header(&elf, e);
    check_names(&elf);
    check_versions(&elf);
    assert_true(elf.bind_now);
    assert_true(elf.is_static_pie_or_exec);
    assert_true(elf.has_abi_tag);
    assert_int_equal(elf.abi_tag[1], 3);
    assert_int_equal(elf.abi_tag[2], 2);
    assert_int_equal(elf.isa_needed, 3);
    assert_string_equal(elf.build_id, "0102030405060708");
}

static void read_opens(const char *json, struct wy_elf *elf) {
    struct elf_bytes *e = wy_alloc(sizeof *e);
    elf_build(&(struct elf_spec){.is64 = true, .notes = true, .opens = json}, e);
    read_bytes(elf_text(e), elf);
    free(e);
    assert_int_equal(elf->kind, WY_ELF_OK);
    assert_null(elf->problem);
}

static void notes_tell_what_is_opened_by_name(void **state) {
    struct wy_elf elf;
    (void)state;
    read_opens("[ {\"soname\" : [\"liba.so.1\", \"liba.so\"],\"feature\":\"A \\\"q\\\"\","
               "\"description\":\"t\\u00e9\",\"priority\":\"required\"},"
               "{\"later\":[1,{\"x\":null}],\"soname\":\"libb.so\"},"
               "{\"soname\":[],\"priority\":\"required\"},"
               "{\"soname\":[\"libc.so\"],\"priority\":\"suggested\"}]",
               &elf);
    assert_int_equal(elf.ndlopens, 3);
    assert_int_equal(elf.dlopens[0].nsonames, 2);
    assert_string_equal(elf.dlopens[0].sonames[1], "liba.so");
    assert_string_equal(elf.dlopens[0].feature, "A \"q\"");
    assert_string_equal(elf.dlopens[0].description, "t\xc3\xa9");
    assert_int_equal(elf.dlopens[0].priority, WY_DLOPEN_REQUIRED);
    assert_string_equal(elf.dlopens[1].sonames[0], "libb.so");
    assert_int_equal(elf.dlopens[1].priority, WY_DLOPEN_RECOMMENDED);
    assert_int_equal(elf.dlopens[2].priority, WY_DLOPEN_SUGGESTED);
}

/* What was read before the damage counts. */
static void damaged_notes_of_what_is_opened(void **state) {
    static const char *const none[] = {"",
                                       "{}",
                                       "[",
                                       "[1]",
                                       "[{\"soname\":[\"a\",]}]",
                                       "[{\"soname\":\"a\\",
                                       "[{\"soname\" [\"a\"]}]",
                                       "[{\"soname\":[\"a\nb\"]}]"};
    struct wy_elf elf;
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        read_opens(none[i], &elf);
        assert_int_equal(elf.ndlopens, 0);
    }
    read_opens("[{\"soname\":[\"a\"]},{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]}]",
               &elf);
    assert_int_equal(elf.ndlopens, 1);
}

static void all_facts_in_every_class_and_byte_order(void **state) {
    (void)state;
    each_form(&full, check_full);
}

static void check_exports(struct elf_bytes *e) {
    struct wy_elf elf;
    struct wy_str bytes = elf_text(e);
    struct wy_source src = wy_source_memory(&bytes);
    read_bytes(bytes, &elf);
    assert_true(wy_elf_exports(&src, &elf, "first"));
    assert_true(wy_elf_exports(&src, &elf, "second"));
    assert_true(wy_elf_exports(&src, &elf, "third"));
    assert_false(wy_elf_exports(&src, &elf, "thir"));
    assert_false(wy_elf_exports(&src, &elf, "third_"));
    assert_false(wy_elf_exports(&src, &elf, ""));
    /* A symbol without a section is a wish, not a definition. */
    size_t second = e->symtab + (size_t)2 * (e->is64 ? 24 : 16);
    elf_poke(e, second + (e->is64 ? 6 : 14), 0, 2);
    assert_false(wy_elf_exports(&src, &elf, "second"));
    /* Hidden symbols are not exported. */
    size_t third = e->symtab + (size_t)3 * (e->is64 ? 24 : 16);
    e->b[third + (e->is64 ? 5 : 13)] = 2;
    assert_false(wy_elf_exports(&src, &elf, "third"));
    assert_true(wy_elf_exports(&src, &elf, "first"));
}

static void exports_are_found_by_either_hash_table(void **state) {
    (void)state;
    struct elf_spec spec = full;
    spec.hashes = ELF_GNU_HASH;
    each_form(&spec, check_exports);
    spec.hashes = ELF_SYSV_HASH;
    each_form(&spec, check_exports);
}

static void without_a_hash_table_nothing_is_exported(void **state) {
    (void)state;
    struct elf_spec spec = full;
    struct elf_bytes e;
    struct wy_elf elf;
    spec.hashes = 0;
    elf_build(&spec, &e);
    struct wy_str bytes = elf_text(&e);
    struct wy_source src = wy_source_memory(&bytes);
    read_bytes(bytes, &elf);
    assert_false(elf.has_gnu_hash || elf.has_sysv_hash);
    assert_false(wy_elf_exports(&src, &elf, "first"));
}

static void check_circle(struct elf_bytes *e) {
    struct wy_elf elf;
    struct wy_str bytes = elf_text(e);
    struct wy_source src = wy_source_memory(&bytes);
    read_bytes(bytes, &elf);
    elf_poke(e, e->sysv_hash + 12 + 3 * 4, 1, 4); /* after the third comes the first again */
    assert_false(wy_elf_exports(&src, &elf, "fourth"));
    assert_true(wy_elf_exports(&src, &elf, "third"));
}

static void a_circle_in_a_hash_chain_ends(void **state) {
    (void)state;
    struct elf_spec spec = full;
    spec.hashes = ELF_SYSV_HASH;
    each_form(&spec, check_circle);
}

static void files_that_are_not_elf_have_a_kind_and_looks(void **state) {
    (void)state;
    static const char zeros[64];
    static const char lfs[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0000000000"
                              "\nsize 12345\n";
    static const char text[] = "nothing but some words, and more of them than an ELF header has"
                               " bytes\n";
    static const char script[] = "/* GNU ld script\n*/\nOUTPUT_FORMAT(elf64-x86-64)\nGROUP ( "
                                 "/lib/libc.so.6 )\n";
    static const char html[] = "\n<!DOCTYPE html><html><body>404 Not Found, and some more text to "
                               "be long</body></html>";
    static const char binary[] = "\1\2\3\4 a binary file that is long enough for an ELF header, "
                                 "and some more";
    static const struct {
        const char *bytes;
        size_t n;
        enum wy_elf_kind kind;
        enum wy_elf_looks looks;
    } cases[] = {
        {zeros, 64, WY_ELF_NOT, WY_LOOKS_ZEROS},
        {zeros, 0, WY_ELF_EMPTY, WY_LOOKS_BINARY},
        {text, 63, WY_ELF_SHORT, WY_LOOKS_TEXT},
        {text, 64, WY_ELF_NOT, WY_LOOKS_TEXT},
        {lfs, sizeof lfs - 1, WY_ELF_NOT, WY_LOOKS_LFS_POINTER},
        {script, sizeof script - 1, WY_ELF_NOT, WY_LOOKS_LINKER_SCRIPT},
        {html, sizeof html - 1, WY_ELF_NOT, WY_LOOKS_HTML},
        {binary, sizeof binary - 1, WY_ELF_NOT, WY_LOOKS_BINARY},
        {"MZ", 2, WY_ELF_SHORT, WY_LOOKS_PE},
        {"!<arch>\n", 8, WY_ELF_SHORT, WY_LOOKS_ARCHIVE},
        {"\xcf\xfa\xed\xfe", 4, WY_ELF_SHORT, WY_LOOKS_MACHO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wy_elf elf;
        read_bytes((struct wy_str){cases[i].bytes, cases[i].n}, &elf);
        assert_int_equal(elf.kind, cases[i].kind);
        assert_int_equal(elf.looks, cases[i].looks);
        assert_non_null(elf.problem);
        assert_int_equal(elf.file_size, cases[i].n);
    }
}

static int64_t failing_read(void *ctx, uint64_t offset, void *buf, size_t n) {
    (void)ctx, (void)offset, (void)buf, (void)n;
    return -EIO;
}

static void a_read_that_fails_is_not_damage(void **state) {
    (void)state;
    struct wy_source src = {failing_read, NULL, 4096};
    struct wy_elf elf;
    wy_elf_read(&src, &arena, &elf);
    assert_int_equal(elf.kind, WY_ELF_UNREADABLE);
    assert_int_equal(elf.read_error, EIO);
}

static void check_short_header(struct elf_bytes *e) {
    struct wy_elf elf;
    size_t header = e->is64 ? 64 : 52;
    read_bytes((struct wy_str){(const char *)e->b, header - 1}, &elf);
    assert_int_equal(elf.kind, WY_ELF_SHORT);
    assert_int_equal(elf.ident[4], e->is64 ? 2 : 1);
    read_bytes((struct wy_str){(const char *)e->b, header}, &elf);
    assert_int_equal(elf.kind, WY_ELF_BAD_PHDRS);
    assert_int_equal(elf.machine, 62);
    assert_non_null(strstr(elf.problem, "program headers begin at byte"));
    read_bytes((struct wy_str){(const char *)e->b, e->n - 1}, &elf);
    assert_int_equal(elf.kind, WY_ELF_OK);
}

static void cut_files_say_where_they_end(void **state) {
    (void)state;
    each_form(&full, check_short_header);
    struct elf_spec spec = full;
    struct elf_bytes e;
    struct wy_elf elf;
    spec.is64 = true;
    elf_build(&spec, &e);
    char expected[128];
    snprintf(expected, sizeof expected, "ends at byte %zu, but its segments need %zu", e.n - 100,
             e.n);
    e.n -= 100;
    read_bytes(elf_text(&e), &elf);
    assert_int_equal(elf.kind, WY_ELF_OK);
    assert_string_equal(elf.problem, expected);
    assert_int_equal(elf.nneeded, 3); /* what lies before the cut is still read */
}

/* Every cut and every single damaged byte of a file in each form: no crash, and a kind. */
static void check_damage(struct elf_bytes *e) {
    struct wy_elf elf;
    for (size_t n = 0; n < e->n; n++)
        read_bytes((struct wy_str){(const char *)e->b, n}, &elf);
    for (size_t at = 0; at < e->n; at++) {
        unsigned char old = e->b[at];
        e->b[at] = (unsigned char)(old ^ 0xff);
        read_bytes(elf_text(e), &elf);
        e->b[at] = old;
    }
}

static void any_cut_and_any_byte_may_be_damaged(void **state) {
    (void)state;
    each_form(&full, check_damage);
}

static void header_facts_stay_raw(void **state) {
    (void)state;
    struct elf_bytes e;
    struct wy_elf elf;
    struct elf_spec spec = {.is64 = true, .type = 1, .machine = 183};
    elf_build(&spec, &e);
    e.b[7] = 9;  /* OS ABI */
    e.b[12] = 5; /* padding */
    e.b[6] = 2;  /* version in e_ident */
    read_bytes(elf_text(&e), &elf);
    assert_int_equal(elf.kind, WY_ELF_OK);
    assert_int_equal(elf.ident[7], 9);
    assert_int_equal(elf.ident[12], 5);
    assert_int_equal(elf.ident[6], 2);
    assert_int_equal(elf.type, 1);
    assert_int_equal(elf.machine, 183);
    e.b[4] = 3;
    read_bytes(elf_text(&e), &elf);
    assert_int_equal(elf.kind, WY_ELF_BAD_HEADER);
    assert_string_equal(elf.problem, "ELF class at byte 4 is 3, expected 1 or 2");
    e.b[4] = 2;
    elf_poke(&e, 54, 57, 2);
    read_bytes(elf_text(&e), &elf);
    assert_int_equal(elf.kind, WY_ELF_BAD_HEADER);
    assert_int_equal(elf.phentsize, 57);
    assert_string_equal(elf.problem, "program headers have 57 bytes each, expected 56");
}

static void a_debug_file_has_no_dynamic_section(void **state) {
    (void)state;
    struct elf_bytes e;
    struct wy_elf elf;
    struct elf_spec spec = {.is64 = true};
    elf_build(&spec, &e);
    elf_poke(&e, e.phdrs + (size_t)2 * 56 + 32, 0, 8); /* p_filesz of PT_DYNAMIC */
    read_bytes(elf_text(&e), &elf);
    assert_false(elf.has_dynamic);
    assert_null(elf.problem);
    spec.no_dynamic = true;
    elf_build(&spec, &e);
    read_bytes(elf_text(&e), &elf);
    assert_false(elf.has_dynamic);
}

/* Facts after one number of the file was overwritten. */
static void poked(struct elf_bytes *e, size_t at, uint64_t value, unsigned bytes,
                  struct wy_elf *ret) {
    struct elf_bytes copy = *e;
    elf_poke(&copy, at, value, bytes);
    read_bytes(elf_text(&copy), ret);
    assert_int_equal(ret->kind, WY_ELF_OK);
}

static void damaged_names_are_left_out_and_said(void **state) {
    (void)state;
    struct elf_bytes e;
    struct wy_elf elf;
    struct elf_spec spec = full;
    spec.is64 = true;
    elf_build(&spec, &e);
    poked(&e, elf_dynamic_value(&e, 1), e.n, 8, &elf);
    assert_int_equal(elf.nneeded, 2);
    assert_non_null(strstr(elf.problem, "DT_NEEDED is at offset"));
    poked(&e, elf_dynamic_value(&e, 5), 0x10, 8, &elf);
    assert_int_equal(elf.nneeded, 0);
    assert_string_equal(elf.problem,
                        "the string table at address 0x10 lies in no segment of the file");
    /* glibc does not look at DT_STRSZ: the text counts, the damage is said. */
    poked(&e, elf_dynamic_value(&e, 10), 1, 8, &elf);
    assert_int_equal(elf.nneeded, 3);
    assert_non_null(strstr(elf.problem, "of a string table of 1 bytes"));
}

static void damaged_version_tables_end(void **state) {
    (void)state;
    struct elf_bytes e;
    struct wy_elf elf;
    struct elf_spec spec = full;
    spec.is64 = true;
    elf_build(&spec, &e);
    poked(&e, e.verneed, 2, 2, &elf);
    assert_string_equal(elf.problem, "unsupported version 2 of Verneed record");
    assert_int_equal(elf.nverneed, 0);
    poked(&e, e.verdef, 3, 2, &elf);
    assert_string_equal(elf.problem, "unsupported version 3 of Verdef record");
    poked(&e, e.verneed + 12, 0x7fffffff, 4, &elf);
    assert_int_equal(elf.nverneed, 1);
    assert_non_null(strstr(elf.problem, "points past its segment"));
    poked(&e, e.verneed + 16 + 12, 1, 4, &elf); /* entries that overlap */
    assert_true(elf.nverneed < 100);
}

static void needs_are_limited(void **state) {
    (void)state;
    enum { MANY = 5000, BYTES = 64 + 2 * 56 + MANY * 16 + 4 * 16 + 16 };
    struct elf_bytes e;
    struct elf_spec spec = {.is64 = true, .soname = "x"};
    elf_build(&spec, &e);
    unsigned char *big = wy_alloc0(1, sizeof e.b + (size_t)MANY * 16);
    memcpy(big, e.b, e.dynamic);
    for (size_t i = 0; i < MANY; i++) {
        big[e.dynamic + i * 16] = 1;
        big[e.dynamic + i * 16 + 8] = 1; /* the name at offset 1 */
    }
    memcpy(big + e.dynamic + (size_t)MANY * 16, e.b + e.dynamic, e.dynamic_n);
    size_t n = e.n + (size_t)MANY * 16;
    struct elf_bytes head = e;
    elf_poke(&head, e.phdrs + 32, n, 8);
    elf_poke(&head, e.phdrs + (size_t)2 * 56 + 32, e.dynamic_n + (size_t)MANY * 16, 8);
    memcpy(big, head.b, e.phdrs + (size_t)3 * 56);
    struct wy_elf elf;
    read_bytes((struct wy_str){(const char *)big, n}, &elf);
    assert_int_equal(elf.nneeded, 4096);
    assert_string_equal(elf.problem, "has more than 4096 DT_NEEDED entries");
    assert_string_equal(elf.soname, "x");
    free(big);
}

struct counted {
    struct wy_str bytes;
    uint64_t size; /* the file ends with a hole up to here */
    unsigned reads;
    uint64_t n;
};
static int64_t counting_read(void *ctx, uint64_t offset, void *buf, size_t n) {
    struct counted *c = ctx;
    size_t from_bytes = offset >= c->bytes.n      ? 0
                        : n > c->bytes.n - offset ? c->bytes.n - (size_t)offset
                                                  : n;
    c->reads++;
    c->n += n;
    memset(buf, 0, n);
    if (from_bytes)
        memcpy(buf, c->bytes.p + offset, from_bytes);
    return (int64_t)n;
}

static void a_huge_file_costs_a_few_kilobytes(void **state) {
    (void)state;
    struct elf_bytes e;
    struct elf_spec spec = full;
    spec.is64 = true;
    elf_build(&spec, &e);
    struct counted c = {elf_text(&e), UINT64_C(5) << 30, 0, 0};
    struct wy_source src = {counting_read, &c, c.size};
    struct wy_elf elf;
    wy_elf_read(&src, &arena, &elf);
    assert_null(elf.problem);
    assert_true(c.reads <= 6);
    assert_true(c.n <= 32768);
}

static void addresses_become_offsets(void **state) {
    (void)state;
    struct wy_elf_load loads[] = {
        {.offset = 0, .vaddr = 0x1000, .filesz = 0x100, .memsz = 0x100},
        {.offset = 0x200, .vaddr = 0x3000, .filesz = 0x80, .memsz = 0x1000},
        {.offset = 0xf00, .vaddr = 0x5000, .filesz = 0x1000, .memsz = 0x1000},
        {.offset = UINT64_MAX, .vaddr = 0x8000, .filesz = 0x1000, .memsz = 0x1000},
    };
    struct wy_elf elf = {.loads = loads, .nloads = 4, .file_size = 0x1000};
    uint64_t at, room;
    assert_true(wy_elf_offset(&elf, 0x3010, &at, &room));
    assert_int_equal(at, 0x210);
    assert_int_equal(room, 0x70);
    assert_false(wy_elf_offset(&elf, 0x3080, &at, &room)); /* only in memory */
    assert_false(wy_elf_offset(&elf, 0xfff, &at, &room));
    assert_true(wy_elf_offset(&elf, 0x50ff, &at, &room)); /* the file ends first */
    assert_int_equal(room, 1);
    assert_false(wy_elf_offset(&elf, 0x5100, &at, &room));
    assert_false(wy_elf_offset(&elf, 0x8000, &at, &room));
}

static void machines_have_names(void **state) {
    (void)state;
    assert_string_equal(wy_elf_machine_name(&arena, 62), "x86-64");
    assert_string_equal(wy_elf_machine_name(&arena, 183), "AArch64");
    assert_string_equal(wy_elf_machine_name(&arena, 999), "machine 999");
    assert_string_equal(wy_elf_machine_uname(62, true, false), "x86_64");
    assert_string_equal(wy_elf_machine_uname(21, true, false), "ppc64le");
    assert_string_equal(wy_elf_machine_uname(21, true, true), "ppc64");
    assert_null(wy_elf_machine_uname(999, true, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_facts_in_every_class_and_byte_order),
        cmocka_unit_test(notes_tell_what_is_opened_by_name),
        cmocka_unit_test(damaged_notes_of_what_is_opened),
        cmocka_unit_test(exports_are_found_by_either_hash_table),
        cmocka_unit_test(without_a_hash_table_nothing_is_exported),
        cmocka_unit_test(a_circle_in_a_hash_chain_ends),
        cmocka_unit_test(files_that_are_not_elf_have_a_kind_and_looks),
        cmocka_unit_test(a_read_that_fails_is_not_damage),
        cmocka_unit_test(cut_files_say_where_they_end),
        cmocka_unit_test(any_cut_and_any_byte_may_be_damaged),
        cmocka_unit_test(header_facts_stay_raw),
        cmocka_unit_test(a_debug_file_has_no_dynamic_section),
        cmocka_unit_test(damaged_names_are_left_out_and_said),
        cmocka_unit_test(damaged_version_tables_end),
        cmocka_unit_test(needs_are_limited),
        cmocka_unit_test(a_huge_file_costs_a_few_kilobytes),
        cmocka_unit_test(addresses_become_offsets),
        cmocka_unit_test(machines_have_names),
    };
    return cmocka_run_group_tests_name("elf", tests, NULL, done);
}
