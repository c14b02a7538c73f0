/* The tables of one object: hash table and version numbers at once, the rest block by block. */
#include "elf/parts.h"
#include "elf/tables.h"

#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>

enum { EM_S390 = 22, EM_ALPHA = 0x9026 };

struct job {
    struct wy_symtab *t;
    struct wy_arena *a;
};

static void problem(struct job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void problem(struct job *j, const char *format, ...) {
    if (j->t->problem)
        return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    j->t->problem = wy_arena_cstr(j->a, text);
}

/* `n` numbers of 4 bytes into `out`, in this machine's byte order. */
static bool read_numbers(struct job *j, uint64_t at, uint32_t *out, size_t n) {
    if (!wy_elf_read_exactly(&j->t->src, at, out, n * 4, NULL)) {
        problem(j, "the hash table at byte %llu cannot be read", (unsigned long long)at);
        return false;
    }
    bool swapped = wy_symtab_swapped(j->t);
    for (size_t i = 0; swapped && i < n; i++)
        out[i] = __builtin_bswap32(out[i]);
    return true;
}

static uint32_t *numbers(struct job *j, uint64_t at, size_t n) {
    uint32_t *ret = wy_arena_alloc(j->a, n * 4);
    return read_numbers(j, at, ret, n) ? ret : NULL;
}

/* Words of a big-endian 64-bit file come high half first. */
static void order_halves(struct job *j) {
    if (!j->t->elf->is64 || !j->t->elf->big_endian)
        return;
    for (size_t i = 0; i + 1 < (size_t)j->t->nbloom * 2; i += 2) {
        uint32_t high = j->t->bloom[i];
        j->t->bloom[i] = j->t->bloom[i + 1];
        j->t->bloom[i + 1] = high;
    }
}

typedef WY_VEC(uint32_t) number_vec;

static bool grow(struct job *j, number_vec *v, uint64_t at, size_t n) {
    size_t old = v->n;
    v->v = wy_realloc(v->v, old + n, sizeof *v->v);
    v->n = v->cap = old + n;
    return read_numbers(j, at + old * 4, v->v + old, n);
}

/* The chain has no length of its own: it ends with the run of the last bucket, at the first hash
 * with its low bit set. At most `most` numbers from `at` on. */
static bool read_chain(struct job *j, uint64_t at, uint64_t most, uint32_t least) {
    enum { STEP = 64 };
    number_vec v = {0};
    bool good = grow(j, &v, at, least);
    while (good && !(v.v[v.n - 1] & 1)) {
        size_t step = most - v.n < STEP ? (size_t)(most - v.n) : STEP, from = v.n;
        if (!step) {
            problem(j, "the hash table's chain at byte %llu has no end mark",
                    (unsigned long long)at);
            v.v[v.n - 1] |= 1;
            break;
        }
        good = grow(j, &v, at, step);
        for (size_t i = from; good && i < v.n; i++)
            if (v.v[i] & 1)
                v.n = i + 1;
    }
    if (good) {
        j->t->count = (uint32_t)v.n;
        wy_vec_keep(j->a, &v);
        j->t->chain = v.v;
    } else
        wy_vec_free(&v);
    return good;
}

/* A bucket outside the chain would make the loader read what lies around the table. The largest
 * number of a bucket that is inside, 0 when all are empty. */
static uint32_t check_buckets(struct job *j, uint64_t most) {
    struct wy_symtab *t = j->t;
    uint32_t last = 0;
    for (size_t i = 0; i < t->nbuckets; i++) {
        uint32_t b = t->buckets[i];
        if (b && (b < t->first || b - t->first >= most)) {
            problem(j, "bucket %zu of the hash table names symbol %u, which is not in its chain", i,
                    b);
            t->buckets[i] = 0;
        } else if (b > last)
            last = b;
    }
    return last;
}

/* Runs of real files hold a handful of symbols. */
static void cut_runs(struct job *j) {
    struct wy_symtab *t = j->t;
    for (size_t i = 0, run = 0; i < t->count; i++) {
        run = t->chain[i] & 1 ? 0 : run + 1;
        if (run < WY_ELF_MAX_RUN)
            continue;
        problem(j, "more than %d symbols share a bucket of the hash table", WY_ELF_MAX_RUN);
        t->chain[i] |= 1;
        run = 0;
    }
}

/* DT_GNU_HASH: u32 buckets, first symbol, bloom words, bloom shift; bloom filter (words of the
 * class's size); buckets; chain of hashes, whose low bit marks an end. */
static bool read_gnu(struct job *j) {
    struct wy_symtab *t = j->t;
    uint64_t at, room;
    uint32_t head[4];
    if (!wy_elf_offset(t->elf, t->elf->gnu_hash, &at, &room) || room < sizeof head) {
        problem(j, "DT_GNU_HASH at address 0x%llx lies in no segment of the file",
                (unsigned long long)t->elf->gnu_hash);
        return false;
    }
    if (!read_numbers(j, at, head, 4))
        return false;
    uint64_t bloom = (uint64_t)head[2] * (t->elf->is64 ? 2 : 1);
    uint64_t chain = sizeof head + (bloom + head[0]) * 4;
    if (!head[2] || (head[2] & (head[2] - 1))) {
        /* The loader ends the process: an assertion of _dl_setup_hash, elf/dl-setup_hash.c. */
        problem(j, "the bloom filter has %u words, expected a power of two", head[2]);
        return false;
    }
    if (head[0] > WY_ELF_MAX_SYMBOLS || head[2] > WY_ELF_MAX_SYMBOLS || chain > room) {
        problem(j, "the hash table at byte %llu with %u buckets runs past the end of its segment",
                (unsigned long long)at, head[0]);
        return false;
    }
    t->first = head[1];
    t->nbloom = head[2];
    t->shift = head[3] & 31;
    t->bloom = numbers(j, at + sizeof head, (size_t)bloom);
    t->buckets = numbers(j, at + sizeof head + bloom * 4, head[0]);
    if (!t->bloom || !t->buckets)
        return false;
    t->nbuckets = head[0];
    order_halves(j);
    uint64_t most = (room - chain) / 4;
    if (most > WY_ELF_MAX_SYMBOLS)
        most = WY_ELF_MAX_SYMBOLS;
    uint32_t last = check_buckets(j, most);
    if (last && !read_chain(j, at + chain, most, last - t->first + 1))
        return false;
    cut_runs(j);
    return true;
}

/* Numbers of DT_HASH, which have 8 bytes on Alpha and 64-bit s390. */
static uint32_t *cells(struct job *j, uint64_t at, size_t n, bool wide) {
    uint32_t *ret = numbers(j, at, wide ? n * 2 : n);
    /* Big-endian s390 has its high half first, little-endian Alpha last. */
    unsigned low = j->t->elf->big_endian ? 1 : 0;
    for (size_t i = 0; ret && wide && i < n; i++)
        ret[i] = ret[2 * i + 1 - low] ? UINT32_MAX : ret[2 * i + low];
    return ret;
}

static void check_cells(struct job *j, uint32_t *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (v[i] >= j->t->count && v[i]) {
            problem(j, "the hash table names symbol %u, but covers %u", v[i], j->t->count);
            v[i] = 0;
        }
}

/* DT_HASH: buckets, symbols; heads of the chains; per symbol the next one of its chain. */
static bool read_sysv(struct job *j) {
    struct wy_symtab *t = j->t;
    bool wide = t->elf->is64 && (t->elf->machine == EM_S390 || t->elf->machine == EM_ALPHA);
    uint64_t at, room, size = wide ? 8 : 4;
    if (!wy_elf_offset(t->elf, t->elf->sysv_hash, &at, &room) || room < 2 * size) {
        problem(j, "DT_HASH at address 0x%llx lies in no segment of the file",
                (unsigned long long)t->elf->sysv_hash);
        return false;
    }
    uint32_t *head = cells(j, at, 2, wide);
    if (!head)
        return false;
    uint64_t need = (2 + (uint64_t)head[0] + head[1]) * size;
    if (head[0] > WY_ELF_MAX_SYMBOLS || head[1] > WY_ELF_MAX_SYMBOLS || need > room) {
        problem(j, "the hash table at byte %llu with %u buckets runs past the end of its segment",
                (unsigned long long)at, head[0]);
        return false;
    }
    t->buckets = cells(j, at + 2 * size, head[0], wide);
    t->chain = cells(j, at + (2 + (uint64_t)head[0]) * size, head[1], wide);
    if (!t->buckets || !t->chain)
        return false;
    t->nbuckets = head[0];
    t->count = head[1];
    check_cells(j, t->buckets, t->nbuckets);
    check_cells(j, t->chain, t->count);
    return true;
}

static void take_version(struct wy_symtab *t, uint16_t index, struct wy_symbol_version v) {
    index &= 0x7fff;
    /* Hash 0 is how the loader marks a number without a version. */
    t->versions[index] = v.name && v.hash ? v : (struct wy_symbol_version){0};
}

static size_t count_versions(const struct wy_elf *elf) {
    size_t n = 0;
    for (size_t i = 0; i < elf->nverneed; i++)
        if ((elf->verneed[i].index & 0x7fffu) >= n)
            n = (elf->verneed[i].index & 0x7fffu) + 1;
    for (size_t i = 0; i < elf->nverdef; i++)
        if ((elf->verdef[i].index & 0x7fffu) >= n)
            n = (elf->verdef[i].index & 0x7fffu) + 1;
    return n;
}

static void number_versions(struct job *j) {
    enum { VER_FLG_BASE = 1 };
    struct wy_symtab *t = j->t;
    const struct wy_elf *elf = t->elf;
    t->nversions = count_versions(elf);
    if (!t->nversions)
        return;
    t->versions = wy_arena_zero(j->a, t->nversions * sizeof *t->versions);
    for (size_t i = 0; i < elf->nverneed; i++) {
        const struct wy_elf_verneed *n = &elf->verneed[i];
        take_version(t, n->index,
                     (struct wy_symbol_version){n->version, n->hash, n->index >> 15, n->file});
    }
    for (size_t i = 0; i < elf->nverdef; i++)
        if (!(elf->verdef[i].flags & VER_FLG_BASE))
            take_version(t, elf->verdef[i].index,
                         (struct wy_symbol_version){elf->verdef[i].version, elf->verdef[i].hash,
                                                    false, NULL});
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* How many symbols .dynsym seems to hold: the hash table knows when it covers any, else .dynstr
 * usually follows. */
static uint64_t guess_symbols(const struct wy_symtab *t, unsigned size) {
    const struct wy_elf *elf = t->elf;
    if (t->count)
        return (uint64_t)t->first + t->count;
    uint64_t gap = elf->strtab > elf->symtab ? elf->strtab - elf->symtab : 0;
    return least(gap / size, WY_TABLE_BLOCK / size);
}

static void place_tables(struct job *j) {
    struct wy_symtab *t = j->t;
    const struct wy_elf *elf = t->elf;
    unsigned size = elf->is64 ? 24 : 16;
    uint64_t at, room, n = guess_symbols(t, size);
    if (wy_elf_offset(elf, elf->symtab, &at, &room)) {
        t->limit = (uint32_t)least(room / size, WY_ELF_MAX_SYMBOLS);
        wy_elf_table_init(&t->symbols, j->a, at, n * size, (uint64_t)t->limit * size);
    } else if (elf->symtab || t->count)
        problem(j, "the symbol table at address 0x%llx lies in no segment of the file",
                (unsigned long long)elf->symtab);
    enum { MOST_STRINGS = 1 << 30 };
    if (wy_elf_offset(elf, elf->strtab, &at, &room))
        wy_elf_table_init(&t->strings, j->a, at, elf->strsz, least(room, MOST_STRINGS));
    else if (t->limit)
        problem(j, "the string table at address 0x%llx lies in no segment of the file",
                (unsigned long long)elf->strtab);
    if (!elf->has_versym)
        return;
    if (wy_elf_offset(elf, elf->versym, &at, &room))
        wy_elf_table_init(&t->versym, j->a, at, n * 2, least(room, (uint64_t)t->limit * 2));
    else
        problem(j, "DT_VERSYM at address 0x%llx lies in no segment of the file",
                (unsigned long long)elf->versym);
}

void wy_symtab_read(const struct wy_source *src, const struct wy_elf *elf, struct wy_arena *a,
                    struct wy_symtab *ret) {
    struct job j = {ret, a};
    *ret = (struct wy_symtab){
        .elf = elf, .src = *src, .has_gnu_hash = elf->has_gnu_hash, .word_log = elf->is64 ? 6 : 5};
    ret->read_error = wy_arena_zero(a, sizeof *ret->read_error);
    if (elf->kind != WY_ELF_OK || !elf->has_dynamic)
        return;
    /* DT_GNU_HASH is used exclusively when it is there (_dl_setup_hash, elf/dl-setup_hash.c). */
    bool good = true;
    if (elf->has_gnu_hash)
        good = read_gnu(&j);
    else if (elf->has_sysv_hash)
        good = read_sysv(&j);
    if (!good)
        ret->nbuckets = ret->first = ret->count = 0;
    number_versions(&j);
    place_tables(&j);
}

void wy_symtab_release(struct wy_symtab *t) {
    wy_elf_table_release(&t->symbols);
    wy_elf_table_release(&t->strings);
    wy_elf_table_release(&t->versym);
}

static uint64_t held(const struct wy_elf_table *e) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < e->nblocks; i++) {
        if (!__atomic_load_n(&e->blocks[i], __ATOMIC_ACQUIRE))
            continue;
        uint64_t start = (uint64_t)i * WY_TABLE_BLOCK;
        uint64_t left = start < e->soft ? e->soft - start : WY_TABLE_BLOCK;
        bytes += least(left, WY_TABLE_BLOCK);
    }
    return bytes;
}

uint64_t wy_symtab_held(const struct wy_symtab *t) {
    return held(&t->symbols) + held(&t->strings) + held(&t->versym);
}

int wy_symtab_read_error(const struct wy_symtab *t) {
    return __atomic_load_n(t->read_error, __ATOMIC_RELAXED);
}
