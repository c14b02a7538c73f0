/* Work over a range of independent items on several threads. */
#ifndef WY_BASE_POOL_H
#define WY_BASE_POOL_H

#include <stddef.h>

/* Calls run(ctx, worker, item) once for each item 0 … items-1, from up to `threads` threads
 * (worker is 0 … threads-1; one worker's calls never overlap). Items are handed out in order.
 * Returns when all are done. Works on the calling thread alone if threads cannot be started. */
void wy_pool_run(unsigned threads, size_t items,
                 void (*run)(void *ctx, unsigned worker, size_t item), void *ctx);

/* Work that goes on beside the caller's, on one thread. NULL when none can be started: then nothing
 * is run. */
struct wy_task;
struct wy_task *wy_task_start(void (*run)(void *ctx), void *ctx);
/* Waits for its end and frees it; NULL is accepted. */
void wy_task_end(struct wy_task *t);

/* Processors this process may use, at least 1, at most 64. */
unsigned wy_pool_threads(void);

#endif
