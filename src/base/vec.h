/* A growing array on the heap: `WY_VEC(struct foo) foos = {0}; *wy_vec_add(&foos) = (struct
 * foo){…};` Free with wy_vec_free, or keep its content in an arena with wy_vec_keep. */
#ifndef WY_BASE_VEC_H
#define WY_BASE_VEC_H

#include "base/mem.h"

#define WY_VEC(type)                                                                               \
    struct {                                                                                       \
        type *v;                                                                                   \
        size_t n, cap;                                                                             \
    }

void *wy_vec_grow_(void *v, size_t *cap, size_t size);
void *wy_vec_keep_(struct wy_arena *a, void *v, size_t bytes);

/* Pointer to a new, uninitialised last item. */
#define wy_vec_add(vec)                                                                            \
    ((vec)->n == (vec)->cap                                                                        \
         ? (void)((vec)->v = wy_vec_grow_((vec)->v, &(vec)->cap, sizeof *(vec)->v))                \
         : (void)0,                                                                                \
     &(vec)->v[(vec)->n++])

#define wy_vec_push(vec, item) (*wy_vec_add(vec) = (item))
#define wy_vec_pop(vec) ((vec)->v[--(vec)->n])
#define wy_vec_free(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)

/* Copies the items into the arena, frees the heap part; the vec's n stays, v is the copy (NULL
 * when empty), cap is 0. The result is a plain array of the arena. */
#define wy_vec_keep(arena, vec)                                                                    \
    ((vec)->v = wy_vec_keep_((arena), (vec)->v, (vec)->n * sizeof *(vec)->v), (vec)->cap = 0)

#endif
