/*
 * Runs several checks at a time, each in a worker process with a process group of its own, so that a
 * signal to this program ends everything that a check has started.
 */
#include "checker.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t *workers;
static int running;
static volatile sig_atomic_t caught;
static pid_t scratch_owner;

static void on_signal(int number) { caught = number; }

static void remove_scratch(void)
{
    if (settings.scratch && getpid() == scratch_owner)
        remove_tree(settings.scratch);
}

void stop(int status, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    fputs("run_all.sh: ", stderr);
    vfprintf(stderr, how, list);
    fputc('\n', stderr);
    va_end(list);
    fflush(stdout);
    if (scratch_owner && getpid() != scratch_owner)
        _exit(status);
    exit(status);
}

/* If a signal has come, ends all workers and the program. */
static void end_if_caught(void)
{
    if (!caught)
        return;
    for (int i = 0; i < running; i++)
        kill(-workers[i], SIGKILL);
    for (int i = 0; i < running; i++)
        waitpid(workers[i], NULL, 0);
    fflush(stdout);
    exit(128 + caught);
}

static const char lock_name[] = "checker.lock"; /* its owner has it locked while it lives */

/* Makes this process the owner of its scratch folder. */
static void own(const char *scratch)
{
    char *new = format("%s/new", scratch), *lock = format("%s/%s", scratch, lock_name);
    int file = open(new, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || flock(file, LOCK_EX) || rename(new, lock))
        stop(1, "cannot write to %s: %s", scratch, strerror(errno));
    free(new);
    free(lock);
}

/* Removes the scratch folders whose owners were killed. */
static void sweep(const char *folder)
{
    glob_t found = {0};
    char *pattern = format("%s/exercises.*/%s", folder, lock_name);
    glob(pattern, GLOB_NOSORT, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *lock = found.gl_pathv[i];
        struct stat s;
        int file = open(lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0)
            continue;
        if (!fstat(file, &s) && s.st_uid == geteuid() && !flock(file, LOCK_EX | LOCK_NB)) {
            *strrchr(lock, '/') = 0;
            remove_tree(lock);
        }
        close(file);
    }
    globfree(&found);
    free(pattern);
}

void start_scratch(void)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder)
        folder = "/tmp";
    sweep(folder);
    char *scratch = format("%s/exercises.XXXXXX", folder);
    if (!mkdtemp(scratch))
        stop(1, "cannot make a temporary folder in %s: %s", folder, strerror(errno));
    own(scratch);
    settings.scratch = realpath(scratch, NULL);
    scratch_owner = getpid();
    atexit(remove_scratch);
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: a signal ends waits */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

void pause_ms(int milliseconds)
{
    usleep((useconds_t)milliseconds * 1000);
    end_if_caught();
}

/* ---- the GPU ---- */

static bool has_gpu(void)
{
    static int known = -1;
    if (known < 0)
        known =
            system("command -v nvcc >/dev/null 2>&1 && nvidia-smi -L 2>/dev/null | grep -q GPU") ==
            0;
    return known;
}

/* Verifies and measures on the GPU an answer that passed on the CPU. */
static void check_on_gpu(const Exercise *e, const char *file, Verdict *v)
{
    Assignment assignment;
    if (!read_assignment(e, &assignment) || assignment.is_layout)
        return;
    char *folder = format("%s/gpu.XXXXXX", settings.scratch),
         *lock = format("%s/gpu.lock", settings.out);
    if (!mkdtemp(folder))
        return;
    int turn =
        open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666); /* one check at a time uses the GPU */
    if (turn >= 0)
        flock(turn, LOCK_EX);
    copy_file(file, format("%s/answer.cu", folder));
    copy_file(file_in(e, "task.cu"), format("%s/task.cu", folder));
    char *build[] = {"nvcc",
                     "-O3",
                     "-std=c++17",
                     "-arch=native",
                     format("-I%s", settings.shared),
                     "answer.cu",
                     "-o",
                     "answer",
                     NULL};
    char *run[] = {"./answer", NULL}, *line, *last = "";
    extern char **environ;
    Outcome o = run_limited(build, (const char *const *)environ, folder, 300, 1e6, 1 << 20);
    if (o.how == ENDED && o.code == 0)
        o = run_limited(run, (const char *const *)environ, folder, 120, 1e6, 1 << 20);
    for (const char *p = text_of(&o.output); (line = next_line(&p));)
        last = line;
    if (o.how == ENDED && o.code == 0)
        addf(&v->gpu, "on the GPU: %s\n", last);
    else
        decide(v, UNSOLVED, "gpu", "right on the CPU, but on the GPU:\n%.600s", text_of(&o.output));
    if (turn >= 0)
        close(turn);
    remove_tree(folder);
}

/* ---- workers ---- */

static void work(const Job *job, bool learner)
{
    Verdict v;
    const char *why;
    size_t bytes = 0;
    char *answer = read_regular(job->file, (size_t)1 << 24, &bytes, &why);
    if (!answer || !find_cached_verdict(job->exercise, answer, bytes, &v)) {
        check_answer(job->exercise, job->file, &v);
        if (learner && v.status == SOLVED && has_gpu())
            check_on_gpu(job->exercise, job->file, &v);
        if (answer)
            cache_verdict(job->exercise, answer, bytes, &v);
    }
    write_verdict(job->verdict, &v);
}

static void wait_for_one(void)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, 0)) < 0 && errno == EINTR)
        end_if_caught();
    end_if_caught();
    for (int i = 0; i < running; i++)
        if (workers[i] == pid)
            workers[i] = workers[--running];
}

void run_jobs(const Job *jobs, int count, bool learner)
{
    bool shows = isatty(2) && count > 1;
    workers = calloc((size_t)settings.jobs + 1, sizeof *workers);
    if (!workers)
        stop(1, "out of memory");
    if (learner)
        has_gpu(); /* workers inherit the answer */
    fflush(stdout);
    for (int i = 0; i < count; i++) {
        end_if_caught();
        if (shows)
            fprintf(stderr, "\rchecking %d of %d: %-24s", i + 1, count, jobs[i].exercise->name);
        unlink(jobs[i].verdict);
        pid_t pid = fork();
        if (pid == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL); /* in case this program is killed */
            signal(SIGINT, SIG_DFL);
            signal(SIGTERM, SIG_DFL);
            signal(SIGHUP, SIG_DFL);
            work(&jobs[i], learner);
            _exit(0);
        }
        if (pid > 0) {
            setpgid(pid, pid);
            workers[running++] = pid;
        }
        if (running == settings.jobs)
            wait_for_one();
    }
    while (running)
        wait_for_one();
    if (shows)
        fprintf(stderr, "\r%48s\r", "");
    for (int i = 0; i < count; i++)
        if (!is_file(jobs[i].verdict)) {
            Verdict v = {0};
            decide(&v, ENVIRONMENT, "environment", "the checker could not do its work");
            write_verdict(jobs[i].verdict, &v);
        }
    free(workers);
}
