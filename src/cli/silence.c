/* What is not to be reported: --ignore and --baseline. */
#include "cli/cli.h"
#include "conf/conf.h"

struct wy_error *wy_rule_unknown(struct wy_call *c, const char *name) {
    struct wy_suggestion s = {.given = name};
    const struct whyso_rules *all = NULL;
    struct whyso_answer *a = whyso_rules(NULL, &all);
    for (size_t i = 0; all && i < all->rules.n; i++)
        wy_suggest_try(&s, all->rules.v[i].rule);
    struct wy_error *e = wy_errorf("no rule '%s'%s (whyso rules lists all)", name,
                                   wy_suggest_text(&s, &c->arena, ""));
    whyso_answer_free(a);
    return e;
}

static struct wy_error *check_rule(struct wy_call *c, const char *name) {
    const struct whyso_rules *r = NULL;
    struct whyso_answer *a = whyso_rules(name, &r);
    bool exists = r && r->rules.n == 1;
    whyso_answer_free(a);
    return exists ? NULL : wy_rule_unknown(c, name);
}

static struct wy_error *read_baseline(struct wy_call *c) {
    wy_auto_buf text = {0};
    WY_TRY(wy_read_named("--baseline", c->baseline, &text));
    return wy_conf_baseline(&c->arena, c->baseline, (struct wy_str){text.p, text.n}, &c->silence);
}

struct wy_error *wy_call_silence(struct wy_call *c, struct whyso_options *ret) {
    for (size_t i = 0; i < c->ignores.n; i++)
        WY_TRY(check_rule(c, c->ignores.v[i].rule));
    c->silence.ignores = c->ignores.v;
    c->silence.nignores = c->ignores.n;
    if (c->baseline)
        WY_TRY(read_baseline(c));
    ret->silence = &c->silence;
    return NULL;
}
