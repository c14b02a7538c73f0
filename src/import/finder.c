/* Names → files, by the rules of importlib's FileFinder (CPython
 * Lib/importlib/_bootstrap_external.py, FileFinder.find_spec): in each folder of the path a
 * package, then a module by suffix (extensions before .py before .pyc); a folder without __init__
 * only counts when nothing else is found. */
#include "import/internal.h"

#include <errno.h>

/* clang-format off */
/* Compiled into every CPython, so found before anything on disk. */
static const char *const builtin[] = {
    "__main__", "_abc", "_ast", "_codecs", "_collections", "_frozen_importlib",
    "_frozen_importlib_external", "_functools", "_imp", "_io", "_locale", "_operator",
    "_signal", "_sre", "_stat", "_string", "_symtable", "_thread", "_tokenize", "_tracemalloc",
    "_warnings", "_weakref", "atexit", "builtins", "errno", "faulthandler", "gc", "itertools",
    "marshal", "posix", "pwd", "sys", "time",
};

/* C modules that some builds compile in and others keep in lib-dynload: on disk or built in. */
static const char *const perhaps_builtin[] = {
    "_asyncio", "_bisect", "_blake2", "_bz2", "_codecs_cn", "_codecs_hk", "_codecs_iso2022",
    "_codecs_jp", "_codecs_kr", "_codecs_tw", "_contextvars", "_crypt", "_csv", "_ctypes",
    "_curses", "_curses_panel", "_datetime", "_dbm", "_decimal", "_elementtree", "_gdbm",
    "_hashlib", "_heapq", "_hmac", "_interpchannels", "_interpqueues", "_interpreters", "_json",
    "_lsprof", "_lzma", "_md5", "_multibytecodec", "_multiprocessing", "_opcode", "_pickle",
    "_posixshmem", "_posixsubprocess", "_queue", "_random", "_remote_debugging", "_scproxy",
    "_sha1", "_sha2", "_sha256", "_sha3", "_sha512", "_socket", "_sqlite3", "_ssl",
    "_statistics", "_struct", "_suggestions", "_sysconfig", "_tkinter", "_types", "_typing",
    "_uuid", "_xxsubinterpreters", "_zoneinfo", "_zstd", "array", "audioop", "binascii",
    "cmath", "crypt", "fcntl", "grp", "math", "mmap", "nis", "ossaudiodev", "pyexpat",
    "readline", "resource", "select", "spwd", "syslog", "termios", "unicodedata", "zlib",
};
/* clang-format on */

/* In sys.modules of `python -c` before its first statement (3.8 to 3.14), beside the built-in ones;
 * none of them opens an extension. */
static const char *const at_start[] = {
    "_collections_abc",  "_sitebuiltins",   "abc",         "codecs", "encodings",
    "encodings.aliases", "encodings.utf_8", "genericpath", "io",     "os",
    "os.path",           "posixpath",       "site",        "stat",   "zipimport",
};

static bool in_table(const char *name, const char *const *table, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, table[i]) == 0)
            return true;
    return false;
}
#define IN(name, table) in_table((name), (table), sizeof(table) / sizeof *(table))

bool wy_identifier(struct wy_str s) {
    if (s.n == 0 || (s.p[0] >= '0' && s.p[0] <= '9'))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (!(c == '_' || c >= 0x80 || (c >= '0' && c <= '9') ||
              ((c | 32) >= 'a' && (c | 32) <= 'z')))
            return false;
    }
    return true;
}

/* ---- one folder ---- */

/* Index of the first entry that is not less than `name`. */
static size_t lower_bound(const struct wy_entry *entries, size_t n, const char *name) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The entry's object when it is of that type; links are followed. */
static bool leads_to(struct wy_importer *im, struct wy_dir *dir, const struct wy_entry *e,
                     enum wy_ftype type, struct wy_place *ret) {
    *ret = (struct wy_place){.dir = dir, .entry = e};
    if (e->type == WY_FT_LINK && wy_tree_find(im->world->tree, dir, e->name, 0, ret) != 0)
        return false;
    return ret->entry && ret->entry->type == type;
}

/* Rank of a suffix in the finder's order, SIZE_MAX for one it does not know. */
static size_t suffix_rank(const struct wy_importer *im, const char *suffix) {
    const struct wy_env *env = &im->world->env;
    for (size_t i = 0; i < env->next_suffixes; i++)
        if (strcmp(suffix, env->ext_suffixes[i]) == 0)
            return i;
    if (strcmp(suffix, ".py") == 0)
        return env->next_suffixes;
    return strcmp(suffix, ".pyc") == 0 ? env->next_suffixes + 1 : SIZE_MAX;
}

static enum wy_spec_kind kind_of_rank(const struct wy_importer *im, size_t rank) {
    size_t extensions = im->world->env.next_suffixes;
    return rank < extensions    ? WY_SPEC_EXTENSION
           : rank == extensions ? WY_SPEC_SOURCE
                                : WY_SPEC_BYTECODE;
}

/* ".cpython-312-x86_64-linux-gnu.so" and the like when it is not of this Python. */
static bool foreign_suffix(const struct wy_importer *im, const char *suffix) {
    return wy_ends(suffix, ".so") && suffix_rank(im, suffix) == SIZE_MAX &&
           (wy_starts(suffix, ".cpython-") || wy_starts(suffix, ".pypy") ||
            wy_starts(suffix, ".graalpy") || wy_starts(suffix, ".abi3"));
}

/* The best file LEAF + suffix in a folder. *foreign gets one that Python does not see. */
static bool find_file(struct wy_importer *im, const struct wy_search_dir *d, const char *leaf,
                      struct wy_spec *spec, const char **foreign) {
    size_t n, best = SIZE_MAX, length = strlen(leaf);
    const struct wy_entry *entries = wy_dir_entries(d->dir, &n), *chosen = NULL;
    for (size_t i = lower_bound(entries, n, leaf); i < n; i++) {
        const char *name = entries[i].name;
        if (strncmp(name, leaf, length) != 0 || (unsigned char)name[length] > '.')
            break;
        if (name[length] != '.')
            continue;
        struct wy_place place;
        size_t rank = suffix_rank(im, name + length);
        if (rank < best && leads_to(im, d->dir, &entries[i], WY_FT_FILE, &place)) {
            best = rank;
            chosen = &entries[i];
            spec->place = place;
        } else if (!*foreign && foreign_suffix(im, name + length)) {
            *foreign = wy_path_join(&im->arena, d->text, name);
        }
    }
    if (!chosen)
        return false;
    spec->kind = kind_of_rank(im, best);
    spec->path = wy_path_join(&im->arena, d->text, chosen->name);
    return true;
}

static void add_dir(struct wy_importer *im, struct wy_spec *spec, struct wy_search_dir dir) {
    struct wy_search_dir *dirs = wy_arena_alloc(&im->arena, (spec->ndirs + 1) * sizeof *dirs);
    if (spec->ndirs)
        memcpy(dirs, spec->dirs, spec->ndirs * sizeof *dirs);
    dirs[spec->ndirs++] = dir;
    spec->dirs = dirs;
}

static bool find_in_archive(struct wy_importer *im, const struct wy_search_dir *d,
                            struct wy_spec *spec) {
    struct wy_search_dir part;
    bool found = wy_archive_search(im, d, spec, &part);
    if (found)
        spec->ndirs = 0;
    if (part.text)
        add_dir(im, spec, part);
    return found;
}

/* True when the search ends here; a namespace part is added and the search goes on. */
static bool find_in(struct wy_importer *im, const struct wy_search_dir *d, struct wy_spec *spec) {
    if (d->archive)
        return find_in_archive(im, d, spec);
    if (!d->dir) /* of an editable install: only its finder knows */
        return false;
    const struct wy_entry *e = wy_dir_get(d->dir, spec->leaf);
    struct wy_place place;
    const char *inner_foreign = NULL;
    struct wy_search_dir part = {0};
    if (e && leads_to(im, d->dir, e, WY_FT_DIR, &place)) {
        part = (struct wy_search_dir){.text = wy_path_join(&im->arena, d->text, spec->leaf),
                                      .dir = wy_place_dir(im->world->tree, &place)};
        /* x/x -> . goes on for ever by folders; by path it ends at the kernel's limit of links */
        if (e->type == WY_FT_LINK)
            wy_tree_find_dir(im->world->tree, NULL, part.text, &part.dir);
        if (part.dir && find_file(im, &part, "__init__", spec, &inner_foreign)) {
            spec->ndirs = 0;
            add_dir(im, spec, part);
            return true;
        }
    }
    if (find_file(im, d, spec->leaf, spec, &spec->foreign)) {
        spec->ndirs = 0;
        return true;
    }
    if (part.dir)
        add_dir(im, spec, part);
    return false;
}

/* ---- names ---- */

/* A finder that an editable install adds behind sys.path. */
static bool find_editable(struct wy_importer *im, struct wy_spec *spec) {
    const struct wy_env *env = &im->world->env;
    for (size_t i = 0; i < env->neditables; i++) {
        if (strcmp(env->editables[i].module, spec->name) != 0)
            continue;
        const char *path = env->editables[i].path, *foreign = NULL;
        struct wy_search_dir dir = {.text = path};
        struct wy_place place;
        if (wy_tree_find_dir(im->world->tree, NULL, path, &dir.dir) == 0) {
            if (!find_file(im, &dir, "__init__", spec, &foreign))
                spec->kind = WY_SPEC_NAMESPACE;
            add_dir(im, spec, dir);
            return true;
        }
        if (wy_tree_find(im->world->tree, NULL, path, 0, &place) == 0 && place.entry &&
            place.entry->type == WY_FT_FILE) {
            const char *dot = strchr(wy_path_base(path), '.');
            size_t rank = dot ? suffix_rank(im, dot) : SIZE_MAX;
            spec->kind = rank == SIZE_MAX ? WY_SPEC_SOURCE : kind_of_rank(im, rank);
            spec->path = path;
            spec->place = place;
            return true;
        }
    }
    return false;
}

/* By a record "moved HOOK FOLDER": what a hook that stands first finds. */
static bool find_moved(struct wy_importer *im, struct wy_spec *spec) {
    const struct wy_extension_does *d = wy_know_does(im->world->know, spec->name);
    while (d && strcmp(d->does, "moved") != 0)
        d = d->next;
    struct wy_str folder, hook = d ? wy_str_cut(wy_str_of(d->what), ' ', &folder) : WY_STR("");
    const struct wy_spec *by = d ? wy_find(im, wy_arena_str(&im->arena, hook)) : NULL;
    const char *foreign = NULL;
    if (!by || by->kind != WY_SPEC_SOURCE)
        return false;
    struct wy_search_dir dir = {.text = wy_path_join(&im->arena, wy_path_dir(&im->arena, by->path),
                                                     wy_arena_str(&im->arena, folder))};
    if (wy_tree_find_dir(im->world->tree, NULL, dir.text, &dir.dir) != 0 ||
        !find_file(im, &dir, "__init__", spec, &foreign))
        return false;
    add_dir(im, spec, dir);
    return true;
}

static bool holds_editables(const struct wy_importer *im, const struct wy_spec *spec) {
    const struct wy_env *env = &im->world->env;
    size_t n = strlen(spec->name);
    bool below = false, itself = false;
    for (size_t i = 0; i < env->neditables; i++) {
        const char *module = env->editables[i].module;
        below = below || (strncmp(module, spec->name, n) == 0 && module[n] == '.');
        itself = itself || strcmp(module, spec->name) == 0;
    }
    return below && !itself;
}

/* The interpreter that was started has it itself (Modules/config.c): the program, or the libpython
 * that the loader took for it, which need not be the one it was built with. */
static bool compiled_in(struct wy_importer *im, const char *name) {
    const struct wy_process *p = im->started ? im->start.after : NULL;
    const char *init = wy_arena_printf(&im->arena, "PyInit_%s", name);
    for (size_t i = 0; p && i < wy_process_count(p); i++) {
        const struct wy_object *o = wy_process_at(p, i);
        bool python = !o->name[0] || wy_starts(wy_path_base(o->name), "libpython");
        if (python && o->image && wy_image_exports(im->world->host, o->image, init))
            return true;
    }
    return false;
}

void wy_spec_search(struct wy_importer *im, struct wy_spec *spec, const struct wy_search_dir *dirs,
                    size_t n) {
    bool top = !spec->parent;
    if (!*spec->leaf || strchr(spec->leaf, '/')) /* no entry of a folder; all else may be one */
        return;
    if (top && IN(spec->name, builtin)) {
        spec->kind = WY_SPEC_BUILTIN;
        spec->at_start = true;
        return;
    }
    if (top && IN(spec->name, perhaps_builtin) && compiled_in(im, spec->name)) {
        spec->kind = WY_SPEC_BUILTIN;
        return;
    }
    if (find_moved(im, spec))
        return;
    for (size_t i = 0; i < n; i++)
        if (find_in(im, &dirs[i], spec)) {
            spec->foreign = NULL;
            return;
        }
    /* The finder of an editable install is asked last, but says itself on sys.path which packages
     * are only there to hold others (setuptools' NAMESPACES). */
    if (holds_editables(im, spec))
        add_dir(im, spec, (struct wy_search_dir){.text = "__editable__.finder.__path_hook__"});
    if (!spec->ndirs && find_editable(im, spec))
        return;
    if (spec->ndirs)
        spec->kind = WY_SPEC_NAMESPACE;
    else if (top && IN(spec->name, perhaps_builtin))
        spec->kind = WY_SPEC_BUILTIN;
    wy_spec_find_lost(im, spec, dirs, n);
}

struct wy_spec *wy_spec_add(struct wy_importer *im, const struct wy_spec *from) {
    struct wy_spec *spec = WY_NEW(&im->arena, struct wy_spec);
    *spec = *from;
    spec->id = (uint32_t)im->specs.n;
    wy_vec_push(&im->specs, spec);
    return spec;
}

/* By the path as it is before anything has changed it. */
static struct wy_spec *make(struct wy_importer *im, struct wy_spec *parent, const char *name,
                            struct wy_map *among) {
    if (im->specs.n >= WY_MOST_SPECS)
        return im->nothing;
    const char *dot = strrchr(name, '.');
    const char *kept = wy_arena_cstr(&im->arena, name);
    struct wy_spec *spec = wy_spec_add(
        im, &(struct wy_spec){
                .name = kept, .leaf = kept + (dot ? dot + 1 - name : 0), .parent = parent});
    *wy_map_at(among, wy_str_of(spec->name)) = spec;
    const struct wy_path *path = parent ? NULL : im->paths.v[0];
    wy_spec_search(im, spec, parent ? parent->dirs : path->dirs,
                   parent ? parent->ndirs : path->ndirs);
    if (IN(spec->name, at_start))
        spec->at_start = true;
    return spec;
}

struct wy_spec *wy_find(struct wy_importer *im, const char *name) {
    if (strnlen(name, WY_MOST_NAME) == WY_MOST_NAME)
        return im->nothing;
    const char *dot = strrchr(name, '.');
    struct wy_spec *known = wy_map_get(&im->specs_by_name, wy_str_of(name));
    if (!dot)
        return wy_spec_now(im, known ? known : make(im, NULL, name, &im->specs_by_name));
    if (known && !im->elsewhere)
        return wy_spec_now(im, known);
    struct wy_arena scratch = WY_ARENA_INIT;
    struct wy_spec *parent =
        wy_find(im, wy_arena_str(&scratch, (struct wy_str){name, (size_t)(dot - name)}));
    wy_arena_deinit(&scratch);
    return wy_find_child(im, parent, dot + 1);
}

struct wy_spec *wy_find_at(struct wy_importer *im, const char *name, const char *path) {
    struct wy_spec *found = wy_find(im, name);
    if (wy_same(found->path, path) || im->specs.n >= WY_MOST_SPECS)
        return found;
    const char *key = wy_arena_printf(&im->arena, "%s\n%s", name, path); /* no name has that */
    struct wy_spec *known = wy_map_get(&im->specs_by_name, wy_str_of(key));
    struct wy_place place;
    if (known || wy_tree_find(im->world->tree, NULL, path, 0, &place) != 0 || !place.entry ||
        place.entry->type != WY_FT_FILE)
        return known;
    known = wy_spec_add(im, &(struct wy_spec){.name = found->name,
                                              .leaf = found->leaf,
                                              .parent = found->parent,
                                              .place = place,
                                              .path = wy_arena_cstr(&im->arena, path)});
    known->kind = wy_ends(path, ".py")   ? WY_SPEC_SOURCE
                  : wy_ends(path, ".so") ? WY_SPEC_EXTENSION
                                         : WY_SPEC_BYTECODE;
    *wy_map_at(&im->specs_by_name, wy_str_of(key)) = known;
    return known;
}

struct wy_spec *wy_find_child(struct wy_importer *im, struct wy_spec *parent, const char *leaf) {
    char name[WY_MOST_NAME];
    struct wy_map *among = parent->children ? parent->children : &im->specs_by_name;
    size_t above = strlen(parent->name), below = strlen(leaf), n = above + 1 + below;
    if (n >= sizeof name)
        return im->nothing;
    memcpy(name, parent->name, above);
    name[above] = '.';
    memcpy(name + above + 1, leaf, below + 1);
    struct wy_spec *known = wy_map_get(among, (struct wy_str){name, n});
    return wy_spec_now(im, known ? known : make(im, parent, name, among));
}

void wy_finder_init(struct wy_importer *im) {
    wy_paths_init(im);
    im->nothing = make(im, NULL, "/", &im->specs_by_name);
}

/* ---- sources ---- */

static bool is_promised(const struct wy_importer *im, const struct wy_place *place) {
    struct wy_file *f;
    if (wy_place_open(im->world->tree, place, &f) != 0)
        return false;
    bool promised = wy_file_promised(f);
    wy_file_close(f);
    return promised;
}

struct wy_str wy_place_text(const struct wy_importer *im, const struct wy_place *place,
                            struct wy_arena *scratch, const char **problem) {
    struct wy_str text = {0};
    wy_arena_clear(scratch);
    int error = wy_place_slurp(im->world->tree, place, WY_SOURCE_MAX_BYTES, scratch, &text);
    if (error == EIO && is_promised(im, place)) {
        /* It will be there and loads nothing, as far as is known; it has any name (PEP 562). */
        text = WY_STR("def __getattr__(name):\n    return globals()[name]\n");
        error = 0;
    }
    *problem = error == 0       ? NULL
               : error == EFBIG ? "the file is larger than 16 MiB"
                                : strerror(error);
    return text;
}

/* NULL when it cannot be opened. Stays the importer's. */
static struct wy_file *open_source(struct wy_importer *im, const struct wy_place *place) {
    size_t at = (uintptr_t)place->entry / sizeof *place->entry % WY_OPEN_SOURCES;
    struct wy_open_source *o = &im->open_sources[at];
    if (o->entry == place->entry)
        return o->file;
    wy_file_close(o->file);
    *o = (struct wy_open_source){.entry = place->entry};
    if (wy_place_open(im->world->tree, place, &o->file) != 0)
        o->file = NULL;
    return o->file;
}

void wy_finder_deinit(struct wy_importer *im) {
    for (size_t i = 0; i < WY_OPEN_SOURCES; i++)
        wy_file_close(im->open_sources[i].file);
}

/* Of most modules no function is ever called, so their texts are not kept. */
const struct wy_body *wy_module_body(struct wy_importer *im, struct wy_module *m,
                                     struct wy_function *f) {
    if (!wy_source_wants(m->tree, f))
        return wy_source_body(m->tree, f);
    if (m->spec->member) {
        const char *problem;
        struct wy_str whole = wy_archive_text(im, m->spec, &problem);
        bool inside = f->text_at <= whole.n && f->text_n <= whole.n - f->text_at;
        struct wy_str of = {whole.p + f->text_at, inside ? f->text_n : 0};
        return wy_source_body_from(m->tree, f, inside ? of : (struct wy_str){"", 0});
    }
    wy_arena_clear(&im->text);
    char *text = wy_arena_alloc(&im->text, f->text_n);
    struct wy_file *file = open_source(im, &m->source);
    int64_t got = file ? wy_file_read(file, f->text_at, text, f->text_n) : 0;
    return wy_source_body_from(m->tree, f, (struct wy_str){text, got > 0 ? (size_t)got : 0});
}
