/* apk's list of what is installed: one text for all, a stanza for each package, a letter and a
 * colon before each value (wiki.alpinelinux.org, Apk_spec): P name, V version, A architecture, F a
 * folder, R a file in it, an empty line ends the package. apk-tools 3 keeps it below /usr. */
#include "sys/manager.h"

static const char *const words[] = {"apk", "fix", "--reinstall", NULL};

static void read_stanza(struct wy_sys_reading *r, const char *record, struct wy_str *text) {
    struct wy_str folder = {0};
    struct wy_sys_package *p = wy_sys_package(r, &wy_sys_apk, record);
    while (text->p) {
        struct wy_str value, line = wy_str_line(*text, text);
        struct wy_str key = wy_str_cut(line, ':', &value);
        if (!line.n)
            return;
        if (key.n != 1 || !value.p)
            continue;
        if (*key.p == 'P' && !p->name)
            p->name = wy_sys_word(r, value);
        else if (*key.p == 'V')
            p->version = wy_sys_word(r, value);
        else if (*key.p == 'A')
            p->architecture = wy_sys_word(r, value);
        else if (*key.p == 'F')
            folder = value;
        else if (*key.p == 'R' && p->name)
            wy_sys_list_in(r, p, folder, value);
    }
}

static void read_apk(struct wy_sys_reading *r) {
    static const char *const places[] = {"/usr/lib/apk/db/installed", "/lib/apk/db/installed"};
    struct wy_str text = {0};
    for (size_t i = 0; i < 2 && !text.p; i++)
        if (wy_sys_text(r, NULL, places[i], &text))
            for (size_t n = 0; text.p && n < WY_SYS_RECORDS_MAX; n++)
                read_stanza(r, places[i], &text);
    wy_arena_clear(&r->texts);
}

const struct wy_sys_manager wy_sys_apk = {"apk", {"apk", words}, read_apk, NULL};
