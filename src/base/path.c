#include "base/path.h"
#include "base/vec.h"

char *wy_path_join(struct wy_arena *a, const char *dir, const char *name) {
    size_t n = strlen(dir);
    if (name[0] == '/' || n == 0)
        return wy_arena_cstr(a, name);
    size_t below = strlen(name), slash = dir[n - 1] != '/';
    char *path = wy_arena_alloc(a, n + slash + below + 1);
    char *end = mempcpy(path, dir, n);
    *end = '/';
    memcpy(end + slash, name, below + 1);
    return path;
}

char *wy_path_dir(struct wy_arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return wy_arena_cstr(a, "");
    return wy_arena_str(a, (struct wy_str){path, slash == path ? 1 : (size_t)(slash - path)});
}

const char *wy_path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *wy_path_clean(struct wy_arena *a, const char *path) {
    bool absolute = path[0] == '/';
    size_t n = strlen(path);
    char *out = wy_arena_alloc(a, n + 2);
    size_t len = 0, kept_up = 0; /* kept_up: bytes of leading "../.." that ".." may not remove */
    if (absolute)
        out[len++] = '/';
    struct wy_str rest = {path, n};
    while (rest.p) {
        struct wy_str part = wy_str_cut(rest, '/', &rest);
        if (part.n == 0 || wy_str_is(part, "."))
            continue;
        bool at_top = len == (absolute ? 1 : kept_up);
        if (wy_str_is(part, "..") && !at_top) {
            while (len > kept_up && out[len - 1] != '/')
                len--;
            if (len > (absolute ? 1u : 0u))
                len--;
            continue;
        }
        if (wy_str_is(part, "..") && absolute)
            continue;
        if (len && out[len - 1] != '/')
            out[len++] = '/';
        memcpy(out + len, part.p, part.n);
        len += part.n;
        if (wy_str_is(part, ".."))
            kept_up = len;
    }
    if (len == 0)
        out[len++] = '.';
    out[len] = '\0';
    return out;
}

const char *wy_path_below(const char *path, const char *dir) {
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/')
        n--;
    if (strncmp(path, dir, n) != 0)
        return NULL;
    if (n == 1 && dir[0] == '/')
        return path + 1;
    if (path[n] == '\0')
        return path + n;
    return path[n] == '/' ? path + n + 1 : NULL;
}

bool wy_path_is_so(const char *name) {
    size_t n = strlen(name);
    while (n > 0) {
        size_t digits = 0;
        while (digits < n && name[n - digits - 1] >= '0' && name[n - digits - 1] <= '9')
            digits++;
        if (digits == 0 || digits == n || name[n - digits - 1] != '.')
            break;
        n -= digits + 1;
    }
    return n > 3 && memcmp(name + n - 3, ".so", 3) == 0;
}
