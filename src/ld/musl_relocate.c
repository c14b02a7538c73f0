/* Relocation, musl's way (ldso/dynlink.c: reloc_all, do_relocs, find_sym): objects in load order,
 * the one that was opened first and the program last; of each the table of the PLT, then the
 * others. One scope for all, no versions, no visibility. */
#include "ld/musl.h"

#include <stdio.h>

enum { MOST_UNDEFINED = 10000 }; /* looked at in one open */
enum { HIDDEN = 0x8000, SHN_UNDEF = 0 };
enum { TLS = WY_USE_TLS_IE | WY_USE_TLS_GD | WY_USE_TLS_DESC };

typedef WY_VEC(struct ld_place) scope_vec;

/* The object being relocated. */
struct job {
    struct ld_work *w;
    const struct wy_object *object;
    const struct wy_refs *refs;
    const scope_vec *scope;
    bool lazy;
    bool foreign; /* built for another machine */
    bool done;    /* nothing more is said of it */
};

bool ld_musl_at_least(const struct wy_host *host, unsigned major, unsigned minor, unsigned patch) {
    unsigned a, b, c;
    if (!host->libc_version || sscanf(host->libc_version, "%3u.%3u.%3u", &a, &b, &c) != 3)
        return true;
    return a != major ? a > major : b != minor ? b > minor : c >= patch;
}

static const struct wy_image_symbols *symbols_of(struct ld_work *w, const struct wy_object *o) {
    return ld_symbols(w->ld, o->paths->image);
}

static void add_place(struct ld_work *w, scope_vec *scope, const struct wy_object *o) {
    wy_vec_push(scope, ((struct ld_place){&symbols_of(w, o)->table, o}));
}

/* What is global, then what the open brings; the program is the first of all. */
static void make_scope(struct ld_work *w, scope_vec *scope) {
    const struct ld_list_of_objects *global = w->startup ? w->global : w->from->global;
    for (size_t i = 0; i < global->n; i++)
        add_place(w, scope, global->v[i]);
    for (size_t i = 0; i < w->list.n; i++)
        if (!(w->members.v[w->list.v[i]].flags & LD_GLOBAL))
            add_place(w, scope, w->members.v[w->list.v[i]].object);
}

/* The first symbol of that name that is not hidden decides for the object; an undefined one may
 * serve what is no call (the PLT of a program). */
static bool defines(const struct wy_symtab *t, struct wy_symbol_key *key, bool needs_definition) {
    enum { TYPES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 6 }; /* up to COMMON and TLS */
    enum { BINDINGS = 1 << WY_STB_GLOBAL | 1 << WY_STB_WEAK | 1 << WY_STB_GNU_UNIQUE };
    struct wy_symbol_walk walk;
    struct wy_symbol s;
    if (!wy_symtab_find(t, key, &walk))
        return false;
    do {
        if (!wy_symtab_next(&walk, &s))
            return false;
    } while (s.versym & HIDDEN);
    if (s.section == SHN_UNDEF && (needs_definition || s.type == WY_STT_TLS))
        return false;
    if (!s.value && s.type != WY_STT_TLS)
        return false;
    return (TYPES >> s.type & 1) && (BINDINGS >> s.binding & 1);
}

static const struct wy_object *look_up(const struct job *j, struct wy_symbol_key key,
                                       unsigned uses) {
    for (size_t i = (uses & WY_USE_COPY) ? 1 : 0; i < j->scope->n; i++) {
        const struct ld_place *p = &j->scope->v[i];
        if (defines(p->table, &key, uses & WY_USE_PLT))
            return p->object;
    }
    return NULL;
}

/* Names that end in 64 are those without, for libraries built against the headers of old; since
 * 1.2.4 they are no symbols any more (get_lfs64). */
static const struct wy_object *look_up_lfs64(const struct job *j, struct wy_str name) {
    enum { ROOM = 16 };
    static const char *const names[] = {
        "aio_cancel",  "aio_error",  "aio_fsync", "aio_read",      "aio_return",
        "aio_suspend", "aio_write",  "alphasort", "creat",         "fallocate",
        "fgetpos",     "fopen",      "freopen",   "fseeko",        "fsetpos",
        "fstat",       "fstatat",    "fstatfs",   "fstatvfs",      "ftello",
        "ftruncate",   "ftw",        "getdents",  "getrlimit",     "glob",
        "globfree",    "lio_listio", "lockf",     "lseek",         "lstat",
        "mkostemp",    "mkostemps",  "mkstemp",   "mkstemps",      "mmap",
        "nftw",        "open",       "openat",    "posix_fadvise", "posix_fallocate",
        "pread",       "preadv",     "prlimit",   "pwrite",        "pwritev",
        "readdir",     "scandir",    "sendfile",  "setrlimit",     "stat",
        "statfs",      "statvfs",    "tmpfile",   "truncate",      "versionsort",
        "__fxstat",    "__fxstatat", "__lxstat",  "__xstat",
    };
    uint32_t loader = ld_musl_loader(j->w);
    bool reentrant = wy_str_is(name, "readdir64_r");
    if (loader == LD_NONE || !ld_musl_at_least(j->w->ld->host, 1, 2, 4) ||
        (!reentrant && (name.n > ROOM || name.n < 3 || memcmp(name.p + name.n - 2, "64", 2) != 0)))
        return NULL;
    struct wy_str plain = reentrant ? WY_STR("readdir_r") : (struct wy_str){name.p, name.n - 2};
    bool known = reentrant;
    for (size_t i = 0; i < sizeof names / sizeof *names && !known; i++)
        known = wy_str_is(plain, names[i]);
    struct wy_symbol_key key = wy_symbol_key(plain);
    const struct wy_object *o = j->w->members.v[loader].object;
    return known && defines(&symbols_of(j->w, o)->table, &key, true) ? o : NULL;
}

/* Who defines it; NULL: nobody. */
static const struct wy_object *resolve(const struct job *j, const struct wy_ref *r) {
    if (r->symbol.binding == WY_STB_LOCAL)
        return j->object;
    const struct wy_object *o = look_up(j, r->key, r->uses);
    return o ? o : look_up_lfs64(j, r->key.name);
}

static bool may_be_absent(const struct wy_ref *r) {
    return r->symbol.section == SHN_UNDEF && r->symbol.binding == WY_STB_WEAK;
}

/* One problem of the object, with the line that is printed for it. One line of each kind stands for
 * all of its relocations, where the start prints each. */
static void fail(struct job *j, enum wy_problem_kind kind, const char *name, bool consequence,
                 const char *text) {
    struct ld_work *w = j->w;
    const char *file = ld_shown(w, j->object);
    const char *message = wy_arena_printf(&w->ld->arena, "Error relocating %s: %s", file, text);
    ld_musl_line(w, message);
    if (j->foreign) {
        kind = WY_P_WRONG_MACHINE;
        name = j->object->requested;
        j->done = true;
    }
    if (!consequence || j->foreign)
        ld_problem(w, (struct wy_problem){.kind = kind,
                                          .name = name,
                                          .needer = kind == WY_P_UNDEFINED_SYMBOL ||
                                                            kind == WY_P_STATIC_TLS
                                                        ? j->object
                                                        : j->object->by,
                                          .file = file,
                                          .message = message});
}

static void crash(struct job *j, const char *text) {
    struct ld_work *w = j->w;
    ld_problem(w, (struct wy_problem){.kind = WY_P_CRASH,
                                      .name = j->object->requested,
                                      .needer = j->object->by,
                                      .file = ld_shown(w, j->object),
                                      .message = ld_message(w, ld_shown(w, j->object), text, 0)});
    if (w->startup)
        w->open->outcome = WY_OPEN_CRASH;
    j->done = true;
}

static const char *join(const struct job *j, const char *name, const char *text) {
    return wy_arena_printf(&j->w->ld->arena, "%s: %s", name, text);
}

/* Variables of what the program did not start with have no fixed place. */
static void judge_fixed(struct job *j, const char *name, const struct wy_object *owner) {
    struct ld_work *w = j->w;
    if (!owner->image->elf.tls_memsz)
        return;
    for (size_t i = 0; i < w->members.n; i++)
        if (w->members.v[i].object == owner && (w->members.v[i].flags & LD_STARTED))
            return;
    const char *text = wy_arena_printf(
        &w->ld->arena, "initial-exec TLS resolves to dynamic definition in %s", ld_shown(w, owner));
    fail(j, WY_P_STATIC_TLS, owner->requested, false, join(j, name, text));
}

static void take_ref(struct job *j, const struct wy_ref *r) {
    enum { LATER = WY_USE_NOW | WY_USE_LAZY | WY_USE_PLT | WY_USE_GOT };
    if (!r->key.name.p)
        return;
    const struct wy_object *owner = resolve(j, r);
    if (owner) {
        if (r->uses & WY_USE_TLS_IE)
            judge_fixed(j, r->key.name.p, owner);
        return;
    }
    if (may_be_absent(r)) {
        if (r->uses & TLS)
            crash(j, "Segmentation fault: a weak variable of a thread that nobody defines");
        return;
    }
    if ((j->lazy && !(r->uses & ~LATER)) || ld_assumes(j->w) ||
        j->w->nundefined++ >= MOST_UNDEFINED)
        return;
    fail(j, WY_P_UNDEFINED_SYMBOL, r->key.name.p, j->w->incomplete,
         join(j, r->key.name.p, "symbol not found"));
}

/* The symbol is looked up before the type is judged. */
static void take_odd(struct job *j, const struct wy_odd_reloc *odd) {
    for (size_t i = 0; i < j->refs->n && odd->symbol; i++) {
        const struct wy_ref *r = &j->refs->v[i];
        if (r->symbol.index == odd->symbol && !may_be_absent(r) && !resolve(j, r))
            return;
    }
    fail(j, WY_P_BAD_FILE, j->object->requested, false,
         wy_arena_printf(&j->w->ld->arena, "unsupported relocation type %u", odd->type));
}

/* What happens at one relocation. */
struct event {
    bool late; /* not in DT_JMPREL */
    uint32_t order;
    uint8_t rank; /* at one relocation: a look-up, then its type */
    const struct wy_ref *ref;
    const struct wy_odd_reloc *odd; /* neither: initial exec without a name */
};

static int in_order(const void *a, const void *b) {
    const struct event *x = a, *y = b;
    if (x->late != y->late)
        return x->late ? 1 : -1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->rank - y->rank;
}

typedef WY_VEC(struct event) event_vec;

static void add_event(event_vec *v, uint32_t plt, uint32_t other, struct event e) {
    e.late = plt == WY_NO_ORDER;
    e.order = e.late ? other : plt;
    if (e.order != WY_NO_ORDER)
        wy_vec_push(v, e);
}

static void take_all(struct job *j) {
    const struct wy_refs *refs = j->refs;
    event_vec v = {0};
    for (size_t i = 0; i < refs->n; i++) {
        const struct wy_ref *r = &refs->v[i];
        bool waits = j->lazy && r->order != WY_NO_ORDER; /* its slot in the PLT tells nothing */
        add_event(&v, waits ? WY_NO_ORDER : r->plt_order, r->order, (struct event){.ref = r});
    }
    add_event(&v, refs->musl_plt.order, WY_NO_ORDER,
              (struct event){.odd = &refs->musl_plt, .rank = 1});
    add_event(&v, WY_NO_ORDER, refs->musl_other.order,
              (struct event){.odd = &refs->musl_other, .rank = 1});
    add_event(&v, refs->ie_own_plt, refs->ie_own_order, (struct event){0});
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, in_order);
    for (size_t i = 0; i < v.n && !j->done; i++) {
        if (v.v[i].ref)
            take_ref(j, v.v[i].ref);
        else if (v.v[i].odd)
            take_odd(j, v.v[i].odd);
        else
            judge_fixed(j, "", j->object); /* musl prints what is left in a variable */
    }
    wy_vec_free(&v);
}

/* DT_BIND_NOW has no value, and musl asks for the value. The program's start has no mode. */
static bool binds_later(const struct ld_work *w, const struct wy_elf *elf) {
    enum { DF_BIND_NOW = 8, DF_1_NOW = 1 };
    return (w->mode & WY_LAZY) && !(elf->flags & DF_BIND_NOW) && !(elf->flags_1 & DF_1_NOW);
}

static void relocate(struct ld_work *w, const struct ld_member *m, const scope_vec *scope) {
    struct ld_image *im = m->object->paths->image;
    struct job j = {.w = w, .object = m->object, .scope = scope};
    if (!m->fresh || (m->flags & LD_LOADER))
        return;
    if (im->crashes_late) {
        crash(&j, "Bus error: the file is shorter than its segments");
        return;
    }
    if (w->ld->depth < WY_LD_SYMBOLS)
        return;
    j.foreign = im->key->elf.kind == WY_ELF_OK && im->key->elf.machine != w->ld->host->machine;
    j.lazy = binds_later(w, &im->image->elf);
    j.refs = &symbols_of(w, m->object)->refs;
    take_all(&j);
}

/* Packed relative relocations are passed over before 1.2.4, so the addresses of constructors are
 * none. */
static void judge_packed(struct ld_work *w, const struct ld_member *m) {
    const struct wy_elf *elf = &m->object->image->elf;
    struct job j = {.w = w, .object = m->object};
    if (m->fresh && elf->relrsz && elf->init_arraysz && !ld_musl_at_least(w->ld->host, 1, 2, 4))
        crash(&j, "Segmentation fault: its relocations are packed (DT_RELR), which this musl does "
                  "not know");
}

void ld_musl_relocate(struct ld_work *w, uint32_t from) {
    scope_vec scope = {0};
    if (w->ld->depth >= WY_LD_SYMBOLS)
        make_scope(w, &scope);
    for (size_t i = from; i < w->order.n; i++)
        if (!(w->members.v[w->order.v[i]].flags & LD_MAIN))
            relocate(w, &w->members.v[w->order.v[i]], &scope);
    if (w->startup)
        relocate(w, &w->members.v[w->root], &scope);
    wy_vec_free(&scope);
    for (size_t i = from; i < w->order.n && !w->stopped; i++)
        judge_packed(w, &w->members.v[w->order.v[i]]);
}
