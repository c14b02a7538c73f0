/* Which program installs here. INSTALLER of the distribution decides (PEP 376, PEP 627); where that
 * is another tool or absent, what made the environment (pyvenv.cfg's `uv` line), then pip. */
#include "plan/plan.h"

static enum wy_installer environments_own(const struct wy_case *c) {
    if (c->world->env.uv)
        return WY_BY_UV;
    /* Most distributions were installed by …: an environment without pip of its own is uv's mostly.
     */
    size_t uv = 0, pip = 0;
    for (size_t i = 0; i < c->world->dists.n; i++) {
        uv += strcmp(c->world->dists.v[i].installer, "uv") == 0;
        pip += strcmp(c->world->dists.v[i].installer, "pip") == 0;
    }
    return uv > pip ? WY_BY_UV : WY_BY_PIP;
}

enum wy_installer wy_plan_installer(const struct wy_case *c, const struct wy_dist *d) {
    const char *name = d ? d->installer : "";
    if (strcmp(name, "uv") == 0)
        return WY_BY_UV;
    if (strcmp(name, "pip") == 0)
        return WY_BY_PIP;
    if (strcmp(name, "conda") == 0)
        return WY_BY_CONDA;
    if (strcmp(name, "debian") == 0 || strcmp(name, "rpm") == 0)
        return WY_BY_SYSTEM;
    return environments_own(c);
}
