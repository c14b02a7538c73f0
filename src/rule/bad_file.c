/* bad-file: the file that the loader takes cannot be mapped: empty, cut off, text, another format.
 * Also a METADATA or RECORD that cannot be read to the end. */
#include "rule/internal.h"

#include <inttypes.h>

static const char *looks_like(enum wy_elf_looks looks) {
    switch (looks) {
    case WY_LOOKS_TEXT:
        return "text, not a library";
    case WY_LOOKS_LFS_POINTER:
        return "a Git LFS pointer (text), not the library it stands for";
    case WY_LOOKS_LINKER_SCRIPT:
        return "a linker script, for building only";
    case WY_LOOKS_HTML:
        return "a web page, not a library";
    case WY_LOOKS_MACHO:
        return "a macOS library";
    case WY_LOOKS_PE:
        return "a Windows library";
    case WY_LOOKS_ARCHIVE:
        return "an archive, not a library";
    case WY_LOOKS_ZEROS:
        return "filled with zeros";
    case WY_LOOKS_BINARY:
        break;
    }
    return "not an ELF file";
}

/* The loader's text without the name in front of it. */
static const char *loader_says(const struct wy_want *want) {
    const char *message = want->wanters.v[0].problem->message;
    const char *colon = strstr(message, ": ");
    return colon ? colon + 2 : message;
}

/* What is wrong with a file that ends the process: the text behind the signal's name. */
static const char *crash_of(const struct wy_want *want) {
    const char *signal = want->wanters.v[0].problem->kind == WY_P_CRASH ? loader_says(want) : NULL;
    const char *colon = signal ? strstr(signal, ": ") : NULL;
    return colon ? colon + 2 : signal;
}

/* The function that makes a module of its name: the file's "ext" of "pkg/ext.abi3.so". */
static const char *init_for(struct wy_case *c, const struct wy_want *want) {
    const char *base = wy_path_base(want->name);
    if (wy_starts(base, "__init__."))
        base = wy_path_base(wy_path_dir(c->arena, want->name));
    return wy_arena_printf(c->arena, "PyInit_%.*s", (int)strcspn(base, "."), base);
}

struct module_name {
    struct wy_arena *arena;
    const char *text;
};

static bool is_init(void *ctx, const struct wy_symbol *s, struct wy_str name) {
    struct module_name *ret = ctx;
    (void)s;
    if (!wy_str_starts(name, "PyInit_"))
        return true;
    size_t skip = strlen("PyInit_");
    ret->text = wy_arena_str(ret->arena, (struct wy_str){name.p + skip, name.n - skip});
    return false;
}

/* The module that the file is: the first one it has such a function for, or NULL. */
static const char *really_is(struct wy_case *c, const struct wy_want *want) {
    struct module_name ret = {.arena = c->arena};
    if (want->image)
        wy_symtab_each(&wy_host_symbols(c->world->host, want->image)->table, is_init, &ret);
    return ret.text;
}

/* What stands behind the file's name in the title. */
static const char *verdict(struct wy_case *c, const struct wy_want *want) {
    const struct wy_elf *elf = want->image ? &want->image->elf : NULL;
    if (want->no_init)
        return wy_arena_printf(c->arena, "loads, and is not the module of that name: it has no %s",
                               init_for(c, want));
    switch (elf ? elf->kind : WY_ELF_OK) {
    case WY_ELF_EMPTY:
        return "is empty (0 bytes)";
    case WY_ELF_SHORT:
        return wy_arena_printf(c->arena, "is only %" PRIu64 " bytes long", elf->file_size);
    case WY_ELF_NOT:
        return wy_arena_printf(c->arena, "is %s", looks_like(elf->looks));
    case WY_ELF_UNREADABLE:
        return want->image->error
                   ? wy_arena_printf(c->arena, "cannot be read: %s", strerror(want->image->error))
                   : "cannot be read";
    default:
        if (crash_of(want))
            return wy_arena_printf(c->arena, "crashes the process: %s", crash_of(want));
        return elf && elf->problem
                   ? wy_arena_printf(c->arena, "is damaged: %s", elf->problem)
                   : wy_arena_printf(c->arena, "cannot be mapped: %s", loader_says(want));
    }
}

/* Its size beside the recorded one; nothing when they agree. */
static void compare_sizes(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    int64_t recorded = want->claimed ? want->claimed->claims[0].row->size : -1;
    if (!want->image || want->image->error || recorded == (int64_t)want->image->elf.file_size)
        return;
    const char *against = recorded >= 0
                              ? wy_arena_printf(c->arena, ", the RECORD of %s says %" PRId64,
                                                want->claimed->claims[0].dist->name, recorded)
                              : "";
    wy_make_because(c, f, "%s has %" PRIu64 " bytes on disk%s", f->f.wanted.name,
                    want->image->elf.file_size, against);
}

/* Of recorded size, it came under this name: the same again would not help. */
static void advise_name(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    const char *module = really_is(c, want), *base = wy_path_base(want->name);
    const char *named =
        module ? wy_arena_printf(c->arena, "%s%s", module, strchr(base, '.')) : NULL;
    if (module)
        wy_make_because(c, f, "its dynamic symbols have PyInit_%s: it was built as %s", module,
                        named);
    const struct wy_claimed *k = want->claimed;
    if (k && want->image && k->claims[0].row->size != (int64_t)want->image->elf.file_size)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL, .dist = want->dist};
    else
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text = module ? wy_arena_printf(c->arena,
                                             "Give the file its name back: %s. What an extension "
                                             "is called is part of it.",
                                             named)
                           : "Remove the file, or build it as the extension that it is named "
                             "after."};
}

static void report(struct wy_case *c, const struct wy_want *want) {
    const char *path = want->file ? want->file : want->name;
    struct wy_finding *f = wy_make(c, "bad-file", want->severity, wy_shown(c, path));
    wy_make_wanted(c, f, want);
    wy_make_dist(c, f, want->dist);
    wy_make_owners(c, f, want->claimed);
    f->f.wanted.kind = "file";
    f->f.wanted.name = wy_shown(c, path);
    f->f.library = wy_path_base(path);
    if (want->altered) {
        f->f.title = wy_arena_printf(c->arena, "%s%s", f->f.wanted.name, want->altered);
    } else {
        f->f.title = wy_arena_printf(c->arena, "%s %s", f->f.wanted.name, verdict(c, want));
        compare_sizes(c, f, want);
    }
    if (want->wanters.v[0].problem->message)
        wy_make_because(c, f, "%s says: %s",
                        want->no_init || want->altered ? "Python" : "the loader",
                        want->wanters.v[0].problem->message);
    if (want->no_init)
        advise_name(c, f, want);
    else if (want->image && want->image->error)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                       .text = "Run whyso as the user who runs Python, or give "
                                               "this user the right to read it."};
    else if (want->dist)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL, .dist = want->dist};
    else if (!wy_advise_mended(c, f, path))
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                       .text = "No package owns this file: put a whole one in its "
                                               "place, or remove it so that the loader "
                                               "goes on to the next."};
}

static void report_metadata(struct wy_case *c, const struct wy_dist *d) {
    const char *info = wy_shown(c, d->info);
    struct wy_finding *f = wy_make(c, "bad-file", WHYSO_NOTE, info);
    wy_make_dist(c, f, d);
    f->f.file = info;
    f->f.title = wy_arena_printf(c->arena, "%s: %s", info, d->problem);
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL, .dist = d};
}

static void report_outside(struct wy_case *c, const struct wy_dist *d, uint64_t rows) {
    const char *record = wy_shown(c, wy_path_join(c->arena, d->info, "RECORD"));
    struct wy_finding *f = wy_make(c, "bad-file", WHYSO_NOTE, record);
    wy_make_dist(c, f, d);
    f->f.file = record;
    f->f.title = wy_arena_printf(c->arena, "%s lists %s outside of the environment; not looked at",
                                 record, wy_count(c->arena, rows, "path", "paths"));
    f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                   .text = "Installers write no such rows: look at where this "
                                           "package came from before you use it."};
}

void wy_rule_bad_file(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_BAD_FILE)
            report(c, c->wants->all.v[i]);
    for (size_t i = 0; i < c->world->dists.n; i++) {
        if (c->world->dists.v[i].problem)
            report_metadata(c, &c->world->dists.v[i]);
        if (c->world->files[i].outside)
            report_outside(c, &c->world->dists.v[i], c->world->files[i].outside);
    }
}
