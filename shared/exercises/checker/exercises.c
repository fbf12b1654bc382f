/* Where the exercises are, and what a task asks for. */
#include "checker.h"
#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_in(const Exercise *e, const char *name) { return text("%s/%s", e->folder, name); }

char *shown(const char *path)
{
    size_t n = strlen(places.root);
    return text("%s", !strncmp(path, places.root, n) && path[n] == '/' ? path + n + 1 : path);
}

/* By step, then by name, numbers in it as numbers: tma2 before tma10. */
static int by_place(const void *a, const void *b)
{
    const Exercise *x = a, *y = b;
    int steps = strverscmp(x->step, y->step);
    return steps ? steps : strverscmp(x->name, y->name);
}

static void find_in_step(Book *book, const char *step)
{
    char *folder = text("%s/steps/%s/exercises", places.root, step);
    DIR *d = opendir(folder);
    struct dirent *entry;
    while (d && (entry = readdir(d))) {
        char *home = text("%s/%s", folder, entry->d_name), *task = text("%s/task.cu", home);
        if (entry->d_name[0] != '.' && is_file(task)) {
            book->list = realloc(book->list, sizeof *book->list * (size_t)(book->count + 1));
            if (!book->list)
                stop(1, "out of memory");
            book->list[book->count++] =
                (Exercise){text("%s", step), text("%s", entry->d_name), home};
        }
        free(task);
    }
    if (d)
        closedir(d);
}

Book find_book(void)
{
    Book book = {NULL, 0};
    char *steps = text("%s/steps", places.root);
    DIR *d = opendir(steps);
    struct dirent *entry;
    while (d && (entry = readdir(d))) {
        struct stat s;
        const char *n = entry->d_name;
        char *path = text("%s/%s", steps, n);
        if (isdigit((unsigned char)n[0]) && isdigit((unsigned char)n[1]) && n[2] == '_' &&
            !lstat(path, &s) && S_ISDIR(s.st_mode))
            find_in_step(&book, n);
    }
    if (d)
        closedir(d);
    if (book.count)
        qsort(book.list, (size_t)book.count, sizeof *book.list, by_place);
    return book;
}

/* Whether a word names a step: its folder, its number, its word or the beginning of that. */
static bool names_step(const char *word, const char *step)
{
    size_t n = strlen(word);
    return !strcmp(word, step) || (n == 2 && !strncmp(word, step, 2)) ||
           (!strncmp(word, step + 3, n) && (step[3 + n] == 0 || step[3 + n] == '_'));
}

Book selected(const Book *all, const char *step)
{
    Book book = {calloc((size_t)all->count + 1, sizeof *book.list), 0};
    for (int i = 0; i < all->count; i++)
        if (!step || names_step(step, all->list[i].step) || !strcmp(step, all->list[i].name))
            book.list[book.count++] = all->list[i];
    return book;
}

const Exercise *find_exercise(const Book *all, const char *name)
{
    const Exercise *last = NULL;
    int found = 0;
    for (int i = 0; i < all->count; i++) {
        if (!strcmp(all->list[i].name, name))
            return &all->list[i];
        if (starts_with(all->list[i].name, name))
            last = &all->list[i], found++;
    }
    return found == 1 ? last : NULL;
}

bool is_goal_line(const char *line)
{
    static const char *const words[] = {
        "operation:", "multiple:", "counted:", "capability:", "goal:", "silver:", "gold:"};
    if (!starts_with(line, "//"))
        return false;
    line += 2 + strspn(line + 2, " ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts_with(line, words[i]))
            return true;
    return false;
}

bool read_asked(const Exercise *e, Asked *asked)
{
    char *path = file_in(e, "task.cu"), *line;
    *asked = (Asked){.text = read_all(path), .task = default_task()};
    free(path);
    if (!asked->text)
        return false;
    bool known = false;
    for (const char *p = asked->text; (line = next_line(&p)); free(line)) {
        known |= read_task_line(line, &asked->task);
        asked->is_layout |= starts_with(line, "// operation: layout");
        asked->is_predictions |= starts_with(line, "// predict:");
        asked->asks_offsets |= !strcmp(line, "// goal: offsets 64");
        if (is_goal_line(line))
            addf(&asked->goals, "%s\n", line);
    }
    if (asked->asks_offsets && asked->task.bytes > VAST_BYTES)
        stop(1, "%s: offsets are looked at with elements of at most %d bytes", shown(e->folder),
             VAST_BYTES);
    return known || asked->is_layout;
}

/* The second line of the task, " * NAME: TITLE." */
char *title_of(const Exercise *e)
{
    char *path = file_in(e, "task.cu"), *all = read_all(path), *mark = text(" * %s: ", e->name);
    const char *at = all ? strstr(all, mark) : NULL;
    if (!at)
        return text("(no title)");
    at += strlen(mark);
    size_t n = strcspn(at, "\n");
    return text("%.*s", (int)(n && at[n - 1] == '.' ? n - 1 : n), at);
}

bool is_untouched(const Exercise *e, const char *answer)
{
    char *path = file_in(e, "task.cu"), *task = read_all(path);
    bool same = task && !strcmp(task, answer);
    free(path);
    free(task);
    return same;
}
