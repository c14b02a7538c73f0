/* Look-up of one exported name through the hash tables. */
#include "elf/parts.h"

enum { EM_S390 = 22, EM_ALPHA = 0x9026 };
enum { SHN_UNDEF = 0, SHN_ABS = 0xfff1 };
enum { STT_TLS = 6, STB_GLOBAL = 1, STB_WEAK = 2, STB_GNU_UNIQUE = 10 };
enum { STV_DEFAULT = 0, STV_PROTECTED = 3 };

struct lookup {
    struct wy_reader r;
    const struct wy_elf *elf;
    struct wy_str name;
    uint64_t symtab, symtab_room, strtab, strtab_room; /* file offsets, bytes to segment end */
};

struct symbol {
    uint32_t name;
    uint64_t value;
    uint8_t info, other;
    uint16_t section;
};

static bool read_symbol(struct lookup *l, uint64_t index, struct symbol *ret) {
    unsigned size = l->elf->is64 ? 24 : 16;
    if (index >= l->symtab_room / size)
        return false;
    const unsigned char *p = wy_reader_bytes(&l->r, l->symtab + index * size, size);
    if (!p)
        return false;
    ret->name = wy_reader_get32(&l->r, p);
    if (l->elf->is64) {
        ret->info = p[4];
        ret->other = p[5];
        ret->section = wy_reader_get16(&l->r, p + 6);
        ret->value = wy_reader_get64(&l->r, p + 8);
    } else {
        ret->value = wy_reader_get32(&l->r, p + 4);
        ret->info = p[12];
        ret->other = p[13];
        ret->section = wy_reader_get16(&l->r, p + 14);
    }
    return true;
}

/* What glibc takes for a definition (elf/dl-lookup.c, check_match and do_lookup_x). */
static bool is_definition(const struct symbol *s) {
    unsigned type = s->info & 15, bind = s->info >> 4, visibility = s->other & 3;
    /* NOTYPE, OBJECT, FUNC, COMMON, TLS, GNU_IFUNC */
    static const unsigned types = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 10;
    if (s->section == SHN_UNDEF || !(types >> type & 1))
        return false;
    if (s->value == 0 && s->section != SHN_ABS && type != STT_TLS)
        return false;
    if (bind != STB_GLOBAL && bind != STB_WEAK && bind != STB_GNU_UNIQUE)
        return false;
    return visibility == STV_DEFAULT || visibility == STV_PROTECTED;
}

static bool symbol_matches(struct lookup *l, uint64_t index) {
    struct symbol s;
    if (!read_symbol(l, index, &s) || !is_definition(&s) || s.name >= l->strtab_room)
        return false;
    return wy_reader_str_is(&l->r, l->strtab + s.name, l->strtab_room - s.name, l->name);
}

/* DT_GNU_HASH: u32 buckets, first symbol, bloom words, bloom shift; bloom filter (words of the
 * class's size); buckets; chain of hashes, whose low bit marks an end. */
static bool find_gnu(struct lookup *l) {
    uint64_t at, room;
    if (!wy_elf_offset(l->elf, l->elf->gnu_hash, &at, &room))
        return false;
    const unsigned char *p = room >= 16 ? wy_reader_bytes(&l->r, at, 16) : NULL;
    if (!p)
        return false;
    uint64_t nbuckets = wy_reader_get32(&l->r, p), first = wy_reader_get32(&l->r, p + 4);
    uint64_t nbloom = wy_reader_get32(&l->r, p + 8);
    unsigned shift = wy_reader_get32(&l->r, p + 12) & 31, bits = l->elf->is64 ? 64 : 32;
    uint64_t buckets = 16 + nbloom * (bits / 8), chain = buckets + nbuckets * 4;
    if (!nbuckets || !nbloom || chain > room)
        return false;
    uint32_t hash = wy_elf_gnu_hash(l->name), index, h;
    uint64_t bloom;
    if (!wy_reader_word(&l->r, at + 16 + (hash / bits % nbloom) * (bits / 8), &bloom))
        return false;
    if (!(bloom >> (hash % bits) & 1) || !(bloom >> ((hash >> shift) % bits) & 1))
        return false;
    if (!wy_reader_u32(&l->r, at + buckets + (hash % nbuckets) * 4, &index) || index < first)
        return false;
    for (unsigned i = 0; i < WY_ELF_MAX_CHAIN; i++, index++) {
        uint64_t link = chain + (index - first) * 4;
        if (link > room - 4 || !wy_reader_u32(&l->r, at + link, &h))
            return false;
        if ((h | 1) == (hash | 1) && symbol_matches(l, index))
            return true;
        if (h & 1)
            return false;
    }
    return false;
}

/* One cell of DT_HASH; cells have 8 bytes on Alpha and 64-bit s390, else 4. */
static bool cell(struct lookup *l, uint64_t at, uint64_t room, uint64_t index, uint64_t *ret) {
    bool wide = l->elf->is64 && (l->elf->machine == EM_S390 || l->elf->machine == EM_ALPHA);
    unsigned size = wide ? 8 : 4;
    if (index >= room / size)
        return false;
    const unsigned char *p = wy_reader_bytes(&l->r, at + index * size, size);
    if (!p)
        return false;
    *ret = wide ? wy_reader_get64(&l->r, p) : wy_reader_get32(&l->r, p);
    return true;
}

/* DT_HASH: buckets, symbols; heads of the chains; per symbol the next one of its chain. */
static bool find_sysv(struct lookup *l) {
    uint64_t at, room, nbuckets, nsymbols, index;
    if (!wy_elf_offset(l->elf, l->elf->sysv_hash, &at, &room))
        return false;
    if (!cell(l, at, room, 0, &nbuckets) || !cell(l, at, room, 1, &nsymbols) || !nbuckets)
        return false;
    if (nbuckets > room || nsymbols > room)
        return false;
    if (!cell(l, at, room, 2 + wy_elf_sysv_hash(l->name) % nbuckets, &index))
        return false;
    /* A chain that is longer than there are symbols goes in a circle. */
    for (unsigned i = 0; index && index < nsymbols && i < nsymbols && i < WY_ELF_MAX_CHAIN; i++) {
        if (symbol_matches(l, index))
            return true;
        if (!cell(l, at, room, 2 + nbuckets + index, &index))
            return false;
    }
    return false;
}

bool wy_elf_exports(const struct wy_source *src, const struct wy_elf *elf, const char *name) {
    struct lookup l = {.elf = elf, .name = wy_str_of(name)};
    if (elf->kind != WY_ELF_OK || !l.name.n)
        return false;
    wy_reader_init(&l.r, src);
    l.r.is64 = elf->is64;
    l.r.big_endian = elf->big_endian;
    if (!wy_elf_offset(elf, elf->symtab, &l.symtab, &l.symtab_room) ||
        !wy_elf_offset(elf, elf->strtab, &l.strtab, &l.strtab_room))
        return false;
    /* DT_GNU_HASH is used exclusively when it is there (setup_hash in elf/dl-setup_hash.c). */
    if (elf->has_gnu_hash)
        return find_gnu(&l);
    return elf->has_sysv_hash && find_sysv(&l);
}
