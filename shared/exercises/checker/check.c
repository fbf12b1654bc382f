/*
 * Checks one answer of one exercise. The goals come from task.cu; input, comparison and counts come
 * from this program. The answer contributes its kernels and its launch function.
 */
#include "checker.h"
#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANSWER_BYTES = 1000000 };

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* True if three underscores stand in the line as a word by themselves. */
static bool has_blank(const char *line)
{
    for (const char *p = line; (p = strstr(p, "___")); p++)
        if ((p == line || !is_word(p[-1])) && !is_word(p[3]))
            return true;
    return false;
}

static bool blanks_are_filled(const char *answer, Verdict *v)
{
    int number = 0, told = 0;
    char *line;
    decide(v, UNSOLVED, "blank", "%s", "");
    for (const char *p = answer; (line = next_line(&p)); free(line)) {
        number++;
        if (!has_blank(line) || told++ >= 4)
            continue;
        const char *at = line + strspn(line, " \t");
        if (starts_with(at, "//"))
            at += 2 + strspn(at + 2, " ");
        addf(&v->said, "line %d still has a blank to fill in: %s\n", number, at);
    }
    return !told;
}

/* Returns a note for the learner if the answer has goal lines, but not all of the task's; else "". */
static const char *note_of_goals(const Assignment *assignment, const char *answer)
{
    char *line, *p = format("\n%s\n", answer), *to = p;
    bool some = false, all = true;
    for (const char *from = p; *from; from++) /* without carriage returns */
        if (*from != '\r')
            *to++ = *from;
    *to = 0;
    for (const char *goals = assignment->text; (line = next_line(&goals)); free(line)) {
        bool has = is_goal_line(line) && strstr(p, format("\n%s\n", line));
        some |= has;
        all &= has || !is_goal_line(line);
    }
    free(p);
    return some && !all ? "note: the goal lines at the top of the file were changed; the original "
                          "ones count\n"
                        : "";
}

/* If the run that gives other values failed or gave too little, adds what may have caused that. */
static void add_causes(const Run *altered, const Assignment *assignment, const char *name,
                       Verdict *v)
{
    bool failed = altered->ended[0] || altered->error[0] || altered->counts.faults;
    bool small = assignment->task.bytes < 4;
    char *line, *what;
    if (altered->counts.atomic_bytes && strstr(text_of(&v->said), " at work;"))
        add(&v->said, "note: blocks and warps run one after the other here, so the first takes all "
                      "that they draw by an atomic operation; deal the work out by blockIdx and "
                      "threadIdx\n");
    if (!asks_for_shared(assignment) || !altered->counts.counter[2].requests ||
        !(strstr(text_of(&v->said), "come out of shared memory") ||
          (failed && v->status != SOLVED)))
        return;
    add(&v->said,
        "note: the run with other values changes what loads from shared memory, shuffles and "
        "votes give");
    if (altered->counts.faults && first_fault(altered, name, &line, &what))
        addf(&v->said, ", and failed at line %s", line);
    else if (failed)
        add(&v->said, ", and failed");
    addf(
        &v->said,
        ". In this exercise, only %s may lie in shared memory, and a shuffle or vote may give only "
        "%s or what all lanes get alike, and at most %d times per element\n",
        assignment->task.op == OP_CONVERT ? "elements (as a byte, an integer or its float value)"
        : small                           ? "elements of the matrix"
        : assignment->task.bytes == 4
            ? "elements of the matrix, pointers and integers below 800 million"
            : "elements of the matrix, pointers and integers of 16 bits",
        small ? "0, 1" : "numbers below 128",
        small ? EXCHANGES : EXCHANGES * assignment->task.bytes / 4);
}

/* True if less than a hundredth of the output is neither the input nor what other values make of it: it came by a way
 * that the run does not see, but no race. */
static bool is_all_explained(const Run *altered)
{
    const Finding *f = &altered->size[0].found;
    return f->wrong * 100 <= f->elements * (altered->counts.through_shared + 1);
}

/* Runs the answer with other values in shared memory, and sets the figures of *run that this decides. If threads draw
 * their work by atomic operations, it depends on the order whose work passes from warp to warp: then a few orders
 * may be tried, until the goals are met. */
static Run run_altered(const Assignment *assignment, const char *work, Run *run, const Run *ragged)
{
    for (int left = 9;; left--) {
        Verdict tried = {0};
        Run altered = run_answer(work, &assignment->task, ALTERED);
        bool drawn = altered.counts.atomic_bytes && !altered.ended[0] && !altered.counts.faults &&
                     is_all_explained(&altered);
        /* More shuffles than with other values: the kernel has found out which run it is in. */
        bool differs = run->counts.exchanges > 2 * altered.counts.exchanges + 1000;
        altered.counts.through_shared *= !differs && !altered.counts.faults;
        run->counts.through_shared = altered.counts.through_shared;
        run->counts.stores_per_load = altered.counts.stores_per_load;
        if (!left || !drawn || check_goals(assignment, run, &altered, ragged, &tried))
            return altered;
    }
}

/* If a source line that *v names copies or fills memory by the C library's functions, adds what these cost. */
static void add_pieces(const char *source, Verdict *v)
{
    for (const char *p = text_of(&v->said); (p = strstr(p, " line ")); p++) {
        int n = atoi(p + 6);
        const char *at = n > 0 ? source : NULL;
        for (; at && n > 1; n--)
            at = (at = strchr(at, '\n')) ? at + 1 : NULL;
        char *line = at ? next_line(&at) : NULL;
        if (line && (strstr(line, "memcpy(") || strstr(line, "memset("))) {
            add(&v->said, "note: memcpy and memset move a byte at a time where the compiler cannot "
                          "prove an alignment; assign values instead\n");
            return;
        }
    }
}

static void check_in(const Exercise *e, const Assignment *assignment, const char *answer,
                     size_t bytes, const char *work, Verdict *v)
{
    Prediction *predictions = NULL;
    int count = 0;
    if (assignment->is_layout) {
        check_layout(assignment, answer, e->name, work, v);
        return;
    }
    if (assignment->is_predictions &&
        (count = read_predictions(assignment, answer, e->name, &predictions, v)) < 0)
        return;
    char *source = format("%s.cu", e->name), *path = format("%s/%s", work, source);
    const char *code =
        assignment->is_predictions ? assignment->text : answer; /* the learner writes no code */
    if (!write_file(path, code, assignment->is_predictions ? strlen(code) : bytes)) {
        decide(v, ENVIRONMENT, "environment", "cannot write to %s: %s", work, strerror(errno));
        return;
    }
    bool compiled = compile_answer(work, source, e->name, v);
    /* Without the include EXERCISE is no macro, and the compiler's error names another cause. */
    if (!compiled && v->status == UNSOLVED && strstr(code, "EXERCISE") &&
        !strstr(code, "exercises/exercise.h")) {
        decide(v, UNSOLVED, "compile",
               "it does not compile: #include \"exercises/exercise.h\" is missing");
        return;
    }
    if (!compiled)
        return;
    Run run = run_answer(work, &assignment->task, COUNTED);
    add(&v->printed, text_of(&run.printed));
    if (!explain_run(&run, &assignment->task, e->name, false, v))
        return;
    v->counted = true;
    v->counts = run.counts;
    Run ragged = run_answer(work, &assignment->task, RAGGED), altered = run;
    if (!explain_run(&ragged, &assignment->task, e->name, true, v))
        return;
    if (asks_for_shared(assignment)) {
        altered = run_altered(assignment, work, &run, &ragged);
        if (uses_uncounted(&altered, &assignment->task, false, v))
            return;
    }
    if (strstr(text_of(&assignment->goals), ": decided")) {
        Run numbers = run_answer(work, &assignment->task, NUMBERS);
        bool failed = numbers.ended[0] || numbers.error[0];
        run.counts.decided = failed ? run.size[0].found.elements : numbers.size[0].found.wrong;
        altered.counts.decided = run.counts.decided;
    }
    if (assignment->is_predictions)
        check_predictions(predictions, count, &run, v);
    else if (check_goals(assignment, &run, &altered, &ragged, v) && assignment->checks_offsets)
        check_offsets(work, &assignment->task, e->name, v);
    add_causes(&altered, assignment, e->name, v);
    add_pieces(code, v);
}

void check_answer(const Exercise *e, const char *file, Verdict *v)
{
    Assignment assignment;
    const char *why;
    size_t bytes = 0;
    memset(v, 0, sizeof *v);
    if (!read_assignment(e, &assignment))
        stop(1, "%s: task.cu cannot be read, or names no operation", relative_path(e->folder));
    char *answer = read_regular(file, ANSWER_BYTES, &bytes, &why);
    if (!answer) {
        if (!strcmp(why, "missing"))
            decide(
                v, UNSOLVED, why,
                "there is no answer; ./run_all.sh --exercises --reset %s makes one from the task",
                e->name);
        else if (!strcmp(why, "too_large"))
            decide(v, UNSOLVED, why, "the file is larger than 1 MB");
        else if (!strcmp(why, "not_a_file"))
            decide(v, UNSOLVED, why, "it is no regular file: a link, a folder or a device");
        else
            decide(v, ENVIRONMENT, "environment", "%s cannot be read", file);
        return;
    }
    const char *note = note_of_goals(&assignment, answer);
    char *work = format("%s/check.XXXXXX", settings.scratch);
    if (!blanks_are_filled(answer, v))
        ;
    else if (!mkdtemp(work))
        decide(v, ENVIRONMENT, "environment", "cannot make a temporary folder in %s: %s",
               settings.scratch, strerror(errno));
    else
        check_in(e, &assignment, answer, bytes, work, v);
    add(&v->said, note);
    remove_tree(work);
    free(answer);
}
