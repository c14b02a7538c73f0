/* Listing a whole subtree on several threads. */
#include "base/pool.h"
#include "tree/private.h"

struct prefetch {
    pthread_mutex_t mutex;
    pthread_cond_t more; /* a directory was added, or the last worker became idle */
    WY_VEC(struct wy_dir *) todo;
    unsigned busy; /* workers that may still add directories */
};

/* The next directory, or NULL when nothing is left and nobody can add anything. */
static struct wy_dir *take(struct prefetch *p) {
    pthread_mutex_lock(&p->mutex);
    while (!p->todo.n && p->busy)
        pthread_cond_wait(&p->more, &p->mutex);
    struct wy_dir *d = NULL;
    if (p->todo.n) {
        d = wy_vec_pop(&p->todo);
        p->busy++;
    }
    pthread_mutex_unlock(&p->mutex);
    return d;
}

static void give(struct prefetch *p, struct wy_dir **dirs, size_t n) {
    pthread_mutex_lock(&p->mutex);
    for (size_t i = 0; i < n; i++)
        wy_vec_push(&p->todo, dirs[i]);
    p->busy--;
    if (n > 1 || !p->busy)
        pthread_cond_broadcast(&p->more);
    pthread_mutex_unlock(&p->mutex);
}

static void work(void *ctx, unsigned worker, size_t item) {
    struct prefetch *p = ctx;
    struct wy_names names = {0};
    WY_VEC(struct wy_dir *) subs = {0};
    (void)worker;
    (void)item;
    for (struct wy_dir *d; (d = take(p));) {
        const struct wy_listing *l = wy_dir_listing(d, &names);
        subs.n = 0;
        for (uint32_t i = 0; i < l->n; i++)
            if (l->entries[i].type == WY_FT_DIR)
                wy_vec_push(&subs, wy_dir_sub(d, wy_entry_own(&l->entries[i])));
        give(p, subs.v, subs.n);
    }
    wy_vec_free(&subs);
    wy_names_deinit(&names);
}

void wy_tree_prefetch(struct wy_tree *t, struct wy_dir *top, unsigned threads) {
    struct prefetch p = {.mutex = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
    wy_vec_push(&p.todo, top ? top : t->root);
    wy_pool_run(threads ? threads : 1, threads ? threads : 1, work, &p);
    wy_vec_free(&p.todo);
    pthread_cond_destroy(&p.more);
    pthread_mutex_destroy(&p.mutex);
}
