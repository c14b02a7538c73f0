/* The same C++ function with another signature: what a library built against another build of its
 * framework asks for. */
#ifndef WY_RULE_NEAR_MISS_H
#define WY_RULE_NEAR_MISS_H

#include "rule/internal.h"

struct wy_near_miss {
    const struct wy_library *library; /* has the symbol below */
    const char *wanted, *symbol;      /* mangled; the second in the case's arena */
    bool strings;                     /* the string ABI is what differs */
    const char *difference;           /* "another string ABI" | "other parameter types" */
};

/* Looks among the libraries that the object names (DT_NEEDED) and that lie in the environment.
 * False when the wanted name is no C++ function, or none of them has it under another signature. */
bool wy_near_miss_find(struct wy_case *c, const struct wy_object *needer, const char *wanted,
                       struct wy_near_miss *ret);

/* Length of the part of a mangled name that says which function it is, without its parameters: the
 * prefix up to and with the nested name's E, or the whole source name (Itanium C++ ABI, 5.1). 0
 * when it is none. */
size_t wy_mangled_name(struct wy_str s);

#endif
