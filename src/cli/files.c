#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>

enum { LARGEST_FILE = 16 << 20 };

struct wy_error *wy_read_named(const char *what, const char *path, struct wy_buf *ret) {
    FILE *f = fopen(path, "re");
    if (!f)
        return wy_errorf("%s %s: %s", what, path, strerror(errno));
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0 && ret->n <= LARGEST_FILE)
        wy_buf_add(ret, piece, n);
    int failed = ferror(f) ? errno : 0;
    fclose(f);
    if (failed)
        return wy_errorf("%s %s: %s", what, path, strerror(failed));
    if (ret->n > LARGEST_FILE)
        return wy_errorf("%s %s: larger than 16 MiB", what, path);
    return NULL;
}

struct wy_error *wy_write_named(const char *path, const struct wy_buf *text) {
    FILE *f = fopen(path, "we");
    bool ok = f && fwrite(text->p, 1, text->n, f) == text->n;
    int error = errno;
    if (f && fclose(f) != 0 && ok) {
        ok = false;
        error = errno;
    }
    return ok ? NULL : wy_errorf("cannot write %s: %s", path, strerror(error));
}
