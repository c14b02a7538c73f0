/* Version needs and definitions (DT_VERNEED, DT_VERDEF). Both are chains of records whose `next` is
 * a distance in bytes, 0 at the end; glibc follows them without regard to the counts of
 * DT_VERNEEDNUM and DT_VERDEFNUM (elf/dl-version.c), and so does this. Distances are unsigned, so a
 * chain cannot turn back, but chains may overlap: the entries are counted. */
#include "elf/parts.h"

#include "base/vec.h"

enum { VERNEED_BYTES = 16, VERNAUX_BYTES = 16, VERDEF_BYTES = 20, VERDAUX_BYTES = 8 };

/* Where a chain stands: an offset in the file and the bytes left to the end of its segment. */
struct chain {
    uint64_t at, room;
};

static bool step(struct chain *c, uint32_t distance) {
    if (distance > c->room)
        return false;
    c->at += distance;
    c->room -= distance;
    return true;
}

static const unsigned char *record(struct wy_elf_job *j, const struct chain *c, size_t bytes,
                                   const char *what) {
    const unsigned char *p = c->room >= bytes ? wy_reader_bytes(&j->r, c->at, bytes) : NULL;
    if (!p)
        wy_elf_problem(j, "%s at byte %llu runs past the end of its segment", what,
                       (unsigned long long)c->at);
    return p;
}

static bool find_table(struct wy_elf_job *j, uint64_t vaddr, const char *what, struct chain *c) {
    if (!vaddr)
        return false;
    if (wy_elf_offset(j->elf, vaddr, &c->at, &c->room))
        return true;
    wy_elf_problem(j, "%s at address 0x%llx lies in no segment of the file", what,
                   (unsigned long long)vaddr);
    return false;
}

typedef WY_VEC(struct wy_elf_verneed) verneed_vec;

/* The versions needed from one file. False when the table cannot be followed further. */
static bool read_aux(struct wy_elf_job *j, struct chain c, const char *file, verneed_vec *out) {
    for (;;) {
        if (out->n == WY_ELF_MAX_VERSIONS) {
            wy_elf_problem(j, "DT_VERNEED has more than %d entries", WY_ELF_MAX_VERSIONS);
            return false;
        }
        const unsigned char *p = record(j, &c, VERNAUX_BYTES, "a version need");
        if (!p)
            return false;
        struct wy_elf_verneed v = {.file = file,
                                   .hash = wy_reader_get32(&j->r, p),
                                   .flags = wy_reader_get16(&j->r, p + 4),
                                   .index = wy_reader_get16(&j->r, p + 6)};
        uint32_t name = wy_reader_get32(&j->r, p + 8), next = wy_reader_get32(&j->r, p + 12);
        v.version = wy_elf_string(j, name, "a needed version's name");
        if (v.version)
            wy_vec_push(out, v);
        if (!next)
            return true;
        if (!step(&c, next)) {
            wy_elf_problem(j, "a version need at byte %llu points past its segment",
                           (unsigned long long)c.at);
            return false;
        }
    }
}

/* One record of DT_VERNEED. *next is the distance to the next one, 0 when there is none. */
static bool read_need(struct wy_elf_job *j, struct chain c, verneed_vec *out, bool first,
                      uint32_t *next) {
    const unsigned char *p = record(j, &c, VERNEED_BYTES, "DT_VERNEED");
    if (!p)
        return false;
    unsigned version = wy_reader_get16(&j->r, p);
    uint32_t file = wy_reader_get32(&j->r, p + 4), aux = wy_reader_get32(&j->r, p + 8);
    *next = wy_reader_get32(&j->r, p + 12);
    if (version != 1) {
        wy_elf_problem(j, "unsupported version %u of Verneed record", version);
        if (first) { /* the only one the loader looks at */
            j->elf->verneed_odd = version;
            return false;
        }
    }
    const char *name = wy_elf_string(j, file, "the file name of a version need");
    if (!name)
        return true;
    if (!step(&c, aux)) {
        wy_elf_problem(j, "DT_VERNEED at byte %llu points past its segment",
                       (unsigned long long)c.at);
        return true;
    }
    return read_aux(j, c, name, out);
}

void wy_elf_read_verneed(struct wy_elf_job *j) {
    struct chain c;
    if (!find_table(j, j->elf->verneed_addr, "DT_VERNEED", &c))
        return;
    verneed_vec out = {0};
    uint32_t next;
    for (unsigned i = 0; read_need(j, c, &out, i == 0, &next) && next; i++) {
        bool many = i == WY_ELF_MAX_NEEDED;
        if (many || !step(&c, next)) {
            wy_elf_problem(j,
                           many ? "DT_VERNEED has too many records before byte %llu"
                                : "DT_VERNEED at byte %llu points past its segment",
                           (unsigned long long)c.at);
            break;
        }
    }
    wy_vec_keep(j->a, &out);
    j->elf->verneed = out.v;
    j->elf->nverneed = out.n;
}

typedef WY_VEC(struct wy_elf_verdef) verdef_vec;

/* One record of DT_VERDEF. Its name is the first auxiliary entry; further ones name parents, which
 * the loader does not use. */
static bool read_definition(struct wy_elf_job *j, struct chain c, verdef_vec *out, uint32_t *next) {
    const unsigned char *p = record(j, &c, VERDEF_BYTES, "DT_VERDEF");
    if (!p)
        return false;
    unsigned version = wy_reader_get16(&j->r, p);
    struct wy_elf_verdef v = {.flags = wy_reader_get16(&j->r, p + 2),
                              .index = wy_reader_get16(&j->r, p + 4),
                              .hash = wy_reader_get32(&j->r, p + 8)};
    uint32_t aux = wy_reader_get32(&j->r, p + 12);
    *next = wy_reader_get32(&j->r, p + 16);
    if (version != 1) {
        wy_elf_problem(j, "unsupported version %u of Verdef record", version);
        if (!j->elf->verdef_odd) {
            j->elf->verdef_odd = version;
            j->elf->verdef_odd_at = out->n;
        }
    }
    if (!step(&c, aux)) {
        wy_elf_problem(j, "DT_VERDEF at byte %llu points past its segment",
                       (unsigned long long)c.at);
        return true;
    }
    p = record(j, &c, VERDAUX_BYTES, "a version's name");
    if (p)
        v.version = wy_elf_string(j, wy_reader_get32(&j->r, p), "a defined version's name");
    if (v.version)
        wy_vec_push(out, v);
    return true;
}

void wy_elf_read_verdef(struct wy_elf_job *j) {
    struct chain c;
    if (!find_table(j, j->elf->verdef_addr, "DT_VERDEF", &c))
        return;
    verdef_vec out = {0};
    uint32_t next;
    for (unsigned i = 0; read_definition(j, c, &out, &next) && next; i++) {
        bool many = i == WY_ELF_MAX_VERSIONS;
        if (many || !step(&c, next)) {
            wy_elf_problem(j,
                           many ? "DT_VERDEF has too many entries before byte %llu"
                                : "DT_VERDEF at byte %llu points past its segment",
                           (unsigned long long)c.at);
            break;
        }
    }
    wy_vec_keep(j->a, &out);
    j->elf->verdef = out.v;
    j->elf->nverdef = out.n;
}
