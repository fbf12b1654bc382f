/*
 * Runs an answer in two confined processes: the "device" holds the matrices and runs kernels, the
 * "launcher" calls the launch function (../sandbox/protocol.h). This file sends the input, receives
 * the output and compares it. Only this process knows the expected output.
 */
#include "children.h"
#include <sys/random.h>
#include <unistd.h>

enum { REPORT_BYTES = 4 << 20 };

static uint64_t random_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        stop(1, "no random numbers");
    return seed | 1;
}

/* Returns the sizes of a run's matrices; the device allocates them later. */
static struct matrices matrices_of(const Task *task, int rows, int cols)
{
    uint64_t elements = (uint64_t)rows * (uint64_t)cols * (uint64_t)task->count;
    return (struct matrices){.in_bytes = elements * (uint64_t)task->bytes,
                             .out_bytes = elements * (uint64_t)task->out_bytes,
                             .row_bytes = (uint32_t)(cols * task->bytes),
                             .in_place = task->op == OP_IN_PLACE,
                             .exchanges_free = task->exchanges_free};
}

/* Returns what was counted between `before` and `now`. */
static struct counts counts_since(struct counts now, const struct counts *before)
{
    for (int c = 0; c < COUNTERS + 2; c++) {
        now.counter[c].requests -= before->counter[c].requests;
        now.counter[c].work -= before->counter[c].work;
        now.counter[c].ideal_work -= before->counter[c].ideal_work;
    }
    now.launches -= before->launches;
    now.blocks -= before->blocks;
    now.working_blocks -= before->working_blocks;
    return now;
}

/* Waits until the device has allocated the matrices `asked`, tells the launcher to call the launch
 * function once, and receives the counts. */
static bool call_launch(Session *s, const Task *task, int rows, int cols,
                        const struct matrices *asked)
{
    Run *run = s->run;
    struct matrices m;
    struct return_message r;
    if (!receive_message(s, &s->device, MESSAGE_ALLOCATED, &m, sizeof m))
        return false;
    struct call_message call = {asked->in_place ? 0 : m.in,
                                m.out,
                                asked->in_bytes,
                                asked->out_bytes,
                                rows,
                                cols,
                                task->count,
                                0};
    if (!send_to(s, &s->launcher, MESSAGE_CALL, &call, sizeof call) ||
        !receive_message(s, &s->launcher, MESSAGE_RETURNED, &r, sizeof r))
        return false;
    r.text[sizeof r.text - 1] = 0;
    if (r.error)
        snprintf(run->error, sizeof run->error, "%s", r.text);
    if (r.element_bytes[0])
        memcpy(run->element_bytes, r.element_bytes, sizeof run->element_bytes);
    struct counts before = run->counts;
    if (!send_to(s, &s->device, MESSAGE_COLLECT, NULL, 0) ||
        !receive_message(s, &s->device, MESSAGE_COLLECTED, &run->counts, sizeof run->counts))
        return false;
    run->size[run->size_count - 1].counts = counts_since(run->counts, &before);
    return true;
}

/* ---- matrices that fit into memory ---- */

/* Replaces all units of an element as a load from shared memory does. */
static void alter_element(unsigned char *element, int bytes, const struct matrices *m)
{
    for (int b = 0; b < bytes; b += (int)m->alter_bytes)
        alter(element + b, m->alter_bytes, m->alter_key, 0);
}

/* True if the output element is what the input element becomes if it goes through shared memory, up to
 * four times, before or after it is converted. */
static bool came_through(const Task *task, const struct matrices *m, const unsigned char *in,
                         const unsigned char *out)
{
    unsigned char before[16], after[16], element[16];
    memcpy(before, in, (size_t)task->bytes);
    output_element(task, in, after);
    for (int times = 0; times < 4; times++) {
        alter_element(before, task->bytes, m);
        alter_element(after, task->out_bytes, m);
        output_element(task, before, element);
        if (!memcmp(out, element, (size_t)task->out_bytes) ||
            !memcmp(out, after, (size_t)task->out_bytes))
            return true;
    }
    return false;
}

/* Takes from the pairs what made these bytes of the input those of the output; false if one is missing. */
static bool take_pairs(uint32_t *pairs, const unsigned char *from, const unsigned char *to,
                       int bytes)
{
    bool found = true;
    for (int b = 0; b < bytes; b++) {
        if (!from[b] && !to[b]) /* a float's lower half, for one */
            continue;
        uint32_t *pair = &pairs[from[b] * 256 + to[b]];
        found &= *pair != 0;
        *pair -= *pair != 0;
    }
    return found;
}

/* As came_through, for single bytes, which a kernel could alter itself if a byte always became the same
 * one: as many bytes of the output must be another one as shared memory has made that of them. */
static bool bytes_came_through(const Task *task, uint32_t *pairs, const unsigned char *in,
                               const unsigned char *out)
{
    unsigned char before[16], after[16];
    output_element(task, in, before);
    for (int b = 0; b < 256 && task->op == OP_CONVERT; b++) {
        unsigned char byte = (unsigned char)b;
        output_element(task, &byte, after);
        if (!memcmp(out, after, (size_t)task->out_bytes))
            return take_pairs(pairs, in, &byte, 1);
    }
    return take_pairs(pairs, before, out, task->out_bytes);
}

/* Returns how many percent of the output came through shared memory, and no other way from thread to
 * thread. */
static uint64_t percent_through(const Task *task, int rows, int cols, const struct matrices *m,
                                uint32_t *pairs, uint64_t exchanges, const unsigned char *in,
                                const unsigned char *out)
{
    size_t elements = (size_t)rows * (size_t)cols * (size_t)task->count, came = 0;
    size_t words = task->bytes < 4 ? 1 : (size_t)task->bytes / 4;
    if (!m->alter_key || exchanges > EXCHANGES * elements * words)
        return 0;
    for (size_t i = 0; i < elements; i++) {
        const unsigned char *from = in + source_of(task, rows, cols, i) * (size_t)task->bytes;
        const unsigned char *to = out + i * (size_t)task->out_bytes;
        came += m->alter_bytes == 1 ? bytes_came_through(task, pairs, from, to)
                                    : came_through(task, m, from, to);
    }
    return came * 100 / elements;
}

static bool run_size(Session *s, const Task *task, int rows, int cols, int sizes, bool apart)
{
    static uint32_t pairs[BYTE_PAIRS];
    struct matrices m = matrices_of(task, rows, cols);
    if (sizes == ALTERED || sizes == NUMBERS) {
        m.alter_key = random_seed();
        m.alter_bytes = task->bytes < 4 ? (uint32_t)task->bytes : 4;
        m.alters_numbers = sizes == NUMBERS;
        m.altered_words = m.alters_numbers ? task->altered_numbers : task->altered_words;
        m.least_high = task->bytes == 4 ? 0x3000 : 1; /* fill_elements() */
    }
    m.order = sizes == COUNTED ? 0 : random_seed();
    m.lanes_apart = apart;
    unsigned char *in = allocate(NULL, m.in_bytes), *in_after = allocate(NULL, m.in_bytes),
                  *out = allocate(NULL, m.out_bytes);
    fill_task(task, in, m.in_bytes / (size_t)task->bytes, random_seed());
    memset(out, POISON_BYTE, m.out_bytes);
    if (m.in_place)
        memcpy(out, in, m.out_bytes);
    int n = s->run->size_count++;
    s->run->size[n].rows = rows, s->run->size[n].cols = cols, s->run->size[n].count = task->count;
    bool good =
        send_to(s, &s->device, MESSAGE_ALLOCATE, &m, sizeof m) &&
        (m.in_place || send_bytes(s, &s->device, in, m.in_bytes)) &&
        send_bytes(s, &s->device, out, m.out_bytes) && call_launch(s, task, rows, cols, &m) &&
        receive(s, &s->device, in_after, m.in_bytes) && receive(s, &s->device, out, m.out_bytes) &&
        (m.alter_bytes != 1 || receive(s, &s->device, pairs, sizeof pairs));
    if (good) {
        Finding *f = &s->run->size[n].found;
        *f = compare_output(task, rows, cols, in, out);
        s->run->counts.through_shared =
            percent_through(task, rows, cols, &m, pairs, s->run->counts.exchanges, in, out);
        f->input_changed = !m.in_place && memcmp(in, in_after, m.in_bytes) != 0;
    }
    free(in);
    free(in_after);
    free(out);
    return good && !s->run->error[0];
}

/* ---- matrices larger than memory: see ../sandbox/large_matrix.h ---- */

/* Receives and compares the pages that the kernels of a large run touched. */
static bool receive_pages(Session *s, const Task *task, int rows, int cols, uint64_t seed)
{
    Run *run = s->run;
    int n = run->size_count - 1;
    unsigned char bytes[PAGE_BYTES];
    struct page page;
    for (;;) {
        if (!receive(s, &s->device, &page, sizeof page))
            return false;
        if (!page.bytes)
            return true;
        if (page.bytes > PAGE_BYTES || !receive(s, &s->device, bytes, page.bytes)) {
            set_ended(s, "message");
            return false;
        }
        compare_page(task, rows, cols, seed, &page, bytes, &run->size[n].found,
                     &run->size[n].written);
    }
}

/* If the launcher ended, waits up to 0.2 s for the device to end too. If the device has ended, replaces
 * the cause by the device's, because the launcher ends when the device does. */
static void blame_device(Session *s)
{
    for (int i = 0; s->launcher.ended && !s->device.ended && i < 100; i++, usleep(2000)) {
        char how[sizeof s->run->ended];
        memcpy(how, s->run->ended, sizeof how);
        s->run->ended[0] = 0;
        note_exit(s, &s->device);
        if (!s->run->ended[0])
            memcpy(s->run->ended, how, sizeof how);
    }
}

static void run_large(Session *s, const Task *task, int rows, int cols)
{
    Run *run = s->run;
    struct matrices m = matrices_of(task, rows, cols);
    m.large_element_bytes = (uint32_t)task->bytes;
    m.seed = random_seed();
    int n = run->size_count++;
    run->size[n].rows = rows, run->size[n].cols = cols;
    if (!send_to(s, &s->device, MESSAGE_ALLOCATE, &m, sizeof m) ||
        !call_launch(s, task, rows, cols, &m))
        blame_device(s);
    else
        receive_pages(s, task, rows, cols, m.seed);
}

/* ---- a whole run ---- */

enum {
    SMALL = 5, /* sizes of a ragged run that are small, the first ones of task.h */
    DRAWN = 4  /* that are drawn at random, the last ones */
};

/* Sets *rows, *cols and *count to size number `number` of a ragged run: task.h's, then two of any shape, of a
 * batch with fewer matrices and with more, then two with the costs of the counted size, or up to twice as much
 * for the first of them. *apart: lanes of a warp may take another order too, as no traffic is compared. */
static bool other_size(const Task *task, int number, int *rows, int *cols, int *count, bool *apart)
{
    int fixed = 0, r, c;
    *count = task->count;
    while (ragged_size(task, fixed, &r, &c))
        fixed++;
    *apart = number < SMALL || number == fixed + 1;
    if (number < fixed)
        return ragged_size(task, number, rows, cols);
    if (number < fixed + 2) {
        drawn_size(task, random_seed() >> 1, number == fixed, rows, cols);
        if (task->count > 1)
            *count = number == fixed ? 1 + (int)(random_seed() % (uint64_t)(task->count - 1))
                                     : *count + 1 + (int)(random_seed() % (uint64_t)task->count);
    } else {
        similar_size(task, random_seed(), number == fixed + 2, rows, cols);
    }
    return number < fixed + DRAWN;
}

/* Receives the faults, the counts per source line and the bank conflicts, unless the device has ended
 * or may not answer. */
static void receive_report(Session *s)
{
    char ended[sizeof s->run->ended];
    uint32_t bytes;
    memcpy(ended, s->run->ended, sizeof ended);
    if (s->device.ended || !strcmp(ended, "time") || !strcmp(ended, "asleep") ||
        starts_with(ended, "broken"))
        return;
    s->run->ended[0] = 0;
    s->deadline = now() + 10;
    if (send_to(s, &s->device, MESSAGE_REPORT, NULL, 0) &&
        wait_for_message(s, &s->device, MESSAGE_REPORT, &bytes) && bytes <= REPORT_BYTES) {
        char *all = calloc(bytes + 1, 1);
        if (all && receive(s, &s->device, all, bytes)) {
            /* Empty lines separate faults, lines and conflicts; the first part may be empty. */
            const char *lines = *all == '\n' ? all : strstr(all, "\n\n");
            const char *conflicts = lines ? strstr(lines + 1 + (lines != all), "\n\n") : NULL;
            if (lines) {
                add_bytes(&s->run->faults, all, (size_t)(lines - all));
                lines += 1 + (lines != all);
                add_bytes(&s->run->lines, lines,
                          conflicts ? (size_t)(conflicts + 1 - lines) : strlen(lines));
                add(&s->run->conflicts, conflicts ? conflicts + 2 : "");
            }
        }
        free(all);
    }
    memcpy(s->run->ended, ended, sizeof ended);
}

Run run_answer(const char *work, const Task *task, int sizes)
{
    Run run = {0};
    Session s = {.run = &run,
                 .work = work,
                 .deadline = now() + settings.wall_seconds,
                 .looked = now(),
                 .printed = -1,
                 .device = {.socket = -1},
                 .launcher = {.socket = -1}};
    int rows = task->rows, cols = task->cols;
    Task other = *task;
    s.large = sizes >= LARGE && large_size(task, sizes - LARGE, &rows, &cols, &other.count);
    if (!start_children(&s)) {
        set_ended(&s, "broken no process can be started");
    } else if (receive_message(&s, &s.device, MESSAGE_READY, NULL, 0) &&
               receive_message(&s, &s.launcher, MESSAGE_READY, NULL, 0)) {
        bool good = true, apart;
        s.ready = true;
        if (s.large)
            run_large(&s, &other, rows, cols);
        else if (sizes < RAGGED)
            run_size(&s, task, rows, cols, sizes, false);
        for (int n = 0;
             sizes == RAGGED && good && other_size(task, n, &rows, &cols, &other.count, &apart);
             n++)
            good = run_size(&s, &other, rows, cols, sizes, apart) && !run.counts.faults;
        if (s.launcher.ended || !run.ended[0] || starts_with(run.ended, "launcher") ||
            !strcmp(run.ended, "output"))
            receive_report(&s);
    }
    end_children(&s);
    return run;
}
