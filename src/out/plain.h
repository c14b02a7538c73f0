/* Pieces of text without a page, a width or colour: for the logs of other programs. */
#ifndef WY_OUT_PLAIN_H
#define WY_OUT_PLAIN_H

#include "out/out.h"

/* One word for a shell; false, and nothing added, when it holds characters that a terminal must not
 * get. */
bool wy_plain_word(struct wy_buf *b, const char *word);
/* NAME='a b', where the shell must see NAME= unquoted. */
bool wy_plain_variable(struct wy_buf *b, const char *setting);
/* A whole command with its variables. */
bool wy_plain_command(struct wy_buf *b, const struct whyso_command *c);
/* "import torch, functorch and 3 more" */
void wy_plain_imports(struct wy_buf *b, const struct whyso_strings *imports);

#endif
