/*
 * The checker's main, built by cpucc and linked with a submission's object.
 *
 *   judge TASK-FILE counted|ragged <NONCE 3>RESULTS
 *
 * Runs the submission's launch function at the counted size or at the ragged ones. Results go to
 * file descriptor 3, tab-separated, each line after the word that came on standard input: a
 * submission knows neither. A run that ends without the line "end" proves nothing.
 *
 * The run time's calls of cpucc_run come here first (the linker's --wrap), so that the matrices can
 * be reached while a kernel runs and not by the host in between, as on a GPU.
 */
#define EXERCISE_CHECKED
#include "judge.h"
#include "../cpucc/cpucc.h"
#include <sys/mman.h>
#include <unistd.h>

static char nonce[64];
static FILE *results;
static struct {
    uintptr_t start, end;
} matrix[2];
static uint64_t launches, blocks, threads;
static const Task *current;

static void protect(int how)
{
    for (int m = 0; m < 2; m++)
        if (matrix[m].end > matrix[m].start)
            mprotect((void *)matrix[m].start, matrix[m].end - matrix[m].start, how);
}

extern "C" cudaError_t __real_cpucc_run(const cpucc_config *config, void (*body)(void *),
                                        void *arguments, size_t argument_bytes);
/* clang's start-up code of the submission; a file without kernels has none. */
extern "C" __attribute__((weak)) void announce_kernels(void);

extern "C" cudaError_t __wrap_cpucc_run(const cpucc_config *config, void (*body)(void *),
                                        void *arguments, size_t argument_bytes)
{
    launches++;
    uint64_t b = (uint64_t)config->grid.x * config->grid.y * config->grid.z;
    uint64_t t = (uint64_t)config->block.x * config->block.y * config->block.z;
    blocks = b > blocks ? b : blocks;
    threads = t > threads ? t : threads;
    protect(PROT_READ | PROT_WRITE);
    cudaError_t error = __real_cpucc_run(config, body, arguments, argument_bytes);
    protect(PROT_NONE);
    return error;
}

static void on_crash(int number, siginfo_t *info, void *)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    int host = 0;
    for (int m = 0; m < 2; m++)
        host |= at >= matrix[m].start && at < matrix[m].end;
    if (host) {
        char line[96];
        int n = snprintf(line, sizeof line, "%s\thost_access\n", nonce);
        if (write(3, line, n) < 0)
            _exit(9);
        _exit(8);
    }
    signal(number, SIG_DFL);
}

static void guarded_launch(const Call *call)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    size_t elements = (size_t)call->rows * call->cols * call->count;
    uintptr_t in = (uintptr_t)call->in, out = (uintptr_t)call->out;
    matrix[0].start = in / page * page;
    matrix[0].end = in ? (in + elements * current->bytes + page - 1) / page * page : 0;
    matrix[1].start = out / page * page;
    matrix[1].end = (out + elements * current->out_bytes + page - 1) / page * page;
    protect(PROT_NONE);
    cpucc_record(1);
    exercise_launch(call);
    cpucc_record(0);
    protect(PROT_READ | PROT_WRITE);
}

static void check_size(const Task *task, int rows, int cols)
{
    fprintf(results, "%s\tsize\t%d\t%d\n", nonce, rows, cols);
    fflush(results);
    Finding f = judge_run_once(task, rows, cols, guarded_launch);
    fprintf(results, "%s\tfound\t%d\t%d\t%llu\t%llu\t%d\t%llu\t%llu\t%d\t%d\t%llu\t%llu\t%llu\n",
            nonce, rows, cols, (unsigned long long)f.wrong, (unsigned long long)f.elements,
            f.input_changed, (unsigned long long)f.row, (unsigned long long)f.col, f.untouched,
            f.holds, (unsigned long long)f.found_row, (unsigned long long)f.found_col,
            (unsigned long long)f.matrix);
}

static void report_counts(const Task *task)
{
    /* What the operation must move at least; in place, the diagonal stays. */
    size_t elements = (size_t)task->rows * task->cols * task->count;
    if (task->op == OP_IN_PLACE)
        elements -= task->rows;
    fprintf(results, "%s\tscalar\tleast_read\t%zu\n", nonce, elements * task->bytes);
    fprintf(results, "%s\tscalar\tleast_written\t%zu\n", nonce, elements * task->out_bytes);
    struct cpucc_totals totals;
    cpucc_read(&totals);
    for (int c = 0; c < CPUCC_COUNTERS; c++)
        fprintf(results, "%s\tcount\t%s\t%llu\t%llu\t%llu\n", nonce, cpucc_counter_name(c),
                (unsigned long long)totals.counter[c].requests,
                (unsigned long long)totals.counter[c].work,
                (unsigned long long)totals.counter[c].ideal_work);
    fprintf(results, "%s\tscalar\tshared_bytes\t%llu\n", nonce,
            (unsigned long long)totals.shared_bytes);
    fprintf(results, "%s\tscalar\tlaunches\t%llu\n", nonce, (unsigned long long)launches);
    fprintf(results, "%s\tscalar\tblocks\t%llu\n", nonce, (unsigned long long)blocks);
    fprintf(results, "%s\tscalar\tthreads_per_block\t%llu\n", nonce, (unsigned long long)threads);
}

int main(int argc, char **argv)
{
    Task task;
    if (argc != 3 || !fgets(nonce, sizeof nonce, stdin) || !(results = fdopen(3, "w")) ||
        !read_task(argv[1], &task))
        return EXIT_USAGE;
    nonce[strcspn(nonce, "\n")] = 0;
    judge_seed = strtoull(nonce, NULL, 16) | 1;
    fclose(stdin);
    current = &task;
    struct sigaction crash = {};
    crash.sa_sigaction = on_crash;
    crash.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &crash, NULL);
    sigaction(SIGBUS, &crash, NULL);
    cpucc_default_report("off");
    cpucc_record(0);
    if (announce_kernels)
        announce_kernels();

    int rows = task.rows, cols = task.cols;
    if (!strcmp(argv[2], "counted"))
        check_size(&task, rows, cols);
    for (int n = 0; !strcmp(argv[2], "ragged") && ragged_size(&task, n, &rows, &cols); n++)
        check_size(&task, rows, cols);
    report_counts(&task);
    fprintf(results, "%s\tfaults\t%llu\n%s\tend\n", nonce, (unsigned long long)cpucc_faults(),
            nonce);
    fclose(results);
    return EXIT_OK;
}
