/* noexec-mount: the file is whole, and lies on a file system that is mounted with noexec: nothing
 * there may be mapped as code. The loader says only "failed to map segment". */
#include "rule/internal.h"

static const struct wy_mount *mount_of(const struct wy_want *want) {
    return want->kind == WY_WANT_NOEXEC && want->image ? want->image->mount : NULL;
}

/* What else lies on that mount: one cause, one finding. */
static void add_others(struct wy_case *c, struct wy_finding *f, const struct wy_want *want) {
    size_t others = 0;
    for (size_t i = 0; i < c->wants->all.n; i++) {
        const struct wy_want *w = c->wants->all.v[i];
        if (w == want || mount_of(w) != mount_of(want))
            continue;
        others++;
        if (w->severity > f->f.severity)
            f->f.severity = w->severity;
        for (size_t k = 0; k < w->imports.n; k++)
            wy_strings_add_new(c->arena, &f->f.breaks.imports, w->imports.v[k]);
        f->f.breaks.files += w->files;
    }
    if (others)
        wy_make_because(c, f, "on the same mount: %s that cannot be mapped",
                        wy_count(c->arena, others, "more file", "more files"));
}

static void report(struct wy_case *c, const struct wy_want *want) {
    const char *shown = wy_shown(c, want->file);
    const struct wy_mount *mount = mount_of(want);
    const char *point = mount && mount->point ? mount->point : NULL;
    struct wy_finding *f = wy_make(c, "noexec-mount", want->severity, shown);
    wy_make_wanted(c, f, want);
    wy_make_dist(c, f, want->dist);
    wy_make_owners(c, f, want->claimed);
    f->f.wanted = (struct whyso_wanted){"file", shown, NULL};
    f->f.file = shown;
    f->f.library = wy_path_base(want->file);
    f->f.title =
        wy_arena_printf(c->arena, "%s lies on a mount with noexec%s%s: no code is mapped there",
                        f->f.library, point ? ", " : "", point ? point : "");
    if (point)
        wy_make_because(c, f, "%s is mounted with noexec (/proc/self/mountinfo)", point);
    if (mount)
        add_others(c, f, want);
    wy_make_because(c, f, "the loader says: %s", want->wanters.v[0].problem->message);
    const char *remount =
        point ? wy_arena_printf(c->arena,
                                "Mount %s without noexec (as root: mount -o remount,exec)", point)
              : "Mount it without noexec";
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text =
            wy_arena_printf(c->arena, "%s, or put these files on another file system.", remount),
        .also = "What a program unpacks or compiles follows a variable (TMPDIR, TRITON_CACHE_DIR, "
                "TORCH_EXTENSIONS_DIR): let it name another place.",
        .avoid = "The mode bits of the file do not matter: chmod +x changes nothing."};
}

static bool reported(const struct wy_case *c, size_t before) {
    const struct wy_mount *mount = mount_of(c->wants->all.v[before]);
    for (size_t i = 0; mount && i < before; i++)
        if (mount_of(c->wants->all.v[i]) == mount)
            return true;
    return false;
}

void wy_rule_noexec_mount(struct wy_case *c) {
    for (size_t i = 0; i < c->wants->all.n; i++)
        if (c->wants->all.v[i]->kind == WY_WANT_NOEXEC && !reported(c, i))
            report(c, c->wants->all.v[i]);
}
