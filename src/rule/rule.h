/* Rules: world and runs in, findings out. One file per rule; rules.c is the list. A rule opens
 * nothing itself. */
#ifndef WY_RULE_RULE_H
#define WY_RULE_RULE_H

#include "import/import.h"
#include "whyso/result.h"

/* What would mend a finding; the plan room turns it into commands of the right installer. */
enum wy_remedy_kind {
    WY_REMEDY_NONE,      /* nothing to do, or nothing known: `text` says so */
    WY_REMEDY_REINSTALL, /* the distribution, same version, by force and without dependencies */
    WY_REMEDY_REPLACE,   /* remove `other`, then put the files of `dist` back by force */
    WY_REMEDY_EXCHANGE,  /* remove `other`, then install a package that is not there: name, version
                          */
    WY_REMEDY_REFIT,     /* whichever version of `dist` fits `other` as it is installed */
    WY_REMEDY_INSTALL,   /* a package that is not there: name, version or NULL */
    WY_REMEDY_SYSTEM,    /* a package of the distribution: names in `packages` */
    WY_REMEDY_REMOVE,    /* files or folders */
    WY_REMEDY_VARIABLE,  /* NAME=VALUE to start with; without VALUE: NAME is taken away */
    WY_REMEDY_REBUILD,   /* another build of the package: words only */
    WY_REMEDY_MANUAL,    /* only words */
};
struct wy_remedy {
    enum wy_remedy_kind kind;
    const struct wy_dist *dist; /* REINSTALL, REFIT: which */
    bool other_wheel; /* REINSTALL: what was installed is not for this Python or machine */
    const struct wy_dist *other; /* REPLACE, EXCHANGE, REFIT */
    const char *name, *version;  /* INSTALL, EXCHANGE; VARIABLE: its name and value; SYSTEM with
                                    `package`: its file that is not as it was */
    const char
        *system_packages; /* SYSTEM: the provider table's field, e.g. "debian:libgl1 | fedora:…" */
    const struct wy_sys_package *package; /* SYSTEM: put the files of this one back; or NULL */
    const char *text;                     /* one sentence; NULL: the plan writes one */
    const char *avoid;                    /* what not to do, and why; or NULL */
    const char *also;                     /* another way, or NULL */
};

struct wy_finding {
    struct whyso_finding f; /* id, cause and fix are filled later */
    struct wy_remedy remedy;
    const char *why; /* the mechanism in one or two sentences, for people; or NULL */
    const struct wy_dist *dist;
    const char *follows; /* fingerprint of the finding without which this one would not be; or NULL:
                            they have one cause, and its repair */
};

/* One followed import with what it met. */
struct wy_case {
    struct wy_world *world;
    struct wy_importer *importer;
    struct wy_ld *ld;
    const struct wy_run **runs; /* of the listed modules, in their order */
    size_t nruns;
    bool resolve_only; /* no imports are followed: what a required framework has counts as loaded */
    bool runs_only;    /* look only at what these runs meet, not at every library by itself */
    const struct wy_library **also; /* with runs_only: these libraries by themselves too */
    size_t nalso;
    WY_VEC(struct wy_finding) findings;
    struct wy_arena *arena;         /* for everything findings point to */
    struct wy_wants *wants;         /* private to the room: needs.c */
    const struct wy_laters *laters; /* private to the room: later.c */
    bool gave_up;                   /* not every library was opened: that took too many steps */
};

struct wy_rule {
    const char *name;
    void (*run)(struct wy_case *c);
};
struct wy_wants;
extern const struct wy_rule wy_rules[]; /* ends with a NULL name */

/* Runs all rules in their order. */
void wy_rules_run(struct wy_case *c);
/* Appends to a list of the arena that these two alone have made; the second only what is not in it
 * yet. */
void wy_strings_add(struct wy_arena *a, struct whyso_strings *list, const char *s);
void wy_strings_add_new(struct wy_arena *a, struct whyso_strings *list, const char *s);
/* The requirement of `d` on the package `key` that applies here without any extra, as its METADATA
 * writes it, or NULL. */
const char *wy_dist_requirement(struct wy_case *c, const struct wy_dist *d, const char *key);
/* CUDA generation of a distribution, told by the sonames its libraries have or need: "cu12", or
 * NULL. With NULL: of the environment. */
const char *wy_generation(struct wy_case *c, const struct wy_dist *d);
/* The path an object was opened under, as the contract shows it; the interpreter's for the program
 * itself. */
const char *wy_object_shown(struct wy_case *c, const struct wy_object *o);
/* A search as the contract shows it, in the case's arena. */
struct wy_shown_search {
    struct whyso_searched *v;
    size_t n;
    const char *taken; /* path of the file the loader takes, as it spells it; or NULL */
};
void wy_show_search(struct wy_case *c, const struct wy_process *state, const char *name,
                    const struct wy_object *needer, struct wy_shown_search *ret);
/* One row of a RECORD, or of a list of the machine's managers, as an owner of a file. */
struct whyso_owner wy_owner_by_record(struct wy_arena *a, const struct wy_dist *d,
                                      const struct wy_record_row *row, enum wy_bytes bytes);
struct whyso_owner wy_owner_by_system(const struct wy_world *w, const struct wy_sys_file *f);
/* Fills package and manager of a copy that is no pip package's. */
void wy_name_candidate(const struct wy_world *w, struct wy_arena *a, struct whyso_candidate *k);
/* Frees what wy_rules_run made beside the arena. */
void wy_case_deinit(struct wy_case *c);

/* Why an import's outcome is not known although it does not fail: it maps a damaged file, or a file
 * beside an extension that cannot be imported. NULL when there is no such reason. */
const char *wy_case_unknown(struct wy_case *c, const struct wy_run *run);

#endif
