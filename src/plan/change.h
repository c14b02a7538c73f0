/* What the commands of a fix change in an environment, and the tree as it is afterwards. Reads
 * caches of installers; writes nothing. */
#ifndef WY_PLAN_CHANGE_H
#define WY_PLAN_CHANGE_H

#include "base/vec.h"
#include "rule/rule.h"
#include "tree/overlay.h"

enum wy_change_kind {
    WY_CHANGE_REMOVE,   /* `dist` is uninstalled: every path of its RECORD, whoever wrote it last */
    WY_CHANGE_PUT_BACK, /* `dist` is installed once more, the same version, by force */
    WY_CHANGE_INSTALL,  /* a package that is not there: `name`, `version` or NULL */
    WY_CHANGE_SYSTEM,   /* the library `name` comes into the loader's folders, or the file `name` to
                           its place */
    WY_CHANGE_VARIABLE, /* the process starts with `name` set to `version`; NULL: without it */
};
struct wy_change {
    enum wy_change_kind kind;
    const struct wy_dist *dist;
    bool other_wheel; /* PUT_BACK: the one for this Python and machine, not the one that is there */
    const char *name, *version;
};
struct wy_changes {
    struct wy_change *v;
    size_t n, cap;
    struct wy_map suspects; /* shown paths that findings name: their bytes are not trusted */
};
void wy_changes_deinit(struct wy_changes *c);

/* Adds what the repair of one finding changes, each change once. False when that is not known:
 * words only, or a version that the installer chooses. */
bool wy_changes_add(struct wy_changes *c, const struct wy_finding *f);
/* Removals first, since they delete what others share; then what is put back, what is new, the
 * system, variables. Of one kind in the order of adding. */
void wy_changes_sort(struct wy_changes *c);

/* How much of the content of promised files is known. */
struct wy_promises {
    size_t cached;  /* files whose content is in a cache */
    size_t assumed; /* files of which only the name is known */
};

/* Makes `l` hold the first `n` changes, in their order. False when one of them cannot be told: a
 * package whose files are listed nowhere. Texts that the layer borrows are in `c->arena`. */
bool wy_changes_layer(const struct wy_case *c, const struct wy_changes *all, size_t n,
                      struct wy_layer *l, struct wy_promises *ret);

#endif
