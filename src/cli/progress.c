/* "whyso: hashing 12 of 345" on stderr: only on a terminal, only when it takes more than half a
 * second, and gone before the answer comes. */
#include "cli/cli.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 500, BETWEEN_MS = 100 };

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void wy_progress_start(struct wy_progress *p, bool wanted) {
    *p = (struct wy_progress){.enabled = wanted && isatty(STDERR_FILENO), .start_ms = now_ms()};
}

void wy_progress_tell(void *progress, const char *step, uint64_t done, uint64_t total) {
    struct wy_progress *p = progress;
    if (!p->enabled || __atomic_exchange_n(&p->busy, 1, __ATOMIC_ACQUIRE))
        return;
    int64_t now = now_ms();
    if (now - p->start_ms >= PATIENCE_MS && now - p->last_ms >= BETWEEN_MS) {
        p->last_ms = now;
        p->visible = true;
        if (total)
            fprintf(stderr, "\r\x1b[Kwhyso: %s, %llu of %llu", step, (unsigned long long)done,
                    (unsigned long long)total);
        else
            fprintf(stderr, "\r\x1b[Kwhyso: %s", step);
    }
    __atomic_store_n(&p->busy, 0, __ATOMIC_RELEASE);
}

void wy_progress_clear(struct wy_progress *p) {
    if (p->visible)
        fputs("\r\x1b[K", stderr);
    p->visible = false;
}

void wy_progress_end(struct wy_progress *p) {
    wy_progress_clear(p);
    p->enabled = false;
}
