/* The command line of the exercises' checker, which check.sh builds and starts. */
#include "checker.h"
#include <unistd.h>

Settings settings;

static const char usage[] =
    "usage: ./run_all.sh --exercises [STEP] [--next | --watch | --summary]\n"
    "       ./run_all.sh --exercises --hint NAME | --reset NAME | --give-up NAME | --solution "
    "NAME\n"
    "       ./run_all.sh --grade DIR... | --handout DIR\n"
    "\n"
    "Checks the exercises: each has a folder steps/NN_word/exercises/NAME with a task.cu, and you "
    "solve a\n"
    "copy of it, answer.cu, which any of these commands makes. No GPU is needed.\n"
    "\n"
    "  STEP             only this step: its number, its folder or its word; or one exercise by its "
    "name\n"
    "  --next           only the first exercise that is not solved, and what it lacks\n"
    "  --watch          check the next exercise on every save; on a terminal, keys work\n"
    "  --hint NAME      a hint; repeat for the next hint\n"
    "  --reset NAME     begin again (answer.cu.old keeps your answer)\n"
    "  --give-up NAME   the explanation; afterwards --solution shows our solution\n"
    "  --solution NAME  our solution, after yours passes\n"
    "  --summary        your progress\n"
    "  --junit FILE     also write the results as JUnit's XML\n"
    "  --csv FILE       also write them as CSV\n"
    "  --gradescope FILE  also write them as the JSON that Gradescope's autograder reads\n"
    "  --grade DIR...   grade submissions: a table, and out/exercises/grades.tsv\n"
    "  --handout DIR    write the workbook without its solutions to DIR\n"
    "  --new STEP NAME  for writers: the folder of a new exercise\n"
    "\n"
    "Exit status: 0 all chosen exercises are solved (--grade: judged), 1 some are not, 2 "
    "wrong\n"
    "usage. Answers that this machine could not judge are listed, with exit status 1.\n";

static void wrong_usage(const char *how, const char *what)
{
    stop(2, "%s%s (--exercises --help lists the options)", what, how);
}

/* Resolves a path relative to the folder from which run_all.sh was called. */
static char *from_caller(const char *path)
{
    return *path == '/' || !settings.caller ? format("%s", path)
                                            : format("%s/%s", settings.caller, path);
}

static const char *output_path(const char *option, const char *path)
{
    char *full = from_caller(path), *folder = format("%s", full);
    *(strrchr(folder, '/') ? strrchr(folder, '/') : folder) = 0;
    if (is_folder(full) || access(*folder ? folder : strchr(full, '/') ? "/" : ".", W_OK))
        wrong_usage(format("%s %s: cannot write there", option, path), "");
    free(folder);
    return full;
}

static void read_settings(void)
{
    const char *home = getenv("EXERCISES_HOME"), *jobs = getenv("EXERCISES_JOBS");
    const char *seconds = getenv("EXERCISE_SECONDS"), *out = getenv("EXERCISES_OUT");
    char *root = realpath(home ? home : ".", NULL);
    if (!root)
        stop(2, "there is no workbook here");
    settings.root = root;
    settings.shared = format("%s/shared", root);
    settings.out = out && *out ? out : format("%s/out/exercises", root);
    settings.tools = getenv("TOOLS");
    settings.caller = getenv("EXERCISES_CALLER");
    settings.cpu_seconds = seconds ? atof(seconds) : 10;
    const char *patience = getenv("EXERCISE_PATIENCE");
    settings.wall_seconds = patience ? atof(patience) : 16 * settings.cpu_seconds;
    settings.jobs = jobs ? atoi(jobs) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (settings.jobs < 1)
        settings.jobs = 1;
    if (!settings.tools || !make_folders(settings.out))
        stop(1, "cannot write to %s", settings.out);
}

static const Exercise *named(const Exercises *exercises, const char *name)
{
    char *base = format("%s", name);
    size_t n = strlen(base);
    while (n && base[n - 1] == '/')
        base[--n] = 0;
    if (n > 3 && !strcmp(base + n - 3, ".cu"))
        base[n - 3] = 0;
    const Exercise *e =
        find_exercise(exercises, strrchr(base, '/') ? strrchr(base, '/') + 1 : base);
    if (!e)
        wrong_usage(": there is no exercise of that name; --exercises lists them", name);
    return e;
}

static int write_learners(const Outputs *o, const Exercises *exercises)
{
    Result *r = calloc((size_t)exercises->count + 1, sizeof *r);
    if (!r)
        stop(1, "out of memory");
    for (int i = 0; i < exercises->count; i++) {
        r[i] = (Result){.submission = "", .exercise = &exercises->item[i]};
        read_verdict(verdict_path(&exercises->item[i]), &r[i].verdict);
    }
    return write_outputs(o, r, exercises->count) ? 0 : 2;
}

int main(int argc, char **argv)
{
    enum {
        LIST,
        NEXT,
        WATCH,
        SUMMARY,
        HINT,
        RESET,
        GIVE_UP,
        SOLUTION,
        NEW,
        GRADE,
        JUDGE
    } mode = LIST;
    static const struct {
        const char *option;
        int mode, values;
    } modes[] = {{"--next", NEXT, 0},         {"--watch", WATCH, 0}, {"--summary", SUMMARY, 0},
                 {"--hint", HINT, 1},         {"--reset", RESET, 1}, {"--give-up", GIVE_UP, 1},
                 {"--solution", SOLUTION, 1}, {"--new", NEW, 2},     {"--judge", JUDGE, 1}};
    const char *step = NULL, *value[2] = {NULL, NULL};
    Outputs outputs = {NULL, NULL, NULL};
    char **folders = calloc((size_t)argc + 1, sizeof *folders);
    int folder_count = 0;
    read_settings();
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        size_t m = 0;
        while (m < sizeof modes / sizeof *modes && strcmp(a, modes[m].option))
            m++;
        bool needs = !strcmp(a, "--junit") || !strcmp(a, "--csv") || !strcmp(a, "--gradescope");
        int values = m < sizeof modes / sizeof *modes ? modes[m].values : needs;
        if (i + values >= argc)
            wrong_usage(": a value is needed after it", a);
        if (mode != LIST && (m < sizeof modes / sizeof *modes || !strcmp(a, "--grade")))
            wrong_usage(": cannot be combined with the option before it", a);
        if (m < sizeof modes / sizeof *modes) {
            mode = modes[m].mode;
            for (int k = 0; k < values; k++)
                value[k] = argv[++i];
            while (mode == JUDGE && i + 1 < argc)
                folders[folder_count++] = from_caller(argv[++i]);
        } else if (!strcmp(a, "--junit")) {
            outputs.junit = output_path(a, argv[++i]);
        } else if (!strcmp(a, "--csv")) {
            outputs.csv = output_path(a, argv[++i]);
        } else if (!strcmp(a, "--gradescope")) {
            outputs.gradescope = output_path(a, argv[++i]);
        } else if (!strcmp(a, "--grade")) {
            mode = GRADE;
            while (i + 1 < argc && argv[i + 1][0] != '-')
                folders[folder_count++] = from_caller(argv[++i]);
            if (!folder_count)
                wrong_usage("--grade: the folder of at least one submission is needed", "");
        } else if (!strcmp(a, "--help")) {
            fputs(usage, stdout);
            return 0;
        } else if (!strcmp(a, "--exercises")) {
        } else if (*a == '-') {
            wrong_usage(": unknown option", a);
        } else if (step) {
            wrong_usage(": one step or exercise at a time", a);
        } else {
            step = a;
        }
    }
    Exercises all = find_exercises();
    if (!all.count)
        stop(2, "there are no exercises in %s/steps", settings.root);
    if (mode == NEW)
        return new_exercise(&all, value[0], value[1]);
    Exercises exercises = all;
    if (step) {
        char *base = format("%s", step);
        size_t n = strlen(base);
        while (n && base[n - 1] == '/')
            base[--n] = 0;
        char *last = strrchr(base, '/') ? strrchr(base, '/') + 1 : base;
        exercises = selected(&all, last);
        if (!exercises.count)
            exercises = selected(&all, named(&all, last)->name);
    }
    const Exercise *e = value[0] ? named(&all, value[0]) : NULL;
    int status = 0;
    start_scratch();
    switch (mode) {
    case HINT: return show_hint(e);
    case RESET: return reset(e);
    case SOLUTION: return show_solution(e);
    case GIVE_UP: return show_given_up(e);
    case JUDGE: return judge_files(e, folders, folder_count);
    case SUMMARY: return show_summary(&exercises);
    case WATCH: return watch(&exercises, &all);
    case GRADE: return grade(&exercises, folders, folder_count, &outputs);
    case NEXT: status = show_next(&exercises, &all); break;
    default: check_all(&exercises); status = show_list(&exercises, &all);
    }
    if (outputs.junit || outputs.csv || outputs.gradescope) {
        if (mode == NEXT)
            check_all(&exercises);
        if (write_learners(&outputs, &exercises))
            return 2;
    }
    return status;
}
