/* What is said of an exercise when it is solved: why it works, what it brought, what to try. */
#include "checker.h"
#include <unistd.h>

/* The counts of the untouched task, if it runs and is right; worked out once. */
static bool counts_before(const Exercise *e, Verdict *v)
{
    char *task = file_in(e, "task.cu"), *verdict = text("%s/before", places.scratch);
    Asked asked;
    if (!read_asked(e, &asked) || asked.is_layout || asked.is_predictions)
        return false;
    Job job = {e, task, verdict};
    run_jobs(&job, 1, false);
    return read_verdict(verdict, v) && v->counted;
}

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
        printf("  %-34s %12s %12llu\n", text("%s, requests", counter_names[i]),
               has_before ? text("%llu", (unsigned long long)r0) : "",
               (unsigned long long)requests);
        printf("  %-34s %12s %12llu\n", text("%s, %s", counter_names[i], unit),
               has_before ? text("%llu", (unsigned long long)w0) : "", (unsigned long long)work);
    }
    if (v->counts.shared_bytes || (has_before && before.counts.shared_bytes))
        printf("  %-34s %12s %12llu\n", "bytes of shared memory a block",
               has_before ? text("%llu", (unsigned long long)before.counts.shared_bytes) : "",
               (unsigned long long)v->counts.shared_bytes);
}

/* Recorded times: plots/results/GPU/exercises.tsv, columns exercise, task_ms, solution_ms (nan where
 * the task is not right as it is handed out). */
static void show_times(const Exercise *e)
{
    char *gpu_file = text("%s/plots/results/shown", places.root), *gpu = read_all(gpu_file);
    if (gpu)
        gpu[strcspn(gpu, "\n")] = 0;
    char *all =
        read_all(text("%s/plots/results/%s/exercises.tsv", places.root, gpu ? gpu : "h200"));
    char *line, *field[16], *header[16];
    int columns = 0;
    for (const char *p = all ? all : ""; (line = next_line(&p));) {
        if (*line == '#')
            continue;
        if (!columns) {
            columns = split_tabs(line, header, 16);
            continue;
        }
        double task = 0, solution = 0;
        bool mine = false;
        int n = split_tabs(line, field, 16);
        for (int i = 0; i < n && i < columns; i++) {
            mine |= !strcmp(header[i], "exercise") && !strcmp(field[i], e->name);
            if (!strcmp(header[i], "task_ms"))
                task = atof(field[i]);
            if (!strcmp(header[i], "solution_ms"))
                solution = atof(field[i]);
        }
        if (!mine || !(solution > 0))
            continue;
        if (task > 0)
            printf(
                "\n  on an %s: the task takes %.3f ms, our solution %.3f ms: %.2f times as fast\n",
                gpu ? gpu : "h200", task, solution, task / solution);
        else
            printf("\n  on an %s our solution takes %.3f ms\n", gpu ? gpu : "h200", solution);
    }
}

void explain_exercise(const Exercise *e, const Verdict *v)
{
    char *line, *all = read_all(file_in(e, "explanation.md"));
    for (const char *p = all ? all : ""; (line = next_line(&p)); free(line))
        printf("%s%s\n", *line ? "  " : "", line);
    if (v->counted)
        show_counts(e, v);
    show_times(e);
    if (text_of(&v->gpu)[0])
        printf("\n  %s", text_of(&v->gpu));
    if (is_file(file_in(e, "solution.cu")))
        printf("\n  our solution: %s\n", command("solution", e->name));
}
