/* The tables of what is known by name. Private to the room. */
#ifndef WY_IMPORT_KNOWN_H
#define WY_IMPORT_KNOWN_H

#include "import/internal.h"

struct wy_known_table {
    const struct wy_known *v;
    size_t n;
};
extern const struct wy_known_table wy_known_builtins, wy_known_objects, wy_known_text,
    wy_known_containers, wy_known_files, wy_known_process, wy_known_loading, wy_known_paths,
    wy_known_specs, wy_known_entry_points, wy_known_dataclasses, wy_known_metadata, wy_known_data;

/* Runs a text as code of `scope`: exec(). It must stay as long as the importer. */
void wy_run_text(struct wy_exec *x, struct wy_str text, struct wy_scope *scope);

void wy_known_add(struct wy_importer *im, const struct wy_known *k);
void wy_known_add_records(struct wy_importer *im); /* of data/imports.tsv */

#define WY_KNOWN_TABLE(name, rows)                                                                 \
    const struct wy_known_table name = {rows, sizeof(rows) / sizeof *(rows)}

/* Argument `i`, or the keyword: a NUL-terminated text, or NULL when it is none that is known. */
const char *wy_text_argument(struct wy_exec *x, const struct wy_args *a, uint32_t i,
                             const char *keyword);
struct wy_value wy_given(struct wy_exec *x, const struct wy_args *a, uint32_t i,
                         const char *keyword); /* UNBOUND: not given */
struct wy_value wy_path_value(char *path);     /* pathlib */
struct wy_value wy_open_instance(struct wy_exec *x, const char *class_name);
/* What a known call gives, with what it was given: its methods stand below it in the tables. */
struct wy_value wy_made_by(struct wy_exec *x, struct wy_value of, const char *module,
                           const char *name);
/* A name of sys.modules: logged, since another process may answer otherwise. */
bool wy_is_loaded(struct wy_exec *x, struct wy_spec *spec);
struct wy_value wy_environ(struct wy_exec *x, struct wy_str name); /* UNBOUND: not set */

#endif
