/*
 * The accesses that agree.c draws, made by a warp: reads its lines from standard input and prints
 * the requests, wavefronts and ideal of each, as cpucc counts them. Built by cpucc only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>
#include "cpucc/cpucc.h"

enum { MOST_BYTES = 40000 };

template <class T>
__global__ void load(const int *element, int lanes, T *out)
{
    __shared__ T tile[MOST_BYTES / sizeof(T)];
    int lane = threadIdx.x;
    for (int i = lane; i < MOST_BYTES / (int)sizeof(T); i += 32)
        tile[i] = T();
    __syncthreads();
    if (lane < lanes)
        out[lane] = tile[element[lane]];
}

template <class T>
__global__ void store(const int *element, int lanes, T *out)
{
    __shared__ T tile[MOST_BYTES / sizeof(T)];
    int lane = threadIdx.x;
    if (lane < lanes)
        tile[element[lane]] = out[0];
}

template <class T>
static void launch(int is_load, const int *element, int lanes, void *out)
{
    if (is_load)
        load<T><<<1, 32>>>(element, lanes, (T *)out);
    else
        store<T><<<1, 32>>>(element, lanes, (T *)out);
}

int main()
{
    static char line[4096];
    int *element;
    void *out;
    cudaMalloc((void **)&element, 32 * sizeof(int));
    cudaMalloc(&out, 32 * 16);
    cudaMemset(out, 0, 32 * 16);
    cpucc_default_report("off");
    while (fgets(line, sizeof line, stdin)) {
        char *field[5], *at = strtok(line, "\t\n");
        int pattern[32], lanes = 0, n = 0;
        for (; at && n < 5; at = strtok(NULL, "\t\n"))
            field[n++] = at;
        if (n < 5)
            return 2;
        for (at = field[4]; lanes < 32; at++) {
            pattern[lanes++] = (int)strtol(at, &at, 10);
            if (*at != ' ')
                break;
        }
        int is_load = !strcmp(field[3], "load"), bytes = atoi(field[2]);
        cudaMemcpy(element, pattern, sizeof pattern, cudaMemcpyHostToDevice);
        cpucc_reset();
        switch (bytes) {
        case 1: launch<char>(is_load, element, lanes, out); break;
        case 2: launch<short>(is_load, element, lanes, out); break;
        case 4: launch<float>(is_load, element, lanes, out); break;
        case 8: launch<float2>(is_load, element, lanes, out); break;
        default: launch<float4>(is_load, element, lanes, out); break;
        }
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        cpucc_totals totals;
        cpucc_read(&totals);
        const cpucc_count *c = &totals.counter[is_load ? CPUCC_SHARED_LOAD : CPUCC_SHARED_STORE];
        printf("%llu %llu %llu\n", (unsigned long long)c->requests, (unsigned long long)c->work,
               (unsigned long long)c->ideal_work);
    }
    return 0;
}
