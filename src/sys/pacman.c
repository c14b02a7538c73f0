/* pacman's local database: a folder for each package with `desc` and `files`, both of sections: a
 * line %NAME%, its values, an empty line (libalpm, be_local.c). Folders end in a slash there. */
#include "base/path.h"
#include "sys/manager.h"

static const char *const words[] = {"pacman", "-S", NULL};
static const char place[] = "/var/lib/pacman/local";

static void read_desc(struct wy_sys_reading *r, struct wy_str text, struct wy_sys_package *p) {
    struct wy_str section = {0};
    while (text.p) {
        struct wy_str line = wy_str_line(text, &text);
        if (wy_str_is(section, "%NAME%") && !p->name)
            p->name = wy_sys_word(r, line);
        else if (wy_str_is(section, "%VERSION%"))
            p->version = wy_sys_word(r, line);
        else if (wy_str_is(section, "%ARCH%"))
            p->architecture = wy_sys_word(r, line);
        section = line;
    }
}

static void read_files(struct wy_sys_reading *r, struct wy_str text,
                       const struct wy_sys_package *p) {
    bool files = false;
    while (text.p) {
        struct wy_str line = wy_str_line(text, &text);
        if (line.n && *line.p == '%')
            files = wy_str_is(line, "%FILES%");
        else if (files && !wy_str_ends(line, "/"))
            wy_sys_list(r, p, line);
    }
}

static void read_package(struct wy_sys_reading *r, struct wy_dir *local, const char *name) {
    struct wy_str desc, files;
    const char *base = wy_path_join(&r->texts, name, "desc");
    struct wy_sys_package *p =
        wy_sys_package(r, &wy_sys_pacman, wy_arena_printf(r->arena, "%s/%s/files", place, name));
    if (!wy_sys_text(r, local, base, &desc))
        return;
    read_desc(r, desc, p);
    if (p->name && wy_sys_text(r, local, wy_path_join(&r->texts, name, "files"), &files))
        read_files(r, files, p);
}

static void read_pacman(struct wy_sys_reading *r) {
    struct wy_dir *local;
    size_t n;
    if (wy_tree_find_dir(r->tree, NULL, place, &local) != 0)
        return;
    const struct wy_entry *entries = wy_dir_entries(local, &n);
    for (size_t i = 0; i < n && i < WY_SYS_RECORDS_MAX; i++) {
        if (entries[i].type != WY_FT_FILE)
            read_package(r, local, entries[i].name);
        wy_arena_clear(&r->texts);
    }
}

const struct wy_sys_manager wy_sys_pacman = {"pacman", {"pacman", words}, read_pacman, NULL};
