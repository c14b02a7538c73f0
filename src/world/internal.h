/* Steps of building a world, in the order in which world.c calls them. */
#ifndef WY_WORLD_INTERNAL_H
#define WY_WORLD_INTERNAL_H

#include "base/path.h"
#include "base/vec.h"
#include "world/world.h"

/* claims.c: rows of all RECORDs against the tree. Fills owner_of, claimed, claimed_by_path, files.
 */
void wy_world_claims(struct wy_world *w, bool all);
/* libraries.c: every .so below the site directories, with ELF facts, role, module and owner. */
void wy_world_libraries(struct wy_world *w, unsigned threads);
/* bytes.c: sizes and hashes of what is compared (CONTRACT section 3), then who wrote each library.
 */
void wy_world_bytes(struct wy_world *w, const struct wy_world_options *o);

#endif
