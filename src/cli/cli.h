/* The program: one call is parsed, answered and printed. main.c is its map. */
#ifndef WY_CLI_CLI_H
#define WY_CLI_CLI_H

#include "base/buf.h"
#include "base/error.h"
#include "base/vec.h"
#include "out/out.h"
#include "whyso/whyso.h"

enum { WY_STATUS_OK = 0, WY_STATUS_FOUND = 1, WY_STATUS_FAILED = 2 };

enum wy_colour { WY_COLOUR_AUTO, WY_COLOUR_ALWAYS, WY_COLOUR_NEVER };

/* --clean, --set, --unset, --env-file: applied in the order given. */
struct wy_setting {
    enum wy_setting_kind { WY_CLEAN, WY_SET, WY_UNSET, WY_ENV_FILE } kind;
    const char *text; /* VAR=VALUE, VAR, or a path; NULL for WY_CLEAN */
};

/* One line on stderr while it takes long. */
struct wy_progress {
    bool enabled, visible;
    int64_t start_ms, last_ms;
    int busy; /* taken by one thread at a time, the others go on */
};

/* A parsed command line. Texts are borrowed from argv. */
struct wy_call {
    struct wy_arena arena;
    const struct wy_command *command; /* NULL: none was named */
    WY_VEC(const char *) args;
    const char *env, *root, *python, *cwd, *cpu, *driver, *program, *after, *report;
    bool isolated, hash, help, version;
    enum whyso_only only;
    unsigned threads; /* 0: as many as there are processors */
    unsigned timeout; /* seconds, for what is really run */
    enum wy_out_format format;
    int fail_on; /* enum whyso_severity, or above all of them: never; -1: not said */
    enum wy_colour colour;
    int verbosity;
    WY_VEC(struct wy_setting) settings;
    WY_VEC(struct whyso_ignore) ignores;
    const char *baseline, *write_baseline, *config;
    struct whyso_silence silence; /* what of both the library gets */
    struct wy_progress progress;
};

struct wy_option {
    char letter;       /* 0: none */
    const char *name;  /* without "--"; NULL: only the letter */
    const char *value; /* what it is called in help; NULL: takes none */
    const char *help;  /* NULL: the contract names it, but it does not exist yet */
    struct wy_error *(*set)(struct wy_call *c, const char *value);
};

struct wy_command {
    const char *name;
    const char *usage;               /* what follows the name */
    const char *line;                /* what it answers, in one line */
    const char *text;                /* more for its own help */
    const char *examples;            /* whole lines */
    const struct wy_option *options; /* its own, ends with an empty one; NULL: none */
    size_t min_args, max_args;
    bool for_ci; /* also prints sarif and github, and writes a baseline */
    /* Adds the answer to `out` and sets the exit status. NULL: does not exist yet. */
    struct wy_error *(*run)(struct wy_call *c, struct wy_buf *out, int *status);
};
extern const struct wy_command wy_commands[]; /* ends with an empty one (main.c) */
const struct wy_command *wy_command_find(const char *name);

/* options.c */
extern const struct wy_option wy_global_options[];
extern const struct wy_option wy_load_options[];
extern const struct wy_option wy_verify_options[];
struct wy_error *wy_call_parse(struct wy_call *c, int argc, char **argv);
void wy_call_deinit(struct wy_call *c);
/* A word of --fail-on. */
struct wy_error *wy_call_fail_on(struct wy_call *c, const char *word);

/* suggest.c: ", did you mean X?" for the nearest of the names added, or "". */
struct wy_suggestion {
    const char *given, *best;
    size_t distance;
};
void wy_suggest_try(struct wy_suggestion *s, const char *name);
/* `dashes` stands before the name ("--" or ""). */
const char *wy_suggest_text(const struct wy_suggestion *s, struct wy_arena *a, const char *dashes);

/* help.c */
void wy_help_program(struct wy_buf *out);
void wy_help_command(struct wy_buf *out, const struct wy_command *c);

/* place.c: everything the library wants to know about what to read; chooses the environment when
 * `needs_env`. Belongs to the call's arena. */
struct wy_error *wy_call_options(struct wy_call *c, bool needs_env, struct whyso_options *ret);
/* A path of the command line, made absolute (inside the root, if there is one). */
const char *wy_call_path(struct wy_call *c, const char *path);
/* A path of the command line on this machine, whatever the root. */
const char *wy_call_here(struct wy_call *c, const char *path);
/* An argument that may be a file: with a slash, or "file:PATH". Others stay as they are. */
const char *wy_call_subject(struct wy_call *c, const struct whyso_options *o, const char *arg);
/* All arguments of the call; as many as c->args has. */
const char **wy_call_subjects(struct wy_call *c, const struct whyso_options *o);
/* A file that is asked about: as the caller's folder has it, else as the environment has it, since
 * answers print paths that way. */
const char *wy_call_file(struct wy_call *c, const struct whyso_options *o, const char *arg);

/* pyenv.c: the interpreter that pyenv's shim `path` would start, by pyenv's files; NULL when it is
 * no such shim or the next one on PATH counts. */
const char *wy_pyenv_resolve(struct wy_arena *a, const char *path, const char *cwd);

/* config.c: the project's file, read once the environment is chosen. */
struct wy_error *wy_call_config(struct wy_call *c, const struct whyso_options *o);

/* silence.c: what --ignore and --baseline say, read and checked. */
struct wy_error *wy_call_silence(struct wy_call *c, struct whyso_options *ret);
/* The error of a rule's name that no rule has. */
struct wy_error *wy_rule_unknown(struct wy_call *c, const char *name);

/* files.c: those that the command line names. `what` is for messages: "--baseline FILE". */
struct wy_error *wy_read_named(const char *what, const char *path, struct wy_buf *ret);
struct wy_error *wy_write_named(const char *path, const struct wy_buf *text);

/* variables.c */
struct wy_error *wy_call_variables(struct wy_call *c, struct whyso_options *ret);

/* print.c */
void wy_call_style(struct wy_call *c, struct wy_out_style *ret);
/* Writes all to stdout. An error without text means that nobody reads any more. */
struct wy_error *wy_print_all(const struct wy_buf *out);
/* "whyso: MESSAGE" on stderr. */
void wy_complain(const char *message);
/* Makes sure that no file we open becomes stdin, stdout or stderr. */
void wy_hold_descriptors(void);

/* progress.c */
void wy_progress_start(struct wy_progress *p, bool wanted);
void wy_progress_tell(void *progress, const char *step, uint64_t done, uint64_t total);
/* Takes the line away; the next step writes it again. */
void wy_progress_clear(struct wy_progress *p);
void wy_progress_end(struct wy_progress *p);

/* Ends the progress line; the error of an answer that failed (`ok` false), which it frees. */
struct wy_error *wy_call_answered(struct wy_call *c, struct whyso_answer *a, bool ok);
/* Status for the worst severity found (-1: nothing). */
int wy_call_status(const struct wy_call *c, int worst);

struct wy_error *wy_cmd_check(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_why(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_list(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_owner(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_load(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_tree(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_verify(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_explain(struct wy_call *c, struct wy_buf *out, int *status);
struct wy_error *wy_cmd_rules(struct wy_call *c, struct wy_buf *out, int *status);

#endif
