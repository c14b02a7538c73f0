/* The dependencies of an object, breadth-first (elf/dl-deps.c, _dl_map_object_deps). The list has
 * the same links and is changed in the same places, as filters move objects within it. */
#include "ld/internal.h"

#define END UINT32_MAX
enum { FILTERS_MINOR = 32 };

struct node {
    uint32_t member, next;
    bool done;
};
struct walk {
    struct ld_work *w;
    WY_VEC(struct node) nodes;
    uint32_t tail;
    uint32_t root; /* the first that was given */
};

static uint32_t add_node(struct walk *k, struct node n) {
    wy_vec_push(&k->nodes, n);
    return (uint32_t)k->nodes.n - 1;
}

static void append(struct walk *k, uint32_t member) {
    if (k->w->members.v[member].reserved)
        return;
    k->w->members.v[member].reserved = true;
    uint32_t n = add_node(k, (struct node){member, END, false});
    if (n)
        k->nodes.v[k->tail].next = n;
    k->tail = n;
}

/* The filtee goes before its filter; `orig` then holds the filtee, and the filter a node behind it.
 * Returns the node where the next filtee of the same filter goes. */
static uint32_t insert_filtee(struct walk *k, uint32_t orig, uint32_t filtee) {
    struct ld_work *w = k->w;
    struct node filter = k->nodes.v[orig];
    uint32_t behind = add_node(k, filter);
    struct node *v = k->nodes.v;
    v[orig].done = false;
    v[orig].member = filtee;
    if (w->members.v[filtee].reserved) {
        uint32_t late = behind;
        while (v[late].next != END && v[v[late].next].member != filtee)
            late = v[late].next;
        if (v[late].next == END) { /* it stands earlier already */
            v[orig] = filter;
            return orig;
        }
        v[orig].next = behind;
        if (k->tail == v[late].next)
            k->tail = late;
        v[late].next = v[v[late].next].next;
    } else {
        v[orig].next = behind;
        w->members.v[filtee].reserved = true;
    }
    ld_move_before(w, filtee, filter.member);
    if (orig == k->tail)
        k->tail = behind;
    return behind;
}

static void note_resolved(struct ld_work *w, uint32_t needer, const struct ld_name *name,
                          const struct ld_mapped *m) {
    if (w->startup || m->fresh || m->member >= w->nold || !w->members.v[needer].fresh)
        return;
    wy_vec_push(&w->resolved, ((struct wy_resolved){name->s, w->members.v[needer].object,
                                                    w->members.v[m->member].object}));
}

/* Up to 2.31 the loader took for granted that the root is the first of its list, also when the walk
 * ends early: a filter could not be opened itself (BZ 16272). */
static void check_first(const struct walk *k) {
    struct ld_work *w = k->w;
    unsigned minor = w->ld->host->libc_minor;
    if (!minor || minor >= FILTERS_MINOR || w->stopped || k->nodes.v[0].member == k->root)
        return;
    const struct wy_object *o = w->members.v[k->root].object;
    ld_problem(w, (struct wy_problem){.kind = WY_P_BAD_FILE,
                                      .name = o->requested,
                                      .needer = o->by,
                                      .file = ld_shown(w, o),
                                      .aborts = true,
                                      .message = "Inconsistency detected by ld.so: dl-deps.c: 553: "
                                                 "_dl_map_object_deps: Assertion "
                                                 "`map->l_searchlist.r_list[0] == map' failed!"});
}

/* One DT_NEEDED, DT_FILTER or DT_AUXILIARY of `needer`; false when nothing came of it. */
static bool map_need(struct walk *k, uint32_t needer, struct ld_name *name, bool optional,
                     struct ld_mapped *ret) {
    struct ld_work *w = k->w;
    const struct wy_object *o = w->members.v[needer].object;
    if (name->token && ld_has_token(name->s) && w->ld->host->secure) {
        ld_problem(
            w, (struct wy_problem){
                   .kind = WY_P_BAD_FILE,
                   .name = name->s,
                   .needer = o,
                   .message = ld_message(w, name->s, "DST not allowed in SUID/SGID programs", 0)});
        return false;
    }
    if (name->token) {
        const char *text = ld_expand(w->ld, name->s, o->origin);
        if (!text)
            return false;
        name = ld_name_of(w->ld, text);
    }
    struct ld_want want = {.name = name, .by = o, .loader = o, .optional = optional};
    ld_map(w, &want, ret);
    if (ret->text && (!optional || ret->problem.kind == WY_P_CRASH)) {
        if (ret->problem.kind != WY_P_CRASH)
            check_first(k);
        ld_problem(w, ret->problem);
    }
    if (ret->member == LD_NONE)
        return false;
    note_resolved(w, needer, name, ret);
    return true;
}

static void walk_object(struct walk *k, uint32_t node) {
    struct ld_work *w = k->w;
    uint32_t member = k->nodes.v[node].member, orig = node;
    const struct ld_image *im = w->members.v[member].object->paths->image;
    k->nodes.v[node].done = true;
    w->members.v[member].needs = w->needs.n;
    for (size_t i = 0; i < im->nneeds; i++) {
        struct ld_mapped m;
        enum ld_need_kind kind = im->needs[i].kind;
        if (!map_need(k, member, im->needs[i].name, kind == LD_AUXILIARY, &m))
            continue;
        wy_vec_push(&w->needs, m.member);
        w->members.v[member].nneeds++;
        if (kind == LD_NEEDED)
            append(k, m.member);
        else
            orig = insert_filtee(k, orig, m.member);
    }
}

void ld_walk_needs(struct ld_work *w, const uint32_t *first, size_t n) {
    struct walk k = {.w = w, .root = first[0]};
    for (size_t i = 0; i < n; i++)
        append(&k, first[i]);
    int saved = w->err;
    w->err = 0;
    for (uint32_t run = 0; run != END;) {
        walk_object(&k, run);
        if (k.nodes.n > LD_MAX_STEPS) {
            w->circle = true;
            break;
        }
        while (run != END && k.nodes.v[run].done)
            run = k.nodes.v[run].next;
    }
    if (!w->circle)
        check_first(&k);
    if (!w->err)
        w->err = saved;
    for (uint32_t i = 0; i != END && !w->circle; i = k.nodes.v[i].next)
        wy_vec_push(&w->list, k.nodes.v[i].member);
    wy_vec_free(&k.nodes);
}
