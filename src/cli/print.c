/* What leaves the program: the answer on stdout, one line on stderr when there is none. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROW = 40, WIDE = 116, USUAL = 80 };

void wy_hold_descriptors(void) {
    /* open(2) takes the lowest free number. stdout is opened for reading only, so that writing to
     * it still fails and is reported. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR) != fd)
            _exit(WY_STATUS_FAILED);
}

static unsigned columns(void) {
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return USUAL;
    return size.ws_col < NARROW ? NARROW : size.ws_col > WIDE ? WIDE : size.ws_col;
}

static bool wants_colour(const struct wy_call *c) {
    if (c->colour != WY_COLOUR_AUTO)
        return c->colour == WY_COLOUR_ALWAYS;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

/* What of this call a suggested one needs to speak of the same environment. */
static const char *call_again(struct wy_call *c) {
    const struct {
        const char *option, *value;
    } given[] = {{"--root", c->root}, {"-e", c->env}, {"--python", c->python}};
    wy_auto_buf b = {0};
    wy_buf_str(&b, "whyso");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (!given[i].value)
            continue;
        wy_auto_buf safe = {0};
        wy_buf_escaped(&safe, wy_str_of(given[i].value));
        if (strcmp(wy_buf_text(&safe), given[i].value) != 0)
            return NULL; /* could not be pasted */
        wy_buf_printf(&b, " %s ", given[i].option);
        wy_buf_shell(&b, given[i].value);
    }
    return wy_arena_cstr(&c->arena, wy_buf_text(&b));
}

void wy_call_style(struct wy_call *c, struct wy_out_style *ret) {
    *ret = (struct wy_out_style){
        .format = c->format,
        .colour = wants_colour(c),
        .width = columns(),
        .verbosity = c->verbosity,
        .again = call_again(c),
    };
}

static bool wait_until_writable(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

static struct wy_error *cannot_write(int code) {
    struct wy_error *e = wy_errorf("cannot write the answer: %s", strerror(code));
    if (code == EPIPE) { /* the reader left, as `head` does: nobody wants to hear of it */
        free(e->message);
        e->message = NULL;
    }
    return e;
}

struct wy_error *wy_print_all(const struct wy_buf *out) {
    const char *p = wy_buf_text(out);
    size_t left = out->n;
    while (left) {
        ssize_t n = write(STDOUT_FILENO, p, left);
        if (n >= 0) {
            p += n;
            left -= (size_t)n;
        } else if (errno == EAGAIN) {
            if (!wait_until_writable(STDOUT_FILENO))
                return cannot_write(errno);
        } else if (errno != EINTR) {
            return cannot_write(errno);
        }
    }
    /* A file system over a network may report only here that it has no room. */
    if (close(STDOUT_FILENO) != 0 && errno != EINTR)
        return cannot_write(errno);
    return NULL;
}

void wy_complain(const char *message) {
    /* Names in it may come from a tree. A backslash is harmless and may be an escape already. */
    wy_auto_buf b = {0};
    wy_buf_str(&b, "whyso: ");
    struct wy_str rest = wy_str_of(message);
    while (rest.p) {
        wy_buf_escaped(&b, wy_str_cut(rest, '\\', &rest));
        if (rest.p)
            wy_buf_char(&b, '\\');
    }
    wy_buf_char(&b, '\n');
    fputs(wy_buf_text(&b), stderr);
}
