/*
 * The judge's side of a run (../sandbox/protocol.h): starts the device and the launcher, hands out
 * the input, has the launch function called, takes the output back and compares it. The expected
 * output, the comparison and the mark are here and nowhere else.
 *
 * How a run ended is one word in Run.ended: empty (well), "time", "asleep", "memory", "output",
 * "host_access", "refused WHAT" (the machine cannot confine it), "launcher exit N", "launcher signal
 * N", "device exit N", "device signal N", "message" (one that nobody expects), "broken WHAT" (this
 * machine could not do its part).
 */
#include "checker.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VAST_SECONDS = 6 }; /* some blocks take a tenth of one */
enum { RUN_MEGABYTES = 1000, RUN_OUTPUT = 60000, REPORT_BYTES = 4 << 20 };
enum { OUT_OF_MEMORY = 3 }; /* the exit status of the device then */

struct part {
    pid_t pid;
    int socket;
    bool ended;
    int status;
};

typedef struct {
    struct part device, launcher;
    int printed;
    double deadline, looked, asleep; /* asleep: for how long no child had anything to do */
    bool ready;                      /* from here on the submission's code runs */
    bool vast;
    const char *work;
    Run *run;
} Session;

static void set_ended(Session *s, const char *how)
{
    if (!s->run->ended[0])
        snprintf(s->run->ended, sizeof s->run->ended, "%s", how);
}

/* ---- children ---- */

static void become(const char *program, int judge, int other, int printed, bool quiet, bool vast)
{
    int nothing = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int moved[2] = {fcntl(judge, F_DUPFD, 10), fcntl(other, F_DUPFD, 10)};
    struct rlimit cpu = {(rlim_t)(2 * places.seconds) + 2, (rlim_t)(2 * places.seconds) + 3};
    dup2(nothing, 0);
    dup2(printed, 1);
    if (!getenv("EXERCISES_DEBUG"))
        dup2(quiet ? nothing : printed, 2);
    dup2(moved[0], JUDGE);
    dup2(moved[1], OTHER);
    for (int i = OTHER + 1; i < 256; i++)
        close(i);
    setrlimit(RLIMIT_CPU, &cpu);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    const char *const environment[] = {"LC_ALL=C",
                                       vast ? "CPUCC_MEMORY=68719476736" : "CPUCC_MEMORY=268435456",
                                       "CPUCC_HOST_CHECKS=off", NULL};
    char *arguments[] = {(char *)program, NULL};
    execve(program, arguments, (char *const *)environment);
    _exit(127);
}

static bool start(Session *s)
{
    int to_device[2], to_launcher[2], between[2], printed[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_device) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_launcher) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, between) || pipe2(printed, O_CLOEXEC))
        return false;
    char *device = text("%s/device", s->work), *launcher = text("%s/launcher", s->work);
    s->device.pid = fork();
    if (s->device.pid == 0)
        become(device, to_device[1], between[0], printed[1], true, s->vast);
    s->launcher.pid = s->device.pid < 0 ? -1 : fork();
    if (s->launcher.pid == 0)
        become(launcher, to_launcher[1], between[1], printed[1], false, s->vast);
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

static void drain(Session *s)
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

static void note_end(Session *s, struct part *p, const char *name)
{
    char how[64];
    if (p->ended || waitpid(p->pid, &p->status, WNOHANG) != p->pid)
        return;
    p->ended = true;
    if (WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGXCPU)
        set_ended(s, "time");
    /* Neither can do these to itself. */
    else if (WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGKILL)
        set_ended(s, "broken the system has ended its process; is it out of memory?");
    else if (!s->ready)
        set_ended(s, "broken its process could not be started");
    else if (p == &s->device && WIFEXITED(p->status) && WEXITSTATUS(p->status) == OUT_OF_MEMORY)
        set_ended(s, "broken this machine has no memory left for it");
    snprintf(how, sizeof how, "%s %s %d", name, WIFSIGNALED(p->status) ? "signal" : "exit",
             WIFSIGNALED(p->status) ? WTERMSIG(p->status) : WEXITSTATUS(p->status));
    set_ended(s, how);
}

/* Processor time that a child has taken. */
static double seconds_of(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    return clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)
               ? 0
               : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether a child waits for something that others do: neither runs, nor would if this machine had a
 * processor for it, nor was stopped from outside. */
static bool is_asleep(pid_t pid)
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

/* The limits are on processor time, and on sleep, so that a busy machine does not end what is right:
 * whoever has used up neither when the deadline comes had too little of this machine. A nap of this
 * program itself must not count as theirs. */
static void check_limits(Session *s)
{
    drain(s);
    double passed = now() - s->looked;
    if (passed < 0.01)
        return;
    s->looked = now();
    if (is_asleep(s->device.pid) && is_asleep(s->launcher.pid))
        s->asleep += passed < 0.1 ? passed : 0.1;
    double limit = s->vast && places.seconds > VAST_SECONDS ? VAST_SECONDS : places.seconds;
    if (seconds_of(s->device.pid) + seconds_of(s->launcher.pid) > limit)
        set_ended(s, "time");
    else if (s->asleep > places.seconds / 2)
        set_ended(s, "asleep");
    else if (megabytes_of(s->device.pid) > RUN_MEGABYTES ||
             megabytes_of(s->launcher.pid) > RUN_MEGABYTES)
        set_ended(s, "memory");
    else if (now() > s->deadline)
        set_ended(s, "broken this machine was too busy to run it");
}

/* ---- talking ---- */

/* The child at this socket is gone, or has closed it: says how. */
static bool gone(Session *s, int socket)
{
    struct part *p = socket == s->device.socket ? &s->device : &s->launcher;
    while (!p->ended && !s->run->ended[0]) {
        note_end(s, p, p == &s->device ? "device" : "launcher");
        if (!p->ended) {
            usleep(2000);
            check_limits(s);
        }
    }
    drain(s);
    return false;
}

static bool transfer(Session *s, int socket, void *p, size_t bytes, bool sends)
{
    char *at = p;
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
            return gone(s, socket);
        }
    }
    return true;
}

static bool receive(Session *s, int socket, void *p, size_t bytes)
{
    return transfer(s, socket, p, bytes, false);
}

static bool put(Session *s, int socket, enum message_kind kind, const void *p, size_t bytes)
{
    struct header h = {(uint32_t)kind, (uint32_t)bytes};
    return transfer(s, socket, &h, sizeof h, true) && transfer(s, socket, (void *)p, bytes, true);
}

/* What addr2line says of these addresses: " 0x12 0x34". */
static Text lines_of(const char *work, const char *addresses)
{
    Text none = {NULL, 0, 0};
    char *arguments[300] = {"addr2line", "-a", "-i", "-e", "device"}, *copy = text("%s", addresses);
    int n = 5;
    for (char *p = strtok(copy, " "); p && n < 290; p = strtok(NULL, " "))
        if (starts_with(p, "0x") && p[2 + strspn(p + 2, "0123456789abcdef")] == 0)
            arguments[n++] = p;
    static const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                                              NULL};
    Outcome o = run_limited(arguments, environment, work, 20, 2000, 1 << 20);
    return o.how == ENDED ? o.output : none;
}

/* The device asks, when it has found a fault, which source lines some addresses belong to. */
static bool answer_lines(Session *s, uint32_t bytes)
{
    char *addresses = calloc(bytes + 1, 1);
    if (!addresses || !receive(s, s->device.socket, addresses, bytes))
        return false;
    double began = now();
    Text said = lines_of(s->work, addresses);
    s->deadline += now() - began;
    free(addresses);
    return put(s, s->device.socket, MESSAGE_LINES, text_of(&said), said.n);
}

/* While the launcher is waited for, the device may ask. */
static bool wait_for(Session *s, int socket)
{
    while (socket == s->launcher.socket) {
        struct pollfd ready[2] = {{socket, POLLIN, 0}, {s->device.socket, POLLIN, 0}};
        struct header h;
        check_limits(s);
        if (s->run->ended[0])
            return false;
        if (poll(ready, 2, 10) <= 0)
            continue;
        if (ready[0].revents)
            return true;
        if (!receive(s, s->device.socket, &h, sizeof h))
            return false;
        if (h.kind != MESSAGE_LINES || h.bytes >= 1 << 16) {
            set_ended(s, "message");
            return false;
        }
        if (!answer_lines(s, h.bytes))
            return false;
    }
    return true;
}

/* Waits for a message of this kind; answers the device's questions on the way. */
static bool expect(Session *s, int socket, enum message_kind kind, uint32_t *bytes)
{
    struct header h;
    while (wait_for(s, socket) && receive(s, socket, &h, sizeof h)) {
        if (h.kind == (uint32_t)kind) {
            *bytes = h.bytes;
            return true;
        }
        if (h.kind == MESSAGE_LINES && socket == s->device.socket && h.bytes < 1 << 16) {
            if (!answer_lines(s, h.bytes))
                return false;
        } else if (h.kind == MESSAGE_REFUSED && h.bytes < 128) {
            char what[128] = "";
            receive(s, socket, what, h.bytes);
            char *how = text("refused %s", what);
            s->run->ended[0] = 0;
            set_ended(s, how);
            return false;
        } else if (h.kind == MESSAGE_HOST_ACCESS && socket == s->launcher.socket) {
            set_ended(s, "host_access");
            return false;
        } else {
            set_ended(s, "message");
            return false;
        }
    }
    return false;
}

/* ---- one size ---- */

static uint64_t random_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        stop(1, "no random numbers");
    return seed | 1;
}

/* The pages that a vast run has touched, compared. */
static bool receive_pages(Session *s, const Task *task, int rows, int cols, uint64_t seed)
{
    Run *run = s->run;
    int n = run->size_count - 1;
    unsigned char bytes[PAGE_BYTES];
    struct page page;
    for (;;) {
        if (!receive(s, s->device.socket, &page, sizeof page))
            return false;
        if (!page.bytes)
            return true;
        if (page.bytes > PAGE_BYTES || !receive(s, s->device.socket, bytes, page.bytes)) {
            set_ended(s, "message");
            return false;
        }
        compare_page(task, rows, cols, seed, &page, bytes, &run->size[n].found,
                     &run->size[n].written);
    }
}

/* Matrices that are larger than memory: see ../sandbox/vast.h. */
static bool run_vast(Session *s, const Task *task, int rows, int cols)
{
    uint64_t elements = (uint64_t)rows * (uint64_t)cols * (uint64_t)task->count;
    uint32_t bytes;
    struct returned r;
    struct matrices m = {.in_bytes = elements * (uint64_t)task->bytes,
                         .out_bytes = elements * (uint64_t)task->out_bytes,
                         .in_place = task->op == OP_IN_PLACE,
                         .vast_element_bytes = (uint32_t)task->bytes,
                         .seed = random_seed()};
    uint64_t in_bytes = m.in_bytes, out_bytes = m.out_bytes, seed = m.seed;
    int n = s->run->size_count++, device = s->device.socket, launcher = s->launcher.socket;
    s->run->size[n].rows = rows, s->run->size[n].cols = cols;
    bool good = put(s, device, MESSAGE_ALLOCATE, &m, sizeof m) &&
                expect(s, device, MESSAGE_ALLOCATED, &bytes) && bytes == sizeof m &&
                receive(s, device, &m, sizeof m);
    struct one_call call = {m.in_place ? 0 : m.in, m.out, in_bytes, out_bytes, rows, cols,
                            task->count,           0};
    good = good && put(s, launcher, MESSAGE_CALL, &call, sizeof call) &&
           expect(s, launcher, MESSAGE_RETURNED, &bytes) && bytes == sizeof r &&
           receive(s, launcher, &r, sizeof r);
    if (good && r.error) {
        r.text[sizeof r.text - 1] = 0;
        snprintf(s->run->error, sizeof s->run->error, "%s", r.text);
    }
    for (int i = 0; !good && s->launcher.ended && !s->device.ended && i < 100; i++, usleep(2000)) {
        char how[sizeof s->run->ended]; /* the device ends first, the launcher therefore */
        memcpy(how, s->run->ended, sizeof how);
        s->run->ended[0] = 0;
        note_end(s, &s->device, "device");
        if (!s->run->ended[0])
            memcpy(s->run->ended, how, sizeof how);
    }
    good = good && put(s, device, MESSAGE_COLLECT, NULL, 0) &&
           expect(s, device, MESSAGE_COLLECTED, &bytes) && bytes == sizeof s->run->counts &&
           receive(s, device, &s->run->counts, sizeof s->run->counts) &&
           receive_pages(s, task, rows, cols, seed);
    if (good && s->run->counts.all_blocks)
        s->run->size[n].expected = (uint64_t)((double)elements * (double)s->run->counts.blocks_run /
                                              (double)s->run->counts.all_blocks);
    return good && !s->run->error[0];
}

static bool run_size(Session *s, const Task *task, int rows, int cols)
{
    size_t elements = (size_t)rows * cols * task->count;
    struct matrices m = {.in_bytes = elements * task->bytes,
                         .out_bytes = elements * task->out_bytes,
                         .in_place = task->op == OP_IN_PLACE};
    unsigned char *in = malloc(m.in_bytes), *in_after = malloc(m.in_bytes),
                  *out = malloc(m.out_bytes);
    uint32_t bytes;
    if (!in || !in_after || !out)
        stop(1, "out of memory");
    fill_task(task, in, elements, random_seed());
    memset(out, POISON_BYTE, m.out_bytes);
    if (m.in_place)
        memcpy(out, in, m.out_bytes);
    int n = s->run->size_count++;
    s->run->size[n].rows = rows, s->run->size[n].cols = cols;

    int device = s->device.socket, launcher = s->launcher.socket;
    struct returned r;
    bool good = put(s, device, MESSAGE_ALLOCATE, &m, sizeof m) &&
                (m.in_place || transfer(s, device, in, m.in_bytes, true)) &&
                transfer(s, device, out, m.out_bytes, true) &&
                expect(s, device, MESSAGE_ALLOCATED, &bytes) && bytes == sizeof m &&
                receive(s, device, &m, sizeof m);
    struct one_call call = {m.in_place ? 0 : m.in, m.out, m.in_bytes, m.out_bytes, rows, cols,
                            task->count,           0};
    good = good && put(s, launcher, MESSAGE_CALL, &call, sizeof call) &&
           expect(s, launcher, MESSAGE_RETURNED, &bytes) && bytes == sizeof r &&
           receive(s, launcher, &r, sizeof r);
    if (good && r.error) {
        r.text[sizeof r.text - 1] = 0;
        snprintf(s->run->error, sizeof s->run->error, "%s", r.text);
    }
    if (good && r.element_bytes[0]) {
        s->run->element_bytes[0] = r.element_bytes[0];
        s->run->element_bytes[1] = r.element_bytes[1];
    }
    size_t in_bytes = elements * task->bytes, out_bytes = elements * task->out_bytes;
    good = good && put(s, device, MESSAGE_COLLECT, NULL, 0) &&
           expect(s, device, MESSAGE_COLLECTED, &bytes) && bytes == sizeof s->run->counts &&
           receive(s, device, &s->run->counts, sizeof s->run->counts) &&
           receive(s, device, in_after, in_bytes) && receive(s, device, out, out_bytes);
    if (good) {
        s->run->size[n].found = compare_output(task, rows, cols, in, out);
        s->run->size[n].found.input_changed =
            task->op != OP_IN_PLACE && memcmp(in, in_after, in_bytes) != 0;
    }
    free(in);
    free(in_after);
    free(out);
    return good && !s->run->error[0];
}

/* Faults and the counts of each source line, if the device is there to tell. */
static void take_report(Session *s)
{
    char ended[sizeof s->run->ended];
    uint32_t bytes;
    memcpy(ended, s->run->ended, sizeof ended);
    if (s->device.ended || !strcmp(ended, "time") || !strcmp(ended, "asleep") ||
        starts_with(ended, "broken"))
        return;
    s->run->ended[0] = 0;
    s->deadline = now() + 10;
    if (put(s, s->device.socket, MESSAGE_REPORT, NULL, 0) &&
        expect(s, s->device.socket, MESSAGE_REPORT, &bytes) && bytes <= REPORT_BYTES) {
        char *all = calloc(bytes + 1, 1);
        if (all && receive(s, s->device.socket, all, bytes)) {
            char *middle = *all == '\n' ? all : strstr(all, "\n\n");
            if (middle) {
                add_bytes(&s->run->faults, all, (size_t)(middle - all));
                const char *lines = middle + 1 + (middle != all), *piles = strstr(lines, "\n\n");
                add_bytes(&s->run->lines, lines,
                          piles ? (size_t)(piles + 1 - lines) : strlen(lines));
                add(&s->run->piles, piles ? piles + 2 : "");
            }
        }
        free(all);
    }
    memcpy(s->run->ended, ended, sizeof ended);
}

static void finish(struct part *p)
{
    if (p->pid <= 0 || p->ended)
        return;
    kill(p->pid, SIGKILL);
    waitpid(p->pid, &p->status, 0);
}

Run run_answer(const char *work, const Task *task, int sizes)
{
    Run run = {0};
    Session s = {.run = &run, .work = work, .deadline = now() + places.patience, .looked = now()};
    uint32_t bytes;
    int rows = task->rows, cols = task->cols;
    bool ragged = sizes == RAGGED;
    Task vast = *task;
    s.vast = sizes >= VAST && vast_size(task, sizes - VAST, &rows, &cols, &vast.count);
    if (!start(&s)) {
        snprintf(run.ended, sizeof run.ended, "broken no process can be started");
    } else if (expect(&s, s.device.socket, MESSAGE_READY, &bytes) &&
               expect(&s, s.launcher.socket, MESSAGE_READY, &bytes)) {
        bool good = true;
        s.ready = true;
        if (s.vast)
            run_vast(&s, &vast, rows, cols);
        else if (!ragged)
            run_size(&s, task, rows, cols);
        for (int n = 0; ragged && good && ragged_size(task, n, &rows, &cols); n++)
            good = run_size(&s, task, rows, cols);
        if (s.launcher.ended || !strcmp(run.ended, "") || starts_with(run.ended, "launcher") ||
            !strcmp(run.ended, "output"))
            take_report(&s);
    }
    finish(&s.launcher);
    finish(&s.device);
    drain(&s);
    close(s.printed);
    close(s.device.socket);
    close(s.launcher.socket);
    return run;
}
