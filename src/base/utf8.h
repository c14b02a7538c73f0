#ifndef WY_BASE_UTF8_H
#define WY_BASE_UTF8_H

#include "base/str.h"

/* One code point from the start of `s` (s.n >= 1). Returns its length in bytes (1 to 4) with the
 * value in *ret, or 0 when the first byte begins no well-formed sequence (overlong forms,
 * surrogates and values past 0x10FFFF are not well-formed: RFC 3629). */
unsigned wy_utf8_next(struct wy_str s, uint32_t *ret);

#endif
