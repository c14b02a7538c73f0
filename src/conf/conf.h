/* What a caller keeps beside a project: which findings to leave out, and those already known
 * (CONTRACT section 5). Takes texts; who reads the files says where they lie. */
#ifndef WY_CONF_CONF_H
#define WY_CONF_CONF_H

#include "base/error.h"
#include "base/mem.h"
#include "whyso/whyso.h"

/* RULE or RULE:GLOB. That the rule exists is for the caller to check. */
struct wy_error *wy_conf_ignore(struct wy_arena *a, const char *text, struct whyso_ignore *ret);

/* A baseline as wy_out_baseline writes it; `file` is for messages. Everything is copied into `a`.
 */
struct wy_error *wy_conf_baseline(struct wy_arena *a, const char *file, struct wy_str text,
                                  struct whyso_silence *ret);

#endif
