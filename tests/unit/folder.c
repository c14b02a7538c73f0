#include "folder.h"

#include <ftw.h>
#include <stdio.h>

static int remove_one(const char *path, const struct stat *st, int what, struct FTW *ftw) {
    (void)st, (void)what, (void)ftw;
    return remove(path);
}

int remove_folder(const char *path) {
    return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
