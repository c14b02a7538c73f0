/* Notes of owner "GNU": operating system tag, build id, properties; of owner "FDO": dlopen. */
#include "elf/parts.h"

enum {
    NT_GNU_ABI_TAG = 1,
    NT_GNU_BUILD_ID = 3,
    NT_GNU_PROPERTY_TYPE_0 = 5,
    FDO_DLOPEN = 0x407c0c0a
};
enum { EM_386 = 3, EM_X86_64 = 62 };
enum { NOTE_HEADER = 12, MAX_BUILD_ID = 64, MAX_PROPERTY_BYTES = WY_BLOCK_BYTES };
static const uint32_t x86_isa_1_needed = 0xc0008002;

struct note {
    uint32_t type;
    uint64_t at; /* of the descriptor */
    uint64_t n;  /* bytes of the descriptor */
};

static void take_abi_tag(struct wy_elf_job *j, const struct note *note) {
    const unsigned char *p = note->n >= 16 ? wy_reader_bytes(&j->r, note->at, 16) : NULL;
    if (!p || j->elf->has_abi_tag)
        return;
    j->elf->has_abi_tag = true;
    for (unsigned i = 0; i < 4; i++)
        j->elf->abi_tag[i] = wy_reader_get32(&j->r, p + (size_t)4 * i);
}

static void take_build_id(struct wy_elf_job *j, const struct note *note) {
    if (note->n == 0 || note->n > MAX_BUILD_ID || j->elf->build_id)
        return;
    const unsigned char *p = wy_reader_bytes(&j->r, note->at, (size_t)note->n);
    if (!p)
        return;
    char *hex = wy_arena_zero(j->a, (size_t)note->n * 2 + 1);
    for (size_t i = 0; i < note->n; i++) {
        hex[2 * i] = "0123456789abcdef"[p[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[p[i] & 15];
    }
    j->elf->build_id = hex;
}

/* The property array: u32 type, u32 bytes, data padded to a word (x86-64 psABI, "Program
 * Property"). */
static void take_properties(struct wy_elf_job *j, const struct note *note) {
    if (note->n < 8 || note->n > MAX_PROPERTY_BYTES)
        return;
    if (j->elf->machine != EM_X86_64 && j->elf->machine != EM_386)
        return;
    size_t n = (size_t)note->n, word = wy_reader_word_size(&j->r);
    const unsigned char *p = wy_reader_bytes(&j->r, note->at, n);
    while (p && n >= 8) {
        uint32_t type = wy_reader_get32(&j->r, p), bytes = wy_reader_get32(&j->r, p + 4);
        if (bytes > n - 8)
            return;
        if (type == x86_isa_1_needed && bytes == 4)
            j->elf->isa_needed |= wy_reader_get32(&j->r, p + 8);
        size_t whole = 8 + ((bytes + word - 1) & ~(word - 1));
        if (whole >= n)
            return;
        p += whole;
        n -= whole;
    }
}

/* The text ends at a NUL, which is counted. */
static void take_dlopen(struct wy_elf_job *j, const struct note *note) {
    size_t n = note->n <= WY_ELF_MAX_STR ? (size_t)note->n : 0;
    char *text = wy_arena_alloc(j->a, n + 1);
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < WY_BLOCK_BYTES ? n - done : WY_BLOCK_BYTES;
        const unsigned char *p = wy_reader_bytes(&j->r, note->at + done, part);
        if (!p)
            return;
        memcpy(text + done, p, part);
    }
    wy_elf_take_dlopen(j, (struct wy_str){text, strnlen(text, n)});
}

static void take_note(struct wy_elf_job *j, const struct note *note) {
    if (note->type == NT_GNU_ABI_TAG)
        take_abi_tag(j, note);
    else if (note->type == NT_GNU_BUILD_ID)
        take_build_id(j, note);
    else if (note->type == NT_GNU_PROPERTY_TYPE_0)
        take_properties(j, note);
}

void wy_elf_read_notes(struct wy_elf_job *j, const struct wy_elf_segment *s, unsigned *notes) {
    /* Alignments 0 to 4 mean 4; glibc passes over others than 4 and 8 (elf/dl-load.c). */
    uint64_t align = s->align == 8 ? 8 : 4;
    if (s->align > 4 && s->align != 8)
        return;
    uint64_t at = s->offset, left = s->filesz;
    while (left >= NOTE_HEADER && (*notes)++ < WY_ELF_MAX_NOTES) {
        const unsigned char *p = wy_reader_bytes(&j->r, at, NOTE_HEADER);
        if (!p)
            return;
        uint64_t namesz = wy_reader_get32(&j->r, p), descsz = wy_reader_get32(&j->r, p + 4);
        struct note note = {.type = wy_reader_get32(&j->r, p + 8), .n = descsz};
        uint64_t desc = (NOTE_HEADER + namesz + align - 1) & ~(align - 1);
        uint64_t whole = (desc + descsz + align - 1) & ~(align - 1);
        if (desc + descsz > left)
            return;
        note.at = at + desc;
        const unsigned char *name =
            namesz == 4 ? wy_reader_bytes(&j->r, at + NOTE_HEADER, 4) : NULL;
        if (name && memcmp(name, "GNU", 4) == 0)
            take_note(j, &note);
        else if (name && note.type == FDO_DLOPEN && memcmp(name, "FDO", 4) == 0 &&
                 j->strings < WY_ELF_MAX_STRINGS)
            take_dlopen(j, &note);
        if (whole >= left)
            return;
        at += whole;
        left -= whole;
    }
}
