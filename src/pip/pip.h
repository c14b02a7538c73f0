/* Python packaging on disk: which environment, its sys.path, its distributions and their records.
 * Nothing is run. */
#ifndef WY_PIP_PIP_H
#define WY_PIP_PIP_H

#include "base/error.h"
#include "base/vec.h"
#include "tree/tree.h"

enum wy_env_kind { WY_ENV_VENV, WY_ENV_CONDA, WY_ENV_SYSTEM, WY_ENV_SITE };
const char *wy_env_kind_word(enum wy_env_kind k); /* "venv", "conda", "system", "site" */

/* What this user may not read, though it belongs to the environment. */
struct wy_hidden {
    const char *path;
    int error; /* errno */
};

/* What is wrong with the interpreter of an environment (rule base-python). */
struct wy_python_problem {
    const char *file; /* path concerned: bin/python, pyvenv.cfg */
    const char *text; /* one phrase: "is a link to /x/python3.11, which does not exist" */
    bool unsure;      /* it may work all the same: a script that starts another interpreter */
};

/* What a .pth file adds to what can be imported: a folder of sys.path, or one module or package
 * that an editable finder of setuptools puts at a path of its own (MAPPING in
 * __editable___NAME_finder.py), which sys.path does not hold. */
struct wy_editable {
    const char *module; /* dotted name; empty for a folder of sys.path */
    const char *path;   /* that folder, package folder or module file, absolute */
    const char *pth;    /* the .pth file, absolute */
};

struct wy_env {
    enum wy_env_kind kind;
    const char *prefix;      /* absolute inside the tree, links not resolved (CONTRACT section 3) */
    const char *python;      /* path of the interpreter as named, NULL when there is none */
    const char *python_real; /* with all links resolved; NULL when dangling or absent */
    struct wy_python_problem problem; /* text == NULL when fine */
    const char *version;     /* "3.11.7" when known to the patch, else "3.11", NULL when unknown */
    unsigned major, minor;   /* 3, 11; 0, 0 when unknown */
    bool free_threaded;      /* 3.13t and the like */
    const char *soabi;       /* "cpython-311-x86_64-linux-gnu"; NULL when unknown */
    const char *base_prefix; /* sys.base_prefix; without a venv the same folder as prefix, but
                                found through the real interpreter, links resolved */
    const char *stdlib;      /* <base>/lib/python3.11; NULL when unknown */
    const char **ext_suffixes; /* in the finder's order: ".cpython-311-….so", ".abi3.so", ".so" */
    size_t next_suffixes;
    const char **sys_path; /* absolute, in order, without the leading ''; only what exists */
    size_t nsys_path;
    const char **site_dirs; /* those of sys_path that are site directories (searched for .pth and
                               dist-info) or hold dist-info all the same (PYTHONPATH to a folder of
                               `pip install --target`), in order; the same directory under two
                               texts once */
    size_t nsite_dirs;
    const char *
        *not_followed; /* .pth files with import lines that `import` has to follow, absolute */
    bool user_site;    /* site.ENABLE_USER_SITE */
    size_t nnot_followed;
    const struct wy_editable *editables; /* in the order of their .pth files */
    size_t neditables;
    const struct wy_hidden *hidden; /* site directories, .pth files, pyvenv.cfg */
    size_t nhidden;
    const char *uv;          /* uv's version from pyvenv.cfg, or NULL */
    bool externally_managed; /* EXTERNALLY-MANAGED in the stdlib folder (PEP 668), and not a venv */
};

struct wy_env_options {
    const char *path;       /* --env: venv, prefix, python executable or site directory; absolute */
    const char *python;     /* --python for a site directory, or NULL */
    const char *pythonpath; /* $PYTHONPATH of the simulated process, or NULL */
    const char *cwd;        /* for relative paths in variables; NULL leaves them out */
    const char *home;       /* $HOME, for the user site; NULL: none */
    const char *user_base;  /* $PYTHONUSERBASE, which takes its place; NULL or empty: not set */
    bool no_user_site;      /* -s, PYTHONNOUSERSITE, --isolated */
    bool isolated;          /* as python -I: no PYTHONPATH, no user site */
    const char *machine_triplet; /* fallback for MULTIARCH, e.g. "x86_64-linux-gnu" */
};

/* Describes the environment at options->path. An error when nothing is there, or it is not an
 * environment, with what was looked for. A missing base interpreter is not an error: see `problem`.
 * All strings are in `a`. */
struct wy_error *wy_env_read(struct wy_tree *t, const struct wy_env_options *options,
                             struct wy_arena *a, struct wy_env *ret);
/* Whether `path` looks like an environment at all: for the choice of section 1. */
bool wy_env_is(struct wy_tree *t, const char *path);

/* One row of a RECORD. */
struct wy_record_row {
    const char *path; /* as it stands in the file ('\' made '/'), relative to the site directory, or
                         absolute */
    struct wy_str hash; /* base64 part of "sha256=…"; empty when there is none */
    int64_t size;       /* bytes, -1 when not given */
};
enum {
    WY_RECORD_MAX_BYTES = 64 << 20,
    WY_RECORD_MAX_ROWS = 2000000,
    WY_METADATA_MAX_BYTES = 4 << 20
};

/* Parses RECORD text by the rules of Python's csv module. Rows go to `ret` (heap vector); `bytes`
 * may be changed in place (unquoting) and must outlive the rows. Returns NULL, or what is wrong
 * (static or in `a`: "line 12: …", the first thing). Rows go on after a row that is wrong in itself
 * (columns, encoding, size) and end at what makes the rest doubtful (NUL, open quote, binary data,
 * limits). bytes[n] must be writable: paths are NUL-terminated in place. */
struct wy_record {
    struct wy_record_row *v;
    size_t n, cap;
};
const char *wy_record_parse(char *bytes, size_t n, struct wy_arena *a, struct wy_record *ret);

/* One installed distribution. */
struct wy_dist {
    const char *name;        /* as METADATA writes it; from the folder's name without METADATA */
    const char *key;         /* normalised: lower case, runs of [-_.] as one '-' (PEP 503) */
    const char *version;     /* "" when unknown */
    const char *site;        /* site directory, absolute */
    const char *info;        /* "<site>/NAME-VERSION.dist-info" (or .egg-info) */
    struct wy_dir *site_dir; /* the site directory in the tree */
    size_t site_index;       /* index in env.site_dirs */
    const char *installer;   /* INSTALLER's first line, "" when absent */
    bool requested;          /* REQUESTED exists */
    bool editable;           /* direct_url.json says editable */
    bool egg;                /* egg-info */
    bool no_metadata;        /* METADATA is missing or unreadable */
    bool no_record;          /* RECORD is missing */
    const char *problem; /* what is wrong with METADATA or RECORD (size, csv, encoding), or NULL */
    const char *requires_python;
    const char **requires; /* Requires-Dist values as written */
    size_t nrequires;
    const char **tags; /* Tag lines of WHEEL */
    size_t ntags;
    bool purelib; /* Root-Is-Purelib: true */
    struct wy_record record;
};
struct wy_dists {
    struct wy_dist *v; /* sorted by key, then site index, then info path */
    size_t n;
    const char **stashes; /* "~name" folders and files left by an interrupted pip, absolute paths */
    size_t nstashes;
};
/* Reads every distribution of the environment's site directories on `threads` threads. Never fails:
 * what is damaged is said in the distribution. Arenas of the workers are adopted by `a`. */
void wy_dists_read(struct wy_tree *t, const struct wy_env *env, unsigned threads,
                   struct wy_arena *a, struct wy_dists *ret);

/* PEP 503 normal form. */
char *wy_dist_key(struct wy_arena *a, struct wy_str name);
/* Whether `key` is the normal form of a name; takes no memory. */
bool wy_dist_key_is(struct wy_str name, const char *key);
/* Valid project name as the contract demands before it may stand in a command. */
bool wy_name_valid(const char *name);
/* Whether a wheel of that tag (PEP 425) is for the environment's Python; *platform: the tag's third
 * part, which is not looked at. */
bool wy_tag_fits_python(struct wy_str tag, const struct wy_env *env, struct wy_str *platform);
/* Valid PEP 440 version. */
bool wy_version_valid(const char *version);

/* One Requires-Dist value, parsed (PEP 508), markers evaluated elsewhere. */
struct wy_requirement {
    const char *name, *key;
    struct wy_str extras;    /* text inside [ ], empty when none */
    struct wy_str url;       /* after '@', empty when there is none */
    struct wy_str specifier; /* "==1.2,<3" without spaces around; empty when none */
    struct wy_str marker;    /* after ';', trimmed; empty when none */
    const char *pinned; /* the version when the specifier is exactly one "==V" without wildcard */
};
/* The slices point into `text` or into `a`. False when it is not a requirement. */
bool wy_requirement_parse(const char *text, struct wy_arena *a, struct wy_requirement *ret);
/* Whether it asks for the package `key`, as far as its name tells; takes no memory. A package may
 * have tens of thousands of requirements: to be asked before they are parsed. */
bool wy_requirement_names(const char *text, const char *key);

/* Whether `version` meets all clauses of a specifier: 1, 0, or -1 when something in it is not PEP
 * 440. An empty one is met. Pre-releases count as any other version. */
int wy_specifier_matches(struct wy_str specifier, const char *version);

/* Values for marker evaluation. */
struct wy_marker_env {
    const char *python_version, *python_full_version,
        *platform_machine; /* "3.11", "3.11.7", "x86_64" */
    const char *extra;     /* the extra asked for, "" for none */
};
/* 1 true, 0 false, -1 cannot be evaluated. An empty marker is true. */
int wy_marker_eval(struct wy_str marker, const struct wy_marker_env *env);

#endif
