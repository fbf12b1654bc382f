/* What the learner sees: the list, what is next, hints, solutions, the end. */
#include "checker.h"
#include <ctype.h>
#include <unistd.h>

/* ---- commands as they are typed where one stands ---- */

/* In a step's folder one types make; elsewhere run_all.sh. */
char *where(const char *path)
{
    const char *at = places.caller;
    size_t n = at ? strlen(at) : 0;
    if (n && !strncmp(path, at, n) && path[n] == '/')
        return text("%s", path + n + 1);
    if (!n || !strcmp(at, places.root))
        return shown(path);
    return text("%s", path);
}

char *command(const char *action, const char *name)
{
    const char *of = name ? name : "";
    if (getenv("EXERCISES_MAKE")) {
        if (name)
            return text("make %s NAME=%s", action, of);
        return text("make %s", action);
    }
    char *script = !places.caller || !strcmp(places.caller, places.root)
                       ? text("./run_all.sh")
                       : text("%s/run_all.sh", places.root);
    if (!strcmp(action, "check"))
        return text("%s --exercises %s", script, of);
    return text("%s --exercises --%s%s%s", script, action, name ? " " : "", of);
}

/* ---- checking ---- */

bool begin(const Exercise *e)
{
    char *answer = file_in(e, "answer.cu");
    bool good = access(answer, F_OK) == 0 || copy_file(file_in(e, "task.cu"), answer);
    if (!good)
        stop(1, "cannot write %s", shown(answer));
    return good;
}

void show_printed(const Verdict *v)
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
    for (const char *p = text_of(&v->pile); (line = next_line(&p)); free(line))
        printf("    %s\n", line);
}

/* Those that a check has found solved, and that were not before. */
static const Exercise *news[256];
static int news_count;

static void note_news(const Exercise *e, bool before)
{
    if (!before && is_solved(e) && news_count < 256)
        news[news_count++] = e;
}

void tell_news(void)
{
    enum { TOLD = 2 }; /* of many, the last */
    for (int i = 0; i < news_count; i++) {
        Verdict v;
        printf("\n%s is solved.\n", news[i]->name);
        if (i < news_count - TOLD || !read_verdict(now_path(news[i]), &v))
            continue;
        show_said(&v);
        show_printed(&v);
        explain_exercise(news[i], &v);
    }
    news_count = 0;
}

void check_one(const Exercise *e, Verdict *v)
{
    bool before = is_solved(e);
    begin(e);
    Job job = {e, file_in(e, "answer.cu"), now_path(e)};
    run_jobs(&job, 1, true);
    if (!read_verdict(now_path(e), v))
        stop(1, "cannot write to %s", places.out);
    note_news(e, before);
}

/* Checks what was begun, and the first that was not, of which more is to be said. */
void check_book(const Book *book)
{
    Job *jobs = calloc((size_t)book->count + 1, sizeof *jobs);
    bool first = true, *before = calloc((size_t)book->count + 1, sizeof *before);
    int n = 0;
    if (!jobs || !before)
        stop(1, "out of memory");
    for (int i = 0; i < book->count; i++) {
        const Exercise *e = &book->list[i];
        char *answer = read_all(file_in(e, "answer.cu"));
        bool untouched = !answer || is_untouched(e, answer);
        free(answer);
        if (untouched && !first) {
            Verdict v = {0};
            decide(&v, UNSOLVED, "untouched", "it is as it was at first");
            write_verdict(now_path(e), &v);
            continue;
        }
        if (untouched)
            first = !begin(e);
        before[n] = is_solved(e);
        jobs[n++] = (Job){e, file_in(e, "answer.cu"), now_path(e)};
    }
    run_jobs(jobs, n, true);
    for (int i = 0; i < n; i++)
        note_news(jobs[i].exercise, before[i]);
    free(before);
    free(jobs);
}

static const Exercise *first_unsolved(const Book *book)
{
    for (int i = 0; i < book->count; i++)
        if (!is_solved(&book->list[i]))
            return &book->list[i];
    return NULL;
}

/* ---- what is shown ---- */

static char *bar(int done, int all, int width)
{
    char *p = calloc((size_t)width + 1, 1);
    for (int i = 0; p && i < width; i++)
        p[i] = i < (all ? width * done / all : 0) ? '#' : '.';
    return p ? p : "";
}

static int solved_of_step(const Book *book, const char *step, int *all)
{
    int solved = 0;
    *all = 0;
    for (int i = 0; i < book->count; i++)
        if (!strcmp(book->list[i].step, step)) {
            solved += is_solved(&book->list[i]);
            ++*all;
        }
    return solved;
}

void say_next(const Book *all, const Exercise *e, const Verdict *v)
{
    char *line, *lesson = text("%s/steps/%s/README.md", places.root, e->step);
    int n = 0, of_step;
    printf("\nnext: %s: %s\n", e->name, title_of(e));
    if (!solved_of_step(all, e->step, &of_step) && is_file(lesson))
        printf("  read    %s first\n", where(lesson));
    printf("  edit    %s\n", where(file_in(e, "answer.cu")));
    for (const char *p = text_of(&v->said); (line = next_line(&p)); free(line))
        printf("%s%s\n", n++ ? "          " : "  now     ", line);
    for (const char *p = text_of(&v->pile); (line = next_line(&p)); free(line))
        printf("          %s\n", line);
    show_printed(v);
    printf("  check   %s\n  hint    %s\n", command("check", e->name), command("hint", e->name));
}

static void show_line(const Exercise *e, const char *mark)
{
    Verdict v;
    bool known = read_verdict(now_path(e), &v);
    if (known && v.status == SOLVED)
        printf("  %-8s  %-24s %s%s%.*s\n", "solved", e->name, v.medal, *v.medal ? " " : "",
               (int)strcspn(text_of(&v.gpu), "\n"), text_of(&v.gpu));
    else
        printf("  %-8s  %-24s %s\n", known && v.status == ENVIRONMENT ? "unknown" : mark, e->name,
               title_of(e));
}

int show_list(const Book *book, const Book *all)
{
    const Exercise *next = first_unsolved(book);
    int solved = 0;
    for (int i = 0; i < book->count; i++) {
        const Exercise *e = &book->list[i];
        int of_step, of_it;
        if (!i || strcmp(e->step, book->list[i - 1].step)) {
            of_it = solved_of_step(all, e->step, &of_step);
            printf("\n%-24s [%s] %d of %d\n", e->step, bar(of_it, of_step, 16), of_it, of_step);
        }
        solved += is_solved(e);
        show_line(e, e == next ? "next ->" : "-");
    }
    printf("\n[%s] %d of %d solved\n", bar(solved, book->count, 32), solved, book->count);
    Verdict v;
    if (book->count > 1)
        tell_news();
    if (next && read_verdict(now_path(next), &v)) {
        say_next(all, next, &v);
        if (v.status == ENVIRONMENT)
            fprintf(stderr, "run_all.sh: this machine could not judge everything\n");
    } else if (book->count == 1 && read_verdict(now_path(&book->list[0]), &v)) {
        printf("\n%s is solved.\n", book->list[0].name);
        show_said(&v);
        show_printed(&v);
        explain_exercise(&book->list[0], &v);
    } else if (book->count == all->count) {
        show_summary(all);
    }
    return next ? 1 : 0;
}

int show_next(const Book *book, const Book *all)
{
    for (int i = 0; i < book->count; i++) {
        Verdict v;
        check_one(&book->list[i], &v);
        if (v.status != SOLVED) {
            tell_news();
            say_next(all, &book->list[i], &v);
            return 1;
        }
    }
    tell_news();
    printf("all %d solved%s.\n", book->count,
           book->count == all->count ? ": the whole workbook. Well done" : "");
    if (book->count == all->count)
        show_summary(all);
    return 0;
}

int show_summary(const Book *book)
{
    int solved = 0, hints = 0, given_up = 0, gold = 0, silver = 0, of_step;
    printf("\n  The transpose workbook\n\n");
    for (int i = 0; i < book->count; i++) {
        const Exercise *e = &book->list[i];
        Verdict v;
        if (!i || strcmp(e->step, book->list[i - 1].step)) {
            int n = solved_of_step(book, e->step, &of_step);
            printf("  %-24s [%s] %d of %d\n", e->step, bar(n, of_step, 24), n, of_step);
        }
        if (!read_verdict(now_path(e), &v) || v.status != SOLVED)
            continue;
        solved++;
        hints += hints_seen(e);
        given_up += is_given_up(e);
        gold += !strcmp(v.medal, "gold");
        silver += !strcmp(v.medal, "silver");
    }
    printf("\n  %d of %d exercises solved, with %d hint%s", solved, book->count, hints,
           hints == 1 ? "" : "s");
    if (gold + silver)
        printf(", %d gold and %d silver", gold, silver);
    if (given_up)
        printf("; of these, the solution of %d was looked at", given_up);
    printf(".\n");
    return solved < book->count;
}

/* ---- hints and solutions ---- */

int show_hint(const Exercise *e)
{
    char *all = read_all(file_in(e, "hints.md")), *line;
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
    char *now_there = read_all(answer);
    if (now_there && !is_untouched(e, now_there)) {
        if (!copy_file(answer, old))
            stop(2, "cannot write %s", shown(old));
        printf("yours is kept as %s\n", where(old));
    }
    if (!copy_file(file_in(e, "task.cu"), answer))
        stop(2, "cannot write %s", shown(answer));
    printf("%s is as it was at first\n", where(answer));
    return 0;
}

int show_solution(const Exercise *e)
{
    if (!is_solved(e) && !is_given_up(e)) {
        fprintf(stderr, "run_all.sh: %s is not solved yet; a hint: %s; to give up: %s\n", e->name,
                command("hint", e->name), command("give-up", e->name));
        return 1;
    }
    char *solution = read_all(file_in(e, "solution.cu"));
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
    char *path = text("%s/%s", folder, name);
    return write_file(path, content, strlen(content));
}

int new_exercise(const Book *all, const char *step, const char *name)
{
    const char *of_step = NULL;
    char *folder;
    for (const char *p = name; *p; p++)
        if (!(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_'))
            stop(2, "--new %s: a name is made of a-z, 0-9 and _", name);
    Book some = selected(all, step);
    of_step = some.count ? some.list[0].step : step;
    if (!is_folder(text("%s/steps/%s", places.root, of_step)))
        stop(2, "--new %s: there is no step of that name", step);
    folder = text("%s/steps/%s/exercises/%s", places.root, of_step, name);
    if (access(folder, F_OK) == 0 || find_exercise(all, name))
        stop(2, "--new %s: it is there already", name);
    char *template = read_all(text("%s/exercises/task.template", places.shared)), *mark;
    Text task = {NULL, 0, 0};
    if (!template || !make_folders(folder))
        stop(2, "cannot write %s", shown(folder));
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
            "from: solution\n"
            "- TODO: a line of the solution\n"
            "+ TODO: the line that takes its place\n");
    if (!good)
        stop(2, "cannot write %s", shown(folder));
    printf("%s: fill in what says TODO; shared/exercises/README.md describes the files\n"
           "steps/%s/README.md: its table of exercises may name it too\n",
           shown(folder), of_step);
    return 0;
}
