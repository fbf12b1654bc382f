/*
 * Opens the device that a program runs on, and decides which variants and matrix sizes it can run.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include "options.h"
#include <time.h>

typedef struct {
    char name[256];
    int capability; /* 10 * major + minor */
    int sms;        /* streaming multiprocessors */
    size_t l2_bytes;
    double peak;           /* theoretical memory bandwidth, GB/s: 2 * clock * bus width */
    char description[320]; /* name, capability and peak, for the program's first line */
    char driver[64];       /* the driver's version if it can be read, and its CUDA version */
    char runtime[16];
} Device;

static inline int device_attribute(cudaDeviceAttr attribute, int device)
{
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

static inline void read_driver_version(char *text, size_t size)
{
    int version = 0;
    CUDA_CHECK(cudaDriverGetVersion(&version));
    char module[32] = "";
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (file) {
        char line[256];
        const char *found = NULL;
        if (fgets(line, sizeof line, file))
            for (const char *word = line; *word && !found; word++)
                if ((word == line || word[-1] == ' ') && word[0] >= '0' && word[0] <= '9')
                    found = word;
        if (found)
            sscanf(found, "%31s", module);
        fclose(file);
    }
    snprintf(text, size, "%s%sCUDA %d.%d", module, *module ? ", " : "", version / 1000,
             version % 1000 / 10);
}

/* Makes the device current and reads its properties. Ends the program with EXIT_NO_DEVICE if there is
 * none. */
static inline Device open_device(int number)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        fprintf(stderr, "no CUDA device: %s\n",
                error != cudaSuccess ? cudaGetErrorString(error) : "none is present");
        exit(EXIT_NO_DEVICE);
    }
    if (number >= count) {
        fprintf(stderr, "--device %d: there %s %d CUDA device%s, numbered from 0\n", number,
                count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
        exit(EXIT_NO_DEVICE);
    }
    CUDA_CHECK(cudaSetDevice(number));

    Device device = {};
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, number));
    snprintf(device.name, sizeof device.name, "%s", properties.name);
    device.capability = 10 * properties.major + properties.minor;
    device.sms = properties.multiProcessorCount;
    device.l2_bytes = (size_t)properties.l2CacheSize;
    /* Two transfers per clock; the clock is in kHz, the bus width in bits. */
    device.peak = 2.0 * device_attribute(cudaDevAttrMemoryClockRate, number) * 1e3 *
                  device_attribute(cudaDevAttrGlobalMemoryBusWidth, number) / 8 / 1e9;
    snprintf(device.description, sizeof device.description,
             "%s (compute capability %d.%d, peak %.0f GB/s)", device.name, properties.major,
             properties.minor, device.peak);
    read_driver_version(device.driver, sizeof device.driver);
    int version = 0;
    CUDA_CHECK(cudaRuntimeGetVersion(&version));
    snprintf(device.runtime, sizeof device.runtime, "%d.%d", version / 1000, version % 1000 / 10);
    return device;
}

/* Returns why this variant cannot run on this device, or NULL if it can. The text is valid until the
 * next call. */
static inline const char *device_refusal(const Variant *variant, const Device *device)
{
    static char reason[96];
    if (variant->capability > device->capability)
        snprintf(reason, sizeof reason, "needs compute capability %d.%d, this device has %d.%d",
                 variant->capability / 10, variant->capability % 10, device->capability / 10,
                 device->capability % 10);
    else if (variant->capability >= 90 && CUDART_VERSION < 12000)
        snprintf(reason, sizeof reason, "needs CUDA 12.0 or newer; this was built with %d.%d",
                 CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    else
        return NULL;
    return reason;
}

/* Returns the device memory that a run needs, in bytes: input and output with the gaps between rows,
 * plus `around`. A double, because the largest sizes overflow 64 bits. */
static inline double memory_needed(const Options *options, size_t around)
{
    Problem p = problem_of(options, NULL, NULL);
    return ((double)p.rows * p.in_pitch + (double)p.cols * p.out_pitch) * p.batches *
               p.element_bytes +
           2.0 * options->offset * p.element_bytes + around;
}

/* Chooses the default size if the user gave none. Ends the program with EXIT_NO_DEVICE if the size
 * does not fit. `around`: bytes that a run needs besides the two matrices. */
static inline void choose_size(Options *options, size_t around)
{
    size_t free_bytes = 0, total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (!options->rows) {
        options->rows = options->cols = 32768;
        while (options->rows > 1 && memory_needed(options, 0) > 0.7 * free_bytes)
            options->rows = options->cols = options->rows / 2;
    }
    double needed = memory_needed(options, around);
    if (needed > free_bytes) {
        fprintf(stderr, "%d x %d needs %.1f GB of device memory, and %.1f GB are free\n",
                options->rows, options->cols, needed / 1e9, free_bytes / 1e9);
        exit(EXIT_NO_DEVICE);
    }
}

#endif
