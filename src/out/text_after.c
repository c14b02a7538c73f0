#include "out/text_after.h"

#include "out/text_parts.h"

enum { NAMES = 3 };

/* "import torch", "import torch, numpy and 4 more"; `first` before the others. */
static const char *imports_named(struct wy_page *p, const char *const *names, size_t n,
                                 const char *first) {
    size_t named = n <= NAMES ? n : NAMES - 1, done = 0;
    wy_auto_buf b = {0};
    wy_buf_str(&b, "import ");
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n && done < named; i++)
            if (wy_same(names[i], first) == (pass == 0))
                wy_buf_printf(&b, "%s%s", done++ == 0 ? "" : done == n ? " and " : ", ", names[i]);
    if (named < n)
        wy_buf_printf(&b, " and %zu more", n - named);
    return wy_arena_cstr(&p->arena, wy_buf_text(&b));
}

static const char *message_now(const char *module, const struct whyso_import *imports, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (wy_same(imports[i].module, module))
            return imports[i].message;
    return NULL;
}

static const struct whyso_failing *failing(const struct whyso_outlook *a, const char *module) {
    for (size_t i = 0; i < a->fails.n; i++)
        if (wy_same(a->fails.v[i].module, module))
            return &a->fails.v[i];
    return &a->fails.v[0];
}

static const char *fails(struct wy_page *p, const struct whyso_outlook *a,
                         const struct whyso_import *imports, size_t n, const char *first) {
    const struct whyso_failing *f = failing(a, first);
    const char **names = wy_arena_alloc(&p->arena, a->fails.n * sizeof *names);
    for (size_t i = 0; i < a->fails.n; i++)
        names[i] = a->fails.v[i].module;
    const char *who = imports_named(p, names, a->fails.n, f->module);
    const char *colon = f->message ? ": " : "", *text = f->message ? f->message : "";
    bool one = a->fails.n == 1;
    if (wy_same(f->outcome, "unknown"))
        return wy_arena_printf(&p->arena, "what %s %s is not known%s%s", who, one ? "does" : "do",
                               colon, text);
    if (wy_same(f->message, message_now(f->module, imports, n)))
        return wy_arena_printf(&p->arena, "%s still %s%s%s", who, one ? "fails" : "fail", colon,
                               text);
    return wy_arena_printf(&p->arena, "%s %s%s%s", who,
                           one ? "comes further and fails" : "come further and fail", colon, text);
}

void wy_text_after(struct wy_page *p, const struct whyso_outlook *a,
                   const struct whyso_import *imports, size_t n, const char *first,
                   enum whyso_severity of) {
    if (!a->verdict)
        return;
    wy_auto_buf b = {0};
    if (a->imports.n)
        wy_buf_printf(&b, "%s %s", imports_named(p, a->imports.v, a->imports.n, first),
                      a->imports.n == 1 ? "works" : "work");
    if (a->fails.n)
        wy_buf_printf(&b, "%s%s", a->imports.n ? "; " : "", fails(p, a, imports, n, first));
    if (!a->imports.n && !a->fails.n)
        wy_buf_printf(&b, "the %s %s", of == WHYSO_ERROR ? "error" : "warning",
                      a->mended ? "is gone" : "stays");
    for (size_t i = 0; i < a->news.n; i++)
        wy_buf_printf(&b, "; new: %s", a->news.v[i].title);
    wy_buf_str(&b, wy_same(a->sure, "assumed") ? " (simulated, content of the files assumed)"
                   : a->cached                 ? " (simulated with the cached files)"
                                               : " (simulated)");
    wy_text_label(p, "then", WY_PLAIN, wy_buf_text(&b));
}
