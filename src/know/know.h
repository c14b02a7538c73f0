/* Knowledge as data: the tables of data/, compiled in as text and read once. Adding a line needs no
 * C. Formats are described at the head of each file. */
#ifndef WY_KNOW_KNOW_H
#define WY_KNOW_KNOW_H

#include "base/map.h"
#include "base/vec.h"

struct wy_provider { /* data/providers.tsv */
    const char *soname, *package, *versions, *site_dir, *generation, *conda, *apt, *checked;
};

/* data/preload.rules: which framework supplies the libraries of packages that require it. */
struct wy_preload {
    const char *package; /* normalised name of the distribution */
    const char *module;  /* import name whose start fires the record, e.g. "torch" */
    const char *kind;    /* "supplies" */
    const char *source;
};

/* data/plugins.tsv: files that may fail to load alone in a healthy environment. */
struct wy_plugin {
    const char *package; /* normalised, or "*" */
    const char *file;    /* glob on the file name */
    const char *kind;    /* plug-in | driver | framework */
    const char *source;
};

/* data/variants.tsv: files of which one is enough. */
struct wy_variants {
    const char *package; /* normalised */
    const char *file;    /* glob on the file name: all of them */
    const char *needs;   /* glob on the soname that tells them apart */
    const char *what;    /* what has it, for people */
    const char *system;  /* as wy_provider's apt; NULL: no package of a distribution */
    const char *source;
};

/* data/dlopen.tsv: libraries that other libraries open at run time by name. */
struct wy_dlopen {
    const char *opener;     /* soname (glob) of the one that opens */
    const char *target;     /* soname (glob) */
    const char *importance; /* needed (a user will call it: warning) | optional (note) | newer |
                               driver */
    const char *source;
};

/* data/families.tsv: libraries that belong together, and runtimes of which one is enough. */
struct wy_family {
    const char *family; /* name for people; rows of one family adjoin */
    const char *member; /* soname or file name (glob) */
    const char *kind;   /* parts | runtime | single | witness */
    const char *source;
    const char *then; /* what a user meets, a sentence or two; "-" */
};

/* data/imports.tsv: what a module does that neither its source nor its constants tell. */
struct wy_extension_does {
    const char *module; /* dotted name */
    const char *does;   /* "imports", "tries" …: the head of the file tells */
    const char *what, *source;
    const struct wy_extension_does *next; /* of the same module, in the order of the file */
};

/* data/messages.tsv: lines of errors and what they name. */
enum wy_message_rank { WY_SAID_BY_LOADER, WY_SAID_BY_PYTHON, WY_SAID_BY_FRAMEWORK };
struct wy_message_form {
    const char *pattern; /* text with {names} */
    enum wy_message_rank rank;
    const char *object; /* names of the pattern or module:NAME, the best first, separated by '|' */
    const char *means, *source;
};

/* data/explain/RULE.md: the first line is "# RULE: title", the second "severity: …". */
struct wy_rule_page {
    const char *rule, *title;
    const char *severity; /* what stands behind "severity: " */
    const char *text;     /* the whole page, NUL-terminated, both lines included */
};

struct wy_know {
    struct wy_provider *providers;
    size_t nproviders;
    struct wy_preload *preloads;
    size_t npreloads;
    struct wy_plugin *plugins;
    size_t nplugins;
    struct wy_variants *variants;
    size_t nvariants;
    struct wy_dlopen *dlopens;
    size_t ndlopens;
    struct wy_family *families;
    size_t nfamilies;
    struct wy_extension_does *does;
    size_t ndoes;
    struct wy_message_form *messages; /* in the order of the file */
    size_t nmessages;
    struct wy_rule_page *pages; /* sorted by rule */
    size_t npages;
    struct wy_map does_by_module; /* → its first row of `does` */
    struct wy_map quiet;          /* names of modules: see wy_know_quiet */
    struct wy_map by_soname;      /* soname → its first row; rows of one soname adjoin */
    size_t damaged;               /* lines that were not understood: 0, a test looks */
    struct wy_arena arena;
};

/* Reads the compiled-in tables. Never fails: a damaged line is a build error (checked by a test).
 */
struct wy_know *wy_know_create(void);
void wy_know_destroy(struct wy_know *k);

/* Rows for a soname: first row and *n, or NULL and 0. An "X" as last part of a table soname matches
 * any number; rows of exactly this soname come before such. */
const struct wy_provider *wy_know_providers(const struct wy_know *k, const char *soname, size_t *n);
/* data/imports.tsv: the first row of that module, the others by `next`; NULL. */
const struct wy_extension_does *wy_know_does(const struct wy_know *k, const char *module);
/* data/quiet.tsv: whether functions of that module (dotted name) load nothing. */
bool wy_know_quiet(const struct wy_know *k, const char *module);
/* Whether the library belongs to the GPU driver of the host (generation "driver"). */
bool wy_know_is_driver(const struct wy_know *k, const char *soname);
/* The healthy exception for a file of a package, or NULL. */
const struct wy_plugin *wy_know_plugin(const struct wy_know *k, const char *package_key,
                                       const char *file_name);
/* The family that a library belongs to by its soname or file name: its row, or NULL. */
const struct wy_family *wy_know_family(const struct wy_know *k, const char *name);
/* The page of a rule, or NULL. */
const struct wy_rule_page *wy_know_page(const struct wy_know *k, const char *rule);
/* Shell-style glob with * and ?. */
bool wy_glob(const char *pattern, const char *text);

#endif
