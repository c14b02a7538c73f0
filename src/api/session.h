/* One answer's memory and machinery: what every command opens first. */
#ifndef WY_API_SESSION_H
#define WY_API_SESSION_H

#include "plan/plan.h"
#include "whyso/whyso.h"

struct whyso_answer {
    struct wy_arena arena;
    char *error; /* NULL when the call succeeded */
    struct wy_tree *tree;
    struct wy_know *know;
    struct wy_world *world;
    struct wy_host *host; /* only without a world: `load --program` */
    struct wy_ld *ld;
    struct wy_importer *importer;
    struct wy_task *ahead; /* reads symbol tables while imports are followed */
    struct wy_case rules;  /* what the rules found */
    struct wy_plan plan;
    struct whyso_silenced silenced;
    WHYSO_LIST(struct whyso_known) baseline; /* all findings that are not ignored */
};

struct whyso_answer *wy_answer_new(void);
/* Takes the error over: the answer says it. Returns whether there was one. */
bool wy_answer_fails(struct whyso_answer *a, struct wy_error *e);

/* Tree, knowledge, world, loader, importer. */
struct wy_error *wy_session_open(struct whyso_answer *a, const struct whyso_options *o);
/* The same on a tree that the answer has already. */
struct wy_error *wy_session_on_tree(struct whyso_answer *a, const struct whyso_options *o);
/* Starts to read all symbol tables beside what comes next. For commands that open nearly all. */
void wy_session_read_ahead(struct whyso_answer *a, const struct whyso_options *o);
/* Tree, host and loader alone, for a program without Python. */
struct wy_error *wy_session_program(struct whyso_answer *a, const struct whyso_options *o,
                                    const char *program);
void wy_session_environment(struct whyso_answer *a, const struct whyso_options *o,
                            struct whyso_environment *ret);

/* What a command is asked about (CONTRACT section 1, "Arguments"). */
enum wy_subject_kind { WY_SUBJECT_FILE, WY_SUBJECT_LIBRARY, WY_SUBJECT_MODULE, WY_SUBJECT_PACKAGE };
struct wy_subject {
    enum wy_subject_kind kind;
    const char *name;                 /* path, soname, dotted name or distribution name */
    const struct wy_dist *dist;       /* PACKAGE */
    const struct wy_library *library; /* FILE in the environment */
    struct wy_place place;            /* FILE that exists */
};
struct wy_error *wy_subject_read(struct whyso_answer *a, const struct whyso_options *o,
                                 const char *text, struct wy_subject *ret);
/* A path argument: as given, below the cwd, or below the prefix (as whyso prints it). */
const char *wy_subject_path(struct whyso_answer *a, const struct whyso_options *o, const char *text,
                            struct wy_place *place, bool *exists);

/* What one open did, and one object it mapped; `program` is the path of the main object (load.c).
 */
void wy_fill_step(struct whyso_answer *a, const char *program, const struct wy_open *open,
                  struct whyso_step *s);
struct whyso_mapped wy_fill_mapped(const char *program, const struct wy_object *o);
/* How an import that was examined ends, as `imports` of the contract has it; findings and causes
 * are left empty (check.c). */
void wy_fill_import(struct whyso_answer *a, const struct wy_run *run, struct whyso_import *im);

/* What the worst finding means: ok|degraded|broken. */
const char *wy_session_verdict(const struct whyso_answer *a);

/* Runs the listed imports (or those of the subjects), the rules and the plan. */
struct wy_error *wy_session_examine(struct whyso_answer *a, const struct whyso_options *o,
                                    const char *const *subjects, size_t n);

#endif
