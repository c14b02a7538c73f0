/* Values of the abstract interpreter: what a name stands for while a module is followed on paper.
 * *Unknown* is a value like any other. Constants are carried by value; what can change is an object
 * in the importer's arena. Private to the room. */
#ifndef WY_IMPORT_VALUE_H
#define WY_IMPORT_VALUE_H

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "source/ast.h"
#include "tree/tree.h"

struct wy_buf;
struct wy_exec;
struct wy_spec;

enum wy_value_kind {
    WY_V_UNKNOWN,
    WY_V_UNBOUND, /* in tables: a name that is not there (deleted, or not bound in this run) */
    WY_V_NONE,
    WY_V_ELLIPSIS,
    WY_V_BOOL,     /* number */
    WY_V_INT,      /* number */
    WY_V_STR,      /* text, n */
    WY_V_BYTES,    /* text, n */
    WY_V_PATH,     /* a pathlib path: text, n */
    WY_V_NAMED,    /* known: something of the library, known by its dotted name */
    WY_V_LIST,     /* list; also what generators give */
    WY_V_TUPLE,    /* list */
    WY_V_SET,      /* list, without duplicates */
    WY_V_DICT,     /* table */
    WY_V_MODULE,   /* module */
    WY_V_FUNCTION, /* function */
    WY_V_CLASS,    /* class_ */
    WY_V_INSTANCE, /* instance */
    WY_V_METHOD,   /* method: something called with `self` */
    WY_V_WRAPPED,  /* method: `function` as a descriptor, n: enum wy_wrapping */
    WY_V_SUPER,    /* method: self, and the class whose bases are asked */
};

enum wy_wrapping { WY_WRAP_STATIC, WY_WRAP_CLASS, WY_WRAP_PROPERTY };

struct wy_value {
    uint8_t kind; /* enum wy_value_kind */
    uint32_t n;   /* bytes of text */
    union {
        const char *text; /* not NUL-terminated */
        int64_t number;
        const struct wy_known *known;
        struct wy_list *list;
        struct wy_table *table;
        struct wy_module *module;
        struct wy_func *function;
        struct wy_class *class_;
        struct wy_instance *instance;
        struct wy_method *method;
    };
};

/* One name of a table. Its address stays: what an uncertain arm or another module changes is noted
 * by it. */
struct wy_binding {
    const char *name; /* interned; of a key that is no text: its repr behind '\1' */
    struct wy_value value;
    struct wy_binding *next; /* in order of binding */
    uint32_t arm;            /* the uncertain arm that noted its value last */
};

/* One whose name begins with '\1'. */
struct wy_keyed_binding {
    struct wy_binding binding;
    struct wy_value key; /* UNKNOWN: the name itself */
};

/* Names → values, in order: a namespace, or a dict whose keys are constants. */
struct wy_table {
    struct wy_binding *first, *last;
    struct wy_binding **slots; /* hash of the name's address; NULL while there are few */
    uint32_t n, cap;
    uint32_t owner; /* the module whose run made it: what others change in it is noted */
    uint32_t arm;   /* the uncertain arm that made it; 0 outside */
    bool open;      /* it may hold more than is known */
};

struct wy_list {
    struct wy_value *v;
    uint32_t n, cap;
    uint32_t owner, arm; /* as in wy_table */
    bool open;
};

enum wy_scope_kind { WY_SCOPE_MODULE, WY_SCOPE_CLASS, WY_SCOPE_FUNCTION };

/* Where names are bound. */
struct wy_scope {
    struct wy_table *names;
    struct wy_scope *up;      /* of the function around it; NULL */
    struct wy_module *module; /* whose globals come after that */
    enum wy_scope_kind kind;
    bool captured;                /* something made here may look names up later */
    struct wy_declared *declared; /* global and nonlocal names; NULL */
};
struct wy_declared {
    struct wy_declared *next;
    const char *name;
    bool global;
};

struct wy_module {
    struct wy_spec *spec;
    struct wy_scope scope;
    const struct wy_table *known; /* names that are not followed but known; NULL */
    struct wy_source_tree *tree;  /* NULL when it has no source */
    struct wy_place source;       /* of that */
    struct wy_value replaced;     /* what sys.modules holds in its place; UNBOUND: itself */
    struct wy_guesses *guesses;   /* NULL: not looked for */
    struct wy_log *log;           /* of its first complete run; NULL */
    uint32_t runs, run;           /* of its body, in the import of this number */
    bool quiet;                   /* its functions are not followed: they load nothing */
};

struct wy_func {
    struct wy_function *ast;
    struct wy_module *module; /* its globals */
    struct wy_scope *closure; /* of the function around it, or NULL */
    struct wy_class *class_;  /* in whose body it stands, or NULL */
    struct wy_table *names;   /* its attributes, or NULL */
    uint32_t active;          /* calls in progress */
    uint32_t calls, run;      /* calls in the run of this number */
};

struct wy_class {
    const char *name;
    struct wy_module *module;
    struct wy_table *names;
    struct wy_class **bases;
    uint32_t nbases;
    uint32_t depth; /* of its bases */
    bool open;      /* a base or the metaclass is not known: it may have more attributes */
    bool dataclass; /* known_dataclasses.c makes its __init__, from the annotations in its body */
    bool field;     /* of what dataclasses.field() gives */
    const struct wy_body *body; /* NULL: not made by a class statement */
};

struct wy_instance {
    struct wy_class *class_;
    struct wy_table *names; /* open until its constructor was followed to the end */
};

struct wy_method {
    struct wy_value self, function;
    struct wy_class *class_; /* SUPER: those after this one */
};

/* The arguments of a call. */
struct wy_args {
    struct wy_value *v; /* by position */
    uint32_t n;
    const char **names;     /* interned, of the keywords */
    struct wy_value *named; /* their values */
    uint32_t nnamed;
    bool open;            /* there may be more: a star argument that is not known */
    struct wy_value self; /* of a method of the tables */
    const char *what;     /* wy_known.what of the function that is called */
};

typedef struct wy_value wy_known_call(struct wy_exec *x, const struct wy_args *a);

/* Something that is known by its dotted name and not followed. */
struct wy_known {
    const char *name;                           /* "os.path.join", "<str>.split" */
    wy_known_call *call;                        /* NULL: calling it gives something unknown */
    const char *text;                           /* it is this text */
    struct wy_value (*make)(struct wy_exec *x); /* it is the value that this makes */
    const char *what;                           /* for `call`: from data/imports.tsv; NULL */
};

#define WY_UNKNOWN ((struct wy_value){.kind = WY_V_UNKNOWN})
#define WY_UNBOUND ((struct wy_value){.kind = WY_V_UNBOUND})
#define WY_NONE ((struct wy_value){.kind = WY_V_NONE})

static inline struct wy_value wy_value_int(int64_t n) {
    return (struct wy_value){.kind = WY_V_INT, .number = n};
}
static inline struct wy_value wy_value_bool(bool b) {
    return (struct wy_value){.kind = WY_V_BOOL, .number = b};
}
static inline struct wy_value wy_value_text(struct wy_str s) {
    return (struct wy_value){.kind = WY_V_STR, .n = (uint32_t)s.n, .text = s.p};
}
static inline struct wy_value wy_value_cstr(const char *s) {
    return wy_value_text(wy_str_of(s));
}
static inline struct wy_str wy_value_str(struct wy_value v) {
    return (struct wy_str){v.text, v.n};
}
static inline bool wy_is_text(struct wy_value v) {
    return v.kind == WY_V_STR || v.kind == WY_V_PATH;
}
static inline bool wy_is_sequence(struct wy_value v) {
    return v.kind == WY_V_LIST || v.kind == WY_V_TUPLE || v.kind == WY_V_SET;
}

enum wy_truth { WY_NO, WY_YES, WY_PERHAPS };
static inline enum wy_truth wy_truth_of(bool b) {
    return b ? WY_YES : WY_NO;
}
static inline enum wy_truth wy_truth_not(enum wy_truth t) {
    return t == WY_PERHAPS ? t : t == WY_YES ? WY_NO : WY_YES;
}
static inline struct wy_value wy_truth_value(enum wy_truth t) {
    return t == WY_PERHAPS ? WY_UNKNOWN : wy_value_bool(t == WY_YES);
}
/* Of which only that much is known. */
static inline struct wy_value wy_unknown_of(enum wy_truth t) {
    return (struct wy_value){.kind = WY_V_UNKNOWN, .number = t == WY_YES ? 1 : t == WY_NO ? -1 : 0};
}

/* ---- table.c ---- */

struct wy_binding *wy_table_find(const struct wy_table *t,
                                 const char *name); /* NULL: never bound */
/* The place of a name, made when it is new: from `spare` (or NULL), else in the arena. */
struct wy_binding *wy_table_make(struct wy_arena *a, struct wy_table *t, const char *name);
struct wy_binding *wy_table_make_from(struct wy_arena *a, struct wy_table *t, const char *name,
                                      struct wy_binding **spare);
/* Empties a table that nothing refers to any more; its bindings are used again. */
void wy_table_recycle(struct wy_table *t, struct wy_binding **spare);
struct wy_value wy_table_get(const struct wy_table *t, const char *name); /* UNBOUND: not there */

/* ---- value.c ---- */

struct wy_value wy_make_list(struct wy_exec *x, enum wy_value_kind kind, uint32_t room);
void wy_list_add(struct wy_exec *x, struct wy_list *l, struct wy_value v); /* while it is made */
struct wy_value wy_make_dict(struct wy_exec *x);
struct wy_table *wy_make_table(struct wy_exec *x);
void wy_init_table(const struct wy_exec *x, struct wy_table *t);
struct wy_value wy_make_text(struct wy_exec *x, struct wy_str text); /* copied; UNKNOWN if long */
struct wy_value wy_make_class(struct wy_exec *x, const char *name, struct wy_module *module);
struct wy_value wy_make_instance(struct wy_exec *x, struct wy_class *c);
struct wy_value wy_make_method(struct wy_exec *x, struct wy_value self, struct wy_value function);
struct wy_value wy_make_wrapped(struct wy_exec *x, enum wy_wrapping how, struct wy_value function);
enum wy_truth wy_truth(struct wy_value v);
enum wy_truth wy_equal(struct wy_value a, struct wy_value b);
enum wy_truth wy_identical(struct wy_value a, struct wy_value b); /* `is` */
/* -1, 0, 1 like strcmp; false when it is not known. */
bool wy_compare(struct wy_value a, struct wy_value b, int *ret);
/* Adds str(v), or repr(v) when `quoted`; false when it is not known. */
bool wy_value_print(struct wy_exec *x, struct wy_buf *b, struct wy_value v, bool quoted);
/* Interned name of a dict key; NULL for one that is not constant. */
const char *wy_key_name(struct wy_exec *x, struct wy_value key);

#endif
