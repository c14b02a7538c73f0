/* Machines without levels that a loader asks for. */
#include "host/private.h"

struct wy_cpu wy_cpu_detect(void) {
    return (struct wy_cpu){0};
}
