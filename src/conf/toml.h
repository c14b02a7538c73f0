/* TOML (toml.io, 1.0) of one table, through toml++: the reader is C++, this header is plain C. */
#ifndef WY_CONF_TOML_H
#define WY_CONF_TOML_H

#include <stdbool.h>
#include <stddef.h>

enum wy_toml_kind {
    WY_TOML_TEXT,  /* key = "text" */
    WY_TOML_LIST,  /* key = [ … ]: comes once, without text, before its items */
    WY_TOML_ITEM,  /* a text of that list */
    WY_TOML_OTHER, /* any other value, or item of a list */
};

struct wy_toml_entry {
    enum wy_toml_kind kind;
    const char *key; /* NUL-terminated, like text; both until the call returns */
    const char *text;
    unsigned line; /* from 1 */
};

enum { WY_TOML_ERROR = 256 };

/* Calls `take` for what the table `parent.name` holds (both NULL: the whole text), in order of
 * keys. *found: whether there is such a table. False when the text is no TOML: `error` then says
 * what and in which line. */
bool wy_toml_read(const char *text, size_t n, const char *parent, const char *name,
                  void (*take)(void *ctx, const struct wy_toml_entry *e), void *ctx, bool *found,
                  char error[WY_TOML_ERROR]);

#endif
