/* The system around an environment: which distribution a tree is, and how a package of its is
 * installed. Other package managers' databases (who owns a file) join here later, one file each,
 * behind the table of families. */
#ifndef WY_SYS_SYS_H
#define WY_SYS_SYS_H

#include "base/error.h"
#include "tree/tree.h"

/* What os-release(5) says. Strings are in the caller's arena, "" when absent. */
struct wy_distro {
    const char *id;      /* "debian", "ubuntu", "rocky"; "linux" is the default of os-release(5) */
    const char *id_like; /* "rhel centos fedora" */
    const char *version_id;                /* "12", "24.04" */
    const char *name;                      /* PRETTY_NAME, for people */
    const struct wy_distro_family *family; /* NULL when unknown */
};

/* Distributions that share a package manager. */
struct wy_distro_family {
    const char *manager;        /* as findings name it: "apt", "dnf", "zypper", "apk", "pacman" */
    const char *ids;            /* os-release IDs that belong to it, space separated */
    const char *label;          /* its mark in the provider table ("debian:…"); "" has none */
    bool vendor_repository;     /* NVIDIA has a package repository for it */
    const char *const *install; /* words before the package names, NULL-terminated */
};

/* Reads <root>/etc/os-release, else <root>/usr/lib/os-release. False when there is neither: the
 * fields are "" then and the family unknown. */
bool wy_distro_read(struct wy_tree *t, struct wy_arena *a, struct wy_distro *ret);

/* One package chosen from the provider table. */
struct wy_distro_package {
    const char *name;
    bool vendor;    /* in NVIDIA's repository, which has to be set up first */
    bool unchecked; /* the table does not vouch for it, or only for a related distribution */
};

/* The packages for this distribution in a field such as
 * "debian:libgl1 | fedora:mesa-libGL | nvidia:cuda-cudart-12-X ?": "label:name" joined by " | ";
 * '?' at the end means unchecked, "(12)" only that release, other remarks in brackets are for
 * people. Entries of the distribution itself come before those of its family (ubuntu:, then
 * debian:), the vendor's last. Names that are no package names, or hold a placeholder ("12-X"), are
 * left out. Returns their number; at most `max` are written. */
size_t wy_distro_pick(const struct wy_distro *d, const char *field, struct wy_arena *a,
                      struct wy_distro_package *ret, size_t max);

#endif
