/* RECORD: whatever the bytes, the rows lie inside them and are usable as they are. */
#include "fuzz.h"

#include "base/vec.h"
#include "pip/pip.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static void check_row(const struct wy_record_row *row, const char *bytes, size_t n) {
    size_t length = strlen(row->path);
    require(length > 0 && row->path >= bytes && row->path + length <= bytes + n);
    require(!strchr(row->path, '\\') && row->size >= -1);
    require(row->hash.n == 0 || (row->hash.p >= bytes && row->hash.p + row->hash.n <= bytes + n));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_record record = {0};
    char *bytes = wy_alloc(size + 1);
    if (size)
        memcpy(bytes, data, size);
    bytes[size] = 'x'; /* the place behind the text is not read */
    const char *problem = wy_record_parse(bytes, size, &a, &record);
    require(!problem || problem[0]);
    for (size_t i = 0; i < record.n; i++)
        check_row(&record.v[i], bytes, size);
    wy_vec_free(&record);
    free(bytes);
    wy_arena_deinit(&a);
    return 0;
}
