/* Files that imports will ask for, read on other threads. What a file says depends on nothing but
 * its bytes, so it does not matter who reads it; which files are read ahead is only a guess, from
 * the import statements of those read before. Whatever was not guessed is read when asked for. */
#ifndef WY_IMPORT_AHEAD_H
#define WY_IMPORT_AHEAD_H

#include "import/internal.h"
#include "source/extension.h"

struct wy_ahead;
/* On `threads` threads beside the caller's. NULL with none. */
struct wy_ahead *wy_ahead_start(struct wy_importer *im, unsigned threads);
void wy_ahead_stop(struct wy_ahead *a); /* NULL is accepted; what it gave away ends */

/* A module is going to be imported; the one that is named last is read first. */
void wy_ahead_module(struct wy_ahead *a, const char *name);

/* The syntax tree of a source file; never NULL, see its `problem`. */
struct wy_source_tree *wy_read_source(struct wy_importer *im, const struct wy_place *place);
/* The same of a module in an archive, which is never read ahead. */
struct wy_source_tree *wy_read_member(struct wy_importer *im, const struct wy_spec *spec);
/* The names among the constants of an extension, before wy_extension_end: `ret` lives as long as
 * the importer. */
void wy_read_constants(struct wy_importer *im, const struct wy_place *place,
                       struct wy_extension *ret);

#endif
