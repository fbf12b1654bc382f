/* Shows, for a solved exercise, why it works, its counts and times, and an experiment to try. */
#include "checker.h"
#include <unistd.h>

/* Checks the untouched task and sets *v; false if its traffic could not be counted. */
static bool counts_before(const Exercise *e, Verdict *v)
{
    char *task = file_in(e, "task.cu"), *verdict = format("%s/before", settings.scratch);
    Assignment assignment;
    if (!read_assignment(e, &assignment) || assignment.is_layout || assignment.is_predictions)
        return false;
    Job job = {e, task, verdict};
    run_jobs(&job, 1, false);
    return read_verdict(verdict, v) && v->counted;
}

/* Shows the counts before and now. */
static void show_counts(const Exercise *e, const Verdict *v)
{
    Verdict before;
    bool has_before = counts_before(e, &before);
    printf("\n  %-34s %12s %12s\n", "counts", has_before ? "before" : "", "now");
    for (int i = 0; i < COUNTERS; i++) {
        uint64_t requests = v->counts.counter[i].requests, work = v->counts.counter[i].work;
        uint64_t r0 = has_before ? before.counts.counter[i].requests : 0;
        uint64_t w0 = has_before ? before.counts.counter[i].work : 0;
        if (!requests && !r0)
            continue;
        const char *unit = i >= 6                               ? "bytes"
                           : strstr(counter_names[i], "shared") ? "wavefronts"
                                                                : "sectors";
        printf("  %-34s %12s %12llu\n", format("%s, requests", counter_names[i]),
               has_before ? format("%llu", (unsigned long long)r0) : "",
               (unsigned long long)requests);
        printf("  %-34s %12s %12llu\n", format("%s, %s", counter_names[i], unit),
               has_before ? format("%llu", (unsigned long long)w0) : "", (unsigned long long)work);
    }
    if (v->counts.shared_bytes || (has_before && before.counts.shared_bytes))
        printf("  %-34s %12s %12llu\n", "bytes of shared memory per block",
               has_before ? format("%llu", (unsigned long long)before.counts.shared_bytes) : "",
               (unsigned long long)v->counts.shared_bytes);
}

/* Returns the field of a row in the column `name`; "" if there is no such column. */
static const char *field_of(char **header, char **field, int n, const char *name)
{
    int at = tsv_column(header, n, name);
    return at < 0 ? "" : field[at];
}

/* Shows the recorded times of the task and of our solution; ../../tests/benchmark/exercises.sh
 * documents the columns of plots/results/GPU/exercises.tsv. */
static void show_times(const Exercise *e)
{
    char *folder = read_file(format("%s/plots/results/shown", settings.root)), *gpu = "GPU";
    if (folder)
        folder[strcspn(folder, "\n")] = 0;
    char *all = read_file(format("%s/plots/results/%s/exercises.tsv", settings.root,
                                 folder && *folder ? folder : "h200"));
    char *line, *field[16], *header[16];
    int columns = 0;
    for (const char *p = all ? all : ""; (line = next_line(&p));) {
        if (starts_with(line, "# gpu: "))
            gpu = line + strlen(starts_with(line, "# gpu: NVIDIA ") ? "# gpu: NVIDIA " : "# gpu: ");
        if (*line == '#')
            continue;
        if (!columns) {
            columns = tsv_split(line, header, 16);
            continue;
        }
        int n = tsv_split(line, field, 16);
        n = n < columns ? n : columns;
        if (strcmp(field_of(header, field, n, "exercise"), e->name))
            continue;
        const char *task = field_of(header, field, n, "task");
        double before = atof(field_of(header, field, n, "task_ms"));
        double after = atof(field_of(header, field, n, "solution_ms"));
        double percent = atof(field_of(header, field, n, "solution_percent_of_copy"));
        const char *rows = field_of(header, field, n, "rows");
        const char *cols = field_of(header, field, n, "cols");
        if (!(after > 0))
            continue;
        printf("\n  on an %s, %s x %s: our solution takes %.3f ms, %.0f %% of a copy's speed;\n",
               gpu, rows, cols, after, percent);
        if (before > 0)
            printf("  the task takes %.3f ms: %s\n", before,
                   before > 1.02 * after
                       ? format("solved, it is %.2f times as fast", before / after)
                   : after > 1.02 * before
                       ? format("solved, it is slower, by %.0f %%", 100 * (after / before - 1))
                       : format("%s", "solving it changes nothing there"));
        else
            printf("  the task has no time%s\n",
                   !strcmp(task, "wrong")   ? ": it fails its checks there, or ends with an error"
                   : !strcmp(task, "hangs") ? ": it hangs there too"
                                            : "");
    }
}

/* True if the exercise has a better medal than the one in *v. */
static bool has_better(const Exercise *e, const Verdict *v)
{
    Assignment assignment;
    if (!*v->medal || !read_assignment(e, &assignment))
        return false;
    bool gold = strstr(text_of(&assignment.goals), "// gold:") != NULL;
    return strcmp(v->medal, "gold") != 0 && (gold || strcmp(v->medal, "silver") != 0);
}

/* Shows explanation.md without its HTML comments. While a better medal can be earned, the text ends
 * at a line `---` (the rest would give the medal's solution away) or `Try:`. */
static void show_text(const Exercise *e, const Verdict *v)
{
    char *line, *all = read_file(file_in(e, "explanation.md")), *comment, *end;
    bool waits = has_better(e, v);
    while (all && (comment = strstr(all, "<!--")) && (end = strstr(comment, "-->")))
        memmove(comment, end + 3, strlen(end + 3) + 1);
    for (const char *p = all ? all : ""; (line = next_line(&p)); free(line)) {
        bool rest = !strcmp(line, "---");
        if (waits && (rest || starts_with(line, "Try:"))) {
            printf("  (There is more to say, once you have the best medal.)\n");
            break;
        }
        if (!rest)
            printf("%s%s\n", *line ? "  " : "", line);
    }
}

void explain_exercise(const Exercise *e, const Verdict *v)
{
    show_text(e, v);
    if (v->counted)
        show_counts(e, v);
    show_times(e);
    if (text_of(&v->gpu)[0])
        printf("\n  %s", text_of(&v->gpu));
    if (is_file(file_in(e, "solution.cu")))
        printf("\n  our solution: %s\n", command_line("solution", e->name));
}
