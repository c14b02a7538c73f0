#ifndef WY_API_OWNERS_H
#define WY_API_OWNERS_H

#include "api/session.h"

struct wy_owners {
    struct whyso_owner *v;
    size_t n;
};
/* Every package whose RECORD lists the path (absolute), then those of the machine's managers, with
 * what is on disk. */
void wy_owners_of(struct whyso_answer *a, const char *path, const struct wy_place *place,
                  struct wy_owners *ret);

#endif
