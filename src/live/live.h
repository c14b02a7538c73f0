/* Processes that really run. The one room that starts a program of the environment, and only
 * because the user asked for it by name (`whyso verify`). */
#ifndef WY_LIVE_LIVE_H
#define WY_LIVE_LIVE_H

#include "base/error.h"
#include "base/mem.h"

enum wy_live_end {
    WY_LIVE_OK,        /* the import came back */
    WY_LIVE_EXCEPTION, /* it raised */
    WY_LIVE_EXIT,      /* the process ended by itself: `status` */
    WY_LIVE_SIGNAL,    /* a signal ended it: `status` */
    WY_LIVE_TIMEOUT,   /* we ended it */
};

/* One exception; the first is what reaches the user, each next is what the one before came from. */
struct wy_live_raised {
    const char *type, *text;
};

struct wy_live_import {
    enum wy_live_end end;
    int status; /* exit status or number of the signal */
    struct wy_live_raised *chain;
    size_t nchain;
    const char *complaint; /* what was written to stderr, its last 64 KiB */
    /* Names of the loader's own list in its order (glibc's l_name): "" for the program,
     * unnormalised paths for files. Known only for a process that reached the end of the import or
     * an exception. */
    const char **objects;
    size_t nobjects;
    const char *no_objects; /* why there is no list, or NULL */
};

struct wy_live_request {
    const char *python; /* path of the interpreter */
    const char *cwd;
    const char *const *variables; /* "NAME=VALUE", ends with NULL: all that the process gets */
    bool isolated;                /* python -I */
    unsigned seconds;             /* time limit */
};

/* `python -c "import MODULE"` in a fresh process of its own session: no input, output dropped, no
 * core file, no bytecode written (-B). Whatever is left of the session is killed in the end. An
 * error only when no process can be made. Strings are in `a`. */
struct wy_error *wy_live_import(struct wy_arena *a, const struct wy_live_request *r,
                                const char *module, struct wy_live_import *ret);

/* The loader's list of objects of a stopped or waiting process that we may trace; what is wrong, or
 * NULL. */
const char *wy_live_objects(struct wy_arena *a, int pid, const char ***names, size_t *n);

#endif
