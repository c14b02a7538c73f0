/* The judge's hand: opens its arguments in order with the machine's own loader and prints one line
 * for each: "ok", "none" or "error TEXT", then "new NAME" for every object that was mapped, in link
 * map order. Prefixes as in ldprobe: lazy:, global:, deep:, noload:, by=PATH: (an object with
 * call_dlopen). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* It runs under the C libraries of other releases as well, so it asks for the oldest versions and
 * starts without the files of the compiler. */
#ifdef __GLIBC__
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5\n"
        ".symver dlsym, dlsym@GLIBC_2.2.5\n"
        ".symver dlerror, dlerror@GLIBC_2.2.5\n");
#endif
#ifndef RTLD_DEEPBIND /* musl has none */
#define RTLD_DEEPBIND 0
#endif
__asm__(".globl _start\n"
        "_start: xor %ebp, %ebp\n"
        "mov %rsp, %rdi\n"
        "and $-16, %rsp\n"
        "call begin\n");

enum { MAX = 4096 };
static const void *known[MAX];
static int nknown;

static int is_known(const void *base) {
    for (int i = 0; i < nknown; i++)
        if (known[i] == base)
            return 1;
    return 0;
}

static int show(struct dl_phdr_info *info, size_t size, void *first) {
    (void)size;
    /* a file of a few bytes may be mapped where another was before, so the headers tell */
    if (is_known(info->dlpi_phdr))
        return 0;
    if (nknown < MAX)
        known[nknown++] = info->dlpi_phdr;
    if (!*(int *)first || (*info->dlpi_name && strcmp(info->dlpi_name, "linux-vdso.so.1") != 0))
        printf("new %s\n", info->dlpi_name);
    return 0;
}

static int prefix(const char **s, const char *word) {
    size_t n = strlen(word);
    if (strncmp(*s, word, n) != 0)
        return 0;
    *s += n;
    return 1;
}

typedef void *opener(const char *, int);

static opener *caller_of(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    opener *f = handle ? (opener *)dlsym(handle, "call_dlopen") : NULL;
    if (!f) {
        printf("nocaller %s\n", path);
        exit(3);
    }
    return f;
}

static void run(int argc, char **argv) {
    int first = 1;
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("start\n");
    dl_iterate_phdr(show, &first);
    first = 0;
    for (int i = 1; i < argc; i++) {
        const char *s = argv[i];
        int mode = RTLD_NOW;
        opener *open = NULL;
        for (;;) {
            if (prefix(&s, "lazy:")) {
                mode = (mode & ~RTLD_NOW) | RTLD_LAZY;
            } else if (prefix(&s, "global:")) {
                mode |= RTLD_GLOBAL;
            } else if (prefix(&s, "deep:")) {
                mode |= RTLD_DEEPBIND;
            } else if (prefix(&s, "noload:")) {
                mode |= RTLD_NOLOAD;
            } else if (prefix(&s, "by=")) {
                char path[4096];
                size_t n = strcspn(s, ":");
                snprintf(path, sizeof path, "%.*s", (int)n, s);
                open = caller_of(path);
                s += n + 1;
            } else {
                break;
            }
        }
        printf("open %s\n", s);
        errno = 0; /* musl's texts show what was left in it */
        void *handle = open ? open(s, mode) : dlopen(s, mode);
        const char *text = handle ? NULL : dlerror();
        if (handle)
            printf("ok\n");
        else if (text)
            printf("error %s\n", text);
        else
            printf("none\n"); /* RTLD_NOLOAD: it is not in memory */
        dl_iterate_phdr(show, &first);
    }
    printf("end\n");
}

void begin(long *stack);

/* `stack`: as the kernel leaves it. */
void begin(long *stack) {
    run((int)stack[0], (char **)(stack + 1));
    exit(0);
}
