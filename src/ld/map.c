/* One wanted name: matched, or searched and mapped (elf/dl-load.c, _dl_map_object and
 * _dl_map_object_from_fd). */
#include "ld/internal.h"

#include <errno.h>

static void fail(struct ld_work *w, struct ld_mapped *ret, enum wy_problem_kind kind,
                 const char *object, const char *text, int err, const char *file) {
    ret->object = object;
    ret->text = text;
    ret->err = err;
    ret->problem.kind = kind;
    ret->problem.file = file;
    ret->problem.message = ld_message(w, object, text, err);
}

static void fail_missing(struct ld_work *w, const struct ld_want *want, struct ld_found *found,
                         struct ld_mapped *ret) {
    int err;
    const char *text = ld_missing_text(w, found, &err);
    enum wy_problem_kind kind = found->other_class ? WY_P_WRONG_CLASS
                                : found->skipped   ? WY_P_WRONG_MACHINE
                                                   : WY_P_MISSING_LIBRARY;
    fail(w, ret, kind, want->name->s, text, err, found->skipped ? found->skipped->path->s : NULL);
}

/* What only shows when the file is mapped: the text names the object as it was asked for. Crashing
 * comes as early as the dynamic section, before its flags are judged. */
static bool refused(struct ld_work *w, const struct ld_want *want, const struct ld_file *f,
                    struct ld_mapped *ret) {
    struct ld_verdict v = f->image->mapped;
    if (w->startup)
        v = ld_verdict_map(w->ld->host, f->image->image, true);
    bool no_code = v.text == ld_no_code_here;
    if (!no_code && (v.hit == WY_HIT_TAKEN || f->image->image->elf.has_dynamic))
        if (f->image->crashes) {
            fail(w, ret, WY_P_CRASH, f->path->s, "Bus error: the file is shorter than its segments",
                 0, f->path->s);
            return true;
        }
    if (v.hit != WY_HIT_TAKEN)
        fail(w, ret, no_code ? WY_P_NOEXEC : WY_P_BAD_FILE, want->name->s, v.text, v.err,
             f->path->s);
    return v.hit != WY_HIT_TAKEN;
}

/* An executable stack that is refused does not keep the rest from being listed. */
static void judge_stack(struct ld_work *w, const struct ld_want *want, const struct ld_file *f,
                        struct ld_mapped *ret) {
    if (w->exec_stack || !wy_ld_wants_exec_stack(f->image->image))
        return;
    const struct wy_host *host = w->ld->host;
    if (w->startup ? ld_refuses_exec_stack_at_start(host) : wy_ld_refuses_exec_stack(host))
        fail(w, ret, WY_P_EXEC_STACK, want->name->s,
             "cannot enable executable stack as shared object requires", EINVAL, f->path->s);
    else
        w->exec_stack = true;
}

static const struct wy_object *make_object(struct ld_work *w, const struct ld_want *want,
                                           const struct ld_found *found) {
    struct ld_file *f = found->file;
    struct wy_object *o = WY_NEW(&w->ld->arena, struct wy_object);
    *o = (struct wy_object){.name = f->path->s,
                            .requested = want->name->s,
                            .by = want->by,
                            .found = want->preload ? WY_BY_PRELOAD : found->by,
                            .image = f->image->image,
                            .loader = want->loader,
                            .origin = f->paths.origin,
                            .paths = &f->paths};
    return o;
}

static void take(struct ld_work *w, const struct ld_want *want, const struct ld_found *found,
                 struct ld_mapped *ret) {
    struct ld_file *f = found->file;
    ret->member = ld_match_image(w, f->image);
    if (ret->member != LD_NONE) {
        ld_answer(w, ret->member, want->name);
        return;
    }
    ret->absent = want->noload;
    if (ret->absent)
        return;
    if (w->members.n >= LD_MAX_OBJECTS) {
        fail(w, ret, WY_P_BAD_FILE, want->name->s, "cannot create shared object descriptor", ENOMEM,
             f->path->s);
        return;
    }
    if (refused(w, want, f, ret))
        return;
    judge_stack(w, want, f, ret);
    if (ret->text && want->optional)
        return;
    ret->member = ld_add_member(w, make_object(w, want, found), want->name, 0);
    ret->fresh = true;
}

void ld_map(struct ld_work *w, const struct ld_want *want, struct ld_mapped *ret) {
    w->ld->work++;
    *ret = (struct ld_mapped){.problem = {.name = want->name->s, .needer = want->by}};
    ret->member = ld_match(w, want->name);
    if (ret->member != LD_NONE || want->name->lost == w->ld->epoch)
        return;
    if (want->name == w->ld->vdso_name) {
        ret->vdso = true;
        return;
    }
    struct ld_found found;
    ld_search(w, want->name, want->by, &found);
    if (!found.file) {
        fail_missing(w, want, &found, ret);
    } else if (found.file->verdict.hit == WY_HIT_FATAL) {
        const struct ld_verdict *v = &found.file->verdict;
        w->err = v->err;
        fail(w, ret, WY_P_BAD_FILE, found.file->path->s, v->text, v->err, found.file->path->s);
    } else {
        take(w, want, &found, ret);
    }
    if (ret->text && ret->member == LD_NONE && !want->optional)
        want->name->lost = w->ld->epoch;
}
