/* exec-stack: a library asks for an executable stack. dlopen of glibc 2.41 and newer refuses that;
 * older ones make the stack of the whole process executable (docs/loader.md A13). */
#include "rule/internal.h"

static const char *reason(const struct wy_image *image) {
    return image->elf.has_gnu_stack ? "its PT_GNU_STACK has the flag E (readelf -lW)"
                                    : "it has no PT_GNU_STACK, which on this machine counts as a "
                                      "wish for one (readelf -lW)";
}

static struct wy_finding *make(struct wy_case *c, enum whyso_severity severity, const char *path,
                               const struct wy_image *image, const struct wy_dist *d) {
    const char *shown = wy_shown(c, path);
    struct wy_finding *f = wy_make(c, "exec-stack", severity, shown);
    wy_make_dist(c, f, d);
    f->f.file = shown;
    f->f.library = wy_path_base(path);
    if (image)
        wy_make_because(c, f, "%s: %s", shown, reason(image));
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_REBUILD,
        .text =
            wy_arena_printf(c->arena, "Install a newer %s; most were rebuilt without that wish.",
                            d ? d->name : f->f.library),
        .also = wy_arena_printf(c->arena,
                                "Take the wish off the file (it is hardly ever meant): patchelf "
                                "--clear-execstack %s",
                                shown)};
    return f;
}

static void report(struct wy_case *c, const struct wy_want *want) {
    struct wy_finding *f = make(c, want->severity, want->file, want->image, want->dist);
    const char *libc = c->world->host->libc_version;
    wy_make_wanted(c, f, want);
    wy_make_owners(c, f, want->claimed);
    f->f.wanted = (struct whyso_wanted){"file", f->f.file, NULL};
    f->f.library = wy_path_base(want->file);
    f->f.title =
        wy_arena_printf(c->arena, "%s asks for an executable stack, which glibc %s refuses",
                        f->f.library, libc ? libc : "2.41 and newer");
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
    if (c->world->host->libc_minor >= 42)
        f->remedy.avoid = "GLIBC_TUNABLES=glibc.rtld.execstack=2 lets it load, and makes the stack "
                          "of the whole process executable.";
}

/* Granted today: worth knowing before the next system. */
static void report_granted(struct wy_case *c, const struct wy_library *lib) {
    struct wy_finding *f = make(c, WHYSO_NOTE, lib->path, lib->image, lib->dist);
    f->f.wanted = (struct whyso_wanted){"file", lib->shown, NULL};
    f->f.title = wy_arena_printf(c->arena,
                                 "%s asks for an executable stack: granted here, refused by glibc "
                                 "2.41 and newer",
                                 f->f.library);
}

static bool is_sound(const struct wy_case *c, const struct wy_image *image) {
    return !image->error && image->elf.kind == WY_ELF_OK &&
           image->elf.machine == c->world->host->machine;
}

void wy_rule_exec_stack(struct wy_case *c) {
    const struct wy_host *h = c->world->host;
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_EXEC_STACK)
            report(c, c->wants->all.v[i]);
    bool grants = h->libc == WY_LIBC_GLIBC && h->libc_minor && !wy_ld_refuses_exec_stack(h);
    for (size_t i = 0; grants && i < c->world->nlibraries; i++) {
        const struct wy_library *lib = &c->world->libraries[i];
        if (is_sound(c, lib->image) && wy_ld_wants_exec_stack(lib->image) &&
            wy_wants_reached(c->wants, lib->image))
            report_granted(c, lib);
    }
}
