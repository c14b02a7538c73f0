/* What musl says of a file. It looks at little: the kind of object, and whether the program headers
 * can be read and name a dynamic section (ldso/dynlink.c, map_library). */
#include "ld/musl.h"

#include <errno.h>

enum { ET_EXEC = 2, ET_DYN = 3 };

static int mapping_error(const struct wy_host *host, const struct wy_image *image) {
    const struct wy_elf *elf = &image->elf;
    if (elf->kind == WY_ELF_UNREADABLE)
        return elf->read_error;
    bool fits = elf->kind == WY_ELF_OK && (elf->type == ET_DYN || elf->type == ET_EXEC);
    if (!fits || !elf->has_dynamic || !elf->nloads)
        return ENOEXEC;
    return ld_holds_no_code(host, image) ? EPERM : 0;
}

void ld_musl_judge(struct wy_ld *ld, struct ld_image *im) {
    if (ld_judge_assumed(im))
        return;
    struct wy_host *host = ld->host;
    im->image = wy_host_image_as_own(host, im->image);
    int err = mapping_error(host, im->image);
    enum wy_hit hit = err ? WY_HIT_FATAL : WY_HIT_TAKEN;
    im->opened = im->mapped = (struct ld_verdict){hit, NULL, err};
    if (err)
        return;
    im->crashes = ld_crashes_mapping(host, im->image);
    im->crashes_late = ld_crashes_later(host, im->image);
    /* "the danger of getting two versions of libc": both names must be there (load_library) */
    im->is_libc = wy_image_exports(host, im->image, "__libc_start_main") &&
                  wy_image_exports(host, im->image, "stdin");
}

const char *ld_musl_refuses(const struct wy_host *host, const struct wy_image *image,
                            enum wy_hit *hit) {
    int err = mapping_error(host, image);
    *hit = WY_HIT_FATAL;
    if (err)
        return ld_musl_strerror(err);
    if (ld_crashes_mapping(host, image) || ld_crashes_later(host, image))
        return "Bus error: the file is shorter than its segments";
    *hit = WY_HIT_TAKEN;
    return NULL;
}
