/* Notes of owner "FDO" and type 0x407c0c0a: what a file opens by name while it runs, as a JSON
 * array of objects in which all values are strings or arrays of strings (uapi-group.org, "Package
 * Metadata for dlopen"). Whatever else stands there is passed over; what was read before a text
 * turns out to be no JSON counts. */
#include "base/jsonread.h"
#include "elf/parts.h"

enum { MOST_ENTRIES = 256, MOST_SONAMES = 64, MOST_TEXT = WY_ELF_MAX_STR };

static const char *text_of(struct wy_jread v, struct wy_arena *a) {
    struct wy_str s;
    return wy_jread_str(v, a, &s) ? s.p : NULL;
}

static bool add_soname(struct wy_jread v, struct wy_arena *a, struct wy_elf_dlopen *ret) {
    const char *name = text_of(v, a);
    if (name && ret->nsonames < MOST_SONAMES)
        ret->sonames[ret->nsonames++] = name;
    return name;
}

/* An array of strings, or one string. */
static bool take_sonames(struct wy_jread v, struct wy_arena *a, struct wy_elf_dlopen *ret) {
    struct wy_jread one;
    ret->sonames = wy_arena_zero(a, MOST_SONAMES * sizeof *ret->sonames);
    ret->nsonames = 0;
    if (wy_jread_kind(v) != '[')
        return add_soname(v, a, ret);
    struct wy_jread_each each = wy_jread_begin(v);
    while (wy_jread_next(&each, NULL, &one))
        if (!add_soname(one, a, ret))
            return false;
    return !each.damaged;
}

static bool take_priority(struct wy_jread v, struct wy_arena *a, struct wy_elf_dlopen *ret) {
    const char *word = text_of(v, a);
    if (word)
        ret->priority = strcmp(word, "required") == 0    ? WY_DLOPEN_REQUIRED
                        : strcmp(word, "suggested") == 0 ? WY_DLOPEN_SUGGESTED
                                                         : WY_DLOPEN_RECOMMENDED;
    return word;
}

static bool take_entry(struct wy_jread v, struct wy_arena *a, struct wy_elf_dlopen *ret) {
    struct wy_jread_each each = wy_jread_begin(v);
    struct wy_jread value;
    struct wy_str key;
    *ret = (struct wy_elf_dlopen){.priority = WY_DLOPEN_RECOMMENDED};
    if (wy_jread_kind(v) != '{')
        return false;
    while (wy_jread_next(&each, &key, &value)) {
        bool ok = wy_str_is(key, "soname")        ? take_sonames(value, a, ret)
                  : wy_str_is(key, "priority")    ? take_priority(value, a, ret)
                  : wy_str_is(key, "feature")     ? (ret->feature = text_of(value, a)) != NULL
                  : wy_str_is(key, "description") ? (ret->description = text_of(value, a)) != NULL
                                                  : true;
        if (!ok)
            return false;
    }
    return !each.damaged;
}

static void add(struct wy_elf_job *job, const struct wy_elf_dlopen *entry) {
    struct wy_elf *elf = job->elf;
    if (!elf->dlopens)
        elf->dlopens = wy_arena_zero(job->a, MOST_ENTRIES * sizeof *elf->dlopens);
    if (entry->nsonames && elf->ndlopens < MOST_ENTRIES)
        elf->dlopens[elf->ndlopens++] = *entry;
}

void wy_elf_take_dlopen(struct wy_elf_job *job, struct wy_str text) {
    struct wy_elf_dlopen entry;
    struct wy_jread list = wy_jread_text(text), one;
    if (text.n > MOST_TEXT || job->strings + text.n > WY_ELF_MAX_STRINGS ||
        wy_jread_kind(list) != '[')
        return;
    job->strings += text.n;
    struct wy_jread_each each = wy_jread_begin(list);
    while (wy_jread_next(&each, NULL, &one) && take_entry(one, job->a, &entry))
        add(job, &entry);
}
