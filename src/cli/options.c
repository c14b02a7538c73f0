/* The command line, against two tables: the options everywhere and those of the command. */
#include "cli/cli.h"
#include "conf/conf.h"

static struct wy_error *one_of(const char *option, const char *value, const char *const *words,
                               size_t *ret) {
    wy_auto_buf all = {0};
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0) {
            *ret = i;
            return NULL;
        }
        wy_buf_printf(&all, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
    return wy_errorf("%s takes %s, not '%s'", option, wy_buf_text(&all), value);
}

static struct wy_error *not_yet(const char *option, const char *value, const char *const *words) {
    for (size_t i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0)
            return wy_errorf("%s %s does not exist yet", option, value);
    return NULL;
}

#define SETTER(name) static struct wy_error *name(struct wy_call *c, const char *value)
/* A setter that only keeps its text. */
#define KEEP(name, field)                                                                          \
    SETTER(name) {                                                                                 \
        c->field = value;                                                                          \
        return NULL;                                                                               \
    }
/* A setter of a flag. */
#define FLAG(name, field)                                                                          \
    SETTER(name) {                                                                                 \
        (void)value;                                                                               \
        c->field = true;                                                                           \
        return NULL;                                                                               \
    }

KEEP(set_env, env)
KEEP(set_root, root)
KEEP(set_python, python)
KEEP(set_cwd, cwd)
KEEP(set_program, program)
KEEP(set_after, after)
KEEP(set_report, report)
KEEP(set_baseline, baseline)
KEEP(set_config, config)
KEEP(set_write_baseline, write_baseline)
FLAG(set_isolated, isolated)
FLAG(set_hash, hash)
FLAG(set_help, help)
FLAG(set_version, version)

SETTER(set_clean) {
    wy_vec_push(&c->settings, ((struct wy_setting){WY_CLEAN, value}));
    return NULL;
}

SETTER(set_set) {
    const char *eq = strchr(value, '=');
    if (!eq || eq == value)
        return wy_errorf("--set takes VAR=VALUE, not '%s'", value);
    wy_vec_push(&c->settings, ((struct wy_setting){WY_SET, value}));
    return NULL;
}

SETTER(set_unset) {
    if (!*value || strchr(value, '='))
        return wy_errorf("--unset takes the name of a variable, not '%s'", value);
    wy_vec_push(&c->settings, ((struct wy_setting){WY_UNSET, value}));
    return NULL;
}

SETTER(set_env_file) {
    wy_vec_push(&c->settings, ((struct wy_setting){WY_ENV_FILE, value}));
    return NULL;
}

SETTER(set_driver) {
    static const char *const words[] = {"auto", "none", "assume", NULL};
    if (wy_starts(value, "assume:") && value[strlen("assume:")])
        c->driver = value;
    else {
        size_t i = 0;
        WY_TRY(one_of("--driver", value, words, &i));
        c->driver = i ? words[i] : NULL;
    }
    return NULL;
}

SETTER(set_cpu) {
    if (!*value)
        return wy_errorf("--cpu takes a level, for example x86-64-v3");
    if (wy_starts(value, "x86-64")) {
        static const char *const words[] = {"x86-64-v1", "x86-64-v2", "x86-64-v3", "x86-64-v4",
                                            NULL};
        size_t i = 0;
        if (strcmp(value, "x86-64") == 0)
            value = words[0];
        WY_TRY(one_of("--cpu", value, words, &i));
    }
    c->cpu = value;
    return NULL;
}

SETTER(set_only) {
    static const char *const words[] = {"resolve", "symbols", "imports", NULL};
    static const enum whyso_only steps[] = {WHYSO_ONLY_RESOLVE, WHYSO_ONLY_SYMBOLS,
                                            WHYSO_ONLY_IMPORTS};
    size_t i = 0;
    WY_TRY(one_of("--only", value, words, &i));
    c->only = steps[i];
    return NULL;
}

SETTER(set_format) {
    static const char *const later[] = {"dot", "html", "sh", NULL};
    static const char *const words[] = {"text", "json", "ndjson", "sarif", "github", NULL};
    size_t i = 0;
    WY_TRY(not_yet("--format", value, later));
    WY_TRY(one_of("--format", value, words, &i));
    c->format = (enum wy_out_format)i;
    return NULL;
}

struct wy_error *wy_call_fail_on(struct wy_call *c, const char *word) {
    static const char *const words[] = {"note", "warning", "error", "never", NULL};
    size_t i = 0;
    WY_TRY(one_of("fail-on", word, words, &i));
    c->fail_on = (int)i; /* the order of enum whyso_severity */
    return NULL;
}

SETTER(set_fail_on) {
    return wy_call_fail_on(c, value);
}

SETTER(set_ignore) {
    struct whyso_ignore one = {0};
    WY_TRY(wy_conf_ignore(&c->arena, value, &one));
    wy_vec_push(&c->ignores, one);
    return NULL;
}

SETTER(set_color) {
    static const char *const words[] = {"auto", "always", "never", NULL};
    size_t i = 0;
    WY_TRY(one_of("--color", value, words, &i));
    c->colour = (enum wy_colour)i;
    return NULL;
}

SETTER(set_quiet) {
    (void)value;
    c->verbosity = -1;
    return NULL;
}

SETTER(set_verbose) {
    (void)value;
    c->verbosity = c->verbosity < 0 ? 1 : c->verbosity + 1;
    return NULL;
}

SETTER(set_threads) {
    uint64_t n = 0;
    if (!wy_str_u64(wy_str_of(value), 1024, &n) || n == 0)
        return wy_errorf("-j takes a number of threads from 1 to 1024, not '%s'", value);
    c->threads = (unsigned)n;
    return NULL;
}

SETTER(set_timeout) {
    uint64_t n = 0;
    if (!wy_str_u64(wy_str_of(value), 86400, &n) || n == 0)
        return wy_errorf("--timeout takes seconds from 1 to 86400, not '%s'", value);
    c->timeout = (unsigned)n;
    return NULL;
}

const struct wy_option wy_global_options[] = {
    {'e', "env", "PATH", "environment: venv, conda prefix, python or site-packages", set_env},
    {0, "python", "EXE", "the interpreter that goes with a site-packages folder", set_python},
    {0, "root", "DIR", "treat DIR as / (unpacked image, mounted disk)", set_root},
    {0, "clean", NULL, "the simulated process starts without variables", set_clean},
    {0, "set", "VAR=VALUE", "… with this variable", set_set},
    {0, "unset", "VAR", "… without this variable", set_unset},
    {0, "env-file", "FILE", "… with the VAR=VALUE lines of FILE", set_env_file},
    {0, "cwd", "DIR", "… in this working directory", set_cwd},
    {0, "isolated", NULL, "… as python -I", set_isolated},
    {0, "driver", "WHICH", "GPU driver: auto, none, assume, assume:VERSION", set_driver},
    {0, "cpu", "LEVEL", "CPU level, for example x86-64-v3", set_cpu},
    {0, "only", "STEP", "stop after: resolve, symbols, imports", set_only},
    {0, "hash", NULL, "compare the contents of every file with RECORD", set_hash},
    {'f', "format", "F", "text (default), json, ndjson; check: sarif, github", set_format},
    {0, "fail-on", "LEVEL", "exit 1 from: error (default), warning, note, never", set_fail_on},
    {0, "config", "FILE", "instead of the nearest whyso.toml or pyproject.toml", set_config},
    {0, "ignore", "RULE[:GLOB]", "check: leave these findings out", set_ignore},
    {0, "baseline", "FILE", "check: report only what FILE does not list", set_baseline},
    {0, "write-baseline", "FILE", "check: list in FILE what is found", set_write_baseline},
    {0, "color", "WHEN", "auto (default), always, never", set_color},
    {'q', NULL, NULL, "less text", set_quiet},
    {'v', NULL, NULL, "more text", set_verbose},
    {'j', NULL, "N", "number of threads", set_threads},
    {'h', "help", NULL, "this, or the help of the command", set_help},
    {0, "version", NULL, "the version", set_version},
    /* Named by the contract, not there yet. */
    {0, "image", "FILE", NULL, NULL},
    {0, "via", "CMD", NULL, NULL},
    {0, "pid", "PID", NULL, NULL},
    {0, "kernel", "V", NULL, NULL},
    {0},
};

const struct wy_option wy_load_options[] = {
    {0, "program", "EXE", "the program that opens; needs no Python", set_program},
    {0, "after", "MODULE", "the process first imports MODULE", set_after},
    {0},
};

const struct wy_option wy_verify_options[] = {
    {0, "timeout", "SECONDS", "for each import (default: 120)", set_timeout},
    {0, "report", "FILE", "write what differs, without your paths and name", set_report},
    {0},
};

static bool last_option(const struct wy_option *o) {
    return !o->letter && !o->name;
}

/* By name (n bytes) or, when name is NULL, by letter. */
static const struct wy_option *find_in(const struct wy_option *table, const char *name, size_t n,
                                       char letter) {
    for (const struct wy_option *o = table; o && !last_option(o); o++) {
        if (!name && o->letter == letter)
            return o;
        if (name && o->name && strlen(o->name) == n && memcmp(o->name, name, n) == 0)
            return o;
    }
    return NULL;
}

static const struct wy_option *find(const struct wy_call *c, const char *name, size_t n,
                                    char letter) {
    const struct wy_option *o = find_in(wy_global_options, name, n, letter);
    return o || !c->command ? o : find_in(c->command->options, name, n, letter);
}

/* An option of another command, or a misspelt one. */
static struct wy_error *unknown_name(struct wy_call *c, const char *name) {
    for (const struct wy_command *k = wy_commands; k->name; k++)
        if (find_in(k->options, name, strlen(name), 0))
            return wy_errorf("--%s belongs to the command %s and stands after it", name, k->name);
    struct wy_suggestion s = {.given = name};
    for (const struct wy_option *o = wy_global_options; !last_option(o); o++)
        if (o->name && o->set)
            wy_suggest_try(&s, o->name);
    for (const struct wy_option *o = c->command ? c->command->options : NULL; o && !last_option(o);
         o++)
        wy_suggest_try(&s, o->name);
    return wy_errorf("unknown option --%s%s (whyso --help lists all)", name,
                     wy_suggest_text(&s, &c->arena, "--"));
}

static struct wy_error *apply(struct wy_call *c, const struct wy_option *o, const char *shown,
                              const char *value) {
    if (!o->set)
        return wy_errorf("%s does not exist yet (whyso --help lists what does)", shown);
    return o->set(c, value);
}

/* --name, --name=value, --name value */
static struct wy_error *long_option(struct wy_call *c, char **argv, int argc, int *i) {
    const char *arg = argv[*i], *eq = strchr(arg, '=');
    size_t n = eq ? (size_t)(eq - arg) : strlen(arg);
    const char *shown = wy_arena_str(&c->arena, (struct wy_str){arg, n});
    const struct wy_option *o = find(c, shown + 2, n - 2, 0);
    if (!o)
        return unknown_name(c, shown + 2);
    if (!o->value)
        return eq ? wy_errorf("%s takes no value", shown) : apply(c, o, shown, NULL);
    if (eq)
        return apply(c, o, shown, eq + 1);
    if (!o->set)
        return apply(c, o, shown, NULL);
    if (*i + 1 >= argc)
        return wy_errorf("%s wants a value: %s %s", shown, shown, o->value);
    return apply(c, o, shown, argv[++*i]);
}

/* -q, -qv, -fjson, -f json */
static struct wy_error *short_options(struct wy_call *c, char **argv, int argc, int *i) {
    for (const char *p = argv[*i] + 1; *p; p++) {
        char shown[3] = {'-', *p, '\0'};
        const struct wy_option *o = find(c, NULL, 0, *p);
        if (!o)
            return wy_errorf("unknown option %s (whyso --help lists all)",
                             (unsigned char)*p < 0x80 ? shown : argv[*i]);
        if (!o->value) {
            WY_TRY(apply(c, o, shown, NULL));
            continue;
        }
        if (p[1])
            return apply(c, o, shown, p + 1);
        if (*i + 1 >= argc)
            return wy_errorf("%s wants a value: %s %s", shown, shown, o->value);
        return apply(c, o, shown, argv[++*i]);
    }
    return NULL;
}

static struct wy_error *unknown_command(struct wy_call *c, const char *name) {
    struct wy_suggestion s = {.given = name};
    for (const struct wy_command *k = wy_commands; k->name; k++)
        if (k->run)
            wy_suggest_try(&s, k->name);
    wy_suggest_try(&s, "help");
    return wy_errorf("unknown command '%s'%s (whyso --help lists all)", name,
                     wy_suggest_text(&s, &c->arena, ""));
}

/* The first word that is no option. "help" turns the next one into a question about it. */
static struct wy_error *name_command(struct wy_call *c, const char *name) {
    if (!c->help && strcmp(name, "help") == 0) {
        c->help = true;
        return NULL;
    }
    const struct wy_command *k = wy_command_find(name);
    if (!k)
        return unknown_command(c, name);
    if (!k->run)
        return wy_errorf("the command %s does not exist yet (whyso --help lists what does)", name);
    c->command = k;
    return NULL;
}

struct wy_error *wy_call_parse(struct wy_call *c, int argc, char **argv) {
    bool words_only = false;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (!words_only && strcmp(arg, "--") == 0)
            words_only = true;
        else if (!words_only && arg[0] == '-' && arg[1] == '-')
            WY_TRY(long_option(c, argv, argc, &i));
        else if (!words_only && arg[0] == '-' && arg[1])
            WY_TRY(short_options(c, argv, argc, &i));
        else if (!c->command)
            WY_TRY(name_command(c, arg));
        else
            wy_vec_push(&c->args, arg);
    }
    if (!c->command && !c->help && !c->version && argc > 1)
        return wy_errorf("no command given; whyso --help lists them");
    return NULL;
}

void wy_call_deinit(struct wy_call *c) {
    wy_vec_free(&c->args);
    wy_vec_free(&c->settings);
    wy_vec_free(&c->ignores);
    wy_arena_deinit(&c->arena);
}
