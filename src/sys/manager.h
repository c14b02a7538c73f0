/* Inside of the room: what one package manager is. A new one is a file with such a record, and its
 * line in the table of packages.c. */
#ifndef WY_SYS_MANAGER_H
#define WY_SYS_MANAGER_H

#include "sys/packages.h"

/* Limits of what is read: more than any machine has, little enough to end. */
enum {
    WY_SYS_FILE_MAX = 64 << 20,  /* bytes of one database file */
    WY_SYS_ALL_MAX = 512 << 20,  /* bytes of all of them in one reading */
    WY_SYS_KEPT_MAX = 1 << 20,   /* paths kept */
    WY_SYS_RECORDS_MAX = 100000, /* packages */
};

/* One reading of the lists. */
struct wy_sys_reading {
    struct wy_tree *tree;
    const char *prefix;     /* of conda; NULL: the root */
    struct wy_arena *arena; /* for packages: lives as long as the wy_sys */
    struct wy_arena texts;  /* for the text at hand: emptied by whoever reads the next */
    uint64_t read;          /* bytes so far */
    const char *unread;     /* set by a manager that is in charge and cannot be read */
    bool zypper;            /* rpm's packages are handled by zypper here, not by dnf */
    void *to;               /* of wy_sys_list */
};

struct wy_sys_manager {
    const char *name;
    struct wy_sys_reinstall reinstall;
    /* Lists every file of every package; nothing when this manager is not there. */
    void (*read)(struct wy_sys_reading *r);
    /* Adds size and hash to a file, where the records have them; or NULL. */
    void (*describe)(struct wy_sys_reading *r, struct wy_sys_file *f);
};

extern const struct wy_sys_manager wy_sys_apk, wy_sys_conda, wy_sys_dpkg, wy_sys_pacman, wy_sys_rpm;

/* A new package of a manager; `record` is the file that tells of it. */
struct wy_sys_package *wy_sys_package(struct wy_sys_reading *r, const struct wy_sys_manager *m,
                                      const char *record);
/* A package has a file: `path` relative to the root or prefix, a leading slash does not matter.
 * What cannot be a path (NUL bytes, too long) is passed over. */
void wy_sys_list(struct wy_sys_reading *r, const struct wy_sys_package *p, struct wy_str path);
/* The same of a folder and a name in it. */
void wy_sys_list_in(struct wy_sys_reading *r, const struct wy_sys_package *p, struct wy_str folder,
                    struct wy_str name);
/* The text of a file below `dir` (NULL: the root) into r->texts; false when it is not there or
 * larger than is read. */
bool wy_sys_text(struct wy_sys_reading *r, struct wy_dir *dir, const char *path,
                 struct wy_str *ret);
/* Whether a text from a database may stand in a command: letters and digits, and behind the first
 * also `marks`. All managers name their packages so. */
#define WY_SYS_NAME_MARKS "+-._"
bool wy_sys_is_fit(struct wy_str s, const char *marks);
/* A copy of a value that may be shown; NULL when it is empty, holds a NUL, or is longer than names
 * and versions are (255 bytes). */
const char *wy_sys_word(struct wy_sys_reading *r, struct wy_str s);

#endif
