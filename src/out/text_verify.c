/* Predictions against reality: one line for an import that came as predicted, more for others. */
#include "base/path.h"
#include "out/answers.h"
#include "out/text_parts.h"

enum { NAMED = 4 };

/* "a, b, c and 9 more" */
static const char *some_files(struct wy_page *p, const struct whyso_strings *files) {
    wy_auto_buf text = {0};
    size_t shown = p->style->verbosity > 0 || files->n <= NAMED + 1 ? files->n : NAMED;
    for (size_t i = 0; i < shown; i++)
        wy_buf_printf(&text, "%s%s", i ? ", " : "",
                      p->style->verbosity > 0 ? files->v[i] : wy_path_base(files->v[i]));
    if (shown < files->n)
        wy_buf_printf(&text, " and %zu more", files->n - shown);
    return wy_arena_cstr(&p->arena, wy_buf_text(&text));
}

static void put_files(struct wy_page *p, const struct whyso_strings *files, const char *what) {
    if (files->n)
        wy_page_sentence(p, 4, WY_PLAIN,
                         wy_arena_printf(&p->arena, "%s %s: %s",
                                         wy_page_count(p, files->n, "object", "objects"), what,
                                         some_files(p, files)));
}

static void put_difference(struct wy_page *p, const struct whyso_difference *d) {
    const char *said = d->predicted ? d->predicted : "nothing", *is = d->real ? d->real : "nothing";
    bool file = d->at && p->style->verbosity <= 0;
    const char *what =
        d->at ? wy_arena_printf(&p->arena, "object %llu", (unsigned long long)d->at) : d->what;
    wy_page_sentence(p, 4, WY_PLAIN,
                     wy_arena_printf(&p->arena, "%s: predicted %s, really %s", what,
                                     file ? wy_path_base(said) : said,
                                     file ? wy_path_base(is) : is));
}

/* How it really ends; of an exception the type and the first line. */
static const char *end_in_words(struct wy_page *p, const struct whyso_real_import *r) {
    if (wy_same(r->outcome, "ok"))
        return "works";
    if (wy_same(r->outcome, "timeout"))
        return "does not end in time";
    if (r->raised_type) {
        const char *text = r->raised_text ? r->raised_text + strspn(r->raised_text, "\n") : "";
        return wy_arena_printf(&p->arena, "fails (%s%s%.*s)", r->raised_type, *text ? ": " : "",
                               (int)strcspn(text, "\n"), text);
    }
    return wy_arena_printf(&p->arena,
                           wy_same(r->how, "exit") ? "ends the process with status %d"
                                                   : "is ended by signal %d",
                           r->status);
}

static const char *in_words(struct wy_page *p, const struct whyso_verified *v) {
    const struct whyso_real_import *r = &v->real;
    const char *end = end_in_words(p, r);
    const char *as = v->same && !wy_same(v->predicted.outcome, "unknown") ? " as predicted" : "";
    if (r->no_objects)
        return wy_arena_printf(&p->arena, "%s%s", end, as);
    return wy_arena_printf(&p->arena, "%s%s, %s", end, as,
                           wy_page_count(p, r->objects, "object", "objects"));
}

static void put_import(struct wy_page *p, const struct whyso_verified *v) {
    bool unknown = wy_same(v->predicted.outcome, "unknown");
    struct wy_para q;
    wy_para_init(&q, p);
    wy_para_word(&q, WY_BOLD, v->module);
    wy_para_text(&q, v->same ? WY_DIM : WY_PLAIN, in_words(p, v));
    wy_text_sign(p, !v->same ? WHYSO_ERROR : unknown ? WHYSO_WARNING : WHYSO_NOTE);
    wy_para_line(&q, 2, 2);
    if (unknown && v->predicted.reason)
        wy_page_sentence(p, 4, WY_DIM,
                         wy_arena_printf(&p->arena, "not predicted: %s", v->predicted.reason));
    for (size_t i = 0; i < v->differences.n; i++)
        put_difference(p, &v->differences.v[i]);
    put_files(p, &v->missing, "mapped, not predicted");
    put_files(p, &v->extra, "predicted, not mapped");
}

void wy_text_verify(struct wy_buf *b, const struct wy_out_style *s, const struct whyso_verify *v) {
    struct wy_page page, *p = &page;
    wy_page_init(p, b, s);
    wy_text_header_short(p, &v->environment);
    if (s->verbosity >= 0)
        wy_page_newline(p);
    for (size_t i = 0; i < v->imports.n; i++)
        if (s->verbosity >= 0 || !v->imports.v[i].same)
            put_import(p, &v->imports.v[i]);
    if (s->verbosity >= 0) {
        wy_page_newline(p);
        const char *all = wy_page_count(p, v->imports.n, "import", "imports");
        wy_page_sentence(p, 0, WY_PLAIN,
                         v->different ? wy_arena_printf(&p->arena,
                                                        "%llu of %s otherwise than predicted · "
                                                        "--report FILE writes what to send us",
                                                        (unsigned long long)v->different, all)
                                      : wy_arena_printf(&p->arena, "%s as predicted", all));
    }
    wy_page_deinit(p);
}
