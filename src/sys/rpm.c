/* rpm: headers of packages out of rpmdb.sqlite or Packages.db; the older Berkeley DB (RHEL 8,
 * Amazon Linux 2) is seen and not read. Paths by rpm's %_dbpath, which moved to /usr/lib/sysimage
 * in Fedora 36 and openSUSE. A header (rpm 4.18, docs/manual/format.md): big-endian, the number of
 * entries and of bytes of data, entries of 16 bytes (tag, type, offset, count), the data. */
#include "sys/rpm.h"

#include "sys/sys.h"

static const char *const dnf[] = {"dnf", "reinstall", NULL};
static const char *const zypper[] = {"zypper", "install", "--force", NULL};

enum { ENTRY = 16, TYPE_INT32 = 4, TYPE_STRING = 6, TYPE_STRINGS = 8 };
enum tag {
    NAME = 1000,
    VERSION = 1001,
    RELEASE = 1002,
    EPOCH = 1003,
    ARCH = 1022,
    DIRINDEXES = 1116,
    BASENAMES = 1117,
    DIRNAMES = 1118,
};

bool wy_rpm_read(struct wy_rpm_file *f, uint64_t offset, void *to, size_t n) {
    if (offset > f->size || n > f->size - offset || n > WY_SYS_ALL_MAX - f->r->read)
        return false;
    f->r->read += n;
    return wy_file_read(f->file, offset, to, n) == (int64_t)n;
}

/* ---- a header */

struct header {
    const uint8_t *entries, *data;
    size_t nentries, ndata;
};

static bool open_header(const uint8_t *bytes, size_t n, struct header *h) {
    if (n < 8)
        return false;
    h->nentries = wy_be32(bytes);
    h->ndata = wy_be32(bytes + 4);
    if (h->nentries > (n - 8) / ENTRY || h->ndata > n - 8 - h->nentries * ENTRY)
        return false;
    h->entries = bytes + 8;
    h->data = h->entries + h->nentries * ENTRY;
    return true;
}

/* The data of a tag up to the end of all data, and its count. */
static struct wy_str find(const struct header *h, enum tag tag, uint32_t type, size_t *count) {
    for (size_t i = 0; i < h->nentries; i++) {
        const uint8_t *e = h->entries + i * ENTRY;
        size_t at = wy_be32(e + 8);
        if (wy_be32(e) != tag || wy_be32(e + 4) != type || at >= h->ndata)
            continue;
        *count = wy_be32(e + 12);
        return (struct wy_str){(const char *)h->data + at, h->ndata - at};
    }
    *count = 0;
    return (struct wy_str){0};
}

/* The string at the front; *rest is behind its NUL. Empty with p == NULL when it does not end. */
static struct wy_str next(struct wy_str s, struct wy_str *rest) {
    const char *end = s.n ? memchr(s.p, '\0', s.n) : NULL;
    size_t n = end ? (size_t)(end - s.p) : 0;
    *rest = end ? (struct wy_str){end + 1, s.n - n - 1} : (struct wy_str){0};
    return end ? (struct wy_str){s.p, n} : (struct wy_str){0};
}

static const char *word(struct wy_sys_reading *r, const struct header *h, enum tag tag) {
    size_t count;
    struct wy_str rest, s = find(h, tag, TYPE_STRING, &count);
    return wy_sys_word(r, next(s, &rest));
}

/* "[EPOCH:]VERSION-RELEASE", as rpm shows it. */
static const char *version(struct wy_sys_reading *r, const struct header *h) {
    size_t count;
    struct wy_str epoch = find(h, EPOCH, TYPE_INT32, &count);
    const char *v = word(r, h, VERSION), *release = word(r, h, RELEASE);
    if (!v || !release)
        return v;
    if (epoch.n < 4)
        return wy_arena_printf(r->arena, "%s-%s", v, release);
    uint32_t number = wy_be32((const uint8_t *)epoch.p);
    return wy_arena_printf(r->arena, "%u:%s-%s", number, v, release);
}

static void take_files(struct wy_sys_reading *r, const struct header *h,
                       const struct wy_sys_package *p) {
    size_t nfiles, nindexes, nfolders, given = 0;
    struct wy_str names = find(h, BASENAMES, TYPE_STRINGS, &nfiles);
    struct wy_str indexes = find(h, DIRINDEXES, TYPE_INT32, &nindexes);
    struct wy_str texts = find(h, DIRNAMES, TYPE_STRINGS, &nfolders);
    nfolders = nfolders < texts.n ? nfolders : texts.n; /* each has at least its NUL */
    wy_auto_free struct wy_str *folders = wy_alloc0(nfolders ? nfolders : 1, sizeof *folders);
    while (given < nfolders && (folders[given] = next(texts, &texts)).p)
        given++;
    for (size_t i = 0; i < nfiles && i < nindexes && indexes.n / 4 > i; i++) {
        struct wy_str name = next(names, &names);
        uint32_t folder = wy_be32((const uint8_t *)indexes.p + 4 * i);
        if (!name.p)
            return;
        if (folder < given)
            wy_sys_list_in(r, p, folders[folder], name);
    }
}

static void take_header(struct wy_rpm_file *f, const uint8_t *bytes, size_t n) {
    struct header h;
    /* what lies in the file once may be led to often: what is looked through counts as read */
    if (n > WY_SYS_ALL_MAX - f->r->read || f->taken++ == WY_SYS_RECORDS_MAX ||
        !open_header(bytes, n, &h))
        return;
    f->r->read += n;
    struct wy_sys_package *p = wy_sys_package(f->r, &wy_sys_rpm, f->record);
    p->name = word(f->r, &h, NAME);
    p->version = version(f->r, &h);
    p->architecture = word(f->r, &h, ARCH);
    if (f->r->zypper)
        p->reinstall = (struct wy_sys_reinstall){"zypper", zypper};
    if (p->name)
        take_files(f->r, &h, p);
}

/* ---- the database */

static void read_database(struct wy_sys_reading *r, struct wy_dir *dir, const char *name,
                          bool (*read)(struct wy_rpm_file *f)) {
    struct wy_place place;
    struct wy_rpm_file f = {.r = r, .take = take_header};
    if (wy_tree_find(r->tree, dir, name, 0, &place) != 0)
        return;
    f.record = wy_place_path(r->arena, &place);
    struct wy_place log; /* changes that are not in the database yet */
    struct wy_node node;
    const char *beside = wy_arena_printf(r->arena, "%s-wal", name);
    if (wy_tree_find(r->tree, dir, beside, 0, &log) == 0 &&
        wy_place_stat(r->tree, &log, &node) == 0 && node.size)
        r->unread = "rpm";
    bool good = read && wy_place_open(r->tree, &place, &f.file) == 0;
    if (good) {
        f.size = wy_file_size(f.file);
        good = read(&f);
        wy_file_close(f.file);
    }
    if (!good)
        r->unread = "rpm";
}

static void read_rpm(struct wy_sys_reading *r) {
    static const char *const folders[] = {"/usr/lib/sysimage/rpm", "/var/lib/rpm"};
    struct wy_dir *last = NULL, *dir;
    struct wy_distro distro;
    for (size_t i = 0; i < 2; i++) {
        if (wy_tree_find_dir(r->tree, NULL, folders[i], &dir) != 0 || dir == last)
            continue; /* the older place is a link to the newer one */
        if (wy_distro_read(r->tree, r->arena, &distro) && distro.family)
            r->zypper = strcmp(distro.family->manager, "zypper") == 0;
        read_database(r, dir, "rpmdb.sqlite", wy_rpm_sqlite);
        read_database(r, dir, "Packages.db", wy_rpm_ndb);
        read_database(r, dir, "Packages", NULL);
        last = dir;
    }
}

const struct wy_sys_manager wy_sys_rpm = {"rpm", {"dnf", dnf}, read_rpm, NULL};
