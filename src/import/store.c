/* Every change of a value goes through here. Objects of a module are shared by all runs that import
 * it, so what another module changes in them is written down twice: what was there before, to be
 * put back when the run ends, and what is there now, to be done again when that module is imported
 * in another process. */
#include "import/internal.h"

void wy_log_step(struct wy_exec *x, struct wy_step step) {
    struct wy_running *r = x->running;
    if (!r || r->again)
        return;
    step.maybe = x->maybe > r->maybe;
    step.file = wy_exec_file(x);
    step.line = wy_exec_line(x);
    wy_vec_push(&r->steps, step);
}

static bool foreign(const struct wy_exec *x, uint32_t owner) {
    return !x->running || owner != x->running->module->spec->id + 1;
}

/* ---- names ---- */

/* Before a value is changed. */
static void note(struct wy_exec *x, struct wy_table *t, struct wy_binding *b) {
    if (x->arm && t->arm != x->arm->id && b->arm != x->arm->id) {
        wy_vec_push(&x->arm->changes, ((struct wy_change){t, b, b->value}));
        b->arm = x->arm->id;
    }
    if (foreign(x, t->owner))
        wy_vec_push(&x->undo, ((struct wy_undo){.binding = b, .value = b->value}));
}

static void changed(struct wy_exec *x, const struct wy_table *t, struct wy_binding *b) {
    if (foreign(x, t->owner))
        wy_log_step(x, (struct wy_step){.kind = WY_STEP_BIND, .binding = b, .value = b->value});
}

static void store(struct wy_exec *x, struct wy_table *t, struct wy_binding *b, struct wy_value v) {
    note(x, t, b);
    b->value = v;
    changed(x, t, b);
}

void wy_bind(struct wy_exec *x, struct wy_table *t, const char *name, struct wy_value v) {
    store(x, t, wy_table_make_from(&x->im->arena, t, name, &x->im->spare_bindings), v);
}

void wy_bind_key(struct wy_exec *x, struct wy_table *t, struct wy_value key, struct wy_value v) {
    const char *name = wy_key_name(x, key);
    if (!name) {
        t->open = true;
        return;
    }
    struct wy_binding *b = wy_table_make(&x->im->arena, t, name);
    if (name[0] == '\1')
        ((struct wy_keyed_binding *)b)->key = key;
    store(x, t, b, v);
}

/* ---- lists ---- */

static void note_list(struct wy_exec *x, struct wy_list *l) {
    if (!foreign(x, l->owner))
        return;
    wy_vec_push(&x->undo, ((struct wy_undo){.list = l, .before = *l}));
    l->cap = l->n; /* what is added goes to a copy */
}

static void changed_list(struct wy_exec *x, struct wy_list *l) {
    if (!foreign(x, l->owner))
        return;
    struct wy_list *after = WY_NEW(&x->im->arena, struct wy_list);
    *after = *l;
    wy_log_step(x, (struct wy_step){.kind = WY_STEP_LIST, .list = l, .after = after});
}

static bool uncertain(const struct wy_exec *x, const struct wy_list *l) {
    return x->arm && l->arm != x->arm->id;
}

void wy_list_open(struct wy_exec *x, struct wy_list *l) {
    if (l->open)
        return;
    note_list(x, l);
    l->open = true;
    changed_list(x, l);
}

void wy_list_append(struct wy_exec *x, struct wy_list *l, struct wy_value v) {
    if (uncertain(x, l)) {
        wy_list_open(x, l);
        return;
    }
    note_list(x, l);
    if (l->cap == l->n)
        x->work += l->n / 8;
    wy_list_add(x, l, v);
    changed_list(x, l);
}

void wy_list_replace(struct wy_exec *x, struct wy_list *l, const struct wy_list *with) {
    if (uncertain(x, l)) {
        wy_list_open(x, l);
        return;
    }
    note_list(x, l);
    l->v = with->v;
    l->n = l->cap = with->n;
    l->open = with->open;
    changed_list(x, l);
}

void wy_lose(struct wy_exec *x, struct wy_value v) {
    if (v.kind == WY_V_LIST || v.kind == WY_V_SET)
        wy_list_open(x, v.list);
    else if (v.kind == WY_V_DICT)
        v.table->open = true;
    else if (v.kind == WY_V_INSTANCE)
        v.instance->names->open = true;
}

/* ---- uncertain parts ---- */

void wy_arm_begin(struct wy_exec *x, struct wy_arm *arm) {
    *arm = (struct wy_arm){.up = x->arm, .id = ++x->arms};
    x->arm = arm;
    x->maybe++;
}

void wy_arm_end(struct wy_exec *x, struct wy_arm *arm) {
    x->arm = arm->up;
    x->maybe--;
    for (size_t i = arm->changes.n; i-- > 0;) {
        struct wy_change *c = &arm->changes.v[i];
        struct wy_value after = c->binding->value;
        c->binding->value = c->value;
        c->value = after;
    }
}

static struct wy_value joined(struct wy_value a, struct wy_value b) {
    if (a.kind == WY_V_UNBOUND)
        return b;
    if (b.kind == WY_V_UNBOUND)
        return a;
    if (a.kind == b.kind && (a.text == b.text || wy_equal(a, b) == WY_YES))
        return a;
    return WY_UNKNOWN;
}

void wy_arms_merge(struct wy_exec *x, struct wy_arm *a, struct wy_arm *b) {
    uint32_t of_b = ++x->arms, of_a = ++x->arms;
    for (size_t i = b ? b->changes.n : 0; i-- > 0;) { /* latest change of each name first */
        struct wy_change *c = &b->changes.v[i];
        if (c->binding->arm == of_b) {
            c->binding = NULL;
            continue;
        }
        note(x, c->table, c->binding);
        struct wy_value before = c->binding->value;
        c->binding->value = c->value;
        c->binding->arm = of_b;
        c->value = before;
    }
    for (size_t i = a->changes.n; i-- > 0;) {
        struct wy_change *c = &a->changes.v[i];
        if (c->binding->arm == of_a)
            continue;
        if (c->binding->arm != of_b)
            note(x, c->table, c->binding);
        c->binding->arm = of_a;
        c->binding->value = joined(c->binding->value, c->value);
        changed(x, c->table, c->binding);
    }
    for (size_t i = 0; b && i < b->changes.n; i++) {
        struct wy_change *c = &b->changes.v[i];
        if (!c->binding || c->binding->arm != of_b)
            continue;
        c->binding->value = joined(c->value, c->binding->value);
        changed(x, c->table, c->binding);
    }
    wy_vec_free(&a->changes);
    if (b)
        wy_vec_free(&b->changes);
}
