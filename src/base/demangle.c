#include "base/demangle.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 64 << 20, LIMIT_MS = 100, LONGEST_RESULT = 64 << 10 };

/* libstdc++ and libc++abi: abi::__cxa_demangle, by its C name (Itanium C++ ABI, 3.4). */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* Address space on top of what the process has: sanitizers reserve terabytes. */
static void limit_memory(void) {
    FILE *statm = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    if (statm && fscanf(statm, "%lu", &pages) == 1) {
        rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ROOM;
        struct rlimit limit = {most, most};
        setrlimit(RLIMIT_AS, &limit);
    }
    if (statm)
        fclose(statm);
}

static _Noreturn void child(const char *mangled, int out) {
    int status = -1;
    limit_memory();
    alarm(1); /* should the parent be gone */
    char *text = __cxa_demangle(mangled, NULL, NULL, &status);
    size_t n = text ? strlen(text) : 0;
    if (status == 0 && n > 0 && n <= LONGEST_RESULT)
        for (size_t at = 0; at < n;) {
            ssize_t wrote = write(out, text + at, n - at);
            if (wrote <= 0)
                break;
            at += (size_t)wrote;
        }
    _exit(0);
}

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads until the child closes its end; false when the time is up first or the text grows too long.
 */
static bool read_all(int in, char *text, size_t *n) {
    int64_t end = now_ms() + LIMIT_MS;
    for (*n = 0;;) {
        struct pollfd p = {.fd = in, .events = POLLIN};
        int64_t left = end - now_ms();
        int ready = left > 0 ? poll(&p, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t got = read(in, text + *n, LONGEST_RESULT + 1 - *n);
        if (got <= 0)
            return got == 0;
        *n += (size_t)got;
        if (*n > LONGEST_RESULT)
            return false;
    }
}

char *wy_demangle(struct wy_arena *a, const char *mangled) {
    int ends[2];
    if (strncmp(mangled, "_Z", 2) != 0 || strlen(mangled) > WY_DEMANGLE_LONGEST || pipe(ends) != 0)
        return NULL;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        child(mangled, ends[1]);
    }
    close(ends[1]);
    wy_auto_free char *text = wy_alloc(LONGEST_RESULT + 1);
    size_t n = 0;
    bool whole = pid > 0 && read_all(ends[0], text, &n);
    close(ends[0]);
    if (pid > 0) {
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    return whole && n ? wy_arena_str(a, (struct wy_str){text, n}) : NULL;
}
