/* Conditions that have a known answer without running anything. Private to the room. */
#ifndef WY_SOURCE_COND_H
#define WY_SOURCE_COND_H

#include "base/map.h"
#include "source/lex.h"

enum wy_truth { WY_NO, WY_YES, WY_UNKNOWN };

/* The answer of an expression given as its tokens, without the ':' behind it. `names` maps names of
 * the module that are bound to one constant only to its token (const struct wy_token *). */
enum wy_truth wy_cond(const struct wy_token *tokens, size_t n, const struct wy_source_env *env,
                      const struct wy_map *names);

#endif
