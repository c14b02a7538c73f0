/* What the parts of wy_env_read pass on: one environment while it is being read. */
#ifndef WY_PIP_READING_H
#define WY_PIP_READING_H

#include "pip/pip.h"

struct wy_paths {
    const char **v;
    size_t n, cap;
};

struct wy_reading {
    struct wy_tree *tree;
    const struct wy_env_options *options;
    struct wy_arena *arena;
    struct wy_env *env; /* the result */

    const char *cfg;         /* path of pyvenv.cfg, or NULL */
    const char *home;        /* its `home`: folder of the base interpreter, or NULL */
    const char *cfg_version; /* its `version` or `version_info` */
    bool system_site;        /* include-system-site-packages = true */
    const char *site;        /* the folder itself when the environment is a site directory */

    const char *libdir; /* "lib" or "lib64": sys.platlibdir of the base interpreter */
    const char *suffix; /* ABI letters in "python3.13t": "", "t", "d", "td" */
    bool dist_packages; /* a Debian python: its site module has dist-packages */
    bool local_first;   /* a Fedora python: its site module puts /usr/local in front */

    struct wy_paths sys_path, not_followed;
    unsigned pth_lines;          /* path lines of .pth files so far */
    struct wy_paths added_sites; /* what site.py's addsitedir was called for */
    struct wy_paths site_dirs;
    WY_VEC(struct wy_editable) editables;
    WY_VEC(struct wy_hidden) hidden;
};

/* Small questions about the tree. All take absolute paths. */
bool wy_reading_is(struct wy_reading *r, const char *path, enum wy_ftype type); /* follows links */
bool wy_reading_is_link(struct wy_reading *r, const char *path);
const char *wy_reading_join(struct wy_reading *r, const char *dir, const char *name);
/* Notes `path` as hidden if the error says that something is there but may not be read. */
void wy_reading_hidden(struct wy_reading *r, const char *path, int error);
/* Content of a small text file; empty with p == NULL when it cannot be read. One that is there and
 * may not be read, or is larger than `max`, is noted as hidden. */
struct wy_str wy_reading_text(struct wy_reading *r, const char *path, uint64_t max);

/* Step 1 (locate.c): which kind of environment, its prefix, the interpreter as named, pyvenv.cfg.
 * An error when there is none at options->path. */
struct wy_error *wy_reading_locate(struct wy_reading *r);
/* Step 2 (interpreter.c): real file, version, base prefix, standard library, what is wrong. */
void wy_reading_interpreter(struct wy_reading *r);
/* Step 3 (abi.c): patch version, SOABI and suffixes. */
void wy_reading_patch_version(struct wy_reading *r);
void wy_reading_abi(struct wy_reading *r);
/* Step 4 (syspath.c, pth.c): sys.path, site directories, .pth files. */
void wy_reading_sys_path(struct wy_reading *r);
/* Appends to sys.path what is not there yet; false when it was. What does not exist is left out. */
bool wy_reading_add(struct wy_reading *r, const char *path);
void wy_reading_pth_files(struct wy_reading *r, const char *site);

/* "3.11" or "3.11.7…" at the start of `s` (NUL-terminated); false when it is no such version. */
bool wy_reading_minor(const char *s, unsigned *major, unsigned *minor, const char **end);

#endif
