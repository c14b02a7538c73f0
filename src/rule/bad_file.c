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

/* What stands behind the file's name in the title. */
static const char *verdict(struct wy_case *c, const struct wy_want *want) {
    const struct wy_elf *elf = want->image ? &want->image->elf : NULL;
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

static void report(struct wy_case *c, const struct wy_want *want) {
    const char *path = want->file ? want->file : want->name;
    struct wy_finding *f = wy_make(c, "bad-file", want->severity, wy_shown(c, path));
    wy_make_wanted(c, f, want);
    wy_make_dist(c, f, want->dist);
    wy_make_owners(c, f, want->claimed);
    f->f.wanted.kind = "file";
    f->f.wanted.name = wy_shown(c, path);
    f->f.library = wy_path_base(path);
    f->f.title = wy_arena_printf(c->arena, "%s %s", f->f.wanted.name, verdict(c, want));
    compare_sizes(c, f, want);
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
    if (want->image && want->image->error)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_MANUAL,
                                       .text = "Run whyso as the user who runs Python, or give "
                                               "this user the right to read it."};
    else if (want->dist)
        f->remedy = (struct wy_remedy){.kind = WY_REMEDY_REINSTALL, .dist = want->dist};
    else
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
