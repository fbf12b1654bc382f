/*
 * The device of a check: a process with the submission's kernels, compiled as untrusted code, and
 * cpucc's run time. It holds the matrices, launches kernels for the launcher, and sends the judge its
 * counts. See protocol.h.
 */
#define _GNU_SOURCE
#include "../../cpucc/api/api.h"
#include "../../cpucc/execution/execution.h"
#include "confine.h"
#include "protocol.h"
#include "large_matrix.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cudaError_t cpucc_set_function(const void *function, cudaFuncAttribute attribute, int value);

static struct counts counts;
static struct matrices matrices;
static uint32_t byte_pairs[BYTE_PAIRS];

static void end(void)
{
    fflush(stdout);
    _exit(0);
}

/* ---- launches ---- */

static const struct device_part *find(const char *name)
{
    for (const struct device_part *p = __start_cpucc_parts; p < __stop_cpucc_parts; p++)
        if (p->readable && p->parameters && !strcmp(p->name, name))
            return p;
    return NULL;
}

/* Sends the launcher the names and parameters of all kernels. */
static void send_kernels(void)
{
    static struct kernel k;
    for (const struct device_part *p = __start_cpucc_parts; p < __stop_cpucc_parts; p++) {
        if (!p->readable || strlen(p->name) >= sizeof k.name)
            continue;
        memset(&k, 0, sizeof k);
        strcpy(k.name, p->name);
        int n = 0;
        for (; n < KERNEL_PARAMETERS - 1 && p->parameters && p->parameters[n]; n++)
            k.sizes[n] = p->parameters[n];
        send_message(PEER, MESSAGE_KERNEL, &k, sizeof k);
    }
    memset(&k, 0, sizeof k);
    send_message(PEER, MESSAGE_KERNEL, &k, sizeof k);
}

struct kernel_call {
    void (*caller)(void **);
    void **arguments;
};

static void run_kernel(void *p)
{
    const struct kernel_call *c = p;
    c->caller(c->arguments);
}

static cudaError_t launch(const struct launch_message *m, char *arguments, size_t bytes)
{
    static void *pointers[KERNEL_PARAMETERS];
    const struct device_part *p = find(m->name);
    size_t at = 0;
    if (!p)
        return cpucc_error(cudaErrorInvalidDeviceFunction);
    for (int i = 0; p->parameters[i]; i++) {
        size_t size = p->parameters[i];
        at = (at + 63) / 64 * 64;
        if (i == KERNEL_PARAMETERS || size > bytes || at > bytes - size)
            return cpucc_error(cudaErrorInvalidValue);
        pointers[i] = arguments + at;
        at += size;
    }
    struct kernel_call call = {(void (*)(void **))p->address, pointers};
    cpucc_config c = {p->readable,
                      {m->grid[0], m->grid[1], m->grid[2]},
                      {m->block[0], m->block[1], m->block[2]},
                      {m->cluster[0], m->cluster[1], m->cluster[2]},
                      m->shared,
                      NULL,
                      m->cooperative != 0,
                      p,
                      0};
    cudaError_t error = cpucc_declared(p, &c);
    if (!error)
        error = cpucc_error(cpucc_check_launch(&c));
    if (error)
        return error; /* a refused launch counts nothing */
    uint64_t blocks = (uint64_t)c.grid.x * c.grid.y * c.grid.z;
    uint64_t threads = (uint64_t)c.block.x * c.block.y * c.block.z;
    counts.launches++;
    counts.least_threads =
        counts.launches == 1 || threads < counts.least_threads ? threads : counts.least_threads;
    counts.threads = threads > counts.threads ? threads : counts.threads;
    cpucc_seal_parameters(arguments, bytes);
    large_blocks_run = 0;
    error = cpucc_run(&c, run_kernel, &call, 0);
    counts.blocks += blocks;
    counts.blocks_run += large_blocks_run ? large_blocks_run : blocks;
    cpucc_seal_parameters(NULL, 0);
    fflush(stdout);
    return error;
}

/* Answers one request of the launcher; false if the launcher has ended or sent an unknown message. */
static bool serve_launcher(void)
{
    static struct launch_message m;
    static struct attribute_message limit;
    static _Alignas(64) char arguments[ARGUMENT_BYTES];
    struct header h;
    cudaError_t error = cudaErrorInvalidValue;
    if (!receive_all(PEER, &h, sizeof h))
        return false;
    if (h.kind == MESSAGE_LAUNCH && h.bytes >= sizeof m && h.bytes <= sizeof m + sizeof arguments) {
        size_t bytes = h.bytes - sizeof m;
        if (!receive_all(PEER, &m, sizeof m) || !receive_all(PEER, arguments, bytes))
            return false;
        m.name[sizeof m.name - 1] = 0;
        error = launch(&m, arguments, bytes);
    } else if (h.kind == MESSAGE_ATTRIBUTE && h.bytes == sizeof limit) {
        if (!receive_all(PEER, &limit, sizeof limit))
            return false;
        limit.name[sizeof limit.name - 1] = 0;
        const struct device_part *p = find(limit.name);
        if (p)
            error = cpucc_set_function(p, (cudaFuncAttribute)limit.attribute, limit.value);
    } else {
        return false;
    }
    int32_t answer = error;
    return send_message(PEER, (enum message_kind)h.kind, &answer, sizeof answer);
}

/* ---- the judge ---- */

static void *must(void *p)
{
    if (!p)
        _exit(DEVICE_OUT_OF_MEMORY);
    return p;
}

static void *allocate(uint64_t bytes)
{
    void *p = NULL;
    if (cudaMalloc(&p, bytes) != cudaSuccess)
        _exit(DEVICE_OUT_OF_MEMORY);
    return p;
}

/* Receives the bytes of a matrix. */
static void fill(uint64_t to, uint64_t bytes)
{
    void *p = must(malloc(bytes));
    if (!receive_all(JUDGE, p, bytes))
        end();
    cudaMemcpy((void *)(uintptr_t)to, p, bytes, cudaMemcpyHostToDevice);
    free(p);
}

static int is_address(uintptr_t a)
{
    return a - (uintptr_t)cpucc_heap < (uintptr_t)(cpucc_heap_end - cpucc_heap) ||
           cpucc_is_shared_pointer((void *)a);
}

/* True if the byte is an upper one of an integer of 2 or 4 bytes, or of the float 2^23 plus an integer, each with one
 * byte of a matrix that the task converts. */
static bool is_upper(const uint8_t *byte)
{
    uint32_t place = (uintptr_t)byte % 4, word = *(const uint32_t *)(byte - place);
    return matrices.out_bytes > matrices.in_bytes && place &&
           (word < 256 || word >> 8 == 0x4b0000 || (place % 2 && !*byte));
}

/* Changes a unit of shared memory. Pointers and integers stay as they are, so that kernels can have
 * places and flags there; but a few bytes of the matrix can look like that too. */
static bool alter_shared(void *unit, bool back)
{
    static uint32_t drawn;
    if (matrices.alters_numbers) {
        bool number = back || *(uint32_t *)unit >> 16 < matrices.least_high;
        *(uint32_t *)unit ^= number;
        return number;
    }
    if (matrices.alter_bytes == 1) {
        uint8_t *byte = unit;
        uint32_t random = drawn++;
        if (back) /* the store replaces it */
            return true;
        if (is_upper(byte))
            return false;
        alter(&random, 4, matrices.alter_key, 0);
        byte_pairs[*byte * 256 + (uint8_t)random]++;
        *byte = (uint8_t)random;
        return true;
    }
    uint32_t high = *(const uint32_t *)unit >> 16;
    if (!back && matrices.alter_bytes == 4 &&
        (high < matrices.least_high || high == 0xffff ||
         is_address(*(uintptr_t *)((uintptr_t)unit & ~(uintptr_t)7))))
        return false;
    alter(unit, matrices.alter_bytes, matrices.alter_key, back);
    return true;
}

/* Allocates the matrices and receives their contents. */
static void take_matrices(void)
{
    if (!receive_all(JUDGE, &matrices, sizeof matrices))
        end();
    if (matrices.large_element_bytes) {
        if (!large_start(&matrices))
            _exit(DEVICE_OUT_OF_MEMORY);
        send_message(JUDGE, MESSAGE_ALLOCATED, &matrices, sizeof matrices);
        return;
    }
    if (matrices.alter_key)
        cpucc_alter_shared(matrices.alter_bytes, matrices.altered_words, alter_shared);
    matrices.out = (uintptr_t)allocate(matrices.out_bytes);
    matrices.in = matrices.in_place ? matrices.out : (uintptr_t)allocate(matrices.in_bytes);
    cpucc_exchanges_free = matrices.exchanges_free;
    cpucc_set_schedule(matrices.order, matrices.lanes_apart);
    cpucc_set_matrix(matrices.in, matrices.in_bytes, matrices.row_bytes);
    if (!matrices.in_place)
        fill(matrices.in, matrices.in_bytes);
    fill(matrices.out, matrices.out_bytes);
    send_message(JUDGE, MESSAGE_ALLOCATED, &matrices, sizeof matrices);
}

/* Sends the counts and the matrices, and frees them. */
static void give_matrices(void)
{
    struct cpucc_totals totals;
    _Static_assert(sizeof *counts.counter == sizeof *totals.counter, "the same three numbers");
    cpucc_read(&totals);
    memcpy(counts.counter, totals.counter, COUNTERS * sizeof *counts.counter);
    memcpy(counts.counter + COUNTERS, cpucc_matrix_count, sizeof cpucc_matrix_count);
    counts.shared_bytes = totals.shared_bytes;
    counts.shared_used = cpucc_shared_used();
    counts.faults = cpucc_faults();
    counts.atomics = cpucc_heap_atomics;
    counts.atomic_bytes = cpucc_other_atomic_bytes;
    counts.exchanges = cpucc_exchanges;
    counts.local_bytes = cpucc_local_bytes;
    counts.phases = cpucc_mbarrier_phases;
    counts.later_bytes = cpucc_later_bytes;
    counts.in_flight = cpucc_bytes_in_flight();
    counts.working_blocks = cpucc_working_blocks();
    counts.working_threads = cpucc_working_threads();
    counts.tile_rows = cpucc_rows_loaded();
    counts.variable_bytes = cpucc_variable_bytes();
    counts.stores_per_load = cpucc_stores_per_load();
    send_message(JUDGE, MESSAGE_COLLECTED, &counts, sizeof counts);
    if (matrices.large_element_bytes) {
        large_send_pages(JUDGE);
        return;
    }
    send_all(JUDGE, (const void *)(uintptr_t)matrices.in, matrices.in_bytes);
    send_all(JUDGE, (const void *)(uintptr_t)matrices.out, matrices.out_bytes);
    if (matrices.alter_bytes == 1)
        send_all(JUDGE, byte_pairs, sizeof byte_pairs);
    cudaFree((void *)(uintptr_t)matrices.out);
    if (!matrices.in_place)
        cudaFree((void *)(uintptr_t)matrices.in);
}

/* Writes at most n characters of a text and a tab; the text has a blank in place of its tabs and line
 * breaks (a #line directive names a file as it likes). */
static void put_field(FILE *to, const char *p, size_t n)
{
    for (; *p && n--; p++)
        putc(*p == '\t' || *p == '\n' ? ' ' : *p, to);
    putc('\t', to);
}

static void print_fault(FILE *to, const struct fault *f)
{
    const struct kind_text *k = &cpucc_kind_texts[f->kind];
    const char *line, *place = cpucc_line(f->pc);
    int length = cpucc_line_parts(place, &line);
    fprintf(to, "%s\t%s\t%s\t", cpucc_level(f->kind) == FAULT ? "fault" : "remark", k->word,
            k->text);
    put_field(to, place, (size_t)length);
    put_field(to, line, strlen(line));
    put_field(to, f->message ? f->message : "", SIZE_MAX);
    putc('\n', to);
}

/* For each source line with bank conflicts, prints its worst request, a line per busy bank: source
 * line, counter, wavefronts, ideal, bank, words that the bank serves one after the other, mask of
 * their lanes. */
static void print_conflicts(FILE *to)
{
    static struct traffic_wavefront wave[TRAFFIC_MAX_WAVEFRONTS];
    int kernel_count, count;
    struct kernel_record *const *kernels = cpucc_kernels(&kernel_count);
    for (int k = 0; k < kernel_count; k++) {
        struct line_count *line = cpucc_lines(kernels[k], &count);
        for (int i = 0; i < count; i++) {
            const struct site_count *s = &line[i].sum;
            const char *colon = strrchr(line[i].shown, ':');
            if (!colon || s->worst_work <= s->worst_ideal || cpucc_worst_is_global(s))
                continue;
            int waves = traffic_wavefronts(&s->worst, wave);
            for (int bank = 0; bank < TRAFFIC_BANKS; bank++) {
                uint32_t lanes = 0;
                int words = 0;
                for (int w = 0; w < waves; w++) {
                    lanes |= wave[w].lanes[bank];
                    words += wave[w].lanes[bank] != 0;
                }
                if (words)
                    fprintf(to, "%s\t%s\t%d\t%llu\t%d\t%d\t%x\n", colon + 1,
                            cpucc_counter_name(s->worst_counter), waves,
                            (unsigned long long)s->worst_ideal, bank, words, lanes);
            }
        }
        free(line);
    }
}

/* Sends the faults, the counts per source line and the bank conflicts, separated by empty lines. */
static void report(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = must(open_memstream(&text, &bytes));
    int faults;
    const struct fault *f = cpucc_kept_faults(&faults);
    for (int i = 0; i < faults; i++)
        print_fault(to, &f[i]);
    putc('\n', to);
    cpucc_print_lines(to);
    putc('\n', to);
    print_conflicts(to);
    fclose(to);
    send_message(JUDGE, MESSAGE_REPORT, text, bytes);
    free(text);
}

/* Asks the judge for the source lines of addresses; returns addr2line's output. */
static FILE *ask_for_lines(const char *addresses)
{
    static char text[1 << 16];
    struct header h;
    if (!send_message(JUDGE, MESSAGE_LINES, addresses, strlen(addresses)) ||
        !receive_all(JUDGE, &h, sizeof h) || h.kind != MESSAGE_LINES)
        end();
    size_t n = h.bytes < sizeof text ? h.bytes : sizeof text;
    if (!receive_all(JUDGE, text, n))
        end();
    for (size_t rest = h.bytes - n; rest; rest--) {
        char byte;
        if (!receive_all(JUDGE, &byte, 1))
            end();
    }
    return n ? fmemopen(text, n, "r") : NULL;
}

static void serve_judge(void)
{
    struct header h;
    if (!receive_all(JUDGE, &h, sizeof h))
        end();
    switch (h.kind) {
    case MESSAGE_ALLOCATE: take_matrices(); break;
    case MESSAGE_COLLECT: give_matrices(); break;
    case MESSAGE_REPORT: report(); break;
    default: end();
    }
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 1 << 12);
    cpucc_default_report("off");
    cpucc_open_lines = ask_for_lines;
    cpucc_seal();
    cpucc_device_start();
    cpucc_signals_start();
    send_kernels();
    const char *refused = confine();
    if (refused) {
        send_message(JUDGE, MESSAGE_REFUSED, refused, strlen(refused));
        return 9; /* the judge has been told the reason */
    }
    send_message(JUDGE, MESSAGE_READY, NULL, 0);
    struct pollfd from[2] = {{JUDGE, POLLIN, 0}, {PEER, POLLIN, 0}};
    for (;;) {
        if (poll(from, 2, -1) < 0)
            continue;
        if (from[1].revents && !serve_launcher())
            from[1].fd = -1;
        if (from[0].revents)
            serve_judge();
    }
}
