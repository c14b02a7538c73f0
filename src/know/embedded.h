/* The files of data/ as they were when the program was built (tools/embed.py writes the content).
 */
#ifndef WY_KNOW_EMBEDDED_H
#define WY_KNOW_EMBEDDED_H

#include <stddef.h>

struct wy_embedded {
    const char *name;          /* below data/: "providers.tsv", "explain/bad-file.md" */
    const unsigned char *text; /* a NUL follows */
    size_t n;                  /* bytes, without that NUL */
};
extern const struct wy_embedded wy_embedded[]; /* sorted by name */
extern const size_t wy_nembedded;

#endif
