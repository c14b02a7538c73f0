/* Small trees for tests of imports: a root with its own loader, libc, python and venv, made on the
 * spot; distributions with RECORDs; what a run of an import tells. */
#ifndef WY_TESTS_IMPORT_TREE_H
#define WY_TESTS_IMPORT_TREE_H

#include "elf_bytes.h"
#include "import/import.h"

#define SUFFIX ".cpython-311-x86_64-linux-gnu.so"
#define SITE "/venv/lib/python3.11/site-packages"
#define GONE "libgone.so.1: cannot open shared object file: No such file or directory"

struct fixture {
    char root[64];
    struct wy_arena arena;
    struct wy_tree *tree;
    struct wy_know *know;
    struct wy_world *world;
    struct wy_ld *ld;
    struct wy_importer *importer;
    char dists[16][64]; /* names, for RECORDs written at the end */
    char records[16][2048];
    size_t ndists;
};

int import_setup(void **state);
int import_teardown(void **state);

/* A file from the root of the tree, with the folders above it. */
void put_bytes(struct fixture *f, const char *path, const void *bytes, size_t n);
void put_elf(struct fixture *f, const char *path, const struct elf_spec *spec);
/* A file of the site directory; it is listed in the RECORD of distribution `dist`. */
void record(struct fixture *f, const char *dist, const char *name, size_t size);
/* A source of the site directory. */
void py(struct fixture *f, const char *dist, const char *name, const char *text);
/* An extension NAME (dotted path with slashes, no suffix) that needs a library, or nothing. */
void ext_with(struct fixture *f, const char *dist, const char *name, const char *suffix,
              const char *needed);
void ext(struct fixture *f, const char *dist, const char *name, const char *needed);
/* A library with a soname; `path` from the root of the tree. */
void lib(struct fixture *f, const char *path, const char *soname, const char *needed);

/* What was made is read; done by the first question. */
void begin(struct fixture *f);
/* "guard module message" of every event, joined by " | "; then the outcome. */
const char *told(struct fixture *f, const char *module);
void expect(struct fixture *f, const char *module, const char *want);

#endif
