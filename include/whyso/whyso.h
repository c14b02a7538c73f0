/* The public library: one call per command. A session describes what to read; an answer is plain
 * data (result.h) that lives until whyso_answer_free. No call prints anything or ends the process.
 */
#ifndef WHYSO_H
#define WHYSO_H

#include "whyso/result.h"

enum whyso_only { WHYSO_EVERYTHING, WHYSO_ONLY_RESOLVE, WHYSO_ONLY_SYMBOLS, WHYSO_ONLY_IMPORTS };

/* Findings that are not to be reported (CONTRACT section 5). */
struct whyso_ignore {
    const char *rule;
    const char *glob; /* of a package, library or relative file, as fnmatch(3); NULL: any */
};
struct whyso_silence {
    const struct whyso_ignore *ignores;
    size_t nignores;
    const struct whyso_known *known; /* the baseline: reported only when they got worse */
    size_t nknown;
    const char *config; /* the file that told of these, or NULL: only repeated in the answer */
};

struct whyso_options {
    const char *root;      /* NULL: "/" */
    const char *env;       /* absolute path of the environment inside the root */
    const char *chosen_by; /* --env|VIRTUAL_ENV|CONDA_PREFIX|.venv|PATH */
    const char *python;    /* for a site directory, or NULL */
    const char *cwd;       /* absolute inside the root */
    const struct whyso_variable
        *variables; /* of the simulated process, after --clean, --set, --unset */
    size_t nvariables;
    uint32_t uid;
    bool isolated;
    const char *cpu, *driver; /* NULL: look at this machine */
    enum whyso_only only;
    bool hash;                           /* compare all contents with RECORD */
    unsigned threads;                    /* 0: as many as there are processors */
    const struct whyso_silence *silence; /* of check; NULL: report everything */
    bool simulate; /* check: also what comes of the fixes of the first causes (whyso_cause.after) */
    void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /* or NULL */
    void *progress_ctx;
};

/* Owner of all memory of one answer. */
struct whyso_answer;
void whyso_answer_free(struct whyso_answer *a);
/* One line why the question could not be answered, or NULL when the call succeeded. */
const char *whyso_answer_error(const struct whyso_answer *a);
/* Whether `path` (absolute, inside `root`) is an environment: for the choice between places. */
bool whyso_is_environment(const char *root, const char *path);

/* Each returns an answer that the caller frees; *ret points into it, NULL when it failed. */
struct whyso_answer *whyso_check(const struct whyso_options *o, const char *const *subjects,
                                 size_t n, const struct whyso_check **ret);
struct whyso_answer *whyso_why(const struct whyso_options *o, const char *subject,
                               const struct whyso_why **ret);
/* The same for what the last telling line of an error names: `n` bytes of any text. */
struct whyso_answer *whyso_why_said(const struct whyso_options *o, const char *text, size_t n,
                                    const struct whyso_why **ret);
struct whyso_answer *whyso_list(const struct whyso_options *o, const struct whyso_list **ret);
struct whyso_answer *whyso_owner(const struct whyso_options *o, const char *const *paths, size_t n,
                                 const struct whyso_owner_answer **ret);
/* `program` NULL: the environment's python, which first imports `after` (NULL: nothing). Requests
 * as in CONTRACT section 4. */
struct whyso_answer *whyso_load(const struct whyso_options *o, const char *program,
                                const char *after, const char *const *requests, size_t n,
                                const struct whyso_load **ret);
/* `subject`: a module, a file or the name of a library. */
struct whyso_answer *whyso_tree(const struct whyso_options *o, const char *subject,
                                const struct whyso_tree **ret);
/* Runs the environment's own python: each import in a fresh process of at most `seconds`.
 * `announce` is called once, before the first of them. Without modules: all that `check` lists. */
struct whyso_verify_options {
    unsigned seconds;
    void (*announce)(void *ctx, const char *python, size_t imports, unsigned seconds);
    void *announce_ctx;
};
struct whyso_answer *whyso_verify(const struct whyso_options *o,
                                  const struct whyso_verify_options *v, const char *const *modules,
                                  size_t n, const struct whyso_verify **ret);
struct whyso_answer *whyso_rules(const char *rule, const struct whyso_rules **ret); /* NULL: all */

#endif
