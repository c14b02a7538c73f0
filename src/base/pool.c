#include "base/pool.h"
#include "base/mem.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 64 };

struct job {
    size_t items;
    atomic_size_t next;
    void (*run)(void *ctx, unsigned worker, size_t item);
    void *ctx;
};
struct worker {
    struct job *job;
    unsigned number;
    pthread_t thread;
};

static void *work(void *arg) {
    struct worker *w = arg;
    size_t item;
    while ((item = atomic_fetch_add(&w->job->next, 1)) < w->job->items)
        w->job->run(w->job->ctx, w->number, item);
    return NULL;
}

void wy_pool_run(unsigned threads, size_t items,
                 void (*run)(void *ctx, unsigned worker, size_t item), void *ctx) {
    struct job job = {.items = items, .run = run, .ctx = ctx};
    struct worker workers[MOST_THREADS];
    unsigned started = 1;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    for (; started < threads && started < items; started++) {
        workers[started] = (struct worker){.job = &job, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    workers[0] = (struct worker){.job = &job, .number = 0};
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
}

struct wy_task {
    void (*run)(void *ctx);
    void *ctx;
    pthread_t thread;
};

static void *run_task(void *arg) {
    struct wy_task *t = arg;
    t->run(t->ctx);
    return NULL;
}

struct wy_task *wy_task_start(void (*run)(void *ctx), void *ctx) {
    struct wy_task *t = wy_alloc(sizeof *t);
    *t = (struct wy_task){.run = run, .ctx = ctx};
    if (pthread_create(&t->thread, NULL, run_task, t) == 0)
        return t;
    free(t);
    return NULL;
}

void wy_task_end(struct wy_task *t) {
    if (t)
        pthread_join(t->thread, NULL);
    free(t);
}

unsigned wy_pool_threads(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (unsigned)n;
}
