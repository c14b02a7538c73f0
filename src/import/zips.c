/* Archives on sys.path, and folders in them: what zipimport finds there (CPython Lib/zipimport.py):
 * packages, sources, byte code. Extensions in an archive are not seen. */
#include "import/internal.h"
#include "source/zip.h"

enum { MOST_ARCHIVES = 64 };

struct wy_archive {
    struct wy_place place;
    bool usable;
    struct wy_zip zip;
};

static int64_t read_file(void *ctx, uint64_t offset, void *buf, size_t n) {
    return wy_file_read(ctx, offset, buf, n);
}

/* Each file is looked into once, whatever it is called. */
static const struct wy_archive *archive_at(struct wy_importer *im, const struct wy_place *place) {
    for (size_t i = 0; i < im->archives.n; i++)
        if (im->archives.v[i]->place.entry == place->entry)
            return im->archives.v[i];
    struct wy_file *file;
    if (im->archives.n >= MOST_ARCHIVES || wy_place_open(im->world->tree, place, &file) != 0)
        return NULL;
    struct wy_archive *made = WY_NEW(&im->arena, struct wy_archive);
    struct wy_source src = {read_file, file, wy_file_size(file)};
    made->place = *place;
    made->usable = wy_zip_read(&src, &im->arena, &made->zip) == NULL;
    wy_file_close(file);
    wy_vec_push(&im->archives, made);
    return made;
}

/* "/x/a.zip" or "/x/a.zip/inside": the part of the path that is a file is the archive. */
bool wy_archive_find(struct wy_importer *im, const char *text, struct wy_search_dir *ret) {
    char *path = wy_arena_cstr(&im->arena, text);
    for (char *end = path + strlen(path); end > path;
         end = memrchr(path, '/', (size_t)(end - path))) {
        struct wy_place place;
        *end = '\0';
        if (wy_tree_find(im->world->tree, NULL, path, 0, &place) != 0)
            continue;
        if (!place.entry || place.entry->type != WY_FT_FILE)
            return false;
        const struct wy_archive *archive = archive_at(im, &place);
        const char *inside = text[end - path] ? text + (end - path) + 1 : "";
        *ret = (struct wy_search_dir){.text = text,
                                      .archive = archive,
                                      .inside = *inside ? wy_arena_printf(&im->arena, "%s/", inside)
                                                        : inside};
        return archive && archive->usable;
    }
    return false;
}

static const struct wy_zip_member *member(struct wy_importer *im, const struct wy_search_dir *d,
                                          const char *leaf, const char *suffix) {
    return wy_zip_find(&d->archive->zip,
                       wy_arena_printf(&im->arena, "%s%s%s", d->inside, leaf, suffix));
}

bool wy_archive_search(struct wy_importer *im, const struct wy_search_dir *d, struct wy_spec *spec,
                       struct wy_search_dir *part) {
    static const char *const suffixes[] = {"/__init__.py", "/__init__.pyc", ".py", ".pyc"};
    *part = (struct wy_search_dir){.text = wy_path_join(&im->arena, d->text, spec->leaf),
                                   .archive = d->archive,
                                   .inside =
                                       wy_arena_printf(&im->arena, "%s%s/", d->inside, spec->leaf)};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const struct wy_zip_member *m = member(im, d, spec->leaf, suffixes[i]);
        if (!m)
            continue;
        spec->kind = i % 2 ? WY_SPEC_BYTECODE : WY_SPEC_SOURCE;
        spec->path = wy_arena_printf(&im->arena, "%s%s", part->text, suffixes[i]);
        spec->archive = d->archive;
        spec->member = m;
        if (i >= 2)
            part->text = NULL;
        return true;
    }
    if (!member(im, d, spec->leaf, "/"))
        part->text = NULL;
    return false;
}

struct wy_str wy_archive_text(struct wy_importer *im, const struct wy_spec *spec,
                              const char **problem) {
    struct wy_file *file;
    struct wy_str text = {0};
    wy_arena_clear(&im->text);
    int error = wy_place_open(im->world->tree, &spec->archive->place, &file);
    *problem = error ? strerror(error) : NULL;
    if (error)
        return text;
    struct wy_source src = {read_file, file, wy_file_size(file)};
    *problem = wy_zip_text(&src, spec->member, WY_SOURCE_MAX_BYTES, &im->text, &text);
    wy_file_close(file);
    return *problem ? (struct wy_str){0} : text;
}
