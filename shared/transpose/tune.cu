/*
 * tune.cu: measures every way to transpose on this GPU at random problems, writes the table of the
 * rule, and says how far behind the best way the rule is.
 *
 *     tune [--seconds S] [--seed N] [--table FILE] [--raw FILE] [--refit FILE]...
 *
 *   --seconds S   measure so long (default 60)
 *   --seed N      draw other problems
 *   --table FILE  write the table that rule.h includes
 *   --raw FILE    write what was measured
 *   --refit FILE  measure nothing; take what --raw wrote (several files: all); needs no GPU
 *
 *     nvcc -O3 -std=c++17 -arch=native -I.. tune.cu -o tune && ./tune --table rule_h200.h
 *
 * A table whose factors are fitted to every other problem is judged by the others: by its regret, by
 * form and element size, in points of a copy's speed behind the best way. The table that is written
 * is fitted to all problems. Short problems are timed in a graph, so that the launches by the host
 * are not what is measured. A library linked with this program that defines
 *     extern "C" int transpose_rival(void *out, const void *in, long batches, long rows, long cols,
 *                         long out_pitch, long in_pitch, int element_bytes, cudaStream_t stream)
 * takes part: regret is then counted against it, too.
 *
 * Prints a table in Markdown. Exit status: 0; 1 a CUDA call failed; 2 wrong usage; 3 no device.
 */
#include "transpose/transpose.cu"

#include <time.h>

#include "transpose/fit.h"

extern "C" __attribute__((weak)) int transpose_rival(void *, const void *, long, long, long, long,
                                                     long, int, cudaStream_t);

#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "tune: %s: %s\n", #call, cudaGetErrorString(error_));                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { COPY_AGAIN = CONTENDERS, ROUNDS = 8 };

static char *in, *out;
static size_t room; /* of each, in bytes */
static cudaStream_t stream;
static uint64_t state = 1;

static unsigned below(unsigned n) /* a random number in [0, n) */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

static double between(double low, double high) /* uniform in the logarithm */
{
    return exp(log(low) + below(1 << 20) / (double)(1 << 20) * log(high / low));
}

/* Returns the power of two whose logarithm is the nearest. */
static int64_t near_power(int64_t n)
{
    int64_t power = 1;
    while (2 * power * power < n * n)
        power *= 2;
    return power;
}

/* Draws a problem: wide, few columns, few rows, or small; held by L2 or several times larger;
 * aligned or not; one in twenty of up to 3 GB; sometimes a batch, with pitches, or at an offset; every third has sides that are
 * powers of two, as people's matrices often have. */
static void draw(Transpose *t)
{
    static const int narrow[] = {2, 3, 4, 5, 9, 17, 33, 65};
    memset(t, 0, sizeof *t);
    const int e = t->element_bytes = 1 << below(5), kind = below(10), aligned = below(2);
    const int form =
        kind < (e < 16 ? 8 : 5) ? kind : 0; /* small ones are the hardest to choose for */
    const int unit = aligned ? (below(2) ? 32 : 16) / e + (e == 16 && below(2)) : 1;
    double bytes = below(20) == 0 ? between(6e8, 3e9)
                   : below(4)     ? between(3e7, 6e8)
                                  : between(5e4, 3e7);
    int bucket = below(7), few = narrow[bucket] + below(narrow[bucket + 1] - narrow[bucket]);
    long other = aligned ? (few + unit - 1) / (unit ? unit : 1) * (unit ? unit : 1) : few;
    few = below(2) ? few : (int)(other < 64 ? other : few);
    t->stream = stream;
    if (form == 0) { /* small */
        long size = (long)between(3, 8192.0 / e / few);
        t->rows = few;
        t->cols = size < 2 ? 2 : size;
        if (below(2)) {
            t->rows = t->cols;
            t->cols = few;
        }
        t->batch_dims = 1;
        t->batch[0].count = (int64_t)(bytes / (e * t->rows * t->cols)) + 1;
    } else {
        int batches = below(3) ? 1 : (int)between(2, 3000);
        double area = bytes / e / batches;
        double shape = form < 4 ? between(0.02, 50) : 1;
        t->rows = (int64_t)(form < 4 ? sqrt(area * shape) : form < 6 ? area / few : few);
        t->cols = (int64_t)(form < 4 ? sqrt(area / shape) : form < 6 ? few : area / few);
        t->rows += t->rows < 1;
        t->cols += t->cols < 1;
        if (unit > 1 && (form < 4 || form >= 6))
            t->cols = (t->cols + unit - 1) / unit * unit;
        if (unit > 1 && form < 6)
            t->rows = (t->rows + unit - 1) / unit * unit;
        if (batches > 1) {
            t->batch_dims = 1;
            t->batch[0].count = batches;
        }
        if (form < 4 && below(4) == 0) {
            t->in_pitch = t->cols + below(64);
            t->out_pitch = t->rows + below(64);
        }
    }
    if (below(3) == 0 && t->in_pitch == 0) {
        t->rows = near_power(t->rows);
        t->cols = near_power(t->cols);
    }
    int offset = aligned || below(2) ? 0 : below(16);
    t->in = in + 4096 + offset * e;
    t->out = out + 4096 + (below(2) ? offset : 0) * e;
}

/* Launches contender `who`: a way, the rival, or a copy of as many bytes. */
static void launch(const Sample *s, const TransposeProblem *p, int who, TransposeReads reads)
{
    const Transpose *t = &s->t;
    const long batches = t->batch_dims ? t->batch[0].count : 1;
    if (who == COPY_AGAIN) {
        MUST(cudaMemcpyAsync(out, in, (size_t)t->rows * t->cols * t->element_bytes * batches,
                             cudaMemcpyDeviceToDevice, stream));
    } else if (who == RIVAL) {
        MUST((cudaError_t)transpose_rival(t->out, t->in, batches, t->rows, t->cols, t->out_pitch,
                                          t->in_pitch, t->element_bytes, stream));
    } else {
        TransposePlan plan = {who, 0, 0, 0};
        transpose_choose_order(p, l2_bytes, reads, &plan);
        MUST(transpose_run<0>(p, &plan, stream));
    }
}

/* Returns the milliseconds of a launch: `count` of them, in a graph if that is more than 8. */
static float time_of(const Sample *s, const TransposeProblem *p, int who, int count)
{
    static cudaEvent_t begin, end;
    if (!begin) {
        MUST(cudaEventCreate(&begin));
        MUST(cudaEventCreate(&end));
    }
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    if (count > 8) {
        MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < count; i++)
            launch(s, p, who, TRANSPOSE_READS_BY_SIZE);
        MUST(cudaStreamEndCapture(stream, &graph));
        MUST(cudaGraphInstantiate(&ready, graph, 0));
        MUST(cudaGraphUpload(ready, stream));
    }
    launch(s, p, who, TRANSPOSE_READS_BY_SIZE);
    MUST(cudaEventRecord(begin, stream));
    if (ready)
        MUST(cudaGraphLaunch(ready, stream));
    else
        for (int i = 0; i < count; i++)
            launch(s, p, who, TRANSPOSE_READS_BY_SIZE);
    MUST(cudaEventRecord(end, stream));
    MUST(cudaEventSynchronize(end));
    if (ready) {
        MUST(cudaGraphExecDestroy(ready));
        MUST(cudaGraphDestroy(graph));
    }
    float ms;
    MUST(cudaEventElapsedTime(&ms, begin, end));
    return ms / count;
}

static int compare_floats(const void *a, const void *b)
{
    return *(const float *)a < *(const float *)b ? -1 : *(const float *)a > *(const float *)b;
}

/* Fills in what the rule makes of a sample's problem. */
static void note_problem(Sample *s, const TransposeProblem *p)
{
    TransposePlan plan;
    s->form = transpose_form(p);
    s->bytes = p->bytes;
    s->aligned = p->aligned;
    transpose_choose(p, l2_bytes, TRANSPOSE_READS_BY_SIZE, &plan);
    s->chosen = plan.way;
}

/* Times all contenders in turns, round after round; ways that are three times slower than the best
 * only once. */
static void measure(Sample *s)
{
    TransposeProblem p;
    transpose_check(&s->t, &p);
    note_problem(s, &p);
    float ms[CONTENDERS + 1][ROUNDS], best = 1e30f;
    double bytes = 2.0 * p.rows * p.cols * p.bytes * p.batches;
    int count = (int)(1 + 3e8 / bytes);
    count = count > 40 ? 40 : count;
    memset(ms, 0, sizeof ms);
    for (int round = 0; round < ROUNDS; round++)
        for (int who = 0; who <= CONTENDERS; who++) {
            if (who < RIVAL ? !transpose_can(&p, who) : who == RIVAL && !transpose_rival)
                continue;
            float *took = ms[who];
            if (round > 1 && who < COPY_AGAIN && took[1] > 3 * best)
                continue;
            took[round] = time_of(s, &p, who, round < 2 ? 1 : count);
            if (round == 1) { /* the first launches only tell the slow ones */
                took[1] = took[0] < took[1] ? took[0] : took[1];
                best = took[1] < best && who < COPY_AGAIN ? took[1] : best;
            }
        }
    for (int half = 0; half < 2; half++) {
        float median[CONTENDERS + 1];
        for (int who = 0; who <= CONTENDERS; who++) {
            float *took = ms[who] + 2 + half * (ROUNDS - 2) / 2;
            qsort(took, (ROUNDS - 2) / 2, sizeof(float), compare_floats);
            median[who] = took[0] > 0 ? took[(ROUNDS - 2) / 4] : ms[who][1];
        }
        for (int who = 0; who < CONTENDERS; who++)
            s->half[half][who] = median[who] > 0 ? 100 * median[COPY_AGAIN] / median[who] : 0;
    }
    for (int who = 0; who < CONTENDERS; who++)
        s->percent[who] = (s->half[0][who] + s->half[1][who]) / 2;
}

/* Writes the table as rule.h includes it. */
static int write_table(const char *path, const TransposeRule *table, size_t length)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    fprintf(file,
            "/* Written by tune, fitted to %d problems. {form, element bytes, aligned, way, "
            "{factors}}: the "
            "terms\n"
            " * of rule.h in their order */\n/* clang-format off */\n",
            sample_count);
    for (size_t i = 0; i < length; i++) {
        fprintf(file, "{%d, %d, %d, %d, {", table[i].form, table[i].bytes, table[i].aligned,
                table[i].way);
        for (int j = 0; j < TRANSPOSE_TERMS; j++)
            fprintf(file, "%s%.4ff", j ? ", " : "", table[i].factor[j]);
        fprintf(file, "}},\n");
    }
    return fclose(file) == 0;
}

/* Prints a row of the report: the checking samples of a form and element size whose input and output have
 * [least, most) times the bytes of L2; form or bytes -1: all. */
static void report_row(const char *what, int form, int bytes, double least, double most)
{
    double regret = 0, worst = 0, today = 0, top = 0, rival = 0;
    int count = 0, large = 0, worst_at = -1;
    for (int i = 1; i < sample_count; i += 2) {
        const Sample *s = &samples[i];
        const double size = 2.0 * (double)s->t.rows * (double)s->t.cols * s->t.element_bytes *
                            (s->t.batch_dims ? (double)s->t.batch[0].count : 1) / l2_bytes;
        if ((form >= 0 && s->form != form) || (bytes >= 0 && s->bytes != bytes) || size < least ||
            size >= most || s->chosen == TRANSPOSE_COPY)
            continue;
        /* One half of the rounds says which way is the best, the other how far it is ahead: by the
         * same half, chance alone would put some way ahead. */
        double behind = 0;
        for (int half = 0; half < 2; half++) {
            const float *other = s->half[!half];
            int best = 0;
            for (int who = 1; who < CONTENDERS; who++)
                best = s->half[half][who] > s->half[half][best] ? who : best;
            behind += (other[best] - other[s->fitted]) / 2;
            today += (other[best] - other[s->chosen]) / 2;
            top += other[best] / 2;
        }
        count++;
        large += behind > 8;
        regret += behind;
        rival += s->percent[RIVAL];
        if (behind > worst) {
            worst = behind;
            worst_at = i;
        }
    }
    if (count == 0)
        return;
    printf("| %s | ", what);
    if (bytes >= 0)
        printf("%d", bytes);
    printf(" | %d | %.2f | %.1f | %.1f | %.2f | %.1f | %.1f |\n", count, regret / count, worst,
           100.0 * large / count, today / count, top / count, rival / count);
    if (worst_at < 0 || form < 0)
        return;
    const Sample *s = &samples[worst_at];
    fprintf(stderr, "worst of %s, %d bytes: %ld x (%ld x %ld), pitches %ld %ld, takes %d of:", what,
            bytes, (long)(s->t.batch_dims ? s->t.batch[0].count : 1), (long)s->t.rows,
            (long)s->t.cols, (long)s->t.in_pitch, (long)s->t.out_pitch, s->fitted);
    for (int who = 0; who < CONTENDERS; who++)
        if (s->percent[who] > 0)
            fprintf(stderr, " %d: %.1f", who, s->percent[who]);
    fprintf(stderr, "\n");
}

/* Prints the regret of the checking samples by form and element size, and by size. */
static void report(void)
{
    static const char *const forms[] = {"wide", "few columns", "few rows", "small, in batches"};
    static const double sizes[] = {0, 0.1, 0.7, 2, 1e30}; /* times L2 */
    static const char *const names[] = {"less than 0.1 times L2", "0.1 to 0.7 times",
                                        "0.7 to 2 times", "more"};
    printf("| problems | bytes | number | regret | worst | %% over 8 | today's table | best way, "
           "%% of a copy | rival |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int form = 0; form < 4; form++)
        for (int bytes = 1; bytes <= 16; bytes *= 2)
            report_row(forms[form], form, bytes, 0, 1e30);
    for (int k = 0; k < 4; k++)
        report_row(names[k], -1, -1, sizes[k], sizes[k + 1]);
    report_row("all", -1, -1, 0, 1e30);
}

/* Writes the device and every sample: the problem, and percent of a copy per half and contender. */
static int write_raw(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    fprintf(file, "%.0f\n", l2_bytes);
    for (int i = 0; i < sample_count; i++) {
        const Sample *s = &samples[i];
        const Transpose *t = &s->t;
        fprintf(file, "%d\t%ld\t%ld\t%ld\t%ld\t%ld\t%d\t%d", t->element_bytes,
                (long)(t->batch_dims ? t->batch[0].count : 1), (long)t->rows, (long)t->cols,
                (long)t->in_pitch, (long)t->out_pitch, (int)((uintptr_t)t->in % 256),
                (int)((uintptr_t)t->out % 256));
        for (int who = 0; who < 2 * CONTENDERS; who++)
            fprintf(file, "\t%.1f", s->half[who / CONTENDERS][who % CONTENDERS]);
        fprintf(file, "\n");
    }
    return fclose(file) == 0;
}

/* Reads samples that write_raw() wrote, so that a table can be fitted without a GPU. */
static int read_raw(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%lf", &l2_bytes) != 1)
        return 0;
    long n[8];
    while (sample_count < MOST && fscanf(file, "%ld %ld %ld %ld %ld %ld %ld %ld", &n[0], &n[1],
                                         &n[2], &n[3], &n[4], &n[5], &n[6], &n[7]) == 8) {
        Sample *s = &samples[sample_count];
        TransposeProblem p;
        memset(s, 0, sizeof *s);
        s->t.element_bytes = (int)n[0];
        s->t.batch_dims = n[1] > 1;
        s->t.batch[0].count = n[1];
        s->t.rows = n[2];
        s->t.cols = n[3];
        s->t.in_pitch = n[4];
        s->t.out_pitch = n[5];
        s->t.in =
            (char *)((uintptr_t)1 << 40) + n[6]; /* addresses that only their last bits tell */
        s->t.out = (char *)((uintptr_t)1 << 44) + n[7];
        for (int who = 0; who < 2 * CONTENDERS; who++)
            if (fscanf(file, "%f", &s->half[who / CONTENDERS][who % CONTENDERS]) != 1)
                return 0;
        if (transpose_check(&s->t, &p) != TRANSPOSE_OK || p.nothing)
            return 0;
        for (int who = 0; who < CONTENDERS; who++) {
            if (who < RIVAL && !transpose_can(&p, who)) /* ways may have gone since */
                s->half[0][who] = s->half[1][who] = 0;
            s->percent[who] = (s->half[0][who] + s->half[1][who]) / 2;
        }
        note_problem(s, &p);
        sample_count++;
    }
    return fclose(file) == 0;
}

/* Measures random problems for so many seconds. */
static void measure_all(double seconds)
{
    if (transpose_l2(&l2_bytes) != cudaSuccess) {
        fprintf(stderr, "tune: no device\n");
        exit(3);
    }
    room = 3400ull << 20;
    MUST(cudaMalloc(&in, room));
    MUST(cudaMalloc(&out, room));
    MUST(cudaMemset(in, 1, room));
    MUST(cudaStreamCreate(&stream));
    for (time_t begin = time(NULL); sample_count < MOST && time(NULL) - begin < seconds;) {
        Sample *s = &samples[sample_count];
        memset(s, 0, sizeof *s);
        draw(&s->t);
        TransposeProblem p;
        if (transpose_check(&s->t, &p) != TRANSPOSE_OK || p.nothing || p.in_end > in + room ||
            p.out_pitch * p.cols * p.batches > (long long)room - 8192)
            continue;
        measure(s);
        sample_count++;
    }
}

int main(int argc, char **argv)
{
    double seconds = 60;
    const char *table = NULL, *raw = NULL;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value && strcmp(argv[i], "--seconds") == 0 && atof(value) > 0) {
            seconds = atof(value);
        } else if (value && strcmp(argv[i], "--seed") == 0 && atol(value) > 0) {
            state = (uint64_t)atol(value) * 0x9e3779b97f4a7c15ull;
        } else if (value && strcmp(argv[i], "--table") == 0) {
            table = value;
        } else if (value && strcmp(argv[i], "--raw") == 0) {
            raw = value;
        } else if (value && strcmp(argv[i], "--refit") == 0) {
            if (!read_raw(value)) {
                fprintf(stderr, "tune: %s: not a file that --raw wrote\n", value);
                return 2;
            }
        } else {
            fprintf(stderr, "usage: tune [--seconds S] [--seed N] [--table FILE] [--raw FILE] "
                            "[--refit FILE]...\n");
            return 2;
        }
    }
    if (sample_count == 0)
        measure_all(seconds);
    static TransposeRule rules[RULES + 1];
    size_t length = fit(rules, 2);
    for (int i = 0; i < sample_count; i++) {
        TransposeProblem p;
        transpose_check(&samples[i].t, &p);
        samples[i].fitted = transpose_best_way(&p, l2_bytes, rules, length);
    }
    report();
    length = fit(rules, 1);
    const char *failed = table && !write_table(table, rules, length) ? table
                         : raw && !write_raw(raw)                    ? raw
                                                                     : NULL;
    if (failed)
        fprintf(stderr, "tune: %s: cannot be written\n", failed);
    return failed ? 1 : 0;
}
