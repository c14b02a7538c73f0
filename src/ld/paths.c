/* Search path strings: tokens, elements, lists (elf/dl-load.c: _dl_dst_substitute, fillin_rpath).
 */
#include "ld/internal.h"

#include <errno.h>

/* Length of the token `name` at `s` (behind the '$'), 0 when it is not there. Without braces it
 * must not go on as an identifier: "$ORIGINfoo" is plain text (is_dst). */
static size_t token_length(const char *s, const char *name) {
    bool curly = *s == '{';
    size_t n = strlen(name);
    s += curly;
    if (strncmp(s, name, n) != 0 || (curly && s[n] != '}'))
        return 0;
    char c = s[n];
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')
        return 0;
    return n + (curly ? 2 : 0);
}

bool ld_has_token(const char *s) {
    while ((s = strchr(s, '$'))) {
        s++;
        if (token_length(s, "ORIGIN") || token_length(s, "PLATFORM") || token_length(s, "LIB"))
            return true;
    }
    return false;
}

/* Without ".", ".." and doubled slashes, as far as text tells (is_trusted_path_normalize). */
static const char *normalized(struct wy_ld *ld, const char *s) {
    char *ret = wy_arena_alloc(&ld->arena, strlen(s) + 2), *to = ret;
    while (*s) {
        if (s[0] == '/' && s[1] == '.' && s[2] == '.' && (s[3] == '/' || !s[3])) {
            while (to > ret && *--to != '/')
                ;
            s += 3;
        } else if (s[0] == '/' && s[1] == '.' && (s[2] == '/' || !s[2])) {
            s += 2;
        } else if (s[0] == '/' && to > ret && to[-1] == '/') {
            s++;
        } else {
            *to++ = *s++;
        }
    }
    if (to == ret || to[-1] != '/')
        *to++ = '/';
    *to = '\0';
    return ret;
}

static bool is_trusted(struct wy_ld *ld, const char *path) {
    const char *s = normalized(ld, path);
    for (size_t i = 0; i < ld->host->ndefault_dirs; i++) {
        const char *dir = ld->host->default_dirs[i];
        if (wy_starts(s, dir) && s[strlen(dir)] == '/')
            return true;
    }
    return false;
}

/* In secure mode $ORIGIN stands alone at the start, and for the program it must lead to a system
 * directory (_dl_dst_substitute). */
static bool may_use_origin(struct wy_ld *ld, const char *s, const char *origin,
                           const char *expanded) {
    if (!ld->host->secure)
        return true;
    const char *at = s;
    for (size_t n; (at = strchr(at, '$')); at++) {
        if (!(n = token_length(at + 1, "ORIGIN")))
            continue;
        if (at != s || (at[n + 1] && at[n + 1] != '/'))
            return false;
        if (origin == ld->main_origin && !is_trusted(ld, expanded))
            return false;
    }
    return true;
}

const char *ld_expand(struct wy_ld *ld, const char *s, const char *origin) {
    const char *text = s;
    if (!strchr(s, '$'))
        return s;
    const struct {
        const char *name, *value;
    } tokens[] = {
        {"ORIGIN", origin}, {"PLATFORM", ld->host->platform_token}, {"LIB", ld->host->lib_token}};
    wy_auto_buf b = {0};
    while (*s) {
        size_t n = 0, i;
        for (i = 0; *s == '$' && i < 3; i++)
            if ((n = token_length(s + 1, tokens[i].name)))
                break;
        if (!n) {
            wy_buf_char(&b, *s++);
            continue;
        }
        if (!tokens[i].value)
            return NULL;
        wy_buf_str(&b, tokens[i].value);
        s += n + 1;
    }
    return may_use_origin(ld, text, origin, wy_buf_text(&b))
               ? wy_arena_cstr(&ld->arena, wy_buf_text(&b))
               : NULL;
}

static void find_subs(struct wy_ld *ld, struct ld_dir *d, struct wy_dir *dir) {
    d->subs = wy_arena_alloc(&ld->arena, sizeof *d->subs);
    WY_VEC(struct ld_sub) subs = {0};
    for (size_t i = 0; i < ld->nsubs; i++) {
        char first[64];
        size_t n = strcspn(ld->subs[i], "/");
        struct wy_dir *sub;
        if (n >= sizeof first)
            continue;
        memcpy(first, ld->subs[i], n);
        first[n] = '\0';
        if (wy_dir_get(dir, first) && wy_tree_find_dir(ld->host->tree, dir, ld->subs[i], &sub) == 0)
            wy_vec_push(&subs, ((struct ld_sub){ld->subs[i], sub}));
    }
    wy_vec_push(&subs, ((struct ld_sub){"", dir}));
    wy_vec_keep(&ld->arena, &subs);
    d->subs = subs.v;
    d->nsubs = subs.n;
}

struct ld_dir *ld_dir_of(struct wy_ld *ld, const char *text) {
    void **slot = wy_map_at(&ld->dirs, wy_str_of(text));
    if (*slot)
        return *slot;
    struct ld_dir *d = WY_NEW(&ld->arena, struct ld_dir);
    *slot = d;
    d->text = text;
    d->relative = text[0] != '/';
    d->index = ld->ndirs;
    ld->ndirs += 2; /* "/" needs a second bit: see walk_dirs */
    struct wy_dir *dir = ld->cwd;
    if (text[0])
        d->err = d->relative && !ld->cwd ? ENOENT
                                         : wy_tree_find_dir(ld->host->tree, ld->cwd, text, &dir);
    else
        d->err = ld->cwd ? 0 : ENOENT;
    if (!d->err)
        find_subs(ld, d, dir);
    return d;
}

/* The directory that one element of a list stands for; NULL when the element vanishes. An empty
 * element is the current directory (fillin_rpath). */
static struct ld_dir *element(struct wy_ld *ld, struct wy_str part, const char *origin) {
    const char *text = wy_arena_str(&ld->arena, part);
    if (!*text)
        return ld_dir_of(ld, "");
    text = ld_expand(ld, text, origin);
    if (!text || !*text)
        return NULL;
    size_t n = strlen(text);
    while (n > 1 && text[n - 1] == '/')
        n--;
    const char *slash = text[n - 1] == '/' ? "" : "/";
    return ld_dir_of(ld, wy_arena_printf(&ld->arena, "%.*s%s", (int)n, text, slash));
}

static void add_dir(struct ld_list *list, struct ld_dir *d, int entry) {
    for (size_t i = 0; i < list->n; i++)
        if (list->dirs[i] == d)
            return;
    list->entries[list->n] = entry;
    list->dirs[list->n++] = d;
    list->has_root |= strcmp(d->text, "/") == 0;
    list->nmissing += d->err && !d->relative;
}

static struct ld_list *make_list(struct wy_ld *ld, const char *text, const char *separators,
                                 const char *origin) {
    size_t count = 1;
    for (const char *s = text; *s; s++)
        count += strchr(separators, *s) != NULL;
    struct ld_list *list = WY_NEW(&ld->arena, struct ld_list);
    list->dirs = wy_arena_alloc(&ld->arena, count * sizeof *list->dirs);
    list->entries = wy_arena_alloc(&ld->arena, count * sizeof *list->entries);
    for (int entry = 1;; entry++) {
        size_t n = strcspn(text, separators);
        struct ld_dir *d = element(ld, (struct wy_str){text, n}, origin);
        if (d)
            add_dir(list, d, entry);
        if (!text[n])
            return list;
        text += n + 1;
    }
}

const struct ld_list *ld_list_of(struct wy_ld *ld, const char *text, const char *separators,
                                 const char *origin) {
    if (!text || !*text)
        return NULL;
    bool main = ld->host->secure && origin == ld->main_origin;
    const char *key = wy_arena_printf(&ld->arena, "%s%c%s%c%s", separators, main ? 2 : 1,
                                      strchr(text, '$') && origin ? origin : "", 1, text);
    void **slot = wy_map_at(&ld->lists, wy_str_of(key));
    if (!*slot)
        *slot = make_list(ld, text, separators, origin);
    const struct ld_list *list = *slot;
    return list->n ? list : NULL;
}

bool ld_has_runpath(const struct wy_object *o) {
    return o->image && o->image->elf.runpath;
}

/* DT_RPATH is as good as absent beside a DT_RUNPATH, even an empty one (get-dynamic-info.h). */
static void make_paths(struct wy_ld *ld, struct wy_object_paths *p) {
    const struct wy_elf *elf = &p->image->image->elf;
    p->made = true;
    if (elf->runpath)
        p->runpath = ld_list_of(ld, elf->runpath, ":", p->origin);
    else
        p->rpath = ld_list_of(ld, elf->rpath, ":", p->origin);
}

const struct ld_list *ld_rpath(struct wy_ld *ld, const struct wy_object *o) {
    if (!o->paths)
        return NULL;
    if (!o->paths->made)
        make_paths(ld, o->paths);
    return o->paths->rpath;
}

const struct ld_list *ld_runpath(struct wy_ld *ld, const struct wy_object *o) {
    if (!o->paths)
        return NULL;
    if (!o->paths->made)
        make_paths(ld, o->paths);
    return o->paths->runpath;
}
