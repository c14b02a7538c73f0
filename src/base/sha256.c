#include "base/sha256.h"
#include "base/mem.h"

#include <openssl/evp.h>

struct wy_sha256 {
    EVP_MD_CTX *ctx;
};

enum { HASH_BYTES = 32, HASH_BASE64 = 43 };

static void hex(const unsigned char *bytes, char ret[65]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < HASH_BYTES; i++) {
        ret[2 * i] = digits[bytes[i] >> 4];
        ret[2 * i + 1] = digits[bytes[i] & 15];
    }
    ret[2 * HASH_BYTES] = '\0';
}

struct wy_sha256 *wy_sha256_create(void) {
    struct wy_sha256 *h = wy_alloc(sizeof *h);
    h->ctx = EVP_MD_CTX_new();
    if (h->ctx)
        EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL);
    return h;
}

void wy_sha256_add(struct wy_sha256 *h, const void *bytes, size_t n) {
    if (h->ctx)
        EVP_DigestUpdate(h->ctx, bytes, n);
}

void wy_sha256_end(struct wy_sha256 *h, char ret[65]) {
    unsigned char bytes[EVP_MAX_MD_SIZE] = {0};
    if (h->ctx)
        EVP_DigestFinal_ex(h->ctx, bytes, NULL);
    hex(bytes, ret);
    EVP_MD_CTX_free(h->ctx);
    free(h);
}

static int value_of(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

bool wy_sha256_from_record(struct wy_str b64, char ret[65]) {
    unsigned char bytes[HASH_BYTES + 1] = {0};
    uint32_t bits = 0;
    unsigned have = 0;
    size_t out = 0;
    if (b64.n != HASH_BASE64)
        return false;
    for (size_t i = 0; i < b64.n; i++) {
        int v = value_of(b64.p[i]);
        if (v < 0)
            return false;
        bits = bits << 6 | (uint32_t)v;
        have += 6;
        if (have >= 8 && out < HASH_BYTES) {
            have -= 8;
            bytes[out++] = (unsigned char)(bits >> have);
        }
    }
    hex(bytes, ret);
    return out == HASH_BYTES;
}
