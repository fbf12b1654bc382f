/* Reads the operation and the goals of a task. Calls no function of the system, so that the book's lab can use it. */
#include "checker.h"

const char *const counter_names[COUNTERS] = {
    "global_load",       "global_store",      "shared_load", "shared_store",
    "async_copy_global", "async_copy_shared", "tma_load",    "tma_store"};

char *next_line(const char **p)
{
    if (!**p)
        return NULL;
    size_t n = strcspn(*p, "\n"), keep = n;
    if (keep && (*p)[keep - 1] == '\r')
        keep--;
    char *line = format("%.*s", (int)keep, *p);
    *p += n + ((*p)[n] == '\n');
    return line;
}

void decide(Verdict *v, Status status, const char *reason, const char *how, ...)
{
    va_list list;
    char *p;
    va_start(list, how);
    if (vasprintf(&p, how, list) < 0)
        stop(1, "out of memory");
    va_end(list);
    v->status = status;
    snprintf(v->reason, sizeof v->reason, "%s", reason);
    v->said.n = 0;
    if (v->said.p)
        *v->said.p = 0;
    if (*p)
        addf(&v->said, "%s\n", p);
    free(p);
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

bool asks_for_shared(const Assignment *assignment)
{
    return strstr(text_of(&assignment->goals), ": through_shared") ||
           strstr(text_of(&assignment->goals), ": exchanged");
}

bool parse_assignment(const char *text, Assignment *assignment)
{
    char *line;
    *assignment = (Assignment){.text = format("%s", text), .task = default_task()};
    bool known = false;
    for (const char *p = text; (line = next_line(&p)); free(line)) {
        known |= read_task_line(line, &assignment->task);
        assignment->is_layout |= starts_with(line, "// operation: layout");
        assignment->is_predictions |= starts_with(line, "// predict:");
        assignment->checks_offsets |= !strcmp(line, "// goal: offsets 64");
        if (is_goal_line(line))
            addf(&assignment->goals, "%s\n", line);
    }
    if (!assignment->is_layout)
        add_least_work(assignment);
    return known || assignment->is_layout;
}
