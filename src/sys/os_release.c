#include "sys/manager.h"
#include "sys/sys.h"

enum { OS_RELEASE_MAX = 64 << 10 };

static const char *const apt[] = {"apt-get", "install", NULL};
static const char *const dnf[] = {"dnf", "install", NULL};
static const char *const zypper[] = {"zypper", "install", NULL};
static const char *const apk[] = {"apk", "add", NULL};
static const char *const pacman[] = {"pacman", "-S", NULL};

/* A distribution that is not listed is found through its ID_LIKE. */
static const struct wy_distro_family families[] = {
    {"apt", "debian ubuntu linuxmint raspbian pop kali devuan", "debian", true, apt},
    {"dnf", "fedora rhel centos rocky almalinux ol amzn", "fedora", true, dnf},
    {"zypper", "suse opensuse opensuse-leap opensuse-tumbleweed sles sled", "suse", true, zypper},
    {"apk", "alpine", "alpine", false, apk},
    {"pacman", "arch archlinux manjaro endeavouros", "arch", false, pacman},
};

static bool has_word(const char *words, struct wy_str word) {
    for (struct wy_str rest = wy_str_of(words); rest.p;)
        if (wy_str_eq(wy_str_cut(rest, ' ', &rest), word))
            return word.n > 0;
    return false;
}

static const struct wy_distro_family *family_of(struct wy_str id) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (has_word(families[i].ids, id))
            return &families[i];
    return NULL;
}

static const struct wy_distro_family *find_family(const struct wy_distro *d) {
    const struct wy_distro_family *family = family_of(wy_str_of(d->id));
    for (struct wy_str rest = wy_str_of(d->id_like); rest.p && !family;)
        family = family_of(wy_str_cut(rest, ' ', &rest));
    return family;
}

/* A value of os-release(5): shell quoting, of which only the quotes themselves and backslashes
 * before " $ ` \ are in use. */
static const char *unquote(struct wy_arena *a, struct wy_str s) {
    char quote = 0;
    if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0]) {
        quote = s.p[0];
        s = (struct wy_str){s.p + 1, s.n - 2};
    }
    char *text = wy_arena_alloc(a, s.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\' && quote != '\'' && i + 1 < s.n)
            i++;
        if (s.p[i])
            text[n++] = s.p[i];
    }
    text[n] = '\0';
    return text;
}

static void read_lines(struct wy_str text, struct wy_arena *a, struct wy_distro *d) {
    while (text.p) {
        struct wy_str value, line = wy_str_trim(wy_str_line(text, &text));
        struct wy_str key = wy_str_cut(line, '=', &value);
        if (!value.p)
            continue;
        if (wy_str_is(key, "ID"))
            d->id = unquote(a, value);
        else if (wy_str_is(key, "ID_LIKE"))
            d->id_like = unquote(a, value);
        else if (wy_str_is(key, "VERSION_ID"))
            d->version_id = unquote(a, value);
        else if (wy_str_is(key, "PRETTY_NAME"))
            d->name = unquote(a, value);
    }
}

bool wy_distro_read(struct wy_tree *t, struct wy_arena *a, struct wy_distro *ret) {
    static const char *const places[] = {"/etc/os-release", "/usr/lib/os-release"};
    *ret = (struct wy_distro){.id = "", .id_like = "", .version_id = "", .name = ""};
    for (size_t i = 0; i < 2; i++) {
        struct wy_str text;
        if (wy_tree_slurp(t, NULL, places[i], OS_RELEASE_MAX, a, &text) != 0)
            continue;
        ret->id = "linux";
        read_lines(text, a, ret);
        ret->family = find_family(ret);
        return true;
    }
    return false;
}

/* ---- the provider table ---- */

struct entry {
    struct wy_str label, name, release; /* release: "12" of "(12)", empty for all */
    bool unchecked;
};

static bool is_release(struct wy_str s) {
    for (size_t i = 0; i < s.n; i++)
        if ((s.p[i] < '0' || s.p[i] > '9') && s.p[i] != '.')
            return false;
    return s.n > 0;
}

/* "debian:libcublas11 (12)", "nvidia:cudnn-jit ?", "alpine:libxcb?" */
static bool parse_entry(struct wy_str s, struct entry *ret) {
    *ret = (struct entry){.label = wy_str_cut(s, ':', &s)};
    if (!s.p)
        return false;
    s = wy_str_trim(s);
    if (s.n && s.p[s.n - 1] == '?') {
        ret->unchecked = true;
        s = wy_str_trim((struct wy_str){s.p, s.n - 1});
    }
    struct wy_str rest;
    ret->name = wy_str_trim(wy_str_cut(s, '(', &rest));
    if (rest.p) {
        struct wy_str remark = wy_str_trim(wy_str_cut(rest, ')', &rest));
        if (is_release(remark))
            ret->release = remark;
    }
    return ret->name.n > 0;
}

/* A name of a package, and no placeholder "X". */
static bool is_package_name(struct wy_str s) {
    return wy_sys_is_fit(s, WY_SYS_NAME_MARKS) && !wy_str_is(s, "X") && !wy_str_ends(s, "-X") &&
           !wy_str_ends(s, ".X");
}

enum rank { RANK_OWN, RANK_FAMILY, RANK_VENDOR, RANKS };

static bool belongs(const struct wy_distro *d, const struct entry *e, enum rank rank) {
    switch (rank) {
    case RANK_OWN:
        if (!wy_str_is(e->label, d->id))
            return false;
        break;
    case RANK_FAMILY:
        if (!d->family || !wy_str_is(e->label, d->family->label) || wy_str_is(e->label, d->id))
            return false;
        break;
    default:
        return d->family && d->family->vendor_repository && wy_str_is(e->label, "nvidia");
    }
    /* a release number counts in the distribution it was written for */
    return e->release.n == 0 ||
           (wy_str_is(e->label, d->id) && wy_str_is(e->release, d->version_id));
}

size_t wy_distro_pick(const struct wy_distro *d, const char *field, struct wy_arena *a,
                      struct wy_distro_package *ret, size_t max) {
    size_t n = 0;
    for (int rank = RANK_OWN; rank < RANKS; rank++) {
        if (rank == RANK_FAMILY && n)
            continue; /* the distribution's own names are the better ones */
        for (struct wy_str rest = wy_str_of(field); rest.p;) {
            struct entry e;
            if (!parse_entry(wy_str_trim(wy_str_cut(rest, '|', &rest)), &e) ||
                !belongs(d, &e, (enum rank)rank) || !is_package_name(e.name))
                continue;
            if (n < max)
                ret[n] =
                    (struct wy_distro_package){.name = wy_arena_str(a, e.name),
                                               .vendor = rank == RANK_VENDOR,
                                               .unchecked = e.unchecked || rank == RANK_FAMILY};
            n++;
        }
    }
    return n;
}
