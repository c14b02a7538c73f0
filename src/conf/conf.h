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

/* What a project's file says. All texts are in the arena. */
struct wy_conf {
    const char *file;
    bool found; /* it speaks of whyso: a pyproject.toml need not */
    const struct whyso_ignore *ignores;
    size_t nignores;
    const char *baseline; /* as it stands there, or NULL */
    const char *fail_on;  /* word, not checked, or NULL */
};
/* `file` is whyso.toml, or pyproject.toml, of which the table [tool.whyso] counts. An error names
 * the line. */
struct wy_error *wy_conf_read(struct wy_arena *a, const char *file, struct wy_str text,
                              struct wy_conf *ret);

#endif
