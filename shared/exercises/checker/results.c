/* Writes results as TSV, CSV, JUnit's XML, and the JSON that Gradescope's autograder reads. */
#include "checker.h"
#include "../../cpucc/reports/escape.h"

/* Returns the text as a new string in one line, without control characters. */
static char *in_one_line(const char *p)
{
    char *line = without_controls(format("%s", p), ' ', 0), *end = line + strlen(line);
    while (end > line && end[-1] == ' ')
        *--end = 0;
    return line;
}

static void put_csv(FILE *to, const char *p)
{
    char *line = in_one_line(p);
    /* A spreadsheet would read a field that begins with one of these characters as a formula. */
    fputs(*line && strchr("=+-@", *line) ? "\"'" : "\"", to);
    for (char *c = line; *c; c++)
        fprintf(to, *c == '"' ? "\"\"" : "%c", *c);
    putc('"', to);
    free(line);
}

/* Writes the output of `print` to a file; false after a message if that fails. */
static bool write_results(const char *path, void (*print)(FILE *, const Result *, int),
                          const Result *r, int count)
{
    char *p = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&p, &n);
    if (!to)
        stop(1, "out of memory");
    print(to, r, count);
    bool good = !fclose(to) && write_file(path, p, n);
    if (!good)
        fprintf(stderr, "run_all.sh: cannot write %s\n", path);
    free(p);
    return good;
}

static void print_tsv(FILE *to, const Result *r, int count)
{
    fputs("submission\tstep\texercise\tstatus\treason\tsaid\tmedal\n", to);
    for (int i = 0; i < count; i++)
        fprintf(to, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", in_one_line(r[i].submission),
                r[i].exercise->step, r[i].exercise->name, status_words[r[i].verdict.status],
                r[i].verdict.reason, in_one_line(text_of(&r[i].verdict.said)), r[i].verdict.medal);
}

static void print_csv(FILE *to, const Result *r, int count)
{
    fputs("submission,step,exercise,status,reason,said,medal\n", to);
    for (int i = 0; i < count; i++) {
        const char *quoted[] = {r[i].submission, r[i].exercise->step, r[i].exercise->name};
        for (int k = 0; k < 3; k++) {
            put_csv(to, quoted[k]);
            putc(',', to);
        }
        fprintf(to, "%s,%s,", status_words[r[i].verdict.status], r[i].verdict.reason);
        put_csv(to, text_of(&r[i].verdict.said));
        fprintf(to, ",%s\n", r[i].verdict.medal);
    }
}

static void print_attribute(FILE *to, const char *name, const char *value)
{
    fprintf(to, " %s=\"", name);
    cpucc_put_html(to, in_one_line(value));
    putc('"', to);
}

/* Returns the index behind the last result of the submission whose results begin at `from`. */
static int end_of_submission(const Result *r, int count, int from)
{
    int to = from;
    while (to < count && !strcmp(r[from].submission, r[to].submission))
        to++;
    return to;
}

/* One suite per submission. An answer that the machine could not judge is an error, not a failure. */
static void print_junit(FILE *to, const Result *r, int count)
{
    bool several = count && end_of_submission(r, count, 0) < count;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", to);
    fputs(several ? "<testsuites>\n" : "", to);
    for (int from = 0, end; from < count; from = end) {
        int of[3] = {0}; /* by status */
        end = end_of_submission(r, count, from);
        for (int i = from; i < end; i++)
            of[r[i].verdict.status]++;
        fputs("<testsuite", to);
        print_attribute(to, "name", *r[from].submission ? r[from].submission : "exercises");
        fprintf(to, " tests=\"%d\" failures=\"%d\"", end - from, of[UNSOLVED]);
        if (of[ENVIRONMENT])
            fprintf(to, " errors=\"%d\"", of[ENVIRONMENT]);
        fputs(">\n", to);
        for (int i = from; i < end; i++) {
            const Verdict *v = &r[i].verdict;
            fputs("  <testcase", to);
            print_attribute(to, "classname", r[i].exercise->step);
            print_attribute(to, "name", r[i].exercise->name);
            if (v->status == SOLVED) {
                fputs("/>\n", to);
                continue;
            }
            fprintf(to, ">\n    <%s", v->status == UNSOLVED ? "failure" : "error");
            print_attribute(to, "type", v->reason);
            print_attribute(to, "message", text_of(&v->said));
            fputs("/>\n  </testcase>\n", to);
        }
        fputs("</testsuite>\n", to);
    }
    fputs(several ? "</testsuites>\n" : "", to);
}

/* https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format: one point per
 * exercise, of the first submission. */
static void print_gradescope(FILE *to, const Result *r, int count)
{
    int of[3] = {0}, n = end_of_submission(r, count, 0);
    for (int i = 0; i < n; i++)
        of[r[i].verdict.status]++;
    char *sum = format("%d of %d exercises are solved", of[SOLVED], n);
    if (of[ENVIRONMENT])
        sum = format("%s; %d could not be judged on this machine: please run this again", sum,
                     of[ENVIRONMENT]);
    fprintf(to, "{\n  \"score\": %d,\n  \"output\": ", of[SOLVED]);
    cpucc_put_string(to, sum);
    fputs(",\n  \"tests\": [\n", to);
    for (int i = 0; i < n; i++) {
        bool solved = r[i].verdict.status == SOLVED;
        fputs("    {\"name\": ", to);
        cpucc_put_string(to, format("%s %s", r[i].exercise->step, r[i].exercise->name));
        fprintf(to,
                ", \"number\": \"%d\", \"score\": %d, \"max_score\": 1, \"status\": \"%s\", "
                "\"output\": ",
                i + 1, solved, solved ? "passed" : "failed");
        cpucc_put_string(to, text_of(&r[i].verdict.said));
        fprintf(to, "}%s\n", i + 1 < n ? "," : "");
    }
    fputs("  ]\n}\n", to);
}

bool write_tsv(const char *path, const Result *r, int count)
{
    return write_results(path, print_tsv, r, count);
}

bool write_outputs(const Outputs *o, const Result *r, int count)
{
    bool good = !o->junit || write_results(o->junit, print_junit, r, count);
    good = (!o->csv || write_results(o->csv, print_csv, r, count)) && good;
    return (!o->gradescope || write_results(o->gradescope, print_gradescope, r, count)) && good;
}
