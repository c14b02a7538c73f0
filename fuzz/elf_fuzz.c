/* ELF facts: whatever the bytes, what is given out is whole, and look-ups end. */
#include "fuzz.h"

#include "elf/elf.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

/* Reads every byte, so that the sanitizer sees a text that is not one. */
static size_t check_text(const char *s) {
    require(s != NULL);
    return strlen(s);
}

static size_t check_lists(const struct wy_elf *elf) {
    size_t n = 0;
    require(elf->nneeded <= 4096 && elf->nverneed <= 32768 && elf->nverdef <= 32770);
    for (size_t i = 0; i < elf->nneeded; i++)
        n += check_text(elf->needed[i]);
    require(elf->ndlopens <= 256);
    for (size_t i = 0; i < elf->ndlopens; i++) {
        const struct wy_elf_dlopen *d = &elf->dlopens[i];
        require(d->nsonames >= 1 && d->nsonames <= 64);
        for (size_t k = 0; k < d->nsonames; k++)
            n += check_text(d->sonames[k]);
        n += d->feature ? check_text(d->feature) : 0;
        n += d->description ? check_text(d->description) : 0;
    }
    require(elf->nfilters <= 4096);
    for (size_t i = 0; i < elf->nfilters; i++) {
        require(elf->filters[i].nneeded <= elf->nneeded);
        n += check_text(elf->filters[i].name);
    }
    for (size_t i = 0; i < elf->nverneed; i++)
        n += check_text(elf->verneed[i].file) + check_text(elf->verneed[i].version);
    for (size_t i = 0; i < elf->nverdef; i++)
        n += check_text(elf->verdef[i].version);
    return n;
}

static void check_offsets(const struct wy_elf *elf) {
    for (size_t i = 0; i < elf->nloads; i++) {
        uint64_t at, room;
        if (wy_elf_offset(elf, elf->loads[i].vaddr, &at, &room))
            require(at < elf->file_size && room >= 1 && room <= elf->file_size - at);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_str bytes = {(const char *)data, size};
    struct wy_source src = wy_source_memory(&bytes);
    struct wy_elf elf;
    wy_elf_read(&src, &a, &elf);
    require(elf.kind != WY_ELF_UNREADABLE);
    require(elf.kind == WY_ELF_OK || elf.problem);
    check_lists(&elf);
    check_offsets(&elf);
    wy_elf_exports(&src, &elf, "first");
    /* The other hash table as well, which the loader would not look at. */
    elf.has_gnu_hash = false;
    elf.has_sysv_hash = true;
    wy_elf_exports(&src, &elf, "third");
    wy_arena_deinit(&a);
    return 0;
}
