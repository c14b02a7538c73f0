/* An error as people paste it: which of its lines counts, and what that line names. The forms are
 * rows of data/messages.tsv; the text may be anything of any size. */
#ifndef WY_SAID_SAID_H
#define WY_SAID_SAID_H

#include "know/know.h"

enum wy_said_name {
    WY_SAID_LIBRARY,
    WY_SAID_FILE,
    WY_SAID_SYMBOL,
    WY_SAID_VERSION,
    WY_SAID_MODULE,
    WY_SAID_NAMES /* how many there are */
};

struct wy_said {
    const struct wy_message_form *form; /* NULL: a line that only names a library */
    struct wy_str line;                 /* trimmed; p == NULL: no line says anything */
    uint64_t number;                    /* of the line, from 1 */
    struct wy_str names[WY_SAID_NAMES]; /* p == NULL: not named */
    struct wy_str
        site; /* the last folder of packages that the text names, absolute; or p == NULL */
};

/* All slices lie in `text`. Takes time linear in the text. */
void wy_said_read(const struct wy_know *k, struct wy_str text, struct wy_said *ret);
/* The name that a word of a row's `object` stands for, or SIZE_MAX. */
size_t wy_said_name_of(struct wy_str word);

#endif
