#include "pip/pip.h"

static bool is_alnum(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_separator(char c) {
    return c == '-' || c == '_' || c == '.';
}

char *wy_dist_key(struct wy_arena *a, struct wy_str name) {
    char *key = wy_arena_alloc(a, name.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (is_separator(c)) {
            if (i == 0 || !is_separator(name.p[i - 1]))
                key[n++] = '-';
        } else {
            key[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        }
    }
    key[n] = '\0';
    return key;
}

bool wy_dist_key_is(struct wy_str name, const char *key) {
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool separator = is_separator(c);
        if (separator && i > 0 && is_separator(name.p[i - 1]))
            continue;
        c = separator ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if (*key++ != c)
            return false;
    }
    return !*key;
}

bool wy_name_valid(const char *name) {
    size_t n = name ? strlen(name) : 0;
    if (n == 0 || !is_alnum(name[0]) || !is_alnum(name[n - 1]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_alnum(name[i]) && !is_separator(name[i]))
            return false;
    return true;
}
