#include "import_tree.h"

#include "base/path.h"
#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

void put_bytes(struct fixture *f, const char *path, const void *bytes, size_t n) {
    char *full = wy_arena_printf(&f->arena, "%s%s", f->root, path);
    for (char *p = full + strlen(f->root) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(full, 0755);
        *p = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

void put_elf(struct fixture *f, const char *path, const struct elf_spec *spec) {
    struct elf_bytes *e = wy_alloc(sizeof *e);
    elf_build(spec, e);
    put_bytes(f, path, e->b, e->n);
    free(e);
}

int import_setup(void **state) {
    struct fixture *f = wy_alloc0(1, sizeof *f);
    strcpy(f->root, "/tmp/wy_import_XXXXXX");
    *state = f;
    if (!mkdtemp(f->root))
        return -1;
    f->know = wy_know_create();
    put_elf(f, "/lib64/ld-linux-x86-64.so.2",
            &(struct elf_spec){.is64 = true, .soname = "ld-linux-x86-64.so.2"});
    put_elf(f, "/lib64/libc.so.6", &(struct elf_spec){.is64 = true, .soname = "libc.so.6"});
    put_elf(f, "/usr/bin/python3.11",
            &(struct elf_spec){.is64 = true,
                               .interp = "/lib64/ld-linux-x86-64.so.2",
                               .needed = {"libc.so.6"},
                               .flags_1 = 0x08000000 /* DF_1_PIE */});
    put_bytes(f, "/usr/lib/python3.11/os.py", "", 0);
    put_bytes(f, "/usr/lib/python3.11/lib-dynload/x", "", 0);
    static const char cfg[] = "home = /usr/bin\nversion = 3.11.7\n";
    put_bytes(f, "/venv/pyvenv.cfg", cfg, sizeof cfg - 1);
    put_bytes(f, SITE "/README.txt", "", 0);
    put_bytes(f, "/venv/bin/x", "", 0);
    put_bytes(f, "/empty/x", "", 0);
    return symlink("/usr/bin/python3.11",
                   wy_arena_printf(&f->arena, "%s/venv/bin/python", f->root));
}

int import_teardown(void **state) {
    struct fixture *f = *state;
    wy_importer_destroy(f->importer);
    if (f->ld)
        wy_ld_destroy(f->ld);
    wy_world_destroy(f->world);
    if (f->tree)
        wy_tree_destroy(f->tree);
    wy_know_destroy(f->know);
    wy_arena_deinit(&f->arena);
    int left = remove_folder(f->root);
    free(f);
    return left;
}

/* ---- building */

void record(struct fixture *f, const char *dist, const char *name, size_t size) {
    size_t i = 0;
    while (i < f->ndists && strcmp(f->dists[i], dist) != 0)
        i++;
    assert_true(i < sizeof f->dists / sizeof *f->dists);
    if (i == f->ndists)
        strcpy(f->dists[f->ndists++], dist);
    size_t used = strlen(f->records[i]);
    snprintf(f->records[i] + used, sizeof f->records[i] - used, "%s,,%zu\n", name, size);
}

void py(struct fixture *f, const char *dist, const char *name, const char *text) {
    put_bytes(f, wy_arena_printf(&f->arena, SITE "/%s", name), text, strlen(text));
    record(f, dist, name, strlen(text));
}

void ext_with(struct fixture *f, const char *dist, const char *name, const char *suffix,
              const char *needed) {
    const char *init = wy_arena_printf(&f->arena, "PyInit_%s", strrchr(name, '/') + 1);
    const char *file = wy_arena_printf(&f->arena, "%s%s", name, suffix);
    put_elf(f, wy_arena_printf(&f->arena, SITE "/%s", file),
            &(struct elf_spec){
                .is64 = true, .needed = {needed}, .symbols = {init}, .hashes = ELF_GNU_HASH});
    record(f, dist, file, 1);
}

void ext(struct fixture *f, const char *dist, const char *name, const char *needed) {
    ext_with(f, dist, name, SUFFIX, needed);
}

void lib(struct fixture *f, const char *path, const char *soname, const char *needed) {
    put_elf(f, path, &(struct elf_spec){.is64 = true, .soname = soname, .needed = {needed}});
}

static void write_dists(struct fixture *f) {
    for (size_t i = 0; i < f->ndists; i++) {
        char dir[128];
        snprintf(dir, sizeof dir, SITE "/%s-1.0.dist-info", f->dists[i]);
        char *meta =
            wy_arena_printf(&f->arena, "Name: %s\nVersion: 1.0\n%s\n", f->dists[i],
                            strcmp(f->dists[i], "torchuser") == 0 ? "Requires-Dist: torch\n" : "");
        put_bytes(f, wy_arena_printf(&f->arena, "%s/METADATA", dir), meta, strlen(meta));
        put_bytes(f, wy_arena_printf(&f->arena, "%s/RECORD", dir), f->records[i],
                  strlen(f->records[i]));
    }
}

void begin(struct fixture *f) {
    write_dists(f);
    assert_null(wy_tree_host(f->root, &f->tree));
    struct wy_world_options o = {
        .env = {.path = "/venv", .machine_triplet = "x86_64-linux-gnu", .no_user_site = true},
        .host = {.cwd = "/empty", .cpu = "x86-64-v2", .driver = "none", .foreign = true},
        .threads = 1};
    struct wy_error *e = wy_world_create(f->tree, f->know, &o, &f->world);
    if (e)
        fail_msg("%s", e->message);
    f->ld = wy_ld_create(f->world->host);
    f->importer = wy_importer_create(f->world, f->ld);
    const struct wy_open *start = wy_importer_start(f->importer);
    assert_non_null(start);
    if (start->outcome != WY_OPEN_OK)
        fail_msg("start: %s", start->message);
}

/* ---- asking */

const char *told(struct fixture *f, const char *module) {
    const struct wy_run *r = wy_importer_run(f->importer, module);
    char *text = wy_arena_cstr(&f->arena, "");
    for (size_t i = 0; i < r->nevents; i++) {
        const struct wy_event *e = &r->events[i];
        const char *what = e->module ? e->module : wy_path_base(e->path);
        text = wy_arena_printf(&f->arena, "%s%s%c %s%s", text, i ? " | " : "", "Mmcn"[e->guard],
                               what, e -> message ? " !" : "");
    }
    static const char *const words[] = {"ok", "fails", "unknown"};
    return wy_arena_printf(&f->arena, "%s => %s", text, words[r->outcome]);
}

void expect(struct fixture *f, const char *module, const char *want) {
    if (!f->importer)
        begin(f);
    assert_string_equal(told(f, module), want);
}
