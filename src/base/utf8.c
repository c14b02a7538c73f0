#include "base/utf8.h"

unsigned wy_utf8_next(struct wy_str s, uint32_t *ret) {
    const unsigned char *p = (const unsigned char *)s.p;
    if (p[0] < 0x80) {
        *ret = p[0];
        return 1;
    }
    unsigned len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || s.n < len)
        return 0;
    uint32_t v = p[0] & (0x7fu >> len);
    for (unsigned i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        v = v << 6 | (p[i] & 0x3f);
    }
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (v < smallest[len] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
        return 0;
    *ret = v;
    return len;
}
