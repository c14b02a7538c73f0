/* What the rules share: the index of wanted objects (needs.c) and the making of findings (make.c).
 */
#ifndef WY_RULE_INTERNAL_H
#define WY_RULE_INTERNAL_H

#include "base/path.h"
#include "base/vec.h"
#include "rule/rule.h"

/* One missing object gives exactly one rule, the first that fits (CONTRACT section 3). */
enum wy_want_kind {
    WY_WANT_BAD_FILE,
    WY_WANT_WRONG_MACHINE,
    WY_WANT_WRONG_LIBC,
    WY_WANT_ISA_LEVEL,
    WY_WANT_NOEXEC,
    WY_WANT_GUTTED,
    WY_WANT_BROKEN_LINK,
    WY_WANT_MISSING_FILE,
    WY_WANT_OUT_OF_REACH,
    WY_WANT_GENERATION,
    WY_WANT_DRIVER,
    WY_WANT_MISSING,
    /* it is there, and lacks something: not one of the missing objects */
    WY_WANT_VERSION,
    WY_WANT_SYMBOL,
    WY_WANT_STATIC_TLS,
    WY_WANT_EXEC_STACK,
    WY_WANT_SHADOWED, /* one of the last few, for a copy that comes before the intended one */
    WY_WANT_TOLD,     /* a finding of another kind speaks of it */
};

struct wy_wanter {                  /* one object that needs it, in one process */
    const struct wy_object *needer; /* NULL: the request itself */
    const struct wy_process *state; /* before the open: for the search trace */
    const struct wy_problem *problem;
};

/* One object that the loader was asked for and that it could not give. */
struct wy_want {
    enum wy_want_kind kind;
    const char *name;                 /* soname, or path when asked for by path */
    const struct wy_event *module;    /* an import looked for this recorded module: the first one;
                                         `name` is then the absent file's path */
    const char *file;                 /* the damaged or foreign file; the absent path; or NULL */
    const struct wy_image *image;     /* of the damaged or foreign file, when it is known */
    const struct wy_claimed *claimed; /* the recorded path that is gone or dangles, or is damaged */
    const struct wy_dist *dist;       /* the distribution that has, or should have, it */
    const struct wy_library *reach;   /* OUT_OF_REACH: where it lies */
    const struct wy_library *other;   /* GENERATION: another major of it that lies here */
    const struct wy_shadow *shadow;   /* SHADOWED: by what */
    bool no_init;        /* the file loads, and has no function that makes a module of its name */
    const char *altered; /* what is wrong with a source file that is not as it was installed */
    enum whyso_severity severity;     /* ERROR when an import fails for it, else WARNING or NOTE */
    const struct wy_plugin *plugin;   /* every needer is a known exception: this one */
    WY_VEC(struct wy_wanter) wanters; /* distinct needers, first met first */
    WY_VEC(const char *) imports;     /* failing modules, in their order */
    size_t files;                     /* libraries of the environment that cannot load for it */
};

struct wy_wants {
    WY_VEC(struct wy_want *) all; /* in order of meeting: the loader's order */
    struct wy_map by_name;
    struct wy_map
        absent; /* file name → recorded libraries of that name that are gone (classify.c) */
};

/* Fills the index: every listed import, then every library opened alone that no import reached. */
struct wy_wants *wy_wants_create(struct wy_case *c);
void wy_wants_destroy(struct wy_wants *w);

/* Whether an import, or a library by itself, maps the image without a problem. */
bool wy_wants_reached(const struct wy_wants *w, const struct wy_image *image);

/* ---- classify.c */

/* The recorded libraries that are gone, by file name. */
void wy_absent_index(struct wy_case *c, struct wy_wants *wants);
/* Fills the fields of a new want that say what it is; `state` is the process that met the problem,
 * or NULL. */
void wy_want_classify(struct wy_case *c, const struct wy_wants *wants, struct wy_want *want,
                      const struct wy_problem *p, const struct wy_process *state);
/* Whether the distribution's metadata names the package as one that it needs here. */
bool wy_dist_requires(struct wy_case *c, const struct wy_dist *d, const char *key);
/* Whether anything installed does. */
bool wy_dist_required(struct wy_case *c, const struct wy_dist *d);

/* ---- wrong_libc.c */

/* Whether something is lacking because its needer was built for the other C library. */
bool wy_of_other_libc(const struct wy_case *c, const struct wy_problem *p);
/* The C library that a file was linked with, told by what it needs; UNKNOWN when it names none. */
enum wy_libc wy_linked_with(const struct wy_elf *elf);

/* ---- make.c */

/* Appends to a list of the arena that was made by nothing else: its room is the next power of two,
 * so that it needs no field and a thousand items are not copied a thousand times. */
#define WY_ADD(arena, list, item)                                                                  \
    do {                                                                                           \
        size_t n_ = (list)->n;                                                                     \
        if ((n_ & (n_ - 1)) == 0) {                                                                \
            void *grown_ = wy_arena_alloc((arena), (n_ ? n_ * 2 : 1) * sizeof *(list)->v);         \
            if (n_)                                                                                \
                memcpy(grown_, (list)->v, n_ * sizeof *(list)->v);                                 \
            (list)->v = grown_;                                                                    \
        }                                                                                          \
        (list)->v[n_] = (item);                                                                    \
        (list)->n = n_ + 1;                                                                        \
    } while (0)
/* What the RECORD of a distribution claims and may matter. */
const struct wy_dist_files *wy_files_of(const struct wy_case *c, const struct wy_dist *d);

/* A new finding with its severity; the rule's name and fingerprint come from `rule` and `subject`.
 */
struct wy_finding *wy_make(struct wy_case *c, const char *rule, enum whyso_severity severity,
                           const char *subject);
/* What every finding about a wanted object has: wanted, needed_by, chain, searched, breaks. */
void wy_make_wanted(struct wy_case *c, struct wy_finding *f, const struct wy_want *want);
/* An object that needs or opens it; each file once. */
void wy_make_needer(struct wy_case *c, struct wy_finding *f, const struct wy_object *o);
/* The further wants of one distribution's finding: their needers and what they break. */
void wy_make_more_wants(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d,
                        enum wy_want_kind kind);
/* The worst want of that kind which the distribution causes; the first of equals; or NULL. */
const struct wy_want *wy_first_want(const struct wy_case *c, const struct wy_dist *d,
                                    enum wy_want_kind kind);
/* Whether a library that is gone is one that something installed is known to open later, at a
 * user's call (data/dlopen.tsv, "needed"): by file name, or any of a distribution's absent
 * libraries. */
bool wy_needed_later(const struct wy_case *c, const char *soname);
bool wy_dist_needed_later(const struct wy_case *c, const struct wy_dist *d);
/* Where an import of the distribution works and gives nothing, what a user calls next fails: a
 * warning at least, and the evidence. */
void wy_make_hollow(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d);
void wy_make_dist(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d);
/* What markers are evaluated with here; no extra. */
struct wy_marker_env wy_marker_env_of(struct wy_case *c);
/* The finding of that fingerprint, or NULL. Borrowed until the next wy_make. */
struct wy_finding *wy_reported(const struct wy_case *c, const char *fingerprint);
/* Where the file of `o` was overwritten by another package: that is the cause of `f`, and its
 * repair. False when it was not. */
bool wy_follows_overwriting(struct wy_case *c, struct wy_finding *f, const struct wy_object *o);
/* Where it belongs to a package of the wrong generation: the same. */
bool wy_follows_generation(struct wy_case *c, struct wy_finding *f, const struct wy_object *o);
void wy_make_owners(struct wy_case *c, struct wy_finding *f, const struct wy_claimed *claimed);
void wy_make_counts(struct wy_case *c, struct wy_finding *f, const struct wy_dist *d);
void wy_make_provider(struct wy_case *c, struct wy_finding *f, struct whyso_provider p);
void wy_make_because(struct wy_case *c, struct wy_finding *f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Path as the contract shows it; NULL stays NULL. */
const char *wy_shown(const struct wy_case *c, const char *path);
/* Name of the distribution that owns an object's file, or NULL. */
const char *wy_object_package(const struct wy_case *c, const struct wy_object *o);
/* Facts of the regular file at a path, or NULL. */
const struct wy_image *wy_image_at(struct wy_case *c, const char *path);
/* "1 file", "3 files". */
const char *wy_count(struct wy_arena *a, uint64_t n, const char *one, const char *many);

/* ---- missing_version.c */

/* The versions that a want of that kind lacks; the newest of a list; and the newest ones of the
 * same kind ("GLIBCXX_…") that a file defines, the newest first. */
struct whyso_strings wy_versions_lacking(struct wy_case *c, const struct wy_want *want);
const char *wy_version_newest(const struct whyso_strings *list);
struct whyso_strings wy_versions_defined(struct wy_case *c, const struct wy_image *image,
                                         const char *like);

bool wy_defines_version(const struct wy_image *image, const char *version);

/* ---- provide.c */

/* Who should provide a soname that nothing here has. */
struct wy_provision {
    const char *package, *version; /* NULL version: not known */
    const char *because;           /* "requires-dist" | "table" */
    const char *system;            /* the table's field of system packages, or NULL */
    const char *generation;
    const struct wy_dist *required_by;
};
/* The best answer: a requirement of the needing distribution, else the table row of the
 * environment's own generation. false when nothing is known. */
bool wy_provide(struct wy_case *c, const char *soname, const struct wy_dist *needer,
                struct wy_provision *ret);
/* Whether the metadata of `d` asks for another version of `on` than the installed one: which, in
 * *asked ("2.10.0", or a specifier like ">=2.6"). */
bool wy_made_for_another(struct wy_case *c, const struct wy_dist *d, const struct wy_dist *on,
                         const char **asked);
/* Another package that ships the same library in the same folder (the table's twins), or NULL. */
const char *wy_twin(struct wy_case *c, const char *package_key, const char *soname);

/* ---- changed.c */

/* The object's file, when its size is not the recorded one; or, behind it, one that it needs. NULL:
 * none is known. */
const struct wy_library *wy_changed(struct wy_case *c, const struct wy_object *o);
const struct wy_library *wy_changed_behind(struct wy_case *c, const struct wy_object *o);
/* Says so in the finding: what is missing ("it needs libx.so.1, which is nowhere"), and that the
 * package is to be installed again. */
void wy_make_changed(struct wy_case *c, struct wy_finding *f, const struct wy_library *lib,
                     const char *missing);

/* ---- system.c */

/* Names the packages of the machine's managers in all findings: of candidates, and of the file a
 * finding is about. Last of all, and only where something is named: their lists are long. */
void wy_name_system_owners(struct wy_case *c);
/* Where the loader looked for the library of a finding, an installed package of the system lists
 * it, and it is gone: evidence, provider and remedy. */
bool wy_advise_put_back(struct wy_case *c, struct wy_finding *f, const char *soname);
/* The damaged file is a system package's: the same. */
bool wy_advise_mended(struct wy_case *c, struct wy_finding *f, const char *path);

/* ---- later.c */

/* One library opening another by name, after the import. */
struct wy_later {
    const struct wy_dlopen *row;
    const struct wy_object *opener;
    const char *module; /* the first import, in their order, whose process holds the opener */
    const char *name;   /* what is asked for; the row's pattern when nothing here fits it */
    const struct wy_process *state; /* before */
    const struct wy_open *open;     /* NULL: nothing here fits the pattern */
    bool required;                  /* the opener itself says that it does not work without */
};
struct wy_laters {
    WY_VEC(struct wy_later) v;
    const struct wy_process **after; /* beside the case's runs: with what is opened later; NULL
                                        where the run has no state */
};
/* Made when first asked for. */
const struct wy_laters *wy_laters(struct wy_case *c);

/* ---- foreign.c */

/* An extension for another machine, C library or Python, and the imports that fail because Python
 * does not look at it. */
enum wy_foreign_to { WY_FOREIGN_MACHINE, WY_FOREIGN_LIBC, WY_FOREIGN_PYTHON }; /* first that fits */
struct wy_foreign {
    const struct wy_library *library;
    const struct wy_event *event; /* of the first such import */
    struct whyso_strings imports;
};
void wy_foreign_each(struct wy_case *c, enum wy_foreign_to to,
                     void (*report)(struct wy_case *c, const struct wy_foreign *k));
void wy_make_foreign(struct wy_case *c, struct wy_finding *f, const struct wy_foreign *k);

/* ---- generation.c */

/* The CUDA major that a soname alone stands for (libcudart.so.12, libcudart.so.11.0: 12, 11); 0
 * when it is none of CUDA's or the same in several (libcudnn.so.9, libcusparse.so.12). */
unsigned wy_cuda_of_soname(const struct wy_case *c, const char *soname);
/* That a file was built for: told by its soname, then by what it needs, when that agrees; else 0.
 */
unsigned wy_cuda_of_image(const struct wy_case *c, const struct wy_image *image);
/* That the provider table has for a package, or 0. */
unsigned wy_cuda_of_dist(const struct wy_case *c, const struct wy_dist *d);
/* Of the file, else of the package whose bytes it has. */
unsigned wy_cuda_of_object(const struct wy_case *c, const struct wy_object *o);
/* Packages, beside NVIDIA's own, that need CUDA of that major; at most `most`. */
struct wy_cuda_users {
    struct whyso_strings names;
    struct whyso_strings because; /* of each, a sentence */
};
struct wy_cuda_users wy_cuda_users(struct wy_case *c, unsigned major, size_t most);
/* "a, b and c". */
const char *wy_and(struct wy_arena *a, const struct whyso_strings *list);

/* ---- missing_library.c */

/* A finding about a wanted library that is nowhere, or here in another major only. */
struct wy_finding *wy_report_nowhere(struct wy_case *c, const char *rule,
                                     const struct wy_want *want);

/* ---- variants.c */

/* Whether what is wanted tells variants of the wanting package apart (data/variants.tsv). */
bool wy_tells_variants(const struct wy_case *c, const struct wy_dist *needer, const char *soname);

/* Packages of which no variant loads; what their variants lack is told. */
void wy_report_modules(struct wy_case *c);
void wy_report_variants(struct wy_case *c);

/* ---- the rules */
void wy_rule_missing_version(struct wy_case *c);
void wy_rule_undefined_symbol(struct wy_case *c);
void wy_rule_static_tls(struct wy_case *c);
void wy_rule_dlopen_missing(struct wy_case *c);
void wy_rule_split_family(struct wy_case *c);
void wy_rule_duplicate_runtime(struct wy_case *c);
void wy_rule_missing_library(struct wy_case *c);
void wy_rule_out_of_reach(struct wy_case *c);
void wy_rule_gutted_package(struct wy_case *c);
void wy_rule_missing_file(struct wy_case *c);
void wy_rule_overwritten_file(struct wy_case *c);
void wy_rule_shared_path(struct wy_case *c);
void wy_rule_broken_link(struct wy_case *c);
void wy_rule_bad_file(struct wy_case *c);
void wy_rule_wrong_machine(struct wy_case *c);
void wy_rule_wrong_libc(struct wy_case *c);
void wy_rule_isa_level(struct wy_case *c);
void wy_rule_noexec_mount(struct wy_case *c);
void wy_rule_exec_stack(struct wy_case *c);
void wy_rule_shadowed_library(struct wy_case *c);
void wy_rule_cwd_dependent(struct wy_case *c);
void wy_rule_not_modelled(struct wy_case *c);
void wy_rule_import_order(struct wy_case *c);
void wy_rule_wrong_python(struct wy_case *c);
void wy_rule_driver_missing(struct wy_case *c);
void wy_rule_driver_stub(struct wy_case *c);
void wy_rule_wrong_generation(struct wy_case *c);
void wy_rule_mixed_managers(struct wy_case *c);
void wy_rule_shadowed_module(struct wy_case *c);
void wy_rule_generation_mix(struct wy_case *c);
void wy_rule_unreadable(struct wy_case *c);
void wy_rule_base_python(struct wy_case *c);
void wy_rule_leftover(struct wy_case *c);
void wy_rule_duplicate_package(struct wy_case *c);
void wy_rule_unmet_requirement(struct wy_case *c);
void wy_rule_preload_ignored(struct wy_case *c);

#endif
