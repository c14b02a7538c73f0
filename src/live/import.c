/* One import in a fresh process. The child tells through a pipe how the import ended, and then
 * waits until the list of its objects has been read. */
#include "live/live.h"

#include "base/buf.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ANSWER = 1 << 20, MOST_COMPLAINT = 64 << 10, GRACE_MS = 5000 };

/* Only what is built in is used, so the process is as fresh as with a plain `import`. The answer is
 * a netstring (LENGTH:BYTES,) that holds two for each exception: its type and its text. */
static const char probe[] = "import posix\n"
                            "def tell(out, wait, module):\n"
                            "    data = b''\n"
                            "    try:\n"
                            "        __import__(module)\n"
                            "    except BaseException as error:\n"
                            "        n = 0\n"
                            "        while error is not None and n < 40:\n"
                            "            try:\n"
                            "                text = str(error)\n"
                            "            except BaseException:\n"
                            "                text = ''\n"
                            "            for s in type(error).__name__, text:\n"
                            "                s = s.encode('utf-8', 'surrogateescape')[:9999]\n"
                            "                data += b'%%d:%%b,' %% (len(s), s)\n"
                            "            error = error.__cause__ or (None if\n"
                            "                error.__suppress_context__ else error.__context__)\n"
                            "            n += 1\n"
                            "    data = b'%%d:%%b,' %% (len(data), data)\n"
                            "    while data:\n"
                            "        data = data[posix.write(out, data):]\n"
                            "    posix.read(wait, 1)\n"
                            "tell(%d, %d, b'%s'.decode('utf-8', 'surrogateescape'))\n";

struct child {
    pid_t pid;
    int answer, wait, complaint; /* our ends */
    struct wy_buf said, stderr_text;
    int64_t deadline; /* ms */
};

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The module's name as the inside of a bytes literal. */
static const char *literal(struct wy_arena *a, const char *module) {
    wy_auto_buf text = {0};
    for (const unsigned char *p = (const unsigned char *)module; *p; p++)
        wy_buf_printf(&text, "\\x%02x", *p);
    return wy_arena_cstr(a, wy_buf_text(&text));
}

/* In the child, between fork and exec: nothing but system calls. */
static void become(const struct wy_live_request *r, char **argv, char **variables, int null,
                   int complaint, int answer, int wait) {
    static const struct rlimit none = {0, 0};
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(complaint, 2) < 0 ||
        fcntl(answer, F_SETFD, 0) < 0 || fcntl(wait, F_SETFD, 0) < 0 || chdir(r->cwd) < 0)
        _exit(126);
    execve(r->python, argv, variables);
    _exit(127);
}

static char **copy_list(struct wy_arena *a, const char *const *list) {
    size_t n = 0;
    while (list[n])
        n++;
    char **copy = wy_arena_zero(a, (n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = wy_arena_cstr(a, list[i]);
    return copy;
}

static struct wy_error *start(struct wy_arena *a, const struct wy_live_request *r,
                              const char *module, struct child *c) {
    int answer[2] = {-1, -1}, wait[2] = {-1, -1}, complaint[2] = {-1, -1};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool ok = null >= 0 && pipe2(answer, O_CLOEXEC) == 0 && pipe2(wait, O_CLOEXEC) == 0 &&
              pipe2(complaint, O_CLOEXEC) == 0;
    if (ok) {
        const char *code = wy_arena_printf(a, probe, answer[1], wait[0], literal(a, module));
        const char *words[] = {r->python, r->isolated ? "-IB" : "-B", "-c", code, NULL};
        char **argv = copy_list(a, words), **variables = copy_list(a, r->variables);
        c->pid = fork();
        if (c->pid == 0)
            become(r, argv, variables, null, complaint[1], answer[1], wait[0]);
        ok = c->pid > 0;
    }
    int error = errno;
    const int theirs[] = {null, answer[1], wait[0], complaint[1]};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (theirs[i] >= 0)
            close(theirs[i]);
    c->answer = answer[0];
    c->wait = wait[1];
    c->complaint = complaint[0];
    return ok ? NULL : wy_errorf("%s: cannot be started: %s", r->python, strerror(error));
}

/* What there is to read now; closes the pipe at its end. */
static void drain(int *fd, struct wy_buf *into, size_t most, bool keep_tail) {
    char bytes[4096];
    ssize_t n = read(*fd, bytes, sizeof bytes);
    if (n <= 0) {
        close(*fd);
        *fd = -1;
        return;
    }
    if (keep_tail && into->n + (size_t)n > most) {
        size_t gone = into->n + (size_t)n - most;
        gone = gone < into->n ? gone : into->n;
        memmove(into->p, into->p + gone, into->n - gone);
        into->n -= gone;
    }
    if (into->n + (size_t)n <= most)
        wy_buf_add(into, bytes, (size_t)n);
}

/* LENGTH:BYTES, at the start of *rest, which goes on behind it; false when it is not all there. */
static bool take(struct wy_str *rest, struct wy_str *ret) {
    struct wy_str after, number = wy_str_cut(*rest, ':', &after);
    uint64_t n;
    if (!after.p || !wy_str_u64(number, MOST_ANSWER, &n) || n >= after.n || after.p[n] != ',')
        return false;
    *ret = (struct wy_str){after.p, (size_t)n};
    *rest = (struct wy_str){after.p + n + 1, after.n - (size_t)n - 1};
    return true;
}

static bool answered(const struct child *c, struct wy_str *answer) {
    struct wy_str rest = {c->said.p, c->said.n};
    return c->said.n && take(&rest, answer);
}

/* Until the answer is whole, the process ends, or the time is over: false. */
static bool listen(struct child *c, struct wy_str *answer) {
    while (c->answer >= 0 && !answered(c, answer)) {
        struct pollfd fds[] = {{c->answer, POLLIN, 0}, {c->complaint, POLLIN, 0}};
        int64_t left = c->deadline - now_ms();
        if (left <= 0)
            return false;
        if (poll(fds, 2, (int)left) < 0 && errno != EINTR)
            return false;
        if (fds[1].revents)
            drain(&c->complaint, &c->stderr_text, MOST_COMPLAINT, true);
        if (fds[0].revents)
            drain(&c->answer, &c->said, MOST_ANSWER, false);
    }
    return true;
}

/* Reads stderr to its end, but waits no longer than the deadline: a grandchild may hold it open. */
static void listen_to_the_end(struct child *c) {
    while (c->complaint >= 0) {
        struct pollfd fd = {c->complaint, POLLIN, 0};
        int64_t left = c->deadline - now_ms();
        if (left <= 0 || poll(&fd, 1, (int)left) <= 0)
            return;
        drain(&c->complaint, &c->stderr_text, MOST_COMPLAINT, true);
    }
}

/* Waits for the end of the process; after the deadline, and for what it leaves behind, by force.
 * The process stays a zombie until its session is killed, so its number is nobody else's. */
static bool reap(struct child *c, int *status) {
    bool ended = false, in_time = true;
    while (!ended && in_time) {
        const struct timespec moment = {0, 2000000};
        siginfo_t info = {0};
        ended = waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT | WNOHANG) < 0 || info.si_pid;
        in_time = now_ms() < c->deadline;
        if (!ended && in_time)
            nanosleep(&moment, NULL);
    }
    kill(-c->pid, SIGKILL);
    if (!ended)
        kill(c->pid, SIGKILL);
    waitpid(c->pid, status, 0);
    return ended;
}

static void read_answer(struct wy_arena *a, struct wy_str answer, struct wy_live_import *ret) {
    WY_VEC(struct wy_live_raised) chain = {0};
    struct wy_str type, text;
    while (answer.n && take(&answer, &type) && take(&answer, &text))
        wy_vec_push(&chain,
                    ((struct wy_live_raised){wy_arena_str(a, type), wy_arena_str(a, text)}));
    ret->nchain = chain.n;
    wy_vec_keep(a, &chain);
    ret->chain = chain.v;
    ret->end = ret->nchain ? WY_LIVE_EXCEPTION : WY_LIVE_OK;
}

static void finish(struct wy_arena *a, struct child *c, struct wy_live_import *ret) {
    struct wy_str answer;
    bool in_time = listen(c, &answer), told = answered(c, &answer);
    if (told) {
        read_answer(a, answer, ret);
        ret->no_objects = wy_live_objects(a, c->pid, &ret->objects, &ret->nobjects);
        c->deadline = now_ms() + GRACE_MS;
    } else {
        ret->no_objects = "the process ended before its objects could be read";
        if (in_time)
            listen_to_the_end(c);
    }
    int status = 0;
    close(c->wait); /* lets it go on, to an ordinary end */
    bool ended = reap(c, &status);
    if (!told) {
        ret->end = !ended ? WY_LIVE_TIMEOUT : WIFSIGNALED(status) ? WY_LIVE_SIGNAL : WY_LIVE_EXIT;
        ret->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    ret->complaint =
        wy_arena_str(a, (struct wy_str){wy_buf_text(&c->stderr_text), c->stderr_text.n});
}

struct wy_error *wy_live_import(struct wy_arena *a, const struct wy_live_request *r,
                                const char *module, struct wy_live_import *ret) {
    struct child c = {.answer = -1, .wait = -1, .complaint = -1};
    *ret = (struct wy_live_import){0};
    c.deadline = now_ms() + (int64_t)r->seconds * 1000;
    struct wy_error *e = start(a, r, module, &c);
    if (!e)
        finish(a, &c, ret);
    else if (c.wait >= 0)
        close(c.wait);
    if (c.answer >= 0)
        close(c.answer);
    if (c.complaint >= 0)
        close(c.complaint);
    wy_buf_deinit(&c.said);
    wy_buf_deinit(&c.stderr_text);
    return e;
}
