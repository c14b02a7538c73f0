/* The dynamic section: one pass over its entries, then the strings they name. */
#include "elf/parts.h"

#include "base/vec.h"

enum {
    DT_NULL = 0,
    DT_NEEDED = 1,
    DT_PLTRELSZ = 2,
    DT_HASH = 4,
    DT_STRTAB = 5,
    DT_SYMTAB = 6,
    DT_RELA = 7,
    DT_RELASZ = 8,
    DT_STRSZ = 10,
    DT_SYMENT = 11,
    DT_SONAME = 14,
    DT_RPATH = 15,
    DT_SYMBOLIC = 16,
    DT_REL = 17,
    DT_RELSZ = 18,
    DT_PLTREL = 20,
    DT_TEXTREL = 22,
    DT_JMPREL = 23,
    DT_BIND_NOW = 24,
    DT_RUNPATH = 29,
    DT_FLAGS = 30,
    DT_INIT_ARRAYSZ = 27,
    DT_RELRSZ = 35,
    DT_RELR = 36,
    DT_GNU_HASH = 0x6ffffef5,
    DT_VERSYM = 0x6ffffff0,
    DT_RELACOUNT = 0x6ffffff9,
    DT_RELCOUNT = 0x6ffffffa,
    DT_FLAGS_1 = 0x6ffffffb,
    DT_VERDEF = 0x6ffffffc,
    DT_VERNEED = 0x6ffffffe,
    DT_AUXILIARY = 0x7ffffffd,
    DT_FILTER = 0x7fffffff,
};
enum { DF_SYMBOLIC = 2, DF_TEXTREL = 4, DF_BIND_NOW = 8, DF_1_NOW = 1, DF_1_PIE = 0x08000000 };

/* Offsets into the string table, kept until DT_STRTAB is known (it may come last). */
struct name {
    uint64_t tag, offset;
};
struct names {
    WY_VEC(struct name) needs; /* DT_NEEDED, DT_FILTER, DT_AUXILIARY */
    uint64_t soname, rpath, runpath;
    bool has_soname, has_rpath, has_runpath;
};

/* The last page of a mapped file goes on with zeros: they end a text that the file breaks off. */
static const char *cut_off(struct wy_elf_job *j, uint64_t at, uint64_t room, size_t *n) {
    enum { SMALLEST_PAGE = 4096 };
    uint64_t size = j->elf->file_size;
    if (at >= size || room < size - at || size % SMALLEST_PAGE == 0)
        return NULL;
    *n = (size_t)(size - at);
    const unsigned char *s = *n < SMALLEST_PAGE ? wy_reader_bytes(&j->r, at, *n) : NULL;
    return s ? wy_arena_str(j->a, (struct wy_str){(const char *)s, *n}) : NULL;
}

const char *wy_elf_string(struct wy_elf_job *j, uint64_t offset, const char *what) {
    struct wy_elf *elf = j->elf;
    uint64_t at, room;
    if (!wy_elf_offset(elf, elf->strtab, &at, &room)) {
        wy_elf_problem(j, "the string table at address 0x%llx lies in no segment of the file",
                       (unsigned long long)elf->strtab);
        return NULL;
    }
    /* The loader does not look at DT_STRSZ, so a text beyond it still counts. */
    if (offset >= elf->strsz)
        wy_elf_problem(j, "%s is at offset %llu of a string table of %llu bytes", what,
                       (unsigned long long)offset, (unsigned long long)elf->strsz);
    if (offset >= room)
        return NULL;
    room -= offset;
    if (room > WY_ELF_MAX_STR)
        room = WY_ELF_MAX_STR;
    if (j->strings >= WY_ELF_MAX_STRINGS) {
        wy_elf_problem(j, "has more than %d bytes of names", WY_ELF_MAX_STRINGS);
        return NULL;
    }
    size_t n = 0;
    const char *s = wy_reader_str(&j->r, j->a, at + offset, room, &n);
    if (!s)
        s = cut_off(j, at + offset, room, &n);
    if (!s)
        wy_elf_problem(j, "%s at byte %llu does not end within %llu bytes", what,
                       (unsigned long long)(at + offset), (unsigned long long)room);
    j->strings += s ? n + 1 : (size_t)room;
    return s;
}

static bool take_name(struct names *s, uint64_t tag, uint64_t value) {
    switch (tag) {
    case DT_NEEDED:
    case DT_AUXILIARY:
    case DT_FILTER:
        if (s->needs.n <= WY_ELF_MAX_NEEDED)
            wy_vec_push(&s->needs, ((struct name){tag, value}));
        return true;
    case DT_SONAME:
        s->soname = value;
        return s->has_soname = true;
    case DT_RPATH:
        s->rpath = value;
        return s->has_rpath = true;
    case DT_RUNPATH:
        s->runpath = value;
        return s->has_runpath = true;
    default:
        return false;
    }
}

/* Where the value of a tag is kept as it is; NULL when the tag is not one of these. */
static uint64_t *plain_field(struct wy_elf *elf, uint64_t tag) {
    switch (tag) {
    case DT_PLTRELSZ:
        return &elf->pltrelsz;
    case DT_HASH:
        return &elf->sysv_hash;
    case DT_STRTAB:
        return &elf->strtab;
    case DT_SYMTAB:
        return &elf->symtab;
    case DT_RELA:
        return &elf->rela;
    case DT_RELASZ:
        return &elf->relasz;
    case DT_STRSZ:
        return &elf->strsz;
    case DT_SYMENT:
        return &elf->syment;
    case DT_REL:
        return &elf->rel;
    case DT_RELSZ:
        return &elf->relsz;
    case DT_PLTREL:
        return &elf->pltrel;
    case DT_JMPREL:
        return &elf->jmprel;
    case DT_FLAGS:
        return &elf->flags;
    case DT_FLAGS_1:
        return &elf->flags_1;
    case DT_INIT_ARRAYSZ:
        return &elf->init_arraysz;
    case DT_RELRSZ:
        return &elf->relrsz;
    case DT_RELR:
        return &elf->relr;
    case DT_RELACOUNT:
        return &elf->relacount;
    case DT_RELCOUNT:
        return &elf->relcount;
    case DT_GNU_HASH:
        return &elf->gnu_hash;
    case DT_VERSYM:
        return &elf->versym;
    case DT_VERDEF:
        return &elf->verdef_addr;
    case DT_VERNEED:
        return &elf->verneed_addr;
    default:
        return NULL;
    }
}

/* A tag given twice counts with its last value, as in glibc (elf/get-dynamic-info.h). */
static void take_entry(struct wy_elf *elf, struct names *s, uint64_t tag, uint64_t value) {
    uint64_t *field = plain_field(elf, tag);
    if (field)
        *field = value;
    else if (!take_name(s, tag, value)) {
        elf->bind_now |= tag == DT_BIND_NOW;
        elf->symbolic |= tag == DT_SYMBOLIC;
        elf->textrel |= tag == DT_TEXTREL;
    }
    elf->has_relr |= tag == DT_RELR;
    elf->has_gnu_hash |= tag == DT_GNU_HASH;
    elf->has_sysv_hash |= tag == DT_HASH;
    elf->has_versym |= tag == DT_VERSYM;
}

static void read_entries(struct wy_elf_job *j, uint64_t at, uint64_t bytes, struct names *s) {
    unsigned word = wy_reader_word_size(&j->r), size = 2 * word;
    wy_reader_prefetch(&j->r, at, bytes);
    uint64_t n = bytes / size;
    for (uint64_t i = 0; i < n; i++) {
        const unsigned char *p = wy_reader_bytes(&j->r, at + i * size, size);
        if (!p || i == WY_ELF_MAX_DYNAMIC) {
            wy_elf_problem(j,
                           p ? "the dynamic section has more than %llu entries"
                             : "dynamic entry %llu cannot be read",
                           (unsigned long long)i);
            return;
        }
        uint64_t tag = wy_reader_get_word(&j->r, p);
        if (tag == DT_NULL)
            return;
        take_entry(j->elf, s, tag, wy_reader_get_word(&j->r, p + word));
    }
    wy_elf_problem(j, "the dynamic section at byte %llu has no end mark in its %llu bytes",
                   (unsigned long long)at, (unsigned long long)bytes);
}

static void read_needs(struct wy_elf_job *j, const struct names *s) {
    struct wy_elf *elf = j->elf;
    size_t n = s->needs.n;
    if (n > WY_ELF_MAX_NEEDED) {
        wy_elf_problem(j, "has more than %d DT_NEEDED entries", WY_ELF_MAX_NEEDED);
        n = WY_ELF_MAX_NEEDED;
    }
    if (!n)
        return;
    size_t nfilters = 0;
    for (size_t i = 0; i < n; i++)
        nfilters += s->needs.v[i].tag != DT_NEEDED;
    elf->needed = wy_arena_alloc(j->a, n * sizeof *elf->needed);
    elf->filters = nfilters ? wy_arena_alloc(j->a, nfilters * sizeof *elf->filters) : NULL;
    for (size_t i = 0; i < n; i++) {
        uint64_t tag = s->needs.v[i].tag;
        const char *what = tag == DT_NEEDED   ? "DT_NEEDED"
                           : tag == DT_FILTER ? "DT_FILTER"
                                              : "DT_AUXILIARY";
        const char *name = wy_elf_string(j, s->needs.v[i].offset, what);
        if (name && tag == DT_NEEDED)
            elf->needed[elf->nneeded++] = name;
        else if (name)
            elf->filters[elf->nfilters++] =
                (struct wy_elf_filter){name, tag == DT_AUXILIARY, elf->nneeded};
    }
}

static void read_names(struct wy_elf_job *j, const struct names *s) {
    struct wy_elf *elf = j->elf;
    read_needs(j, s);
    if (s->has_soname)
        elf->soname = wy_elf_string(j, s->soname, "DT_SONAME");
    if (s->has_rpath)
        elf->rpath = wy_elf_string(j, s->rpath, "DT_RPATH");
    if (s->has_runpath)
        elf->runpath = wy_elf_string(j, s->runpath, "DT_RUNPATH");
}

void wy_elf_read_dynamic(struct wy_elf_job *j, const struct wy_elf_segment *dynamic) {
    struct wy_elf *elf = j->elf;
    uint64_t at, room;
    /* By address, as the loader finds it; p_offset is not used at run time. */
    if (!wy_elf_offset(elf, dynamic->vaddr, &at, &room)) {
        wy_elf_problem(j, "the dynamic section at address 0x%llx lies in no segment of the file",
                       (unsigned long long)dynamic->vaddr);
        return;
    }
    struct names s = {0};
    read_entries(j, at, dynamic->filesz < room ? dynamic->filesz : room, &s);
    elf->bind_now |= (elf->flags & DF_BIND_NOW) || (elf->flags_1 & DF_1_NOW);
    elf->symbolic |= (elf->flags & DF_SYMBOLIC) != 0;
    elf->textrel |= (elf->flags & DF_TEXTREL) != 0;
    elf->is_static_pie_or_exec |= (elf->flags_1 & DF_1_PIE) != 0;
    read_names(j, &s);
    wy_vec_free(&s.needs);
}
