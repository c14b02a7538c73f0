/* whyso, the program. A call goes through these steps:
 *
 *   parse     options.c     the command line, against the tables of options and commands
 *   choose    place.c       which environment, which root, which folder (pyenv.c, variables.c)
 *   answer    cmd_*.c       one file per command: asks the library, one call of whyso.h
 *   write     ../out        the answer as text or JSON, into memory
 *   print     print.c       all of it at once, so that a full disk or a closed pipe is noticed
 *
 * Nothing is printed before the last step, so an interrupted call leaves no half answer. */
#include "cli/cli.h"

#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* clang-format off */
const struct wy_command wy_commands[] = {
    {.name = "check", .usage = "[MODULE|PACKAGE|FILE]...", .run = wy_cmd_check,
     .line = "what is broken, everything at once, each with one fix",
     .text = "Without arguments: the whole environment. With arguments: only what these\n"
             "imports, packages or files meet. module:, pkg:, lib: and file: say which of\n"
             "them is meant.",
     .examples = "  whyso check\n"
                 "  whyso check -e /srv/app/.venv torch\n"
                 "  whyso check --format json --fail-on warning\n"
                 "  whyso check --format github\n"
                 "  whyso check --write-baseline known.json\n"
                 "  whyso check --baseline known.json --ignore leftover:'lib/*'\n",
     .max_args = SIZE_MAX, .for_ci = true},
    {.name = "why", .usage = "NAME|FILE|MODULE|PACKAGE|-", .run = wy_cmd_why,
     .line = "one library: who needs it, where the loader looks, who provides it",
     .text = "Every place the loader searches in its order, what it finds there, which package\n"
             "owns each copy, and which should provide it. Of a module: how its import ends.\n"
             "Of a package: what it brings, who needs it, who claims its paths too, and what\n"
             "would no longer work without it.\n"
             "-: reads an error from standard input, any text with a line of the loader, an\n"
             "import or a framework in it, and explains what that line names.",
     .examples = "  whyso why libcudnn.so.9\n"
                 "  whyso why nvidia-cudnn-cu12\n"
                 "  python -c 'import torch' 2>&1 | whyso why -\n"
                 "  whyso why .venv/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so\n",
     .min_args = 1, .max_args = 1},
    {.name = "tree", .usage = "MODULE|FILE", .run = wy_cmd_tree,
     .line = "what an import maps, in load order, how each was found, whose it is",
     .text = "The objects beyond those of a bare interpreter. A file or the name of a library is\n"
             "opened by itself, as dlopen does. Long lists are summed up by package; -v shows\n"
             "every object with its path.",
     .examples = "  whyso tree torch\n"
                 "  whyso tree scipy.stats -v\n"
                 "  whyso tree numpy --format json | jq -r '.mapped[].name'\n",
     .min_args = 1, .max_args = 1},
    {.name = "list", .usage = "", .run = wy_cmd_list,
     .line = "packages with native code, and whether they are whole",
     .text = "Version, CUDA generation, number of libraries, and state: whole, damaged,\n"
             "gutted or overwritten.",
     .examples = "  whyso list\n"
                 "  whyso list --format ndjson\n"},
    {.name = "owner", .usage = "PATH...", .run = wy_cmd_owner,
     .line = "which packages claim a file, and whose bytes are on disk",
     .text = "Paths as they are, or relative to the environment as the answers print them.",
     .examples = "  whyso owner .venv/lib/python3.11/site-packages/nvidia/cudnn/lib/libcudnn.so.9\n",
     .min_args = 1, .max_args = SIZE_MAX},
    {.name = "load", .usage = "[--program EXE] [--after MODULE] REQUEST...", .run = wy_cmd_load,
     .line = "dry run of a series of dlopen calls",
     .text = "The program (the environment's python unless --program names another) is\n"
             "started and opens each request in turn, as dlopen(REQUEST,\n"
             "RTLD_NOW|RTLD_LOCAL). A request with a slash is a path, others are searched.\n"
             "Before it, joined by commas: lazy:, global:, by=FILE: (the object that calls).\n"
             "After an import, what it loaded is there already.",
     .examples = "  whyso load libcudnn.so.9\n"
                 "  whyso load --after torch .venv/lib/python3.11/site-packages/ext/_C.so\n"
                 "  whyso load --program /usr/bin/ffmpeg global:libx264.so.164\n",
     .options = wy_load_options, .max_args = SIZE_MAX},
    {.name = "verify", .usage = "[--timeout SECONDS] [--report FILE] [MODULE]...",
     .run = wy_cmd_verify,
     .line = "runs imports for real and compares them with what is predicted",
     .text = "The one command here that runs code of the environment: each import in a fresh\n"
             "process of its own python, with the same variables. Compared are the outcome,\n"
             "the texts, and the mapped objects in their order. Exit 1 when something differs.",
     .examples = "  whyso verify torch\n"
                 "  whyso verify --report whyso-report.json scipy.stats\n",
     .options = wy_verify_options, .max_args = SIZE_MAX},
    {.name = "explain", .usage = "RULE", .run = wy_cmd_explain,
     .line = "what a rule means, how it is decided, how to fix or silence it",
     .text = "whyso rules lists their names.",
     .examples = "  whyso explain gutted-package\n",
     .min_args = 1, .max_args = 1},
    {.name = "rules", .usage = "", .run = wy_cmd_rules,
     .line = "all rules in one line each",
     .text = "With -v: how severe their findings are.",
     .examples = "  whyso rules\n"},
    /* Named by the contract, not there yet. */
    {.name = "whatif"}, {.name = "fix"},     {.name = "guard"},
    {.name = "trace"}, {.name = "ps"},       {.name = "snapshot"},
    {.name = "diff"},  {.name = "run"},      {.name = "history"}, {.name = "blame"},
    {.name = "caches"}, {.name = "gpu"},
    {0},
};
/* clang-format on */

const struct wy_command *wy_command_find(const char *name) {
    for (const struct wy_command *c = wy_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static struct wy_error *check_arguments(const struct wy_call *c) {
    const struct wy_command *k = c->command;
    if (c->args.n < k->min_args)
        return wy_errorf("%s wants %s %s; whyso %s --help shows examples", k->name,
                         k->max_args == 1 ? "one" : "at least one", k->usage, k->name);
    if (c->args.n > k->max_args)
        return k->max_args == 0
                   ? wy_errorf("%s takes no argument, but got '%s'", k->name, c->args.v[0])
                   : wy_errorf("%s takes one argument, but got also '%s'", k->name, c->args.v[1]);
    if (c->format > WY_OUT_NDJSON && !k->for_ci)
        return wy_errorf("%s prints text, json or ndjson; sarif and github belong to check",
                         k->name);
    if (c->write_baseline && !k->for_ci)
        return wy_errorf("--write-baseline lists what check finds; %s writes none", k->name);
    return NULL;
}

static struct wy_error *answer(struct wy_call *c, struct wy_buf *out, int *status) {
    if (c->version) {
        wy_buf_str(out, "whyso " WHYSO_VERSION "\n");
        return NULL;
    }
    if (c->help || !c->command) {
        if (c->command)
            wy_help_command(out, c->command);
        else
            wy_help_program(out);
        return NULL;
    }
    WY_TRY(check_arguments(c));
    return c->command->run(c, out, status);
}

static struct wy_error *run(struct wy_call *c, int argc, char **argv, int *status) {
    wy_auto_buf out = {0};
    WY_TRY(wy_call_parse(c, argc, argv));
    WY_TRY(answer(c, &out, status));
    return wy_print_all(&out);
}

/* The heap's first part in large pages, where the kernel has them (madvise(2)): a check of a large
 * environment touches all of it, and taking it page by page was a tenth of its time. */
static void take_large_pages(void) {
    enum { HEAP = 40 << 20, SMALL = 128 << 10, HUGE_PAGE = 2 << 20 };
    uintptr_t before = (uintptr_t)sbrk(0);
    mallopt(M_TOP_PAD, HEAP);
    void *volatile first = malloc(2 * SMALL); /* more than the heap has: it grows by all of that */
    free(first);
    mallopt(M_TOP_PAD, SMALL); /* the default */
    uintptr_t end = (uintptr_t)sbrk(0) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t from = (before + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (from < end)
        madvise((void *)from, end - from, MADV_HUGEPAGE); /* NOLINT(performance-no-int-to-ptr) */
}

/* A run of less than a second gives nothing back to the kernel: taking the same pages again, each
 * zeroed anew, was a tenth of its time (mallopt(3)). */
static void keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most it takes */
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    take_large_pages();
}

int main(int argc, char **argv) {
    keep_memory();
    wy_hold_descriptors();
    /* A closed pipe and a limit on file size are errors of write(2), answered with status 2. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    struct wy_call call = {.arena = WY_ARENA_INIT, .fail_on = -1, .timeout = 120};
    int status = WY_STATUS_OK;
    struct wy_error *e = run(&call, argc, argv, &status);
    if (e) {
        status = WY_STATUS_FAILED;
        if (e->message)
            wy_complain(e->message);
        wy_error_free(e);
    }
    wy_call_deinit(&call);
    return status;
}
