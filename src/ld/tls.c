/* Room for thread-local variables at a fixed place (elf/dl-tls.c, elf/dl-reloc.c; docs/loader.md
 * A13): what the program starts with has it; what is opened later shares a small reserve.
 *
 * Offsets count down from the thread pointer, as on x86 and s390 (TLS_TCB_AT_TP). Where they count
 * up, sums differ by the padding at the ends only. */
#include "ld/internal.h"

/* sysdeps/x86_64/nptl/tls.h: TCB_ALIGNMENT */
enum { LEAST_ALIGN = 64 };
/* The reserve: three further namespaces with a C library each, four with other libraries, what may
 * be used where it is only faster, and what older releases had beside
 * (_dl_tls_static_surplus_init).
 */
enum { LIBC_TLS = 144, OTHER_TLS = 144, OPTIONAL_TLS = 512, LEGACY_TLS = 144, NAMESPACES = 4 };
enum { MOST_NAMESPACES = 16 };
/* From 2.41 the area of restartable sequences lies behind the blocks; its size and alignment are
 * the least that there are, and those of Linux up to now (dl-extra_tls.h). */
enum { RSEQ_AREA = 32, RSEQ_MINOR = 41 };
/* The tunables came with 2.32, and with the branch of fixes of 2.31. */
enum { TUNABLES_MINOR = 31 };

static uint64_t round_up(uint64_t n, uint64_t align) {
    return (n + align - 1) / align * align;
}

static uint64_t align_of(const struct wy_elf *elf) {
    return elf->tls_align ? elf->tls_align : 1;
}

static uint64_t reserve(struct ld_work *w) {
    const struct wy_host *h = w->ld->host;
    uint64_t spaces = NAMESPACES;
    w->tls.optional = OPTIONAL_TLS;
    if (h->libc_minor == 0 || h->libc_minor >= TUNABLES_MINOR) {
        spaces = ld_tunable(h, "glibc.rtld.nns", 1, MOST_NAMESPACES, spaces);
        w->tls.optional =
            ld_tunable(h, "glibc.rtld.optional_static_tls", 0, UINT64_MAX, OPTIONAL_TLS);
    }
    return (spaces - 1) * LIBC_TLS + spaces * OTHER_TLS + w->tls.optional + LEGACY_TLS;
}

/* Blocks of the objects in load order, small ones in the gaps that alignment leaves
 * (_dl_determine_tlsoffset). */
void ld_tls_start(struct ld_work *w) {
    uint64_t top = 0, bottom = 0, offset = 0, most = LEAST_ALIGN;
    for (size_t i = 0; i < w->order.n; i++) {
        struct ld_member *m = &w->members.v[w->order.v[i]];
        const struct wy_elf *elf = &m->object->image->elf;
        uint64_t size = elf->tls_memsz, align = align_of(elf);
        if (!size)
            continue;
        if (align > most)
            most = align;
        uint64_t off = round_up(top + size, align);
        if (bottom - top >= size && off <= bottom) {
            top = m->tls_offset = off;
            continue;
        }
        off = round_up(offset + size, align);
        if (off > offset + size + (bottom - top)) {
            top = offset;
            bottom = off - size;
        }
        offset = m->tls_offset = off;
    }
    unsigned minor = w->ld->host->libc_minor;
    if (minor == 0 || minor >= RSEQ_MINOR)
        offset = round_up(offset, RSEQ_AREA) + RSEQ_AREA;
    w->tls.used = offset;
    w->tls.align = most;
    w->tls.size = round_up(offset + reserve(w), most);
}

/* _dl_try_allocate_static_tls */
bool ld_tls_take(struct ld_work *w, struct ld_member *m, bool optional) {
    const struct wy_elf *elf = &m->object->image->elf;
    if (m->tls_offset || !elf->tls_memsz)
        return true;
    uint64_t align = align_of(elf), left = w->tls.size - w->tls.used;
    if (align > w->tls.align || left < elf->tls_memsz)
        return false;
    uint64_t use = left - (left - elf->tls_memsz) / align * align;
    if (optional && use > w->tls.optional)
        return false;
    if (optional)
        w->tls.optional -= use;
    w->tls.used += use;
    m->tls_offset = w->tls.used;
    return true;
}

/* What a failed open gives back: a run of blocks that reaches to the end of what is used, without
 * the padding before it (elf/dl-close.c, _dl_close_worker). */
uint64_t ld_tls_after_failure(const struct ld_work *w) {
    enum { NONE = 0 };
    uint64_t start = NONE, end = NONE, used = w->tls.used;
    for (size_t i = w->nsorted; i-- > 0;) {
        const struct ld_member *m = &w->members.v[w->sorted[i]];
        uint64_t size = m->object->image->elf.tls_memsz, at = m->tls_offset;
        if (!at || !m->fresh)
            continue;
        if (start == NONE || at == start) {
            start = at - size;
            if (end == NONE)
                end = at;
        } else if (at - size == end) {
            end = at;
        } else if (end == used) {
            used = start;
            end = at;
            start = end - size;
        } else if (at == used) {
            used = at - size;
        } else if (end < at) {
            end = at;
            start = end - size;
        }
    }
    return end != NONE && end == used ? start : used;
}
