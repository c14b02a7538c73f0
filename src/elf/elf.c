/* Header and program headers; the other files of this room read what these point to. */
#include "elf/parts.h"

#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>

enum { EI_CLASS = 4, EI_DATA = 5, CLASS32 = 1, CLASS64 = 2, LITTLE = 1, BIG = 2 };
enum { EHDR32 = 52, EHDR64 = 64, PHDR32 = 32, PHDR64 = 56 };
enum { ET_EXEC = 2 };
enum {
    PT_LOAD = 1,
    PT_DYNAMIC = 2,
    PT_INTERP = 3,
    PT_NOTE = 4,
    PT_TLS = 7,
    PT_GNU_EH_FRAME = 0x6474e550,
    PT_GNU_STACK = 0x6474e551,
    PT_GNU_PROPERTY = 0x6474e553,
};

void wy_elf_problem(struct wy_elf_job *j, const char *format, ...) {
    if (j->elf->problem)
        return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    j->elf->problem = wy_arena_cstr(j->a, text);
}

bool wy_elf_offset(const struct wy_elf *elf, uint64_t vaddr, uint64_t *offset, uint64_t *room) {
    /* From the end: where segments overlap, the one mapped last is the one seen. */
    for (size_t i = elf->nloads; i-- > 0;) {
        const struct wy_elf_load *l = &elf->loads[i];
        if (vaddr < l->vaddr || vaddr - l->vaddr >= l->filesz)
            continue;
        uint64_t into = vaddr - l->vaddr;
        if (l->offset >= elf->file_size || into >= elf->file_size - l->offset)
            return false;
        *offset = l->offset + into;
        *room = l->filesz - into;
        if (*room > elf->file_size - *offset)
            *room = elf->file_size - *offset;
        return true;
    }
    return false;
}

/* The checks before any number of the header can be read. */
static bool check_ident(struct wy_elf_job *j) {
    struct wy_elf *elf = j->elf;
    if (elf->file_size == 0) {
        elf->kind = WY_ELF_EMPTY;
        wy_elf_problem(j, "is empty");
        return false;
    }
    size_t n = elf->file_size < WY_BLOCK_BYTES ? (size_t)elf->file_size : WY_BLOCK_BYTES;
    const unsigned char *head = wy_reader_bytes(&j->r, 0, n);
    if (!head) {
        elf->kind = WY_ELF_UNREADABLE;
        elf->read_error = j->r.error;
        wy_elf_problem(j, "cannot be read");
        return false;
    }
    memcpy(elf->ident, head, n < sizeof elf->ident ? n : sizeof elf->ident);
    bool magic = n >= 4 && memcmp(head, "\177ELF", 4) == 0;
    if (!magic)
        elf->looks = wy_elf_looks_like((struct wy_str){(const char *)head, n});
    size_t least = magic && elf->ident[EI_CLASS] == CLASS32 ? EHDR32 : EHDR64;
    if (n < least) {
        elf->kind = WY_ELF_SHORT;
        wy_elf_problem(j, "has %zu bytes, an ELF header needs %zu", n, least);
        return false;
    }
    elf->kind = magic ? WY_ELF_BAD_HEADER : WY_ELF_NOT;
    if (!magic)
        wy_elf_problem(j, "has no ELF magic at byte 0");
    return magic;
}

/* Fields of the ELF header that do not depend on anything but class and byte order. *phoff is where
 * the program headers begin. */
static bool read_header(struct wy_elf_job *j, uint64_t *phoff) {
    struct wy_elf *elf = j->elf;
    unsigned class = elf->ident[EI_CLASS], data = elf->ident[EI_DATA];
    if (class != CLASS32 && class != CLASS64) {
        wy_elf_problem(j, "ELF class at byte 4 is %u, expected 1 or 2", class);
        return false;
    }
    if (data != LITTLE && data != BIG) {
        wy_elf_problem(j, "data encoding at byte 5 is %u, expected 1 or 2", data);
        return false;
    }
    struct wy_reader *r = &j->r;
    elf->is64 = r->is64 = class == CLASS64;
    elf->big_endian = r->big_endian = data == BIG;
    const unsigned char *h = wy_reader_bytes(r, 0, elf->is64 ? EHDR64 : EHDR32);
    if (!h)
        return false;
    elf->type = wy_reader_get16(r, h + 16);
    elf->machine = wy_reader_get16(r, h + 18);
    elf->version = wy_reader_get32(r, h + 20);
    *phoff = wy_reader_get_word(r, h + (elf->is64 ? 32 : 28));
    h += elf->is64 ? 48 : 36;
    elf->eflags = wy_reader_get32(r, h);
    elf->phentsize = wy_reader_get16(r, h + 6);
    elf->phnum = wy_reader_get16(r, h + 8);
    elf->is_static_pie_or_exec = elf->type == ET_EXEC;
    return true;
}

static bool check_phdrs(struct wy_elf_job *j, uint64_t phoff) {
    struct wy_elf *elf = j->elf;
    unsigned size = elf->is64 ? PHDR64 : PHDR32;
    if (elf->phnum && elf->phentsize != size) {
        wy_elf_problem(j, "program headers have %u bytes each, expected %u", elf->phentsize, size);
        return false;
    }
    uint64_t bytes = (uint64_t)elf->phnum * size;
    if (bytes && (phoff > elf->file_size || bytes > elf->file_size - phoff)) {
        elf->kind = WY_ELF_BAD_PHDRS;
        wy_elf_problem(j,
                       "ends at byte %llu, but its %u program headers begin at byte %llu and need "
                       "%llu bytes",
                       (unsigned long long)elf->file_size, elf->phnum, (unsigned long long)phoff,
                       (unsigned long long)bytes);
        return false;
    }
    return true;
}

struct phdr {
    uint32_t type, flags;
    uint64_t offset, vaddr, filesz, memsz, align;
};

static bool read_phdr(struct wy_reader *r, uint64_t at, struct phdr *ret) {
    const unsigned char *p = wy_reader_bytes(r, at, r->is64 ? PHDR64 : PHDR32);
    if (!p)
        return false;
    ret->type = wy_reader_get32(r, p);
    if (r->is64) {
        ret->flags = wy_reader_get32(r, p + 4);
        ret->offset = wy_reader_get64(r, p + 8);
        ret->vaddr = wy_reader_get64(r, p + 16);
        ret->filesz = wy_reader_get64(r, p + 32);
        ret->memsz = wy_reader_get64(r, p + 40);
        ret->align = wy_reader_get64(r, p + 48);
    } else {
        ret->offset = wy_reader_get32(r, p + 4);
        ret->vaddr = wy_reader_get32(r, p + 8);
        ret->filesz = wy_reader_get32(r, p + 16);
        ret->memsz = wy_reader_get32(r, p + 20);
        ret->flags = wy_reader_get32(r, p + 24);
        ret->align = wy_reader_get32(r, p + 28);
    }
    return true;
}

typedef WY_VEC(struct wy_elf_segment) segment_vec;

/* Segments whose content is read after all PT_LOAD are known. */
struct segments {
    struct wy_elf_segment dynamic, interp;
    segment_vec notes;
};

static void take_phdr(struct wy_elf *elf, const struct phdr *p, struct segments *s) {
    struct wy_elf_segment segment = {p->offset, p->vaddr, p->filesz, p->align};
    switch (p->type) {
    case PT_DYNAMIC:
        /* What `objcopy --only-keep-debug` leaves has p_filesz 0; glibc passes over it
         * (elf/dl-load.c, _dl_map_object_from_fd). */
        if (p->filesz) {
            elf->has_dynamic = true;
            s->dynamic = segment;
        }
        break;
    case PT_INTERP:
        s->interp = segment;
        break;
    case PT_NOTE:
    case PT_GNU_PROPERTY:
        elf->has_property |= p->type == PT_GNU_PROPERTY;
        if (s->notes.n < WY_ELF_MAX_NOTES)
            wy_vec_push(&s->notes, segment);
        break;
    case PT_TLS:
        elf->tls_memsz = p->memsz;
        elf->tls_align = p->align;
        break;
    case PT_GNU_EH_FRAME:
        elf->eh_frame_hdr = p->offset;
        break;
    case PT_GNU_STACK:
        elf->has_gnu_stack = true;
        elf->gnu_stack_flags = p->flags;
        break;
    default:
        break;
    }
}

static void read_phdrs(struct wy_elf_job *j, uint64_t phoff, struct segments *s) {
    struct wy_elf *elf = j->elf;
    WY_VEC(struct wy_elf_load) loads = {0};
    for (unsigned i = 0; i < elf->phnum; i++) {
        struct phdr p;
        if (!read_phdr(&j->r, phoff + (uint64_t)i * elf->phentsize, &p)) {
            wy_elf_problem(j, "program header %u cannot be read", i);
            break;
        }
        if (p.type == PT_LOAD)
            wy_vec_push(&loads, ((struct wy_elf_load){p.offset, p.vaddr, p.filesz, p.memsz, p.align,
                                                      p.flags}));
        else
            take_phdr(elf, &p, s);
    }
    wy_vec_keep(j->a, &loads);
    elf->loads = loads.v;
    elf->nloads = loads.n;
}

/* A cut-off file is the damage that kills a process without a word (SIGBUS), so it is looked for
 * before all other damage. */
static void check_end(struct wy_elf_job *j) {
    uint64_t end = 0;
    for (size_t i = 0; i < j->elf->nloads; i++) {
        const struct wy_elf_load *l = &j->elf->loads[i];
        uint64_t e;
        if (!l->filesz)
            continue;
        if (__builtin_add_overflow(l->offset, l->filesz, &e))
            e = UINT64_MAX;
        if (e > end)
            end = e;
    }
    if (end > j->elf->file_size)
        wy_elf_problem(j, "ends at byte %llu, but its segments need %llu",
                       (unsigned long long)j->elf->file_size, (unsigned long long)end);
}

static void read_interp(struct wy_elf_job *j, const struct wy_elf_segment *s) {
    if (!s->filesz)
        return;
    size_t n;
    uint64_t room = s->filesz < WY_ELF_MAX_STR ? s->filesz : WY_ELF_MAX_STR;
    j->elf->interp = wy_reader_str(&j->r, j->a, s->offset, room, &n);
    if (!j->elf->interp)
        wy_elf_problem(j, "PT_INTERP at byte %llu is not a text that ends within %llu bytes",
                       (unsigned long long)s->offset, (unsigned long long)s->filesz);
}

void wy_elf_read(const struct wy_source *src, struct wy_arena *a, struct wy_elf *ret) {
    struct wy_elf_job j = {.a = a, .elf = ret};
    *ret = (struct wy_elf){.kind = WY_ELF_UNREADABLE, .file_size = src->size};
    wy_reader_init(&j.r, src);
    uint64_t phoff = 0;
    if (!check_ident(&j) || !read_header(&j, &phoff) || !check_phdrs(&j, phoff))
        return;
    ret->kind = WY_ELF_OK;

    struct segments s = {0};
    read_phdrs(&j, phoff, &s);
    check_end(&j);
    read_interp(&j, &s.interp);
    unsigned notes = 0;
    for (size_t i = 0; i < s.notes.n; i++)
        wy_elf_read_notes(&j, &s.notes.v[i], &notes);
    wy_vec_free(&s.notes);
    if (ret->has_dynamic) {
        wy_elf_read_dynamic(&j, &s.dynamic);
        wy_elf_read_verneed(&j);
        wy_elf_read_verdef(&j);
    }
    if (j.r.error) {
        ret->read_error = j.r.error;
        wy_elf_problem(&j, "cannot be read");
    }
}

static int64_t read_memory(void *ctx, uint64_t offset, void *buf, size_t n) {
    const struct wy_str *bytes = ctx;
    if (offset >= bytes->n)
        return 0;
    if (n > bytes->n - offset)
        n = bytes->n - (size_t)offset;
    memcpy(buf, bytes->p + offset, n);
    return (int64_t)n;
}

struct wy_source wy_source_memory(struct wy_str *bytes) {
    return (struct wy_source){read_memory, bytes, bytes->n};
}
