/* Compares the counts of a run with goals and predictions. */
#include "checker.h"
#include <ctype.h>
#include <math.h>

const char *const counter_names[COUNTERS] = {
    "global_load",       "global_store",      "shared_load", "shared_store",
    "async_copy_global", "async_copy_shared", "tma_load",    "tma_store"};
static const char *const verbs[COUNTERS] = {"loads",
                                            "stores",
                                            "loads from shared memory",
                                            "stores to shared memory",
                                            "asynchronous copies",
                                            "asynchronous copies into shared memory",
                                            "TMA loads",
                                            "TMA stores"};

/* Other ways of loading and storing that goals count too: cp.async loads from global memory and stores
 * to shared memory, ldmatrix and stmatrix load from and store to shared memory. Numbers of counts;
 * 0 ends a list. */
static const int also[COUNTERS][3] = {{4}, {0}, {COUNTERS}, {5, COUNTERS + 1}};

static const char *unit_of(int counter)
{
    return starts_with(counter_names[counter], "tma") ? "bytes"
           : strstr(counter_names[counter], "shared") ? "wavefronts"
                                                      : "sectors";
}

static const char *const figures[FIGURES][2] =
    {/* name, and a sentence with %s for the value */
     {"shared_bytes", "a block takes %s bytes of shared memory"},
     {"launches", "the launch function starts %s kernels"},
     {"blocks", "the grid has %s blocks"},
     {"threads_per_block", "a block has %s threads"},
     {"mbarrier_phases", "mbarriers complete %s phases"},
     {"through_shared", "of the output, %s percent come out of shared memory (in a run "
                        "whose loads from it give other values)"},
     {"exchanged", "of the output, %s percent come out of shared memory where another thread has "
                   "put them, and by no shuffle or vote (in a run whose loads give other values)"}};

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
    const uint64_t figure[FIGURES] = {c->shared_bytes,  c->launches, c->blocks,
                                      c->threads,       c->phases,   c->through_shared,
                                      c->through_shared};
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

static char *number(double x) { return x == floor(x) ? format("%.0f", x) : format("%.2f", x); }

/* ---- the source lines that miss a goal ---- */

/* True if the goal counts the counter of that name. */
static bool is_of(const What *w, const char *name)
{
    return !strcmp(name, counter_names[w->counter]) ||
           (also[w->counter][0] && also[w->counter][0] < COUNTERS &&
            !strcmp(name, counter_names[also[w->counter][0]]));
}

/* Adds the first three lines of cpucc's report that use this counter and explain the missed goal. */
static void add_lines(struct text *to, const Run *run, const What *w)
{
    static const char *const names[] = {"line",       "counter",    "requests",   "work",
                                        "ideal_work", "worst_bank", "worst_lanes"};
    int at[7] = {-1, -1, -1, -1, -1, -1, -1}, told = 0;
    char *line, *field[16];
    const char *p = text_of(&run->lines);
    while ((line = next_line(&p)) && told < 3) {
        int n = tsv_split(line, field, 16);
        if (at[0] < 0) { /* the header */
            for (int i = 0; i < n; i++)
                for (int k = 0; k < 7; k++)
                    if (!strcmp(field[i], names[k]))
                        at[k] = i;
            continue;
        }
        for (int k = 0; k < 7; k++)
            if (at[k] < 0 || at[k] >= n)
                return;
        if (!is_of(w, field[at[1]]))
            continue;
        double requests = atof(field[at[2]]), work = atof(field[at[3]]), ideal = atof(field[at[4]]);
        const char *unit = unit_of(w->counter), *verb = verbs[w->counter], *of = field[at[0]];
        if (w->quantity == REQUESTS || requests == 0 || (w->quantity == WORK && work <= ideal)) {
            addf(to, "\n    line %s: %s requests, %s %s", of, number(requests), number(work), unit);
        } else if (work > ideal) {
            addf(to, "\n    the %s of line %s %s %s %s a request; %s is possible", verb, of,
                 strstr(unit, "sector") ? "touch" : "take", number(work / requests), unit,
                 number(ideal / requests));
            if (strcmp(field[at[6]], "nan")) {
                int lanes = 0;
                addf(to, " (in the worst, bank %s serves lanes", field[at[5]]);
                for (char *lane = strtok(field[at[6]], " "); lane; lane = strtok(NULL, " "))
                    if (lanes++ < 8)
                        addf(to, " %s", lane);
                addf(to, "%s)", lanes > 8 ? " ..." : "");
            }
        } else {
            continue;
        }
        told++;
    }
}

/* Adds the lanes of a mask as text, such as "0-3 8 10". */
static void add_lanes(struct text *to, uint32_t lanes)
{
    for (int from = 0, end; from < 32; from = end + 1) {
        end = from;
        if (!(lanes >> from & 1))
            continue;
        while (end < 31 && lanes >> (end + 1) & 1)
            end++;
        addf(to, " %d", from);
        if (end > from)
            addf(to, "%s%d", end > from + 1 ? "-" : " ", end);
    }
}

/* Draws the request of this counter with the most wavefronts: a row per busy bank. */
static void draw_conflict(struct text *to, const Run *run, const What *w)
{
    char *line, *field[8], *of = NULL;
    int next = 0;
    for (const char *p = text_of(&run->conflicts); (line = next_line(&p));) {
        if (tsv_split(line, field, 8) != 7 || !is_of(w, field[1]))
            continue;
        if (!of) {
            of = field[0];
            addf(to,
                 "bank conflicts of line %s: its worst request takes %s wavefronts, %s would do\n",
                 of, field[2], field[3]);
            add(to, "(a # is a word that the bank serves by itself, one after the other)\n");
        } else if (strcmp(of, field[0])) {
            break; /* another source line begins */
        }
        int bank = atoi(field[4]), words = atoi(field[5]);
        if (bank > next)
            addf(to, "  bank %2d%s  idle\n", next,
                 bank > next + 1 ? format(" to %d", bank - 1) : "");
        addf(to, "  bank %2d  %.*s  lanes", bank, words < 32 ? words : 32,
             "################################");
        add_lanes(to, (uint32_t)strtoul(field[6], NULL, 16));
        add(to, "\n");
        next = bank + 1;
    }
    if (of && next < 32)
        addf(to, "  bank %2d%s  idle\n", next, next < 31 ? " to 31" : "");
}

/* ---- goals ---- */

typedef struct {
    What what;
    char relation[3];
    double bound;
    char why[64]; /* where the number comes from, if the task does not state this goal */
} Goal;

/* Reads a goal: "FIGURE RELATION NUMBER" or "COUNTER QUANTITY RELATION NUMBER", and "(WHY)". */
static Goal read_goal(const char *line)
{
    char w[4][64] = {"", "", "", ""};
    Goal g = {0};
    int n = sscanf(line, "%63s %63s %63s %63s", w[0], w[1], w[2], w[3]);
    const char *quantity = n == 4 ? w[1] : "", *relation = w[n == 4 ? 2 : 1];
    const char *bound = w[n == 4 ? 3 : 2];
    snprintf(g.relation, sizeof g.relation, "%.2s", relation);
    g.bound = atof(bound);
    const char *why = strchr(line, '(');
    if (why)
        snprintf(g.why, sizeof g.why, " %s", why);
    if ((n != 3 && n != 4) || !read_what(w[0], quantity, &g.what) ||
        (strcmp(relation, "<=") && strcmp(relation, ">=") && strcmp(relation, "==")) ||
        !isdigit((unsigned char)*bound))
        stop(1, "a task has a goal that cannot be read: %s", line);
    if (g.what.quantity == WORK_PER_REQUEST && strcmp(relation, ">="))
        stop(1, "a goal on an average can be diluted; ask for the total (work): %s", line);
    return g;
}

/* Returns the value that a goal of the form "at least" compares: only threads and blocks that make requests
 * (all blocks if their number is fixed), and only shared memory that is stored to and loaded. */
static double at_work(const Goal *g, const struct counts *c)
{
    uint64_t threads =
        c->working_threads < c->least_threads ? c->working_threads : c->least_threads;
    if (g->what.counter < 0 && g->what.figure == THREADS)
        return (double)threads;
    if (g->what.counter < 0 && g->what.figure == SHARED_BYTES && strcmp(g->relation, "<=") != 0)
        return (double)c->shared_used;
    if (g->what.counter < 0 && g->what.figure == BLOCKS && !strcmp(g->relation, ">="))
        return (double)c->working_blocks;
    return value_of(&g->what, c);
}

static bool is_met(const Goal *g, const struct counts *c)
{
    double x = value_of(&g->what, c);
    bool enough = at_work(g, c) >= g->bound, few = x <= g->bound;
    return (enough || !strcmp(g->relation, "<=")) && (few || !strcmp(g->relation, ">="));
}

/* Changes a goal for the counted size into what it asks for at another size, of `ratio` times the
 * elements: at any size no more launches and threads; for fewer elements at most twice the blocks,
 * since a narrow matrix fills its tiles by half or less. At a size with similar costs traffic is
 * `ratio` times as much; a factor allows for tiles that end elsewhere. False if it asks for nothing
 * there. */
static bool elsewhere(Goal *g, double ratio, bool similar)
{
    bool least = !strcmp(g->relation, ">="), figure = g->what.counter < 0;
    bool scales = figure ? g->what.figure == BLOCKS
                         : g->what.quantity < WORK_PER_REQUEST || g->what.quantity == IDEAL;
    bool grows =
        figure && g->what.figure == SHARED_BYTES && g->bound > 0; /* may, with the matrix */
    if (grows || (figure ? least || (scales && ratio > 1 && !similar) : !similar))
        return false;
    if (figure && scales)
        g->bound *= similar ? 1.5 * (ratio > 1 ? ratio : 1) : 2;
    if (!figure)
        g->bound *= (scales ? ratio : 1) * (least ? 0.67 : g->what.quantity == REQUESTS ? 2 : 1.5);
    g->why[0] = 0;
    g->bound = least ? floor(g->bound) : ceil(g->bound);
    if (!least)
        strcpy(g->relation, "<=");
    return true;
}

/* Adds what a goal lacks; `run`: the run at the counted size, whose lines are named, or NULL. */
static void report_goal(const Goal *g, const struct counts *counts, const Run *run, struct text *to)
{
    const What *w = &g->what;
    const char *limit = !strcmp(g->relation, "<=")   ? "at most"
                        : !strcmp(g->relation, ">=") ? "at least"
                                                     : "exactly";
    double x = value_of(w, counts);
    bool idle = x <= g->bound && at_work(g, counts) < x;
    x = idle ? at_work(g, counts) : x;
    char *value = number(x);
    if (w->counter < 0) {
        const char *sentence = figures[w->figure][1], *mark = strstr(sentence, "%s");
        addf(to, "%.*s%s%s%s", (int)(mark - sentence), sentence, value, mark + 2,
             idle ? " at work" : "");
    } else {
        const char *verb = verbs[w->counter], *unit = unit_of(w->counter);
        const char *name = counter_names[w->counter];
        switch (w->quantity) {
        case REQUESTS:
            addf(to, "the kernel makes %s requests for %s (%s)", value, verb, name);
            break;
        case WORK: addf(to, "the %s take %s %s in all (%s)", verb, value, unit, name); break;
        case EXTRA:
            addf(to, "the %s take %s %s more than their bytes need (%s)", verb, value, unit, name);
            break;
        case IDEAL: addf(to, "the bytes of the %s fill %s %s (%s)", verb, value, unit, name); break;
        case WORK_PER_REQUEST: addf(to, "the %s touch %s %s a request", verb, value, unit); break;
        default:
            addf(to, "the %s take %s times the %s that their bytes need", verb,
                 x > 1 && x < 1.005 ? format("%.5f", x) : value, unit);
        }
    }
    addf(to, "; the goal is %s %s%s", limit, number(g->bound), g->why);
    if (run && strcmp(g->relation, ">=") && w->counter >= 0)
        add_lines(to, run, w);
    add(to, "\n");
}

/* If `line` is a goal on counts that begins with `word`, reads it. */
static bool is_goal_of(const char *line, const char *word, Goal *g)
{
    const char *at = line + 2 + strspn(line + 2, " ");
    if (!starts_with(at, word))
        return false;
    at += strlen(word);
    at += strspn(at, " ");
    if (starts_with(at, "verified") || !strcmp(at, "offsets 64")) /* checked elsewhere */
        return false;
    *g = read_goal(at);
    return true;
}

/* True if all goals that begin with `word` are met. If `to` is not NULL, adds a line for each other
 * goal to it. If `conflict` is not NULL, adds the picture of a bank conflict to it. */
static bool all_met(const Assignment *assignment, const char *word, const Run *run, struct text *to,
                    struct text *conflict)
{
    bool met = true;
    char *line;
    Goal g;
    for (const char *p = text_of(&assignment->goals); (line = next_line(&p)); free(line)) {
        if (!is_goal_of(line, word, &g) || is_met(&g, &run->counts))
            continue;
        met = false;
        if (to)
            report_goal(&g, &run->counts, run, to);
        if (conflict && !conflict->n && g.what.counter >= 0 && g.what.quantity != REQUESTS &&
            !strcmp(unit_of(g.what.counter), "wavefronts"))
            draw_conflict(conflict, run, &g.what);
    }
    return met;
}

/* True if the goals are met at the other sizes too, as far as they can; else names the first size at
 * which one is not. */
static bool met_elsewhere(const Assignment *assignment, const Run *ragged, struct text *to)
{
    const Task *task = &assignment->task;
    char *line;
    Goal g;
    for (int n = 0; n < ragged->size_count; n++) {
        int rows = ragged->size[n].rows, cols = ragged->size[n].cols;
        double ratio = (double)rows * cols / ((double)task->rows * task->cols);
        for (const char *p = text_of(&assignment->goals); (line = next_line(&p)); free(line))
            if (is_goal_of(line, "goal:", &g) &&
                elsewhere(&g, ratio, n == ragged->size_count - 1) &&
                !is_met(&g, &ragged->size[n].counts)) {
                addf(to, "at %d x %d, ", rows, cols);
                report_goal(&g, &ragged->size[n].counts, NULL, to);
                return false;
            }
    }
    return true;
}

void add_least_work(Assignment *assignment)
{
    enum { EXCHANGED_LEAST = 85 }; /* percent; a thread may load the diagonal of its tile itself */
    static const char *const words[] = {"goal:", "silver:", "gold:"};
    Task *task = &assignment->task;
    double elements = (double)task->rows * task->cols * task->count;
    struct text more = {NULL, 0, 0};
    bool known[COUNTERS] = {false}, spared[COUNTERS] = {false}, through = false;
    bool filled = false; /* a goal asks that blocks use all of their shared memory */
    through = asks_for_shared(assignment);
    if (through) /* 1: the thread's own words too; 2: words of variables too */
        task->altered_words = strstr(text_of(&assignment->goals), ": through_shared") ? 1 : 2;
    for (int w = 0; w < 3; w++) {
        bool limited[COUNTERS] = {false}, ratio[COUNTERS] = {false}, total[COUNTERS] = {false};
        bool coalesced[COUNTERS] = {false}; /* a goal bounds the sectors */
        char *line;
        Goal g;
        for (const char *p = text_of(&assignment->goals); (line = next_line(&p)); free(line))
            if (is_goal_of(line, words[w], &g) && g.what.counter < 0)
                filled |= g.what.figure == SHARED_BYTES && g.bound > 0 && strcmp(g.relation, "<=");
            else if (is_goal_of(line, words[w], &g) && g.what.counter >= 0) {
                known[g.what.counter] |= !strcmp(g.relation, ">=");
                spared[g.what.counter] |= !strcmp(g.relation, ">=") && g.bound == 0;
                limited[g.what.counter] |= g.bound > 0;
                if (strcmp(g.relation, ">=") && (g.what.quantity != REQUESTS || g.bound == 0))
                    coalesced[g.what.counter] = true;
                if (strcmp(g.relation, ">=") != 0)
                    (g.what.quantity > WORK ? ratio : total)[g.what.counter] = true;
            }
        if (!through && ((limited[2] && !spared[2]) || (limited[3] && !spared[3]))) {
            through = true;
            addf(&more, "// %s exchanged >= %d\n", words[w], EXCHANGED_LEAST);
        }
        for (int c = 0; c < 4; c++) {
            double bytes = c == 1                                   ? task->out_bytes
                           : c > 1 && task->out_bytes < task->bytes ? task->out_bytes
                                                                    : task->bytes;
            double moved = task->op == OP_IN_PLACE ? elements - task->rows : elements;
            /* TMA is another way, which these goals do not count. */
            if (c < 2 && limited[c] && !limited[6 + c])
                addf(&more, "// %s %s work == 0 (this exercise counts %s)\n", words[w],
                     counter_names[6 + c], verbs[c]);
            /* Lanes that take turns conflict with nobody, and can fill what holds no element. */
            double least = c < 2 ? bytes / 32 : (bytes < 4 ? 4 : bytes) / 128;
            bool scatters = c < 2 && w == 0 && through && !coalesced[c] && !known[c];
            if (scatters || (ratio[c] && !total[c]))
                addf(&more, "// %s %s work <= %.0f (full requests need %.0f)\n", words[w],
                     counter_names[c], ceil((filled && !scatters ? 1.05 : 1.5) * elements * least),
                     ceil(elements * least));
            if (limited[c] && !known[c])
                addf(&more, "// %s %s ideal >= %.0f (the whole matrix)\n", words[w],
                     counter_names[c], ceil(moved * bytes / (c < 2 ? 32 : 128)));
            known[c] |= limited[c];
        }
    }
    add(&assignment->goals, text_of(&more));
}

/* True if the task has goals that begin with `word`. */
static bool has_goals(const Assignment *assignment, const char *word)
{
    return strstr(text_of(&assignment->goals), format("// %s", word)) != NULL;
}

bool asks_for_shared(const Assignment *assignment)
{
    return strstr(text_of(&assignment->goals), ": through_shared") ||
           strstr(text_of(&assignment->goals), ": exchanged");
}

/* True if both runs meet all goals that begin with `word`; the lines of all_met() for `to`. */
static bool met_by_both(const Assignment *assignment, const char *word, const Run *run,
                        const Run *altered, struct text *to, struct text *conflict)
{
    if (!all_met(assignment, word, run, to, conflict))
        return false;
    if (all_met(assignment, word, altered, NULL, NULL))
        return true;
    if (to)
        add(to, "with other values in shared memory, ");
    return all_met(assignment, word, altered, to, conflict);
}

bool check_goals(const Assignment *assignment, const Run *run, const Run *altered,
                 const Run *ragged, Verdict *v)
{
    decide(v, UNSOLVED, "goals", "%s", "");
    if (!met_by_both(assignment, "goal:", run, altered, &v->said, &v->conflict) ||
        !met_elsewhere(assignment, ragged, &v->said))
        return false;
    if (has_goals(assignment, "silver:")) {
        bool silver = met_by_both(assignment, "silver:", run, altered, NULL, NULL);
        bool gold = silver && has_goals(assignment, "gold:") &&
                    met_by_both(assignment, "gold:", run, altered, NULL, NULL);
        snprintf(v->medal, sizeof v->medal, "%s", gold ? "gold" : silver ? "silver" : "bronze");
        decide(v, SOLVED, "solved", "%s", "");
        if (!silver) {
            add(&v->said, "silver asks for more:\n");
            met_by_both(assignment, "silver:", run, altered, &v->said, &v->conflict);
        } else if (!gold && has_goals(assignment, "gold:")) {
            add(&v->said, "gold asks for more:\n");
            met_by_both(assignment, "gold:", run, altered, &v->said, &v->conflict);
        }
        return true;
    }
    decide(v, SOLVED, "solved", "%s", "");
    return true;
}
