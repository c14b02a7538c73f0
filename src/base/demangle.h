/* C++ names for people. The reference demangler can expand a 250-byte name to half a gigabyte, so
 * it runs in a child process with 64 MiB and 100 ms. */
#ifndef WY_BASE_DEMANGLE_H
#define WY_BASE_DEMANGLE_H

#include "base/mem.h"

enum { WY_DEMANGLE_LONGEST = 1024 }; /* bytes of a mangled name; longer ones stay as they are */

/* The readable form of a mangled C++ name (Itanium ABI, "_Z…"), in `a`; NULL when it is none, is
 * too long, or cannot be had within the limits. */
char *wy_demangle(struct wy_arena *a, const char *mangled);

#endif
