/* Runs the device and the launcher: see children.h. */
#include "children.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LARGE_SECONDS = 6 }; /* limit of a large run, which takes about a tenth of a second */
enum { RUN_MEGABYTES = 1000, RUN_OUTPUT = 60000 };
enum { MOST_ADDRESSES = 1 << 16 }; /* most bytes of a MESSAGE_LINES with addresses */

void set_ended(Session *s, const char *how)
{
    if (!s->run->ended[0])
        snprintf(s->run->ended, sizeof s->run->ended, "%s", how);
}

/* ---- start and end ---- */

/* Starts the program in a forked child, with its two sockets and its standard streams as the only open
 * descriptors. */
static void become(const char *program, int judge, int peer, int printed, bool quiet, bool large)
{
    int nothing = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int moved[2] = {fcntl(judge, F_DUPFD, 10), fcntl(peer, F_DUPFD, 10)};
    struct rlimit cpu = {(rlim_t)(2 * settings.cpu_seconds) + 2,
                         (rlim_t)(2 * settings.cpu_seconds) + 3};
    dup2(nothing, 0);
    dup2(printed, 1);
    if (!getenv("EXERCISES_DEBUG"))
        dup2(quiet ? nothing : printed, 2);
    dup2(moved[0], JUDGE);
    dup2(moved[1], PEER);
    for (int i = PEER + 1; i < 256; i++)
        close(i);
    setrlimit(RLIMIT_CPU, &cpu);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    const char *const environment[] = {
        "LC_ALL=C", large ? "CPUCC_MEMORY=68719476736" : "CPUCC_MEMORY=268435456",
        "CPUCC_HOST_CHECKS=off", NULL};
    char *arguments[] = {(char *)program, NULL};
    execve(program, arguments, (char *const *)environment);
    _exit(127);
}

bool start_children(Session *s)
{
    int to_device[2], to_launcher[2], between[2], printed[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_device) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_launcher) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, between) || pipe2(printed, O_CLOEXEC))
        return false;
    char *device = format("%s/device", s->work), *launcher = format("%s/launcher", s->work);
    s->device.pid = fork();
    if (s->device.pid == 0)
        become(device, to_device[1], between[0], printed[1], true, s->large);
    s->launcher.pid = s->device.pid < 0 ? -1 : fork();
    if (s->launcher.pid == 0)
        become(launcher, to_launcher[1], between[1], printed[1], false, s->large);
    close(to_device[1]);
    close(to_launcher[1]);
    close(between[0]);
    close(between[1]);
    close(printed[1]);
    s->device.socket = to_device[0];
    s->launcher.socket = to_launcher[0];
    s->printed = printed[0];
    fcntl(s->device.socket, F_SETFL, O_NONBLOCK);
    fcntl(s->launcher.socket, F_SETFL, O_NONBLOCK);
    fcntl(s->printed, F_SETFL, O_NONBLOCK);
    return s->launcher.pid >= 0;
}

/* Reads the output that the children have printed so far. */
static void read_printed(Session *s)
{
    char buffer[1 << 14];
    ssize_t n;
    while ((n = read(s->printed, buffer, sizeof buffer)) > 0) {
        if (s->run->printed.n <= RUN_OUTPUT)
            add_bytes(&s->run->printed, buffer, (size_t)n);
        if (s->run->printed.n > RUN_OUTPUT) {
            set_ended(s, "output");
            return;
        }
    }
}

void note_exit(Session *s, struct child *p)
{
    char how[64];
    if (p->ended || waitpid(p->pid, &p->status, WNOHANG) != p->pid)
        return;
    p->ended = true;
    if (WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGXCPU)
        set_ended(s, "time");
    /* A confined process cannot cause the following ends. */
    else if (WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGKILL)
        set_ended(s, "broken the system has ended its process; is it out of memory?");
    else if (!s->ready)
        set_ended(s, "broken its process could not be started");
    else if (p == &s->device && WIFEXITED(p->status) &&
             WEXITSTATUS(p->status) == DEVICE_OUT_OF_MEMORY)
        set_ended(s, "broken this machine has no memory left for it");
    snprintf(how, sizeof how, "%s %s %d", p == &s->device ? "device" : "launcher",
             WIFSIGNALED(p->status) ? "signal" : "exit",
             WIFSIGNALED(p->status) ? WTERMSIG(p->status) : WEXITSTATUS(p->status));
    set_ended(s, how);
}

static void end_child(struct child *c)
{
    if (c->pid <= 0 || c->ended)
        return;
    kill(c->pid, SIGKILL);
    waitpid(c->pid, &c->status, 0);
}

void end_children(Session *s)
{
    end_child(&s->launcher);
    end_child(&s->device);
    read_printed(s);
    close(s->printed);
    close(s->device.socket);
    close(s->launcher.socket);
}

/* ---- limits ---- */

/* Returns the processor time of a process in seconds. */
static double seconds_of(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    return clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)
               ? 0
               : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends a run that exceeds a limit. Limits are on processor time and on sleep, so that a busy machine
 * fails no right answer; a run below both limits at the deadline is the machine's failure. At most 0.1
 * seconds of sleep count per call, so that the checker's own delays do not count. */
static void check_limits(Session *s)
{
    read_printed(s);
    double passed = now() - s->looked;
    if (passed < 0.01)
        return;
    s->looked = now();
    if (is_asleep(s->device.pid) && is_asleep(s->launcher.pid))
        s->asleep += passed < 0.1 ? passed : 0.1;
    double limit =
        s->large && settings.cpu_seconds > LARGE_SECONDS ? LARGE_SECONDS : settings.cpu_seconds;
    if (seconds_of(s->device.pid) + seconds_of(s->launcher.pid) > limit)
        set_ended(s, "time");
    else if (s->asleep > settings.cpu_seconds / 2)
        set_ended(s, "asleep");
    else if (megabytes_of(s->device.pid) > RUN_MEGABYTES ||
             megabytes_of(s->launcher.pid) > RUN_MEGABYTES)
        set_ended(s, "memory");
    else if (now() > s->deadline)
        set_ended(s, "broken this machine was too busy to run it");
}

/* ---- messages ---- */

/* Waits for the exit status of a child that has closed its socket; returns false. */
static bool closed(Session *s, const struct child *c)
{
    struct child *p = c == &s->device ? &s->device : &s->launcher;
    while (!p->ended && !s->run->ended[0]) {
        note_exit(s, p);
        if (!p->ended) {
            usleep(2000);
            check_limits(s);
        }
    }
    read_printed(s);
    return false;
}

static bool transfer(Session *s, const struct child *c, void *p, size_t bytes, bool sends)
{
    char *at = p;
    int socket = c->socket;
    while (bytes) {
        check_limits(s);
        if (s->run->ended[0])
            return false;
        ssize_t n = sends ? send(socket, at, bytes, MSG_NOSIGNAL) : recv(socket, at, bytes, 0);
        if (n > 0) {
            at += n, bytes -= (size_t)n;
        } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            struct pollfd ready[2] = {{socket, sends ? POLLOUT : POLLIN, 0},
                                      {s->printed, POLLIN, 0}};
            poll(ready, 2, 10);
            if (ready[1].revents & POLLHUP)
                usleep(1000);
        } else {
            return closed(s, c);
        }
    }
    return true;
}

bool receive(Session *s, const struct child *from, void *p, size_t bytes)
{
    return transfer(s, from, p, bytes, false);
}

bool send_bytes(Session *s, const struct child *to, const void *p, size_t bytes)
{
    return transfer(s, to, (void *)p, bytes, true);
}

bool send_to(Session *s, const struct child *to, enum message_kind kind, const void *p,
             size_t bytes)
{
    struct header h = {(uint32_t)kind, (uint32_t)bytes};
    return send_bytes(s, to, &h, sizeof h) && send_bytes(s, to, p, bytes);
}

/* Returns addr2line's output for a list of addresses such as " 0x12 0x34". */
static struct text lines_of(const char *work, const char *addresses)
{
    struct text none = {NULL, 0, 0};
    char *arguments[300] = {"addr2line", "-a", "-i", "-e", "device"},
         *copy = format("%s", addresses);
    int n = 5;
    for (char *p = strtok(copy, " "); p && n < 290; p = strtok(NULL, " "))
        if (starts_with(p, "0x") && p[2 + strspn(p + 2, "0123456789abcdef")] == 0)
            arguments[n++] = p;
    static const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                                              NULL};
    Outcome o = run_limited(arguments, environment, work, 20, 2000, 1 << 20);
    return o.how == ENDED ? o.output : none;
}

/* Receives a list of addresses from the device and sends back their source lines. */
static bool answer_lines(Session *s, uint32_t bytes)
{
    char *addresses = calloc(bytes + 1, 1);
    if (!addresses || !receive(s, &s->device, addresses, bytes))
        return false;
    double began = now();
    struct text said = lines_of(s->work, addresses);
    s->deadline += now() - began;
    free(addresses);
    return send_to(s, &s->device, MESSAGE_LINES, text_of(&said), said.n);
}

/* Waits until this child has sent something. While it waits for the launcher, it answers the device's
 * questions about source lines. */
static bool wait_for(Session *s, const struct child *from)
{
    while (from == &s->launcher) {
        struct pollfd ready[2] = {{from->socket, POLLIN, 0}, {s->device.socket, POLLIN, 0}};
        struct header h;
        check_limits(s);
        if (s->run->ended[0])
            return false;
        if (poll(ready, 2, 10) <= 0)
            continue;
        if (ready[0].revents)
            return true;
        if (!receive(s, &s->device, &h, sizeof h))
            return false;
        if (h.kind != MESSAGE_LINES || h.bytes >= MOST_ADDRESSES) {
            set_ended(s, "message");
            return false;
        }
        if (!answer_lines(s, h.bytes))
            return false;
    }
    return true;
}

bool wait_for_message(Session *s, const struct child *from, enum message_kind kind, uint32_t *bytes)
{
    struct header h;
    while (wait_for(s, from) && receive(s, from, &h, sizeof h)) {
        if (h.kind == (uint32_t)kind) {
            *bytes = h.bytes;
            return true;
        }
        if (h.kind == MESSAGE_LINES && from == &s->device && h.bytes < MOST_ADDRESSES) {
            if (!answer_lines(s, h.bytes))
                return false;
        } else if (h.kind == MESSAGE_REFUSED && !s->ready && h.bytes < 128) {
            char what[128] = "";
            receive(s, from, what, h.bytes);
            char *how = format("refused %s", what);
            s->run->ended[0] = 0;
            set_ended(s, how);
            return false;
        } else if (h.kind == MESSAGE_HOST_ACCESS && from == &s->launcher) {
            set_ended(s, "host_access");
            return false;
        } else {
            set_ended(s, "message");
            return false;
        }
    }
    return false;
}

bool receive_message(Session *s, const struct child *from, enum message_kind kind, void *p,
                     size_t bytes)
{
    uint32_t sent;
    return wait_for_message(s, from, kind, &sent) && sent == bytes && receive(s, from, p, bytes);
}
