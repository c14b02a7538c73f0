/* A zip archive as zipimport reads it (CPython 3.11 Lib/zipimport.py): the central directory, and
 * the text of a member. No zip64, no encryption, stored or deflated. */
#ifndef WY_SOURCE_ZIP_H
#define WY_SOURCE_ZIP_H

#include "elf/elf.h"

struct wy_zip_member {
    const char *name; /* with '/'; a folder's ends in one */
    unsigned method;  /* 0 stored, 8 deflated */
    uint64_t at;      /* of its own header, in the file */
    uint32_t packed, size;
};
struct wy_zip {
    struct wy_zip_member *v; /* sorted by name; of several with one name the last in the file */
    size_t n;                /* at most 100,000 */
};

/* NULL, or why it cannot be used. Everything is in `a`. */
const char *wy_zip_read(const struct wy_source *src, struct wy_arena *a, struct wy_zip *ret);
const struct wy_zip_member *wy_zip_find(const struct wy_zip *zip, const char *name);
/* The content of a member of at most `max` bytes, with a NUL behind it that is not counted. NULL,
 * or why it cannot be read. */
const char *wy_zip_text(const struct wy_source *src, const struct wy_zip_member *m, size_t max,
                        struct wy_arena *a, struct wy_str *ret);

#endif
