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

/* Sums of two counters: loads and cp.async from global memory; stores and cp.async to shared memory. */
enum { GLOBAL_IN = COUNTERS, SHARED_IN, ALL_COUNTERS };

static const char *name_of(int counter)
{
    return counter == GLOBAL_IN   ? "global_in"
           : counter == SHARED_IN ? "shared_in"
                                  : counter_names[counter];
}

static const char *verb_of(int counter)
{
    return counter == GLOBAL_IN   ? "loads and asynchronous copies"
           : counter == SHARED_IN ? "stores and asynchronous copies to shared memory"
                                  : verbs[counter];
}

static const char *unit_of(int counter)
{
    return starts_with(name_of(counter), "tma") ? "bytes"
           : strstr(name_of(counter), "shared") ? "wavefronts"
                                                : "sectors";
}

/* The quantity that a goal or a prediction names: of a counter, or of the launch (a figure). */
typedef struct {
    int counter; /* -1 for a figure */
    enum { REQUESTS, WORK, EXTRA, WORK_PER_REQUEST, CONFLICT_DEGREE, FIGURE } quantity;
    uint64_t figure;
    const char *sentence; /* a figure's, with %s for its value */
} What;

static bool read_what(const char *counter, const char *quantity, const struct counts *c, What *w)
{
    static const char *const quantities[] = {"requests", "work", "extra", "work_per_request",
                                             "conflict_degree"};
    const struct {
        const char *name;
        uint64_t value;
        const char *sentence;
    } figures[] = {{"shared_bytes", c->shared_bytes, "a block takes %s bytes of shared memory"},
                   {"launches", c->launches, "the launch function starts %s kernels"},
                   {"blocks", c->blocks, "the grid has %s blocks"},
                   {"threads_per_block", c->threads, "a block has %s threads"}};
    w->counter = -1;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!*quantity && !strcmp(counter, figures[i].name)) {
            *w = (What){-1, FIGURE, figures[i].value, figures[i].sentence};
            return true;
        }
    for (int i = 0; i < ALL_COUNTERS; i++)
        if (!strcmp(counter, name_of(i)))
            w->counter = i;
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (w->counter >= 0 && !strcmp(quantity, quantities[i])) {
            w->quantity = (int)i;
            return true;
        }
    return false;
}

static double value_of(const What *w, const struct counts *c)
{
    if (w->counter < 0)
        return (double)w->figure;
    int first = w->counter == GLOBAL_IN ? 0 : w->counter == SHARED_IN ? 3 : w->counter;
    double requests = (double)c->counter[first].requests, work = (double)c->counter[first].work;
    double ideal = (double)c->counter[first].ideal_work;
    if (w->counter >= COUNTERS) {
        requests += (double)c->counter[w->counter == GLOBAL_IN ? 4 : 5].requests;
        work += (double)c->counter[w->counter == GLOBAL_IN ? 4 : 5].work;
        ideal += (double)c->counter[w->counter == GLOBAL_IN ? 4 : 5].ideal_work;
    }
    switch (w->quantity) {
    case REQUESTS: return requests;
    case WORK: return work;
    case EXTRA: return work - ideal;
    case WORK_PER_REQUEST: return requests ? work / requests : 0;
    default: return ideal ? work / ideal : 1;
    }
}

static char *number(double x) { return x == floor(x) ? format("%.0f", x) : format("%.2f", x); }

/* ---- the source lines that miss a goal ---- */

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
        if (strcmp(field[at[1]], name_of(w->counter)) &&
            !(w->counter == GLOBAL_IN &&
              matches(field[at[1]], "^(global_load|async_copy_global)$")) &&
            !(w->counter == SHARED_IN &&
              matches(field[at[1]], "^(shared_store|async_copy_shared)$")))
            continue;
        double requests = atof(field[at[2]]), work = atof(field[at[3]]), ideal = atof(field[at[4]]);
        const char *unit = unit_of(w->counter), *verb = verb_of(w->counter), *of = field[at[0]];
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
        if (tsv_split(line, field, 8) != 7 ||
            (strcmp(field[1], name_of(w->counter)) &&
             !(w->counter == SHARED_IN && matches(field[1], "^(shared_store|async_copy_"
                                                            "shared)$"))))
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
    char bound_text[32];
    double bound;
} Goal;

/* Reads a goal: "FIGURE RELATION NUMBER" or "COUNTER QUANTITY RELATION NUMBER". */
static Goal read_goal(const char *line, const struct counts *c)
{
    char w[4][64] = {"", "", "", ""};
    Goal g = {0};
    int n = sscanf(line, "%63s %63s %63s %63s", w[0], w[1], w[2], w[3]);
    const char *quantity = n == 4 ? w[1] : "", *relation = w[n == 4 ? 2 : 1];
    snprintf(g.relation, sizeof g.relation, "%.2s", relation);
    snprintf(g.bound_text, sizeof g.bound_text, "%.31s", w[n == 4 ? 3 : 2]);
    g.bound = atof(g.bound_text);
    if ((n != 3 && n != 4) || !read_what(w[0], quantity, c, &g.what) ||
        (strcmp(relation, "<=") && strcmp(relation, ">=") && strcmp(relation, "==")) ||
        !isdigit((unsigned char)g.bound_text[0]))
        stop(1, "a task has a goal that cannot be read: %s", line);
    if (g.what.quantity == WORK_PER_REQUEST && strcmp(relation, ">="))
        stop(1, "a goal on an average can be diluted; ask for the total (work): %s", line);
    return g;
}

static bool is_met(const Goal *g, const struct counts *c)
{
    double x = value_of(&g->what, c);
    if (!strcmp(g->relation, "<="))
        return x <= g->bound;
    return strcmp(g->relation, ">=") ? x == g->bound : x >= g->bound;
}

static void report_goal(const Goal *g, const Run *run, struct text *to)
{
    const What *w = &g->what;
    const char *limit = !strcmp(g->relation, "<=")   ? "at most"
                        : !strcmp(g->relation, ">=") ? "at least"
                                                     : "exactly";
    double x = value_of(w, &run->counts);
    char *value = number(x);
    if (w->counter < 0) {
        const char *mark = strstr(w->sentence, "%s");
        addf(to, "%.*s%s%s", (int)(mark - w->sentence), w->sentence, value, mark + 2);
    } else {
        const char *verb = verb_of(w->counter), *unit = unit_of(w->counter);
        const char *name = name_of(w->counter);
        switch (w->quantity) {
        case REQUESTS:
            addf(to, "the kernel makes %s requests for %s (%s)", value, verb, name);
            break;
        case WORK: addf(to, "the %s take %s %s in all (%s)", verb, value, unit, name); break;
        case EXTRA:
            addf(to, "the %s take %s %s more than their bytes need (%s)", verb, value, unit, name);
            break;
        case WORK_PER_REQUEST: addf(to, "the %s touch %s %s a request", verb, value, unit); break;
        default:
            addf(to, "the %s take %s times the %s that their bytes need", verb,
                 x > 1 && x < 1.005 ? format("%.5f", x) : value, unit);
        }
    }
    addf(to, "; the goal is %s %s", limit, g->bound_text);
    if (strcmp(g->relation, ">=") && w->counter >= 0)
        add_lines(to, run, w);
    add(to, "\n");
}

/* True if all goals that begin with `word` are met. If `to` is not NULL, adds a line for each other
 * goal to it. If `conflict` is not NULL, adds the picture of a bank conflict to it. */
static bool all_met(const Assignment *assignment, const char *word, const Run *run, struct text *to,
                    struct text *conflict)
{
    bool met = true;
    char *line;
    for (const char *p = text_of(&assignment->goals); (line = next_line(&p)); free(line)) {
        const char *at = line + 2 + strspn(line + 2, " ");
        if (!starts_with(at, word))
            continue;
        at += strlen(word);
        at += strspn(at, " ");
        if (starts_with(at, "verified") || !strcmp(at, "offsets 64")) /* checked elsewhere */
            continue;
        Goal g = read_goal(at, &run->counts);
        if (is_met(&g, &run->counts))
            continue;
        met = false;
        if (to)
            report_goal(&g, run, to);
        if (conflict && !conflict->n && g.what.counter >= 0 && g.what.quantity != REQUESTS &&
            !strcmp(unit_of(g.what.counter), "wavefronts"))
            draw_conflict(conflict, run, &g.what);
    }
    return met;
}

/* True if the task has goals that begin with `word`. */
static bool has_goals(const Assignment *assignment, const char *word)
{
    return strstr(text_of(&assignment->goals), format("// %s", word)) != NULL;
}

bool check_goals(const Assignment *assignment, const Run *run, Verdict *v)
{
    decide(v, UNSOLVED, "goals", "%s", "");
    if (!all_met(assignment, "goal:", run, &v->said, &v->conflict))
        return false;
    if (has_goals(assignment, "silver:")) {
        bool silver = all_met(assignment, "silver:", run, NULL, NULL);
        bool gold = silver && has_goals(assignment, "gold:") &&
                    all_met(assignment, "gold:", run, NULL, NULL);
        snprintf(v->medal, sizeof v->medal, "%s", gold ? "gold" : silver ? "silver" : "bronze");
        decide(v, SOLVED, "solved", "%s", "");
        if (!silver) {
            add(&v->said, "silver asks for more:\n");
            all_met(assignment, "silver:", run, &v->said, &v->conflict);
        } else if (!gold && has_goals(assignment, "gold:")) {
            add(&v->said, "gold asks for more:\n");
            all_met(assignment, "gold:", run, &v->said, &v->conflict);
        }
        return true;
    }
    decide(v, SOLVED, "solved", "%s", "");
    return true;
}

/* ---- predictions ---- */

/* Reads "// predict: WHAT = VALUE"; false for any other line. Collapses blanks in WHAT and strips
 * VALUE. */
static bool read_prediction(const char *line, Prediction *p)
{
    if (!starts_with(line, "//"))
        return false;
    line += 2 + strspn(line + 2, " ");
    if (!starts_with(line, "predict:"))
        return false;
    line += strlen("predict:");
    const char *equals = strchr(line, '=');
    size_t n = equals ? (size_t)(equals - line) : strlen(line);
    struct text what = {NULL, 0, 0};
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)line[i])) {
            if (what.n && isspace((unsigned char)line[i - 1]))
                add(&what, " ");
            add_bytes(&what, &line[i], 1);
        }
    p->what = what.p ? what.p : format("%s", "");
    p->value = format("%s", equals ? equals + 1 + strspn(equals + 1, " \t") : "");
    for (size_t k = strlen(p->value); k && isspace((unsigned char)p->value[k - 1]);)
        p->value[--k] = 0;
    return true;
}

int read_predictions(const Assignment *assignment, const char *answer, const char *name,
                     Prediction **predictions, Verdict *v)
{
    int count = 0, missing = 0;
    Prediction *list = NULL, p, given;
    char *line;
    decide(v, UNSOLVED, "prediction_missing", "%s", "");
    for (const char *at = assignment->text; (line = next_line(&at)); free(line)) {
        if (!read_prediction(line, &p))
            continue;
        list = realloc(list, sizeof *list * (size_t)(count + 1));
        if (!list)
            stop(1, "out of memory");
        p.line = 0;
        int number_of_line = 0;
        char *other;
        for (const char *q = answer; (other = next_line(&q)); free(other)) {
            number_of_line++;
            if (read_prediction(other, &given) && !strcmp(given.what, p.what)) {
                p.value = given.value;
                p.line = number_of_line;
            }
        }
        if (!p.line)
            addf(
                &v->said,
                "the line \"// predict: %s = ...\" is missing; ./run_all.sh --exercises --reset %s "
                "brings it back\n",
                p.what, name);
        else if (!matches(p.value, "^[0-9]+([.][0-9]+)?$"))
            addf(&v->said, "line %d: \"%s\" is no number: write your prediction of %s there\n",
                 p.line, p.value, p.what);
        missing += !p.line || !matches(p.value, "^[0-9]+([.][0-9]+)?$");
        list[count++] = p;
    }
    *predictions = list;
    return missing ? -1 : count;
}

bool check_predictions(const Prediction *p, int count, const Run *run, Verdict *v)
{
    int right = 0;
    decide(v, UNSOLVED, "predictions", "%s", "");
    for (int i = 0; i < count; i++) {
        char counter[64] = "", quantity[64] = "";
        What w;
        (void)!sscanf(p[i].what, "%63s %63s", counter, quantity);
        if (!read_what(counter, quantity, &run->counts, &w))
            stop(1, "a task asks for a prediction of what is not counted: %s", p[i].what);
        double x = value_of(&w, &run->counts), said = atof(p[i].value);
        double tolerance = strchr(p[i].value, '.') ? 0.011 : 0;
        if (fabs(said - x) <= tolerance)
            right++;
        else
            addf(&v->said, "line %d: your prediction of %s for %s is too %s\n", p[i].line,
                 p[i].value, p[i].what, said < x ? "low" : "high");
    }
    if (right < count)
        addf(&v->said, "%d of %d predictions are right\n", right, count);
    else
        decide(v, SOLVED, "solved", "%s", "");
    return right == count;
}
