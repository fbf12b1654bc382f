/* Results for other programs: TSV, CSV, JUnit's XML, and the JSON that Gradescope's autograder reads. */
#include "checker.h"

static const char *word_of(const Verdict *v)
{
    return v->status == SOLVED ? "solved" : v->status == UNSOLVED ? "unsolved" : "environment";
}

/* What was said in one line, without what a table or a terminal takes for itself. */
static char *in_one_line(const char *p)
{
    Text t = {NULL, 0, 0};
    add(&t, "");
    for (; *p; p++)
        add_bytes(&t, (unsigned char)*p < ' ' || *p == 127 ? " " : p, 1);
    while (t.n && t.p[t.n - 1] == ' ')
        t.p[--t.n] = 0;
    return t.p;
}

static char *xml(const char *p)
{
    Text t = {NULL, 0, 0};
    add(&t, "");
    for (; *p; p++)
        if (strchr("&<>\"", *p))
            add(&t, *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&quot;");
        else if ((unsigned char)*p >= ' ' && (unsigned char)*p < 127)
            add_bytes(&t, p, 1);
        else
            add(&t, *p == '\n' || *p == '\t' ? " " : "?");
    return t.p;
}

static char *json(const char *p)
{
    Text t = {NULL, 0, 0};
    add(&t, "\"");
    for (; *p; p++)
        if (*p == '"' || *p == '\\')
            addf(&t, "\\%c", *p);
        else if (*p == '\n')
            add(&t, "\\n");
        else if ((unsigned char)*p < ' ' || (unsigned char)*p > 126)
            addf(&t, "\\u%04x", (unsigned char)*p);
        else
            add_bytes(&t, p, 1);
    add(&t, "\"");
    return t.p;
}

static char *csv(const char *p)
{
    Text t = {NULL, 0, 0};
    char *line = in_one_line(p);
    /* A spreadsheet would take these for the beginning of a formula. */
    add(&t, strchr("=+-@", *line) && *line ? "\"'" : "\"");
    for (p = line; *p; p++)
        add(&t, *p == '"' ? "\"\"" : (char[]){*p, 0});
    add(&t, "\"");
    return t.p;
}

static bool written(const char *path, const Text *t)
{
    bool good = write_file(path, text_of(t), t->n);
    if (!good)
        fprintf(stderr, "run_all.sh: cannot write %s\n", path);
    return good;
}

bool write_tsv(const char *path, const Result *r, int count)
{
    Text t = {NULL, 0, 0};
    add(&t, "submission\tstep\texercise\tstatus\treason\tsaid\tmedal\n");
    for (int i = 0; i < count; i++)
        addf(&t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", in_one_line(r[i].submission), r[i].exercise->step,
             r[i].exercise->name, word_of(&r[i].verdict), r[i].verdict.reason,
             in_one_line(text_of(&r[i].verdict.said)), r[i].verdict.medal);
    return written(path, &t);
}

bool write_csv(const char *path, const Result *r, int count)
{
    Text t = {NULL, 0, 0};
    add(&t, "submission,step,exercise,status,reason,said,medal\n");
    for (int i = 0; i < count; i++)
        addf(&t, "%s,%s,%s,%s,%s,%s,%s\n", csv(r[i].submission), csv(r[i].exercise->step),
             csv(r[i].exercise->name), word_of(&r[i].verdict), r[i].verdict.reason,
             csv(text_of(&r[i].verdict.said)), r[i].verdict.medal);
    return written(path, &t);
}

/* One suite a submission. What the machine could not do is an error, not a failure. */
bool write_junit(const char *path, const Result *r, int count)
{
    Text t = {NULL, 0, 0};
    add(&t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    bool several = count && strcmp(r[0].submission, r[count - 1].submission) != 0;
    if (several)
        add(&t, "<testsuites>\n");
    for (int from = 0, to; from < count; from = to) {
        int failures = 0, errors = 0;
        for (to = from; to < count && !strcmp(r[from].submission, r[to].submission); to++) {
            failures += r[to].verdict.status == UNSOLVED;
            errors += r[to].verdict.status == ENVIRONMENT;
        }
        addf(&t, "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\"",
             *r[from].submission ? xml(r[from].submission) : "exercises", to - from, failures);
        if (errors)
            addf(&t, " errors=\"%d\"", errors);
        add(&t, ">\n");
        for (int i = from; i < to; i++) {
            const Verdict *v = &r[i].verdict;
            addf(&t, "  <testcase classname=\"%s\" name=\"%s\"", xml(r[i].exercise->step),
                 xml(r[i].exercise->name));
            if (v->status == SOLVED)
                add(&t, "/>\n");
            else
                addf(&t, ">\n    <%s type=\"%s\" message=\"%s\"/>\n  </testcase>\n",
                     v->status == UNSOLVED ? "failure" : "error", xml(v->reason),
                     xml(text_of(&v->said)));
        }
        add(&t, "</testsuite>\n");
    }
    if (several)
        add(&t, "</testsuites>\n");
    return written(path, &t);
}

/* https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format: one point for each
 * exercise. Of one submission; of several, those of the first. */
bool write_gradescope(const char *path, const Result *r, int count)
{
    Text t = {NULL, 0, 0};
    int solved = 0, missing = 0, n = 0;
    while (n < count && !strcmp(r[0].submission, r[n].submission)) {
        solved += r[n].verdict.status == SOLVED;
        missing += r[n++].verdict.status == ENVIRONMENT;
    }
    addf(&t, "{\n  \"score\": %d,\n  \"output\": ", solved);
    add(&t, missing ? json(text("%d of %d exercises are solved; %d could not be judged on this "
                                "machine: please run this again",
                                solved, n, missing))
                    : json(text("%d of %d exercises are solved", solved, n)));
    add(&t, ",\n  \"tests\": [\n");
    for (int i = 0; i < n; i++)
        addf(&t,
             "    {\"name\": %s, \"number\": \"%d\", \"score\": %d, \"max_score\": 1, \"status\": "
             "\"%s\", \"output\": %s}%s\n",
             json(text("%s %s", r[i].exercise->step, r[i].exercise->name)), i + 1,
             r[i].verdict.status == SOLVED, r[i].verdict.status == SOLVED ? "passed" : "failed",
             json(text_of(&r[i].verdict.said)), i + 1 < n ? "," : "");
    add(&t, "  ]\n}\n");
    return written(path, &t);
}

bool write_outputs(const Outputs *o, const Result *r, int count)
{
    bool good = true;
    if (o->junit)
        good = write_junit(o->junit, r, count) && good;
    if (o->csv)
        good = write_csv(o->csv, r, count) && good;
    if (o->gradescope)
        good = write_gradescope(o->gradescope, r, count) && good;
    return good;
}
