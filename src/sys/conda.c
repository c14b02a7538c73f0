/* conda's records: conda-meta/NAME-VERSION-BUILD.json below the prefix, one for each package. What
 * is used of them: name, version, build, channel, subdir, files; and of paths_data, size and hash
 * (conda's PrefixRecord and PathDataV1). */
#include "base/jsonread.h"
#include "base/path.h"
#include "sys/manager.h"

static const char *const words[] = {"conda", "install", "--force-reinstall", "--no-deps", NULL};

static const char *text_of(struct wy_sys_reading *r, struct wy_jread object, const char *key) {
    struct wy_str s;
    return wy_jread_str(wy_jread_get(object, key), &r->texts, &s) ? wy_sys_word(r, s) : NULL;
}

/* "https://conda.anaconda.org/conda-forge/linux-64" → "conda-forge", and the same of
 * "…/pkgs/main/linux-64" → "pkgs/main". */
static const char *channel_name(struct wy_sys_reading *r, const char *url, const char *subdir) {
    struct wy_str s = wy_str_of(url);
    if (subdir && wy_str_ends(s, subdir))
        s.n -= strlen(subdir);
    while (s.n && s.p[s.n - 1] == '/')
        s.n--;
    const char *slash = s.n ? memrchr(s.p, '/', s.n) : NULL;
    if (slash && wy_str_ends((struct wy_str){s.p, (size_t)(slash - s.p)}, "/pkgs"))
        slash -= strlen("/pkgs");
    size_t at = slash ? (size_t)(slash + 1 - s.p) : 0;
    return wy_sys_word(r, (struct wy_str){s.p + at, s.n - at});
}

static void read_record(struct wy_sys_reading *r, const char *record) {
    struct wy_str text, path;
    if (!wy_sys_text(r, NULL, record, &text))
        return;
    struct wy_jread top = wy_jread_text(text), item;
    struct wy_sys_package *p = wy_sys_package(r, &wy_sys_conda, record);
    p->name = text_of(r, top, "name");
    p->version = text_of(r, top, "version");
    p->architecture = text_of(r, top, "subdir");
    p->build = text_of(r, top, "build");
    const char *channel = text_of(r, top, "channel");
    if (channel)
        p->channel = channel_name(r, channel, p->architecture);
    struct wy_jread_each each = wy_jread_begin(wy_jread_get(top, "files"));
    while (p->name && each.close == ']' && wy_jread_next(&each, NULL, &item))
        if (wy_jread_str(item, &r->texts, &path))
            wy_sys_list(r, p, path);
}

static void read_conda(struct wy_sys_reading *r) {
    struct wy_dir *meta;
    size_t n;
    const char *folder = wy_path_join(r->arena, r->prefix, "conda-meta");
    if (wy_tree_find_dir(r->tree, NULL, folder, &meta) != 0)
        return;
    const struct wy_entry *entries = wy_dir_entries(meta, &n);
    for (size_t i = 0; i < n && i < WY_SYS_RECORDS_MAX; i++) {
        if (wy_ends(entries[i].name, ".json"))
            read_record(r, wy_path_join(r->arena, folder, entries[i].name));
        wy_arena_clear(&r->texts);
    }
}

/* The hash is of the file as it lies in the prefix where conda wrote the prefix into it; its size
 * is recorded before that, so then it says nothing. */
static void take_facts(struct wy_sys_reading *r, struct wy_jread item, struct wy_sys_file *f) {
    uint64_t size;
    bool rewritten = wy_jread_kind(wy_jread_get(item, "prefix_placeholder")) == '"';
    if (!rewritten && wy_jread_u64(wy_jread_get(item, "size_in_bytes"), INT64_MAX, &size))
        f->size = (int64_t)size;
    f->sha256 = text_of(r, item, "sha256_in_prefix");
    if (!f->sha256 && !rewritten)
        f->sha256 = text_of(r, item, "sha256");
    if (f->sha256 && (strlen(f->sha256) != 64 || strspn(f->sha256, "0123456789abcdef") != 64))
        f->sha256 = NULL;
}

static void describe_conda(struct wy_sys_reading *r, struct wy_sys_file *f) {
    struct wy_str text, path;
    struct wy_jread item;
    const char *below = wy_path_below(f->path, r->prefix);
    if (!below || !wy_sys_text(r, NULL, f->package->record, &text))
        return;
    struct wy_jread data = wy_jread_get(wy_jread_text(text), "paths_data");
    struct wy_jread_each each = wy_jread_begin(wy_jread_get(data, "paths"));
    while (wy_jread_next(&each, NULL, &item)) {
        if (!wy_jread_str(wy_jread_get(item, "_path"), &r->texts, &path) || !wy_str_is(path, below))
            continue;
        take_facts(r, item, f);
        return;
    }
}

const struct wy_sys_manager wy_sys_conda = {"conda", {"conda", words}, read_conda, describe_conda};
