/* The parts of the host, one file each. Private to `host`. */
#ifndef WY_HOST_PRIVATE_H
#define WY_HOST_PRIVATE_H

#include "host/host.h"

enum { WY_EM_386 = 3, WY_EM_X86_64 = 62 }; /* e_machine */

/* What the processor can do, as far as loaders ask. All false and 0 on other machines. */
struct wy_cpu {
    unsigned level;       /* of x86-64: 1 to 4 */
    const char *platform; /* glibc's name for an Intel model ("haswell", "xeon_phi"), or NULL */
    bool legacy_avx512_1; /* glibc's legacy hwcap of that name (Intel only) */
};
struct wy_cpu wy_cpu_detect(void);

/* Sets h->cpu, h->cpu_level for a program of that machine (0: not known yet), from the options or
 * this machine. */
void wy_host_set_cpu(struct wy_host *h, uint16_t machine);

struct wy_error *wy_host_find_driver(struct wy_host *h);

/* Reads the cache file at `path` into h->cache unless it is there already; none leaves it empty. */
void wy_host_load_cache(struct wy_host *h, const char *path);

/* Constants compiled into glibc's ld.so: default directories, cache path, $LIB, platform; what the
 * file does not tell comes from a table. `ldso` may be NULL. */
void wy_host_read_glibc(struct wy_host *h, const struct wy_image *ldso);
/* The same for musl: its path file or built-in list. */
void wy_host_read_musl(struct wy_host *h, const struct wy_image *ldso);
/* "2.36" out of "… release version 2.36." in an image's constants, else NULL. */
const char *wy_host_release(struct wy_host *h, const struct wy_image *image);
const char *wy_host_musl_release(struct wy_host *h, const struct wy_image *image);

void wy_images_create(struct wy_host *h);
void wy_images_destroy(struct wy_host *h);
void wy_symbols_create(struct wy_host *h);
void wy_symbols_destroy(struct wy_host *h);

#endif
