#include "out/answers.h"
#include "out/text_parts.h"

/* What the hash or size said, as a person would. */
static const char *on_disk(const char *word, const char *manager) {
    if (wy_same(word, "same"))
        return "its bytes are on disk";
    if (wy_same(word, "differs"))
        return "other bytes are on disk";
    if (wy_same(word, "absent"))
        return "the file is gone";
    return wy_same(manager, "pip") ? "not compared (--hash compares)" : "not compared";
}

/* "12.2.0-14 (dpkg)", "13.2.0 (conda, conda-forge)", "1.0 (dpkg, half-installed)"; a pip package's
 * version stands alone. */
static const char *version(struct wy_page *p, const struct whyso_owner *o) {
    const char *more = o->state ? o->state : o->channel;
    if (!o->manager || wy_same(o->manager, "pip"))
        return o->version;
    return wy_arena_printf(&p->arena, "%s%s(%s%s%s)", o->version ? o->version : "",
                           o->version ? " " : "", o->manager, more ? ", " : "", more ? more : "");
}

static enum wy_tone disk_tone(const char *word) {
    if (wy_same(word, "absent"))
        return WY_RED;
    return wy_same(word, "differs") ? WY_YELLOW : WY_PLAIN;
}

void wy_text_owners(struct wy_page *p, unsigned indent, const struct whyso_owner *v, size_t n) {
    struct wy_table t;
    wy_table_init(&t, p, 5);
    t.right[2] = true;
    bool hashes = p->style->verbosity > 0;
    for (size_t i = 0; i < n; i++) {
        wy_table_cell(&t, WY_BOLD, v[i].package);
        wy_table_cell(&t, WY_PLAIN, version(p, &v[i]));
        wy_table_cell(&t, WY_PLAIN,
                      v[i].size < 0 ? NULL
                                    : wy_page_count(p, (uint64_t)v[i].size, "byte", "bytes"));
        wy_table_cell(&t, disk_tone(v[i].on_disk), on_disk(v[i].on_disk, v[i].manager));
        wy_table_cell(&t, WY_DIM, hashes ? v[i].sha256 : NULL);
    }
    wy_table_put(&t, indent);
    wy_table_deinit(&t);
}

void wy_text_owner(struct wy_buf *b, const struct wy_out_style *s,
                   const struct whyso_owner_answer *o) {
    struct wy_page page, *p = &page;
    wy_page_init(p, b, s);
    wy_text_header_short(p, &o->environment);
    for (size_t i = 0; i < o->paths.n; i++) {
        const struct whyso_owned *k = &o->paths.v[i];
        if (i || s->verbosity >= 0)
            wy_page_newline(p);
        wy_page_put(p, WY_PLAIN, wy_page_name(p, k->path));
        wy_page_newline(p);
        wy_text_owners(p, 2, k->owners.v, k->owners.n);
        if (!k->owners.n && k->unread)
            wy_page_sentence(p, 2, WY_DIM,
                             wy_arena_printf(&p->arena,
                                             "no package that is read records it; the database "
                                             "of %s is not read: ask %s -qf",
                                             k->unread, k->unread));
        else if (!k->owners.n)
            wy_page_sentence(p, 2, WY_DIM,
                             k->exists ? "no package records it"
                                       : "no such file, and no package records it");
    }
    wy_page_deinit(p);
}
