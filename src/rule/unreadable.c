/* unreadable: folders and files that this user may not read. The rest of the answer is still given.
 */
#include "rule/internal.h"

/* An import or a library wants it: that is a bad-file. */
static bool wanted(const struct wy_case *c, const struct wy_unreadable *u) {
    for (size_t i = 0; i < c->wants->all.n; i++) {
        const struct wy_want *w = c->wants->all.v[i];
        if (w->kind == WY_WANT_BAD_FILE && w->file && strcmp(w->file, u->path) == 0)
            return true;
    }
    return false;
}

void wy_rule_unreadable(struct wy_case *c) {
    for (size_t i = 0; i < c->world->nunreadable; i++) {
        const struct wy_unreadable *u = &c->world->unreadable[i];
        if (wanted(c, u))
            continue;
        struct wy_finding *f = wy_make(c, "unreadable", WHYSO_NOTE, u->shown);
        f->f.file = u->shown;
        f->f.title =
            wy_arena_printf(c->arena, "%s cannot be read: %s", u->shown, strerror(u->error));
        wy_make_because(c, f, "open(2) answers: %s", strerror(u->error));
        f->remedy = (struct wy_remedy){
            .kind = WY_REMEDY_MANUAL,
            .text =
                "Run whyso as the user who runs Python, or give this user the right to read it."};
    }
}
