/* Runs a fuzz target over a folder of seeds as an ordinary test: each seed whole, cut off at many
 * lengths, and damaged at places that a fixed generator chooses, so that a run repeats exactly.
 * Usage: replay FOLDER… */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_seed = 1 << 20, cuts = 400, damages = 400 };

/* xorshift64*: small, and the same everywhere. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/* On a copy of exactly `n` bytes, so that the sanitizer sees a read past the end. */
static void run_copy(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy)
        exit(2);
    if (n)
        memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static void run_cut(const uint8_t *seed, size_t n) {
    size_t step = n / cuts + 1;
    for (size_t end = 0; end < n; end += step)
        run_copy(seed, end);
}

static void run_damaged(uint8_t *seed, size_t n, uint64_t *random) {
    static const uint8_t favourites[] = {0, 1, 0x7f, 0x80, 0xff, '\n', ',', '"', '/', '.'};
    for (int i = 0; n && i < damages; i++) {
        size_t at = next_random(random) % n, width = 1 + next_random(random) % 8;
        uint8_t saved[8];
        if (width > n - at)
            width = n - at;
        memcpy(saved, seed + at, width);
        for (size_t k = 0; k < width; k++) {
            uint64_t r = next_random(random);
            seed[at + k] = r & 1 ? favourites[(r >> 8) % sizeof favourites] : (uint8_t)(r >> 16);
        }
        run_copy(seed, n);
        memcpy(seed + at, saved, width);
    }
}

static int run_seed(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    uint8_t *seed = malloc(max_seed);
    if (!f || !seed) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    size_t n = fread(seed, 1, max_seed, f);
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
    fclose(f);
    run_copy(seed, n);
    run_cut(seed, n);
    run_damaged(seed, n, &random);
    free(seed);
    return 1;
}

static int run_folder(const char *folder) {
    int seeds = 0;
    DIR *d = opendir(folder);
    if (!d) {
        fprintf(stderr, "%s: no such folder of seeds\n", folder);
        exit(2);
    }
    for (const struct dirent *e = readdir(d); e; e = readdir(d))
        if (e->d_name[0] != '.')
            seeds += run_seed(folder, e->d_name);
    closedir(d);
    return seeds;
}

int main(int argc, char **argv) {
    int seeds = 0;
    for (int i = 1; i < argc; i++)
        seeds += run_folder(argv[i]);
    printf("%d seeds\n", seeds);
    return seeds ? 0 : 1;
}
