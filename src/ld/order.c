/* The order of relocation: what an object needs comes before it (elf/dl-sort-maps.c). Only new
 * objects are looked at: what was there before is relocated, and needs nothing new. */
#include "ld/internal.h"

enum { DFS_MINOR = 35 }; /* glibc 2.35 sorts by a depth-first walk */
/* Steps of the old way, which grow with the cube of the objects: then the rest stays as it is. */
enum { MOST_STEPS = 50000000 };

typedef WY_VEC(uint32_t) id_vec;

struct frame {
    uint32_t member;
    size_t next; /* of its needs */
};
struct sorter {
    const struct ld_work *w;
    bool *visited;
    WY_VEC(struct frame) stack;
    id_vec out;
};

static void enter(struct sorter *s, uint32_t member) {
    if (s->visited[member] || !s->w->members.v[member].fresh)
        return;
    s->visited[member] = true;
    wy_vec_push(&s->stack, ((struct frame){member, 0}));
}

/* An object is done when all it needs is; the ones it needs come in their order. */
static void visit(struct sorter *s, uint32_t member) {
    enter(s, member);
    while (s->stack.n) {
        struct frame *top = &s->stack.v[s->stack.n - 1];
        const struct ld_member *m = &s->w->members.v[top->member];
        if (top->next < m->nneeds) {
            enter(s, s->w->needs.v[m->needs + top->next++]);
        } else {
            wy_vec_push(&s->out, top->member);
            s->stack.n--;
        }
    }
}

/* The walk starts from the end of the search list; the root is the last whoever needs it
 * (_dl_sort_maps_dfs). */
static void sort_dfs(struct sorter *s) {
    const struct ld_work *w = s->w;
    s->visited[w->root] = true;
    for (size_t i = w->list.n; i-- > 0;)
        visit(s, w->list.v[i]);
    if (w->members.v[w->root].fresh)
        wy_vec_push(&s->out, w->root);
    wy_vec_free(&s->stack);
}

static bool needs(const struct ld_work *w, uint32_t who, uint32_t what, size_t *steps) {
    const struct ld_member *m = &w->members.v[who];
    *steps += m->nneeds + 1;
    for (size_t i = 0; i < m->nneeds; i++)
        if (w->needs.v[m->needs + i] == what)
            return true;
    return false;
}

/* Behind the last one that needs it, again and again; a circle is left when an object has come to
 * the same place too often (_dl_sort_maps_original). */
static void sort_old(struct sorter *s) {
    const struct ld_work *w = s->w;
    id_vec v = {0};
    for (size_t i = 0; i < w->list.n; i++)
        if (w->members.v[w->list.v[i]].fresh && w->list.v[i] != w->root)
            wy_vec_push(&v, w->list.v[i]);
    uint16_t *seen = wy_alloc0(v.n + 1, sizeof *seen);
    size_t steps = 0;
    for (size_t i = 0; v.n > 1 && i < v.n && steps < MOST_STEPS;) {
        uint32_t id = v.v[i];
        size_t k = v.n - 1;
        seen[i]++;
        while (k > i && !needs(w, v.v[k], id, &steps))
            k--;
        if (k > i) {
            memmove(&v.v[i], &v.v[i + 1], (k - i) * sizeof *v.v);
            v.v[k] = id;
            if (seen[i + 1] <= v.n - i) {
                uint16_t times = seen[i];
                memmove(&seen[i], &seen[i + 1], (k - i) * sizeof *seen);
                seen[k] = times;
                continue;
            }
        }
        i++;
        memset(&seen[i], 0, (v.n - i) * sizeof *seen);
    }
    free(seen);
    for (size_t i = v.n; i-- > 0;)
        wy_vec_push(&s->out, v.v[i]);
    if (w->members.v[w->root].fresh)
        wy_vec_push(&s->out, w->root);
    wy_vec_free(&v);
}

void ld_sort(const struct ld_work *w, uint32_t **ret, size_t *n) {
    struct sorter s = {.w = w, .visited = wy_alloc0(w->members.n + 1, sizeof *s.visited)};
    unsigned minor = w->ld->host->libc_minor;
    if (minor && minor < DFS_MINOR)
        sort_old(&s);
    else
        sort_dfs(&s);
    free(s.visited);
    *ret = s.out.v;
    *n = s.out.n;
}
