/* Executes statements and launches, and reports what a source did. */
#include "internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int64_t blocks, most_threads, most_shared;
static char report[LAB_TEXT];
static size_t said;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int count = vsnprintf(report + said, sizeof report - said, format, arguments);
    va_end(arguments);
    said += count > 0 && said + (size_t)count < sizeof report ? (size_t)count : 0;
}

void lab_stop(int line, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    say("fault\t%d\t%s\n", line, reason);
    lab_end();
}

const char *lab_report(void) { return report; }

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
    ++lab.launches;
    blocks += grid[0] * grid[1] * grid[2];
    most_threads = count > most_threads ? count : most_threads;
    memcpy(back, lab.returned, sizeof back);
    lab.width = count;
    lab.shared_bytes = 0;
    for (int t = 0; t < LAB_THREADS; ++t)
        on[t] = t < count;
    for (block[2] = 0; block[2] < grid[2]; ++block[2])
        for (block[1] = 0; block[1] < grid[1]; ++block[1])
            for (block[0] = 0; block[0] < grid[0]; ++block[0]) {
                memset(lab.returned, 0, sizeof lab.returned);
                memset(lab.shared, -1, sizeof lab.shared);
                lab.patience = PATIENCE;
                execute(kernel->body, on);
            }
    most_shared = lab.shared_bytes > most_shared ? lab.shared_bytes : most_shared;
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

/* Compares the output with what the operation asks for. Says how much of it came out of shared memory. */
static void verify(const char *operation, int64_t rows, int64_t cols, int64_t count)
{
    const bool copies = strcmp(operation, "copy") == 0,
               in_place = strcmp(operation, "in_place") == 0;
    const int64_t *result = in_place ? lab.in : lab.out;
    int64_t through = 0;
    for (int64_t i = 0; i < rows * cols * count; ++i) {
        const int64_t matrix = i / (rows * cols), at = i % (rows * cols),
                      width = copies ? cols : rows;
        const int64_t row = at / width, col = at % width;
        const int64_t wanted = copies ? i + 1 : matrix * rows * cols + col * cols + row + 1;
        const int64_t given = result[i] < 0 ? -1 : result[i] & ~(ELEMENT | THROUGH);
        through += given > 0 && result[i] & THROUGH;
        if (given == wanted)
            continue;
        say("verified\telement (%lld, %lld) of the output ", (long long)row, (long long)col);
        if (given == 0)
            say("was not written\n");
        else if (given < 0)
            say("comes from shared memory that no thread wrote\n");
        else
            say("is element (%lld, %lld) of the input\n",
                (long long)((given - 1) % (rows * cols) / cols), (long long)((given - 1) % cols));
        return;
    }
    say("verified\tyes\nthrough_shared\t%.1f\n",
        100.0 * (double)through / (double)(rows * cols * count));
}

static void report_counts(void)
{
    static const char *const names[] = {"global_load", "global_store", "shared_load",
                                        "shared_store"};
    for (int kind = 0; kind < 4; ++kind) {
        unsigned long long sums[3] = {0};
        for (int i = 0; i < lab.sites; ++i)
            if ((int)lab.site[i].kind == kind) {
                sums[0] += lab.site[i].requests;
                sums[1] += lab.site[i].work;
                sums[2] += lab.site[i].ideal;
            }
        say("counter\t%s\t%llu\t%llu\t%llu\n", names[kind], sums[0], sums[1], sums[2]);
    }
    for (int i = 0; i < lab.sites; ++i) {
        const struct site *site = &lab.site[i];
        say("site\t%d\t%s\t%llu\t%llu\t%llu\t%d\t", site->node->line, names[site->kind],
            (unsigned long long)site->requests, (unsigned long long)site->work,
            (unsigned long long)site->ideal, site->worst.bytes);
        for (int lane = 0; lane < TRAFFIC_LANES; ++lane)
            if (site->worst.lanes >> lane & 1)
                say("%s%llu", lane ? "," : "", (unsigned long long)site->worst.address[lane]);
            else
                say("%s-", lane ? "," : "");
        say("\n");
    }
}

const char *lab_run(const char *source, const char *operation, int bytes, int rows, int cols,
                    int count)
{
    static const mask one = {1};
    const int64_t elements = (int64_t)rows * cols * count;
    said = 0;
    report[0] = '\0';
    blocks = most_threads = most_shared = 0;
    memset(&lab, 0, sizeof lab);
    lab.slots = lab.objects = lab.width = 1;
    lab.patience = PATIENCE;
    if (rows < 1 || cols < 1 || elements > ELEMENTS)
        lab_stop(0, "the lab has no matrix of this size");
    for (int64_t i = 0; i < elements; ++i)
        lab.in[i] = (i + 1) | ELEMENT;
    struct lab_symbol *entry = lab_parse(source);
    const int64_t first =
        ((int64_t)add_object("in", false, 0, bytes, elements, lab.in) << 40) + MIDDLE;
    const int64_t second =
        ((int64_t)add_object("out", false, 0, bytes, elements, lab.out) << 40) + MIDDLE;
    const bool in_place = strcmp(operation, "in_place") == 0;
    const int64_t given[] = {first, in_place ? rows : second, rows, cols, count};
    if (entry->parameters > 5)
        lab_stop(1, "the lab does not know a launch function like this");
    for (int i = 0; i < entry->parameters; ++i) {
        place(entry->parameter[i], 1);
        lab.slot[entry->parameter[i]->slot][0] = given[i];
    }
    execute(entry->body, one);
    verify(operation, rows, cols, count);
    say("shared_bytes\t%lld\nlaunches\t%d\nblocks\t%lld\nthreads_per_block\t%lld\n",
        (long long)most_shared, lab.launches, (long long)blocks, (long long)most_threads);
    report_counts();
    return report;
}
