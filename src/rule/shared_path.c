/* shared-path: several owners recorded different contents for one library, and overwritten-file
 * cannot say whose is on disk (not compared, or nobody's). Equal hashes are no finding. */
#include "rule/internal.h"

static bool contested(const struct wy_claimed *k) {
    bool differ = false, known = false;
    if (!k->is_so || k->nclaims < 2 || k->presence != WY_PRESENT)
        return false;
    for (size_t i = 0; i < k->nclaims; i++) {
        differ |= !wy_str_eq(k->claims[i].row->hash, k->claims[0].row->hash);
        known |= k->claims[i].bytes == WY_BYTES_SAME;
    }
    return differ && !known;
}

static void report(struct wy_case *c, const struct wy_claimed *k) {
    const struct wy_claim *a = &k->claims[0], *b = &k->claims[1];
    struct wy_finding *f = wy_make(c, "shared-path", WHYSO_WARNING, k->shown);
    wy_make_owners(c, f, k);
    f->f.file = k->shown;
    f->f.library = wy_path_base(k->path);
    f->f.title =
        wy_arena_printf(c->arena, "%s is claimed by %s %s and %s %s with different contents",
                        k->shown, a->dist->name, a->dist->version, b->dist->name, b->dist->version);
    wy_make_because(c, f,
                    a->bytes == WY_BYTES_UNCHECKED
                        ? "which of them is on disk was not compared; --hash compares everything"
                        : "the bytes on disk are those of neither");
    f->remedy = (struct wy_remedy){
        .kind = WY_REMEDY_MANUAL,
        .text = wy_arena_printf(
            c->arena, "Keep one of %s and %s: remove both, then install the one you need.",
            a->dist->name, b->dist->name),
    };
}

void wy_rule_shared_path(struct wy_case *c) {
    for (size_t i = 0; i < c->world->nclaimed; i++)
        if (contested(&c->world->claimed[i]))
            report(c, &c->world->claimed[i]);
}
