/* The report that `whyso verify --report` writes for others: what differs, without the places and
 * the name of the user. Done on the JSON text, so that no field can be forgotten. */
#include "base/path.h"
#include "out/answers.h"
#include "out/json.h"

enum { MOST_WORDS = 8 };

struct redaction {
    const char *what, *by;
    bool part; /* only as a whole part of a path */
};

/* As it stands within a JSON text, without the quotes. */
static void add_escaped(struct wy_buf *b, const char *text) {
    struct wy_json j = {.out = b, .after_key = true};
    size_t before = b->n;
    wy_json_text(&j, text);
    memmove(b->p + before, b->p + before + 1, b->n - before - 1);
    b->n -= 2;
    b->p[b->n] = '\0';
}

static bool ends_part(char c) {
    return c == '\0' || c == '/' || c == '"' || c == '\'' || c == ':' || c == '\\';
}

static void replace(struct wy_buf *text, const struct redaction *r) {
    wy_auto_buf what = {0}, done = {0};
    add_escaped(&what, r->what);
    const char *from = wy_buf_text(text), *at;
    for (const char *look = from; (at = strstr(look, wy_buf_text(&what)));) {
        const char *end = at + what.n;
        bool whole = ends_part(*end) && (!r->part || (at > from && at[-1] == '/'));
        wy_buf_add(&done, from, (size_t)(at - from));
        wy_buf_str(&done, whole ? r->by : wy_buf_text(&what));
        from = look = end;
    }
    wy_buf_str(&done, from);
    text->n = 0;
    wy_buf_add(text, wy_buf_text(&done), done.n);
}

void wy_out_report(struct wy_buf *b, const struct whyso_verify *v, const char *home,
                   const char *user) {
    const struct whyso_environment *e = &v->environment;
    struct redaction all[MOST_WORDS];
    size_t n = 0;
    if (e->prefix && strcmp(e->prefix, "/") != 0)
        all[n++] = (struct redaction){e->prefix, "$ENV", false};
    if (e->cwd && strcmp(e->cwd, "/") != 0)
        all[n++] = (struct redaction){e->cwd, "$CWD", false};
    if (home && strcmp(home, "/") != 0)
        all[n++] = (struct redaction){home, "~", false};
    if (home && *wy_path_base(home))
        all[n++] = (struct redaction){wy_path_base(home), "USER", true};
    if (user && *user)
        all[n++] = (struct redaction){user, "USER", true};
    /* The longest path first: one may lie below another. */
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (!all[k].part && strlen(all[k].what) > strlen(all[i].what)) {
                struct redaction other = all[i];
                all[i] = all[k];
                all[k] = other;
            }
    wy_auto_buf text = {0};
    wy_json_verify(&text, WY_OUT_JSON, v);
    for (size_t i = 0; i < n; i++)
        if (*all[i].what)
            replace(&text, &all[i]);
    wy_buf_add(b, wy_buf_text(&text), text.n);
}
