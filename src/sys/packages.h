/* Whose a file of the machine is: the databases of package managers, read from disk, nothing
 * started. Nothing is read before the first question, and only names that may matter are kept. */
#ifndef WY_SYS_PACKAGES_H
#define WY_SYS_PACKAGES_H

#include "tree/tree.h"

struct wy_sys; /* all databases below one root */

/* The command that puts an installed package's files back, without the package's name. `as` is how
 * providers name the manager: "apt" for dpkg. */
struct wy_sys_reinstall {
    const char *as;
    const char *const *words; /* NULL-terminated; NULL: the manager was left out of this image */
};

/* One installed package. Strings live as long as the wy_sys. */
struct wy_sys_package {
    const char *manager; /* "dpkg", "apk", "pacman", "rpm", "conda" */
    struct wy_sys_reinstall reinstall;
    const char *name;
    const char *version;         /* as the manager writes it; NULL when its record has none */
    const char *architecture;    /* "amd64", "x86_64", "linux-64"; NULL when it has none */
    const char *state;           /* NULL: installed; else the manager's word ("half-installed") */
    const char *build, *channel; /* conda's; else NULL */
    const char *record;          /* the file that lists what it has */
    const char *prefix;          /* the conda prefix it lies in; NULL: the root */
};

/* A path that a package lists. */
struct wy_sys_file {
    const struct wy_sys_package *package;
    const char *path;   /* as it is listed, absolute, after dpkg's diversions */
    int64_t size;       /* bytes as recorded; -1 when it is not */
    const char *sha256; /* hex as recorded; NULL when it is not */
};

struct wy_sys *wy_sys_create(struct wy_tree *t); /* `t` must outlive it */
void wy_sys_destroy(struct wy_sys *s);

/* The packages that list a path (absolute, of a file or link; whether it is there does not matter),
 * sorted by name. Folders are compared by where they lead, so a list that says /lib/x is found
 * under /usr/lib/x where /lib is a link. In the nearest conda prefix above the path, else in the
 * managers of the root. Returns their number; *ret lives as long as the wy_sys. */
size_t wy_sys_owners(struct wy_sys *s, const char *path, const struct wy_sys_file **ret);

/* Announces that a path will be asked for. Names of libraries need none; for others it saves one
 * reading of the lists each. */
void wy_sys_expect(struct wy_sys *s, const char *path);

/* A manager that is in charge where a path lies, and whose database is not read: "rpm"; or NULL. */
const char *wy_sys_unread(struct wy_sys *s, const char *path);

/* The package as that command names it, in `a`; NULL when its name is not one that the manager
 * could have given: then it may not stand in a command. */
const char *wy_sys_argument(const struct wy_sys_package *p, struct wy_arena *a);

#endif
