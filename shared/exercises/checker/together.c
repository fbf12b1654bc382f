/*
 * --judge: prints verdicts on answers of one exercise, for tests and writers. One call of the compiler
 * compiles several answers, each in a namespace of its own, so the answers must be trusted.
 */
#include "checker.h"

static bool compiled; /* folder() holds the compiled answers */
static int number;    /* of the answer that is judged now */

static char *folder(void) { return format("%s/together", settings.scratch); }

/* Compiles all answers with one call of the compiler; false if one of them does not compile. */
static bool compile_together(const char *name, char **answers, int count)
{
    struct text all = {NULL, 0, 0};
    addf(&all, "#include \"exercises/exercise.h\"\n");
    for (int i = 0; i < count; i++) {
        char *part = format("%s/%d", folder(), i);
        if (!make_folders(part) || !copy_file(answers[i], format("%s/%s.cu", part, name)))
            return false;
        addf(&all,
             "#define exercise_launch exercise_launch_%d\n#define exercise_elements "
             "exercise_elements_%d\nnamespace answer_%d {\n#include \"%d/%s.cu\"\n}\n"
             "#undef exercise_launch\n#undef exercise_elements\n",
             i, i, i, i, name);
    }
    char *source = format("%s.cu", name);
    if (!write_file(format("%s/%s", folder(), source), all.p, all.n))
        return false;
    Outcome o = compile_source(folder(), source);
    return o.how == ENDED && o.code == 0;
}

bool is_compiled(void) { return compiled; }

bool take_compiled(const char *work, const char *name, Verdict *v)
{
    char *rename[] = {
        "objcopy", format("--redefine-sym=exercise_launch_%d=exercise_launch", number),
        format("--redefine-sym=exercise_elements_%d=exercise_elements", number), "host.o", NULL};
    return copy_file(format("%s/host.o", folder()), format("%s/host.o", work)) &&
           copy_file(format("%s/device.o", folder()), format("%s/device.o", work)) &&
           tool_works(work, rename, name, v);
}

/* Prints status and medal, the lines for the learner, a line
 * "count<TAB>COUNTER<TAB>REQUESTS<TAB>WORK" per counter, and a form feed. */
static void print_verdict(const Verdict *v)
{
    printf("%s\t%s\t%s\n%s", status_words[v->status], v->reason, v->medal, text_of(&v->said));
    for (int i = 0; v->counted && i < COUNTERS; i++)
        printf("count\t%s\t%llu\t%llu\n", counter_names[i],
               (unsigned long long)v->counts.counter[i].requests,
               (unsigned long long)v->counts.counter[i].work);
    puts("\f");
}

int judge_files(const Exercise *e, char **files, int count)
{
    Verdict v = {0};
    Assignment a;
    char *verdict = format("%s/verdict", settings.scratch), *task = file_in(e, "task.cu");
    bool has_code = read_assignment(e, &a) && !a.is_layout;
    if (count > 1 && has_code) {
        compiled = a.is_predictions ? compile_together(e->name, &task, 1)
                                    : compile_together(e->name, files, count);
        if (!compiled)
            fprintf(stderr, "%s: not all answers compile, so each is compiled alone\n", e->name);
    }
    for (int i = 0; i < count; i++) {
        Job job = {e, files[i], verdict};
        number = a.is_predictions ? 0 : i;
        run_jobs(&job, 1, false);
        if (!read_verdict(verdict, &v))
            stop(1, "no verdict");
        print_verdict(&v);
    }
    return count == 1 && v.status != SOLVED;
}
