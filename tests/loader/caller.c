/* An object that calls dlopen: its search paths count for bare names. */
#include <dlfcn.h>

#ifdef __GLIBC__
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5"); /* as in driver.c */
#endif

void *call_dlopen(const char *name, int mode);

void *call_dlopen(const char *name, int mode) {
    void *volatile handle =
        dlopen(name, mode); /* no tail call: the return address tells who asks */
    return handle;
}
