/* What a process has mapped, in load order: the loader's own list (r_debug, <link.h>), read from
 * its memory. Nothing is added to the process for it: a list taken inside by dl_iterate_phdr would
 * need ctypes, which maps objects of its own, /proc/PID/maps has no order, and LD_DEBUG would
 * change the variables and is glibc's alone. musl keeps the same list under the same names. */
#include "live/live.h"

#include "base/vec.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_OBJECTS = 20000, MOST_HEADERS = 1024, MOST_DYNAMIC = 1024 };

/* The System V ABI, chapters 4 and 5, and its entries of the auxiliary vector. */
enum { PT_DYNAMIC = 2, PT_PHDR = 6, DT_NULL = 0, DT_DEBUG = 21 };
enum { AT_NULL = 0, AT_PHDR = 3, AT_PHNUM = 5 };
enum { EI_CLASS = 4, EI_NIDENT = 16, ELFCLASS32 = 1 };
enum { PHDR32_SIZE = 32, PHDR32_VADDR = 8, PHDR64_SIZE = 56, PHDR64_VADDR = 16 };

struct memory {
    int fd;
    size_t word; /* bytes of an address in that process */
};

static bool read_word(const struct memory *m, uint64_t at, uint64_t *ret) {
    unsigned char bytes[8] = {0};
    if (pread(m->fd, bytes, m->word, (off_t)at) != (ssize_t)m->word)
        return false;
    if (m->word == 4) {
        uint32_t small;
        memcpy(&small, bytes, sizeof small);
        *ret = small;
    } else {
        memcpy(ret, bytes, sizeof *ret);
    }
    return true;
}

static bool read_word32(const struct memory *m, uint64_t at, uint32_t *ret) {
    return pread(m->fd, ret, sizeof *ret, (off_t)at) == (ssize_t)sizeof *ret;
}

static const char *read_text(struct wy_arena *a, const struct memory *m, uint64_t at) {
    char text[PATH_MAX];
    ssize_t n = at ? pread(m->fd, text, sizeof text, (off_t)at) : 0;
    const char *end = n > 0 ? memchr(text, '\0', (size_t)n) : NULL;
    return end ? wy_arena_str(a, (struct wy_str){text, (size_t)(end - text)}) : "";
}

static int open_proc(int pid, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static bool read_word_size(int pid, size_t *word) {
    unsigned char ident[EI_NIDENT] = {0};
    int fd = open_proc(pid, "exe");
    bool ok = fd >= 0 && read(fd, ident, sizeof ident) == (ssize_t)sizeof ident;
    if (fd >= 0)
        close(fd);
    *word = ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
    return ok;
}

/* Where the program's headers lie, and how many there are: what the kernel told the process. */
static bool read_auxv(int pid, size_t word, uint64_t *headers, uint64_t *n) {
    struct memory m = {open_proc(pid, "auxv"), word};
    uint64_t key = 0, value = 0;
    *headers = *n = 0;
    for (uint64_t at = 0; m.fd >= 0 && read_word(&m, at, &key) && key != AT_NULL; at += 2 * word) {
        if (!read_word(&m, at + word, &value))
            break;
        if (key == AT_PHDR)
            *headers = value;
        else if (key == AT_PHNUM)
            *n = value;
    }
    if (m.fd >= 0)
        close(m.fd);
    return *headers && *n && *n <= MOST_HEADERS;
}

/* The address of the program's dynamic section, 0 when it has none. */
static uint64_t find_dynamic(const struct memory *m, uint64_t headers, uint64_t n) {
    bool is64 = m->word == 8;
    size_t size = is64 ? PHDR64_SIZE : PHDR32_SIZE, vaddr = is64 ? PHDR64_VADDR : PHDR32_VADDR;
    uint64_t bias = 0, dynamic = 0, value;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t type;
        if (!read_word32(m, headers + i * size, &type) ||
            !read_word(m, headers + i * size + vaddr, &value))
            return 0;
        if (type == PT_PHDR)
            bias = headers - value;
        else if (type == PT_DYNAMIC)
            dynamic = value;
    }
    return dynamic ? dynamic + bias : 0;
}

/* DT_DEBUG: the loader puts the address of r_debug there. */
static uint64_t find_debug(const struct memory *m, uint64_t dynamic) {
    uint64_t tag, value = 0;
    for (uint64_t i = 0; i < MOST_DYNAMIC; i++) {
        uint64_t at = dynamic + i * 2 * m->word;
        if (!read_word(m, at, &tag) || tag == DT_NULL || !read_word(m, at + m->word, &value))
            return 0;
        if (tag == DT_DEBUG)
            return value;
    }
    return 0;
}

/* struct link_map begins with l_addr, l_name, l_ld, l_next; r_debug with a version and r_map. */
static const char *read_list(struct wy_arena *a, const struct memory *m, uint64_t debug,
                             const char ***names, size_t *n) {
    WY_VEC(const char *) all = {0};
    uint64_t link = 0, name = 0;
    const char *wrong = NULL;
    if (!read_word(m, debug + m->word, &link))
        wrong = "the loader's list cannot be read";
    while (!wrong && link) {
        if (all.n == MOST_OBJECTS || !read_word(m, link + m->word, &name) ||
            (wy_vec_push(&all, read_text(a, m, name)), !read_word(m, link + 3 * m->word, &link)))
            wrong = "the loader's list is damaged";
    }
    *n = all.n;
    wy_vec_keep(a, &all);
    *names = all.v;
    return wrong;
}

const char *wy_live_objects(struct wy_arena *a, int pid, const char ***names, size_t *n) {
    struct memory m = {.fd = -1};
    uint64_t headers, count;
    *n = 0;
    *names = NULL;
    if (!read_word_size(pid, &m.word) || !read_auxv(pid, m.word, &headers, &count))
        return "/proc does not tell about the process";
    m.fd = open_proc(pid, "mem");
    if (m.fd < 0)
        return "the memory of the process may not be read";
    uint64_t dynamic = find_dynamic(&m, headers, count);
    uint64_t debug = dynamic ? find_debug(&m, dynamic) : 0;
    const char *wrong = debug ? read_list(a, &m, debug, names, n)
                              : "the program has no loader: it is linked statically";
    close(m.fd);
    return wrong;
}
