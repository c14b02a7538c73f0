/* What the relocations of an object name. Tables are streamed in large pieces; relative relocations
 * at their start are skipped by count, as the loader does. */
#include "elf/parts.h"
#include "elf/tables.h"

#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>

enum { DT_RELA = 7, DT_REL = 17, PF_W = 2 };
/* A multiple of all four sizes of a relocation (8, 12, 16, 24 bytes). */
enum { PIECE = 60 * 1024 };

/* What is known of a symbol before its entry is read. Most are the object's own and left out again,
 * so this is kept small. */
struct use {
    uint32_t index, order, plt_order;
    uint16_t uses;
    bool dropped;
};

struct job {
    const struct wy_symtab *t;
    struct wy_arena *a;
    struct wy_refs *ret;
    const struct wy_elf_reloc_types *types;
    WY_VEC(struct use) uses;
    uint32_t *slots; /* by symbol: its place in uses, plus 1 */
    size_t nslots;
    const struct wy_elf_load *load; /* writable one that the last relocation lies in */
    uint32_t order;
    bool stop;
};

static void problem(struct job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void problem(struct job *j, const char *format, ...) {
    if (j->ret->problem)
        return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    j->ret->problem = wy_arena_cstr(j->a, text);
}

/* One of the loader's tables, as addresses in the dynamic section say. */
struct range {
    const char *name;
    uint64_t vaddr, bytes, skip; /* relative relocations at its start */
    bool rela, plt;
};

static struct use *use_of(struct job *j, uint32_t index) {
    if (index >= j->t->limit) {
        problem(j, "relocation %u names symbol %u, but .dynsym has room for %u", j->order, index,
                j->t->limit);
        return NULL;
    }
    if (index >= j->nslots) {
        size_t n = j->nslots ? j->nslots : 256;
        while (n <= index)
            n *= 2;
        j->slots = wy_realloc(j->slots, n, sizeof *j->slots);
        memset(j->slots + j->nslots, 0, (n - j->nslots) * sizeof *j->slots);
        j->nslots = n;
    }
    if (!j->slots[index]) {
        wy_vec_push(&j->uses, ((struct use){index, WY_NO_ORDER, WY_NO_ORDER, 0, false}));
        j->slots[index] = (uint32_t)j->uses.n;
    }
    return &j->uses.v[j->slots[index] - 1];
}

static bool is_writable(struct job *j, uint64_t vaddr) {
    const struct wy_elf_load *l = j->load;
    if (l && vaddr >= l->vaddr && vaddr - l->vaddr < l->memsz)
        return true;
    const struct wy_elf *elf = j->t->elf;
    for (size_t i = elf->nloads; i-- > 0;) {
        l = &elf->loads[i];
        if (vaddr < l->vaddr || vaddr - l->vaddr >= l->memsz)
            continue;
        if (l->flags & PF_W)
            j->load = l;
        return l->flags & PF_W;
    }
    return true; /* outside: a fault, but not for want of permission */
}

/* Types that the loader refuses, whether it binds now or (in DT_JMPREL) later. */
static void judge_type(struct job *j, bool plt, uint32_t symbol, uint32_t type, unsigned kind) {
    enum { LATER = WY_RELOC_SLOT | WY_RELOC_IRELATIVE | WY_USE_TLS_DESC };
    struct wy_refs *ret = j->ret;
    if ((kind & WY_RELOC_UNKNOWN) && ret->unknown_order == WY_NO_ORDER) {
        ret->unknown_order = j->order;
        ret->unknown_type = type;
    }
    if (plt && j->types && !(kind & LATER) && ret->odd_order == WY_NO_ORDER) {
        ret->odd_order = j->order;
        ret->odd_type = type;
    }
    struct wy_odd_reloc *odd = plt ? &ret->musl_plt : &ret->musl_other;
    if ((kind & (WY_RELOC_UNKNOWN | WY_RELOC_NOT_MUSL)) && odd->order == WY_NO_ORDER)
        *odd = (struct wy_odd_reloc){j->order, type, symbol};
}

static void take_use(struct job *j, struct use *r, bool plt, unsigned kind) {
    bool slot = plt && (!j->types || (kind & WY_RELOC_SLOT));
    uint32_t *order = plt ? &r->plt_order : &r->order;
    if (*order == WY_NO_ORDER)
        *order = j->order;
    enum { USES = 0x1ff };
    if (slot && !j->types)
        kind = WY_USE_PLT;
    r->uses |= (uint16_t)((kind & USES) | (slot ? WY_USE_LAZY : WY_USE_NOW));
}

static void take(struct job *j, bool plt, uint64_t offset, uint32_t symbol, uint32_t type) {
    unsigned kind = wy_elf_reloc_kind(j->types, type);
    judge_type(j, plt, symbol, type, kind);
    j->ret->irelative += (kind & WY_RELOC_IRELATIVE) != 0;
    if (kind & WY_RELOC_SKIP)
        return;
    if (!symbol) {
        uint32_t *order = plt ? &j->ret->ie_own_plt : &j->ret->ie_own_order;
        j->ret->tls_ie_own |= (kind & WY_USE_TLS_IE) != 0;
        if ((kind & WY_USE_TLS_IE) && *order == WY_NO_ORDER)
            *order = j->order;
        return;
    }
    j->ret->changes_code |= !is_writable(j, offset);
    struct use *r = use_of(j, symbol);
    if (r)
        take_use(j, r, plt, kind);
}

static void take_piece(struct job *j, const struct range *r, const unsigned char *p, size_t n,
                       unsigned size) {
    const struct wy_symtab *t = j->t;
    unsigned word = t->elf->is64 ? 8 : 4;
    for (size_t i = 0; i < n; i++, p += size, j->order++) {
        if (j->ret->relocations == WY_ELF_MAX_RELOCATIONS) {
            problem(j, "has more than %d relocations", WY_ELF_MAX_RELOCATIONS);
            j->stop = true;
            return;
        }
        j->ret->relocations++;
        uint64_t offset = wy_symtab_word(t, p), info = wy_symtab_word(t, p + word);
        unsigned bits = t->elf->is64 ? 32 : 8;
        take(j, r->plt, offset, (uint32_t)(info >> bits),
             (uint32_t)(info & ((UINT64_C(1) << bits) - 1)));
    }
}

static void take_range(struct job *j, const struct range *r, unsigned char *buf) {
    unsigned size = (j->t->elf->is64 ? 8 : 4) * (r->rela ? 3 : 2);
    uint64_t n = r->bytes / size, at, room;
    if (!n || j->stop)
        return;
    if (!wy_elf_offset(j->t->elf, r->vaddr, &at, &room)) {
        problem(j, "%s at address 0x%llx lies in no segment of the file", r->name,
                (unsigned long long)r->vaddr);
        return;
    }
    if (n > room / size) {
        problem(j, "%s at byte %llu runs past the end of its segment", r->name,
                (unsigned long long)at);
        n = room / size;
    }
    uint64_t i = r->skip < n ? r->skip : n;
    while (i < n && !j->stop) {
        size_t part = n - i < PIECE / size ? (size_t)(n - i) : PIECE / size;
        if (!wy_elf_read_exactly(&j->t->src, at + i * size, buf, part * size, NULL)) {
            problem(j, "%s at byte %llu cannot be read", r->name, (unsigned long long)at);
            return;
        }
        take_piece(j, r, buf, part, size);
        i += part;
    }
}

/* The tables in glibc's order (_ELF_DYNAMIC_DO_RELOC in elf/dynamic-link.h): DT_REL with DT_JMPREL
 * if that is its kind, then the same for DT_RELA. DT_JMPREL may be the end of the other. */
static size_t list_ranges(const struct job *j, struct range ret[4]) {
    const struct wy_elf *e = j->t->elf;
    bool has_rel = wy_elf_reloc_has_rel(j->types);
    size_t n = 0;
    for (int rela = has_rel ? 0 : 1; rela < 2; rela++) {
        struct range r =
            rela ? (struct range){"DT_RELA", e->rela, e->relasz, e->relacount, true, false}
                 : (struct range){"DT_REL", e->rel, e->relsz, e->relcount, false, false};
        if (!r.vaddr)
            r.bytes = 0;
        struct range plt = {"DT_JMPREL", e->jmprel, e->pltrelsz, 0, rela, true};
        if (!e->pltrel || (has_rel && e->pltrel != (rela ? DT_RELA : DT_REL)) || !e->jmprel)
            plt.bytes = 0;
        if (plt.bytes && r.bytes >= plt.bytes && r.vaddr + r.bytes == plt.vaddr + plt.bytes)
            r.bytes -= plt.bytes;
        ret[n++] = r;
        ret[n++] = plt;
    }
    return n;
}

/* Whether a look-up that comes to the object itself is sure to take its own definition, and nothing
 * else hangs on it. */
static bool is_own(const struct wy_symtab *t, const struct wy_symbol *s, unsigned uses) {
    if (!s->section || (uses & (WY_USE_COPY | WY_USE_TLS_IE)))
        return false;
    if (s->binding == WY_STB_LOCAL) /* binds inside the object without a look-up */
        return true;
    /* For glibc these do so, too; musl looks for them as for all others. */
    bool bound = s->visibility == WY_STV_HIDDEN || s->visibility == WY_STV_INTERNAL;
    bool covered = s->index >= t->first && s->index - t->first < t->count;
    bool versioned = bound || (s->versym & 0x7fff) <= 2 || s->version;
    bool for_musl =
        !(s->versym & 0x8000) && s->type != WY_STT_GNU_IFUNC && (s->value || s->type == WY_STT_TLS);
    return covered && versioned && for_musl && (bound || wy_symbol_is_definition(s));
}

static void add_name(struct job *j, struct wy_ref *r, struct wy_buf *scratch, uint64_t *bytes) {
    const struct wy_symtab *t = j->t;
    struct wy_str name = {NULL, 0};
    if (*bytes < WY_ELF_MAX_REF_NAMES)
        name = wy_elf_table_text(t, &t->strings, r->symbol.name, scratch);
    if (!name.p) {
        problem(j, "the name of symbol %u at offset %u of the string table cannot be read",
                r->symbol.index, r->symbol.name);
        r->key = (struct wy_symbol_key){{NULL, 0}, 0, WY_NO_HASH};
        return;
    }
    *bytes += name.n + 1;
    r->key = wy_symbol_key((struct wy_str){wy_arena_str(j->a, name), name.n});
}

/* Drops what the caller does not want; in the order of .dynsym, which is then read through once. */
static void drop(struct job *j, bool all) {
    for (size_t i = 0; i < j->nslots; i++) {
        if (!j->slots[i])
            continue;
        struct use *u = &j->uses.v[j->slots[i] - 1];
        struct wy_symbol s;
        if (!wy_symtab_symbol(j->t, u->index, &s)) {
            problem(j, "symbol %u cannot be read", u->index);
            u->dropped = true;
            continue;
        }
        j->ret->tls_ie_own |= s.section && (u->uses & WY_USE_TLS_IE);
        u->dropped = !all && is_own(j->t, &s, u->uses);
        j->ret->own += u->dropped;
        j->ret->n += !u->dropped;
    }
}

static void complete(struct job *j) {
    wy_auto_buf scratch = {0};
    uint64_t bytes = 0;
    struct wy_ref *r = j->ret->v = wy_arena_alloc(j->a, j->ret->n * sizeof *r);
    for (size_t i = 0; i < j->uses.n; i++) {
        const struct use *u = &j->uses.v[i];
        if (u->dropped)
            continue;
        *r = (struct wy_ref){.order = u->order, .plt_order = u->plt_order, .uses = u->uses};
        /* Read before; only a block given up meanwhile could make it fail. */
        if (!wy_symtab_symbol(j->t, u->index, &r->symbol))
            r->symbol = (struct wy_symbol){.index = u->index, .name = UINT32_MAX};
        add_name(j, r++, &scratch, &bytes);
    }
}

void wy_symtab_refs(const struct wy_symtab *t, struct wy_arena *a, bool all, struct wy_refs *ret) {
    struct job j = {.t = t, .a = a, .ret = ret};
    *ret = (struct wy_refs){.unknown_order = WY_NO_ORDER,
                            .odd_order = WY_NO_ORDER,
                            .musl_plt = {.order = WY_NO_ORDER},
                            .musl_other = {.order = WY_NO_ORDER},
                            .ie_own_order = WY_NO_ORDER,
                            .ie_own_plt = WY_NO_ORDER};
    if (t->elf->kind != WY_ELF_OK || !t->elf->has_dynamic)
        return;
    j.types = wy_elf_reloc_types(t->elf->machine, t->elf->is64);
    struct range ranges[4];
    size_t n = list_ranges(&j, ranges);
    wy_auto_free unsigned char *buf = wy_alloc(PIECE);
    for (size_t i = 0; i < n; i++)
        take_range(&j, &ranges[i], buf);
    drop(&j, all);
    free(j.slots);
    complete(&j);
    wy_vec_free(&j.uses);
}
