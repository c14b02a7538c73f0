/* One package: what it brings, who needs it, who overlaps it, what breaks without it. */
#ifndef WY_API_PACKAGE_H
#define WY_API_PACKAGE_H

#include "api/session.h"

/* Of an examined answer. An error when the environment cannot be read without the package. */
struct wy_error *wy_about_package(struct whyso_answer *a, const struct whyso_options *o,
                                  const struct wy_dist *d, struct whyso_why *w);

#endif
