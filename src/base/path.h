/* Paths as text: nothing here looks at a file system. */
#ifndef WY_BASE_PATH_H
#define WY_BASE_PATH_H

#include "base/mem.h"

/* `name` if it is absolute, else `dir` + '/' + `name` (no double slash; dir "" gives name). */
char *wy_path_join(struct wy_arena *a, const char *dir, const char *name);
/* The part before the last slash: "/" for "/x", "" when there is no slash. */
char *wy_path_dir(struct wy_arena *a, const char *path);
/* After the last slash: borrowed from `path`. */
const char *wy_path_base(const char *path);
/* Without ".", empty parts and ".." taken textually; ".." above "/" stays at "/". For a relative
 * path, leading ".." parts are kept; "" becomes ".". */
char *wy_path_clean(struct wy_arena *a, const char *path);
/* If `path` is `dir` or lies textually below it: the part below (borrowed; "" for equal), else
 * NULL. */
const char *wy_path_below(const char *path, const char *dir);
/* NAME.so or NAME.so.N[.N…], as the contract counts libraries. */
bool wy_path_is_so(const char *name);

#endif
