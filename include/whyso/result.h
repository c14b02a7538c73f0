/* The answers of whyso as plain data: what `--format json` prints, field by field (CONTRACT section
 * 3).
 *
 * Text is NUL-terminated bytes, not necessarily UTF-8; NULL is the contract's null. A list is a
 * pointer and a count; empty lists have count 0. Everything belongs to the report that holds it and
 * is freed with it. */
#ifndef WHYSO_RESULT_H
#define WHYSO_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WHYSO_LIST(type)                                                                           \
    struct {                                                                                       \
        type *v;                                                                                   \
        size_t n;                                                                                  \
    }

struct whyso_strings {
    const char **v;
    size_t n;
};

enum whyso_severity { WHYSO_NOTE, WHYSO_WARNING, WHYSO_ERROR };

struct whyso_package_ref {
    const char *name; /* NULL: the whole reference is null */
    const char *version, *site;
};

struct whyso_wanted {
    const char *kind; /* library|version|symbol|file|module|…; NULL: the whole object is null */
    const char *name, *demangled;
};
struct whyso_needer {
    const char *file, *package, *symbol, *version;
};
struct whyso_searched {
    const char *place, *by, *of;
    int entry; /* 1-based, 0 is null */
    const char *result;
};
struct whyso_candidate {
    const char *file, *package;
    const char
        *manager; /* whose package it is: pip|conda|dpkg|apk|pacman|rpm; NULL without package */
    bool chosen;
    const char *why_not;
    struct whyso_strings has, lacks;
};
struct whyso_owner {
    const char *package, *version;
    int64_t size;                               /* bytes as recorded, -1 is null */
    const char *sha256;                         /* hex as recorded, or NULL */
    const char *on_disk;                        /* same|differs|absent|unchecked */
    const char *manager;                        /* pip|conda|dpkg|apk|pacman|rpm */
    const char *architecture, *build, *channel; /* as that manager has them, or NULL */
    const char *state; /* NULL: installed; else the manager's word, e.g. half-installed */
};
struct whyso_provider {
    const char *package, *version, *manager, *state, *because;
};
struct whyso_counts {
    bool set; /* false: null */
    uint64_t recorded, missing, libraries, libraries_missing;
};
struct whyso_part {
    const char *soname, *file, *package;
};
struct whyso_order { /* imports in one process, one after the other */
    struct whyso_strings imports;
    const char *outcome, *message; /* of the last one; message NULL unless it fails */
};
struct whyso_number {
    const char *name;
    double value;
};
struct whyso_breaks {
    struct whyso_strings imports;
    uint64_t files;
};

struct whyso_command {
    struct whyso_strings argv;
    struct whyso_strings env;   /* NAME=VALUE */
    struct whyso_strings needs; /* network|root|index */
};
struct whyso_fix {
    const char *kind; /* install|remove|variable|system|rebuild|manual; NULL: no fix */
    WHYSO_LIST(struct whyso_command) commands;
    const char *text; /* one sentence */
    struct whyso_strings also, avoid;
    const char *sure; /* exact|assumed */
};

struct whyso_finding {
    const char *id, *fingerprint, *cause, *rule;
    enum whyso_severity severity;
    const char *title;
    struct whyso_package_ref package;
    const char *library, *file;
    struct whyso_wanted wanted;
    WHYSO_LIST(struct whyso_needer) needed_by;
    struct whyso_strings chain;
    WHYSO_LIST(struct whyso_searched) searched;
    WHYSO_LIST(struct whyso_candidate) candidates;
    WHYSO_LIST(struct whyso_owner) owners;
    WHYSO_LIST(struct whyso_provider) providers;
    struct whyso_counts counts;
    struct whyso_strings missing;
    WHYSO_LIST(struct whyso_part) parts;
    WHYSO_LIST(struct whyso_order) orders;
    WHYSO_LIST(struct whyso_number) numbers;
    struct whyso_strings because;
    struct whyso_breaks breaks;
    struct whyso_fix fix;
    const char *brief; /* text only: what a row says beside the subject, e.g. "is
                          nvidia-nccl-cu13's"; NULL: made from the counts */
};

/* The same check on the environment as it would be after a fix. */
struct whyso_failing {
    const char *module, *outcome, *message; /* outcome: fails|unknown; message, or why unknown */
};
struct whyso_new {
    const char *fingerprint, *title;
    enum whyso_severity severity;
};
struct whyso_outlook {
    const char *verdict;          /* ok|degraded|broken; NULL: not simulated, all is null */
    bool mended;                  /* none of the findings that it is for is left */
    struct whyso_strings imports; /* of those that were broken, what works then */
    WHYSO_LIST(struct whyso_failing) fails; /* … and what does not */
    WHYSO_LIST(struct whyso_new) news;      /* warnings and errors that were not there before */
    const char *sure;                       /* exact|assumed */
    bool cached; /* text only: the content of what is installed was read in a cache */
};

struct whyso_cause {
    const char *id, *rule;
    enum whyso_severity severity;
    const char *title;
    struct whyso_strings findings;
    struct whyso_breaks breaks;
    struct whyso_fix fix;
    struct whyso_outlook after;
    const char *why; /* text only: one or two sentences on the mechanism, or NULL */
};

struct whyso_swallowed {
    const char *file, *message, *finding;
};
struct whyso_import {
    const char *module;
    struct whyso_package_ref package;
    const char *outcome; /* ok|fails|unknown */
    const char *how;     /* exception|exit|abort|signal, NULL unless it fails */
    const char *message;
    const char *raised_type, *raised_text; /* both NULL: raised is null */
    const char *at, *reason;
    WHYSO_LIST(struct whyso_swallowed) swallowed;
    struct whyso_strings findings, causes;
};

struct whyso_variable {
    const char *name, *value;
};
struct whyso_environment {
    const char *prefix, *kind, *chosen_by, *root;
    bool complete;
    const char *python, *python_real, *python_version, *soabi; /* python NULL: no interpreter */
    const char *libc_kind, *libc_version, *machine;
    struct whyso_strings sys_path;
    const char *cwd;
    uint32_t user;
    WHYSO_LIST(struct whyso_variable) variables; /* those that matter to the loader */
    const char *driver, *cpu;
    uint64_t packages, files, elf, libraries;
};

/* What a rule means. */
struct whyso_rule {
    const char *rule, *severity, *title; /* severity in words, as the contract's table */
    const char *text;                    /* the page, Markdown; only for explain */
};
/* A finding by name: what a baseline lists. */
struct whyso_known {
    const char *fingerprint;
    enum whyso_severity severity;
};
/* What was found and is not reported (struct whyso_silence). */
struct whyso_silenced {
    uint64_t ignored, known;
    const char *config;        /* the project's file that was read, or NULL */
    struct whyso_strings gone; /* of the baseline, no longer found; only when everything was looked
                                  at */
};
struct whyso_check {
    struct whyso_environment environment;
    const char *verdict; /* ok|degraded|broken */
    WHYSO_LIST(struct whyso_import) imports;
    WHYSO_LIST(struct whyso_cause) causes;
    WHYSO_LIST(struct whyso_finding) findings;
    uint64_t errors, warnings, notes, imports_broken;
    WHYSO_LIST(struct whyso_rule) rules; /* of the findings, by name */
    struct whyso_silenced silenced;
    WHYSO_LIST(struct whyso_known) baseline; /* all that is found and not ignored */
};

/* why */
struct whyso_may_open { /* a constant of the file names it; it need not ever be opened */
    const char *name;
    const char *file, *package; /* what the loader would take; NULL: nothing */
};
struct whyso_said {    /* the line of a pasted error that counts */
    const char *line;  /* NULL: nothing was pasted */
    uint64_t number;   /* from 1 */
    const char *means; /* one sentence, or NULL when its form is not known */
    const char *library, *file, *symbol, *version, *module; /* what it names, each or NULL */
    const char *site; /* a folder of packages in the text that is not this environment's, or NULL */
};
struct whyso_brought {         /* a library of a package */
    const char *file, *soname; /* soname NULL: it has none */
};
struct whyso_requirer {
    const char *package, *version, *requirement; /* as its METADATA writes it */
};
struct whyso_overlap { /* paths that another package claims as well */
    const char *package, *version;
    uint64_t files, differ; /* of these, recorded with other content */
};
struct whyso_broken {
    const char *module, *package;
    const char *outcome; /* fails|unknown */
    const char *message; /* or why it is unknown */
};
struct whyso_about_package {
    struct whyso_package_ref package; /* name NULL: the subject is no package */
    bool recorded;                    /* false: no RECORD, so what goes with it is not known */
    uint64_t files;                   /* recorded, without byte code */
    struct whyso_strings modules;     /* importable, top level */
    WHYSO_LIST(struct whyso_brought) libraries;
    WHYSO_LIST(struct whyso_requirer) required_by;
    WHYSO_LIST(struct whyso_overlap) overlaps;
    WHYSO_LIST(struct whyso_broken) breaks; /* imports of others that work now, not without it */
};
struct whyso_why {
    struct whyso_environment environment;
    const char *subject_kind, *subject_name; /* library|file|module|package */
    struct whyso_said said;
    struct whyso_about_package about;
    struct whyso_import import; /* of a module: how it ends; else without module */
    WHYSO_LIST(struct whyso_needer) needed_by;
    WHYSO_LIST(struct whyso_searched) searched; /* for the first needer */
    const char *searched_for; /* file whose search it is; NULL: dlopen from python */
    WHYSO_LIST(struct whyso_candidate) candidates;
    WHYSO_LIST(struct whyso_owner) owners;
    WHYSO_LIST(struct whyso_provider) providers;
    WHYSO_LIST(struct whyso_finding) findings;
    WHYSO_LIST(struct whyso_may_open) may_open; /* of a file */
    struct whyso_strings imports;               /* broken imports that meet it */
    struct whyso_fix fix;                       /* of the first finding's cause */
};

/* list */
struct whyso_listed {
    const char *name, *version, *site, *installer, *generation; /* cu11|cu12|cu13 or NULL */
    const char *state; /* whole|damaged|gutted|overwritten */
    uint64_t libraries;
};
struct whyso_list {
    struct whyso_environment environment;
    WHYSO_LIST(struct whyso_listed) packages;
};

/* owner */
struct whyso_owned {
    const char *path;
    const char *unread; /* a manager that may own it and whose database is not read, or NULL */
    bool exists;
    WHYSO_LIST(struct whyso_owner) owners;
};
struct whyso_owner_answer {
    struct whyso_environment environment;
    WHYSO_LIST(struct whyso_owned) paths;
};

/* load (CONTRACT section 4) */
struct whyso_mapped {
    const char *name, *requested, *by, *found;
};
struct whyso_resolved {
    const char *requested, *by, *name;
};
struct whyso_load_problem {
    const char *kind, *object, *needed_by, *name, *version, *message;
};
struct whyso_step {
    const char *request, *outcome, *message;
    WHYSO_LIST(struct whyso_mapped) mapped;
    WHYSO_LIST(struct whyso_resolved) resolved;
    WHYSO_LIST(struct whyso_load_problem) problems;
};
/* The import that comes before the requests. */
struct whyso_after {
    const char *module;  /* NULL: none was asked for */
    const char *outcome; /* ok|fails|unknown; NULL when the program does not start */
    const char *message; /* what the loader or the import says; NULL unless it fails */
    const char *reason;  /* what was not followed; NULL unless it is unknown */
};
struct whyso_load {
    struct whyso_environment environment; /* prefix NULL when --program was given */
    const char *program_path;
    struct whyso_step program; /* request is unused */
    struct whyso_after after;  /* when it fails, nothing is opened and `steps` is empty */
    WHYSO_LIST(struct whyso_step) steps;
    bool ok;
};

/* tree */
struct whyso_tree_object {
    struct whyso_mapped mapped;
    const char *file;              /* its path as answers show it */
    const char *origin;            /* package|environment|python|system */
    const char *package, *version; /* whose it is, or NULL */
    const char *system_package;    /* that of the machine's own managers, or NULL */
    /* The open that mapped it, with all it needed: for which module (NULL: a library that Python
     * code opens by itself), by which statement (NULL, 0: the question itself), and whether that
     * statement runs in any case. */
    const char *module, *source;
    unsigned line;
    const char *guard; /* must|maybe|caught */
};
struct whyso_tree {
    struct whyso_environment environment;
    const char *subject_kind, *subject_name; /* module|file|library */
    const char *program_path;
    struct whyso_step program;  /* the start of the interpreter; request is unused */
    struct whyso_import import; /* how it ends; for a file or library without module */
    WHYSO_LIST(struct whyso_tree_object) mapped;
};

/* verify */
struct whyso_real_import {
    const char *outcome; /* ok|fails|timeout */
    const char *how;     /* exception|exit|abort|signal, NULL unless it fails */
    int status;          /* of exit, or the number of the signal; else 0 */
    const char *message, *raised_type, *raised_text; /* as in whyso_import */
    const char *no_objects;                          /* why the objects are not known, or NULL */
    uint64_t objects;
};
struct whyso_difference {
    const char *what; /* outcome|how|message|raised|order */
    const char *predicted, *real;
    uint64_t at; /* order: the first object that differs, from 1; else 0 */
};
struct whyso_verified {
    const char *module;
    bool same;
    struct whyso_import predicted; /* findings and causes are left empty */
    struct whyso_real_import real;
    WHYSO_LIST(struct whyso_difference) differences;
    struct whyso_strings missing, extra; /* really mapped and not predicted; the other way round */
};
struct whyso_verify {
    struct whyso_environment environment;
    unsigned timeout; /* seconds */
    WHYSO_LIST(struct whyso_verified) imports;
    uint64_t different;
};

/* rules, explain */
struct whyso_rules {
    WHYSO_LIST(struct whyso_rule) rules;
};

#endif
