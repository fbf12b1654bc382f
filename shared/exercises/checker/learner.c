/* Prints the list of exercises, the next exercise, hints, solutions and progress. */
#include "checker.h"
#include <ctype.h>
#include <unistd.h>

/* ---- commands and paths as the learner types them ---- */

char *path_for_user(const char *path)
{
    const char *at = settings.caller;
    size_t n = at ? strlen(at) : 0;
    if (n && !strncmp(path, at, n) && path[n] == '/')
        return format("%s", path + n + 1);
    if (!n || !strcmp(at, settings.root))
        return relative_path(path);
    return format("%s", path);
}

/* A command starts with `make` if the call came from a step's folder, else with run_all.sh. */
char *command_line(const char *action, const char *name)
{
    const char *of = name ? name : "";
    if (getenv("EXERCISES_MAKE")) {
        if (name)
            return format("make %s NAME=%s", action, of);
        return format("make %s", action);
    }
    char *script = !settings.caller || !strcmp(settings.caller, settings.root)
                       ? format("./run_all.sh")
                       : format("%s/run_all.sh", settings.root);
    if (!strcmp(action, "check"))
        return format("%s --exercises %s", script, of);
    return format("%s --exercises --%s%s%s", script, action, name ? " " : "", of);
}

/* ---- checking ---- */

void make_answer(const Exercise *e)
{
    char *answer = file_in(e, "answer.cu");
    if (access(answer, F_OK) != 0 && !copy_file(file_in(e, "task.cu"), answer))
        stop(1, "cannot write %s", relative_path(answer));
}

/* Shows the first 20 lines that the submission printed. */
static void show_printed(const Verdict *v)
{
    char *line;
    int n = 0;
    for (const char *p = text_of(&v->printed); (line = next_line(&p)); free(line))
        if (n++ < 20)
            printf("%s%s\n", n == 1 ? "  printed " : "          ", line);
    if (n > 20)
        printf("          (%d lines more)\n", n - 20);
}

static void show_said(const Verdict *v)
{
    char *line;
    for (const char *p = text_of(&v->said); (line = next_line(&p)); free(line))
        printf("  %s\n", line);
    for (const char *p = text_of(&v->conflict); (line = next_line(&p)); free(line))
        printf("    %s\n", line);
}

/* The exercises that the last check found solved for the first time. */
static const Exercise *newly_solved[256];
static int newly_solved_count;

static void note_newly_solved(const Exercise *e, bool before)
{
    if (!before && is_solved(e) && newly_solved_count < 256)
        newly_solved[newly_solved_count++] = e;
}

void show_newly_solved(void)
{
    enum { EXPLAINED = 2 }; /* only the last two are explained */
    for (int i = 0; i < newly_solved_count; i++) {
        Verdict v;
        printf("\n%s is solved.\n", newly_solved[i]->name);
        if (i < newly_solved_count - EXPLAINED || !read_verdict(verdict_path(newly_solved[i]), &v))
            continue;
        show_said(&v);
        show_printed(&v);
        explain_exercise(newly_solved[i], &v);
    }
    newly_solved_count = 0;
}

void check_one(const Exercise *e, Verdict *v)
{
    bool before = is_solved(e);
    make_answer(e);
    Job job = {e, file_in(e, "answer.cu"), verdict_path(e)};
    run_jobs(&job, 1, true);
    if (!read_verdict(verdict_path(e), v))
        stop(1, "cannot write to %s", settings.out);
    note_newly_solved(e, before);
}

void check_all(const Exercises *exercises)
{
    Job *jobs = calloc((size_t)exercises->count + 1, sizeof *jobs);
    bool first = true, *before = calloc((size_t)exercises->count + 1, sizeof *before);
    int n = 0;
    if (!jobs || !before)
        stop(1, "out of memory");
    for (int i = 0; i < exercises->count; i++) {
        const Exercise *e = &exercises->item[i];
        char *answer = read_file(file_in(e, "answer.cu"));
        bool untouched = !answer || is_untouched(e, answer);
        free(answer);
        if (untouched && !first) {
            Verdict v = {0};
            decide(&v, UNSOLVED, "untouched", "it is as it was at first");
            write_verdict(verdict_path(e), &v);
            continue;
        }
        if (untouched) {
            make_answer(e);
            first = false;
        }
        before[n] = is_solved(e);
        jobs[n++] = (Job){e, file_in(e, "answer.cu"), verdict_path(e)};
    }
    run_jobs(jobs, n, true);
    for (int i = 0; i < n; i++)
        note_newly_solved(jobs[i].exercise, before[i]);
    free(before);
    free(jobs);
}

static const Exercise *first_unsolved(const Exercises *exercises)
{
    for (int i = 0; i < exercises->count; i++)
        if (!is_solved(&exercises->item[i]))
            return &exercises->item[i];
    return NULL;
}

/* ---- progress ---- */

static char *bar(int done, int all, int width)
{
    char *p = calloc((size_t)width + 1, 1);
    for (int i = 0; p && i < width; i++)
        p[i] = i < (all ? width * done / all : 0) ? '#' : '.';
    return p ? p : "";
}

static int solved_of_step(const Exercises *exercises, const char *step, int *all)
{
    int solved = 0;
    *all = 0;
    for (int i = 0; i < exercises->count; i++)
        if (!strcmp(exercises->item[i].step, step)) {
            solved += is_solved(&exercises->item[i]);
            ++*all;
        }
    return solved;
}

void say_next(const Exercises *all, const Exercise *e, const Verdict *v)
{
    char *line, *lesson = format("%s/steps/%s/README.md", settings.root, e->step);
    int n = 0, of_step;
    printf("\nnext: %s: %s\n", e->name, title_of(e));
    if (!solved_of_step(all, e->step, &of_step) && is_file(lesson))
        printf("  read    %s first\n", path_for_user(lesson));
    printf("  edit    %s\n", path_for_user(file_in(e, "answer.cu")));
    for (const char *p = text_of(&v->said); (line = next_line(&p)); free(line))
        printf("%s%s\n", n++ ? "          " : "  now     ", line);
    for (const char *p = text_of(&v->conflict); (line = next_line(&p)); free(line))
        printf("          %s\n", line);
    show_printed(v);
    printf("  check   %s\n  hint    %s\n", command_line("check", e->name),
           command_line("hint", e->name));
}

static void show_line(const Exercise *e, const char *mark)
{
    Verdict v;
    bool known = read_verdict(verdict_path(e), &v);
    if (known && v.status == SOLVED)
        printf("  %-8s  %-24s %s%s%.*s\n", "solved", e->name, v.medal, *v.medal ? " " : "",
               (int)strcspn(text_of(&v.gpu), "\n"), text_of(&v.gpu));
    else
        printf("  %-8s  %-24s %s\n", known && v.status == ENVIRONMENT ? "unknown" : mark, e->name,
               title_of(e));
}

int show_list(const Exercises *exercises, const Exercises *all)
{
    const Exercise *next = first_unsolved(exercises);
    int solved = 0;
    for (int i = 0; i < exercises->count; i++) {
        const Exercise *e = &exercises->item[i];
        int of_step, of_it;
        if (!i || strcmp(e->step, exercises->item[i - 1].step)) {
            of_it = solved_of_step(all, e->step, &of_step);
            printf("\n%-24s [%s] %d of %d\n", e->step, bar(of_it, of_step, 16), of_it, of_step);
        }
        solved += is_solved(e);
        show_line(e, e == next ? "next ->" : "-");
    }
    printf("\n[%s] %d of %d solved\n", bar(solved, exercises->count, 32), solved, exercises->count);
    Verdict v;
    if (exercises->count > 1)
        show_newly_solved();
    if (next && read_verdict(verdict_path(next), &v)) {
        say_next(all, next, &v);
        if (v.status == ENVIRONMENT)
            fprintf(stderr, "run_all.sh: this machine could not judge everything\n");
    } else if (exercises->count == 1 && read_verdict(verdict_path(&exercises->item[0]), &v)) {
        printf("\n%s is solved.\n", exercises->item[0].name);
        show_said(&v);
        show_printed(&v);
        explain_exercise(&exercises->item[0], &v);
    } else if (exercises->count == all->count) {
        show_summary(all);
    }
    return next ? 1 : 0;
}

int show_next(const Exercises *exercises, const Exercises *all)
{
    for (int i = 0; i < exercises->count; i++) {
        Verdict v;
        check_one(&exercises->item[i], &v);
        if (v.status != SOLVED) {
            show_newly_solved();
            say_next(all, &exercises->item[i], &v);
            return 1;
        }
    }
    show_newly_solved();
    printf("all %d solved%s.\n", exercises->count,
           exercises->count == all->count ? ": the whole workbook. Well done" : "");
    if (exercises->count == all->count)
        show_summary(all);
    return 0;
}

int show_summary(const Exercises *exercises)
{
    int solved = 0, hints = 0, given_up = 0, gold = 0, silver = 0, of_step;
    printf("\n  The transpose workbook\n\n");
    for (int i = 0; i < exercises->count; i++) {
        const Exercise *e = &exercises->item[i];
        Verdict v;
        if (!i || strcmp(e->step, exercises->item[i - 1].step)) {
            int n = solved_of_step(exercises, e->step, &of_step);
            printf("  %-24s [%s] %d of %d\n", e->step, bar(n, of_step, 24), n, of_step);
        }
        if (!read_verdict(verdict_path(e), &v) || v.status != SOLVED)
            continue;
        solved++;
        hints += hints_seen(e);
        given_up += is_given_up(e);
        gold += !strcmp(v.medal, "gold");
        silver += !strcmp(v.medal, "silver");
    }
    printf("\n  %d of %d exercises solved, with %d hint%s", solved, exercises->count, hints,
           hints == 1 ? "" : "s");
    if (gold + silver)
        printf(", %d gold and %d silver", gold, silver);
    if (given_up)
        printf("; of these, the solution of %d was looked at", given_up);
    printf(".\n");
    return solved < exercises->count;
}

/* ---- hints and solutions ---- */

int show_hint(const Exercise *e)
{
    char *all = read_file(file_in(e, "hints.md")), *line;
    if (!all)
        stop(2, "there is no hint for %s", e->name);
    int count = 1, at = 1;
    for (const char *p = all; (line = next_line(&p)); free(line))
        count += !strcmp(line, "---");
    int seen = hints_seen(e) % count + 1;
    printf("%s, hint %d of %d:\n", e->name, seen, count);
    for (const char *p = all; (line = next_line(&p)); free(line))
        if (!strcmp(line, "---"))
            at++;
        else if (at == seen)
            printf("%s%s\n", *line ? "  " : "", line);
    printf(seen < count
               ? "(the same command again gives the next hint)\n"
               : "(that was the last hint; the same command again begins with the first)\n");
    set_hints_seen(e, seen);
    return 0;
}

int reset(const Exercise *e)
{
    char *answer = file_in(e, "answer.cu"), *old = file_in(e, "answer.cu.old");
    char *now_there = read_file(answer);
    if (now_there && !is_untouched(e, now_there)) {
        if (!copy_file(answer, old))
            stop(2, "cannot write %s", relative_path(old));
        printf("yours is kept as %s\n", path_for_user(old));
    }
    if (!copy_file(file_in(e, "task.cu"), answer))
        stop(2, "cannot write %s", relative_path(answer));
    printf("%s is as it was at first\n", path_for_user(answer));
    return 0;
}

int show_solution(const Exercise *e)
{
    if (!is_solved(e) && !is_given_up(e)) {
        fprintf(stderr, "run_all.sh: %s is not solved yet; a hint: %s; to give up: %s\n", e->name,
                command_line("hint", e->name), command_line("give-up", e->name));
        return 1;
    }
    char *solution = read_file(file_in(e, "solution.cu"));
    if (!solution)
        stop(2, "this copy of the workbook has no solutions");
    fputs(solution, stdout);
    return 0;
}

int show_given_up(const Exercise *e)
{
    Verdict v = {0};
    give_up(e);
    printf("%s: %s\n", e->name, title_of(e));
    explain_exercise(e, &v);
    return 0;
}

/* ---- for writers ---- */

static bool put(const char *folder, const char *name, const char *content)
{
    char *path = format("%s/%s", folder, name);
    return write_file(path, content, strlen(content));
}

int new_exercise(const Exercises *all, const char *step, const char *name)
{
    const char *of_step = NULL;
    char *folder;
    for (const char *p = name; *p; p++)
        if (!(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_'))
            stop(2, "--new %s: a name is made of a-z, 0-9 and _", name);
    Exercises some = selected(all, step);
    of_step = some.count ? some.item[0].step : step;
    if (!is_folder(format("%s/steps/%s", settings.root, of_step)))
        stop(2, "--new %s: there is no step of that name", step);
    folder = format("%s/steps/%s/exercises/%s", settings.root, of_step, name);
    if (access(folder, F_OK) == 0 || find_exercise(all, name))
        stop(2, "--new %s: it is there already", name);
    const char *template = read_file(format("%s/exercises/task.template", settings.shared)), *mark;
    struct text task = {NULL, 0, 0};
    if (!template || !make_folders(folder))
        stop(2, "cannot write %s", relative_path(folder));
    for (const char *p = template; *p; p = mark + 4) {
        mark = strstr(p, "NAME");
        add_bytes(&task, p, mark ? (size_t)(mark - p) : strlen(p));
        if (!mark)
            break;
        add(&task, name);
    }
    const char *code = strstr(task.p, "#include");
    bool good =
        put(folder, "task.cu", task.p) && put(folder, "solution.cu", code) &&
        put(folder, "hints.md", "TODO: a gentle hint.\n---\nTODO: a plainer one.\n") &&
        put(folder, "explanation.md",
            "TODO: two to five sentences on why it works.\n\nTry: TODO: one thing to try.\n") &&
        put(folder, "answers.txt",
            "untouched: TODO: what is told of the untouched task, a kind of "
            "shared/exercises/tests/messages.txt\n\n"
            "wrong: TODO: a mistake, in a few words\n"
            "told: TODO: what the learner is told of it, a kind\n"
            "- TODO: a line of the solution\n"
            "+ TODO: the line that takes its place\n");
    if (!good)
        stop(2, "cannot write %s", relative_path(folder));
    printf("%s: replace every TODO; shared/exercises/README.md describes the files\n"
           "steps/%s/README.md: its table of exercises may list this one\n",
           relative_path(folder), of_step);
    return 0;
}
