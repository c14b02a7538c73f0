#include "know/embedded.h"
#include "know/parse.h"

/* Title and severity are cut from the first two lines; the page itself stays whole. */
void wy_know_parse_page(struct wy_know *k, const char *name, const char *text) {
    struct wy_str rest, first = wy_str_line(wy_str_of(text), &rest);
    struct wy_str second = wy_str_line(rest, &rest);
    char *head = wy_arena_printf(&k->arena, "# %s: ", name);
    if (!wy_str_starts(first, head) || !wy_str_starts(second, "severity: ")) {
        k->damaged++;
        return;
    }
    size_t cut = strlen(head), label = strlen("severity: ");
    k->pages[k->npages++] = (struct wy_rule_page){
        .rule = name,
        .title = wy_arena_str(&k->arena, (struct wy_str){first.p + cut, first.n - cut}),
        .severity = wy_arena_str(&k->arena, (struct wy_str){second.p + label, second.n - label}),
        .text = text,
    };
}

static void parse(struct wy_know *k, const char *name, char *text) {
    static const struct {
        const char *name;
        void (*parse)(struct wy_know *k, char *text);
    } tables[] = {
        {"dlopen.tsv", wy_know_parse_dlopens},      {"families.tsv", wy_know_parse_families},
        {"imports.tsv", wy_know_parse_imports},     {"plugins.tsv", wy_know_parse_plugins},
        {"quiet.tsv", wy_know_parse_quiet},         {"preload.rules", wy_know_parse_preloads},
        {"providers.tsv", wy_know_parse_providers}, {"variants.tsv", wy_know_parse_variants},
        {"messages.tsv", wy_know_parse_messages},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(name, tables[i].name) == 0)
            tables[i].parse(k, text);
    size_t folder = strlen("explain/"), n = strlen(name);
    if (wy_starts(name, "explain/") && wy_ends(name, ".md"))
        wy_know_parse_page(
            k, wy_arena_str(&k->arena, (struct wy_str){name + folder, n - folder - 3}), text);
}

static int by_rule(const void *a, const void *b) {
    const struct wy_rule_page *x = a, *y = b;
    return strcmp(x->rule, y->rule);
}

struct wy_know *wy_know_create(void) {
    struct wy_know *k = wy_alloc0(1, sizeof *k);
    k->pages = wy_arena_zero(&k->arena, wy_nembedded * sizeof *k->pages);
    for (size_t i = 0; i < wy_nembedded; i++) {
        char *copy = wy_arena_alloc(&k->arena, wy_embedded[i].n + 1);
        memcpy(copy, wy_embedded[i].text, wy_embedded[i].n + 1);
        parse(k, wy_embedded[i].name, copy);
    }
    if (k->npages)
        qsort(k->pages, k->npages, sizeof *k->pages, by_rule);
    return k;
}

void wy_know_destroy(struct wy_know *k) {
    if (!k)
        return;
    wy_map_deinit(&k->by_soname);
    wy_map_deinit(&k->does_by_module);
    wy_map_deinit(&k->quiet);
    wy_arena_deinit(&k->arena);
    free(k);
}

const struct wy_extension_does *wy_know_does(const struct wy_know *k, const char *module) {
    return wy_map_get(&k->does_by_module, wy_str_of(module));
}

bool wy_know_quiet(const struct wy_know *k, const char *module) {
    for (size_t n = strcspn(module, "."); !wy_map_get(&k->quiet, (struct wy_str){module, n});) {
        if (!module[n])
            return false;
        n += 1 + strcspn(module + n + 1, ".");
    }
    return true;
}

static const struct wy_provider *rows_of(const struct wy_know *k, struct wy_str soname, size_t *n) {
    const struct wy_provider *first = wy_map_get(&k->by_soname, soname);
    const struct wy_provider *end = k->providers + k->nproviders, *p = first;
    while (p && p < end && strcmp(p->soname, first->soname) == 0)
        p++;
    *n = first ? (size_t)(p - first) : 0;
    return first;
}

const struct wy_provider *wy_know_providers(const struct wy_know *k, const char *soname,
                                            size_t *n) {
    const struct wy_provider *rows = rows_of(k, wy_str_of(soname), n);
    const char *dot = strrchr(soname, '.');
    if (rows || !dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")])
        return rows;
    char any[256];
    size_t before = (size_t)(dot + 1 - soname);
    if (before + 1 > sizeof any)
        return NULL;
    memcpy(any, soname, before);
    any[before] = 'X';
    return rows_of(k, (struct wy_str){any, before + 1}, n);
}

bool wy_know_is_driver(const struct wy_know *k, const char *soname) {
    size_t n;
    const struct wy_provider *rows = wy_know_providers(k, soname, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].generation, "driver") == 0)
            return true;
    return false;
}

const struct wy_plugin *wy_know_plugin(const struct wy_know *k, const char *package_key,
                                       const char *file_name) {
    for (size_t i = 0; i < k->nplugins; i++) {
        const struct wy_plugin *p = &k->plugins[i];
        if (wy_glob(p->package, package_key ? package_key : "") && wy_glob(p->file, file_name))
            return p;
    }
    return NULL;
}

const struct wy_family *wy_know_family(const struct wy_know *k, const char *name) {
    for (size_t i = 0; i < k->nfamilies; i++)
        if (wy_glob(k->families[i].member, name))
            return &k->families[i];
    return NULL;
}

const struct wy_rule_page *wy_know_page(const struct wy_know *k, const char *rule) {
    struct wy_rule_page key = {.rule = rule};
    return k->npages ? bsearch(&key, k->pages, k->npages, sizeof *k->pages, by_rule) : NULL;
}

/* A "*" that fails to match is tried again one byte later; only the last one can matter, so the
 * time is at most the product of both lengths. */
bool wy_glob(const char *pattern, const char *text) {
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
