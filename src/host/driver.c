/* The NVIDIA driver of the machine: from the kernel module, else from the name of the library. */
#include "host/private.h"

#include "base/path.h"

enum { MAX_VERSION_FILE = 65536 };

/* "550.54.14": digits and at least one dot, nothing else. */
static bool is_version(struct wy_str s) {
    bool dot = false;
    for (size_t i = 0; i < s.n; i++) {
        bool digit = s.p[i] >= '0' && s.p[i] <= '9';
        if (!digit && (s.p[i] != '.' || i == 0 || i + 1 == s.n))
            return false;
        dot |= s.p[i] == '.';
    }
    return dot;
}

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 …", or "… Open Kernel
 * Module for x86_64  570.86.15  Release Build …": the first word that is a version. */
static const char *kernel_module(struct wy_host *h) {
    struct wy_arena scratch = WY_ARENA_INIT;
    const char *found = NULL;
    struct wy_str text, rest;
    if (wy_tree_slurp(h->tree, NULL, "/proc/driver/nvidia/version", MAX_VERSION_FILE, &scratch,
                      &text) == 0) {
        text = wy_str_line(text, &rest);
        while (text.p && !found) {
            struct wy_str word = wy_str_trim(wy_str_cut(text, ' ', &text));
            if (is_version(word))
                found = wy_arena_str(&h->arena, word);
        }
    }
    wy_arena_deinit(&scratch);
    return found;
}

/* Forward-compatibility packages and link-time stubs carry the name, but are no driver. */
static bool is_stand_in(const char *path) {
    return strstr(path, "/stubs/") || strstr(path, "/compat/");
}

/* NULL when there is no such library; "assumed" when it does not tell its version. */
static const char *library_at(struct wy_host *h, const char *path) {
    struct wy_place p;
    if (is_stand_in(path) || wy_tree_find(h->tree, NULL, path, 0, &p) != 0 || !p.entry ||
        p.entry->type != WY_FT_FILE)
        return NULL;
    const char *name = p.entry->name;
    struct wy_str version = wy_str_of(wy_starts(name, "libcuda.so.") ? name + 11 : "");
    /* WSL's own file is called libcuda.so.1.1. */
    if (is_version(version) && !wy_starts(version.p, "1."))
        return wy_arena_str(&h->arena, version);
    return "assumed";
}

static const char *library(struct wy_host *h) {
    static const char *const places[] = {
        "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
        "/usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.1",
        "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
        "/usr/lib64/libcuda.so.1",
        "/usr/lib/libcuda.so.1",
        "/usr/local/nvidia/lib64/libcuda.so.1",
        "/usr/lib/wsl/lib/libcuda.so.1",
        "/run/opengl-driver/lib/libcuda.so.1",
    };
    const char *found = NULL;
    wy_host_load_cache(h, "/etc/ld.so.cache");
    for (size_t i = 0; i < h->ncache && !found; i++)
        if (strcmp(h->cache[i].key, "libcuda.so.1") == 0)
            found = library_at(h, h->cache[i].path);
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++)
        found = library_at(h, places[i]);
    return found;
}

struct wy_error *wy_host_find_driver(struct wy_host *h) {
    const char *o = h->options.driver;
    if (o && wy_starts(o, "assume:") && is_version(wy_str_of(o + 7))) {
        h->driver = o + 7;
        return NULL;
    }
    if (o && strcmp(o, "auto") != 0 && strcmp(o, "none") != 0 && strcmp(o, "assume") != 0)
        return wy_errorf("driver '%s': expected auto, none, assume or assume:VERSION", o);
    if (o && strcmp(o, "auto") != 0) {
        h->driver = strcmp(o, "none") == 0 ? "none" : "assumed";
    } else if (h->options.foreign) {
        h->driver = "assumed";
    } else {
        h->driver = kernel_module(h);
        if (!h->driver)
            h->driver = library(h);
        if (!h->driver)
            h->driver = "none";
    }
    return NULL;
}
