/*
 * Runs a program that may loop, crash, eat memory or talk without end.
 *
 *   limit SECONDS MEGABYTES OUTPUT-BYTES OUTCOME-FILE program [argument]...
 *
 * The program runs in a process group of its own with a bare environment, no core file and no large
 * files; its two outputs come out of standard output, cut after OUTPUT-BYTES. The outcome file then
 * holds one line: "exit N", "signal N", "time", "memory" or "output". The exit status is 0.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Memory in use, in megabytes: its own, not what it has merely reserved. */
static double megabytes(pid_t pid)
{
    char path[64];
    long total = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld", &total, &resident) != 2)
        resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void set_limit(int what, rlim_t value)
{
    struct rlimit limit = {value, value};
    setrlimit(what, &limit);
}

static const char *bare_environment[] = {
    "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "CPUCC_MEMORY=268435456", NULL, NULL, NULL};

static void keep_variable(const char *name)
{
    static char kept[2][4096];
    static int used;
    const char *value = getenv(name);
    if (value && used < 2) {
        snprintf(kept[used], sizeof kept[used], "%s=%s", name, value);
        bare_environment[3 + used] = kept[used];
        used++;
    }
}

static volatile sig_atomic_t group; /* of the program, 0 before there is one */

/* Ended by a signal, it takes the program along. */
static void end(int signal_number)
{
    if (group)
        kill(-group, SIGKILL);
    _exit(128 + signal_number);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: limit SECONDS MEGABYTES OUTPUT-BYTES OUTCOME-FILE program...\n");
        return 2;
    }
    double seconds = atof(argv[1]), most = atof(argv[2]);
    long room = atol(argv[3]);
    int pipes[2];
    if (pipe(pipes) != 0)
        return 2;
    keep_variable("CPUCC_REPORT");
    keep_variable("CPUCC_REPORT_FILE");
    signal(SIGINT, end);
    signal(SIGTERM, end);
    signal(SIGHUP, end);
    pid_t child = fork();
    if (child < 0)
        return 2;
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        setpgid(0, 0);
        set_limit(RLIMIT_CORE, 0);
        set_limit(RLIMIT_FSIZE, 64u << 20);
        set_limit(RLIMIT_CPU, (rlim_t)(2 * seconds) + 1);
        dup2(pipes[1], 1);
        dup2(pipes[1], 2);
        close(pipes[0]);
        close(pipes[1]);
        execvpe(argv[5], argv + 5, (char *const *)bare_environment);
        _exit(127);
    }
    setpgid(child, child);
    group = child;
    close(pipes[1]);

    const char *outcome = NULL;
    int status = 0, ended = 0;
    double deadline = now() + seconds;
    for (;;) {
        char buffer[4096];
        struct pollfd ready = {pipes[0], POLLIN, 0};
        if (poll(&ready, 1, 10) > 0) {
            ssize_t n = read(pipes[0], buffer, sizeof buffer);
            if (n > 0) {
                fwrite(buffer, 1, (size_t)(n < room ? n : room), stdout);
                room -= n;
                if (room < 0)
                    outcome = "output";
            } else if (n == 0 && !ended) { /* it closed its outputs: only its end is left */
                struct timespec pause = {0, 1000000};
                nanosleep(&pause, NULL);
            }
        }
        if (!ended && waitpid(child, &status, WNOHANG) == child)
            ended = 1;
        if (!outcome && now() > deadline)
            outcome = "time";
        if (!outcome && !ended && megabytes(child) > most)
            outcome = "memory";
        if (ended || outcome) {
            kill(-child, SIGKILL); /* and whatever it started */
            if (!ended)
                waitpid(child, &status, 0);
            break;
        }
    }
    for (ssize_t n; !outcome;) { /* what it had written before it ended */
        char buffer[4096];
        if ((n = read(pipes[0], buffer, sizeof buffer)) <= 0)
            break;
        fwrite(buffer, 1, (size_t)(n < room ? n : room), stdout);
        if ((room -= n) < 0)
            outcome = "output";
    }
    FILE *file = fopen(argv[4], "w");
    if (!file)
        return 2;
    if (outcome)
        fprintf(file, "%s\n", outcome);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        fprintf(file, "time\n");
    else if (WIFSIGNALED(status))
        fprintf(file, "signal %d\n", WTERMSIG(status));
    else
        fprintf(file, "exit %d\n", WEXITSTATUS(status));
    return fclose(file) != 0;
}
