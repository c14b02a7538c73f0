/* Constants of an extension: whatever the bytes, names are distinct, short and without odd letters.
 */
#include "fuzz.h"

#include "source/extension.h"

#include <stdlib.h>

enum { MOST_COMPARED = 64 }; /* with what is before it */

static bool is_module(void *ctx, const char *name) {
    (void)ctx;
    return strlen(name) % 3 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wy_arena a = WY_ARENA_INIT;
    struct wy_extension s;
    wy_extension_begin(&s, &a);
    wy_extension_add(&s, (struct wy_str){(const char *)data, size});
    wy_extension_end(&s, &a, is_module, NULL);
    for (size_t i = 0; i < s.found.n; i++) {
        const char *name = s.found.v[i].module;
        for (size_t k = i > MOST_COMPARED ? i - MOST_COMPARED : 0; k < i; k++)
            if (strcmp(name, s.found.v[k].module) == 0)
                abort();
        if (!*name || strlen(name) > 255)
            abort();
        for (const char *c = name; *c; c++)
            if (*c != '.' && !wy_extension_is_letter(*c))
                abort();
    }
    wy_extension_deinit(&s);
    wy_arena_deinit(&a);
    return 0;
}
