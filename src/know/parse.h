/* Readers of the tables. Private to this room. Each takes a text that it cuts up in place, and adds
 * what it finds to `k`; lines that are not understood are counted in `k->damaged`. */
#ifndef WY_KNOW_PARSE_H
#define WY_KNOW_PARSE_H

#include "know/know.h"

void wy_know_parse_providers(struct wy_know *k, char *text);
void wy_know_parse_plugins(struct wy_know *k, char *text);
void wy_know_parse_variants(struct wy_know *k, char *text);
void wy_know_parse_dlopens(struct wy_know *k, char *text);
void wy_know_parse_families(struct wy_know *k, char *text);
void wy_know_parse_imports(struct wy_know *k, char *text);
void wy_know_parse_messages(struct wy_know *k, char *text);
void wy_know_parse_quiet(struct wy_know *k, char *text);
void wy_know_parse_preloads(struct wy_know *k, char *text);
/* `name` is the rule, `text` its page: both are kept, not copied. */
void wy_know_parse_page(struct wy_know *k, const char *name, const char *text);

#endif
