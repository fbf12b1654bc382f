/*
 * Measures how the read policies of transpose_with() change the time of the next kernel and of a whole
 * program. A benchmark for the choice of transpose()'s default; no time counts as a failure.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../.. neighbour.cu -o neighbour
 *     ./neighbour [OUT.tsv]
 *
 * One pass of the measured program transposes an N x N matrix of floats, then copies another matrix,
 * M x M floats, R times with a plain kernel. The copies hit L2 if nothing evicts their lines. Each
 * combination of N, M and R is measured with the read policies ordinary, kept and by_size, in
 * alternation. Before each sample the persisting lines of L2 are reset and two passes run untimed.
 *
 * Prints and writes medians over rounds, in microseconds per pass. Columns: size (N) neighbour (M)
 * copies (R) reads (the policy) program_us transpose_us copies_us saved_us (compared with ordinary
 * reads). Exit status: 0; 1 a CUDA failure, or OUT.tsv cannot be written; 3 no device.
 */
#include "../../../steps/08_any_shape/transpose.cuh"
#include "harness/timing.h"

enum { ROUNDS = 9, THREADS = 256 };

static const int sizes[] = {1024, 2048, 3001, 4096, 6144, 8192, 12288, 16384, 24576, 32768};
static const int neighbours[] = {1024, 2048};
static const int repeats[] = {1, 10};
static const char *const names[] = {"by_size", "ordinary", "kept"}; /* as in TransposeReads */

__global__ void plain_copy(const float4 *in, float4 *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

typedef struct {
    int size, neighbour, copies, reads;
} Case;

typedef struct {
    double program, transpose, copies; /* microseconds of one pass */
} Figures;

static float *in, *out, *own_in, *own_out;

static void pass(const Case *c, cudaEvent_t between)
{
    CUDA_CHECK(transpose_with(out, in, 1, c->size, c->size, 0, 0, sizeof(float),
                              (enum TransposeReads)c->reads, 0));
    CUDA_CHECK(cudaEventRecord(between));
    size_t vectors = (size_t)c->neighbour * c->neighbour / 4;
    for (int i = 0; i < c->copies; i++)
        plain_copy<<<(unsigned)((vectors + THREADS - 1) / THREADS), THREADS>>>(
            (const float4 *)own_in, (float4 *)own_out, vectors);
    CUDA_CHECK(cudaGetLastError());
}

/* Takes one sample of `count` passes back to back, at most MAX_PASSES. */
enum { MAX_PASSES = 64 };

static Figures sample_of(const Case *c, int count)
{
    static cudaEvent_t begun[MAX_PASSES + 1], between[MAX_PASSES];
    for (int i = 0; i <= MAX_PASSES && !begun[i]; i++) {
        CUDA_CHECK(cudaEventCreate(&begun[i]));
        if (i < MAX_PASSES)
            CUDA_CHECK(cudaEventCreate(&between[i]));
    }
    reset_kept_lines();
    for (int i = 0; i < 2; i++)
        pass(c, between[0]);
    for (int i = 0; i < count; i++) {
        CUDA_CHECK(cudaEventRecord(begun[i]));
        pass(c, between[i]);
    }
    CUDA_CHECK(cudaEventRecord(begun[count]));
    CUDA_CHECK(cudaDeviceSynchronize());
    Figures sum = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        float first, second;
        CUDA_CHECK(cudaEventElapsedTime(&first, begun[i], between[i]));
        CUDA_CHECK(cudaEventElapsedTime(&second, between[i], begun[i + 1]));
        sum.transpose += 1e3 * first / count;
        sum.copies += 1e3 * second / count;
    }
    sum.program = sum.transpose + sum.copies;
    return sum;
}

static double median_of(Figures *samples, size_t member)
{
    double values[ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
        values[r] = *(double *)((char *)&samples[r] + member);
    return summarise(values, ROUNDS).median;
}

/* Measures the three policies in alternation and writes their rows to both files. */
static void measure_case(Case c, FILE *file)
{
    static Figures samples[3][ROUNDS];
    Figures figures[3];
    double bytes = 8.0 * c.size * c.size + 8.0 * c.copies * c.neighbour * c.neighbour;
    int count = (int)(2e10 / bytes); /* about 5 ms on a GPU of 4 TB/s */
    count = count < 2 ? 2 : count > MAX_PASSES ? MAX_PASSES : count;
    for (int round = 0; round < ROUNDS; round++)
        for (int turn = 0; turn < 3; turn++) {
            c.reads = (turn + round) % 3;
            samples[c.reads][round] = sample_of(&c, count);
        }
    for (int reads = 0; reads < 3; reads++)
        figures[reads] = Figures{median_of(samples[reads], offsetof(Figures, program)),
                                 median_of(samples[reads], offsetof(Figures, transpose)),
                                 median_of(samples[reads], offsetof(Figures, copies))};
    for (int reads = 0; reads < 3; reads++) {
        const Figures *f = &figures[reads];
        double saved = figures[TRANSPOSE_READS_ORDINARY].program - f->program;
        printf("%6d %9d %6d  %-9s %11.2f %13.2f %10.2f %9.2f\n", c.size, c.neighbour, c.copies,
               names[reads], f->program, f->transpose, f->copies, saved);
        if (file)
            fprintf(file, "%d\t%d\t%d\t%s\t%.3f\t%.3f\t%.3f\t%.3f\n", c.size, c.neighbour, c.copies,
                    names[reads], f->program, f->transpose, f->copies, saved);
    }
}

int main(int argc, char **argv)
{
    Device device = open_device(0);
    FILE *file = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !file) {
        fprintf(stderr, "%s: cannot be written\n", argv[1]);
        return EXIT_FAULT;
    }
    if (file)
        fprintf(file,
                "# gpu: %s\n# l2 bytes: %zu\nsize\tneighbour\tcopies\treads\tprogram_us\t"
                "transpose_us\tcopies_us\tsaved_us\n",
                device.name, device.l2_bytes);
    size_t own = 0, free_bytes, total;
    for (int n = 0; n < COUNT_OF(neighbours); n++)
        own = own > (size_t)neighbours[n] ? own : (size_t)neighbours[n];
    CUDA_CHECK(cudaMalloc((void **)&own_in, own * own * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&own_out, own * own * sizeof(float)));
    CUDA_CHECK(cudaMemset(own_in, 1, own * own * sizeof(float)));
    printf("%s, L2 %.0f MB\n", device.name, device.l2_bytes / 1e6);
    printf("%6s %9s %6s  %-9s %11s %13s %10s %9s\n", "size", "neighbour", "copies", "reads",
           "program, us", "transpose, us", "copies, us", "saved, us");
    for (int s = 0; s < COUNT_OF(sizes); s++) {
        size_t bytes = (size_t)sizes[s] * sizes[s] * sizeof(float);
        CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
        if (2 * bytes > free_bytes / 10 * 9)
            break;
        CUDA_CHECK(cudaMalloc((void **)&in, bytes));
        CUDA_CHECK(cudaMalloc((void **)&out, bytes));
        CUDA_CHECK(cudaMemset(in, 1, bytes));
        for (int n = 0; n < COUNT_OF(neighbours); n++)
            for (int r = 0; r < COUNT_OF(repeats); r++)
                measure_case(Case{sizes[s], neighbours[n], repeats[r], 0}, file);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(out));
    }
    return file && fclose(file) != 0 ? EXIT_FAULT : EXIT_OK;
}
