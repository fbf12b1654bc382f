/*
 * Grades submissions. Each is a workbook or a folder of answers. Only regular files of the expected
 * names, reached without a link, are read; each is copied before it is judged. Equal files are judged
 * once. Since verdicts are cached, an interrupted call, repeated, continues where it stopped.
 */
#include "checker.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1000001 };

/* Opens `path` below a folder without following links. Returns -1 and sets errno on failure. */
static int open_below(int folder, const char *path)
{
    const char *slash = strchr(path, '/');
    char *part = slash ? format("%.*s", (int)(slash - path), path) : format("%s", path);
    int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (slash ? O_DIRECTORY : 0);
    int file = openat(folder, part, flags), error = errno;
    free(part);
    if (file >= 0 && slash) {
        int inner = open_below(file, slash + 1);
        error = errno;
        close(file);
        file = inner;
    }
    errno = error;
    return file;
}

/* Copies an open file and closes it. Returns NULL, or why it failed. */
static const char *copy_open(int file, const char *copy)
{
    char *bytes = malloc(MOST_BYTES);
    ssize_t n = 0, got = 0;
    while (n < MOST_BYTES && (got = read(file, bytes + n, (size_t)(MOST_BYTES - n))) > 0)
        n += got;
    const char *why = got < 0 ? "unreadable" : write_file(copy, bytes, (size_t)n) ? NULL : "full";
    free(bytes);
    close(file);
    return why;
}

/* Copies the answer from the first path at which a file exists, and says if there is another. Returns NULL, or
 * why it failed. */
static const char *copy_answer(const char *submission, const Exercise *e, const char *copy)
{
    char *candidates[] = {format("steps/%s/exercises/%s/answer.cu", e->step, e->name),
                          format("exercises/%s/answer.cu", e->name),
                          format("%s/answer.cu", e->name), format("%s.cu", e->name)};
    const char *why = "missing", *taken = NULL;
    int folder = open(submission, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < 4; i++) {
        struct stat s;
        int file = open_below(folder, candidates[i]);
        if (file < 0 && errno == ENOENT)
            continue;
        bool regular = file < 0 ? errno == EACCES : !fstat(file, &s) && S_ISREG(s.st_mode);
        if (regular && !taken) {
            taken = candidates[i];
            why = file < 0 ? "unreadable" : copy_open(file, copy);
            continue;
        }
        if (regular)
            fprintf(stderr, "run_all.sh: %s has two answers of %s: %s is judged, %s is not\n",
                    without_controls(format("%s", submission), '?', 0), e->name, taken,
                    candidates[i]);
        else if (!taken)
            why = "not_a_file";
        if (file >= 0)
            close(file);
    }
    if (folder >= 0)
        close(folder);
    return why;
}

static void no_answer(const char *why, const char *submission, Verdict *v)
{
    if (!strcmp(why, "missing"))
        decide(v, UNSOLVED, why, "there is no answer");
    else if (!strcmp(why, "not_a_file"))
        decide(v, UNSOLVED, why, "it is no regular file, or a link leads to it");
    else
        decide(v, ENVIRONMENT, "environment",
               !strcmp(why, "full") ? "the temporary folder is full"
                                    : "a file of %s cannot be read",
               submission);
}

static void print_header(const Exercises *exercises)
{
    printf("%-24s", "submission");
    for (int i = 0; i < exercises->count; i++)
        if (!i || strcmp(exercises->item[i].step, exercises->item[i - 1].step))
            printf(" %6.2s", exercises->item[i].step);
    printf(" %8s\n", "solved");
}

static void print_row(const char *submission, const Result *r, int count)
{
    int all = 0;
    printf("%-24s", without_controls(format("%s", submission), '?', 0));
    for (int from = 0, to; from < count; from = to) {
        int solved = 0;
        for (to = from; to < count && !strcmp(r[to].exercise->step, r[from].exercise->step); to++)
            solved += r[to].verdict.status == SOLVED;
        all += solved;
        printf(" %6s", format("%d/%d", solved, to - from));
    }
    printf(" %8s\n", format("%d/%d", all, count));
    fflush(stdout);
}

static void grade_one(const Exercises *exercises, const char *submission, int number, Result *r)
{
    char *folder = format("%s/submission%d", settings.scratch, number);
    Job *jobs = calloc((size_t)exercises->count + 1, sizeof *jobs);
    int n = 0;
    if (!jobs || !make_folders(folder))
        stop(1, "cannot write to %s: %s", settings.scratch, strerror(errno));
    for (int i = 0; i < exercises->count; i++) {
        const Exercise *e = &exercises->item[i];
        char *copy = format("%s/%s.cu", folder, e->name);
        const char *why = copy_answer(submission, e, copy);
        char *answer = why ? NULL : read_file(copy);
        r[i] = (Result){.submission = submission, .exercise = e};
        if (why)
            no_answer(why, without_controls(format("%s", submission), '?', 0), &r[i].verdict);
        else if (answer && is_untouched(e, answer))
            decide(&r[i].verdict, UNSOLVED, "untouched", "it is as it was handed out");
        else
            jobs[n++] = (Job){e, copy, format("%s/%s", folder, e->name)};
        free(answer);
    }
    run_jobs(jobs, n, false);
    for (int i = 0; i < exercises->count; i++)
        for (int k = 0; k < n; k++)
            if (jobs[k].exercise == r[i].exercise && !read_verdict(jobs[k].verdict, &r[i].verdict))
                decide(&r[i].verdict, ENVIRONMENT, "environment", "the temporary folder is full");
    remove_tree(folder);
    free(jobs);
}

int grade(const Exercises *exercises, char **folders, int count, const Outputs *outputs)
{
    Result *r = calloc((size_t)count * (size_t)exercises->count + 1, sizeof *r);
    struct text missing = {NULL, 0, 0};
    if (!r)
        stop(1, "out of memory");
    for (int i = 0; i < count; i++) {
        size_t n = strlen(folders[i]);
        while (n > 1 && folders[i][n - 1] == '/')
            folders[i][--n] = 0;
        if (!is_folder(folders[i]))
            stop(2, "--grade %s: is no folder (--exercises --help lists the options)",
                 without_controls(format("%s", folders[i]), '?', 0));
    }
    print_header(exercises);
    for (int i = 0; i < count; i++) {
        Result *mine = r + (size_t)i * (size_t)exercises->count;
        int unknown = 0;
        grade_one(exercises, folders[i], i, mine);
        print_row(folders[i], mine, exercises->count);
        const char *first = NULL;
        for (int k = 0; k < exercises->count; k++)
            if (mine[k].verdict.status == ENVIRONMENT) {
                first = first ? first : text_of(&mine[k].verdict.said);
                unknown++;
            }
        if (unknown)
            addf(&missing, "  %s: %d of %d: %.*s\n",
                 without_controls(format("%s", folders[i]), '?', 0), unknown, exercises->count,
                 (int)strcspn(first, "\n"), first);
    }
    char *table = format("%s/grades.tsv", settings.out);
    bool good = write_tsv(table, r, count * exercises->count) &&
                write_outputs(outputs, r, count * exercises->count);
    if (good)
        printf("details: %s\n", relative_path(table));
    fflush(stdout);
    if (missing.n)
        fprintf(stderr,
                "run_all.sh: this machine could not judge everything; these marks are missing, and "
                "the same command again works them out:\n%s",
                missing.p);
    return missing.n || !good ? 1 : 0;
}
