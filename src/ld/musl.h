/* Inside the room: what belongs to musl's loader alone (ldso/dynlink.c; docs/loader.md B). */
#ifndef WY_LD_MUSL_H
#define WY_LD_MUSL_H

#include "ld/internal.h"

/* musl_search.c */
/* Where musl finds a bare name needed by `needer` (NULL: nobody, for preloads); NULL: nowhere, then
 * w->c_errno says why. */
struct ld_file *ld_musl_search(struct ld_work *w, struct ld_name *name,
                               const struct wy_object *needer, struct ld_found *ret);
void ld_musl_trace(struct ld_work *w, struct ld_name *name, const struct wy_object *needer,
                   struct wy_search *ret);
const char *ld_musl_origin(struct wy_ld *ld, const char *path);
/* A list of folders as musl splits it; NULL: no element. */
const struct ld_list *ld_musl_list(struct wy_ld *ld, const char *text);

/* musl_map.c */
bool ld_musl_is_self(const struct wy_ld *ld, const char *name);
uint32_t ld_musl_match(struct ld_work *w, struct ld_name *name);
uint32_t ld_musl_loader(const struct ld_work *w); /* LD_NONE: nothing needed it yet */
void ld_musl_enter(struct ld_work *w, uint32_t id);
struct ld_musl_want {
    struct ld_name *name;
    const struct wy_object *by;     /* whose need or call */
    const struct wy_object *needer; /* whose search path counts; NULL: nobody's */
    bool is_need;                   /* it is a DT_NEEDED of `needer` */
    bool preload, noload;
};
struct ld_musl_got {
    uint32_t member; /* LD_NONE: it failed, and w->c_errno says why; or it is the vdso */
    bool fresh, vdso;
    const struct ld_file *bad; /* a file was found, and is refused */
    const char *crash;         /* the process dies of it */
};
void ld_musl_map(struct ld_work *w, const struct ld_musl_want *want, struct ld_musl_got *ret);
uint32_t ld_musl_add(struct ld_work *w, const struct wy_object *o, struct ld_name *shortname,
                     uint32_t flags);

/* musl_open.c */
void ld_musl_start(struct ld_work *w, const struct wy_place *program);
void ld_musl_open(struct ld_work *w, struct ld_name *name, const struct wy_object *caller);
/* A line that the loader prints while a program is started. */
void ld_musl_line(struct ld_work *w, const char *text);

/* musl_relocate.c: from the member at place `from` in load order to the end. */
void ld_musl_relocate(struct ld_work *w, uint32_t from);
bool ld_musl_at_least(const struct wy_host *host, unsigned major, unsigned minor, unsigned patch);

/* musl_refuse.c */
void ld_musl_judge(struct wy_ld *ld, struct ld_image *im);
const char *ld_musl_refuses(const struct wy_host *host, const struct wy_image *image,
                            enum wy_hit *hit);

/* messages.c: musl's text of an errno. */
const char *ld_musl_strerror(int err);

#endif
