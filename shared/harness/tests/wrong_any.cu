/*
 * Deliberately wrong transposes of any element, batch and pitch: what the verifier must report.
 * wrong_any.sh runs them. Every one is a correct one-element-a-thread transpose but for one
 * mistake.
 */
#include "harness/harness.h"

enum Mistake {
    NONE,
    ONE_WRONG,
    UNTOUCHED,
    GAP,
    PAST_END,
    BEFORE_START,
    BATCHES,
    FAR,
    INPUT_TOUCHED
};

template <int MISTAKE>
__global__ void wrong(Problem p)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)p.batches * p.rows * p.cols)
        return;
    int bytes = p.element_bytes;
    int col = (int)(i % p.cols), row = (int)(i / p.cols % p.rows),
        batch = (int)(i / p.cols / p.rows);
    const char *in = (const char *)p.in;
    char *out = (char *)p.out;
    long long from = ((long long)batch * p.rows + row) * p.in_pitch + col;
    long long to = ((long long)batch * p.cols + col) * p.out_pitch + row;
    if (MISTAKE == BATCHES && batch < 2)
        from = ((long long)(1 - batch) * p.rows + row) * p.in_pitch + col;
    if (MISTAKE == UNTOUCHED && batch == 1 && row == 7 && col == 5)
        return;
    if (MISTAKE == FAR && row >= 1)
        from = ((long long)batch * p.rows + row - 1) * p.in_pitch + col;
    for (int b = 0; b < bytes; b++) {
        out[to * bytes + b] = in[from * bytes + b];
        if (MISTAKE == ONE_WRONG && batch == 1 && row == 7 && col == 5 && b == bytes - 1)
            out[to * bytes + b] = (char)0x11;
        if (MISTAKE == GAP && batch == 0 && row == p.rows - 1 && col == 3)
            out[(to + 2) * bytes + b] = 0;
        if (MISTAKE == PAST_END && i == 0)
            out[(((long long)p.batches * p.cols - 1) * p.out_pitch + p.rows + 1) * bytes + b] = 0;
        if (MISTAKE == BEFORE_START && i == 0)
            out[b - bytes] = 0;
        if (MISTAKE == INPUT_TOUCHED && i == 3)
            ((char *)in)[from * bytes + b] = (char)0x11;
    }
}

template <int MISTAKE>
static void launch_wrong(const Problem *p)
{
    long long count = (long long)p->batches * p->rows * p->cols;
    wrong<MISTAKE><<<(unsigned)((count - 1) / 256 + 1), 256>>>(*p);
}

static const char *refuses_bytes(const Problem *p)
{
    return p->element_bytes == 1 ? "no bytes" : NULL;
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"right", NULL, 1, 0, 0, NULL, launch_wrong<NONE>},
        {"one_wrong", NULL, 1, 0, 0, NULL, launch_wrong<ONE_WRONG>},
        {"untouched", NULL, 1, 0, 0, NULL, launch_wrong<UNTOUCHED>},
        {"gap", NULL, 1, 0, 0, NULL, launch_wrong<GAP>},
        {"past_end", NULL, 1, 0, 0, NULL, launch_wrong<PAST_END>},
        {"before_start", NULL, 1, 0, 0, NULL, launch_wrong<BEFORE_START>},
        {"batches", NULL, 1, 0, 0, NULL, launch_wrong<BATCHES>},
        {"far", NULL, 1, 0, 0, NULL, launch_wrong<FAR>},
        {"input_touched", NULL, 1, 0, 0, NULL, launch_wrong<INPUT_TOUCHED>},
        {"refuses_bytes", NULL, 1, 0, 0, NULL, launch_wrong<NONE>, refuses_bytes},
    };
    static const Step step = {
        "wrong_any", TRANSPOSE, variants, COUNT_OF(variants), "right", "right", NULL,
    };
    return run_step(&step, argc, argv);
}
