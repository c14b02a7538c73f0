/* Pasted errors: whatever the bytes, what is named lies in the line, and the line in the text. */
#include "fuzz.h"

#include "said/said.h"

static void require(bool promise) {
    if (!promise)
        abort();
}

static void require_inside(struct wy_str part, struct wy_str whole) {
    require(part.p >= whole.p && part.n <= whole.n &&
            (size_t)(part.p - whole.p) <= whole.n - part.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct wy_know *know;
    if (!know)
        know = wy_know_create();
    char *bytes = wy_alloc(size ? size : 1); /* no byte behind the text */
    if (size)
        memcpy(bytes, data, size);
    struct wy_str text = {bytes, size};
    struct wy_said said;
    wy_said_read(know, text, &said);
    if (said.line.p)
        require_inside(said.line, text);
    for (size_t i = 0; i < WY_SAID_NAMES; i++)
        if (said.names[i].p) {
            require(said.names[i].n > 0);
            require_inside(said.names[i], said.line);
        }
    if (said.site.p) {
        require_inside(said.site, text);
        require(said.site.p[0] == '/');
    }
    free(bytes);
    return 0;
}
