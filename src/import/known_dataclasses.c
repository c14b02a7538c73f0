/* The __init__ that a dataclass is given: Lib/dataclasses.py of CPython 3.8 to 3.14,
 * _process_class. Its fields are the annotated names of the class and of those it is made from. */
#include "import/known.h"

/* dataclass(cls), dataclass(frozen=True)(cls). */
static struct wy_value dataclass(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value c = wy_given(x, a, 0, "cls");
    if (c.kind != WY_V_CLASS || !c.class_->body)
        return wy_table_get(wy_known_below(x->im, "dataclasses"),
                            wy_intern(&x->im->names, WY_STR("dataclass")));
    c.class_->dataclass = true;
    return c;
}

static struct wy_value field(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = wy_open_instance(x, "Field");
    v.instance->class_->field = true;
    for (uint32_t i = 0; i < a->nnamed; i++)
        wy_bind(x, v.instance->names, a->names[i], a->named[i]);
    return v;
}

/* ---- the instance ---- */

enum { MOST_FIELDS = 128, MOST_CLASSES = 1000 };

struct field {
    const char *name;
    const struct wy_class *of; /* whose value is its default */
};
struct fields {
    struct field v[MOST_FIELDS];
    uint32_t n;
    bool open; /* there may be more, or they have another order */
};

static void add_field(struct fields *f, const char *name, const struct wy_class *of) {
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].name == name) { /* keeps its place */
            f->v[i].of = of;
            return;
        }
    if (f->n == MOST_FIELDS)
        f->open = true;
    else
        f->v[f->n++] = (struct field){name, of};
}

static void add_fields(struct fields *f, const struct wy_class *c, unsigned *left) {
    for (uint32_t i = c->nbases; i-- > 0 && *left;) {
        --*left;
        add_fields(f, c->bases[i], left);
    }
    for (uint32_t i = 0; c->dataclass && i < c->body->n; i++) {
        const struct wy_stmt *s = &c->body->v[i];
        bool annotated = s->kind == WY_S_ANNOTATE && s->targets.v[0]->kind == WY_E_NAME;
        if (annotated && s->op == WY_ANNOTATION_PLAIN)
            add_field(f, s->targets.v[0]->name, c);
        else if ((annotated && s->op == WY_ANNOTATION_SPECIAL) || s->kind == WY_S_IF)
            f->open = true;
    }
}

static bool is_field(struct wy_value v) {
    return v.kind == WY_V_INSTANCE && v.instance->class_->field;
}

/* What field() was given under that name. */
static struct wy_value option(struct wy_exec *x, struct wy_value v, const char *name) {
    return is_field(v) ? wy_table_get(v.instance->names, wy_intern(&x->im->names, wy_str_of(name)))
                       : WY_UNBOUND;
}

static struct wy_value default_of(struct wy_exec *x, struct wy_value v) {
    struct wy_value make = option(x, v, "default_factory");
    if (make.kind != WY_V_UNBOUND)
        return wy_call(x, make, &(struct wy_args){0});
    if (is_field(v))
        v = option(x, v, "default");
    return v.kind == WY_V_UNBOUND ? WY_UNKNOWN : v;
}

static void bind_fields(struct wy_exec *x, struct wy_table *names, const struct fields *f,
                        const struct wy_args *a) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < f->n && !x->raising; i++) {
        struct wy_value v = wy_table_get(f->v[i].of->names, f->v[i].name), given = WY_UNBOUND;
        bool by_name = f->open || wy_truth(option(x, v, "kw_only")) == WY_YES;
        if (wy_truth(option(x, v, "init")) != WY_NO)
            given = wy_argument(a, by_name ? UINT32_MAX : used++, f->v[i].name);
        if (given.kind == WY_V_UNBOUND)
            given = f->open ? WY_UNKNOWN : default_of(x, v);
        wy_bind(x, names, f->v[i].name, given);
    }
}

/* The class that has an __init__, first in the order in which bases are asked. */
static const struct wy_class *maker(const struct wy_class *c, const char *init, unsigned *left) {
    const struct wy_class *ret = NULL;
    if (c->dataclass || wy_table_get(c->names, init).kind != WY_V_UNBOUND)
        return c;
    for (uint32_t i = 0; i < c->nbases && !ret && *left; i++) {
        --*left;
        ret = maker(c->bases[i], init, left);
    }
    return ret;
}

bool wy_dataclass_init(struct wy_exec *x, struct wy_value self, const struct wy_args *a) {
    unsigned left = MOST_CLASSES;
    const struct wy_class *of = self.instance->class_, *c = maker(of, x->im->n.init, &left);
    if (!c || wy_table_get(c->names, x->im->n.init).kind != WY_V_UNBOUND)
        return false;
    struct fields f = {.n = 0};
    uint64_t cuts = x->cuts;
    add_fields(&f, c, &left);
    bind_fields(x, self.instance->names, &f, a);
    struct wy_value post = wy_class_find(of, wy_intern(&x->im->names, WY_STR("__post_init__")));
    if (post.kind == WY_V_FUNCTION && !x->raising)
        wy_follow(x, post.function, &(struct wy_args){.v = &self, .n = 1, .open = f.open});
    self.instance->names->open = f.open || a->open || wy_class_open(of) || x->cuts != cuts;
    return true;
}

static const struct wy_known rows[] = {
    {.name = "dataclasses.dataclass", .call = dataclass},
    {.name = "dataclasses.field", .call = field},
};
WY_KNOWN_TABLE(wy_known_dataclasses, rows);
