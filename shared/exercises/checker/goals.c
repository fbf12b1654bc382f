/* Compares the counts of a run with goals and predictions. */
#include "checker.h"
#include <ctype.h>
#include <math.h>

static const char *const verbs[COUNTERS] = {"loads",
                                            "stores",
                                            "loads from shared memory",
                                            "stores to shared memory",
                                            "asynchronous copies",
                                            "asynchronous copies into shared memory",
                                            "TMA loads",
                                            "TMA stores"};

static const char *unit_of(int counter)
{
    return starts_with(counter_names[counter], "tma") ? "bytes"
           : strstr(counter_names[counter], "shared") ? "wavefronts"
                                                      : "sectors";
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
            addf(to, "\n    the %s of line %s %s %s %s per request; %s is possible", verb, of,
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

/* Changes a goal for the counted size into what it asks for at another size, of `ratio` times the elements: at
 * any size no more launches and threads; for fewer elements at most twice the blocks (a narrow matrix fills its
 * tiles by half or less), or once per counted matrix if so many `cover` it. At a size with similar costs (up to
 * `similar` times as much per element; 0: any) traffic is `ratio` times as much, with a margin for tiles that end
 * elsewhere. Requests, and the ratio of global sectors to the least, may double: a piece that begins within a sector
 * touches one more. A `flat` copy costs the same everywhere. A goal of 0 holds everywhere. False if it asks nothing. */
static bool elsewhere(Goal *g, double ratio, double cover, int similar, bool flat)
{
    static const double margin = 1.5; /* chosen: the right answers of the tests keep to it */
    bool least = !strcmp(g->relation, ">="), figure = g->what.counter < 0;
    bool scales = figure ? g->what.figure == BLOCKS
                         : g->what.quantity < WORK_PER_REQUEST || g->what.quantity == IDEAL;
    if ((figure && g->what.figure == SHARED_BYTES && g->bound > 0) ||
        (figure ? least || (scales && ratio > 1 && !similar) : !similar && (least || g->bound > 0)))
        return false;
    if (figure && scales)
        g->bound *= similar ? margin * similar * (ratio > 1 ? ratio : 1) : fmax(2, cover);
    bool doubled = !flat && (g->what.quantity == REQUESTS || (!scales && g->what.counter < 2));
    similar = flat && similar ? 1 : similar;
    if (!figure)
        g->bound *= (scales ? ratio : 1) * (least ? 1 / margin : doubled ? 2 : margin * similar);
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
    bool idle = (*g->relation == '>' || x <= g->bound) && at_work(g, counts) < x;
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
        case IDEAL:
            addf(to, "the bytes of the %s fill %s %s%s (%s)", verb, value, unit,
                 *unit == 'b' ? " of the matrix" : "", name);
            break;
        case WORK_PER_REQUEST: addf(to, "the %s touch %s %s per request", verb, value, unit); break;
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

/* True if the goals that begin with `word` are met at other sizes too, as far as they can; else names the first that is not. */
static bool met_elsewhere(const Assignment *assignment, const char *word, const Run *ragged,
                          struct text *to)
{
    const Task *task = &assignment->task;
    const bool flat = task->op == OP_COPY && task->multiple == 1;
    char *line;
    Goal g;
    for (int n = 0; n < ragged->size_count; n++) {
        int rows = ragged->size[n].rows, cols = ragged->size[n].cols, count = ragged->size[n].count;
        int left = ragged->size_count - 1 - n; /* the last two have similar costs */
        double tall = (double)rows / task->rows, wide = (double)cols / task->cols;
        double ratio = tall * wide * count / task->count, cover = ceil(tall) * ceil(wide);
        for (const char *p = text_of(&assignment->goals); (line = next_line(&p)); free(line))
            if (is_goal_of(line, word, &g) &&
                elsewhere(&g, ratio, cover, left < 2 ? left + 1 : 0, flat) &&
                !is_met(&g, &ragged->size[n].counts)) {
                addf(to, "at %s, ", size_text(ragged, n, task));
                report_goal(&g, &ragged->size[n].counts, NULL, to);
                return false;
            }
    }
    return true;
}

/* ---- what goals imply ---- */
/* What the goals of one kind (goal, silver, gold) say about a counter. */
enum {
    LIMITED = 1,      /* a bound above 0 */
    AT_LEAST = 2,     /* a lower bound, or goals of an earlier kind limit the counter */
    SPARED = 4,       /* a lower bound of 0 */
    FEW_REQUESTS = 8, /* an upper bound above 0 on requests */
    FEW_WORK = 16,    /* an upper bound on work, or no request */
    RATIO = 32,       /* an upper bound on conflict_degree or extra */
    PLAIN = 64,       /* of TMA's counter: LIMITED is true for plain accesses in its direction */
    ENGINE = 1024,    /* of TMA's counter: no plain access in its direction is allowed */
    SHARED = 128,     /* the output must come out of shared memory */
    FILLED = 256,     /* blocks must use all of shared_bytes */
    BASIC = 512,      /* the kind is "goal" */
    LASTING = AT_LEAST | SPARED | SHARED | FILLED
};
#define FULL " (full requests need %.0f)"
#define HALF_MORE 1.5
/* A row is a goal that `when` without `unless` implies, for each counter from `first` on. Its bound is `factor`
 * times what the matrix needs; `figure` names it if it is of no counter. */
static const struct implied {
    int first, end;
    unsigned when, unless;
    const char *figure, *goal, *why;
    double factor;
} implied[] = {
    /* Percent. A thread may load the diagonal of its tile itself; of 8 x 8 elements that is an eighth. */
    {2, 4, LIMITED, SPARED | SHARED, "exchanged", ">=", "", 85},
    /* TMA's copies are counted apart: they could carry the matrix beside idle accesses, or be idle themselves. */
    {6, 8, PLAIN, LIMITED, NULL, "work ==", " (this exercise counts plain accesses)", 0},
    {6, 8, ENGINE, FEW_WORK | AT_LEAST, NULL, "ideal ==", " (each element once)", 1},
    /* Half-used sectors and lanes in two turns take 2 times what full requests take. Our solutions take at most 1.4
     * times that (the edges of shape2_window), so the bound lies between. */
    {0, 2, SHARED | BASIC, FEW_WORK | RATIO | AT_LEAST, NULL, "work <=", FULL, HALF_MORE},
    {0, 4, RATIO, FEW_WORK | FEW_REQUESTS | FILLED, NULL, "work <=", FULL, HALF_MORE},
    /* Idle accesses of few blocks could fill the memory that a padded tile leaves, so there is no slack. */
    {0, 4, RATIO | FILLED, FEW_WORK | FEW_REQUESTS, NULL, "work <=", FULL, 1},
    /* An answer that avoids a counter meets all its upper bounds. */
    {0, 4, LIMITED, AT_LEAST, NULL, "ideal >=", " (the whole matrix)", 1}};

static unsigned facts_of(const Goal *g)
{
    bool some = g->bound > 0;
    if (g->what.counter < 0)
        return g->what.figure == SHARED_BYTES && some && strcmp(g->relation, "<=") ? FILLED : 0;
    if (!strcmp(g->relation, ">="))
        return AT_LEAST | (some ? LIMITED : SPARED);
    return (some ? LIMITED : 0) | (g->what.quantity > WORK                ? RATIO
                                   : some && g->what.quantity == REQUESTS ? FEW_REQUESTS
                                                                          : FEW_WORK);
}

/* Returns the sectors, wavefronts or TMA's bytes that full requests for the matrix take; `ideal`: that its bytes fill. */
static double need_of(const Task *task, int c, bool ideal)
{
    static const int unit[COUNTERS] = {32, 32, 128, 128, 32, 128, 1, 1}; /* bytes */
    int bytes = c == 1 || (c > 1 && task->out_bytes < task->bytes) ? task->out_bytes : task->bytes;
    int still = ideal && task->op == OP_IN_PLACE ? task->rows : 0; /* the diagonal need not move */
    if (!ideal && unit[c] == 128 && bytes < 4)
        bytes = 4; /* a small element takes a bank */
    return ((double)task->rows * task->cols * task->count - still) * bytes / unit[c];
}

void add_least_work(Assignment *assignment)
{
    static const char *const words[] = {"goal:", "silver:", "gold:"};
    const bool shared = asks_for_shared(assignment);
    unsigned facts[COUNTERS] = {0}, all = shared ? BASIC | SHARED : BASIC;
    struct text more = {NULL, 0, 0};
    /* The thread's own words are altered too; variables that other blocks store; other warps' words. */
    static const char *const ways[] = {": through_shared", ": across_blocks", ": across_warps"};
    for (uint32_t i = 0; i < 3; i++)
        if (strstr(text_of(&assignment->goals), ways[i]))
            assignment->task.altered_words = i + 1;
    assignment->task.altered_numbers =
        strstr(text_of(&assignment->goals), ": decided_across") ? 3 : 4;
    for (int w = 0; w < 3; w++, all &= LASTING) {
        char *line;
        Goal g;
        for (const char *p = text_of(&assignment->goals); (line = next_line(&p)); free(line))
            if (is_goal_of(line, words[w], &g))
                *(g.what.counter < 0 ? &all : &facts[g.what.counter]) |= facts_of(&g);
        for (int c = 0; c < 2; c++)
            facts[6 + c] |= facts[c] & LIMITED ? PLAIN : facts[c] & FEW_WORK ? ENGINE : 0;
        assignment->task.exchanges_free |= (facts[6] & facts[7] & ENGINE) != 0;
        for (const struct implied *i = implied; i < (&implied)[1]; i++)
            for (int c = i->first; c < i->end; c++) {
                unsigned is = facts[c] | all;
                if ((is & i->when) != i->when || is & i->unless)
                    continue;
                double need = i->figure ? 1 : need_of(&assignment->task, c, *i->goal == 'i');
                addf(&more, "// %s %s %s %.0f", words[w], i->figure ? i->figure : counter_names[c],
                     i->goal, ceil(i->factor * need));
                addf(&more, i->why, ceil(need));
                add(&more, "\n");
                all |= i->figure ? SHARED : 0;
            }
        for (int c = 0; c < COUNTERS; c++)
            facts[c] = (facts[c] & LASTING) | (facts[c] & LIMITED ? AT_LEAST : 0);
    }
    add(&assignment->goals, text_of(&more));
}

/* True if the task has goals that begin with `word`. */
static bool has_goals(const Assignment *assignment, const char *word)
{
    return strstr(text_of(&assignment->goals), format("// %s", word)) != NULL;
}

/* True if all runs meet the goals that begin with `word`; the lines of all_met() for `to`. */
static bool met_by_all(const Assignment *assignment, const char *word, const Run *run,
                       const Run *altered, const Run *ragged, struct text *to,
                       struct text *conflict)
{
    if (!all_met(assignment, word, run, to, conflict))
        return false;
    if (all_met(assignment, word, altered, NULL, NULL))
        return met_elsewhere(assignment, word, ragged, to);
    add(to, "with other values in shared memory, ");
    return all_met(assignment, word, altered, to, conflict);
}

bool check_goals(const Assignment *assignment, const Run *run, const Run *altered,
                 const Run *ragged, Verdict *v)
{
    const char *medal = has_goals(assignment, "silver:") ? "bronze" : "";
    decide(v, UNSOLVED, "goals", "%s", "");
    if (!met_by_all(assignment, "goal:", run, altered, ragged, &v->said, &v->conflict))
        return false;
    decide(v, SOLVED, "solved", "%s", "");
    for (const char *word = "silver:"; *medal && *medal != 'g' && has_goals(assignment, word);
         word = "gold:") {
        const char *name = *word == 's' ? "silver" : "gold";
        struct text lacks = {NULL, 0, 0};
        if (!met_by_all(assignment, word, run, altered, ragged, &lacks, &v->conflict)) {
            addf(&v->said, "%s asks for more:\n%s", name, text_of(&lacks));
            break;
        }
        medal = name;
    }
    snprintf(v->medal, sizeof v->medal, "%s", medal);
    return true;
}
