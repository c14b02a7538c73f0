/* Python source: whatever the bytes, the lists point inside themselves and lines only grow. */
#include "fuzz.h"

#include "source/source.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static void check_blocks(const struct wy_source_file *f) {
    require(f->nblocks >= 1 && f->blocks[0].kind == WY_BLOCK_MODULE);
    for (size_t i = 1; i < f->nblocks; i++) {
        const struct wy_source_block *b = &f->blocks[i];
        require(b->parent < i && b->of < i);
        require(b->next_handler == 0 || (b->next_handler > i && b->next_handler < f->nblocks &&
                                         f->blocks[b->next_handler].kind == WY_BLOCK_EXCEPT));
        if (b->kind == WY_BLOCK_EXCEPT)
            require(f->blocks[b->of].kind == WY_BLOCK_TRY);
    }
}

static void check_statements(const struct wy_source_file *f) {
    for (size_t i = 0; i < f->nimports; i++) {
        const struct wy_import_stmt *s = &f->imports[i];
        require(s->block < f->nblocks && s->line >= 1);
        require(s->module[0] || (s->from && s->level));
        require(i == 0 || s->line >= s[-1].line);
    }
    for (size_t i = 0; i < f->ndefined; i++)
        require(f->defined[i].block < f->nblocks && f->defined[i].name);
}

static void check(struct wy_str text, unsigned minor) {
    const struct wy_source_env env = {3, minor, "linux"};
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_source_file f;
    wy_source_read(text, &env, &a, &f);
    if (f.nblocks) {
        check_blocks(&f);
        check_statements(&f);
    }
    wy_arena_deinit(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_str text = {(const char *)data, size};
    check(text, 11);
    check(text, 12);
    return 0;
}
