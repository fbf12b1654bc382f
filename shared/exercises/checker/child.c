/* Runs another program within limits, since it may loop, crash, take memory or print without end. */
#include "checker.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WALL = 10 }; /* a program that takes WALL times its limit by the clock is STARVED */
#define LOOK 0.02   /* seconds from one look at the program to the next */

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the megabytes that a process uses; if `own`, without memory that it shares. */
static double resident_megabytes(pid_t pid, bool own)
{
    char path[64];
    long total = 0, resident = 0, shared = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld %ld", &total, &resident, &shared) != 3)
        resident = shared = 0;
    fclose(file);
    return (double)(resident - (own ? shared : 0)) * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

/* True if a process sleeps: it does not run, does not wait for a processor and is not stopped. */
bool is_asleep(pid_t pid)
{
    char path[64], state = 'R';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'R';
    if (file)
        fclose(file);
    return state == 'S' || state == 'Z';
}

double megabytes_of(pid_t pid) { return resident_megabytes(pid, false); }

/* Returns the processor time of a process and of the children that it has waited for, in seconds. */
static double seconds_with_children(pid_t pid)
{
    char path[64];
    long ticks[4] = {0};
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld",
               &ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 4)
        memset(ticks, 0, sizeof ticks);
    fclose(file);
    return (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK);
}

/* Adds the processor time and the unshared memory of a process and all its descendants. Returns true if all
 * of them sleep. */
static bool add_tree(pid_t pid, double *seconds, double *megabytes)
{
    char path[64];
    int child;
    bool asleep = is_asleep(pid);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    *seconds += seconds_with_children(pid);
    *megabytes += resident_megabytes(pid, true);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%d", &child) == 1)
        asleep &= add_tree((pid_t)child, seconds, megabytes);
    if (file)
        fclose(file);
    return asleep;
}

static void set_limit(int what, rlim_t value)
{
    struct rlimit limit = {value, value};
    setrlimit(what, &limit);
}

/* Starts the program in a forked child. The child stays in the worker's process group, so that a signal
 * to the group ends it. */
static void become(char *const arguments[], const char *const environment[], const char *folder,
                   int output, double seconds)
{
    int nothing = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, 256u << 20);
    set_limit(RLIMIT_CPU, (rlim_t)(2 * seconds) + 2); /* in case the checker dies */
    set_limit(RLIMIT_AS, (rlim_t)8 << 30);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    if (!chdir(folder))
        execvpe(arguments[0], arguments, (char *const *)environment);
    _exit(127);
}

/* Kills a process and all its descendants. */
static void end_tree(pid_t pid)
{
    char path[64], line[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    kill(pid, SIGSTOP);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%63s", line) == 1)
        end_tree((pid_t)atoi(line));
    if (file)
        fclose(file);
    kill(pid, SIGKILL);
}

Outcome run_limited(char *const arguments[], const char *const environment[], const char *folder,
                    double seconds, double megabytes, size_t bytes)
{
    Outcome o = {.how = NO_CHILD};
    int pipes[2], status = 0;
    if (pipe2(pipes, O_CLOEXEC))
        return o;
    pid_t child = fork();
    if (child < 0) {
        close(pipes[0]);
        close(pipes[1]);
        return o;
    }
    if (child == 0)
        become(arguments, environment, folder, pipes[1], seconds);
    close(pipes[1]);
    double deadline = now() + WALL * seconds, look = now(), before = 0, asleep = 0;
    bool ended = false, open = true, stopped = false;
    while (!stopped && (open || !ended)) {
        char buffer[1 << 14];
        struct pollfd ready = {open ? pipes[0] : -1, POLLIN, 0};
        if (poll(&ready, 1, ended ? 0 : 5) > 0) {
            ssize_t n = read(pipes[0], buffer, sizeof buffer);
            if (n > 0)
                add_bytes(&o.output, buffer, (size_t)n);
            else if (n == 0)
                open = false;
            if (o.output.n > bytes)
                o.how = OUTPUT, stopped = true;
        } else if (ended) {
            break; /* a descendant may still hold the pipe */
        }
        if (!ended && waitpid(child, &status, WNOHANG) == child)
            ended = true;
        if (ended || now() < look)
            continue;
        double used = 0, in_use = 0, passed = now() - look + LOOK;
        if (add_tree(child, &used, &in_use) && used <= before) /* other threads may work */
            asleep += passed < 0.1 ? passed : 0.1; /* the checker's own delays do not count */
        before = used;
        look = now() + LOOK;
        if (used > seconds)
            o.how = TIME, stopped = true;
        else if (in_use > megabytes)
            o.how = MEMORY, stopped = true;
        else if (asleep > seconds)
            o.how = ASLEEP, stopped = true;
        else if (now() > deadline)
            o.how = STARVED, stopped = true;
    }
    if (!ended) {
        end_tree(child);
        waitpid(child, &status, 0);
    }
    close(pipes[0]);
    if (!stopped) {
        o.how = WIFSIGNALED(status) ? SIGNALLED : ENDED;
        o.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    return o;
}
