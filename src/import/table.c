/* Tables of names: a few entries are a list, many get an index by the address of the name. */
#include "import/value.h"

enum { FEW = 8 };

static uint32_t hash_of(const char *name) {
    uint64_t h = (uint64_t)(uintptr_t)name * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

struct wy_binding *wy_table_find(const struct wy_table *t, const char *name) {
    if (!t->slots) {
        for (struct wy_binding *b = t->first; b; b = b->next)
            if (b->name == name)
                return b;
        return NULL;
    }
    uint32_t mask = t->cap - 1;
    for (uint32_t i = hash_of(name) & mask; t->slots[i]; i = (i + 1) & mask)
        if (t->slots[i]->name == name)
            return t->slots[i];
    return NULL;
}

static void put(struct wy_table *t, struct wy_binding *b) {
    uint32_t mask = t->cap - 1, i = hash_of(b->name) & mask;
    while (t->slots[i])
        i = (i + 1) & mask;
    t->slots[i] = b;
}

static void index_all(struct wy_arena *a, struct wy_table *t) {
    t->cap = t->cap ? t->cap * 4 : 32;
    t->slots = wy_arena_zero(a, t->cap * sizeof(struct wy_binding *));
    for (struct wy_binding *b = t->first; b; b = b->next)
        put(t, b);
}

struct wy_binding *wy_table_make_from(struct wy_arena *a, struct wy_table *t, const char *name,
                                      struct wy_binding **spare) {
    struct wy_binding *b = wy_table_find(t, name);
    if (b)
        return b;
    bool keyed = name[0] == '\1';
    b = spare && !keyed ? *spare : NULL;
    if (b)
        *spare = b->next;
    else if (keyed)
        b = &WY_NEW(a, struct wy_keyed_binding)->binding;
    else
        b = wy_arena_alloc(a, sizeof *b);
    *b = (struct wy_binding){.name = name, .value = WY_UNBOUND};
    if (t->last)
        t->last->next = b;
    else
        t->first = b;
    t->last = b;
    t->n++;
    if (t->slots && t->n * 2 <= t->cap)
        put(t, b);
    else if (t->slots || t->n > FEW)
        index_all(a, t);
    return b;
}

struct wy_binding *wy_table_make(struct wy_arena *a, struct wy_table *t, const char *name) {
    return wy_table_make_from(a, t, name, NULL);
}

void wy_table_recycle(struct wy_table *t, struct wy_binding **spare) {
    if (t->last) {
        t->last->next = *spare;
        *spare = t->first;
    }
    *t = (struct wy_table){0};
}

struct wy_value wy_table_get(const struct wy_table *t, const char *name) {
    const struct wy_binding *b = t ? wy_table_find(t, name) : NULL;
    return b ? b->value : WY_UNBOUND;
}
