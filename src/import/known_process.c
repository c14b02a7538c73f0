/* What a process knows of itself and its machine: sys, os.environ, platform. */
#include "import/known.h"

/* ---- sys ---- */

static struct wy_value sys_maxsize(struct wy_exec *x) {
    return wy_value_int(x->im->world->host->is64 ? INT64_MAX : INT32_MAX);
}

static struct wy_value version_tuple(struct wy_exec *x) {
    const struct wy_env *env = &x->im->world->env;
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 5);
    uint64_t patch;
    wy_list_add(x, v.list, wy_value_int(env->major));
    wy_list_add(x, v.list, wy_value_int(env->minor));
    const char *dot = env->version ? strrchr(env->version, '.') : NULL;
    bool known =
        dot && strchr(env->version, '.') != dot && wy_str_u64(wy_str_of(dot + 1), 1000, &patch);
    wy_list_add(x, v.list, known ? wy_value_int((int64_t)patch) : WY_UNKNOWN);
    wy_list_add(x, v.list, wy_value_cstr("final"));
    wy_list_add(x, v.list, wy_value_int(0));
    return v;
}

static struct wy_value sys_hexversion(struct wy_exec *x) {
    const struct wy_env *env = &x->im->world->env;
    return wy_value_int(((int64_t)env->major << 24) + ((int64_t)env->minor << 16) + 0xf0);
}

static struct wy_value text_or_unknown(const char *s) {
    return s ? wy_value_cstr(s) : WY_UNKNOWN;
}
static struct wy_value sys_prefix(struct wy_exec *x) {
    return text_or_unknown(x->im->world->env.prefix);
}
static struct wy_value sys_base_prefix(struct wy_exec *x) {
    return text_or_unknown(x->im->world->env.base_prefix);
}
static struct wy_value sys_executable(struct wy_exec *x) {
    return text_or_unknown(x->im->world->env.python);
}

static struct wy_value cache_tag(struct wy_exec *x) {
    const struct wy_env *env = &x->im->world->env;
    return wy_value_cstr(wy_arena_printf(&x->im->arena, "cpython-%u%u", env->major, env->minor));
}

static struct wy_value sys_flags(struct wy_exec *x) {
    return wy_open_instance(x, "flags");
}

static struct wy_value sys_argv(struct wy_exec *x) {
    struct wy_value v = wy_make_list(x, WY_V_LIST, 1);
    wy_list_add(x, v.list, wy_value_cstr("-c"));
    return v;
}

static struct wy_value builtin_names(struct wy_exec *x) {
    struct wy_value v = wy_make_list(x, WY_V_TUPLE, 4);
    static const char *const names[] = {"posix", "sys", "builtins", "_io", "time"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        wy_list_add(x, v.list, wy_value_cstr(names[i]));
    v.list->open = true;
    return v;
}

/* Names of other systems, other Pythons, frozen programs. */
static struct wy_value absent(struct wy_exec *x) {
    (void)x;
    return WY_UNBOUND;
}

/* The frame that asks; all that is known of it is the file of its code. */
static struct wy_value current_frame(struct wy_exec *x, const struct wy_args *a) {
    const char *file = wy_exec_file(x);
    struct wy_value frame = wy_open_instance(x, "frame"), code = wy_open_instance(x, "code");
    if (!file || (a->n && !(a->v[0].kind == WY_V_INT && a->v[0].number == 0)))
        return WY_UNKNOWN;
    wy_bind(x, code.instance->names, wy_intern(&x->im->names, WY_STR("co_filename")),
            wy_value_cstr(file));
    wy_bind(x, frame.instance->names, wy_intern(&x->im->names, WY_STR("f_code")), code);
    return frame;
}

static struct wy_value frame_file(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value frame = wy_argument(a, 0, NULL);
    if (frame.kind != WY_V_INSTANCE)
        return WY_UNKNOWN;
    struct wy_value code =
        wy_table_get(frame.instance->names, wy_intern(&x->im->names, WY_STR("f_code")));
    return code.kind == WY_V_INSTANCE
               ? wy_table_get(code.instance->names, wy_intern(&x->im->names, WY_STR("co_filename")))
               : WY_UNKNOWN;
}

static struct wy_value frame_info(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value info = wy_open_instance(x, "Traceback"), file = frame_file(x, a);
    wy_bind(x, info.instance->names, wy_intern(&x->im->names, WY_STR("filename")), file);
    return info;
}

/* sysconfig.get_path(name): of a virtual environment, both are its first folder. Others have
 * schemes of their distribution. */
static struct wy_value scheme_path(struct wy_exec *x, const struct wy_args *a) {
    const struct wy_env *env = &x->im->world->env;
    const char *name = wy_text_argument(x, a, 0, "name");
    bool site = wy_same(name, "purelib") || wy_same(name, "platlib");
    return site && a->n == 1 && env->kind == WY_ENV_VENV && env->nsite_dirs
               ? wy_value_cstr(env->site_dirs[0])
               : WY_UNKNOWN;
}

/* ---- sys.modules ---- */

static struct wy_value modules_get(struct wy_exec *x, const struct wy_args *a) {
    const char *name = wy_text_argument(x, a, 0, NULL);
    if (!name)
        return WY_UNKNOWN;
    struct wy_spec *spec = wy_find(x->im, name);
    if (wy_is_loaded(x, spec))
        return wy_named_module(x, spec);
    return a->n > 1 ? a->v[1] : WY_NONE;
}

static struct wy_value modules_setdefault(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value v = modules_get(x, a);
    bool set =
        a->n == 2 && a->v[0].kind == WY_V_STR && v.kind == a->v[1].kind && v.text == a->v[1].text;
    if (v.kind != WY_V_UNKNOWN && set)
        wy_known_store(
            x,
            wy_table_get(wy_known_below(x->im, "sys"), wy_intern(&x->im->names, WY_STR("modules")))
                .known,
            a->v[0], v);
    return v;
}

/* ---- the environment ---- */

static struct wy_value environ_get(struct wy_exec *x, const struct wy_args *a) {
    struct wy_value name = wy_given(x, a, 0, "key");
    if (name.kind != WY_V_STR)
        return WY_UNKNOWN;
    struct wy_value v = wy_environ(x, wy_value_str(name));
    if (v.kind != WY_V_UNBOUND)
        return v;
    struct wy_value otherwise = wy_given(x, a, 1, "default");
    return otherwise.kind == WY_V_UNBOUND ? WY_NONE : otherwise;
}

static struct wy_value environ_setdefault(struct wy_exec *x, const struct wy_args *a) {
    if (a->n != 2 || a->v[0].kind != WY_V_STR)
        return WY_UNKNOWN;
    struct wy_value v = wy_environ(x, wy_value_str(a->v[0]));
    if (v.kind != WY_V_UNBOUND)
        return v;
    wy_bind(x, &x->im->environ, wy_intern(&x->im->names, wy_value_str(a->v[0])), a->v[1]);
    return a->v[1];
}

static struct wy_value getcwd(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    return text_or_unknown(x->im->world->host->options.cwd);
}

/* ---- platform ---- */

static const char *machine(const struct wy_exec *x) {
    const struct wy_host *h = x->im->world->host;
    return wy_elf_machine_uname(h->machine, h->is64, h->big_endian);
}
static struct wy_value platform_system(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a;
    return wy_value_cstr("Linux");
}
static struct wy_value platform_machine(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    return text_or_unknown(machine(x));
}
static struct wy_value python_implementation(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a;
    return wy_value_cstr("CPython");
}
static struct wy_value python_version(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    return text_or_unknown(x->im->world->env.version);
}
static struct wy_value os_uname(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    struct wy_value v = wy_open_instance(x, "uname_result");
    wy_bind(x, v.instance->names, wy_intern(&x->im->names, WY_STR("sysname")),
            wy_value_cstr("Linux"));
    wy_bind(x, v.instance->names, wy_intern(&x->im->names, WY_STR("machine")),
            text_or_unknown(machine(x)));
    return v;
}

static struct wy_value nothing(struct wy_exec *x, const struct wy_args *a) {
    (void)x, (void)a;
    return WY_NONE;
}

static struct wy_value now_flag(struct wy_exec *x) {
    (void)x;
    return wy_value_int(WY_NOW);
}
static struct wy_value lazy_flag(struct wy_exec *x) {
    (void)x;
    return wy_value_int(WY_LAZY);
}
static struct wy_value global_flag(struct wy_exec *x) {
    (void)x;
    return wy_value_int(WY_GLOBAL);
}
static struct wy_value deepbind_flag(struct wy_exec *x) {
    (void)x;
    return wy_value_int(WY_DEEPBIND);
}
static struct wy_value noload_flag(struct wy_exec *x) {
    (void)x;
    return wy_value_int(WY_NOLOAD);
}

/* struct.calcsize("P"): how people ask whether the process has 64 bits. */
static struct wy_value calcsize(struct wy_exec *x, const struct wy_args *a) {
    const char *format = wy_text_argument(x, a, 0, NULL);
    return wy_same(format, "P") ? wy_value_int(x->im->world->host->is64 ? 8 : 4) : WY_UNKNOWN;
}
static struct wy_value zero(struct wy_exec *x) {
    (void)x;
    return wy_value_int(0);
}

static struct wy_value setdlopenflags(struct wy_exec *x, const struct wy_args *a) {
    if (a->n != 1 || (x->running && x->maybe > x->running->maybe))
        return WY_NONE;
    x->dlopen_flags = a->v[0].kind == WY_V_INT ? (unsigned)a->v[0].number : WY_NOW;
    wy_log_step(x, (struct wy_step){.kind = WY_STEP_MODE, .mode = x->dlopen_flags});
    return WY_NONE;
}
static struct wy_value getdlopenflags(struct wy_exec *x, const struct wy_args *a) {
    (void)a;
    return wy_value_int(x->dlopen_flags);
}

static const struct wy_known rows[] = {
    {.name = "sysconfig.get_path", .call = scheme_path},
    {.name = "sys.platform", .text = "linux"},
    {.name = "sys.byteorder", .text = "little"},
    {.name = "sys.maxsize", .make = sys_maxsize},
    {.name = "sys.version_info", .make = version_tuple},
    {.name = "sys.hexversion", .make = sys_hexversion},
    {.name = "sys.prefix", .make = sys_prefix},
    {.name = "sys.exec_prefix", .make = sys_prefix},
    {.name = "sys.base_prefix", .make = sys_base_prefix},
    {.name = "sys.base_exec_prefix", .make = sys_base_prefix},
    {.name = "sys.executable", .make = sys_executable},
    {.name = "sys.flags", .make = sys_flags},
    {.name = "sys.argv", .make = sys_argv},
    {.name = "sys.builtin_module_names", .make = builtin_names},
    {.name = "sys.implementation"},
    {.name = "sys.implementation.name", .text = "cpython"},
    {.name = "sys.implementation.cache_tag", .make = cache_tag},
    {.name = "sys.implementation.version", .make = version_tuple},
    {.name = "sys._getframe", .call = current_frame},
    {.name = "inspect.currentframe", .call = current_frame},
    {.name = "inspect.getfile", .call = frame_file},
    {.name = "inspect.getframeinfo", .call = frame_info},
    {.name = "sys.frozen", .make = absent},
    {.name = "sys.getandroidapilevel", .make = absent},
    {.name = "sys.getwindowsversion", .make = absent},
    {.name = "sys.gettotalrefcount", .make = absent},
    {.name = "sys.pypy_version_info", .make = absent},
    {.name = "sys.real_prefix", .make = absent},
    {.name = "sys.winver", .make = absent},
    {.name = "sys._MEIPASS", .make = absent},
    {.name = "sys.modules"},
    {.name = "sys.modules.get", .call = modules_get},
    {.name = "sys.modules.setdefault", .call = modules_setdefault},
    {.name = "sys.setdlopenflags", .call = setdlopenflags},
    {.name = "sys.getdlopenflags", .call = getdlopenflags},
    {.name = "sys.setrecursionlimit", .call = nothing},
    {.name = "os.name", .text = "posix"},
    {.name = "os.environ"},
    {.name = "os.environ.get", .call = environ_get},
    {.name = "os.environ.setdefault", .call = environ_setdefault},
    {.name = "os.getenv", .call = environ_get},
    {.name = "os.getcwd", .call = getcwd},
    {.name = "os.uname", .call = os_uname},
    {.name = "os.RTLD_NOW", .make = now_flag},
    {.name = "os.RTLD_LAZY", .make = lazy_flag},
    {.name = "os.RTLD_GLOBAL", .make = global_flag},
    {.name = "os.RTLD_LOCAL", .make = zero},
    {.name = "os.RTLD_DEEPBIND", .make = deepbind_flag},
    {.name = "os.RTLD_NOLOAD", .make = noload_flag},
    {.name = "struct.calcsize", .call = calcsize},
    {.name = "platform.system", .call = platform_system},
    {.name = "platform.machine", .call = platform_machine},
    {.name = "platform.processor", .call = platform_machine},
    {.name = "platform.python_implementation", .call = python_implementation},
    {.name = "platform.python_version", .call = python_version},
};
WY_KNOWN_TABLE(wy_known_process, rows);
