/* A folder of this machine as a tree. */
#include "tree/mounts.h"
#include "tree/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

struct host {
    int root;                 /* directory handle */
    struct wy_mounts *mounts; /* NULL: not this machine's own root */
    atomic_bool no_openat2;   /* kernel before 5.6, or a seccomp filter that does not know it */
};
struct host_file {
    int fd;
};

static inline void close_slot(const int *fd) {
    if (*fd >= 0)
        close(*fd);
}
#define auto_close __attribute__((cleanup(close_slot))) int

static const char *below_root(const char *path) {
    return path[1] ? path + 1 : ".";
}

/* Component by component, so that no link is followed; any length. */
static int open_by_steps(int root, const char *path, int flags) {
    auto_close dir = fcntl(root, F_DUPFD_CLOEXEC, 0);
    while (dir >= 0) {
        char name[NAME_MAX + 1];
        size_t n = strcspn(path, "/");
        if (!path[n])
            return openat(dir, path, flags | O_NOFOLLOW | O_CLOEXEC);
        if (n > NAME_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, path, n);
        name[n] = '\0';
        int next = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(dir);
        dir = next;
        path += n + 1;
    }
    return -1;
}

/* Paths of a tree hold no links, but the disk may have changed since: then ELOOP or ENOTDIR, never
 * a file outside the root. RESOLVE_NO_SYMLINKS: openat2(2), Linux 5.6. */
static int open_path(struct host *h, const char *path, int flags) {
    path = below_root(path);
    if (!atomic_load_explicit(&h->no_openat2, memory_order_relaxed)) {
        struct open_how how = {.flags = (uint64_t)(flags | O_NOFOLLOW | O_CLOEXEC),
                               .resolve = RESOLVE_NO_SYMLINKS};
        long fd = syscall(SYS_openat2, h->root, path, &how, sizeof how);
        if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
            return (int)fd;
        atomic_store_explicit(&h->no_openat2, true, memory_order_relaxed);
    }
    return open_by_steps(h->root, path, flags);
}

/* Some file systems leave the type out of the listing. */
static enum wy_ftype type_in(int dir, const char *name, unsigned char d_type) {
    struct stat st;
    if (d_type == DT_UNKNOWN)
        return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? wy_type_of_mode(st.st_mode)
                                                                 : WY_FT_OTHER;
    return wy_type_of_mode((mode_t)DTTOIF(d_type));
}

/* One record of getdents64(2): d_ino 8 bytes, d_off 8, d_reclen 2, d_type 1, d_name. */
enum { RECORD_LENGTH = 16, RECORD_TYPE = 18, RECORD_NAME = 19 };

static void add_records(int dir, const char *buf, size_t n, struct wy_names *names) {
    for (size_t at = 0; n - at > RECORD_NAME;) {
        unsigned short length;
        memcpy(&length, buf + at + RECORD_LENGTH, sizeof length);
        if (length <= RECORD_NAME || length > n - at)
            return;
        const char *name = buf + at + RECORD_NAME;
        size_t len = strnlen(name, length - RECORD_NAME);
        bool dots = name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.'));
        if (len && !dots)
            wy_names_add(names, name, len,
                         type_in(dir, name, (unsigned char)buf[at + RECORD_TYPE]));
        at += length;
    }
}

/* The errno of looking a name up in a folder: "." needs the same right as any other name. */
static int search_error(int dir) {
    struct stat st;
    return fstatat(dir, ".", &st, AT_SYMLINK_NOFOLLOW) != 0 && errno == EACCES ? EACCES : 0;
}

static int host_list(void *self, const char *path, struct wy_names *names, int *search) {
    char buf[32768];
    auto_close dir = open_path(self, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    if (dir < 0) {
        int error = errno;
        auto_close handle = error == EACCES ? open_path(self, path, O_PATH | O_DIRECTORY) : -1;
        *search = handle >= 0 ? search_error(handle) : 0;
        return error;
    }
    *search = search_error(dir);
    for (;;) {
        long n = syscall(SYS_getdents64, dir, buf, sizeof buf);
        if (n <= 0)
            return n < 0 ? errno : 0;
        add_records(dir, buf, (size_t)n, names);
    }
}

static void node_of(const struct stat *st, struct wy_node *ret) {
    *ret = (struct wy_node){.dev = st->st_dev,
                            .ino = st->st_ino,
                            .size = (uint64_t)st->st_size,
                            .mtime = st->st_mtim.tv_sec,
                            .mode = st->st_mode,
                            .nlink = (uint32_t)st->st_nlink,
                            .uid = st->st_uid,
                            .gid = st->st_gid};
}

static int host_stat(void *self, const char *path, struct wy_node *ret) {
    struct stat st;
    auto_close fd = open_path(self, path, O_PATH);
    if (fd < 0 || fstat(fd, &st) != 0)
        return errno;
    node_of(&st, ret);
    return 0;
}

static int host_readlink(void *self, const char *path, char **ret) {
    char buf[PATH_MAX];
    auto_close fd = open_path(self, path, O_PATH);
    if (fd < 0)
        return errno;
    ssize_t n = readlinkat(fd, "", buf, sizeof buf);
    if (n < 0)
        return errno == ENOENT ? EINVAL : errno; /* ENOENT: not a link any more */
    *ret = wy_alloc((size_t)n + 1);
    memcpy(*ret, buf, (size_t)n);
    (*ret)[n] = '\0';
    return 0;
}

static int host_open(void *self, const char *path, void **file, struct wy_node *node) {
    struct stat st;
    int fd = open_path(self, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return errno;
    int error = fstat(fd, &st) != 0 ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
    if (error) {
        close(fd);
        return error;
    }
    struct host_file *f = wy_alloc(sizeof *f);
    f->fd = fd;
    *file = f;
    node_of(&st, node);
    return 0;
}

static int64_t host_read(void *file, uint64_t offset, void *buf, size_t n) {
    struct host_file *f = file;
    size_t done = 0;
    while (done < n) {
        if (offset > (uint64_t)INT64_MAX - done)
            break;
        ssize_t got = pread(f->fd, (char *)buf + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (int64_t)done;
}

static bool host_has_attribute(void *file, const char *name) {
    const struct host_file *f = file;
    return fgetxattr(f->fd, name, NULL, 0) > 0;
}

static const struct wy_mount *host_mount(void *self, void *file) {
    const struct host *h = self;
    const struct host_file *f = file;
    return h->mounts ? wy_mounts_of(h->mounts, f->fd) : NULL;
}

static void host_close(void *file) {
    struct host_file *f = file;
    close(f->fd);
    free(f);
}

static void host_destroy(void *self) {
    struct host *h = self;
    close(h->root);
    wy_mounts_destroy(h->mounts);
    free(h);
}

static const struct wy_tree_ops host_ops = {
    .list = host_list,
    .stat = host_stat,
    .readlink = host_readlink,
    .open = host_open,
    .read = host_read,
    .has_attribute = host_has_attribute,
    .mount = host_mount,
    .close = host_close,
    .destroy = host_destroy,
};

struct wy_error *wy_tree_host(const char *root, struct wy_tree **ret) {
    *ret = NULL;
    int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return wy_errorf("%s: %s; expected a readable folder", root, strerror(errno));
    struct host *h = wy_alloc0(1, sizeof *h);
    h->root = fd;
    h->mounts = strcmp(root, "/") == 0 ? wy_mounts_create() : NULL;
    *ret = wy_tree_over(&host_ops, h, root);
    return NULL;
}
