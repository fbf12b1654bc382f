/* Executes statements and launches, verifies the output, and prints accesses. */
#include "internal.h"
#include <stdio.h>
#include <string.h>

static struct counts counts;

/* ---- statements -------------------------------------------------------------------------- */

static void keep_running(const mask on, mask live)
{
    for (int t = 0; t < lab.width; ++t)
        live[t] = on[t] && !lab.returned[t];
}

static void loop(const struct lab_node *node, const mask on)
{
    mask live;
    int64_t *value = push(node->line);
    if (node->a)
        execute(node->a, on);
    for (keep_running(on, live); any(live); keep_running(live, live)) {
        if (node->b) {
            evaluate(node->b, live, value);
            for (int t = 0; t < lab.width; ++t)
                live[t] = live[t] && value[t];
            if (!any(live))
                break;
        }
        execute(node->d, live);
        keep_running(live, live);
        if (node->c)
            evaluate(node->c, live, value);
    }
    pop(1);
}

static void branch(const struct lab_node *node, const mask on)
{
    mask yes, no;
    int64_t *value = push(node->line);
    evaluate(node->a, on, value);
    for (int t = 0; t < lab.width; ++t) {
        yes[t] = on[t] && value[t];
        no[t] = on[t] && !value[t];
    }
    pop(1);
    if (any(yes))
        execute(node->b, yes);
    if (node->c && any(no))
        execute(node->c, no);
}

static void declaration(const struct lab_node *node, const mask on)
{
    struct lab_symbol *symbol = node->symbol;
    if (!symbol->slot || (symbol->sort == LAB_SHARED && symbol->launch != lab.launches))
        place(symbol, node->line);
    symbol->launch = lab.launches;
    if (symbol->sort == LAB_GRID) {
        const struct lab_node *one = node->a;
        for (int i = 0; i < 3; ++i, one = one ? one->next : NULL)
            lab.slot[symbol->slot + i][0] = one ? constant(one) : 1;
    } else if (node->a) {
        int64_t *value = push(node->line);
        if (symbol->rank)
            lab_stop(node->line, "the lab does not know how to fill an array here");
        evaluate(node->a, on, value);
        for (int t = 0; t < lab.width; ++t)
            if (on[t])
                lab.slot[symbol->slot][t] = value[t];
        pop(1);
    }
}

/* Puts the three sizes that a launch names into `size`. */
static void sizes(const struct lab_node *node, int64_t size[3])
{
    const bool grid =
        node->kind == LAB_NAME && node->symbol->sort == LAB_GRID && node->symbol->slot;
    for (int i = 0; i < 3; ++i) {
        size[i] = grid ? lab.slot[node->symbol->slot + i][0] : i ? 1 : constant(node);
        if (size[i] < 1)
            lab_stop(node->line, "a launch with a size below 1");
    }
}

static void launch(const struct lab_node *node)
{
    struct lab_symbol *kernel = node->symbol;
    int64_t *block = &lab.dimension[3], *threads = &lab.dimension[6], *grid = &lab.dimension[9];
    mask on, back;
    int i = 0;
    if (kernel->sort != LAB_KERNEL || lab.width != 1)
        lab_stop(node->line, "'%s' cannot be launched", kernel->name);
    sizes(node->a, grid);
    sizes(node->b, threads);
    if (threads[0] > 1024 || threads[1] > 1024 ||
        threads[0] * threads[1] * threads[2] > LAB_THREADS)
        lab_stop(node->line, "a block has at most %d threads", LAB_THREADS);
    if (grid[1] > 65535 || grid[2] > 65535)
        lab_stop(node->line, "the second and third size of a grid are at most 65535");
    const int count = (int)(threads[0] * threads[1] * threads[2]);
    for (const struct lab_node *one = node->c; one && i < kernel->parameters;
         one = one->next, ++i) {
        struct lab_symbol *parameter = kernel->parameter[i];
        const int64_t value = constant(one);
        if (!parameter->slot)
            place(parameter, node->line);
        for (int t = 0; t < count; ++t)
            lab.slot[parameter->slot][t] = value;
    }
    if (i < kernel->parameters)
        lab_stop(node->line, "an argument of the launch is missing");
    const uint64_t threads_each = (uint64_t)count;
    counts.launches = (uint64_t)++lab.launches;
    counts.blocks += (uint64_t)(grid[0] * grid[1] * grid[2]);
    counts.threads = threads_each > counts.threads ? threads_each : counts.threads;
    if (lab.launches == 1 || threads_each < counts.least_threads)
        counts.least_threads = threads_each;
    memcpy(back, lab.returned, sizeof back);
    lab.width = count;
    lab.shared_bytes = 0;
    for (int t = 0; t < LAB_THREADS; ++t)
        on[t] = t < count;
    for (block[2] = 0; block[2] < grid[2]; ++block[2])
        for (block[1] = 0; block[1] < grid[1]; ++block[1])
            for (block[0] = 0; block[0] < grid[0]; ++block[0]) {
                uint64_t worked = 0, most = 1;
                memset(lab.returned, 0, sizeof lab.returned);
                memset(lab.worked, 0, sizeof lab.worked);
                memset(lab.shared, -1, sizeof lab.shared);
                lab.patience = PATIENCE;
                lab.requests[2] = 0;
                memset(lab.of_warp, 0, sizeof lab.of_warp);
                lab.first_row = lab.end_row = 0;
                execute(kernel->body, on);
                lab.requests[0] += lab.requests[2];
                if (lab.requests[2] > lab.requests[1])
                    lab.requests[1] = lab.requests[2];
                for (int t = 0; t < count; ++t)
                    worked += lab.worked[t];
                counts.working_blocks += worked > 0;
                for (int w = 0; w < LAB_THREADS / TRAFFIC_LANES; ++w)
                    most = lab.of_warp[w] > most ? lab.of_warp[w] : most;
                const uint64_t share = 3 * lab.requests[2] * TRAFFIC_LANES / most / 2;
                lab.blocks_with[worked < share ? worked : share]++; /* as cpucc_working_threads() */
                const int64_t rows = lab.end_row - lab.first_row;
                lab.blocks_loading[rows < LAB_THREADS ? rows : LAB_THREADS]++;
            }
    counts.working_threads = traffic_median(lab.blocks_with, LAB_THREADS);
    counts.tile_rows = traffic_median(lab.blocks_loading, LAB_THREADS);
    counts.stores_per_load = traffic_median(lab.elements_from, TRAFFIC_LANES);
    if ((uint64_t)lab.shared_bytes > counts.shared_bytes)
        counts.shared_bytes = counts.shared_used = (uint64_t)lab.shared_bytes;
    lab.width = 1;
    memcpy(lab.returned, back, sizeof back);
}

void execute(const struct lab_node *node, const mask on)
{
    int64_t *value;
    mask live;
    switch (node->kind) {
    case LAB_BLOCK:
        keep_running(on, live);
        for (const struct lab_node *one = node->a; one && any(live); one = one->next) {
            execute(one, live);
            keep_running(live, live);
        }
        return;
    case LAB_IF: branch(node, on); return;
    case LAB_FOR: loop(node, on); return;
    case LAB_DECLARE: declaration(node, on); return;
    case LAB_LAUNCH: launch(node); return;
    case LAB_EMPTY: return;
    case LAB_RETURN:
        value = push(node->line);
        if (node->a)
            evaluate(node->a, on, value);
        for (int t = 0; t < lab.width; ++t)
            if (on[t]) {
                lab.returned[t] = 1;
                if (node->a && lab.returns)
                    lab.returns[t] = value[t];
            }
        pop(1);
        return;
    default:
        value = push(node->line);
        evaluate(node, on, value);
        pop(1);
    }
}

/* ---- a whole run ------------------------------------------------------------------------- */

/* Compares the output with what the task asks for, and computes how much of it came out of shared memory. Returns what is
 * wrong, or NULL. */
static char *verify(const Task *task, int rows, int cols)
{
    const int64_t *result = task->op == OP_IN_PLACE ? lab.in : lab.out;
    const int64_t area = (int64_t)rows * cols, all = area * task->count;
    const int width = task->op == OP_COPY ? cols : rows;
    int64_t through = 0;
    for (int64_t i = 0; i < all; ++i) {
        const int64_t wanted = 1 + (int64_t)source_of(task, rows, cols, (size_t)i);
        const int64_t given = result[i] < 0 ? -1 : result[i] & ~(ELEMENT | THROUGH),
                      from = given - 1;
        through += given > 0 && result[i] & THROUGH;
        if (given == wanted)
            continue;
        char *place = format("element (%d, %d) of the output", (int)(i % area / width),
                             (int)(i % area % width));
        return given == 0  ? format("%s was not written", place)
               : given < 0 ? format("%s comes from shared memory that no thread wrote", place)
                           : format("%s is element (%d, %d) of the input", place,
                                    (int)(from % area / cols), (int)(from % area % cols));
    }
    counts.through_shared = (uint64_t)(100 * through / all);
    counts.decided = (uint64_t)all; /* not judged here */
    return NULL;
}

void lab_put_sites(struct text *lines)
{
    add(lines, "line\tcounter\trequests\twork\tideal_work\tworst_bank\tworst_lanes\n");
    for (int i = 0; i < lab.sites; ++i) {
        const struct site *site = &lab.site[i];
        char *row = format("%d\t%s\t%llu\t%llu\t%llu\t", site->node->line,
                           counter_names[site->kind], (unsigned long long)site->requests,
                           (unsigned long long)site->work, (unsigned long long)site->ideal);
        addf(lines, "%snan\tnan\n", row);
        printf("site\t%s%d\t", row, site->worst.bytes);
        for (int lane = 0; lane < TRAFFIC_LANES; ++lane)
            if (site->worst.lanes >> lane & 1)
                printf("%s%llu", lane ? "," : "", (unsigned long long)site->worst.address[lane]);
            else
                printf("%s-", lane ? "," : "");
        printf("\n");
    }
}

struct counts lab_run(const char *source, const Task *task, int rows, int cols, char **wrong)
{
    static const mask one = {1};
    const int64_t elements = (int64_t)rows * cols * task->count;
    memset(&counts, 0, sizeof counts);
    memset(&lab, 0, sizeof lab);
    lab.slots = lab.objects = lab.width = 1;
    lab.patience = PATIENCE;
    lab.own = task->altered_words == 1;
    lab.row_elements = cols;
    if (elements > ELEMENTS)
        lab_stop(0, "the lab has no matrix of this size");
    for (int64_t i = 0; i < elements; ++i)
        lab.in[i] = (i + 1) | ELEMENT;
    struct lab_symbol *entry = lab_parse(source);
    const int64_t first =
        ((int64_t)add_object("in", false, 0, task->bytes, elements, lab.in) << 40) + MIDDLE;
    const int64_t second =
        ((int64_t)add_object("out", false, 0, task->bytes, elements, lab.out) << 40) + MIDDLE;
    const int64_t given[] = {first, task->op == OP_IN_PLACE ? rows : second, rows, cols,
                             task->count};
    if (entry->parameters > 5)
        lab_stop(1, "the lab does not know a launch function like this");
    for (int i = 0; i < entry->parameters; ++i) {
        place(entry->parameter[i], 1);
        lab.slot[entry->parameter[i]->slot][0] = given[i];
    }
    execute(entry->body, one);
    for (int i = 0; i < lab.sites; ++i) {
        const struct site *site = &lab.site[i];
        counts.counter[site->kind].requests += site->requests;
        counts.counter[site->kind].work += site->work;
        counts.counter[site->kind].ideal_work += site->ideal;
    }
    const uint64_t even = lab.requests[1] ? 3 * lab.requests[0] / lab.requests[1] / 2 : 0;
    if (counts.working_blocks > even) /* as cpucc_working_blocks() */
        counts.working_blocks = even;
    *wrong = verify(task, rows, cols);
    return counts;
}
