/* What a file that is not ELF looks like, from its first bytes. */
#include "elf/parts.h"

#include <ctype.h>
#include <strings.h>

enum { ZERO_BYTES = 64, TEXT_BYTES = 512 };

static bool begins(struct wy_str s, const char *bytes, size_t n) {
    return s.n >= n && memcmp(s.p, bytes, n) == 0;
}

static bool begins_nocase(struct wy_str s, const char *word) {
    size_t n = strlen(word);
    return s.n >= n && strncasecmp(s.p, word, n) == 0;
}

static bool is_macho(struct wy_str s) {
    static const char magics[][4] = {
        {'\xfe', '\xed', '\xfa', '\xce'}, {'\xfe', '\xed', '\xfa', '\xcf'},
        {'\xce', '\xfa', '\xed', '\xfe'}, {'\xcf', '\xfa', '\xed', '\xfe'},
        {'\xca', '\xfe', '\xba', '\xbe'}, {'\xca', '\xfe', '\xba', '\xbf'},
    };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (begins(s, magics[i], 4))
            return true;
    return false;
}

static bool is_zeros(struct wy_str s) {
    size_t n = s.n < ZERO_BYTES ? s.n : ZERO_BYTES;
    for (size_t i = 0; i < n; i++)
        if (s.p[i])
            return false;
    return n > 0;
}

/* UTF-8 or not is not asked: a text is what has no control characters but white space. */
static bool is_text(struct wy_str s) {
    size_t n = s.n < TEXT_BYTES ? s.n : TEXT_BYTES;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if ((c < 32 && !isspace(c)) || c == 127)
            return false;
    }
    return true;
}

/* After comments: GROUP, INPUT or OUTPUT_FORMAT with its parenthesis (ld's script language). */
static bool is_linker_script(struct wy_str s) {
    static const char *const words[] = {"GROUP", "INPUT", "OUTPUT_FORMAT"};
    s = wy_str_trim(s);
    while (begins(s, "/*", 2)) {
        size_t end = wy_str_find(s, WY_STR("*/"));
        if (end == SIZE_MAX)
            return false;
        s = wy_str_trim((struct wy_str){s.p + end + 2, s.n - end - 2});
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!wy_str_starts(s, words[i]))
            continue;
        size_t n = strlen(words[i]);
        struct wy_str rest = wy_str_trim((struct wy_str){s.p + n, s.n - n});
        if (rest.n && rest.p[0] == '(')
            return true;
    }
    return false;
}

static bool is_html(struct wy_str s) {
    s = wy_str_trim(s);
    return begins_nocase(s, "<!doctype html") || begins_nocase(s, "<html") ||
           begins_nocase(s, "<head");
}

enum wy_elf_looks wy_elf_looks_like(struct wy_str head) {
    if (is_zeros(head))
        return WY_LOOKS_ZEROS;
    if (is_macho(head))
        return WY_LOOKS_MACHO;
    if (begins(head, "MZ", 2))
        return WY_LOOKS_PE;
    if (begins(head, "!<arch>\n", 8) || begins(head, "!<thin>\n", 8) || begins(head, "PK\3\4", 4))
        return WY_LOOKS_ARCHIVE;
    if (!is_text(head))
        return WY_LOOKS_BINARY;
    if (wy_str_starts(head, "version https://git-lfs.github.com/spec/"))
        return WY_LOOKS_LFS_POINTER;
    if (is_html(head))
        return WY_LOOKS_HTML;
    return is_linker_script(head) ? WY_LOOKS_LINKER_SCRIPT : WY_LOOKS_TEXT;
}
