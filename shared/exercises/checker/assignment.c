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

const int also[COUNTERS][3] = {{4}, {0}, {COUNTERS}, {5, COUNTERS + 1}};

const char *const figures[FIGURES][2] = {
    {"shared_bytes", "a block takes %s bytes of shared memory"},
    {"launches", "the launch function starts %s kernels"},
    {"blocks", "the grid has %s blocks"},
    {"threads_per_block", "a block has %s threads"},
    {"tile_rows", "a block loads from %s rows"},
    {"variable_bytes", "device variables take %s bytes"},
    {"mbarrier_phases", "mbarriers complete %s phases without copies that another warp waits for"},
    {"through_shared", "of the output, %s percent come out of shared memory (in a run "
                       "whose loads from it give other values)"},
    {"exchanged", "of the output, %s percent come out of shared memory where another thread has "
                  "put them, and by no shuffle or vote (in a run whose loads give other values)"},
    {"across_warps", "of the output, %s percent come out of shared memory where another warp has "
                     "put them (in a run whose loads give other values)"},
    {"stores_per_load", "a request for loads from shared memory takes what %s requests have stored "
                        "(let it take a column of what was stored by rows)"},
    {"across_blocks", "of the output, %s percent come out of variables where another block has put "
                      "them (in a run whose loads give other values)"},
    {"decided", "integers in shared memory decide %s elements of the output"},
    {"decided_across", "integers in shared memory that another warp has put there decide %s "
                       "elements of the output (all if the kernel fails when they change)"},
    {"later_bytes", "%s bytes come by TMA on mbarriers that loads have used before"},
    {"bytes_in_flight",
     "when a thread's wait for a tile ends, at most %s bytes of others are on the way to its block "
     "(start their loads before the wait)"}};

bool read_what(const char *counter, const char *quantity, What *w)
{
    static const char *const quantities[] = {"requests",        "work", "extra", "work_per_request",
                                             "conflict_degree", "ideal"};
    w->counter = -1;
    for (int i = 0; i < FIGURES; i++)
        if (!*quantity && !strcmp(counter, figures[i][0])) {
            w->figure = i;
            return true;
        }
    for (int i = 0; i < COUNTERS; i++)
        if (!strcmp(counter, counter_names[i]))
            w->counter = i;
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (w->counter >= 0 && !strcmp(quantity, quantities[i])) {
            w->quantity = (int)i;
            return true;
        }
    return false;
}

double value_of(const What *w, const struct counts *c)
{
    const uint64_t figure[FIGURES] = {
        c->shared_bytes,   c->launches,       c->blocks,          c->threads,
        c->tile_rows,      c->variable_bytes, c->phases,          c->through_shared,
        c->through_shared, c->through_shared, c->stores_per_load, c->through_shared,
        c->decided,        c->decided,        c->later_bytes,     c->in_flight};
    if (w->counter < 0)
        return (double)figure[w->figure];
    double requests = 0, work = 0, ideal = 0;
    for (int i = w->counter, next = 0;; i = also[w->counter][next++]) {
        requests += (double)c->counter[i].requests;
        work += (double)c->counter[i].work;
        ideal += (double)c->counter[i].ideal_work;
        if (!also[w->counter][next])
            break;
    }
    switch (w->quantity) {
    case REQUESTS: return requests;
    case WORK: return work;
    case EXTRA: return work - ideal;
    case IDEAL: return ideal;
    case WORK_PER_REQUEST: return requests ? work / requests : 0;
    default: return ideal ? work / ideal : 1;
    }
}

bool asks_for_shared(const Assignment *assignment)
{
    return strstr(text_of(&assignment->goals), ": through_shared") ||
           strstr(text_of(&assignment->goals), ": exchanged") ||
           strstr(text_of(&assignment->goals), ": across_");
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

char *size_text(const Run *run, int n, const Task *task)
{
    int rows = run->size[n].rows, cols = run->size[n].cols, count = run->size[n].count;
    return count == task->count
               ? format("%d x %d", rows, cols)
               : format("%d x %d (%d matri%s)", rows, cols, count, count > 1 ? "ces" : "x");
}
