/*
 * The program `lab`: judges an answer to an exercise by the checker's own goals. usage: lab SOURCE TASK (their texts)
 *
 * It prints lines of words with tabs between them, and ends with 0 if the answer is solved, else 1:
 *
 *   site LINE COUNTER REQUESTS WORK IDEAL BYTES ADDRESS,...   an access at the counted size, and its worst request lane by
 *                                                             lane (- inactive)
 *   fault LINE REASON            the run ended there; nothing follows
 *   goal met|unmet|unjudged TEXT [silver|gold]
 */
#include "lab.h"

static char size_of_run[64]; /* where the matrix has not the counted size */

void stop(int status, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    vfprintf(stderr, how, list);
    exit(status);
}

void lab_stop(int line, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    printf("fault\t%d\t%s", line, size_of_run);
    vprintf(how, list);
    printf("\n");
    exit(1);
}

/* Prints whether a goal is met; what the checker says in several lines becomes one. Returns false unless it is met. */
static bool put_goal(const char *how, char *text, const char *medal)
{
    size_t n = 0;
    for (const char *c = text; *c; c += *c == '\n' ? 1 + strspn(c + 1, " ") : 1, n++)
        text[n] = *c == '\n' ? c[1] ? ';' : '\0' : *c;
    text[n] = '\0';
    printf("goal\t%s\t%s%s%s\n", how, text, *medal ? "\t" : "", medal);
    return !strcmp(how, "met");
}

/* Judges a line "// goal: ...", "// silver: ..." or "// gold: ...". Returns false if the exercise is not solved. */
static bool judge_goal(const Assignment *assignment, const char *line, const Run *run,
                       const Run *ragged)
{
    char word[8] = "", name[64] = "", quantity[64] = "";
    const char *goal = strchr(line, ':') + 2;
    const bool known =
        sscanf(line, "// %7[a-z]:", word) && (!strcmp(word, "goal") || strstr("silver gold", word));
    if (!known || !strcmp(goal, "verified") || starts_with(goal, "tma_")) /* the lab has no TMA */
        return true;
    if (!strcmp(goal, "offsets 64"))
        return put_goal("unjudged", format("%s", goal), "");
    const bool medal = strcmp(word, "goal") != 0;
    Assignment one = *assignment;
    Verdict v = {0};
    What what;
    one.goals = (struct text){NULL, 0, 0};
    addf(&one.goals, "// %s: %s\n", medal ? "silver" : word, goal);
    const bool met =
        check_goals(&one, run, run, ragged, &v) && (!medal || !strcmp(v.medal, "silver"));
    if (!met)
        return put_goal("unmet", v.said.p + (medal ? strcspn(v.said.p, "\n") + 1 : 0),
                        medal ? word : "") ||
               medal;
    if (!strstr(assignment->text, line)) /* the checker added it */
        return true;
    sscanf(goal, "%63s %63s", name, quantity);
    read_what(name, strchr("<>=", *quantity) ? "" : quantity, &what);
    return put_goal("met", format("%s: it is %.10g", goal, value_of(&what, &run->counts)),
                    medal ? word : "");
}

static bool judge_predictions(const Assignment *assignment, const char *source, const Run *run)
{
    Verdict v = {0};
    Prediction *list;
    const int count = read_predictions(assignment, source, "NAME", &list, &v);
    bool met = count >= 0;
    if (!met)
        put_goal("unmet", v.said.p, "");
    for (int i = 0; i < count; i++)
        met &= check_predictions(&list[i], 1, run, &v)
                   ? put_goal("met", format("%s: you predict %s", list[i].what, list[i].value), "")
                   : put_goal("unmet", (v.said.p[strcspn(v.said.p, "\n")] = '\0', v.said.p), "");
    return met;
}

int main(int argc, char **argv)
{
    enum {
        SMALL = 45
    }; /* random number of a size that costs like the counted one and has fewer elements */
    Assignment assignment;
    Run run = {0}, ragged = {0};
    char *line, *wrong;
    if (argc != 3 || !parse_assignment(argv[2], &assignment) || assignment.is_layout) {
        fputs("usage: lab SOURCE TASK\n", stderr);
        return 2;
    }
    const Task *task = &assignment.task;
    const char *code = assignment.is_predictions ? argv[2] : argv[1];
    run.counts = lab_run(code, task, task->rows, task->cols, &wrong);
    lab_put_sites(&run.lines);
    char *where = format("%d x %d", task->rows, task->cols);
    for (int similar = 0; similar < 2 && !wrong; ragged.size_count++) { /* as in session.c */
        int rows, cols;
        Task other = *task;
        if (similar || !ragged_size(task, ragged.size_count, &rows, &cols))
            similar_size(task, SMALL, ++similar == 1, &rows, &cols);
        else if (ragged.size_count == 0 && task->count > 1)
            other.count++;
        ragged.size[ragged.size_count].rows = rows;
        ragged.size[ragged.size_count].cols = cols;
        ragged.size[ragged.size_count].count = other.count;
        where = size_text(&ragged, ragged.size_count, task);
        snprintf(size_of_run, sizeof size_of_run, "at %s: ", where);
        ragged.size[ragged.size_count].counts = lab_run(code, &other, rows, cols, &wrong);
    }
    if (wrong) {
        put_goal("unmet", format("the output is wrong at %s: %s", where, wrong), "");
        return 1;
    }
    bool solved =
        put_goal("met", format("the output is right at %d sizes", 1 + ragged.size_count), "");
    if (assignment.is_predictions)
        solved &= judge_predictions(&assignment, argv[1], &run);
    for (const char *p = text_of(&assignment.goals);
         (line = next_line(&p)) && !assignment.is_predictions;)
        solved &= judge_goal(&assignment, line, &run, &ragged);
    return !solved;
}
