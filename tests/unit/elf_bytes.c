#include "elf_bytes.h"

#include <assert.h>
#include <stdlib.h>

void elf_poke(struct elf_bytes *e, size_t at, uint64_t value, unsigned bytes) {
    assert(at + bytes <= sizeof e->b);
    for (unsigned i = 0; i < bytes; i++)
        e->b[at + i] = (unsigned char)(value >> 8 * (e->big_endian ? bytes - 1 - i : i));
}

static void put(struct elf_bytes *e, uint64_t value, unsigned bytes) {
    elf_poke(e, e->n, value, bytes);
    e->n += bytes;
}

static void put_word(struct elf_bytes *e, uint64_t value) {
    put(e, value, elf_word(e));
}

static void put_bytes(struct elf_bytes *e, const void *p, size_t n) {
    assert(e->n + n <= sizeof e->b);
    if (n)
        memcpy(e->b + e->n, p, n);
    e->n += n;
}

static void align(struct elf_bytes *e) {
    while (e->n % 8)
        put(e, 0, 1);
}

/* Offset of a text in the string table, which is written first and only grows while it is last. */
static uint64_t name(struct elf_bytes *e, const char *s) {
    size_t n = strlen(s) + 1;
    for (size_t at = e->strtab; at + n <= e->strtab + e->strtab_n; at++)
        if (memcmp(e->b + at, s, n) == 0)
            return at - e->strtab;
    assert(e->n == e->strtab + e->strtab_n);
    put_bytes(e, s, n);
    e->strtab_n += n;
    return e->strtab_n - n;
}

static void put_phdr(struct elf_bytes *e, uint32_t type, uint32_t flags, size_t at, size_t n) {
    put(e, type, 4);
    if (e->is64)
        put(e, flags, 4);
    put_word(e, at);
    put_word(e, at + ELF_BASE);
    put_word(e, at + ELF_BASE);
    put_word(e, n);
    put_word(e, n);
    if (!e->is64)
        put(e, flags, 4);
    put_word(e, type == 1 ? 0x1000 : type == 4 ? 4 : 8);
}

static void put_names(struct elf_bytes *e, const struct elf_spec *s) {
    e->strtab = e->n;
    put(e, 0, 1);
    e->strtab_n = 1;
    const char *const single[] = {s->soname, s->rpath, s->runpath, s->auxiliary, s->filter};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i])
            name(e, single[i]);
    for (size_t i = 0; i < ELF_MOST; i++) {
        const char *const each[] = {s->needed[i], s->verneed[i].file, s->verneed[i].version,
                                    s->verdef[i], s->symbols[i],      s->undefined[i]};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (each[k])
                name(e, each[k]);
    }
}

static uint32_t sysv_hash(const char *s) {
    uint32_t h = 0;
    for (; *s; s++) {
        h = (h << 4) + (unsigned char)*s;
        uint32_t g = h & 0xf0000000;
        h = (h ^ g >> 24) & ~g;
    }
    return h;
}

static uint32_t gnu_hash(const char *s) {
    uint32_t h = 5381;
    for (; *s; s++)
        h = h * 33 + (unsigned char)*s;
    return h;
}

static void put_versions(struct elf_bytes *e, const struct elf_spec *s) {
    align(e);
    e->verneed = e->n;
    for (size_t i = 0; i < ELF_MOST && s->verneed[i].file; i++) {
        bool last = i + 1 == ELF_MOST || !s->verneed[i + 1].file;
        put(e, 1, 2);
        put(e, 1, 2);
        put(e, name(e, s->verneed[i].file), 4);
        put(e, 16, 4);
        put(e, last ? 0 : 32, 4);
        put(e, sysv_hash(s->verneed[i].version), 4);
        put(e, s->verneed[i].flags, 2);
        put(e, i + 2, 2);
        put(e, name(e, s->verneed[i].version), 4);
        put(e, 0, 4);
    }
    e->verdef = e->n;
    for (size_t i = 0; i < ELF_MOST && s->verdef[i]; i++) {
        bool last = i + 1 == ELF_MOST || !s->verdef[i + 1];
        put(e, 1, 2);
        put(e, i == 0, 2);
        put(e, i + 1, 2);
        put(e, 1, 2);
        put(e, sysv_hash(s->verdef[i]), 4);
        put(e, 20, 4);
        put(e, last ? 0 : 28, 4);
        put(e, name(e, s->verdef[i]), 4);
        put(e, 0, 4);
    }
}

static size_t count(const char *const *list) {
    size_t n = 0;
    while (n < ELF_MOST && list[n])
        n++;
    return n;
}

static void put_symbols(struct elf_bytes *e, const struct elf_spec *s) {
    align(e);
    e->symtab = e->n;
    size_t undefined = count(s->undefined);
    for (size_t i = 0; i <= undefined + count(s->symbols); i++) {
        bool real = i > undefined;
        const char *text = real ? s->symbols[i - undefined - 1] : i ? s->undefined[i - 1] : NULL;
        uint64_t at = text ? name(e, text) : 0, value = real ? ELF_BASE + i : 0;
        bool weak = !real && i && s->weak >> (i - 1) & 1;
        unsigned info = text ? (weak ? 2 : 1) << 4 | 2 : 0, section = real ? 7 : 0;
        put(e, at, 4);
        if (e->is64) {
            put(e, info, 1);
            put(e, 0, 1);
            put(e, section, 2);
            put(e, value, 8);
            put(e, 0, 8);
        } else {
            put(e, value, 4);
            put(e, 0, 4);
            put(e, info, 1);
            put(e, 0, 1);
            put(e, section, 2);
        }
    }
}

static void put_versym(struct elf_bytes *e, const struct elf_spec *s) {
    size_t n = count(s->undefined) + count(s->symbols);
    align(e);
    e->versym = e->n;
    put(e, 0, 2);
    for (size_t i = 0; i < n; i++)
        put(e, s->versym[i], 2);
}

static bool has_versym(const struct elf_spec *s) {
    bool ret = false;
    for (size_t i = 0; i < sizeof s->versym / sizeof *s->versym; i++)
        ret |= s->versym[i] != 0;
    return ret;
}

static bool plt_is_rel(const struct elf_spec *s) {
    enum { EM_386 = 3 };
    return s->machine == EM_386;
}

/* The relocations of one table; each changes the first bytes of the file. */
static size_t put_relocs(struct elf_bytes *e, const struct elf_spec *s, unsigned table, bool rela) {
    align(e);
    size_t at = e->n;
    for (size_t i = 0; i < sizeof s->relocs / sizeof *s->relocs; i++) {
        if (s->relocs[i].table != table)
            continue;
        put_word(e, ELF_BASE);
        put_word(e, (uint64_t)s->relocs[i].symbol << (e->is64 ? 32 : 8) | s->relocs[i].type);
        if (rela)
            put_word(e, 0);
    }
    return at;
}

/* One bucket each: every look-up walks the whole chain. */
static void put_hashes(struct elf_bytes *e, const struct elf_spec *s) {
    size_t n = count(s->symbols), first = count(s->undefined) + 1;
    align(e);
    e->sysv_hash = e->n;
    put(e, 1, 4);
    put(e, n + first, 4);
    put(e, n ? first : 0, 4);
    for (size_t i = 0; i < n + first; i++)
        put(e, i < first || i + 1 == n + first ? 0 : i + 1, 4);
    align(e);
    e->gnu_hash = e->n;
    unsigned bits = 8 * elf_word(e);
    uint64_t bloom = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t h = gnu_hash(s->symbols[i]);
        bloom |= UINT64_C(1) << h % bits | UINT64_C(1) << (h >> 5) % bits;
    }
    put(e, 1, 4);
    put(e, first, 4);
    put(e, 1, 4);
    put(e, 5, 4);
    put_word(e, bloom);
    put(e, n ? first : 0, 4);
    for (size_t i = 0; i < n; i++)
        put(e, (gnu_hash(s->symbols[i]) & ~1u) | (i + 1 == n), 4);
}

static void put_entry(struct elf_bytes *e, uint64_t tag, uint64_t value) {
    put_word(e, tag);
    put_word(e, value);
}

static void put_string_entry(struct elf_bytes *e, uint64_t tag, const char *s) {
    if (s)
        put_entry(e, tag, name(e, s));
}

static void put_table_entries(struct elf_bytes *e, const struct elf_spec *s) {
    if (e->jmprel > e->rela || e->rela > e->rel) {
        put_entry(e, 17, e->rel + ELF_BASE);
        put_entry(e, 18, e->rela - e->rel);
        put_entry(e, 7, e->rela + ELF_BASE);
        put_entry(e, 8, e->jmprel - e->rela);
    }
    if (e->relocs_end > e->jmprel) {
        put_entry(e, 23, e->jmprel + ELF_BASE);
        put_entry(e, 2, e->relocs_end - e->jmprel);
        put_entry(e, 20, plt_is_rel(s) ? 17 : 7);
    }
    if (s->relacount)
        put_entry(e, 0x6ffffff9, s->relacount);
    if (has_versym(s))
        put_entry(e, 0x6ffffff0, e->versym + ELF_BASE);
}

static void put_dynamic(struct elf_bytes *e, const struct elf_spec *s) {
    align(e);
    e->dynamic = e->n;
    for (size_t i = 0; i < count(s->needed); i++)
        put_string_entry(e, 1, s->needed[i]);
    put_string_entry(e, 14, s->soname);
    put_string_entry(e, 15, s->rpath);
    put_string_entry(e, 29, s->runpath);
    put_string_entry(e, 0x7ffffffd, s->auxiliary);
    put_string_entry(e, 0x7fffffff, s->filter);
    if (s->hashes & ELF_SYSV_HASH)
        put_entry(e, 4, e->sysv_hash + ELF_BASE);
    if (s->hashes & ELF_GNU_HASH)
        put_entry(e, 0x6ffffef5, e->gnu_hash + ELF_BASE);
    put_entry(e, 5, e->strtab + ELF_BASE);
    put_entry(e, 6, e->symtab + ELF_BASE);
    put_entry(e, 10, e->strtab_n);
    put_entry(e, 11, e->is64 ? 24 : 16);
    if (s->verneed[0].file)
        put_entry(e, 0x6ffffffe, e->verneed + ELF_BASE);
    if (s->verdef[0])
        put_entry(e, 0x6ffffffc, e->verdef + ELF_BASE);
    put_table_entries(e, s);
    if (s->flags)
        put_entry(e, 30, s->flags);
    if (s->flags_1)
        put_entry(e, 0x6ffffffb, s->flags_1);
    put_entry(e, 0, 0);
    e->dynamic_n = e->n - e->dynamic;
}

static void put_note(struct elf_bytes *e, uint32_t type, const uint32_t *words, size_t n) {
    put(e, 4, 4);
    put(e, 4 * n, 4);
    put(e, type, 4);
    put_bytes(e, "GNU", 4);
    for (size_t i = 0; i < n; i++)
        put(e, words[i], 4);
}

static void put_notes(struct elf_bytes *e) {
    static const uint32_t tag[] = {0, 3, 2, 0}, property[] = {0xc0008002, 4, 3, 0};
    put_note(e, 1, tag, 4);
    put_note(e, 5, property, 4);
    put_note(e, 3, tag, 2);
    memcpy(e->b + e->n - 8, "\1\2\3\4\5\6\7\10", 8);
}

static void put_opens(struct elf_bytes *e, const char *json) {
    size_t n = strlen(json) + 1;
    put(e, 4, 4);
    put(e, n, 4);
    put(e, 0x407c0c0a, 4);
    put_bytes(e, "FDO", 4);
    put_bytes(e, json, n);
    while (e->n % 4)
        put(e, 0, 1);
}

static void put_header(struct elf_bytes *e, const struct elf_spec *s) {
    put_bytes(e, "\177ELF", 4);
    put(e, e->is64 ? 2 : 1, 1);
    put(e, e->big_endian ? 2 : 1, 1);
    put(e, 1, 1);
    put_bytes(e, "\0\0\0\0\0\0\0\0", 9);
    put(e, s->type ? s->type : 3, 2);
    put(e, s->machine ? s->machine : 62, 2);
    put(e, 1, 4);
    put_word(e, 0);
    put_word(e, e->is64 ? 64 : 52);
    put_word(e, 0);
    put(e, 0, 4);
    put(e, e->is64 ? 64 : 52, 2);
    put(e, e->is64 ? 56 : 32, 2);
    put(e, e->nphdrs, 2);
    put(e, 0, 2);
    put(e, 0, 2);
    put(e, 0, 2);
}

void elf_build(const struct elf_spec *s, struct elf_bytes *e) {
    *e = (struct elf_bytes){.is64 = s->is64, .big_endian = s->big_endian};
    e->nphdrs = 2u + !s->no_dynamic + (s->interp != NULL) + s->notes;
    put_header(e, s);
    e->phdrs = e->n;
    e->n += e->nphdrs * (e->is64 ? 56 : 32);
    size_t interp = e->n;
    if (s->interp)
        put_bytes(e, s->interp, strlen(s->interp) + 1);
    align(e);
    size_t notes = e->n;
    if (s->notes)
        put_notes(e);
    if (s->notes && s->opens)
        put_opens(e, s->opens);
    size_t notes_n = e->n - notes;
    put_bytes(e, s->constants.p, s->constants.n);
    put_names(e, s);
    put_versions(e, s);
    put_symbols(e, s);
    put_hashes(e, s);
    put_versym(e, s);
    e->rel = put_relocs(e, s, ELF_REL, false);
    e->rela = put_relocs(e, s, ELF_RELA, true);
    e->jmprel = put_relocs(e, s, ELF_JMPREL, !plt_is_rel(s));
    e->relocs_end = e->n;
    put_dynamic(e, s);

    size_t end = e->n;
    e->n = e->phdrs;
    put_phdr(e, 1, 4, 0, end);
    put_phdr(e, 0x6474e551, 6, 0, 0);
    if (!s->no_dynamic)
        put_phdr(e, 2, 6, e->dynamic, e->dynamic_n);
    if (s->interp)
        put_phdr(e, 3, 4, interp, strlen(s->interp) + 1);
    if (s->notes)
        put_phdr(e, 4, 4, notes, notes_n);
    e->n = end;
}

size_t elf_dynamic_value(const struct elf_bytes *e, uint64_t tag) {
    unsigned word = elf_word(e);
    for (size_t at = e->dynamic; at < e->dynamic + e->dynamic_n; at += (size_t)2 * word) {
        uint64_t v = 0;
        for (unsigned i = 0; i < word; i++)
            v = v << 8 | e->b[at + (e->big_endian ? i : word - 1 - i)];
        if (v == tag)
            return at + word;
    }
    abort();
}
