/* The simulated loader as a program, for the tests of this folder: starts a program, opens requests
 * in order, prints one JSON object per line (the objects of the contract, section 4).
 *
 *   ldprobe [--root DIR] [--cwd DIR] [--set VAR=VALUE]… [--minor N] [--cpu LEVEL] [--repeat]
 *           [--depth resolve|versions|symbols] [--user UID]
 *           [--page BYTES] [--explicit]
 *           [--search NAME] --program EXE REQUEST…
 *
 * A request may begin with lazy:, global:, deep:, noload: or by=PATH: (the caller). --minor
 * pretends another glibc release, --page another size of pages; --explicit starts "ld.so EXE".
 * --repeat opens each request in a process of its own, and prints no more than a count. */
#include "base/buf.h"
#include "base/vec.h"
#include "ld/ld.h"

#include <stdio.h>

struct options {
    const char *root, *cwd, *program, *cpu, *search, *depth;
    long minor, user, page;
    bool repeat, is_explicit;
    WY_VEC(struct wy_variable) variables;
    const char **requests;
    int nrequests;
};

static void put_text(struct wy_buf *b, const char *s) {
    if (!s) {
        wy_buf_str(b, "null");
        return;
    }
    wy_buf_char(b, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            wy_buf_printf(b, "\\%c", c);
        else if (c >= 0x80)
            wy_buf_printf(b, "\\udc%02x", c);
        else if (c < 0x20)
            wy_buf_printf(b, "\\u%04x", c);
        else
            wy_buf_char(b, (char)c);
    }
    wy_buf_char(b, '"');
}

static void put_field(struct wy_buf *b, const char *key, const char *s) {
    wy_buf_printf(b, "\"%s\": ", key);
    put_text(b, s);
}

static const char *name_of(const struct wy_object *o, const char *program) {
    return !o ? NULL : *o->name ? o->name : program;
}

static void put_mapped(struct wy_buf *b, const struct wy_open *open, const char *program) {
    wy_buf_str(b, ", \"mapped\": [");
    for (size_t i = 0; i < open->nmapped; i++) {
        const struct wy_object *o = open->mapped[i];
        wy_buf_str(b, i ? ", {" : "{");
        put_field(b, "name", o->name);
        wy_buf_str(b, ", ");
        put_field(b, "requested", o->requested);
        wy_buf_str(b, ", ");
        put_field(b, "by", name_of(o->by, program));
        wy_buf_str(b, ", ");
        put_field(b, "found", wy_found_word(o->found));
        wy_buf_char(b, '}');
    }
    wy_buf_char(b, ']');
}

static void put_resolved(struct wy_buf *b, const struct wy_open *open, const char *program) {
    wy_buf_str(b, ", \"resolved\": [");
    for (size_t i = 0; i < open->nresolved; i++) {
        const struct wy_resolved *r = &open->resolved[i];
        wy_buf_str(b, i ? ", {" : "{");
        put_field(b, "requested", r->requested);
        wy_buf_str(b, ", ");
        put_field(b, "by", name_of(r->by, program));
        wy_buf_str(b, ", ");
        put_field(b, "name", r->object->name);
        wy_buf_char(b, '}');
    }
    wy_buf_char(b, ']');
}

static void put_problems(struct wy_buf *b, const struct wy_open *open, const char *program) {
    wy_buf_str(b, ", \"problems\": [");
    for (size_t i = 0; i < open->nproblems; i++) {
        const struct wy_problem *p = &open->problems[i];
        wy_buf_str(b, i ? ", {" : "{");
        put_field(b, "kind", wy_problem_word(p->kind));
        wy_buf_str(b, ", ");
        put_field(b, "object", p->file);
        wy_buf_str(b, ", ");
        put_field(b, "needed_by", name_of(p->needer, program));
        wy_buf_str(b, ", ");
        put_field(b, "name", p->name);
        wy_buf_str(b, ", ");
        put_field(b, "version", p->version);
        wy_buf_str(b, ", ");
        put_field(b, "message", p->message);
        wy_buf_char(b, '}');
    }
    wy_buf_char(b, ']');
}

static void print_open(const struct wy_open *open, const char *key, const char *program) {
    static const char *const words[] = {"ok", "error", "abort", "crash"};
    wy_auto_buf b = {0};
    wy_buf_char(&b, '{');
    put_field(&b, key, open->request);
    wy_buf_str(&b, ", ");
    bool none = open->outcome == WY_OPEN_OK && !open->object;
    put_field(&b, "outcome", none ? "none" : words[open->outcome]);
    wy_buf_str(&b, ", ");
    put_field(&b, "message", open->message);
    put_mapped(&b, open, program);
    put_resolved(&b, open, program);
    put_problems(&b, open, program);
    wy_buf_char(&b, '}');
    puts(wy_buf_text(&b));
}

static void print_search(struct wy_ld *ld, const struct wy_process *state, const char *name) {
    struct wy_search s;
    wy_ld_search(ld, state, name, NULL, &s);
    wy_auto_buf b = {0};
    wy_buf_str(&b, "{\"searched\": [");
    for (size_t i = 0; i < s.n; i++) {
        wy_buf_str(&b, i ? ", {" : "{");
        put_field(&b, "place", s.steps[i].place);
        wy_buf_str(&b, ", ");
        put_field(&b, "by", wy_found_word(s.steps[i].by));
        wy_buf_printf(&b, ", \"entry\": %d, ", s.steps[i].entry);
        put_field(&b, "result", wy_hit_word(s.steps[i].result));
        wy_buf_char(&b, '}');
    }
    wy_buf_str(&b, "], ");
    put_field(&b, "taken", s.taken);
    wy_buf_char(&b, '}');
    puts(wy_buf_text(&b));
}

static bool prefix(const char **s, const char *word) {
    if (!wy_starts(*s, word))
        return false;
    *s += strlen(word);
    return true;
}

/* Splits "lazy:global:by=/x.so:/y.so". */
static const char *parse_request(const char *s, const struct wy_process *state, unsigned *mode,
                                 const struct wy_object **caller) {
    *mode = WY_NOW;
    *caller = NULL;
    for (;;) {
        if (prefix(&s, "lazy:")) {
            *mode = (*mode & ~(unsigned)WY_NOW) | WY_LAZY;
        } else if (prefix(&s, "global:")) {
            *mode |= WY_GLOBAL;
        } else if (prefix(&s, "deep:")) {
            *mode |= WY_DEEPBIND;
        } else if (prefix(&s, "noload:")) {
            *mode |= WY_NOLOAD;
        } else if (prefix(&s, "by=")) {
            size_t n = strcspn(s, ":");
            char *name = strndup(s, n);
            *caller = wy_process_named(state, name);
            free(name);
            s += n + 1;
        } else {
            return s;
        }
    }
}

static void run(struct wy_ld *ld, const struct options *o) {
    struct wy_open start;
    wy_ld_start(ld, o->program, &start);
    print_open(&start, "path", o->program);
    if (start.outcome != WY_OPEN_OK)
        return;
    const struct wy_process *state = start.after;
    size_t mapped = 0;
    for (int i = 0; i < o->nrequests; i++) {
        unsigned mode;
        const struct wy_object *caller;
        const char *request = parse_request(o->requests[i], state, &mode, &caller);
        const struct wy_open *open = wy_ld_open(ld, state, request, mode, caller);
        mapped += open->nmapped;
        if (o->repeat)
            continue;
        print_open(open, "request", o->program);
        if (open->outcome == WY_OPEN_ABORT || open->outcome == WY_OPEN_CRASH)
            break;
        state = open->after;
    }
    if (o->search)
        print_search(ld, state, o->search);
    if (o->repeat)
        printf("{\"opened\": %d, \"mapped\": %zu}\n", o->nrequests, mapped);
}

static int usage(void) {
    fputs("usage: ldprobe [options] --program EXE REQUEST…\n", stderr);
    return 2;
}

static bool parse(int argc, const char **argv, struct options *o) {
    int i = 1;
    for (; i < argc && wy_starts(argv[i], "--"); i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--repeat") == 0) {
            o->repeat = true;
            continue;
        }
        if (strcmp(word, "--explicit") == 0) {
            o->is_explicit = true;
            continue;
        }
        if (!value)
            return false;
        i++;
        if (strcmp(word, "--root") == 0)
            o->root = value;
        else if (strcmp(word, "--cwd") == 0)
            o->cwd = value;
        else if (strcmp(word, "--program") == 0)
            o->program = value;
        else if (strcmp(word, "--cpu") == 0)
            o->cpu = value;
        else if (strcmp(word, "--search") == 0)
            o->search = value;
        else if (strcmp(word, "--depth") == 0)
            o->depth = value;
        else if (strcmp(word, "--user") == 0)
            o->user = strtol(value, NULL, 10);
        else if (strcmp(word, "--page") == 0)
            o->page = strtol(value, NULL, 10);
        else if (strcmp(word, "--minor") == 0)
            o->minor = strtol(value, NULL, 10);
        else if (strcmp(word, "--set") == 0 && strchr(value, '='))
            wy_vec_push(&o->variables, ((struct wy_variable){value, strchr(value, '=') + 1}));
        else
            return false;
    }
    o->requests = argv + i;
    o->nrequests = argc - i;
    return o->program != NULL;
}

/* Names end at '=' in the arguments; the host wants them apart and sorted. */
static int by_name(const void *a, const void *b) {
    const struct wy_variable *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void sort_variables(struct options *o) {
    for (size_t i = 0; i < o->variables.n; i++) {
        struct wy_variable *v = &o->variables.v[i];
        v->name = strndup(v->name, (size_t)(v->value - v->name - 1));
    }
    if (o->variables.n)
        qsort(o->variables.v, o->variables.n, sizeof *o->variables.v, by_name);
}

static enum wy_ld_depth depth_of(const char *word) {
    return wy_same(word, "resolve")    ? WY_LD_RESOLVE
           : wy_same(word, "versions") ? WY_LD_VERSIONS
                                       : WY_LD_SYMBOLS;
}

static struct wy_error *probe(struct options *o) {
    struct wy_tree *tree;
    struct wy_host *host;
    WY_TRY(wy_tree_host(o->root, &tree));
    struct wy_host_options options = {.cwd = o->cwd,
                                      .variables = o->variables.v,
                                      .nvariables = o->variables.n,
                                      .cpu = o->cpu,
                                      .uid = (uint32_t)o->user};
    struct wy_error *e = wy_host_create(tree, &options, &host);
    struct wy_place place;
    if (!e && wy_tree_find(tree, NULL, o->program, 0, &place) == 0) {
        wy_host_set_program(host, wy_host_image(host, &place));
        if (o->minor)
            host->libc_minor = (unsigned)o->minor;
        if (o->page)
            host->page_size = (uint64_t)o->page;
        struct wy_ld *ld = wy_ld_create(host);
        wy_ld_set_depth(ld, depth_of(o->depth));
        wy_ld_set_explicit(ld, o->is_explicit);
        run(ld, o);
        wy_ld_destroy(ld);
    } else if (!e) {
        e = wy_errorf("%s: no such program", o->program);
    }
    if (host)
        wy_host_destroy(host);
    wy_tree_destroy(tree);
    return e;
}

int main(int argc, char **argv) {
    struct options o = {.root = "/", .cwd = "/"};
    const char **args = wy_alloc((size_t)argc * sizeof *args);
    for (int i = 0; i < argc; i++)
        args[i] = argv[i];
    if (!parse(argc, args, &o))
        return usage();
    sort_variables(&o);
    struct wy_error *e = probe(&o);
    if (e)
        fprintf(stderr, "ldprobe: %s\n", e->message);
    for (size_t i = 0; i < o.variables.n; i++) {
        char *name;
        memcpy(&name, &o.variables.v[i].name, sizeof name);
        free(name);
    }
    wy_vec_free(&o.variables);
    free(args);
    int status = e ? 2 : 0;
    wy_error_free(e);
    return status;
}
