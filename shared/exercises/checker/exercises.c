/* Finds the exercises and reads their tasks. */
#include "checker.h"
#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_in(const Exercise *e, const char *name) { return format("%s/%s", e->folder, name); }

char *relative_path(const char *path)
{
    size_t n = strlen(settings.root);
    return format("%s", !strncmp(path, settings.root, n) && path[n] == '/' ? path + n + 1 : path);
}

/* Compares exercises by step, then by name; numbers in names count as numbers: tma2 before tma10. */
static int by_place(const void *a, const void *b)
{
    const Exercise *x = a, *y = b;
    int steps = strverscmp(x->step, y->step);
    return steps ? steps : strverscmp(x->name, y->name);
}

static void find_in_step(Exercises *exercises, const char *step)
{
    char *folder = format("%s/steps/%s/exercises", settings.root, step);
    DIR *d = opendir(folder);
    struct dirent *entry;
    while (d && (entry = readdir(d))) {
        char *home = format("%s/%s", folder, entry->d_name), *task = format("%s/task.cu", home);
        if (entry->d_name[0] != '.' && is_file(task)) {
            exercises->item =
                allocate(exercises->item, sizeof *exercises->item * (size_t)(exercises->count + 1));
            exercises->item[exercises->count++] =
                (Exercise){format("%s", step), format("%s", entry->d_name), home};
        }
        free(task);
    }
    if (d)
        closedir(d);
}

Exercises find_exercises(void)
{
    Exercises exercises = {NULL, 0};
    char *steps = format("%s/steps", settings.root);
    DIR *d = opendir(steps);
    struct dirent *entry;
    while (d && (entry = readdir(d))) {
        struct stat s;
        const char *n = entry->d_name;
        char *path = format("%s/%s", steps, n);
        if (isdigit((unsigned char)n[0]) && isdigit((unsigned char)n[1]) && n[2] == '_' &&
            !lstat(path, &s) && S_ISDIR(s.st_mode))
            find_in_step(&exercises, n);
    }
    if (d)
        closedir(d);
    if (exercises.count)
        qsort(exercises.item, (size_t)exercises.count, sizeof *exercises.item, by_place);
    return exercises;
}

/* True if the word names the step: by its folder, its number, or the first words of its name. */
static bool names_step(const char *word, const char *step)
{
    size_t n = strlen(word);
    return !strcmp(word, step) || (n == 2 && !strncmp(word, step, 2)) ||
           (!strncmp(word, step + 3, n) && (step[3 + n] == 0 || step[3 + n] == '_'));
}

Exercises selected(const Exercises *all, const char *step)
{
    Exercises exercises = {calloc((size_t)all->count + 1, sizeof *exercises.item), 0};
    for (int i = 0; i < all->count; i++)
        if (!step || names_step(step, all->item[i].step) || !strcmp(step, all->item[i].name))
            exercises.item[exercises.count++] = all->item[i];
    return exercises;
}

const Exercise *find_exercise(const Exercises *all, const char *name)
{
    const Exercise *last = NULL;
    int found = 0;
    for (int i = 0; i < all->count; i++) {
        if (!strcmp(all->item[i].name, name))
            return &all->item[i];
        if (starts_with(all->item[i].name, name))
            last = &all->item[i], found++;
    }
    return found == 1 ? last : NULL;
}

bool read_assignment(const Exercise *e, Assignment *assignment)
{
    char *path = file_in(e, "task.cu"), *text = read_file(path);
    free(path);
    if (!text || !parse_assignment(text, assignment))
        return false;
    if (assignment->checks_offsets && assignment->task.bytes > LARGE_ELEMENT_BYTES)
        stop(1, "%s: offsets are checked with elements of at most %d bytes",
             relative_path(e->folder), LARGE_ELEMENT_BYTES);
    return true;
}

/* Returns the title in the second line of the task, " * NAME: TITLE." */
char *title_of(const Exercise *e)
{
    char *path = file_in(e, "task.cu"), *all = read_file(path), *mark = format(" * %s: ", e->name);
    const char *at = all ? strstr(all, mark) : NULL;
    if (!at)
        return format("(no title)");
    at += strlen(mark);
    size_t n = strcspn(at, "\n");
    return format("%.*s", (int)(n && at[n - 1] == '.' ? n - 1 : n), at);
}

bool is_untouched(const Exercise *e, const char *answer)
{
    char *path = file_in(e, "task.cu"), *task = read_file(path);
    bool same = task && !strcmp(task, answer);
    free(path);
    free(task);
    return same;
}
