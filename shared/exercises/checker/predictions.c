/* Compares the learner's predictions with the counts of a run. */
#include "checker.h"
#include <ctype.h>
#include <math.h>

/* Reads "// predict: WHAT = VALUE"; false for any other line. Collapses blanks in WHAT and strips
 * VALUE. */
static bool read_prediction(const char *line, Prediction *p)
{
    if (!starts_with(line, "//"))
        return false;
    line += 2 + strspn(line + 2, " ");
    if (!starts_with(line, "predict:"))
        return false;
    line += strlen("predict:");
    const char *equals = strchr(line, '=');
    size_t n = equals ? (size_t)(equals - line) : strlen(line);
    struct text what = {NULL, 0, 0};
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)line[i])) {
            if (what.n && isspace((unsigned char)line[i - 1]))
                add(&what, " ");
            add_bytes(&what, &line[i], 1);
        }
    p->what = what.p ? what.p : format("%s", "");
    p->value = format("%s", equals ? equals + 1 + strspn(equals + 1, " \t") : "");
    for (size_t k = strlen(p->value); k && isspace((unsigned char)p->value[k - 1]);)
        p->value[--k] = 0;
    return true;
}

/* True for digits, with or without a decimal point and digits behind it. */
static bool is_number(const char *p)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(p, digits), part = p[whole] == '.' ? strspn(p + whole + 1, digits) : 0;
    return whole && !p[whole + (part ? part + 1 : 0)];
}

int read_predictions(const Assignment *assignment, const char *answer, const char *name,
                     Prediction **predictions, Verdict *v)
{
    int count = 0, missing = 0;
    Prediction *list = NULL, p, given;
    char *line;
    decide(v, UNSOLVED, "prediction_missing", "%s", "");
    for (const char *at = assignment->text; (line = next_line(&at)); free(line)) {
        if (!read_prediction(line, &p))
            continue;
        list = realloc(list, sizeof *list * (size_t)(count + 1));
        if (!list)
            stop(1, "out of memory");
        p.line = 0;
        int number_of_line = 0;
        char *other;
        for (const char *q = answer; (other = next_line(&q)); free(other)) {
            number_of_line++;
            if (read_prediction(other, &given) && !strcmp(given.what, p.what)) {
                p.value = given.value;
                p.line = number_of_line;
            }
        }
        if (!p.line)
            addf(
                &v->said,
                "the line \"// predict: %s = ...\" is missing; ./run_all.sh --exercises --reset %s "
                "brings it back\n",
                p.what, name);
        else if (!is_number(p.value))
            addf(&v->said, "line %d: \"%s\" is no number: write your prediction of %s there\n",
                 p.line, p.value, p.what);
        missing += !p.line || !is_number(p.value);
        list[count++] = p;
    }
    *predictions = list;
    return missing ? -1 : count;
}

bool check_predictions(const Prediction *p, int count, const Run *run, Verdict *v)
{
    int right = 0;
    decide(v, UNSOLVED, "predictions", "%s", "");
    for (int i = 0; i < count; i++) {
        char counter[64] = "", quantity[64] = "";
        What w;
        (void)!sscanf(p[i].what, "%63s %63s", counter, quantity);
        if (!read_what(counter, quantity, &w))
            stop(1, "a task asks for a prediction of what is not counted: %s", p[i].what);
        double x = value_of(&w, &run->counts), said = atof(p[i].value);
        double tolerance = strchr(p[i].value, '.') ? 0.011 : 0;
        if (fabs(said - x) <= tolerance)
            right++;
        else
            addf(&v->said, "line %d: your prediction of %s for %s is too %s\n", p[i].line,
                 p[i].value, p[i].what, said < x ? "low" : "high");
    }
    if (right < count)
        addf(&v->said, "%d of %d predictions are right\n", right, count);
    else
        decide(v, SOLVED, "solved", "%s", "");
    return right == count;
}
