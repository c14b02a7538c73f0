#include "rule/orders.h"

void wy_order_add(struct wy_case *c, struct wy_finding *f, const char *first, const char *second,
                  const char *outcome, const char *message) {
    struct whyso_order o = {.outcome = outcome, .message = message};
    wy_strings_add(c->arena, &o.imports, first);
    if (second)
        wy_strings_add(c->arena, &o.imports, second);
    WY_ADD(c->arena, &f->f.orders, o);
    wy_make_because(c, f, "import %s%s%s: %s", first, second ? ", then import " : "",
                    second ? second : "", message ? message : outcome);
}

void wy_order_add_run(struct wy_case *c, struct wy_finding *f, const char *first,
                      const struct wy_run *run) {
    static const char *const outcomes[] = {"ok", "fails", "unknown"};
    wy_order_add(c, f, first ? first : run->module, first ? run->module : NULL,
                 outcomes[run->outcome], run->outcome == WY_RUN_FAILS ? run->message : NULL);
}

static const char *kind_of(enum wy_problem_kind k) {
    return k == WY_P_MISSING_VERSION    ? "version"
           : k == WY_P_UNDEFINED_SYMBOL ? "symbol"
           : k == WY_P_STATIC_TLS       ? "tls"
                                        : "library";
}

void wy_order_wanted(struct wy_case *c, struct wy_finding *f, const struct wy_open *open) {
    const struct wy_problem *p = &open->problems[0];
    f->f.wanted = (struct whyso_wanted){
        kind_of(p->kind), p->kind == WY_P_MISSING_VERSION ? p->version : p->name, NULL};
    f->f.library = wy_path_base(p->file ? p->file : p->name);
    f->f.file = p->file ? wy_shown(c, p->file) : NULL;
    if (p->needer && p->needer->name[0] && p->kind != WY_P_STATIC_TLS)
        WY_ADD(c->arena, &f->f.needed_by,
               ((struct whyso_needer){wy_object_shown(c, p->needer),
                                      wy_object_package(c, p->needer), NULL, p->version}));
    if (p->kind != WY_P_MISSING_LIBRARY || strchr(p->name, '/'))
        return;
    struct wy_shown_search shown;
    wy_show_search(c, open->after, p->name, p->needer, &shown);
    f->f.searched.v = shown.v;
    f->f.searched.n = shown.n;
}

struct wy_want *wy_order_want(struct wy_case *c, const char *message) {
    for (size_t i = 0; message && i < c->wants->all.n; i++)
        for (size_t k = 0; k < c->wants->all.v[i]->wanters.n; k++)
            if (wy_same(c->wants->all.v[i]->wanters.v[k].problem->message, message))
                return c->wants->all.v[i];
    return NULL;
}

bool wy_order_closer(const struct wy_run *a, const struct wy_run *b) {
    size_t na = wy_process_count(a->after), nb = wy_process_count(b->after);
    return na != nb ? na < nb
                    : a->dist && strcmp(a->dist->key, a->module) == 0 &&
                          !(b->dist && strcmp(b->dist->key, b->module) == 0);
}
