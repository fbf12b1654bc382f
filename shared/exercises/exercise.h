/*
 * The one include of an exercise: the parts of the harness that kernels and launches need, and
 * EXERCISE(launch).
 *
 * An exercise is kernels and one launch function with one of these signatures (the exercise chooses the
 * types of the elements):
 *
 *   void launch(const float *in, float *out, int rows, int cols)              one matrix
 *   void launch(const float *in, float *out, int rows, int cols, int count)   a batch
 *   void launch(float *matrix, int side)                                      in place
 *
 * Built alone, the file is a program that verifies its output and, on a GPU, measures its bandwidth
 * (judge.h). The checker defines EXERCISE_CHECKED and has its own main.
 */
#ifndef EXERCISE_H
#define EXERCISE_H

#ifdef EXERCISE_CHECKED /* only the headers that kernels and launches use, to compile faster */
#include "../harness/grid.h"
#include "../harness/ptx.h"
#include "../harness/swizzle.h"
#include "../harness/tensor_map.h"
#else
#include "../harness/harness.h"
#endif
#include <cuda_pipeline.h>

/* The arguments of one launch: pointers to device memory, and the input's sizes in elements. */
typedef struct {
    const void *in;
    void *out; /* in place: the matrix itself */
    int rows, cols, count;
} Call;

extern "C" void exercise_launch(const Call *call);

template <class In, class Out>
static inline void exercise_call(void (*launch)(const In *, Out *, int, int), const Call *call)
{
    launch((const In *)call->in, (Out *)call->out, call->rows, call->cols);
}

template <class In, class Out>
static inline void exercise_call(void (*launch)(const In *, Out *, int, int, int), const Call *call)
{
    launch((const In *)call->in, (Out *)call->out, call->rows, call->cols, call->count);
}

template <class T>
static inline void exercise_call(void (*launch)(T *, int), const Call *call)
{
    launch((T *)call->out, call->rows);
}

template <class In, class Out, class... Rest>
constexpr int exercise_bytes(void (*)(const In *, Out *, Rest...), int of_output)
{
    return of_output ? sizeof(Out) : sizeof(In);
}

template <class T>
constexpr int exercise_bytes(void (*)(T *, int), int)
{
    return sizeof(T);
}

#ifdef EXERCISE_CHECKED
#define EXERCISE(...)                                                                              \
    extern "C" void exercise_launch(const Call *call) { exercise_call((__VA_ARGS__), call); }      \
    extern "C" {                                                                                   \
    extern const int exercise_elements[2]; /* bytes of the launch function's elements */           \
    const int exercise_elements[2] = {exercise_bytes((__VA_ARGS__), 0),                            \
                                      exercise_bytes((__VA_ARGS__), 1)};                           \
    }
#else
#include "judge.h"
#define EXERCISE(...)                                                                              \
    extern "C" void exercise_launch(const Call *call) { exercise_call((__VA_ARGS__), call); }      \
    int main(void) { return judge_alone(__FILE__); }
#endif

#endif
