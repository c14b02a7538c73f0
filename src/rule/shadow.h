/* Copies of a library from elsewhere that the loader takes before the one that is meant. */
#ifndef WY_RULE_SHADOW_H
#define WY_RULE_SHADOW_H

#include "rule/internal.h"

struct wy_shadow {
    const char *soname;           /* what is asked for */
    const char *taken;            /* the copy that comes first, as the loader spells it */
    const struct wy_image *image; /* of that copy */
    enum wy_found by;             /* LD_LIBRARY_PATH, PRELOAD, CACHE or DEFAULT */
    const struct wy_object *needer;
    const char *intended; /* the copy that would be taken otherwise */
    const struct wy_image *intended_image;
    const struct wy_library *library; /* that copy, when it is the environment's; or NULL */
};

/* The copy that serves a need (a soname of DT_NEEDED) of an object comes from outside of the
 * environment, and another would be taken in its place: the next that the same search finds, else
 * the copy that a package of the environment has. */
bool wy_shadow_of_need(struct wy_case *c, const struct wy_process *state, const char *soname,
                       const struct wy_object *needer, struct wy_shadow *ret);
/* The same for an object that was mapped. */
bool wy_shadow_of_object(struct wy_case *c, const struct wy_process *state,
                         const struct wy_object *o, struct wy_shadow *ret);
/* The shadow behind a version or a symbol that is lacking, or behind the need of a library that
 * only the shadowing copy has. NULL: there is none, or the intended copy lacks it as well. */
const struct wy_shadow *wy_shadow_behind(struct wy_case *c, const struct wy_problem *p,
                                         const struct wy_process *state);

/* Whether a path leads to something that is no part of the environment. */
bool wy_outside(struct wy_case *c, const char *path);
bool wy_by_variable(const struct wy_shadow *s); /* LD_LIBRARY_PATH or LD_PRELOAD brings it */
/* 1-based element of LD_LIBRARY_PATH that has the file; 0 when none is its folder. */
int wy_library_path_entry(struct wy_case *c, const char *file);
/* LD_LIBRARY_PATH without that element, or NULL when nothing is left. */
const char *wy_library_path_without(struct wy_case *c, int entry);

#endif
