/*
 * Deliberately wrong transposes: what the verifier must report, and where. wrong.sh runs them.
 * Every one is a correct one-element-a-thread transpose but for one mistake.
 */
#include "harness/harness.h"

enum Mistake { NONE, ONE_WRONG, TILE_MISSING, PAST_END, BEFORE_START, SWAPPED, INPUT_TOUCHED };

template <int MISTAKE>
__global__ void wrong(const float *in, float *out, int rows, int cols)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)rows * cols)
        return;
    int row = (int)(i / cols), col = (int)(i % cols);
    float value = in[i];
    if (MISTAKE == ONE_WRONG && row == 7 && col == 5)
        value = 0;
    if (MISTAKE == TILE_MISSING && row / 32 == 1 && col / 32 == 1)
        return;
    if (MISTAKE == SWAPPED)
        out[(size_t)row * cols + col] = value;
    else
        out[(size_t)col * rows + row] = value;
    if (MISTAKE == PAST_END && i == 0)
        out[(size_t)rows * cols + 2] = value;
    if (MISTAKE == BEFORE_START && i == 0)
        out[-1] = value;
    if (MISTAKE == INPUT_TOUCHED && i == 3)
        ((float *)in)[i] = 0;
}

template <int MISTAKE>
static void launch_wrong(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    wrong<MISTAKE><<<(unsigned)((count - 1) / 256 + 1), 256>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"right", launch_wrong<NONE>, 1, 0},
        {"one_wrong", launch_wrong<ONE_WRONG>, 1, 0},
        {"tile_missing", launch_wrong<TILE_MISSING>, 1, 0},
        {"past_end", launch_wrong<PAST_END>, 1, 0},
        {"before_start", launch_wrong<BEFORE_START>, 1, 0},
        {"swapped", launch_wrong<SWAPPED>, 1, 0},
        {"input_touched", launch_wrong<INPUT_TOUCHED>, 1, 0},
    };
    static const Step step = {
        "wrong", TRANSPOSE, variants, COUNT_OF(variants), "right", "right", NULL,
    };
    return run_step(&step, argc, argv);
}
