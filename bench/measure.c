/* Runs one command and prints one line about it: seconds, peak memory, bytes read, status.
 * Usage: measure COMMAND ARGUMENT… (its output is thrown away)
 *
 * A small program of its own, because a child's peak memory (ru_maxrss) starts at that of the
 * process it was forked from, and a Python parent would hide every small tool. Bytes are those
 * asked for by read(2) and its kin, of the command and the children it waited for: /proc/PID/io of
 * the process that ended but is not yet reaped. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void run(char **argv) {
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
        _exit(126);
    execvp(argv[0], argv);
    _exit(127);
}

/* `rchar` of a process, -1 when the kernel does not tell. */
static long long bytes_read(pid_t pid) {
    char path[64], line[128];
    long long bytes = -1;
    snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "rchar:", 6) == 0)
            bytes = strtoll(line + 6, NULL, 10);
    fclose(f);
    return bytes;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    double start = now();
    pid_t pid = fork();
    if (pid == 0)
        run(argv + 1);
    siginfo_t ended;
    if (pid < 0 || waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) != 0)
        return 2;
    double seconds = now() - start;
    long long bytes = bytes_read(pid);
    struct rusage usage;
    int status;
    if (wait4(pid, &status, 0, &usage) != pid)
        return 2;
    printf("%.6f %ld %lld %d\n", seconds, usage.ru_maxrss, bytes,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
