/* The loader's words, built from the same parts as the real ones. */
#include "ld/musl.h"

#include <errno.h>

const char *wy_found_word(enum wy_found f) {
    static const char *const words[] = {
        [WY_BY_PATH] = "path",
        [WY_BY_RPATH] = "rpath",
        [WY_BY_LD_LIBRARY_PATH] = "ld_library_path",
        [WY_BY_RUNPATH] = "runpath",
        [WY_BY_CACHE] = "cache",
        [WY_BY_DEFAULT] = "default",
        [WY_BY_PRELOAD] = "preload",
        [WY_BY_LOADED] = "loaded",
    };
    return words[f];
}

const char *wy_hit_word(enum wy_hit h) {
    static const char *const words[] = {
        [WY_HIT_ABSENT] = "absent",
        [WY_HIT_NO_DIRECTORY] = "no directory",
        [WY_HIT_UNREADABLE] = "unreadable",
        [WY_HIT_WRONG_CLASS] = "wrong class",
        [WY_HIT_WRONG_MACHINE] = "wrong machine",
        [WY_HIT_LOOP] = "loop",
        [WY_HIT_FATAL] = "fatal",
        [WY_HIT_TAKEN] = "taken",
    };
    return words[h];
}

const char *wy_problem_word(enum wy_problem_kind k) {
    static const char *const words[] = {
        [WY_P_MISSING_LIBRARY] = "missing-library",
        [WY_P_BAD_FILE] = "bad-file",
        [WY_P_WRONG_CLASS] = "wrong-machine",
        [WY_P_WRONG_MACHINE] = "wrong-machine",
        [WY_P_PRELOAD] = "preload-ignored",
        [WY_P_EXEC_STACK] = "exec-stack",
        [WY_P_ISA_LEVEL] = "isa-level",
        [WY_P_NOEXEC] = "noexec-mount",
        [WY_P_CRASH] = "bad-file",
        [WY_P_MISSING_VERSION] = "missing-version",
        [WY_P_UNDEFINED_SYMBOL] = "undefined-symbol",
        [WY_P_STATIC_TLS] = "static-tls",
        [WY_P_NO_VERSION] = "no-version",
    };
    return words[k];
}

/* glibc's texts, whatever C library whyso itself is linked with (sysdeps/gnu/errlist.h). */
static const char *errno_text(int err) {
    static const struct {
        int err;
        const char *text;
    } texts[] = {
        {EPERM, "Operation not permitted"},
        {ENOENT, "No such file or directory"},
        {EIO, "Input/output error"},
        {ENXIO, "No such device or address"},
        {ENOMEM, "Cannot allocate memory"},
        {EACCES, "Permission denied"},
        {ENOTDIR, "Not a directory"},
        {EISDIR, "Is a directory"},
        {EINVAL, "Invalid argument"},
        {ENAMETOOLONG, "File name too long"},
        {ELOOP, "Too many levels of symbolic links"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].err == err)
            return texts[i].text;
    return strerror(err);
}

/* musl's own (src/errno/__strerror.h). */
const char *ld_musl_strerror(int err) {
    static const struct {
        int err;
        const char *text;
    } texts[] = {
        {0, "No error information"},   {EIO, "I/O error"},
        {ENOMEM, "Out of memory"},     {ENAMETOOLONG, "Filename too long"},
        {ELOOP, "Symbolic link loop"}, {ENOEXEC, "Exec format error"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].err == err)
            return texts[i].text;
    return errno_text(err);
}

/* Before the C library runs, the loader knows six errors (elf/dl-minimal.c, __strerror_r). */
const char *ld_strerror(const struct ld_work *w, int err) {
    bool known = err == ENOMEM || err == EINVAL || err == ENOENT || err == EPERM || err == EIO ||
                 err == EACCES;
    if (w->startup && !known)
        return wy_arena_printf(&w->ld->arena, "Error %d", err);
    return errno_text(err);
}

const char *ld_message(struct ld_work *w, const char *object, const char *text, int err) {
    return wy_arena_printf(&w->ld->arena, "%s%s%s%s%s", object, *object ? ": " : "", text,
                           err ? ": " : "", err ? ld_strerror(w, err) : "");
}

const char *ld_missing_text(const struct ld_work *w, const struct ld_found *found, int *err) {
    *err = found->other_class ? 0 : w->err;
    if (!found->other_class)
        return "cannot open shared object file";
    return w->ld->host->is64 ? "wrong ELF class: ELFCLASS32" : "wrong ELF class: ELFCLASS64";
}

void ld_problem(struct ld_work *w, struct wy_problem p) {
    if (!w->stopped && p.kind != WY_P_PRELOAD && p.kind != WY_P_NO_VERSION) {
        w->stopped = true;
        w->open->after = ld_rollback(w);
        w->open->outcome = p.kind == WY_P_CRASH ? WY_OPEN_CRASH
                           : p.aborts           ? WY_OPEN_ABORT
                                                : WY_OPEN_ERROR;
        w->open->message = p.kind == WY_P_CRASH ? NULL : p.message;
    }
    wy_vec_push(&w->problems, p);
}
