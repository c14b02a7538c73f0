/* Inside of the room: the containers that rpm keeps its headers in. */
#ifndef WY_SYS_RPM_H
#define WY_SYS_RPM_H

#include "sys/manager.h"

enum { WY_RPM_HEADER_MAX = 32 << 20 }; /* bytes of one package's header; rpm itself takes 256 MiB */

/* Bytes of a database, read piece by piece. */
struct wy_rpm_file {
    struct wy_sys_reading *r;
    struct wy_file *file;
    uint64_t size;
    /* Takes the header of one package; `bytes` end with the call. */
    void (*take)(struct wy_rpm_file *f, const uint8_t *bytes, size_t n);
    const char *record;
    size_t taken; /* headers so far */
};

/* `n` bytes at `offset`, all of them; false when they are not there or too much was read. */
bool wy_rpm_read(struct wy_rpm_file *f, uint64_t offset, void *to, size_t n);

/* Calls f->take for every package. False when the file is not of that kind. What is damaged is
 * passed over. */
bool wy_rpm_sqlite(struct wy_rpm_file *f);
bool wy_rpm_ndb(struct wy_rpm_file *f);

static inline uint32_t wy_be16(const uint8_t *p) {
    return (uint32_t)p[0] << 8 | p[1];
}
static inline uint32_t wy_be32(const uint8_t *p) {
    return wy_be16(p) << 16 | wy_be16(p + 2);
}
static inline uint32_t wy_le32(const uint8_t *p) {
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

#endif
