/* Compatibility tags of wheels (PEP 425): python-abi-platform, each part one word or several with
 * '.' between them. */
#include "pip/pip.h"

static bool has_word(struct wy_str part, const char *word) {
    for (struct wy_str rest = part; rest.p;)
        if (wy_str_is(wy_str_cut(rest, '.', &rest), word))
            return true;
    return false;
}

/* "py3" and "py39" are for that version and all later ones; "cp39" is, too, with the stable ABI,
 * and else for 3.9 alone. */
static bool speaks(struct wy_str python, bool stable, unsigned own) {
    uint64_t minor;
    bool any = wy_str_starts(python, "py3");
    if (!any && !wy_str_starts(python, "cp3"))
        return false;
    struct wy_str digits = {python.p + 3, python.n - 3};
    if (!digits.n)
        return any;
    if (!wy_str_u64(digits, 1000, &minor))
        return false;
    return minor == own || ((any || stable) && minor < own);
}

bool wy_tag_fits_python(struct wy_str tag, const struct wy_env *env, struct wy_str *platform) {
    struct wy_str rest, python = wy_str_cut(tag, '-', &rest), abi = wy_str_cut(rest, '-', platform);
    for (struct wy_str words = python; words.p;)
        if (speaks(wy_str_cut(words, '.', &words), has_word(abi, "abi3"), env->minor))
            return true;
    return false;
}
