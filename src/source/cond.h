/* Conditions that have a known answer without running anything. Private to the room. */
#ifndef WY_SOURCE_COND_H
#define WY_SOURCE_COND_H

#include "source/lex.h"

enum wy_truth { WY_NO, WY_YES, WY_UNKNOWN };

/* The answer of an expression given as its tokens, without the ':' behind it. */
enum wy_truth wy_cond(const struct wy_token *tokens, size_t n, const struct wy_source_env *env);

#endif
