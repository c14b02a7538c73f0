/* What a mount allows: asked once per mount, not per file system, since one file system may be
 * mounted twice with other options (mount --bind). */
#include "tree/mounts.h"

#include "base/str.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

struct known {
    struct wy_mount mount;
    uint64_t id;
    struct known *next;
};
struct wy_mounts {
    pthread_mutex_t lock;
    struct known *first;
    struct wy_arena arena;
};

struct wy_mounts *wy_mounts_create(void) {
    struct wy_mounts *m = wy_alloc0(1, sizeof *m);
    pthread_mutex_init(&m->lock, NULL);
    return m;
}

void wy_mounts_destroy(struct wy_mounts *m) {
    if (!m)
        return;
    pthread_mutex_destroy(&m->lock);
    wy_arena_deinit(&m->arena);
    free(m);
}

/* A blank, tab, newline or backslash stands as "\040" and the like (proc(5)). */
static const char *unescaped(struct wy_arena *a, struct wy_str s) {
    char *ret = wy_arena_str(a, s), *to = ret;
    for (const char *p = ret; *p; p++) {
        unsigned byte = 0;
        if (*p == '\\' && sscanf(p + 1, "%3o", &byte) == 1) {
            *to++ = (char)byte;
            p += 3;
        } else {
            *to++ = *p;
        }
    }
    *to = '\0';
    return ret;
}

/* One line of mountinfo: "36 35 98:0 /root /point rw,noexec master:1 - ext3 …". */
static bool take_line(struct wy_arena *a, struct wy_str line, struct known *k) {
    struct wy_str fields[5] = {{NULL, 0}}, rest = line;
    for (size_t i = 0; i < 5; i++)
        fields[i] = wy_str_cut(rest, ' ', &rest);
    char id[24];
    int n = snprintf(id, sizeof id, "%llu", (unsigned long long)k->id);
    if (!fields[4].p || n < 0 || !wy_str_eq(fields[0], (struct wy_str){id, (size_t)n}))
        return false;
    k->mount.point = unescaped(a, fields[4]);
    return true;
}

static void name_it(struct wy_arena *a, struct known *k) {
    FILE *f = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t cap = 0;
    while (f) {
        ssize_t n = getline(&line, &cap, f);
        if (n <= 0 || take_line(a, (struct wy_str){line, (size_t)n}, k))
            break;
    }
    free(line);
    if (f)
        fclose(f);
}

static struct known *learn(struct wy_mounts *m, int fd, uint64_t id) {
    struct statvfs st;
    struct known *k = WY_NEW(&m->arena, struct known);
    k->id = id;
    k->mount.noexec = fstatvfs(fd, &st) == 0 && (st.f_flag & ST_NOEXEC);
    if (k->mount.noexec)
        name_it(&m->arena, k);
    k->next = m->first;
    m->first = k;
    return k;
}

const struct wy_mount *wy_mounts_of(struct wy_mounts *m, int fd) {
    struct statx st;
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &st) != 0 ||
        !(st.stx_mask & STATX_MNT_ID))
        return NULL;
    pthread_mutex_lock(&m->lock);
    struct known *k = m->first;
    while (k && k->id != st.stx_mnt_id)
        k = k->next;
    if (!k)
        k = learn(m, fd, st.stx_mnt_id);
    pthread_mutex_unlock(&m->lock);
    return &k->mount;
}
