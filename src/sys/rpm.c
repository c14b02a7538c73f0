/* rpm: that it is in charge is seen; its database (SQLite, Berkeley DB or its own "ndb") is not
 * read. Paths by rpm's macros %_dbpath, which moved to /usr/lib/sysimage/rpm in Fedora 36 and
 * openSUSE. */
#include "sys/manager.h"

static void read_rpm(struct wy_sys_reading *r) {
    static const char *const folders[] = {"/usr/lib/sysimage/rpm", "/var/lib/rpm"};
    static const char *const files[] = {"rpmdb.sqlite", "Packages.db", "Packages"};
    for (size_t i = 0; i < 2; i++) {
        struct wy_dir *dir;
        if (wy_tree_find_dir(r->tree, NULL, folders[i], &dir) != 0)
            continue;
        for (size_t k = 0; k < 3; k++)
            if (wy_dir_get(dir, files[k]))
                r->unread = "rpm";
    }
}

const struct wy_sys_manager wy_sys_rpm = {"rpm", {"dnf", NULL}, read_rpm, NULL};
