#include "pip/specifier.h"
#include "pip/pip.h"
#include "pip/version.h"

bool wy_specifier_split(struct wy_str clause, enum wy_specifier_op *op, struct wy_str *version) {
    static const struct {
        const char *text;
        enum wy_specifier_op op;
    } operators[] = {{"===", WY_OP_SAME}, {"~=", WY_OP_COMPATIBLE}, {"==", WY_OP_EQ},
                     {"!=", WY_OP_NE},    {"<=", WY_OP_LE},         {">=", WY_OP_GE},
                     {"<", WY_OP_LT},     {">", WY_OP_GT}};
    clause = wy_str_trim(clause);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (wy_str_starts(clause, operators[i].text)) {
            size_t n = strlen(operators[i].text);
            *op = operators[i].op;
            *version = wy_str_trim((struct wy_str){clause.p + n, clause.n - n});
            return version->n > 0;
        }
    }
    return false;
}

/* Number of release parts. */
static size_t parts(struct wy_str release) {
    size_t n = 1;
    for (size_t i = 0; i < release.n; i++)
        n += release.p[i] == '.';
    return n;
}

/* The release cut to its first `n` parts. */
static struct wy_str head(struct wy_str release, size_t n) {
    for (size_t i = 0; i < release.n; i++)
        if (release.p[i] == '.' && --n == 0)
            return (struct wy_str){release.p, i};
    return release;
}

/* "==1.4.*" (PEP 440 "Version matching"): the release parts of `prefix` begin those of `v`; parts
 * that `v` lacks count as 0. */
static bool prefix_matches(const struct wy_version *v, const struct wy_version *prefix) {
    struct wy_version cut = {.epoch = v->epoch,
                             .release = head(v->release, parts(prefix->release))};
    struct wy_version want = {.epoch = prefix->epoch, .release = prefix->release};
    return wy_version_compare(&cut, &want) == 0;
}

static bool is_pre(const struct wy_version *v) {
    return v->pre != WY_PRE_NONE || v->dev;
}

/* "<V" leaves out the pre-releases of V, which are those from V.dev0 on, unless V is one itself. */
static bool less(const struct wy_version *v, const struct wy_version *want) {
    struct wy_version first = *want;
    first.dev = true;
    return wy_version_compare(v, want) < 0 &&
           (is_pre(want) || !is_pre(v) || wy_version_compare(v, &first) < 0);
}

/* ">V" leaves out post-releases of V, unless V is one itself, and V with a local part. */
static bool greater(const struct wy_version *v, const struct wy_version *want) {
    struct wy_version plain = *v;
    plain.local = (struct wy_str){0};
    if (wy_version_compare(&plain, want) <= 0)
        return false;
    plain.post = plain.dev = false;
    return want->post || !v->post || wy_version_compare(&plain, want) != 0;
}

static bool ordered(enum wy_specifier_op op, const struct wy_version *v,
                    const struct wy_version *want) {
    struct wy_version public = *v; /* the candidate's local part does not count */
    public.local = (struct wy_str){0};
    switch (op) {
    case WY_OP_LE:
        return wy_version_compare(&public, want) <= 0;
    case WY_OP_GE:
        return wy_version_compare(&public, want) >= 0;
    case WY_OP_LT:
        return less(v, want);
    case WY_OP_GT:
        return greater(v, want);
    default:
        return false;
    }
}

static bool equal(const struct wy_version *v, const struct wy_version *want) {
    struct wy_version a = *v;
    if (want->local.n == 0)
        a.local = (struct wy_str){0};
    return wy_version_compare(&a, want) == 0;
}

static int compatible(const struct wy_version *v, const struct wy_version *want) {
    size_t n = parts(want->release);
    if (n < 2) /* "~=1" is not valid */
        return -1;
    struct wy_version prefix = {.epoch = want->epoch, .release = head(want->release, n - 1)};
    return ordered(WY_OP_GE, v, want) && prefix_matches(v, &prefix);
}

int wy_specifier_test(struct wy_str version, enum wy_specifier_op op, struct wy_str wanted) {
    struct wy_version v, want;
    if (op == WY_OP_SAME)
        return wy_str_eq(version, wanted);
    bool wildcard = (op == WY_OP_EQ || op == WY_OP_NE) && wy_str_ends(wanted, ".*");
    if (wildcard)
        wanted.n -= 2;
    if (!wy_version_parse(version, &v) || !wy_version_parse(wanted, &want))
        return -1;
    if (wildcard && (is_pre(&want) || want.post || want.local.n))
        return -1; /* ".*" stands behind a release only */
    if (want.local.n && op != WY_OP_EQ && op != WY_OP_NE)
        return -1;
    switch (op) {
    case WY_OP_EQ:
        return wildcard ? prefix_matches(&v, &want) : equal(&v, &want);
    case WY_OP_NE:
        return wildcard ? !prefix_matches(&v, &want) : !equal(&v, &want);
    case WY_OP_COMPATIBLE:
        return compatible(&v, &want);
    default:
        return ordered(op, &v, &want);
    }
}

int wy_specifier_matches(struct wy_str specifier, const char *version) {
    int all = 1;
    for (struct wy_str rest = wy_str_trim(specifier); rest.n;) {
        struct wy_str clause = wy_str_trim(wy_str_cut(rest, ',', &rest)), wanted;
        enum wy_specifier_op op;
        if (clause.n == 0)
            continue;
        if (!wy_specifier_split(clause, &op, &wanted))
            return -1;
        int one = wy_specifier_test(wy_str_of(version), op, wanted);
        if (one < 0)
            return -1;
        all &= one;
    }
    return all;
}
