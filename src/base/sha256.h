#ifndef WY_BASE_SHA256_H
#define WY_BASE_SHA256_H

#include "base/str.h"

/* SHA-256 of a stream (libcrypto's EVP). */
struct wy_sha256;
struct wy_sha256 *wy_sha256_create(void);
void wy_sha256_add(struct wy_sha256 *h, const void *bytes, size_t n);
/* Ends and frees `h`. `ret` gets 64 lower-case hex digits and a NUL. */
void wy_sha256_end(struct wy_sha256 *h, char ret[65]);

/* RECORD writes a hash as urlsafe base64 without padding (PEP 376, wheel spec). Gives the 64 hex
 * digits of a 32-byte hash; false when `b64` is not one. */
bool wy_sha256_from_record(struct wy_str b64, char ret[65]);

#endif
