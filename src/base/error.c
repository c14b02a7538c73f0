#include "base/error.h"
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>

struct wy_error *wy_errorf(const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    struct wy_error *e = wy_alloc(sizeof *e);
    e->message = wy_alloc(n < 0 ? 1 : (size_t)n + 1);
    e->message[0] = '\0';
    if (n > 0)
        vsnprintf(e->message, (size_t)n + 1, format, again);
    va_end(again);
    return e;
}

void wy_error_free(struct wy_error *e) {
    if (e)
        free(e->message);
    free(e);
}
