/* rpm's own database, "ndb" (openSUSE): Packages.db, all numbers little-endian (rpm 4.18,
 * lib/backend/ndb/rpmpkg.c). A header of 32 bytes, then slots of 16 bytes to the end of so many
 * pages of 4,096; a slot leads to a blob, counted in blocks of 16 bytes. */
#include "sys/rpm.h"

enum { HEADER = 32, PAGE = 4096, SLOT = 16, BLOCK = 16, BLOB_HEADER = 16 };

static void read_blob(struct wy_rpm_file *f, uint32_t package, uint64_t at) {
    uint8_t head[BLOB_HEADER]; /* "BlbS", number of the package, time, length */
    if (!wy_rpm_read(f, at, head, sizeof head) || memcmp(head, "BlbS", 4) != 0 ||
        wy_le32(head + 4) != package)
        return;
    uint32_t n = wy_le32(head + 12);
    if (n > WY_RPM_HEADER_MAX || n > f->size)
        return;
    wy_auto_free uint8_t *bytes = wy_alloc(n ? n : 1);
    if (wy_rpm_read(f, at + BLOB_HEADER, bytes, n))
        f->take(f, bytes, n);
}

/* "Slot", number of the package, first block (0: a free slot), blocks. False where there are no
 * more slots. */
static bool read_slots(struct wy_rpm_file *f, const uint8_t page[PAGE], size_t from) {
    for (size_t at = from; at < PAGE; at += SLOT) {
        const uint8_t *slot = page + at;
        if (memcmp(slot, "Slot", 4) != 0)
            return false;
        if (wy_le32(slot + 8))
            read_blob(f, wy_le32(slot + 4), (uint64_t)wy_le32(slot + 8) * BLOCK);
    }
    return true;
}

bool wy_rpm_ndb(struct wy_rpm_file *f) {
    uint8_t head[HEADER]; /* "RpmP", version, generation, pages of slots */
    if (!wy_rpm_read(f, 0, head, sizeof head) || memcmp(head, "RpmP", 4) != 0 ||
        wy_le32(head + 4) != 0)
        return false;
    uint64_t pages = wy_le32(head + 12);
    for (uint64_t i = 0; i < pages; i++) {
        uint8_t page[PAGE];
        if (!wy_rpm_read(f, i * PAGE, page, sizeof page) || !read_slots(f, page, i ? 0 : HEADER))
            break;
    }
    return true;
}
