/* Tab-separated tables: "#" begins a comment line, the first other line names the columns. */
#include "know/parse.h"

enum { MOST_COLUMNS = 8 };

/* Cuts the next line off; NULL at the end. */
static char *next_line(char **at) {
    char *line = *at;
    if (!line || !*line)
        return NULL;
    char *end = strchr(line, '\n');
    if (end)
        *end++ = '\0';
    *at = end;
    return line;
}

static size_t split(char *line, const char *field[MOST_COLUMNS]) {
    size_t n = 0;
    for (char *part; (part = strsep(&line, "\t"));) {
        if (n < MOST_COLUMNS)
            field[n] = part;
        n++;
    }
    return n;
}

/* The next row of exactly `columns` fields, none of them empty. */
static bool next_row(struct wy_know *k, char **at, const char *first_column, size_t columns,
                     const char *field[MOST_COLUMNS]) {
    for (char *line; (line = next_line(at));) {
        if (!line[0] || line[0] == '#')
            continue;
        bool good = split(line, field) == columns;
        for (size_t i = 0; good && i < columns; i++)
            good = field[i][0] != '\0';
        if (good && strcmp(field[0], first_column) == 0)
            continue;
        if (good)
            return true;
        k->damaged++;
    }
    return false;
}

/* Rows of one soname keep the order of the file: all texts lie in one block, so addresses are that
 * order. */
static int by_soname(const void *a, const void *b) {
    const struct wy_provider *x = a, *y = b;
    int order = strcmp(x->soname, y->soname);
    return order ? order : x->soname < y->soname ? -1 : x->soname > y->soname;
}

void wy_know_parse_providers(struct wy_know *k, char *text) {
    WY_VEC(struct wy_provider) rows = {0};
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "soname", 8, f))
        if (!strstr(f[7], "WRONG:")) /* kept in the file as a warning to people */
            wy_vec_push(&rows,
                        ((struct wy_provider){f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]}));
    if (rows.n)
        qsort(rows.v, rows.n, sizeof *rows.v, by_soname);
    k->nproviders = rows.n;
    wy_vec_keep(&k->arena, &rows);
    k->providers = rows.v;
    for (size_t i = k->nproviders; i-- > 0;)
        *wy_map_at(&k->by_soname, wy_str_of(rows.v[i].soname)) = &rows.v[i];
}

void wy_know_parse_plugins(struct wy_know *k, char *text) {
    WY_VEC(struct wy_plugin) rows = {0};
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "package", 4, f))
        wy_vec_push(&rows, ((struct wy_plugin){f[0], f[1], f[2], f[3]}));
    k->nplugins = rows.n;
    wy_vec_keep(&k->arena, &rows);
    k->plugins = rows.v;
}

void wy_know_parse_variants(struct wy_know *k, char *text) {
    WY_VEC(struct wy_variants) rows = {0};
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "package", 6, f))
        wy_vec_push(&rows, ((struct wy_variants){f[0], f[1], f[2], f[3],
                                                 strcmp(f[4], "-") ? f[4] : NULL, f[5]}));
    k->nvariants = rows.n;
    wy_vec_keep(&k->arena, &rows);
    k->variants = rows.v;
}

void wy_know_parse_dlopens(struct wy_know *k, char *text) {
    WY_VEC(struct wy_dlopen) rows = {0};
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "opener", 4, f))
        wy_vec_push(&rows, ((struct wy_dlopen){f[0], f[1], f[2], f[3]}));
    k->ndlopens = rows.n;
    wy_vec_keep(&k->arena, &rows);
    k->dlopens = rows.v;
}

void wy_know_parse_families(struct wy_know *k, char *text) {
    WY_VEC(struct wy_family) rows = {0};
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "family", 5, f))
        wy_vec_push(&rows, ((struct wy_family){f[0], f[1], f[2], f[3], f[4]}));
    k->nfamilies = rows.n;
    wy_vec_keep(&k->arena, &rows);
    k->families = rows.v;
}

void wy_know_parse_quiet(struct wy_know *k, char *text) {
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "module", 2, f))
        *wy_map_at(&k->quiet, wy_str_of(f[0])) = k; /* any value */
}

void wy_know_parse_imports(struct wy_know *k, char *text) {
    WY_VEC(struct wy_extension_does) rows = {0};
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "module", 4, f)) {
        static const char *const words[] = {
            "imports",  "tries",  "opens", "loads", "skips", "answers", "holds", "provides",
            "operator", "called", "needs", "moved", "calls", "uses",    "asks",  "behind"};
        size_t i = 0, n = sizeof words / sizeof *words;
        while (i < n && strcmp(f[1], words[i]) != 0)
            i++;
        if (i < n)
            wy_vec_push(&rows, ((struct wy_extension_does){f[0], words[i], f[2], f[3], NULL}));
        else
            k->damaged++;
    }
    k->ndoes = rows.n;
    wy_vec_keep(&k->arena, &rows);
    k->does = rows.v;
    for (size_t i = rows.n; i-- > 0;) {
        void **first = wy_map_at(&k->does_by_module, wy_str_of(rows.v[i].module));
        rows.v[i].next = *first;
        *first = &rows.v[i];
    }
}

void wy_know_parse_messages(struct wy_know *k, char *text) {
    WY_VEC(struct wy_message_form) rows = {0};
    const char *f[MOST_COLUMNS];
    while (next_row(k, &text, "pattern", 5, f)) {
        static const char *const ranks[] = {"loader", "python", "framework"};
        size_t i = 0, n = sizeof ranks / sizeof *ranks;
        while (i < n && strcmp(f[1], ranks[i]) != 0)
            i++;
        if (i < n)
            wy_vec_push(
                &rows, ((struct wy_message_form){f[0], (enum wy_message_rank)i, f[2], f[3], f[4]}));
        else
            k->damaged++;
    }
    k->nmessages = rows.n;
    wy_vec_keep(&k->arena, &rows);
    k->messages = rows.v;
}
